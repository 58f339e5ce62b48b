// Disk |x| <= radius of dimension N (N = 1: an interval): the set of Tresca's friction law and of von Mises' law of yield.
#pragma once

#include <cmath>

#include "sets/coulomb_cone.hpp"

namespace nonsmooth {

template <int N>
struct Disk {
  double radius;

  static double norm(const double* x) {
    double sum = 0;
    for (int i = 0; i < N; ++i) sum += x[i] * x[i];
    // Squares that overflow would bring every point to 0.
    return std::isinf(sum) ? std::hypot(x[0], x[N - 1]) : std::sqrt(sum);
  }
  void project(const double* x, double* p) const { project(x, norm(x), p); }
  void jacobian(const double* x, double* J) const { jacobian(x, norm(x), J); }
  // Where |x| is known.
  void project(const double* x, double length, double* p) const {
    const double factor = length > radius ? radius / length : 1.0;
    for (int i = 0; i < N; ++i) p[i] = factor * x[i];
  }
  void jacobian(const double* x, double length, double* J) const {
    const bool outside = length > radius;
    const double factor = outside ? radius / length : 1.0;
    double direction[N]{};
    for (int i = 0; i < N && outside; ++i) direction[i] = x[i] / length;
    for (int j = 0; j < N; ++j)
      for (int i = 0; i < N; ++i) J[i + j * N] = factor * ((i == j ? 1.0 : 0.0) - direction[i] * direction[j]);
  }
};

// The one-block problem in the plane of contact: the one-contact problem with a normal of its own that gives the radius.
class DiskBlockSolver {
 public:
  bool prepare(const Disk<2>& set, const double* W, double proximal) {
    const double normal = W[0] + W[3] > 0 ? 0.5 * (W[0] + W[3]) : 1;
    const double block[9] = {normal, 0, 0, 0, W[0], W[1], 0, W[2], W[3]};
    load_ = -normal * set.radius;
    radius_ = set.radius;
    return contact_.prepare(CoulombCone3{{1}}, block, proximal);
  }
  void solve(const double* q, double* z) {
    const double free[3] = {load_, q[0], q[1]};
    double r[3] = {radius_, z[0], z[1]};
    contact_.solve(free, r);
    z[0] = r[1];
    z[1] = r[2];
  }
  void forget() { contact_.forget(); }

 private:
  double load_ = 0, radius_ = 0;
  CoulombBlockSolver3 contact_;
};

}  // namespace nonsmooth
