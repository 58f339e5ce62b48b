// What the two programs have in common: exit codes, and which error gives which.
#pragma once

#include <programs/checks.hpp>
#include <programs/command_line.hpp>
#include <stdexcept>

#include "nonsmooth/nonsmooth.h"

namespace nonsmooth::bench {

enum ExitCode { success = programs::success, regressed = 1, usage = programs::usage, bad_file = programs::bad_file };

using programs::file_name, programs::non_negative_number, programs::positive_number;

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
