#include "peer.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iterator>
#include <nonsmooth/nonsmooth.hpp>
#include <stdexcept>

#include "../../programs/program.hpp"
#include "../support/child_process.hpp"
#include "../support/number_in.hpp"

namespace nonsmooth::peers {
namespace {

struct PeerRun {
  bool ended = false, solved = false, certified = false;
  double seconds = 0, residual = NAN;
};

PeerRun run_once(const nsm::Problem& problem, const PeerSolver& solver, double asked, double tolerance, double seconds) {
  const auto work = [&] {
    nsm::Vector z;
    double shortest = HUGE_VAL, total = 0;
    int info = -1;
    for (int k = 0; k < 7 && total < 0.1 && total < 0.2 * seconds; ++k) {
      z.assign(static_cast<std::size_t>(problem.size()), 0.0);
      const double start = now();
      info = solver.run(asked, z);
      const double time = now() - start;
      shortest = std::min(shortest, time);
      total += time;
    }
    double residual = NAN;
    bool certified = false;
    if (std::all_of(z.begin(), z.end(), [](double x) { return std::isfinite(x); })) {
      const nsm::Certificate certificate = nsm::certify(problem, z, {}, tolerance);
      residual = certificate.residual;
      certified = certificate.certified();
    }
    char line[128];
    std::snprintf(line, sizeof line, "%d %d %.9g %.9g", info == 0, certified, shortest, residual);
    return std::string(line);
  };
  const ChildAnswer answer = in_child(seconds, work);
  PeerRun run;
  int solved = 0, certified = 0;
  run.ended = answer.end == ChildAnswer::End::answered &&
              std::sscanf(answer.text.c_str(), "%d %d %lf %lf", &solved, &certified, &run.seconds, &run.residual) == 4;
  run.solved = solved != 0;
  run.certified = certified != 0;
  return run;
}

void print(const PeerSolver& solver, double tolerance, const PeerRun& run) {
  char residual[32] = "null";
  if (std::isfinite(run.residual)) std::snprintf(residual, sizeof residual, "%.6g", run.residual);
  std::printf(
      "{\"method\": \"%s\", \"tolerance\": %g, \"outcome\": \"%s\", \"residual\": %s, \"seconds\": %.6g, \"certified\": %s}\n",
      solver.name.c_str(), tolerance, run.certified ? "certified" : "not certified", residual, run.seconds,
      run.certified ? "true" : "false");
  std::fflush(stdout);
}

// Every solver at every tolerance. One that fails although it had all the time is not asked for more.
void run_all(const nsm::Problem& problem, std::vector<PeerSolver> solvers, const std::vector<double>& tolerances, double seconds,
             const Policy& policy) {
  for (const double tolerance : tolerances) {
    double limit = seconds, left_of_all = policy.limits_together * seconds;
    std::vector<PeerSolver> left;
    for (const PeerSolver& solver : solvers) {
      PeerRun best;
      bool whole_time = left_of_all > 0;
      const double start = now();
      for (const double factor : policy.factors) {
        if (left_of_all <= 0) break;
        const PeerRun run = run_once(problem, solver, factor * tolerance, tolerance, limit);
        whole_time = run.ended || limit == seconds;
        if (run.ended) best = run;
        if (!run.solved || run.certified) break;
      }
      left_of_all -= now() - start;
      if (best.ended) print(solver, tolerance, best);
      if (best.certified || !whole_time) left.push_back(solver);
      if (best.certified && policy.best_only) limit = std::min(limit, 0.1 + 1.5 * best.seconds);
    }
    solvers = std::move(left);
  }
}

std::string usage_line(const std::string& program) { return "usage: " + program + " CLASS FILE SECONDS TOLERANCE..."; }

struct Request {
  std::string type, file;
  double seconds = 0;
  std::vector<double> tolerances;
};

double positive_number_in(const std::string& text) {
  const double value = numberIn(text);
  if (!(value > 0)) throw std::runtime_error("'" + text + "' is no positive number");
  return value;
}

Request request_in(int argc, char** argv) {
  if (argc < 5) throw programs::Failure{programs::usage, usage_line(argv[0])};
  try {
    Request request{argv[1], argv[2], positive_number_in(argv[3]), {}};
    std::transform(argv + 4, argv + argc, std::back_inserter(request.tolerances), positive_number_in);
    return request;
  } catch (const std::runtime_error& error) {
    throw programs::Failure{programs::usage, error.what()};
  }
}

}  // namespace

int peer_main(int argc, char** argv, const Policy& policy,
              const std::function<std::vector<PeerSolver>(const std::string&, const char*)>& make) {
  const auto run = [&] {
    if (argc == 2 && std::string(argv[1]) == "--help") {
      std::puts(usage_line(argv[0]).c_str());
      return 0;
    }
    const Request request = request_in(argc, argv);
    const nsm::Problem problem = nsm::Problem::read(request.file, request.type);
    const std::vector<PeerSolver> solvers = make(request.type, request.file.c_str());
    if (solvers.empty()) std::puts("{\"refused\": \"no solver of this package treats the problem\"}");
    run_all(problem, solvers, request.tolerances, request.seconds, policy);
    return 0;
  };
  return programs::run_program(argv[0], run, programs::bad_file);
}

}  // namespace nonsmooth::peers
