// Bodies joined by pins, and rows of them on the ground: what auto makes of them, joints that hold each other up, and the global
// form of long mechanisms.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "../support/mechanisms.hpp"

namespace mechanism_test {

using generate::Random;
using generate::Values;

double largest(const Values& v) {
  return std::accumulate(v.begin(), v.end(), 0.0, [](double m, double x) { return std::max(m, std::abs(x)); });
}

// Rounding took the forces of redundant joints to 1e9, where no residual says anything.
TEST(Mechanism, JointsThatHoldEachOtherUpStayBounded) {
  Random random(81);
  for (const int side : {7, 12}) {
    const nsm::Problem problem = generate::net(random, side).generic();
    nsm::Solver solver(problem, "friction_interior_point");
    const nsm::Result result = solver.solve();
    EXPECT_TRUE(result.converged()) << side;
    EXPECT_LE(result.iterations(), 20);
    EXPECT_LT(largest(solver.solution().z), 1e6);
  }
}

// Forces go from joint to joint: sweeps and projections take hundreds of iterations, the interior point method few.
TEST(Mechanism, AutoFactorisesFirst) {
  Random random(82);
  for (const int links : {80, 200}) {
    nsm::Solver solver(generate::robot(random, links).generic());
    const nsm::Result result = solver.solve();
    EXPECT_TRUE(result.converged()) << links;
    EXPECT_LE(result.iterations(), 60);
  }
}

// The interior point method has no use for a start: sweeps and a few of Newton's steps go before it, with brakes those that have
// a proximal term, also where it is asked to go first.
TEST(Mechanism, TheNextStepOfASimulationIsNear) {
  Random random(87);
  for (const bool braked : {false, true})
    for (const char* first : {"none", "friction_interior_point"}) {
      const generate::Mechanism mechanism = braked ? generate::robot(random, 120) : generate::rope(random, 120);
      nsm::Solver solver(mechanism.generic(), "auto", nsm::Options().set_text("first_stage", first));
      EXPECT_TRUE(solver.solve().converged());
      for (int step = 1; step <= 5; ++step) {
        solver.update_q(mechanism.q(1 + 0.002 * step));
        const nsm::Result result = solver.solve();
        EXPECT_TRUE(result.converged());
        EXPECT_EQ(result.finished_by(), braked ? "proximal_newton" : "semismooth_newton") << first << ", " << step;
      }
    }
}

TEST(Mechanism, BodiesSideBySideOnTheGroundAreSwept) {
  Random random(83);
  nsm::Solver solver(generate::row_of_bodies(random, 200).generic(), "auto", nsm::Options().set("tolerance", 1e-4));
  const nsm::Result result = solver.solve();
  EXPECT_TRUE(result.converged());
  EXPECT_LE(result.iterations(), 200);
  EXPECT_NE(result.finished_by(), "douglas_rachford");
}

// A frame that its joints hold without any contact, some of them redundant: condensed to its contacts it is rounding alone.
TEST(Mechanism, AFrameThatCannotMove) {
  Random random(84);
  nsm::Solver solver(generate::net(random, 12).global());
  const nsm::Result result = solver.solve();
  EXPECT_TRUE(result.converged());
  EXPECT_LE(result.iterations(), 20);
}

// Two of its links held together by three pins where one and a half would do.
generate::Mechanism clamped_rope(Random& random, int links) {
  generate::Mechanism m = generate::rope(random, links);
  for (int k = 0; k < 2; ++k) m.pin(links / 2, links / 2 - 1);
  return m;
}

class LongMechanism : public testing::Test {
 protected:
  static constexpr int links = 120, velocities = 3 * links, multipliers = 2 * links + 4;
  LongMechanism() : random_(85), solver_(clamped_rope(random_, links).global(), "auto", nsm::Options().set("tolerance", 1e-11)) {}

  Values solve() {
    EXPECT_TRUE(solver_.solve().converged());
    return solver_.solution().z;
  }

  Random random_;
  nsm::Solver solver_;
};

TEST_F(LongMechanism, VelocitiesAndMultipliersAreThoseOfTheWholeProblem) {
  const Values z = solve();
  EXPECT_EQ(std::ssize(z), velocities + multipliers + 2 * (links / 3));
  EXPECT_GT(largest(Values(z.begin() + velocities, z.begin() + velocities + multipliers)), 0.1) << "forces of the joints";
}

TEST_F(LongMechanism, DerivativesAreThoseOfDifferences) {
  constexpr double step = 1e-6;
  const Values before = solve(), w(2 * (links / 3), 0.0), dq = random_.normals(std::ssize(w));
  const Values dz = solver_.differentiate(dq).z;
  Values gz(before.size(), 0.0);
  std::fill_n(gz.begin(), velocities, 1.0);
  const Values gq = solver_.gradient(gz, {}, std::ssize(w)).q;
  EXPECT_NEAR(std::inner_product(gq.begin(), gq.end(), dq.begin(), 0.0),
              std::accumulate(dz.begin(), dz.begin() + velocities, 0.0), 1e-8);
  Values moved = w;
  for (std::size_t i = 0; i < w.size(); ++i) moved[i] += step * dq[i];
  solver_.update_q(moved);
  const Values after = solve();
  for (std::size_t i = 0; i < velocities; ++i) EXPECT_NEAR((after[i] - before[i]) / step, dz[i], 1e-3) << i;
}

}  // namespace mechanism_test
