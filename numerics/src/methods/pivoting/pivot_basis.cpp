#include "methods/pivoting/pivot_basis.hpp"

#include <algorithm>

#include "linalg/lapack.hpp"

namespace nonsmooth {
namespace {

// Rounding leaves this much of a pivot that is 0, after some dozen eliminations (a skew matrix of odd order).
constexpr double doubtful_pivot = 1e-11;

}  // namespace

void PivotBasis::resize(int n) {
  ComplementaryBasis::resize(n);
  tableau_.resize(n);
  lu_.resize(n);
  elimination_.resize(n);
  nonbasic_.resize(at(n) + 1);
}

const char* PivotBasis::start_at_bounds() {
  if (!classify()) return nullptr;
  choose_active();
  const bool has_factors = factorise_active();
  if (has_factors && lu_.smallest_pivot() > doubtful_pivot) return nullptr;
  for (int i = 0; i < n_; ++i)  // where z is while the free ones are found
    if (is_free(i)) z_basic_[at(i)] = 0;
  load_effective_q();
  const char* reason = elimination_.run(*problem_, free_, kept_, tableau_.block(), tableau_.stride(), q_, z_basic_, w_basic_);
  if (reason == nullptr || !has_factors || elimination_.has_no_time()) return reason;
  classify();
  return nullptr;
}

bool PivotBasis::factorise_active() {
  const std::size_t k = active_rows_.size();
  if (active_cols_.size() != k) return false;
  double* G = lu_.matrix().data();
  for (int j : active_cols_) {
    const double* m = matrix_column(j);
    for (int i : active_rows_) *G++ = m[i];
  }
  return lu_.factorise(static_cast<int>(k));
}

void PivotBasis::place_columns() {
  int col = 0;
  auto place_column = [&](int variable) {
    nonbasic_[at(col)] = variable;
    place_[at(variable)] = col++;
  };
  for (int i = 0; i < n_; ++i) {
    if (!is_kept(i)) continue;
    if (z_basic_[at(i)] == 0) place_column(n_ + i);
    if (w_basic_[at(i)] == 0) place_column(i);
  }
  if (!t_basic_) place_column(t());
  tableau_.shape(dropped_, rows_, col);
}

// Right-hand sides of the active rows, and the rows below of (M, d).
void PivotBasis::fill_columns() {
  const std::size_t k = active_rows_.size(), others = other_rows_.size();
  for (int c = 0; c < tableau_.cols(); ++c) {
    double* top = tableau_.block() + static_cast<std::ptrdiff_t>(c) * tableau_.stride();
    double* rest = top + k;
    const int variable = nonbasic_[at(c)];
    if (variable < n_) {
      for (std::size_t r = 0; r < k; ++r) top[r] = active_rows_[r] == variable ? 1.0 : 0.0;
      std::fill_n(rest, others, 0.0);
      continue;
    }
    const double* m = matrix_column(variable - n_);
    for (std::size_t r = 0; r < k; ++r) top[r] = -m[active_rows_[r]];
    if (others == at(n_))
      std::copy_n(m, n_, rest);
    else
      for (std::size_t r = 0; r < others; ++r) rest[r] = m[other_rows_[r]];
  }
}

// Top = G^-1 (right-hand sides); below (M, d)_C times that is added. The factors give their place to the gathered rows.
void PivotBasis::finish_columns() {
  const int k = static_cast<int>(active_rows_.size()), others = static_cast<int>(other_rows_.size());
  const int cols = tableau_.cols(), stride = tableau_.stride();
  if (k == 0) return;
  double* top = tableau_.block();
  lu_.solve(top, cols, stride);
  if (others == 0) return;
  double* A = lu_.matrix().data();
  double* next = A;
  for (int j : active_cols_) {
    const double* m = matrix_column(j);
    for (int i : other_rows_) *next++ = m[i];
  }
  constexpr double one = 1;
  dgemm_("N", "N", &others, &cols, &k, &one, A, &others, top, &stride, &one, top + k, &stride);
}

void PivotBasis::complete_rebuild() {
  place_columns();
  fill_columns();
  finish_columns();
}

void PivotBasis::set_cover(std::span<const double> basic_cover, std::span<const double> basic_perturbation) {
  tableau_.set_column(place_of(t()), basic_cover.data());
  ComplementaryBasis::set_cover(basic_cover, basic_perturbation);
}

void PivotBasis::exchange(int row, int entering, const double* column) {
  const int leaving = variable_at(row), col = place_of(entering);
  tableau_.exchange(row, col, column);
  nonbasic_[at(col)] = leaving;
  record_exchange(row, entering);
  place_[at(leaving)] = col;
}

}  // namespace nonsmooth
