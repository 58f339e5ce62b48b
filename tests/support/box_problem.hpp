// Problems with bounds of all kinds: mixed, relay and box problems as one.
#pragma once

#include <algorithm>

#include "generators.hpp"
#include "solve.hpp"

namespace generate {

struct BoxProblem {
  int n = 0;
  Values M, q, lo, hi;

  // |z - P(z - w)|_2 / max(1, |q|_2), from the definition.
  double residual(const Values& z) const {
    const Values w = multiply(M, z);
    double sum = 0;
    for (std::size_t i = 0; i < z.size(); ++i) {
      const double p = std::min(std::max(z[i] - w[i] - q[i], lo[i]), hi[i]);
      sum += (z[i] - p) * (z[i] - p);
    }
    return std::sqrt(sum) / std::max(1.0, norm(q));
  }
};

// Bounds of all kinds, q from a solution with random faces.
inline BoxProblem constructed_box(Random& random, int n, Values M, bool mixed_only) {
  BoxProblem p{n, std::move(M), Values(at(n)), Values(at(n)), Values(at(n))};
  Values z(at(n)), w(at(n), 0.0);
  for (std::size_t i = 0; i < z.size(); ++i) {
    const int kind = mixed_only ? 3 * random.integer(0, 1) : random.integer(0, 5);
    const double a = mixed_only ? 0 : random.normal(), b = a + random.uniform(0.1, 3);
    p.lo[i] = kind == 0 || kind == 1 ? -HUGE_VAL : a;
    p.hi[i] = kind == 0 || kind == 3 ? HUGE_VAL : kind == 5 && random.chance(0.3) ? a : b;
    const int face = kind == 0 ? 0 : random.integer(-1, 1);
    if (face < 0 && std::isfinite(p.lo[i])) {
      z[i] = p.lo[i];
      w[i] = random.uniform();
    } else if (face > 0 && std::isfinite(p.hi[i])) {
      z[i] = p.hi[i];
      w[i] = -random.uniform();
    } else {
      const double low = std::isfinite(p.lo[i]) ? p.lo[i] : p.hi[i] - 1, high = std::isfinite(p.hi[i]) ? p.hi[i] : low + 1;
      z[i] = kind == 0 ? random.normal() : low + (high - low) * random.uniform();
    }
  }
  p.q = right_hand_side(w, multiply(p.M, z));
  return p;
}

}  // namespace generate

namespace support {

inline ProblemPtr problem(const generate::BoxProblem& p) {
  nsm_problem* raw = nullptr;
  const nsm_matrix M = dense(p.n, p.n, p.M);
  EXPECT_EQ(nsm_problem_create_relay(&M, p.q.data(), p.lo.data(), p.hi.data(), &raw), NSM_OK) << nsm_last_error();
  return ProblemPtr(raw);
}

// Bounds are none at all, or 0 and infinity.
inline ProblemPtr mixed_problem(const generate::BoxProblem& p) {
  std::vector<std::int32_t> rows;
  for (double bound : p.lo) rows.push_back(std::isinf(bound) ? 0 : 1);
  nsm_problem* raw = nullptr;
  const nsm_matrix M = dense(p.n, p.n, p.M);
  EXPECT_EQ(nsm_problem_create_mlcp(&M, p.q.data(), rows.data(), &raw), NSM_OK) << nsm_last_error();
  return ProblemPtr(raw);
}

}  // namespace support
