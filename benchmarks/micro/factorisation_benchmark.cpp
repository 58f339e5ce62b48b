// Factorisations the methods live on, with the solves that follow them: dense LU; sparse Cholesky and LU of principal submatrices
// (order and structure once, numbers for ever new sets of rows); general sparse LU; tridiagonal; mass matrices of many bodies.
#include <benchmark/benchmark.h>

#include "counters.hpp"
#include "linalg/component_factor.hpp"
#include "linalg/dense_factor.hpp"
#include "linalg/sparse_principal_factor.hpp"
#include "linalg/tridiagonal_factor.hpp"
#include "problems.hpp"
#include "random.hpp"

namespace nonsmooth {
namespace {

void dense_lu(benchmark::State& state) {
  const auto n = static_cast<std::size_t>(state.range(0));
  collection::Random random(3);
  const Vector A = random.vector(n * n, -1, 1);
  DenseFactor lu;
  lu.resize(static_cast<int>(n));
  for (auto _ : state) {
    std::copy(A.begin(), A.end(), lu.matrix().begin());
    if (!lu.factorise(static_cast<int>(n))) state.SkipWithError("singular");
  }
  using benchmark::Counter;
  const double order = static_cast<double>(n);
  state.counters["flop/s"] = Counter(2.0 / 3.0 * order * order * order, Counter::kIsIterationInvariantRate);
}

void dense_lu_solve(benchmark::State& state) {
  const auto n = static_cast<std::size_t>(state.range(0));
  collection::Random random(3);
  const Vector A = random.vector(n * n, -1, 1);
  DenseFactor lu;
  lu.resize(static_cast<int>(n));
  std::copy(A.begin(), A.end(), lu.matrix().begin());
  if (!lu.factorise(static_cast<int>(n))) state.SkipWithError("singular");
  Vector x(n, 1.0);
  for (auto _ : state) {
    std::fill(x.begin(), x.end(), 1.0);
    lu.solve(x.data());
    benchmark::DoNotOptimize(x.data());
  }
  count_traffic(state, static_cast<double>(n), 8 * static_cast<double>(n * n));
}

CscMatrix laplacian(const benchmark::State& state) {
  return to_csc(obstacle_problem(static_cast<std::int32_t>(state.range(0))).M);
}

// Every third row left out, as an active set does.
std::vector<char> two_thirds(std::size_t n) {
  std::vector<char> keep(n, 1);
  for (std::size_t i = 0; i < n; i += 3) keep[i] = 0;
  return keep;
}

void sparse_structure(benchmark::State& state) {
  const CscMatrix A = laplacian(state);
  for (auto _ : state) benchmark::DoNotOptimize(SparsePrincipalFactor(A, true).size());
  count_time_per(state, "per_row", static_cast<double>(A.rows));
}

void factorise(benchmark::State& state, const CscMatrix& A, PrincipalFactor& factor, const std::vector<char>& keep) {
  for (auto _ : state)
    if (!factor.factorise(keep)) state.SkipWithError("singular");
  count_time_per(state, "per_row", static_cast<double>(A.rows));
}

template <bool SYMMETRIC>
void sparse_factor(benchmark::State& state) {
  const CscMatrix A = laplacian(state);
  SparsePrincipalFactor factor(A, SYMMETRIC);
  factorise(state, A, factor, std::vector<char>(static_cast<std::size_t>(A.rows), 1));
}

void sparse_factor_of_part(benchmark::State& state) {
  const CscMatrix A = laplacian(state);
  SparsePrincipalFactor factor(A, true);
  factorise(state, A, factor, two_thirds(static_cast<std::size_t>(A.rows)));
}

void sparse_solve(benchmark::State& state) {
  const CscMatrix A = laplacian(state);
  SparsePrincipalFactor factor(A, true);
  if (!factor.factorise(std::vector<char>(static_cast<std::size_t>(A.rows), 1))) state.SkipWithError("singular");
  Vector x(static_cast<std::size_t>(A.rows));
  for (auto _ : state) {
    std::fill(x.begin(), x.end(), 1.0);
    factor.solve(x);
    benchmark::DoNotOptimize(x.data());
  }
  count_time_per(state, "per_row", static_cast<double>(A.rows));
  count_traffic(state, static_cast<double>(A.rows), 2 * 8 * static_cast<double>(factor.size()));  // forward, backward
}

// Order, structure and numbers together, as setup does for a matrix met once.
void general_lu(benchmark::State& state) {
  const CscMatrix A = laplacian(state);
  for (auto _ : state) {
    SparseLu lu;
    if (!lu.factorise(A)) state.SkipWithError("singular");
  }
  count_time_per(state, "per_row", static_cast<double>(A.rows));
}

void tridiagonal_factor(benchmark::State& state) {
  const auto n = static_cast<std::size_t>(state.range(0));
  const Tridiagonal T{Vector(n, -1.0), Vector(n, 4.0), Vector(n, -2.0)};
  TridiagonalFactor factor(T);
  const std::vector<char> keep = two_thirds(n);
  for (auto _ : state)
    if (!factor.factorise(keep)) state.SkipWithError("singular");
  count_time_per(state, "per_row", static_cast<double>(n));
}

void mass_matrix(benchmark::State& state) {
  const GlobalFriction problem = global_problem(collection::sphere_pile(static_cast<int>(state.range(0)), 0.3));
  const CscMatrix M = to_csc(problem.M);
  for (auto _ : state) benchmark::DoNotOptimize(ComponentFactor(M, "M").components());
  count_time_per(state, "per_body", static_cast<double>(M.rows) / 6);
}

BENCHMARK(dense_lu)->Arg(6)->Arg(30)->Arg(100)->Arg(300)->Arg(1000);
BENCHMARK(dense_lu_solve)->Arg(6)->Arg(30)->Arg(300)->Arg(1000);
BENCHMARK(sparse_structure)->Arg(30)->Arg(200)->Unit(benchmark::kMicrosecond);
BENCHMARK(sparse_factor<true>)->Arg(30)->Arg(200)->Unit(benchmark::kMicrosecond);
BENCHMARK(sparse_factor<false>)->Arg(30)->Arg(200)->Unit(benchmark::kMicrosecond);
BENCHMARK(sparse_factor_of_part)->Arg(30)->Arg(200)->Unit(benchmark::kMicrosecond);
BENCHMARK(sparse_solve)->Arg(30)->Arg(200)->Unit(benchmark::kMicrosecond);
BENCHMARK(general_lu)->Arg(30)->Arg(200)->Unit(benchmark::kMicrosecond);
BENCHMARK(tridiagonal_factor)->Arg(1000)->Arg(100000)->Unit(benchmark::kMicrosecond);
BENCHMARK(mass_matrix)->Arg(5)->Arg(10)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace nonsmooth
