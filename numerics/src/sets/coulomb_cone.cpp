#include "sets/coulomb_cone.hpp"

#include <cfloat>
#include <limits>

namespace nonsmooth {
namespace {

constexpr double singular_relative = 1e-12;                      // below it a block counts as singular and gets a proximal term
constexpr int secular_iterations = 150, newton_iterations = 12;  // every second one halves from there on

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
  mu_ = set.mu[0];
  const double mean = (W[0] + W[4] + W[8]) / 3;
  auto condense = [&](double rho) {
    rho_ = rho;
    const double wnn = W[0] + rho;
    inverse_normal_ = 1 / wnn;
    wtn_[0] = W[1];
    wtn_[1] = W[2];
    wnt_[0] = W[3];
    wnt_[1] = W[6];
    for (int j = 0; j < 2; ++j)
      for (int i = 0; i < 2; ++i)
        wbar_[i + 2 * j] = W[(i + 1) + 3 * (j + 1)] + (i == j ? rho : 0.0) - wtn_[i] * wnt_[j] * inverse_normal_;
    trace_ = wbar_[0] + wbar_[3];
    determinant_ = wbar_[0] * wbar_[3] - wbar_[1] * wbar_[2];
    inverse_determinant_ = 1 / determinant_;
    return wnn > singular_relative * mean && trace_ > singular_relative * mean &&
           determinant_ > singular_relative * trace_ * trace_;
  };
  bool definite = condense(proximal_weight(mean, proximal, true));
  condition_ = condition_of(definite, W[0], mu_, std::hypot(W[3], W[6]));
  if (!definite) {
    definite = condense(proximal_weight(mean, proximal, false));
    // An indefinite block: the proximal term must outweigh it.
    for (double weight = mean; !definite && weight < 1e6 * mean; weight *= 10) definite = condense(weight);
  }
  return std::isfinite(determinant_) && std::isfinite(inverse_normal_);
}

// The sliding reaction; alpha_ is where the search starts and becomes the root. With N = adj(Wbar) g + alpha g and
// D = det(Wbar) + alpha (tr(Wbar) + alpha), r_T = -N / D and Q = D r_N is a polynomial too: the secular equation |N| = mu Q costs
// a square root, and a step one division. sticking: adj(Wbar) g.
void CoulombBlockSolver3::slide(const double* sticking, const double* g, double normal_velocity, double* r) {
  double low = 0, high = std::numeric_limits<double>::infinity();
  if (!(alpha_ > 0)) alpha_ = 0.5 * trace_;
  const double coupling = wnt_[0] * g[0] + wnt_[1] * g[1];
  double N[2], D = 1, normal = 0, tangent = 0;
  for (int k = 0;; ++k) {
    for (int i = 0; i < 2; ++i) N[i] = sticking[i] + alpha_ * g[i];
    D = determinant_ + alpha_ * (trace_ + alpha_);
    normal = (wnt_[0] * N[0] + wnt_[1] * N[1] - normal_velocity * D) * inverse_normal_;
    const double squared = N[0] * N[0] + N[1] * N[1], bound = mu_ * normal;
    tangent = std::sqrt(squared);
    const double excess = tangent - bound;
    if (std::abs(excess) <= 4 * DBL_EPSILON * (tangent + std::abs(bound)) || k == secular_iterations) break;
    (excess > 0 ? low : high) = alpha_;
    // Newton's step on 1/|r_T| - 1/(mu r_N), as one division. Where Q <= 0 the root for large alpha:
    // |g| W_NN / (mu |q_N|).
    const double slope_D = trace_ + 2 * alpha_, slope = mu_ * (coupling - normal_velocity * slope_D) * inverse_normal_;
    const double growth = N[0] * g[0] + N[1] * g[1], weighted = -excess * squared * bound;
    double next = bound > 0
                      ? alpha_ - D * weighted / (slope_D * weighted + D * (slope * squared * tangent - growth * bound * bound))
                      : std::hypot(g[0], g[1]) / (-mu_ * normal_velocity * inverse_normal_);
    const bool slow = k >= newton_iterations && k % 2 == 1, wide = low > 0 && high > 16 * low;
    if (slow || !(next > low && next < high))
      next = std::isinf(high) ? 4 * alpha_ + trace_ : (wide ? std::sqrt(low) * std::sqrt(high) : 0.5 * (low + high));
    if (next == alpha_ || (std::isfinite(high) && high - low <= DBL_EPSILON * high)) break;
    alpha_ = next;
  }
  // On the cone to the last bit, whatever the root's rounding.
  r[0] = std::max(0.0, normal / D);
  const double factor = -std::min(1 / D, mu_ * r[0] / tangent);
  for (int i = 0; i < 2; ++i) r[1 + i] = factor * N[i];
}

void CoulombBlockSolver3::solve(const double* q_given, double* r) {
  const double q[3] = {q_given[0] - rho_ * r[0], q_given[1] - rho_ * r[1], q_given[2] - rho_ * r[2]};
  if (q[0] >= 0) {
    r[0] = r[1] = r[2] = 0;
    return;
  }
  if (mu_ == 0) {
    r[0] = -q[0] * inverse_normal_;
    r[1] = r[2] = 0;
    return;
  }
  const double g[2] = {q[1] - wtn_[0] * q[0] * inverse_normal_, q[2] - wtn_[1] * q[0] * inverse_normal_};
  const double sticking[2] = {wbar_[3] * g[0] - wbar_[2] * g[1], wbar_[0] * g[1] - wbar_[1] * g[0]};
  const double stick[2] = {-sticking[0] * inverse_determinant_, -sticking[1] * inverse_determinant_};
  const double normal = -(q[0] + wnt_[0] * stick[0] + wnt_[1] * stick[1]) * inverse_normal_, bound = mu_ * normal;
  if (bound >= 0 && stick[0] * stick[0] + stick[1] * stick[1] <= bound * bound) {
    r[0] = normal;
    r[1] = stick[0];
    r[2] = stick[1];
    return;
  }
  slide(sticking, g, q[0], r);
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
