// Projected Gauss-Seidel on a dense matrix by columns, so that w follows z: a few sweeps solve triangular problems, and leave an
// active set that is nearly right where the diagonal dominates.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>

#include "methods/frame/control.hpp"
#include "problems/inclusion.hpp"

namespace nonsmooth {

// More sweeps with w = M z + q at hand. project(j, x) moves x into the interval of row j. Returns the largest |z - P(z - w)|: 0
// where the sweeps have solved the problem, up to rounding.
template <class Project>
double resume_sweeps(const double* M, std::span<double> z, std::span<double> w, int sweeps, Project&& project) {
  const std::size_t n = z.size();
  for (int sweep = 0; sweep < sweeps; ++sweep)
    for (std::size_t j = 0; j < n; ++j) {
      const double diagonal = M[j * (n + 1)];
      if (diagonal <= 0) continue;
      const double moved = project(j, z[j] - w[j] / diagonal), change = moved - z[j];
      if (change == 0) continue;
      z[j] = moved;
      const double* column = M + j * n;
      for (std::size_t i = 0; i < n; ++i) w[i] += change * column[i];
    }
  double largest = 0;
  for (std::size_t j = 0; j < n; ++j) largest = std::max(largest, std::abs(z[j] - project(j, z[j] - w[j])));
  return largest;
}

// z in and out, w out.
template <class Project>
double column_sweeps(const double* M, std::span<const double> q, std::span<double> z, std::span<double> w, int sweeps,
                     Project&& project) {
  const std::size_t n = q.size();
  std::copy(q.begin(), q.end(), w.begin());
  for (std::size_t j = 0; j < n; ++j) {
    if (z[j] == 0) continue;
    const double* column = M + j * n;
    for (std::size_t i = 0; i < n; ++i) w[i] += z[j] * column[i];
  }
  return resume_sweeps(M, z, w, sweeps, project);
}

// What is left, relative to the scale of the residual, if the sweeps have solved a problem up to rounding; answers that merely
// meet a tolerance are left to methods that are exact.
constexpr double nearly_solved = 1e-13;

// Before methods that factorise: two sweeps, and from `largest_small` unknowns on, where a factorisation costs ten, others as
// long as each leaves less than half of what the last one left. Stop::none: not solved by them.
template <class Project>
Stop sweep_first(const double* M, const Inclusion& view, std::span<double> z, std::span<double> w, Control& control,
                 Project&& project) {
  constexpr int start_sweeps = 2;
  constexpr std::size_t largest_small = 64;
  double left = column_sweeps(M, *view.q, z, w, start_sweeps, project);
  if (left <= nearly_solved * view.scale) return control.check(0, z);
  if (z.size() <= largest_small) return Stop::none;
  for (;;) {
    const double before = left;
    left = resume_sweeps(M, z, w, 1, project);
    if (left <= control.tolerance() * view.scale)
      if (const Stop stop = control.check(0, z); stop != Stop::none) return stop;
    if (!(left < 0.5 * before)) return control.check_limits(0);
  }
}

}  // namespace nonsmooth
