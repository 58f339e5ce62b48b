#include "sets/free_space.hpp"

#include <algorithm>
#include <cmath>

#include "core/index.hpp"
#include "linalg/small_lu.hpp"

namespace nonsmooth {
namespace {

constexpr double singular_weight = 1e-6;  // of the proximal term of a singular block, relative to its mean diagonal

}  // namespace

bool FreeSpace::BlockSolver::prepare(const FreeSpace& set, const double* W, double proximal) {
  n_ = set.n;
  const auto order = at(n_);
  lu_.resize(order * order);
  rhs_.resize(order);
  pivot_.resize(order);
  double trace = 0;
  for (std::size_t i = 0; i < order; ++i) trace += std::abs(W[i * (order + 1)]);
  rho_ = proximal * trace / static_cast<double>(n_);
  if (factorise(W)) return true;
  rho_ = trace > 0 ? singular_weight * trace / static_cast<double>(n_) : 1.0;
  return factorise(W);
}

bool FreeSpace::BlockSolver::factorise(const double* W) {
  for (std::size_t k = 0; k < lu_.size(); ++k) lu_[k] = W[k] + (k % (rhs_.size() + 1) == 0 ? rho_ : 0.0);
  return factorise_small(lu_.data(), pivot_.data(), n_);
}

void FreeSpace::BlockSolver::solve(const double* q, double* z) {
  for (std::size_t i = 0; i < rhs_.size(); ++i) rhs_[i] = rho_ * z[i] - q[i];
  solve_small(lu_.data(), pivot_.data(), n_, rhs_.data());
  std::copy(rhs_.begin(), rhs_.end(), z);
}

}  // namespace nonsmooth
