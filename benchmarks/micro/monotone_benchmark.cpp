// Dense monotone LCPs, setup and solve together, beside one LU factorisation (dgetrf) of the same order: the counter `in_lu` is
// the ratio. Arguments: order, seed.
#include <benchmark/benchmark.h>

#include "../../tests/support/generators.hpp"
#include "core/clock.hpp"
#include "linalg/lapack.hpp"
#include "methods/solver/solver.hpp"

namespace nonsmooth {
namespace {

// C = A' A of `rows` x n random A with entries uniform in (-size, size).
DenseMatrix cross_product(generate::Random& random, int rows, int n, double size) {
  const Vector A = random.uniforms(std::int64_t{rows} * n, -size, size);
  DenseMatrix C{n, n, Vector(static_cast<std::size_t>(n) * static_cast<std::size_t>(n))};
  const double one = 1, zero = 0;
  dgemm_("T", "N", &n, &n, &rows, &one, A.data(), &rows, A.data(), &rows, &zero, C.values.data(), &n);
  for (std::size_t j = 0; j < static_cast<std::size_t>(n); ++j)  // the product is summed in two orders
    for (std::size_t i = 0; i < j; ++i)
      C.values[j + i * static_cast<std::size_t>(n)] = C.values[i + j * static_cast<std::size_t>(n)];
  return C;
}

Problem lcp(DenseMatrix M, Vector q) {
  Problem problem;
  problem.data = Lcp{Matrix(std::move(M), "M"), std::move(q)};
  return problem;
}

// Harker and Pang (1990): A'A + B + D with B skew; hard: q < 0.
Problem harker_pang(int n, std::uint64_t seed, bool hard) {
  generate::Random random(seed);
  DenseMatrix M = cross_product(random, n, n, 5);
  const auto order = static_cast<std::size_t>(n);
  for (std::size_t j = 0; j < order; ++j) {
    M.values[j * (order + 1)] += random.uniform(0, 0.3);
    for (std::size_t i = 0; i < j; ++i) {
      const double b = random.uniform(-5, 5);
      M.values[i + j * order] += b;
      M.values[j + i * order] -= b;
    }
  }
  return lcp(std::move(M), random.uniforms(n, -500, hard ? 0 : 500));
}

// Rank n / 2; shares (1 - degenerate) / 2 of z > 0 and of w > 0, uniform in (0, 1), q = w - M z. size: of the entries of A in M =
// A'A; sqrt(2 / n) gives a diagonal of about 1/3 whatever n, larger ones make w small against M z.
Problem semidefinite(int n, std::uint64_t seed, double degenerate, double size) {
  generate::Random random(seed);
  DenseMatrix M = cross_product(random, n / 2, n, size);
  Vector z(static_cast<std::size_t>(n), 0.0), q = z;
  for (std::size_t i = 0; i < z.size(); ++i) {
    const double draw = random.uniform();
    if (draw < 0.5 - 0.5 * degenerate) z[i] = random.uniform();
    if (draw > 0.5 + 0.5 * degenerate) q[i] = random.uniform();
  }
  const Matrix matrix(std::move(M), "M");
  multiply_add(matrix, -1.0, z, q);
  return lcp(*matrix.dense(), std::move(q));
}

double time_of_lu(int n) {
  generate::Random random(1);
  const Vector A = random.normals(std::int64_t{n} * n);
  std::vector<int> pivot(static_cast<std::size_t>(n));
  double best = HUGE_VAL;
  for (int repeat = 0; repeat < 3; ++repeat) {
    Vector lu = A;
    int info = 0;
    const double start = seconds_now();
    dgetrf_(&n, &n, lu.data(), &n, pivot.data(), &info);
    best = std::min(best, seconds_now() - start);
  }
  return best;
}

void measure(benchmark::State& state, const Problem& problem) {
  nsm_result result = NSM_RESULT_INIT;
  double best = HUGE_VAL;
  for (auto _ : state) {
    const double start = seconds_now();
    Solver solver(problem, "auto", Options{});
    result = solver.solve();
    best = std::min(best, seconds_now() - start);
  }
  if (result.outcome != NSM_CONVERGED) state.SkipWithError("not converged");
  state.counters["in_lu"] = best / time_of_lu(static_cast<int>(state.range(0)));
  state.counters["steps"] = static_cast<double>(result.iterations);
  state.counters["residual"] = result.certificate.residual;
}

int order(const benchmark::State& state) { return static_cast<int>(state.range(0)); }
std::uint64_t seed(const benchmark::State& state) { return static_cast<std::uint64_t>(state.range(1)); }

void harker_pang_easy(benchmark::State& state) { measure(state, harker_pang(order(state), seed(state), false)); }
void harker_pang_hard(benchmark::State& state) { measure(state, harker_pang(order(state), seed(state), true)); }
double unit(const benchmark::State& state) { return std::sqrt(2.0 / order(state)); }
void semidefinite_plain(benchmark::State& state) { measure(state, semidefinite(order(state), seed(state), 0, unit(state))); }
void semidefinite_degenerate(benchmark::State& state) {
  measure(state, semidefinite(order(state), seed(state), 0.1, unit(state)));
}
void semidefinite_small_w(benchmark::State& state) { measure(state, semidefinite(order(state), seed(state), 0.1, 1)); }

void cases(benchmark::internal::Benchmark* b) {
  b->ArgsProduct({{300, 1000, 2000}, {1, 2}})->Unit(benchmark::kMillisecond)->MinTime(0.01);
}
BENCHMARK(harker_pang_easy)->Apply(cases);
BENCHMARK(harker_pang_hard)->Apply(cases);
BENCHMARK(semidefinite_plain)->Apply(cases);
BENCHMARK(semidefinite_degenerate)->Apply(cases);
BENCHMARK(semidefinite_small_w)->Apply(cases);

}  // namespace
}  // namespace nonsmooth
