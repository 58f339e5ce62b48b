#include "machine.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <programs/openblas.hpp>
#include <thread>
#include <vector>

#include "../support/child_process.hpp"
#include "problems.hpp"

extern "C" void dgetrf_(const int* m, const int* n, double* a, const int* lda, int* ipiv, int* info);

namespace nonsmooth::bench {

std::string build_of(const std::string& program) { return hex(hash_of(bytes_of(program))); }

std::string machine_name() {
  std::ifstream file("/proc/cpuinfo");
  std::string model = "unknown processor";
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("model name")) {
      model = line.substr(line.find(':') + 2);
      break;
    }
  return model + " x " + std::to_string(std::thread::hardware_concurrency());
}

double calibration_seconds() {
  constexpr std::size_t order = 256;
  constexpr int products = 100, repetitions = 5;
  const std::vector<double> matrix(order * order, 1.0 / order);
  std::array<double, order> x, y;
  double shortest = HUGE_VAL;
  for (int repetition = 0; repetition < repetitions; ++repetition) {
    x.fill(1);
    const double start = now();
    for (int product = 0; product < products; ++product) {
      y.fill(0);
      for (std::size_t j = 0; j < order; ++j)
        for (std::size_t i = 0; i < order; ++i) y[i] += matrix[i + j * order] * x[j];
      x = y;
    }
    const double time = now() - start;
    if (x[0] > 0) shortest = std::min(shortest, time);  // the products are wanted
  }
  return shortest;
}

void set_openblas_for_children(char** arguments) {
  const char* kernels = programs::kernels_openblas_missed();
  if (kernels != nullptr) setenv("OPENBLAS_CORETYPE", kernels, 1);
  const bool threads_are_chosen = std::getenv("OPENBLAS_NUM_THREADS") != nullptr;
  if (!threads_are_chosen) setenv("OPENBLAS_NUM_THREADS", "1", 1);
  if (kernels != nullptr || !threads_are_chosen) execv("/proc/self/exe", arguments);
}

void map_blas_buffer() {
  const int order = 2;
  std::array<double, 4> matrix{2, 1, 1, 2};
  std::array<int, 2> pivot;
  int info = 0;
  dgetrf_(&order, &order, matrix.data(), &order, pivot.data(), &info);
}

}  // namespace nonsmooth::bench
