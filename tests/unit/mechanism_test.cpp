// Bodies joined by pins, and rows of them on the ground: what auto makes of them, joints that hold each other up, and the global
// form of long mechanisms.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>

#include "../support/mechanisms.hpp"

namespace mechanism_test {

using generate::at;
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
// a proximal term, also where it is asked to go first. As rounding has it, one step in forty of a rope is left to the latter too.
TEST(Mechanism, TheNextStepOfASimulationIsNear) {
  Random random(87);
  for (const bool braked : {false, true})
    for (const char* first : {"none", "friction_interior_point"}) {
      const generate::Mechanism mechanism = braked ? generate::robot(random, 120) : generate::rope(random, 120);
      nsm::Solver solver(mechanism.generic(), "auto", nsm::Options().set_text("first_stage", first));
      EXPECT_TRUE(solver.solve().converged());
      int finished = 0;
      for (int step = 1; step <= 5; ++step) {
        solver.update_q(mechanism.q(1 + 0.002 * step));
        const nsm::Result result = solver.solve();
        EXPECT_TRUE(result.converged());
        EXPECT_NE(result.finished_by(), "friction_interior_point") << first << ", " << step;
        finished += result.finished_by() == (braked ? "proximal_newton" : "semismooth_newton") ? 1 : 0;
      }
      EXPECT_GE(finished, 4) << first;
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
  const Values gq = solver_.gradient(gz, {}).q;
  EXPECT_NEAR(std::inner_product(gq.begin(), gq.end(), dq.begin(), 0.0),
              std::accumulate(dz.begin(), dz.begin() + velocities, 0.0), 1e-8);
  Values moved = w;
  for (std::size_t i = 0; i < w.size(); ++i) moved[i] += step * dq[i];
  solver_.update_q(moved);
  const Values after = solve();
  for (std::size_t i = 0; i < velocities; ++i) EXPECT_NEAR((after[i] - before[i]) / step, dz[i], 1e-3) << i;
}

// A ring of bodies, each pinned to the next at two points this far apart: what turns them against each other grows as the
// distance shrinks, and the pins are rows that nearly depend on each other. A simulation bends the closed chains of tracks and
// nets so.
nsm::Problem ring_pinned_twice(Random& random, int bodies, double distance) {
  std::vector<Values> rows;
  nsm::Indices kinds, sizes;
  Values mu, velocities;
  for (int k = 0; k < 3 * bodies; ++k) velocities.push_back(random.normal() - 0.3);
  const auto add_row = [&](int a, std::array<double, 3> at_a, int b, std::array<double, 3> at_b) {
    Values& row = rows.emplace_back(velocities.size(), 0.0);
    for (int k = 0; k < 3; ++k) {
      row[at(3 * a + k)] += at_a[at(k)];
      row[at(3 * b + k)] -= at_b[at(k)];
    }
  };
  const auto end_block = [&](nsm_block_kind kind, double coefficient) {
    kinds.push_back(kind);
    sizes.push_back(2);
    mu.push_back(coefficient);
  };
  for (int a = 0; a < bodies; ++a)
    for (const double x : {0.3, 0.3 + distance}) {
      add_row(a, {1, 0, -0.2}, (a + 1) % bodies, {1, 0, 0.2});
      add_row(a, {0, 1, x}, (a + 1) % bodies, {0, 1, x - 0.5});
      end_block(NSM_BLOCK_EQUALITY, 0);
    }
  for (int a = 0; a < bodies; ++a) {
    add_row(a, {0, 1, 0.1}, a, {});
    add_row(a, {1, 0, 0.3}, a, {});
    end_block(NSM_BLOCK_FRICTION_2D, 0.5);
  }
  const auto product = [](const Values& u, const Values& v) { return std::inner_product(u.begin(), u.end(), v.begin(), 0.0); };
  Values W, q;
  for (const Values& row : rows) {
    q.push_back(product(row, velocities));
    for (const Values& other : rows) W.push_back(product(row, other));
  }
  return nsm::Problem::generic(nsm::Matrix::dense(std::ssize(rows), std::ssize(rows), W), q, kinds, sizes, mu);
}

// A proximal term far above what the rows are left with took thousands of iterations to let the forces go there. (Of the closest
// ones some kernels of BLAS leave a second attempt to auto.)
TEST(Mechanism, JointsThatNearlyHoldEachOtherUp) {
  Random random(7);
  for (const double distance : {1e-3, 1e-4, 1e-5, 3e-6})
    for (const auto& [method, most] : {std::pair("friction_interior_point", 100), std::pair("auto", 500)}) {
      nsm::Solver solver(ring_pinned_twice(random, 20, distance), method);
      const nsm::Result result = solver.solve();
      EXPECT_TRUE(result.converged()) << method << ", " << distance << ", " << result.residual();
      EXPECT_LE(result.iterations(), most) << method << ", " << distance;
    }
}

}  // namespace mechanism_test
