// Principal pivoting by all its rules: published problems, mixed and boxed ones, degenerate and infeasible ones.
#include <gtest/gtest.h>

#include "../support/box_problem.hpp"
#include "../support/generators.hpp"
#include "../support/solve.hpp"

namespace principal_pivoting_test {

using generate::at;
using generate::BoxProblem;
using generate::Lcp;
using generate::norm;
using generate::Random;
using generate::Values;
using support::Solution;

enum Rule { keller, bard, least_index };

class PivotRule : public testing::TestWithParam<Rule> {
 protected:
  Solution solve(const Lcp& lcp) const { return support::solve(lcp, "principal_pivoting", {{"rule", GetParam()}}); }
  Solution solve(const BoxProblem& box) const {
    return support::solve(support::problem(box).get(), "principal_pivoting", {{"rule", GetParam()}});
  }
};
INSTANTIATE_TEST_SUITE_P(All, PivotRule, testing::Values(keller, bard, least_index), [](const auto& parameter) {
  return std::string(parameter.param == keller ? "keller" : parameter.param == bard ? "bard" : "least_index");
});

TEST_P(PivotRule, PublishedProblems) {
  for (const Lcp& lcp : {generate::murty(10), generate::fathi(10), generate::kostreva(), generate::chandrasekaran(12)}) {
    const Solution s = solve(lcp);
    ASSERT_TRUE(s.converged()) << s.text();
    for (std::size_t i = 0; i < lcp.z.size(); ++i) EXPECT_NEAR(s.z[i], lcp.z[i], 1e-6);
  }
  Random random(201);
  for (int n : {5, 20, 60})
    for (bool hard : {false, true}) {
      const Lcp lcp = generate::harker_pang(random, n, hard);
      const Solution s = solve(lcp);
      ASSERT_TRUE(s.converged()) << s.text();
      EXPECT_LE(lcp.residual(s.z), 1e-8);
    }
}

// Murty (1978): on the upper triangular problem the rule of the least index goes through exponentially many bases.
TEST(PrincipalPivoting, LeastIndexTakesExponentiallyManyBases) {
  const int n = 10;
  Lcp lcp{n, generate::identity(n), Values(at(n), -1.0), Values(at(n), 0.0)};
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < j; ++i) lcp.M[at(i + j * n)] = 2;
  const Solution s = support::solve(lcp, "principal_pivoting", {{"rule", least_index}});
  ASSERT_TRUE(s.converged()) << s.text();
  EXPECT_NEAR(s.z[at(n - 1)], 1, 1e-12);
  EXPECT_EQ(s.result.iterations, (1 << n) - 1);
  EXPECT_LT(support::solve(lcp, "principal_pivoting", {{"rule", keller}}).result.iterations, 1 << (n - 1));
}

TEST_P(PivotRule, MixedAndBoxedProblemsWithPositiveDefiniteMatrices) {
  Random random(202);
  for (int k = 0; k < 400; ++k) {
    const int n = random.integer(1, 12);
    Values M = generate::gram(random, n, n, 0.1);
    if (k % 2 == 0) generate::add_skew(random, M, n, 1);
    const BoxProblem p = generate::constructed_box(random, n, M, k % 4 == 1);
    const Solution s = solve(p);
    EXPECT_TRUE(s.converged()) << "case " << k << ": " << s.text();
    EXPECT_LE(p.residual(s.z), 1.01e-8) << "case " << k;
  }
}

// Zero diagonal entries need pivots in blocks of two.
TEST(Keller, SemidefiniteSymmetricProblems) {
  Random random(203);
  for (int k = 0; k < 1000; ++k) {
    const int n = random.integer(2, 20), rank = random.integer(1, n);
    const Lcp lcp = generate::constructed(random, n, generate::gram(random, n, rank, 0));
    const Solution s = support::solve(lcp, "principal_pivoting");
    EXPECT_TRUE(s.converged()) << "case " << k << ", n = " << n << ", rank " << rank << ": " << s.text();
    EXPECT_LE(lcp.residual(s.z), 1.01e-8);
  }
}

// Integer data: many ties.
TEST(Keller, DegenerateSemidefiniteProblems) {
  Random random(204);
  for (int k = 0; k < 1000; ++k) {
    const int n = random.integer(2, 10);
    Lcp lcp{n, Values(at(n) * at(n), 0.0), Values(at(n)), Values(at(n))};
    Values A(at(n) * at(n));
    for (double& a : A) a = random.integer(-1, 1);
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i)
        for (int r = 0; r < n / 2; ++r) lcp.M[at(i + j * n)] += A[at(i + r * n)] * A[at(j + r * n)];
    for (double& z : lcp.z) z = random.integer(0, 1);
    lcp.q = generate::multiply(lcp.M, lcp.z);
    for (std::size_t i = 0; i < lcp.q.size(); ++i) lcp.q[i] = (lcp.z[i] > 0 ? 0 : random.integer(0, 1)) - lcp.q[i];
    const Solution s = support::solve(lcp, "principal_pivoting");
    EXPECT_TRUE(s.converged()) << "case " << k << ": " << s.text();
    EXPECT_LE(lcp.residual(s.z), 1.01e-8);
  }
}

// q with y'q < 0 for a y >= 0 in the kernel of M.
TEST(Keller, InfeasibleSemidefiniteProblemsAreProved) {
  Random random(205);
  for (int k = 0; k < 300; ++k) {
    const int n = random.integer(2, 12);
    const Values y = random.uniforms(n, 0.1, 1);
    Values A = random.normals(std::int64_t{n} * n);
    for (int c = 0; c < n; ++c) {  // columns of A orthogonal to y
      double product = 0, square = 0;
      for (int i = 0; i < n; ++i) {
        product += A[at(i + c * n)] * y[at(i)];
        square += y[at(i)] * y[at(i)];
      }
      for (int i = 0; i < n; ++i) A[at(i + c * n)] -= product / square * y[at(i)];
    }
    Lcp lcp{n, Values(at(n) * at(n), 0.0), random.normals(n), {}};
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i)
        for (int c = 0; c < n; ++c) lcp.M[at(i + j * n)] += A[at(i + c * n)] * A[at(j + c * n)];
    double product = 0;
    for (int i = 0; i < n; ++i) product += y[at(i)] * lcp.q[at(i)];
    lcp.q[0] -= (product + 1) / y[0];
    const Solution s = support::solve(lcp, "principal_pivoting");
    EXPECT_EQ(s.result.outcome, NSM_INFEASIBLE) << "case " << k << ": " << s.text();
  }
}

TEST_P(PivotRule, MatricesOfNoClassEndHonestly) {
  Random random(206);
  int solved = 0;
  for (int k = 0; k < 300; ++k) {
    const int n = random.integer(1, 8);
    const Lcp lcp = generate::constructed(random, n, random.normals(std::int64_t{n} * n));
    const Solution s =
        support::solve(lcp, "principal_pivoting", {{"rule", static_cast<double>(GetParam())}, {"max_iterations", 2000}});
    solved += s.converged() ? 1 : 0;
    EXPECT_EQ(s.converged(), lcp.residual(s.z) <= 1e-8) << "case " << k << ": " << s.text();
    EXPECT_NE(s.result.outcome, NSM_INFEASIBLE);
  }
  EXPECT_GT(solved, 100);
}

// From the solution of a neighbour few pivots are left.
TEST_P(PivotRule, StartsFromANeighbour) {
  Random random(207);
  std::int64_t cold_pivots = 0, warm_pivots = 0;
  for (int k = 0; k < 30; ++k) {
    const int n = 30;
    Lcp lcp = generate::constructed(random, n, generate::gram(random, n, n, 0.5));
    const auto problem = support::problem(lcp);
    const auto solver = support::setup(problem.get(), "principal_pivoting", {{"rule", static_cast<double>(GetParam())}});
    ASSERT_TRUE(support::solve(solver.get(), n).converged());
    for (double& q : lcp.q) q += 0.01 * random.normal();
    ASSERT_EQ(nsm_update_q(solver.get(), lcp.q.data(), n), NSM_OK);
    const Solution warm = support::solve(solver.get(), n), cold = solve(lcp);
    ASSERT_TRUE(warm.converged()) << warm.text();
    for (std::size_t i = 0; i < warm.z.size(); ++i) EXPECT_NEAR(warm.z[i], cold.z[i], 1e-8);
    cold_pivots += cold.result.iterations;
    warm_pivots += warm.result.iterations;
  }
  EXPECT_LT(warm_pivots, cold_pivots);
}

// Small whole numbers: rows of free variables that depend on each other, Schur complements that are 0 but for rounding.
TEST(Keller, SemidefiniteMixedProblemsAreDecided) {
  Random random(73);
  int infeasible = 0;
  for (int k = 0; k < 300; ++k) {
    const int n = random.integer(1, 7), rank = random.integer(0, n);
    Values factor(at(n * rank)), M(at(n * n), 0.0), q(at(n));
    for (double& x : factor) x = random.integer(-2, 2);
    for (double& x : q) x = random.integer(-3, 2);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        for (int r = 0; r < rank; ++r) M[at(i + j * n)] += factor[at(i + r * n)] * factor[at(j + r * n)];
    std::vector<std::int32_t> rows(at(n));
    for (std::int32_t& row : rows) row = random.integer(0, 1);
    const nsm_matrix view = support::dense(n, n, M);
    nsm_problem* raw = nullptr;
    ASSERT_EQ(nsm_problem_create_mlcp(&view, q.data(), rows.data(), &raw), NSM_OK) << nsm_last_error();
    const support::ProblemPtr problem(raw);
    for (const char* method : {"principal_pivoting", "lemke"}) {
      const Solution s = support::solve(problem.get(), method);
      EXPECT_TRUE(s.converged() || s.result.outcome == NSM_INFEASIBLE) << method << ", case " << k << ": " << s.text();
      infeasible += s.result.outcome == NSM_INFEASIBLE ? 1 : 0;
    }
  }
  EXPECT_GT(infeasible, 100);
}

TEST(Options, AChoiceIsAWord) {
  const auto options = support::options({});
  EXPECT_EQ(nsm_options_set_text(options.get(), "rule", "least_index"), NSM_OK) << nsm_last_error();
  double value = -1;
  EXPECT_EQ(nsm_options_get(options.get(), "rule", &value), NSM_OK);
  EXPECT_EQ(value, least_index);
  for (const char* bad : {"", "least", "keller bard", "1", "Keller"}) {
    EXPECT_EQ(nsm_options_set_text(options.get(), "rule", bad), NSM_INVALID_OPTION) << bad;
    EXPECT_NE(std::string(nsm_last_error()).find("keller bard least_index"), std::string::npos) << nsm_last_error();
  }
  EXPECT_EQ(nsm_options_set(options.get(), "rule", 3), NSM_INVALID_OPTION);
}

}  // namespace principal_pivoting_test
