// Event-driven steps that fail and are done again; models that change within events.
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "message_of.hpp"
#include "nonsmooth/kernel/kernel.hpp"
#include "one_entry.hpp"

namespace event_failures_test {

using namespace nonsmooth::kernel;
using test::expectRefusal;
using test::messageOf;
using test::one;
using test::square;

constexpr double gravity = 9.81, pi = 3.14159265358979323846;

std::shared_ptr<Interaction> newFloor(double restitution) {
  return std::make_shared<Interaction>(std::make_shared<NewtonImpactNSL>(restitution),
                                       std::make_shared<LagrangianLinearTIR>(square(1)));
}

std::shared_ptr<LagrangianLinearTIDS> newBall(double height) {
  auto ball = std::make_shared<LagrangianLinearTIDS>(one(height), one(0), square(1));
  ball->setFExt(one(-gravity));
  return ball;
}

// Height of a ball dropped from `height`, after a time in which it may bounce.
double bouncing(double height, double restitution, double time) {
  double fall = std::sqrt(2 * height / gravity), speed = gravity * fall * restitution;
  if (time <= fall) return height - 0.5 * gravity * time * time;
  for (time -= fall; time > 2 * speed / gravity; speed *= restitution) time -= 2 * speed / gravity;
  return speed * time - 0.5 * gravity * time * time;
}

template <class Integrator>
std::unique_ptr<EventDrivenOSI> make() {
  if constexpr (std::is_same_v<Integrator, NewMarkAlphaOSI>)
    return std::make_unique<NewMarkAlphaOSI>(0.9);
  else
    return std::make_unique<Integrator>();
}

template <class Integrator>
struct EventFailures : ::testing::Test {
  NonSmoothDynamicalSystem model{0.0, 1.0};
  TimeDiscretisation instants{0.0, 0.1};
  std::unique_ptr<EventDrivenOSI> integrator = make<Integrator>();
  LCP impact, acceleration;
  EventDriven simulation{model, instants, integrator.get(), impact, acceleration};
};
using Integrators = ::testing::Types<LsodarOSI, Hem5OSI, NewMarkAlphaOSI>;
TYPED_TEST_SUITE(EventFailures, Integrators);

TYPED_TEST(EventFailures, AFirstStepThatIsRefused) {
  auto ball = newBall(-0.1);
  this->model.insertDynamicalSystem(ball);
  this->model.link(newFloor(0.5), ball);
  expectRefusal("overlap", [&] { this->simulation.run(); });
  expectRefusal("overlap", [&] { this->simulation.run(); });
  ball->setq(one(6));
  this->simulation.run();
  EXPECT_NEAR(ball->q()[0], bouncing(6, 0.5, 1.0), 1e-8);
}

// A force that cannot be told once, at that instant or later.
TYPED_TEST(EventFailures, AForceThatThrows) {
  for (const double instant : {0.0, 0.33, 0.55, 0.9}) {
    NonSmoothDynamicalSystem motion(0.0, 1.0);
    auto ball = std::make_shared<LagrangianDS>(one(1), one(0), square(1));
    bool armed = true;
    ball->setComputeFExtFunction([&](double t, VectorRef out, VectorRef) {
      if (armed && t >= instant) {
        armed = false;
        throw std::runtime_error("no force");
      }
      out[0] = -1;
    });
    motion.insertDynamicalSystem(ball);
    EventDriven run(motion, this->instants, this->integrator.get(), this->impact, this->acceleration);
    int failed = 0;
    while (run.hasNextEvent()) {
      const double q = ball->q()[0], v = ball->velocity()[0];
      if (messageOf([&] { run.computeOneStep(); }).empty()) continue;
      ++failed;
      EXPECT_EQ(ball->q()[0], q) << instant;
      EXPECT_EQ(ball->velocity()[0], v) << instant;
    }
    EXPECT_EQ(failed, 1) << instant;
    EXPECT_NEAR(ball->q()[0], 0.5, 1e-9) << instant;
  }
}

TYPED_TEST(EventFailures, AnActionThatThrowsIsDoneAgain) {
  auto ball = newBall(6);
  this->model.insertDynamicalSystem(ball);
  int calls = 0, failed = 0;
  this->simulation.eventsManager()->insertEvent(
      EventType::Actuator, 0.25,
      [&](EventDriven&) {
        if (++calls == 2) throw std::runtime_error("action");
      },
      0.25);
  while (this->simulation.hasNextEvent()) {
    const double start = this->simulation.startingTime(), q = ball->q()[0];
    if (messageOf([&] { this->simulation.computeOneStep(); }).empty()) continue;
    ++failed;
    EXPECT_EQ(this->simulation.startingTime(), start);
    EXPECT_EQ(ball->q()[0], q);
    EXPECT_EQ(this->simulation.nextTime(), 0.5);
  }
  EXPECT_EQ(failed, 1);
  EXPECT_EQ(calls, 5);  // 4 instants
  EXPECT_NEAR(ball->q()[0], bouncing(6, 0, 1.0), 1e-9);
}

// Whenever it throws: before or after an impact, at an instant of the discretisation.
TYPED_TEST(EventFailures, ATrajectoryCallbackThatThrows) {
  for (const int bad : {1, 3, 6, 7, 8}) {
    NonSmoothDynamicalSystem motion(0.0, 1.0);
    auto ball = newBall(1);
    motion.insertDynamicalSystem(ball);
    motion.link(newFloor(0.8), ball);
    EventDriven run(motion, this->instants, this->integrator.get(), this->impact, this->acceleration);
    int calls = 0, failed = 0;
    run.setTrajectoryCallback([&](const EventDriven&, bool) {
      if (++calls == bad) throw std::runtime_error("callback");
    });
    while (run.hasNextEvent())
      if (!messageOf([&] { run.computeOneStep(); }).empty()) ++failed;
    EXPECT_EQ(failed, 1) << bad;
    EXPECT_EQ(run.count(ContactEvent::Impact), 1) << bad;
    EXPECT_EQ(run.eventLog().size(), 1u) << bad;
    EXPECT_EQ(run.eventsManager()->processed(), 11) << bad;
    EXPECT_NEAR(ball->q()[0], bouncing(1, 0.8, 1.0), 1e-8) << bad;
  }
}

// A step that fails gives back what its entries have pushed out of a log that is full.
TYPED_TEST(EventFailures, TheLogKeepsItsOldestEntries) {
  NonSmoothDynamicalSystem motion(0.0, 1.0);
  auto ball = newBall(0.1);
  motion.insertDynamicalSystem(ball);
  motion.link(newFloor(0.8), ball);
  EventDriven run(motion, this->instants, this->integrator.get(), this->impact, this->acceleration);
  run.setEventLogLength(2);
  bool fails = false;
  run.setTrajectoryCallback([&](const EventDriven&, bool before) {
    if (!before && std::exchange(fails, false)) throw std::runtime_error("callback");
  });
  const auto log = [&] {
    std::vector<double> times;
    for (const ContactRecord& record : run.eventLog()) times.push_back(record.time);
    return times;
  };
  while (run.count(ContactEvent::Impact) < 2) run.computeOneStep();
  const std::vector<double> full = log();
  EXPECT_EQ(full.size(), 2u);
  while (log() == full) {
    fails = true;
    EXPECT_EQ(messageOf([&] { run.computeOneStep(); }), "callback");
    EXPECT_EQ(log(), full);
    run.computeOneStep();
  }
  EXPECT_EQ(log().front(), full.back());
  run.setEventLogLength(1);
  EXPECT_EQ(run.eventLog().size(), 1u);
}

// Two balls, one of which rests from the start. What an event or a callback does to the model, in the order of the list.
class Changes {
 public:
  enum Kind { ReleaseResting, ReleaseBouncing, AddBall, RemoveBouncing, Relink, ReplaceResting, count };

  void apply(int kind) {
    switch (kind) {
      case ReleaseResting: model.removeInteraction(*resting_floor); break;
      case ReleaseBouncing: model.removeInteraction(*bouncing_floor); break;
      case AddBall: add(); break;
      case RemoveBouncing:
        model.removeInteraction(*bouncing_floor);
        model.removeDynamicalSystem(*bouncing_ball);
        break;
      case Relink:
        model.removeInteraction(*resting_floor);
        model.link(newFloor(0.8), bouncing_ball);
        break;
      default:
        model.removeInteraction(*resting_floor);
        model.removeDynamicalSystem(*resting);
        resting.reset();
        resting_floor.reset();
        add();
    }
  }

  // At the end, changed at that instant.
  void expectExact(int kind, double instant) {
    const double left = model.finalT() - instant;
    const bool released = kind == ReleaseResting || kind == Relink;
    if (resting) {
      EXPECT_NEAR(resting->q()[0], released ? -0.5 * gravity * left * left : 0.0, 1e-8) << kind;
    }
    if (kind != RemoveBouncing && kind != ReleaseBouncing) {
      EXPECT_NEAR(bouncing_ball->q()[0], bouncing(1, 0.8, model.finalT()), 1e-8) << kind;
    }
    if (added) {
      EXPECT_NEAR(added->q()[0], bouncing(0.5, 0.8, left), 1e-8) << kind;
    }
  }

  NonSmoothDynamicalSystem model{0.0, 1.5};
  std::shared_ptr<LagrangianLinearTIDS> resting = newBall(0), bouncing_ball = newBall(1), added;
  std::shared_ptr<Interaction> resting_floor = newFloor(0.8), bouncing_floor = newFloor(0.8);
  TimeDiscretisation instants{0.0, 0.1};
  LsodarOSI integrator;
  LCP impact, acceleration;
  EventDriven simulation{model, instants, integrator, impact, acceleration};

  Changes() {
    model.insertDynamicalSystem(resting);
    model.insertDynamicalSystem(bouncing_ball);
    model.link(resting_floor, resting);
    model.link(bouncing_floor, bouncing_ball);
  }

 private:
  void add() {
    added = newBall(0.5);
    model.insertDynamicalSystem(added);
    model.link(newFloor(0.8), added);
  }
};

TEST(EventChanges, OfTheModelByAnEvent) {
  for (const EventType type : {EventType::Actuator, EventType::UserDefined, EventType::Sensor, EventType::Observer})
    for (int kind = 0; kind < Changes::count; ++kind) {
      Changes scene;
      scene.simulation.eventsManager()->insertEvent(type, 1.05, [&](EventDriven&) { scene.apply(kind); });
      scene.simulation.run();
      scene.expectExact(kind, 1.05);
    }
}

TEST(EventChanges, OfTheModelByTheEventCallback) {
  for (int kind = 0; kind < Changes::count; ++kind) {
    Changes scene;
    std::optional<double> instant;
    scene.simulation.setEventCallback([&](const EventDriven&, const ContactRecord& entry) {
      if (instant || entry.time < 0.3) return;
      instant = entry.time;
      scene.apply(kind);
    });
    scene.simulation.run();
    ASSERT_TRUE(instant);
    scene.expectExact(kind, *instant);
  }
}

TEST(EventChanges, OfTheModelByTheTrajectoryCallback) {
  for (const bool wanted : {true, false})
    for (int kind = 0; kind < Changes::count; ++kind) {
      Changes scene;
      std::optional<double> instant;
      scene.simulation.setTrajectoryCallback([&](const EventDriven& simulation, bool before) {
        // `before` the impact, or after an event without one.
        if (instant || before != wanted || simulation.startingTime() < 0.42) return;
        instant = simulation.startingTime();
        scene.apply(kind);
      });
      scene.simulation.run();
      ASSERT_TRUE(instant);
      scene.expectExact(kind, *instant);
    }
}

TYPED_TEST(EventFailures, LawsAndRelationsThatHaveNoEvents) {
  auto ball = newBall(1);
  this->model.insertDynamicalSystem(ball);
  const auto refusal = [&](std::shared_ptr<NonSmoothLaw> law, std::shared_ptr<Relation> relation) {
    auto contact = std::make_shared<Interaction>(std::move(law), std::move(relation));
    this->model.link(contact, ball);
    const std::string message = messageOf([this] { this->simulation.computeOneStep(); });
    this->model.removeInteraction(*contact);
    return message.substr(message.find("does not") == std::string::npos ? message.find("takes") : message.find("does not"));
  };
  const auto rigid = std::make_shared<LagrangianLinearTIR>(square(1)),
             twice = std::make_shared<LagrangianLinearTIR>(Matrix::Ones(2, 1));
  EXPECT_EQ(refusal(std::make_shared<RelayNSL>(1), rigid), "does not treat law RelayNSL");
  EXPECT_EQ(refusal(std::make_shared<NewtonImpactNSL>(2, 0.5), twice),
            "takes law NewtonImpactNSL of size 1: an event belongs to one contact");
  EXPECT_EQ(refusal(std::make_shared<NewtonImpactNSL>(0.5), std::make_shared<LagrangianCompliantLinearTIR>(square(1), square(1))),
            "does not treat relation LagrangianCompliantLinearTIR");
}

// A ball and an event that comes again.
struct Periodic {
  Periodic() {
    model.insertDynamicalSystem(ball);
    simulation.initialize();
  }
  // Nothing has been processed: the event is the next one as before.
  void expectRefusal(const char* part) {
    const long before = events.processed(), acted = calls;
    const double next = simulation.nextTime();
    for (int again = 0; again < 2; ++again) {
      test::expectRefusal(part, [this] { simulation.computeOneStep(); });
      EXPECT_EQ(events.processed(), before);
      EXPECT_EQ(calls, acted);
      EXPECT_EQ(simulation.nextTime(), next);
    }
  }
  std::shared_ptr<LagrangianLinearTIDS> ball = newBall(6);
  NonSmoothDynamicalSystem model{0.0, 1.0};
  TimeDiscretisation instants{0.0, 0.1};
  LsodarOSI integrator;
  LCP impact, acceleration;
  EventDriven simulation{model, instants, integrator, impact, acceleration};
  EventsManager& events = *simulation.eventsManager();
  int calls = 0;
  std::shared_ptr<Event> event = std::make_shared<Event>(EventType::Actuator, 0.25, [this](EventDriven&) { ++calls; });
};

TEST(EventPeriods, AreRefusedBeforeAnythingIsDone) {
  Periodic scene;
  scene.event->setPeriod(1e-20);
  expectRefusal("period", [&] { scene.events.insertEvent(scene.event); });
  scene.event->setPeriod(0.25);
  scene.events.insertEvent(scene.event);
  while (scene.simulation.nextTime() != 0.25) scene.simulation.computeOneStep();
  scene.event->setPeriod(1e-20);
  scene.expectRefusal("period");
  scene.event->setPeriod(0.25);
  scene.simulation.run();
  EXPECT_EQ(scene.calls, 4);
  EXPECT_NEAR(scene.ball->q()[0], 6 - 0.5 * gravity, 1e-9);
}

TEST(EventPeriods, OfTheDiscretisationAreRefusedBeforeAnythingIsDone) {
  Periodic scene;
  scene.simulation.computeOneStep();
  const double resolution = scene.events.resolution();
  scene.events.setResolution(0.2);
  scene.expectRefusal("setResolution");
  scene.events.setResolution(resolution);
  scene.simulation.run();
  EXPECT_EQ(scene.events.processed(), 10);
  EXPECT_NEAR(scene.ball->q()[0], 6 - 0.5 * gravity, 1e-9);
}

// A force that swings twice in a step of an integrator that chooses none: events end without telling of the contact.
TEST(EventFailures, StepsThatAreTooLongAreNamed) {
  const auto ball = newBall(0);
  ball->setComputeFExtFunction([](double t, VectorRef out, VectorRef) { out[0] = -gravity + 12 * std::sin(2 * pi * t); });
  NonSmoothDynamicalSystem model(0.0, 5.0);
  model.insertDynamicalSystem(ball);
  model.link(newFloor(0.3), ball);
  TimeDiscretisation instants(0.0, 0.5);
  NewMarkAlphaOSI integrator(0.9);
  LCP impact, acceleration;
  EventDriven simulation(model, instants, integrator, impact, acceleration);
  expectRefusal("events at t = 0.15232", [&] { simulation.run(); });
  expectRefusal("steps of 0.348 s, whose errors NewMarkAlphaOSI does not control, may be too long", [&] { simulation.run(); });
  integrator.setMaxStepSize(0.01);
  simulation.run();
  EXPECT_EQ(simulation.startingTime(), 5);
}

}  // namespace event_failures_test
