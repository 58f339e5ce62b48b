#include "sets/coulomb_cone.hpp"

#include <cfloat>
#include <limits>

#include "sets/coulomb_lanes.hpp"

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

namespace {

// What a sliding contact is found from: g, the tangential velocity without tangential reactions, and adj(Wbar) g.
template <class Real>
struct Slide {
  Real g[2], sticking[2], normal_velocity, trace, determinant;
};

// The sliding reactions of the lanes that slide; alpha is where the search starts and becomes the root. With c = tr(Wbar) / 2,
// x = alpha + c and N = adj(Wbar) g + alpha g = x g + e, D = det(Wbar + alpha I) = x^2 - delta, r_T = -N / D. The secular
// equation, times D / x, is
//   F(alpha) = |N| / x - (mu / W_NN) (W_NT N / x - q_N D / x) = 0,
// nearly affine: exactly so where Wbar is a multiple of I (e = 0), and otherwise more so the larger x is. Newton's steps on F
// hence converge in one or two steps from anywhere, also for the huge alpha of a reaction that has hardly begun, and the root
// of its affine part is where they start unless e counts. Nothing overflows.
template <class Real>
NSM_INLINE void slide(CoulombBlock3<Real>& b, const MaskOf<Real>& slides, const Slide<Real>& at, Real* r) {
  using Mask = MaskOf<Real>;
  const Real zero = 0.0, infinity = std::numeric_limits<double>::infinity();
  const Real(&g)[2] = at.g, (&sticking)[2] = at.sticking;
  const Real shift = 0.5 * at.trace, delta = shift * shift - at.determinant, weight = b.mu * b.inverse_normal;
  const Real e[2] = {sticking[0] - shift * g[0], sticking[1] - shift * g[1]}, pull = -weight * at.normal_velocity;
  const Real coupled_e = weight * (b.wnt[0] * e[0] + b.wnt[1] * e[1]), squared = g[0] * g[0] + g[1] * g[1];
  const Real affine_root = (square_root(squared) - weight * (b.wnt[0] * g[0] + b.wnt[1] * g[1])) / pull;  // x
  const Real asymptote = smaller<Real>(largest_alpha, affine_root - shift);
  const Mask affine = affine_root * affine_root * squared > affinity * (e[0] * e[0] + e[1] * e[1]);
  Real alpha = select(affine | negation(b.alpha > zero), larger(zero, asymptote), b.alpha);
  Real low = zero, high = infinity;
  Real n[2], D, bound, tangent;  // N, D, mu Q and |N|, over x
  Mask active = slides, last = slides & negation(slides);
  for (int k = 0;; ++k) {
    const Real s = 1 / (alpha + shift);
    for (int i = 0; i < 2; ++i) n[i] = s * sticking[i] + (s * alpha) * g[i];
    D = s * at.determinant + alpha * (s * (at.trace + alpha));
    const Real coupled = weight * (b.wnt[0] * n[0] + b.wnt[1] * n[1]);
    bound = coupled + pull * D;
    tangent = square_root(n[0] * n[0] + n[1] * n[1]);
    const Real excess = tangent - bound, rounding = DBL_EPSILON * (tangent + magnitude(coupled) + pull * D);
    active = active & negation(last | (magnitude(excess) <= 4 * rounding));
    if (!any(active) || k == secular_iterations) break;
    const Mask above = excess > zero;
    low = select(above, alpha, low);
    high = select(above, high, alpha);
    // -F' times |N| / x.
    const Real slope = (pull * (1 + s * s * delta) - s * s * coupled_e) * tangent + s * s * (n[0] * e[0] + n[1] * e[1]);
    Real next = alpha + excess * tangent / slope;
    // Its square is below rounding: no further step would change anything.
    last = magnitude(next - alpha) <= quadratic_step * alpha;
    const bool slow = k >= newton_iterations && k % 2 == 1;
    const Mask outside = slow ? active : active & negation((next > low) & (next < high));
    if (any(outside)) {
      const Real beyond = select(asymptote > alpha, asymptote, 4 * alpha + at.trace);
      const Real halved = square_root(low + shift) * square_root(high + shift) - shift;
      next = select(outside, select(high < infinity, halved, beyond), next);
      last = last & negation(outside);
      active = active & negation(outside & negation((next > low) & (next < high)));  // the bracket is at rounding
    }
    alpha = select(active, next, alpha);
  }
  b.alpha = select(slides, alpha, b.alpha);
  // On the cone to the last bit, whatever the root's rounding.
  const Real normal = larger(zero, bound / (b.mu * D));
  const Real factor = -smaller(1 / D, b.mu * normal * (1 / tangent));
  r[0] = select(slides, normal, r[0]);
  for (int i = 0; i < 2; ++i) r[1 + i] = select(slides, factor * n[i], r[1 + i]);
}

// q: with the proximal term of the last reaction.
template <class Real>
NSM_INLINE void solve_contact(CoulombBlock3<Real>& b, const Real* q, Real* r) {
  using Mask = MaskOf<Real>;
  const Real zero = 0.0;
  const Mask open = q[0] >= zero, frictionless = b.mu == zero;
  if (!any(negation(open))) {
    r[0] = r[1] = r[2] = zero;
    return;
  }
  const Real* wbar = b.wbar;
  Slide<Real> at;
  for (int i = 0; i < 2; ++i) at.g[i] = q[1 + i] - b.wtn[i] * q[0] * b.inverse_normal;
  at.sticking[0] = wbar[3] * at.g[0] - wbar[2] * at.g[1];
  at.sticking[1] = wbar[0] * at.g[1] - wbar[1] * at.g[0];
  at.normal_velocity = q[0];
  at.trace = wbar[0] + wbar[3];
  at.determinant = wbar[0] * wbar[3] - wbar[1] * wbar[2];
  const Real inverse_determinant = 1 / at.determinant;
  const Real stick[2] = {-at.sticking[0] * inverse_determinant, -at.sticking[1] * inverse_determinant};
  const Real normal = -(q[0] + b.wnt[0] * stick[0] + b.wnt[1] * stick[1]) * b.inverse_normal, bound = b.mu * normal;
  const Mask sticks =
      negation(open | frictionless) & (bound >= zero) & (stick[0] * stick[0] + stick[1] * stick[1] <= bound * bound);
  r[0] = select(sticks, normal, select(open, zero, -q[0] * b.inverse_normal));
  for (int i = 0; i < 2; ++i) r[1 + i] = select(sticks, stick[i], zero);
  const Mask slides = negation(open | frictionless | sticks);
  if (any(slides)) slide(b, slides, at, r);
}

NSM_INLINE void solve_lanes(CoulombLanesSolver3& solver, const double* const* q_given, double* const* reactions) {
  CoulombBlock3<Lanes>& b = solver.block;
  const bool proximal = any(b.rho > Lanes(0.0));
  Lanes q[3], r[3];
  for (int i = 0; i < 3; ++i) {
    q[i] = join(q_given, i);
    if (proximal) q[i] = q[i] - b.rho * join(reactions, i);
  }
  solve_contact(b, q, r);
  for (int i = 0; i < 3; ++i) separate(r[i], reactions, i);
}

void solve_lanes_anywhere(CoulombLanesSolver3& solver, const double* const* q, double* const* r) { solve_lanes(solver, q, r); }
#ifdef __x86_64__
__attribute__((target("avx2"))) void solve_lanes_avx2(CoulombLanesSolver3& solver, const double* const* q, double* const* r) {
  solve_lanes(solver, q, r);
}
#endif

}  // namespace

void CoulombBlockSolver3::solve(const double* q_given, double* r) {
  const double rho = block_.rho, q[3] = {q_given[0] - rho * r[0], q_given[1] - rho * r[1], q_given[2] - rho * r[2]};
  solve_contact(block_, q, r);
}

void CoulombLanesSolver3::set(std::size_t lane, const OneBlock& one) {
  const CoulombBlock3<double>& from = one.block();
  block.mu.set(lane, from.mu);
  block.rho.set(lane, from.rho);
  block.inverse_normal.set(lane, from.inverse_normal);
  for (int i = 0; i < 2; ++i) {
    block.wtn[i].set(lane, from.wtn[i]);
    block.wnt[i].set(lane, from.wnt[i]);
  }
  for (int i = 0; i < 4; ++i) block.wbar[i].set(lane, from.wbar[i]);
  block.alpha.set(lane, from.alpha);
}

SolveCoulombLanes solve_coulomb_lanes([[maybe_unused]] bool widest) {
#ifdef __x86_64__
  if (widest && __builtin_cpu_supports("avx2")) return solve_lanes_avx2;
#endif
  return solve_lanes_anywhere;
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
