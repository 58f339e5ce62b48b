// What a program may do to a simulation in the midst of a run, or by mistake.
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "event_verbs.hpp"
#include "message_of.hpp"
#include "nonsmooth/kernel/kernel.hpp"
#include "one_entry.hpp"

namespace hostile_use_test {

using namespace nonsmooth::kernel;
using test::expectRefusal;
using test::messageOf;
using test::one;
using test::square;

// Calls a function of its own.
struct Manager : InteractionManager {
  explicit Manager(std::function<void(Simulation&)> what) : act(std::move(what)) {}
  void updateInteractions(Simulation& simulation) override { act(simulation); }
  std::function<void(Simulation&)> act;
};

struct Falling {
  NonSmoothDynamicalSystem model{0.0, 1.0};
  std::shared_ptr<LagrangianLinearTIDS> ball = std::make_shared<LagrangianLinearTIDS>(one(1), one(0), square(1));
  std::unique_ptr<Simulation> simulation;
  explicit Falling(bool events) {
    ball->setFExt(one(-1));
    model.insertDynamicalSystem(ball);
    const auto instants = std::make_shared<TimeDiscretisation>(0.0, 0.25);
    if (events)
      simulation = std::make_unique<EventDriven>(model, instants, std::make_shared<LsodarOSI>(), std::make_shared<LCP>(),
                                                 std::make_shared<LCP>());
    else
      simulation = std::make_unique<TimeStepping>(model, instants, std::make_shared<MoreauJeanOSI>(), std::make_shared<LCP>());
  }
};

TEST(HostileUse, ManagersThatInsertManagers) {
  for (const bool events : {false, true}) {
    Falling scene(events);
    int calls = 0, calls_of_others = 0;
    scene.simulation->insertInteractionManager(std::make_shared<Manager>([&](Simulation& simulation) {
      if (++calls > 1) return;
      for (int k = 0; k < 20; ++k)
        simulation.insertInteractionManager(std::make_shared<Manager>([&](Simulation&) { ++calls_of_others; }));
    }));
    scene.simulation->run();
    EXPECT_EQ(calls, 4) << events;
    EXPECT_EQ(calls_of_others, 80) << events;
    EXPECT_NEAR(scene.ball->q()[0], 0.5, 1e-9) << events;
  }
}

// A step within a step would never end.
TEST(HostileUse, ManagersThatBeginAStep) {
  for (const bool events : {false, true}) {
    Falling scene(events);
    int calls = 0;
    scene.simulation->insertInteractionManager(std::make_shared<Manager>([&](Simulation& simulation) {
      if (++calls == 2) simulation.computeOneStep();
    }));
    expectRefusal(events ? "is being processed" : "managers are at work", [&] { scene.simulation->run(); });
    // The second step is done again.
    EXPECT_NEAR(scene.ball->velocity()[0], -0.25, 1e-9) << events;
    scene.simulation->run();
    EXPECT_NEAR(scene.ball->q()[0], 0.5, 1e-9) << events;
  }
}

// Bodies and contacts that come and go in callbacks of a run.
TEST(HostileUse, BodiesComeAndGoInCallbacks) {
  for (const bool events : {false, true}) {
    Falling scene(events);
    std::shared_ptr<LagrangianLinearTIDS> guest;
    std::shared_ptr<Interaction> floor;
    int step = 0;
    scene.simulation->run([&](const Simulation&, const StepStatus& status) {
      ++step;
      EXPECT_EQ(status.activeContacts, step == 2 || step == 3 ? 1 : 0) << events << ", step " << step;
      if (step == 1) {
        guest = std::make_shared<LagrangianLinearTIDS>(one(0), one(0), square(2));
        guest->setFExt(one(-3));
        floor = std::make_shared<Interaction>(std::make_shared<NewtonImpactNSL>(0.5),
                                              std::make_shared<LagrangianLinearTIR>(square(1)));
        scene.model.insertDynamicalSystem(guest);
        scene.model.link(floor, guest);
      }
      if (step == 3) {
        EXPECT_NEAR(guest->q()[0], 0, 1e-12) << events;
        scene.model.removeInteraction(*floor);
        expectRefusal("is not in the model", [&] { scene.model.removeInteraction(*floor); });
        scene.model.removeDynamicalSystem(*guest);
        expectRefusal("is not in this model", [&] { scene.model.removeDynamicalSystem(*guest); });
        guest.reset();
        floor.reset();
      }
    });
    EXPECT_EQ(step, 4) << events;
    EXPECT_NEAR(scene.ball->q()[0], 0.5, 1e-9) << events;
  }
}

TEST(HostileUse, NullPointersAndEmptyFunctions) {
  const char* null = "a null pointer was given";
  Falling scene(false);
  expectRefusal(null, [&] { scene.model.insertDynamicalSystem(std::shared_ptr<LagrangianDS>()); });
  expectRefusal(null, [&] { scene.simulation->insertIntegrator(std::shared_ptr<MoreauJeanOSI>()); });
  expectRefusal(null, [&] { scene.simulation->insertNonSmoothProblem(std::shared_ptr<LCP>(), "other"); });
  expectRefusal(null, [&] { scene.simulation->insertInteractionManager(std::shared_ptr<Manager>()); });
  expectRefusal(null, [&] { scene.simulation->setTimeDiscretisation(std::shared_ptr<TimeDiscretisation>()); });
  const auto law = std::make_shared<NewtonImpactNSL>(0.5);
  const auto relation = std::make_shared<LagrangianLinearTIR>(square(1));
  expectRefusal(null, [&] { Interaction(law, std::shared_ptr<LagrangianLinearTIR>()); });
  expectRefusal(null, [&] { Interaction(std::shared_ptr<NewtonImpactNSL>(), relation); });
  const auto contact = std::make_shared<Interaction>(law, relation);
  expectRefusal(null, [&] { scene.model.link(contact, std::shared_ptr<LagrangianLinearTIDS>()); });
  expectRefusal(null, [&] { scene.model.link(contact, scene.ball, std::shared_ptr<LagrangianLinearTIDS>()); });
  EXPECT_FALSE(contact->isLinked());
  expectRefusal("an empty function was given", [&] { scene.ball->setComputeFExtFunction(nullptr); });
  expectRefusal(null, [&] { scene.ball->setFExtPtr(nullptr); });
  expectRefusal("needs h and G", [] { LagrangianScleronomousR(ConfigurationToVector(), nullptr); });
  scene.simulation->run(nullptr);
  EXPECT_NEAR(scene.ball->q()[0], 0.5, 1e-9);
}

// A shared vector that its owner has made longer or shorter since.
TEST(HostileUse, SharedOperatorsOfAnotherSize) {
  for (const bool events : {false, true})
    for (const Index size : {0, 5000}) {
      Falling scene(events);
      const auto force = std::make_shared<Vector>(Vector::Constant(1, -1.0));
      scene.ball->setFExtPtr(force);
      scene.simulation->computeOneStep();
      force->setConstant(size, -1.0);
      for (const bool energy : {false, true}) {
        const std::string message = messageOf([&] {
          if (energy) scene.model.potentialEnergy();
          scene.simulation->computeOneStep();
        });
        EXPECT_EQ(message, "FExt is " + std::to_string(size) + " x 1, 1 x 1 expected") << events;
      }
      EXPECT_NEAR(scene.ball->velocity()[0], -0.25, 1e-9);
      force->setConstant(1, -1.0);
      scene.simulation->run();
      EXPECT_NEAR(scene.ball->q()[0], 0.5, 1e-9) << events << ", " << size;
    }
}

// And matrices, with or without telling the system.
TEST(HostileUse, SharedMatricesOfAnotherSize) {
  using Set = void (*)(LagrangianLinearTIDS&, std::shared_ptr<Matrix>);
  const std::pair<const char*, Set> operators[] = {
      {"K", [](LagrangianLinearTIDS& ball, std::shared_ptr<Matrix> value) { ball.setKPtr(value); }},
      {"C", [](LagrangianLinearTIDS& ball, std::shared_ptr<Matrix> value) { ball.setCPtr(value); }},
      {"mass", [](LagrangianLinearTIDS& ball, std::shared_ptr<Matrix> value) { ball.setMassPtr(value); }}};
  for (const auto& [name, set] : operators)
    for (const bool events : {false, true})
      for (const Index size : {0, 5}) {
        Falling scene(events);
        const Matrix right = square(name == std::string("mass") ? 1 : 0);
        const auto shared = std::make_shared<Matrix>(right);
        set(*scene.ball, shared);
        scene.simulation->computeOneStep();
        *shared = Matrix::Ones(size, size);
        scene.ball->touch();
        const std::string message = messageOf([&] { scene.simulation->computeOneStep(); }), number = std::to_string(size);
        EXPECT_EQ(message, name + (" is " + number) + " x " + number + ", 1 x 1 expected") << events;
        EXPECT_NEAR(scene.ball->velocity()[0], -0.25, 1e-10);
        *shared = right;
        scene.ball->touch();
        scene.simulation->run();
        EXPECT_NEAR(scene.ball->q()[0], 0.5, 1e-9) << events << ", " << size;
      }
  FirstOrderLinearTIDS system(one(1), square(-1));
  const auto M = std::make_shared<Matrix>(square(1));
  system.setMPtr(M);
  *M = Matrix::Ones(5, 5);
  expectRefusal("M is 5 x 5, 1 x 1 expected", [&] { system.computeRhs(0.0); });
  expectRefusal("M is 5 x 5, 1 x 1 expected", [&] { system.M(); });
}

TEST(HostileUse, StatesOfAnotherSize) {
  Falling scene(false);
  expectRefusal("q has 2 entries, 1 expected", [&] { scene.ball->setq(Vector::Zero(2)); });
  expectRefusal("velocity has 0 entries, 1 expected", [&] { scene.ball->setVelocity(Vector()); });
  const auto law = std::make_shared<NewtonImpactNSL>(0.5);
  for (const auto& [rows, columns] : {std::pair{1, 2}, {2, 1}, {0, 0}}) {
    const auto relation = std::make_shared<LagrangianLinearTIR>(Matrix::Ones(rows, columns));
    EXPECT_NE(messageOf([&] { scene.model.link(std::make_shared<Interaction>(law, relation), scene.ball); }), "");
  }
  EXPECT_EQ(scene.model.numberOfInteractions(), 0);
  scene.simulation->run();
  EXPECT_NEAR(scene.ball->q()[0], 0.5, 1e-9);
}

// What index sets and functions of events name is not in the model any more.
TEST(HostileUse, VerbsOfEventsAfterAChangeOfTheModel) {
  std::vector<test::EventVerb> verbs = test::event_verbs;
  verbs.emplace_back([](EventDriven& s) { s.processEvents(); });
  verbs.emplace_back([](EventDriven& s) {
    double start = s.startingTime(), end = s.nextTime(), out = end;
    int found = 1;
    s.integrate(start, end, out, found);
  });
  for (const test::EventVerb& verb : verbs) {
    Falling scene(true);
    auto& simulation = dynamic_cast<EventDriven&>(*scene.simulation);
    const auto floor = std::make_shared<Interaction>(std::make_shared<NewtonImpactNSL>(0.5),
                                                     std::make_shared<LagrangianLinearTIR>(square(1), one(9)));
    scene.model.link(floor, scene.ball);
    simulation.computeOneStep();
    simulation.advanceToEvent();
    scene.model.removeInteraction(*floor);
    expectRefusal("the model has changed since the last event: advanceToEvent or initialize comes first",
                  [&] { verb(simulation); });
    simulation.run();
    EXPECT_NEAR(scene.ball->q()[0], 0.5, 1e-9);
  }
}

// Whatever is thrown, an exception or not.
TEST(HostileUse, WhatIsThrownReachesTheCaller) {
  for (const bool events : {false, true}) {
    Falling scene(events);
    bool armed = true;
    scene.ball->setComputeFExtFunction([&](double t, VectorRef out, VectorRef) {
      if (armed && t > 0.6) throw 42;
      out[0] = -1;
    });
    int thrown = 0;
    try {
      scene.simulation->run();
    } catch (const int value) {
      thrown = value;
    }
    EXPECT_EQ(thrown, 42) << events;
    armed = false;
    scene.simulation->run();
    EXPECT_NEAR(scene.ball->q()[0], 0.5, 1e-9) << events;
  }
}

// Instants and final times that leave nothing to do.
TEST(HostileUse, NoTimeAtAll) {
  expectRefusal("the time step is 0", [] { TimeDiscretisation(0.0, 0.0); });
  expectRefusal("is not after", [] { TimeDiscretisation(std::vector<double>{0.0, 0.0}); });
  expectRefusal("is not after", [] { TimeDiscretisation(std::vector<double>{0.0, 1.0, 0.5}); });
  expectRefusal("is not after", [] { NonSmoothDynamicalSystem(1.0, 1.0); });
  Falling scene(false);
  scene.simulation->computeOneStep();
  scene.simulation->nextStep();
  expectRefusal("is not after", [&] { scene.model.setT(0.0); });
  scene.model.setT(0.1);
  EXPECT_FALSE(scene.simulation->hasNextEvent());
  // A step that is asked for all the same is done.
  scene.simulation->computeOneStep();
  EXPECT_NEAR(scene.ball->velocity()[0], -0.5, 1e-12);
  scene.simulation->nextStep();
  scene.model.setT(1.0);
  scene.simulation->run();
  EXPECT_NEAR(scene.ball->q()[0], 0.5, 1e-12);
}

// Nothing has been factorised before the first step, nor where computeFreeStep has failed.
TEST(HostileUse, PartsOfAStepThatHasNotBegun) {
  Falling scene(false);
  auto& simulation = dynamic_cast<TimeStepping&>(*scene.simulation);
  const auto expectRefusals = [&] {
    const char* none = "or none has begun: computeFreeStep comes first";
    expectRefusal(none, [&] { simulation.updateIndexSets(); });
    expectRefusal(none, [&] { simulation.computeOneStepNSProblem(); });
    expectRefusal(none, [&] { simulation.updateInput(); });
    expectRefusal(none, [&] { simulation.updateState(); });
    expectRefusal(none, [&] { simulation.updateOutput(); });
    expectRefusal(none, [&] { simulation.update(); });
  };
  expectRefusals();
  bool armed = true;
  scene.ball->setComputeFExtFunction([&](double, VectorRef out, VectorRef) {
    if (armed) throw std::runtime_error("armed");
    out[0] = -1;
  });
  expectRefusal("armed", [&] { simulation.computeFreeStep(); });
  expectRefusals();
  armed = false;
  simulation.computeFreeStep();
  simulation.updateIndexSets();
  simulation.computeOneStepNSProblem();
  simulation.update();
  EXPECT_NEAR(scene.ball->velocity()[0], -0.25, 1e-12);
  simulation.run();
  EXPECT_NEAR(scene.ball->q()[0], 0.5, 1e-12);
}

// Its matrices are those of another simulation then.
TEST(HostileUse, PartsOfAStepWhoseIntegratorServesAnother) {
  Falling scene(false), other(false);
  auto& simulation = dynamic_cast<TimeStepping&>(*scene.simulation);
  simulation.computeFreeStep();
  const auto integrator = std::make_shared<MoreauJeanOSI>();
  TimeStepping first(scene.model, std::make_shared<TimeDiscretisation>(0.0, 0.25), integrator, std::make_shared<LCP>());
  first.computeFreeStep();
  first.updateIndexSets();
  TimeStepping second(other.model, std::make_shared<TimeDiscretisation>(0.0, 0.25), integrator, std::make_shared<LCP>());
  expectRefusal("has begun to serve another simulation", [&] { first.update(); });
}

// The last of the instants that were given: there is no step after it, and none is begun.
TEST(HostileUse, StepsAfterTheLastInstant) {
  Falling scene(false);
  TimeStepping simulation(scene.model, std::make_shared<TimeDiscretisation>(std::vector<double>{0.0, 0.25, 0.5}),
                          std::make_shared<MoreauJeanOSI>(), std::make_shared<LCP>());
  simulation.run();
  for (int k = 0; k < 2; ++k) {
    expectRefusal("instant 3 of 3", [&] { simulation.computeOneStep(); });
    EXPECT_FALSE(simulation.hasNextEvent());
    EXPECT_EQ(simulation.getTk(), 0.5);
    EXPECT_NEAR(scene.ball->velocity()[0], -0.5, 1e-12);
  }
}

// The second time the motion is there already, also where it ends with an impact.
TEST(HostileUse, MotionToAnEventTwice) {
  Falling scene(true);
  auto& simulation = dynamic_cast<EventDriven&>(*scene.simulation);
  const auto floor = std::make_shared<Interaction>(std::make_shared<NewtonImpactNSL>(0.5),
                                                   std::make_shared<LagrangianLinearTIR>(square(1), one(-0.5)));
  scene.ball->setq(one(0.6));
  scene.model.link(floor, scene.ball);
  while (simulation.hasNextEvent()) {
    simulation.advanceToEvent();
    const double time = simulation.nextTime();
    simulation.advanceToEvent();
    EXPECT_EQ(simulation.nextTime(), time);
    simulation.processEvents();
  }
  EXPECT_EQ(simulation.count(ContactEvent::Impact), 2);
}

// Forces and accelerations tell who stays closed, and there are none yet.
TEST(HostileUse, DoubleConditionBeforeAccelerations) {
  Falling scene(true);
  auto& simulation = dynamic_cast<EventDriven&>(*scene.simulation);
  const auto floor = std::make_shared<Interaction>(std::make_shared<NewtonImpactNSL>(0.5),
                                                   std::make_shared<LagrangianLinearTIR>(square(1), one(-1)));
  scene.model.link(floor, scene.ball);
  simulation.updateIndexSets();
  ASSERT_EQ(simulation.indexSet(2).size(), 1u);
  expectRefusal("\"acceleration\" has not been solved: computeOneStepNSProblem comes first",
                [&] { simulation.updateIndexSetsWithDoubleCondition(); });
  simulation.computeOneStepNSProblem("acceleration");
  simulation.updateIndexSetsWithDoubleCondition();
  simulation.run();
  EXPECT_NEAR(scene.ball->q()[0], 1, 1e-9);
}

}  // namespace hostile_use_test
