// The splitting for contacts: the law of one contact by itself, how long a structure is, and stacks that sweeps crawl along.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "../support/class_examples.hpp"
#include "linalg/matrix.hpp"
#include "methods/auto/auto_stages.hpp"
#include "methods/sweeps/coupling_graph.hpp"
#include "sets/set.hpp"

namespace douglas_rachford_test {

using generate::at;
using generate::Friction;
using generate::Random;
using generate::Values;

// Coulomb's law for one part: on the disk, and where it slides w against z.
void expect_part(double mu, double normal, int size, const double* z, const double* w) {
  const double length = std::hypot(z[0], size > 1 ? z[1] : 0), speed = std::hypot(w[0], size > 1 ? w[1] : 0);
  EXPECT_LE(length, mu * normal * (1 + 1e-14));
  if (speed > 0) {
    EXPECT_NEAR(length, mu * normal, 1e-14 * (1 + length));
  }
  for (int i = 0; i < size; ++i) EXPECT_NEAR(w[i] * length, -speed * z[i], 1e-13);
}

TEST(DouglasRachford, OneContactObeysItsLaw) {
  Random random(7);
  const nonsmooth::SetBlock blocks[] = {{nonsmooth::SetKind::coulomb_2d, 0, 2, 0.4},
                                        {nonsmooth::SetKind::coulomb_3d, 0, 3, 0.4},
                                        {nonsmooth::SetKind::rolling_2d, 0, 3, 0.4, 0.1},
                                        {nonsmooth::SetKind::rolling_3d, 0, 5, 0.4, 0.1}};
  for (const nonsmooth::SetBlock& block : blocks)
    for (int trial = 0; trial < 100; ++trial) {
      Values x(at(block.size)), z(x.size()), w(x.size());
      for (double& value : x) value = random.normal();
      ASSERT_TRUE(obey(block, x.data(), z.data()));
      for (std::size_t i = 0; i < x.size(); ++i) w[i] = z[i] - x[i];
      EXPECT_EQ(z[0], std::max(0.0, x[0]));
      EXPECT_GE(w[0], 0);
      const int part = block.size == 2 || block.kind == nonsmooth::SetKind::rolling_2d ? 1 : 2;
      expect_part(block.a, z[0], part, &z[1], &w[1]);
      if (!nonsmooth::rolls(block.kind)) continue;
      expect_part(block.b, z[0], part, &z[at(1 + part)], &w[at(1 + part)]);
    }
}

// W of a stack of equal bodies in the plane, a contact between each and the one below: second differences in both directions.
Friction stack(int bodies) {
  const int n = 2 * bodies;
  Friction f{2, bodies, Values(at(n) * at(n), 0.0), Values(at(n), 0.0), Values(at(bodies), 0.5), {}, {}};
  for (int a = 0; a < bodies; ++a)
    for (int i = 0; i < 2; ++i) {
      f.W[at((2 * a + i) * (n + 1))] = a == 0 ? 1 : 2;
      if (a > 0) f.W[at(2 * a + i) + at(n) * at(2 * a - 2 + i)] = f.W[at(2 * a - 2 + i) + at(n) * at(2 * a + i)] = -1;
    }
  f.q[0] = -1;  // gravity; those on each other fall alike
  return f;
}

TEST(DouglasRachford, TheLengthOfAStructure) {
  const Friction f = stack(40);
  const int n = 2 * f.contacts;
  const nonsmooth::Matrix W(nonsmooth::DenseMatrix{n, n, f.W}, "W");
  nonsmooth::Inclusion view;
  view.M = &W;
  view.q = &f.q;
  for (int a = 0; a < f.contacts; ++a) view.blocks.push_back({nonsmooth::SetKind::coulomb_2d, 2 * a, 2, 0.5});
  EXPECT_EQ(nonsmooth::structure_of(view).length, 40);
  view.blocks[0] = {nonsmooth::SetKind::orthant, 0, 1};
  view.blocks.insert(view.blocks.begin() + 1, {nonsmooth::SetKind::orthant, 1, 1});
  EXPECT_EQ(nonsmooth::structure_of(view).length, 40) << "blocks of several sizes";
  nonsmooth::DenseMatrix cut{n, n, f.W};  // between the 25th and the 26th body
  for (int i = 0; i < 2; ++i) cut.values[at(50 + i) + at(n) * at(48 + i)] = cut.values[at(48 + i) + at(n) * at(50 + i)] = 0;
  const nonsmooth::Matrix two(cut, "W");
  view.M = &two;
  EXPECT_EQ(nonsmooth::structure_of(view).length, 25) << "the longer one of two";
}

// Of a row of bodies on the ground, each of which touches the next, half of the contacts are with the ground; of a stack one is,
// and the topmost, which is coupled with one other, could be.
TEST(DouglasRachford, ContactsOfOneBodySupportAStructure) {
  constexpr int bodies = 20, contacts = 2 * bodies - 1, n = 2 * contacts;  // with the ground and the next, in turn
  nonsmooth::DenseMatrix W{n, n, Values(at(n) * at(n), 0.0)};
  const Values q(at(n), 0.0);
  const auto couple = [&](int a, int b) {
    if (a < contacts && b < contacts) W.values[at(2 * (a + n * b))] = W.values[at(2 * (b + n * a))] = 1;
  };
  nonsmooth::Inclusion view;
  for (int a = 0; a < contacts; ++a) {
    for (int b = a; b <= a + (a % 2 == 0 ? 1 : 2); ++b) couple(a, b);
    view.blocks.push_back({nonsmooth::SetKind::coulomb_2d, 2 * a, 2, 0.5});
  }
  const nonsmooth::Matrix row(W, "W");
  view.M = &row;
  view.q = &q;
  EXPECT_EQ(nonsmooth::structure_of(view).supports, bodies);
  const Friction f = stack(contacts);
  const nonsmooth::Matrix tower(nonsmooth::DenseMatrix{n, n, f.W}, "W");
  view.M = &tower;
  EXPECT_EQ(nonsmooth::structure_of(view).supports, 2);
}

// The weight of the lowest contact is that of all bodies: sweeps carry it up and down, some n^2 times.
TEST(DouglasRachford, ForcesCrossAStackAtOnce) {
  const Friction f = stack(200);
  const auto problem = support::problem(f);
  const support::Solution split = support::solve(problem.get(), "douglas_rachford", {{"max_iterations", 300}});
  ASSERT_TRUE(split.converged()) << split.text();
  EXPECT_NEAR(split.z[0], 200, 1e-5);
  const support::Solution swept = support::solve(problem.get(), "block_gauss_seidel", {{"max_iterations", 10000}});
  EXPECT_FALSE(swept.converged()) << "too easy";
}

// It has no use for a tight tolerance: what drifts slowly is for proximal Newton. But where structures are long and thin.
TEST(DouglasRachford, StandsInAutoForLooseTolerances) {
  const Friction f = stack(3);
  const nonsmooth::Matrix W(nonsmooth::DenseMatrix{6, 6, Values(36, 1.0)}, "W");
  nonsmooth::Inclusion view;
  view.M = &W;
  view.q = &f.q;
  for (int a = 0; a < 3; ++a) view.blocks.push_back({nonsmooth::SetKind::coulomb_2d, 2 * a, 2, 0.5});
  nonsmooth::Options options;
  const auto splits = [&] {
    return std::ranges::any_of(stages_of(view, options), [](const auto& stage) {
      return std::string_view(stage.method) == "douglas_rachford" && stage.shape == nonsmooth::Shape::any;
    });
  };
  EXPECT_FALSE(splits());
  options.set("tolerance", 1e-4);
  EXPECT_TRUE(splits());
}

// As many contacts side by side in every joint of the stack, so that they are no chain, and redundant.
Friction thick_stack(int bodies, int across) {
  const Friction one = stack(bodies);
  const int rows = 2 * bodies, contacts = bodies * across, n = 2 * contacts;
  Friction f{2, contacts, Values(at(n) * at(n), 0.0), Values(at(n), 0.0), Values(at(contacts), 0.5), {}, {}};
  const auto joint_row = [&](int row) { return row / (2 * across) * 2 + row % 2; };
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) f.W[at(i) + at(n) * at(j)] = one.W[at(joint_row(i)) + at(rows) * at(joint_row(j))];
  for (int i = 0; i < n; ++i) f.q[at(i)] = one.q[at(joint_row(i))];
  for (int i = 1; i < 2 * across; i += 2) f.q[at(i)] = 0.2;  // the ground is pulled
  return f;
}

TEST(DouglasRachford, ComesFirstWhereStructuresAreLongAndThin) {
  const auto split_first = [](int bodies, int across) {
    const auto problem = support::problem(thick_stack(bodies, across));
    const support::Solution solution = support::solve(problem.get(), "auto", {{"tolerance", 1e-4}});
    EXPECT_TRUE(solution.converged()) << solution.text();
    return std::string_view(solution.result.finished_by) == "douglas_rachford";
  };
  EXPECT_TRUE(split_first(60, 4));
  EXPECT_FALSE(split_first(8, 4)) << "short";
  EXPECT_FALSE(split_first(16, 16)) << "thick";
  EXPECT_FALSE(split_first(10, 6)) << "hardly longer than across";
}

// And there the central path is followed once, before all else to a tight tolerance; what finished the last of a sequence goes
// before both.
TEST(DouglasRachford, IsFollowedByTheCentralPathToTightTolerances) {
  const nonsmooth::Matrix W(nonsmooth::DenseMatrix{10, 10, Values(100, 1.0)}, "W");
  nonsmooth::Inclusion view;
  view.M = &W;
  for (int a = 0; a < 5; ++a) view.blocks.push_back({nonsmooth::SetKind::coulomb_2d, 2 * a, 2, 0.5});
  nonsmooth::Options options;
  const auto paths = [&](nonsmooth::Shape shape) {
    return std::ranges::count_if(stages_of(view, options), [&](const auto& stage) {
      return std::string_view(stage.method) == "friction_central_path" && stage.shape == shape;
    });
  };
  EXPECT_EQ(paths(nonsmooth::Shape::slender), 1);
  EXPECT_EQ(paths(nonsmooth::Shape::stout), 1);
  EXPECT_EQ(paths(nonsmooth::Shape::any), 0);
  options.set("first_stage", 1);
  const nonsmooth::StageList sequence = stages_of(view, options);
  const auto is_slender = [](const auto& stage) { return stage.shape == nonsmooth::Shape::slender; };
  const auto first_slender = std::ranges::find_if(sequence, is_slender);
  ASSERT_NE(first_slender, sequence.end());
  EXPECT_STREQ(first_slender->method, "douglas_rachford");
  EXPECT_STREQ((first_slender - 1)->method, "block_gauss_seidel");
  options.set("tolerance", 1e-4);
  EXPECT_EQ(paths(nonsmooth::Shape::slender), 0);
}

}  // namespace douglas_rachford_test
