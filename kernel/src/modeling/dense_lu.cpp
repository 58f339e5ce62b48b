#include "modeling/dense_lu.hpp"

#include <cmath>
#include <limits>
#include <utility>

namespace nonsmooth::kernel {

void DenseLu::compute(const ConstMatrixView& matrix) {
  lu_.compute(matrix);
  const auto pivots = lu_.matrixLU().diagonal().cwiseAbs();
  least_ = pivots.minCoeff();
  greatest_ = pivots.maxCoeff();
  // Where the entry that belongs to place i stands after the swaps before.
  const auto& place_of = lu_.permutationP().indices();
  swaps_.resize(static_cast<std::size_t>(matrix.rows()));
  for (Index k = 0; k < matrix.rows(); ++k) swaps_[static_cast<std::size_t>(place_of[k])] = k;
  for (std::size_t i = 0; i < swaps_.size(); ++i)
    while (swaps_[i] < static_cast<Index>(i)) swaps_[i] = swaps_[static_cast<std::size_t>(swaps_[i])];
}

bool DenseLu::isSingular() const {
  const Index size = lu_.rows();
  const double* lu = lu_.matrixLU().data();
  constexpr double rounding = 4 * std::numeric_limits<double>::epsilon();
  for (Index k = 0; k < size; ++k) {
    double terms = 0;
    for (Index j = 0; j < k; ++j) terms += std::abs(lu[k + j * size] * lu[j + k * size]);
    if (!(std::abs(lu[k + k * size]) > rounding * terms)) return true;
  }
  return false;
}

// Plain loops: systems are small, and Eigen would allocate.
void DenseLu::solveColumn(double* x) const {
  const Index size = lu_.rows();
  const double* lu = lu_.matrixLU().data();
  for (Index i = 0; i < size; ++i) std::swap(x[i], x[swaps_[static_cast<std::size_t>(i)]]);
  for (Index j = 0; j < size; ++j)
    for (Index i = j + 1; i < size; ++i) x[i] -= lu[i + j * size] * x[j];
  for (Index j = size - 1; j >= 0; --j) {
    x[j] /= lu[j + j * size];
    for (Index i = 0; i < j; ++i) x[i] -= lu[i + j * size] * x[j];
  }
}

void DenseLu::solve(double* columns, Index count) const {
  for (Index j = 0; j < count; ++j) solveColumn(columns + j * size());
}

}  // namespace nonsmooth::kernel
