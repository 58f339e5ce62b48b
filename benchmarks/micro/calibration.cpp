// The yardstick of compare_baseline.py, in every program: one product of a dense matrix of 512 kB with a vector. It is measured
// between the other benchmarks, so that what slows the whole machine slows both.
#include <benchmark/benchmark.h>

#include <vector>

namespace {

void calibration(benchmark::State& state) {
  constexpr std::size_t order = 256;
  const std::vector<double> matrix(order * order, 1.0 / order), x(order, 1.0);
  for (auto _ : state) {
    double y[order]{};
    for (std::size_t j = 0; j < order; ++j)
      for (std::size_t i = 0; i < order; ++i) y[i] += matrix[i + j * order] * x[j];
    benchmark::DoNotOptimize(y);
  }
}
BENCHMARK(calibration);

}  // namespace
