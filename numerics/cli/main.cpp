// The command `nonsmooth`: its own sub-commands, and `nonsmooth NAME ...` as the program nonsmooth-NAME.
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <programs/command_line.hpp>
#include <set>
#include <sstream>

#include "common.hpp"

namespace {

constexpr const char* examples = R"(
Examples:
  nonsmooth info problem.hdf5
  nonsmooth solve problem.json -o solution.json
  nonsmooth check problem.json solution.json
  nonsmooth COMMAND --help)";
constexpr const char* program_prefix = "nonsmooth-";

std::string own_folder() {
  char path[PATH_MAX];
  const ssize_t length = readlink("/proc/self/exe", path, sizeof path);
  if (length <= 0 || length == static_cast<ssize_t>(sizeof path)) return {};
  const std::string full(path, static_cast<std::size_t>(length));
  return full.substr(0, full.rfind('/'));
}

std::vector<std::string> search_folders() {
  std::vector<std::string> folders = {own_folder()};
  const char* path = std::getenv("PATH");
  std::istringstream list(path == nullptr ? "" : path);
  for (std::string folder; std::getline(list, folder, ':');) folders.push_back(folder);
  return folders;
}

bool is_program(const std::string& path) {
  std::error_code unknown;
  return std::filesystem::is_regular_file(path, unknown) && access(path.c_str(), X_OK) == 0;
}

// NAME of every program nonsmooth-NAME.
std::set<std::string> program_names() {
  namespace fs = std::filesystem;
  std::set<std::string> names;
  for (const std::string& folder : search_folders()) {
    std::error_code unknown;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder.empty() ? "." : folder, unknown)) {
      const std::string file = entry.path().filename().string();
      if (file.rfind(program_prefix, 0) == 0 && file.find('.') == std::string::npos && is_program(entry.path()))
        names.insert(file.substr(std::strlen(program_prefix)));
    }
  }
  return names;
}

std::string programs_text() {
  std::string text = "\nPrograms, of the folder of this one or of PATH, that are run in the same way:\n ";
  for (const std::string& name : program_names()) text += " " + name;
  return text;
}

// Returns only if there is no such program, or it cannot be run.
void run_program(char** arguments) {
  const std::string name = arguments[1];
  if (name.find('/') == std::string::npos)
    for (const std::string& folder : search_folders()) {
      const std::string program = (folder.empty() ? "." : folder) + "/" + program_prefix + name;
      if (!is_program(program)) continue;
      execv(program.c_str(), arguments + 1);
      throw cli::Failure{cli::bad_file, program + ": cannot be run: " + std::strerror(errno)};
    }
  throw cli::Failure{cli::usage,
                     "'" + name + "' is no sub-command, and there is no program nonsmooth-" + name + " (see nonsmooth --help)"};
}

bool is_subcommand(const CLI::App& app, const std::string& word) {
  const auto all = app.get_subcommands([](const CLI::App*) { return true; });
  return std::any_of(all.begin(), all.end(), [&](const CLI::App* command) { return command->get_name() == word; });
}

cli::ExitCode run(int count, char** arguments) {
  cli::ExitCode exit_code = cli::success;
  CLI::App app("Certified solvers for complementarity and friction problems.", "nonsmooth");
  app.set_version_flag("--version", std::string("nonsmooth ") + nsm_version());
  app.require_subcommand(1);
  cli::add_solve(app, exit_code);
  cli::add_info(app, exit_code);
  cli::add_check(app, exit_code);
  cli::add_convert(app, exit_code);
  cli::add_methods(app, exit_code);
  app.footer(std::string(examples) + cli::exit_codes);  // after those of the sub-commands, which would take it over
  app.footer(programs_text);
  if (count > 1 && arguments[1][0] != '-' && !is_subcommand(app, arguments[1])) run_program(arguments);
  cli::programs::parse(app, count, arguments);  // runs the sub-command
  return exit_code;
}

}  // namespace

int main(int count, char** arguments) {
  return cli::programs::run_program("nonsmooth", [&] { return run(count, arguments); });
}
