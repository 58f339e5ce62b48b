// What the two programs have in common: exit codes, and which error gives which.
#pragma once

#include <programs/command_line.hpp>
#include <stdexcept>
#include <string>

#include "nonsmooth/nonsmooth.h"

namespace nonsmooth::bench {

enum ExitCode { success = programs::success, regressed = 1, usage = programs::usage, bad_file = programs::bad_file };

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

// A name that is the value of a shell variable may be empty where that is not set.
inline CLI::Validator file_name() {
  return {[](std::string& text) { return text.empty() ? std::string("'' is no name of a file") : std::string(); }, ""};
}

// Parses the command line and calls run(), which gives the exit code. The name of `app` stands before every message.
template <class Run>
int run_program(CLI::App& app, int count, char** arguments, const Run& run) {
  app.set_version_flag("--version", app.get_name() + " " + nsm_version());
  return programs::run_program(app.get_name(), [&]() -> int {
    try {
      return programs::parse(app, count, arguments) ? run() : success;
    } catch (const CLI::Error& error) {
      throw programs::Failure{usage, error.what()};
    } catch (const std::runtime_error& error) {
      throw programs::Failure{bad_file, error.what()};
    }
  });
}

}  // namespace nonsmooth::bench
