// Command lines of our programs, read by CLI11.
#pragma once

#include <CLI/CLI.hpp>

#include <algorithm>
#include <string>
#include <vector>

#include "program.hpp"

namespace nonsmooth::programs {

// CLI11 takes an empty text for the number 0. It is what a shell variable that is not set gives.
inline void refuse_empty_numbers(CLI::App& app) {
  const CLI::Validator number([](std::string& text) { return text.empty() ? std::string("'' is no number") : std::string(); },
                              "");
  for (CLI::Option* option : app.get_options())
    for (const char* type : {"FLOAT", "INT", "UINT"})
      if (option->get_type_name().rfind(type, 0) == 0) option->check(number);
  for (CLI::App* command : app.get_subcommands([](CLI::App*) { return true; })) refuse_empty_numbers(*command);
}

// Of the sub-command that was given, if there are any.
inline std::string where_help_is(const CLI::App& app) {
  const std::vector<CLI::App*> given = app.get_subcommands();
  return " (see `" + app.get_name() + (given.empty() ? "" : " " + given.front()->get_name()) + " --help`)";
}

// The arguments that no option takes, as they were given: CLI11 tells them from the last to the first.
inline std::string unexpected(const CLI::App& app) {
  std::vector<std::string> arguments = app.remaining(true);
  std::reverse(arguments.begin(), arguments.end());
  return CLI::ExtrasError(arguments).what() + where_help_is(app);
}

// False if the help or the version was asked for: it has been printed, and nothing is left to do. Throws Failure.
inline bool parse(CLI::App& app, int count, char** arguments) {
  refuse_empty_numbers(app);
  try {
    app.parse(count, arguments);
  } catch (const CLI::Success& request) {
    app.exit(request);
    return false;
  } catch (const CLI::RequiredError& error) {
    // What is missing may be there, misspelt.
    throw Failure{usage, app.remaining(true).empty() ? error.what() + where_help_is(app) : unexpected(app)};
  } catch (const CLI::ExtrasError&) {
    throw Failure{usage, unexpected(app)};
  } catch (const CLI::ParseError& error) {
    throw Failure{usage, error.what()};
  }
  return true;
}

}  // namespace nonsmooth::programs
