#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <programs/checks.hpp>
#include <programs/interruption.hpp>
#include <programs/openblas.hpp>
#include <set>
#include <string_view>
#include <thread>
#include <tuple>

#include "common.hpp"

namespace cli {
namespace {

struct SolveArguments {
  std::string file, problem_class, method, guess, output;
  std::vector<std::string> settings;
  double tolerance = 0, time_limit = 0;
  int threads = 0;  // 0: not asked for
  bool json = false, verbose = false, has_tolerance = false, has_time_limit = false;
};

// Shown on terminals only, and only for solves that make one wait. A solve that is interrupted is cancelled, so that its best
// iterate is written.
struct Progress {
  bool is_shown = false;
  double shown_at = 0;  // s

  static int32_t report(void* self, int64_t iteration, double residual, double seconds) {
    auto& progress = *static_cast<Progress*>(self);
    if (programs::is_interrupted()) return 1;
    if (!progress.is_shown || seconds - progress.shown_at < 1.0) return 0;
    progress.shown_at = seconds;
    std::fprintf(stderr, "\r%8.0f s  iteration %lld  residual %.3g\033[K", seconds, static_cast<long long>(iteration), residual);
    return 0;
  }
  void clear() const {
    if (shown_at > 0) std::fprintf(stderr, "\r\033[K");
  }
};

void print_log(void*, const char* message) { std::fprintf(stderr, "%s\n", message); }

OptionsHandle make_options(const SolveArguments& arguments) {
  nsm_options* raw = nullptr;
  require_usage(nsm_options_create(&raw));
  OptionsHandle options(raw);
  std::set<std::string> given;
  const auto set = [&](const char* name, double value) {
    given.insert(name);
    require_usage(nsm_options_set(raw, name, value));
  };
  if (arguments.has_tolerance) set("tolerance", arguments.tolerance);
  if (arguments.has_time_limit) set("time_limit", arguments.time_limit);
  if (arguments.threads > 0) set("threads", arguments.threads);
  for (const std::string& setting : arguments.settings) {
    const std::size_t equals = setting.find('=');
    if (equals == std::string::npos) throw Failure{usage, "--set " + setting + ": option=value expected"};
    const std::string name = setting.substr(0, equals);
    if (!given.insert(name).second) throw Failure{usage, "--set " + setting + ": " + name + " is given twice"};
    require_usage(nsm_options_set_text(raw, name.c_str(), setting.substr(equals + 1).c_str()));
  }
  return options;
}

// Options that cannot have an effect. `auto` and methods with an inner one hand theirs on.
void note_unread(const SolveArguments& arguments, const std::string& method) {
  std::vector<nsm_option_info> options;
  for (int64_t k = 0; k < nsm_option_count(); ++k) options.push_back(option_at(k));
  const auto reads = [&](const std::string& name) {
    return std::any_of(options.begin(), options.end(),
                       [&](const nsm_option_info& info) { return name == info.name && is_read_by(info, method); });
  };
  if (method == "auto" || reads("inner_method")) return;
  std::vector<std::string> given = arguments.settings;
  if (arguments.threads > 1) given.emplace_back("threads");
  for (const std::string& setting : given)
    if (const std::string name = setting.substr(0, setting.find('=')); !reads(name))
      std::fprintf(stderr, "nonsmooth: %s does not read the option %s (see `nonsmooth options %s`)\n", method.c_str(),
                   name.c_str(), method.c_str());
}

nsm_result run(nsm_solver* solver) {
  Progress progress{isatty(STDERR_FILENO) != 0};
  nsm_set_progress(solver, Progress::report, &progress);
  nsm_result result = NSM_RESULT_INIT;
  const nsm_status status = nsm_solve(solver, &result);
  progress.clear();
  nsm_set_progress(solver, nullptr, nullptr);
  require_file(status, "");
  return result;
}

ExitCode exit_code_of(const nsm_result& result) {
  switch (result.outcome) {
    case NSM_CONVERGED: return success;
    case NSM_INFEASIBLE: return infeasible;
    case NSM_ITERATION_LIMIT:
    case NSM_TIME_LIMIT:
    case NSM_CANCELLED: return limit;
    default: return not_converged;
  }
}

bool asks_for_all_solutions(const nsm_options* options) {
  double value = 0;
  require_usage(nsm_options_get(options, "all_solutions", &value));
  return value != 0;
}

// `auto` ends with the first solution, whichever stage finds it.
void note_unlisted(const nsm_options* options, const nsm_solver* solver, const nsm_result& result) {
  if (asks_for_all_solutions(options) && std::string_view(nsm_solver_method(solver)) == "auto" && result.solutions == 1 &&
      std::string_view(result.finished_by) != "enumeration")
    std::fprintf(stderr, "nonsmooth: auto found one solution and looked for no other (--method enumeration lists all)\n");
}

// Those that the method keeps, if it lists them.
nlohmann::ordered_json all_solutions(nsm_solver* solver, int64_t size) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  std::vector<double> z(static_cast<std::size_t>(size)), w(z.size());
  while (nsm_solution_at(solver, static_cast<int64_t>(list.size()), z.data(), w.data(), size) == NSM_OK)
    list.push_back({{"z", z}, {"w", w}});
  return list;
}

void report_json(const SolveArguments& arguments, const nsm_problem* problem, const nsm_options* options, nsm_solver* solver,
                 const nsm_result& result) {
  nlohmann::ordered_json line = {{"file", arguments.file},
                                 {"class", nsm_class_name(nsm_problem_class(problem))},
                                 {"size", nsm_problem_size(problem)},
                                 {"method", nsm_solver_method(solver)},
                                 {"finished_by", result.finished_by},
                                 {"outcome", nsm_outcome_name(static_cast<nsm_outcome>(result.outcome))},
                                 {"iterations", result.iterations},
                                 {"time", result.time},
                                 {"setup_time", result.setup_time},
                                 {"solutions", result.solutions}};
  if (result.relaxation_residual >= 0) line["relaxation_residual"] = result.relaxation_residual;
  line.update(certificate_json(result.certificate));
  if (result.solutions > 0 && asks_for_all_solutions(options))
    line["all_solutions"] = all_solutions(solver, nsm_problem_size(problem));
  print_json(line);
}

void report_text(const SolveArguments& arguments, const nsm_problem* problem, const nsm_solver* solver,
                 const nsm_result& result) {
  const char* method = nsm_solver_method(solver);
  const auto outcome = static_cast<nsm_outcome>(result.outcome);
  const auto unknowns = static_cast<long long>(nsm_problem_size(problem));
  std::printf("%s: %s, %lld unknown%s\n", arguments.file.c_str(), nsm_class_name(nsm_problem_class(problem)), unknowns,
              unknowns == 1 ? "" : "s");
  const std::string stage = std::string(method) == result.finished_by ? "" : std::string(" (") + result.finished_by + ")";
  std::printf("%s after %lld iteration%s of %s%s, %.3g s: %s\n", nsm_outcome_name(outcome),
              static_cast<long long>(result.iterations), result.iterations == 1 ? "" : "s", method, stage.c_str(), result.time,
              nsm_outcome_text(outcome));
  if (result.solutions > 1)
    std::printf("%lld isolated solutions; the first is given (--json gives all)\n", static_cast<long long>(result.solutions));
  if (result.relaxation_residual >= 0)
    std::printf("the associated convex problem, not that of friction, is solved with residual %.3e\n",
                result.relaxation_residual);
  if (result.outcome != NSM_INFEASIBLE) print_certificate(result.certificate);
}

std::string lower_ending(const std::string& path) {
  std::string ending = std::filesystem::path(path).extension().string();
  for (char& c : ending) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return ending;
}

bool is_json(const std::string& path) { return lower_ending(path) == ".json"; }

// HDF5 files hold solutions only.
std::string path_of_proof(const std::string& output) { return is_json(output) ? output : output + ".json"; }

// Left by an earlier solve.
bool holds_proof(const std::string& path, const nsm_problem* problem) {
  if (std::error_code unknown; !std::filesystem::is_regular_file(path, unknown)) return false;
  std::vector<double> y(static_cast<std::size_t>(nsm_infeasibility_size(problem)));
  return nsm_infeasibility_read(problem, path.c_str(), y.data()) == NSM_OK;
}

// That of a named pipe, for whom one waits until interrupted; of other files none. The pipe is held open: a reader would take the
// end of the first writer for that of the file.
class Reader {
 public:
  explicit Reader(const std::string& path) {
    if (std::error_code unknown; !std::filesystem::is_fifo(path, unknown)) return;
    programs::interrupting_signal = 0;  // one that has ended the solve has done its work
    while ((pipe_ = open(path.c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC)) < 0 && errno == ENXIO) {
      if (programs::is_interrupted()) throw Failure{limit, "cannot write '" + path + "': interrupted before anything read it"};
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
  }
  ~Reader() {
    if (pipe_ >= 0) close(pipe_);
  }
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;

 private:
  int pipe_ = -1;
};

// The best iterate, or the proof that there is no solution. What an earlier solve has left in the other of the two files stays,
// since it may be wanted, and is named.
void write_output(const std::string& path, const nsm_problem* problem, const nsm_solver* solver, const nsm_result& result) {
  const int64_t size = nsm_problem_size(problem);
  const char* method = nsm_solver_method(solver);
  if (result.outcome == NSM_INFEASIBLE) {
    const int64_t rows = nsm_infeasibility_size(problem);
    std::vector<double> y(static_cast<std::size_t>(rows));
    require_file(nsm_infeasibility_certificate(solver, y.data(), rows), path);
    const std::string proof = path_of_proof(path);
    const Reader reader(proof);
    require_file(nsm_infeasibility_write(problem, proof.c_str(), y.data(), method), proof);
    if (std::error_code unknown; proof != path)
      std::fprintf(stderr, "the proof is written to '%s': HDF5 files hold solutions only%s\n", proof.c_str(),
                   std::filesystem::exists(path, unknown) ? (", and '" + path + "' stays as it was").c_str() : "");
  } else {
    std::vector<double> z(static_cast<std::size_t>(size)), w(z.size());
    require_file(nsm_solution(solver, z.data(), w.data(), size), path);
    const Reader reader(path);
    require_file(nsm_solution_write(problem, path.c_str(), z.data(), w.data(), method, &result), path);
    if (const std::string proof = path_of_proof(path); proof != path && holds_proof(proof, problem))
      std::fprintf(stderr, "nonsmooth: '%s' holds the proof of an earlier solve that there is no solution\n", proof.c_str());
  }
}

// What would otherwise be told after a solve of hours: that its answer cannot be written, or would replace its problem.
void require_output(const SolveArguments& arguments) {
  namespace fs = std::filesystem;
  if (arguments.output.empty()) return;
  const std::string quoted = "'" + arguments.output + "'";
  const fs::path path(arguments.output);
  const std::string ending = lower_ending(arguments.output);
  if (ending != ".json" && ending != ".hdf5" && ending != ".h5")
    throw Failure{bad_file, quoted + ": solutions are written as .json, .hdf5 or .h5"};
  std::error_code unknown;
  if (fs::is_directory(path, unknown)) throw Failure{bad_file, "cannot write " + quoted + ": " + std::strerror(EISDIR)};
  if (const std::string proof = path_of_proof(arguments.output); fs::equivalent(proof, arguments.file, unknown))
    throw Failure{bad_file, "'" + proof + "' is the problem file: the answer would replace the problem"};
  if (!fs::exists(path, unknown) && unknown) throw Failure{bad_file, "cannot create " + quoted + ": " + unknown.message()};
  fs::path target = path;
  while (fs::is_symlink(target, unknown)) target = target.parent_path() / fs::read_symlink(target);  // its target is replaced
  const fs::path folder = target.has_parent_path() ? target.parent_path() : fs::path(".");
  if (access(folder.c_str(), W_OK) != 0) throw Failure{bad_file, "cannot create " + quoted + ": " + std::strerror(errno)};
}

ProblemHandle try_to_read(const std::string& path, const char* problem_class) {
  nsm_problem* problem = nullptr;
  return ProblemHandle(nsm_problem_read(path.c_str(), problem_class, &problem) == NSM_OK ? problem : nullptr);
}

// How far w is from that of z, both arbitrary: every entry of the data has its share in it.
double probe(const nsm_problem* problem) {
  const auto size = static_cast<std::size_t>(nsm_problem_size(problem));
  std::vector<double> z(size), w(size);
  for (std::size_t i = 0; i < size; ++i) {
    z[i] = 1 + std::sin(static_cast<double>(i + 1));
    w[i] = std::cos(static_cast<double>(i * i + 1));
  }
  nsm_certificate certificate = NSM_CERTIFICATE_INIT;
  return nsm_certify(problem, z.data(), w.data(), &certificate) == NSM_OK ? certificate.w_defect : 0;
}

// By what `info` tells, and a point to tell those apart that differ in the order of their entries; storage may round otherwise.
bool is_same(const nsm_problem* a, const nsm_problem* b) {
  nsm_description first{}, second{};
  first.struct_size = second.struct_size = sizeof first;
  if (nsm_problem_describe(a, &first) != NSM_OK || nsm_problem_describe(b, &second) != NSM_OK) return false;
  const auto figures = [](const nsm_description& facts) {
    return std::tuple(facts.problem_class, facts.size, facts.rows, facts.cols, facts.nonzeros, facts.symmetry_defect,
                      facts.eigenvalue_min, facts.eigenvalue_max, facts.q_norm, facts.mu_min, facts.mu_max);
  };
  const double one = probe(a), other = probe(b);
  return figures(first) == figures(second) && std::abs(one - other) <= 1e-12 * std::abs(one);
}

// A file that is there may hold an earlier answer, and in HDF5 the problem that is solved beside it. Another problem, or another
// form of the same one, would be lost: files are written anew. Devices and pipes hold nothing; reading one may never end.
void require_replaceable(const std::string& path, const nsm_problem* problem) {
  if (std::error_code unknown; !std::filesystem::is_regular_file(path, unknown)) return;
  const nsm_class problem_class = nsm_problem_class(problem);
  const auto refuse = [&](nsm_class held) {
    throw Failure{bad_file,
                  "'" + path + "' holds a problem of class " + nsm_class_name(held) + ", which the answer would replace"};
  };
  if (const ProblemHandle same_class = try_to_read(path, nsm_class_name(problem_class))) {
    if (is_json(path) || !is_same(same_class.get(), problem)) refuse(problem_class);
  } else if (const ProblemHandle other = try_to_read(path, nullptr)) {
    refuse(nsm_problem_class(other.get()));
  }
  for (const nsm_class form : ProblemFile(path).other_forms(problem_class)) refuse(form);
}

// Data that are found to be wrong only now, such as a singular mass matrix, are those of the file.
void require_setup(nsm_status status, const std::string& file) {
  if (status == NSM_INVALID_VALUE) require_file(status, file);
  require_usage(status);
}

ExitCode solve(const SolveArguments& arguments) {
  programs::set_openblas();
  require_output(arguments);
  const ProblemHandle problem = read_problem(arguments.file, arguments.problem_class);
  if (!arguments.output.empty()) {
    require_replaceable(arguments.output, problem.get());
    require_replaceable(path_of_proof(arguments.output), problem.get());
  }
  const OptionsHandle options = make_options(arguments);
  nsm_solver* raw = nullptr;
  const char* method_asked_for = arguments.method.empty() ? nullptr : arguments.method.c_str();
  require_setup(nsm_setup(problem.get(), method_asked_for, options.get(), &raw), arguments.file);
  const SolverHandle solver(raw);
  note_unread(arguments, nsm_solver_method(raw));
  if (!arguments.guess.empty()) {
    const Point guess = SolutionFile(arguments.guess).read_point(problem.get());
    require_usage(nsm_warm_start(solver.get(), guess.z.data(), static_cast<int64_t>(guess.z.size())));
  }
  if (arguments.verbose) nsm_set_log(solver.get(), print_log, nullptr);
  // Nothing takes the answer of hours between the end of the solve and that of writing, nor a pager that was left early.
  const programs::Interruptible until_it_is_written;
  if (!arguments.output.empty()) std::signal(SIGPIPE, SIG_IGN);
  const nsm_result result = run(solver.get());
  if (arguments.json)
    report_json(arguments, problem.get(), options.get(), raw, result);
  else
    report_text(arguments, problem.get(), raw, result);
  note_unlisted(options.get(), solver.get(), result);
  if (!arguments.output.empty()) write_output(arguments.output, problem.get(), solver.get(), result);
  return exit_code_of(result);
}

std::string number_of_threads(std::string& text) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool counts = error == std::errc() && end == text.data() + text.size() && value >= 1 && value <= 256;
  return counts ? std::string() : "'" + text + "' is not a whole number from 1 to 256";
}

// Empty is what a shell variable that is not set gives; without the option it is auto.
std::string name_of_method(std::string& text) {
  return text.empty() ? "'' is no method (see `nonsmooth methods`)" : std::string();
}

}  // namespace

void add_solve(CLI::App& app, ExitCode& exit_code) {
  CLI::App* command = app.add_subcommand("solve", "solve a problem and certify the answer");
  auto arguments = std::make_shared<SolveArguments>();
  command->add_option("FILE", arguments->file, "problem file (JSON, FCLIB HDF5, Siconos .dat, Matrix Market)")->required();
  add_class_option(*command, arguments->problem_class);
  command->add_option("--method", arguments->method, "see `nonsmooth methods` (auto, which tries several)")
      ->check(CLI::Validator(name_of_method, ""));
  CLI::Option* tolerance = command->add_option("--tolerance", arguments->tolerance, "residual to be certified (1e-8)");
  CLI::Option* time_limit = command->add_option("--time-limit", arguments->time_limit, "wall-clock limit in seconds");
  command
      ->add_option("--threads", arguments->threads,
                   "threads of sweeps over 1,500 contacts and more and of factorisations (1); the answer is the same, bit by bit")
      ->check(CLI::Validator(number_of_threads, ""));
  command->add_option("--set", arguments->settings, "any option of `nonsmooth options`, as option=value; may be repeated")
      ->expected(1)
      ->take_all();
  CLI::Option* guess =
      command->add_option("--guess", arguments->guess, "start from the solution or guess in this file (may be FILE itself)");
  CLI::Option* output = command->add_option("-o,--output", arguments->output,
                                            "write the solution here, converged or not, or the proof that there is none");
  command->add_flag(
      "-v,--verbose", arguments->verbose,
      "say on stderr what is tried and how it ends; with --method, the residual at iterations that grow by a tenth");
  command->add_flag("--json", arguments->json,
                    "one JSON object on one line instead of text: how it went; z and w are for --output");
  command->footer(std::string(R"(
Examples:
  nonsmooth solve problem.dat --class lcp
  nonsmooth solve problem.json --method lemke --tolerance 1e-10 -o solution.json
  nonsmooth solve problem.json --method enumeration --set all_solutions=true --json)") +
                  exit_codes);
  for (CLI::Option* option : {guess, output}) option->check(programs::file_name());
  command->callback([arguments, tolerance, time_limit, &exit_code] {
    arguments->has_tolerance = !tolerance->empty();
    arguments->has_time_limit = !time_limit->empty();
    exit_code = solve(*arguments);
  });
}

}  // namespace cli
