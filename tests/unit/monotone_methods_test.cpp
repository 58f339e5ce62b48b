// Methods for monotone problems on problems with known solutions or unique ones.
#include <gtest/gtest.h>

#include <cmath>

#include "../support/solve.hpp"

namespace monotone_methods_test {

using generate::at;
using generate::Lcp;
using generate::Random;
using generate::Values;
using support::Solution;

class MonotoneMethod : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(All, MonotoneMethod, testing::Values("interior_point", "admm", "auto"),
                         [](const auto& parameter) { return std::string(parameter.param); });

TEST_P(MonotoneMethod, HarkerPang) {
  Random random(61);
  for (int k = 0; k < 10; ++k) {
    const Lcp lcp = generate::harker_pang(random, 10 + 5 * k, k % 2 == 0);
    const Solution s = support::solve(lcp, GetParam());
    EXPECT_TRUE(s.converged()) << lcp.n << ": " << s.text();
    EXPECT_LE(lcp.residual(s.z), 1e-12) << "the active set is solved exactly";
  }
}

TEST_P(MonotoneMethod, SemidefiniteWithDegenerateRows) {
  Random random(62);
  for (int k = 0; k < 20; ++k) {
    const int n = random.integer(5, 40);
    const Lcp lcp = generate::constructed(random, n, generate::gram(random, n, std::max(1, n / 2), 0));
    const Solution s = support::solve(lcp, GetParam());
    EXPECT_TRUE(s.converged()) << n << ": " << s.text();
  }
}

TEST_P(MonotoneMethod, BadlyScaledRows) {
  Random random(63);
  const int n = 20;
  Values M = generate::gram(random, n, 2 * n, 0.1);
  const Values scale = [&] {
    Values s(at(n));
    for (double& x : s) x = random.magnitude(-2, 2);
    return s;
  }();
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) M[at(i + j * n)] *= scale[at(i)] * scale[at(j)];
  const Solution s = support::solve(generate::constructed(random, n, M), GetParam());
  EXPECT_TRUE(s.converged()) << s.text();
}

// z in a box with infinite, one-sided, finite and equal bounds; q from a chosen solution. M definite: z is unique.
TEST_P(MonotoneMethod, Boxes) {
  Random random(64);
  for (int k = 0; k < 20; ++k) {
    const int n = random.integer(1, 30);
    Values M = generate::gram(random, n, 2 * n, 0.5);
    generate::add_skew(random, M, n, 0.5);
    Values lo(at(n)), hi(at(n)), z(at(n)), w(at(n), 0.0);
    for (std::size_t i = 0; i < z.size(); ++i) {
      z[i] = random.normal();
      const int face = random.integer(0, 3);
      lo[i] = face == 1 || face == 3 ? z[i] : random.chance(0.5) ? -HUGE_VAL : z[i] - random.uniform(0.1, 1);
      hi[i] = face == 2 || face == 3 ? z[i] : random.chance(0.5) ? HUGE_VAL : z[i] + random.uniform(0.1, 1);
      if (face > 0) w[i] = (face == 1 ? 1 : face == 2 ? -1 : random.chance(0.5) ? 1 : -1) * random.uniform(0, 1);
    }
    const Values q = generate::right_hand_side(w, generate::multiply(M, z));
    const nsm_matrix view = support::dense(n, n, M);
    nsm_problem* raw = nullptr;
    ASSERT_EQ(nsm_problem_create_relay(&view, q.data(), lo.data(), hi.data(), &raw), NSM_OK) << nsm_last_error();
    const support::ProblemPtr problem(raw);
    const Solution s = support::solve(problem.get(), GetParam());
    EXPECT_TRUE(s.converged()) << s.text();
    for (std::size_t i = 0; i < z.size(); ++i) EXPECT_NEAR(s.z[i], z[i], 1e-7);
  }
}

// {H z >= k} with chosen active rows and multipliers, M definite and not symmetric.
TEST_P(MonotoneMethod, Polyhedra) {
  Random random(65);
  for (int k = 0; k < 20; ++k) {
    const int n = random.integer(2, 10), rows = random.integer(1, 12), active = random.integer(0, std::min(n, rows));
    Values M = generate::gram(random, n, 2 * n, 0.5);
    generate::add_skew(random, M, n, 0.3);
    const Values H = random.normals(std::int64_t{rows} * n), z = random.normals(n);
    Values bound = generate::multiply(H, z), q(at(n), 0.0);
    for (int i = 0; i < rows; ++i) {
      if (i >= active) bound[at(i)] -= random.uniform(0.1, 1);
      const double multiplier = i < active ? random.uniform(0.1, 1) : 0.0;
      for (int j = 0; j < n; ++j) q[at(j)] += multiplier * H[at(i + j * rows)];
    }
    q = generate::right_hand_side(q, generate::multiply(M, z));
    const nsm_matrix view = support::dense(n, n, M), rows_view = support::dense(rows, n, H);
    nsm_problem* raw = nullptr;
    ASSERT_EQ(nsm_problem_create_avi(&view, q.data(), &rows_view, bound.data(), nullptr, nullptr, &raw), NSM_OK);
    const support::ProblemPtr problem(raw);
    const Solution s = support::solve(problem.get(), GetParam());
    EXPECT_TRUE(s.converged()) << s.text();
    for (std::size_t i = 0; i < z.size(); ++i) EXPECT_NEAR(s.z[i], z[i], 1e-6);
  }
}

// Equality rows and rows of complementarity; the block of the equalities alone is singular.
TEST_P(MonotoneMethod, SaddlePoint) {
  const int n = 3;  // min z1^2 + z2^2 subject to z1 + z2 = 2 (multiplier z3, free), z >= 0
  const Values M = {2, 0, 1, 0, 2, 1, -1, -1, 0}, q = {0, 0, -2};
  const std::int32_t rows[] = {1, 1, 0};
  const nsm_matrix view = support::dense(n, n, M);
  nsm_problem* raw = nullptr;
  ASSERT_EQ(nsm_problem_create_mlcp(&view, q.data(), rows, &raw), NSM_OK);
  const support::ProblemPtr problem(raw);
  const Solution s = support::solve(problem.get(), GetParam());
  ASSERT_TRUE(s.converged()) << s.text();
  EXPECT_NEAR(s.z[0], 1, 1e-8);
  EXPECT_NEAR(s.z[1], 1, 1e-8);
  EXPECT_NEAR(s.z[2], 2, 1e-8);
}

// From its start Mehrotra's method goes round in circles, of four steps.
TEST_P(MonotoneMethod, ABoxThatCorrectionsLeadRound) {
  const Values M = {7, 1, 4, 6, -4, -1, 11, -4, 0, 5, 4, -4, 7, 6, 0, 6, 2, 0, 7, 3, -4, 3, -2, -5, 10};  // by columns
  const Values q = {2, 1, -1, -1, 1}, lo = {-2, -1, -2, -1, -2}, hi = {HUGE_VAL, 1, 0, 2, 0};
  const nsm_matrix view = support::dense(5, 5, M);
  nsm_problem* raw = nullptr;
  ASSERT_EQ(nsm_problem_create_relay(&view, q.data(), lo.data(), hi.data(), &raw), NSM_OK) << nsm_last_error();
  const support::ProblemPtr problem(raw);
  const Solution s = support::solve(problem.get(), GetParam());
  EXPECT_TRUE(s.converged()) << s.text();
}

// Semidefinite problems of a few hundred unknowns take a few dozen iterations, not hundreds.
TEST(InteriorPoint, FewIterations) {
  Random random(66);
  const int n = 200;
  const Lcp lcp = generate::constructed(random, n, generate::gram(random, n, n / 2, 0));
  const Solution s = support::solve(lcp, "interior_point");
  EXPECT_TRUE(s.converged()) << s.text();
  EXPECT_LE(s.result.iterations, 40);
}

}  // namespace monotone_methods_test
