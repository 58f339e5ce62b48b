// A time step that fails and is done again gives what one that has not failed gives, bit by bit: the contacts, their multipliers
// and what rules of activation go by come back too.
#include <gtest/gtest.h>

#include <limits>
#include <memory>
#include <stdexcept>
#include <vector>

#include "message_of.hpp"
#include "nonsmooth/kernel/kernel.hpp"
#include "one_entry.hpp"

namespace retried_steps_test {

using namespace nonsmooth::kernel;
using test::messageOf;
using test::one;
using test::square;

constexpr double gravity = 9.81;

// What user functions do: throw at a call, or after an instant.
struct Faults {
  long calls = 0, bad = -1;
  double last = std::numeric_limits<double>::infinity();
  void call(double time = 0) {
    if (++calls == bad || time > last) throw std::runtime_error("a fault");
  }
};

// Three beads that fall on each other and on a floor, and come to rest there.
struct Column {
  Faults faults;
  NonSmoothDynamicalSystem model{0.0, 1.0};
  TimeDiscretisation instants{0.0, 1.0 / 64};
  std::vector<std::shared_ptr<LagrangianLinearTIDS>> beads;
  std::vector<std::shared_ptr<Interaction>> contacts;
  std::unique_ptr<TimeStepping> simulation;

  template <class Make>
  explicit Column(const Make& make) {
    const auto law = std::make_shared<NewtonImpactNSL>(0.4);
    const auto floor = std::make_shared<LagrangianScleronomousR>(
        [this](ConstVectorRef q, VectorRef y, VectorRef) {
          faults.call();
          y[0] = q[0] - 0.1;
        },
        [](ConstVectorRef, MatrixRef G, VectorRef) { G(0, 0) = 1; },
        [](ConstVectorRef, ConstVectorRef, MatrixRef Gdot, VectorRef) { Gdot(0, 0) = 0; });
    const auto pair = std::make_shared<LagrangianLinearTIR>(Eigen::RowVector2d(-1, 1), one(-0.2));
    for (std::size_t k = 0; k < 3; ++k) {
      beads.push_back(std::make_shared<LagrangianLinearTIDS>(one(0.15 + 0.25 * static_cast<double>(k)), one(0), square(1)));
      beads[k]->setComputeFExtFunction([this](double time, VectorRef out, VectorRef) {
        faults.call(time);
        out[0] = -gravity;
      });
      model.insertDynamicalSystem(beads[k]);
      const std::shared_ptr<Relation> relation = k == 0 ? std::shared_ptr<Relation>(floor) : pair;
      contacts.push_back(std::make_shared<Interaction>(law, relation));
      if (k == 0)
        model.link(contacts[k], beads[k]);
      else
        model.link(contacts[k], beads[k - 1], beads[k]);
    }
    simulation = make(*this);
  }
  // Bodies, multipliers, gaps.
  std::vector<double> state() const {
    std::vector<double> result;
    for (std::size_t k = 0; k < 3; ++k)
      result.insert(result.end(), {beads[k]->q()[0], beads[k]->velocity()[0], contacts[k]->y(0)[0], contacts[k]->lambda(1)[0],
                                   contacts[k]->lambda(2)[0]});
    return result;
  }
  // The states after all steps that are left; one that fails is done again.
  std::vector<double> run(int& failed) {
    std::vector<double> states;
    while (simulation->hasNextEvent()) {
      simulation->nextStep();
      const std::vector<double> start = state();
      if (!messageOf([this] { simulation->computeOneStep(); }).empty()) {
        ++failed;
        EXPECT_EQ(state(), start) << "at t = " << simulation->getTk();
        faults.last = std::numeric_limits<double>::infinity();
        continue;
      }
      const std::vector<double> end = state();
      states.insert(states.end(), end.begin(), end.end());
    }
    return states;
  }
};

using Maker = std::unique_ptr<TimeStepping> (*)(Column&);

struct Scheme {
  const char* name;
  Maker make;
};

const Scheme schemes[] = {
    {"MoreauJean",
     [](Column& c) -> std::unique_ptr<TimeStepping> {
       return std::make_unique<TimeStepping>(c.model, c.instants, std::make_shared<MoreauJeanOSI>(), std::make_shared<LCP>());
     }},
    {"DirectProjection",
     [](Column& c) -> std::unique_ptr<TimeStepping> {
       return std::make_unique<TimeSteppingDirectProjection>(
           c.model, c.instants, std::make_shared<MoreauJeanDirectProjectionOSI>(), std::make_shared<LCP>());
     }},
    {"CombinedProjection",
     [](Column& c) -> std::unique_ptr<TimeStepping> {
       return std::make_unique<TimeSteppingCombinedProjection>(
           c.model, c.instants, std::make_shared<MoreauJeanCombinedProjectionOSI>(), std::make_shared<LCP>());
     }},
    {"D1Minus", [](Column& c) -> std::unique_ptr<TimeStepping> {
       return std::make_unique<TimeSteppingD1Minus>(c.model, c.instants, std::make_shared<D1MinusLinearOSI>(),
                                                    std::make_shared<LCP>(), std::make_shared<LCP>());
     }}};

TEST(RetriedSteps, WhereverAFunctionThrows) {
  for (const Scheme& scheme : schemes) {
    int failed = 0;
    Column whole(scheme.make);
    const std::vector<double> wanted = whole.run(failed);
    ASSERT_EQ(failed, 0) << scheme.name;
    const long calls = whole.faults.calls;
    ASSERT_GT(calls, 500) << scheme.name;
    // Coprime to the calls of a step: each place in a step has its turn.
    for (long bad = 1; bad <= calls; bad += 11) {
      Column failing(scheme.make);
      failing.faults.bad = bad;
      failed = 0;
      ASSERT_EQ(failing.run(failed), wanted) << scheme.name << ", call " << bad;
      ASSERT_EQ(failed, 1) << scheme.name << ", call " << bad;
    }
  }
}

// The first half of a step is done, the second one fails however it is halved: the step begins anew from its own start.
TEST(RetriedSteps, WhereTheSecondHalfFails) {
  for (const Scheme& scheme : schemes) {
    int failed = 0;
    Column whole(scheme.make);
    const std::vector<double> wanted = whole.run(failed);
    for (int step = 0; step < 64; step += 3) {
      Column failing(scheme.make);
      failing.simulation->setFailurePolicy(FailurePolicy::Halve);
      failing.faults.last = (step + 0.7) / 64;
      failed = 0;
      ASSERT_EQ(failing.run(failed), wanted) << scheme.name << ", step " << step;
      ASSERT_EQ(failed, 1) << scheme.name << ", step " << step;
    }
  }
}

// A circuit with a diode, whose scheme goes on from the input of the step before, and whose relation has D.
struct Circuit {
  Faults faults;
  NonSmoothDynamicalSystem model{0.0, 10.0};
  std::shared_ptr<FirstOrderNonLinearDS> ds = std::make_shared<FirstOrderNonLinearDS>(
      Vector::Ones(2),
      [this](double time, ConstVectorRef x, VectorRef out, VectorRef) {
        faults.call(time);
        out << -10 * x[1] - 0.1 * x[0] * x[0] * x[0], x[0];
      },
      [](double, ConstVectorRef x, MatrixRef out, VectorRef) { out << -0.3 * x[0] * x[0], -10, 1, 0; });
  std::shared_ptr<Interaction> diode = std::make_shared<Interaction>(
      std::make_shared<ComplementarityConditionNSL>(1),
      std::make_shared<FirstOrderLinearTIR>(Eigen::RowVector2d(-1, 0), square(0.05), Matrix(), Vector(), Eigen::Vector2d(-1, 0)));
  std::unique_ptr<TimeStepping> simulation;
  explicit Circuit(std::shared_ptr<OneStepIntegrator> integrator) {
    model.insertDynamicalSystem(ds);
    model.link(diode, ds);
    simulation = std::make_unique<TimeStepping>(model, std::make_shared<TimeDiscretisation>(0.0, 0.0625), integrator,
                                                std::make_shared<LCP>());
  }
  std::vector<double> state() const { return {ds->x()[0], ds->x()[1], ds->r()[0], diode->y(0)[0], diode->lambda(0)[0]}; }
};

TEST(RetriedSteps, OfFirstOrder) {
  for (const bool for_relation : {false, true}) {
    const auto integrator = [&] {
      auto result = std::make_shared<EulerMoreauOSI>(0.5, 0.6);
      if (for_relation) result->setUseGammaForRelation(true);
      return result;
    };
    std::vector<double> wanted;
    const auto run = [&](Circuit& circuit) {
      std::vector<double> states;
      while (circuit.simulation->hasNextEvent()) {
        circuit.simulation->nextStep();
        const std::vector<double> start = circuit.state();
        if (!messageOf([&] { circuit.simulation->computeOneStep(); }).empty()) {
          EXPECT_EQ(circuit.state(), start);
          continue;
        }
        const std::vector<double> end = circuit.state();
        states.insert(states.end(), end.begin(), end.end());
      }
      return states;
    };
    Circuit whole(integrator());
    wanted = run(whole);
    ASSERT_EQ(wanted.size(), 5 * 160u);
    for (long bad = 1; bad <= whole.faults.calls; bad += 17) {
      Circuit failing(integrator());
      failing.faults.bad = bad;
      ASSERT_EQ(run(failing), wanted) << for_relation << ", call " << bad;
      ASSERT_GT(failing.faults.calls, whole.faults.calls);
    }
  }
}

// A ball at rest is lifted; its next step fails, when its gap has been evaluated, and is done again. What has been moved apart is
// not closed for it.
TEST(RetriedSteps, ABodyThatIsLiftedFallsAfterAFailure) {
  NonSmoothDynamicalSystem model(0.0, 1.0);
  auto ball = std::make_shared<LagrangianLinearTIDS>(one(0), one(0), square(1));
  ball->setFExt(one(-2));
  model.insertDynamicalSystem(ball);
  Faults faults;
  const auto law = std::make_shared<NewtonImpactNSL>(0.5);
  const auto ceiling = std::make_shared<LagrangianScleronomousR>(
      [&](ConstVectorRef q, VectorRef y, VectorRef) {
        faults.call();
        y[0] = 10 - q[0];
      },
      [](ConstVectorRef, MatrixRef G, VectorRef) { G(0, 0) = -1; });
  model.link(std::make_shared<Interaction>(law, std::make_shared<LagrangianLinearTIR>(square(1))), ball);
  model.link(std::make_shared<Interaction>(law, ceiling), ball);
  TimeDiscretisation instants(0.0, 0.125);
  MoreauJeanCombinedProjectionOSI integrator;
  LCP problem;
  TimeSteppingCombinedProjection simulation(model, instants, integrator, problem);
  for (int k = 0; k < 4; ++k) {
    simulation.computeOneStep();
    simulation.nextStep();
  }
  ball->setq(one(3));
  faults.bad = faults.calls + 1;
  EXPECT_EQ(messageOf([&] { simulation.computeOneStep(); }), "a fault");
  EXPECT_EQ(ball->q()[0], 3.0);
  simulation.run();
  EXPECT_DOUBLE_EQ(ball->q()[0], 2.75);
}

// What a manager inserts keeps its state, though the manager throws in the end. Elsewhere it may have been in another state.
TEST(RetriedSteps, WhatAManagerThatThrowsHasInserted) {
  struct Manager : InteractionManager {
    std::shared_ptr<FirstOrderLinearTIDS> guest = std::make_shared<FirstOrderLinearTIDS>(one(1), square(0));
    int calls = 0;
    void updateInteractions(Simulation& simulation) override {
      if (++calls == 2) {
        guest->setx(one(7));
        simulation.nonSmoothDynamicalSystem().insertDynamicalSystem(guest);
        throw std::runtime_error("no room");
      }
    }
  };
  NonSmoothDynamicalSystem model(0.0, 1.0);
  auto host = std::make_shared<FirstOrderLinearTIDS>(one(2), square(0));
  model.insertDynamicalSystem(host);
  TimeDiscretisation instants(0.0, 0.25);
  TimeStepping simulation(model, instants);
  simulation.insertIntegrator(std::make_shared<EulerMoreauOSI>(0.5));
  const auto manager = std::make_shared<Manager>();
  simulation.insertInteractionManager(manager);
  simulation.computeOneStep();
  EXPECT_EQ(messageOf([&] { simulation.computeOneStep(); }), "no room");
  EXPECT_EQ(manager->guest->x()[0], 7.0);
  simulation.run();
  EXPECT_EQ(manager->calls, 5);
  EXPECT_EQ(manager->guest->x()[0], 7.0);
  EXPECT_EQ(host->x()[0], 2.0);
}

// What a manager has linked where another contact has been keeps its own multipliers, and has rows of its own.
TEST(RetriedSteps, WhatAManagerThatThrowsHasLinked) {
  struct Linker : InteractionManager {
    std::shared_ptr<Interaction> guest;
    std::shared_ptr<LagrangianLinearTIDS> host;
    void updateInteractions(Simulation& simulation) override {
      if (!guest || guest->isLinked()) return;
      simulation.nonSmoothDynamicalSystem().link(guest, host);
      throw std::runtime_error("no room");
    }
  };
  for (const Index rows : {1, 2}) {
    const auto floor = [](Index size) {
      std::shared_ptr<NonSmoothLaw> law = std::make_shared<NewtonImpactNSL>(0.0);
      if (size == 2) law = std::make_shared<NewtonImpactFrictionNSL>(0.0, 0.0, 0.5, size);
      return std::make_shared<Interaction>(law, std::make_shared<LagrangianLinearTIR>(Matrix::Identity(size, 2)));
    };
    NonSmoothDynamicalSystem model(0.0, 1.0);
    const auto linker = std::make_shared<Linker>();
    linker->host = std::make_shared<LagrangianLinearTIDS>(Vector::Zero(2), Vector::Zero(2), Matrix::Identity(2, 2));
    linker->host->setFExt(-gravity * Vector::Unit(2, 0));
    model.insertDynamicalSystem(linker->host);
    const auto first = floor(1);
    model.link(first, linker->host);
    TimeStepping simulation(model, std::make_shared<TimeDiscretisation>(0.0, 0.25), std::make_shared<MoreauJeanOSI>(),
                            std::make_shared<GenericMechanical>());
    simulation.insertInteractionManager(linker);
    simulation.computeOneStep();
    EXPECT_GT(first->lambda(1)[0], 0);
    model.removeInteraction(*first);
    linker->guest = floor(rows);
    EXPECT_EQ(messageOf([&] { simulation.computeOneStep(); }), "no room");
    EXPECT_EQ(linker->guest->handle().index, 0);
    EXPECT_EQ(linker->guest->lambda(1).norm(), 0) << rows;
    simulation.run();
    EXPECT_NEAR(linker->host->q()[0], 0, 1e-12);
  }
}

// A state that is set is one that Schatzman and Paoli go on from, however often the step with it fails, and wherever: in
// a manager, before the scheme is asked, or at the second body, which the scheme has not come to.
TEST(RetriedSteps, AfterAStateThatWasSet) {
  const auto run = [](long bad) {
    Faults faults;
    NonSmoothDynamicalSystem model(0.0, 1.0);
    std::vector<std::shared_ptr<LagrangianLinearTIDS>> balls;
    const auto law = std::make_shared<NewtonImpactNSL>(0.5);
    for (int k = 0; k < 2; ++k) {
      balls.push_back(std::make_shared<LagrangianLinearTIDS>(one(0.1), one(0), square(1)));
      balls.back()->setComputeFExtFunction([&](double, VectorRef out, VectorRef) {
        faults.call();
        out[0] = -gravity;
      });
      model.insertDynamicalSystem(balls.back());
      model.link(std::make_shared<Interaction>(law, std::make_shared<LagrangianLinearTIR>(square(1))), balls.back());
    }
    TimeStepping simulation(model, std::make_shared<TimeDiscretisation>(0.0, 0.0625), std::make_shared<SchatzmanPaoliOSI>(),
                            std::make_shared<LCP>());
    struct Faulty : InteractionManager {
      explicit Faulty(Faults& of) : faults(of) {}
      void updateInteractions(Simulation&) override { faults.call(); }
      Faults& faults;
    };
    simulation.insertInteractionManager(std::make_shared<Faulty>(faults));
    std::vector<double> result;
    for (int step = 0; step < 8; ++step) {
      if (step == 3) {
        faults.calls = 0, faults.bad = bad;
        for (const auto& ball : balls) ball->setq(one(0.2)), ball->setVelocity(one(-3));
      }
      if (!messageOf([&] { simulation.computeOneStep(); }).empty()) {
        faults.bad = -1;
        simulation.computeOneStep();
      }
      simulation.nextStep();
      for (const auto& ball : balls) result.insert(result.end(), {ball->q()[0], ball->velocity()[0]});
    }
    EXPECT_EQ(faults.bad, -1) << bad;
    return result;
  };
  const std::vector<double> wanted = run(-1);
  for (long bad = 1; bad <= 5; ++bad) EXPECT_EQ(run(bad), wanted) << bad;
}

// The same of a loop of one's own. A first step of Schatzman and Paoli moves q before anything else.
TEST(RetriedSteps, OfVerbs) {
  const auto run = [](long bad) {
    NonSmoothDynamicalSystem model(0.0, 1.0);
    auto ball = std::make_shared<LagrangianLinearTIDS>(one(0.1), one(-0.5), square(1));
    Faults faults;
    faults.bad = bad;
    ball->setComputeFExtFunction([&](double, VectorRef out, VectorRef) {
      faults.call();
      out[0] = -gravity;
    });
    model.insertDynamicalSystem(ball);
    model.link(
        std::make_shared<Interaction>(std::make_shared<NewtonImpactNSL>(0.5), std::make_shared<LagrangianLinearTIR>(square(1))),
        ball);
    TimeDiscretisation instants(0.0, 0.0625);
    SchatzmanPaoliOSI integrator;
    LCP problem;
    TimeStepping simulation(model, instants, integrator, problem);
    std::vector<double> result;
    while (simulation.hasNextEvent()) {
      simulation.nextStep();
      const std::vector<double> start = {ball->q()[0], ball->velocity()[0]};
      if (!messageOf([&] { simulation.computeFreeStep(); }).empty()) {
        EXPECT_EQ((std::vector<double>{ball->q()[0], ball->velocity()[0]}), start) << bad;
        continue;
      }
      simulation.updateIndexSets();
      simulation.computeOneStepNSProblem();
      simulation.update();
      result.insert(result.end(), {ball->q()[0], ball->velocity()[0]});
    }
    EXPECT_EQ(faults.calls > 32, bad > 0) << bad;
    return result;
  };
  const std::vector<double> wanted = run(0);
  EXPECT_EQ(wanted.size(), 32u);
  for (long bad = 1; bad <= 32; ++bad) EXPECT_EQ(run(bad), wanted) << bad;
}

// A run goes on where what is called after a step has thrown: no step is done twice.
TEST(RetriedSteps, RunsGoOnAfterACallbackThatThrows) {
  for (const Scheme& scheme : schemes) {
    int failed = 0, calls = 0;
    Column whole(scheme.make), failing(scheme.make);
    whole.run(failed);
    std::vector<double> instants;
    const auto each = [&](const Simulation& s, const StepStatus&) {
      instants.push_back(s.nextTime());
      if (++calls % 10 == 0) throw std::runtime_error("callback");
    };
    for (int k = 0; k < 6; ++k) EXPECT_EQ(messageOf([&] { failing.simulation->run(each); }), "callback") << scheme.name;
    failing.simulation->run(each);
    ASSERT_EQ(instants.size(), 64u) << scheme.name;
    for (std::size_t k = 0; k < instants.size(); ++k) EXPECT_EQ(instants[k], static_cast<double>(k + 1) / 64);
    EXPECT_EQ(failing.state(), whole.state()) << scheme.name;
  }
}

}  // namespace retried_steps_test
