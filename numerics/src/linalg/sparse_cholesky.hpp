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
  // A, or another matrix of its pattern. false if it is not positive definite to working precision.
  bool factorise();
  bool factorise(Vector values);
  const CscMatrix& matrix() const { return A_; }
  // A x = b in place; workspace as long as x. Not thread-safe.
  void solve(std::span<double> x, std::span<double> workspace);
  // Several right-hand sides at once, row by row in X and in the workspace. Allocates once.
  static constexpr int solved_together = SparsePrincipalFactor::solved_together;
  void solve_together(std::span<double> X, std::span<double> workspace);

 private:
  template <int M, class Solve>
  void refine(std::span<double> x, std::span<double> workspace, Solve&& solve) const;

  CscMatrix A_;
  SparsePrincipalFactor factor_;
};

}  // namespace nonsmooth
