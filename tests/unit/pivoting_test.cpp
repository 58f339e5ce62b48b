// Lemke's method beyond the plain LCP: mixed and boxed variables, polyhedra, bimatrix games, starting points, and what a tableau
// of delayed updates must not lose. Answers are checked by definitions written here, or against enumeration.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "../support/box_problem.hpp"
#include "../support/generators.hpp"
#include "../support/solve.hpp"
#include "methods/pivoting/condensed_tableau.hpp"
#include "nonsmooth/nonsmooth.hpp"

namespace pivoting_test {

using generate::at;
using generate::BoxProblem;
using generate::Lcp;
using generate::norm;
using generate::Random;
using generate::Values;
using support::ProblemPtr;
using support::Solution;

Values random_matrix(Random& random, int n, int kind) {
  if (kind == 0) return random.normals(std::int64_t{n} * n);
  Values M = generate::gram(random, n, kind == 1 ? n : std::max(1, n / 2), kind == 1 ? 0.1 : 0);
  if (kind == 3) generate::add_skew(random, M, n, 1);
  return M;
}

// x_B = T x_N after any exchanges, delayed or not, equals elimination in one dense tableau.
TEST(CondensedTableau, EqualsPlainElimination) {
  Random random(91);
  for (int n : {1, 5, 23, 24, 60, 310}) {
    nonsmooth::CondensedTableau tableau;
    tableau.resize(n);
    const int cols = n + 1;
    Values plain = random.normals(std::int64_t{n} * cols), column(at(n));
    tableau.shape(0, n, cols);
    for (int j = 0; j < cols; ++j) tableau.set_column(j, plain.data() + std::ptrdiff_t{j} * n);
    for (int step = 0; step < 75; ++step) {
      const int j = random.integer(0, cols - 1);
      tableau.column(j, column.data());
      int row = 0;
      double size = 0, defect = 0;
      for (int i = 0; i < n; ++i) {
        const double expected = plain[at(i + std::int64_t{j} * n)];
        defect = std::max(defect, std::abs(column[at(i)] - expected));
        size = std::max(size, std::abs(expected));
        if (std::abs(column[at(i)]) > std::abs(column[at(row)])) row = i;
      }
      ASSERT_LE(defect, 1e-8 * (1 + size)) << "n = " << n << ", step " << step;
      tableau.exchange(row, j, column.data());
      const Values old = plain;
      auto entry = [&](int i, int k) { return old[at(i + std::int64_t{k} * n)]; };
      const double pivot = entry(row, j);
      for (int k = 0; k < cols; ++k)
        for (int i = 0; i < n; ++i)
          plain[at(i + std::int64_t{k} * n)] = i == row ? (k == j ? 1 / pivot : -entry(row, k) / pivot)
                                               : k == j ? entry(i, j) / pivot
                                                        : entry(i, k) - entry(i, j) * entry(row, k) / pivot;
    }
  }
}

TEST(Lemke, MonotoneBoxProblemsOfAllKindsOfBounds) {
  Random random(92);
  for (int k = 0; k < 1000; ++k) {
    const int n = random.integer(1, 12);
    const BoxProblem p = generate::constructed_box(random, n, random_matrix(random, n, 1 + k % 3), false);
    const Solution s = support::solve(support::problem(p).get(), "lemke");
    EXPECT_TRUE(s.converged()) << "case " << k << ": " << s.text();
    EXPECT_LE(p.residual(s.z), 1.01e-8) << "case " << k;
  }
}

// Any M on a bounded box has a solution, and the path has no ray to end on.
TEST(Lemke, BoundedBoxesWithAnyMatrix) {
  Random random(93);
  int missed = 0;
  for (int k = 0; k < 1000; ++k) {
    const int n = random.integer(1, 20);
    BoxProblem p{n, random.normals(std::int64_t{n} * n), random.normals(n), Values(at(n), -1.0), Values(at(n), 1.0)};
    const Solution s = support::solve(support::problem(p).get(), "lemke");
    missed += s.converged() ? 0 : 1;
    if (s.converged()) {
      EXPECT_LE(p.residual(s.z), 1.01e-8) << "case " << k;
    }
  }
  EXPECT_EQ(missed, 0);
}

// Where enumeration finds a solution of a mixed problem, Lemke finds one for monotone M; for others it says so honestly.
TEST(Lemke, MixedProblemsAgainstEnumeration) {
  Random random(94);
  int solvable[2] = {0, 0}, missed[2] = {0, 0};
  for (int k = 0; k < 2000; ++k) {
    const int n = random.integer(1, 8), kind = k % 4;
    const BoxProblem p = generate::constructed_box(random, n, random_matrix(random, n, kind), true);
    const ProblemPtr problem = support::mixed_problem(p);
    const bool monotone = kind > 0;
    if (!support::solve(problem.get(), "enumeration").converged()) continue;
    ++solvable[monotone];
    const Solution s = support::solve(problem.get(), "lemke");
    if (s.converged()) {
      EXPECT_LE(p.residual(s.z), 1.01e-8) << "case " << k;
      continue;
    }
    ++missed[monotone];
    EXPECT_NE(s.result.outcome, NSM_INFEASIBLE);
    if (monotone) ADD_FAILURE() << "case " << k << ", n = " << n << ": " << s.text();
  }
  RecordProperty("missed_of_any_matrix", missed[0]);
  EXPECT_GT(solvable[0], 400);
  EXPECT_GT(solvable[1], 1400);
  EXPECT_LE(missed[0], solvable[0] / 5);
}

TEST(Lemke, SingularEqualityBlocks) {
  // Row 0 holds v = 1 and has no free variable in it; u follows from w = u - v + 3 = 0.
  BoxProblem p{2, {0, 1, 1, -1}, {-1, 3}, {-HUGE_VAL, 0}, {HUGE_VAL, HUGE_VAL}};
  Solution s = support::solve(support::mixed_problem(p).get(), "lemke");
  ASSERT_TRUE(s.converged()) << s.text();
  EXPECT_NEAR(s.z[0], -2, 1e-12);
  EXPECT_NEAR(s.z[1], 1, 1e-12);
  // The same equation twice: consistent, then not.
  p = {3, {1, 2, 0, 1, 2, 0, 0, 0, 1}, {-1, -2, -1}, {-HUGE_VAL, -HUGE_VAL, 0}, Values(3, HUGE_VAL)};
  s = support::solve(support::mixed_problem(p).get(), "lemke");
  EXPECT_TRUE(s.converged()) << s.text();
  EXPECT_LE(p.residual(s.z), 1e-8);
  p.q[1] = -3;
  s = support::solve(support::mixed_problem(p).get(), "lemke");
  EXPECT_EQ(s.result.outcome, NSM_INFEASIBLE) << s.text();
}

// A skew M is monotone. With an odd number of free variables their block is singular, but rounding leaves pivots of 1e-16 in it,
// not 0: they are no basis to start from.
TEST(Lemke, SkewProblemsWithAnOddNumberOfFreeVariables) {
  Random random(97);
  for (int k = 0; k < 40; ++k) {
    const int n = 60, free_count = 2 * random.integer(8, 18) + 1;
    BoxProblem p{n, Values(at(n * n), 0.0), Values(at(n), 0.0), Values(at(n), 0.0), Values(at(n), HUGE_VAL)};
    generate::add_skew(random, p.M, n, 1);
    for (int i = 0; i < n; ++i) {  // q = w - M z for a complementary pair (z, w)
      const double z = i < free_count ? random.normal() : random.uniform(-1, 1);
      if (i < free_count) p.lo[at(i)] = -HUGE_VAL;
      if (i >= free_count && z < 0) p.q[at(i)] -= z;
      for (int j = 0; j < n; ++j) p.q[at(j)] -= i < free_count || z > 0 ? p.M[at(j + i * n)] * z : 0.0;
    }
    const Solution s = support::solve(support::mixed_problem(p).get(), "lemke");
    ASSERT_TRUE(s.converged()) << "problem " << k << ": " << s.text();
    EXPECT_LE(p.residual(s.z), 1e-8);
  }
}

// -(M z + q) in N_P(z) by its multipliers: l >= 0 least squares is left to the certificate; here the solution is known.
TEST(Lemke, Polyhedra) {
  Random random(95);
  for (int k = 0; k < 100; ++k) {
    const int n = random.integer(1, 10), m = random.integer(1, 12);
    Values M = generate::gram(random, n, n, 0.1), H = random.normals(std::int64_t{m} * n), bound(at(m)), z = random.normals(n),
           w(at(n), 0.0);
    if (k % 2 == 0) generate::add_skew(random, M, n, 1);
    for (int i = 0; i < m; ++i) {
      const double multiplier = i % 3 == 0 && i < 3 * n ? random.uniform() : 0;
      bound[at(i)] = multiplier > 0 ? 0 : -random.uniform();
      for (int j = 0; j < n; ++j) {
        bound[at(i)] += H[at(i + std::int64_t{j} * m)] * z[at(j)];
        w[at(j)] += multiplier * H[at(i + std::int64_t{j} * m)];
      }
    }
    const Values q = generate::right_hand_side(w, generate::multiply(M, z));
    nsm_problem* raw = nullptr;
    const nsm_matrix view = support::dense(n, n, M), rows = support::dense(m, n, H);
    ASSERT_EQ(nsm_problem_create_avi(&view, q.data(), &rows, bound.data(), nullptr, nullptr, &raw), NSM_OK) << nsm_last_error();
    const ProblemPtr problem(raw);
    EXPECT_STREQ(nsm_default_method(problem.get()), "auto");
    const Solution s = support::solve(problem.get(), nullptr);
    ASSERT_TRUE(s.converged()) << "case " << k << ": " << s.text();
    for (std::size_t i = 0; i < z.size(); ++i) EXPECT_NEAR(s.z[i], z[i], 1e-6 * (1 + norm(z))) << "case " << k;
  }
}

TEST(Lemke, BimatrixGames) {
  Random random(96);
  for (int k : {1, 2, 3, 5, 10, 30, 60})
    for (bool integers : {false, true})
      for (int repeat = 0; repeat < 5; ++repeat) {
        const Lcp lcp = generate::bimatrix(random, k, integers);
        const Solution s = support::solve(lcp, "lemke", {{"tolerance", 1e-10}});
        EXPECT_TRUE(s.converged()) << "k = " << k << ", integers " << integers << ": " << s.text();
        EXPECT_LE(lcp.residual(s.z), 1.01e-10);
      }
}

// The first labels of some lead through a thousand pivots, others of the same game through few.
TEST(Lemke, LongPathsOfBimatrixGamesAreLeftForShortOnes) {
  Random random(97);
  std::int64_t pivots = 0;
  for (int game = 0; game < 20; ++game) {
    const Solution s = support::solve(generate::bimatrix(random, 105, true), "lemke");
    EXPECT_TRUE(s.converged()) << game << ": " << s.text();
    pivots += s.result.iterations;
  }
  EXPECT_LE(pivots, 1000);
}

TEST(Lemke, BimatrixGamesOfOrder1000Slow) {
  Random random(97);
  for (int k : {150, 500})
    for (bool integers : {false, true}) {
      const Lcp lcp = generate::bimatrix(random, k, integers);
      const Solution s = support::solve(lcp, "lemke", {{"tolerance", 1e-10}});
      EXPECT_TRUE(s.converged()) << "k = " << k << ", integers " << integers << ": " << s.text();
      EXPECT_LE(lcp.residual(s.z), 1.01e-10);
    }
}

TEST(Lemke, MurtyAndFathiOfOrder500) {
  for (const Lcp& lcp : {generate::murty(500), generate::fathi(500)}) {
    const Solution s = support::solve(lcp, "lemke");
    ASSERT_TRUE(s.converged()) << s.text();
    EXPECT_LE(s.result.iterations, 1000);
    EXPECT_NEAR(s.z[0], 1, 1e-6);
  }
}

TEST(Lemke, SemidefiniteOfHalfRankUpToOrder300) {
  Random random(98);
  for (int n : {100, 200, 300})
    for (int k = 0; k < 4; ++k) {
      const Lcp lcp = generate::constructed(random, n, generate::gram(random, n, n / 2, 0));
      const Solution s = support::solve(lcp, "lemke");
      EXPECT_TRUE(s.converged()) << "n = " << n << ": " << s.text();
      EXPECT_LE(lcp.residual(s.z), 1.01e-8);
    }
}

TEST(Lemke, EveryRefactorIntervalGivesTheSolution) {
  Random random(99);
  const Lcp lcp = generate::constructed(random, 60, generate::gram(random, 60, 60, 0.1));
  for (double interval : {1, 2, 7, 8, 9, 1000}) {
    const Solution s = support::solve(lcp, "lemke", {{"refactor_interval", interval}});
    ASSERT_TRUE(s.converged()) << s.text();
    for (std::size_t i = 0; i < s.z.size(); ++i) EXPECT_NEAR(s.z[i], lcp.z[i], 1e-8);
  }
}

// From the solution of a neighbour: its active set, or a few pivots.
TEST(Lemke, WarmStarts) {
  Random random(100);
  std::int64_t cold_pivots = 0, warm_pivots = 0;
  for (int k = 0; k < 50; ++k) {
    const int n = 40;
    const Lcp lcp = generate::constructed(random, n, generate::gram(random, n, n, 0.1));
    Lcp moved = lcp;
    for (double& q : moved.q) q += 0.01 * random.normal();
    const ProblemPtr problem = support::problem(lcp);
    const auto solver = support::setup(problem.get(), "lemke");
    ASSERT_TRUE(support::solve(solver.get(), n).converged());
    ASSERT_EQ(nsm_update_q(solver.get(), moved.q.data(), n), NSM_OK);
    const Solution warm = support::solve(solver.get(), n), cold = support::solve(moved, "lemke");
    ASSERT_TRUE(warm.converged()) << warm.text();
    for (std::size_t i = 0; i < warm.z.size(); ++i) EXPECT_NEAR(warm.z[i], cold.z[i], 1e-8);
    cold_pivots += cold.result.iterations;
    warm_pivots += warm.result.iterations;
  }
  EXPECT_LT(4 * warm_pivots, cold_pivots);
}

// A start that has nothing to do with the solution costs pivots, not the answer.
TEST(Lemke, AnyStartingPointIsTaken) {
  Random random(101);
  for (int k = 0; k < 300; ++k) {
    const int n = random.integer(1, 15);
    const BoxProblem p = generate::constructed_box(random, n, random_matrix(random, n, 1 + k % 3), false);
    const ProblemPtr problem = support::problem(p);
    const auto solver = support::setup(problem.get(), "lemke");
    const Values start = random.normals(n);
    ASSERT_EQ(nsm_warm_start(solver.get(), start.data(), n), NSM_OK);
    const Solution s = support::solve(solver.get(), n);
    EXPECT_TRUE(s.converged()) << "case " << k << ": " << s.text();
    EXPECT_LE(p.residual(s.z), 1.01e-8);
  }
}

TEST(Lemke, DegenerateBoxProblems) {
  Random random(102);
  for (int k = 0; k < 500; ++k) {
    const int n = random.integer(2, 12);
    BoxProblem p{n, random_matrix(random, n, 2 + k % 2), Values(at(n)), Values(at(n), -1.0), Values(at(n), 1.0)};
    for (double& m : p.M) m = std::round(2 * m);
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < j; ++i) p.M[at(i + j * n)] = p.M[at(j + i * n)];
    for (int i = 0; i < n; ++i) p.M[at(i) * at(n + 1)] += 2 * n;
    Values z(at(n));
    for (double& x : z) x = random.integer(-1, 1);
    p.q = generate::multiply(p.M, z);
    for (double& q : p.q) q = -q;
    const Solution s = support::solve(support::problem(p).get(), "lemke");
    ASSERT_TRUE(s.converged()) << "case " << k << ": " << s.text();
    EXPECT_LE(p.residual(s.z), 1.01e-8);
  }
}

BoxProblem box_of_rows(const std::vector<Values>& rows, Values q, Values lo, Values hi) {
  const int n = static_cast<int>(rows.size());
  BoxProblem p{n, Values(at(n * n)), std::move(q), std::move(lo), std::move(hi)};
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) p.M[at(i + j * n)] = rows[at(i)][at(j)];
  return p;
}

// Of a tie with a flip from bound to bound the shorter one is told by the perturbation, also where rounding takes the ratios
// apart: the wrong one leads round in a circle, where the path of two rows without a solution ends on a ray.
TEST(Lemke, RoundingDoesNotBreakTiesWithFlips) {
  const BoxProblem p = box_of_rows({{0, 0}, {2, -1}}, {-1, -3}, {0, 0}, {HUGE_VAL, 1});
  nsm::Solver solver(nsm::Problem::relay(nsm::Matrix::dense(2, 2, p.M), p.q, p.lo, p.hi), "lemke");
  int rays = 0;
  solver.set_log([&](const char* message) { rays += std::string(message).find("ended on a ray") != std::string::npos ? 1 : 0; });
  solver.solve();
  EXPECT_EQ(rays, 9);  // of all covering vectors
}

// A path that does not begin on a ray, beside a basic z with two bounds, may be a closed one.
TEST(Lemke, ClosedPathsEnd) {
  constexpr double inf = HUGE_VAL;
  for (const BoxProblem& p : {box_of_rows({{0, -1, -2}, {2, 0, 1}, {0, 2, 1}}, {-2, -3, 1}, {0, -inf, 0}, {1, inf, 1}),
                              box_of_rows({{-1, -1, 2}, {-1, 0, 1}, {1, -2, 0}}, {-2, 2, 1}, {0, -inf, -1}, {inf, inf, 1}),
                              box_of_rows({{2, 1, 0, -2}, {2, 0, 0, 1}, {-2, 0, -2, 0}, {2, -1, -1, -2}}, {-1, -3, 2, -1},
                                          {0, -inf, 0, -1}, {1, inf, 1, 1})}) {
    const ProblemPtr problem = support::problem(p);
    for (const char* method : {"lemke", "sparse_lemke"}) EXPECT_LT(support::solve(problem.get(), method).result.iterations, 1000);
    const Solution s = support::solve(problem.get(), "auto");
    EXPECT_TRUE(s.converged()) << s.text();
    EXPECT_LT(s.result.iterations, 1000);
  }
}

// Of an LCP a search for a proof follows the first ray. Of planar friction as an LCP nobody has a use for what it finds, and it
// costs as much as hundreds of pivots.
TEST(Lemke, SearchesForProofsOfItsOwnProblemAlone) {
  Random random(5);
  const auto searches_of = [](const nsm::Problem& problem) {
    int searches = 0, rays = 0;
    nsm::Solver solver(problem, "lemke");
    solver.set_log([&](const char* message) {
      searches += std::string(message).find("search for a proof") != std::string::npos ? 1 : 0;
      rays += std::string(message).find("vector 0 ended on a ray") != std::string::npos ? 1 : 0;
    });
    solver.solve();
    return std::pair(rays, searches);
  };
  int rays_of_friction = 0;
  for (int k = 0; k < 40; ++k) {
    const int contacts = 12 + k % 10, n = 2 * contacts;
    const generate::Friction f =
        generate::constructed_friction(random, 2, contacts, generate::gram(random, n, n / 3 + 1, 0), 0.5, 1.2);
    const auto [rays, searches] = searches_of(nsm::Problem::friction(2, nsm::Matrix::dense(n, n, f.W), f.q, f.mu));
    rays_of_friction += rays;
    EXPECT_EQ(searches, 0);
  }
  EXPECT_GT(rays_of_friction, 0);
  const Values M{0, 1, -1, 0, 0, 0, 1, 1, 0};  // w_1 = -z_2 - 1
  const auto [rays, searches] = searches_of(nsm::Problem::lcp(nsm::Matrix::dense(3, 3, M), {1, -1, -1}));
  EXPECT_EQ(rays, 1);
  EXPECT_EQ(searches, 1);
}

}  // namespace pivoting_test
