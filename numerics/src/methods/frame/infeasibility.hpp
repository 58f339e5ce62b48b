// Search for a proof that the linear conditions of a problem (certificate/certificate.hpp) contradict each other: y, p, s >= 0
// with A'y + p - s = 0 and b'y + lo'p - hi's = 1 (Farkas), as non-negative least squares. Exact alternatives: either the
// least-squares residual is 0 and y is the proof, or there is none.
#pragma once

#include <span>

#include "linalg/nnls.hpp"
#include "methods/frame/control.hpp"
#include "methods/frame/equilibration.hpp"

namespace nonsmooth {

class InfeasibilitySearch {
 public:
  // Allocates for the order n with multipliers; above largest_order the search is skipped (it costs O(n^3) with n columns of n),
  // and where only candidates are to be verified.
  void resize(int n, bool searches = true);
  // y of the unscaled problem, verified by the certificate module; empty if none was found within the limits of the solve.
  std::span<const double> find(const Equilibration& lcp, const Inclusion& view, Control& control);
  // Checks a candidate in scaled row multipliers (a ray of a pivoting method): clips it at 0 and verifies. Empty if it proves
  // nothing.
  std::span<const double> verify(std::span<const double> scaled, const Equilibration& lcp, const Inclusion& view,
                                 const Control& control);

 private:
  void scale_last_row(int columns, int rows);

  static constexpr int largest_order = 400;
  NonnegativeLeastSquares nnls_;
  std::vector<double> x_, rhs_, y_, unscaled_, workspace_;
  std::vector<char> free_;
  int capacity_ = 0;
};

// What a point that meets the tolerance may violate its conditions by.
inline double certified_violation(const Inclusion& view, const Control& control) { return control.tolerance() * view.scale; }

// y = candidate without the entries that no proof has, refined or without the dust of rounding if need be, if the certificate
// module verifies it, else nothing.
// workspace: refinement_workspace(view).
std::span<const double> verified_proof(const Inclusion& view, const Control& control, std::span<const double> candidate,
                                       std::span<double> y, std::span<double> workspace);

}  // namespace nonsmooth
