// Contacts with ground that moves: the geometry of a contact depends on time, and tells the velocity of the ground.
#include <gtest/gtest.h>

#include <cmath>
#include <memory>

#include "nonsmooth/kernel/kernel.hpp"

namespace moving_ground_test {

using namespace nonsmooth::kernel;

constexpr double gravity = 9.81;
enum class Body { Planar, Rigid, Rheonomous };

// A floor at height(t), and a body of 1 kg above it.
struct Shaken {
  using Motion = double (*)(double);
  Shaken(Body kind, double height, Motion floor, Motion velocity, Motion acceleration, double T) : model(0.0, T) {
    if (kind == Body::Planar) {
      auto ds = std::make_shared<LagrangianLinearTIDS>(Vector{{0, height, 0}}, Vector::Zero(3), Matrix::Identity(3, 3));
      ds->setFExt(Vector{{0, -gravity, 0}});
      relation = std::make_shared<Lagrangian2d1DR>([=](double t, const double* q, const double*, PlanarContact& c) {
        c = {{q[0], q[1]}, {q[0], floor(t)}, {0, 1}, q[1] - floor(t), {0, velocity(t)}};
      });
      body = ds, up = 1;
    } else if (kind == Body::Rigid) {
      auto ds = std::make_shared<NewtonEulerDS>(Vector{{0, 0, height, 1, 0, 0, 0}}, Vector::Zero(6), 1.0, Matrix3::Identity());
      ds->setFExt(Vector{{0, 0, -gravity}});
      relation = std::make_shared<NewtonEuler1DR>([=](double t, const double* q, const double*, Contact& c) {
        c = {{q[0], q[1], q[2]}, {q[0], q[1], floor(t)}, {0, 0, 1}, q[2] - floor(t), {0, 0, velocity(t)}};
      });
      body = ds, up = 2;
    } else {
      auto ds = std::make_shared<LagrangianLinearTIDS>(Vector{{height}}, Vector::Zero(1), Matrix::Identity(1, 1));
      ds->setFExt(Vector{{-gravity}});
      relation = std::make_shared<LagrangianRheonomousR>(
          [=](double t, ConstVectorRef q, VectorRef y, VectorRef) { y[0] = q[0] - floor(t); },
          [](double, ConstVectorRef, MatrixRef G, VectorRef) { G(0, 0) = 1; },
          [=](double t, ConstVectorRef, VectorRef rate, VectorRef) { rate[0] = -velocity(t); },
          [=](double t, ConstVectorRef, ConstVectorRef, VectorRef out, VectorRef) { out[0] = -acceleration(t); });
      body = ds;
    }
    model.insertDynamicalSystem(body);
    floor_contact = std::make_shared<Interaction>(std::make_shared<NewtonImpactNSL>(0.5), relation);
    model.link(floor_contact, body);
  }
  NonSmoothDynamicalSystem model;
  std::shared_ptr<SecondOrderDS> body;
  std::shared_ptr<Relation> relation;
  std::shared_ptr<Interaction> floor_contact;
  Index up = 0;
};

double sine(double t) { return 0.1 * std::sin(5 * t); }
double sineRate(double t) { return 0.5 * std::cos(5 * t); }
double sineAcceleration(double t) { return -2.5 * std::sin(5 * t); }

TEST(MovingGround, ImpactsByTimeStepping) {
  const auto end = [](Body kind) {
    Shaken shaken(kind, 0.3, sine, sineRate, sineAcceleration, 0.6);
    TimeDiscretisation instants(0.0, 1e-3);
    MoreauJeanOSI integrator(0.5);
    LCP problem;
    TimeStepping(shaken.model, instants, integrator, problem).run();
    return Eigen::Vector3d(shaken.body->q()[shaken.up], shaken.body->velocity()[shaken.up], shaken.floor_contact->y(1)[0]);
  };
  const Eigen::Vector3d expected = end(Body::Rheonomous);
  EXPECT_LE((end(Body::Planar) - expected).norm(), 1e-12);
  EXPECT_LE((end(Body::Rigid) - expected).norm(), 1e-12);
}

// The first impact: q0 - g t^2 / 2 = floor(t), then v+ = floor'(t) - e (v - floor'(t)).
TEST(MovingGround, ImpactsByEvents) {
  double a = 0, b = 0.3;
  for (int k = 0; k < 100; ++k) {
    const double t = 0.5 * (a + b);
    (0.3 - 0.5 * gravity * t * t > sine(t) ? a : b) = t;
  }
  for (const Body kind : {Body::Planar, Body::Rigid}) {
    Shaken shaken(kind, 0.3, sine, sineRate, sineAcceleration, 0.3);
    TimeDiscretisation instants(0.0, 0.01);
    LsodarOSI integrator;
    LCP impact, acceleration;
    EventDriven simulation(shaken.model, instants, integrator, impact, acceleration);
    double velocity = 0;
    simulation.setEventCallback([&](const EventDriven&, const ContactRecord&) { velocity = shaken.body->velocity()[shaken.up]; });
    simulation.run();
    ASSERT_EQ(simulation.eventLog().size(), 1u);
    EXPECT_NEAR(simulation.eventLog().front().time, a, 1e-10);
    EXPECT_NEAR(velocity, sineRate(a) + 0.5 * (gravity * a + sineRate(a)), 1e-9);
  }
}

double swing(double t) { return 0.5 * (1 - std::cos(6 * t)); }
double swingRate(double t) { return 3 * std::sin(6 * t); }
double swingAcceleration(double t) { return 18 * std::cos(6 * t); }

// It lies on a floor that starts from rest: pressed by g + floor'', which opens the contact where it comes to zero.
TEST(MovingGround, RestsUntilTheFloorFallsAway) {
  const double opening = std::acos(-gravity / 18) / 6;
  for (const Body kind : {Body::Planar, Body::Rigid}) {
    Shaken shaken(kind, 0, swing, swingRate, swingAcceleration, 0.4);
    TimeDiscretisation instants(0.0, 0.01);
    LsodarOSI integrator;
    LCP impact, acceleration;
    EventDriven simulation(shaken.model, instants, integrator, impact, acceleration);
    double force_error = 0;
    simulation.run([&](const Simulation& s, const StepStatus&) {
      const double t = s.startingTime();
      if (t < opening - 1e-3)
        force_error = std::max(force_error, std::abs(shaken.floor_contact->lambda(2)[0] - gravity - swingAcceleration(t)));
    });
    EXPECT_LE(force_error, 1e-7);
    EXPECT_EQ(simulation.count(ContactEvent::Opening), 1);
    EXPECT_NEAR(simulation.eventLog().back().time, opening, 1e-8);
  }
}

// A block on a belt of 1 m/s is taken along by friction until it has its speed, and then no more.
TEST(MovingGround, ABeltTakesABlockAlong) {
  const double mu = 0.3, h = 1e-3;
  for (const double T : {0.2, 1.0}) {
    NonSmoothDynamicalSystem model(0.0, T);
    auto block = std::make_shared<LagrangianLinearTIDS>(Vector::Zero(3), Vector::Zero(3), Matrix::Identity(3, 3));
    block->setFExt(Vector{{0, -gravity, 0}});
    model.insertDynamicalSystem(block);
    auto relation = std::make_shared<Lagrangian2d2DR>([](double, const double* q, const double*, PlanarContact& c) {
      c = {{q[0], q[1]}, {q[0], 0}, {0, 1}, q[1], {1, 0}};
    });
    auto contact = std::make_shared<Interaction>(std::make_shared<NewtonImpactFrictionNSL>(0, 0, mu, 2), relation);
    model.link(contact, block);
    TimeDiscretisation instants(0.0, h);
    MoreauJeanOSI integrator(0.5);
    FrictionContact problem(2);
    TimeStepping(model, instants, integrator, problem).run();
    const double speed = std::min(mu * gravity * T, 1.0);
    EXPECT_NEAR(block->velocity()[0], speed, 1e-6);
    EXPECT_NEAR(contact->y(1)[1], 1 - speed, 1e-6);  // along (-1, 0)
  }
}

}  // namespace moving_ground_test
