// A step that fails leaves the state of its start, whatever was done on the way.
#include <functional>
#include <memory>
#include <optional>

#include "message_of.hpp"
#include "trajectory.hpp"

namespace {

using namespace nonsmooth::kernel;
using nonsmooth::kernel::test::messageOf;

Vector one(double x) { return Vector::Constant(1, x); }

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

}  // namespace
