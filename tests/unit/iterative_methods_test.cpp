// Jacobi, projected conjugate gradients, LATIN, extragradient and fixed point projections: problems inside the range each is safe
// for are solved, all others end honestly.
#include <gtest/gtest.h>

#include <cmath>

#include "../support/box_problem.hpp"
#include "../support/generators.hpp"
#include "../support/solve.hpp"

namespace iterative_methods_test {

using generate::at;
using generate::BoxProblem;
using generate::Lcp;
using generate::norm;
using generate::Random;
using generate::Values;
using support::Solution;

class Iterative : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(All, Iterative,
                         testing::Values("jacobi", "projected_conjugate_gradient", "latin", "extragradient",
                                         "fixed_point_projection"),
                         [](const auto& parameter) { return std::string(parameter.param); });

// Without a condition on symmetry.
class Monotone : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(All, Monotone, testing::Values("latin", "extragradient"),
                         [](const auto& parameter) { return std::string(parameter.param); });

TEST_P(Iterative, SymmetricPositiveDefiniteBoxes) {
  Random random(401);
  for (int k = 0; k < 150; ++k) {
    const int n = random.integer(1, 15);
    const BoxProblem p = generate::constructed_box(random, n, generate::gram(random, n, 2 * n, 0.1), k % 4 == 1);
    const Solution s = support::solve(support::problem(p).get(), GetParam());
    ASSERT_TRUE(s.converged()) << "case " << k << ": " << s.text();
    EXPECT_LE(p.residual(s.z), 1.01e-8);
  }
}

TEST_P(Iterative, StartsAtASolution) {
  Random random(402);
  const Lcp lcp = generate::constructed(random, 8, generate::gram(random, 8, 16, 0.5));
  const auto problem = support::problem(lcp);
  const auto solver = support::setup(problem.get(), GetParam());
  ASSERT_EQ(nsm_warm_start(solver.get(), lcp.z.data(), lcp.n), NSM_OK);
  EXPECT_EQ(support::solve(solver.get(), lcp.n).result.iterations, 0);
}

// A new matrix of the same pattern is taken up.
TEST_P(Iterative, FollowsAnUpdateOfTheMatrix) {
  Random random(403);
  const int n = 10;
  const Lcp first = generate::constructed(random, n, generate::gram(random, n, 2 * n, 0.2));
  Lcp second = generate::constructed(random, n, generate::gram(random, n, 2 * n, 0.2));
  second.q = first.q;
  const auto problem = support::problem(first);
  const auto solver = support::setup(problem.get(), GetParam());
  ASSERT_TRUE(support::solve(solver.get(), n).converged());
  const nsm_matrix M = support::dense(n, n, second.M);
  ASSERT_EQ(nsm_update_matrix(solver.get(), &M), NSM_OK) << nsm_last_error();
  const Solution s = support::solve(solver.get(), n);
  EXPECT_TRUE(s.converged()) << s.text();
  EXPECT_LE(second.residual(s.z), 1.01e-8);
}

TEST_P(Iterative, InfeasibleProblemsEndHonestly) {
  for (const Lcp& lcp : {Lcp{1, {-1}, {-1}, {}}, Lcp{2, {1, -1, -1, 1}, {-1, -1}, {}}, Lcp{2, {0, 0, 0, 0}, {-1, 2}, {}}}) {
    const Solution s = support::solve(lcp, GetParam(), {{"max_iterations", 5000}});
    EXPECT_FALSE(s.converged()) << s.text();
  }
}

TEST_P(Monotone, PositiveDefiniteBoxesThatAreNotSymmetric) {
  Random random(404);
  for (int k = 0; k < 100; ++k) {
    const int n = random.integer(1, 12);
    Values M = generate::gram(random, n, 2 * n, 0.2);
    generate::add_skew(random, M, n, 2);
    const BoxProblem p = generate::constructed_box(random, n, M, false);
    const Solution s = support::solve(support::problem(p).get(), GetParam());
    ASSERT_TRUE(s.converged()) << "case " << k << ": " << s.text();
    EXPECT_LE(p.residual(s.z), 1.01e-8);
  }
}

// A skew M: projected steps alone circle around the solution, extrapolated ones do not.
TEST(Extragradient, RotationsConverge) {
  const Lcp lcp{2, {0, 1, -1, 0}, {1, -1}, {1, 1}};  // w = (1 - z2, z1 - 1)
  const Solution s = support::solve(lcp, "extragradient"), fixed = support::solve(lcp, "fixed_point_projection");
  ASSERT_TRUE(s.converged()) << s.text();
  EXPECT_LE(lcp.residual(s.z), 1e-8);
  EXPECT_EQ(fixed.converged(), lcp.residual(fixed.z) <= 1e-8);
}

// Strictly diagonally dominant, not symmetric: Jacobi's ground.
TEST(Jacobi, DiagonallyDominantProblems) {
  Random random(405);
  for (int k = 0; k < 100; ++k) {
    const int n = random.integer(2, 30);
    Values M = random.normals(std::int64_t{n} * n);
    for (int i = 0; i < n; ++i) {
      double sum = 0.5;
      for (int j = 0; j < n; ++j) sum += j == i ? 0 : std::abs(M[at(i + j * n)]);
      M[at(i) * at(n + 1)] = sum;
    }
    const Lcp lcp = generate::constructed(random, n, M);
    const Solution s = support::solve(lcp, "jacobi");
    ASSERT_TRUE(s.converged()) << "case " << k << ": " << s.text();
    for (std::size_t i = 0; i < s.z.size(); ++i) EXPECT_NEAR(s.z[i], lcp.z[i], 1e-6);
  }
}

TEST(ProjectedConjugateGradient, EndsInFewStepsOnAFace) {
  Random random(406);
  const int n = 100;
  const Lcp lcp = generate::constructed(random, n, generate::gram(random, n, 2 * n, 1));
  const Solution s = support::solve(lcp, "projected_conjugate_gradient", {{"check_interval", 1}});
  ASSERT_TRUE(s.converged()) << s.text();
  EXPECT_LE(s.result.iterations, 2 * n);
  const Solution sweeps = support::solve(lcp, "jacobi");
  EXPECT_LT(s.result.iterations, sweeps.result.iterations);
}

TEST(ProjectedConjugateGradient, SemidefiniteProblems) {
  Random random(407);
  for (int k = 0; k < 100; ++k) {
    const int n = random.integer(2, 15);
    const Lcp lcp = generate::constructed(random, n, generate::gram(random, n, (n + 1) / 2, 0));
    const Solution s = support::solve(lcp, "projected_conjugate_gradient");
    EXPECT_TRUE(s.converged()) << "case " << k << ": " << s.text();
    EXPECT_LE(lcp.residual(s.z), 1.01e-8);
  }
}

TEST(ProjectedConjugateGradient, RefusesWhatIsNotSymmetric) {
  const auto problem = support::problem(generate::murty(4));
  nsm_solver* solver = nullptr;
  EXPECT_EQ(nsm_setup(problem.get(), "projected_conjugate_gradient", nullptr, &solver), NSM_UNSUPPORTED);
  EXPECT_NE(std::string(nsm_last_error()).find("symmetric"), std::string::npos);
}

// The search direction changes the way, not the answer.
TEST(Latin, AnySearchDirectionConverges) {
  Random random(408);
  const Lcp lcp = generate::constructed(random, 12, generate::gram(random, 12, 24, 0.5));
  for (double factor : {0.1, 1.0, 10.0})
    for (double relaxation : {0.7, 1.0, 1.5}) {
      const Solution s = support::solve(lcp, "latin", {{"search_direction", factor}, {"relaxation", relaxation}});
      ASSERT_TRUE(s.converged()) << s.text();
      for (std::size_t i = 0; i < s.z.size(); ++i) EXPECT_NEAR(s.z[i], lcp.z[i], 1e-6);
    }
}

TEST(ProjectionMethods, FrictionWithAKnownSolution) {
  Random random(409);
  for (const char* method : {"extragradient", "fixed_point_projection"})
    for (int k = 0; k < 20; ++k) {
      const int contacts = random.integer(1, 6), n = 3 * contacts;
      const generate::Friction f = generate::constructed_friction(random, 3, contacts, generate::gram(random, n, 2 * n, 0.5));
      const Solution s = support::solve(f, method);
      EXPECT_TRUE(s.converged()) << method << ", case " << k << ": " << s.text();
      EXPECT_LE(generate::friction_residual(f, s.z), 1.01e-8);
    }
}

}  // namespace iterative_methods_test
