#include "sets/second_order_cone.hpp"

#include <algorithm>
#include <cfloat>
#include <cmath>

#include "core/index.hpp"

namespace nonsmooth {
namespace {

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
  q_.resize(order);
  x_.resize(order);
  p_.resize(order);
  double norm = 0;  // Frobenius: an upper bound of the Lipschitz constant
  for (double entry : W_) norm += entry * entry;
  step_ = norm > 0 ? 1 / std::sqrt(norm) : 1;
  return std::isfinite(step_);
}

void SecondOrderCone::BlockSolver::solve(const double* q, double* z) {
  const SecondOrderCone set{n_, tau_};
  constexpr int iterations = 50;
  for (std::int32_t i = 0; i < n_; ++i) q_[at(i)] = q[i] - rho_ * z[i];
  for (int k = 0; k < iterations; ++k) {
    for (std::int32_t i = 0; i < n_; ++i) x_[at(i)] = z[i] - step_ * q_[at(i)];
    for (std::int32_t j = 0; j < n_; ++j)
      for (std::int32_t i = 0; i < n_; ++i) x_[at(i)] -= step_ * W_[at(i + j * n_)] * z[j];
    set.project(x_.data(), p_.data());
    double change = 0, size = 0;
    for (std::int32_t i = 0; i < n_; ++i) {
      change += std::abs(p_[at(i)] - z[i]);
      size += std::abs(z[i]);
    }
    std::copy(p_.begin(), p_.end(), z);
    if (change <= 4 * DBL_EPSILON * size) break;
  }
}

}  // namespace nonsmooth
