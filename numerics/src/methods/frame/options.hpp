// Values of all options, checked against options.def.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "nonsmooth/options.h"

namespace nonsmooth {

enum class Option : std::size_t {
#define NSM_OPTION(name, ...) name,
#define NSM_CHOICE(name, ...) name,
#include "methods/frame/options.def"
#undef NSM_CHOICE
#undef NSM_OPTION
  count
};

std::span<const nsm_option_info> option_table();

class Options {
 public:
  Options();  // defaults
  double real(Option option) const { return values_[static_cast<std::size_t>(option)]; }
  std::int64_t integer(Option option) const { return static_cast<std::int64_t>(real(option)); }
  bool flag(Option option) const { return real(option) != 0; }
  // Choice: an enumeration in the order of the words.
  template <class Choice>
  Choice choice(Option option) const {
    return static_cast<Choice>(integer(option));
  }

  // By name; throws Error naming the option, the value and the bounds.
  void set(const char* name, double value);
  void set_text(const char* name, const char* value);
  double get(const char* name) const;

 private:
  std::array<double, static_cast<std::size_t>(Option::count)> values_;
};

}  // namespace nonsmooth
