// What a program may do to a simulation in the midst of a run, or by mistake.
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

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
    EXPECT_NE(messageOf([&] { scene.simulation->run(); }).find(events ? "is being processed" : "managers are at work"),
              std::string::npos);
    // The second step is done again.
    EXPECT_NEAR(scene.ball->velocity()[0], -0.25, 1e-9) << events;
    scene.simulation->run();
    EXPECT_NEAR(scene.ball->q()[0], 0.5, 1e-9) << events;
  }
}

}  // namespace hostile_use_test
