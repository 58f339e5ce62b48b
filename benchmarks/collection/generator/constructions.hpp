// Problems from the plain vectors of the published families, and with solutions by construction.
#pragma once

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

}  // namespace nonsmooth::collection
