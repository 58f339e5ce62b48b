// z >= 0, one row.
#pragma once

#include <algorithm>

namespace nonsmooth {

struct Orthant {
  void project(const double* x, double* p) const { p[0] = std::max(x[0], 0.0); }
  void jacobian(const double* x, double* J) const { J[0] = x[0] > 0 ? 1.0 : 0.0; }

  class BlockSolver {
   public:
    bool prepare(const Orthant&, const double* W, double proximal) {
      rho_ = W[0] > 0 ? proximal * W[0] : std::max(1.0, -2 * W[0]);
      inverse_ = 1 / (W[0] + rho_);
      return true;
    }
    void solve(const double* q, double* z) { z[0] = std::max(0.0, (rho_ * z[0] - q[0]) * inverse_); }

   private:
    double inverse_ = 0, rho_ = 0;
  };
};

}  // namespace nonsmooth
