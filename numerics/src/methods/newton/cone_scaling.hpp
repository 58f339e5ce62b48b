// The second-order cone {x_N >= |x_T|} of dimension D as a symmetric cone: Jordan product, Nesterov and Todd's scaling, steps to
// the boundary (Nesterov and Todd 1997; the formulas are those of Vandenberghe's CVXOPT note, 2010).
#pragma once

#include <algorithm>
#include <cmath>

namespace nonsmooth {

constexpr double clearly_inside = 1 + 1e-12;  // of squares: by more than rounding has of them

template <int D>
struct JordanAlgebra {
  // x_N^2 - |x_T|^2, without cancellation of the squares.
  static double determinant(const double* x) {
    const double t = tangent_norm(x);
    return (x[0] - t) * (x[0] + t);
  }
  static double tangent_norm(const double* x) { return std::sqrt(dot_of_tangents(x, x)); }
  static double dot_of_tangents(const double* x, const double* y) {
    double sum = 0;
    for (int i = 1; i < D; ++i) sum += x[i] * y[i];
    return sum;
  }
  static double dot(const double* x, const double* y) {
    double sum = 0;
    for (int i = 0; i < D; ++i) sum += x[i] * y[i];
    return sum;
  }
  static void product(const double* x, const double* y, double* p) {
    p[0] = dot(x, y);
    for (int i = 1; i < D; ++i) p[i] = x[0] * y[i] + y[0] * x[i];
  }
  // x o d = p for d; x inside the cone.
  static void divide(const double* p, const double* x, double* d) {
    double tangent = 0;
    for (int i = 1; i < D; ++i) tangent += x[i] * p[i];
    d[0] = (x[0] * p[0] - tangent) / determinant(x);
    for (int i = 1; i < D; ++i) d[i] = (p[i] - x[i] * d[0]) / x[0];
  }
  // Largest t <= limit with x + t d in the cone, x inside. Where a step is held back by a few of many, the others are inside at
  // the limit, which takes no roots to see.
  static double step(const double* x, const double* d, double limit) {
    double end[D];
    for (int i = 0; i < D; ++i) end[i] = x[i] + limit * d[i];
    if (end[0] > 0 && end[0] * end[0] > clearly_inside * dot_of_tangents(end, end)) return limit;
    double xd = x[0] * d[0], a = d[0] * d[0];
    for (int i = 1; i < D; ++i) {
      xd -= x[i] * d[i];
      a -= d[i] * d[i];
    }
    const double c = determinant(x);  // a t^2 + 2 xd t + c
    const double root = xd * xd - a * c;
    double t = limit;
    if (root >= 0) {
      const double s = -(xd + std::copysign(std::sqrt(root), xd));
      if (s != 0 && c / s > 0) t = std::min(t, c / s);
      if (a != 0 && s / a > 0) t = std::min(t, s / a);
    }
    if (d[0] < 0) t = std::min(t, -x[0] / d[0]);
    return t;
  }

  // Symmetric W with W x = W^-1 y.
  struct Scaling {
    static constexpr int numbers = D + 1;  // that tell it
    double eta = 1, w[D]{1};
    Scaling(const double* x, const double* y) {
      const double dx = std::sqrt(determinant(x)), dy = std::sqrt(determinant(y));
      const double gamma = std::sqrt(0.5 * (1 + dot(x, y) / (dx * dy)));
      for (int i = 1; i < D; ++i) w[i] = (y[i] / dy - x[i] / dx) / (2 * gamma);
      w[0] = std::sqrt(1 + tangent_norm(w) * tangent_norm(w));
      eta = std::sqrt(dy / dx);
    }
    explicit Scaling(const double* stored) : eta(stored[0]) { std::copy_n(stored + 1, D, w); }
    void store(double* to) const {
      to[0] = eta;
      std::copy_n(w, D, to + 1);
    }
    void apply(const double* v, double* p) const { apply(v, p, 1, eta); }
    void apply_inverse(const double* v, double* p) const { apply(v, p, -1, 1 / eta); }

   private:
    void apply(const double* v, double* p, double sign, double factor) const {
      double tangent = 0;
      for (int i = 1; i < D; ++i) tangent += w[i] * v[i];
      const double along = sign * v[0] + tangent / (1 + w[0]);
      p[0] = factor * (w[0] * v[0] + sign * tangent);
      for (int i = 1; i < D; ++i) p[i] = factor * (v[i] + along * w[i]);
    }
  };
};

}  // namespace nonsmooth
