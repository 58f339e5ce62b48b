// Command lines of our programs, read by CLI11.
#pragma once

#include <CLI/CLI.hpp>

#include "program.hpp"

namespace nonsmooth::programs {

// False if the help or the version was asked for: it has been printed, and nothing is left to do. Throws Failure.
inline bool parse(CLI::App& app, int count, char** arguments) {
  try {
    app.parse(count, arguments);
  } catch (const CLI::Success& request) {
    app.exit(request);
    return false;
  } catch (const CLI::ParseError& error) {
    throw Failure{usage, error.what()};
  }
  return true;
}

}  // namespace nonsmooth::programs
