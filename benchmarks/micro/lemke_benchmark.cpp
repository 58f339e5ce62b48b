// Pivoting methods on dense LCPs: Lemke's whole solves with the time per pivot, its basis alone, and enumeration.
#include <benchmark/benchmark.h>

#include "counters.hpp"
#include "methods/basis_factor.hpp"
#include "methods/solver.hpp"
#include "random.hpp"

namespace nonsmooth {
namespace {

// M = G G' / n + I / 10 (plus a skew part, if asked), q in (-1, 1): positive definite, about half the rows active.
Problem definite_problem(std::int64_t order, double skew) {
  collection::Random random(7);
  const auto n = static_cast<std::size_t>(order);
  const Vector G = random.vector(n * n, -1, 1);
  DenseMatrix M{order, order, Vector(n * n, 0.0)};
  for (std::size_t k = 0; k < n; ++k)
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t i = 0; i < n; ++i) M.values[i + j * n] += G[i + k * n] * G[j + k * n] / static_cast<double>(n);
  for (std::size_t i = 0; i < n; ++i) {
    M.values[i + i * n] += 0.1;
    for (std::size_t j = 0; j < i; ++j) {
      const double s = skew * random.uniform(-1, 1);
      M.values[i + j * n] += s;
      M.values[j + i * n] -= s;
    }
  }
  Problem problem;
  problem.data = Lcp{Matrix(std::move(M), "M"), random.vector(n, -1, 1)};
  return problem;
}

// tridiag(1, 4, -2), q = -4: every ratio test is tied at the start.
Problem tied_problem(std::int64_t order) {
  const auto n = static_cast<std::size_t>(order);
  DenseMatrix M{order, order, Vector(n * n, 0.0)};
  for (std::size_t i = 0; i < n; ++i) {
    M.values[i + i * n] = 4;
    if (i > 0) M.values[i + (i - 1) * n] = 1;
    if (i + 1 < n) M.values[i + (i + 1) * n] = -2;
  }
  Problem problem;
  problem.data = Lcp{Matrix(std::move(M), "M"), Vector(n, -4.0)};
  return problem;
}

// Solves from z = 0 every time: a solver that starts from its last solution has nothing to do.
void solve_again_and_again(benchmark::State& state, const Problem& problem, const char* method, const char* step) {
  Solver solver(problem, method, Options{});
  const Vector zero(static_cast<std::size_t>(problem.size()), 0.0);
  nsm_result result = NSM_RESULT_INIT;
  for (auto _ : state) {
    solver.warm_start(zero);
    result = solver.solve();
  }
  if (result.outcome != NSM_CONVERGED) state.SkipWithError("not converged");
  state.counters[step] = static_cast<double>(result.iterations);
  count_time_per(state, "per_step", static_cast<double>(result.iterations));
}

void lemke_definite(benchmark::State& state) {
  solve_again_and_again(state, definite_problem(state.range(0), 0), "lemke", "pivots");
}
void lemke_skew(benchmark::State& state) { solve_again_and_again(state, definite_problem(state.range(0), 1), "lemke", "pivots"); }
void lemke_tied(benchmark::State& state) { solve_again_and_again(state, tied_problem(state.range(0)), "lemke", "pivots"); }
void enumeration_definite(benchmark::State& state) {
  solve_again_and_again(state, definite_problem(state.range(0), 0), "enumeration", "nodes");
}

// What a pivot costs at least: one ftran with half of the 60 updates in place.
void basis_ftran(benchmark::State& state) {
  const auto n = static_cast<std::size_t>(state.range(0));
  constexpr int updates = 30;
  collection::Random random(8);
  BasisFactor basis;
  basis.resize(static_cast<int>(n), 60);
  for (double& x : basis.matrix()) x = random.uniform(-1, 1);
  if (!basis.refactorise()) state.SkipWithError("singular");
  for (int k = 0; k < updates; ++k) {
    Vector column = random.vector(n, -1, 1);
    column[static_cast<std::size_t>(k) % n] = 2;
    basis.update(k % static_cast<int>(n), column);
  }
  const Vector right_hand_side = random.vector(n, -1, 1);
  Vector x(n);
  for (auto _ : state) {
    x = right_hand_side;
    basis.ftran(x.data());
    benchmark::DoNotOptimize(x.data());
  }
  count_traffic(state, 1, static_cast<double>(8 * n * (n + updates)));
}

BENCHMARK(lemke_definite)->Arg(30)->Arg(100)->Arg(300);
BENCHMARK(lemke_skew)->Arg(30)->Arg(100)->Arg(300);
BENCHMARK(lemke_tied)->Arg(30)->Arg(100);
BENCHMARK(basis_ftran)->Arg(30)->Arg(100)->Arg(300);
BENCHMARK(enumeration_definite)->Arg(8)->Arg(16);

}  // namespace
}  // namespace nonsmooth
