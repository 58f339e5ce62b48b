// Projected Gauss-Seidel on a dense matrix by columns, so that w follows z: a few sweeps solve triangular problems, and leave an
// active set that is nearly right where the diagonal dominates.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>

namespace nonsmooth {

// z in and out, w = M z + q out. project(j, x) moves x into the interval of row j. Returns the largest |z - P(z - w)|: 0 where
// the sweeps have solved the problem, up to rounding.
template <class Project>
double column_sweeps(const double* M, std::span<const double> q, std::span<double> z, std::span<double> w, int sweeps,
                     Project&& project) {
  const std::size_t n = q.size();
  std::copy(q.begin(), q.end(), w.begin());
  const auto add_column = [&](std::size_t j, double change) {
    const double* column = M + j * n;
    for (std::size_t i = 0; i < n; ++i) w[i] += change * column[i];
  };
  for (std::size_t j = 0; j < n; ++j)
    if (z[j] != 0) add_column(j, z[j]);
  for (int sweep = 0; sweep < sweeps; ++sweep)
    for (std::size_t j = 0; j < n; ++j) {
      const double diagonal = M[j * (n + 1)];
      if (diagonal <= 0) continue;
      const double moved = project(j, z[j] - w[j] / diagonal), change = moved - z[j];
      if (change == 0) continue;
      z[j] = moved;
      add_column(j, change);
    }
  double largest = 0;
  for (std::size_t j = 0; j < n; ++j) largest = std::max(largest, std::abs(z[j] - project(j, z[j] - w[j])));
  return largest;
}

// What is left, relative to the scale of the residual, if the sweeps have solved a problem up to rounding; answers that merely
// meet a tolerance are left to methods that are exact.
constexpr double nearly_solved = 1e-13;

}  // namespace nonsmooth
