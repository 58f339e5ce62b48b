// Elements of generalised Jacobians: where a function is smooth they are its derivative (differences at 10,000 random points
// each); at kinks (apex, edge and axis of the cones, zero sliding velocity) they lie in the convex hull of the derivatives near
// by.
#include <gtest/gtest.h>

#include <cfloat>
#include <cmath>
#include <functional>
#include <string>

#include "../support/generators.hpp"
#include "../support/sanitized.hpp"
#include "linalg/nnls.hpp"
#include "methods/equations/cone_equations.hpp"
#include "sets/set.hpp"

namespace nonsmooth::generalised_jacobian_test {

using generate::at;
using generate::norm;
using generate::Random;

constexpr int smooth_points = support::cases(10000, 500), kinks = support::cases(60, 10);
constexpr int neighbours = 600;
constexpr double hull_tolerance = 0.05;  // the hull of a sphere, known at so many points

// A function of n variables with as many rows as its value has, and its Jacobian, column-major.
struct Function {
  std::function<Vector(const Vector&)> value, jacobian;
};

// Differences at x + h e_j. false near a kink: forward and backward disagree.
bool is_smooth(const Function& f, const Vector& x, Vector& differences) {
  constexpr double h = 1e-6, kink = 1e-3;
  const Vector middle = f.value(x);
  differences.clear();
  for (std::size_t j = 0; j < x.size(); ++j) {
    Vector up = x, down = x;
    up[j] += h;
    down[j] -= h;
    const Vector above = f.value(up), below = f.value(down);
    for (std::size_t i = 0; i < middle.size(); ++i) {
      if (std::abs(above[i] - 2 * middle[i] + below[i]) > kink * h) return false;
      differences.push_back((above[i] - below[i]) / (2 * h));
    }
  }
  return true;
}

// A point near x. Every third: all variables move alike; some move much more than others, for limits along edges and inside
// faces; hardly any but the normal ones moves, into the cone and its dual (`normals` variables: z_N, and w_N if there is a w).
Vector neighbour(const Vector& x, int kind, std::size_t normals, Random& random) {
  constexpr double radius = 1e-5, small = 1e-3;
  Vector y = x;
  for (double& entry : y) entry += radius * random.normal() * (kind == 2 ? small : random.magnitude(kind == 0 ? 0 : -4, 0));
  for (std::size_t k = 0; k < normals && kind == 2; ++k) y[k * x.size() / normals] += radius * random.magnitude(-1.5, 0);
  return y;
}

// Distance of J from the convex hull of the Jacobians at points near x, over the size of these.
double distance_to_hull(const Function& f, const Vector& x, const Vector& J, std::size_t normals, Random& random) {
  constexpr double weight = 100;
  const int rows = static_cast<int>(J.size()) + 1;
  NonnegativeLeastSquares hull;
  hull.resize(rows, neighbours);
  double size = DBL_MIN;
  for (std::size_t k = 0; k < neighbours; ++k) {
    const Vector y = neighbour(x, static_cast<int>(k % 3), normals, random);
    const Vector near = f.jacobian(y);
    std::copy(near.begin(), near.end(), hull.matrix().begin() + static_cast<std::ptrdiff_t>(k) * rows);
    hull.matrix()[(k + 1) * at(rows) - 1] = weight;
    size = std::max(size, norm(near));
  }
  Vector target = J, weights(neighbours);
  target.push_back(weight);
  const std::vector<char> bounded(neighbours, 0);
  return hull.solve(rows, neighbours, target, bounded, weights) / size;
}

void expect_derivative(const Function& f, const Vector& x, int& smooth) {
  Vector differences;
  if (!is_smooth(f, x, differences)) return;
  ++smooth;
  const Vector J = f.jacobian(x);
  for (std::size_t k = 0; k < J.size(); ++k) EXPECT_NEAR(J[k], differences[k], 1e-4 * (1 + norm(J)));
}

SetBlock random_block(Random& random, SetKind kind, std::int32_t size) {
  SetBlock block{kind, 0, size, random.magnitude(-1, 0.5), random.magnitude(-1, 0.5)};
  if (kind == SetKind::dilatant_3d) block.b = random.uniform(0, block.a);  // theta <= eta
  if (kind == SetKind::box) {
    block.b = block.a;
    block.a = -block.b;
  }
  return block;
}

struct Case {
  const char* name;
  SetKind kind;
  std::int32_t size;
};
constexpr Case sets[] = {{"orthant", SetKind::orthant, 1},          {"box", SetKind::box, 1},
                         {"coulomb_2d", SetKind::coulomb_2d, 2},    {"coulomb_3d", SetKind::coulomb_3d, 3},
                         {"rolling_2d", SetKind::rolling_2d, 3},    {"rolling_3d", SetKind::rolling_3d, 5},
                         {"dilatant_3d", SetKind::dilatant_3d, 3},  {"cone_2", SetKind::second_order_cone, 2},
                         {"cone_4", SetKind::second_order_cone, 4}, {"cone_1", SetKind::second_order_cone, 1}};

// A point of a block's cone or of its dual: 0, on the axis, inside, on the boundary with all parts or with one only. Rows: near
// their bounds.
Vector special_point(Random& random, const SetBlock& block, int which) {
  Vector x(at(block.size), 0.0);
  if (block.size == 1) {
    x[0] = which % 3 == 0 ? 0 : which % 3 == 1 ? (block.kind == SetKind::box ? block.b : 1) : 0.5 * block.b;
    return x;
  }
  if (which == 0) return x;
  x[0] = random.uniform(0.5, 2);
  const bool rolls = block.kind == SetKind::rolling_2d || block.kind == SetKind::rolling_3d;
  const std::size_t parts = rolls ? 2 : 1, part = (x.size() - 1) / parts;
  for (std::size_t g = 0; g < parts && which > 1; ++g) {
    Vector direction = random.normals(static_cast<std::int64_t>(part));
    const double length = norm(direction), bound = (g == 0 ? block.a : block.b) * x[0];
    const double share = which == 2 || (which == 4 && g == 1) ? 0.5 : 1;
    for (std::size_t i = 0; i < part; ++i) x[1 + g * part + i] = share * bound * direction[i] / length;
  }
  return x;
}

class Projection : public testing::TestWithParam<Case> {
 protected:
  static Function function(const SetBlock& block) {
    return {[block](const Vector& x) {
              Vector p(x.size());
              project(block, x.data(), p.data());
              return p;
            },
            [block](const Vector& x) {
              Vector J(x.size() * x.size());
              visit_set(block, [&](const auto& set) { set.jacobian(x.data(), J.data()); });
              return J;
            }};
  }
};

TEST_P(Projection, JacobianIsTheDerivative) {
  Random random(31);
  int smooth = 0;
  for (int k = 0; k < smooth_points; ++k) {
    const SetBlock block = random_block(random, GetParam().kind, GetParam().size);
    expect_derivative(function(block), random.normals(block.size), smooth);
  }
  EXPECT_GT(smooth, smooth_points * 9 / 10);
}

TEST_P(Projection, JacobianAtKinksLiesInTheHullOfThoseNearBy) {
  Random random(32);
  for (int k = 0; k < kinks; ++k) {
    const SetBlock block = random_block(random, GetParam().kind, GetParam().size);
    Vector x = special_point(random, block, k % 5);
    if (k % 2 == 1)  // of the polar cone
      for (double& entry : x) entry = -entry;
    const Function f = function(block);
    EXPECT_LE(distance_to_hull(f, x, f.jacobian(x), 1, random), hull_tolerance) << "kink " << k;
  }
}

INSTANTIATE_TEST_SUITE_P(Sets, Projection, testing::ValuesIn(sets), [](const auto& set) { return std::string(set.param.name); });

class Equations : public testing::TestWithParam<std::tuple<ConeFunction, Case>> {
 protected:
  ConeFunction which() const { return std::get<0>(GetParam()); }
  SetBlock block(Random& random) const {
    const Case& set = std::get<1>(GetParam());
    return random_block(random, set.kind, set.size);
  }
  bool is_treated(const SetBlock& set) const { return ConeEquations::treats({nullptr, nullptr, {set}}, which()); }

  // Of (z, w).
  Function function(const SetBlock& set, double scale) const {
    auto evaluate = [this, set, scale](const Vector& x, bool jacobian) {
      const std::size_t n = at(set.size);
      ConeEquations equations;
      equations.setup({nullptr, nullptr, {set}}, which());
      Vector value(n), left(n * n), right(n * n);
      equations.evaluate(set, x.data(), x.data() + n, scale,
                         {value.data(), jacobian ? left.data() : nullptr, jacobian ? right.data() : nullptr});
      if (!jacobian) return value;
      right.insert(right.end(), left.begin(), left.end());
      return right;
    };
    return {[evaluate](const Vector& x) { return evaluate(x, false); },
            [evaluate](const Vector& x) { return evaluate(x, true); }};
  }
};

TEST_P(Equations, JacobianIsTheDerivative) {
  Random random(33);
  int smooth = 0;
  for (int k = 0; k < smooth_points; ++k) {
    const SetBlock set = block(random);
    if (!is_treated(set)) GTEST_SKIP() << "rolling friction has no Jordan algebra";
    expect_derivative(function(set, random.magnitude(-0.5, 0.5)), random.normals(2 * set.size), smooth);
  }
  EXPECT_GT(smooth, smooth_points * 9 / 10);
}

// z and w at special points of the cone and of its dual: take-off, sticking, sliding, rest, and what lies between them.
TEST_P(Equations, JacobianAtKinksLiesInTheHullOfThoseNearBy) {
  Random random(34);
  for (int k = 0; k < 5 * kinks; ++k) {
    const SetBlock set = block(random);
    if (!is_treated(set)) GTEST_SKIP() << "rolling friction has no Jordan algebra";
    Vector x = special_point(random, set, k % 5), w = special_point(random, set, k / 5 % 5);
    if (k % 3 == 0) w[0] = 0;  // sliding without De Saxce's change
    x.insert(x.end(), w.begin(), w.end());
    const Function f = function(set, random.magnitude(-0.5, 0.5));
    EXPECT_LE(distance_to_hull(f, x, f.jacobian(x), 2, random), hull_tolerance) << "kink " << k;
  }
}

// Solutions are zeros, and nothing else is: against the natural map.
TEST_P(Equations, VanishExactlyAtSolutions) {
  Random random(35);
  for (int k = 0; k < 2000; ++k) {
    const SetBlock set = block(random);
    if (!is_treated(set)) GTEST_SKIP() << "rolling friction has no Jordan algebra";
    const std::size_t n = at(set.size);
    // The parts of x = P(x) - P(-x) of Moreau are a solution for u~; cones only.
    Vector x = random.normals(set.size), z(n), w(n);
    project(set, x.data(), z.data());
    for (std::size_t i = 0; i < n; ++i) w[i] = z[i] - x[i];
    double slip = 0;
    for (int round = 0; round < 2; ++round) {  // u from u~: the tangents are the same
      Vector shifted = w;
      add_normal_shift(set, shifted.data());
      if (round == 0) slip = shifted[0] - w[0];
    }
    w[0] -= slip;
    x = z;
    x.insert(x.end(), w.begin(), w.end());
    const Function f = function(set, random.magnitude(-0.5, 0.5));
    EXPECT_LE(norm(f.value(x)), 1e-13 * (1 + norm(x)) / std::min(1.0, std::abs(set.a))) << k;
    x[random.chance(0.5) ? 0 : n] += 0.1;
    Vector u(x.begin() + static_cast<std::ptrdiff_t>(n), x.end()), p(n);
    add_normal_shift(set, u.data());
    for (std::size_t i = 0; i < n; ++i) u[i] = x[i] - u[i];
    project(set, u.data(), p.data());
    for (std::size_t i = 0; i < n; ++i) p[i] -= x[i];
    EXPECT_EQ(norm(p) > 1e-6, norm(f.value(x)) > 1e-7) << k;
  }
}

std::string equation_name(const testing::TestParamInfo<std::tuple<ConeFunction, Case>>& info) {
  constexpr const char* names[] = {"alart_curnier_", "jean_moreau_", "natural_map_", "fischer_burmeister_"};
  return names[static_cast<std::size_t>(std::get<0>(info.param))] + std::string(std::get<1>(info.param).name);
}
INSTANTIATE_TEST_SUITE_P(All, Equations,
                         testing::Combine(testing::Values(ConeFunction::alart_curnier, ConeFunction::jean_moreau,
                                                          ConeFunction::natural_map, ConeFunction::fischer_burmeister),
                                          testing::ValuesIn(sets)),
                         equation_name);

}  // namespace nonsmooth::generalised_jacobian_test
