// nonsmooth-compare: the default method, and every other one if asked, on the families of complementarity problems and on files;
// beside them the solvers of a peer. Every answer, the peer's too, is judged by nsm_certify. Writes one table as Markdown.
//
// Times are wall clock, of one thread: setup + solve + free for a method, the driver's call for a peer; the shortest of several
// runs where they are short.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>

#include "families.hpp"

namespace {

using nonsmooth::collection::Answer;
using nonsmooth::collection::FamilyProblem;

struct Run {
  std::string method, outcome;
  double residual = 0, seconds = 0;
  bool certified = false;  // solution, or proof that there is none
};

struct Row {
  FamilyProblem problem;
  std::int64_t size = 0;
  std::vector<Run> own;   // the default first
  std::vector<Run> peer;  // those that ended
  double ratio() const;   // default / best certified peer; NaN if either is missing
};

struct Settings {
  double tolerance = 1e-8, seconds = 10;
  bool all_methods = false;
  std::string peer, output, only;
  std::vector<std::string> files;
};

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

const Run* best_certified(const std::vector<Run>& runs) {
  const Run* best = nullptr;
  for (const Run& run : runs)
    if (run.certified && (best == nullptr || run.seconds < best->seconds)) best = &run;
  return best;
}

double Row::ratio() const {
  const Run* other = best_certified(peer);
  return own.front().certified && other != nullptr ? own.front().seconds / other->seconds : NAN;
}

// Repeated while that takes less than a fifth of a second, so that the shortest run is found.
Run run_method(const nsm::Problem& problem, const std::string& method, const Settings& settings) {
  Run run{method, "", NAN, HUGE_VAL, false};
  const double start = now();
  for (int k = 0; k < 7 && (k == 0 || now() - start < 0.2); ++k) {
    try {
      const double begin = now();
      nsm::Options options;
      options.set("tolerance", settings.tolerance);
      options.set("time_limit", settings.seconds);
      nsm::Solver solver(problem, method, options);
      const nsm::Result result = solver.solve();
      run.seconds = std::min(run.seconds, now() - begin);
      run.outcome = nsm::name(result.outcome());
      run.residual = result.certificate().residual;
      run.certified = result.outcome() == NSM_CONVERGED || result.outcome() == NSM_INFEASIBLE;
    } catch (const nsm::Error& error) {
      run.outcome = nsm::name(error.status());
      return run;
    }
  }
  return run;
}

std::vector<std::string> methods_for(const nsm::Problem& problem, bool all) {
  std::vector<std::string> names = {"auto"};
  for (const nsm_method_info& info : nsm::methods())
    if (all && (info.classes >> problem.problem_class() & 1u) != 0 && std::string(info.name) != "auto")
      names.emplace_back(info.name);
  return names;
}

nsm::Vector read_vector(const std::filesystem::path& path, std::int64_t size) {
  nsm::Vector z(static_cast<std::size_t>(size));
  std::ifstream file(path, std::ios::binary);
  file.read(reinterpret_cast<char*>(z.data()), static_cast<std::streamsize>(z.size() * sizeof(double)));
  return z;
}

// The peer reads the problem from a file in its own format.
std::vector<Run> run_peer(const nsm::Problem& problem, const Settings& settings, const std::filesystem::path& folder) {
  std::vector<Run> runs;
  const std::string file = (folder / "problem.dat").string();
  try {
    problem.write(file);
  } catch (const nsm::Error& error) {
    std::cerr << "  not for the peer: " << error.what() << '\n';
    return runs;
  }
  std::ostringstream command;
  command << settings.peer << ' ' << nsm::name(problem.problem_class()) << ' ' << file << ' ' << 0.1 * settings.tolerance << ' '
          << settings.seconds << ' ' << folder.string();
  std::FILE* pipe = popen(command.str().c_str(), "r");
  if (pipe == nullptr) throw std::runtime_error("cannot run " + settings.peer);
  char name[64];
  double seconds = 0;
  int info = 0;
  while (std::fscanf(pipe, "%63s %lf %d", name, &seconds, &info) == 3) {
    Run run{name, "not certified", NAN, seconds, false};
    const nsm::Vector z = read_vector(folder / (std::string(name) + ".z"), problem.size());
    if (std::all_of(z.begin(), z.end(), [](double x) { return std::isfinite(x); })) {
      const nsm::Certificate certificate = nsm::certify(problem, z, {}, settings.tolerance);
      run.residual = certificate.residual;
      run.certified = certificate.verdict != NSM_NOT_CERTIFIED;
      if (run.certified) run.outcome = "certified";
    }
    runs.push_back(run);
  }
  pclose(pipe);
  return runs;
}

std::vector<Row> run_all(const Settings& settings) {
  std::vector<FamilyProblem> problems;
  for (FamilyProblem& problem : nonsmooth::collection::complementarity_families())
    if (problem.name.find(settings.only) != std::string::npos) problems.push_back(std::move(problem));
  for (const std::string& file : settings.files)
    problems.push_back(
        {"file", std::filesystem::path(file).filename().string(), Answer::solvable, [file] { return nsm::Problem::read(file); }});
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("nonsmooth-compare-" + std::to_string(static_cast<long long>(now() * 1e6)));
  if (!settings.peer.empty()) std::filesystem::create_directory(folder);
  std::vector<Row> rows;
  for (FamilyProblem& entry : problems) {
    const nsm::Problem problem = entry.make();
    Row row{std::move(entry), problem.size(), {}, {}};
    for (const std::string& method : methods_for(problem, settings.all_methods))
      row.own.push_back(run_method(problem, method, settings));
    if (!settings.peer.empty()) row.peer = run_peer(problem, settings, folder);
    std::fprintf(stderr, "%-28s %6lld  %-16s %8.1e  %8.2e s  ratio %.3g\n", row.problem.name.c_str(),
                 static_cast<long long>(row.size), row.own.front().outcome.c_str(), row.own.front().residual,
                 row.own.front().seconds, row.ratio());
    rows.push_back(std::move(row));
  }
  std::filesystem::remove_all(folder);
  return rows;
}

std::string number(const char* format, double value) {
  char text[32];
  std::snprintf(text, sizeof text, format, value);
  return std::isfinite(value) ? text : "";
}

void write_summary(std::ostream& out, const std::vector<Row>& rows, const Settings& settings) {
  std::size_t answered = 0, peer_answered = 0, ratios = 0, slower = 0;
  double log_sum = 0;
  for (const Row& row : rows) {
    const std::string expected = row.problem.answer == Answer::solvable ? "converged" : "infeasible";
    answered += row.own.front().outcome == expected;
    peer_answered += best_certified(row.peer) != nullptr;
    if (row.size < 50 || std::isnan(row.ratio())) continue;
    log_sum += std::log(row.ratio());
    slower += row.ratio() > 1.5;
    ++ratios;
  }
  out << "`auto` answers " << answered << " of " << rows.size() << " problems as it should: a certified solution (tolerance "
      << settings.tolerance << "), or a verified proof that there is none.\n";
  if (settings.peer.empty()) return;
  out << "The best of the peer's solvers, each given " << settings.seconds << " s, reaches a certified solution of "
      << peer_answered << ". On the " << ratios
      << " problems of 50 unknowns or more that both solve, the time of `auto` over that of the peer's best has"
      << " the geometric mean " << number("%.3f", std::exp(log_sum / static_cast<double>(std::max<std::size_t>(1, ratios))))
      << "; " << slower << " of the ratios are above 1.5.\n";
}

void write_table(std::ostream& out, const std::vector<Row>& rows, const Settings& settings) {
  const bool peer = !settings.peer.empty();
  out << "\n| family | problem | n | `auto` ends | residual | time |"
      << (peer ? " peer's best | its time | ratio | certified |" : "") << "\n|---|---|---|---|---|---|"
      << (peer ? "---|---|---|---|" : "") << '\n';
  for (const Row& row : rows) {
    const Run& first = row.own.front();
    out << "| " << row.problem.family << " | " << row.problem.name << " | " << row.size << " | " << first.outcome << " | "
        << (first.outcome == "infeasible" ? "" : number("%.1e", first.residual)) << " | " << number("%.2e s", first.seconds)
        << " |";
    if (peer) {
      const Run* best = best_certified(row.peer);
      const auto certified = std::count_if(row.peer.begin(), row.peer.end(), [](const Run& run) { return run.certified; });
      out << ' ' << (best ? best->method : "none") << " | " << (best ? number("%.2e s", best->seconds) : "") << " | "
          << number("%.3f", row.ratio()) << " | " << certified << " of " << row.peer.size() << " |";
    }
    out << '\n';
  }
}

// Certified answers of every method by family.
void write_methods(std::ostream& out, const std::vector<Row>& rows) {
  std::vector<std::string> families, methods;
  std::map<std::pair<std::string, std::string>, std::pair<int, int>> count;  // (certified, tried)
  const auto note = [](std::vector<std::string>& list, const std::string& name) {
    if (std::find(list.begin(), list.end(), name) == list.end()) list.push_back(name);
  };
  for (const Row& row : rows) {
    note(families, row.problem.family);
    for (const Run& run : row.own) {
      note(methods, run.method);
      auto& [certified, tried] = count[{run.method, row.problem.family}];
      certified += run.certified;
      ++tried;
    }
  }
  out << "\n## Every method\n\nCertified answers / problems tried. A method that does not treat a problem, or ends without an "
         "answer, says so.\n\n| method |";
  for (const std::string& family : families) out << ' ' << family << " |";
  out << "\n|---|";
  for (std::size_t k = 0; k < families.size(); ++k) out << "---|";
  out << '\n';
  for (const std::string& method : methods) {
    out << "| `" << method << "` |";
    for (const std::string& family : families) {
      const auto found = count.find({method, family});
      out << ' ';
      if (found != count.end()) out << found->second.first << '/' << found->second.second;
      out << " |";
    }
    out << '\n';
  }
}

}  // namespace

int main(int argc, char** argv) {
  Settings settings;
  CLI::App app{"Methods, and a peer's solvers, on families of complementarity problems and on files"};
  app.add_option("files", settings.files, "problem files besides the families");
  app.add_flag("--all-methods", settings.all_methods, "every method that treats a problem, not only auto");
  app.add_option("--peer", settings.peer, "program that runs the peer's solvers (siconos-complementarity)");
  app.add_option("--only", settings.only, "problems whose name contains this");
  app.add_option("--seconds", settings.seconds, "time limit of one solve");
  app.add_option("--output", settings.output, "Markdown file; standard output without it");
  CLI11_PARSE(app, argc, argv);
  try {
    const std::vector<Row> rows = run_all(settings);
    std::ofstream file;
    if (!settings.output.empty()) file.open(settings.output);
    std::ostream& out = settings.output.empty() ? std::cout : file;
    out << "# Families of complementarity problems\n\nWritten by `./dev compare`; docs/benchmarks.md tells what is measured and "
           "how.\n\n";
    write_summary(out, rows, settings);
    write_table(out, rows, settings);
    if (settings.all_methods) write_methods(out, rows);
    if (!out.flush()) throw std::runtime_error("cannot write " + settings.output);
  } catch (const std::exception& error) {
    std::cerr << "nonsmooth-compare: " << error.what() << '\n';
    return 1;
  }
  return 0;
}
