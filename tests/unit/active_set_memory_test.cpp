// Re-use of active sets: sequences of related problems, through `auto` and `direct`.
#include <gtest/gtest.h>

#include "../support/solve.hpp"

namespace active_set_memory_test {

using generate::at;
using generate::Values;

// Symmetric part positive definite, skew part of the same size.
generate::Lcp monotone(generate::Random& random, int n) {
  const Values G = random.uniforms(std::int64_t{n} * n, -1, 1), S = random.uniforms(std::int64_t{n} * n, -1, 1);
  generate::Lcp lcp{n, Values(at(n) * at(n), 0.0), random.uniforms(n, -1, 1), {}};
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      double sum = i == j ? 0.1 : 0;
      for (int k = 0; k < n; ++k) sum += G[at(i + k * n)] * G[at(j + k * n)] / n;
      lcp.M[at(i + j * n)] = sum + S[at(i + j * n)] - S[at(j + i * n)];
    }
  return lcp;
}

class Sequence : public testing::TestWithParam<const char*> {};

// q drifts, M changes now and then; every answer is the unique one.
TEST_P(Sequence, FollowsTheSolution) {
  for (int n : {1, 2, 5, 12, 40}) {
    generate::Random random(static_cast<std::uint64_t>(n));
    generate::Lcp lcp = monotone(random, n);
    const auto solver = support::setup(support::problem(lcp).get(), GetParam());
    for (int step = 0; step < 60; ++step) {
      const auto found = support::solve(solver.get(), n);
      const auto expected = support::solve(lcp, "lemke");
      ASSERT_TRUE(found.converged()) << n << ", " << step << ": " << found.text();
      for (int i = 0; i < n; ++i) EXPECT_NEAR(found.z[at(i)], expected.z[at(i)], 1e-7) << n << ", " << step;
      const Values drift = random.uniforms(n, -0.2, 0.2);
      for (int i = 0; i < n; ++i) lcp.q[at(i)] += drift[at(i)];
      ASSERT_EQ(nsm_update_q(solver.get(), lcp.q.data(), n), NSM_OK);
      if (step % 10 != 9) continue;
      lcp.M = monotone(random, n).M;
      const nsm_matrix M = support::dense(n, n, lcp.M);
      ASSERT_EQ(nsm_update_matrix(solver.get(), &M), NSM_OK);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Methods, Sequence, testing::Values("auto", "direct"), [](const auto& method) { return method.param; });

// Box constraints with both bounds active in turn: s in Sgn(x) along a path that crosses 0 (implicit Euler sliding mode).
TEST(ActiveSetMemory, RelaySlidesExactly) {
  const Values M = {0.1}, lo = {-1}, hi = {1};
  const nsm_matrix view = support::dense(1, 1, M);
  double x = 0.35;
  nsm_problem* raw = nullptr;
  ASSERT_EQ(nsm_problem_create_relay(&view, &x, lo.data(), hi.data(), &raw), NSM_OK);
  const support::ProblemPtr problem(raw);
  const auto solver = support::setup(problem.get(), nullptr);
  for (int step = 0; step < 10; ++step) {
    // x+ = x + 0.1 z,  x+ in -N_[-1,1](z): z = -1 while x > 0.1, then 0 = x + 0.1 z.
    const double before = x;
    ASSERT_EQ(nsm_update_q(solver.get(), &before, 1), NSM_OK);
    const auto s = support::solve(solver.get(), 1);
    ASSERT_TRUE(s.converged()) << s.text();
    x = s.w[0];
    EXPECT_NEAR(x, std::max(0.0, before - 0.1), 1e-15) << step;
  }
}

// A singular active block (P0, degenerate) ends the exchanges, not the solve.
TEST(ActiveSetMemory, SingularBlocksAreLeftToPivoting) {
  generate::Lcp lcp{3, {1, 1, 0, 1, 1, 0, 0, 0, 0}, {-1, -1, 0}, {}};
  EXPECT_TRUE(support::solve(lcp, "auto").converged());
  EXPECT_TRUE(support::solve(lcp, "direct").converged());
  lcp.q = {-1, -2, 1};  // z1 = 0, z2 = 2: w = (1, 0, 1)
  EXPECT_TRUE(support::solve(lcp, "direct").converged());
  lcp.q = {-1, -1, -1};  // w3 = -1 whatever z is
  EXPECT_EQ(support::solve(lcp, "direct").result.outcome, NSM_INFEASIBLE);
}

}  // namespace active_set_memory_test
