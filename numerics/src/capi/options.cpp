// Options and their table.
#include "nonsmooth/options.h"

#include "capi/handles.hpp"

using namespace nonsmooth;

nsm_status nsm_options_create(nsm_options** options) {
  return guarded([&] {
    required(options, "options") = nullptr;
    *options = new nsm_options();
  });
}

nsm_status nsm_options_set(nsm_options* options, const char* name, double value) {
  return guarded([&] { required(options, "options").options.set(&required(name, "name"), value); });
}

nsm_status nsm_options_set_text(nsm_options* options, const char* name, const char* value) {
  return guarded([&] { required(options, "options").options.set_text(&required(name, "name"), &required(value, "value")); });
}

nsm_status nsm_options_get(const nsm_options* options, const char* name, double* value) {
  return guarded([&] { required(value, "value") = required(options, "options").options.get(&required(name, "name")); });
}

void nsm_options_free(nsm_options** options) {
  if (options == nullptr) return;
  delete *options;
  *options = nullptr;
}

int64_t nsm_option_count(void) { return static_cast<int64_t>(option_table().size()); }

nsm_status nsm_option_describe(int64_t index, nsm_option_info* info) {
  return guarded([&] { write_struct(option_table()[checked_row(index, option_table().size())], info, "info"); });
}
