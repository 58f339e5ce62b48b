// D1MinusLinearOSI: order, impacts, rest, energy.
#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>

#include "ball.hpp"
#include "bead_column.hpp"
#include "trajectory.hpp"

namespace d1_minus_test {

using namespace nonsmooth::kernel;
using kernel_tests::BeadColumn;
using test::gravity;

struct Ball : test::Ball {
  D1MinusLinearOSI integrator;
  LCP impulses, forces;
  TimeSteppingD1Minus simulation;

  Ball(double q, double v, double e, double h, double T)
      : test::Ball({.height = q, .velocity = v, .restitution = e, .mass = 2, .h = h, .T = T}),
        simulation(model, instants, integrator, impulses, forces) {}
};

TEST(D1Minus, RestStaysRest) {
  Ball ball(0, 0, 0.9, 5e-3, 10);
  ball.simulation.run([&](const Simulation& s, const StepStatus& status) {
    ASSERT_TRUE(status.solve.certified);
    ASSERT_EQ(ball.ds->velocity()[0], 0.0);
    ASSERT_EQ(ball.ds->q()[0], 0.0);
    ASSERT_NEAR(ball.floor->lambda(2)[0], 2 * gravity, 1e-12);
    ASSERT_EQ(s.indexSet(2).size(), 1u);
  });
}

// The scheme in ten lines, for one ball: flight, and v+ = -e v- where the end of a step is in the ground.
TEST(D1Minus, BouncingBallIsThatOfTheFormulas) {
  const double h = 5e-3, e = 0.8;
  Ball ball(1, 0, e, h, 3.0);
  double q = 1, v = 0;
  int impacts = 0;
  ball.simulation.run([&](const Simulation& s, const StepStatus&) {
    const bool was_open = q > 1e-8;
    q += h * (v - 0.5 * h * gravity);
    v -= h * gravity;
    if (q <= 1e-8 && v < 0) {
      v *= -e;
      ++impacts;
    }
    ASSERT_NEAR(ball.ds->q()[0], q, 1e-12);
    ASSERT_NEAR(ball.ds->velocity()[0], v, 1e-12);
    ASSERT_EQ(s.indexSet(3).size(), was_open && q <= 1e-8 ? 1u : 0u);
  });
  EXPECT_GE(impacts, 4);
}

// Impacts within a step of where they are, and speeds after it within the gravity of a step.
TEST(D1Minus, ImpactsConvergeWithOrderOne) {
  const double t1 = std::sqrt(2 / gravity), e = 0.9;
  for (const double h : {1e-2, 1e-3, 1e-4}) {
    Ball ball(1, 0, e, h, 1.0);
    double time = 0, speed = 0;
    ball.simulation.run([&](const Simulation& s, const StepStatus&) {
      if (time > 0 || ball.floor->lambda(1)[0] <= 0) return;
      time = s.nextTime();
      speed = ball.ds->velocity()[0];
    });
    EXPECT_LE(std::abs(time - t1), h) << h;
    EXPECT_LE(std::abs(speed - e * std::sqrt(2 * gravity)), gravity * h) << h;
  }
}

// Flights and impacts at e = 1 keep the energy to rounding: positions do not change at impacts.
TEST(D1Minus, ElasticImpactsKeepTheEnergy) {
  Ball ball(1, 0.3, 1.0, 5e-3, 20.0);
  const double start = ball.energy();
  int impacts = 0;
  ball.simulation.run([&](const Simulation&, const StepStatus&) {
    ASSERT_NEAR(ball.energy(), start, 1e-11 * start);
    if (ball.floor->lambda(1)[0] > 0) ++impacts;
  });
  EXPECT_GE(impacts, 20);
}

// The ball comes to rest near the time of accumulation, and does not move any more: no rebound of e h g / 2 in each step, and no
// sinking.
TEST(D1Minus, BallComesToRest) {
  const double e = 0.7, t1 = std::sqrt(2 / gravity), accumulation = t1 * (1 + e) / (1 - e);
  double previous = 1;
  for (const double h : {5e-3, 1e-3, 2e-4}) {
    Ball ball(1, 0, e, h, 5.0);
    double last_move = 0, before = ball.energy();
    ball.simulation.run([&](const Simulation& s, const StepStatus&) {
      if (ball.ds->velocity()[0] != 0) last_move = s.nextTime();
      ASSERT_LE(ball.energy(), before + 1e-12);
      before = ball.energy();
    });
    EXPECT_LE(std::abs(last_move - accumulation), 40 * h) << h;
    EXPECT_EQ(ball.ds->velocity()[0], 0.0);
    const double depth = std::abs(ball.ds->q()[0]);
    EXPECT_LE(depth, 2 * gravity * h * h) << h;
    EXPECT_LE(depth, previous);
    previous = depth;
    EXPECT_NEAR(ball.floor->lambda(2)[0], 2 * gravity, 1e-11);
  }
}

// Error at t = 1 of a particle in the bowl y >= x^2 / 2, from rest at x = 1; the contact persists.
double bowlError(double h, bool bilateral) {
  auto ds = std::make_shared<LagrangianDS>(Eigen::Vector2d(1, 0.5), Vector::Zero(2), Matrix::Identity(2, 2));
  ds->setFExt(Eigen::Vector2d(0, -gravity));
  auto bowl = std::make_shared<LagrangianScleronomousR>(
      [](ConstVectorRef q, VectorRef y, VectorRef) { y[0] = q[1] - 0.5 * q[0] * q[0]; },
      [](ConstVectorRef q, MatrixRef G, VectorRef) { G << -q[0], 1; },
      [](ConstVectorRef, ConstVectorRef v, MatrixRef Gdot, VectorRef) { Gdot << -v[0], 0; });
  std::shared_ptr<NonSmoothLaw> law = std::make_shared<NewtonImpactNSL>(0.8);
  if (bilateral) law = std::make_shared<EqualityConditionNSL>(1);
  NonSmoothDynamicalSystem model(0.0, 1.0);
  model.insertDynamicalSystem(ds);
  model.link(std::make_shared<Interaction>(law, bowl), ds);
  TimeDiscretisation instants(0.0, h);
  D1MinusLinearOSI integrator;
  if (!bilateral) integrator.setTolerance(1e-3);  // the contact drifts by h^2: it shall persist
  MLCP impulses, forces;
  TimeSteppingD1Minus simulation(model, instants, integrator, impulses, forces);
  simulation.run();
  // x by the same motion with (1 + x^2) x'' + x x'^2 + g x = 0, fourth order, fine steps.
  Eigen::Vector2d s(1, 0);
  const auto rate = [](const Eigen::Vector2d& z) {
    return Eigen::Vector2d(z[1], -z[0] * (z[1] * z[1] + gravity) / (1 + z[0] * z[0]));
  };
  constexpr int steps = 2000;
  constexpr double k = 1.0 / steps;
  for (int i = 0; i < steps; ++i) {
    const Eigen::Vector2d k1 = rate(s), k2 = rate(s + 0.5 * k * k1), k3 = rate(s + 0.5 * k * k2), k4 = rate(s + k * k3);
    s += k / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
  }
  return std::hypot(ds->q()[0] - s[0], ds->velocity()[0] - s[1]);
}

TEST(D1Minus, SecondOrderInPersistentContact) {
  for (const bool bilateral : {true, false}) {
    const double coarse = bowlError(1e-2, bilateral), fine = bowlError(5e-3, bilateral), finest = bowlError(2.5e-3, bilateral);
    EXPECT_LE(coarse, 5e-3) << bilateral;
    EXPECT_GT(coarse / fine, 3.4) << bilateral;
    EXPECT_GT(fine / finest, 3.6) << bilateral;
  }
}

// A rigid body hung by a ball joint, turning about several axes: second order, and the joint holds.
TEST(D1Minus, JointOfRigidBody) {
  const auto run = [](double h, double& opening) {
    Vector q(7), twist(6);
    q << 0.5, 0, 0, 1, 0, 0, 0;
    twist << 0, 0, 0, 3, 0, 0;
    auto body = std::make_shared<NewtonEulerDS>(q, twist, 1.0, Matrix3(Eigen::Vector3d(0.1, 0.2, 0.25).asDiagonal()));
    body->setFExt(Eigen::Vector3d(0, 0, -gravity));
    NonSmoothDynamicalSystem model(0.0, 1.0);
    model.insertDynamicalSystem(body);
    auto joint = std::make_shared<Interaction>(std::make_shared<EqualityConditionNSL>(3),
                                               std::make_shared<KneeJointR>(Vector3(-0.5, 0, 0), q));
    model.link(joint, body);
    TimeDiscretisation instants(0.0, h);
    D1MinusLinearOSI integrator;
    Equality impulses, forces;
    TimeSteppingD1Minus simulation(model, instants, integrator, impulses, forces);
    simulation.run();
    opening = joint->y(0).norm();
    EXPECT_LE(joint->y(1).norm(), 1e-12);
    return Vector(body->q());
  };
  double coarse_opening = 0, fine_opening = 0, opening = 0;
  const Vector exact = run(1.0 / 6400, opening);
  const double coarse = (run(1.0 / 200, coarse_opening) - exact).norm(), fine = (run(1.0 / 400, fine_opening) - exact).norm();
  EXPECT_GT(coarse / fine, 3.5);
  EXPECT_GT(coarse_opening / fine_opening, 3.5);
  EXPECT_LE(fine_opening, 1e-3);
}

// Ten beads fall upon each other and come to rest: no energy is won, nothing moves in the end.
void restColumn(double e, double T) {
  BeadColumn column(e, T);
  column.linkAll();
  TimeDiscretisation instants(0.0, 5e-4);
  D1MinusLinearOSI integrator;
  LCP impulses, forces;
  TimeSteppingD1Minus simulation(column.model, instants, integrator, impulses, forces);
  double before = column.energy();
  simulation.run([&](const Simulation&, const StepStatus& status) {
    ASSERT_TRUE(status.solve.certified);
    ASSERT_LE(column.energy(), before + 1e-10);
    before = column.energy();
  });
  for (std::size_t i = 0; i < BeadColumn::beads; ++i) {
    EXPECT_LE(std::abs(column.bead[i]->velocity()[0]), 1e-10) << i;
    EXPECT_NEAR(column.contacts[i]->lambda(2)[0], gravity * static_cast<double>(BeadColumn::beads - i), 1e-9) << i;
    EXPECT_LE(std::abs(column.contacts[i]->y(0)[0]), 1e-3) << i;
  }
}

TEST(D1Minus, ColumnOfBeadsComesToRest) {
  restColumn(0.5, 6.0);
  restColumn(0.9, 12.0);
}

TEST(D1Minus, BelongsToItsSimulation) {
  NonSmoothDynamicalSystem model(0.0, 1.0);
  auto ds = std::make_shared<LagrangianLinearTIDS>(Vector::Zero(1), Vector::Zero(1), Matrix::Identity(1, 1));
  model.insertDynamicalSystem(ds);
  TimeDiscretisation instants(0.0, 1e-2);
  D1MinusLinearOSI integrator;
  MoreauJeanOSI other(0.5);
  LCP impulses, forces;
  EXPECT_THROW(TimeStepping(model, instants, integrator, impulses), Error);
  EXPECT_THROW(TimeSteppingD1Minus(model, instants, other, impulses, forces), Error);
  TimeSteppingD1Minus simulation(model, instants, integrator, impulses, forces);
  EXPECT_THROW(simulation.computeFreeStep(), Error);
  ds->setBoundaryConditions(std::make_shared<FixedBC>(std::vector<Index>{0}));
  EXPECT_THROW(TimeSteppingD1Minus(model, instants, integrator, impulses, forces), Error);
}

// y and y' of a contact at rest are the tolerance.
TEST(D1Minus, RestNeedsNoTolerance) {
  Ball ball(0, 0, 0.9, 5e-3, 0.1);
  ball.integrator.setTolerance(0);
  ball.simulation.run([&](const Simulation&, const StepStatus&) { ASSERT_EQ(ball.ds->velocity()[0], 0.0); });
}

// Landing at the end of the first step with u = -3/2 h g. Flight after it would last 2 e |u| / g, longer than h if e > 1/3.
TEST(D1Minus, AContactRestsWhereItsFlightWouldEndWithinAStep) {
  const double h = 5e-3;
  const auto after = [h](double e) {
    Ball ball(h * h * gravity, -0.5 * h * gravity, e, h, h);
    ball.simulation.run();
    EXPECT_NEAR(ball.ds->q()[0], 0, 1e-12);
    return ball.ds->velocity()[0];
  };
  EXPECT_NEAR(after(0.35), 0.35 * 1.5 * h * gravity, 1e-14);
  EXPECT_EQ(after(0.32), 0);
}

// A floor that rises with 0.5 m/s under a ball of -1 m/s: 0.5 + e 1.5 after the impact.
TEST(D1Minus, FloorsThatMoveAddTheirVelocity) {
  auto ds = std::make_shared<LagrangianLinearTIDS>(Vector::Constant(1, 0.149), Vector::Constant(1, -1), Matrix::Identity(1, 1));
  NonSmoothDynamicalSystem model(0.0, 0.1);
  model.insertDynamicalSystem(ds);
  auto floor = std::make_shared<LagrangianRheonomousR>(
      [](double t, ConstVectorRef q, VectorRef y, VectorRef) { y[0] = q[0] - 0.5 * t; },
      [](double, ConstVectorRef, MatrixRef G, VectorRef) { G(0, 0) = 1; },
      [](double, ConstVectorRef, VectorRef rate, VectorRef) { rate[0] = -0.5; },
      [](double, ConstVectorRef, ConstVectorRef, VectorRef out, VectorRef) { out[0] = 0; });
  model.link(std::make_shared<Interaction>(std::make_shared<NewtonImpactNSL>(0.6), floor), ds);
  TimeDiscretisation instants(0.0, 0.1);
  D1MinusLinearOSI integrator;
  LCP impulses, forces;
  TimeSteppingD1Minus(model, instants, integrator, impulses, forces).run();
  EXPECT_NEAR(ds->velocity()[0], 0.5 + 0.6 * 1.5, 1e-14);
}

// v+ = v + h F / m, whether the mass of a body is changed or another body takes its place and its address.
TEST(D1Minus, TheMassIsThatOfTheStep) {
  std::optional<LagrangianLinearTIDS> body;  // outlives the model
  NonSmoothDynamicalSystem model(0.0, 1.0);
  const auto enter = [&](double mass) {
    body.emplace(Vector::Zero(1), Vector::Constant(1, 1), Matrix::Constant(1, 1, mass));
    body->setFExt(Vector::Constant(1, 1));
    model.insertDynamicalSystem(*body);
  };
  TimeDiscretisation instants(0.0, 0.1);
  D1MinusLinearOSI integrator;
  LCP impulses, forces;
  enter(1);
  TimeSteppingD1Minus simulation(model, instants, integrator, impulses, forces);
  const auto step = [&] {
    simulation.computeOneStep();
    simulation.nextStep();
    return body->velocity()[0];
  };
  EXPECT_NEAR(step(), 1.1, 1e-15);
  model.removeDynamicalSystem(*body);
  enter(4);
  EXPECT_NEAR(step(), 1.025, 1e-15);
  body->setMass(Matrix(Matrix::Constant(1, 1, 2)));
  EXPECT_NEAR(step(), 1.075, 1e-15);
}

// It lands in the first step and rests. That is forgotten when, within a later step, the floor begins to rise with 0.5 m/s: an
// impact, with restitution.
TEST(D1Minus, AContactThatHasComeToRestReboundsLater) {
  const double h = 1.0 / 128, e = 0.32;
  for (const bool lands : {true, false}) {
    auto ds =
        std::make_shared<LagrangianLinearTIDS>(Vector::Constant(1, lands ? h * h * gravity : 0.0),
                                               Vector::Constant(1, lands ? -0.5 * h * gravity : 0.0), Matrix::Identity(1, 1));
    ds->setFExt(Vector::Constant(1, -gravity));
    NonSmoothDynamicalSystem model(0.0, 6 * h);
    model.insertDynamicalSystem(ds);
    const double begin = 5.5 * h;
    auto floor = std::make_shared<LagrangianRheonomousR>(
        [=](double t, ConstVectorRef q, VectorRef y, VectorRef) { y[0] = q[0] - 0.5 * std::max(0.0, t - begin); },
        [](double, ConstVectorRef, MatrixRef G, VectorRef) { G(0, 0) = 1; },
        [=](double t, ConstVectorRef, VectorRef rate, VectorRef) { rate[0] = t > begin ? -0.5 : 0.0; },
        [](double, ConstVectorRef, ConstVectorRef, VectorRef out, VectorRef) { out[0] = 0; });
    model.link(std::make_shared<Interaction>(std::make_shared<NewtonImpactNSL>(e), floor), ds);
    TimeDiscretisation instants(0.0, h);
    D1MinusLinearOSI integrator;
    LCP impulses, forces;
    TimeSteppingD1Minus simulation(model, instants, integrator, impulses, forces);
    simulation.run([&](const Simulation& s, const StepStatus&) {
      if (s.getK() < 6) {
        EXPECT_NEAR(ds->velocity()[0], 0, 1e-14) << lands;
      }
    });
    EXPECT_NEAR(ds->velocity()[0], 0.5 + e * 0.5, 1e-12) << lands;
  }
}

// Forces are those of contacts at rest, impulses those of closed ones: of all others none is left from steps before.
TEST(D1Minus, MultipliersOfOtherContactsAreZero) {
  Ball ball(0.01, 0, 0.6, 5e-3, 3.0);
  int landed = 0, rested = 0;
  const auto expectMultipliers = [&](const Simulation& s) {
    const double impulse = ball.floor->lambda(1)[0], force = ball.floor->lambda(2)[0];
    const bool closed = !s.indexSet(1).empty(), rests = !s.indexSet(2).empty();
    if (!closed) {
      EXPECT_EQ(impulse, 0.0) << s.nextTime();
    }
    if (!rests) {
      EXPECT_EQ(force, 0.0) << s.nextTime();
    }
    landed += impulse > 0 && !rests ? 1 : 0;
    rested += force > 0 ? 1 : 0;
  };
  ball.simulation.run([&](const Simulation& s, const StepStatus&) {
    expectMultipliers(s);
    if (s.getK() == 200) ball.ds->setq(Vector::Constant(1, 0.01));
    if (s.getK() == 400) ball.ds->setFExt(Vector::Constant(1, 1.0));
  });
  EXPECT_GE(landed, 6);
  EXPECT_GE(rested, 200);
  EXPECT_GT(ball.ds->q()[0], 0.1);
}

}  // namespace d1_minus_test
