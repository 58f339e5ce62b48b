// Continuous output of a step from states and rates at both ends.
#pragma once

#include "nonsmooth/kernel/algebra.hpp"

namespace nonsmooth::kernel {

// Quintic polynomials of x with its first and second derivatives, and their derivatives; cubic ones of x with its first.
class HermiteOutput {
 public:
  struct End {
    const Vector &x, &rate, &second;
  };
  static void quintic(const End& a, const End& b, double h, double s, Vector& x) {
    const double s2 = s * s, s3 = s2 * s, s4 = s3 * s, s5 = s4 * s;
    const double b3 = 10 * s3 - 15 * s4 + 6 * s5;
    x = (1 - b3) * a.x + b3 * b.x + h * (s - 6 * s3 + 8 * s4 - 3 * s5) * a.rate + h * (-4 * s3 + 7 * s4 - 3 * s5) * b.rate +
        h * h * (0.5 * s2 - 1.5 * s3 + 1.5 * s4 - 0.5 * s5) * a.second + h * h * (0.5 * s3 - s4 + 0.5 * s5) * b.second;
  }
  static void quinticRate(const End& a, const End& b, double h, double s, Vector& rate) {
    const double s2 = s * s, s3 = s2 * s, s4 = s3 * s;
    const double b3 = (30 * s2 - 60 * s3 + 30 * s4) / h;
    rate = b3 * (b.x - a.x) + (1 - 18 * s2 + 32 * s3 - 15 * s4) * a.rate + (-12 * s2 + 28 * s3 - 15 * s4) * b.rate +
           h * (s - 4.5 * s2 + 6 * s3 - 2.5 * s4) * a.second + h * (1.5 * s2 - 4 * s3 + 2.5 * s4) * b.second;
  }
  static void cubic(const Vector& x0, const Vector& rate0, const Vector& x1, const Vector& rate1, double h, double s, Vector& x) {
    const double s2 = s * s, s3 = s2 * s, b3 = 3 * s2 - 2 * s3;
    x = (1 - b3) * x0 + b3 * x1 + h * (s - 2 * s2 + s3) * rate0 + h * (s3 - s2) * rate1;
  }
};

}  // namespace nonsmooth::kernel
