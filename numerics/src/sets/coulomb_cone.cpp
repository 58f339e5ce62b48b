#include "sets/coulomb_cone.hpp"

#include "sets/coulomb_contact.hpp"

namespace nonsmooth {
namespace {

constexpr double singular_relative = 1e-12;  // below it a block counts as singular and gets a proximal term

// Weight of the proximal term: what the caller asks for, more if the block needs it to be positive definite.
double proximal_weight(double trace_mean, double requested, bool definite) {
  if (!(trace_mean > 0)) return 1.0;
  return trace_mean * (definite ? requested : std::max(requested, 1e-3));
}

// coupling: |W_NT|.
BlockCondition condition_of(bool definite, double normal, double mu, double coupling) {
  if (!definite) return BlockCondition::regularised;
  return normal <= mu * coupling ? BlockCondition::ambiguous : BlockCondition::definite;
}

}  // namespace

bool CoulombBlockSolver3::prepare(const CoulombCone3& set, const double* W, double proximal) {
  CoulombBlock3<double>& b = block_;
  b.mu = set.mu[0];
  const double mean = (W[0] + W[4] + W[8]) / 3;
  double determinant = 0;
  auto condense = [&](double rho) {
    b.rho = rho;
    const double wnn = W[0] + rho;
    b.inverse_normal = 1 / wnn;
    b.wtn[0] = W[1];
    b.wtn[1] = W[2];
    b.wnt[0] = W[3];
    b.wnt[1] = W[6];
    for (int j = 0; j < 2; ++j)
      for (int i = 0; i < 2; ++i)
        b.wbar[i + 2 * j] = W[(i + 1) + 3 * (j + 1)] + (i == j ? rho : 0.0) - b.wtn[i] * b.wnt[j] * b.inverse_normal;
    const double trace = b.wbar[0] + b.wbar[3];
    determinant = b.wbar[0] * b.wbar[3] - b.wbar[1] * b.wbar[2];
    return wnn > singular_relative * mean && trace > singular_relative * mean && determinant > singular_relative * trace * trace;
  };
  bool definite = condense(proximal_weight(mean, proximal, true));
  condition_ = condition_of(definite, W[0], b.mu, std::hypot(W[3], W[6]));
  if (!definite) {
    definite = condense(proximal_weight(mean, proximal, false));
    // An indefinite block: the proximal term must outweigh it.
    for (double weight = mean; !definite && weight < 1e6 * mean; weight *= 10) definite = condense(weight);
  }
  return std::isfinite(determinant) && std::isfinite(b.inverse_normal);
}

void CoulombBlockSolver3::solve(const double* q_given, double* r) {
  const double rho = block_.rho, q[3] = {q_given[0] - rho * r[0], q_given[1] - rho * r[1], q_given[2] - rho * r[2]};
  solve_contact(block_, q, r);
}

bool CoulombBlockSolver2::prepare(const CoulombCone2& set, const double* W, double proximal) {
  mu_ = set.mu[0];
  const double mean = (W[0] + W[3]) / 2;
  auto condense = [&](double rho) {
    rho_ = rho;
    wnn_ = W[0] + rho;
    wtn_ = W[1];
    wnt_ = W[2];
    wbar_ = W[3] + rho - wtn_ * wnt_ / wnn_;
    return wnn_ > singular_relative * mean && wbar_ > singular_relative * mean;
  };
  const bool definite = condense(proximal_weight(mean, proximal, true));
  condition_ = condition_of(definite, W[0], mu_, std::abs(W[2]));
  if (!definite && !condense(proximal_weight(mean, proximal, false)))
    for (double weight = mean; weight < 1e6 * mean && !condense(weight); weight *= 10) continue;
  return std::isfinite(wnn_) && std::isfinite(wbar_);
}

void CoulombBlockSolver2::solve(const double* q_given, double* r) {
  const double q[2] = {q_given[0] - rho_ * r[0], q_given[1] - rho_ * r[1]};
  if (q[0] >= 0) {
    r[0] = r[1] = 0;
    return;
  }
  const double g = q[1] - wtn_ * q[0] / wnn_;
  r[1] = -g / wbar_;
  r[0] = -(q[0] + wnt_ * r[1]) / wnn_;
  if (std::abs(r[1]) <= mu_ * r[0]) return;  // sticks
  // Slides against g: r_T = s mu r_N, s = -sign(g). The pivot W_NN + s mu W_NT is positive for a definite block whose sticking
  // point lies outside the cone; where it is not (Painleve), the other direction is tried.
  double s = g > 0 ? -1.0 : 1.0;
  if (wnn_ + s * mu_ * wnt_ <= 0) s = -s;
  r[0] = std::max(0.0, -q[0] / (wnn_ + s * mu_ * wnt_));
  r[1] = s * mu_ * r[0];
}

}  // namespace nonsmooth
