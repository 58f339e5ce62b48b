// A step that fails leaves the state of its start, whatever was done on the way.
#include <functional>
#include <memory>
#include <optional>

#include "ball.hpp"
#include "message_of.hpp"
#include "one_entry.hpp"
#include "trajectory.hpp"

namespace failed_steps_test {

using namespace nonsmooth::kernel;
using nonsmooth::kernel::test::expectRefusal;
using nonsmooth::kernel::test::messageOf;
using test::one;

std::shared_ptr<LagrangianDS> mass(double q) {
  return std::make_shared<LagrangianDS>(one(q), Vector::Zero(1), Matrix::Identity(1, 1));
}

// A body whose force no Newton iteration meets, however short the step; the manager's own action is done at its third call, which
// is in the second halving.
struct Hopeless : InteractionManager {
  explicit Hopeless(std::function<void(NonSmoothDynamicalSystem&)> act) : action(std::move(act)) {
    body->setComputeFIntFunction([](double, ConstVectorRef q, ConstVectorRef, VectorRef out, VectorRef) { out = 1e9 * q; });
    body->setVelocity(one(0.25));
    model.insertDynamicalSystem(body);
    simulation = std::make_unique<TimeStepping>(model, instants, integrator, problem);
    simulation->setFailurePolicy(FailurePolicy::Halve);
    simulation->insertInteractionManager(static_cast<InteractionManager&>(*this));
  }
  void updateInteractions(Simulation&) override {
    if (++calls == 3) action(model);
  }
  void fails() {
    const std::string message = messageOf([this] { simulation->computeOneStep(); });
    EXPECT_NE(message.find("Newton's iteration did not converge"), std::string::npos) << message;
    EXPECT_GE(calls, 7);
    EXPECT_EQ(body->q()[0], 1.0);
    EXPECT_EQ(body->velocity()[0], 0.25);
  }
  std::function<void(NonSmoothDynamicalSystem&)> action;
  int calls = 0;
  std::shared_ptr<LagrangianDS> body = mass(1.0);
  NonSmoothDynamicalSystem model{0.0, 1.0};
  TimeDiscretisation instants{0.0, 0.1};
  MoreauJeanOSI integrator{0.5};
  LCP problem;
  std::unique_ptr<TimeStepping> simulation;
};

TEST(FailedSteps, SystemsInsertedWithinHalvesStay) {
  const auto inserted = mass(5.0), later = mass(7.0);
  Hopeless scene([&](NonSmoothDynamicalSystem& model) { model.insertDynamicalSystem(inserted); });
  scene.fails();
  scene.model.insertDynamicalSystem(later);
  EXPECT_NE(later->slot().v, inserted->slot().v);
  EXPECT_EQ(inserted->q()[0], 5.0);
  EXPECT_EQ(later->q()[0], 7.0);
  scene.model.removeDynamicalSystem(*scene.body);
  scene.simulation->setFailurePolicy(FailurePolicy::Throw);
  scene.simulation->computeOneStep();
  EXPECT_EQ(inserted->q()[0], 5.0);
}

TEST(FailedSteps, PlacesOfSystemsRemovedWithinHalvesAreUsedAgain) {
  const auto guest = mass(5.0), later = mass(7.0);
  Hopeless scene([&](NonSmoothDynamicalSystem& model) { model.removeDynamicalSystem(*guest); });
  scene.model.insertDynamicalSystem(guest);
  const Index place = guest->slot().v;
  scene.fails();
  EXPECT_EQ(guest->q()[0], 5.0);
  scene.model.insertDynamicalSystem(later);
  EXPECT_EQ(later->slot().v, place);
}

// What takes the place of another within the half is not given its state.
TEST(FailedSteps, WhatTakesAPlaceKeepsItsOwnState) {
  const auto guest = mass(5.0), successor = mass(7.0);
  Hopeless scene([&](NonSmoothDynamicalSystem& model) {
    model.removeDynamicalSystem(*guest);
    model.insertDynamicalSystem(successor);
  });
  scene.model.insertDynamicalSystem(guest);
  scene.fails();
  EXPECT_EQ(successor->q()[0], 7.0);
}

// A ball on the floor by the scheme of Schatzman and Paoli; its force throws after an instant.
struct Ball : test::Ball {
  Ball() : test::Ball({.height = 0.2, .velocity = -0.5, .restitution = 0.8}) {
    ds->setComputeFExtFunction([this](double time, VectorRef out, VectorRef) {
      if (time > last_force) fail("no force any more");
      out[0] = -9.81;
    });
    simulation = std::make_unique<TimeStepping>(model, instants, integrator, problem);
  }
  void failOnce() {
    last_force = simulation->getTk();
    EXPECT_EQ(messageOf([this] { simulation->computeOneStep(); }), "no force any more");
    last_force = 1e9;
  }
  std::vector<double> rest() {
    std::vector<double> result;
    simulation->run([&](const Simulation&, const StepStatus&) {
      result.push_back(ds->q()[0]);
      result.push_back(ds->velocity()[0]);
    });
    return result;
  }
  double last_force = 1e9;
  SchatzmanPaoliOSI integrator{0.5};
  LCP problem;
  std::unique_ptr<TimeStepping> simulation;
};

// The first step of the scheme moves q by h v before anything else.
TEST(FailedSteps, SchatzmanPaoliAtTheFirstStep) {
  Ball whole, failing;
  failing.failOnce();
  EXPECT_EQ(failing.ds->q()[0], 0.2);
  EXPECT_EQ(failing.ds->coordinates(Coordinate::old)[0], 0.2);
  EXPECT_EQ(failing.ds->velocity()[0], -0.5);
  failing.failOnce();
  EXPECT_EQ(failing.ds->q()[0], 0.2);
  EXPECT_EQ(failing.rest(), whole.rest());
}

// In contact with restitution the output of one step before counts.
TEST(FailedSteps, SchatzmanPaoliAtAnyStep) {
  Ball whole;
  const std::vector<double> wanted = whole.rest();
  for (int step = 1; step < 60; ++step) {
    Ball failing;
    std::vector<double> found;
    for (int k = 0; k < step; ++k) {
      failing.simulation->computeOneStep();
      found.push_back(failing.ds->q()[0]);
      found.push_back(failing.ds->velocity()[0]);
    }
    failing.simulation->nextStep();
    failing.failOnce();
    failing.failOnce();
    for (const double value : failing.rest()) found.push_back(value);
    ASSERT_EQ(found, wanted) << step;
  }
}

TEST(FailedSteps, SchatzmanPaoliRefusesHalving) {
  Ball ball;
  const char* reason = "integrator SchatzmanPaoliOSI needs a constant step: the failure policy Halve";
  expectRefusal(reason, [&] { ball.simulation->setFailurePolicy(FailurePolicy::Halve); });
  EXPECT_EQ(ball.simulation->failurePolicy(), FailurePolicy::Throw);
  Ball other;
  TimeStepping later(other.model, other.instants);
  later.setFailurePolicy(FailurePolicy::Halve);
  later.insertIntegrator(other.integrator);
  later.insertNonSmoothProblem(other.problem);
  expectRefusal(reason, [&] { later.initialize(); });
}

// A body that takes the place and the address of another is another one: its mass counts, and its own first step.
template <class Integrator>
void expectTheSuccessorsMass() {
  std::optional<LagrangianLinearTIDS> body;  // outlives the model
  NonSmoothDynamicalSystem model(0.0, 1.0);
  TimeDiscretisation instants(0.0, 0.1);
  Integrator integrator(0.5);
  TimeStepping simulation(model, instants);
  simulation.insertIntegrator(integrator);
  const auto enter = [&](double mass) {
    body.emplace(one(0), one(1), Matrix::Constant(1, 1, mass));
    body->setFExt(one(1));
    model.insertDynamicalSystem(*body);
  };
  enter(1.0);
  simulation.computeOneStep();
  model.removeDynamicalSystem(*body);
  enter(4.0);
  simulation.computeOneStep();
  EXPECT_NEAR(integrator.getW(*body)(0, 0), 4.0, 1e-12);
}

TEST(Successors, HaveTheirOwnMass) {
  expectTheSuccessorsMass<MoreauJeanOSI>();
  expectTheSuccessorsMass<SchatzmanPaoliOSI>();
}

// One integrator for a row of models that stand at the same address, body by body.
TEST(Successors, OfAModelHaveTheirOwnMass) {
  MoreauJeanOSI integrator(0.5);
  std::optional<LagrangianLinearTIDS> body;
  std::optional<NonSmoothDynamicalSystem> model;
  for (const double mass : {1.0, 4.0}) {
    model.reset();
    body.emplace(one(0), one(1), Matrix::Constant(1, 1, mass));
    model.emplace(0.0, 1.0);
    model->insertDynamicalSystem(*body);
    TimeDiscretisation instants(0.0, 0.1);
    TimeStepping simulation(*model, instants);
    simulation.insertIntegrator(integrator);
    simulation.computeOneStep();
    EXPECT_EQ(integrator.getW(*body)(0, 0), mass);
  }
}

// Two bodies, one on the other on the floor, on weak springs, and a solver that makes two sweeps in a solve: with each of
// Newton's iterates it starts from the last one's multipliers, and comes nearer.
struct Stack {
  Stack() {
    bodies->setFExt(Vector::Constant(2, -10.0));
    bodies->setComputeFIntFunction([this](double, ConstVectorRef q, ConstVectorRef, VectorRef out, VectorRef) {
      out = 120 * q;
      if (!problem.report().certified) ++uncertified;
    });
    model.insertDynamicalSystem(bodies);
    const auto law = std::make_shared<NewtonImpactNSL>(0.0);
    for (const auto& row : {Eigen::RowVector2d(1, 0), Eigen::RowVector2d(-1, 1)})
      model.link(std::make_shared<Interaction>(law, std::make_shared<LagrangianLinearTIR>(Matrix(row))), bodies);
    problem.setTolerance(1e-8);
    problem.setOption("max_iterations", 2);
    simulation.setNewtonTolerance(1e-10);
  }
  std::shared_ptr<LagrangianDS> bodies =
      std::make_shared<LagrangianDS>(Vector::Zero(2), Vector::Zero(2), Matrix(Matrix::Identity(2, 2)));
  NonSmoothDynamicalSystem model{0.0, 1.0};
  TimeDiscretisation instants{0.0, 0.1};
  MoreauJeanOSI integrator{0.5};
  LCP problem{"block_gauss_seidel"};
  TimeStepping simulation{model, instants, integrator, problem};
  int uncertified = 0;
};

TEST(StatusOfAStep, LeavesOutIteratesThatWereDoneAgain) {
  Stack stack;
  const StepStatus status = stack.simulation.computeOneStep();
  EXPECT_GT(stack.uncertified, 0);
  EXPECT_TRUE(status.newtonConverged);
  EXPECT_TRUE(status.solve.certified);
  EXPECT_LE(status.solve.residual, 1e-8);
}

TEST(StatusOfAStep, KeepsTheLargestResidual) {
  Stack stack;
  stack.problem.setTolerance(0.5);
  stack.simulation.nextStep();
  stack.simulation.computeFreeStep();
  stack.simulation.updateIndexSets();
  const SolveReport loose = stack.simulation.computeOneStepNSProblem();
  stack.problem.setSolver("lemke");
  stack.problem.setTolerance(1e-12);
  stack.problem.setOption("max_iterations", 0);
  const SolveReport tight = stack.simulation.computeOneStepNSProblem();
  ASSERT_TRUE(loose.certified && tight.certified);
  ASSERT_GT(loose.residual, tight.residual);
  EXPECT_EQ(stack.simulation.status().solve.residual, loose.residual);
}

}  // namespace failed_steps_test
