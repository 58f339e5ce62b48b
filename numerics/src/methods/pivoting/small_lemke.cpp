#include "methods/pivoting/small_lemke.hpp"

#include <algorithm>
#include <cmath>

#include "core/index.hpp"
#include "core/instructions.hpp"
#include "methods/frame/golden_fraction.hpp"

namespace nonsmooth {
namespace {

constexpr double small_pivot_tolerance = 1e-11;  // relative to the largest entry of the column
constexpr double small_tie_tolerance = 1e-13;    // of the largest x
constexpr int small_pivots_per_unknown = 5;      // paths that get there take one to three

// T is n x columns: the row is solved for the variable of the column, which is put into all others.
__attribute__((always_inline)) inline void eliminate(double* T, int n, int columns, int row, int col) {
  double* const __restrict entering = T + std::ptrdiff_t{col} * n;
  const double pivot = entering[row];
  for (int j = 0; j < columns; ++j) {
    double* const __restrict c = T + std::ptrdiff_t{j} * n;
    if (j == col || c[row] == 0) continue;
    const double value = -c[row] / pivot;
    for (int i = 0; i < n; ++i) c[i] += value * entering[i];
    c[row] = value;
  }
  for (int i = 0; i < n; ++i) entering[i] /= pivot;
  entering[row] = 1 / pivot;
}

void eliminate_anywhere(double* T, int n, int columns, int row, int col) { eliminate(T, n, columns, row, col); }
#ifdef __x86_64__
__attribute__((target("avx2"))) void eliminate_avx2(double* T, int n, int columns, int row, int col) {
  eliminate(T, n, columns, row, col);
}
#endif

}  // namespace

void SmallLemke::resize(int n) {
  eliminate_ = eliminate_anywhere;
#ifdef __x86_64__
  if (widest_instructions() >= Instructions::avx2) eliminate_ = eliminate_avx2;
#endif
  n_ = n;
  t_ = 2 * n;
  x_ = n + 1;
  s_ = n + 2;
  T_.resize(at(n) * at(n + 3));
  variables_.resize(at(t_) + 1);
  basic_ = std::span(variables_).first(at(n));
  nonbasic_ = std::span(variables_).subspan(at(n));
}

void SmallLemke::load(const double* M, std::span<const double> q) {
  std::copy_n(M, at(n_) * at(n_), T_.data());
  std::fill_n(column(n_), n_, 1.0);
  std::copy_n(q.data(), n_, column(x_));
  for (int i = 0; i < n_; ++i) {
    column(s_)[i] = 1 + (i + golden_fraction(i)) / n_;
    basic_[at(i)] = i;
    nonbasic_[at(i)] = n_ + i;
  }
  nonbasic_[at(n_)] = t_;
}

// The first to leave, for t: the most negative one.
int SmallLemke::lowest_row() {
  const double *x = column(x_), *s = column(s_);
  int lowest = 0;
  for (int i = 1; i < n_; ++i)
    if (x[i] < x[lowest] || (x[i] == x[lowest] && s[i] < s[lowest])) lowest = i;
  return lowest;
}

// Of those that fall as the column enters the first to be 0; of ties t, or what the perturbation brings there first. -1: none.
int SmallLemke::leaving_row(int entering) {
  const double *x = column(x_), *s = column(s_), *c = column(entering);
  double largest = 0, size = 0, shortest = HUGE_VAL;
  for (int i = 0; i < n_; ++i) {
    largest = std::max(largest, std::abs(c[i]));
    size = std::max(size, x[i]);
  }
  const double threshold = -small_pivot_tolerance * largest;
  for (int i = 0; i < n_; ++i)
    if (c[i] < threshold && x[i] < -shortest * c[i]) shortest = std::max(x[i], 0.0) / -c[i];
  int leaving = -1;
  double first = HUGE_VAL;
  for (int i = 0; i < n_; ++i) {
    if (!(c[i] < threshold) || x[i] + shortest * c[i] > small_tie_tolerance * size) continue;
    if (basic_[at(i)] == t_) return i;
    if (s[i] >= -first * c[i]) continue;
    leaving = i;
    first = s[i] / -c[i];
  }
  return leaving;
}

void SmallLemke::exchange(int row, int col) {
  eliminate_(T_.data(), n_, s_ + 1, row, col);
  std::swap(basic_[at(row)], nonbasic_[at(col)]);
}

void SmallLemke::write_solution(std::span<double> z) {
  const double* x = column(x_);
  std::fill(z.begin(), z.end(), 0.0);
  for (int i = 0; i < n_; ++i)
    if (basic_[at(i)] >= n_) z[at(basic_[at(i)] - n_)] = std::max(x[i], 0.0);
}

bool SmallLemke::follow(const double* M, std::span<const double> q, std::span<double> z, std::int64_t& pivots) {
  load(M, q);
  int col = n_, row = lowest_row();
  for (const std::int64_t last = pivots + small_pivots_per_unknown * (n_ + 1); row >= 0 && pivots < last;) {
    const int leaving = basic_[at(row)];
    exchange(row, col);
    ++pivots;
    if (leaving == t_) {
      write_solution(z);
      return true;
    }
    // The complement of what has left comes in.
    const int entering = leaving < n_ ? leaving + n_ : leaving - n_;
    col = static_cast<int>(std::find(nonbasic_.begin(), nonbasic_.end(), entering) - nonbasic_.begin());
    row = leaving_row(col);
  }
  return false;
}

}  // namespace nonsmooth
