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
}

bool DenseLu::factorise(int order) {
  order_ = order;
  if (order == 0) return true;
  int info = 0;
  dgetrf_(&order, &order, lu_.data(), &order, pivot_.data(), &info);
  if (info != 0) return false;
  double smallest = HUGE_VAL, largest = 0;
  for (int i = 0; i < order; ++i) {
    const double pivot = std::abs(lu_[static_cast<std::size_t>(i) * static_cast<std::size_t>(order + 1)]);
    smallest = std::min(smallest, pivot);
    largest = std::max(largest, pivot);
  }
  return smallest > 4 * DBL_EPSILON * largest && std::isfinite(largest);
}

void DenseLu::solve(double* x) const { solve(x, 1, order_); }

void DenseLu::solve(double* B, int columns, int stride) const {
  if (order_ == 0 || columns == 0) return;
  int info = 0;
  dgetrs_("N", &order_, &columns, lu_.data(), &order_, pivot_.data(), B, &stride, &info);
}

}  // namespace nonsmooth
