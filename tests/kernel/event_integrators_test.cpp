// What event-driven simulations must do whichever integrator they have: impacts without end, instants far apart, changes made
// between events.
#include <cmath>
#include <memory>

#include "ball.hpp"
#include "message_of.hpp"
#include "trajectory.hpp"

namespace event_integrators_test {

using namespace nonsmooth::kernel;
using test::gravity;

// A unit mass above a floor, with the integrator of that number.
struct Ball : test::Ball {
  LsodarOSI lsodar;
  Hem5OSI hem5;
  NewMarkAlphaOSI newmark{0.9};
  LCP impact, acceleration;
  std::unique_ptr<EventDriven> simulation;
  Ball(int integrator, double T, double h, double e, double height, double velocity = 0)
      : test::Ball({.height = height, .velocity = velocity, .restitution = e, .h = h, .T = T}) {
    EventDrivenOSI* const all[] = {&lsodar, &hem5, &newmark};
    simulation = std::make_unique<EventDriven>(model, instants, *all[integrator], impact, acceleration);
  }
};

class EventIntegrators : public testing::TestWithParam<int> {};

std::string nameOf(const testing::TestParamInfo<int>& integrator) {
  const char* const names[] = {"Lsodar", "Hem5", "NewMarkAlpha"};
  return names[integrator.param];
}

INSTANTIATE_TEST_SUITE_P(All, EventIntegrators, testing::Range(0, 3), nameOf);

TEST_P(EventIntegrators, ElasticImpactsGoOn) {
  Ball ball(GetParam(), 2.0, 0.01, 1.0, 1e-3);
  const double fall = std::sqrt(2e-3 / gravity);
  double worst = 0;
  long impacts = 0;
  ball.simulation->setEventCallback([&](const EventDriven&, const ContactRecord& record) {
    EXPECT_EQ(record.kind, ContactEvent::Impact) << "at t = " << record.time;
    worst = std::max(worst, std::abs(record.time - fall * static_cast<double>(2 * impacts++ + 1)));
  });
  ball.simulation->run();
  EXPECT_EQ(impacts, 70);
  EXPECT_LE(worst, 1e-10);
  EXPECT_NEAR(ball.energy(), gravity * 1e-3, 1e-12);
}

// T2: with e = 0.9 from 1 m, until flights are as short as instants can be told apart.
TEST_P(EventIntegrators, ImpactsUpToTheirAccumulation) {
  Ball ball(GetParam(), 9.5, 0.01, 0.9, 1.0);
  const double fall = std::sqrt(2 / gravity);
  double worst = 0;
  long impacts = 0;
  ball.simulation->setEventCallback([&](const EventDriven&, const ContactRecord& record) {
    if (record.kind != ContactEvent::Impact) return;
    const double exact = fall * (1 + 18 * (1 - std::pow(0.9, static_cast<double>(impacts++))));
    worst = std::max(worst, std::abs(record.time / exact - 1));
  });
  ball.simulation->run();
  EXPECT_GT(impacts, 100);
  EXPECT_LE(worst, 1e-11);
  ASSERT_EQ(ball.simulation->count(ContactEvent::Accumulation), 1);
  EXPECT_NEAR(ball.simulation->eventLog().back().until, 19 * fall, 1e-9);
  EXPECT_LE(std::abs(ball.simulation->eventLog().back().velocityBefore), 1e-4);
}

// Halving a step of 1e16 s does not come down to flights of 0.03 s: they are there all the same.
TEST(Hem5, FlightsWithinAVeryLongStep) {
  Ball ball(1, std::numeric_limits<double>::infinity(), 0.1, 1.0, 0.0, 0.14);
  ball.hem5.setMinMaxStepSizes(1e16, 1e16);
  for (int impacts = 0; impacts < 10 && ball.simulation->startingTime() < 1;) {
    ball.simulation->computeOneStep();
    if (ball.simulation->count(ContactEvent::Impact) == impacts) continue;
    EXPECT_NEAR(ball.simulation->startingTime(), ++impacts * 0.28 / gravity, 1e-12);
    EXPECT_NEAR(ball.ds->velocity()[0], 0.14, 1e-12);
  }
  EXPECT_EQ(ball.simulation->count(ContactEvent::Accumulation), 0);
}

// What is changed between two events holds from the instant at which it is changed, as in time-stepping.
TEST_P(EventIntegrators, VelocitiesSetBetweenEvents) {
  const double fallen = 1 - 0.5 * gravity * 0.01;
  for (const bool in_callback : {false, true}) {
    Ball ball(GetParam(), 0.4, 0.1, 0.5, 1.0);
    int events = 0;
    const auto kick = [&] {
      if (++events == 1) ball.ds->setVelocity(Vector::Constant(1, 5.0));
    };
    if (in_callback) {
      ball.simulation->run([&](const Simulation&, const StepStatus&) { kick(); });
    } else {
      while (ball.simulation->hasNextEvent()) {
        ball.simulation->computeOneStep();
        kick();
      }
    }
    EXPECT_NEAR(ball.ds->q()[0], fallen + 0.3 * 5 - 0.5 * gravity * 0.09, 1e-12);
  }
}

TEST_P(EventIntegrators, PositionsAndForcesSetBetweenEvents) {
  Ball moved(GetParam(), 0.4, 0.1, 0.5, 1.0), weightless(GetParam(), 0.4, 0.1, 0.5, 1.0);
  moved.simulation->computeOneStep();
  moved.ds->setq(Vector::Constant(1, 3.0));
  moved.simulation->run();
  EXPECT_NEAR(moved.ds->q()[0], 3 - 0.1 * gravity * 0.3 - 0.5 * gravity * 0.09, 1e-12);
  weightless.simulation->computeOneStep();
  weightless.ds->setFExt(Vector::Zero(1));
  weightless.simulation->run();
  EXPECT_NEAR(weightless.ds->q()[0], 1 - 0.5 * gravity * 0.01 - 0.1 * gravity * 0.3, 1e-12);
}

// A ball that rests is lifted; it was put back on the floor.
TEST_P(EventIntegrators, AClosedContactTornApartIsOpen) {
  for (const bool in_event : {false, true}) {
    Ball ball(GetParam(), 0.4, 0.1, 0.5, 0.0);
    const auto lift = [&] { ball.ds->setq(Vector::Constant(1, 3.0)); };
    if (in_event) {
      ball.simulation->eventsManager()->insertEvent(EventType::Actuator, 0.1, [&](EventDriven&) { lift(); });
    } else {
      while (ball.simulation->eventsManager()->startingTime() < 0.05) ball.simulation->computeOneStep();
      lift();
    }
    ball.simulation->run();
    EXPECT_NEAR(ball.ds->q()[0], 3 - 0.5 * gravity * 0.09, 1e-12);
    EXPECT_EQ(ball.floor->lambda(2)[0], 0);
  }
}

TEST_P(EventIntegrators, ParametersSetBetweenEvents) {
  const auto weight = [](double, VectorRef out, VectorRef z) { out[0] = -z[0]; };
  const auto shared = std::make_shared<Vector>(Vector::Constant(1, gravity));
  const std::vector<std::function<void(LagrangianLinearTIDS&)>> changes = {
      [](LagrangianLinearTIDS& ds) { ds.setz(Vector::Zero(1)); }, [](LagrangianLinearTIDS& ds) { ds.z()[0] = 0; },
      [&](LagrangianLinearTIDS& ds) { ds.setzPtr(shared), (*shared)[0] = 0; }};
  for (const auto& change : changes) {
    Ball ball(GetParam(), 0.4, 0.1, 0.5, 1.0);
    ball.ds->setz(Vector::Constant(1, gravity));
    ball.ds->setComputeFExtFunction(weight);
    ball.simulation->computeOneStep();
    change(*ball.ds);
    ball.simulation->run();
    EXPECT_NEAR(ball.ds->q()[0], 1 - 0.5 * gravity * 0.01 - 0.1 * gravity * 0.3, 1e-12);
  }
}

// The floor is let down under a ball that rests.
TEST_P(EventIntegrators, ParametersOfARelationSetBetweenEvents) {
  Ball ball(GetParam(), 0.4, 0.1, 0.5, 0.0);
  ball.model.removeInteraction(*ball.floor);
  const auto relation = std::make_shared<LagrangianScleronomousR>(
      [](ConstVectorRef q, VectorRef y, VectorRef z) { y[0] = q[0] - z[0]; },
      [](ConstVectorRef, MatrixRef G, VectorRef) { G(0, 0) = 1; }, [](ConstVectorRef, ConstVectorRef, MatrixRef, VectorRef) {});
  relation->setz(Vector::Zero(1));
  ball.model.link(std::make_shared<Interaction>(std::make_shared<NewtonImpactNSL>(0.5), relation), ball.ds);
  ball.simulation->computeOneStep();
  ball.simulation->computeOneStep();
  relation->setz(Vector::Constant(1, -10.0));
  ball.simulation->run();
  EXPECT_NEAR(ball.ds->q()[0], -0.5 * gravity * 0.09, 1e-12);
}

// What functions write into z is no change of the user's.
TEST_P(EventIntegrators, FunctionsThatChangeTheirParameters) {
  const auto steps = [](bool writes) {
    Ball ball(GetParam(), 2.0, 0.1, 0.5, 0.1);
    ball.ds->setz(Vector::Zero(1));
    ball.ds->setComputeFExtFunction([writes](double t, VectorRef out, VectorRef z) {
      out[0] = -gravity;
      if (writes) z[0] = t;
    });
    ball.simulation->run();
    EXPECT_EQ(ball.ds->z()[0] > 0, writes);
    const EventDrivenOSI* const all[] = {&ball.lsodar, &ball.hem5, &ball.newmark};
    return all[GetParam()]->steps();
  };
  EXPECT_EQ(steps(true), steps(false));
}

// A ball that rests is thrown at the floor.
TEST_P(EventIntegrators, AVelocityAgainstAClosedContactIsAnImpact) {
  Ball ball(GetParam(), 0.4, 0.1, 0.5, 0.0);
  ball.simulation->computeOneStep();  // rests
  ball.simulation->computeOneStep();
  ball.ds->setVelocity(Vector::Constant(1, -8.0));
  ball.simulation->run();
  EXPECT_EQ(ball.simulation->count(ContactEvent::Impact), 1);
  EXPECT_NEAR(ball.ds->q()[0], 0.3 * 4 - 0.5 * gravity * 0.09, 1e-12);
}

TEST_P(EventIntegrators, TheFinalTimeStaysOnceAnEventIsPast) {
  Ball ball(GetParam(), 0.4, 0.1, 0.5, 1.0);
  ball.simulation->initialize();
  ball.model.setT(0.6);
  ball.simulation->computeOneStep();
  EXPECT_EQ(ball.simulation->eventsManager()->end(), 0.6);
  ball.model.setT(0.8);
  for (const auto& action :
       std::vector<std::function<void()>>{[&] { ball.simulation->run(); }, [&] { ball.simulation->computeOneStep(); }})
    test::expectRefusal("the final time is 0.8", action);
  ball.model.setT(0.6);
  ball.simulation->run();
  EXPECT_DOUBLE_EQ(ball.simulation->startingTime(), 0.6);
}

// An overlap that is made between two events, or by one, is refused as one at the start is.
TEST_P(EventIntegrators, AnOverlapMadeOnTheWayIsRefused) {
  for (const bool by_event : {false, true}) {
    Ball ball(GetParam(), 1.0, 0.1, 0.8, 1.0);
    const auto sink = [&] { ball.ds->setq(Vector::Constant(1, -0.25)); };
    if (by_event) ball.simulation->eventsManager()->insertEvent(EventType::UserDefined, 0.15, [&](EventDriven&) { sink(); });
    const std::string message = nonsmooth::kernel::test::messageOf([&] {
      ball.simulation->run([&](const Simulation& s, const StepStatus&) {
        if (!by_event && s.startingTime() > 0.15) sink();
      });
    });
    EXPECT_NE(message.find("the bodies of interaction 0 overlap at t = "), std::string::npos) << message;
    EXPECT_NE(message.find("y = -0.25"), std::string::npos) << message;
  }
}

// One below the tolerance of overlaps is taken: a body that rises out of it is no flight that a long step hides.
TEST_P(EventIntegrators, ARiseFromASmallOverlap) {
  Ball ball(GetParam(), 0.5, 0.1, 0.8, 1.0);
  ball.simulation->eventsManager()->insertEvent(EventType::UserDefined, 0.15, [&](EventDriven&) {
    ball.ds->setq(Vector::Constant(1, -0.9e-9));
    ball.ds->setVelocity(Vector::Constant(1, 1e-8));
  });
  ball.simulation->run();
  EXPECT_LE(ball.lsodar.steps() + ball.hem5.steps() + ball.newmark.steps(), 2000);
  EXPECT_GE(ball.ds->q()[0], -1e-9);
}

}  // namespace event_integrators_test
