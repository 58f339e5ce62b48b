// A nonsmooth problem that serves one simulation after another, or two in turn, keeps nothing of the other one. An integrator
// serves one after another.
#include <gtest/gtest.h>

#include <memory>
#include <optional>

#include "nonsmooth/kernel/kernel.hpp"

namespace {

using namespace nonsmooth::kernel;

Vector one(double x) { return Vector::Constant(1, x); }
Matrix square(double x) { return Matrix::Constant(1, 1, x); }

// A ball that has reached the floor; v = -e v(before) whatever its mass.
struct Ball {
  Ball(double mass, OneStepNSProblem& problem)
      : ds(std::make_shared<LagrangianLinearTIDS>(one(-0.01), one(-1), square(mass))),
        simulation(model, instants, integrator, problem) {
    model.insertDynamicalSystem(ds);
    model.link(
        std::make_shared<Interaction>(std::make_shared<NewtonImpactNSL>(0.5), std::make_shared<LagrangianLinearTIR>(square(1))),
        ds);
  }
  std::shared_ptr<LagrangianLinearTIDS> ds;
  NonSmoothDynamicalSystem model{0.0, 1.0};
  TimeDiscretisation instants{0.0, 0.01};
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

}  // namespace
