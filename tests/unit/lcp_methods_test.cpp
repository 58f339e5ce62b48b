// Lemke, enumeration and semismooth Newton on problems with known answers, and on thousands of small random ones against brute
// force.
#include <gtest/gtest.h>

#include <cmath>

#include "../support/generators.hpp"
#include "../support/sanitized.hpp"
#include "../support/solve.hpp"

namespace lcp_methods_test {

using generate::at;
using generate::Lcp;
using generate::norm;
using generate::Random;
using generate::Values;
using support::Solution;

void expect_solution(const Solution& s, const Values& z, double tolerance = 1e-9) {
  ASSERT_TRUE(s.converged()) << s.text();
  for (std::size_t i = 0; i < z.size(); ++i) EXPECT_NEAR(s.z[i], z[i], tolerance * (1 + norm(z))) << "entry " << i;
}

// Whether y proves infeasibility, by the definition and with rounding only.
bool proves_infeasible(const Lcp& lcp, const Values& y) {
  double product = 0, size = 0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    if (!(y[i] >= 0)) return false;
    product += lcp.q[i] * y[i];
    size += std::abs(lcp.q[i] * y[i]);
  }
  if (!(product < -1e-12 * size)) return false;
  for (std::size_t j = 0; j < y.size(); ++j) {
    double sum = 0, magnitude = 0;
    for (std::size_t i = 0; i < y.size(); ++i) {
      sum += lcp.M[i + j * y.size()] * y[i];
      magnitude += std::abs(lcp.M[i + j * y.size()] * y[i]);
    }
    if (sum > 1e-8 * magnitude) return false;
  }
  return true;
}

// All complementary bases: does a regular one solve it? The smallest residual of all candidates.
bool brute_force(const Lcp& lcp) {
  for (unsigned set = 0; set < 1u << lcp.n; ++set) {
    std::vector<int> support;
    for (int i = 0; i < lcp.n; ++i)
      if ((set >> i) & 1) support.push_back(i);
    Values A, b, x, z(at(lcp.n), 0.0);
    for (int j : support)
      for (int i : support) A.push_back(lcp.M[at(i + j * lcp.n)]);
    for (int i : support) b.push_back(-lcp.q[at(i)]);
    if (!generate::solve(A, b, x)) continue;
    for (std::size_t k = 0; k < support.size(); ++k) z[at(support[k])] = std::max(0.0, x[k]);
    if (lcp.residual(z) <= 1e-10) return true;
  }
  return false;
}

class LcpMethod : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(All, LcpMethod,
                         testing::Values("lemke", "enumeration", "semismooth_newton", "block_gauss_seidel",
                                         "block_principal_pivoting", "principal_pivoting"),
                         [](const auto& parameter) { return std::string(parameter.param); });

class ExactMethod : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(All, ExactMethod, testing::Values("lemke", "enumeration"),
                         [](const auto& parameter) { return std::string(parameter.param); });

TEST_P(LcpMethod, MurtyAndFathiOfSmallOrder) {
  for (int n : {1, 2, 3, 8}) {
    expect_solution(support::solve(generate::murty(n), GetParam()), generate::murty(n).z);
    expect_solution(support::solve(generate::fathi(n), GetParam()), generate::fathi(n).z, 1e-6);
  }
}

TEST_P(LcpMethod, ASolvedStartTakesNoIterations) {
  const Lcp lcp = generate::murty(8);
  const auto problem = support::problem(lcp);
  const auto solver = support::setup(problem.get(), GetParam());
  ASSERT_EQ(nsm_warm_start(solver.get(), lcp.z.data(), lcp.n), NSM_OK);
  const Solution s = support::solve(solver.get(), lcp.n);
  EXPECT_EQ(s.result.iterations, 0);
  expect_solution(s, lcp.z);
}

TEST_P(LcpMethod, NonNegativeQIsSolvedByZero) {
  Random random(71);
  Lcp lcp = generate::constructed(random, 6, random.normals(36));
  for (double& q : lcp.q) q = std::abs(q);
  const Solution s = support::solve(lcp, GetParam());
  expect_solution(s, Values(6, 0.0), 0);
}

TEST(Lemke, MurtyAndFathi) {
  for (int n : {16, 40, 100}) {
    expect_solution(support::solve(generate::murty(n), "lemke"), generate::murty(n).z);
    const Solution s = support::solve(generate::fathi(n), "lemke");
    expect_solution(s, generate::fathi(n).z, 1e-6);
    EXPECT_LE(s.result.iterations, 10 * n);
  }
}

TEST(Lemke, HarkerPang) {
  Random random(72);
  for (int n : {5, 20, 60})
    for (bool hard : {false, true})
      for (int k = 0; k < 5; ++k) {
        const Lcp lcp = generate::harker_pang(random, n, hard);
        const Solution s = support::solve(lcp, "lemke");
        EXPECT_TRUE(s.converged()) << s.text();
        EXPECT_LE(lcp.residual(s.z), 1e-8);
      }
}

TEST(SemismoothNewton, HarkerPang) {
  Random random(73);
  for (int n : {5, 20, 60})
    for (bool hard : {false, true}) {
      const Lcp lcp = generate::harker_pang(random, n, hard);
      const Solution s = support::solve(lcp, "semismooth_newton");
      EXPECT_TRUE(s.converged()) << s.text();
      EXPECT_LE(lcp.residual(s.z), 1e-8);
    }
}

// Methods that are exact decide these: no solution, with a proof, or the solution.
TEST_P(ExactMethod, InfeasibleProblemsAreProved) {
  const Lcp cases[] = {{1, {-1}, {-1}, {}},
                       {2, {-1, 0, 0, -1}, {-1, -1}, {}},
                       {2, {0, 0, 0, 0}, {-1, 2}, {}},
                       {2, {0, 0, 1, 0}, {-1, -1}, {}},
                       {2, {1, -1, -1, 1}, {-1, -1}, {}},
                       {3, {-1, 0, 1, -1, 0, -1, 0, 0, 1}, {-1, 0, -2}, {}}};  // rounding may give y = (1, 0, 1e-16)
  for (const Lcp& lcp : cases) {
    const auto problem = support::problem(lcp);
    const auto solver = support::setup(problem.get(), GetParam());
    const Solution s = support::solve(solver.get(), lcp.n);
    EXPECT_EQ(s.result.outcome, NSM_INFEASIBLE) << s.text();
    EXPECT_EQ(s.result.solutions, 0);
    Values y(at(lcp.n));
    ASSERT_EQ(nsm_infeasibility_certificate(solver.get(), y.data(), lcp.n), NSM_OK);
    EXPECT_TRUE(proves_infeasible(lcp, y));
  }
  const Lcp solvable{2, {1, -1, -1, 1}, {-1, 1}, {}};
  const Solution s = support::solve(solvable, GetParam());
  EXPECT_TRUE(s.converged());
  EXPECT_NEAR(s.z[0], 1 + s.z[1], 1e-9);
}

// Four contacts in a ring: rows that contradict each other by rounding only, of a q just above the tolerance. A point that meets
// it would be certified, so that no proof may be.
TEST_P(ExactMethod, ContradictionsBelowTheToleranceAreNoProof) {
  const Lcp lcp{4,
                {2, -1, 0, -1, -1, 2, -1, 0, 0, -1, 2, -1, -1, 0, -1, 2},
                {-9.202394402052505e-11, -3.3944402844099386e-11, 9.071687845363385e-12, 1.1689660350810982e-10},
                {}};
  const auto problem = support::problem(lcp);
  const auto solver = support::setup(problem.get(), GetParam(), {{"tolerance", 1e-12}});
  EXPECT_NE(support::solve(solver.get(), lcp.n).result.outcome, NSM_INFEASIBLE);
  const Solution s = support::solve(lcp, "auto", {{"tolerance", 1e-12}});
  EXPECT_TRUE(s.converged()) << s.text();
}

// Feasible but without a solution: a proof of infeasibility would be wrong, convergence too.
TEST_P(LcpMethod, FeasibleButUnsolvableIsNeitherSolvedNorInfeasible) {
  Random random(74);
  int found = 0;
  for (int k = 0; k < 3000 && found < 40; ++k) {
    const int n = random.integer(2, 3);
    Lcp lcp{n, random.normals(n * n), random.normals(n), {}};
    if (brute_force(lcp)) continue;
    // Feasible: z = t d with M d > 0 for some d >= 0 drawn at random.
    bool feasible = false;
    for (int t = 0; t < 100 && !feasible; ++t) {
      const Values d = random.uniforms(n, 0, 1), Md = generate::multiply(lcp.M, d);
      feasible = *std::min_element(Md.begin(), Md.end()) > 1e-3;
    }
    if (!feasible) continue;
    ++found;
    const Solution s = support::solve(lcp, GetParam(), {{"max_iterations", 2000}});
    EXPECT_NE(s.result.outcome, NSM_CONVERGED) << s.text();
    EXPECT_NE(s.result.outcome, NSM_INFEASIBLE);
  }
  EXPECT_GE(found, 20);
}

TEST_P(LcpMethod, Kostreva) {
  const Lcp lcp = generate::kostreva();
  const Solution s = support::solve(lcp, GetParam());
  if (GetParam() != std::string("block_gauss_seidel") || s.converged()) expect_solution(s, lcp.z);
  if (!s.converged()) {
    EXPECT_NE(s.result.outcome, NSM_INFEASIBLE);
  }
}

TEST_P(LcpMethod, BimatrixGamesEndHonestly) {
  Random random(75);
  int converged = 0, runs = 0;
  for (int k = 1; k <= 5; ++k)
    for (bool integers : {false, true}) {
      const Lcp lcp = generate::bimatrix(random, k, integers);
      const Solution s = support::solve(lcp, GetParam(), {{"max_iterations", 100000}});
      ++runs;
      converged += s.converged() ? 1 : 0;
      if (s.converged()) {
        EXPECT_LE(lcp.residual(s.z), 1.01e-8);
      }
      EXPECT_NE(s.result.outcome, NSM_INFEASIBLE) << "every bimatrix game has an equilibrium";
    }
  if (GetParam() == std::string("enumeration")) {
    EXPECT_EQ(converged, runs);
  }
}

TEST(Lemke, PositiveSemidefiniteOfHalfRank) {
  Random random(76);
  for (int n : {4, 10, 30, 60})
    for (int k = 0; k < 10; ++k) {
      const Lcp lcp = generate::constructed(random, n, generate::gram(random, n, n / 2, 0));
      const Solution s = support::solve(lcp, "lemke");
      EXPECT_TRUE(s.converged()) << "n = " << n << ": " << s.text();
      EXPECT_LE(lcp.residual(s.z), 1.01e-8);
    }
}

// Copositive-plus M: Lemke must end with a solution or a proof, never on a plain ray.
TEST(Lemke, DecidesPositiveSemidefiniteProblems) {
  Random random(77);
  int infeasible = 0;
  for (int k = 0; k < 300; ++k) {
    const int n = random.integer(2, 10);
    Values M = generate::gram(random, n, std::max(1, n / 3), 0);
    if (k % 2 == 0) generate::add_skew(random, M, n, 1);
    const Lcp lcp{n, M, random.normals(n), {}};
    const Solution s = support::solve(lcp, "lemke");
    EXPECT_TRUE(s.converged() || s.result.outcome == NSM_INFEASIBLE) << "case " << k << ": " << s.text();
    infeasible += s.result.outcome == NSM_INFEASIBLE ? 1 : 0;
  }
  EXPECT_GT(infeasible, 20);
}

TEST(Lemke, DegenerateProblems) {
  Random random(78);
  for (int k = 0; k < 200; ++k) {
    const int n = random.integer(3, 12);
    Lcp lcp = generate::constructed(random, n, generate::gram(random, n, n, 0.01));
    // Integers everywhere, and half of z and w both zero: many ties.
    for (double& m : lcp.M) m = std::round(2 * m);
    for (int i = 0; i < n; ++i) lcp.M[at(i) * at(n + 1)] += 2 * n;
    for (double& z : lcp.z) z = std::round(2 * z);
    lcp.q = generate::multiply(lcp.M, lcp.z);
    for (double& q : lcp.q) q = -q;
    expect_solution(support::solve(lcp, "lemke"), lcp.z);
  }
}

TEST(Enumeration, CountsTheSolutionsOfABimatrixGame) {
  // Battle of the sexes with costs: two pure equilibria and one mixed; z = 0 is no solution since q < 0.
  const Lcp lcp{4, {0, 0, 1, 3, 0, 0, 3, 2, 2, 3, 0, 0, 3, 1, 0, 0}, {-1, -1, -1, -1}, {}};
  const auto problem = support::problem(lcp);
  const auto solver = support::setup(problem.get(), "enumeration", {{"all_solutions", 1}});
  const Solution s = support::solve(solver.get(), 4);
  ASSERT_TRUE(s.converged());
  EXPECT_EQ(s.result.solutions, 3);
  for (std::int64_t k = 0; k < s.result.solutions; ++k) {
    Values z(4), w(4);
    ASSERT_EQ(nsm_solution_at(solver.get(), k, z.data(), w.data(), 4), NSM_OK);
    EXPECT_LE(lcp.residual(z), 1e-8);
  }
  Values z(4);
  EXPECT_EQ(nsm_solution_at(solver.get(), 3, z.data(), nullptr, 4), NSM_NOT_AVAILABLE);
}

// A solve that ends before the method is asked, at its start or cancelled, has nothing of the method's list.
TEST(Enumeration, ListsNothingOfAnEarlierSolve) {
  const Lcp lcp{1, {1}, {-1}, {}};
  const auto problem = support::problem(lcp);
  const auto solver = support::setup(problem.get(), "enumeration");
  ASSERT_TRUE(support::solve(solver.get(), 1).converged());
  double q = -2, z = 2, w = 0;
  ASSERT_EQ(nsm_update_q(solver.get(), &q, 1), NSM_OK);
  ASSERT_EQ(nsm_warm_start(solver.get(), &z, 1), NSM_OK);
  EXPECT_EQ(support::solve(solver.get(), 1).result.solutions, 1);
  ASSERT_EQ(nsm_solution_at(solver.get(), 0, &z, &w, 1), NSM_OK);
  EXPECT_EQ(z, 2);
  EXPECT_EQ(w, 0);
  q = -3;
  ASSERT_EQ(nsm_update_q(solver.get(), &q, 1), NSM_OK);
  nsm_cancel(solver.get());
  const Solution s = support::solve(solver.get(), 1);
  EXPECT_EQ(s.result.outcome, NSM_CANCELLED);
  EXPECT_EQ(s.result.solutions, 0);
}

TEST(Enumeration, CountsAllSignPatterns) {
  // M = -I, q = e: every z_i is 0 or 1: 2^n solutions.
  for (int n : {1, 3, 5}) {
    const Lcp lcp{n, generate::identity(n, -1), Values(at(n), 1.0), {}};
    EXPECT_EQ(support::solve(lcp, "enumeration", {{"all_solutions", 1}}).result.solutions, 1 << n);
    EXPECT_EQ(support::solve(lcp, "enumeration", {{"all_solutions", 1}, {"solution_limit", 1}}).result.solutions >= 1, true);
  }
}

TEST(Enumeration, ZeroMatrix) {
  const Solution s = support::solve(Lcp{3, Values(9, 0.0), {1, 0, 2}, {}}, "enumeration");
  EXPECT_TRUE(s.converged());
  EXPECT_EQ(support::solve(Lcp{3, Values(9, 0.0), {1, -1e-3, 2}, {}}, "enumeration").result.outcome, NSM_INFEASIBLE);
}

// Solutions that exist on singular bases only.
TEST(Enumeration, SingularLeaves) {
  // w1 = z1 + z2 - 1, w2 = z1 + z2 - 1: any point of the segment; the basis {1, 2} is singular, {1} and {2} are not.
  EXPECT_TRUE(support::solve(Lcp{2, {1, 1, 1, 1}, {-1, -1}, {}}, "enumeration").converged());
  // Needs z1, z2 > 0 with a singular matrix: w3 = z1 - 2, w4 = z2 - 3 force both up, w1 = w2 = z1 - z2 + 1.
  const Lcp lcp{4, {1, -1, 1, 0, -1, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0}, {1, -1, -2, -3}, {}};
  const Solution s = support::solve(lcp, "enumeration");
  EXPECT_TRUE(s.converged()) << s.text();
  EXPECT_LE(lcp.residual(s.z), 1e-8);
}

Solution solve_mlcp(const Values& M, const Values& q, const std::vector<std::int32_t>& rows, const char* method) {
  nsm_problem* raw = nullptr;
  const auto n = static_cast<std::int64_t>(q.size());
  const nsm_matrix view = support::dense(n, n, M);
  EXPECT_EQ(nsm_problem_create_mlcp(&view, q.data(), rows.data(), &raw), NSM_OK) << nsm_last_error();
  const support::ProblemPtr problem(raw);
  return support::solve(problem.get(), method);
}

// Semidefinite, y = (1, 0, 0, -1, 1) proves it: in any units.
TEST(Enumeration, ProofsInSmallUnits) {
  for (const double unit : {1.0, 1e-6, 1e-12, 1e-15}) {
    Values M = {2, 2, 0, -2, -4, 2, 5, -2, -2, -4, 0, -2, 5, 1, 1, -2, -2, 1, 3, 5, -4, -4, 1, 5, 9};
    for (double& entry : M) entry *= unit;
    for (const char* method : {"lemke", "enumeration", "auto"}) {
      const Solution s = solve_mlcp(M, {1, 0, 0, 0, -2}, {1, 1, 0, 0, 1}, method);
      EXPECT_EQ(s.result.outcome, NSM_INFEASIBLE) << unit << ", " << method << ": " << s.text();
    }
  }
}

// A mixed LCP whose equality part A is singular but whose bases are not.
TEST(Enumeration, MixedWithASingularEqualityPart) {
  // u + v = 1 has A = [0 ... ]: rows: v - 1 = 0 (free u), w = u - v + 3 >= 0 complementary to v: v = 1, so u = -2.
  const Solution s = solve_mlcp({0, 1, 1, -1}, {-1, 3}, {0, 1}, "enumeration");
  ASSERT_TRUE(s.converged()) << s.text();
  EXPECT_NEAR(s.z[0], -2, 1e-12);
  EXPECT_NEAR(s.z[1], 1, 1e-12);
}

TEST(Enumeration, RandomMixedProblems) {
  Random random(79);
  for (int k = 0; k < 400; ++k) {
    const int n = random.integer(1, 8);
    std::vector<std::int32_t> rows;
    for (int i = 0; i < n; ++i) rows.push_back(random.integer(0, 1));
    // Rank-deficient equality parts with a consistent right-hand side: q follows from a solution.
    Values M = k % 3 == 0 ? generate::gram(random, n, std::max(1, n / 2), 0) : random.normals(n * n), q(at(n)), z(at(n));
    for (std::size_t i = 0; i < z.size(); ++i) {
      const bool up = random.chance(0.5);
      z[i] = rows[i] == 0 ? random.normal() : up ? random.uniform() : 0;
      q[i] = rows[i] == 0 || up ? 0 : random.uniform();
    }
    q = generate::right_hand_side(q, generate::multiply(M, z));
    const Solution s = solve_mlcp(M, q, rows, "enumeration");
    EXPECT_TRUE(s.converged()) << "case " << k << ": " << s.text();
    for (std::size_t i = 0; i < q.size(); ++i) {
      const double w = generate::multiply(M, s.z)[i] + q[i];
      EXPECT_LE(std::abs(rows[i] == 0 ? w : std::min(w, s.z[i])), 2e-8 * std::max(1.0, norm(q)));
    }
  }
}

// The diode bridge as a mixed LCP (RLC circuit with a full-wave rectifier): the implicit step from the charged state.
TEST(Enumeration, DiodeBridge) {
  const double R = 1e3, L = 1e-2, C = 1e-6, h = 1e-6;
  // x+ = x + h (A x+ + B l), y = C' x+ + D l, 0 <= y _|_ l >= 0; unknowns (x+, l).
  const double A[2][2] = {{0, -1 / C}, {1 / L, 0}}, B[2][4] = {{0, 0, -1 / C, 1 / C}, {0, 0, 0, 0}};
  const double Cy[4][2] = {{0, 0}, {0, 0}, {-1, 0}, {1, 0}};
  const double D[4][4] = {{1 / R, 1 / R, -1, 0}, {1 / R, 1 / R, 0, -1}, {1, 0, 0, 0}, {0, 1, 0, 0}};
  Values M(36, 0.0), q(6, 0.0), x = {10, 0};
  for (int step = 0; step < 20; ++step) {
    for (int i = 0; i < 2; ++i) {
      for (int j = 0; j < 2; ++j) M[at(i + 6 * j)] = (i == j ? 1 : 0) - h * A[i][j];
      for (int j = 0; j < 4; ++j) M[at(i + 6 * (2 + j))] = -h * B[i][j];
      q[at(i)] = -x[at(i)];
    }
    for (int i = 0; i < 4; ++i) {
      for (int j = 0; j < 2; ++j) M[at(2 + i + 6 * j)] = Cy[i][j];
      for (int j = 0; j < 4; ++j) M[at(2 + i + 6 * (2 + j))] = D[i][j];
    }
    const Solution s = solve_mlcp(M, q, {0, 0, 1, 1, 1, 1}, "enumeration");
    ASSERT_TRUE(s.converged()) << "step " << step << ": " << s.text();
    x = {s.z[0], s.z[1]};
    EXPECT_LE(std::abs(x[0]), 10.0) << "the circuit is passive";
  }
}

Lcp random_lcp(Random& random, int kind) {
  const int n = random.integer(1, 8);
  switch (kind) {
    case 0: return {n, random.normals(n * n), random.normals(n), {}};
    case 1: return generate::constructed(random, n, random.normals(n * n));
    case 2: return generate::constructed(random, n, generate::gram(random, n, n, 0.1));
    case 3: return {n, generate::gram(random, n, std::max(1, n / 2), 0), random.normals(n), {}};
    case 4: {
      Values M = generate::gram(random, n, std::max(1, n / 2), 0);
      generate::add_skew(random, M, n, random.magnitude(-1, 1));
      return generate::constructed(random, n, M);
    }
    case 5: {  // small integers: degenerate, singular
      Lcp lcp{n, Values(at(n * n)), Values(at(n)), {}};
      for (double& m : lcp.M) m = random.integer(-2, 2);
      for (double& q : lcp.q) q = random.integer(-2, 2);
      return lcp;
    }
    case 6: return generate::bimatrix(random, std::max(1, n / 2), random.chance(0.5));
    default: {  // rows and columns of very different size
      Lcp lcp = generate::constructed(random, n, generate::gram(random, n, n, 0.1));
      Values r(at(n)), c(at(n));
      for (std::size_t i = 0; i < r.size(); ++i) r[i] = random.magnitude(-4, 4), c[i] = random.magnitude(-4, 4);
      for (std::size_t j = 0; j < c.size(); ++j)
        for (std::size_t i = 0; i < r.size(); ++i) lcp.M[i + j * r.size()] *= r[i] / c[j];
      for (std::size_t i = 0; i < r.size(); ++i) lcp.q[i] *= r[i], lcp.z[i] *= c[i];
      return lcp;
    }
  }
}

// Whatever a method claims is true, by a check that shares no code with the library.
TEST_P(LcpMethod, ClaimsAreTrueOnRandomProblems) {
  Random random(80);
  constexpr int problems = support::cases(2000, 400);
  int converged = 0, infeasible = 0;
  for (int k = 0; k < problems; ++k) {
    const Lcp lcp = random_lcp(random, k % 8);
    const auto problem = support::problem(lcp);
    const auto solver = support::setup(problem.get(), GetParam(), {{"max_iterations", 3000}});
    const Solution s = support::solve(solver.get(), lcp.n);
    if (s.converged()) {
      ++converged;
      EXPECT_LE(lcp.residual(s.z), 1e-8 + 2 * s.result.certificate.rounding_floor) << "case " << k;
      for (double z : s.z) EXPECT_GE(z, -1e-7 * std::max(1.0, norm(lcp.q)));
    }
    if (s.result.outcome == NSM_INFEASIBLE) {
      ++infeasible;
      Values y(at(lcp.n));
      ASSERT_EQ(nsm_infeasibility_certificate(solver.get(), y.data(), lcp.n), NSM_OK);
      EXPECT_TRUE(proves_infeasible(lcp, y)) << "case " << k;
      EXPECT_FALSE(brute_force(lcp)) << "case " << k;
    } else {
      Values y(at(lcp.n));
      EXPECT_EQ(nsm_infeasibility_certificate(solver.get(), y.data(), lcp.n), NSM_NOT_AVAILABLE);
    }
  }
  RecordProperty("converged", converged);
  RecordProperty("infeasible", infeasible);
  EXPECT_GT(converged, problems / 4);
}

TEST(Enumeration, FindsASolutionWheneverBruteForceDoes) {
  Random random(81);
  int missed = 0, solvable = 0;
  for (int k = 0; k < 2000; ++k) {
    const Lcp lcp = random_lcp(random, k % 7);
    if (!brute_force(lcp)) continue;
    ++solvable;
    const Solution s = support::solve(lcp, "enumeration");
    if (!s.converged()) {
      ++missed;
      ADD_FAILURE() << "case " << k << ", n = " << lcp.n << ": " << s.text();
    }
  }
  EXPECT_GT(solvable, 1000);
  EXPECT_EQ(missed, 0);
}

TEST(SemismoothNewton, PMatricesConvergeAlways) {
  Random random(82);
  for (int k = 0; k < 300; ++k) {
    const int n = random.integer(1, 30);
    Values M = generate::gram(random, n, n, 0.1);
    generate::add_skew(random, M, n, 1);
    const Lcp lcp = generate::constructed(random, n, M);
    const Solution s = support::solve(lcp, "semismooth_newton");
    EXPECT_TRUE(s.converged()) << "case " << k << ": " << s.text();
  }
}

TEST(BlockGaussSeidel, TridiagonalHPlusMatrix) {
  const int n = 100;
  for (double load : {-4.0, -1.0}) {
    std::vector<std::int32_t> start = {0}, index;
    Values values;
    for (int j = 0; j < n; ++j) {
      for (int i = std::max(0, j - 1); i <= std::min(n - 1, j + 1); ++i) {
        index.push_back(i);
        values.push_back(i == j ? 4 : i == j + 1 ? 1 : -2);
      }
      start.push_back(static_cast<std::int32_t>(index.size()));
    }
    const nsm_matrix M = nsm_matrix_csc(n, n, start.data(), index.data(), values.data());
    nsm_problem* raw = nullptr;
    ASSERT_EQ(nsm_problem_create_lcp(&M, Values(at(n), load).data(), &raw), NSM_OK);
    const support::ProblemPtr problem(raw);
    const Solution pgs = support::solve(problem.get(), "block_gauss_seidel"), lemke = support::solve(problem.get(), "lemke");
    ASSERT_TRUE(pgs.converged()) << pgs.text();
    ASSERT_TRUE(lemke.converged()) << lemke.text();
    EXPECT_LE(pgs.result.iterations, 100) << "the rate is known to be below .75";
    for (std::size_t i = 0; i < pgs.z.size(); ++i) EXPECT_NEAR(pgs.z[i], lemke.z[i], 1e-6);
  }
}

}  // namespace lcp_methods_test
