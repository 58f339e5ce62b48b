// Products with a vector, y += A x: of W of sphere piles in 3 x 3 blocks, and of the operator that applies W without forming it;
// of a sparse matrix by columns and of a dense one. All but the smallest read more than they compute: the bytes per second stand
// beside those of `memory_read` in nsgs_sweep_benchmark.
#include <benchmark/benchmark.h>

#include "counters.hpp"
#include "problems.hpp"
#include "problems/condensation.hpp"

namespace nonsmooth {
namespace {

void multiply(benchmark::State& state, const Matrix& A, double bytes_of_indices, const char* item, double items) {
  const Vector x(static_cast<std::size_t>(A.cols()), 1.0);
  Vector y(static_cast<std::size_t>(A.rows()), 0.0);
  for (auto _ : state) {
    multiply_add(A, 1e-3, x, y);
    benchmark::DoNotOptimize(y.data());
  }
  count_time_per(state, item, items);
  count_traffic(state, items, 8 * static_cast<double>(A.values().size() + x.size() + 2 * y.size()) + bytes_of_indices);
}

void block_product(benchmark::State& state) {
  const Friction problem = friction_problem(collection::sphere_pile(static_cast<int>(state.range(0)), 0.3));
  const Matrix W(to_block_csr(problem.W, 3), "W");
  const auto blocks = static_cast<double>(W.block_csr()->block_col.size());
  // Column and place of each block.
  multiply(state, W, blocks * (sizeof(std::int32_t) + sizeof(W.block_csr()->block_start[0])), "per_contact",
           static_cast<double>(W.rows()) / 3);
  state.counters["per_block"] =
      benchmark::Counter(blocks, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

void operator_product(benchmark::State& state) {
  const GlobalFriction problem = global_problem(collection::sphere_pile(static_cast<int>(state.range(0)), 0.3));
  const Condensation condensation(problem);
  const Inclusion view = condensation.inclusion();
  const Vector r(static_cast<std::size_t>(view.size()), 1.0);
  Vector w(r.size(), 0.0);
  for (auto _ : state) {
    view.bodies->multiply_add(r, w);
    benchmark::DoNotOptimize(w.data());
  }
  const double contacts = static_cast<double>(problem.contacts());
  count_time_per(state, "per_contact", contacts);
  count_traffic(state, contacts, static_cast<double>(view.bodies->bytes()));
}

void column_product(benchmark::State& state) {
  const Lcp problem = obstacle_problem(static_cast<std::int32_t>(state.range(0)));
  multiply(state, problem.M, 4 * static_cast<double>(problem.M.values().size() + problem.q.size()), "per_row",
           static_cast<double>(problem.q.size()));
}

void dense_product(benchmark::State& state) {
  const std::int64_t n = state.range(0);
  multiply(state, Matrix(DenseMatrix{n, n, Vector(static_cast<std::size_t>(n * n), 1.0)}, "M"), 0, "per_row",
           static_cast<double>(n));
}

BENCHMARK(block_product)->Arg(5)->Arg(10)->Arg(19);
BENCHMARK(operator_product)->Arg(5)->Arg(10)->Arg(19);
BENCHMARK(column_product)->Arg(100)->Arg(400);
BENCHMARK(dense_product)->Arg(30)->Arg(300)->Arg(1500);

}  // namespace
}  // namespace nonsmooth
