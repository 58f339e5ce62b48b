// Sparse LU of a square matrix: UMFPACK where the build has it (GPL), else KLU (LGPL).
#pragma once

#include <memory>

#include "linalg/matrix.hpp"

namespace nonsmooth {

class SparseLu {
 public:
  SparseLu();
  ~SparseLu();
  SparseLu(SparseLu&&) noexcept;
  SparseLu& operator=(SparseLu&&) noexcept;

  // false if A is singular to working precision. Throws std::bad_alloc. A is kept for iterative refinement, and its order for
  // the next matrix if that has the same pattern. Pivots are chosen for few entries, and where they let the factors grow so much
  // that these do not solve, by size.
  bool factorise(CscMatrix A);
  // A x = b; in place; `workspace` has as many entries as x.
  void solve(std::span<double> x, std::span<double> workspace) const;
  void solve_transposed(std::span<double> x, std::span<double> workspace) const;  // A' x = b
  // Without refinement, in a fifth of the time.
  void solve_once(std::span<double> x, std::span<double> workspace) const;

 private:
  struct Factors;
  void take(CscMatrix A);
  const CscMatrix& matrix() const;
  bool factorise_by(double threshold);  // of pivots, relative to the largest; 0: the usual one
  bool solves() const;
  std::unique_ptr<Factors> factors_;
};

}  // namespace nonsmooth
