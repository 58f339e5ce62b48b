// Contacts whose law stays as it is while all others are linearised: where the source that is found leads, those meet their law,
// and the equations of the others hold as before.
#include "methods/newton/nonlinear_elimination.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "../support/generators.hpp"
#include "certificate/natural_map.hpp"
#include "methods/solver/solver.hpp"

namespace nonlinear_elimination_test {

using namespace nonsmooth;

constexpr std::int32_t block = 3, blocks = 700, n = block * blocks;
constexpr double weight = 1e-2;  // of the proximal term of every block

std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

// A strip of contacts, each coupled to the two beside it: W = H'H + 0.1 I.
Matrix strip(generate::Random& random) {
  std::vector<double> H(at(n) * 6);  // of column j the six rows from 3 (j / 3) on
  for (double& value : H) value = random.uniform(-1, 1);
  CscMatrix W{n, n, {0}, {}, {}};
  for (std::int32_t j = 0; j < n; ++j) {
    const std::int32_t b = j / block;
    for (std::int32_t i = block * std::max(0, b - 1); i < block * std::min(blocks, b + 2); ++i) {
      const std::int32_t ahead = block * (i / block - b);  // rows of i's six that come later than those of j
      double sum = i == j ? 0.1 : 0;
      for (std::int32_t k = 0; k < 6; ++k)
        if (const std::int32_t l = k - ahead; l >= 0 && l < 6) sum += H[at(j) * 6 + at(k)] * H[at(i) * 6 + at(l)];
      W.row_index.push_back(i);
      W.values.push_back(sum);
    }
    W.col_start.push_back(static_cast<std::int32_t>(W.row_index.size()));
  }
  return Matrix(std::move(W), "W");
}

struct Strip {
  generate::Random random{5};
  Matrix W = strip(random);
  Vector q = Vector(at(n));
  Inclusion view;
  NewtonSystem system;
  Control control;

  Strip() {
    for (double& value : q) value = random.uniform(-1, 0.5);
    view.M = &W;
    view.q = &q;
    for (std::int32_t b = 0; b < blocks; ++b) view.blocks.push_back({SetKind::coulomb_3d, b * block, block, 0.6});
    system.setup(view, NewtonSystem::Space::contacts);
    control.setup(view, Options{}, 100);
    control.begin();
  }
  // All contacts stick: w + weight z = 0 is what they say.
  void linearise() {
    for (std::int32_t b = 0; b < blocks; ++b)
      for (std::int32_t k = 0; k < block * block; ++k) {
        system.left(at(b))[k] = k % (block + 1) == 0 ? 1 : 0;
        system.right(at(b))[k] = k % (block + 1) == 0 ? weight : 0;
      }
    ASSERT_TRUE(system.factorise());
  }
  Vector velocities(const Vector& z) const {
    Vector w = q;
    multiply_add(W, 1.0, z, w);
    for (std::size_t i = 0; i < w.size(); ++i) w[i] += weight * z[i];
    return w;
  }
};

TEST(NonlinearElimination, ChosenContactsMeetTheirLawAndTheOthersTheirEquations) {
  Strip strip;
  strip.linearise();
  Vector z(at(n));
  for (std::size_t i = 0; i < z.size(); ++i) z[i] = -strip.q[i];
  strip.system.solve(z);  // the full step from 0

  NonlinearElimination elimination;
  ASSERT_TRUE(elimination.setup(strip.view, strip.system, find_method("proximal_newton")->create));
  Vector defects(at(blocks), 0.0);
  for (const std::int32_t b : {17, 18, 400}) defects[at(b)] = 1;
  ASSERT_TRUE(elimination.choose(defects));
  EXPECT_EQ(elimination.chosen(), 3U);
  Vector source(at(n));
  ASSERT_TRUE(elimination.find_source(z, strip.velocities(z), weight, source, strip.control));
  for (std::int32_t i = 0; i < n; ++i) {
    if (defects[at(i / block)] == 0) {
      EXPECT_EQ(source[at(i)], 0) << i;
    }
  }
  strip.system.solve(source);
  for (std::size_t i = 0; i < z.size(); ++i) z[i] += source[i];

  const Vector w = strip.velocities(z);
  double unsettled = 0;  // of the chosen ones before, so that there is something to find
  for (std::int32_t b = 0; b < blocks; ++b) {
    const std::size_t start = at(b * block);
    if (defects[at(b)] == 0) {
      for (std::size_t i = start; i < start + block; ++i) EXPECT_NEAR(w[i], 0, 1e-11) << i;
      continue;
    }
    Inclusion alone;
    const Matrix none(DenseMatrix{block, block, Vector(9, 0.0)}, "none");
    const Vector u(w.begin() + b * block, w.begin() + (b + 1) * block), r(z.begin() + b * block, z.begin() + (b + 1) * block);
    alone.M = &none;
    alone.q = &u;
    alone.blocks = {{SetKind::coulomb_3d, 0, block, 0.6}};
    EXPECT_LE(NaturalMap(alone).residual(r), 1e-5) << b;
    unsettled += std::abs(w[start]) + std::abs(w[start + 1]) + std::abs(w[start + 2]);
  }
  EXPECT_GT(unsettled, 1e-3);
}

TEST(NonlinearElimination, RefusesMoreContactsThanItHasRoomFor) {
  Strip strip;
  NonlinearElimination elimination;
  ASSERT_TRUE(elimination.setup(strip.view, strip.system, find_method("proximal_newton")->create));
  Vector defects(at(blocks), 0.0);
  std::fill_n(defects.begin(), 2 * elimination.most(), 1.0);
  EXPECT_FALSE(elimination.choose(defects));
  elimination.choose_none();
  std::fill(defects.begin() + static_cast<std::ptrdiff_t>(elimination.most()), defects.end(), 0.0);
  EXPECT_TRUE(elimination.choose(defects));
}

// Those chosen before stay, others come in.
TEST(NonlinearElimination, GathersContacts) {
  Strip strip;
  NonlinearElimination elimination;
  ASSERT_TRUE(elimination.setup(strip.view, strip.system, find_method("proximal_newton")->create));
  Vector defects(at(blocks), 0.0);
  defects[5] = 1;
  ASSERT_TRUE(elimination.choose(defects));
  defects[5] = 0;
  defects[6] = defects[7] = 1;
  ASSERT_TRUE(elimination.choose(defects));
  EXPECT_EQ(elimination.chosen(), 3U);
}

TEST(NonlinearElimination, WaitsLongerAfterEveryFailure) {
  NonlinearElimination elimination;
  elimination.begin();
  const auto waited = [&] {
    int steps = 1;
    while (!elimination.is_due()) ++steps;
    return steps;
  };
  EXPECT_EQ(waited(), 1);
  std::vector<int> waits;
  for (int k = 0; k < 6; ++k) {
    elimination.report(false);
    waits.push_back(waited());
  }
  EXPECT_EQ(waits, (std::vector<int>{1, 3, 7, 15, 16, 16}));
  elimination.report(true);
  EXPECT_EQ(waited(), 8);
}

TEST(NonlinearElimination, IsNotForSmallProblemsOrOtherSets) {
  Strip strip;
  NonlinearElimination elimination;
  strip.view.blocks[3].kind = SetKind::second_order_cone;
  EXPECT_FALSE(elimination.setup(strip.view, strip.system, find_method("proximal_newton")->create));
}

}  // namespace nonlinear_elimination_test
