// Cholesky factors of a sparse positive definite matrix that it owns, symmetric to rounding, solved with one step of refinement
// from a defect in extended precision; and, on the way, C' inverse(A) C for some columns C.
#pragma once

#include <span>

#include "linalg/sparse_principal_factor.hpp"

namespace nonsmooth {

class SparseCholesky {
 public:
  // Of A; [A C] if columns C, whose rows are those of A, stand behind it: as many empty rows stand below it then. Throws
  // Error(NSM_TOO_LARGE) if the factors would not fit.
  explicit SparseCholesky(CscMatrix A, std::int32_t columns = 0);
  SparseCholesky(const SparseCholesky&) = delete;
  SparseCholesky& operator=(const SparseCholesky&) = delete;
  // A, or another matrix of its pattern. false if it is not positive definite to working precision.
  bool factorise();
  bool factorise(Vector values);
  const CscMatrix& matrix() const { return A_; }
  // Multiplications of an LU on the pattern of A, about.
  double work() const { return factor_.work(); }
  // A x = b in place; workspace as long as x. Not thread-safe.
  void solve(std::span<double> x, std::span<double> workspace);
  // The same without refinement.
  void solve_once(std::span<double> x) { factor_.solve(x); }
  // Multiplications of a solve without refinement, about.
  double solve_work() const;
  std::size_t columns() const { return columns_; }
  // Entry i, j of C' inverse(A) C.
  double response(std::size_t i, std::size_t j) const;

 private:
  CscMatrix A_;
  std::size_t columns_;
  SparsePrincipalFactor factor_;
  std::vector<long double> defect_;
};

}  // namespace nonsmooth
