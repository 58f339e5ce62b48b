// Interval [lo, hi] of one row; either end may be infinite. The orthant is [0, infinity).
#pragma once

#include <algorithm>

namespace nonsmooth {

struct Box {
  double lo, hi;

  void project(const double* x, double* p) const { p[0] = std::min(std::max(x[0], lo), hi); }
  void jacobian(const double* x, double* J) const { J[0] = lo < x[0] && x[0] < hi ? 1.0 : 0.0; }

  // z = projection of the zero of W z + q; a row without positive diagonal is solved as a proximal step.
  class BlockSolver {
   public:
    bool prepare(const Box& set, const double* W, double proximal) {
      lo_ = set.lo;
      hi_ = set.hi;
      rho_ = W[0] > 0 ? proximal * W[0] : std::max(1.0, -2 * W[0]);
      inverse_ = 1 / (W[0] + rho_);
      return true;
    }
    void solve(const double* q, double* z) {
      const double x = (rho_ * z[0] - q[0]) * inverse_;
      z[0] = std::min(std::max(x, lo_), hi_);
    }

   private:
    double lo_ = 0, hi_ = 0, inverse_ = 0, rho_ = 0;
  };
};

}  // namespace nonsmooth
