#include "linalg/small_lu.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "core/instructions.hpp"
#include "linalg/pivot.hpp"

namespace nonsmooth {
namespace {

inline __attribute__((always_inline)) bool factorise(double* A, int* pivot, int k) {
  const auto column = [&](int j) { return A + static_cast<std::ptrdiff_t>(j) * k; };
  for (int p = 0; p < k; ++p) {
    double* c = column(p);
    double size = 0;
    int best = p;
    for (int i = 0; i < k; ++i) {
      size = std::max(size, std::abs(c[i]));
      if (i > p && std::abs(c[i]) > std::abs(c[best])) best = i;
    }
    if (!is_clear_pivot(std::abs(c[best]), size) || !std::isfinite(size)) return false;
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

inline __attribute__((always_inline)) void solve(const double* A, const int* pivot, int k, double* x) {
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

inline __attribute__((always_inline)) void multiply_add(const double* A, int rows, int cols, const double* x, double* y) {
  for (int j = 0; j < cols; ++j) {
    const double* column = A + static_cast<std::ptrdiff_t>(j) * rows;
    const double factor = x[j];
    if (factor == 0) continue;
    for (int i = 0; i < rows; ++i) y[i] += column[i] * factor;
  }
}

#ifdef __x86_64__
constexpr int shortest_vectorised = 8;  // rows; below it nothing is won

bool has_avx2(int k) { return k >= shortest_vectorised && widest_instructions() >= Instructions::avx2; }

__attribute__((target("avx2"))) bool factorise_avx2(double* A, int* pivot, int k) { return factorise(A, pivot, k); }
__attribute__((target("avx2"))) void solve_avx2(const double* A, const int* pivot, int k, double* x) { solve(A, pivot, k, x); }
__attribute__((target("avx2"))) void multiply_add_avx2(const double* A, int rows, int cols, const double* x, double* y) {
  multiply_add(A, rows, cols, x, y);
}
#endif

}  // namespace

bool factorise_small(double* A, int* pivot, int k) {
#ifdef __x86_64__
  if (has_avx2(k)) return factorise_avx2(A, pivot, k);
#endif
  return factorise(A, pivot, k);
}

void solve_small(const double* A, const int* pivot, int k, double* x) {
#ifdef __x86_64__
  if (has_avx2(k)) return solve_avx2(A, pivot, k, x);
#endif
  solve(A, pivot, k, x);
}

void multiply_add_small(const double* A, int rows, int cols, const double* x, double* y) {
#ifdef __x86_64__
  if (has_avx2(rows)) return multiply_add_avx2(A, rows, cols, x, y);
#endif
  multiply_add(A, rows, cols, x, y);
}

void solve_small_transposed(const double* A, const int* pivot, int k, double* x) {
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
