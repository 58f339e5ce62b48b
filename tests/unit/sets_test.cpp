// Every convex set: its projection has the properties that define a projection, its Jacobian agrees with finite differences, and
// De Saxce's shift is the formula. Thousands of random points each, seeds fixed.
#include "sets/set.hpp"

#include <gtest/gtest.h>

#include <cfloat>
#include <cmath>

#include "../support/generators.hpp"
#include "linalg/matrix.hpp"
#include "sets/disk.hpp"

namespace nonsmooth::sets_test {

using generate::at;
using generate::norm;
using generate::Random;

constexpr int points = 4000;

struct Case {
  const char* name;
  SetKind kind;
  std::int32_t size;
  bool cone;
};

class ConvexSet : public testing::TestWithParam<Case> {
 protected:
  // Random parameters of the set.
  static SetBlock block(Random& random) {
    const Case& set = GetParam();
    SetBlock result{set.kind, 0, set.size, random.magnitude(-2, 1), random.magnitude(-2, 1)};
    if (set.kind == SetKind::box) {
      result.a = random.chance(0.2) ? -HUGE_VAL : random.normal();
      result.b = random.chance(0.2) ? HUGE_VAL : std::max(result.a, -10.0) + (random.chance(0.1) ? 0 : random.uniform(0, 2));
    } else if (has_friction(set.kind) && random.chance(0.05)) {
      result.a = 0;
    } else if (has_friction(set.kind) && random.chance(0.05)) {
      result.b = 0;
    }
    return result;
  }
  static Vector point(Random& random) {
    Vector x = random.normals(GetParam().size);
    const double scale = random.magnitude(-3, 3);
    for (double& entry : x) entry *= random.chance(0.05) ? 0 : scale;
    return x;
  }
  static Vector projection(const SetBlock& block, const Vector& x) {
    Vector p(x.size());
    EXPECT_TRUE(project(block, x.data(), p.data()));
    return p;
  }
};

Vector minus(const Vector& a, const Vector& b) {
  Vector result(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) result[i] = a[i] - b[i];
  return result;
}

double dot(const Vector& a, const Vector& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

TEST_P(ConvexSet, ProjectionIsIdempotent) {
  Random random(11);
  for (int k = 0; k < points; ++k) {
    const SetBlock set = block(random);
    const Vector p = projection(set, point(random));
    EXPECT_LE(norm(minus(projection(set, p), p)), 8 * DBL_EPSILON * norm(p));
  }
}

TEST_P(ConvexSet, ProjectionIsNonexpansive) {
  Random random(12);
  for (int k = 0; k < points; ++k) {
    const SetBlock set = block(random);
    const Vector x = point(random), y = point(random);
    EXPECT_LE(norm(minus(projection(set, x), projection(set, y))),
              norm(minus(x, y)) + 16 * DBL_EPSILON * (norm(x) + norm(y) + 10));
  }
}

// (x - P x)'(y - P x) <= 0 for every y of the set is what a projection is.
TEST_P(ConvexSet, ProjectionSatisfiesTheVariationalInequality) {
  Random random(13);
  for (int k = 0; k < points; ++k) {
    const SetBlock set = block(random);
    const Vector x = point(random), p = projection(set, x), y = projection(set, point(random));
    const double size = norm(x) + norm(p) + norm(y);
    EXPECT_LE(dot(minus(x, p), minus(y, p)), 32 * DBL_EPSILON * size * size);
  }
}

TEST_P(ConvexSet, ProjectsInPlace) {
  Random random(14);
  for (int k = 0; k < points; ++k) {
    const SetBlock set = block(random);
    Vector x = point(random);
    const Vector p = projection(set, x);
    project(set, x.data(), x.data());
    EXPECT_EQ(x, p);
  }
}

// Moreau: x = P_K(x) + P_K°(x), the parts orthogonal; the polar part is minus an element of the dual cone.
TEST_P(ConvexSet, MoreauDecomposition) {
  if (!GetParam().cone) GTEST_SKIP() << "no cone";
  Random random(15);
  for (int k = 0; k < points; ++k) {
    const SetBlock set = block(random);
    const Vector x = point(random), p = projection(set, x), polar = minus(x, p);
    EXPECT_LE(std::abs(dot(p, polar)), 32 * DBL_EPSILON * dot(x, x));
    Vector dual(polar), workspace(2 * polar.size());
    for (double& entry : dual) entry = -entry;
    EXPECT_LE(distance_to_dual(set, dual.data(), workspace.data()), 32 * DBL_EPSILON * norm(x));
    // Points of the cone and of its dual have no negative product.
    EXPECT_GE(dot(projection(set, point(random)), dual), -1e-12 * norm(x) * 1e3);
  }
}

TEST_P(ConvexSet, ConesAreInvariantUnderScaling) {
  if (!GetParam().cone) GTEST_SKIP() << "no cone";
  Random random(16);
  for (int k = 0; k < points; ++k) {
    const SetBlock set = block(random);
    const Vector x = point(random), p = projection(set, x);
    Vector large = x;
    for (double& entry : large) entry *= 1024;
    Vector expected = p;
    for (double& entry : expected) entry *= 1024;
    EXPECT_EQ(projection(set, large), expected);
  }
}

// Where the projection is smooth around x, its Jacobian is the derivative; everywhere it is symmetric with eigenvalues in [0, 1].
TEST_P(ConvexSet, JacobianIsTheDerivative) {
  Random random(17);
  const std::size_t n = at(GetParam().size);
  int smooth = 0;
  for (int k = 0; k < points; ++k) {
    const SetBlock set = block(random);
    Vector x = random.normals(GetParam().size);
    Vector J(n * n);
    visit_set(set, [&](const auto& s) { s.jacobian(x.data(), J.data()); });
    auto jacobian_at = [&](const Vector& y) {
      Vector other(n * n);
      visit_set(set, [&](const auto& s) { s.jacobian(y.data(), other.data()); });
      return other;
    };
    const double h = 1e-6;
    bool is_smooth = true;
    double worst = 0;
    for (std::size_t j = 0; j < n; ++j) {
      Vector up = x, down = x;
      up[j] += h;
      down[j] -= h;
      is_smooth = is_smooth && norm(minus(jacobian_at(up), jacobian_at(down))) < 1e-2;
      const Vector difference = minus(projection(set, up), projection(set, down));
      for (std::size_t i = 0; i < n; ++i) worst = std::max(worst, std::abs(difference[i] / (2 * h) - J[i + j * n]));
    }
    if (is_smooth) {
      ++smooth;
      EXPECT_LE(worst, 1e-5) << "point " << k;
    }
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) EXPECT_NEAR(J[i + j * n], J[j + i * n], 1e-14);
    const EigenvalueRange range = symmetric_eigenvalue_range(Matrix(DenseMatrix{GetParam().size, GetParam().size, J}, "J"));
    EXPECT_GE(range.min, -1e-13);
    EXPECT_LE(range.max, 1 + 1e-13);
  }
  EXPECT_GT(smooth, points / 2);
}

// At kinks and at zero the Jacobian is still finite.
TEST_P(ConvexSet, JacobianIsFiniteAtKinks) {
  Random random(18);
  const std::size_t n = at(GetParam().size);
  for (int k = 0; k < points; ++k) {
    const SetBlock set = block(random);
    Vector x = k == 0 ? Vector(n, 0.0) : projection(set, point(random));
    if (k % 2 == 1 && n > 1) std::fill(x.begin() + 1, x.end(), 0.0);
    Vector J(n * n);
    visit_set(set, [&](const auto& s) { s.jacobian(x.data(), J.data()); });
    EXPECT_EQ(find_not_finite(J), -1) << "point " << k;
  }
}

TEST_P(ConvexSet, ShiftIsThatOfDeSaxce) {
  Random random(19);
  for (int k = 0; k < points; ++k) {
    const SetBlock set = block(random);
    const Vector u = point(random);
    Vector shifted = u;
    add_normal_shift(set, shifted.data());
    Vector expected = u;
    if (set.kind == SetKind::coulomb_2d) expected[0] += set.a * std::abs(u[1]);
    if (set.kind == SetKind::coulomb_3d) expected[0] += set.a * std::hypot(u[1], u[2]);
    if (set.kind == SetKind::rolling_2d) expected[0] += set.a * std::abs(u[1]) + set.b * std::abs(u[2]);
    if (set.kind == SetKind::rolling_3d) expected[0] += set.a * std::hypot(u[1], u[2]) + set.b * std::hypot(u[3], u[4]);
    const double rounding = has_friction(set.kind) ? 8 * DBL_EPSILON * (1 + set.a + set.b) * norm(u) : 0.0;
    for (std::size_t i = 0; i < u.size(); ++i) EXPECT_NEAR(shifted[i], expected[i], rounding);
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, ConvexSet,
    testing::Values(Case{"free", SetKind::free_space, 4, true}, Case{"orthant", SetKind::orthant, 1, true},
                    Case{"box", SetKind::box, 1, false}, Case{"coulomb_2d", SetKind::coulomb_2d, 2, true},
                    Case{"coulomb_3d", SetKind::coulomb_3d, 3, true}, Case{"rolling_2d", SetKind::rolling_2d, 3, true},
                    Case{"rolling_3d", SetKind::rolling_3d, 5, true}, Case{"soc_1", SetKind::second_order_cone, 1, true},
                    Case{"soc_2", SetKind::second_order_cone, 2, true}, Case{"soc_6", SetKind::second_order_cone, 6, true},
                    Case{"disk", SetKind::disk, 2, false}),
    [](const auto& parameter) { return std::string(parameter.param.name); });

TEST(Disk, ProjectionAndJacobian) {
  Random random(20);
  for (int k = 0; k < points; ++k) {
    const Disk<2> disk{random.chance(0.05) ? 0.0 : random.magnitude(-2, 1)};
    const Vector x = random.normals(2);
    Vector p(2), y(2), J(4);
    disk.project(x.data(), p.data());
    disk.project(random.normals(2).data(), y.data());
    EXPECT_LE(norm(p), disk.radius * (1 + 4 * DBL_EPSILON));
    EXPECT_LE(dot(minus(x, p), minus(y, p)), 1e-14 * (1 + dot(x, x)));
    disk.jacobian(x.data(), J.data());
    if (std::abs(norm(x) - disk.radius) < 1e-4) continue;
    for (std::size_t j = 0; j < 2; ++j) {
      Vector up = x, down = x, p_up(2), p_down(2);
      up[j] += 1e-6;
      down[j] -= 1e-6;
      disk.project(up.data(), p_up.data());
      disk.project(down.data(), p_down.data());
      for (std::size_t i = 0; i < 2; ++i) EXPECT_NEAR((p_up[i] - p_down[i]) / 2e-6, J[i + 2 * j], 1e-5);
    }
  }
}

// Squares that overflow bring no point to the centre.
TEST(Disk, HugePointsKeepTheirDirection) {
  const double x[] = {3e200, -4e200};
  double p[2];
  Disk<2>{1e190}.project(x, p);
  EXPECT_NEAR(p[0], 0.6e190, 1e176);
  EXPECT_NEAR(p[1], -0.8e190, 1e176);
  Disk<2>{1e201}.project(x, p);
  EXPECT_EQ(p[0], x[0]);
  EXPECT_EQ(p[1], x[1]);
}

// Tiny, huge and mixed magnitudes: the result stays finite and inside.
TEST(ContactCone, ExtremeMagnitudes) {
  Random random(21);
  for (int k = 0; k < points; ++k) {
    const RollingCone3 cone{{random.magnitude(-8, 6), random.magnitude(-8, 6)}};
    Vector x(5), p(5);
    for (double& entry : x) entry = random.normal() * random.magnitude(-120, 120);
    cone.project(x.data(), p.data());
    EXPECT_EQ(find_not_finite(p), -1);
    EXPECT_LE(std::hypot(p[1], p[2]), cone.mu[0] * p[0] * (1 + 1e-14));
    EXPECT_LE(std::hypot(p[3], p[4]), cone.mu[1] * p[0] * (1 + 1e-14));
  }
}

// (0, t) lies beside the cone, whatever 1 + mu^2 rounds to: its projection is (mu n, n) with n = mu t / (1 + mu^2).
template <class Cone>
void expect_steep_projection(const Cone& cone, int size) {
  for (const double normal : {0.0, -1.0}) {
    const Vector x{normal, 0, -2};
    Vector p(3), J(9);
    cone.project(x.data(), p.data());
    cone.jacobian(x.data(), J.data());
    EXPECT_GT(p[0], 0);
    EXPECT_EQ(p[1], 0);
    EXPECT_NEAR(p[2], -2, 1e-7);
    EXPECT_NEAR(J[static_cast<std::size_t>(size * size - 1)], 1, 1e-7);
    for (double entry : J) EXPECT_TRUE(std::isfinite(entry));
  }
}

TEST(SteepCones, KeepWhatLiesBesideThem) {
  for (const double slope : {1e9, 1e150, 1.4e154, 1e200, 1e300}) {
    SCOPED_TRACE(slope);
    expect_steep_projection(CoulombCone3{{slope}}, 3);
    expect_steep_projection(SecondOrderCone{3, slope}, 3);
    const RollingCone3 rolling{{0.5, slope}};
    const Vector x{2, 0.5, 0.5, 3, -4};
    Vector p(5);
    rolling.project(x.data(), p.data());
    EXPECT_EQ(p, x);
    rolling.project(Vector{-1, 0, 0, 3, -4}.data(), p.data());
    EXPECT_NEAR(p[3], 3, 1e-7);
    EXPECT_NEAR(p[4], -4, 1e-7);
  }
}

// Points whose squares overflow.
TEST(SecondOrderCone, ProjectsHugePoints) {
  const SecondOrderCone cone{3, 1};
  Vector p(3), J(9);
  const Vector x{0, 3e200, 4e200};
  cone.project(x.data(), p.data());
  cone.jacobian(x.data(), J.data());
  EXPECT_NEAR(p[0] / 2.5e200, 1, 1e-15);
  EXPECT_NEAR(p[1] / 1.5e200, 1, 1e-15);
  EXPECT_NEAR(p[2] / 2e200, 1, 1e-15);
  EXPECT_EQ(find_not_finite(J), -1);
}

// Coefficients whose squares overflow: what is inside for them stays as it is.
TEST(ContactCone, CoefficientsWithoutSquares) {
  for (const double mu : {1e150, 1e160, 1e300}) {
    const Vector x{1, 0.5, -0.25, 2, 3};
    Vector p(5), J(25);
    for (const int size : {2, 3}) {
      const CoulombCone3 space{{mu}};
      const CoulombCone2 plane{{mu}};
      size == 3 ? space.project(x.data(), p.data()) : plane.project(x.data(), p.data());
      for (int i = 0; i < size; ++i) EXPECT_EQ(p[at(i)], x[at(i)]) << mu;
    }
    const RollingCone3 both{{mu, mu}}, one{{0.5, mu}};
    both.project(x.data(), p.data());
    EXPECT_EQ(p, x);
    both.jacobian(x.data(), J.data());
    EXPECT_EQ(J, generate::identity(5));
    one.project(x.data(), p.data());
    Vector expected(3);
    CoulombCone3{{0.5}}.project(x.data(), expected.data());
    expected.insert(expected.end(), {2, 3});
    EXPECT_EQ(p, expected);
  }
}

}  // namespace nonsmooth::sets_test
