// The equations of the schemes (docs/decisions/0019-kernel.md), step by step, where steps, parameters and operators change or
// differ from their defaults.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "message_of.hpp"
#include "nonsmooth/kernel/kernel.hpp"
#include "one_entry.hpp"

namespace scheme_test {

using namespace nonsmooth::kernel;
using nonsmooth::kernel::test::expectRefusal;
using nonsmooth::kernel::test::messageOf;
using test::one;
using test::square;

std::shared_ptr<LagrangianLinearTIDS> oscillator(double mass, double stiffness, double damping) {
  auto ds = std::make_shared<LagrangianLinearTIDS>(one(0.3), one(-1), square(mass), square(stiffness), square(damping));
  ds->setComputeFExtFunction([](double t, VectorRef out, VectorRef) { out[0] = 2 + 3 * t; });
  return ds;
}

double forceAt(double t) { return 2 + 3 * t; }

// (M + h theta C + h^2 theta^2 K)(v+ - v) = -h C v - h K q - h^2 theta K v + h theta F+ + h (1 - theta) F
TEST(Schemes, MoreauJeanOfALinearSystem) {
  const double M = 2, K = 50, C = 3;
  auto ds = oscillator(M, K, C);
  NonSmoothDynamicalSystem model(0.0, 1.0);
  model.insertDynamicalSystem(ds);
  TimeDiscretisation instants(std::vector<double>{0, 0.125, 0.375, 0.625, 1});
  MoreauJeanOSI integrator(0.7);
  LCP problem;
  TimeStepping simulation(model, instants, integrator, problem);
  double theta = 0.7;
  for (int k = 0; k < 4; ++k) {
    if (k == 2) integrator.setTheta(*ds, theta = 0.9);
    const double q = ds->q()[0], v = ds->velocity()[0], t = simulation.getTk(), end = simulation.getTkp1(), h = end - t;
    simulation.computeOneStep();
    const double v1 = ds->velocity()[0];
    const double right = -h * C * v - h * K * q - h * h * theta * K * v + h * theta * forceAt(end) + h * (1 - theta) * forceAt(t);
    EXPECT_NEAR((M + h * theta * C + h * h * theta * theta * K) * (v1 - v), right, 1e-12) << k;
    EXPECT_NEAR(ds->q()[0], q + h * (theta * v1 + (1 - theta) * v), 1e-12) << k;
    simulation.nextStep();
  }
}

// M (v+ - v) = h theta f(t+, q+, v+) + h (1 - theta) f(t, q, v)
TEST(Schemes, MoreauJeanOfANonlinearSystem) {
  const double theta = 0.8, h = 0.1;
  const auto force = [](double t, double q, double v) { return 3 * t - 5 * q * q * q - v * std::abs(v); };
  auto ds = std::make_shared<LagrangianDS>(one(0.5), one(1), square(2));
  ds->setComputeFIntFunction(
      [&](double t, ConstVectorRef q, ConstVectorRef v, VectorRef out, VectorRef) { out[0] = -force(t, q[0], v[0]); });
  NonSmoothDynamicalSystem model(0.0, 1.0);
  model.insertDynamicalSystem(ds);
  TimeDiscretisation instants(0.0, h);
  MoreauJeanOSI integrator(theta);
  LCP problem;
  TimeStepping simulation(model, instants, integrator, problem);
  simulation.setNewtonTolerance(1e-13);
  while (simulation.hasNextEvent()) {
    const double q = ds->q()[0], v = ds->velocity()[0], t = simulation.getTk();
    simulation.computeOneStep();
    const double q1 = ds->q()[0], v1 = ds->velocity()[0];
    EXPECT_NEAR(2 * (v1 - v), h * theta * force(t + h, q1, v1) + h * (1 - theta) * force(t, q, v), 1e-11);
    simulation.nextStep();
  }
}

// One iteration, with W and G of one position q* ("Linear": that of the start of the step; "LinearImplicit": q_k + h v_k):
//   W(q*) (v+ - v) = h theta f(q + h v) + h (1 - theta) f(q) + G(q*) lambda,   0 <= G(q*) v+ + e G(q) v _|_ lambda >= 0
void expectOneIteration(TimeStepping::Newton option, bool verbs) {
  const double theta = 0.6, h = 0.05, e = 0.5;
  const auto f = [](double q) { return -9 - 20 * q * q * q; };
  const auto slope = [](double q) { return -60 * q * q; };
  const auto massAt = [](double q) { return 2 + q * q; };
  const auto G = [](double q) { return 1 + 0.4 * q; };
  auto ds = std::make_shared<LagrangianDS>(one(0.5), one(-1));
  ds->setComputeMassFunction([&](ConstVectorRef q, MatrixRef out, VectorRef) { out(0, 0) = massAt(q[0]); });
  ds->setComputeFIntFunction([&](double, ConstVectorRef q, ConstVectorRef, VectorRef out, VectorRef) { out[0] = -f(q[0]); });
  ds->setComputeJacobianFIntqFunction(
      [&](double, ConstVectorRef q, ConstVectorRef, MatrixRef out, VectorRef) { out(0, 0) = -slope(q[0]); });
  NonSmoothDynamicalSystem model(0.0, 1.0);
  model.insertDynamicalSystem(ds);
  auto contact = std::make_shared<Interaction>(
      std::make_shared<NewtonImpactNSL>(e),
      std::make_shared<LagrangianScleronomousR>([](ConstVectorRef q, VectorRef y, VectorRef) { y[0] = q[0] + 0.2 * q[0] * q[0]; },
                                                [&](ConstVectorRef q, MatrixRef out, VectorRef) { out(0, 0) = G(q[0]); }));
  model.link(contact, ds);
  TimeDiscretisation instants(0.0, h);
  MoreauJeanOSI integrator(theta);
  LCP problem;
  TimeStepping simulation(model, instants, integrator, problem);
  simulation.setNewtonOptions(option);
  double greatest = 0;
  while (simulation.hasNextEvent()) {
    simulation.nextStep();
    const double q = ds->q()[0], v = ds->velocity()[0];
    if (verbs) {
      simulation.computeFreeStep();
      simulation.updateIndexSets();
      simulation.computeOneStepNSProblem();
      simulation.update();
    } else {
      simulation.computeOneStep();
    }
    const double predicted = q + h * v, at = option == TimeStepping::Newton::Linear ? q : predicted;
    const double W = massAt(at) - h * h * theta * theta * slope(at);
    const double v1 = ds->velocity()[0], lambda = contact->lambda(1)[0];
    EXPECT_NEAR(W * (v1 - v), h * theta * f(predicted) + h * (1 - theta) * f(q) + G(at) * lambda, 1e-11);
    if (lambda > 0) {
      EXPECT_NEAR(G(at) * v1 + e * G(q) * v, 0, 1e-11);
    }
    greatest = std::max(greatest, lambda);
  }
  EXPECT_GT(greatest, 0.1);
}

TEST(Schemes, OneIterationHasItsMatricesAtOnePosition) {
  for (const bool verbs : {false, true})
    for (const auto option : {TimeStepping::Newton::Linear, TimeStepping::Newton::LinearImplicit})
      expectOneIteration(option, verbs);
}

// A contact at rest, whose velocity is the threshold, is active.
TEST(Schemes, ContactsAtRestHaveNoPositiveVelocity) {
  auto ds = std::make_shared<LagrangianLinearTIDS>(one(0), one(0), square(1));
  ds->setFExt(one(-9.81));
  NonSmoothDynamicalSystem model(0.0, 0.1);
  model.insertDynamicalSystem(ds);
  model.link(
      std::make_shared<Interaction>(std::make_shared<NewtonImpactNSL>(0.5), std::make_shared<LagrangianLinearTIR>(square(1))),
      ds);
  TimeDiscretisation instants(0.0, 0.01);
  MoreauJeanOSI integrator(0.5);
  integrator.setActivateWithNegativeRelativeVelocity(true);
  LCP problem;
  TimeStepping simulation(model, instants, integrator, problem);
  simulation.run([&](const Simulation&, const StepStatus&) { EXPECT_EQ(ds->velocity()[0], 0); });
}

// Dry friction of 0.05 Ns a step, wherever the mass is.
TEST(Schemes, RelaysActAtAnyPosition) {
  auto ds = std::make_shared<LagrangianLinearTIDS>(one(1), one(0.12), square(1));
  NonSmoothDynamicalSystem model(0.0, 0.4);
  model.insertDynamicalSystem(ds);
  model.link(
      std::make_shared<Interaction>(std::make_shared<RelayNSL>(1, -0.05, 0.05), std::make_shared<LagrangianLinearTIR>(square(1))),
      ds);
  TimeDiscretisation instants(0.0, 0.1);
  MoreauJeanOSI integrator(0.5);
  Relay problem;
  TimeStepping simulation(model, instants, integrator, problem);
  for (const double expected : {0.07, 0.02, 0.0, 0.0}) {
    simulation.computeOneStep();
    EXPECT_NEAR(ds->velocity()[0], expected, 1e-14);
    simulation.nextStep();
  }
}

// x' = a x + b + lambda, 0 <= y = x - 0.8 + lambda / 2 _|_ lambda >= 0.
struct Diode {
  std::shared_ptr<FirstOrderLinearDS> ds;
  std::shared_ptr<Interaction> contact = std::make_shared<Interaction>(
      std::make_shared<ComplementarityConditionNSL>(1),
      std::make_shared<FirstOrderLinearTIR>(square(1), square(0.5), Matrix(), one(-0.8), square(1)));
  NonSmoothDynamicalSystem model{0.0, 2.0};
  TimeDiscretisation instants{std::vector<double>{0, 0.125, 0.375, 0.625, 0.875, 1.125, 1.5}};
  LCP problem;
  std::unique_ptr<TimeStepping> simulation;

  Diode(std::shared_ptr<FirstOrderLinearDS> system, OneStepIntegrator& integrator) : ds(std::move(system)) {
    model.insertDynamicalSystem(ds);
    model.link(contact, ds);
    simulation = std::make_unique<TimeStepping>(model, instants, integrator, problem);
  }
  double h() const { return simulation->getTkp1() - simulation->getTk(); }
  double lambda() const { return contact->lambda(0)[0]; }
  double x() const { return ds->x()[0]; }
};

// x+ - x = h theta f+ + h (1 - theta) f + h gamma r+ + h (1 - gamma) r, or the law at t + gamma h, or neither. Each rule ends the
// other.
TEST(Schemes, EulerMoreauWithEachUseOfGamma) {
  const double theta = 0.6, gamma = 0.7;
  double a = -1;
  EulerMoreauOSI integrator(theta, gamma);
  Diode diode(std::make_shared<FirstOrderLinearTIDS>(one(1), square(a), one(-1)), integrator);
  for (int k = 0; k < 6; ++k) {
    if (k == 2) integrator.setUseGammaForRelation(true);
    if (k == 3) diode.ds->setA(square(a = -2));
    if (k == 4) integrator.setUseGamma(true);
    if (k == 5) integrator.setUseGamma(false);
    const bool for_relation = k == 2 || k == 3, for_input = k < 2 || k == 4;
    const double x = diode.x(), r = diode.ds->r()[0], h = diode.h();
    diode.simulation->computeOneStep();
    const double x1 = diode.x(), lambda = diode.lambda();
    const double input = for_input ? gamma * lambda + (1 - gamma) * r : lambda;
    EXPECT_NEAR(x1 - x, h * (theta * (a * x1 - 1) + (1 - theta) * (a * x - 1) + input), 1e-12) << k;
    const double at = for_relation ? gamma * x1 + (1 - gamma) * x : x1;
    EXPECT_NEAR(std::min(at - 0.8 + 0.5 * lambda, lambda), 0, 1e-12) << k;
    diode.simulation->nextStep();
  }
  EXPECT_GT(diode.lambda(), 0.1);
}

// The form of 2006, and a theta for each system. x1' = -x1, x2' = -x2^2, coupled by nothing.
TEST(Schemes, EulerMoreauWithThetaOfEachSystem) {
  const double h = 0.1;
  auto linear = std::make_shared<FirstOrderLinearTIDS>(one(1), square(-1));
  auto square_law = std::make_shared<FirstOrderNonLinearDS>(
      one(1), [](double, ConstVectorRef x, VectorRef out, VectorRef) { out[0] = -x[0] * x[0]; },
      [](double, ConstVectorRef x, MatrixRef out, VectorRef) { out(0, 0) = -2 * x[0]; });
  NonSmoothDynamicalSystem model(0.0, 1.0);
  model.insertDynamicalSystem(linear);
  model.insertDynamicalSystem(square_law);
  TimeDiscretisation instants(0.0, h);
  TimeStepping simulation(model, instants);
  const DynamicalSystemsSet all = {linear.get(), square_law.get()};
  EulerMoreauOSI integrator(all, 0.5, &simulation);
  simulation.setNewtonTolerance(1e-13);
  integrator.setTheta(*square_law, 0.8);
  for (const double theta : {0.5, 0.5, 0.9, 0.9}) {
    if (theta != integrator.getTheta(linear.get())) integrator.setTheta(*linear, theta);
    const double x = linear->x()[0], y = square_law->x()[0];
    simulation.computeOneStep();
    const double x1 = linear->x()[0], y1 = square_law->x()[0];
    EXPECT_NEAR(x1 - x, -h * (theta * x1 + (1 - theta) * x), 1e-13);
    EXPECT_NEAR(y1 - y, -h * (0.8 * y1 * y1 + 0.2 * y * y), 1e-12);
    const Matrix W = integrator.getW(linear.get());
    EXPECT_DOUBLE_EQ(W(0, 0), 1 + h * theta);
  }
  EXPECT_EQ(integrator.theta(), 0.5);
  EXPECT_EQ(integrator.getTheta(*square_law), 0.8);
  EXPECT_EQ(messageOf([&] { integrator.setTheta(*linear, 1.5); }), "theta = 1.5 is outside [0, 1]");
}

// x+ = exp(a h) x + (exp(a h) - 1) / a (b(t+) + lambda)
TEST(Schemes, ZeroOrderHold) {
  const double a = -2;
  ZeroOrderHoldOSI integrator;
  auto ds = std::make_shared<FirstOrderLinearDS>(one(1), square(a));
  ds->setComputebFunction([](double t, VectorRef out, VectorRef) { out[0] = t - 3; });
  Diode diode(ds, integrator);
  for (int k = 0; k < 6; ++k) {
    const double x = diode.x(), h = diode.h(), b = diode.simulation->getTkp1() - 3;
    diode.simulation->computeOneStep();
    const double lambda = diode.lambda();
    EXPECT_NEAR(diode.x(), std::exp(a * h) * x + std::expm1(a * h) / a * (b + lambda), 1e-14) << k;
    EXPECT_NEAR(std::min(diode.x() - 0.8 + 0.5 * lambda, lambda), 0, 1e-12) << k;
    diode.simulation->nextStep();
  }
  EXPECT_GT(diode.lambda(), 0.1);
}

// x_1' = -x_1 + g_1, x_2' = -2 x_2 + g_2, 0 <= y _|_ lambda >= 0. Common to all g and y: dy/dx = (1, -2 x_2), dy/dlambda = 1 and
// dg/dlambda = (1 + 3 lambda^2, -1).
struct TwoLinked {
  std::shared_ptr<FirstOrderLinearTIDS> first = std::make_shared<FirstOrderLinearTIDS>(one(0.2), square(-1)),
                                        second = std::make_shared<FirstOrderLinearTIDS>(one(1), square(-2));
  NonSmoothDynamicalSystem model{0.0, 0.5};
  std::shared_ptr<Interaction> interaction;

  explicit TwoLinked(CoupledToVector y, CoupledToVector g, CoupledToMatrix K = {}) {
    interaction = std::make_shared<Interaction>(
        std::make_shared<ComplementarityConditionNSL>(1),
        std::make_shared<FirstOrderNonLinearR>(
            std::move(y), std::move(g),
            [](double, ConstVectorRef x, ConstVectorRef, MatrixRef C, VectorRef) { C(0, 0) = 1, C(0, 1) = -2 * x[1]; },
            [](double, ConstVectorRef, ConstVectorRef lambda, MatrixRef B, VectorRef) {
              B(0, 0) = 1 + 3 * lambda[0] * lambda[0], B(1, 0) = -1;
            },
            [](double, ConstVectorRef, ConstVectorRef, MatrixRef D, VectorRef) { D(0, 0) = 1; }, std::move(K)));
    model.insertDynamicalSystem(first);
    model.insertDynamicalSystem(second);
    model.link(interaction, first, second);
  }
};

// g = (lambda + lambda^3, -lambda - x_1^2): of both systems, and in r after the step.
TEST(Schemes, EulerMoreauWithInputsThatAreNotLinear) {
  TwoLinked scene(
      [](double, ConstVectorRef x, ConstVectorRef lambda, VectorRef y, VectorRef) { y[0] = x[0] - x[1] * x[1] + lambda[0]; },
      [](double, ConstVectorRef x, ConstVectorRef lambda, VectorRef r, VectorRef) {
        r[0] = lambda[0] + lambda[0] * lambda[0] * lambda[0];
        r[1] = -lambda[0] - x[0] * x[0];
      });
  auto& [first, second, model, interaction] = scene;
  const double h = 0.1;
  TimeDiscretisation instants(0.0, h);
  EulerMoreauOSI integrator(1.0);
  LCP problem;
  TimeStepping simulation(model, instants, integrator, problem);
  simulation.setNewtonTolerance(1e-12);
  double greatest = 0;
  while (simulation.hasNextEvent()) {
    const double x = first->x()[0], z = second->x()[0];
    simulation.computeOneStep();
    const double x1 = first->x()[0], z1 = second->x()[0], lambda = interaction->lambda(0)[0];
    const double g1 = lambda + lambda * lambda * lambda, g2 = -lambda - x1 * x1;
    EXPECT_NEAR(x1 - x, h * (-x1 + g1), 1e-11);
    EXPECT_NEAR(z1 - z, h * (-2 * z1 + g2), 1e-11);
    EXPECT_NEAR(first->r()[0], g1, 1e-10);
    EXPECT_NEAR(second->r()[0], g2, 1e-10);
    EXPECT_NEAR(std::min(x1 - z1 * z1 + lambda, lambda), 0, 1e-10);
    greatest = std::max(greatest, lambda);
    simulation.nextStep();
  }
  EXPECT_GT(greatest, 0.1);
}

// The full theta-gamma scheme where nothing is linear: y, g and the law at t + gamma h, of x_gamma = gamma x+ + (1 - gamma) x_k.
// g = (lambda + lambda^3, -lambda - x_1^2 - x_2^2 + t), so that W has a block of dg/dx.
TEST(Schemes, GammaForRelationsThatAreNotLinear) {
  TwoLinked scene([](double t, ConstVectorRef x, ConstVectorRef lambda, VectorRef y,
                     VectorRef) { y[0] = x[0] - x[1] * x[1] + lambda[0] - t; },
                  [](double t, ConstVectorRef x, ConstVectorRef lambda, VectorRef r, VectorRef) {
                    r[0] = lambda[0] + lambda[0] * lambda[0] * lambda[0];
                    r[1] = -lambda[0] - x[0] * x[0] - x[1] * x[1] + t;
                  },
                  [](double, ConstVectorRef x, ConstVectorRef, MatrixRef K, VectorRef) {
                    K.setZero();
                    K(1, 0) = -2 * x[0], K(1, 1) = -2 * x[1];
                  });
  auto& [first, second, model, interaction] = scene;
  const double h = 0.1, theta = 0.6, gamma = 0.7;
  TimeDiscretisation instants(0.0, h);
  EulerMoreauOSI integrator(theta, gamma);
  integrator.setUseGammaForRelation(true);
  LCP problem;
  problem.setTolerance(1e-14);
  TimeStepping simulation(model, instants, integrator, problem);
  simulation.setNewtonTolerance(1e-12);
  double greatest = 0;
  while (simulation.hasNextEvent()) {
    const double x = first->x()[0], z = second->x()[0], t = simulation.getTk() + gamma * h;
    const StepStatus status = simulation.computeOneStep();
    const double x1 = first->x()[0], z1 = second->x()[0], lambda = interaction->lambda(0)[0];
    const double xg = gamma * x1 + (1 - gamma) * x, zg = gamma * z1 + (1 - gamma) * z;
    const double g1 = lambda + lambda * lambda * lambda, g2 = -lambda - xg * xg - zg * zg + t;
    EXPECT_NEAR(x1 - x, h * (-theta * x1 - (1 - theta) * x + g1), 1e-11);
    EXPECT_NEAR(z1 - z, h * (-2 * theta * z1 - 2 * (1 - theta) * z + g2), 1e-11);
    EXPECT_NEAR(first->r()[0], g1, 1e-10);
    EXPECT_NEAR(second->r()[0], g2, 1e-10);
    EXPECT_NEAR(std::min(xg - zg * zg + lambda - t, lambda), 0, 1e-10);
    EXPECT_NEAR(interaction->y(0)[0], x1 - z1 * z1 + lambda - simulation.getTkp1(), 1e-15);
    EXPECT_LE(status.violation, 1e-10);
    EXPECT_LE(status.newtonIterations, 7);
    greatest = std::max(greatest, lambda);
    simulation.nextStep();
  }
  EXPECT_GT(greatest, 0.1);
}

// x' = B(t) lambda, 0 <= y = C(t) x + e(t) _|_ lambda >= 0: matrices that depend on time are those of the instant of the law.
TEST(Schemes, GammaForRelationsWhoseMatricesDependOnTime) {
  auto ds = std::make_shared<FirstOrderLinearTIDS>(one(2), square(0));
  NonSmoothDynamicalSystem model(0.0, 0.4);
  model.insertDynamicalSystem(ds);
  auto relation = std::make_shared<FirstOrderLinearR>();
  relation->setComputeCFunction([](double t, MatrixRef C, VectorRef) { C(0, 0) = 1 + t; });
  relation->setComputeBFunction([](double t, MatrixRef B, VectorRef) { B(0, 0) = 2 - t; });
  relation->setComputeeFunction([](double t, VectorRef e, VectorRef) { e[0] = -2 - 4 * t; });
  auto interaction = std::make_shared<Interaction>(std::make_shared<ComplementarityConditionNSL>(1), relation);
  model.link(interaction, ds);
  const double h = 0.1, gamma = 0.8;
  TimeDiscretisation instants(0.0, h);
  EulerMoreauOSI integrator(0.5, gamma);
  integrator.setUseGammaForRelation(true);
  LCP problem;
  TimeStepping simulation(model, instants, integrator, problem);
  simulation.run([&, x = 2.0](const Simulation& s, const StepStatus&) mutable {
    const double x1 = ds->x()[0], lambda = interaction->lambda(0)[0], t = s.getTk() + gamma * h;
    EXPECT_NEAR(x1 - x, h * (2 - t) * lambda, 1e-12);
    EXPECT_NEAR((1 + t) * (gamma * x1 + (1 - gamma) * x) - 2 - 4 * t, 0, 1e-12);
    EXPECT_GT(lambda, 0.1);
    x = x1;
  });
}

// M (q+ - 2 q + q-) + h/2 theta C (q+ - q-) + h^2 (1 - theta) C v + h^2 K (theta q+ + (1 - theta) q)
//   = h^2 (theta F+ + (1 - theta) F) + lambda,   0 <= y+ + e y- _|_ lambda >= 0,   y = q + 0.1
TEST(Schemes, SchatzmanPaoli) {
  const double M = 2, K = 50, C = 3, theta = 0.7, e = 0.6, h = 0.01;
  auto ds = oscillator(M, K, C);
  NonSmoothDynamicalSystem model(0.0, 1.0);
  model.insertDynamicalSystem(ds);
  auto contact = std::make_shared<Interaction>(std::make_shared<NewtonImpactNSL>(e),
                                               std::make_shared<LagrangianLinearTIR>(square(1), one(0.1)));
  model.link(contact, ds);
  TimeDiscretisation instants(0.0, h);
  SchatzmanPaoliOSI integrator(theta);
  LCP problem;
  problem.setTolerance(1e-15);
  TimeStepping simulation(model, instants, integrator, problem);
  double before = ds->q()[0], q = before + h * ds->velocity()[0], v = ds->velocity()[0], greatest = 0;
  simulation.run([&](const Simulation& s, const StepStatus&) {
    const double next = ds->q()[0], lambda = contact->lambda(0)[0];
    const double left = M * (next - 2 * q + before) + h / 2 * theta * C * (next - before) + h * h * (1 - theta) * C * v +
                        h * h * K * (theta * next + (1 - theta) * q);
    EXPECT_NEAR(left, h * h * (theta * forceAt(s.getTkp1()) + (1 - theta) * forceAt(s.getTk())) + lambda, 1e-13);
    EXPECT_NEAR(std::min(next + 0.1 + e * (before + 0.1), lambda), 0, 1e-13);
    greatest = std::max(greatest, lambda);
    v = (next - before) / (2 * h);
    before = q;
    q = next;
  });
  EXPECT_GT(greatest, 1e-3);
}

// A second run of the same model begins with a first step of its own.
TEST(Schemes, SchatzmanPaoliBeginsAgain) {
  auto ds = oscillator(2, 50, 3);
  NonSmoothDynamicalSystem model(0.0, 0.2);
  model.insertDynamicalSystem(ds);
  SchatzmanPaoliOSI integrator(0.7);
  const auto run = [&] {
    ds->resetToInitialState();
    TimeDiscretisation instants(0.0, 0.01);
    LCP problem;
    TimeStepping(model, instants, integrator, problem).run();
    return ds->q()[0];
  };
  const double first = run();
  EXPECT_EQ(run(), first);
}

// 0 <= h(q, F) _|_ F >= 0 for the force F = lambda / h: at q+, or at theta q+ + (1 - theta) q.
void expectCompliance(const std::shared_ptr<Relation>& relation, bool average, double (*gap)(double q, double force)) {
  const double theta = 0.6, h = 0.1;
  auto ds = std::make_shared<LagrangianLinearTIDS>(one(0.15), one(-1), square(1));
  NonSmoothDynamicalSystem model(0.0, 0.5);
  model.insertDynamicalSystem(ds);
  auto contact = std::make_shared<Interaction>(std::make_shared<ComplementarityConditionNSL>(1), relation);
  model.link(contact, ds);
  TimeDiscretisation instants(0.0, h);
  MoreauJeanOSI integrator(theta);
  integrator.setAverageCompliance(average);
  LCP problem;
  problem.setTolerance(1e-14);
  TimeStepping simulation(model, instants, integrator, problem);
  simulation.setNewtonTolerance(1e-12);
  double greatest = 0, q = ds->q()[0], v = ds->velocity()[0];
  simulation.run([&](const Simulation&, const StepStatus& status) {
    const double q1 = ds->q()[0], v1 = ds->velocity()[0], lambda = contact->lambda(1)[0];
    EXPECT_LE(status.violation, 1e-11);
    EXPECT_NEAR(v1 - v, lambda, 1e-12);
    EXPECT_NEAR(std::min(gap(average ? theta * q1 + (1 - theta) * q : q1, lambda / h), lambda), 0, 1e-11);
    greatest = std::max(greatest, lambda);
    q = q1;
    v = v1;
  });
  EXPECT_GT(greatest, 0.1);
}

TEST(Schemes, MoreauJeanWithCompliance) {
  for (const bool average : {false, true}) {
    expectCompliance(std::make_shared<LagrangianCompliantLinearTIR>(square(1), square(0.05)), average,
                     [](double q, double force) { return q + 0.05 * force; });
    expectCompliance(std::make_shared<LagrangianCompliantR>(
                         [](double, ConstVectorRef q, ConstVectorRef force, VectorRef y, VectorRef) {
                           y[0] = q[0] + 0.05 * force[0] + 1e-3 * force[0] * force[0] * force[0];
                         },
                         [](double, ConstVectorRef, ConstVectorRef, MatrixRef G, VectorRef) { G(0, 0) = 1; },
                         [](double, ConstVectorRef, ConstVectorRef force, MatrixRef D, VectorRef) {
                           D(0, 0) = 0.05 + 3e-3 * force[0] * force[0];
                         }),
                     average, [](double q, double force) { return q + 0.05 * force + 1e-3 * force * force * force; });
  }
}

// x' = -x + lambda, 0 <= x - 1 + lambda + lambda^3 _|_ lambda >= 0: the equations of motion are linear, the law is not.
TEST(Schemes, EulerMoreauMeetsALawThatIsNotLinear) {
  auto ds = std::make_shared<FirstOrderLinearTIDS>(one(0), square(-1));
  NonSmoothDynamicalSystem model(0.0, 0.3);
  model.insertDynamicalSystem(ds);
  auto interaction = std::make_shared<Interaction>(
      std::make_shared<ComplementarityConditionNSL>(1),
      std::make_shared<FirstOrderType2R>(
          [](double, ConstVectorRef x, ConstVectorRef lambda, VectorRef y, VectorRef) {
            y[0] = x[0] - 1 + lambda[0] + lambda[0] * lambda[0] * lambda[0];
          },
          [](double, ConstVectorRef, ConstVectorRef lambda, VectorRef r, VectorRef) { r = lambda; },
          [](double, ConstVectorRef, ConstVectorRef, MatrixRef C, VectorRef) { C(0, 0) = 1; },
          [](double, ConstVectorRef, ConstVectorRef lambda, MatrixRef D, VectorRef) { D(0, 0) = 1 + 3 * lambda[0] * lambda[0]; },
          [](double, ConstVectorRef, ConstVectorRef, MatrixRef B, VectorRef) { B(0, 0) = 1; }));
  model.link(interaction, ds);
  TimeDiscretisation instants(0.0, 0.1);
  EulerMoreauOSI integrator(0.5);
  LCP problem;
  problem.setTolerance(1e-14);
  TimeStepping simulation(model, instants, integrator, problem);
  simulation.setNewtonTolerance(1e-12);
  simulation.run([&](const Simulation&, const StepStatus&) {
    const double lambda = interaction->lambda(0)[0];
    EXPECT_GT(lambda, 0.1);
    EXPECT_NEAR(ds->x()[0] - 1 + lambda + lambda * lambda * lambda, 0, 1e-11);
  });
}

// Springs to the ground, then some between the masses: another pattern of W, which is factored anew.
TEST(Schemes, SparseStiffnessOfAnotherPattern) {
  constexpr Index n = 6;
  const auto end = [](bool sparse) {
    const Matrix loose = 20 * Matrix::Identity(n, n);
    Matrix coupled = loose;
    for (const auto& [i, j] : {std::pair(0, 5), std::pair(1, 4), std::pair(0, 3), std::pair(2, 5)})
      coupled(i, j) = coupled(j, i) = -5;
    const auto stored = [sparse](const Matrix& A) {
      return sparse ? LinearOperator(SparseMatrix(A.sparseView())) : LinearOperator(A);
    };
    auto ds = std::make_shared<LagrangianLinearTIDS>(Vector::Unit(n, 0), Vector::Zero(n), stored(Matrix::Identity(n, n)),
                                                     stored(loose), LinearOperator());
    NonSmoothDynamicalSystem model(0.0, 0.5);
    model.insertDynamicalSystem(ds);
    TimeDiscretisation instants(0.0, 0.1);
    MoreauJeanOSI integrator(0.5);
    LCP problem;
    TimeStepping simulation(model, instants, integrator, problem);
    simulation.computeOneStep();
    simulation.nextStep();
    ds->setK(stored(coupled));
    simulation.run();
    return Vector(ds->q());
  };
  EXPECT_GT(std::abs(end(false)[5]), 1e-2);
  EXPECT_LE((end(true) - end(false)).norm(), 1e-13);
}

// C Mass^-1 C' of two walls that hold a body of 2 kg between them.
TEST(Schemes, TheMatrixOfTheProblem) {
  auto ds = std::make_shared<LagrangianLinearTIDS>(one(0), one(0), square(2));
  NonSmoothDynamicalSystem model(0.0, 1.0);
  model.insertDynamicalSystem(ds);
  for (const double side : {1.0, -1.0})
    model.link(
        std::make_shared<Interaction>(std::make_shared<NewtonImpactNSL>(0), std::make_shared<LagrangianLinearTIR>(square(side))),
        ds);
  TimeDiscretisation instants(0.0, 0.1);
  MoreauJeanOSI integrator(0.5);
  LCP problem;
  TimeStepping simulation(model, instants, integrator, problem);
  simulation.computeOneStep();
  EXPECT_EQ(problem.getM(), (Matrix{{0.5, -0.5}, {-0.5, 0.5}}));
}

// Contacts that touch a few of the coordinates of a chain, in sparse storage, and one of them another body too: the columns of
// zeros between change nothing, not even the sign of a zero.
TEST(Schemes, TheMatrixOfContactsWithALargeBody) {
  constexpr Index size = 12;
  Matrix M = Matrix::Zero(size, size);
  for (Index i = 0; i < size; ++i) M(i, i) = 2.0 + static_cast<double>(i);
  M(3, 4) = M(4, 3) = 1;
  auto chain = std::make_shared<LagrangianLinearTIDS>(Vector::Zero(size), Vector::Zero(size), SparseMatrix(M.sparseView()));
  auto ball = std::make_shared<LagrangianLinearTIDS>(one(0), one(0), square(2));
  NonSmoothDynamicalSystem model(0.0, 1.0);
  model.insertDynamicalSystem(chain);
  model.insertDynamicalSystem(ball);
  Matrix C = Matrix::Zero(3, size + 1);
  C(0, 0) = C(1, 3) = C(2, 4) = 1;
  C(1, 8) = -0.5;
  C(2, size) = -1;
  const auto meet = [&](Index row, Index columns) {
    return std::make_shared<Interaction>(std::make_shared<NewtonImpactNSL>(0),
                                         std::make_shared<LagrangianLinearTIR>(C.block(row, 0, 1, columns)));
  };
  model.link(meet(0, size), chain);
  model.link(meet(1, size), chain);
  model.link(meet(2, size + 1), chain, ball);
  TimeDiscretisation instants(0.0, 0.1);
  MoreauJeanOSI integrator(0.5);
  LCP problem;
  TimeStepping simulation(model, instants, integrator, problem);
  simulation.computeOneStep();
  Matrix mass = 2 * Matrix::Identity(size + 1, size + 1);
  mass.topLeftCorner(size, size) = M;
  const Matrix found = problem.getM(), expected = C * mass.inverse() * C.transpose();
  EXPECT_LE((found - expected).norm(), 1e-14);
  EXPECT_TRUE(found(0, 1) == 0 && found(0, 2) == 0 && !std::signbit(found(0, 1)) && !std::signbit(found(0, 2)));
}

}  // namespace scheme_test
