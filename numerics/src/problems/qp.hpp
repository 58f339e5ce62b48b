// Convex quadratic programme: minimise 1/2 z'M z + q'z over z in {H z >= k, lo <= z <= hi}, M symmetric positive semidefinite.
// Its optimality conditions are the affine variational inequality with the same data: w = M z + q is the gradient.
#pragma once

#include "problems/avi.hpp"

namespace nonsmooth {

struct Qp : Avi {
  static constexpr nsm_class kind = NSM_QP;
  // Beside the checks of the inequality: M symmetric, and no eigenvalue found negative (exact up to order 300, Lanczos estimates
  // above).
  void validate() const;
  static void require_convex(const Matrix& M);
};

}  // namespace nonsmooth
