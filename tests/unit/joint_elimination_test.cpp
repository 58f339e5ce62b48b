// Joints of elastic bodies: what is left of the problem without them, against the condensation that keeps them, and the way back.
#include "problems/joint_elimination.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "../support/generators.hpp"
#include "core/error.hpp"
#include "linalg/triplets.hpp"
#include "methods/solver/solver.hpp"
#include "problems/partial_condensation.hpp"

namespace nonsmooth::joint_elimination_test {

using generate::at;
using generate::norm;
using generate::Random;

constexpr std::int32_t width = 14, height = 5, points = width * height;

// In the plane: grids of points with springs, then rigid bodies.
struct Scene {
  std::int32_t rows = 0, joints = 0, contacts = 0;
  Triplets M, H, G;
  GlobalFriction g;
  Random random{8};

  // Its first row.
  std::int32_t add_grid(double mass, double stiffness, std::int32_t across = width, std::int32_t up = height) {
    const std::int32_t first = rows;
    const auto join = [&](std::int32_t a, std::int32_t b) {
      for (std::int32_t i = 0; i < 2; ++i) {
        const std::int32_t p = first + 2 * a + i, q = first + 2 * b + i;
        for (const std::int32_t end : {p, q}) M.add(end, end, stiffness);
        M.add(p, q, -stiffness);
        M.add(q, p, -stiffness);
      }
    };
    for (std::int32_t a = 0; a < across * up; ++a) {
      for (std::int32_t i = 0; i < 2; ++i) M.add(first + 2 * a + i, first + 2 * a + i, mass);
      if (a % across != 0) join(a - 1, a);
      if (a >= across) join(a - across, a);
    }
    rows += 2 * across * up;
    return first;
  }
  std::int32_t add_rigid() {
    for (std::int32_t i = 0; i < 3; ++i) M.add(rows + i, rows + i, 1 + i);
    rows += 3;
    return rows - 3;
  }
  void hold(std::int32_t row, double b) {
    G.add(row, joints++, 2);
    g.b.push_back(b);
  }
  void tie(std::int32_t row, std::int32_t other) {
    G.add(row, joints, 1);
    G.add(other, joints++, -1);
    g.b.push_back(0);
  }
  // A point to a rigid body, at `arm` from its centre.
  void tie_to_rigid(std::int32_t row, std::int32_t body, double arm) {
    for (std::int32_t i = 0; i < 2; ++i) {
      G.add(body + 2, joints, i == 0 ? 0.5 : arm);
      tie(body + i, row + i);
    }
  }
  void add_contact(std::int32_t row, std::int32_t other) {
    for (std::int32_t i = 0; i < 2; ++i) {
      H.add(row + 1 - i, 2 * contacts + i, 1);
      if (other >= 0) H.add(other + 1 - i, 2 * contacts + i, -1);
    }
    g.mu.push_back(0.3);
    ++contacts;
  }
  GlobalFriction build() {
    g.dimension = 2;
    const Matrix masses = sum_of(M);
    g.M = masses;
    g.H = H.to_matrix(rows, 2 * contacts, "H");
    if (joints > 0) g.G = sum_of(G, joints);
    for (std::int32_t i = 0; i < rows; ++i) g.f.push_back(random.normal());
    g.w = random.normals(2 * contacts);
    g.validate();
    return g;
  }
  Matrix sum_of(const Triplets& terms, std::int32_t cols = 0) const {
    std::map<std::pair<std::int32_t, std::int32_t>, double> sums;
    for (std::size_t k = 0; k < terms.value.size(); ++k) sums[{terms.col[k], terms.row[k]}] += terms.value[k];
    Triplets sum;
    for (const auto& [place, value] : sums) sum.add(place.second, place.first, value);
    return sum.to_matrix(rows, cols > 0 ? cols : rows, "A");
  }
};

// Two grids, one on the other, of which the upper one is held at a side, by some joints twice, and hinged to a rigid body; beside
// them two rigid bodies with a joint of their own, and one that lies on the grid.
Scene every_joint(double mass = 1) {
  Scene scene;
  const std::int32_t lower = scene.add_grid(mass, 50), upper = scene.add_grid(mass, 80);
  const std::int32_t door = scene.add_rigid(), one = scene.add_rigid(), other = scene.add_rigid(), ball = scene.add_rigid();
  for (std::int32_t a = 0; a < width; ++a)
    for (std::int32_t i = 0; i < 2; ++i) scene.tie(lower + 2 * (points - width + a) + i, upper + 2 * a + i);
  scene.tie(one, other);
  for (std::int32_t k = 0; k < height; ++k)
    for (std::int32_t i = 0; i < 2; ++i) scene.hold(upper + 2 * width * k + i, k == 2 ? 0 : 0.1 * k);
  scene.hold(upper + 2 * width * 2, 0);
  scene.tie_to_rigid(upper + 2 * (width - 1), door, 0.3);
  for (std::int32_t a = 0; a < width; ++a) scene.add_contact(lower + 2 * a, -1);
  scene.add_contact(door, -1);
  scene.add_contact(one, -1);
  scene.add_contact(ball, upper + 2 * points - 2);
  return scene;
}

void expect_near(std::span<const double> a, std::span<const double> b, double tolerance) {
  ASSERT_EQ(a.size(), b.size());
  const double size = 1 + norm(Vector(b.begin(), b.end()));
  for (std::size_t i = 0; i < a.size(); ++i) ASSERT_NEAR(a[i], b[i], tolerance * size) << i;
}

void expect_same(Reduction& eliminated, Reduction& condensed, const GlobalFriction& g) {
  const Inclusion &own = eliminated.inclusion(), &expected = condensed.inclusion();
  expect_near(*own.q, *expected.q, 1e-10);
  expect_near(to_dense(*own.M).values, to_dense(*expected.M).values, 1e-11);
  EXPECT_EQ(own.scale, expected.scale);
  ASSERT_EQ(own.blocks.size(), expected.blocks.size());
  for (std::size_t k = 0; k < own.blocks.size(); ++k) EXPECT_EQ(own.blocks[k].a, expected.blocks[k].a);
  Random random(9);
  const Vector r = random.normals(g.H.cols()), gz = random.normals(g.size());
  Vector z(at(g.size())), other(z.size()), gradient(r.size()), of_other(r.size());
  eliminated.lift(r, z);
  condensed.lift(r, other);
  expect_near(z, other, 1e-10);
  eliminated.lift_change(r, z);
  condensed.lift_change(r, other);
  expect_near(z, other, 1e-10);
  eliminated.lift_change_transposed(gz, gradient);
  condensed.lift_change_transposed(gz, of_other);
  expect_near(gradient, of_other, 1e-10);
}

TEST(JointElimination, AgreesWithTheCondensationOfJoints) {
  const GlobalFriction g = every_joint().build();
  const auto eliminated = JointElimination::of(g);
  ASSERT_NE(eliminated, nullptr);
  Condensation condensed(g);
  expect_same(*eliminated, condensed, g);
}

TEST(JointElimination, FollowsItsData) {
  GlobalFriction g = every_joint().build();
  const auto eliminated = JointElimination::of(g);
  Random random(10);
  for (double& m : g.M.own_values()) m *= 2;
  for (Vector* values : {&g.f, &g.w}) *values = random.normals(std::ssize(*values));
  for (double& b : g.b) b *= 3;
  for (double& mu : g.mu) mu = random.uniform();
  eliminated->refactorise();
  eliminated->refresh_free_motion();
  eliminated->refresh();
  Condensation condensed(g);
  expect_same(*eliminated, condensed, g);
}

TEST(JointElimination, LeavesElasticBodies) {
  Scene held;
  const std::int32_t grid = held.add_grid(1, 100);
  for (std::int32_t a = 0; a < width; ++a) held.add_contact(grid + 2 * a, -1);
  held.hold(grid + 2 * points - 1, 0);
  const GlobalFriction g = held.build();
  const auto reduction = Reduction::of(g, true);
  ASSERT_NE(dynamic_cast<JointElimination*>(reduction.get()), nullptr);
  ASSERT_NE(reduction->inclusion().elastic, nullptr);
  EXPECT_EQ(reduction->inclusion().elastic->M->cols, 2 * points - 1);
}

// Strips so thin that nobody forms their W, tied to each other by a joint.
TEST(JointElimination, ThinBodiesDoNotKeepTheirJoints) {
  Scene scene;
  std::int32_t before = -1;
  for (int k = 0; k < 6; ++k) {
    const std::int32_t strip = scene.add_grid(1, 100, 420, 2);
    for (std::int32_t a = 0; a < 420; ++a) scene.add_contact(strip + 2 * a, -1);
    if (before >= 0) scene.tie(before, strip);
    before = strip;
  }
  const GlobalFriction g = scene.build();
  const double gain = PartialCondensation::gain(g);
  EXPECT_GT(gain, 1);
  EXPECT_THROW(PartialCondensation(g, gain, ComponentFactor::Responses::may_be_left), Error);
  const auto reduction = Reduction::of(g, true);
  ASSERT_NE(dynamic_cast<JointElimination*>(reduction.get()), nullptr);
  EXPECT_NE(reduction->inclusion().elastic_operator(), nullptr);
}

TEST(JointElimination, JointsOfSmallBodiesAloneStay) {
  Scene rigid;
  const std::int32_t one = rigid.add_rigid(), other = rigid.add_rigid(), grid = rigid.add_grid(1, 100);
  rigid.tie(one, other);
  rigid.add_contact(grid, -1);
  const GlobalFriction g = rigid.build();
  EXPECT_EQ(JointElimination::of(g), nullptr);
}

// Motions of one point by those of all others.
TEST(JointElimination, NotWhereItWouldCoupleAll) {
  Scene scene;
  const std::int32_t grid = scene.add_grid(1, 100);
  for (std::int32_t k = 0; k < 20; ++k) {
    for (std::int32_t a = 1; a < points; ++a) scene.G.add(grid + 2 * a, scene.joints, std::cos(k * a));
    scene.hold(grid, 0);
  }
  scene.add_contact(grid + 4, -1);
  const GlobalFriction g = scene.build();
  EXPECT_EQ(JointElimination::of(g), nullptr);
  EXPECT_NE(dynamic_cast<Condensation*>(Reduction::of(g, false).get()), nullptr);
}

// M alone is singular: nothing but joints holds the grids, and what has no mass does not fall.
TEST(JointElimination, BodiesWithoutMass) {
  Problem problem;
  problem.data = every_joint(0).build();
  const auto& g = std::get<GlobalFriction>(problem.data);
  ASSERT_NE(JointElimination::of(g), nullptr);
  Solver solver(problem, nullptr, Options{});
  EXPECT_EQ(solver.solve().outcome, NSM_CONVERGED);
}

TEST(JointElimination, IsSolvedByEveryMeansAsWithoutIt) {
  Problem problem;
  problem.data = every_joint().build();
  for (const char* method : {"auto", "block_gauss_seidel", "semismooth_newton"}) {
    Solver solver(problem, method, Options{});
    EXPECT_EQ(solver.solve().outcome, NSM_CONVERGED) << method;
    solver.update_f(Vector(at(std::get<GlobalFriction>(problem.data).dynamics_rows()), -0.1));
    EXPECT_EQ(solver.solve().outcome, NSM_CONVERGED) << method;
  }
}

}  // namespace nonsmooth::joint_elimination_test
