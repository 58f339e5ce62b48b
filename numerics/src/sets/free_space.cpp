#include "sets/free_space.hpp"

#include <algorithm>
#include <cmath>

namespace nonsmooth {

bool FreeSpace::BlockSolver::prepare(const FreeSpace& set, const double* W, double proximal) {
  n_ = set.n;
  const auto n = static_cast<std::size_t>(n_);
  lu_.resize(n * n);
  rhs_.resize(n);
  pivot_.resize(n);
  double trace = 0;
  for (std::size_t i = 0; i < n; ++i) trace += std::abs(W[i * (n + 1)]);
  rho_ = proximal * trace / static_cast<double>(n_);
  if (factorise(W)) return true;
  rho_ = trace > 0 ? 1e-6 * trace / static_cast<double>(n_) : 1.0;
  return factorise(W);
}

bool FreeSpace::BlockSolver::factorise(const double* W) {
  const auto n = static_cast<std::size_t>(n_);
  double largest = 0;
  for (std::size_t k = 0; k < n * n; ++k) {
    lu_[k] = W[k] + (k % (n + 1) == 0 ? rho_ : 0.0);
    largest = std::max(largest, std::abs(lu_[k]));
  }
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t p = k;
    for (std::size_t i = k + 1; i < n; ++i)
      if (std::abs(lu_[i + k * n]) > std::abs(lu_[p + k * n])) p = i;
    if (std::abs(lu_[p + k * n]) <= 1e-14 * largest) return false;
    pivot_[k] = static_cast<std::int32_t>(p);
    if (p != k)
      for (std::size_t j = 0; j < n; ++j) std::swap(lu_[k + j * n], lu_[p + j * n]);
    for (std::size_t i = k + 1; i < n; ++i) lu_[i + k * n] /= lu_[k + k * n];
    for (std::size_t j = k + 1; j < n; ++j)
      for (std::size_t i = k + 1; i < n; ++i) lu_[i + j * n] -= lu_[i + k * n] * lu_[k + j * n];
  }
  return true;
}

void FreeSpace::BlockSolver::solve(const double* q, double* z) {
  const auto n = static_cast<std::size_t>(n_);
  for (std::size_t i = 0; i < n; ++i) rhs_[i] = rho_ * z[i] - q[i];
  // All exchanges first: the rows of L were exchanged as whole rows.
  for (std::size_t k = 0; k < n; ++k) std::swap(rhs_[k], rhs_[static_cast<std::size_t>(pivot_[k])]);
  for (std::size_t k = 0; k < n; ++k)
    for (std::size_t i = k + 1; i < n; ++i) rhs_[i] -= lu_[i + k * n] * rhs_[k];
  for (std::size_t k = n; k-- > 0;) {
    rhs_[k] /= lu_[k + k * n];
    for (std::size_t i = 0; i < k; ++i) rhs_[i] -= lu_[i + k * n] * rhs_[k];
  }
  std::copy(rhs_.begin(), rhs_.end(), z);
}

}  // namespace nonsmooth
