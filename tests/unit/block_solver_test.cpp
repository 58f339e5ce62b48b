// The exact solvers of one block: 10^5 random blocks (skew parts up to 10 times the symmetric one, mu from .01 to 3) without one
// failure. A block passes if the natural map with De Saxce's shift is at most 1e-9 relative to |q|.
#include <gtest/gtest.h>

#include <cmath>

#include "../support/generators.hpp"
#include "linalg/matrix.hpp"
#include "methods/sweeps/over_relaxation.hpp"
#include "sets/coulomb_lanes.hpp"
#include "sets/set.hpp"

namespace nonsmooth::block_solver_test {

using generate::at;
using generate::multiply;
using generate::norm;
using generate::Random;

constexpr double tolerance = 1e-9;

// |z - P(z - shift(W z + q))| / |q|.
double residual(const SetBlock& block, const Vector& W, const Vector& q, const Vector& z) {
  Vector w = multiply(W, z), x(z.size());
  for (std::size_t i = 0; i < w.size(); ++i) w[i] += q[i];
  add_normal_shift(block, w.data());
  for (std::size_t i = 0; i < w.size(); ++i) x[i] = z[i] - w[i];
  project(block, x.data(), x.data());
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += (z[i] - x[i]) * (z[i] - x[i]);
  return std::sqrt(sum) / norm(q);
}

// A A' + 1e-3 trace I + skew trace S, scaled by a random power of ten.
Vector torture_matrix(Random& random, int n, double skew) {
  Vector W = generate::gram(random, n, n, 0);
  double trace = 0;
  for (int i = 0; i < n; ++i) trace += W[at(i) * at(n + 1)];
  for (int i = 0; i < n; ++i) W[at(i) * at(n + 1)] += 1e-3 * trace;
  if (skew > 0) generate::add_skew(random, W, n, skew * trace / 3);
  const double scale = random.magnitude(-4, 4);
  for (double& entry : W) entry *= scale;
  return W;
}

struct Tally {
  int failures = 0;
  double worst = 0;
  void add(double value) {
    if (!(value <= tolerance)) ++failures;
    if (!(value <= worst)) worst = value;
  }
};

template <class Set>
Tally torture(SetKind kind, int n, int blocks, double skew, std::uint64_t seed) {
  Random random(seed);
  typename BlockSolverOf<Set>::Type solver;
  Tally tally;
  for (int k = 0; k < blocks; ++k) {
    SetBlock block{kind, 0, n, random.magnitude(-2, 0.477), random.magnitude(-2, 0.477)};
    if (kind == SetKind::dilatant_3d) block.b *= block.a / 3;  // theta <= eta
    const Vector W = torture_matrix(random, n, skew);
    Vector q = random.normals(n), z(at(n), 0.0);
    if (!random.chance(0.1)) q[0] = -std::abs(q[0]);
    bool prepared = false;
    visit_set(block, [&](const auto& set) {
      if constexpr (requires { solver.prepare(set, W.data(), 0.0); }) prepared = solver.prepare(set, W.data(), 0.0);
    });
    EXPECT_TRUE(prepared);
    solver.solve(q.data(), z.data());
    // A block with a proximal term is solved by repetition, as sweeps do.
    for (int repeat = 0; repeat < 5 && !(residual(block, W, q, z) <= tolerance); ++repeat) solver.solve(q.data(), z.data());
    tally.add(residual(block, W, q, z));
  }
  return tally;
}

class BlockTorture : public testing::TestWithParam<double> {};

TEST_P(BlockTorture, Coulomb3D) {
  const Tally tally = torture<CoulombCone3>(SetKind::coulomb_3d, 3, 100000, GetParam(), 31);
  EXPECT_EQ(tally.failures, 0) << "worst " << tally.worst;
}

TEST_P(BlockTorture, Coulomb2D) {
  const Tally tally = torture<CoulombCone2>(SetKind::coulomb_2d, 2, 100000, GetParam(), 32);
  EXPECT_EQ(tally.failures, 0) << "worst " << tally.worst;
}

TEST_P(BlockTorture, Rolling2D) {
  const Tally tally = torture<RollingCone2>(SetKind::rolling_2d, 3, 5000, GetParam(), 33);
  EXPECT_EQ(tally.failures, 0) << "worst " << tally.worst;
}

TEST_P(BlockTorture, Rolling3D) {
  const Tally tally = torture<RollingCone3>(SetKind::rolling_3d, 5, 2000, GetParam(), 34);
  EXPECT_EQ(tally.failures, 0) << "worst " << tally.worst;
}

TEST_P(BlockTorture, Dilatant) {
  const Tally tally = torture<DilatantCone>(SetKind::dilatant_3d, 3, 20000, GetParam(), 35);
  EXPECT_EQ(tally.failures, 0) << "worst " << tally.worst;
}

INSTANTIATE_TEST_SUITE_P(Skew, BlockTorture, testing::Values(0.0, 1.0, 10.0),
                         [](const auto& parameter) { return "skew" + std::to_string(static_cast<int>(parameter.param)); });

// The contact law, relative to the terms it consists of: |z - P(z - u~ / s)| / (|z| + |q| / s) with s the largest entry of W.
double law_defect(const SetBlock& block, const Vector& W, const Vector& q, const Vector& z) {
  double largest = 0;
  for (double entry : W) largest = std::max(largest, std::abs(entry));
  Vector w = multiply(W, z), x(z.size());
  for (std::size_t i = 0; i < w.size(); ++i) w[i] += q[i];
  add_normal_shift(block, w.data());
  for (std::size_t i = 0; i < w.size(); ++i) x[i] = z[i] - w[i] / largest;
  project(block, x.data(), x.data());
  for (std::size_t i = 0; i < w.size(); ++i) x[i] -= z[i];
  return norm(x) / (norm(z) + norm(q) / largest);
}

enum class Hardness { plain, frictionless, nearly_singular, light_normal };

Vector hard_matrix(Random& random, int n, Hardness hardness) {
  Vector W = torture_matrix(random, n, random.chance(0.2) ? 0.0 : random.uniform(0, 10));
  if (hardness == Hardness::nearly_singular) {
    W = generate::gram(random, n, n - 1, 0);
    double trace = 0;
    for (int i = 0; i < n; ++i) trace += W[at(i) * at(n + 1)];
    for (int i = 0; i < n; ++i) W[at(i) * at(n + 1)] += 1e-8 * trace;
  }
  if (hardness == Hardness::light_normal) {  // W_NN down to 1e-6 of the others, still definite
    const double factor = random.magnitude(-3, 0);
    for (int i = 0; i < n; ++i) {
      W[at(i)] *= factor;
      W[at(i) * at(n)] *= factor;
    }
  }
  return W;
}

template <class Set>
Tally solve_hard_blocks(SetKind kind, int n, int blocks, Hardness hardness) {
  Random random(40 + static_cast<std::uint64_t>(hardness));
  typename BlockSolverOf<Set>::Type solver;
  Tally tally;
  for (int k = 0; k < blocks; ++k) {
    const double mu = hardness == Hardness::frictionless ? 0.0 : random.magnitude(-2, 1);
    const SetBlock block{kind, 0, n, mu};
    const Vector W = hard_matrix(random, n, hardness);
    Vector q = random.normals(n), z(at(n), 0.0);
    if (!random.chance(0.1)) q[0] = -std::abs(q[0]);
    if constexpr (requires { solver.forget(); }) solver.forget();
    EXPECT_TRUE(solver.prepare(Set{{mu}}, W.data(), 0.0));
    solver.solve(q.data(), z.data());
    tally.add(law_defect(block, W, q, z));
  }
  return tally;
}

class HardBlocks : public testing::TestWithParam<Hardness> {};

// A million in all.
TEST_P(HardBlocks, SatisfyTheContactLaw) {
  const Tally space = solve_hard_blocks<CoulombCone3>(SetKind::coulomb_3d, 3, 150000, GetParam());
  EXPECT_EQ(space.failures, 0) << "worst in space " << space.worst;
  const Tally plane = solve_hard_blocks<CoulombCone2>(SetKind::coulomb_2d, 2, 100000, GetParam());
  EXPECT_EQ(plane.failures, 0) << "worst in the plane " << plane.worst;
}

std::string hardness_name(const testing::TestParamInfo<Hardness>& info) {
  switch (info.param) {
    case Hardness::plain: return "plain";
    case Hardness::frictionless: return "frictionless";
    case Hardness::nearly_singular: return "nearly_singular";
    case Hardness::light_normal: return "light_normal";
  }
  return "";
}

INSTANTIATE_TEST_SUITE_P(Kinds, HardBlocks,
                         testing::Values(Hardness::plain, Hardness::frictionless, Hardness::nearly_singular,
                                         Hardness::light_normal),
                         hardness_name);

// Eight contacts at once, repeatedly as in sweeps: open, sticking and sliding ones, with and without friction and proximal terms,
// sometimes fewer than eight.
void expect_bits_of_one_contact(Instructions instructions) {
  Random random(52);
  constexpr std::size_t width = CoulombLanesSolver3::width;
  const auto solve = coulomb_lanes(instructions).solve;
  for (int round = 0; round < 5000; ++round) {
    CoulombBlockSolver3 single[width];
    CoulombLanesSolver3 lanes;
    double q[width][3], one[width][3]{}, all[width][3]{};
    const double* velocities[width];
    double* reactions[width];
    const std::size_t count = random.chance(0.2) ? 3 : width;
    const double proximal = random.chance(0.3) ? 0.1 : 0;
    for (std::size_t k = 0; k < width; ++k) {
      const auto hardness = static_cast<Hardness>(random.integer(0, 3));
      const double mu = hardness == Hardness::frictionless ? 0.0 : random.magnitude(-2, 1);
      ASSERT_TRUE(single[k].prepare(CoulombCone3{{mu}}, hard_matrix(random, 3, hardness).data(), proximal));
      if (k < count) lanes.set(k, single[k]);
      velocities[k] = q[k];
      reactions[k] = all[k];
    }
    for (int sweep = 0; sweep < 3; ++sweep) {
      for (std::size_t k = 0; k < width; ++k) {
        for (double& x : q[k]) x = random.normal();
        if (k >= count) q[k][0] = 1;
        single[k].solve(q[k], one[k]);
      }
      solve(lanes, velocities, reactions, nullptr);
      for (std::size_t k = 0; k < count; ++k)
        for (int i = 0; i < 3; ++i) ASSERT_EQ(all[k][i], one[k][i]) << "round " << round << ", lane " << k << ", row " << i;
    }
  }
}

TEST(CoulombLanes, HaveTheBitsOfOneContact) {
  for (int k = 0; k <= static_cast<int>(widest_instructions()); ++k) expect_bits_of_one_contact(static_cast<Instructions>(k));
}

// Eight contacts pushed on from sweep to sweep, some of which creep and some of which turn: the bits of one contact after the
// other.
void expect_bits_of_one_push(Instructions instructions) {
  Random random(54);
  constexpr std::size_t width = CoulombLanesSolver3::width;
  for (int round = 0; round < 500; ++round) {
    CoulombBlockSolver3 single[width];
    CoulombLanesSolver3 lanes;
    OverRelaxation one_by_one, at_once;
    for (OverRelaxation* state : {&one_by_one, &at_once}) {
      state->resize(width, 3 * width);
      state->begin();
    }
    double mu[width], q[width][3], drift[width][3], one[width][3]{}, all[width][3]{};
    const double* velocities[width];
    double* reactions[width];
    for (std::size_t k = 0; k < width; ++k) {
      mu[k] = k == 0 ? 0 : random.magnitude(-2, 1);
      ASSERT_TRUE(single[k].prepare(CoulombCone3{{mu[k]}}, hard_matrix(random, 3, Hardness::plain).data(), 0));
      lanes.set(k, single[k]);
      velocities[k] = q[k];
      reactions[k] = all[k];
      for (double* v : {q[k], drift[k]})
        for (int i = 0; i < 3; ++i) v[i] = random.normal();
    }
    for (int sweep = 0; sweep < 8; ++sweep) {
      for (std::size_t k = 0; k < width; ++k) {
        for (int i = 0; i < 3; ++i) q[k][i] += 0.1 * (random.chance(0.1) ? -drift[k][i] : drift[k][i]);
        const double old[3] = {one[k][0], one[k][1], one[k][2]};
        single[k].solve(q[k], one[k]);
        const double factor = one_by_one.factor(k, 3 * k, 3, old, one[k]);
        if (factor == 1) continue;
        for (int i = 0; i < 3; ++i) one[k][i] = old[i] + factor * (one[k][i] - old[i]);
        CoulombCone3{{mu[k]}}.project(one[k], one[k]);
      }
      const LaneCreep creep = at_once.lanes(0);
      coulomb_lanes(instructions).solve(lanes, velocities, reactions, &creep);
      for (std::size_t k = 0; k < width; ++k)
        for (int i = 0; i < 3; ++i) ASSERT_EQ(all[k][i], one[k][i]) << "round " << round << ", sweep " << sweep << ", lane " << k;
    }
  }
}

TEST(CoulombLanes, AreOverRelaxedWithTheBitsOfOneContact) {
  for (int k = 0; k <= static_cast<int>(widest_instructions()); ++k) expect_bits_of_one_push(static_cast<Instructions>(k));
}

// Of blocks among which eight contacts in space follow each other now and then.
std::vector<SetBlock> mixed_blocks(Random& random) {
  std::vector<SetBlock> blocks;
  std::int32_t start = 0;
  for (int k = 0; k < 60; ++k) {
    SetBlock block;
    block.kind = random.chance(0.92) ? SetKind::coulomb_3d : random.chance(0.5) ? SetKind::orthant : SetKind::coulomb_2d;
    block.size = block.kind == SetKind::coulomb_3d ? 3 : block.kind == SetKind::coulomb_2d ? 2 : 1;
    block.start = start;
    block.a = random.chance(0.1) ? 0 : random.chance(0.02) ? 1e160 : random.magnitude(-2, 1);
    start += block.size;
    blocks.push_back(block);
  }
  return blocks;
}

Vector normal_vector(Random& random, std::size_t size) {
  Vector x(size);
  for (double& entry : x) entry = random.chance(0.2) ? 0 : random.normal();
  return x;
}

TEST(CoulombLanes, ProjectAndShiftWithTheBitsOfOneContact) {
  Random random(55);
  for (int round = 0; round < 300; ++round) {
    const std::vector<SetBlock> blocks = mixed_blocks(random);
    const auto size = static_cast<std::size_t>(blocks.back().start + blocks.back().size);
    const Vector x = normal_vector(random, size);
    Vector all(size), one(size), all_shifted = x, one_shifted = x;
    ASSERT_TRUE(project(blocks, x.data(), all.data()));
    add_normal_shift(blocks, all_shifted.data());
    for (const SetBlock& block : blocks) {
      ASSERT_TRUE(project(block, &x[static_cast<std::size_t>(block.start)], &one[static_cast<std::size_t>(block.start)]));
      add_normal_shift(block, &one_shifted[static_cast<std::size_t>(block.start)]);
    }
    ASSERT_EQ(all, one) << "round " << round;
    ASSERT_EQ(all_shifted, one_shifted) << "round " << round;
  }
}

void expect_map_of_one_contact(Instructions instructions) {
  Random random(56);
  constexpr std::size_t width = CoulombLanesSolver3::width;
  for (int round = 0; round < 500; ++round) {
    SetBlock contacts[width];
    for (std::size_t k = 0; k < width; ++k) {
      contacts[k].kind = SetKind::coulomb_3d;
      contacts[k].start = static_cast<std::int32_t>(3 * k);
      contacts[k].a = k == 0 ? 0 : random.magnitude(-2, 1);
    }
    Vector z = normal_vector(random, 3 * width), w = normal_vector(random, 3 * width);
    if (round % 5 == 0) w[3] = 1e200;  // whose square is infinite
    if (round % 7 == 0) w[7] = std::nan("");
    double errors[width];
    coulomb_lanes(instructions).natural_map(contacts, z.data(), w.data(), errors);
    for (std::size_t k = 0; k < width; ++k) {
      const CoulombCone3 cone{{contacts[k].a}};
      double shifted[3], point[3], projected[3], sum = 0;
      std::copy_n(&w[3 * k], 3, shifted);
      cone.add_normal_shift(shifted);
      for (std::size_t i = 0; i < 3; ++i) point[i] = z[3 * k + i] - shifted[i];
      cone.project(point, projected);
      for (std::size_t i = 0; i < 3; ++i) sum += (z[3 * k + i] - projected[i]) * (z[3 * k + i] - projected[i]);
      if (std::isnan(sum))
        ASSERT_TRUE(std::isnan(errors[k])) << "round " << round << ", lane " << k;
      else
        ASSERT_EQ(errors[k], std::sqrt(sum)) << "round " << round << ", lane " << k;
    }
  }
}

TEST(CoulombLanes, MeasureWithTheBitsOfOneContact) {
  for (int k = 0; k <= static_cast<int>(widest_instructions()); ++k) expect_map_of_one_contact(static_cast<Instructions>(k));
}

// Rows of W side by side: the bits of a plain loop and the solution of one contact.
void expect_bits_of_plain_rows(Instructions instructions) {
  Random random(53);
  constexpr std::size_t width = CoulombLanesSolver3::width, layers = 7, contacts = 20;
  constexpr double unit = 0.25, factor = 8;
  for (int round = 0; round < 200; ++round) {
    CoulombBlockSolver3 single[width];
    CoulombLanesSolver3 lanes;
    std::vector<float> w(layers * 9 * width), x(4 * contacts);
    std::vector<float> own(4 * width);
    Vector velocity(3 * width), reference(3 * width);
    for (auto* v : {&w, &x})
      for (float& number : *v) number = static_cast<float>(random.normal());
    for (Vector* v : {&velocity, &reference})
      for (double& number : *v) number = random.normal();
    std::vector<std::int32_t> col((layers + layers_ahead) * width, 0);
    for (std::size_t k = 0; k < layers * width; ++k) col[k] = 4 * random.integer(0, contacts - 1);
    double one[width][3]{}, all[width][3]{};
    double* reactions[width];
    for (std::size_t k = 0; k < width; ++k) {
      ASSERT_TRUE(single[k].prepare(CoulombCone3{{0.5}}, hard_matrix(random, 3, Hardness::plain).data(), 0));
      lanes.set(k, single[k]);
      reactions[k] = all[k];
      double q[3];
      for (std::size_t i = 0; i < 3; ++i) {
        float sum = 0;
        for (std::size_t layer = 0; layer < layers; ++layer) {
          const float* other = x.data() + col[layer * width + k];
          const auto entry = [&](std::size_t j) { return w[(layer * 9 + i + 3 * j) * width + k]; };
          const float products[3] = {entry(0) * other[0], entry(1) * other[1], entry(2) * other[2]};
          sum += products[0] + products[1] + products[2];
        }
        q[i] = velocity[i * width + k] + unit * double{sum};
      }
      single[k].solve(q, one[k]);
      if (one[k][0] == 0) reference[k] = 1e-25;  // an open contact that has changed by next to nothing
    }
    coulomb_lanes(instructions)
        .solve_rows(lanes,
                    {w.data(), col.data(), col.data() + layers * width, velocity.data(), reference.data(), x.data(), own.data(),
                     unit, factor, round % 2 == 0},
                    reactions, nullptr);
    for (std::size_t k = 0; k < width; ++k)
      for (std::size_t i = 0; i < 3; ++i) {
        ASSERT_EQ(all[k][i], one[k][i]) << "round " << round << ", lane " << k << ", row " << i;
        const double change = factor * (one[k][i] - reference[i * width + k]);
        ASSERT_EQ(own[4 * k + i], std::abs(change) < 1e-18 ? 0 : static_cast<float>(change)) << "lane " << k;
      }
  }
}

TEST(CoulombLanes, HaveTheBitsOfPlainRows) {
  for (int k = 0; k <= static_cast<int>(widest_instructions()); ++k) expect_bits_of_plain_rows(static_cast<Instructions>(k));
}

TEST(CoulombBlock, TellsOfSingularAndPainleveBlocks) {
  CoulombBlockSolver3 space;
  CoulombBlockSolver2 plane;
  EXPECT_TRUE(space.prepare(CoulombCone3{{0.5}}, generate::identity(3).data(), 0));
  EXPECT_EQ(space.condition(), BlockCondition::definite);
  EXPECT_TRUE(space.prepare(CoulombCone3{{0.5}}, Vector(9, 1.0).data(), 0));
  EXPECT_EQ(space.condition(), BlockCondition::regularised);
  const Vector W = {1, -0.5, -0.5, -0.5, 1, 0, -0.5, 0, 1};  // |W_NT| = 0.707
  EXPECT_TRUE(space.prepare(CoulombCone3{{1.4}}, W.data(), 0));
  EXPECT_EQ(space.condition(), BlockCondition::definite);
  EXPECT_TRUE(space.prepare(CoulombCone3{{1.5}}, W.data(), 0));
  EXPECT_EQ(space.condition(), BlockCondition::ambiguous);
  EXPECT_TRUE(plane.prepare(CoulombCone2{{2.5}}, Vector{1, -0.5, -0.5, 1}.data(), 0));
  EXPECT_EQ(plane.condition(), BlockCondition::ambiguous);
  EXPECT_TRUE(plane.prepare(CoulombCone2{{2.5}}, Vector{1, 1, 1, 1}.data(), 0));
  EXPECT_EQ(plane.condition(), BlockCondition::regularised);
}

template <class Set>
Vector solve_block(const SetBlock& block, const Vector& W, const Vector& q, double proximal = 0, int repeats = 1) {
  typename BlockSolverOf<Set>::Type solver;
  Vector z(q.size(), 0.0);
  visit_set(block, [&](const auto& set) {
    if constexpr (requires { solver.prepare(set, W.data(), 0.0); }) {
      EXPECT_TRUE(solver.prepare(set, W.data(), proximal));
    }
  });
  for (int k = 0; k < repeats; ++k) solver.solve(q.data(), z.data());
  return z;
}

TEST(CoulombBlock, SeparatesWhenTheFreeVelocityDoes) {
  const SetBlock block{SetKind::coulomb_3d, 0, 3, 0.5};
  EXPECT_EQ(solve_block<CoulombCone3>(block, generate::identity(3), {0.1, -3, 2}), (Vector{0, 0, 0}));
  EXPECT_EQ(solve_block<CoulombCone3>(block, generate::identity(3), {0, -3, 2}), (Vector{0, 0, 0}));
}

TEST(CoulombBlock, SticksAndSlidesAsByHand) {
  const SetBlock block{SetKind::coulomb_3d, 0, 3, 0.5};
  EXPECT_EQ(solve_block<CoulombCone3>(block, generate::identity(3), {-1, 0.3, -0.4}), (Vector{1, -0.3, 0.4}));
  // W = I, |q_T| = 5 > mu: r_T = -.5 q_T / |q_T|.
  const Vector r = solve_block<CoulombCone3>(block, generate::identity(3), {-1, 3, -4});
  EXPECT_NEAR(r[0], 1, 1e-15);
  EXPECT_NEAR(r[1], -0.3, 1e-15);
  EXPECT_NEAR(r[2], 0.4, 1e-15);
}

TEST(CoulombBlock, WithoutFrictionIsOneComplementarity) {
  Random random(35);
  for (int k = 0; k < 1000; ++k) {
    const Vector W = torture_matrix(random, 3, 1);
    const Vector q = random.normals(3);
    const Vector r = solve_block<CoulombCone3>({SetKind::coulomb_3d, 0, 3, 0.0}, W, q);
    EXPECT_DOUBLE_EQ(r[0], std::max(0.0, -q[0] / W[0]));
    EXPECT_EQ(r[1], 0);
    EXPECT_EQ(r[2], 0);
    const Vector r2 = solve_block<CoulombCone2>({SetKind::coulomb_2d, 0, 2, 0.0}, {W[0], W[1], W[3], W[4]}, {q[0], q[1]});
    EXPECT_DOUBLE_EQ(r2[0], r[0]);
    EXPECT_EQ(r2[1], 0);
  }
}

TEST(CoulombBlock, HugeFrictionSticks) {
  Random random(36);
  Tally tally;
  for (int k = 0; k < 1000; ++k) {
    const SetBlock block{SetKind::coulomb_3d, 0, 3, 1e6};
    const Vector W = torture_matrix(random, 3, 0);
    Vector q = random.normals(3);
    q[0] = -std::abs(q[0]);
    const Vector r = solve_block<CoulombCone3>(block, W, q);
    // Relative to mu |q|: De Saxce's shift multiplies the rounding of u_T by mu.
    tally.add(residual(block, W, q, r) / 1e6);
  }
  EXPECT_EQ(tally.failures, 0) << tally.worst;
}

// Painleve: W_NN + mu W_NT < 0 in the direction of sliding. What comes out is finite and inside the cone.
TEST(CoulombBlock, PainleveStaysFinite) {
  Random random(37);
  for (int k = 0; k < 1000; ++k) {
    const double wnt = -random.uniform(0.5, 0.99), mu = random.uniform(1.5, 5);
    const SetBlock block{SetKind::coulomb_2d, 0, 2, mu};
    const Vector r = solve_block<CoulombCone2>(block, {1, wnt, wnt, 1}, {-random.uniform(), random.normal()});
    EXPECT_EQ(find_not_finite(r), -1);
    EXPECT_LE(std::abs(r[1]), mu * r[0] * (1 + 1e-14));
  }
}

// A singular or zero block gets a proximal term and stays finite.
TEST(CoulombBlock, SingularBlocksStayFinite) {
  const SetBlock block{SetKind::coulomb_3d, 0, 3, 0.5}, block2{SetKind::coulomb_2d, 0, 2, 0.5};
  const Vector rank_one = {1, 1, 1, 1, 1, 1, 1, 1, 1};
  for (const Vector& W : {Vector(9, 0.0), rank_one}) {
    EXPECT_EQ(find_not_finite(solve_block<CoulombCone3>(block, W, {-1, 2, 3}, 0, 5)), -1);
    EXPECT_EQ(find_not_finite(solve_block<CoulombCone2>(block2, {W[0], W[1], W[3], W[4]}, {-1, 2}, 0, 5)), -1);
  }
  CoulombBlockSolver3 solver;
  EXPECT_FALSE(solver.prepare(CoulombCone3{{0.5}}, Vector(9, NAN).data(), 0));
}

TEST(OneRowBlocks, AreExact) {
  const Vector W = {2};
  EXPECT_EQ(solve_block<Orthant>({SetKind::orthant, 0, 1}, W, {-3}), (Vector{1.5}));
  EXPECT_EQ(solve_block<Orthant>({SetKind::orthant, 0, 1}, W, {3}), (Vector{0}));
  EXPECT_EQ(solve_block<Box>({SetKind::box, 0, 1, -1, 1}, W, {-3}), (Vector{1}));
  EXPECT_EQ(solve_block<Box>({SetKind::box, 0, 1, -1, 1}, W, {1}), (Vector{-0.5}));
  EXPECT_EQ(solve_block<Box>({SetKind::box, 0, 1, -HUGE_VAL, 1}, W, {8}), (Vector{-4}));
}

TEST(FreeBlock, IsTheLinearSystem) {
  Random random(38);
  for (int k = 0; k < 500; ++k) {
    const int n = random.integer(1, 8);
    Vector W = random.normals(std::int64_t{n} * n);
    const Vector q = random.normals(n);
    FreeSpace::BlockSolver solver;
    ASSERT_TRUE(solver.prepare(FreeSpace{n}, W.data(), 0));
    Vector z(at(n), 0.0), exact;
    solver.solve(q.data(), z.data());
    Vector minus_q = q;
    for (double& entry : minus_q) entry = -entry;
    if (!generate::solve(W, minus_q, exact)) continue;
    for (std::size_t i = 0; i < z.size(); ++i) EXPECT_NEAR(z[i], exact[i], 1e-9 * (1 + norm(exact)) * (1 + norm(exact)));
  }
  FreeSpace::BlockSolver solver;
  EXPECT_TRUE(solver.prepare(FreeSpace{2}, Vector{0, 0, 0, 0}.data(), 0)) << "singular blocks become proximal steps";
}

// W + I has Lipschitz constant 2: the steps of one solve reach its fixed point.
TEST(SecondOrderConeBlock, TakesAProximalStep) {
  const SecondOrderCone cone{3, 1};
  const Vector W{1, 0, 0, 0, 1, 0, 0, 0, 1}, q{-2, 0.5, 3}, start{4, 1, -2};
  SecondOrderCone::BlockSolver solver;
  ASSERT_TRUE(solver.prepare(cone, W.data(), 1));
  Vector z = start, expected(3), middle(3);
  for (int k = 0; k < 10; ++k) solver.solve(q.data(), z.data());
  // Ten proximal steps from the start: each halves the way to -q before it projects.
  expected = start;
  for (int k = 0; k < 10; ++k) {
    for (std::size_t i = 0; i < 3; ++i) middle[i] = 0.5 * (expected[i] - q[i]);
    cone.project(middle.data(), expected.data());
  }
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(z[i], expected[i], 1e-10);
}

// Positive definite W, symmetric or not, from 0 and from anywhere.
TEST(SecondOrderConeBlock, IsSolvedAtOnce) {
  Random random(39);
  Tally tally;
  for (int k = 0; k < 500; ++k) {
    const int n = random.integer(1, 12);
    const SetBlock block{SetKind::second_order_cone, 0, n, random.magnitude(-1, 1)};
    Vector W = generate::gram(random, n, 2 * n, 0.1);
    if (k % 2 == 1) generate::add_skew(random, W, n, 1);
    const Vector q = random.normals(n);
    SecondOrderCone::BlockSolver solver;
    ASSERT_TRUE(solver.prepare(SecondOrderCone{n, block.a}, W.data(), 0));
    Vector z = k % 4 < 2 ? Vector(at(n), 0.0) : random.normals(n);
    solver.solve(q.data(), z.data());
    tally.add(residual(block, W, q, z));
  }
  EXPECT_EQ(tally.failures, 0) << tally.worst;
}

}  // namespace nonsmooth::block_solver_test
