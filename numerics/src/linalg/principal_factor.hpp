// Factorisation of principal submatrices A_FF of one matrix, the rows F changing from call to call: what active-set methods need.
#pragma once

#include <span>

namespace nonsmooth {

class PrincipalFactor {
 public:
  virtual ~PrincipalFactor() = default;
  // Factorises A_FF, F the rows with keep[i] != 0. Reads the values of A anew. false if it is singular to working precision (or,
  // for a symmetric factorisation, not positive definite). Allocates nothing.
  virtual bool factorise(std::span<const char> keep) = 0;
  // x_F = inverse(A_FF) x_F in place; other entries are neither read nor written.
  virtual void solve(std::span<double> x) = 0;
};

}  // namespace nonsmooth
