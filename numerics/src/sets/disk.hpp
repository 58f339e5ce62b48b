// Disk |x| <= radius of dimension N (N = 1: an interval): the set of Tresca's friction law.
#pragma once

#include <cmath>

namespace nonsmooth {

template <int N>
struct Disk {
  double radius;

  static double norm(const double* x) {
    double sum = 0;
    for (int i = 0; i < N; ++i) sum += x[i] * x[i];
    return std::sqrt(sum);
  }
  void project(const double* x, double* p) const {
    const double length = norm(x);
    const double factor = length > radius ? radius / length : 1.0;
    for (int i = 0; i < N; ++i) p[i] = factor * x[i];
  }
  void jacobian(const double* x, double* J) const {
    const double length = norm(x);
    const bool outside = length > radius;
    const double factor = outside ? radius / length : 1.0;
    for (int j = 0; j < N; ++j)
      for (int i = 0; i < N; ++i)
        J[i + j * N] = factor * ((i == j ? 1.0 : 0.0) - (outside ? x[i] * x[j] / (length * length) : 0.0));
  }
};

}  // namespace nonsmooth
