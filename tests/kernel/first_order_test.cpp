// First order systems in less usual company: gamma for relations under Newton's iteration, relations across two integrators,
// relations that are changed after they were linked.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>

#include "message_of.hpp"
#include "nonsmooth/kernel/kernel.hpp"
#include "one_entry.hpp"

namespace first_order_test {

using namespace nonsmooth::kernel;
using nonsmooth::kernel::test::expectRefusal;
using nonsmooth::kernel::test::messageOf;
using test::one;
using test::square;

// x' = -3 x^3 - 1 + lambda, 0 <= y = x - 0.8 + lambda / 2 at t + gamma h: the equations of the scheme, step by step.
TEST(FirstOrder, GammaForRelationsOfANonlinearSystem) {
  const double theta = 0.6, gamma = 0.7, h = 0.1;
  const auto f = [](double x) { return -3 * x * x * x - 1; };
  NonSmoothDynamicalSystem model(0.0, 1.0);
  auto ds = std::make_shared<FirstOrderNonLinearDS>(
      one(1), [&](double, ConstVectorRef x, VectorRef out, VectorRef) { out[0] = f(x[0]); },
      [](double, ConstVectorRef x, MatrixRef out, VectorRef) { out(0, 0) = -9 * x[0] * x[0]; });
  model.insertDynamicalSystem(ds);
  auto relation = std::make_shared<FirstOrderLinearTIR>(square(1), square(0.5), Matrix(), one(-0.8), square(1));
  auto interaction = std::make_shared<Interaction>(std::make_shared<ComplementarityConditionNSL>(1), relation);
  model.link(interaction, ds);
  TimeDiscretisation instants(0.0, h);
  EulerMoreauOSI integrator(theta, gamma);
  integrator.setUseGammaForRelation(true);
  LCP problem;
  TimeStepping simulation(model, instants, integrator, problem);
  simulation.setNewtonTolerance(1e-12);
  double greatest = 0;
  while (simulation.hasNextEvent()) {
    const double before = ds->x()[0];
    const StepStatus status = simulation.computeOneStep();
    EXPECT_GT(status.newtonIterations, 1);
    EXPECT_LE(status.violation, 1e-11);
    const double x = ds->x()[0], lambda = interaction->lambda(0)[0];
    EXPECT_NEAR(x - before, h * (theta * f(x) + (1 - theta) * f(before) + lambda), 1e-11);
    EXPECT_NEAR(std::min(gamma * x + (1 - gamma) * before - 0.8 + 0.5 * lambda, lambda), 0, 1e-11);
    greatest = std::max(greatest, lambda);
    simulation.nextStep();
  }
  EXPECT_GT(greatest, 0.5);
}

// x' = -2 x + b + lambda, 0 <= y = x + e + lambda / 2: constants, or functions that give these constants.
struct Driven {
  NonSmoothDynamicalSystem model{0.0, 1.0};
  std::shared_ptr<FirstOrderLinearDS> ds = std::make_shared<FirstOrderLinearDS>(one(1), square(-2), one(-1));
  std::shared_ptr<FirstOrderLinearR> relation = std::make_shared<FirstOrderLinearR>(square(1), square(1));
  std::shared_ptr<Interaction> interaction;
  TimeDiscretisation instants{0.0, 0.125};
  EulerMoreauOSI integrator{0.6};
  LCP problem;
  explicit Driven(bool by_functions) {
    const TimeToVector b = [](double, VectorRef out, VectorRef) { out[0] = -1; };
    const TimeToVector e = [](double, VectorRef out, VectorRef) { out[0] = -0.25; };
    relation->setD(square(0.5));
    relation->sete(one(-0.25));
    if (by_functions) ds->setComputebFunction(b), relation->setComputeeFunction(e);
    model.insertDynamicalSystem(ds);
    interaction = std::make_shared<Interaction>(std::make_shared<ComplementarityConditionNSL>(1), relation);
    model.link(interaction, ds);
  }
};

// What does not depend on time is computed once, whatever else does.
TEST(FirstOrder, MatricesBesideFunctionsOfTimeAreComputedOnce) {
  Driven constant(false), driven(true);
  EXPECT_TRUE(constant.ds->isTimeInvariant());
  EXPECT_FALSE(driven.ds->isTimeInvariant());
  TimeStepping expected(constant.model, constant.instants, constant.integrator, constant.problem);
  TimeStepping simulation(driven.model, driven.instants, driven.integrator, driven.problem);
  expected.computeOneStep();
  simulation.computeOneStep();
  const unsigned long response = driven.integrator.responseVersion(), matrices = driven.model.matricesVersion();
  while (simulation.hasNextEvent()) {
    expected.computeOneStep();
    simulation.computeOneStep();
    EXPECT_EQ(driven.ds->x(), constant.ds->x());
  }
  EXPECT_GT(driven.interaction->lambda(0)[0], 0.1);
  EXPECT_EQ(driven.integrator.responseVersion(), response);
  EXPECT_EQ(driven.model.matricesVersion(), matrices);
  // A function in the place of A is evaluated in every step.
  driven.ds->setComputeAFunction([](double t, MatrixRef A, VectorRef) { A(0, 0) = -2 - t; });
  simulation.nonSmoothDynamicalSystem().setT(1.5);
  simulation.run();
  EXPECT_GE(driven.integrator.responseVersion(), response + 4);
}

// W of a system is that of its own relations: a relation that is not linear elsewhere makes no iteration of it.
TEST(FirstOrder, ANonlinearRelationOfAnotherSystem) {
  Driven driven(true);
  auto other = std::make_shared<FirstOrderLinearTIDS>(one(-1), square(-1));
  driven.model.insertDynamicalSystem(other);
  driven.model.link(
      std::make_shared<Interaction>(
          std::make_shared<ComplementarityConditionNSL>(1),
          std::make_shared<FirstOrderType1R>(
              [](double, ConstVectorRef x, ConstVectorRef, VectorRef y, VectorRef) { y[0] = x[0] + 0.1 * x[0] * x[0] * x[0]; },
              [](double, ConstVectorRef, ConstVectorRef lambda, VectorRef r, VectorRef) { r = lambda; },
              [](double, ConstVectorRef x, ConstVectorRef, MatrixRef C, VectorRef) { C(0, 0) = 1 + 0.3 * x[0] * x[0]; },
              [](double, ConstVectorRef, ConstVectorRef, MatrixRef B, VectorRef) { B(0, 0) = 1; })),
      other);
  Driven alone(true);
  TimeStepping simulation(driven.model, driven.instants, driven.integrator, driven.problem);
  TimeStepping expected(alone.model, alone.instants, alone.integrator, alone.problem);
  simulation.computeOneStep();
  expected.computeOneStep();
  while (simulation.hasNextEvent()) {
    const unsigned long before = driven.integrator.responseVersion();
    const StepStatus status = simulation.computeOneStep();
    expected.computeOneStep();
    EXPECT_EQ(driven.integrator.responseVersion() - before, static_cast<unsigned long>(status.newtonIterations));
    EXPECT_NEAR(driven.ds->x()[0], alone.ds->x()[0], 1e-12);
  }
}

// The same law at t + gamma h, where e is that of this instant.
TEST(FirstOrder, GammaForRelationsThatDependOnTime) {
  const double gamma = 0.7, h = 0.125;
  Driven driven(true);
  driven.relation->setComputeeFunction([](double t, VectorRef out, VectorRef) { out[0] = -0.5 * std::sin(5 * t); });
  EulerMoreauOSI integrator(0.6, gamma);
  integrator.setUseGammaForRelation(true);
  TimeStepping simulation(driven.model, driven.instants, integrator, driven.problem);
  double greatest = 0;
  while (simulation.hasNextEvent()) {
    const double before = driven.ds->x()[0], t = simulation.getTk();
    const StepStatus status = simulation.computeOneStep();
    const double x = driven.ds->x()[0], lambda = driven.interaction->lambda(0)[0];
    EXPECT_NEAR(std::min(gamma * x + (1 - gamma) * before - 0.5 * std::sin(5 * (t + gamma * h)) + 0.5 * lambda, lambda), 0,
                1e-11);
    EXPECT_LE(status.violation, 1e-11);
    greatest = std::max(greatest, lambda);
    simulation.nextStep();
  }
  EXPECT_GT(greatest, 0.1);
}

// A state of 1e12 beside one of 1: what rounding leaves of the great one is no failure of Newton's iteration, and nothing is
// excused of the small one, whose iteration goes on to its tolerance.
TEST(FirstOrder, GreatStatesMove) {
  const auto lastOf = [](const std::vector<double>& sizes, bool with_M) {
    NonSmoothDynamicalSystem model(0.0, 1.0);
    std::shared_ptr<FirstOrderNonLinearDS> ds;
    for (const double size : sizes) {
      ds = std::make_shared<FirstOrderNonLinearDS>(
          one(size), [size](double, ConstVectorRef x, VectorRef out, VectorRef) { out[0] = -x[0] * x[0] / size; },
          [size](double, ConstVectorRef x, MatrixRef out, VectorRef) { out(0, 0) = -2 * x[0] / size; });
      if (with_M) ds->setM(square(1));
      model.insertDynamicalSystem(ds);
    }
    TimeDiscretisation instants(0.0, 0.1);
    EulerMoreauOSI integrator(0.5);
    LCP problem;
    TimeStepping simulation(model, instants, integrator, problem);
    simulation.run([](const Simulation&, const StepStatus& status) { EXPECT_TRUE(status.newtonConverged); });
    return ds->x()[0];
  };
  EXPECT_NEAR(lastOf({1e12}, false), 5e11, 1e9);
  EXPECT_EQ(lastOf({1e12}, true), lastOf({1e12}, false));
  EXPECT_NEAR(lastOf({1e12, 1.0}, false), lastOf({1.0}, false), 1e-5);
}

// A circuit is what it is, whatever stands beside it: here a spring whose equations take Newton's iteration.
TEST(FirstOrder, GammaForRelationsBesideANonlinearSystem) {
  const auto end = [](bool spring) {
    NonSmoothDynamicalSystem model(0.0, 0.5);
    Matrix A(2, 2), B(2, 1), C(1, 2);
    A << -0.3, 1, -1, 0.2;
    B << 0.4, 1;
    C << -0.5, 1;
    auto circuit = std::make_shared<FirstOrderLinearTIDS>(Eigen::Vector2d(-0.5, 0.3), A, Eigen::Vector2d(0.1, -0.7));
    auto mass = std::make_shared<LagrangianDS>(one(1), one(2), square(1));
    mass->setComputeFIntFunction([](double, ConstVectorRef q, ConstVectorRef v, VectorRef out, VectorRef) {
      out[0] = 10 * q[0] * q[0] * q[0] + v[0] * v[0];
    });
    model.insertDynamicalSystem(circuit);
    if (spring) model.insertDynamicalSystem(mass);
    auto relation = std::make_shared<FirstOrderLinearTIR>(C, square(1), Matrix(), one(-0.5), B);
    auto diode = std::make_shared<Interaction>(std::make_shared<ComplementarityConditionNSL>(1), relation);
    model.link(diode, circuit);
    TimeDiscretisation instants(0.0, 0.05);
    EulerMoreauOSI euler(0.6, 0.7);
    euler.setUseGammaForRelation(true);
    MoreauJeanOSI moreau(0.5);
    LCP problem;
    TimeStepping simulation(model, instants);
    simulation.associate(euler, *circuit);
    if (spring) simulation.associate(moreau, *mass);
    simulation.insertNonSmoothProblem(problem);
    simulation.setNewtonTolerance(1e-12);
    simulation.run();
    EXPECT_GT(diode->lambda(0)[0], 0.1);
    return circuit->getx();
  };
  EXPECT_LE((end(true) - end(false)).norm(), 1e-12);
}

// g of both systems is linearised by one integrator.
TEST(FirstOrder, NonlinearRelationsAcrossTwoIntegrators) {
  NonSmoothDynamicalSystem model(0.0, 1.0);
  auto a = std::make_shared<FirstOrderLinearTIDS>(one(1), square(-1)),
       b = std::make_shared<FirstOrderLinearTIDS>(one(0), square(1));
  model.insertDynamicalSystem(a);
  model.insertDynamicalSystem(b);
  auto relation = std::make_shared<FirstOrderNonLinearR>(
      [](double, ConstVectorRef x, ConstVectorRef lambda, VectorRef y, VectorRef) { y[0] = x[0] - x[1] * x[1] + lambda[0]; },
      [](double, ConstVectorRef, ConstVectorRef lambda, VectorRef r, VectorRef) { r[0] = lambda[0], r[1] = -lambda[0]; },
      [](double, ConstVectorRef x, ConstVectorRef, MatrixRef C, VectorRef) { C(0, 0) = 1, C(0, 1) = -2 * x[1]; },
      [](double, ConstVectorRef, ConstVectorRef, MatrixRef B, VectorRef) { B(0, 0) = 1, B(1, 0) = -1; },
      [](double, ConstVectorRef, ConstVectorRef, MatrixRef D, VectorRef) { D(0, 0) = 1; });
  model.link(std::make_shared<Interaction>(std::make_shared<ComplementarityConditionNSL>(1), relation), a, b);
  TimeDiscretisation instants(0.0, 0.1);
  EulerMoreauOSI first(0.5), second(0.5);
  LCP problem;
  TimeStepping simulation(model, instants);
  simulation.associate(first, *a);
  simulation.associate(second, *b);
  simulation.insertNonSmoothProblem(problem);
  expectRefusal("links systems 0 and 1, which have two integrators", [&] { simulation.run(); });
}

using Change = std::function<void(FirstOrderLinearTIR&)>;

// x' = -x + lambda, y = x + D lambda; the relation is changed before it is linked, after that, or when a simulation stands.
double afterThreeSteps(int when, const Change& change) {
  NonSmoothDynamicalSystem model(0.0, 1.0);
  auto ds = std::make_shared<FirstOrderLinearTIDS>(one(-1), square(-1));
  model.insertDynamicalSystem(ds);
  auto relation = std::make_shared<FirstOrderLinearTIR>(square(1), square(1));
  if (when == 0) change(*relation);
  model.link(std::make_shared<Interaction>(std::make_shared<ComplementarityConditionNSL>(1), relation), ds);
  if (when == 1) change(*relation);
  TimeDiscretisation instants(0.0, 0.1);
  EulerMoreauOSI integrator(0.5);
  LCP problem;
  TimeStepping simulation(model, instants, integrator, problem);
  if (when == 2) change(*relation);
  for (int k = 0; k < 3; ++k) simulation.computeOneStep();
  return ds->x()[0];
}

TEST(FirstOrder, RelationsChangedAfterTheyWereLinked) {
  const Change feedthrough = [](FirstOrderLinearTIR& r) { r.setDPtr(std::make_shared<Matrix>(square(2))); };
  const Change function = [](FirstOrderLinearTIR& r) {
    r.setComputeDFunction([](double t, MatrixRef D, VectorRef) { D(0, 0) = 1 + 5 * t; });
  };
  for (const Change& change : {feedthrough, function}) {
    const double expected = afterThreeSteps(0, change);
    EXPECT_LT(expected, -0.5);
    EXPECT_NEAR(afterThreeSteps(1, change), expected, 1e-15);
    EXPECT_NEAR(afterThreeSteps(2, change), expected, 1e-15);
  }
}

// What is not given was taken for zero: a relation without part in the motion.
TEST(FirstOrder, RelationsThatLackFunctions) {
  auto ds = std::make_shared<FirstOrderLinearTIDS>(Vector::Ones(1), -Matrix::Identity(1, 1));
  auto relation = std::make_shared<FirstOrderNonLinearR>();
  NonSmoothDynamicalSystem model(0.0, 0.1);
  model.insertDynamicalSystem(ds);
  model.link(std::make_shared<Interaction>(std::make_shared<RelayNSL>(1), relation), ds);
  TimeDiscretisation instants(0.0, 0.01);
  EulerMoreauOSI integrator(0.5);
  Relay problem;
  TimeStepping simulation(model, instants, integrator, problem);
  const auto step = [&] { return messageOf([&] { simulation.computeOneStep(); }); };
  EXPECT_EQ(step(), "a FirstOrderNonLinearR needs h");
  relation->setComputehFunction([](double, ConstVectorRef x, ConstVectorRef, VectorRef y, VectorRef) { y = x; });
  EXPECT_EQ(step(), "a FirstOrderNonLinearR needs JacobianhOverx");
  relation->setJacobianhOverx(Matrix::Identity(1, 1));
  EXPECT_EQ(step(), "a FirstOrderNonLinearR needs B");
  relation->setB(-Matrix::Identity(1, 1));
  EXPECT_EQ(step(), "a FirstOrderNonLinearR needs g");
  relation->setComputegFunction([](double, ConstVectorRef, ConstVectorRef lambda, VectorRef r, VectorRef) { r = -lambda; });
  EXPECT_EQ(step(), "");
}

// x' = 2 (I - W) x by plugged functions: x+ = W^-1 x. A W with the bits of the one before keeps its factors; one that is singular
// is refused as often as it comes, and what was factored before it counts no more.
TEST(FirstOrder, IterationMatricesThatComeAgain) {
  constexpr Index size = 8;
  Matrix W = Matrix::Identity(size, size);
  W(0, size - 1) = 0.5;
  const Vector start = Vector::LinSpaced(size, 8, 8 * size);
  auto ds = std::make_shared<FirstOrderNonLinearDS>(
      start, [&](double, ConstVectorRef x, VectorRef out, VectorRef) { out = 2 * (x - W * x); },
      [&](double, ConstVectorRef, MatrixRef out, VectorRef) { out = 2 * (Matrix::Identity(size, size) - W); });
  NonSmoothDynamicalSystem model(0.0, 10.0);
  model.insertDynamicalSystem(ds);
  TimeDiscretisation instants(0.0, 0.5);
  EulerMoreauOSI integrator(1.0);
  LCP problem;
  TimeStepping simulation(model, instants, integrator, problem);
  Vector expected = start;
  const auto step = [&] {
    simulation.computeOneStep();
    simulation.nextStep();
    expected = W.inverse() * expected;
    EXPECT_EQ(ds->x(), expected);
  };
  step();
  step();
  const Matrix regular = W;
  W(3, 3) = 0;
  for (int k = 0; k < 2; ++k) expectRefusal("is singular", [&] { simulation.computeOneStep(); });
  W = regular;
  step();
  W(3, 3) = 4;
  step();
}

}  // namespace first_order_test
