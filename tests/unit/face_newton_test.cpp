// Small problems with friction through `auto`: sequences of related ones, in which each solution lies on the face of the one
// before or next to it.
#include <gtest/gtest.h>

#include <nonsmooth/io.h>

#include "../support/class_examples.hpp"

namespace face_newton_test {

using generate::at;
using generate::Friction;
using generate::Random;
using generate::Values;

constexpr int steps = 40, few_iterations = 15, some_iterations = 40;

// q drifts by `drift` per step along W, so that singular problems stay solvable. Every answer is checked against the definition;
// iterations of all steps together show that faces were followed: sweeps would take hundreds each.
void expect_followed(Friction f, double drift, int iterations_each) {
  constexpr double tolerance = 1e-9;
  Random random(17);
  const int n = f.dimension * f.contacts;
  const auto solver = support::setup(support::problem(f).get(), "auto", {{"tolerance", tolerance}});
  const Values direction = generate::multiply(f.W, random.normals(n));
  std::int64_t iterations = 0;
  for (int step = 0; step < steps; ++step) {
    const auto s = support::solve(solver.get(), n);
    ASSERT_TRUE(s.converged()) << step << ": " << s.text();
    EXPECT_LE(generate::friction_residual(f, s.z), 1.01 * tolerance) << step;
    if (step > 0) iterations += s.result.iterations;
    for (int i = 0; i < n; ++i) f.q[at(i)] += drift * std::sin(0.3 * step) * direction[at(i)];
    ASSERT_EQ(nsm_update_q(solver.get(), f.q.data(), n), NSM_OK);
  }
  EXPECT_LE(iterations, steps * iterations_each);
}

TEST(FaceNewton, FollowsASequence) {
  for (int dimension : {2, 3})
    for (int contacts : {1, 3, 8, 20}) {
      Random random(static_cast<std::uint64_t>(contacts));
      const int n = dimension * contacts;
      SCOPED_TRACE(n);
      expect_followed(generate::constructed_friction(random, dimension, contacts, generate::gram(random, n, n, 0.1)), 0.02,
                      few_iterations);
    }
}

TEST(FaceNewton, FollowsHyperstaticContacts) {
  for (int dimension : {2, 3})
    for (int contacts : {4, 12}) {
      Random random(static_cast<std::uint64_t>(contacts));
      const int n = dimension * contacts;
      SCOPED_TRACE(n);
      expect_followed(generate::constructed_friction(random, dimension, contacts, generate::gram(random, n, n / 2, 0)), 0.005,
                      some_iterations);
    }
}

// Some contacts have no friction, some q nearly nothing to do with the last: statuses change in most steps.
TEST(FaceNewton, ChangesFaces) {
  for (int dimension : {2, 3}) {
    Random random(3);
    const int n = 10 * dimension;
    Friction f = generate::constructed_friction(random, dimension, 10, generate::gram(random, n, n, 0.5));
    f.mu[0] = f.mu[7] = 0;
    expect_followed(f, 0.3, few_iterations);
  }
}

TEST(FaceNewton, ReachesWorkingPrecision) {
  Random random(5);
  const Friction f = generate::constructed_friction(random, 3, 6, generate::gram(random, 18, 18, 0.5), 0.2, 0.5);
  EXPECT_TRUE(support::solve(f, "auto", {{"tolerance", 1e-14}}).converged());
}

// A ball with rolling resistance on a plane: it sticks with both parts, slides, or rolls against the resistance.
TEST(FaceNewton, RollingPartsStickOrSlide) {
  const Values W = generate::identity(5), mu = {0.5}, mu_r = {0.1};
  const nsm_matrix view = support::dense(5, 5, W);
  const auto expect = [&](const Values& q, const Values& r) {
    nsm_problem* raw = nullptr;
    ASSERT_EQ(nsm_problem_create_rolling(5, &view, q.data(), mu.data(), mu_r.data(), &raw), NSM_OK);
    const support::ProblemPtr problem(raw);
    const auto s = support::solve(problem.get(), "auto", {{"tolerance", 1e-12}});
    ASSERT_TRUE(s.converged()) << s.text();
    EXPECT_LE(s.result.iterations, few_iterations);
    for (std::size_t i = 0; i < 5; ++i) EXPECT_NEAR(s.z[i], r[i], 1e-11) << i;
  };
  expect({0.3, 1, 0, 0, 1}, {0, 0, 0, 0, 0});
  expect({-2, 0.3, 0.4, 0.1, 0}, {2, -0.3, -0.4, -0.1, 0});
  expect({-2, 3, 4, 0, 0.1}, {2, -0.6, -0.8, 0, -0.1});
  expect({-2, 0.5, 0, 0.6, 0.8}, {2, -0.5, 0, -0.12, -0.16});
  expect({-2, 0, -5, -3, 0}, {2, 0, 1, 0.2, 0});
}

// Where the first steps lead nowhere, projections follow at once: sweeps with rolling friction between the steps cost ten times
// as much. To 1e-4 projections alone take 70 iterations.
TEST(FaceNewton, SweepsNothingWithRollingFriction) {
  nsm_problem* raw = nullptr;
  ASSERT_EQ(nsm_problem_read(NONSMOOTH_DATA_DIR "/rolling_2d_discs.json", nullptr, &raw), NSM_OK);
  const support::ProblemPtr problem(raw);
  const auto s = support::solve(problem.get(), "auto", {{"tolerance", 1e-4}});
  EXPECT_TRUE(s.converged()) << s.text();
  EXPECT_LE(s.result.iterations, 100);
}

// Contacts beside bounded and free rows, and sets that are updated.
TEST(FaceNewton, TreatsMixedBlocks) {
  const auto problem = support::example(NSM_GENERIC);
  const auto n = nsm_problem_size(problem.get());
  const auto solver = support::setup(problem.get(), "auto", {{"tolerance", 1e-11}});
  Random random(2);
  for (int step = 0; step < 10; ++step) {
    const auto s = support::solve(solver.get(), n);
    EXPECT_TRUE(s.converged()) << s.text();
    EXPECT_LE(s.result.iterations, some_iterations) << step;
    const Values q = random.normals(static_cast<int>(n));
    ASSERT_EQ(nsm_update_q(solver.get(), q.data(), n), NSM_OK);
  }
}

TEST(FaceNewton, CountsItsIterations) {
  Random random(4);
  const Friction f = generate::constructed_friction(random, 3, 8, generate::gram(random, 24, 12, 0));
  for (double limit : {1.0, 2.0, 5.0}) {
    const auto s = support::solve(f, "auto", {{"max_iterations", limit}, {"tolerance", 1e-15}});
    EXPECT_LE(s.result.iterations, static_cast<std::int64_t>(limit));
    EXPECT_TRUE(s.converged() || s.result.outcome == NSM_ITERATION_LIMIT) << s.text();
  }
}

}  // namespace face_newton_test
