#include "sets/free_space.hpp"

#include <algorithm>
#include <cmath>

namespace nonsmooth {

bool FreeSpace::BlockSolver::prepare(const FreeSpace& set, const double* W, double proximal) {
  n_ = set.n;
  const auto order = static_cast<std::size_t>(n_);
  lu_.resize(order * order);
  rhs_.resize(order);
  pivot_.resize(order);
  double trace = 0;
  for (std::size_t i = 0; i < order; ++i) trace += std::abs(W[i * (order + 1)]);
  rho_ = proximal * trace / static_cast<double>(n_);
  if (factorise(W)) return true;
  rho_ = trace > 0 ? 1e-6 * trace / static_cast<double>(n_) : 1.0;
  return factorise(W);
}

bool FreeSpace::BlockSolver::factorise(const double* W) {
  const auto order = static_cast<std::size_t>(n_);
  double largest = 0;
  for (std::size_t k = 0; k < order * order; ++k) {
    lu_[k] = W[k] + (k % (order + 1) == 0 ? rho_ : 0.0);
    largest = std::max(largest, std::abs(lu_[k]));
  }
  for (std::size_t k = 0; k < order; ++k) {
    std::size_t p = k;
    for (std::size_t i = k + 1; i < order; ++i)
      if (std::abs(lu_[i + k * order]) > std::abs(lu_[p + k * order])) p = i;
    if (std::abs(lu_[p + k * order]) <= 1e-14 * largest) return false;
    pivot_[k] = static_cast<std::int32_t>(p);
    if (p != k)
      for (std::size_t j = 0; j < order; ++j) std::swap(lu_[k + j * order], lu_[p + j * order]);
    for (std::size_t i = k + 1; i < order; ++i) lu_[i + k * order] /= lu_[k + k * order];
    for (std::size_t j = k + 1; j < order; ++j)
      for (std::size_t i = k + 1; i < order; ++i) lu_[i + j * order] -= lu_[i + k * order] * lu_[k + j * order];
  }
  return true;
}

void FreeSpace::BlockSolver::solve(const double* q, double* z) {
  const auto order = static_cast<std::size_t>(n_);
  for (std::size_t i = 0; i < order; ++i) rhs_[i] = rho_ * z[i] - q[i];
  // All exchanges first: the rows of L were exchanged as whole rows.
  for (std::size_t k = 0; k < order; ++k) std::swap(rhs_[k], rhs_[static_cast<std::size_t>(pivot_[k])]);
  for (std::size_t k = 0; k < order; ++k)
    for (std::size_t i = k + 1; i < order; ++i) rhs_[i] -= lu_[i + k * order] * rhs_[k];
  for (std::size_t k = order; k-- > 0;) {
    rhs_[k] /= lu_[k + k * order];
    for (std::size_t i = 0; i < k; ++i) rhs_[i] -= lu_[i + k * order] * rhs_[k];
  }
  std::copy(rhs_.begin(), rhs_.end(), z);
}

}  // namespace nonsmooth
