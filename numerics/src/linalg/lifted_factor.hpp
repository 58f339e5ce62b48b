// Factors of principal blocks of a sparse matrix with something added to the diagonal: Cholesky of a symmetric matrix, else LU.
// The LU exchanges no rows beyond a supernode, so that pivots near 0 (of free rows and multipliers, whose diagonal is 0) are
// lifted for the factors, and refinement makes up for it, as for the quasidefinite systems of interior point methods (Gill,
// Saunders and Shinnerl 1996). Meant for matrices whose symmetric part is positive semidefinite.
#pragma once

#include "linalg/sparse_principal_factor.hpp"

namespace nonsmooth {

class LiftedFactor {
 public:
  // Every column of A has an entry on the diagonal. Throws Error(NSM_TOO_LARGE) if the factors would not fit.
  LiftedFactor(CscMatrix A, bool symmetric);
  // Borrowed, or null.
  void set_patience(Patience* patience) { factor_.set_patience(patience); }
  LiftedFactor(const LiftedFactor&) = delete;
  LiftedFactor& operator=(const LiftedFactor&) = delete;
  bool has_pattern_of(const CscMatrix& A) const { return A_.has_pattern_of(A); }
  bool is_symmetric() const { return symmetric_; }
  // Of a matrix of the same pattern.
  void assign(std::span<const double> values);
  // A over the indices + diag(added). false if it is singular to working precision, or not positive definite where A is
  // symmetric. Allocates nothing.
  bool factorise(std::span<const int> indices, std::span<const double> added);
  // In place; x has as many entries as there were indices.
  void solve(double* x);

 private:
  void leave_residual();
  double largest(const Vector& v) const;

  bool symmetric_;
  CscMatrix A_;           // what is factorised
  IndexVector diagonal_;  // places of the entries on it
  SparsePrincipalFactor factor_;
  double least_ = 0;  // entry on the diagonal that needs no lift
  std::vector<char> keep_;
  std::vector<int> indices_;
  Vector given_, lift_, x_, b_, r_;  // given_: the diagonal of A; lift_: what that of A_ has too much
};

}  // namespace nonsmooth
