#include "methods/newton/block_factor.hpp"

namespace nonsmooth {

void BlockFactor::setup(const LinearSystem& system) {
  sparse_.reset();
  if (system.sparse() != nullptr) {
    sparse_ = std::make_unique<LiftedFactor>(*system.sparse(), system.is_symmetric());
  } else {
    dense_.resize(system.n());
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

void BlockFactor::solve(double* x) { sparse_ != nullptr ? sparse_->solve(x) : dense_.solve(x); }

bool BlockFactor::factorise_dense(const LinearSystem& system, std::span<const int> indices, std::span<const double> added) {
  const std::span<double> A = dense_.matrix();
  const bool symmetric = system.is_symmetric();
  system.gather(indices, symmetric, A.data());
  for (std::size_t c = 0; c < indices.size(); ++c) A[c * (indices.size() + 1)] += added[c];
  return dense_.factorise(static_cast<int>(indices.size()), symmetric ? DenseFactor::Kind::cholesky : DenseFactor::Kind::lu);
}

}  // namespace nonsmooth
