#include "methods/block_factor.hpp"

#include <cmath>

#include "core/checked.hpp"
#include "core/index.hpp"
#include "linalg/lapack.hpp"

namespace nonsmooth {

void BlockFactor::setup(const LinearSystem& system) {
  sparse_.reset();
  if (system.sparse() != nullptr) {
    sparse_ = std::make_unique<LiftedFactor>(*system.sparse(), system.is_symmetric());
  } else {
    values_.resize(at(checked_mul(system.n(), system.n(), "factor")));
    pivot_.resize(at(system.n()));
  }
}

void BlockFactor::update(const LinearSystem& system) {
  const CscMatrix* A = system.sparse();
  if (A == nullptr && sparse_ == nullptr) return;
  if (A != nullptr && sparse_ != nullptr && sparse_->is_symmetric() == system.is_symmetric() && sparse_->has_pattern_of(*A))
    sparse_->assign(A->values);
  else
    setup(system);
}

bool BlockFactor::factorise(const LinearSystem& system, std::span<const int> indices, std::span<const double> added) {
  return sparse_ != nullptr ? sparse_->factorise(indices, added) : factorise_dense(system, indices, added);
}

void BlockFactor::solve(double* x) { sparse_ != nullptr ? sparse_->solve(x) : solve_dense(x); }

bool BlockFactor::factorise_dense(const LinearSystem& system, std::span<const int> indices, std::span<const double> added) {
  order_ = static_cast<int>(indices.size());
  cholesky_ = system.is_symmetric();
  if (order_ == 0) return true;
  system.gather(indices, cholesky_, values_.data());
  for (std::size_t c = 0; c < indices.size(); ++c) values_[c * (indices.size() + 1)] += added[c];
  int info = 0;
  if (cholesky_)
    dpotrf_("L", &order_, values_.data(), &order_, &info);
  else
    dgetrf_(&order_, &order_, values_.data(), &order_, pivot_.data(), &info);
  return info == 0 && std::isfinite(values_[0]);
}

void BlockFactor::solve_dense(double* x) const {
  constexpr int one = 1;
  int info = 0;
  if (order_ == 0) return;
  if (cholesky_)
    dpotrs_("L", &order_, &one, values_.data(), &order_, x, &order_, &info);
  else
    dgetrs_("N", &order_, &one, values_.data(), &order_, pivot_.data(), x, &order_, &info);
}

}  // namespace nonsmooth
