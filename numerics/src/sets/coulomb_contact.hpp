// The exact solution of one contact in 3D (coulomb_cone.hpp), for one number or eight lanes of them. To be included where it is
// compiled for an instruction set: nothing here may call a function of the standard library that other files share.
#pragma once

#include <cfloat>
#include <cmath>

#include "core/lanes.hpp"
#include "sets/coulomb_block.hpp"

namespace nonsmooth {

constexpr int secular_iterations = 150, newton_iterations = 12;  // every second one halves from there on
constexpr double largest_alpha = 1e150, quadratic_step = 1e-8;
constexpr double affinity = 1000;  // of (x |g| / |e|)^2 beyond which the affine part is a better start than the last alpha

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
  const Real zero = 0.0, infinity = HUGE_VAL;
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

}  // namespace nonsmooth
