// Principal submatrices of a tridiagonal matrix by elimination without exchanges (Thomas): O(n), stable for diagonally dominant
// and for totally positive matrices; callers refine.
#pragma once

#include "linalg/matrix.hpp"
#include "linalg/principal_factor.hpp"

namespace nonsmooth {

bool is_tridiagonal(const CscMatrix& A);

// Row i holds below[i] x_i-1 + diagonal[i] x_i + above[i] x_i+1.
struct Tridiagonal {
  Vector below, diagonal, above;

  // Allocates the first time only. A has to be tridiagonal.
  void load(const CscMatrix& A);
  std::size_t size() const { return diagonal.size(); }
};

class TridiagonalFactor final : public PrincipalFactor {
 public:
  explicit TridiagonalFactor(const Tridiagonal& T);  // borrowed
  bool factorise(std::span<const char> keep) override;
  void solve(std::span<double> x) override;

 private:
  const Tridiagonal& T_;
  std::span<const char> keep_;   // of the last factorise; the caller keeps it until solve
  Vector multiplier_, inverse_;  // of the row above; of the pivot
};

}  // namespace nonsmooth
