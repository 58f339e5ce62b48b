// auto: stages are set up when a solve reaches them, and read new values when they are next needed.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "../support/generators.hpp"
#include "nonsmooth/nonsmooth.hpp"

namespace auto_test {

using nsm::Matrix;
using nsm::Problem;
using nsm::Vector;

// Has no solution, which pivoting alone finds out.
Problem infeasible() { return Problem::lcp(Matrix::dense(2, 2, {1, -1, -1, 1}), {-1, -1}); }

TEST(Auto, TheFirstSolveThatReachesAStageSetsItUp) {
  nsm::Solver solver(infeasible());
  const nsm::Result first = solver.solve();
  EXPECT_EQ(first.outcome(), NSM_INFEASIBLE);
  EXPECT_GT(first.setup_seconds(), 0);
  EXPECT_LE(first.setup_seconds(), first.seconds());
  solver.warm_start({0, 0});
  const nsm::Result second = solver.solve();
  EXPECT_EQ(second.outcome(), NSM_INFEASIBLE);
  EXPECT_EQ(second.setup_seconds(), 0);
  EXPECT_EQ(second.iterations(), first.iterations());
}

// Two sweeps solve it: what reads all of M to exchange signs would cost more than they do.
TEST(Auto, ATriangularMatrixNeedsNoStage) {
  constexpr int n = 150;
  Vector M(std::size_t{n} * n, 0.0);
  for (std::size_t j = 0; j < n; ++j)
    for (std::size_t i = j; i < n; ++i) M[i + j * n] = i == j ? 1 : 2;
  nsm::Solver solver(Problem::lcp(Matrix::dense(n, n, M), Vector(n, -1.0)));
  const nsm::Result swept = solver.solve();
  EXPECT_TRUE(swept.converged());
  EXPECT_EQ(swept.iterations(), 0);
  EXPECT_EQ(swept.setup_seconds(), 0);
  solver.warm_start(Vector(n, 1.0));
  const nsm::Result elsewhere = solver.solve();
  EXPECT_TRUE(elsewhere.converged());
  EXPECT_GT(elsewhere.setup_seconds(), 0);
}

TEST(Auto, AllStagesAreSetUpBeforehandIfSoWanted) {
  nsm::Options options;
  options.set("all_stages", 1);
  nsm::Solver solver(infeasible(), "auto", options);
  const nsm::Result result = solver.solve();
  EXPECT_EQ(result.outcome(), NSM_INFEASIBLE);
  EXPECT_EQ(result.setup_seconds(), 0);
}

// No stage is reached, and no claim made of what the tolerance allows.
TEST(Auto, ARowWithoutAPositiveEntryIsAProof) {
  const Matrix M = Matrix::dense(3, 3, {2, -1, 1, 0, 0, 1, 1, -3, 4});
  nsm::Solver solver(Problem::lcp(M, {-1, -1, 1}));
  const nsm::Result result = solver.solve();
  EXPECT_EQ(result.outcome(), NSM_INFEASIBLE);
  EXPECT_EQ(result.iterations(), 0);
  EXPECT_EQ(solver.infeasibility_certificate(), (Vector{0, 1, 0}));
  solver.update_q({-1, 1, 1});
  EXPECT_TRUE(solver.solve().converged());
  solver.update_q({1, -1e-12, 1});
  EXPECT_TRUE(solver.solve().converged());
}

TEST(Auto, ARowWithoutAPositiveEntryIsAProofInSparseMatricesToo) {
  const Matrix columns = Matrix::csc(6, 6, {0, 1, 3, 4, 5, 6, 6}, {5, 3, 5, 3, 2, 0}, {1, 1, 1, -1, -1, 1});
  const Matrix blocks = Matrix::block_csr(2, 3, 3, {0, 1, 2, 3}, {0, 0, 1}, {2, 0, 0, 2, -1, 1, -1, 1, 2, 0, 0, 2});
  for (const Matrix& M : {columns, blocks}) {
    nsm::Solver solver(Problem::lcp(M, {1, 1, -1, -2, 0, 1}));
    const nsm::Result result = solver.solve();
    EXPECT_EQ(result.outcome(), NSM_INFEASIBLE);
    EXPECT_EQ(result.iterations(), 0);
    EXPECT_EQ(solver.infeasibility_certificate(), (Vector{0, 0, 1, 0, 0, 0}));
  }
}

// Two equality rows with one left-hand side and two right-hand sides, with and without a free block of full rank beside them.
TEST(Auto, EqualitiesThatContradictEachOtherAreProved) {
  generate::Random random(50);
  for (const int n : {6, 20, 50, 90})
    for (const bool has_free_block : {true, false}) {
      generate::Values M = generate::gram(random, n, n, 0), q = random.normals(n);
      const int free = n / 3;
      for (int j = 0; j < n; ++j) {
        for (int i = 0; !has_free_block && j < free && i < free; ++i) M[generate::at(i + j * n)] = 0;
        M[generate::at(1 + j * n)] = M[generate::at(j * n)];
      }
      std::vector<std::int32_t> kind(generate::at(n), 1);
      std::fill_n(kind.begin(), free, 0);
      for (const char* method : {"auto", "lemke"}) {
        nsm::Solver solver(Problem::mlcp(Matrix::dense(n, n, M), q, kind), method);
        EXPECT_EQ(solver.solve().outcome(), NSM_INFEASIBLE) << method << ", n = " << n << ", " << has_free_block;
      }
    }
}

// From a matrix with a solution to one without and back, with stages that have not been set up, have, and read nothing new.
TEST(Auto, StagesReachedLateReadTheValuesOfTheDay) {
  nsm::Solver solver(infeasible());
  const Matrix one = Matrix::dense(2, 2, {1, -1, -1, 1}), other = Matrix::dense(2, 2, {2, 0, 0, 4});
  for (int round = 0; round < 3; ++round) {
    solver.update_matrix(other);
    EXPECT_TRUE(solver.solve().converged());
    EXPECT_NEAR(solver.solution().z[1], 0.25, 1e-12);
    solver.update_matrix(one);
    solver.warm_start({0, 0});
    EXPECT_EQ(solver.solve().outcome(), NSM_INFEASIBLE) << round;
  }
}

TEST(Auto, AnEmptyMatrixIsNoUpdate) {
  for (const Problem& problem : {infeasible(), Problem::qp(Matrix::dense(2, 2, {1, 0, 0, 1}), {0, 0})}) {
    nsm::Solver solver(problem);
    EXPECT_THROW(solver.update_matrix(Matrix::dense(0, 0, {})), nsm::Error);
  }
}

// Sweeps refuse a singular diagonal block; the stages behind them do not, at setup and after an update alike.
TEST(Auto, AStageThatRefusesNewValuesIsLeftOutUntilTheNextOnes) {
  const int contacts = 40, n = 3 * contacts;
  nsm::Indices start{0}, index;
  Vector regular;
  for (int j = 0; j < n; ++j) {
    for (const int i : {j - 3, j, j + 3}) {
      if (i < 0 || i >= n) continue;
      index.push_back(i);
      regular.push_back(i == j ? 2 : -0.5);
    }
    start.push_back(static_cast<std::int32_t>(index.size()));
  }
  Vector singular = regular;
  singular[0] = 0;
  const auto matrix = [&](const Vector& values) { return Matrix::csc(n, n, start, index, values); };
  Vector q(static_cast<std::size_t>(n), 0.0);
  for (int i = 3; i < n; i += 3) q[static_cast<std::size_t>(i)] = -1;
  q[0] = 100;  // stays open
  const Vector mu(contacts, 0.5);
  nsm::Solver solver(Problem::friction(3, matrix(regular), q, mu));
  EXPECT_EQ(solver.solve().finished_by(), "block_gauss_seidel");
  solver.update_matrix(matrix(singular));
  solver.warm_start(Vector(q.size(), 0.0));
  const nsm::Result result = solver.solve();
  EXPECT_TRUE(result.converged());
  nsm::Solver fresh(Problem::friction(3, matrix(singular), q, mu));
  EXPECT_EQ(result.finished_by(), fresh.solve().finished_by());
  for (nsm::Solver* updated : {&solver, &fresh}) {  // which a stage has refused in an update, or when it was set up
    updated->update_matrix(matrix(regular));
    updated->warm_start(Vector(q.size(), 0.0));
    EXPECT_EQ(updated->solve().finished_by(), "block_gauss_seidel");
  }
}

// Solves, then with the matrix `second` from 0: who finished that is who finishes a problem set up with it.
void expect_finished_as_fresh(nsm::Solver& solver, const Problem& fresh, const Matrix& second, std::size_t size, const char* by) {
  EXPECT_TRUE(solver.solve().converged());
  solver.update_matrix(second);
  solver.warm_start(Vector(size, 0.0));
  const nsm::Result result = solver.solve();
  EXPECT_TRUE(result.converged());
  EXPECT_EQ(result.finished_by(), by);
  EXPECT_EQ(nsm::Solver(fresh).solve().finished_by(), by);
}

// Which stages there are, and which of them are left out, follows from the present values.
TEST(Auto, StagesFollowTheValuesOfM) {
  generate::Random random(5);
  constexpr int order = 150;
  Vector M = generate::gram(random, order, order, 0.01), indefinite = M;
  indefinite[order] += 100;  // row 0, column 1
  const Vector q = random.normals(order);
  const auto matrix = [](int n, const Vector& values) { return Matrix::dense(n, n, values); };
  nsm::Solver pivots(Problem::lcp(matrix(order, indefinite), q));
  expect_finished_as_fresh(pivots, Problem::lcp(matrix(order, M), q), matrix(order, M), q.size(), "block_principal_pivoting");

  constexpr int contacts = 40, rows = 3 * contacts;
  const generate::Friction f = generate::constructed_friction(random, 3, contacts, generate::gram(random, rows, rows, 1));
  Vector turning = f.W;
  generate::add_skew(random, turning, rows, 0.2);
  nsm::Solver contact(Problem::friction(3, matrix(rows, f.W), f.q, f.mu));
  expect_finished_as_fresh(contact, Problem::friction(3, matrix(rows, turning), f.q, f.mu), matrix(rows, turning), f.q.size(),
                           "admm");
}

constexpr std::size_t chained = 40;

// Contacts each of which is coupled to the next, row by row, and a little to all others: M is dense.
Problem chain_of_contacts(const Vector& q) {
  const std::size_t n = q.size();
  Vector M(n * n, 1e-6);
  for (std::size_t j = 0; j < n; ++j) {
    M[j * (n + 1)] = 2;
    if (j >= 3) M[j * n + j - 3] = M[(j - 3) * n + j] = -0.5;
  }
  return Problem::friction(3, Matrix::dense(static_cast<std::int64_t>(n), static_cast<std::int64_t>(n), M), q,
                           Vector(n / 3, 0.5));
}

// Contacts alone, too many for steps on faces: nothing is set up for a start that is a solution.
TEST(Auto, LargeProblemsOfContactsWaitForASolveThatNeedsThem) {
  Vector q(3 * chained, 0.0);
  nsm::Solver solver(chain_of_contacts(q));
  const nsm::Result at_rest = solver.solve();
  EXPECT_TRUE(at_rest.converged());
  EXPECT_EQ(at_rest.setup_seconds(), 0);
  for (std::size_t i = 0; i < q.size(); i += 3) q[i] = -1;
  solver.update_q(q);
  const nsm::Result loaded = solver.solve();
  EXPECT_TRUE(loaded.converged());
  EXPECT_GT(loaded.setup_seconds(), 0);
  solver.warm_start(Vector(q.size(), 0.0));
  EXPECT_EQ(solver.solve().setup_seconds(), 0);
}

// Whether it opens, sticks or slides, and with a skew part that sends steps on faces round in circles.
TEST(Auto, OneContactIsSolvedAsItStands) {
  const Matrix W = Matrix::dense(3, 3, {2, 4, -3, -4, 2, 5, 3, -5, 2});
  for (const Vector& q : {Vector{1, 1, 1}, Vector{-1, 0.01, 0}, Vector{-1, 5, -3}})
    for (const double mu : {0.0, 0.3, 0.9}) {
      nsm::Solver solver(Problem::friction(3, W, q, {mu}));
      const nsm::Result result = solver.solve();
      EXPECT_TRUE(result.converged()) << q[1] << " " << mu;
      EXPECT_LE(result.iterations(), 1);
      EXPECT_EQ(result.setup_seconds(), 0);
    }
}

// Beads of 1 g and 1 t in turn, hit at the end of their column.
Problem unlike_beads(int beads) {
  const int n = 3 * beads;
  Vector W(generate::at(n * n), 0.0), q(generate::at(n), 0.0);
  const auto inverse_mass = [](int i) { return i < 0 ? 0 : i % 2 == 0 ? 1e3 : 1e-3; };
  for (int i = 0; i < n; ++i) {
    const int below = i / 3 - 1;
    const bool normal = i % 3 == 0;
    W[generate::at(i * (n + 1))] = (normal ? 1 : 3.5) * (inverse_mass(below) + inverse_mass(below + 1));
    if (below < 0) continue;
    const double coupling = (normal ? -1 : 1.5) * inverse_mass(below);
    W[generate::at(i * n + i - 3)] = W[generate::at((i - 3) * n + i)] = coupling;
  }
  q[0] = -0.05, q[generate::at(n - 3)] = -2, q[generate::at(n - 2)] = 0.3;
  return Problem::friction(3, Matrix::dense(n, n, W), q, Vector(generate::at(beads), 0.3));
}

// A residual that is rounding cannot be lowered: stages that went on took all iterations there were.
TEST(Auto, AStageThatEndsWithinRoundingEndsTheSolve) {
  const nsm::Problem problem = nsm::Problem::read(NONSMOOTH_DATA_DIR "/friction_3d_chain_101.json");
  nsm::Options options;
  options.set("tolerance", 1e-15);
  options.set("max_iterations", 20000);
  nsm::Solver solver(problem, options);
  const nsm::Result result = solver.solve();
  EXPECT_TRUE(result.converged());
  EXPECT_GT(result.certificate().rounding_floor, 1e-15);
  EXPECT_LT(result.iterations(), 2000);
}

// Sweeps that are far from the solution in the residual have found what slides: one Newton step from the last ends the solve of
// 40 beads, 35 that of 200, in which the residual does not halve at every step.
TEST(Auto, ChainsTakeNewtonStepsFromTheLastSweep) {
  for (const int beads : {40, 200}) {
    nsm::Solver solver(unlike_beads(beads));
    const nsm::Result result = solver.solve();
    EXPECT_TRUE(result.converged()) << beads;
    EXPECT_EQ(result.finished_by(), "semismooth_newton") << beads;
  }
}

// As a simulation asks for, whose last step ended there.
TEST(Auto, TheStageThatIsAskedForGoesFirst) {
  Vector q(3 * chained, 0.0);
  for (std::size_t i = 0; i < q.size(); i += 3) q[i] = -1;
  const Problem problem = chain_of_contacts(q);
  nsm::Solver usual(problem);
  const std::string usually = usual.solve().finished_by();
  EXPECT_NE(usually, "friction_interior_point");
  nsm::Options options;
  options.set_text("first_stage", "friction_interior_point");
  nsm::Solver solver(problem, "auto", options);
  EXPECT_EQ(solver.solve().finished_by(), "friction_interior_point");
  // Where its budget does not suffice the others follow.
  options.set("first_stage_iterations", 1);
  nsm::Solver hurried(problem, "auto", options);
  const nsm::Result result = hurried.solve();
  EXPECT_TRUE(result.converged());
  EXPECT_EQ(result.finished_by(), usually);
}

// Semidefinite matrices rounded to single precision are so no longer: some problems have no solution, but a point within a loose
// tolerance, unless it is proven before that there is none.
TEST(Auto, SmallProblemsInSinglePrecisionAreSolvedWithinALooseTolerance) {
  constexpr int n = 10;
  const nsm::Options loose{{"tolerance", 1e-4}};
  generate::Random random(44);
  for (int k = 0; k < 300; ++k) {
    generate::Lcp lcp = generate::constructed(random, n, generate::gram(random, n, n / 2, 0));
    for (double& value : lcp.M) value = static_cast<float>(value);
    for (double& value : lcp.q) value = static_cast<float>(value);
    nsm::Solver solver(Problem::lcp(Matrix::dense(n, n, lcp.M), lcp.q), loose);
    const nsm::Result result = solver.solve();
    EXPECT_TRUE(result.converged() || result.outcome() == NSM_INFEASIBLE) << k << ": " << nsm::name(result.outcome());
  }
}

// Planar friction is a linear complementarity problem: pivots do not mind a skew part, which nothing else likes.
TEST(Auto, PlanarContactsThatTurnArePivoted) {
  constexpr int contacts = 60, n = 2 * contacts;
  generate::Random random(45);
  generate::Values W = generate::gram(random, n, n, 0.05);
  generate::add_skew(random, W, n, 0.3);
  const generate::Friction f = generate::constructed_friction(random, 2, contacts, W);
  nsm::Solver solver(Problem::friction(2, Matrix::dense(n, n, f.W), f.q, f.mu));
  const nsm::Result result = solver.solve();
  EXPECT_TRUE(result.converged());
  EXPECT_EQ(result.finished_by(), "lemke");
}

// Free rows, complementarity and intervals side by side, none of them definite: with a solution known.
TEST(Auto, RowsOfAllKindsOfBoundsAreSolved) {
  constexpr int n = 12;
  generate::Random random(46);
  for (int k = 0; k < 40; ++k) {
    generate::Values M = generate::gram(random, n, n / 3, 0), z(n), w(n, 0.0), lo(n, 0.0), hi(n, 0.0);
    generate::add_skew(random, M, n, 1);
    std::vector<std::int32_t> kind(n), size(n, 1);
    for (std::size_t i = 0; i < n; ++i) {
      kind[i] = i % 3 == 0 ? NSM_BLOCK_EQUALITY : i % 3 == 1 ? NSM_BLOCK_COMPLEMENTARITY : NSM_BLOCK_RELAY;
      z[i] = i % 3 == 1 ? 0 : random.normal();
      if (i % 3 == 1) (random.chance(0.5) ? z : w)[i] = random.uniform();
      if (i % 3 != 2) continue;
      lo[i] = z[i] - random.integer(0, 1) * random.uniform();
      hi[i] = z[i] + random.uniform();
      if (lo[i] == z[i]) w[i] = random.uniform();
    }
    generate::Values q = generate::multiply(M, z);
    for (std::size_t i = 0; i < n; ++i) q[i] = w[i] - q[i];
    nsm::Solver solver(Problem::generic(Matrix::dense(n, n, M), q, kind, size, {}, lo, hi));
    EXPECT_TRUE(solver.solve().converged()) << k;
  }
}

// Cones coupled by a skew matrix alone, where half of the reactions and velocities are 0: no sweep and no Newton step likes that.
TEST(Auto, MonotoneConesAreSolved) {
  generate::Random random(47);
  for (int k = 0; k < 40; ++k) {
    const int cones = random.integer(2, 5), n = 3 * cones;
    generate::Values M(generate::at(n) * generate::at(n), 0.0), z(generate::at(n), 0.0), w(z);
    generate::add_skew(random, M, n, 1);
    std::vector<std::int32_t> start{0};
    for (int c = 0; c < cones; ++c) {
      const std::size_t i = generate::at(3 * c);
      const double angle = random.uniform(0, 6), length = random.uniform(0.1, 1);
      const int state = random.integer(0, 5);
      if (state % 3 < 2) z[i] = random.uniform(0.1, 1);
      if (state % 3 > 0) w[i] = length;
      if (state % 3 == 0) continue;
      for (int t = 0; t < 2; ++t) {
        const double direction = t == 0 ? std::cos(angle) : std::sin(angle);
        z[i + 1 + generate::at(t)] = z[i] * direction;
        w[i + 1 + generate::at(t)] = -w[i] * direction;
      }
    }
    for (int c = 1; c <= cones; ++c) start.push_back(3 * c);
    generate::Values q = generate::multiply(M, z);
    for (std::size_t i = 0; i < q.size(); ++i) q[i] = w[i] - q[i];
    nsm::Solver solver(Problem::soclcp(Matrix::dense(n, n, M), q, start, Vector(generate::at(cones), 1.0)));
    EXPECT_TRUE(solver.solve().converged()) << k;
  }
}

// Cones of one to `longest` rows with a symmetric M of half the rank; their solution has entries of `size`, and in a third of the
// cones nothing is strict.
Problem singular_cones(generate::Random& random, int n, int longest, double size) {
  std::vector<std::int32_t> start{0};
  while (start.back() < n) start.push_back(std::min(n, start.back() + random.integer(1, longest)));
  generate::Values z(generate::at(n), 0.0), w(z);
  for (std::size_t c = 0; c + 1 < start.size(); ++c) {
    const std::size_t first = generate::at(start[c]), last = generate::at(start[c + 1]) - 1;
    const int state = first == last ? random.integer(0, 1) : random.integer(0, 2);
    if (state != 1) z[first] = size * random.uniform(0.1, 1);
    if (state != 0) w[first] = random.uniform(0.1, 1);
    const double share = state == 2 ? 1 : random.uniform(0, 0.9);
    if (first == last) continue;
    z[last] = share * z[first];
    w[last] = -share * w[first];
  }
  const generate::Values M = generate::gram(random, n, n / 2, 0);
  generate::Values q = generate::multiply(M, z);
  for (std::size_t i = 0; i < q.size(); ++i) q[i] = w[i] - q[i];
  return Problem::soclcp(Matrix::dense(n, n, M), q, start, Vector(start.size() - 1, 1.0));
}

TEST(Auto, SingularConesOfUnlikeSizesAreSolved) {
  generate::Random random(49);
  for (int k = 0; k < 12; ++k) {
    const int n = random.integer(15, 80);
    const Problem problem = singular_cones(random, n, k % 2 == 0 ? 4 : 12, 1000);
    nsm::Options options;
    options.set("max_iterations", 6000);
    EXPECT_TRUE(nsm::Solver(problem, "auto", options).solve().converged()) << k;
  }
}

// A chain as long as this takes more sweeps than anyone waits for.
TEST(Auto, ManyConesAreNotOnlySwept) {
  constexpr std::int32_t cones = 1400;
  generate::Random random(48);
  std::vector<std::int32_t> row_start{0}, column, start{0};
  Vector values, z(3 * cones, 0.0), q(z);
  for (std::int32_t c = 0; c < cones; ++c) {
    for (std::int32_t other = std::max(c - 1, 0); other <= std::min(c + 1, cones - 1); ++other) {
      column.push_back(other);
      for (int entry = 0; entry < 9; ++entry) values.push_back(entry % 4 != 0 ? 0 : other == c ? 2 : -1);
    }
    row_start.push_back(static_cast<std::int32_t>(column.size()));
    start.push_back(3 * c + 3);
    const double angle = random.uniform(0, 6), length = random.uniform(0.1, 1);
    const std::size_t i = generate::at(3 * c);
    z[i] = length;
    if (random.chance(0.5)) continue;
    z[i + 1] = length * std::cos(angle);
    z[i + 2] = length * std::sin(angle);
    q[i] = 0.5;
    q[i + 1] = -0.5 * std::cos(angle);
    q[i + 2] = -0.5 * std::sin(angle);
  }
  for (std::size_t i = 0; i < q.size(); ++i) q[i] -= 2 * z[i] - (i >= 3 ? z[i - 3] : 0) - (i + 3 < z.size() ? z[i + 3] : 0);
  const Matrix M = Matrix::block_csr(3, cones, cones, row_start, column, values);
  nsm::Solver solver(Problem::soclcp(M, q, start, Vector(generate::at(cones), 1.0)));
  const nsm::Result result = solver.solve();
  EXPECT_TRUE(result.converged());
  EXPECT_NE(result.finished_by(), "block_gauss_seidel");
}

// One stage after the other ended here at reactions of 1e9 and more, whose residual rounding hides.
TEST(Auto, ADivergedIterateDoesNotEndASolve) {
  const Matrix M = Matrix::dense(4, 4,
                                 {0, 0, 0, 0, 0, 4.434140995417653, 1.392575366033222, -0.7477093265484697, 0, -1.392575366033222,
                                  0, 0, 0, 0.7477093265484697, 0, 0});
  const Vector q{0, -1.0923617234987966, -0.5164303506587611, 0.27728466201450835}, mu{0.7255240793950588, 0.871235049264101};
  nsm::Solver solver(Problem::generic(M, q, {NSM_BLOCK_FRICTION_2D, NSM_BLOCK_FRICTION_2D}, {2, 2}, mu));
  EXPECT_TRUE(solver.solve().converged());
}

// Bodies of unlike masses and large coefficients in the plane: reactions that meet the tolerance in the condensed problem lift to
// velocities that do not meet that of the whole. Sweeps go on to a tighter tolerance, which suffices.
TEST(GlobalFriction, AClaimThatTheLiftSpoilsIsNoEnd) {
  for (const std::uint64_t seed : {24U, 118U, 134U, 546U, 554U, 724U}) {
    generate::Random random(seed);
    const int n = 3 * random.integer(1, 4), contacts = random.integer(2, 8), rows = 2 * contacts;
    const Vector H = random.normals(std::int64_t{n} * rows);
    Vector M(generate::at(n) * generate::at(n), 0.0), f(generate::at(n)), mu(generate::at(contacts));
    for (int body = 0; body < n; body += 3) {
      const double mass = random.magnitude(-3, 3);
      for (int k = body; k < body + 3; ++k) {
        M[generate::at(k) * generate::at(n + 1)] = mass;
        f[generate::at(k)] = mass * random.normal();
      }
    }
    for (double& coefficient : mu) coefficient = random.magnitude(2, 3);
    nsm::Solver solver(
        Problem::global_friction(2, Matrix::dense(n, n, M), Matrix::dense(n, rows, H), f, Vector(generate::at(rows), 0.0), mu),
        "block_gauss_seidel");
    EXPECT_TRUE(solver.solve().converged()) << seed;
  }
}

// Boxes, some open above, of any M, with a solution by construction: where pivots end on rays, bases are searched.
TEST(Auto, SmallBoxesArePivotedAndSearched) {
  generate::Random random(3);
  for (int k = 0; k < 100; ++k) {
    const int n = random.integer(6, 12);
    Vector M(generate::at(n) * generate::at(n), 0.0), z(generate::at(n)), q(z), lo(z.size(), -1.0), hi(z.size(), 1.0);
    for (double& entry : M)
      if (random.chance(0.3)) entry = random.normal();
    for (std::size_t i = 0; i < z.size(); ++i) {
      if (random.chance(0.25)) hi[i] = HUGE_VAL;
      const int at_bound = random.integer(-1, hi[i] == 1 ? 1 : 0);
      z[i] = at_bound == 0 ? random.uniform(-1, 1) : at_bound;
      q[i] = -at_bound * random.uniform();
    }
    q = generate::right_hand_side(q, generate::multiply(M, z));
    EXPECT_TRUE(nsm::Solver(Problem::relay(Matrix::dense(n, n, M), q, lo, hi)).solve().converged()) << "case " << k;
  }
}

// Cones of 1 to 4 rows with a general M that has a column of zeros: some are solved from the start, some from where the interior
// point method has ended.
TEST(Auto, SmallConesAreTriedFromSeveralPoints) {
  for (const int seed : {6, 14, 32, 49, 64}) {
    generate::Random random(static_cast<std::uint64_t>(seed));
    const int n = random.integer(6, 12);
    nsm::Indices start{0};
    while (start.back() < n) start.push_back(std::min(n, start.back() + random.integer(1, 4)));
    Vector M = random.normals(std::int64_t{n} * n), z(generate::at(n), 0.0), w(z), tau(start.size() - 1, 1.0);
    const int column = random.integer(0, n - 1);
    for (int i = 0; i < n; ++i) M[generate::at(i + n * column)] = 0;
    for (std::size_t c = 0; c < tau.size(); ++c) {
      const std::size_t first = generate::at(start[c]), size = generate::at(start[c + 1]) - first;
      const int face = random.integer(-1, 1);  // w inside, both on opposite rays, z inside
      const Vector d = random.normals(static_cast<std::int64_t>(size));
      double norm = 0;
      for (std::size_t k = 1; k < size; ++k) norm = std::hypot(norm, d[k]);
      Vector& inside = face < 0 ? w : z;
      inside[first] = random.uniform() + 0.1;
      for (std::size_t k = 1; k < size; ++k) inside[first + k] = d[k] / norm * inside[first] * (face == 0 ? 1 : random.uniform());
      if (face != 0 || size == 1) continue;
      w[first] = random.uniform();
      for (std::size_t k = 1; k < size; ++k) w[first + k] = -d[k] / norm * w[first];
    }
    const Vector q = generate::right_hand_side(w, generate::multiply(M, z));
    EXPECT_TRUE(nsm::Solver(Problem::soclcp(Matrix::dense(n, n, M), q, start, tau)).solve().converged()) << seed;
  }
}

// Mixed problems with a triangular matrix, whose rows of equality often leave no pivot for paths to begin with: the first bases
// of the search decide row by row.
TEST(Auto, MixedTriangularProblemsAreSearched) {
  generate::Random random(6);
  int solved = 0;
  for (int k = 0; k < 20; ++k) {
    const int n = random.integer(33, 56);
    Vector M(generate::at(n) * generate::at(n), 0.0), z(generate::at(n)), w(z);
    nsm::Indices complementary(z.size());
    for (int j = 0; j < n; ++j) {
      M[generate::at(j) * generate::at(n + 1)] = random.integer(0, 1);
      for (int i = j + 1; i < n; ++i) M[generate::at(i + j * n)] = random.integer(-2, 2);
    }
    for (std::size_t i = 0; i < z.size(); ++i) {
      complementary[i] = random.integer(0, 1);
      const bool open = complementary[i] != 0 && random.chance(0.5);
      z[i] = open ? 0 : random.uniform();
      w[i] = open ? random.uniform() : 0;
    }
    const Vector q = generate::right_hand_side(w, generate::multiply(M, z));
    solved += nsm::Solver(Problem::mlcp(Matrix::dense(n, n, M), q, complementary)).solve().converged() ? 1 : 0;
  }
  EXPECT_GE(solved, 8);  // none without it
}

// Newton's method solves both from 0, and not from the points that the stages before it have left: the first has a column of
// zeros, M of the second is indefinite, which reflections are sooner through with.
TEST(Auto, NewtonsMethodBeginsWhereTheSolveDid) {
  const Problem polyhedron = Problem::avi(Matrix::dense(2, 2, {2, -2, 0, 0}), {-0.5, -0.5}, Matrix::dense(2, 2, {0, -1, 0, 0}),
                                          {-1, 0.25}, {-0.375, -HUGE_VAL}, {0.25, HUGE_VAL});
  const Problem cones = Problem::soclcp(Matrix::dense(3, 3, {0, -2, -2, -2, 1, -1, 0, 0, -1}), {2, -1, 1}, {0, 1, 3}, {1, 1});
  for (const Problem* problem : {&polyhedron, &cones}) {
    nsm::Solver solver(*problem);
    EXPECT_TRUE(solver.solve().converged());
    EXPECT_EQ(solver.last_result().finished_by(), problem == &cones ? "relaxed_reflect_reflect" : "semismooth_newton");
  }
}

// Coefficients so large that one contact alone may have no or several solutions: sweeps and Newton's methods go round in circles.
TEST(Auto, PlanarContactsWithLargeCoefficientsArePivoted) {
  const Vector H{0,    0.7, 0.8,  1.4,  -1.8, -0.2, 1.2, 1.6,  -0.2, -0.5, -0.1, 0.7,
                 -0.3, 0.7, -0.9, -0.5, -0.1, -1.5, 0.6, -0.4, 0.4,  -0.1, 0.5,  -0.7};
  Vector W(64, 0.0);
  for (std::size_t i = 0; i < 8; ++i)
    for (std::size_t j = 0; j < 8; ++j)
      for (std::size_t b = 0; b < 3; ++b) W[i + 8 * j] += H[3 * i + b] * H[3 * j + b];
  const Vector q{-12.44, 21.38, -9.21, -6, 0.02, 11.23, 2.08, 0.98}, mu{39, 17, 37, 25};
  EXPECT_TRUE(nsm::Solver(Problem::friction(2, Matrix::dense(8, 8, W), q, mu)).solve().converged());
}

// Forces of 0.01 to 1,000 on few bodies, some coefficients of 10: what one stage leaves to the next leads most of them astray.
TEST(Auto, SmallProblemsWithFrictionAreTriedAgainFromTheStart) {
  for (const int seed : {33, 122, 409, 493, 612}) {
    generate::Random random(static_cast<std::uint64_t>(seed));
    const int contacts = random.integer(3, 16), n = 3 * contacts, rank = random.integer(1, n);
    Vector B(generate::at(n * rank)), W(generate::at(n * n), 0.0), r(generate::at(n)), u(r), mu(generate::at(contacts));
    for (double& b : B) b = random.integer(-1, 1);
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i)
        for (int k = 0; k < rank; ++k) W[generate::at(i + n * j)] += B[generate::at(i + n * k)] * B[generate::at(j + n * k)];
    for (std::size_t c = 0; c < mu.size(); ++c) {
      mu[c] = random.chance(0.2) ? 10 : random.uniform();
      const double angle = random.uniform(0, 6), x = std::cos(angle), y = std::sin(angle);
      const double force = random.chance(0.6) ? random.magnitude(-2, 3) : 0, share = random.chance(0.5) ? 1 : random.uniform();
      const double speed = share == 1 ? random.magnitude(-2, 3) : 0;
      r[3 * c] = force;
      r[3 * c + 1] = share * mu[c] * force * x;
      r[3 * c + 2] = share * mu[c] * force * y;
      u[3 * c] = force == 0 ? random.uniform() : 0;
      u[3 * c + 1] = -speed * x;
      u[3 * c + 2] = -speed * y;
    }
    const Vector q = generate::right_hand_side(u, generate::multiply(W, r));
    EXPECT_TRUE(nsm::Solver(Problem::friction(3, Matrix::dense(n, n, W), q, mu)).solve().converged()) << seed;
  }
}

}  // namespace auto_test
