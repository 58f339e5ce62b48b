#include "methods/frame/options.hpp"

#include <charconv>
#include <cmath>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.hpp"
#include "core/suggestion.hpp"
#include "methods/frame/method.hpp"

namespace nonsmooth {
namespace {

// Position of the last of the words.
constexpr double last_choice(const char* words) {
  double position = 0;
  for (; *words != '\0'; ++words)
    if (*words == ' ') position += 1;
  return position;
}

constexpr double last_method = -1
#define NSM_METHOD(name) +1
#include "methods/methods.def"
#undef NSM_METHOD
    ;

constexpr nsm_option_info table[] = {
#define NSM_OPTION(name, type, default_value, lower, upper, unit, methods, help) \
  {sizeof(nsm_option_info), #name, NSM_OPTION_##type, default_value, lower, upper, unit, methods, help, nullptr},
#define NSM_CHOICE(name, choices, methods, help) \
  {sizeof(nsm_option_info), #name, NSM_OPTION_CHOICE, 0, 0, last_choice(choices), "-", methods, help, choices},
#include "methods/frame/options.def"
#undef NSM_CHOICE
#undef NSM_OPTION
};

std::size_t find(const char* name) {
  for (std::size_t k = 0; k < std::size(table); ++k)
    if (std::strcmp(table[k].name, name) == 0) return k;
  std::vector<std::string_view> names;
  for (const nsm_option_info& row : table) names.emplace_back(row.name);
  fail(NSM_INVALID_OPTION, "no option is named '%.100s'%s", name, suggestion(name, names).c_str());
}

// Position of `word` among the words of a choice.
double find_choice(const nsm_option_info& row, std::string_view word) {
  std::string_view words = row.choices;
  for (double position = 0;; ++position) {
    const std::size_t end = words.find(' ');
    if (!word.empty() && words.substr(0, end) == word) return position;
    if (end == std::string_view::npos) break;
    words.remove_prefix(end + 1);
  }
  fail(NSM_INVALID_OPTION, "option %s: '%.100s' is none of: %s", row.name, std::string(word).c_str(), row.choices);
}

const char* kind_of_value(std::int32_t type) {
  switch (type) {
    case NSM_OPTION_BOOLEAN: return "boolean: true or false";
    case NSM_OPTION_METHOD: return "method";
    default: return "number";
  }
}

}  // namespace

std::span<const nsm_option_info> option_table() { return table; }

Options::Options() {
  for (std::size_t k = 0; k < values_.size(); ++k) values_[k] = table[k].default_value;
}

void Options::set(const char* name, double value) {
  const std::size_t k = find(name);
  const nsm_option_info& row = table[k];
  if (!(value >= row.lower && value <= row.upper))
    fail(NSM_INVALID_OPTION, "option %s = %g is outside %g .. %g", name, value, row.lower, row.upper);
  if (row.type != NSM_OPTION_REAL && value != std::floor(value))
    fail(NSM_INVALID_OPTION, "option %s = %g is no integer", name, value);
  values_[k] = value;
}

void Options::set_text(const char* name, const char* value) {
  const std::size_t k = find(name);
  if (table[k].type == NSM_OPTION_BOOLEAN) {
    if (std::strcmp(value, "true") == 0) return set(name, 1);
    if (std::strcmp(value, "false") == 0) return set(name, 0);
  }
  if (table[k].type == NSM_OPTION_CHOICE) return set(name, find_choice(table[k], value));
  if (table[k].type == NSM_OPTION_METHOD) {
    const auto methods = method_table();
    for (std::size_t row = 0; row < methods.size(); ++row)
      if (std::strcmp(methods[row]->info.name, value) == 0) return set(name, static_cast<double>(row));
  }
  double number = 0;
  const char* end = value + std::strlen(value);
  const auto [rest, error] = std::from_chars(value, end, number);
  if (error != std::errc() || rest != end)
    fail(NSM_INVALID_OPTION, "option %s: '%.100s' is no %s", name, value, kind_of_value(table[k].type));
  set(name, number);
}

double Options::get(const char* name) const { return values_[find(name)]; }

}  // namespace nonsmooth
