// Whole solves of LCPs by the methods made for them, beside Lemke and beside the linear algebra they cannot do without.
#include <benchmark/benchmark.h>

#include <map>

#include "../../tests/support/lcp_families.hpp"
#include "methods/solver/solver.hpp"
#include "nonsmooth/nonsmooth.h"
#include "whole_solve.hpp"

namespace nonsmooth {
namespace {

// M = G G' / n + I / 10, G of n x n uniform numbers: positive definite, about half of the rows active.
const Problem& definite_problem(std::int64_t order) {
  static std::map<std::int64_t, Problem> problems;  // repetitions come in any order
  const auto [place, fresh] = problems.try_emplace(order);
  Problem& problem = place->second;
  if (!fresh) return problem;
  generate::Random random(7);
  const auto n = static_cast<std::size_t>(order);
  const Vector G = random.uniforms(order * order, -1, 1);
  DenseMatrix M{order, order, Vector(n * n, 0.0)};
  for (std::size_t k = 0; k < n; ++k)
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t i = 0; i < n; ++i) M.values[i + j * n] += G[i + k * n] * G[j + k * n] / static_cast<double>(n);
  for (std::size_t i = 0; i < n; ++i) M.values[i + i * n] += 0.1;
  problem.data = Lcp{Matrix(std::move(M), "M"), random.uniforms(order, -1, 1)};
  return problem;
}

void dense_lemke(benchmark::State& state) { solve_again_and_again(state, definite_problem(state.range(0)), "lemke", "pivots"); }
void dense_block_principal_pivoting(benchmark::State& state) {
  solve_again_and_again(state, definite_problem(state.range(0)), "block_principal_pivoting", "bases");
}

// What a simulation asks for at every step: a new q, the solution from the last one. range(1) = 0: q drifts, so that the active
// set changes now and then; 1: every q is drawn anew.
void small_update_and_solve(benchmark::State& state) {
  const auto n = static_cast<std::size_t>(state.range(0));
  generate::Random random(11);
  Problem problem = definite_problem(state.range(0));
  Solver solver(problem, nullptr, Options{});
  constexpr std::size_t steps = 1024;
  std::vector<Vector> q(steps, random.uniforms(state.range(0), -1, 1));
  for (std::size_t k = 1; k < steps; ++k) {
    const Vector drawn = random.uniforms(state.range(0), -1, 1);
    for (std::size_t i = 0; i < n; ++i) q[k][i] = state.range(1) == 1 ? drawn[i] : q[k - 1][i] + 0.03 * drawn[i];
  }
  std::size_t k = 0;
  std::int64_t failed = 0;
  for (auto _ : state) {
    solver.update_q(q[k++ % steps]);
    failed += solver.solve().outcome != NSM_CONVERGED;
  }
  if (failed > 0) state.SkipWithError("not converged");
}
BENCHMARK(small_update_and_solve)
    ->ArgNames({"n", "unrelated"})
    ->ArgsProduct({{2, 4, 8, 16, 50}, {0, 1}})
    ->Unit(benchmark::kNanosecond);

// Per problem of a batch of 1024, through the C interface; range(1) = 1: each with a matrix of its own.
void small_batch(benchmark::State& state) {
  const std::int64_t order = state.range(0), count = 1024;
  generate::Random random(13);
  const Problem& problem = definite_problem(order);
  const Lcp& lcp = std::get<Lcp>(problem.data);
  Vector values;
  for (std::int64_t k = 0; k < count; ++k) {
    const double scale = random.uniform(0.5, 2);
    for (double value : lcp.M.values()) values.push_back(scale * value);
  }
  const Vector q = random.uniforms(count * order, -1, 1);
  Vector z(q.size(), 0.0);
  nsm_problem* raw = nullptr;
  const nsm_matrix M = nsm_matrix_dense(order, order, lcp.M.values().data());
  nsm_problem_create_lcp(&M, lcp.q.data(), &raw);
  nsm_solver* solver = nullptr;
  nsm_setup(raw, nullptr, nullptr, &solver);
  for (auto _ : state)
    nsm_solve_batch(solver, count, state.range(1) == 1 ? values.data() : nullptr, q.data(), z.data(), nullptr, nullptr, nullptr);
  state.SetItemsProcessed(state.iterations() * count);
  nsm_free(&solver);
  nsm_problem_free(&raw);
}
BENCHMARK(small_batch)->ArgNames({"n", "own_matrix"})->ArgsProduct({{2, 4, 8}, {0, 1}});

// A problem met once: setup, solve, free.
void setup_and_solve(benchmark::State& state) {
  const Problem& problem = definite_problem(state.range(0));
  for (auto _ : state) {
    Solver solver(problem, nullptr, Options{});
    benchmark::DoNotOptimize(solver.solve());
  }
}
BENCHMARK(setup_and_solve)->Arg(2)->Arg(10)->Arg(30)->Arg(50)->Arg(100)->Arg(300)->Unit(benchmark::kMicrosecond);

BENCHMARK(dense_block_principal_pivoting)->Arg(30)->Arg(100)->Arg(300)->Arg(1000)->Arg(2000)->Unit(benchmark::kMillisecond);
BENCHMARK(dense_lemke)->Arg(30)->Arg(100)->Arg(300)->Arg(1000)->Arg(2000)->Unit(benchmark::kMillisecond)->MinTime(0.01);

}  // namespace
}  // namespace nonsmooth
