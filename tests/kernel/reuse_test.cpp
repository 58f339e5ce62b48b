// A nonsmooth problem that serves one simulation after another, or two in turn, keeps nothing of the other one. An integrator
// serves one after another.
#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <vector>

#include "ball.hpp"
#include "message_of.hpp"
#include "nonsmooth/kernel/kernel.hpp"
#include "one_entry.hpp"

namespace reuse_test {

using namespace nonsmooth::kernel;
using test::expectRefusal;
using test::one;
using test::square;

// A ball that has reached the floor; v = -e v(before) whatever its mass.
struct Ball : test::Ball {
  Ball(double mass, OneStepNSProblem& problem)
      : test::Ball({.height = -0.01, .velocity = -1, .mass = mass, .acceleration = 0}),
        simulation(model, instants, integrator, problem) {}
  MoreauJeanOSI integrator{0.5};
  TimeStepping simulation;
};

TEST(Reuse, AProblemInOneSimulationAfterAnother) {
  LCP problem;
  for (const double mass : {1.0, 4.0, 0.25}) {
    Ball ball(mass, problem);
    ball.simulation.computeOneStep();
    EXPECT_NEAR(ball.ds->velocity()[0], 0.5, 1e-12) << mass;
  }
}

TEST(Reuse, AProblemOfTwoSimulationsInTurn) {
  LCP problem;
  Ball light(1, problem), heavy(4, problem);
  for (int k = 0; k < 2; ++k) {
    // Each is put back before its step.
    for (Ball* ball : {&light, &heavy}) {
      ball->ds->setq(one(-0.01));
      ball->ds->setVelocity(one(-1));
      ball->simulation.computeOneStep();
      EXPECT_NEAR(ball->ds->velocity()[0], 0.5, 1e-12) << k;
    }
  }
}

// Laws too: the bounds of another relay.
TEST(Reuse, LawsOfAnotherModel) {
  Relay problem;
  for (const double bound : {1.0, 2.0}) {
    NonSmoothDynamicalSystem model(0.0, 1.0);
    auto ds = std::make_shared<FirstOrderLinearTIDS>(one(5), square(0));
    model.insertDynamicalSystem(ds);
    auto relay = std::make_shared<Interaction>(std::make_shared<RelayNSL>(1, -bound, bound),
                                               std::make_shared<FirstOrderLinearTIR>(square(1), square(1)));
    model.link(relay, ds);
    TimeDiscretisation instants(0.0, 0.01);
    EulerMoreauOSI integrator(0.5);
    TimeStepping(model, instants, integrator, problem).computeOneStep();
    EXPECT_EQ(relay->lambda(0)[0], -bound);
  }
}

TEST(Reuse, InstantImpacts) {
  LCP problem;
  for (const double mass : {1.0, 4.0}) {
    Ball ball(mass, problem);
    InstantImpact impact(ball.model, problem);
    impact.compute(0.0);
    EXPECT_NEAR(ball.ds->velocity()[0], 0.5, 1e-12) << mass;
  }
}

// Falls for a second under the force -1, each time in a model that stands where the one before stood.
class Falls {
 public:
  // `run` gets the model and the instants.
  template <class Run>
  void expectExact(const Run& run) {
    for (const double mass : {1.0, 2.0, 4.0}) {
      model_.emplace(0.0, 1.0);
      auto ds = std::make_shared<LagrangianLinearTIDS>(one(1), one(0), square(mass));
      ds->setFExt(one(-1));
      model_->insertDynamicalSystem(ds);
      run(*model_);
      EXPECT_NEAR(ds->q()[0], 1 - 0.5 / mass, 1e-8) << mass;
    }
  }

 private:
  std::optional<NonSmoothDynamicalSystem> model_;
};

TEST(Reuse, AnIntegratorOfAccelerationsForOneModelAfterAnother) {
  D1MinusLinearOSI integrator;
  Falls().expectExact([&](NonSmoothDynamicalSystem& model) {
    TimeDiscretisation instants(0.0, 0.01);
    LCP impulses, forces;
    TimeSteppingD1Minus(model, instants, integrator, impulses, forces).run();
  });
}

TEST(Reuse, AnEventDrivenIntegratorForOneModelAfterAnother) {
  LsodarOSI lsodar;
  Hem5OSI hem5;
  NewMarkAlphaOSI newmark(0.9);
  for (EventDrivenOSI* integrator :
       {static_cast<EventDrivenOSI*>(&lsodar), static_cast<EventDrivenOSI*>(&hem5), static_cast<EventDrivenOSI*>(&newmark)})
    Falls().expectExact([&](NonSmoothDynamicalSystem& model) {
      TimeDiscretisation instants(0.0, 0.1);
      LCP impact, acceleration;
      EventDriven(model, instants, integrator, impact, acceleration).run();
    });
}

TEST(Reuse, AnIntegratorOfTwoSimulationsInTurnIsRefused) {
  LCP problem;
  MoreauJeanOSI integrator;
  Ball first(1, problem), second(4, problem);
  const auto simulate = [&](Ball& ball) {
    return std::make_unique<TimeStepping>(ball.model, ball.instants, integrator, problem);
  };
  auto one_by_one = simulate(first);
  one_by_one->computeOneStep();
  one_by_one->nextStep();
  auto next = simulate(second);
  next->computeOneStep();
  expectRefusal("MoreauJeanOSI has begun to serve another simulation", [&] { one_by_one->computeOneStep(); });
  expectRefusal("another simulation", [&] { one_by_one->initialize(); });
  one_by_one.reset();
  next->nextStep();
  EXPECT_NO_THROW(next->computeOneStep());
}

TEST(Reuse, AnEventDrivenIntegratorOfTwoSimulationsInTurnIsRefused) {
  LCP impact, acceleration;
  LsodarOSI integrator;
  NonSmoothDynamicalSystem one_model(0.0, 1.0), another(0.0, 1.0);
  TimeDiscretisation instants(0.0, 0.1), others(0.0, 0.1);
  for (NonSmoothDynamicalSystem* model : {&one_model, &another})
    model->insertDynamicalSystem(std::make_shared<LagrangianLinearTIDS>(one(1), one(0), square(1)));
  EventDriven first(one_model, instants, integrator, impact, acceleration);
  EventDriven second(another, others, integrator, impact, acceleration);
  first.computeOneStep();
  second.computeOneStep();
  expectRefusal("LsodarOSI has begun to serve another", [&] { first.computeOneStep(); });
  EXPECT_NO_THROW(second.run());
}

// What an integrator was told of a system does not hold for the next one that is made at its address.
TEST(Reuse, AnotherSystemAtTheAddressOfOneThatIsGone) {
  std::optional<LagrangianLinearTIDS> ds;
  const auto make = [&]() -> LagrangianLinearTIDS& { return ds.emplace(one(1), one(0), square(1)); };
  MoreauJeanOSI integrator(0.5);
  integrator.insertDynamicalSystem(make());
  integrator.setTheta(*ds, 1.0);
  EXPECT_TRUE(integrator.owns(*ds));
  EXPECT_EQ(integrator.getTheta(*ds), 1.0);
  make();
  EXPECT_FALSE(integrator.owns(*ds));
  EXPECT_TRUE(integrator.hasBoundSystems());
  EXPECT_EQ(integrator.getTheta(*ds), 0.5);
}

// The first step of Schatzman and Paoli has no outputs before it, whatever the model was used for.
TEST(Reuse, AModelInASecondRunOfSchatzmanAndPaoli) {
  Ball ball(1, *std::make_shared<LCP>());
  const auto run = [&] {
    ball.ds->setq(one(0));
    ball.ds->setVelocity(one(-1));
    SchatzmanPaoliOSI integrator;
    LCP problem;
    TimeStepping simulation(ball.model, ball.instants, integrator, problem);
    std::vector<double> positions;
    for (int k = 0; k < 30; ++k) {
      simulation.computeOneStep();
      simulation.nextStep();
      positions.push_back(ball.ds->q()[0]);
    }
    return positions;
  };
  const std::vector<double> first = run();
  EXPECT_EQ(run(), first);
}

// A periodic event goes through all its instants in each simulation.
TEST(Reuse, APeriodicEventInASecondSimulation) {
  std::vector<double> instants_seen;
  const auto event = std::make_shared<Event>(
      EventType::Sensor, 0.1, [&](EventDriven& simulation) { instants_seen.push_back(simulation.startingTime()); });
  event->setPeriod(0.1);
  for (const std::size_t count : {4u, 9u}) {
    NonSmoothDynamicalSystem model(0.0, 0.1 * static_cast<double>(count) + 0.05);
    model.insertDynamicalSystem(std::make_shared<LagrangianLinearTIDS>(one(1), one(0), square(1)));
    TimeDiscretisation instants(0.0, model.finalT());
    LsodarOSI integrator;
    LCP impact, acceleration;
    EventDriven simulation(model, instants, integrator, impact, acceleration);
    simulation.eventsManager()->insertEvent(event);
    simulation.run();
    ASSERT_EQ(instants_seen.size(), count);
    for (std::size_t k = 0; k < count; ++k) EXPECT_NEAR(instants_seen[k], 0.1 * static_cast<double>(k + 1), 1e-12);
    instants_seen.clear();
  }
}

}  // namespace reuse_test
