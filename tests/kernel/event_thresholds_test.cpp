// Where rules of event-driven simulations change over: when impacts count as accumulated, and what touches without an impact. And
// what callbacks and actions may not, or may, do to the simulation that has called them.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <stdexcept>
#include <vector>

#include "ball.hpp"
#include "message_of.hpp"
#include "nonsmooth/kernel/kernel.hpp"
#include "one_entry.hpp"

namespace event_thresholds_test {

using namespace nonsmooth::kernel;
using test::gravity;
using test::messageOf;
using test::one;
using test::square;

// A unit mass above a floor.
struct Ball : test::Ball {
  LsodarOSI integrator;
  LCP impact, acceleration;
  EventDriven simulation;
  Ball(double T, double h, double e, double height, double velocity = 0, double force = -gravity)
      : test::Ball({.height = height, .velocity = velocity, .restitution = e, .acceleration = force, .h = h, .T = T}),
        simulation(model, instants, integrator, impact, acceleration) {}
  long count(ContactEvent kind) const { return simulation.count(kind); }
};

// Flights after a fall of 1 m, e = 1/2: what is left of them after impact number n takes 4 t1 / 2^n.
const double fall = std::sqrt(2 / gravity);

double left(int impact) { return 4 * fall * std::pow(0.5, impact); }

void expectAccumulationAt(Ball& ball, int impact) {
  ball.simulation.run();
  EXPECT_EQ(ball.count(ContactEvent::Impact), impact - 1);
  ASSERT_EQ(ball.count(ContactEvent::Accumulation), 1);
  const ContactRecord& record = ball.simulation.eventLog().back();
  EXPECT_EQ(record.kind, ContactEvent::Accumulation);
  EXPECT_NEAR(record.time, 3 * fall - left(impact), 1e-9);
  EXPECT_NEAR(record.until, 3 * fall, 1e-9);
  EXPECT_EQ(record.velocityAfter, 0.0);
  EXPECT_EQ(ball.ds->velocity()[0], 0.0);
  EXPECT_EQ(ball.ds->q()[0], 0.0);
}

TEST(EventThresholds, AccumulationsAreJumpedWhereTheRestIsShorterThanAskedFor) {
  for (const int impact : {5, 6, 9}) {
    Ball shorter(2.0, 0.5, 0.5, 1.0), longer(2.0, 0.5, 0.5, 1.0);
    shorter.simulation.setAccumulationTolerance(left(impact) * (1 - 1e-6));
    expectAccumulationAt(shorter, impact + 1);
    longer.simulation.setAccumulationTolerance(left(impact) * (1 + 1e-6));
    expectAccumulationAt(longer, impact);
  }
}

// Three flights tell their ratio, whatever is allowed.
TEST(EventThresholds, FourImpactsAtLeastAreOneAccumulation) {
  Ball ball(2.0, 0.5, 0.5, 1.0);
  ball.simulation.setAccumulationTolerance(100);
  expectAccumulationAt(ball, 4);
}

// By default 1e-5 of the time since the first impact: 2^-(n - 1) <= 1e-5 (1 - 2^-(n - 1)) at n = 18.
TEST(EventThresholds, AccumulationsByDefault) {
  Ball ball(2.0, 0.5, 0.5, 1.0);
  expectAccumulationAt(ball, 18);
}

TEST(EventThresholds, AccumulationsAreNotJumpedWhereThatIsNotWanted) {
  Ball ball(2.0, 0.5, 0.5, 1.0);
  ball.simulation.setAccumulationTolerance(0);
  ball.simulation.run();
  EXPECT_GE(ball.count(ContactEvent::Impact), 20);
  ASSERT_EQ(ball.count(ContactEvent::Accumulation), 1);
  EXPECT_EQ(ball.simulation.eventLog().back().until, ball.simulation.eventLog().back().time);
  EXPECT_LE(std::abs(ball.simulation.eventLog().back().velocityBefore), 1e-5);
  EXPECT_EQ(ball.ds->velocity()[0], 0.0);
}

// Velocities after the impacts make three flights of these durations; all that would follow is shorter than what is allowed.
long accumulationsAfter(const std::vector<double>& flights) {
  Ball ball(4.0, 1.0, 0.5, 0.1);
  ball.simulation.setAccumulationTolerance(100);
  std::size_t impacts = 0;
  ball.simulation.setEventCallback([&](const EventDriven&, const ContactRecord& record) {
    if (record.kind != ContactEvent::Impact) return;
    if (impacts < flights.size()) ball.ds->setVelocity(one(0.5 * gravity * flights[impacts]));
    ++impacts;
  });
  while (ball.simulation.hasNextEvent() && impacts + static_cast<std::size_t>(ball.count(ContactEvent::Accumulation)) < 4)
    ball.simulation.computeOneStep();
  return ball.count(ContactEvent::Accumulation);
}

TEST(EventThresholds, FlightsOfAnAccumulationShrinkByOneRatio) {
  EXPECT_EQ(accumulationsAfter({0.8, 0.4, 0.2}), 1);
  // Within 1 % and beyond.
  EXPECT_EQ(accumulationsAfter({0.8, 0.4, 0.4 * 0.504}), 1);
  EXPECT_EQ(accumulationsAfter({0.8, 0.4, 0.4 * 0.506}), 0);
  EXPECT_EQ(accumulationsAfter({0.8, 0.4, 0.4 * 0.496}), 1);
  EXPECT_EQ(accumulationsAfter({0.8, 0.4, 0.4 * 0.494}), 0);
  // Not at all, and the wrong way.
  EXPECT_EQ(accumulationsAfter({0.4, 0.4, 0.4}), 0);
  EXPECT_EQ(accumulationsAfter({0.2, 0.4, 0.8}), 0);
}

// A ball has come to rest and is thrown up a million seconds later: the time at rest is not part of its bouncing, nor is that
// before it.
TEST(EventThresholds, AnAccumulationBeginsAfterARest) {
  const double start = 1e6, speed = 5, e = 0.8, end = 3.6;  // ends in the sixth flight
  Ball ball(start + end, 1e5, e, 0.01);
  ball.simulation.eventsManager()->insertEvent(EventType::UserDefined, start,
                                               [&](EventDriven&) { ball.ds->setVelocity(one(speed)); });
  // Also where smooth motion begins anew in flight.
  ball.simulation.eventsManager()->insertEvent(EventType::Actuator, start + 0.5, nullptr);
  ball.simulation.eventsManager()->insertEvent(EventType::Observer, start + end, nullptr);
  ball.simulation.run();
  double time = end, velocity = speed;
  int impacts = 0;
  for (; time > 2 * velocity / gravity; velocity *= e, ++impacts) time -= 2 * velocity / gravity;
  EXPECT_EQ(impacts, 5);
  EXPECT_NEAR(ball.ds->q()[0], velocity * time - 0.5 * gravity * time * time, 1e-6);
  EXPECT_EQ(ball.count(ContactEvent::Accumulation), 1);
}

// y = (t - 1)^2 + gap: touches, or not, or is an impact with 2 sqrt(-gap).
TEST(EventThresholds, GrazingIsAMatterOfTheTolerance) {
  const auto run = [](double gap, double tolerance) {
    auto ball = std::make_unique<Ball>(2.0, 0.7, 0.5, 1 + gap, -2.0, 2.0);
    if (tolerance > 0) ball->simulation.setToleranceED(tolerance);
    ball->simulation.run();
    return ball;
  };
  const auto expectGrazing = [&](double gap, double tolerance) {
    const auto ball = run(gap, tolerance);
    ASSERT_EQ(ball->simulation.eventLog().size(), 1u) << gap;
    const ContactRecord& record = ball->simulation.eventLog().front();
    EXPECT_EQ(record.kind, ContactEvent::Grazing) << gap;
    EXPECT_NEAR(record.time, 1.0, 1e-6) << gap;
    EXPECT_EQ(record.impulse, 0.0) << gap;
    EXPECT_NEAR(ball->ds->q()[0], 0.16 + gap, 1e-9) << gap;
    EXPECT_NEAR(ball->ds->velocity()[0], 0.8, 1e-9) << gap;
  };
  const auto expectImpact = [&](double gap, double tolerance) {
    const auto ball = run(gap, tolerance);
    ASSERT_EQ(ball->simulation.eventLog().size(), 1u) << gap;
    const ContactRecord& record = ball->simulation.eventLog().front();
    const double speed = 2 * std::sqrt(-gap);
    EXPECT_EQ(record.kind, ContactEvent::Impact) << gap;
    EXPECT_NEAR(record.velocityBefore, -speed, 1e-3 * speed) << gap;
    EXPECT_NEAR(record.velocityAfter, 0.5 * speed, 1e-3 * speed) << gap;
  };
  EXPECT_TRUE(run(1e-9, 0)->simulation.eventLog().empty());
  expectGrazing(0, 0);
  expectImpact(-1e-9, 0);
  EXPECT_TRUE(run(3e-6, 1e-6)->simulation.eventLog().empty());
  expectGrazing(1e-7, 1e-6);
  expectGrazing(0, 1e-6);
  expectGrazing(-1e-7, 1e-6);
  expectImpact(-3e-6, 1e-6);
}

// An event is over before the next one begins: an action that goes on by itself would be overtaken.
TEST(EventThresholds, ActionsDoNotGoOnByThemselves) {
  const char* reason = "the event at t = 0.25 is being processed: it cannot go on to the next one itself";
  for (int verb = 0; verb < 4; ++verb) {
    Ball ball(1.0, 0.5, 0.5, 10.0);
    bool active = true;
    ball.simulation.eventsManager()->insertEvent(EventType::Actuator, 0.25, [&](EventDriven& simulation) {
      if (!active) return;
      if (verb == 0) simulation.computeOneStep();
      if (verb == 1) simulation.run();
      if (verb == 2) simulation.advanceToEvent();
      if (verb == 3) simulation.processEvents();
    });
    EXPECT_EQ(messageOf([&] { ball.simulation.run(); }), reason) << verb;
    EXPECT_EQ(ball.simulation.startingTime(), 0.0) << verb;
    active = false;
    ball.simulation.run();
    EXPECT_NEAR(ball.ds->q()[0], 10 - 0.5 * gravity, 1e-9) << verb;
  }
}

// Two balls land at the same instant, which makes two entries: a callback that takes itself out is called once.
TEST(EventThresholds, CallbacksMayTakeThemselvesOut) {
  Ball ball(0.6, 0.3, 0.5, 1.0);
  auto second = std::make_shared<LagrangianLinearTIDS>(one(1), one(0), square(1));
  second->setFExt(one(-gravity));
  ball.model.insertDynamicalSystem(second);
  ball.model.link(
      std::make_shared<Interaction>(std::make_shared<NewtonImpactNSL>(0.5), std::make_shared<LagrangianLinearTIR>(square(1))),
      second);
  int events = 0, states = 0;
  const std::vector<double> large(100, 1.0);  // kept by the callback
  ball.simulation.setEventCallback([&ball, &events, large](const EventDriven&, const ContactRecord&) {
    ball.simulation.setEventCallback(nullptr);
    events += static_cast<int>(large[99]);
  });
  ball.simulation.setTrajectoryCallback([&ball, &states, large](const EventDriven&, bool) {
    ball.simulation.setTrajectoryCallback(nullptr);
    states += static_cast<int>(large[99]);
  });
  ball.simulation.run();
  EXPECT_EQ(events, 1);
  EXPECT_EQ(states, 1);
  EXPECT_EQ(ball.count(ContactEvent::Impact), 2);
}

TEST(EventThresholds, AnEventCallbackThatThrowsIsToldAgain) {
  Ball ball(0.6, 0.3, 0.5, 1.0);
  std::vector<double> told;
  ball.simulation.setEventCallback([&](const EventDriven&, const ContactRecord& record) {
    told.push_back(record.time);
    if (told.size() == 1) throw std::runtime_error("callback");
  });
  EXPECT_EQ(messageOf([&] { ball.simulation.run(); }), "callback");
  ball.simulation.run();
  ASSERT_EQ(told.size(), 2u);
  EXPECT_NEAR(told[0], fall, 1e-12);
  EXPECT_NEAR(told[1], fall, 1e-12);
  EXPECT_EQ(ball.count(ContactEvent::Impact), 1);
  EXPECT_NEAR(ball.ds->velocity()[0], 0.5 * gravity * fall - gravity * (0.6 - fall), 1e-9);
}

// A particle slides in a bowl, y >= x^2 / 2, and is not put back. What it has drifted by is no impact and no overlap when
// something else changes between two events: where `change` is done after each of them.
struct Sliding {
  long impacts = 0, openings = 0;
  Vector q;
};

Sliding slide(EventDrivenOSI& integrator, const std::function<void(NonSmoothDynamicalSystem&)>& change) {
  NonSmoothDynamicalSystem model(0.0, 3.0);
  auto particle = std::make_shared<LagrangianDS>(Eigen::Vector2d(1, 0.5), Vector::Zero(2), Matrix::Identity(2, 2));
  particle->setFExt(Eigen::Vector2d(0, -gravity));
  model.insertDynamicalSystem(particle);
  auto bowl =
      std::make_shared<Interaction>(std::make_shared<NewtonImpactNSL>(0.9),
                                    std::make_shared<LagrangianScleronomousR>(
                                        [](ConstVectorRef q, VectorRef y, VectorRef) { y[0] = q[1] - 0.5 * q[0] * q[0]; },
                                        [](ConstVectorRef q, MatrixRef G, VectorRef) { G << -q[0], 1; },
                                        [](ConstVectorRef, ConstVectorRef v, MatrixRef Gdot, VectorRef) { Gdot << -v[0], 0; }));
  model.link(bowl, particle);
  auto other = std::make_shared<LagrangianLinearTIDS>(one(0), one(0), square(1));
  model.insertDynamicalSystem(other);
  TimeDiscretisation instants(0.0, 0.25);
  LCP impact, acceleration;
  EventDriven simulation(model, instants, integrator, impact, acceleration);
  simulation.setProjectionTolerance(std::numeric_limits<double>::infinity());
  while (simulation.hasNextEvent()) {
    simulation.computeOneStep();
    if (change) change(model);
  }
  return {simulation.count(ContactEvent::Impact), simulation.count(ContactEvent::Opening), particle->q()};
}

// What the particle has drifted by is no impact and no overlap when something else changes between two events.
TEST(EventThresholds, ChangesElsewhereWhileClosedContactsDrift) {
  LsodarOSI lsodar;
  Hem5OSI hem5;
  NewMarkAlphaOSI newmark(0.9);
  const auto insert = [](NonSmoothDynamicalSystem& model) {
    model.insertDynamicalSystem(std::make_shared<LagrangianLinearTIDS>(one(1), one(0), square(1)));
  };
  const auto push = [](NonSmoothDynamicalSystem& model) {
    static_cast<LagrangianLinearTIDS&>(model.dynamicalSystem(1)).setFExt(one(1));
  };
  for (EventDrivenOSI* integrator :
       {static_cast<EventDrivenOSI*>(&lsodar), static_cast<EventDrivenOSI*>(&hem5), static_cast<EventDrivenOSI*>(&newmark)}) {
    const Sliding alone = slide(*integrator, nullptr);
    EXPECT_EQ(alone.impacts + alone.openings, 0) << integrator->className();
    for (const auto& change : {std::function<void(NonSmoothDynamicalSystem&)>(insert), {push}}) {
      const Sliding changed = slide(*integrator, change);
      EXPECT_EQ(changed.impacts, 0) << integrator->className();
      EXPECT_EQ(changed.openings, 0) << integrator->className();
      // Each change begins the motion anew, at a low order in NewMarkAlphaOSI.
      EXPECT_LE((changed.q - alone.q).norm(), integrator == &newmark ? 0.2 : 1e-6) << integrator->className();
    }
  }
}

}  // namespace event_thresholds_test
