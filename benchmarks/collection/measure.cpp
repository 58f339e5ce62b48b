#include "measure.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <new>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>

#include "machine.hpp"

namespace nonsmooth::bench {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr double reading_seconds = 120;  // at most, of a problem
constexpr int most_solves = 7;           // of one measurement,
constexpr double solving_seconds = 0.2;  // as long as they take less
constexpr int most_peer_solvers = 40;

// One setup and one solve; the line is that of the best run, whole.
void solve_once(const nsm::Problem& problem, Solve& best) {
  Solve solve = best;
  const double begin = now();
  nsm::Options options;
  options.set("tolerance", solve.limits.tolerance);
  options.set("time_limit", solve.limits.seconds);
  nsm::Solver solver(problem, solve.method, options);
  const double ready = now();
  const nsm::Result result = solver.solve();
  const double end = now();
  solve.setup = ready - begin;
  solve.solve = end - ready;
  solve.outcome = nsm::name(result.outcome());
  solve.finished_by = result.finished_by();
  solve.residual = result.certificate().residual;
  solve.iterations = result.iterations();
  solve.certified = result.outcome() == NSM_CONVERGED || result.outcome() == NSM_INFEASIBLE;
  if (best.outcome.empty() || better(solve, best)) best = solve;
}

std::string signal_text(const ChildAnswer& answer) {
  if (answer.signal == 0) return "exit code " + std::to_string(answer.exit_code);
  return "signal " + std::to_string(answer.signal) + ": " + strsignal(answer.signal);
}

class MethodMeasurement : public Measurement {
 public:
  MethodMeasurement(const Source& source, const Solve& asked) : Measurement(asked) {
    // Beside the limit: setup is not cut, and a check of the limit may come late.
    const ChildLimits limits{1.5 * asked.limits.seconds + 2, asked.limits.memory, reading_seconds};
    start(limits, [&](const Parent& parent) {
      Solve solve = asked;
      try {
        solve.calibration = calibration_seconds();
        double begin = now();
        const nsm::Problem problem = source.make(asked.facts.problem_class);
        solve.read = now() - begin;
        parent.restart_clock();
        begin = now();
        for (int k = 0; k < most_solves && (k == 0 || now() - begin < solving_seconds); ++k) solve_once(problem, solve);
      } catch (const nsm::Error& error) {
        if (solve.outcome.empty()) {  // else an earlier run has made the line
          solve.outcome = nsm::name(error.status());
          solve.detail = error.what();
        }
      } catch (const std::bad_alloc&) {
        if (solve.outcome.empty()) solve.outcome = nsm::name(NSM_OUT_OF_MEMORY);
      }
      parent.send(to_json(solve).dump(-1, ' ', false, json::error_handler_t::replace));
    });
  }

  std::vector<Solve> lines() const override {
    const Solve ended = of_child();
    if (!ended.outcome.empty()) return {ended};
    Solve solve = solve_from(json::parse(text()));
    solve.peak_memory = ended.peak_memory;
    return {solve};
  }
};

class PeerMeasurement : public Measurement {
 public:
  PeerMeasurement(const Source& source, const Solve& asked, const Peer& peer)
      : Measurement(asked), calibration_(calibration_seconds()) {
    file_ =
        fs::temp_directory_path() / ("nonsmooth-bench-" + std::to_string(getpid()) + "-" + hex(hash_of(key_of(asked))) + ".dat");
    const double whole = most_peer_solvers * peer.seconds;
    start({whole, asked.limits.memory, reading_seconds}, [&](const Parent& parent) {
      try {
        source.make(asked.facts.problem_class).write(file_.string());
      } catch (const nsm::Error& error) {
        return parent.send(json{{"refused", error.what()}}.dump(-1, ' ', false, json::error_handler_t::replace));
      }
      parent.restart_clock();
      dup2(parent.descriptor(), STDOUT_FILENO);
      const std::string seconds = shortest_text(peer.seconds), tolerance = shortest_text(asked.limits.tolerance);
      execl(peer.program.c_str(), peer.program.c_str(), asked.facts.problem_class.c_str(), file_.c_str(), seconds.c_str(),
            tolerance.c_str(), nullptr);
      throw std::runtime_error(std::strerror(errno));
    });
  }
  ~PeerMeasurement() override {
    std::error_code ignored;
    fs::remove(file_, ignored);
  }

  std::vector<Solve> lines() const override {
    Solve best = of_child();
    best.calibration = calibration_;
    std::vector<Solve> lines;
    std::istringstream answers(text());
    for (std::string line; std::getline(answers, line);) {
      const json answer = json::parse(line, nullptr, false);
      if (!answer.is_object()) continue;  // half a line of a peer that crashed
      try {
        if (!answer.contains("refused")) {
          lines.push_back(line_of(answer, best));
          continue;
        }
        best.detail = answer["refused"].get<std::string>();
        best.outcome = nsm::name(NSM_UNSUPPORTED);
      } catch (const json::exception&) {
        best.detail = "not a line of a peer: " + line;
      }
    }
    take_best(lines, best);
    lines.push_back(best);
    return lines;
  }

 private:
  Solve line_of(const json& answer, const Solve& of) const {
    Solve line = asked_;
    line.calibration = calibration_;
    line.peak_memory = of.peak_memory;
    line.solver_of = asked_.method;
    line.method = asked_.method + ":" + answer.value("method", "");
    line.outcome = answer.value("outcome", "");
    line.certified = answer.value("certified", false);
    if (const auto residual = answer.find("residual"); residual != answer.end() && residual->is_number())
      line.residual = residual->get<double>();
    const double seconds = answer.value("seconds", HUGE_VAL);
    line.solve = seconds > 0 ? seconds : HUGE_VAL;
    return line;
  }

  // What the best of its solvers reaches counts even if a later one brought the program down.
  static void take_best(const std::vector<Solve>& lines, Solve& best) {
    const auto found = std::min_element(lines.begin(), lines.end(), better);
    if (found != lines.end() && (found->certified || best.outcome.empty())) {
      best.outcome = found->outcome;
      best.certified = found->certified;
      best.residual = found->residual;
      best.solve = found->solve;
      best.finished_by = found->method.substr(best.method.size() + 1);
    }
    if (best.outcome.empty()) best.outcome = "no answer";
  }

  double calibration_;
  fs::path file_;
};

}  // namespace

Solve Measurement::of_child() const {
  Solve solve = asked_;
  const ChildAnswer& answer = child_->answer();
  solve.peak_memory = answer.peak_memory;
  if (answer.end == ChildAnswer::End::out_of_time) solve.outcome = "hung";
  if (answer.end == ChildAnswer::End::crashed) {
    solve.outcome = "crashed";
    solve.detail = signal_text(answer);
  }
  return solve;
}

std::unique_ptr<Measurement> measure_method(const Source& source, const Solve& asked) {
  return std::make_unique<MethodMeasurement>(source, asked);
}

std::unique_ptr<Measurement> measure_peer(const Source& source, const Solve& asked, const Peer& peer) {
  return std::make_unique<PeerMeasurement>(source, asked, peer);
}

}  // namespace nonsmooth::bench
