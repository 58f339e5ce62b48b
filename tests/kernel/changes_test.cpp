// What is changed between two steps counts from the next one on: the run goes on as one that is begun anew there.
#include <gtest/gtest.h>

#include <memory>

#include "message_of.hpp"
#include "nonsmooth/kernel/kernel.hpp"
#include "one_entry.hpp"

namespace changes_test {

using namespace nonsmooth::kernel;
using test::one;
using test::square;

// A run, in which `change` happens after so many steps; `anew` begins another simulation there. Returns the state after.
template <class Integrator, class Change>
Vector endState(NonSmoothDynamicalSystem& model, DynamicalSystem& ds, double h, int before, Integrator& integrator, bool anew,
                const Change& change) {
  TimeDiscretisation instants(0.0, h);
  auto simulation = std::make_unique<TimeStepping>(model, instants, integrator, std::make_shared<LCP>());
  const auto steps = [&](int count) {
    for (int k = 0; k < count; ++k) {
      simulation->computeOneStep();
      simulation->nextStep();
    }
  };
  steps(before);
  change(integrator);
  if (anew) simulation = std::make_unique<TimeStepping>(model, instants, integrator, std::make_shared<LCP>());
  steps(9);
  return ds.x(0);
}

template <class Change>
Vector circuit(bool anew, int before, const Change& change) {
  NonSmoothDynamicalSystem model(0.0, 10.0);
  auto ds = std::make_shared<FirstOrderLinearTIDS>(Vector::Ones(2), Matrix(Eigen::Matrix2d{{0, -10}, {1, 0}}));
  model.insertDynamicalSystem(ds);
  const Matrix C = Eigen::RowVector2d(-1, 0), B = Eigen::Vector2d(-1, 0);
  model.link(std::make_shared<Interaction>(std::make_shared<ComplementarityConditionNSL>(1),
                                           std::make_shared<FirstOrderLinearTIR>(C, square(0.05), Matrix(), Vector(), B)),
             ds);
  EulerMoreauOSI integrator(0.5, 0.6);
  return endState(model, *ds, 0.05, before, integrator, anew, change);
}

TEST(Changes, OfGamma) {
  const auto without = [](EulerMoreauOSI& integrator) { integrator.setUseGamma(false); };
  const auto for_relations = [](EulerMoreauOSI& integrator) { integrator.setUseGammaForRelation(true); };
  for (int before = 1; before < 40; before += 4) {
    EXPECT_LE((circuit(false, before, without) - circuit(true, before, without)).norm(), 1e-12) << before;
    EXPECT_LE((circuit(false, before, for_relations) - circuit(true, before, for_relations)).norm(), 1e-12) << before;
  }
}

TEST(Changes, OfAverageCompliance) {
  const auto run = [](bool anew) {
    NonSmoothDynamicalSystem model(0.0, 10.0);
    auto ds = std::make_shared<LagrangianLinearTIDS>(one(0.2), one(0), square(1));
    ds->setFExt(one(-9.81));
    model.insertDynamicalSystem(ds);
    model.link(std::make_shared<Interaction>(std::make_shared<ComplementarityConditionNSL>(1),
                                             std::make_shared<LagrangianCompliantLinearTIR>(square(1), square(1e-3))),
               ds);
    MoreauJeanOSI integrator(0.6);
    return endState(model, *ds, 0.01, 22, integrator, anew, [](MoreauJeanOSI& osi) { osi.setAverageCompliance(true); });
  };
  EXPECT_LE((run(false) - run(true)).norm(), 1e-12);
}

// x' = -x, with the input -5 x + lambda of a relation that is not linear while there is one.
TEST(Changes, OfARelationThatHasGoneWithItsJacobian) {
  NonSmoothDynamicalSystem model(0.0, 1.0);
  auto ds = std::make_shared<FirstOrderLinearTIDS>(one(1), square(-1));
  model.insertDynamicalSystem(ds);
  const auto identity = [](double, ConstVectorRef, ConstVectorRef, MatrixRef out, VectorRef) { out(0, 0) = 1; };
  auto relation = std::make_shared<FirstOrderNonLinearR>(
      [](double, ConstVectorRef x, ConstVectorRef lambda, VectorRef y, VectorRef) { y[0] = x[0] + 10 + lambda[0]; },
      [](double, ConstVectorRef x, ConstVectorRef lambda, VectorRef r, VectorRef) { r[0] = -5 * x[0] + lambda[0]; }, identity,
      identity, identity, [](double, ConstVectorRef, ConstVectorRef, MatrixRef K, VectorRef) { K(0, 0) = -5; });
  auto interaction = std::make_shared<Interaction>(std::make_shared<ComplementarityConditionNSL>(1), relation);
  model.link(interaction, ds);
  TimeDiscretisation instants(0.0, 0.1);
  EulerMoreauOSI integrator(0.5);
  LCP problem;
  TimeStepping simulation(model, instants, integrator, problem);
  simulation.computeOneStep();
  simulation.nextStep();
  model.removeInteraction(*interaction);
  ds->setx(one(1));
  simulation.computeOneStep();
  EXPECT_NEAR(ds->x()[0], 0.95 / 1.05, 1e-14);
}

// It would link what it has linked already.
TEST(Changes, AManagerInsertedTwiceIsAskedOnce) {
  struct Counting : InteractionManager {
    int count = 0;
    void updateInteractions(Simulation&) override { ++count; }
  };
  NonSmoothDynamicalSystem model(0.0, 0.1);
  model.insertDynamicalSystem(std::make_shared<LagrangianLinearTIDS>(one(0), one(0), square(1)));
  TimeDiscretisation instants(0.0, 0.01);
  TimeStepping simulation(model, instants);
  simulation.insertIntegrator(std::make_shared<MoreauJeanOSI>());
  auto manager = std::make_shared<Counting>();
  simulation.insertInteractionManager(manager);
  simulation.insertInteractionManager(manager);
  simulation.run();
  EXPECT_EQ(manager->count, 10);
}

// A schedule of steps, in the midst of which a velocity is prescribed: what the integrator says, at once and in the step after.
void expectRefusalOfPrescribedVelocities(Simulation& simulation, LagrangianLinearTIDS& ds, const std::string& integrator) {
  const std::string refusal = "integrator " + integrator + " does not treat";
  const auto step = [&] {
    simulation.computeOneStep();
    if (dynamic_cast<EventDriven*>(&simulation) == nullptr) simulation.nextStep();
  };
  for (int k = 0; k < 3; ++k) step();
  ds.setBoundaryConditions(std::make_shared<FixedBC>(std::vector<Index>{0}));
  for (int k = 0; k < 2; ++k) {
    const std::string message = test::messageOf(step);
    EXPECT_TRUE(message.starts_with(refusal) && message.find("boundary conditions") != std::string::npos) << message;
  }
  ds.setBoundaryConditions(nullptr);
  EXPECT_EQ(test::messageOf(step), "");
}

TEST(Changes, VelocitiesPrescribedInTheMidstOfARun) {
  const auto run = [](const char* name, const auto& make) {
    NonSmoothDynamicalSystem model(0.0, 1.0);
    auto ds = std::make_shared<LagrangianLinearTIDS>(one(1), one(0), square(1));
    ds->setFExt(one(1));
    model.insertDynamicalSystem(ds);
    TimeDiscretisation instants(0.0, 0.125);
    LCP first, second;
    const auto simulation = make(model, instants, first, second);
    expectRefusalOfPrescribedVelocities(*simulation, *ds, name);
  };
  LsodarOSI lsodar;
  D1MinusLinearOSI d1_minus;
  SchatzmanPaoliOSI schatzman_paoli;
  run("LsodarOSI", [&](auto& model, auto& instants, auto& first, auto& second) {
    return std::make_unique<EventDriven>(model, instants, lsodar, first, second);
  });
  run("D1MinusLinearOSI", [&](auto& model, auto& instants, auto& first, auto& second) {
    return std::make_unique<TimeSteppingD1Minus>(model, instants, d1_minus, first, second);
  });
  run("SchatzmanPaoliOSI", [&](auto& model, auto& instants, auto& first, auto&) {
    return std::make_unique<TimeStepping>(model, instants, schatzman_paoli, first);
  });
}

TEST(Changes, OfAConstantIntoAFunctionInZeroOrderHold) {
  NonSmoothDynamicalSystem model(0.0, 1.0);
  auto ds = std::make_shared<FirstOrderLinearDS>(one(1), square(-1));
  model.insertDynamicalSystem(ds);
  TimeDiscretisation instants(0.0, 0.125);
  ZeroOrderHoldOSI integrator;
  TimeStepping simulation(model, instants);
  simulation.insertIntegrator(integrator);
  simulation.computeOneStep();
  simulation.nextStep();
  ds->setComputeAFunction([](double t, MatrixRef A, VectorRef) { A(0, 0) = -t; });
  EXPECT_EQ(test::messageOf([&] { simulation.computeOneStep(); }),
            "integrator ZeroOrderHoldOSI does not treat system FirstOrderLinearDS whose A is computed");
}

// Operators that a class hides can be reached through its base: nothing may be left out in silence.
TEST(Changes, OfOperatorsThatASystemDoesNotHave) {
  const auto step = [](DynamicalSystem& ds, OneStepIntegrator& integrator) {
    NonSmoothDynamicalSystem model(0.0, 1.0);
    model.insertDynamicalSystem(ds);
    TimeDiscretisation instants(0.0, 0.125);
    TimeStepping simulation(model, instants);
    simulation.insertIntegrator(integrator);
    const std::string message = test::messageOf([&] { simulation.computeOneStep(); });
    model.removeDynamicalSystem(ds);
    return message;
  };
  MoreauJeanOSI moreau;
  const std::string allowed = ": it takes M, C, K and FExt only, a LagrangianDS takes the others";
  LagrangianLinearTIDS linear(one(1), one(0), square(1)), gyroscopic(one(1), one(0), square(1)), heavy(one(1), one(0), square(1));
  static_cast<LagrangianDS&>(linear).setFInt(one(1));
  EXPECT_EQ(step(linear, moreau), "LagrangianLinearTIDS number 0 has FInt" + allowed);
  static_cast<LagrangianDS&>(gyroscopic).setFGyr(one(1));
  EXPECT_EQ(step(gyroscopic, moreau), "LagrangianLinearTIDS number 0 has FGyr" + allowed);
  static_cast<LagrangianDS&>(heavy).setComputeMassFunction([](ConstVectorRef q, MatrixRef M, VectorRef) { M(0, 0) = q[0]; });
  EXPECT_EQ(step(heavy, moreau), "LagrangianLinearTIDS number 0 has a mass that is computed" + allowed);
  FirstOrderLinearTIDS first(one(1), square(1));
  static_cast<FirstOrderNonLinearDS&>(first).setf(one(1));
  EulerMoreauOSI euler(0.5);
  ZeroOrderHoldOSI hold;
  for (OneStepIntegrator* integrator : {static_cast<OneStepIntegrator*>(&euler), static_cast<OneStepIntegrator*>(&hold)})
    EXPECT_EQ(step(first, *integrator),
              "FirstOrderLinearTIDS number 0 has f: its vector field is A x + b, a FirstOrderNonLinearDS takes another");
}

}  // namespace changes_test
