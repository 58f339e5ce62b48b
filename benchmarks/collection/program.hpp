// What the two programs have in common: exit codes, and which error gives which.
#pragma once

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <stdexcept>
#include <string>

#include "nonsmooth/nonsmooth.h"

namespace nonsmooth::bench {

enum ExitCode { success = 0, regressed = 1, usage = 3, bad_file = 4, internal = 70 };

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

// The last failure of the system, where it has told a reason.
inline std::string cannot_be(const std::string& path, const char* what) {
  return path + ": cannot be " + what + (errno != 0 ? std::string(": ") + std::strerror(errno) : std::string());
}

// Parses the command line and calls run(), which gives the exit code. The name of `app` stands before every message.
template <class Run>
int run_program(CLI::App& app, int count, char** arguments, const Run& run) {
  const auto report = [&](ExitCode code, const std::exception& error) -> int {
    std::fprintf(stderr, "%s: %s\n", app.get_name().c_str(), error.what());
    return code;
  };
  app.set_version_flag("--version", app.get_name() + " " + nsm_version());
  try {
    app.parse(count, arguments);
    return run();
  } catch (const CLI::Success& request) {
    app.exit(request);  // prints the help or the version
    if (std::cout.flush()) return success;
    return report(bad_file, std::runtime_error("standard output cannot be written"));
  } catch (const CLI::Error& error) {
    return report(usage, error);
  } catch (const std::runtime_error& error) {
    return report(bad_file, error);
  } catch (const std::exception& error) {
    return report(internal, error);
  }
}

}  // namespace nonsmooth::bench
