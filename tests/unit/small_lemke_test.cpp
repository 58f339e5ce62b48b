// Lemke's path on a whole tableau, against the definition of an LCP, and where `auto` takes it.
#include "methods/pivoting/small_lemke.hpp"

#include <gtest/gtest.h>

#include "../support/solve.hpp"

namespace small_lemke_test {

using generate::at;
using generate::Values;
using nonsmooth::SmallLemke;

// G'G of rank r, and a skew part.
generate::Lcp semidefinite(generate::Random& random, int n, int rank, double skew) {
  const Values G = random.uniforms(std::int64_t{rank} * n, -1, 1), S = random.uniforms(std::int64_t{n} * n, -skew, skew);
  generate::Lcp lcp{n, Values(at(n) * at(n), 0.0), random.uniforms(n, -1, 0.2), {}};
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      double& entry = lcp.M[at(i + j * n)];
      for (int k = 0; k < rank; ++k) entry += G[at(k + i * rank)] * G[at(k + j * rank)];
      entry += S[at(i + j * n)] - S[at(j + i * n)];
    }
  return lcp;
}

void expect_solved(const generate::Lcp& lcp) {
  SmallLemke path;
  path.resize(lcp.n);
  Values z(at(lcp.n));
  std::int64_t pivots = 3;
  ASSERT_TRUE(path.follow(lcp.M.data(), lcp.q, z, pivots)) << lcp.n;
  EXPECT_LE(lcp.residual(z), 1e-12) << lcp.n;
  EXPECT_GT(pivots, 3) << lcp.n;
}

TEST(SmallLemke, SolvesDefiniteProblemsOfAnyOrder) {
  for (int n = 1; n <= 64; n += n < 8 ? 1 : 7) {
    generate::Random random(static_cast<std::uint64_t>(n));
    expect_solved(semidefinite(random, n, n + 2, n % 2 == 0 ? 0.5 : 0));
  }
}

// Contacts that hold one body at two points each: rows come in equal pairs, so that every ratio is a tie.
TEST(SmallLemke, BreaksTies) {
  for (int pairs = 1; pairs <= 12; ++pairs) {
    generate::Random random(static_cast<std::uint64_t>(pairs));
    const generate::Lcp one = semidefinite(random, pairs, pairs, 0.3);
    const int n = 2 * pairs;
    generate::Lcp lcp{n, Values(at(n) * at(n)), Values(at(n)), {}};
    for (int i = 0; i < n; ++i) {
      lcp.q[at(i)] = one.q[at(i / 2)];
      for (int j = 0; j < n; ++j) lcp.M[at(i + j * n)] = one.M[at(i / 2 + j / 2 * pairs)];
    }
    expect_solved(lcp);
  }
}

// w = (-1 - z2, z1 + 1): no solution, and the path ends on a ray; z stays what it was.
TEST(SmallLemke, EndsOnRays) {
  const Values M = {0, 1, -1, 0}, q = {-1, 1};
  SmallLemke path;
  path.resize(2);
  Values z = {7, 7};
  std::int64_t pivots = 0;
  EXPECT_FALSE(path.follow(M.data(), q, z, pivots));
  EXPECT_EQ(z, (Values{7, 7}));
}

// A P-matrix, (1 2 0 / 0 1 2 / 2 0 1), on which exchanges of all wrong indices go round in circles.
TEST(SmallLemke, EndsWhatExchangesGoRoundOn) {
  const generate::Lcp lcp{3, {1, 0, 2, 2, 1, 0, 0, 2, 1}, {-1, -1, -1}, {}};
  const auto found = support::solve(lcp, "auto");
  ASSERT_TRUE(found.converged()) << found.text();
  EXPECT_STREQ(found.result.finished_by, "auto");
  for (const double z : found.z) EXPECT_NEAR(z, 1.0 / 3, 1e-15);
}

}  // namespace small_lemke_test
