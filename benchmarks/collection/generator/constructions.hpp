// Problems from the plain vectors of the published families, and with solutions by construction.
#pragma once

#include <cmath>

#include "../../../tests/support/lcp_families.hpp"
#include "dense.hpp"
#include "random.hpp"

namespace nonsmooth::collection {

inline nsm::Problem problem(const generate::Lcp& lcp) {
  return nsm::Problem::lcp(nsm::Matrix::dense(lcp.n, lcp.n, lcp.M), lcp.q);
}

// An LCP, or a relay problem where there are bounds.
inline nsm::Problem problem(const generate::SparseLcp& lcp) {
  const nsm::Matrix M = nsm::Matrix::csc(lcp.n, lcp.n, lcp.start, lcp.index, lcp.values);
  return lcp.lo.empty() ? nsm::Problem::lcp(M, lcp.q) : nsm::Problem::relay(M, lcp.q, lcp.lo, lcp.hi);
}

// G G' / n + shift I + a skew part; G has n rows and `rank` columns of entries in (-1, 1).
inline Dense gram_matrix(Random& random, int n, int rank, double shift, double skew) {
  Dense G(n, rank);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < rank; ++j) G(i, j) = random.uniform(-1, 1);
  Dense M = G.gram();
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) M(i, j) /= n;
    M(i, i) += shift;
    for (int j = 0; j < i; ++j) {
      const double s = skew * random.uniform(-1, 1);
      M(i, j) += s;
      M(j, i) -= s;
    }
  }
  return M;
}
inline Dense positive_definite(Random& random, int n, double shift, double skew) {
  return gram_matrix(random, n, n, shift, skew);
}

// z and w with shares .45 z > 0, .45 w > 0, .1 both zero.
inline nsm::Solution complementary_pair(Random& random, int n) {
  nsm::Solution pair{nsm::Vector(static_cast<std::size_t>(n)), nsm::Vector(static_cast<std::size_t>(n))};
  for (std::size_t i = 0; i < pair.z.size(); ++i) {
    const double draw = random.uniform(), value = random.uniform(0.1, 1);
    if (draw < 0.45) pair.z[i] = value;
    if (draw > 0.55) pair.w[i] = value;
  }
  return pair;
}

inline nsm::Vector unit_vector(Random& random, std::size_t size) {
  nsm::Vector v = random.vector(size, -1, 1);
  double square = 0;
  for (double x : v) square += x * x;
  for (double& x : v) x /= std::sqrt(square);
  return v;
}

// Appends a contact that is open (0), sticks (1) or slides (2), and dilates as it does so.
inline void choose_contact(Random& random, std::size_t size, double mu, int state, nsm::Vector& z, nsm::Vector& w,
                           double dilatancy = 0) {
  const double normal = random.uniform(0.5, 2), speed = random.uniform(0.1, 1);
  const nsm::Vector direction = unit_vector(random, size - 1);
  z.push_back(state == 0 ? 0.0 : normal);
  w.push_back(state == 0 ? speed : state == 2 ? dilatancy * speed : 0.0);
  for (double d : direction) {
    z.push_back(state == 0 ? 0.0 : (state == 1 ? 0.5 : 1.0) * mu * normal * d);
    w.push_back(state == 1 ? 0.0 : -speed * d);
  }
}

}  // namespace nonsmooth::collection
