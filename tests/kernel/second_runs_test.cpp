// Objects that serve again give what fresh ones give, bit by bit: simulations that go on, models in another simulation, problems
// in another impact.
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <vector>

#include "message_of.hpp"
#include "nonsmooth/kernel/kernel.hpp"
#include "one_entry.hpp"

namespace second_runs_test {

using namespace nonsmooth::kernel;
using test::messageOf;
using test::one;
using test::square;

constexpr double gravity = 9.81;

// Four bodies in a row that touch each other, in a model of their own.
struct Row {
  NonSmoothDynamicalSystem model{0.0};
  std::vector<std::shared_ptr<LagrangianLinearTIDS>> bodies;
  Row() {
    const auto relation = std::make_shared<LagrangianLinearTIR>(Eigen::RowVector2d(-1, 1));
    for (std::size_t k = 0; k < 4; ++k) {
      bodies.push_back(std::make_shared<LagrangianLinearTIDS>(one(0), one(0), square(1 + 0.3 * static_cast<double>(k))));
      model.insertDynamicalSystem(bodies[k]);
      const double exponent = k % 2 == 0 ? 1.5 : 1.0, stiffness = k == 1 ? 2e3 : 1e4;
      if (k > 0)
        model.link(std::make_shared<Interaction>(
                       std::make_shared<MultipleImpactNSL>(0.5 + 0.1 * static_cast<double>(k), stiffness, exponent), relation),
                   bodies[k - 1], bodies[k]);
    }
  }
  std::vector<double> after(InstantImpact& impact, const std::vector<double>& before) {
    for (std::size_t k = 0; k < 4; ++k) bodies[k]->setVelocity(one(before[k]));
    impact.compute(0.0);
    std::vector<double> result;
    for (const auto& body : bodies) result.push_back(body->velocity()[0]);
    return result;
  }
};

using Problems = std::vector<std::function<std::shared_ptr<OSNSMultipleImpact>()>>;

Problems impactProblems() {
  Problems result;
  for (const char* compliance : {"BiStiffness", "MonoStiffness"}) {
    result.push_back([compliance] { return std::make_shared<OSNSMultipleImpact>(compliance); });
    result.push_back([compliance] { return std::make_shared<OSNSMultipleImpact>(compliance, 1e-4); });
  }
  for (const ImpactLaw law : {ImpactLaw::Newton, ImpactLaw::Poisson})
    result.push_back([law] {
      auto problem = std::make_shared<OSNSMultipleImpact>();
      problem->setImpactLaw(law);
      return problem;
    });
  return result;
}

// Impacts at all contacts, at some, with contacts that open at once, and none.
const std::vector<std::vector<double>> approaches = {{1, 0, 0, 0}, {1, 0, 0, -2}, {0, 0, 3, 0}, {-1, 1, 0.5, 2}, {0, 0, 0, 0}};

TEST(SecondRuns, OfMultipleImpacts) {
  for (const auto& make : impactProblems()) {
    std::vector<std::vector<double>> fresh;
    std::vector<long> steps;
    for (const auto& before : approaches) {
      Row row;
      const auto problem = make();
      InstantImpact impact(row.model, problem);
      fresh.push_back(row.after(impact, before));
      steps.push_back(problem->impact().steps);
    }
    EXPECT_NE(fresh[0], approaches[0]);
    Row row;
    const auto problem = make();
    InstantImpact impact(row.model, problem);
    for (int round = 0; round < 3; ++round)
      for (std::size_t k = 0; k < approaches.size(); ++k) {
        EXPECT_EQ(row.after(impact, approaches[k]), fresh[k]) << k << ", round " << round;
        EXPECT_EQ(problem->impact().steps, steps[k]) << k << ", round " << round;
      }
  }
}

TEST(SecondRuns, OfMultipleImpactsAfterOneThatFailed) {
  for (const char* compliance : {"BiStiffness", "MonoStiffness"})
    for (const double deltaP : {0.0, 1e-4}) {
      const auto make = [&] {
        return deltaP > 0 ? std::make_shared<OSNSMultipleImpact>(compliance, deltaP)
                          : std::make_shared<OSNSMultipleImpact>(compliance);
      };
      Row whole, failing;
      const auto reference = make(), problem = make();
      InstantImpact first(whole.model, reference), second(failing.model, problem);
      const std::vector<double> wanted = whole.after(first, approaches[1]);
      for (const long limit : {5L, 50L}) {
        problem->setMaxSteps(limit);
        test::expectRefusal("limit of steps", [&] { failing.after(second, approaches[1]); });
        EXPECT_EQ(failing.bodies[0]->velocity()[0], 1.0);
        EXPECT_EQ(failing.bodies[3]->velocity()[0], -2.0);
      }
      problem->setMaxSteps(1000000);
      EXPECT_EQ(failing.after(second, approaches[1]), wanted) << compliance << ", " << deltaP;
    }
}

// A ball that bounces three times and rests, and one upon it.
struct Balls {
  NonSmoothDynamicalSystem model{0.0, 2.0};
  std::vector<std::shared_ptr<LagrangianLinearTIDS>> balls;
  std::vector<std::shared_ptr<Interaction>> contacts;
  Balls() {
    const auto law = std::make_shared<NewtonImpactNSL>(0.3);
    for (std::size_t k = 0; k < 2; ++k) {
      balls.push_back(std::make_shared<LagrangianLinearTIDS>(one(0.2 + 0.5 * static_cast<double>(k)), one(0), square(1)));
      balls[k]->setFExt(one(-gravity));
      model.insertDynamicalSystem(balls[k]);
    }
    contacts.push_back(std::make_shared<Interaction>(law, std::make_shared<LagrangianLinearTIR>(square(1), one(-0.1))));
    contacts.push_back(
        std::make_shared<Interaction>(law, std::make_shared<LagrangianLinearTIR>(Eigen::RowVector2d(-1, 1), one(-0.2))));
    model.link(contacts[0], balls[0]);
    model.link(contacts[1], balls[0], balls[1]);
  }
  void reset() {
    for (const auto& ball : balls) ball->resetToInitialState();
  }
};

struct Maker {
  const char* name;
  std::function<std::unique_ptr<Simulation>(NonSmoothDynamicalSystem&, std::shared_ptr<TimeDiscretisation>)> make;
};

// Simulations with integrators and problems of their own, or with those of `shared`.
template <class Sim, class Integrator>
Maker timeStepping(const char* name) {
  return {name, [](NonSmoothDynamicalSystem& model, std::shared_ptr<TimeDiscretisation> instants) {
            return std::make_unique<Sim>(model, instants, std::make_shared<Integrator>(), std::make_shared<LCP>());
          }};
}

template <class Sim>
Maker withTwoProblems(const char* name, const auto& integrator) {
  return {name, [integrator](NonSmoothDynamicalSystem& model, std::shared_ptr<TimeDiscretisation> instants) {
            return std::make_unique<Sim>(model, instants, integrator(), std::make_shared<LCP>(), std::make_shared<LCP>());
          }};
}

std::vector<Maker> makers() {
  return {timeStepping<TimeStepping, MoreauJeanOSI>("MoreauJean"),
          timeStepping<TimeStepping, SchatzmanPaoliOSI>("SchatzmanPaoli"),
          timeStepping<TimeSteppingDirectProjection, MoreauJeanDirectProjectionOSI>("DirectProjection"),
          timeStepping<TimeSteppingCombinedProjection, MoreauJeanCombinedProjectionOSI>("CombinedProjection"),
          withTwoProblems<TimeSteppingD1Minus>("D1Minus", [] { return std::make_shared<D1MinusLinearOSI>(); }),
          withTwoProblems<EventDriven>("Lsodar", [] { return std::make_shared<LsodarOSI>(); }),
          withTwoProblems<EventDriven>("Hem5", [] { return std::make_shared<Hem5OSI>(); }),
          withTwoProblems<EventDriven>("NewMarkAlpha", [] { return std::make_shared<NewMarkAlphaOSI>(0.9); })};
}

std::vector<double> statesOf(Balls& scene, Simulation& simulation) {
  std::vector<double> result;
  simulation.run([&](const Simulation&, const StepStatus&) {
    for (std::size_t k = 0; k < 2; ++k) result.insert(result.end(), {scene.balls[k]->q()[0], scene.balls[k]->velocity()[0]});
  });
  return result;
}

std::shared_ptr<TimeDiscretisation> newInstants() { return std::make_shared<TimeDiscretisation>(0.0, 1.0 / 128); }

// The bodies begin again, in another simulation of the same model.
TEST(SecondRuns, OfAModel) {
  for (const Maker& maker : makers()) {
    Balls scene;
    const auto first = maker.make(scene.model, newInstants());
    const std::vector<double> wanted = statesOf(scene, *first);
    ASSERT_GE(wanted.size(), 4 * 256u) << maker.name;
    for (int round = 0; round < 2; ++round) {
      scene.reset();
      const auto again = maker.make(scene.model, newInstants());
      EXPECT_EQ(statesOf(scene, *again), wanted) << maker.name << ", round " << round;
    }
  }
}

// A run to a final time, and on to a later one: as if it had been the latter from the start.
TEST(SecondRuns, OfASimulation) {
  for (const Maker& maker : makers()) {
    Balls scene, whole;
    const auto reference = maker.make(whole.model, newInstants());
    const bool events = dynamic_cast<EventDriven*>(reference.get()) != nullptr;
    if (events) continue;  // their final time stays
    const std::vector<double> wanted = statesOf(whole, *reference);
    scene.model.setT(0.5);
    const auto simulation = maker.make(scene.model, newInstants());
    std::vector<double> found = statesOf(scene, *simulation);
    EXPECT_EQ(found.size(), 4 * 64u) << maker.name;
    EXPECT_TRUE(statesOf(scene, *simulation).empty()) << maker.name;
    scene.model.setT(2.0);
    const std::vector<double> rest = statesOf(scene, *simulation);
    found.insert(found.end(), rest.begin(), rest.end());
    EXPECT_EQ(found, wanted) << maker.name;
    // A final time that is past leaves no step to do.
    scene.model.setT(1.0);
    EXPECT_FALSE(simulation->hasNextEvent());
    EXPECT_TRUE(statesOf(scene, *simulation).empty()) << maker.name;
  }
}

// An event-driven run that has ended has nothing more to do.
TEST(SecondRuns, OfAnEventDrivenSimulationDoNothing) {
  for (const Maker& maker : makers()) {
    Balls scene;
    const auto simulation = maker.make(scene.model, newInstants());
    statesOf(scene, *simulation);
    const double q = scene.balls[1]->q()[0];
    EXPECT_TRUE(statesOf(scene, *simulation).empty()) << maker.name;
    EXPECT_EQ(scene.balls[1]->q()[0], q) << maker.name;
  }
}

// Velocity after one step of 0.1 s of a ball thrown up from the floor with 0.5 m/s. Its gap at half of the step is no contact,
// whatever was one at the end of another simulation.
TEST(SecondRuns, ContactsOfAnotherSimulationAreForgotten) {
  for (const bool combined : {false, true})
    for (const int steps_before : {0, 5}) {
      NonSmoothDynamicalSystem model(0.0, 1.0);
      auto ball = std::make_shared<LagrangianLinearTIDS>(one(0), one(0), square(1));
      ball->setFExt(one(-10));
      model.insertDynamicalSystem(ball);
      model.link(
          std::make_shared<Interaction>(std::make_shared<NewtonImpactNSL>(0.0), std::make_shared<LagrangianLinearTIR>(square(1))),
          ball);
      const auto make = [&]() -> std::unique_ptr<TimeStepping> {
        const auto instants = std::make_shared<TimeDiscretisation>(0.0, 0.1);
        if (combined)
          return std::make_unique<TimeSteppingCombinedProjection>(
              model, instants, std::make_shared<MoreauJeanCombinedProjectionOSI>(), std::make_shared<LCP>());
        return std::make_unique<TimeSteppingDirectProjection>(model, instants, std::make_shared<MoreauJeanDirectProjectionOSI>(),
                                                              std::make_shared<LCP>());
      };
      const auto before = make();
      for (int k = 0; k < steps_before; ++k) {
        before->computeOneStep();
        before->nextStep();
      }
      EXPECT_EQ(ball->q()[0], 0.0);
      ball->setVelocity(one(0.5));
      const auto simulation = make();
      simulation->computeOneStep();
      EXPECT_DOUBLE_EQ(ball->velocity()[0], -0.5) << combined << ", " << steps_before;
    }
}

// A particle above a floor with friction; the first coordinate is its height.
struct Slider {
  NonSmoothDynamicalSystem model{0.0, 0.5};
  std::shared_ptr<LagrangianLinearTIDS> body;
  Slider(const Vector3& q, const Vector3& v) : body(std::make_shared<LagrangianLinearTIDS>(q, v, Matrix::Identity(3, 3))) {
    body->setFExt(Vector3(-gravity, 0, 0));
    model.insertDynamicalSystem(body);
    model.link(std::make_shared<Interaction>(std::make_shared<NewtonImpactFrictionNSL>(0.5, 0, 0.3, 3),
                                             std::make_shared<LagrangianLinearTIR>(Matrix(Matrix::Identity(3, 3)))),
               body);
  }
};

// An event-driven simulation solves without multipliers of before, to 1e-12 where no tolerance is set: that is not left to the
// next simulation.
TEST(SecondRuns, ProblemsKeepTheirOwnOptions) {
  const auto slide = [](std::shared_ptr<FrictionContact> problem) {
    Slider slider(Vector3(0, 0.01, 0), Vector3(0, 1, 0.5));
    TimeStepping simulation(slider.model, newInstants(), std::make_shared<MoreauJeanOSI>(), problem);
    std::vector<double> result;
    simulation.run([&](const Simulation&, const StepStatus&) {
      for (const double value : slider.body->velocity()) result.push_back(value);
    });
    return result;
  };
  const std::vector<double> wanted = slide(std::make_shared<FrictionContact>(3));
  const auto problem = std::make_shared<FrictionContact>(3);
  {
    Slider ball(Vector3(0.1, 0, 0), Vector3(0, 1, 0));
    EventDriven(ball.model, newInstants(), std::make_shared<LsodarOSI>(), problem, std::make_shared<FrictionContact>(3)).run();
    EXPECT_GT(problem->solved(), 0);
    EXPECT_LE(problem->report().residual, 1e-12);
  }
  EXPECT_FALSE(problem->hasOption("tolerance"));
  EXPECT_EQ(slide(problem), wanted);
}

// An impact at an instant saves what is before it in the memory of the model. A scheme of three instants goes by its own.
TEST(SecondRuns, SchatzmanPaoliBesideInstantImpacts) {
  const auto run = [](bool with_impacts) {
    Balls scene;
    TimeStepping simulation(scene.model, newInstants(), std::make_shared<SchatzmanPaoliOSI>(), std::make_shared<LCP>());
    InstantImpact impact(scene.model, std::make_shared<LCP>());
    impact.setClosedGap(-1);  // none is
    std::vector<double> result;
    simulation.run([&](const Simulation&, const StepStatus&) {
      if (with_impacts) impact.compute(simulation.nextTime());
      for (const auto& ball : scene.balls) result.insert(result.end(), {ball->q()[0], ball->velocity()[0]});
    });
    return result;
  };
  EXPECT_EQ(run(true), run(false));
}

// x' = r, y = C x: lambda = -C x / (h C B) in one implicit step brings x to 0. A simulation that has seen another C tells those
// that have not.
TEST(SecondRuns, MatricesThatAnotherSimulationHasEvaluated) {
  NonSmoothDynamicalSystem model(0.0, 1.0);
  auto ds = std::make_shared<FirstOrderLinearTIDS>(one(-1), square(0));
  auto relation = std::make_shared<FirstOrderLinearTIR>(square(1), square(1));
  model.insertDynamicalSystem(ds);
  model.link(std::make_shared<Interaction>(std::make_shared<ComplementarityConditionNSL>(1), relation), ds);
  TimeDiscretisation instants(0.0, 0.125), others(0.0, 0.125);
  EulerMoreauOSI euler(1.0);
  ZeroOrderHoldOSI hold;
  LCP first, second;
  TimeStepping simulation(model, instants, euler, first), other(model, others, hold, second);
  const auto end = [&](TimeStepping& which) {
    ds->setx(one(-1));
    which.computeOneStep();
    return ds->x()[0];
  };
  EXPECT_NEAR(end(simulation), 0, 1e-12);
  EXPECT_NEAR(end(other), 0, 1e-12);
  relation->setC(square(4));
  EXPECT_NEAR(end(other), 0, 1e-12);
  EXPECT_NEAR(end(simulation), 0, 1e-12);
}

}  // namespace second_runs_test
