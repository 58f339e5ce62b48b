// The two tables of the library: methods and options.
#include <cstdio>
#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>

#include "common.hpp"

namespace cli {
namespace {

std::vector<std::string> class_names(uint32_t classes) {
  std::vector<std::string> names;
  for (int k = 0; k < NSM_CLASS_COUNT; ++k)
    if ((classes >> k & 1u) != 0) names.emplace_back(nsm_class_name(static_cast<nsm_class>(k)));
  return names;
}

nsm_method_info method_at(int64_t index) {
  nsm_method_info info{};
  info.struct_size = sizeof info;
  require_usage(nsm_method_describe(index, &info));
  return info;
}

void print_method(const nsm_method_info& info, bool json) {
  const std::vector<std::string> classes = class_names(info.classes);
  if (json) {
    print_json({{"name", info.name},
                {"summary", info.summary},
                {"source", info.source},
                {"use_for", info.use_for},
                {"safe_for", info.safe_for},
                {"classes", classes},
                {"default_iterations", info.default_iterations}});
    return;
  }
  std::printf("%s\n  %s\n  classes     ", info.name, info.summary);
  for (const std::string& name : classes) std::printf("%s ", name.c_str());
  std::printf("\n  use for     %s\n  safe for    %s\n  iterations  %lld\n  source      %s\n", info.use_for, info.safe_for,
              static_cast<long long>(info.default_iterations), info.source);
}

const char* type_text(int32_t type) {
  switch (type) {
    case NSM_OPTION_REAL: return "real";
    case NSM_OPTION_INTEGER: return "integer";
    case NSM_OPTION_CHOICE: return "choice";
    case NSM_OPTION_METHOD: return "method";
    default: return "boolean";
  }
}

std::vector<std::string> words_of(const char* text) {
  std::istringstream stream(text);
  return {std::istream_iterator<std::string>(stream), {}};
}

void print_choice(const nsm_option_info& info, bool json) {
  const std::vector<std::string> words = words_of(info.choices);
  if (json) {
    print_json({{"name", info.name},
                {"type", type_text(info.type)},
                {"default", words.front()},
                {"choices", words},
                {"methods", info.methods},
                {"help", info.help}});
    return;
  }
  std::printf("%s = %s\n  %s\n  one of: %s; methods: %s\n", info.name, words.front().c_str(), info.help, info.choices,
              info.methods);
}

void print_option(const nsm_option_info& info, bool json) {
  if (info.type == NSM_OPTION_CHOICE) return print_choice(info, json);
  if (json) {
    const bool names_method = info.type == NSM_OPTION_METHOD;
    const nlohmann::ordered_json value = names_method
                                             ? nlohmann::ordered_json(method_at(static_cast<int64_t>(info.default_value)).name)
                                             : nlohmann::ordered_json(info.default_value);
    print_json({{"name", info.name},
                {"type", type_text(info.type)},
                {"default", value},
                {"lower", info.lower},
                {"upper", info.upper},
                {"unit", info.unit},
                {"methods", info.methods},
                {"help", info.help}});
    return;
  }
  if (info.type == NSM_OPTION_METHOD) {
    std::printf("%s = %s\n  %s\n  name of a method; methods: %s\n", info.name,
                method_at(static_cast<int64_t>(info.default_value)).name, info.help, info.methods);
    return;
  }
  std::printf("%s = %g\n  %s\n  %s in [%g, %g], unit %s; methods: %s\n", info.name, info.default_value, info.help,
              type_text(info.type), info.lower, info.upper, info.unit, info.methods);
}

void require_method(const std::string& method) {
  for (int64_t k = 0; k < nsm_method_count(); ++k)
    if (method_at(k).name == method) return;
  throw Failure{usage, "no method '" + method + "' (see `nonsmooth methods`)"};
}

void print_options(const std::string& method, bool json) {
  if (!method.empty()) require_method(method);
  for (int64_t k = 0; k < nsm_option_count(); ++k) {
    const nsm_option_info info = option_at(k);
    if (method.empty() || is_read_by(info, method)) print_option(info, json);
  }
}

}  // namespace

void add_methods(CLI::App& app, ExitCode& exit_code) {
  auto json = std::make_shared<bool>(false);
  auto method = std::make_shared<std::string>();
  CLI::App* methods = app.add_subcommand("methods", "list the methods: what they treat, where they are safe");
  methods->footer("\nExamples:\n  nonsmooth methods\n  nonsmooth methods --json");
  methods->add_flag("--json", *json, "one JSON object per line");
  methods->callback([json, &exit_code] {
    for (int64_t k = 0; k < nsm_method_count(); ++k) print_method(method_at(k), *json);
    exit_code = success;
  });
  CLI::App* options = app.add_subcommand("options", "list the options for `solve --set`");
  options->add_option("METHOD", *method, "only those that this method reads");
  options->footer("\nExamples:\n  nonsmooth options\n  nonsmooth options lemke");
  options->add_flag("--json", *json, "one JSON object per line");
  options->callback([json, method, &exit_code] {
    print_options(*method, *json);
    exit_code = success;
  });
}

}  // namespace cli
