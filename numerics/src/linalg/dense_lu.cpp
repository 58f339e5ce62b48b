#include "linalg/dense_lu.hpp"

#include <algorithm>
#include <cfloat>
#include <cmath>

#include "linalg/lapack.hpp"

namespace nonsmooth {

void DenseLu::resize(int largest_order) {
  const auto n = static_cast<std::size_t>(largest_order);
  lu_.resize(n * n);
  column_size_.resize(n);
  pivot_.resize(n);
}

bool DenseLu::factorise(int order) {
  order_ = order;
  smallest_pivot_ = 1;
  if (order == 0) return true;
  const auto n = static_cast<std::size_t>(order);
  for (std::size_t j = 0; j < n; ++j) {
    double largest = 0;
    for (std::size_t i = 0; i < n; ++i) largest = std::max(largest, std::abs(lu_[i + j * n]));
    if (!std::isfinite(largest)) return false;
    column_size_[j] = largest;
  }
  int info = 0;
  dgetrf_(&order, &order, lu_.data(), &order, pivot_.data(), &info);
  if (info != 0) return false;
  for (std::size_t j = 0; j < n; ++j) {
    const double pivot = std::abs(lu_[j * (n + 1)]);
    if (!(pivot > 4 * DBL_EPSILON * column_size_[j])) return false;
    smallest_pivot_ = std::min(smallest_pivot_, pivot / column_size_[j]);
  }
  return true;
}

void DenseLu::solve(double* x) const { solve(x, 1, order_); }

void DenseLu::solve_transposed(double* x) const {
  if (order_ == 0) return;
  const int one = 1;
  int info = 0;
  dgetrs_("T", &order_, &one, lu_.data(), &order_, pivot_.data(), x, &order_, &info);
}

void DenseLu::solve(double* B, int columns, int stride) const {
  if (order_ == 0 || columns == 0) return;
  int info = 0;
  dgetrs_("N", &order_, &columns, lu_.data(), &order_, pivot_.data(), B, &stride, &info);
}

}  // namespace nonsmooth
