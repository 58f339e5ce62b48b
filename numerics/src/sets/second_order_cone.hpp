// Second-order cone {|x_T| <= tau x_N} of any dimension, x_N first. No De Saxce change: the law is associated.
#pragma once

#include <cstdint>
#include <vector>

namespace nonsmooth {

struct SecondOrderCone {
  std::int32_t n = 1;
  double tau = 1;

  void project(const double* x, double* p) const;
  void jacobian(const double* x, double* J) const;

  // Projected fixed-point iterations z <- P(z - (W z + q) / L) on one block, warm-started (the block of a sweep need not be
  // solved exactly).
  class BlockSolver {
   public:
    bool prepare(const SecondOrderCone& set, const double* W, double proximal);
    void solve(const double* q, double* z);

   private:
    std::int32_t n_ = 1;
    double tau_ = 1, step_ = 1, rho_ = 0;
    std::vector<double> W_, q_, x_, p_;
  };
};

}  // namespace nonsmooth
