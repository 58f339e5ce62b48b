// Block principal pivoting on the families it is made for, and its honest end where the theory ends.
#include <gtest/gtest.h>

#include "../support/generators.hpp"
#include "../support/solve.hpp"

namespace block_principal_pivoting_test {

using generate::at;
using generate::Lcp;
using generate::Random;
using generate::Values;
using support::Solution;

constexpr const char* method = "block_principal_pivoting";

TEST(BlockPrincipalPivoting, MurtyFathiAndKostreva) {
  for (int n : {1, 2, 16, 100}) {
    for (const Lcp& lcp : {generate::murty(n), generate::fathi(n)}) {
      const Solution s = support::solve(lcp, method);
      ASSERT_TRUE(s.converged()) << s.text();
      EXPECT_LE(s.result.iterations, 2 * n + 10);
      for (std::size_t i = 0; i < s.z.size(); ++i) EXPECT_NEAR(s.z[i], lcp.z[i], 1e-6);
    }
  }
  EXPECT_TRUE(support::solve(generate::kostreva(), method).converged());
}

TEST(BlockPrincipalPivoting, PMatricesConvergeAlways) {
  Random random(201);
  for (int k = 0; k < 300; ++k) {
    const int n = random.integer(1, 40);
    Values M = generate::gram(random, n, n, 0.1);
    if (k % 2 == 0) generate::add_skew(random, M, n, random.magnitude(-1, 1));
    const Lcp lcp = generate::constructed(random, n, M);
    const Solution s = support::solve(lcp, method);
    EXPECT_TRUE(s.converged()) << "case " << k << ": " << s.text();
    EXPECT_LE(lcp.residual(s.z), 1e-12 + s.result.certificate.rounding_floor) << "exact on the right basis";
  }
}

// M and w in other units for each row, z for each column: a block is not singular for that.
TEST(BlockPrincipalPivoting, RowsAndColumnsOfOtherScales) {
  Random random(207);
  for (int k = 0; k < 40; ++k) {
    const int n = random.integer(20, 60);
    const Values G = generate::gram(random, n, n, 0.1);
    Values rows(at(n)), columns(at(n));
    for (double& row : rows) row = random.magnitude(-4, 4);
    for (double& column : columns) column = random.magnitude(-4, 4);
    if (k % 2 == 0) columns = rows;  // symmetric
    Lcp lcp = generate::constructed(random, n, G);
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i) lcp.M[at(i + j * n)] *= rows[at(i)] * columns[at(j)];
    for (int i = 0; i < n; ++i) lcp.q[at(i)] *= rows[at(i)];
    const Solution s = support::solve(lcp, method);
    EXPECT_TRUE(s.converged()) << "case " << k << ": " << s.text();
    EXPECT_LE(s.result.iterations, 15) << "case " << k;
  }
}

TEST(BlockPrincipalPivoting, HarkerPang) {
  Random random(202);
  for (int n : {5, 20, 60})
    for (bool hard : {false, true})
      for (int k = 0; k < 5; ++k) {
        const Lcp lcp = generate::harker_pang(random, n, hard);
        const Solution s = support::solve(lcp, method);
        EXPECT_TRUE(s.converged()) << s.text();
        EXPECT_LE(lcp.residual(s.z), 1e-8);
      }
}

TEST(BlockPrincipalPivoting, FewFactorisationsAndTheSolutionOfLemke) {
  Random random(203);
  const Lcp lcp = generate::constructed(random, 150, generate::gram(random, 150, 300, 0.1));
  const Solution s = support::solve(lcp, method), lemke = support::solve(lcp, "lemke");
  ASSERT_TRUE(s.converged() && lemke.converged());
  EXPECT_LE(s.result.iterations, 12);
  for (std::size_t i = 0; i < s.z.size(); ++i) EXPECT_NEAR(s.z[i], lemke.z[i], 1e-8);
}

// Of a matrix of half the rank every proximal problem has a long way to go, which shows after a few factorisations.
TEST(BlockPrincipalPivoting, GivesUpWhereWrongSignsDoNotHalve) {
  Random random(205);
  const Lcp definite = generate::constructed(random, 150, generate::gram(random, 150, 300, 0.1));
  EXPECT_TRUE(support::solve(definite, method, {{"patience", 4}}).converged());
  const Lcp half = generate::constructed(random, 150, generate::gram(random, 150, 76, 0));
  const Solution patient = support::solve(half, method), tried = support::solve(half, method, {{"patience", 4}});
  EXPECT_FALSE(tried.converged());
  EXPECT_LE(tried.result.iterations, 12);
  EXPECT_LT(tried.result.iterations, patient.result.iterations);
}

// Sums of rounded products in two orders: symmetric for all that matters.
TEST(BlockPrincipalPivoting, SparseStorageAndRoundedSymmetry) {
  Random random(204);
  const int n = 30;
  Lcp lcp = generate::constructed(random, n, generate::gram(random, n, n, 0.1));
  const Solution exact = support::solve(lcp, method);
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < j; ++i) lcp.M[at(i + j * n)] *= 1 + 4e-16;
  const Solution rounded = support::solve(lcp, method);
  EXPECT_TRUE(rounded.converged());
  std::vector<std::int32_t> start = {0}, index;
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < n; ++i) index.push_back(i);
    start.push_back(n * (j + 1));
  }
  const nsm_matrix M = nsm_matrix_csc(n, n, start.data(), index.data(), lcp.M.data());
  nsm_problem* raw = nullptr;
  ASSERT_EQ(nsm_problem_create_lcp(&M, lcp.q.data(), &raw), NSM_OK);
  const support::ProblemPtr problem(raw);
  const Solution sparse = support::solve(problem.get(), method);
  for (std::size_t i = 0; i < exact.z.size(); ++i) {
    EXPECT_NEAR(rounded.z[i], exact.z[i], 1e-10);
    EXPECT_EQ(sparse.z[i], rounded.z[i]);
  }
}

TEST(BlockPrincipalPivoting, SemidefiniteProblemsEndSoonAndHonestly) {
  Random random(205);
  int converged = 0;
  for (int k = 0; k < 100; ++k) {
    const int n = random.integer(4, 60);
    const Lcp lcp = generate::constructed(random, n, generate::gram(random, n, n / 2, 0));
    const Solution s = support::solve(lcp, method);
    converged += s.converged() ? 1 : 0;
    EXPECT_TRUE(s.converged() || s.result.outcome == NSM_STALLED) << s.text();
    EXPECT_LE(s.result.iterations, 12 * (n + 1));
    EXPECT_LE(s.result.certificate.residual, 1.01 * lcp.residual(Values(at(n), 0.0)) + 1e-8) << "not worse than the start";
  }
  RecordProperty("converged", converged);
}

// M = G G' with M y = 0 for a y > 0 and q'y < 0: proximal points show it.
TEST(BlockPrincipalPivoting, ProximalPointsProveThatThereIsNoSolution) {
  Random random(207);
  int proven = 0;
  for (int k = 0; k < 40; ++k) {
    const int n = random.integer(8, 60), rank = n / 2;
    Values G = random.normals(n * rank), y(at(n)), M(at(n * n), 0.0), q(at(n));
    for (double& value : y) value = random.uniform(0.5, 1.5);
    double square = 0, along = 0;
    for (const double value : y) square += value * value;
    for (int c = 0; c < rank; ++c, along = 0) {
      for (int i = 0; i < n; ++i) along += G[at(i + c * n)] * y[at(i)];
      for (int i = 0; i < n; ++i) G[at(i + c * n)] -= along / square * y[at(i)];
    }
    for (int c = 0; c < rank; ++c)
      for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i) M[at(i + j * n)] += G[at(i + c * n)] * G[at(j + c * n)];
    for (double& value : q) value = random.uniform(-1, 0.3);
    const nsm_matrix view = support::dense(n, n, M);
    nsm_problem* raw = nullptr;
    ASSERT_EQ(nsm_problem_create_lcp(&view, q.data(), &raw), NSM_OK);
    const support::ProblemPtr problem(raw);
    const Solution s = support::solve(problem.get(), method);
    proven += s.result.outcome == NSM_INFEASIBLE ? 1 : 0;
    EXPECT_TRUE(s.result.outcome == NSM_INFEASIBLE || s.result.outcome == NSM_STALLED) << s.text();
  }
  EXPECT_GE(proven, 30);
}

TEST(BlockPrincipalPivoting, WarmStartAndUpdates) {
  Random random(206);
  const int n = 60;
  Lcp lcp = generate::constructed(random, n, generate::gram(random, n, 2 * n, 0.1));
  const auto problem = support::problem(lcp);
  const auto solver = support::setup(problem.get(), method);
  const Solution first = support::solve(solver.get(), n);
  for (double& q : lcp.q) q *= 1 + 1e-3 * random.normal();
  ASSERT_EQ(nsm_update_q(solver.get(), lcp.q.data(), n), NSM_OK);
  const Solution warm = support::solve(solver.get(), n);
  ASSERT_TRUE(warm.converged());
  EXPECT_LE(warm.result.iterations, first.result.iterations + 1);
  EXPECT_LE(lcp.residual(warm.z), 1e-8);
  for (int i = 0; i < n; ++i) lcp.M[at(i) * at(n + 1)] += 1;
  lcp.M[1] += 0.1;  // no longer symmetric
  const nsm_matrix M = support::dense(n, n, lcp.M);
  ASSERT_EQ(nsm_update_matrix(solver.get(), &M), NSM_OK);
  const Solution updated = support::solve(solver.get(), n);
  ASSERT_TRUE(updated.converged());
  EXPECT_LE(lcp.residual(updated.z), 1e-8);
}

}  // namespace block_principal_pivoting_test
