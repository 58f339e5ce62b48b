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

  // Newton's method on the natural map z - P(z - step (W z + q)), a step of the projection where that gains nothing: to rounding
  // where W is positive definite, and as far as a few dozen steps lead where it is not, or is scaled badly.
  class BlockSolver {
   public:
    bool prepare(const SecondOrderCone& set, const double* W, double proximal);
    void solve(const double* q, double* z);

   private:
    double measure(const double* z);
    bool newton_step(const double* z);

    std::int32_t n_ = 1;
    double tau_ = 1, step_ = 1, rho_ = 0;
    std::vector<double> W_, q_, x_, p_;          // x = z - step (W z + q), p its projection
    std::vector<double> G_, trial_, projected_;  // derivative of z - p; z after Newton's step; p before it
    std::vector<int> pivot_;
  };
};

}  // namespace nonsmooth
