// Cone of a contact with one normal and several tangential parts, each bounded by its own coefficient:
// K = {(x_N, x_1 .. x_G) : |x_g| <= mu_g x_N}. Coulomb's cone has one part, the rolling cone two.
#pragma once

#include <algorithm>
#include <cmath>

namespace nonsmooth {

// Length of a tangential part of one or two entries.
template <int PART>
double norm_of_part(const double* t) {
  return PART == 1 ? std::abs(t[0]) : std::sqrt(t[0] * t[0] + t[PART - 1] * t[PART - 1]);
}

// PART entries in each of PARTS tangential parts; layout (normal, part 1, part 2 ...).
template <int PART, int PARTS>
struct ContactCone {
  static constexpr int size = 1 + PART * PARTS, part_size = PART, parts = PARTS;
  double mu[PARTS];

  static double part_norm(const double* x, int part) { return norm_of_part<PART>(x + 1 + part * PART); }

  // De Saxce and Feng (1991): u~ = u + (sum mu_g |u_g|) e_N. In place.
  void add_normal_shift(double* u) const {
    for (int g = 0; g < PARTS; ++g) u[0] += mu[g] * part_norm(u, g);
  }
  double shift_slope(int part) const { return mu[part]; }

  // The normal part of a projection with the parts that are active on their bounds, (x_N + sum mu |x_A|) / (1 + sum mu^2); the
  // denominator in units of unit^2, which is 1 unless the squares overflow.
  struct Normal {
    double value, denominator, unit;
  };
  Normal normal_with(double normal, const double* norms, const bool* active, double unit) const {
    double numerator = normal / unit, denominator = 1 / unit / unit;
    for (int g = 0; g < PARTS; ++g)
      if (active[g]) {
        const double slope = mu[g] / unit;
        numerator += slope * norms[g];
        denominator += slope * slope;
      }
    return {numerator / denominator, denominator, unit};
  }
  Normal normal_with(double normal, const double* norms, const bool* active) const {
    Normal result = normal_with(normal, norms, active, 1.0);
    if (!std::isinf(result.denominator)) return result;
    double unit = 1;
    for (int g = 0; g < PARTS; ++g)
      if (active[g]) unit = std::max(unit, mu[g]);
    result = normal_with(normal, norms, active, unit);
    result.value /= unit;
    return result;
  }

  // The projection minimises a convex piecewise quadratic function of x_N: with the parts A outside their bounds,
  // n = (x_N + sum_A mu |x_A|) / (1 + sum_A mu^2). Starting from the parts outside for n = x_N, which is not above the final
  // one, those inside for the n at hand are inside for that; the last one of them stays outside, whatever rounding says where mu
  // is large. Returns n; active[g] tells whether part g lies on its bound.
  double normal_of_projection(const double* x, const double* norms, bool* active) const {
    int outside = 0;
    for (int g = 0; g < PARTS; ++g) outside += active[g] = !(norms[g] <= mu[g] * x[0]);
    if (outside == 0) return x[0];
    double n = normal_with(x[0], norms, active).value;
    for (int g = 0; g < PARTS && outside > 1; ++g)
      if (norms[g] <= mu[g] * n) {
        active[g] = false;
        --outside;
        n = normal_with(x[0], norms, active).value;
      }
    return n;
  }

  // The projection of x: the normal part n, which is returned, and factor[g] times part g; 0 as a whole unless n > 0.
  double factors_of_projection(const double* x, double* factor) const {
    double norms[PARTS];
    bool active[PARTS];
    for (int g = 0; g < PARTS; ++g) norms[g] = part_norm(x, g);
    const double n = normal_of_projection(x, norms, active);
    for (int g = 0; g < PARTS; ++g) factor[g] = active[g] ? mu[g] * n / norms[g] : 1.0;
    return n;
  }

  void project(const double* x, double* p) const {
    double factor[PARTS];
    const double n = factors_of_projection(x, factor);
    if (!(n > 0)) {
      std::fill(p, p + size, 0.0);
      return;
    }
    for (int g = 0; g < PARTS; ++g)
      for (int i = 1 + g * PART; i < 1 + (g + 1) * PART; ++i) p[i] = factor[g] * x[i];
    p[0] = n;
  }

  // The reaction to x where W is a multiple of the identity: z and z - x obey Coulomb's law, z_N = max(0, x_N), z_g on the disk
  // of radius mu_g z_N.
  void obey(const double* x, double* z) const {
    z[0] = std::max(0.0, x[0]);
    for (int g = 0; g < PARTS; ++g) {
      const double norm = part_norm(x, g), bound = mu[g] * z[0], factor = norm > bound ? bound / norm : 1.0;
      for (int i = 1 + g * PART; i < 1 + (g + 1) * PART; ++i) z[i] = factor * x[i];
    }
  }

  // An element of the generalised Jacobian of the projection, column-major size x size.
  void jacobian(const double* x, double* J) const {
    double norms[PARTS];
    bool active[PARTS];
    for (int g = 0; g < PARTS; ++g) norms[g] = part_norm(x, g);
    const double n = normal_of_projection(x, norms, active);
    std::fill(J, J + size * size, 0.0);
    if (!(n > 0)) return;
    const auto [value, denominator, unit] = normal_with(x[0], norms, active);
    double gradient[size] = {1 / unit};  // of n
    for (int g = 0; g < PARTS; ++g)
      if (active[g])
        for (int i = 1 + g * PART; i < 1 + (g + 1) * PART; ++i) gradient[i] = mu[g] / unit * x[i] / norms[g];
    for (double& entry : gradient) entry = entry / denominator / unit;
    for (int j = 0; j < size; ++j) J[j * size] = gradient[j];
    for (int g = 0; g < PARTS; ++g)
      for (int i = 1 + g * PART; i < 1 + (g + 1) * PART; ++i) {
        if (!active[g]) {
          J[i + i * size] = 1;
          continue;
        }
        const double direction = x[i] / norms[g];
        for (int j = 0; j < size; ++j) J[i + j * size] += mu[g] * direction * gradient[j];
        for (int j = 1 + g * PART; j < 1 + (g + 1) * PART; ++j)
          J[i + j * size] += mu[g] * n / norms[g] * ((i == j ? 1.0 : 0.0) - direction * x[j] / norms[g]);
      }
  }
};

}  // namespace nonsmooth
