// Cholesky factors of a sparse positive definite matrix that it owns, symmetric to rounding, solved with one step of refinement.
#pragma once

#include <span>

#include "linalg/sparse_principal_factor.hpp"

namespace nonsmooth {

class SparseCholesky {
 public:
  // Throws Error(NSM_TOO_LARGE) if the factors would not fit.
  explicit SparseCholesky(CscMatrix A);
  SparseCholesky(const SparseCholesky&) = delete;
  SparseCholesky& operator=(const SparseCholesky&) = delete;
  // false if A is not positive definite to working precision.
  bool factorise();
  // A x = b in place; workspace as long as x. Not thread-safe.
  void solve(std::span<double> x, std::span<double> workspace);

 private:
  CscMatrix A_;
  SparsePrincipalFactor factor_;
};

}  // namespace nonsmooth
