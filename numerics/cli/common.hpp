// What the sub-commands share: exit codes, failures, handles, output.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <programs/program.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "nonsmooth/nonsmooth.h"

namespace cli {

namespace programs = nonsmooth::programs;

using programs::Failure;

// Part of the interface: scripts rely on them.
enum ExitCode {
  success = programs::success,  // certified, also to working precision
  not_converged = 1,            // the best iterate has been written all the same
  infeasible = 2,               // with a verified certificate
  usage = programs::usage,
  bad_file = programs::bad_file,
  limit = 5,  // iterations, time, or cancelled
  internal = programs::internal
};
// For people, behind the examples of a help.
constexpr const char* exit_codes =
    "\n\nExit codes: 0 certified, 1 not converged, 2 infeasible (verified), 3 wrong usage, 4 bad file, 5 limit or cancelled, "
    "70 internal error.";

// Throws Failure with the library's message unless the status is NSM_OK. `file` (may be empty) is named in front of the message.
void require_file(nsm_status status, const std::string& file);
// For calls whose arguments came from the command line. Names the list in which an unknown method or option is not.
void require_usage(nsm_status status);

struct Free {
  void operator()(nsm_problem* problem) const { nsm_problem_free(&problem); }
  void operator()(nsm_options* options) const { nsm_options_free(&options); }
  void operator()(nsm_solver* solver) const { nsm_free(&solver); }
};
using ProblemHandle = std::unique_ptr<nsm_problem, Free>;
using OptionsHandle = std::unique_ptr<nsm_options, Free>;
using SolverHandle = std::unique_ptr<nsm_solver, Free>;

// problem_class empty: found by content.
ProblemHandle read_problem(const std::string& path, const std::string& problem_class);

// Of the two files of Matrix Market, NAME.mtx and NAME_q.mtx, which the library reads and writes together, the second.
std::string path_of_q(const std::string& path);

// A file that is read more than once. Pipes can be read once only: what they hold is kept.
class ProblemFile {
 public:
  explicit ProblemFile(std::string path);
  ProblemHandle read(const std::string& problem_class) const;
  // The classes of the problems that an FCLIB file holds beside the one of class `known`.
  std::vector<nsm_class> other_forms(nsm_class known) const;
  // Of Matrix Market: the second file, which holds q. Empty: all is in one.
  std::string file_of_q() const;

 private:
  nsm_status try_to_read(const char* problem_class, nsm_problem** problem) const;
  bool begins_with(std::string_view mark) const;

  std::string path_;
  std::optional<std::string> contents_;
};

struct Point {
  std::vector<double> z, w;
  bool has_w = false;
};

// A file that holds a solution or a proof that there is none, which is found out by reading it twice. The library reads what a
// pipe holds from a temporary file.
class SolutionFile {
 public:
  explicit SolutionFile(std::string path);
  Point read_point(const nsm_problem* problem) const;
  // False: there is none in it.
  bool read_proof(const nsm_problem* problem, std::vector<double>& y) const;

 private:
  // As require_file, with the name that was given.
  void require(nsm_status status) const;

  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  std::string path_, readable_path_;
  std::unique_ptr<std::FILE, Close> file_;
};

// One object per line; numbers round-trip.
void print_json(const nlohmann::ordered_json& object);
// The members that solve and check have in common, and the same for people.
nlohmann::ordered_json certificate_json(const nsm_certificate& certificate);
void print_certificate(const nsm_certificate& certificate);
bool is_certified(const nsm_certificate& certificate);

// Whether the table of options says so.
bool is_read_by(const nsm_option_info& info, const std::string& method);
nsm_option_info option_at(int64_t index);

// --class NAME, checked against the list of classes.
void add_class_option(CLI::App& command, std::string& problem_class);

// Each adds its sub-command; when it has run, exit_code says how it went.
void add_solve(CLI::App& app, ExitCode& exit_code);
void add_info(CLI::App& app, ExitCode& exit_code);
void add_check(CLI::App& app, ExitCode& exit_code);
void add_convert(CLI::App& app, ExitCode& exit_code);
void add_methods(CLI::App& app, ExitCode& exit_code);

}  // namespace cli
