// What simulations, instants, problems and events refuse when they are set up.
#include <gtest/gtest.h>

#include <filesystem>
#include <limits>
#include <memory>

#include "message_of.hpp"
#include "nonsmooth/kernel/kernel.hpp"
#include "one_entry.hpp"
#include "scratch.hpp"

namespace simulation_refusals_test {

using namespace nonsmooth::kernel;
using nonsmooth::kernel::test::expectRefusal;
using nonsmooth::kernel::test::messageOf;
using test::one;
using test::scratchFolder;
using test::square;

constexpr double infinity = std::numeric_limits<double>::infinity();

std::shared_ptr<LagrangianLinearTIDS> ball() { return std::make_shared<LagrangianLinearTIDS>(one(0), one(-1), square(1)); }

std::shared_ptr<Interaction> contactOf(const std::shared_ptr<NonSmoothLaw>& law) {
  return std::make_shared<Interaction>(law, std::make_shared<LagrangianLinearTIR>(square(1)));
}

TEST(SimulationRefusals, Instants) {
  expectRefusal("the time step is inf", [] { TimeDiscretisation(0.0, infinity); });
  expectRefusal("the initial time is inf", [] { TimeDiscretisation(infinity, 0.1); });
  expectRefusal("at least two instants", [] { TimeDiscretisation(std::vector<double>{0.0}); });
  expectRefusal("instant 2 (1) is not after the one before it (1)", [] {
    TimeDiscretisation(std::vector<double>{0.0, 1.0, 1.0});
  });
  const TimeDiscretisation three(std::vector<double>{0.0, 1.0, 3.0});
  expectRefusal("counted from 0, not from -1", [&] { three.getTk(-1); });
  expectRefusal("instant 3 of 3", [&] { three.getTk(3); });
}

// However long the model is.
TEST(SimulationRefusals, NoMoreStepsThanAskedFor) {
  EXPECT_EQ(TimeDiscretisation(4U, 0.0, 1.0).numberOfSteps(10.0), 4);
  NonSmoothDynamicalSystem model(0.0, 10.0);
  const TimeDiscretisation three(0.1, 3U, model);
  EXPECT_EQ(three.numberOfSteps(10.0), 3);
}

TEST(SimulationRefusals, SimulationsThatLackParts) {
  NonSmoothDynamicalSystem model(0.0);
  auto ds = ball();
  model.insertDynamicalSystem(ds);
  TimeDiscretisation instants(0.0, 0.1);
  TimeStepping simulation(model, instants);
  expectRefusal("has no integrator", [&] { simulation.computeOneStep(); });
  MoreauJeanOSI integrator(0.5), other(0.5);
  simulation.associate(integrator, *ds);
  expectRefusal("system 0 is bound to another MoreauJeanOSI already", [&] { simulation.associate(other, *ds); });
  model.link(contactOf(std::make_shared<NewtonImpactNSL>(0.5)), ds);
  expectRefusal("interactions but no nonsmooth problem", [&] { simulation.computeOneStep(); });
  LCP problem;
  simulation.insertNonSmoothProblem(problem, "impact");
  expectRefusal("a nonsmooth problem named \"impact\" already", [&] { simulation.insertNonSmoothProblem(problem, "impact"); });
  auto second = ball();
  model.insertDynamicalSystem(second);
  expectRefusal("system 1 has no integrator", [&] { simulation.computeOneStep(); });
  model.removeDynamicalSystem(*second);
  expectRefusal("no index set -1", [&] { simulation.indexSet(-1); });
  expectRefusal("the model has no final time", [&] { simulation.getNSteps(); });
  expectRefusal("Newton iterations 0", [&] { simulation.setNewtonMaxIteration(0); });
  EXPECT_EQ(messageOf([&] { simulation.computeOneStep(); }), "");
}

TEST(SimulationRefusals, Problems) {
  expectRefusal("dimension 2 or 3, not 4", [] { FrictionContact(4); });
  expectRefusal("dimension 3 or 5, not 4", [] { RollingFrictionContact(4); });
  const NewtonImpactFrictionNSL planar(0, 0, 0.5, 2);
  expectRefusal("of dimension 3 does not take law NewtonImpactFrictionNSL of size 2",
                [&] { FrictionContact(3).checkLaw(planar); });
  OSNSMultipleImpact impact;
  expectRefusal("accuracy = -1", [&] { impact.setAccuracy(-1); });
  expectRefusal("0 steps", [&] { impact.setMaxSteps(0); });
  expectRefusal("velocity of rest -1", [&] { impact.setVelocityOfRest(-1); });
}

TEST(SimulationRefusals, EventDrivenSettings) {
  NonSmoothDynamicalSystem model(0.0, 1.0);
  auto ds = ball();
  model.insertDynamicalSystem(ds);
  TimeDiscretisation instants(0.0, 0.1);
  LsodarOSI integrator;
  LCP impact, acceleration;
  EventDriven simulation(model, instants, integrator, impact, acceleration);
  expectRefusal("tolerance of an event-driven simulation: 0", [&] { simulation.setToleranceED(0); });
  expectRefusal("tolerance of accumulations: -1", [&] { simulation.setAccumulationTolerance(-1); });
  expectRefusal("levels 1 and 2, not 3", [&] { simulation.update(3); });
  auto event = std::make_shared<Event>(EventType::UserDefined, 0.5, [](EventDriven&) {});
  expectRefusal("period -1 of an event", [&] { event->setPeriod(-1); });
  simulation.initialize();
  expectRefusal("a null pointer", [&] { simulation.eventsManager()->insertEvent(nullptr); });
  expectRefusal("lies after the final time 1", [&] {
    simulation.eventsManager()->insertEvent(std::make_shared<Event>(EventType::UserDefined, 2.0, [](EventDriven&) {}));
  });
}

TEST(SimulationRefusals, WhatInstantImpactsDoNotTreat) {
  const auto message = [](const std::shared_ptr<DynamicalSystem>& ds, const std::shared_ptr<Interaction>& interaction) {
    NonSmoothDynamicalSystem model(0.0);
    model.insertDynamicalSystem(ds);
    if (interaction) model.link(interaction, ds);
    MLCP problem;
    return messageOf([&] { InstantImpact(model, problem).compute(0.0); });
  };
  EXPECT_NE(message(std::make_shared<FirstOrderLinearTIDS>(one(0), square(0)), nullptr).find("FirstOrderLinearTIDS"),
            std::string::npos);
  auto held = ball();
  held->setBoundaryConditions(std::make_shared<FixedBC>(std::vector<Index>{0}));
  EXPECT_NE(message(held, nullptr).find("boundary conditions (of system 0)"), std::string::npos);
  const auto law = std::make_shared<NewtonImpactNSL>(0.5);
  EXPECT_NE(
      message(ball(), std::make_shared<Interaction>(law, std::make_shared<LagrangianCompliantLinearTIR>(square(1), square(1))))
          .find("InstantImpact does not treat relation LagrangianCompliantLinearTIR"),
      std::string::npos);
}

TEST(SimulationRefusals, CheckpointsThatAreNeverSaved) {
  NonSmoothDynamicalSystem model(0.0, 1.0);
  model.insertDynamicalSystem(ball());
  TimeDiscretisation instants(0.0, 0.1);
  MoreauJeanOSI integrator(0.5);
  LCP problem;
  TimeStepping simulation(model, instants, integrator, problem);
  expectRefusal("every 0 steps", [&] { Checkpoints(simulation, "state", 0); });
}

// Problems that are solved are none to be looked at.
TEST(SimulationRefusals, CapturesOfFailuresLeaveOutWhatIsSolved) {
  using Capture = OneStepNSProblem::Capture;
  for (const Capture which : {Capture::Failed, Capture::All}) {
    NonSmoothDynamicalSystem model(0.0, 1.0);
    auto ds = ball();
    model.insertDynamicalSystem(ds);
    model.link(contactOf(std::make_shared<NewtonImpactNSL>(0.5)), ds);
    TimeDiscretisation instants(0.0, 0.1);
    MoreauJeanOSI integrator(0.5);
    LCP problem;
    const auto folder = scratchFolder("captures");
    problem.setCapture(which, (folder / "lcp").string());
    TimeStepping simulation(model, instants, integrator, problem);
    EXPECT_TRUE(simulation.computeOneStep().solve.certified);
    EXPECT_EQ(std::filesystem::is_empty(folder), which == Capture::Failed);
  }
}

}  // namespace simulation_refusals_test
