// Fischer and Burmeister's function of the second-order cone {x_N >= |x_T|}: phi(x, y) = x + y - (x o x + y o y)^(1/2) in its
// Jordan algebra, 0 exactly where x and y lie in the cone and x'y = 0 (Fukushima, Luo and Tseng 2002), with elements of the
// generalised Jacobian. The square has the eigenvectors p+- = (1, +-c) / sqrt(2) and the eigenvalues
//   sum over v = x, y of  (v_N +- c'v_T)^2 + |v_T - c c'v_T|^2,
// in which form nothing cancels.
#pragma once

#include <cmath>
#include <cstdint>

namespace nonsmooth {

class JordanFunction {
 public:
  // c: workspace of n entries, kept; x and y are kept too. n >= 2.
  JordanFunction(std::int32_t n, const double* x, const double* y, double* c) : n_(n), x_(x), y_(y), c_(c) {
    write_direction();
    double plus = 0, minus = 0;
    for (const double* v : {x, y}) {
      const double along = along_axis(v);
      plus += (v[0] + along) * (v[0] + along);
      minus += (v[0] - along) * (v[0] - along);
      for (std::int32_t i = 1; i < n; ++i) {
        const double across = v[i] - along * c[i];
        plus += across * across;
        minus += across * across;
      }
    }
    plus_ = std::sqrt(plus);
    minus_ = std::sqrt(minus);
    if (minus_ <= rounding * plus_) minus_ = 0;  // its direction would be that of rounding errors
  }

  void value(double* phi) const {
    phi[0] = x_[0] + y_[0] - 0.5 * (plus_ + minus_);
    for (std::int32_t i = 1; i < n_; ++i) phi[i] = x_[i] + y_[i] - 0.5 * (plus_ - minus_) * c_[i];
  }

  // d phi / dv = I - L_z^-1 L_v for v = x or y, column-major. At a kink that of the limit from both inside the cone.
  void derivative(const double* v, double* J) const {
    const double along = along_axis(v), across = plus_ > 0 ? 2 * v[0] / (plus_ + minus_) : M_SQRT1_2;
    for (std::int32_t j = 0; j < n_; ++j) {
      // p+-' L_v e_j times sqrt(2), over the eigenvalues.
      const double cj = j == 0 ? 1 : c_[j], of_plus = j == 0 ? v[0] + along : v[j] + v[0] * cj,
                   of_minus = j == 0 ? v[0] - along : (v[j] - along * cj) - (v[0] - along) * cj;
      const double a = plus_ > 0 ? of_plus / plus_ : M_SQRT1_2 * cj;
      const double b = minus_ > 0 ? of_minus / minus_ : M_SQRT1_2 * (j == 0 ? 1 : -cj);
      J[j * n_] = (j == 0 ? 1 : 0) - 0.5 * (a + b);
      for (std::int32_t i = 1; i < n_; ++i) {
        // The rest of L_z^-1 L_v e_j, across both axes.
        const double rest = j == 0 ? (plus_ > 0 ? 2 * (v[i] - along * c_[i]) / (plus_ + minus_) : 0)
                                   : across * ((i == j ? 1 : 0) - c_[i] * c_[j]);
        J[i + j * n_] = (i == j ? 1 : 0) - 0.5 * (a - b) * c_[i] - rest;
      }
    }
  }

 private:
  // c: direction of the tangential part of x o x + y o y; any if that is 0.
  void write_direction() {
    double length = 0;
    for (std::int32_t i = 1; i < n_; ++i) {
      c_[i] = x_[0] * x_[i] + y_[0] * y_[i];
      length = std::hypot(length, c_[i]);
    }
    if (!(length > 0)) c_[1] = length = 1;
    for (std::int32_t i = 1; i < n_; ++i) c_[i] /= length;
  }
  double along_axis(const double* v) const {
    double sum = 0;
    for (std::int32_t i = 1; i < n_; ++i) sum += c_[i] * v[i];
    return sum;
  }

  static constexpr double rounding = 1e-15;
  std::int32_t n_;
  const double *x_, *y_;
  double* c_;
  double plus_ = 0, minus_ = 0;
};

}  // namespace nonsmooth
