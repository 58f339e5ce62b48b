// K = diag(L) W + diag(R) solved through the velocities of the bodies, against dense algebra with W.
#include "methods/body_factors.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "../support/generators.hpp"
#include "methods/contact_factors.hpp"
#include "methods/newton_system.hpp"
#include "problems/condensation.hpp"

namespace nonsmooth::body_factors_test {

using generate::at;
using generate::Random;

constexpr int dofs = 6, per_pair = 3;

// Bodies of six degrees of freedom in a row, the first two and each with the next but one joined by three contacts; every fourth
// contact touches one body alone. skew: of the inertia, none is symmetric positive definite.
GlobalFriction bodies_in_a_row(Random& random, int bodies, double skew) {
  const int n = dofs * bodies, contacts = per_pair * bodies;
  DenseMatrix M{n, n, Vector(at(n) * at(n), 0.0)}, H{n, 3 * contacts, Vector(at(n) * at(3 * contacts), 0.0)};
  for (int b = 0; b < bodies; ++b) {
    const Vector block = generate::gram(random, dofs, 2 * dofs, 0.5);
    for (int j = 0; j < dofs; ++j)
      for (int i = 0; i < dofs; ++i)
        M.values[at(dofs * b + i + (dofs * b + j) * n)] = block[at(i + dofs * j)] + (i < j ? skew : i > j ? -skew : 0);
  }
  for (int c = 0; c < contacts; ++c) {
    const int body = c / per_pair;
    for (int other : {body, std::min(body + 2, bodies - 1)}) {
      if (other != body && c % 4 == 0) continue;
      for (int j = 0; j < 3; ++j)
        for (int i = 0; i < dofs; ++i) H.values[at(dofs * other + i + (3 * c + j) * n)] = random.normal();
    }
  }
  GlobalFriction g;
  g.dimension = 3;
  g.M = Matrix(to_csc(Matrix(M, "M")), "M");
  g.H = Matrix(to_csc(Matrix(H, "H")), "H");
  g.f = random.normals(n);
  g.w = random.normals(3 * contacts);
  g.mu = random.uniforms(contacts, 0.1, 1);
  g.validate();
  return g;
}

NewtonBlocks random_blocks(Random& random, const Inclusion& view) {
  NewtonBlocks blocks;
  blocks.setup(view);
  for (double& value : blocks.left) value = random.uniform(-0.3, 0.3);
  for (double& value : blocks.right) value = random.uniform(-0.3, 0.3);
  for (std::size_t b = 0; b < blocks.count(); ++b)
    for (std::size_t k = 0; k < 9; k += 4) {
      blocks.left[blocks.offset[b] + k] += 1;
      blocks.right[blocks.offset[b] + k] += 1;
    }
  return blocks;
}

// rhs - (diag(L) W + diag(R + shift)) x, with W as a matrix.
double defect(const Inclusion& view, const NewtonBlocks& blocks, double shift, const Vector& x, const Vector& rhs) {
  Vector Wx(x.size(), 0.0);
  multiply_add(*view.M, 1.0, x, Wx);
  double worst = 0;
  for (std::size_t b = 0; b < blocks.count(); ++b)
    for (std::size_t i = 0; i < 3; ++i) {
      const std::size_t row = 3 * b + i;
      double sum = rhs[row] - shift * blocks.scale[b] * x[row];
      for (std::size_t k = 0; k < 3; ++k) sum -= blocks.L(b)[i + 3 * k] * Wx[3 * b + k] + blocks.R(b)[i + 3 * k] * x[3 * b + k];
      worst = std::max(worst, std::abs(sum));
    }
  return worst;
}

class BodyFactorsTest : public testing::TestWithParam<double> {};

TEST_P(BodyFactorsTest, SolvesWhatTheMatrixSays) {
  Random random(3);
  const GlobalFriction problem = bodies_in_a_row(random, 14, GetParam());
  const Condensation condensation(problem);
  const Inclusion& view = condensation.inclusion();
  ASSERT_NE(view.bodies, nullptr);
  const NewtonBlocks blocks = random_blocks(random, view);
  BodyFactors factors(view);
  for (const double shift : {0.0, 0.25}) {
    ASSERT_TRUE(factors.factorise(blocks, shift));
    const Vector rhs = random.normals(view.size());
    Vector x = rhs, left_over = rhs;
    factors.solve(blocks, x);
    EXPECT_LE(defect(view, blocks, shift, x, rhs), 1e-10);
    factors.subtract_product(blocks, x, left_over);
    EXPECT_LE(generate::norm(left_over), 1e-10);
  }
}

INSTANTIATE_TEST_SUITE_P(Inertia, BodyFactorsTest, testing::Values(0.0, 0.2));

TEST(BodyFactors, ReadsNewValuesInPlaceAndRefusesAnotherPattern) {
  Random random(5);
  GlobalFriction problem = bodies_in_a_row(random, 8, 0);
  Condensation condensation(problem);
  const Inclusion& view = condensation.inclusion();
  BodyFactors factors(view);
  CscMatrix twice = to_csc(problem.M);
  for (double& value : twice.values) value *= 2;
  problem.M = Matrix(twice, "M");
  condensation.refactorise();
  EXPECT_TRUE(factors.update(view));
  const NewtonBlocks blocks = random_blocks(random, view);
  ASSERT_TRUE(factors.factorise(blocks, 0));
  const Vector rhs = random.normals(view.size());
  Vector x = rhs;
  factors.solve(blocks, x);
  EXPECT_LE(defect(view, blocks, 0, x, rhs), 1e-10);
  const GlobalFriction other = bodies_in_a_row(random, 8, 0);
  const Condensation another(other);
  EXPECT_FALSE(factors.update(another.inclusion()));
}

TEST(BodyFactors, RefuseSingularBlocks) {
  Random random(7);
  const GlobalFriction problem = bodies_in_a_row(random, 4, 0);
  const Condensation condensation(problem);
  NewtonBlocks blocks = random_blocks(random, condensation.inclusion());
  std::fill_n(blocks.right.begin(), 9, 0.0);
  BodyFactors factors(condensation.inclusion());
  EXPECT_FALSE(factors.factorise(blocks, 0));
  EXPECT_TRUE(factors.factorise(blocks, 1e-3));
}

TEST(NewtonSystem, TakesTheBodiesWhereTheyAreCheaper) {
  Random random(9);
  const GlobalFriction problem = bodies_in_a_row(random, 60, 0);
  const Condensation condensation(problem);
  const Inclusion& view = condensation.inclusion();
  EXPECT_LT(BodyFactors::work(*view.bodies), ContactFactors::work(view));
  EXPECT_EQ(NewtonSystem::work(view), BodyFactors::work(*view.bodies));
  NewtonSystem system;
  system.setup(view, NewtonSystem::Space::cheaper);
  const NewtonBlocks blocks = random_blocks(random, view);
  for (std::size_t b = 0; b < blocks.count(); ++b) {
    std::copy_n(blocks.L(b), 9, system.left(b));
    std::copy_n(blocks.R(b), 9, system.right(b));
  }
  ASSERT_TRUE(system.factorise());
  const Vector rhs = random.normals(view.size());
  Vector x = rhs;
  system.solve(x);
  EXPECT_LE(defect(view, blocks, 0, x, rhs), 1e-12);
}

}  // namespace nonsmooth::body_factors_test
