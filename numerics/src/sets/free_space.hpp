// R^n: the projection is the identity, the one-block problem is the linear system W z + q = 0.
#pragma once

#include <cstdint>
#include <vector>

namespace nonsmooth {

struct FreeSpace {
  std::int32_t n = 1;

  void project(const double* x, double* p) const {
    for (std::int32_t i = 0; i < n; ++i) p[i] = x[i];
  }
  void jacobian(const double*, double* J) const {
    for (std::int32_t k = 0; k < n * n; ++k) J[k] = k % (n + 1) == 0 ? 1.0 : 0.0;
  }

  // LU factors of W_ii with partial pivoting, kept between sweeps. A singular W_ii is solved as a proximal step (W_ii + rho I).
  class BlockSolver {
   public:
    bool prepare(const FreeSpace& set, const double* W, double proximal);
    void solve(const double* q, double* z);

   private:
    bool factorise(const double* W);
    std::int32_t n_ = 0;
    double rho_ = 0;
    std::vector<double> lu_, rhs_;
    std::vector<int> pivot_;
  };
};

}  // namespace nonsmooth
