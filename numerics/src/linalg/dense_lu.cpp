#include "linalg/dense_lu.hpp"

#include <algorithm>
#include <cfloat>
#include <cmath>

#include "linalg/lapack.hpp"

namespace nonsmooth {

void DenseLu::resize(int largest_order) {
  const auto n = static_cast<std::size_t>(largest_order);
  lu_.resize(n * n);
  pivot_.resize(n);
  column_size_.resize(n);
}

bool DenseLu::factorise(int order) {
  order_ = order;
  if (order == 0) return true;
  const auto n = static_cast<std::size_t>(order);
  for (std::size_t j = 0; j < n; ++j) {
    column_size_[j] = 0;
    for (std::size_t i = 0; i < n; ++i) column_size_[j] = std::max(column_size_[j], std::abs(lu_[i + j * n]));
  }
  int info = 0;
  dgetrf_(&order, &order, lu_.data(), &order, pivot_.data(), &info);
  if (info != 0) return false;
  // Against its own column, not against the largest pivot: masses and inertias differ by their units.
  for (std::size_t j = 0; j < n; ++j) {
    const double pivot = std::abs(lu_[j * (n + 1)]);
    if (!(pivot > 4 * DBL_EPSILON * column_size_[j] && std::isfinite(pivot))) return false;
  }
  return true;
}

void DenseLu::solve(double* x) const { solve_with('N', x); }
void DenseLu::solve_transposed(double* x) const { solve_with('T', x); }

void DenseLu::solve_with(char transposed, double* x) const {
  if (order_ == 0) return;
  const int one = 1;
  int info = 0;
  dgetrs_(&transposed, &order_, &one, lu_.data(), &order_, pivot_.data(), x, &order_, &info);
}

}  // namespace nonsmooth
