// One-block problems at the edges of what is solvable, by hand: matrices that are indefinite, singular or not symmetric.
#include <gtest/gtest.h>

#include "linalg/matrix.hpp"
#include "sets/box.hpp"
#include "sets/coulomb_cone.hpp"
#include "sets/orthant.hpp"
#include "sets/rolling_cone.hpp"

namespace nonsmooth::block_edges_test {

// W z + q has no zero that a projection would find: a step of length 1 against it.
TEST(BlockEdges, RowsWithoutPositiveDiagonalTakeAProximalStep) {
  for (const double W : {-4.0, -1.0, -0.25, 0.0}) {
    Box::BlockSolver box;
    Orthant::BlockSolver orthant;
    ASSERT_TRUE(box.prepare(Box{-10, 10}, &W, 0) && orthant.prepare(Orthant{}, &W, 0));
    const double q = -2, weight = std::max(1.0, -2 * W);  // (W + weight) z = -q from z = 0
    double z = 0, y = 0;
    box.solve(&q, &z);
    orthant.solve(&q, &y);
    EXPECT_DOUBLE_EQ(z, 2 / (W + weight));
    EXPECT_DOUBLE_EQ(y, z);
  }
}

struct Planar {
  double nn, tn, nt, tt;  // by columns
};

Vector solved(const Planar& W, double mu, const Vector& q) {
  CoulombBlockSolver2 solver;
  EXPECT_TRUE(solver.prepare(CoulombCone2{{mu}}, &W.nn, 0));
  Vector r(2, 0.0);
  solver.solve(q.data(), r.data());
  return r;
}

void expect_near(const Vector& r, const Vector& expected) {
  ASSERT_EQ(r.size(), expected.size());
  for (std::size_t i = 0; i < r.size(); ++i) EXPECT_NEAR(r[i], expected[i], 1e-12);
}

// q = u - W r of reactions that stick and slide.
TEST(BlockEdges, MatricesThatAreNotSymmetric) {
  const Planar W{2, 0.25, 0.5, 1};
  expect_near(solved(W, 0.5, {-(2 + 0.5 * 0.3), -(0.25 + 0.3)}), {1, 0.3});
  expect_near(solved(W, 0.5, {-(2 + 0.5 * 0.5), -0.2 - (0.25 + 0.5)}), {1, 0.5});
  expect_near(solved(W, 0.5, {-(2 - 0.5 * 0.5), 0.2 - (0.25 - 0.5)}), {1, -0.5});
}

// W_NN = mu |W_NT|: a reaction that slides closes the contact no further (Painleve).
TEST(BlockEdges, TheEdgeOfPainleve) {
  const auto condition = [](double mu) {
    const Planar W{1, 1, 1, 2};
    CoulombBlockSolver2 planar;
    EXPECT_TRUE(planar.prepare(CoulombCone2{{mu}}, &W.nn, 0));
    const double in_space[9] = {1, 1, 0, 1, 2, 0, 0, 0, 1};
    CoulombBlockSolver3 spatial;
    EXPECT_TRUE(spatial.prepare(CoulombCone3{{mu}}, in_space, 0));
    EXPECT_EQ(spatial.condition(), planar.condition());
    return planar.condition();
  };
  EXPECT_EQ(condition(1), BlockCondition::ambiguous);
  EXPECT_EQ(condition(0.99), BlockCondition::definite);
}

// diag(1, 0) gets 1e-3 of its mean diagonal, 5e-4; diag(1, -0.5), of mean 1/4, ten times that, 2.5.
TEST(BlockEdges, SingularAndIndefiniteBlocksGetAProximalTerm) {
  expect_near(solved({1, 0, 0, 0}, 0.5, {-1, 1e-4}), {1 / 1.0005, -0.2});
  expect_near(solved({1, 0, 0, -0.5}, 10, {-1, 1}), {1 / 3.5, -0.5});
  const double W[9] = {1, 0, 0, 0, 1, 0, 0, 0, -0.5};  // of mean 1/2: 5
  CoulombBlockSolver3 solver;
  ASSERT_TRUE(solver.prepare(CoulombCone3{{10}}, W, 0));
  EXPECT_EQ(solver.condition(), BlockCondition::regularised);
  Vector r(3, 0.0);
  solver.solve(Vector{-1, 1, 1}.data(), r.data());
  expect_near(r, {1 / 6.0, -1 / 6.0, -1 / 4.5});
}

// A body whose rotation costs nothing.
TEST(BlockEdges, RollingWithoutInertia) {
  const double W[9] = {1, 0, 0, 0, 1, 0, 0, 0, 0};
  RollingBlockSolver<1> solver;
  ASSERT_TRUE(solver.prepare(ContactCone<1, 2>{{0.5, 0.1}}, W, 0));
  Vector r(3, 0.0);
  solver.solve(Vector{-1, 0.2, 0}.data(), r.data());
  EXPECT_NEAR(r[0], 1, 1e-9);
  EXPECT_NEAR(r[1], -0.2, 1e-9);
  EXPECT_NEAR(r[2], 0, 1e-9);
}

}  // namespace nonsmooth::block_edges_test
