// One solver over its life: values that are refused, batches in the order of the matrix given, starts that are no use.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "../support/generators.hpp"
#include "../support/solve.hpp"
#include "linalg/nnls.hpp"

namespace nonsmooth::solver_test {

using generate::at;
using generate::Friction;
using generate::Random;
using support::OptionList;
using support::ProblemPtr;
using support::Solution;
using support::SolverPtr;
using support::Values;

ProblemPtr lcp(const nsm_matrix& M, const Values& q) {
  nsm_problem* raw = nullptr;
  EXPECT_EQ(nsm_problem_create_lcp(&M, q.data(), &raw), NSM_OK) << nsm_last_error();
  return ProblemPtr(raw);
}

Solution from(nsm_solver* solver, const Values& start) {
  const auto n = static_cast<std::int64_t>(start.size());
  EXPECT_EQ(nsm_warm_start(solver, start.data(), n), NSM_OK) << nsm_last_error();
  return support::solve(solver, n);
}

// W is so small that no impulse at the tolerance can be told from rounding: a claim is refused and the solve begins again.
TEST(Iterations, AreLimitedWhereASolveBeginsAgain) {
  const Values W = {2e-20, 1e-20, 0, 1e-20, 3e-20, 0, 0, 0, 1e-20}, q = {-1, 0.5, 0.2}, mu = {0.5}, mu_r = {0.1};
  const nsm_matrix view = nsm_matrix_dense(3, 3, W.data());
  for (const bool rolls : {false, true})
    for (int limit = 1; limit <= 4; ++limit) {
      nsm_problem* raw = nullptr;
      ASSERT_EQ(rolls ? nsm_problem_create_rolling(3, &view, q.data(), mu.data(), mu_r.data(), &raw)
                      : nsm_problem_create_friction(3, &view, q.data(), mu.data(), &raw),
                NSM_OK);
      const ProblemPtr problem(raw);
      const SolverPtr solver = support::setup(problem.get(), "auto", {{"max_iterations", limit}});
      EXPECT_LE(support::solve(solver.get(), 3).result.iterations, limit) << rolls;
    }
}

// Where steps on the central path fail one after the other.
TEST(Iterations, AreLimitedWhereStepsFail) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    Random random(seed);
    Values W = generate::gram(random, 4, 4, 0);
    for (double& entry : W) entry *= 1e-20;
    const Values q = random.normals(4), mu = {0.9, 1.5};
    const nsm_matrix view = nsm_matrix_dense(4, 4, W.data());
    nsm_problem* raw = nullptr;
    ASSERT_EQ(nsm_problem_create_friction(2, &view, q.data(), mu.data(), &raw), NSM_OK);
    const ProblemPtr problem(raw);
    for (int limit = 1; limit <= 60; ++limit) {
      const SolverPtr solver = support::setup(problem.get(), "friction_central_path", {{"max_iterations", limit}});
      EXPECT_LE(support::solve(solver.get(), 4).result.iterations, limit) << seed;
    }
  }
}

// --- batches ---

struct BatchOutcome {
  nsm_status status;
  std::int32_t outcome = -1;
  Values z;
};

BatchOutcome batch_of_one(nsm_solver* solver, const Values& values, const Values& q) {
  BatchOutcome b{NSM_OK, -1, Values(q.size(), 0.0)};
  b.status = nsm_solve_batch(solver, 1, values.data(), q.data(), b.z.data(), nullptr, &b.outcome, nullptr);
  return b;
}

TEST(Batch, TakesValuesInTheOrderOfTheMatrixGiven) {
  const Values q = {-4, -2}, solution = {10.0 / 11, 4.0 / 11};  // M = [4 1; 1 3]
  const std::int32_t start[] = {0, 2, 4}, rows[] = {1, 0, 1, 0};
  const Values columns = {1, 4, 3, 1}, blocks = {1, 4, 3, 1}, dense = {4, 1, 1, 3};
  const nsm_matrix of[] = {nsm_matrix_csc(2, 2, start, rows, columns.data()),
                           nsm_matrix_block_csr(1, 2, 2, start, rows, blocks.data()), nsm_matrix_dense(2, 2, dense.data())};
  const Values* values[] = {&columns, &blocks, &dense};
  for (int k = 0; k < 3; ++k) {
    const ProblemPtr problem = lcp(of[k], q);
    const SolverPtr solver = support::setup(problem.get(), "lemke");
    const BatchOutcome batch = batch_of_one(solver.get(), *values[k], q);
    EXPECT_EQ(batch.outcome, NSM_CONVERGED) << k;
    for (std::size_t i = 0; i < 2; ++i) EXPECT_NEAR(batch.z[i], solution[i], 1e-14) << k;
  }
}

TEST(Batch, BlocksOfAnySizeKeepTheirValues) {
  const std::int32_t end[] = {2, 3}, start[] = {0, 2, 4}, columns[] = {1, 0, 1, 0};
  // Block row 0: (2 x 1), (2 x 2); block row 1: (1 x 1), (1 x 2).
  const Values values = {0.5, -0.5, 4, 1, 0, 5, 3, 0.25, -0.25}, q = {-1, -2, -3};
  nsm_matrix M = nsm_matrix_block_csr(0, 2, 2, start, columns, values.data());
  M.rows = M.cols = 3;
  M.row_end = M.col_end = end;
  const ProblemPtr problem = lcp(M, q);
  const SolverPtr solver = support::setup(problem.get(), nullptr);
  const Solution single = from(solver.get(), Values(3, 0.0));
  const BatchOutcome batch = batch_of_one(solver.get(), values, q);
  EXPECT_EQ(batch.z, single.z);
}

TEST(Batch, NamesTheMatrixThatIsRefused) {
  const Values one = {1}, bounds = {-1, 1}, q = {0, 0};
  const nsm_matrix M = nsm_matrix_dense(1, 1, one.data());
  nsm_problem* raw = nullptr;
  ASSERT_EQ(nsm_problem_create_qp(&M, q.data(), nullptr, nullptr, &bounds[0], &bounds[1], &raw), NSM_OK);
  const ProblemPtr problem(raw);
  const SolverPtr solver = support::setup(problem.get(), nullptr);
  Values z = {0.5, 0.5};
  std::int32_t outcome[] = {-1, -1};
  EXPECT_EQ(nsm_solve_batch(solver.get(), 2, Values{2, -1}.data(), q.data(), z.data(), nullptr, outcome, nullptr),
            NSM_INVALID_VALUE)
      << "a concave programme";
  EXPECT_EQ(std::string(nsm_last_error()).rfind("problem 1 of the batch: ", 0), 0u) << nsm_last_error();
  EXPECT_EQ(outcome[0], NSM_CONVERGED);
  EXPECT_EQ(outcome[1], -1);
  EXPECT_TRUE(from(solver.get(), {0.5}).converged()) << "the values before stay";
}

// The first problem has q = -1, the second, with a matrix that no programme has, q = -3.
TEST(Batch, KeepsTheLastProblemWhereAMatrixIsRefused) {
  const Values one = {1}, q = {-1, -3};
  const nsm_matrix M = nsm_matrix_dense(1, 1, one.data());
  nsm_problem* raw = nullptr;
  ASSERT_EQ(nsm_problem_create_qp(&M, q.data(), nullptr, nullptr, nullptr, nullptr, &raw), NSM_OK);
  const ProblemPtr problem(raw);
  const SolverPtr solver = support::setup(problem.get(), nullptr);
  Values z = {0, 0};
  ASSERT_EQ(nsm_solve_batch(solver.get(), 2, Values{2, -1}.data(), q.data(), z.data(), nullptr, nullptr, nullptr),
            NSM_INVALID_VALUE);
  EXPECT_NEAR(from(solver.get(), {0}).z[0], 0.5, 1e-14) << "q and M of the first problem";
}

TEST(Batch, RefusesACountBeyondAnyArray) {
  const Values one = {1}, q = {0};
  const nsm_matrix M = nsm_matrix_dense(1, 1, one.data());
  nsm_problem* raw = nullptr;
  ASSERT_EQ(nsm_problem_create_lcp(&M, q.data(), &raw), NSM_OK);
  const ProblemPtr problem(raw);
  const SolverPtr solver = support::setup(problem.get(), nullptr);
  Values z = {0};
  for (const std::int64_t count : {std::int64_t{1} << 60, std::int64_t{1} << 62, INT64_MAX}) {
    EXPECT_EQ(nsm_solve_batch(solver.get(), count, nullptr, q.data(), z.data(), nullptr, nullptr, nullptr), NSM_TOO_LARGE);
    EXPECT_EQ(std::string(nsm_last_error()).rfind("count: ", 0), 0u) << nsm_last_error();
  }
}

// Nothing would read the vector.
TEST(Creators, RefuseAVectorWithoutItsMatrix) {
  const Values one = {1}, zero = {0};
  const nsm_matrix M = nsm_matrix_dense(1, 1, one.data());
  nsm_problem* raw = nullptr;
  EXPECT_EQ(nsm_problem_create_avi(&M, zero.data(), nullptr, one.data(), nullptr, nullptr, &raw), NSM_INVALID_ARGUMENT);
  EXPECT_STREQ(nsm_last_error(), "k is given, but H is NULL");
  EXPECT_EQ(nsm_problem_create_qp(&M, zero.data(), nullptr, one.data(), nullptr, nullptr, &raw), NSM_INVALID_ARGUMENT);
  const nsm_function F = [](void*, std::int64_t, const double* z, double* w) -> std::int32_t { return w[0] = z[0], 0; };
  EXPECT_EQ(nsm_problem_create_vi(1, F, nullptr, nullptr, nullptr, nullptr, one.data(), nullptr, nullptr, &raw),
            NSM_INVALID_ARGUMENT);
  const Values row = {1, 0};
  const nsm_matrix H = nsm_matrix_dense(1, 2, row.data());
  EXPECT_EQ(nsm_problem_create_global_friction(2, &M, &H, zero.data(), row.data(), one.data(), nullptr, one.data(), &raw),
            NSM_INVALID_ARGUMENT);
  EXPECT_STREQ(nsm_last_error(), "b is given, but G is NULL");
}

// Cancelled before it runs: all of it, and nothing behind it.
TEST(Batch, IsCancelledToItsEnd) {
  const Values M = {2}, q = {-1, -2, 3, -4}, starts = {0, 0, 0, 2};
  const nsm_matrix matrix = nsm_matrix_dense(1, 1, M.data());
  const ProblemPtr problem = lcp(matrix, {0});
  const SolverPtr solver = support::setup(problem.get(), "lemke");
  Values z = starts;
  std::vector<std::int32_t> outcome(q.size(), -1);
  nsm_cancel(solver.get());
  ASSERT_EQ(nsm_solve_batch(solver.get(), 4, nullptr, q.data(), z.data(), nullptr, outcome.data(), nullptr), NSM_OK);
  EXPECT_EQ(outcome, (std::vector<std::int32_t>{NSM_CANCELLED, NSM_CANCELLED, NSM_CONVERGED, NSM_CONVERGED}))
      << "0 and 2 are the solutions of the last two";
  EXPECT_EQ(z, starts);
  ASSERT_EQ(nsm_solve_batch(solver.get(), 4, nullptr, q.data(), z.data(), nullptr, outcome.data(), nullptr), NSM_OK);
  EXPECT_EQ(outcome, std::vector<std::int32_t>(4, NSM_CONVERGED));
}

// --- refused updates ---

TEST(RefusedUpdate, OfASingularMass) {
  const Values M = {1, 0, 0, 1}, singular = {1, 1, 1, 1}, f = {0, -1}, w = {0, 0}, mu = {0.3};
  const nsm_matrix mass = nsm_matrix_dense(2, 2, M.data()), bad = nsm_matrix_dense(2, 2, singular.data());
  nsm_problem* raw = nullptr;
  ASSERT_EQ(nsm_problem_create_global_friction(2, &mass, &mass, f.data(), w.data(), mu.data(), nullptr, nullptr, &raw), NSM_OK);
  const ProblemPtr problem(raw);
  const SolverPtr solver = support::setup(problem.get(), nullptr);
  const Solution before = from(solver.get(), Values(4, 0.0));
  EXPECT_EQ(nsm_update_matrix(solver.get(), &bad), NSM_INVALID_VALUE);
  const Solution after = from(solver.get(), Values(4, 0.0));
  EXPECT_TRUE(after.converged());
  EXPECT_EQ(after.z, before.z);
}

TEST(RefusedUpdate, OfAMatrixThatTheMethodDoesNotTreat) {
  const Values M = {2, 1, 1, 2}, turning = {2, 1, -1, 2}, q = {-1, -1};
  const nsm_matrix good = nsm_matrix_dense(2, 2, M.data()), bad = nsm_matrix_dense(2, 2, turning.data());
  const ProblemPtr problem = lcp(good, q);
  const SolverPtr solver = support::setup(problem.get(), "projected_conjugate_gradient");
  const Solution before = from(solver.get(), Values(2, 0.0));
  EXPECT_EQ(nsm_update_matrix(solver.get(), &bad), NSM_UNSUPPORTED);
  EXPECT_EQ(from(solver.get(), Values(2, 0.0)).z, before.z);
}

// The last solution is certified as before, and so are its derivatives.
TEST(RefusedUpdate, KeepsTheDerivative) {
  const Values M = {2, 1, 1, 2}, turning = {2, 1, -1, 2}, q = {-1, -1}, dq = {1, 0};
  const nsm_matrix good = nsm_matrix_dense(2, 2, M.data()), bad = nsm_matrix_dense(2, 2, turning.data());
  const ProblemPtr problem = lcp(good, q);
  const SolverPtr solver = support::setup(problem.get(), "projected_conjugate_gradient");
  ASSERT_TRUE(from(solver.get(), Values(2, 0.0)).converged());
  Values dz(2), z(2);
  ASSERT_EQ(nsm_update_matrix(solver.get(), &bad), NSM_UNSUPPORTED);
  ASSERT_EQ(nsm_differentiate(solver.get(), dq.data(), 2, nullptr, 0, dz.data(), nullptr, 2), NSM_OK) << nsm_last_error();
  EXPECT_NEAR(dz[0], -2.0 / 3, 1e-12);
  ASSERT_EQ(nsm_solve_batch(solver.get(), 1, turning.data(), dq.data(), z.data(), nullptr, nullptr, nullptr), NSM_UNSUPPORTED);
  ASSERT_EQ(nsm_differentiate(solver.get(), dq.data(), 2, nullptr, 0, dz.data(), nullptr, 2), NSM_OK) << nsm_last_error();
  EXPECT_NEAR(dz[0], -2.0 / 3, 1e-12);
}

TEST(RefusedUpdate, OfFrictionThatTheMethodDoesNotTreat) {
  Random random(7);
  const Friction f = generate::constructed_friction(random, 3, 4, generate::gram(random, 12, 12, 0.2));
  const ProblemPtr problem = support::problem(f);
  const SolverPtr solver = support::setup(problem.get(), "friction_central_path");
  const Solution before = from(solver.get(), Values(12, 0.0));
  Values mu = f.mu;
  mu[1] = 0;
  EXPECT_EQ(nsm_update_mu(solver.get(), mu.data(), 4), NSM_UNSUPPORTED);
  EXPECT_EQ(from(solver.get(), Values(12, 0.0)).z, before.z);
}

// --- the convex relaxation, whose sets depend on which contacts have friction ---

TEST(Relaxation, FollowsFrictionThatComesAndGoes) {
  Random random(17);
  Friction f = generate::constructed_friction(random, 3, 3, generate::gram(random, 9, 18, 0.3));
  const Values with = f.mu, without(3, 0.0);
  const OptionList options = {{"convex_relaxation", 1}};
  for (const char* method :
       {"auto", "block_gauss_seidel", "jacobi", "admm", "semismooth_newton", "accelerated_projected_gradient"}) {
    const ProblemPtr problem = support::problem(f);
    const SolverPtr solver = support::setup(problem.get(), method, options);
    from(solver.get(), Values(9, 0.0));
    for (const Values* mu : {&without, &with}) {
      ASSERT_EQ(nsm_update_mu(solver.get(), mu->data(), 3), NSM_OK) << method << ": " << nsm_last_error();
      const Solution updated = from(solver.get(), Values(9, 0.0));
      Friction changed = f;
      changed.mu = *mu;
      const Solution fresh = support::solve(support::problem(changed).get(), method, options);
      EXPECT_EQ(updated.z, fresh.z) << method;
      EXPECT_LE(updated.result.relaxation_residual, 1e-8) << method;
    }
  }
}

// A joint that closes at a given speed, held by two rows that disagree: the contact is solved, the joint cannot be.
TEST(Relaxation, ClaimsNoSolutionWhereJointsContradictEachOther) {
  const Values I = {1, 0, 0, 1}, G = {1, 0, 1, 0}, f = {0, 0}, w = {1, 0}, b = {0, 1}, mu = {0.5};
  const nsm_matrix identity = support::dense(2, 2, I), joints = support::dense(2, 2, G);
  nsm_problem* raw = nullptr;
  ASSERT_EQ(nsm_problem_create_global_friction(2, &identity, &identity, f.data(), w.data(), mu.data(), &joints, b.data(), &raw),
            NSM_OK)
      << nsm_last_error();
  const ProblemPtr problem(raw);
  const Solution s = support::solve(problem.get(), nullptr, {{"convex_relaxation", 1}});
  EXPECT_GE(s.result.relaxation_residual, 0.1);
}

// --- starts ---

TEST(Start, ThatHidesItsResidualInRoundingEndsNothing) {
  const Values M = {1, -1, -1, 1}, q = {-1, 1};
  const ProblemPtr problem = lcp(nsm_matrix_dense(2, 2, M.data()), q);
  for (const char* method : {"auto", "lemke", "interior_point", "block_gauss_seidel"}) {
    const SolverPtr solver = support::setup(problem.get(), method);
    EXPECT_TRUE(from(solver.get(), {1e11 + 1, 1e11}).converged()) << method;
  }
}

TEST(Start, IsFiniteAfterASolveThatWasNot) {
  // Nothing multiplies z[0] here, so that no residual tells of an infinite one.
  const std::int32_t start[] = {0, 0, 0, 0};
  const Values q = {-1, -1, -1}, lo = {0, 0, 0};
  const nsm_matrix empty = nsm_matrix_csc(3, 3, start, start, q.data());
  nsm_problem* raw = nullptr;
  ASSERT_EQ(nsm_problem_create_avi(&empty, q.data(), nullptr, nullptr, lo.data(), nullptr, &raw), NSM_OK) << nsm_last_error();
  const ProblemPtr problem(raw);
  for (const char* method : {"interior_point", "lemke", "auto"}) {
    const SolverPtr solver = support::setup(problem.get(), method);
    EXPECT_FALSE(support::solve(solver.get(), 3).converged()) << method;
    ASSERT_EQ(nsm_update_q(solver.get(), Values(3, 0.0).data(), 3), NSM_OK);
    const Solution next = support::solve(solver.get(), 3);
    EXPECT_TRUE(next.converged()) << method;
    for (const double z : next.z) EXPECT_TRUE(std::isfinite(z)) << method;
  }
}

TEST(InteriorPoint, SolvesAgainAfterAProblemWithoutSolution) {
  const Values M = {1, -1, -1, 1}, solvable = {-1, 1}, unsolvable = {-1, -1};
  const ProblemPtr problem = lcp(nsm_matrix_dense(2, 2, M.data()), solvable);
  const SolverPtr solver = support::setup(problem.get(), "interior_point");
  const Solution first = from(solver.get(), {0, 0});
  ASSERT_TRUE(first.converged());
  ASSERT_EQ(nsm_update_q(solver.get(), unsolvable.data(), 2), NSM_OK);
  EXPECT_FALSE(from(solver.get(), {0, 0}).converged());
  ASSERT_EQ(nsm_update_q(solver.get(), solvable.data(), 2), NSM_OK);
  EXPECT_EQ(from(solver.get(), {0, 0}).z, first.z);
}

// Until it is solved anew the last solution is what it was: to read, to differentiate, in any form.
TEST(Starts, LeaveTheLastSolution) {
  const Values M = {2, 1, 1, 2}, dq = {1, 0}, far = {0, 9};
  const nsm_matrix matrix = nsm_matrix_dense(2, 2, M.data());
  const ProblemPtr problem = lcp(matrix, {-1, -1});
  const SolverPtr solver = support::setup(problem.get(), nullptr);
  const Solution first = support::solve(solver.get(), 2);
  ASSERT_EQ(nsm_warm_start(solver.get(), far.data(), 2), NSM_OK);
  Values z(2), w(2), dz(2);
  ASSERT_EQ(nsm_solution(solver.get(), z.data(), w.data(), 2), NSM_OK);
  EXPECT_EQ(z, first.z);
  ASSERT_EQ(nsm_solution_at(solver.get(), 0, z.data(), w.data(), 2), NSM_OK);
  EXPECT_EQ(z, first.z);
  ASSERT_EQ(nsm_differentiate(solver.get(), dq.data(), 2, nullptr, 0, dz.data(), nullptr, 2), NSM_OK) << nsm_last_error();
  EXPECT_NEAR(dz[0], -2.0 / 3, 1e-12);
  EXPECT_TRUE(support::solve(solver.get(), 2).converged());
}

// An iterate that a solve has failed at is no start where 0 is nearer; what the caller gives is.
TEST(Starts, BehindAFailureZeroIsTriedToo) {
  const Values M = {1, -1, -1, 1}, unsolvable = {-1, -1}, open = {1, 2}, other = {-1, 3};
  const ProblemPtr problem = lcp(nsm_matrix_dense(2, 2, M.data()), unsolvable);
  for (const char* method : {"block_gauss_seidel", "projected_gradient", "auto"}) {
    SCOPED_TRACE(method);
    const SolverPtr solver = support::setup(problem.get(), method, {{"max_iterations", 50}});
    ASSERT_FALSE(from(solver.get(), {3, 4}).converged());
    ASSERT_EQ(nsm_update_q(solver.get(), open.data(), 2), NSM_OK);
    const Solution next = support::solve(solver.get(), 2);
    EXPECT_TRUE(next.converged());
    EXPECT_EQ(next.result.iterations, 0);
    EXPECT_EQ(next.z, (Values{0, 0}));
    ASSERT_EQ(nsm_update_q(solver.get(), unsolvable.data(), 2), NSM_OK);
    ASSERT_FALSE(support::solve(solver.get(), 2).converged());
    ASSERT_EQ(nsm_update_q(solver.get(), other.data(), 2), NSM_OK);
    const Solution warm = from(solver.get(), {1, 0});
    EXPECT_TRUE(warm.converged());
    EXPECT_EQ(warm.result.iterations, 0);
  }
}

// The last solution lies further from where q has turned than 0 does.
TEST(Starts, ZeroIsTriedBesideALastSolutionThatIsFar) {
  const Values M = {2, 1, 1, 2}, closed = {-10, -20}, open = {1, 2};
  const ProblemPtr problem = lcp(nsm_matrix_dense(2, 2, M.data()), closed);
  const SolverPtr solver = support::setup(problem.get(), "block_gauss_seidel");
  ASSERT_TRUE(support::solve(solver.get(), 2).converged());
  ASSERT_EQ(nsm_update_q(solver.get(), open.data(), 2), NSM_OK);
  const Solution next = support::solve(solver.get(), 2);
  EXPECT_TRUE(next.converged());
  EXPECT_EQ(next.result.iterations, 0);
  EXPECT_EQ(next.z, (Values{0, 0}));
}

// --- ends ---

TEST(LeastSquaresSearch, EndsWhenItIsTold) {
  NonnegativeLeastSquares nnls;
  nnls.resize(4, 4);
  for (std::size_t i = 0; i < 16; ++i) nnls.matrix()[i] = i % 5 == 0;
  const Values b = {1, 2, 3, 4};
  Values x(4);
  int asked = 0;
  EXPECT_GT(nnls.solve(4, 4, b, std::vector<char>(4, 0), x, [&] { return ++asked <= 2; }), 1);
  EXPECT_EQ(asked, 3);
  EXPECT_LE(nnls.solve(4, 4, b, std::vector<char>(4, 0), x, [] { return true; }), 1e-15);
}

// Equations alone, one of them 0 = 0: the one leaf of the tree is a least squares problem of many columns.
TEST(Enumeration, MayBeCancelledInTheMiddleOfALeaf) {
  constexpr int n = 600;
  Random random(5);
  Values M = generate::gram(random, n, n, 1);
  for (int i = 0; i < n; ++i) M[at(n - 1 + i * n)] = M[at(i + (n - 1) * n)] = 0;
  Values q = random.normals(n);
  q.back() = 0;
  const nsm_matrix view = support::dense(n, n, M);
  const std::vector<std::int32_t> equations(at(n), 0);
  nsm_problem* raw = nullptr;
  ASSERT_EQ(nsm_problem_create_mlcp(&view, q.data(), equations.data(), &raw), NSM_OK) << nsm_last_error();
  const ProblemPtr problem(raw);
  const SolverPtr solver = support::setup(problem.get(), "enumeration");
  int calls = 0;  // the first may come before the leaf
  const auto second_time = [](void* user, std::int64_t, double, double) -> std::int32_t {
    return ++*static_cast<int*>(user) > 1;
  };
  nsm_set_progress(solver.get(), second_time, &calls);
  EXPECT_EQ(support::solve(solver.get(), n).result.outcome, NSM_CANCELLED);
  EXPECT_EQ(calls, 2);
}

// Most of these have no solution that any method finds, and nothing proves it: `auto` says so instead of going on for ever.
TEST(Auto, GivesUpOnGeneralMatrices) {
  Random random(23);
  for (int k = 0; k < 10; ++k) {
    const int n = 40;
    const Values M = random.normals(n * n), q = random.normals(n);
    const Solution s = support::solve(lcp(nsm_matrix_dense(n, n, M.data()), q).get(), "auto");
    EXPECT_NE(s.result.outcome, NSM_ITERATION_LIMIT) << k;
  }
}

}  // namespace nonsmooth::solver_test
