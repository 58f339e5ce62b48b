// LU with partial pivoting for orders up to some dozens, where a call of LAPACK costs more than the work. Nothing allocates.
#pragma once

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <cstddef>

namespace nonsmooth {

// Factorises the k x k matrix A (column-major, leading dimension k) in place; row i of the factor is row pivot[i] exchanged with
// it. The reciprocals of the pivots stand on the diagonal. false if a pivot vanishes against its own column.
inline bool factorise_small(double* A, int* pivot, int k) {
  const auto column = [&](int j) { return A + static_cast<std::ptrdiff_t>(j) * k; };
  for (int p = 0; p < k; ++p) {
    double* c = column(p);
    double size = 0;
    int best = p;
    for (int i = 0; i < k; ++i) {
      size = std::max(size, std::abs(c[i]));
      if (i > p && std::abs(c[i]) > std::abs(c[best])) best = i;
    }
    if (!(std::abs(c[best]) > 4 * DBL_EPSILON * size) || !std::isfinite(size)) return false;
    pivot[p] = best;
    if (best != p)
      for (int j = 0; j < k; ++j) std::swap(column(j)[p], column(j)[best]);
    c[p] = 1 / c[p];
    for (int i = p + 1; i < k; ++i) c[i] *= c[p];
    for (int j = p + 1; j < k; ++j) {
      double* target = column(j);
      const double factor = target[p];
      if (factor == 0) continue;
      for (int i = p + 1; i < k; ++i) target[i] -= c[i] * factor;
    }
  }
  return true;
}

// A x = b in place, A as factorise_small has left it.
inline void solve_small(const double* A, const int* pivot, int k, double* x) {
  for (int p = 0; p < k; ++p) std::swap(x[p], x[pivot[p]]);
  for (int p = 0; p < k; ++p) {
    const double* c = A + static_cast<std::ptrdiff_t>(p) * k;
    for (int i = p + 1; i < k; ++i) x[i] -= c[i] * x[p];
  }
  for (int p = k - 1; p >= 0; --p) {
    const double* c = A + static_cast<std::ptrdiff_t>(p) * k;
    x[p] *= c[p];
    for (int i = 0; i < p; ++i) x[i] -= c[i] * x[p];
  }
}

// A' x = b.
inline void solve_small_transposed(const double* A, const int* pivot, int k, double* x) {
  for (int p = 0; p < k; ++p) {
    const double* c = A + static_cast<std::ptrdiff_t>(p) * k;
    for (int i = 0; i < p; ++i) x[p] -= c[i] * x[i];
    x[p] *= c[p];
  }
  for (int p = k - 1; p >= 0; --p) {
    const double* c = A + static_cast<std::ptrdiff_t>(p) * k;
    for (int i = p + 1; i < k; ++i) x[p] -= c[i] * x[i];
  }
  for (int p = k - 1; p >= 0; --p) std::swap(x[p], x[pivot[p]]);
}

}  // namespace nonsmooth
