#include "sets/second_order_cone.hpp"

#include <algorithm>
#include <cfloat>
#include <cmath>

#include "core/index.hpp"
#include "linalg/small_lu.hpp"

namespace nonsmooth {
namespace {

constexpr int most_cone_steps = 50;      // of one block, of either kind
constexpr double good_share = 0.5;       // of |z - p|: more than that is left by no good step
constexpr double rounding_size = 1e-13;  // relative to |z|: from here on a step that gains nothing is the last

// Scaled where the squares overflow.
double tangent_norm(const double* x, std::int32_t n) {
  double sum = 0;
  for (std::int32_t i = 1; i < n; ++i) sum += x[i] * x[i];
  if (!std::isinf(sum)) return std::sqrt(sum);
  double norm = 0;
  for (std::int32_t i = 1; i < n; ++i) norm = std::hypot(norm, x[i]);
  return norm;
}

// The projection onto the boundary is along (c, s x_T / |x_T|): tau^2 itself may overflow.
struct Boundary {
  Boundary(double tau, double normal, double tangent) : h(std::hypot(1, tau)), c(1 / h), s(tau / h) {
    along = c * normal + s * tangent;
  }
  double h, c, s;
  double along = 0;
};

}  // namespace

void SecondOrderCone::project(const double* x, double* p) const {
  const double t = tangent_norm(x, n);
  if (t <= tau * x[0]) {
    std::copy(x, x + n, p);
  } else if (tau * t <= -x[0]) {
    std::fill(p, p + n, 0.0);
  } else {
    const Boundary boundary(tau, x[0], t);
    for (std::int32_t i = 1; i < n; ++i) p[i] = boundary.s * boundary.along * (x[i] / t);
    p[0] = boundary.c * boundary.along;
  }
}

void SecondOrderCone::jacobian(const double* x, double* J) const {
  const double t = tangent_norm(x, n);
  std::fill(J, J + std::int64_t{n} * n, 0.0);
  if (t <= tau * x[0]) {
    for (std::int32_t i = 0; i < n; ++i) J[i + i * n] = 1;
    return;
  }
  if (tau * t <= -x[0]) return;
  const auto [h, c, s, along] = Boundary(tau, x[0], t);
  auto direction = [&, c = c, s = s](std::int32_t i) { return i == 0 ? c : s * (x[i] / t); };
  for (std::int32_t j = 0; j < n; ++j)
    for (std::int32_t i = 0; i < n; ++i) {
      J[i + j * n] = direction(i) * direction(j);
      if (i > 0 && j > 0) J[i + j * n] += s * along / t * ((i == j ? 1.0 : 0.0) - (x[i] / t) * (x[j] / t));
    }
}

bool SecondOrderCone::BlockSolver::prepare(const SecondOrderCone& set, const double* W, double proximal) {
  n_ = set.n;
  tau_ = set.tau;
  const auto order = at(set.n);
  W_.assign(W, W + order * order);
  double trace = 0;
  for (std::size_t i = 0; i < order; ++i) trace += std::abs(W[i * (order + 1)]);
  rho_ = proximal * trace / static_cast<double>(n_);
  for (std::size_t i = 0; i < order; ++i) W_[i * (order + 1)] += rho_;
  for (std::vector<double>* v : {&q_, &x_, &p_, &trial_, &projected_}) v->resize(order);
  G_.resize(order * order);
  pivot_.resize(order);
  double norm = 0;  // Frobenius: an upper bound of the Lipschitz constant
  for (double entry : W_) norm += entry * entry;
  step_ = norm > 0 ? 1 / std::sqrt(norm) : 1;
  return std::isfinite(step_);
}

// |z - p|_1.
double SecondOrderCone::BlockSolver::measure(const double* z) {
  for (std::int32_t i = 0; i < n_; ++i) x_[at(i)] = z[i] - step_ * q_[at(i)];
  for (std::int32_t j = 0; j < n_; ++j)
    for (std::int32_t i = 0; i < n_; ++i) x_[at(i)] -= step_ * W_[at(i + j * n_)] * z[j];
  SecondOrderCone{n_, tau_}.project(x_.data(), p_.data());
  double distance = 0;
  for (std::int32_t i = 0; i < n_; ++i) distance += std::abs(p_[at(i)] - z[i]);
  return distance;
}

// To trial_, by G = I - P'(x) (I - step W), whose columns need no product of matrices: on the boundary P' y is
// d d'y + b (y_T - t t'y_T), d along the boundary, t = x_T / |x_T|. false if it is singular.
bool SecondOrderCone::BlockSolver::newton_step(const double* z) {
  const double length = tangent_norm(x_.data(), n_);
  const bool inside = length <= tau_ * x_[0];
  if (!inside && tau_ * length <= -x_[0]) return false;  // the projection, 0, is the step
  const Boundary boundary(tau_, x_[0], length);
  const double b = inside ? 1 : boundary.s * boundary.along / length;
  for (std::int32_t j = 0; j < n_; ++j) {
    double* g = &G_[at(j * n_)];
    for (std::int32_t i = 0; i < n_; ++i) g[i] = step_ * W_[at(i + j * n_)] - (i == j ? 1 : 0);
    if (!inside) {
      double tangent = 0;
      for (std::int32_t i = 1; i < n_; ++i) tangent += x_[at(i)] / length * g[i];
      const double along = boundary.c * g[0] + boundary.s * tangent;
      g[0] = boundary.c * along;
      for (std::int32_t i = 1; i < n_; ++i) g[i] = b * g[i] + (boundary.s * along - b * tangent) * (x_[at(i)] / length);
    }
    g[j] += 1;
  }
  if (!factorise_small(G_.data(), pivot_.data(), n_)) return false;
  for (std::int32_t i = 0; i < n_; ++i) trial_[at(i)] = p_[at(i)] - z[i];
  solve_small(G_.data(), pivot_.data(), n_, trial_.data());
  for (std::int32_t i = 0; i < n_; ++i) trial_[at(i)] += z[i];
  return true;
}

void SecondOrderCone::BlockSolver::solve(const double* q, double* z) {
  for (std::int32_t i = 0; i < n_; ++i) q_[at(i)] = q[i] - rho_ * z[i];
  double distance = measure(z);
  for (int step = 0; step < most_cone_steps; ++step) {
    double size = 0;
    for (std::int32_t i = 0; i < n_; ++i) size += std::abs(z[i]);
    if (distance <= 4 * DBL_EPSILON * size) break;
    std::copy(p_.begin(), p_.end(), projected_.begin());
    if (newton_step(z)) {
      const double next = measure(trial_.data());
      if (next <= good_share * distance) {
        std::copy(trial_.begin(), trial_.end(), z);
        distance = next;
        continue;
      }
    }
    std::copy(projected_.begin(), projected_.end(), z);
    if (distance <= rounding_size * size) return;
    distance = measure(z);
  }
  std::copy(p_.begin(), p_.end(), z);
}

}  // namespace nonsmooth
