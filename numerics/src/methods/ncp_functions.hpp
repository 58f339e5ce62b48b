// Functions phi(a, b) whose zeros are the points 0 <= a _|_ b >= 0, with an element of their generalised gradient.
#pragma once

#include <algorithm>
#include <cmath>

namespace nonsmooth {

struct NcpElement {
  double value = 0, da = 0, db = 0;
};

// a + b - sqrt(a^2 + b^2)  (Fischer 1992). At the kink the limit along (1, 1).
inline NcpElement fischer_burmeister(double a, double b) {
  const double sum = a + b, root = std::hypot(a, b);
  // For a positive sum the difference is formed without cancellation.
  const double value = sum > 0 ? 2 * a * b / (root + sum) : sum - root;
  return {value, 1 - (root > 0 ? a / root : M_SQRT1_2), 1 - (root > 0 ? b / root : M_SQRT1_2)};
}

// weight phi_FB + (1 - weight) max(a, 0) max(b, 0)  (Chen, Chen and Kanzow 2000): grows where both are large.
inline NcpElement penalised_fischer_burmeister(double a, double b, double weight) {
  const NcpElement fb = fischer_burmeister(a, b);
  const double penalty = 1 - weight, a_plus = std::max(a, 0.0), b_plus = std::max(b, 0.0);
  const bool inside = a > 0 && b > 0;
  return {weight * fb.value + penalty * a_plus * b_plus, weight * fb.da + (inside ? penalty * b : 0),
          weight * fb.db + (inside ? penalty * a : 0)};
}

inline NcpElement minimum(double a, double b) { return a < b ? NcpElement{a, 1, 0} : NcpElement{b, 0, 1}; }

// lo <= z <= hi, -w in N_[lo,hi](z), as phi(z - lo, -phi(hi - z, -w)) = 0  (Billups 1995); w itself where z is free.
template <class Phi>
NcpElement on_box(Phi&& phi, double z, double w, double lo, double hi) {
  NcpElement inner{w, 0, 1};
  if (hi < HUGE_VAL) {
    const NcpElement upper = phi(hi - z, -w);
    inner = {-upper.value, upper.da, upper.db};
  }
  if (lo == -HUGE_VAL) return inner;
  const NcpElement outer = phi(z - lo, inner.value);
  return {outer.value, outer.da + outer.db * inner.da, outer.db * inner.db};
}

}  // namespace nonsmooth
