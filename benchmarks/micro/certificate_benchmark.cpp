// The certificate, which every answer pays for: one product with the matrix, a projection per block and the bound of rounding.
// `products` is its time in units of one product.
#include <benchmark/benchmark.h>

#include <ctime>

#include "certificate/certificate.hpp"
#include "counters.hpp"
#include "problems.hpp"
#include "random.hpp"

namespace nonsmooth {
namespace {

// Of this process, which has one thread: other work on the machine does not count.
double seconds_now() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

double seconds_of_product(const Matrix& A) {
  const Vector x(static_cast<std::size_t>(A.cols()), 1.0);
  Vector y(static_cast<std::size_t>(A.rows()), 0.0);
  int products = 0;
  const double start = seconds_now();
  double end = start;
  for (; end < start + 0.01; end = seconds_now(), ++products) multiply_add(A, 1e-3, x, y);
  benchmark::DoNotOptimize(y.data());
  return (end - start) / products;
}

void certify(benchmark::State& state, ProblemData data, const char* item, double items, const Matrix* product) {
  Problem problem;
  problem.data = std::move(data);
  Certifier certifier(problem);
  const Vector z = collection::Random(4).vector(static_cast<std::size_t>(problem.size()), 0, 1);
  double seconds = -seconds_now();
  for (auto _ : state) benchmark::DoNotOptimize(certifier.certify(z, {}, 1e-8).residual);
  seconds += seconds_now();
  count_time_per(state, item, items);
  if (product != nullptr)
    state.counters["products"] = seconds / static_cast<double>(state.iterations()) / seconds_of_product(*product);
}

void friction(benchmark::State& state) {
  const Friction problem = friction_problem(collection::sphere_pile(static_cast<int>(state.range(0)), 0.3));
  certify(state, problem, "per_contact", static_cast<double>(problem.mu.size()), &problem.W);
}

void global_friction(benchmark::State& state) {
  const GlobalFriction problem = global_problem(collection::sphere_pile(static_cast<int>(state.range(0)), 0.3));
  certify(state, problem, "per_contact", static_cast<double>(problem.contacts()), nullptr);
}

void sparse_lcp(benchmark::State& state) {
  const Lcp problem = obstacle_problem(static_cast<std::int32_t>(state.range(0)));
  certify(state, problem, "per_row", static_cast<double>(problem.q.size()), &problem.M);
}

void dense_lcp(benchmark::State& state) {
  const std::int64_t n = state.range(0);
  const auto rows = static_cast<std::size_t>(n);
  const Lcp problem{Matrix(DenseMatrix{n, n, collection::Random(5).vector(rows * rows, -1, 1)}, "M"), Vector(rows, -1.0)};
  certify(state, problem, "per_row", static_cast<double>(n), &problem.M);
}

BENCHMARK(friction)->Arg(2)->Arg(5)->Arg(10)->Arg(19);
BENCHMARK(global_friction)->Arg(2)->Arg(5)->Arg(10)->Arg(19);
BENCHMARK(sparse_lcp)->Arg(100)->Arg(400);
BENCHMARK(dense_lcp)->Arg(4)->Arg(30)->Arg(300)->Arg(1500);

}  // namespace
}  // namespace nonsmooth
