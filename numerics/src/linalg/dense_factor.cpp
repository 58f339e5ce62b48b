#include "linalg/dense_factor.hpp"

#include <algorithm>
#include <cmath>

#include "core/index.hpp"
#include "linalg/lapack.hpp"
#include "linalg/pivot.hpp"

namespace nonsmooth {

void DenseFactor::resize(int largest_order) {
  const auto n = at(largest_order);
  values_.resize(n * n);
  column_size_.resize(n);
  exchanges_.resize(n);
}

bool DenseFactor::factorise(int order, Kind kind) {
  order_ = order;
  kind_ = kind;
  smallest_pivot_ = 1;
  if (order == 0) return true;
  measure_columns();
  int info = 0;
  if (kind == Kind::cholesky)
    dpotrf_("L", &order, values_.data(), &order, &info);
  else
    dgetrf_(&order, &order, values_.data(), &order, exchanges_.data(), &info);
  return info == 0 && has_clear_pivots();
}

// The largest entry of each; of a semidefinite matrix the diagonal bounds all.
void DenseFactor::measure_columns() {
  const auto n = at(order_);
  for (std::size_t j = 0; j < n; ++j) {
    const double* column = values_.data() + j * n;
    double largest = kind_ == Kind::cholesky ? column[j] : 0;
    if (kind_ == Kind::lu)
      for (std::size_t i = 0; i < n; ++i) largest = std::max(largest, std::abs(column[i]));
    column_size_[j] = largest;
  }
}

// Pivots are what elimination has left of each column at its place on the diagonal. None is clear of an infinite column.
bool DenseFactor::has_clear_pivots() {
  const auto n = at(order_);
  for (std::size_t j = 0; j < n; ++j) {
    const double diagonal = std::abs(values_[j * (n + 1)]);
    const double pivot = kind_ == Kind::cholesky ? diagonal * diagonal : diagonal;  // Cholesky's are the square roots
    if (!is_clear_pivot(pivot, column_size_[j])) return false;
    smallest_pivot_ = std::min(smallest_pivot_, pivot / column_size_[j]);
  }
  return true;
}

void DenseFactor::solve_transposed(double* x) const { solve("T", x, 1, order_); }

void DenseFactor::solve(double* B, int columns, int stride) const { solve("N", B, columns, stride); }

void DenseFactor::solve(const char* transposition, double* B, int columns, int stride) const {
  if (order_ == 0 || columns == 0) return;
  int info = 0;
  if (kind_ == Kind::cholesky)
    dpotrs_("L", &order_, &columns, values_.data(), &order_, B, &stride, &info);
  else
    dgetrs_(transposition, &order_, &columns, values_.data(), &order_, exchanges_.data(), B, &stride, &info);
}

}  // namespace nonsmooth
