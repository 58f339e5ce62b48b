// Factors of principal blocks of a system with something added to the diagonal: Cholesky where the system is symmetric, else LU.
#pragma once

#include <memory>

#include "linalg/dense_factor.hpp"
#include "linalg/lifted_factor.hpp"
#include "methods/newton/linear_system.hpp"

namespace nonsmooth {

class BlockFactor {
 public:
  // Allocates, and analyses a sparse system. Throws Error(NSM_TOO_LARGE) if its factors would not fit.
  void setup(const LinearSystem& system);
  // After a change of its matrix; the analysis is kept where the pattern is.
  void update(const LinearSystem& system);
  // M over the indices + diag(added). false if it is singular to working precision, or not positive definite where M is
  // symmetric.
  bool factorise(const LinearSystem& system, std::span<const int> indices, std::span<const double> added);
  // In place; x has as many entries as there were indices.
  void solve(double* x);

 private:
  bool factorise_dense(const LinearSystem& system, std::span<const int> indices, std::span<const double> added);

  DenseFactor dense_;
  std::unique_ptr<LiftedFactor> sparse_;  // nullptr: dense
};

}  // namespace nonsmooth
