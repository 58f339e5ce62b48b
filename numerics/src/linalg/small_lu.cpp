#include "linalg/small_lu.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <type_traits>

#include "core/instructions.hpp"
#include "linalg/pivot.hpp"

namespace nonsmooth {
namespace {

constexpr int columns_at_once = 4;  // so that what they change is read and written once for all of them

// y += A x, A rows x columns with leading dimension k.
template <int columns>
inline __attribute__((always_inline)) void add_few_columns(const double* A, int k, const double* x, int rows,
                                                           double* __restrict y) {
  for (int i = 0; i < rows; ++i) {
    double sum = y[i];
    for (int j = 0; j < columns; ++j) sum += A[static_cast<std::ptrdiff_t>(j) * k + i] * x[j];
    y[i] = sum;
  }
}

// Size of the largest of n entries; NaN is passed over.
inline __attribute__((always_inline)) double size_of_largest(const double* x, int n) {
  double sizes[columns_at_once] = {};
  int i = 0;
  for (; i + columns_at_once <= n; i += columns_at_once)
    for (int j = 0; j < columns_at_once; ++j) sizes[j] = std::max(sizes[j], std::abs(x[i + j]));
  for (; i < n; ++i) sizes[0] = std::max(sizes[0], std::abs(x[i]));
  return std::max(std::max(sizes[0], sizes[1]), std::max(sizes[2], sizes[3]));
}

// Some columns of L, whose diagonal L points to, and then of U, whose first row U points to.
template <int columns>
inline __attribute__((always_inline)) void solve_lower(const double* L, int k, int rows, double* x) {
  double known[columns];
  for (int j = 0; j < columns; ++j) {
    for (int i = j + 1; i < columns; ++i) x[i] -= L[static_cast<std::ptrdiff_t>(j) * k + i] * x[j];
    known[j] = -x[j];
  }
  add_few_columns<columns>(L + columns, k, known, rows - columns, x + columns);
}

template <int columns>
inline __attribute__((always_inline)) void solve_upper(const double* U, int k, int above, double* x) {
  double known[columns], *own = x + above;
  for (int j = columns - 1; j >= 0; --j) {
    const double* c = U + static_cast<std::ptrdiff_t>(j) * k + above;
    own[j] *= c[j];
    for (int i = 0; i < j; ++i) own[i] -= c[i] * own[j];
    known[j] = -own[j];
  }
  add_few_columns<columns>(U, k, known, above, x);
}

// Column p of a panel: its pivot is exchanged into place, and what follows it in the panel is changed.
inline __attribute__((always_inline)) bool eliminate(double* A, int* pivot, int k, int p, int panel_end) {
  const auto column = [&](int j) { return A + static_cast<std::ptrdiff_t>(j) * k; };
  double* c = column(p);
  double best_size = std::abs(c[p]);
  int best = p;
  for (int i = p + 1; i < k; ++i)
    if (std::abs(c[i]) > best_size) {
      best_size = std::abs(c[i]);
      best = i;
    }
  const double size = std::max(best_size, size_of_largest(c, p));
  if (!is_clear_pivot(best_size, size) || !std::isfinite(size)) return false;
  pivot[p] = best;
  if (best != p)
    for (int j = 0; j < k; ++j) std::swap(column(j)[p], column(j)[best]);
  c[p] = 1 / c[p];
  for (int i = p + 1; i < k; ++i) c[i] *= c[p];
  for (int j = p + 1; j < panel_end; ++j) {
    const double factor = -column(j)[p];
    if (factor != 0) add_few_columns<1>(c + p + 1, k, &factor, k - p - 1, column(j) + p + 1);
  }
  return true;
}

// `panel` columns change those behind them together, with the bits that one after the other leaves.
template <int panel>
inline __attribute__((always_inline)) bool factorise(double* A, int* pivot, int k) {
  const auto column = [&](int j) { return A + static_cast<std::ptrdiff_t>(j) * k; };
  int p = 0;
  for (; panel > 1 && p + panel <= k; p += panel) {
    for (int i = p; i < p + panel; ++i)
      if (!eliminate(A, pivot, k, i, p + panel)) return false;
    for (int j = p + panel; j < k; ++j) solve_lower<panel>(column(p) + p, k, k - p, column(j) + p);
  }
  for (; p < k; ++p)
    if (!eliminate(A, pivot, k, p, k)) return false;
  return true;
}

inline __attribute__((always_inline)) void solve(const double* A, const int* pivot, int k, double* x) {
  const auto column = [&](int j) { return A + static_cast<std::ptrdiff_t>(j) * k; };
  for (int p = 0; p < k; ++p) std::swap(x[p], x[pivot[p]]);
  int p = 0;
  for (; p + columns_at_once <= k; p += columns_at_once) solve_lower<columns_at_once>(column(p) + p, k, k - p, x + p);
  for (; p < k; ++p) solve_lower<1>(column(p) + p, k, k - p, x + p);
  for (; p >= columns_at_once; p -= columns_at_once)
    solve_upper<columns_at_once>(column(p - columns_at_once), k, p - columns_at_once, x);
  for (; p > 0; --p) solve_upper<1>(column(p - 1), k, p - 1, x);
}

inline __attribute__((always_inline)) void multiply_add(const double* A, int rows, int cols, const double* x, double* y) {
  const auto column = [&](int j) { return A + static_cast<std::ptrdiff_t>(j) * rows; };
  int j = 0;
  for (; j + columns_at_once <= cols; j += columns_at_once) {
    if (x[j] == 0 && x[j + 1] == 0 && x[j + 2] == 0 && x[j + 3] == 0) continue;
    add_few_columns<columns_at_once>(column(j), rows, x + j, rows, y);
  }
  for (; j < cols; ++j)
    if (x[j] != 0) add_few_columns<1>(column(j), rows, x + j, rows, y);
}

#ifdef __x86_64__
constexpr int shortest_vectorised = 8;  // rows; below it nothing is won

bool has_avx2(int k) { return k >= shortest_vectorised && widest_instructions() >= Instructions::avx2; }

__attribute__((target("avx2"))) bool factorise_avx2(double* A, int* pivot, int k) {
  return factorise<columns_at_once>(A, pivot, k);
}
__attribute__((target("avx2"))) void solve_avx2(const double* A, const int* pivot, int k, double* x) { solve(A, pivot, k, x); }
__attribute__((target("avx2"))) void multiply_add_avx2(const double* A, int rows, int cols, const double* x, double* y) {
  multiply_add(A, rows, cols, x, y);
}
#endif

// visit(k), as a constant where it is the size of a block of contacts: of these most are factorised.
template <class Visit>
inline __attribute__((always_inline)) auto with_known_size(int k, Visit&& visit) {
  switch (k) {
    case 2: return visit(std::integral_constant<int, 2>());
    case 3: return visit(std::integral_constant<int, 3>());
    case 5: return visit(std::integral_constant<int, 5>());
    default: return visit(k);
  }
}

}  // namespace

bool factorise_small(double* A, int* pivot, int k) {
#ifdef __x86_64__
  if (has_avx2(k)) return factorise_avx2(A, pivot, k);
#endif
  return with_known_size(k, [&](auto size) { return factorise<1>(A, pivot, size); });
}

void solve_small(const double* A, const int* pivot, int k, double* x) {
#ifdef __x86_64__
  if (has_avx2(k)) return solve_avx2(A, pivot, k, x);
#endif
  with_known_size(k, [&](auto size) { solve(A, pivot, size, x); });
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
