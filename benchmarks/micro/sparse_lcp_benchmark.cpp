// Large sparse problems: setup and solve of the default method, beside one factorisation of the whole matrix by CHOLMOD (with its
// supernodes) or, for tridiagonal matrices, beside one elimination. Counters: `ratio` = time over that of the factorisation,
// analysis left out; `peak_MB` = largest memory of the process during setup and solve, the problem and its copy included.
#include <benchmark/benchmark.h>
#include <cholmod.h>

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <functional>
#include <string>

#include "../../tests/support/lcp_families.hpp"
#include "methods/solver/solver.hpp"

namespace nonsmooth {
namespace {

// Of this process, which has one thread: other work on the machine does not count.
double now() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

void reset_peak_memory() { std::ofstream("/proc/self/clear_refs") << 5; }

double peak_megabytes() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.rfind("VmHWM:", 0) == 0) return std::stod(line.substr(6)) / 1024;
  return 0;
}

struct Factorisation {
  double analysis = 0, numeric = 0;
};

// CHOLMOD's default: the best of its orders, supernodal where that pays. Factorised twice: the first time pays for fresh pages.
Factorisation cholmod(const generate::SparseLcp& lcp) {
  cholmod_common common;
  cholmod_start(&common);
  cholmod_sparse A{};
  A.nrow = A.ncol = static_cast<std::size_t>(lcp.n);
  A.nzmax = lcp.values.size();
  A.p = const_cast<std::int32_t*>(lcp.start.data());
  A.i = const_cast<std::int32_t*>(lcp.index.data());
  A.x = const_cast<double*>(lcp.values.data());
  A.stype = -1;
  A.itype = CHOLMOD_INT;
  A.xtype = CHOLMOD_REAL;
  A.sorted = A.packed = 1;
  Factorisation time;
  const double start = now();
  cholmod_factor* L = cholmod_analyze(&A, &common);
  time.analysis = now() - start;
  time.numeric = HUGE_VAL;
  for (int k = 0; k < 2; ++k) {
    const double begin = now();
    cholmod_factorize(&A, L, &common);
    time.numeric = std::min(time.numeric, now() - begin);
  }
  cholmod_free_factor(&L, &common);
  cholmod_finish(&common);
  return time;
}

// One tridiagonal solve, from arrays.
Factorisation elimination(const generate::SparseLcp& lcp) {
  const std::size_t n = static_cast<std::size_t>(lcp.n);
  Vector below(n, 0.0), diagonal(n), above(n, 0.0), factor(n), x(n);
  for (std::size_t j = 0; j < n; ++j)
    for (std::int32_t k = lcp.start[j]; k < lcp.start[j + 1]; ++k) {
      const auto i = static_cast<std::size_t>(lcp.index[static_cast<std::size_t>(k)]);
      (i < j ? above : i > j ? below : diagonal)[i] = lcp.values[static_cast<std::size_t>(k)];
    }
  Factorisation time{0, HUGE_VAL};
  for (int k = 0; k < 5; ++k) {
    const double begin = now();
    factor[0] = above[0] / diagonal[0];
    x[0] = -lcp.q[0] / diagonal[0];
    for (std::size_t i = 1; i < n; ++i) {
      const double pivot = diagonal[i] - below[i] * factor[i - 1];
      factor[i] = above[i] / pivot;
      x[i] = (-lcp.q[i] - below[i] * x[i - 1]) / pivot;
    }
    for (std::size_t i = n - 1; i-- > 0;) x[i] -= factor[i] * x[i + 1];
    benchmark::DoNotOptimize(x.data());
    time.numeric = std::min(time.numeric, now() - begin);
  }
  return time;
}

Problem problem_of(const generate::SparseLcp& lcp) {
  Problem problem;
  Matrix M(CscMatrix{lcp.n, lcp.n, lcp.start, lcp.index, lcp.values}, "M");
  if (lcp.lo.empty())
    problem.data = Lcp{std::move(M), lcp.q};
  else
    problem.data = Avi{std::move(M), lcp.q, Polyhedron{{}, {}, lcp.lo, lcp.hi}};
  return problem;
}

enum class Yardstick { cholmod, elimination, none };

void run(benchmark::State& state, const std::function<generate::SparseLcp()>& generator, Yardstick yardstick) {
  const generate::SparseLcp lcp = generator();
  Factorisation factorisation;
  if (yardstick == Yardstick::cholmod) factorisation = cholmod(lcp);
  if (yardstick == Yardstick::elimination) factorisation = elimination(lcp);
  const Problem problem = problem_of(lcp);
  double setup = 0, solve = 0;
  nsm_result result = NSM_RESULT_INIT;
  reset_peak_memory();
  for (auto _ : state) {
    const double start = now();
    Solver solver(problem, nullptr, Options{});
    setup = now() - start;
    if (std::getenv("NONSMOOTH_BENCHMARK_LOG") != nullptr)
      solver.control().log_callback = [](void*, const char* text) { std::fprintf(stderr, "%s\n", text); };
    result = solver.solve();
    solve = now() - start - setup;
  }
  if (result.outcome != NSM_CONVERGED) state.SkipWithError("not converged");
  state.counters["setup_ms"] = 1e3 * setup;
  state.counters["solve_ms"] = 1e3 * solve;
  state.counters["peak_MB"] = peak_megabytes();
  state.counters["steps"] = static_cast<double>(result.iterations);
  state.counters["residual"] = result.certificate.residual;
  if (yardstick == Yardstick::none) return;
  state.counters["analysis_ms"] = 1e3 * factorisation.analysis;
  state.counters["factor_ms"] = 1e3 * factorisation.numeric;
  state.counters["ratio"] = (setup + solve) / factorisation.numeric;
  state.counters["solve_ratio"] = solve / factorisation.numeric;
}

void add(const char* name, Yardstick yardstick, std::function<generate::SparseLcp()> generator) {
  benchmark::RegisterBenchmark(name, [=](benchmark::State& state) { run(state, generator, yardstick); })
      ->Iterations(2)
      ->Unit(benchmark::kMillisecond);
}

const bool registered = [] {
  using namespace generate;
  add("obstacle_A/1023x1023", Yardstick::cholmod, [] { return obstacle(1023); });
  add("obstacle_B/1023x1023", Yardstick::cholmod, [] { return obstacle(1023, true); });
  add("obstacle_B_two_sided/1023x1023", Yardstick::cholmod, [] { return obstacle(1023, true, true); });
  add("ball/1023x1023", Yardstick::cholmod, [] { return ball_obstacle(1023); });
  for (double load : {5.0, 20.0})
    add(load < 10 ? "torsion_5/1023x1023" : "torsion_20/1023x1023", Yardstick::cholmod, [=] { return torsion(1023, load); });
  for (double eccentricity : {0.1, 0.5, 0.8})
    add(("bearing_" + std::to_string(eccentricity).substr(0, 3) + "/1023x1023").c_str(), Yardstick::cholmod,
        [=] { return journal_bearing(1023, 1023, eccentricity); });
  add("obstacle_A/316x316", Yardstick::cholmod, [] { return obstacle(316); });
  add("bearing_0.8/316x316", Yardstick::cholmod, [] { return journal_bearing(316, 316, 0.8); });
  add("geometric_graph/100000", Yardstick::cholmod, [] { return geometric_graph(8, 100000, 0); });
  add("geometric_graph_membrane/100000", Yardstick::cholmod, [] { return geometric_graph(8, 100000, 1); });
  add("sparse_graph/100000", Yardstick::none, [] { return graph_laplacian(7, 100000, 3, 0.1); });
  add("markov/100000", Yardstick::none, [] { return markov(9, 100000, 0.95); });
  add("american_put/1000000", Yardstick::elimination, [] { return american_put(1000000); });
  add("tridiagonal_1_4_-2/1000000", Yardstick::elimination, [] { return tridiagonal(1000000, 1, 4, -2, -4); });
  add("tridiagonal_constructed/1000000", Yardstick::elimination, [] {
    SparseLcp lcp = tridiagonal(1000000, 1, 4, -2, -4);
    lcp.q = Random(3).uniforms(lcp.n, -1, 1);
    return lcp;
  });
  return true;
}();

}  // namespace
}  // namespace nonsmooth
