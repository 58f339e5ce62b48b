// Checks of options, for CLI11.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdio>
#include <string>

namespace nonsmooth::programs {

// Checks of numbers, whose messages are those of CLI11 without bounds of 300 digits.
inline CLI::Validator number_that(bool (*holds)(double), const char* what) {
  return {[=](std::string& text) {
            double value = 0;
            return CLI::detail::lexical_cast(text, value) && holds(value) ? std::string() : "'" + text + "' is not " + what;
          },
          ""};
}
inline CLI::Validator positive_number() {
  return number_that([](double value) { return value > 0; }, "a positive number");
}
inline CLI::Validator non_negative_number() {
  return number_that([](double value) { return value >= 0; }, "a number from 0 on");
}

inline CLI::Validator number_between(double least, double most) {
  return {[=](std::string& text) {
            double value = 0;
            if (CLI::detail::lexical_cast(text, value) && value >= least && value <= most) return std::string();
            char message[96];
            std::snprintf(message, sizeof message, "' is not a number from %g to %g", least, most);
            return "'" + text + message;
          },
          ""};
}

// A name that is the value of a shell variable may be empty where that is not set.
inline CLI::Validator file_name() {
  return {[](std::string& text) { return text.empty() ? std::string("'' is no name of a file") : std::string(); }, ""};
}

}  // namespace nonsmooth::programs
