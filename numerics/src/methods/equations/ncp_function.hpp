// The condition of one row, z in [lo, hi] and -w in its normal cone, as one equation phi(z, w) = 0, with an element of the
// generalised gradient of phi. Both derivatives are <= 0, so that Newton matrices are those of a regularised M.
#pragma once

#include <algorithm>
#include <cmath>

namespace nonsmooth {

enum class NcpFunction { fischer_burmeister, penalised, min };  // in the order of options.def

struct RowEquation {
  double value, dz, dw;
};

// Of a pair a >= 0, b >= 0, a b = 0.
struct PairEquation {
  double value, da, db;
};

// Fischer (1992): sqrt(a^2 + b^2) - a - b.
inline PairEquation fischer_burmeister(double a, double b) {
  const double sum = a + b, root = std::hypot(a, b);
  // For a positive sum the difference is formed without cancellation. At the kink: the limit along (1, 1).
  return {sum > 0 ? -2 * a * b / (root + sum) : root - sum, (root > 0 ? a / root : M_SQRT1_2) - 1,
          (root > 0 ? b / root : M_SQRT1_2) - 1};
}

// Chen, Chen and Kanzow (2000): a share of a+ b+ keeps level sets bounded and drives the products down.
inline PairEquation penalised_fischer_burmeister(double a, double b) {
  constexpr double share = 0.05;
  const double a_plus = std::max(a, 0.0), b_plus = std::max(b, 0.0);
  PairEquation phi = fischer_burmeister(a, b);
  phi.value = (1 - share) * phi.value - share * a_plus * b_plus;
  phi.da = (1 - share) * phi.da - (a > 0 ? share * b_plus : 0);
  phi.db = (1 - share) * phi.db - (b > 0 ? share * a_plus : 0);
  return phi;
}

// The natural map P(z - w) - z.
inline RowEquation natural_row(double z, double w, double lo, double hi) {
  const double x = z - w;
  if (x > lo && x < hi) return {-w, 0, -1};
  return {std::min(std::max(x, lo), hi) - z, -1, 0};
}

// Two bounds: phi(z - lo, phi(hi - z, -w)) (Billups 1995).
template <class Pair>
RowEquation composed_row(Pair&& phi, double z, double w, double lo, double hi) {
  if (std::isinf(lo) && std::isinf(hi)) return {-w, 0, -1};
  if (lo == hi) return {lo - z, -1, 0};
  if (std::isinf(hi)) {
    const PairEquation p = phi(z - lo, w);
    return {p.value, p.da, p.db};
  }
  const PairEquation upper = phi(hi - z, -w);
  if (std::isinf(lo)) return {-upper.value, upper.da, upper.db};
  const PairEquation outer = phi(z - lo, upper.value);
  return {outer.value, outer.da - outer.db * upper.da, -outer.db * upper.db};
}

inline RowEquation row_equation(NcpFunction function, double z, double w, double lo, double hi) {
  switch (function) {
    case NcpFunction::fischer_burmeister: return composed_row(fischer_burmeister, z, w, lo, hi);
    case NcpFunction::penalised: return composed_row(penalised_fischer_burmeister, z, w, lo, hi);
    case NcpFunction::min: break;
  }
  return natural_row(z, w, lo, hi);
}

}  // namespace nonsmooth
