#include "sets/coulomb_cone.hpp"

#include <cfloat>
#include <limits>

namespace nonsmooth {
namespace {

constexpr double singular_relative = 1e-12;                      // below it a block counts as singular and gets a proximal term
constexpr int secular_iterations = 150, newton_iterations = 12;  // every second one halves from there on
constexpr double largest_alpha = 1e150, quadratic_step = 1e-8;
constexpr double affinity = 1000;  // of (x |g| / |e|)^2 beyond which the affine part is a better start than the last alpha

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

// The sliding reaction; alpha_ is where the search starts and becomes the root. With c = tr(Wbar) / 2, x = alpha + c and
// N = adj(Wbar) g + alpha g = x g + e, D = det(Wbar + alpha I) = x^2 - delta, r_T = -N / D. The secular equation, times D / x, is
//   F(alpha) = |N| / x - (mu / W_NN) (W_NT N / x - q_N D / x) = 0,
// nearly affine: exactly so where Wbar is a multiple of I (e = 0), and otherwise more so the larger x is. Newton's steps on F
// hence converge in one or two steps from anywhere, also for the huge alpha of a reaction that has hardly begun, and the root
// of its affine part is where they start unless e counts. Nothing overflows. sticking: adj(Wbar) g.
void CoulombBlockSolver3::slide(const double* sticking, const double* g, double normal_velocity, double* r) {
  const double shift = 0.5 * trace_, delta = shift * shift - determinant_, weight = mu_ * inverse_normal_;
  const double e[2] = {sticking[0] - shift * g[0], sticking[1] - shift * g[1]}, pull = -weight * normal_velocity;
  const double coupled_e = weight * (wnt_[0] * e[0] + wnt_[1] * e[1]), squared = g[0] * g[0] + g[1] * g[1];
  const double affine_root = (std::sqrt(squared) - weight * (wnt_[0] * g[0] + wnt_[1] * g[1])) / pull;  // x
  const double asymptote = std::min(largest_alpha, affine_root - shift);
  const bool affine = affine_root * affine_root * squared > affinity * (e[0] * e[0] + e[1] * e[1]);
  if (affine || !(alpha_ > 0)) alpha_ = std::max(0.0, asymptote);
  double low = 0, high = std::numeric_limits<double>::infinity();
  double n[2], D = 1, bound = 0, tangent = 0;  // N, D, mu Q and |N|, over x
  bool last = false;
  for (int k = 0;; ++k) {
    const double s = 1 / (alpha_ + shift);
    for (int i = 0; i < 2; ++i) n[i] = s * sticking[i] + (s * alpha_) * g[i];
    D = s * determinant_ + alpha_ * (s * (trace_ + alpha_));
    const double coupled = weight * (wnt_[0] * n[0] + wnt_[1] * n[1]);
    bound = coupled + pull * D;
    tangent = std::sqrt(n[0] * n[0] + n[1] * n[1]);
    const double excess = tangent - bound, rounding = DBL_EPSILON * (tangent + std::abs(coupled) + pull * D);
    if (last || std::abs(excess) <= 4 * rounding || k == secular_iterations) break;
    (excess > 0 ? low : high) = alpha_;
    // -F' times |N| / x.
    const double slope = (pull * (1 + s * s * delta) - s * s * coupled_e) * tangent + s * s * (n[0] * e[0] + n[1] * e[1]);
    double next = alpha_ + excess * tangent / slope;
    // Its square is below rounding: no further step would change anything.
    last = std::abs(next - alpha_) <= quadratic_step * alpha_;
    const bool slow = k >= newton_iterations && k % 2 == 1;
    if (slow || !(next > low && next < high)) {
      next = std::isfinite(high) ? std::sqrt(low + shift) * std::sqrt(high + shift) - shift
                                 : (asymptote > alpha_ ? asymptote : 4 * alpha_ + trace_);
      last = false;
      if (!(next > low && next < high)) break;  // the bracket is at rounding
    }
    alpha_ = next;
  }
  // On the cone to the last bit, whatever the root's rounding.
  r[0] = std::max(0.0, bound / (mu_ * D));
  const double factor = -std::min(1 / D, mu_ * r[0] * (1 / tangent));
  for (int i = 0; i < 2; ++i) r[1 + i] = factor * n[i];
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
