// K = diag(L) W + diag(R) solved through velocities, of bodies or of the nodes of elastic ones, against dense algebra with W.
#include <gtest/gtest.h>

#include <cmath>

#include "../support/generators.hpp"
#include "methods/newton/body_factors.hpp"
#include "methods/newton/contact_factors.hpp"
#include "methods/newton/elastic_factors.hpp"
#include "methods/newton/newton_system.hpp"
#include "problems/condensation.hpp"

namespace nonsmooth::newton_factors_test {

using generate::at;
using generate::Random;

constexpr int dofs = 6, per_pair = 3;

// Bodies of six degrees of freedom in a row, the first two and each with the next but one joined by three contacts; every fourth
// contact touches one body alone. skew: of the inertia, none is symmetric positive definite. Every third body has `third` degrees
// of freedom.
GlobalFriction bodies_in_a_row(Random& random, int bodies, double skew, int third = dofs) {
  std::vector<int> start{0};
  for (int b = 0; b < bodies; ++b) start.push_back(start.back() + (b % 3 == 2 ? third : dofs));
  const auto size = [&](int b) { return start[at(b) + 1] - start[at(b)]; };
  const int n = start.back(), contacts = per_pair * bodies;
  DenseMatrix M{n, n, Vector(at(n) * at(n), 0.0)}, H{n, 3 * contacts, Vector(at(n) * at(3 * contacts), 0.0)};
  for (int b = 0; b < bodies; ++b) {
    const Vector block = generate::gram(random, size(b), 2 * size(b), 0.5);
    for (int j = 0; j < size(b); ++j)
      for (int i = 0; i < size(b); ++i)
        M.values[at(start[at(b)] + i + (start[at(b)] + j) * n)] = block[at(i + size(b) * j)] + (i < j ? skew : i > j ? -skew : 0);
  }
  for (int c = 0; c < contacts; ++c) {
    const int body = c / per_pair;
    for (int other : {body, std::min(body + 2, bodies - 1)}) {
      if (other != body && c % 4 == 0) continue;
      for (int j = 0; j < 3; ++j)
        for (int i = 0; i < size(other); ++i) H.values[at(start[at(other)] + i + (3 * c + j) * n)] = random.normal();
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

// A net of nodes with springs between neighbours, in two pieces, every node on the ground but those that touch one of the other
// piece.
GlobalFriction elastic_nets(Random& random, int side) {
  const int nodes = 2 * side * side, n = 3 * nodes;
  DenseMatrix M{n, n, Vector(at(n) * at(n), 0.0)}, H{n, n, Vector(at(n) * at(n), 0.0)};
  const auto join = [&](int a, int b) {
    const Vector along = random.normals(3);
    for (const auto& [p, q] : {std::pair(a, b), std::pair(b, a)})
      for (int k = 0; k < 9; ++k) {
        const double stiffness = along[at(k % 3)] * along[at(k / 3)];
        M.values[at(3 * p + k % 3 + (3 * p + k / 3) * n)] += stiffness;
        M.values[at(3 * p + k % 3 + (3 * q + k / 3) * n)] -= stiffness;
      }
  };
  for (int i = 0; i < n; ++i) M.values[at(i * (n + 1))] = 1;
  for (int k = 0; k < nodes; ++k) {
    if (k % side + 1 < side) join(k, k + 1);
    if (k / side % side + 1 < side) join(k, k + side);
    for (int i = 0; i < 9; ++i) H.values[at(3 * k + i % 3 + (3 * k + i / 3) * n)] = random.normal();
    if (k % 5 == 0)
      for (int i = 0; i < 3; ++i) H.values[at(3 * (nodes - 1 - k) + i + (3 * k + i) * n)] = random.normal();
  }
  GlobalFriction g;
  g.dimension = 3;
  g.M = Matrix(to_csc(Matrix(M, "M")), "M");
  g.H = Matrix(to_csc(Matrix(H, "H")), "H");
  g.f = random.normals(n);
  g.w = random.normals(n);
  g.mu = random.uniforms(nodes, 0.1, 1);
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

// Of their K, with W as a matrix and without.
void expect_solutions(NewtonFactors& factors, const Inclusion& view, Random& random) {
  const NewtonBlocks blocks = random_blocks(random, view);
  for (const double shift : {0.0, 0.25}) {
    ASSERT_TRUE(factors.factorise(blocks, shift, Precision::full));
    const Vector rhs = random.normals(view.size());
    Vector x = rhs, left_over = rhs;
    factors.solve(blocks, x);
    EXPECT_LE(defect(view, blocks, shift, x, rhs), 1e-10);
    factors.subtract_product(blocks, x, left_over);
    EXPECT_LE(generate::norm(left_over), 1e-10);
  }
}

// The same problem with twice the mass.
void make_heavier(GlobalFriction& problem) {
  CscMatrix twice = to_csc(problem.M);
  for (double& value : twice.values) value *= 2;
  problem.M = Matrix(twice, "M");
}

class BodyFactorsTest : public testing::TestWithParam<double> {};

TEST_P(BodyFactorsTest, SolvesWhatTheMatrixSays) {
  Random random(3);
  const GlobalFriction problem = bodies_in_a_row(random, 14, GetParam());
  const Condensation condensation(problem);
  const Inclusion& view = condensation.inclusion();
  ASSERT_NE(view.bodies, nullptr);
  BodyFactors factors(view);
  expect_solutions(factors, view, random);
}

INSTANTIATE_TEST_SUITE_P(Inertia, BodyFactorsTest, testing::Values(0.0, 0.2));

TEST(BodyFactors, BodiesOfSeveralSizes) {
  for (const int third : {2, 3, 7}) {
    Random random(19);
    const GlobalFriction problem = bodies_in_a_row(random, 14, 0, third);
    const Condensation condensation(problem);
    const Inclusion& view = condensation.inclusion();
    ASSERT_NE(view.bodies, nullptr);
    EXPECT_EQ(view.bodies->uniform_body_size(), 0);
    BodyFactors factors(view);
    expect_solutions(factors, view, random);
  }
}

TEST(BodyFactors, ReadsNewValuesInPlaceAndRefusesAnotherPattern) {
  Random random(5);
  GlobalFriction problem = bodies_in_a_row(random, 8, 0);
  Condensation condensation(problem);
  const Inclusion& view = condensation.inclusion();
  BodyFactors factors(view);
  make_heavier(problem);
  condensation.refactorise();
  EXPECT_TRUE(factors.update(view));
  expect_solutions(factors, view, random);
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
  EXPECT_FALSE(factors.factorise(blocks, 0, Precision::full));
  EXPECT_TRUE(factors.factorise(blocks, 1e-3, Precision::full));
}

// What interior points make of contacts near a solution: large along one direction, nothing but rounding along another.
TEST(BodyFactors, BlocksThatAreSingularToRounding) {
  Random random(17);
  const GlobalFriction problem = bodies_in_a_row(random, 14, 0);
  const Condensation condensation(problem);
  const Inclusion& view = condensation.inclusion();
  NewtonBlocks blocks = random_blocks(random, view);
  for (std::size_t k = 0; k < 9; ++k) {
    blocks.left[blocks.offset[5] + k] = k % 4 == 0 ? 1 : 0;
    blocks.right[blocks.offset[5] + k] = 100;
  }
  BodyFactors factors(view);
  ASSERT_TRUE(factors.factorise(blocks, 0, Precision::full));
  const Vector rhs = random.normals(view.size());
  Vector x = rhs;
  factors.solve(blocks, x);
  for (int refinement = 0; refinement < 3; ++refinement) {
    Vector correction = rhs;
    factors.subtract_product(blocks, x, correction);
    factors.solve(blocks, correction);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += correction[i];
  }
  EXPECT_LE(defect(view, blocks, 0, x, rhs), 1e-8);
}

TEST(ElasticFactors, SolveWhatTheMatrixSays) {
  Random random(11);
  GlobalFriction problem = elastic_nets(random, 5);
  Condensation condensation(problem);
  const Inclusion& view = condensation.inclusion();
  ASSERT_NE(view.elastic, nullptr);
  ElasticFactors factors(view);
  expect_solutions(factors, view, random);
  make_heavier(problem);
  condensation.refactorise();
  EXPECT_TRUE(factors.update(view));
  expect_solutions(factors, view, random);
  const GlobalFriction other = elastic_nets(random, 6);
  const Condensation another(other);
  EXPECT_FALSE(factors.update(another.inclusion()));
}

TEST(ElasticFactors, AreOfDefiniteBodiesAlone) {
  Random random(13);
  GlobalFriction problem = elastic_nets(random, 5);
  Condensation condensation(problem);
  const std::int64_t patterns = condensation.patterns();
  const Matrix definite = problem.M;
  CscMatrix M = to_csc(definite);
  M.values[0] = -1;
  problem.M = Matrix(M, "M");
  condensation.refactorise();
  EXPECT_EQ(condensation.inclusion().elastic, nullptr);
  EXPECT_EQ(condensation.patterns(), patterns + 1);
  problem.M = definite;
  condensation.refactorise();
  EXPECT_NE(condensation.inclusion().elastic, nullptr);
}

// Solves with K as the cheapest factors do.
void expect_solution_of_system(const Inclusion& view, Random& random) {
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

TEST(NewtonSystem, TakesTheBodiesWhereTheyAreCheaper) {
  Random random(9);
  const GlobalFriction problem = bodies_in_a_row(random, 60, 0);
  const Condensation condensation(problem);
  const Inclusion& view = condensation.inclusion();
  EXPECT_LT(BodyFactors::work(*view.bodies), ContactFactors::work(view));
  EXPECT_EQ(NewtonSystem::work(view), BodyFactors::work(*view.bodies));
  expect_solution_of_system(view, random);
}

TEST(NewtonSystem, TakesTheNodesOfElasticBodiesWhereTheyAreCheaper) {
  Random random(15);
  const GlobalFriction problem = elastic_nets(random, 8);
  const Condensation condensation(problem);
  const Inclusion& view = condensation.inclusion();
  EXPECT_LT(NewtonSystem::work(view), ContactFactors::work(view));
  EXPECT_EQ(NewtonSystem::work(view), ElasticFactors::work(*view.elastic, HUGE_VAL));
  EXPECT_EQ(ElasticFactors::work(*view.elastic, 1000), HUGE_VAL);
  expect_solution_of_system(view, random);
}

}  // namespace nonsmooth::newton_factors_test
