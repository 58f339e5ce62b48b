// Methods for large sparse problems on published problems: obstacle, torsion and bearing problems on grids, American options,
// M-matrices on graphs, boxes; and their honest end where there is no solution.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "../support/sparse_families.hpp"

namespace sparse_methods_test {

using generate::at;
using generate::Random;
using generate::SparseLcp;
using generate::Values;
using support::Solution;

Solution solve(const SparseLcp& lcp, const char* method, support::OptionList options = {}) {
  return support::solve(support::problem(lcp).get(), method, options);
}

void expect_solved(const SparseLcp& lcp, const char* method, int most_steps) {
  const Solution s = solve(lcp, method);
  EXPECT_TRUE(s.converged()) << method << ": " << s.text();
  EXPECT_LE(lcp.residual(s.z), 1.001e-8) << method;
  EXPECT_LE(s.result.iterations, most_steps) << method;
}

// q such that z solves, with shares .45 z inside, .45 at the lower bound (half of them, in a box, at the upper one), the rest
// degenerate.
void construct(Random& random, SparseLcp& lcp, bool box) {
  Values z(at(lcp.n), 0.0), w(at(lcp.n), 0.0);
  if (box) lcp.lo.assign(at(lcp.n), 0.0), lcp.hi.assign(at(lcp.n), 1.0);
  for (std::size_t i = 0; i < z.size(); ++i) {
    const double draw = random.uniform();
    if (draw < 0.45) {
      z[i] = random.uniform(0.01, 0.99);
    } else if (draw < 0.9) {
      const bool upper = box && random.chance(0.5);
      z[i] = upper ? 1 : 0;
      w[i] = (upper ? -1 : 1) * random.uniform();
    }
  }
  lcp.q = generate::right_hand_side(w, lcp.multiply(z));
}

// Largest error against the solution of the differential problem.
double ball_error(std::int32_t k, const Values& z) {
  double largest = 0;
  for (std::int32_t j = 1; j <= k; ++j)
    for (std::int32_t i = 1; i <= k; ++i) {
      const double r = generate::BallObstacle::radius(k, i, j);
      const double u = z[at(i - 1 + (j - 1) * k)] + generate::BallObstacle::psi(r);
      largest = std::max(largest, std::abs(u - generate::BallObstacle::u(r)));
    }
  return largest;
}

TEST(SparseMethods, TheBallObstacleConvergesWithTheGrid) {
  for (const char* method : {"active_set", "projected_multigrid"}) {
    double last = 0;
    for (std::int32_t k : {15, 31, 63, 127}) {
      const Solution s = solve(generate::ball_obstacle(k), method);
      ASSERT_TRUE(s.converged()) << method << ": " << s.text();
      const double error = ball_error(k, s.z), h = 4.0 / (k + 1);
      EXPECT_LE(error, 0.5 * h * h) << method << " at " << k;
      if (last > 0) {
        EXPECT_LE(error, 0.6 * last);
      }
      last = error;
    }
  }
}

TEST(SparseMethods, GridProblems) {
  for (const char* method : {"active_set", "projected_multigrid"}) {
    expect_solved(generate::obstacle(63), method, 12);
    expect_solved(generate::obstacle(100, true), method, 12);
    expect_solved(generate::obstacle(64, true, true), method, 15);
    expect_solved(generate::torsion(63, 5), method, 15);
    expect_solved(generate::torsion(50, 20), method, 15);
    for (double eccentricity : {0.1, 0.5, 0.8}) expect_solved(generate::journal_bearing(60, 50, eccentricity), method, 15);
    // Very different spacings.
    expect_solved(generate::journal_bearing(200, 20, 0.8), method, 25);
    expect_solved(generate::journal_bearing(20, 200, 0.8), method, 25);
  }
}

TEST(SparseMethods, BothMethodsFindTheSamePoint) {
  for (const SparseLcp& lcp : {generate::obstacle(40, true), generate::journal_bearing(45, 33, 0.5), generate::torsion(40, 10)}) {
    const Solution a = solve(lcp, "active_set"), b = solve(lcp, "projected_multigrid", {{"tolerance", 1e-11}});
    ASSERT_TRUE(a.converged() && b.converged());
    for (std::size_t i = 0; i < a.z.size(); ++i) EXPECT_NEAR(a.z[i], b.z[i], 1e-7);
  }
}

// Coefficients that jump by 1e4 between cells, a reaction term, sides without a boundary value (Neumann), three dimensions.
SparseLcp rough_grid(Random& random, std::int32_t nx, std::int32_t ny) {
  Values coefficient(at(nx + 2) * at(ny + 2));
  for (double& c : coefficient) c = random.magnitude(-2, 2);
  const auto east = [&](std::int32_t i, std::int32_t j) { return coefficient[at(i + (nx + 2) * j)]; };
  SparseLcp lcp = generate::five_point(nx, ny, east, east);
  construct(random, lcp, false);
  return lcp;
}

SparseLcp neumann_grid(Random& random, std::int32_t nx, std::int32_t ny, double reaction) {
  const auto inside = [](std::int32_t n) { return [n](std::int32_t i, std::int32_t) { return i > 0 && i < n ? 1.0 : 0.0; }; };
  const auto along = [&](std::int32_t i, std::int32_t j) { return inside(ny)(j, i); };
  SparseLcp lcp = generate::five_point(nx, ny, inside(nx), along);
  for (std::int32_t j = 0; j < lcp.n; ++j)
    for (std::int32_t k = lcp.start[at(j)]; k < lcp.start[at(j + 1)]; ++k)
      if (lcp.index[at(k)] == j) lcp.values[at(k)] += reaction;
  construct(random, lcp, false);
  return lcp;
}

SparseLcp grid_in_space(std::int32_t n) {
  SparseLcp lcp{n * n * n, {0}, {}, {}, {}, {}, {}};
  for (std::int32_t p = 0; p < lcp.n; ++p) {
    const std::int32_t index[3] = {p % n, p / n % n, p / (n * n)}, stride[3] = {1, n, n * n};
    for (int d = 2; d >= 0; --d)
      if (index[d] > 0) lcp.index.push_back(p - stride[d]), lcp.values.push_back(-1);
    lcp.index.push_back(p), lcp.values.push_back(6);
    for (int d = 0; d < 3; ++d)
      if (index[d] + 1 < n) lcp.index.push_back(p + stride[d]), lcp.values.push_back(-1);
    lcp.start.push_back(static_cast<std::int32_t>(lcp.index.size()));
    const double x = (index[0] + 1.0) / (n + 1), y = (index[1] + 1.0) / (n + 1), z = (index[2] + 1.0) / (n + 1);
    lcp.q.push_back(std::sin(7 * x) * std::cos(5 * y) * std::sin(6 * z) / (n * n));
  }
  return lcp;
}

TEST(SparseMethods, RoughCoefficientsOtherBoundariesAndSpace) {
  Random random(401);
  for (const char* method : {"active_set", "projected_multigrid"}) {
    expect_solved(rough_grid(random, 40, 30), method, 40);
    expect_solved(neumann_grid(random, 33, 20, 1e-3), method, 40);
    expect_solved(neumann_grid(random, 20, 33, 10), method, 40);
    expect_solved(grid_in_space(12), method, 25);
    expect_solved(generate::obstacle(3), method, 15);
  }
}

TEST(ProjectedMultigrid, RefusesWhatIsNoGrid) {
  SparseLcp not_symmetric = generate::obstacle(10), positive = not_symmetric, not_dominant = not_symmetric;
  not_symmetric.values[1] *= 1.01;
  positive.values[1] = 1;
  positive.values[5] = 1;
  for (double& value : not_dominant.values)
    if (value > 0) value = 3.5;
  for (const SparseLcp& lcp : {not_symmetric, positive, not_dominant, generate::tridiagonal(100, -1, 4, -1, -1),
                               generate::graph_laplacian(1, 100, 4, 1)}) {
    const auto owner = support::problem(lcp);
    nsm_solver* solver = nullptr;
    EXPECT_EQ(nsm_setup(owner.get(), "projected_multigrid", nullptr, &solver), NSM_UNSUPPORTED);
    EXPECT_EQ(solver, nullptr);
  }
}

TEST(ProjectedMultigrid, WarmStartsAndUpdates) {
  SparseLcp lcp = generate::obstacle(63);
  const auto owner = support::problem(lcp);
  const auto solver = support::setup(owner.get(), "projected_multigrid");
  const Solution first = support::solve(solver.get(), lcp.n);
  ASSERT_TRUE(first.converged());
  for (double& q : lcp.q) q *= 1.001;
  ASSERT_EQ(nsm_update_q(solver.get(), lcp.q.data(), lcp.n), NSM_OK);
  EXPECT_TRUE(support::solve(solver.get(), lcp.n).converged());
  for (double& value : lcp.values)
    if (value > 0) value += 0.01;
  nsm_matrix M = nsm_matrix_csc(lcp.n, lcp.n, lcp.start.data(), lcp.index.data(), lcp.values.data());
  ASSERT_EQ(nsm_update_matrix(solver.get(), &M), NSM_OK);
  const Solution updated = support::solve(solver.get(), lcp.n);
  ASSERT_TRUE(updated.converged());
  EXPECT_LE(lcp.residual(updated.z), 1.001e-8);
  // No longer an M-matrix: it says that it cannot.
  lcp.values[1] = 2;
  M = nsm_matrix_csc(lcp.n, lcp.n, lcp.start.data(), lcp.index.data(), lcp.values.data());
  ASSERT_EQ(nsm_update_matrix(solver.get(), &M), NSM_OK);
  for (double& q : lcp.q) q -= 1;
  ASSERT_EQ(nsm_update_q(solver.get(), lcp.q.data(), lcp.n), NSM_OK);
  EXPECT_EQ(support::solve(solver.get(), lcp.n).result.outcome, NSM_STALLED);
}

// Singular where no row is held: without ground and with a load that pulls nowhere.
TEST(ProjectedMultigrid, SingularMatrices) {
  Random random(402);
  SparseLcp lcp = neumann_grid(random, 20, 20, 0);
  EXPECT_TRUE(solve(lcp, "projected_multigrid").converged());
  for (double& q : lcp.q) q = -1;  // no solution: w = M z - 1 >= 0 contradicts the sum of its rows
  for (const char* method : {"active_set", "projected_multigrid"}) {
    const Solution s = solve(lcp, method);
    EXPECT_FALSE(s.converged());
    EXPECT_LE(s.result.iterations, 1000) << method;
  }
}

TEST(ActiveSet, Tridiagonal) {
  for (std::int32_t n : {1, 2, 3, 100, 5000}) {
    expect_solved(generate::tridiagonal(n, 1, 4, -2, -4), "active_set", 10);
    expect_solved(generate::tridiagonal(n, -1, 2, -1, -1), "active_set", 1);
    expect_solved(generate::tridiagonal(n, -1, 4, -2, -4), "active_set", 1);
  }
  Random random(403);
  for (int k = 0; k < 200; ++k) {
    const double sub = -random.uniform(0, 2), sup = -random.uniform(0, 2);
    SparseLcp lcp = generate::tridiagonal(random.integer(1, 60), sub, 1.01 * (-sub - sup) + 0.1, sup, 0);
    if (k % 2 == 0)
      construct(random, lcp, false);
    else
      lcp.q = random.normals(lcp.n);
    expect_solved(lcp, "active_set", 1);
    SparseLcp general = generate::tridiagonal(random.integer(1, 60), random.uniform(-2, 2), 4.1, random.uniform(-2, 2), 0);
    construct(random, general, k % 2 == 0);
    expect_solved(general, "active_set", 60);
  }
}

// A string pulled away from its obstacle: the condition number is n^2 / 2, and the size of z brings w to its rounding floor.
TEST(ActiveSet, AStringWithoutContact) {
  for (std::int32_t n : {200, 1000, 3000, 10000}) {
    const Solution s = solve(generate::tridiagonal(n, -1, 2, -1, -1), "active_set");
    EXPECT_TRUE(s.converged()) << n << ": " << s.text();
    EXPECT_EQ(s.result.iterations, 1);
    for (std::int32_t i = 0; i < n; i += 99) {
      const double exact = 0.5 * (i + 1.0) * (n - i);
      EXPECT_NEAR(s.z[at(i)], exact, 1e-7 * exact);
    }
  }
}

// Early exercise below one boundary, a value above the payoff beyond it; on a coarse grid the solution of converged sweeps.
TEST(ActiveSet, AmericanPut) {
  const SparseLcp lcp = generate::american_put(20000);
  const Solution s = solve(lcp, "active_set");
  ASSERT_TRUE(s.converged()) << s.text();
  EXPECT_LE(s.result.iterations, 2);
  std::size_t boundary = 0;
  while (boundary < s.z.size() && s.z[boundary] == 0) ++boundary;
  EXPECT_GT(boundary, 0u);
  for (std::size_t i = boundary; i < s.z.size(); ++i) EXPECT_GT(s.z[i], 0);
  const Solution sweeps = solve(generate::american_put(50), "block_gauss_seidel", {{"tolerance", 1e-10}});
  const Solution exact = solve(generate::american_put(50), "active_set");
  for (std::size_t i = 0; i < exact.z.size(); ++i) EXPECT_NEAR(exact.z[i], sweeps.z[i], 1e-9);
}

TEST(ActiveSet, MMatricesOnGraphs) {
  Random random(404);
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    SparseLcp graph = generate::graph_laplacian(seed, 3000, 4, 0.1);
    expect_solved(graph, "active_set", 15);
    construct(random, graph, false);
    expect_solved(graph, "active_set", 15);
    construct(random, graph, true);
    expect_solved(graph, "active_set", 30);
    expect_solved(generate::geometric_graph(seed, 4000, 1), "active_set", 15);
    expect_solved(generate::markov(seed, 4000, 0.95), "active_set", 15);
  }
}

// P-matrices by dominance of the diagonal, symmetric or not, off-diagonal entries of both signs.
TEST(ActiveSet, GeneralPMatricesAndBoxes) {
  Random random(405);
  for (int k = 0; k < 100; ++k) {
    const std::int32_t n = random.integer(1, 80);
    SparseLcp lcp = generate::graph_laplacian(at(k), n, 6, 0.2);
    for (std::int32_t j = 0; j < n; ++j)
      for (std::int32_t e = lcp.start[at(j)]; e < lcp.start[at(j + 1)]; ++e)
        if (lcp.index[at(e)] != j && random.chance(0.5)) lcp.values[at(e)] *= k % 2 == 0 ? -1 : -0.5;
    construct(random, lcp, k % 3 == 0);
    expect_solved(lcp, "active_set", 200);
  }
}

TEST(ActiveSet, InfeasibleProblemsEnd) {
  SparseLcp minus = generate::tridiagonal(50, 0, -1, 0, -1);    // M = -I
  SparseLcp singular = generate::tridiagonal(50, -1, 1, 0, 1);  // z_0 >= 1 forces the next ones
  singular.q.assign(50, -1);
  SparseLcp upper = generate::tridiagonal(2, 0, 0, 1, -1);    // [0 1; 0 0]
  SparseLcp cycle = generate::tridiagonal(2, -1, 1, -1, -1);  // [1 -1; -1 1]
  for (const SparseLcp& lcp : {minus, upper, cycle}) {
    const Solution s = solve(lcp, "active_set");
    EXPECT_FALSE(s.converged());
    EXPECT_LE(s.result.iterations, 1000);
  }
  expect_solved(singular, "active_set", 1);
}

TEST(ActiveSet, UpdatesOfTheMatrixMayBreakItsSymmetry) {
  SparseLcp lcp = generate::graph_laplacian(3, 300, 5, 0.5);
  const auto owner = support::problem(lcp);
  const auto solver = support::setup(owner.get(), "active_set");
  ASSERT_TRUE(support::solve(solver.get(), lcp.n).converged());
  for (std::size_t k = 0; k < lcp.values.size(); ++k)
    if (lcp.values[k] < 0) lcp.values[k] *= 1 - 0.3 * (k % 2 == 0);
  const nsm_matrix M = nsm_matrix_csc(lcp.n, lcp.n, lcp.start.data(), lcp.index.data(), lcp.values.data());
  ASSERT_EQ(nsm_update_matrix(solver.get(), &M), NSM_OK);
  const Solution s = support::solve(solver.get(), lcp.n);
  ASSERT_TRUE(s.converged()) << s.text();
  EXPECT_LE(lcp.residual(s.z), 1.001e-8);
}

// Tells a solver that is handed each matrix in turn from one that begins with it. The problem of the first lives until the last.
void expect_same_after_updates(const std::vector<SparseLcp>& lcps, const char* method, bool is_dense) {
  const auto values_of = [](const SparseLcp& lcp) {
    Values M(at(lcp.n) * at(lcp.n), 0.0);
    for (std::size_t j = 0; j < at(lcp.n); ++j)
      for (std::size_t k = at(lcp.start[j]); k < at(lcp.start[j + 1]); ++k) M[at(lcp.index[k]) + j * at(lcp.n)] = lcp.values[k];
    return M;
  };
  const auto view_of = [&](const SparseLcp& lcp, const Values& M) {
    return is_dense ? support::dense(lcp.n, lcp.n, M)
                    : nsm_matrix_csc(lcp.n, lcp.n, lcp.start.data(), lcp.index.data(), lcp.values.data());
  };
  support::ProblemPtr first;
  support::SolverPtr updated;
  const Values zero(at(lcps.front().n), 0.0);
  for (std::size_t k = 0; k < lcps.size(); ++k) {
    SCOPED_TRACE(std::string(method) + ", matrix " + std::to_string(k));
    const SparseLcp& lcp = lcps[k];
    const Values M = values_of(lcp);
    const nsm_matrix view = view_of(lcp, M);
    nsm_problem* raw = nullptr;
    ASSERT_EQ(nsm_problem_create_lcp(&view, lcp.q.data(), &raw), NSM_OK) << nsm_last_error();
    support::ProblemPtr own(raw);
    const Solution fresh = support::solve(own.get(), method);
    if (k == 0) {
      first = std::move(own);
      updated = support::setup(first.get(), method);
    } else {
      ASSERT_EQ(nsm_update_matrix(updated.get(), &view), NSM_OK) << nsm_last_error();
      ASSERT_EQ(nsm_update_q(updated.get(), lcp.q.data(), lcp.n), NSM_OK);
    }
    if (k + 1 == lcps.size()) first.reset();
    ASSERT_EQ(nsm_warm_start(updated.get(), zero.data(), lcp.n), NSM_OK);
    const Solution s = support::solve(updated.get(), lcp.n);
    EXPECT_TRUE(s.converged()) << s.text();
    EXPECT_LE(lcp.residual(s.z), 1.001e-8);
    EXPECT_EQ(s.z, fresh.z);
  }
}

TEST(ActiveSet, UpdatesReadTheNewMatrix) {
  std::vector<SparseLcp> one_pattern(3, generate::graph_laplacian(3, 2500, 4, 0.5));  // large enough for aggregates
  for (double& value : one_pattern[1].values) value *= value > 0 ? 2 : 0.5;
  for (double& value : one_pattern[2].values) value *= value > 0 ? 3 : 1;
  expect_same_after_updates(one_pattern, "active_set", false);
  // Entries that are 0 in one matrix and not in the next: tridiagonal ones among them.
  const auto chain = generate::tridiagonal(60, -1, 3, -1, -1), dense_graph = generate::graph_laplacian(4, 60, 12, 0.5);
  expect_same_after_updates({chain, generate::graph_laplacian(5, 60, 3, 0.5), dense_graph, chain}, "active_set", true);
}

TEST(ProjectedMultigrid, UpdatesReadTheNewMatrix) {
  const auto whole = generate::obstacle(12), other_shape = generate::journal_bearing(9, 16, 0.5);
  SparseLcp cut = whole;  // no link between two columns of points, but for the first and the last of each
  for (std::int32_t j = 0; j < cut.n; ++j)
    for (auto k = at(cut.start[at(j)]); k < at(cut.start[at(j + 1)]); ++k) {
      const std::int32_t low = std::min(j, cut.index[k]), high = std::max(j, cut.index[k]);
      if (high == low + 1 && low % 12 == 5 && low / 12 > 0) cut.values[k] = 0;
    }
  expect_same_after_updates({whole, cut, other_shape, whole}, "projected_multigrid", true);
}

TEST(Auto, LargeSparseProblems) {
  expect_solved(generate::obstacle(80), nullptr, 15);
  expect_solved(generate::tridiagonal(10000, 1, 4, -2, -4), nullptr, 15);
  expect_solved(generate::geometric_graph(2, 5000, 0), nullptr, 60);  // conjugate gradients, without a factorisation
}

}  // namespace sparse_methods_test
