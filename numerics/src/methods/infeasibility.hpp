// Search for a proof that M z + q >= 0, z >= 0 has no solution: y >= 0, M'y + s = 0, s >= 0, q'y = -1 (Farkas), as non-negative
// least squares. Exact alternatives: either the least-squares residual is 0 and y is the proof, or there is none.
#pragma once

#include <span>

#include "linalg/nnls.hpp"
#include "methods/equilibration.hpp"

namespace nonsmooth {

class InfeasibilitySearch {
 public:
  // Allocates; above largest_order the search is skipped (it costs O(n^3) with n columns of n).
  void resize(int n);
  // y of the unscaled problem, verified by the certificate module; empty if none was found.
  std::span<const double> find(const Equilibration& lcp, const Inclusion& view);
  // Checks a candidate in scaled row multipliers (a ray of a pivoting method): clips it at 0 and verifies. Empty if it proves
  // nothing.
  std::span<const double> verify(std::span<const double> scaled, const Equilibration& lcp, const Inclusion& view);

 private:
  static constexpr int largest_order = 400;
  NonnegativeLeastSquares nnls_;
  std::vector<double> x_, rhs_, y_, workspace_;
  std::vector<char> free_;
  int capacity_ = 0;
};

}  // namespace nonsmooth
