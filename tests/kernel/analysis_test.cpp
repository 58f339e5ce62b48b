// The schemes against what is known by analysis.
#include <cmath>
#include <memory>

#include "trajectory.hpp"

namespace analysis_test {

using namespace nonsmooth::kernel;

constexpr double gravity = 9.81;

std::shared_ptr<LagrangianLinearTIDS> pointMass(double q, double v, double force) {
  auto ds = std::make_shared<LagrangianLinearTIDS>(Vector::Constant(1, q), Vector::Constant(1, v), Matrix::Identity(1, 1));
  ds->setFExt(Vector::Constant(1, force));
  return ds;
}

struct Bounces {
  double first_impact = 0, second_impact = 0, speed_after_first = 0;
};

Bounces bounce(double h) {
  auto ds = pointMass(1, 0, -gravity);
  NonSmoothDynamicalSystem model(0.0, 1.5);
  model.insertDynamicalSystem(ds);
  auto contact = std::make_shared<Interaction>(std::make_shared<NewtonImpactNSL>(0.9),
                                               std::make_shared<LagrangianLinearTIR>(Matrix::Identity(1, 1)));
  model.link(contact, ds);
  TimeDiscretisation instants(0.0, h);
  MoreauJeanOSI integrator(0.5);
  LCP problem;
  TimeStepping simulation(model, instants, integrator, problem);
  Bounces result;
  simulation.run([&](const Simulation& s, const StepStatus& status) {
    EXPECT_TRUE(status.solve.certified);
    if (contact->lambda(1)[0] <= 0) return;
    if (result.first_impact == 0) {
      result.first_impact = s.nextTime();
      result.speed_after_first = ds->velocity()[0];
    } else if (result.second_impact == 0) {
      result.second_impact = s.nextTime();
    }
  });
  return result;
}

// Impacts are met within a step, speeds within the gravity of a step: order 1.
TEST(Analysis, BouncingBallConvergesWithOrderOne) {
  const double t1 = std::sqrt(2 / gravity), t2 = t1 + 2 * 0.9 * t1, v1 = 0.9 * std::sqrt(2 * gravity);
  for (const double h : {1e-2, 1e-3, 1e-4, 1e-5}) {
    const Bounces b = bounce(h);
    EXPECT_LE(std::abs(b.first_impact - t1), 1.5 * h) << h;
    EXPECT_LE(std::abs(b.second_impact - t2), 4 * h) << h;
    EXPECT_LE(std::abs(b.speed_after_first - v1), 2 * gravity * h) << h;
  }
}

// theta = 1/2 keeps the energy of a linear oscillator, in every storage of its operators.
TEST(Analysis, EnergyOfOscillatorIsConstant) {
  const Eigen::Vector2d mass(1.0, 2.0), stiffness(100.0, 30.0);
  SparseMatrix sparse_mass(2, 2), sparse_stiffness(2, 2);
  for (Index k = 0; k < 2; ++k) {
    sparse_mass.insert(k, k) = mass[k];
    sparse_stiffness.insert(k, k) = stiffness[k];
  }
  const std::vector<std::pair<LinearOperator, LinearOperator>> storages = {
      {Diagonal(Vector(mass)), Diagonal(Vector(stiffness))},
      {Matrix(mass.asDiagonal()), Matrix(stiffness.asDiagonal())},
      {sparse_mass, sparse_stiffness}};
  for (const auto& [M, K] : storages) {
    auto ds = std::make_shared<LagrangianLinearTIDS>(Eigen::Vector2d(1, -0.5), Eigen::Vector2d(0, 3), M, K, LinearOperator());
    NonSmoothDynamicalSystem model(0.0, 10.0);
    model.insertDynamicalSystem(ds);
    TimeDiscretisation instants(0.0, 1e-2);
    MoreauJeanOSI integrator(0.5);
    LCP problem;
    TimeStepping simulation(model, instants, integrator, problem);
    const auto energy = [&] {
      return 0.5 * (mass.array() * ds->velocity().array().square() + stiffness.array() * ds->q().array().square()).sum();
    };
    const double start = energy();
    double worst = 0;
    simulation.run([&](const Simulation&, const StepStatus&) { worst = std::max(worst, std::abs(energy() - start)); });
    EXPECT_LE(worst, 1e-11 * start);
  }
}

// The same oscillator by user functions: Newton's iteration with Jacobians, and the check of those Jacobians.
TEST(Analysis, NonlinearFormOfOscillatorAgrees) {
  auto ds = std::make_shared<LagrangianDS>(Vector::Constant(1, 1), Vector::Zero(1), Matrix::Identity(1, 1));
  ds->setComputeFIntFunction([](double, ConstVectorRef q, ConstVectorRef, VectorRef out, VectorRef) { out = 100 * q; });
  ds->setComputeJacobianFIntqFunction([](double, ConstVectorRef, ConstVectorRef, MatrixRef out, VectorRef) { out(0, 0) = 100; });
  ds->checkJacobians(0.0);
  auto linear = std::make_shared<LagrangianLinearTIDS>(Vector::Constant(1, 1), Vector::Zero(1), Matrix::Identity(1, 1),
                                                       Matrix(100 * Matrix::Identity(1, 1)), LinearOperator());
  NonSmoothDynamicalSystem model(0.0, 1.0);
  model.insertDynamicalSystem(ds);
  model.insertDynamicalSystem(linear);
  TimeDiscretisation instants(0.0, 1e-2);
  MoreauJeanOSI integrator(0.5);
  LCP problem;
  TimeStepping simulation(model, instants, integrator, problem);
  simulation.setNewtonTolerance(1e-13);
  simulation.run();
  EXPECT_NEAR(ds->q()[0], linear->q()[0], 1e-12);
  ds->setComputeJacobianFIntqFunction([](double, ConstVectorRef, ConstVectorRef, MatrixRef out, VectorRef) { out(0, 0) = 90; });
  EXPECT_THROW(ds->checkJacobians(0.0), Error);
}

// A block on an incline, gravity turned by the angle: it sticks up to mu = tan(angle) and slides below.
double slidingSpeed(double angle, double mu) {
  auto block = std::make_shared<LagrangianLinearTIDS>(Vector::Zero(2), Vector::Zero(2), Matrix::Identity(2, 2));
  block->setFExt(Eigen::Vector2d(-gravity * std::cos(angle), gravity * std::sin(angle)));
  NonSmoothDynamicalSystem model(0.0, 0.1);
  model.insertDynamicalSystem(block);
  model.link(std::make_shared<Interaction>(std::make_shared<NewtonImpactFrictionNSL>(0, 0, mu, 2),
                                           std::make_shared<LagrangianLinearTIR>(Matrix::Identity(2, 2))),
             block);
  TimeDiscretisation instants(0.0, 1e-2);
  MoreauJeanOSI integrator(0.5);
  FrictionContact problem(2);
  problem.setTolerance(1e-15);
  TimeStepping simulation(model, instants, integrator, problem);
  simulation.run([](const Simulation&, const StepStatus& status) { EXPECT_TRUE(status.solve.certified); });
  return block->velocity()[1];
}

TEST(Analysis, SlidingStartsAtTheAngleOfFriction) {
  const double angle = 0.5, mu = std::tan(angle);
  EXPECT_LE(std::abs(slidingSpeed(angle, mu + 1e-10)), 1e-14);
  const double expected = gravity * std::cos(angle) * 1e-10 * 0.1;  // (tan(angle) - mu) g cos(angle) t
  EXPECT_NEAR(slidingSpeed(angle, mu - 1e-10), expected, 0.01 * expected);
}

// x' = -sign(x): reaches 0 at t = 1 and stays, the multiplier exactly what holds it there.
TEST(Analysis, RelaySlidesWithoutChattering) {
  auto ds = std::make_shared<FirstOrderLinearTIDS>(Vector::Constant(1, 1), Matrix::Zero(1, 1), Vector::Constant(1, 0.25));
  NonSmoothDynamicalSystem model(0.0, 3.0);
  model.insertDynamicalSystem(ds);
  auto relay = std::make_shared<Interaction>(
      std::make_shared<RelayNSL>(1), std::make_shared<FirstOrderLinearTIR>(Matrix::Identity(1, 1), Matrix::Identity(1, 1)));
  model.link(relay, ds);
  TimeDiscretisation instants(0.0, 1e-3);
  EulerMoreauOSI integrator(1.0);
  Relay problem;
  TimeStepping simulation(model, instants, integrator, problem);
  simulation.run([&](const Simulation& s, const StepStatus&) {
    if (s.nextTime() < 4.0 / 3 + 2e-3) return;
    ASSERT_LE(std::abs(ds->x()[0]), 1e-15);
    ASSERT_NEAR(relay->lambda(0)[0], -0.25, 1e-12);
  });
}

// RLC circuit with a diode: conduction begins where the undamped voltage of the blocked phase changes sign.
TEST(Analysis, DiodeConductsFromTheZeroOfTheVoltage) {
  const double L = 1e-2, C = 1e-6, R = 1e3, omega = 1 / std::sqrt(L * C), pi = std::acos(-1.0);
  Matrix A(2, 2), B(2, 1), H(1, 2);
  A << 0, -1 / C, 1 / L, 0;
  B << -1 / C, 0;
  H << -1, 0;
  double previous = 0;
  for (const double h : {1e-6, 1e-7}) {
    // Starts blocked: negative voltage, which returns to zero after half a period.
    auto ds = std::make_shared<FirstOrderLinearTIDS>(Eigen::Vector2d(0, 1e-1), A);
    NonSmoothDynamicalSystem model(0.0, 6e-4);
    model.insertDynamicalSystem(ds);
    auto diode =
        std::make_shared<Interaction>(std::make_shared<ComplementarityConditionNSL>(1),
                                      std::make_shared<FirstOrderLinearTIR>(H, Matrix::Constant(1, 1, R), Matrix(), Vector(), B));
    model.link(diode, ds);
    TimeDiscretisation instants(0.0, h);
    EulerMoreauOSI integrator(0.5);
    LCP problem;
    TimeStepping simulation(model, instants, integrator, problem);
    double start = 0;
    simulation.run([&](const Simulation& s, const StepStatus&) {
      if (start == 0 && diode->lambda(0)[0] > 0) start = s.nextTime();
    });
    const double error = std::abs(start - pi / omega);
    EXPECT_LE(error, 2 * h);
    if (previous > 0) {
      EXPECT_LT(error, previous);
    }
    previous = error;
  }
}

// x+ of the zero-order hold is exact for constant input.
TEST(Analysis, ZeroOrderHoldIsExact) {
  Matrix A(2, 2);
  A << 0, 1, -4, 0;
  auto ds = std::make_shared<FirstOrderLinearTIDS>(Eigen::Vector2d(1, 0), A, Eigen::Vector2d(0, 2));
  NonSmoothDynamicalSystem model(0.0, 2.0);
  model.insertDynamicalSystem(ds);
  TimeDiscretisation instants(0.0, 0.1);
  ZeroOrderHoldOSI integrator;
  LCP problem;
  TimeStepping simulation(model, instants, integrator, problem);
  simulation.run();
  EXPECT_NEAR(ds->x()[0], 0.5 + 0.5 * std::cos(4.0), 1e-13);
}

// x' = A x + b with eigenvalues -1/tau and -1, tau far below the step: x[0] follows x[1] = 1 - exp(-t).
TEST(Analysis, ZeroOrderHoldIsExactWhereItIsStiff) {
  for (const double tau : {1e-3, 1e-6, 1e-9, 1e-12}) {
    Matrix A(2, 2);
    A << -1 / tau, 1 / tau, 0, -1;
    auto ds = std::make_shared<FirstOrderLinearTIDS>(Eigen::Vector2d(0, 0), A, Eigen::Vector2d(0, 1));
    NonSmoothDynamicalSystem model(0.0, 2.0);
    model.insertDynamicalSystem(ds);
    TimeDiscretisation instants(0.0, 0.5);
    ZeroOrderHoldOSI integrator;
    LCP problem;
    TimeStepping simulation(model, instants, integrator, problem);
    simulation.run();
    EXPECT_NEAR(ds->x()[1], 1 - std::exp(-2.0), 1e-13) << tau;
    EXPECT_NEAR(ds->x()[0], 1 - std::exp(-2.0) / (1 - tau), 1e-13) << tau;
  }
}

// Nonlinear relations: y = h(x), r = g(lambda) with the linear functions of T7 must give what the linear relation gives.
TEST(Analysis, NonlinearRelationAgreesWithLinearOne) {
  const auto run = [](bool nonlinear) {
    Matrix A(1, 1);
    A << -1;
    auto ds = std::make_shared<FirstOrderLinearTIDS>(Vector::Constant(1, 1), A, Vector::Constant(1, -1));
    NonSmoothDynamicalSystem model(0.0, 2.0);
    model.insertDynamicalSystem(ds);
    std::shared_ptr<Relation> relation;
    if (nonlinear)
      relation = std::make_shared<FirstOrderType2R>(
          [](double, ConstVectorRef x, ConstVectorRef lambda, VectorRef y, VectorRef) { y[0] = x[0] + 0.1 * lambda[0]; },
          [](double, ConstVectorRef, ConstVectorRef lambda, VectorRef r, VectorRef) { r[0] = 2 * lambda[0]; },
          [](double, ConstVectorRef, ConstVectorRef, MatrixRef C, VectorRef) { C(0, 0) = 1; },
          [](double, ConstVectorRef, ConstVectorRef, MatrixRef D, VectorRef) { D(0, 0) = 0.1; },
          [](double, ConstVectorRef, ConstVectorRef, MatrixRef B, VectorRef) { B(0, 0) = 2; });
    else
      relation = std::make_shared<FirstOrderLinearTIR>(Matrix::Identity(1, 1), Matrix::Constant(1, 1, 0.1), Matrix(), Vector(),
                                                       Matrix::Constant(1, 1, 2));
    auto interaction = std::make_shared<Interaction>(std::make_shared<ComplementarityConditionNSL>(1), relation);
    model.link(interaction, ds);
    TimeDiscretisation instants(0.0, 0.01);
    EulerMoreauOSI integrator(0.5, 0.7);
    LCP problem;
    TimeStepping simulation(model, instants, integrator, problem);
    simulation.setNewtonTolerance(1e-13);
    simulation.run();
    return Eigen::Vector2d(ds->x()[0], interaction->lambda(0)[0]);
  };
  EXPECT_LE((run(true) - run(false)).norm(), 1e-12);
}

// A pendulum with prescribed velocity of one coordinate: the other sees the coupling of the mass.
TEST(Analysis, BoundaryConditionHoldsVelocity) {
  Matrix M(2, 2);
  M << 2, 1, 1, 3;
  auto ds = std::make_shared<LagrangianLinearTIDS>(Vector::Zero(2), Vector::Zero(2), M);
  ds->setFExt(Eigen::Vector2d(0, 1));
  ds->setBoundaryConditions(
      std::make_shared<BoundaryCondition>(std::vector<Index>{0}, [](double t, VectorRef v) { v[0] = 3 * t; }));
  NonSmoothDynamicalSystem model(0.0, 1.0);
  model.insertDynamicalSystem(ds);
  TimeDiscretisation instants(0.0, 0.1);
  MoreauJeanOSI integrator(0.5);
  LCP problem;
  TimeStepping simulation(model, instants, integrator, problem);
  simulation.run();
  // 3 a2 + a1 = 1 with a1 = 3; the force on the first is 2 a1 + a2.
  EXPECT_NEAR(ds->velocity()[0], 3.0, 1e-13);
  EXPECT_NEAR(ds->velocity()[1], -2.0 / 3, 1e-13);
  EXPECT_NEAR(ds->reactionToBoundaryConditions()[0] / 0.1, 6 - 2.0 / 3, 1e-12);
}

TEST(Analysis, BoundaryConditionIsTakenAway) {
  const auto run = [](const std::shared_ptr<LagrangianDS>& ds) {
    ds->setFExt(Vector::Ones(1));
    ds->setBoundaryConditions(std::make_shared<FixedBC>(std::vector<Index>{0}));
    NonSmoothDynamicalSystem model(0.0, 1.0);
    model.insertDynamicalSystem(ds);
    TimeDiscretisation instants(0.0, 0.125);
    MoreauJeanOSI integrator(0.5);
    TimeStepping simulation(model, instants);
    simulation.insertIntegrator(integrator);
    simulation.run([&](const Simulation& s, const StepStatus&) {
      if (s.getK() == 4) ds->setBoundaryConditions(nullptr);
    });
    EXPECT_EQ(ds->reactionToBoundaryConditions().size(), 0);
    return ds->velocity()[0];
  };
  const Vector zero = Vector::Zero(1);
  const Matrix one = Matrix::Identity(1, 1);
  EXPECT_DOUBLE_EQ(run(std::make_shared<LagrangianLinearTIDS>(zero, zero, one)), 0.5);
  EXPECT_DOUBLE_EQ(run(std::make_shared<LagrangianDS>(zero, zero, one)), 0.5);
  EXPECT_DOUBLE_EQ(
      run(std::make_shared<LagrangianDS>(zero, zero, [](ConstVectorRef, MatrixRef mass, VectorRef) { mass.setIdentity(); })),
      0.5);
}

// A mass on a linear compliance without dissipation: rebound with the speed of the approach, up to the order of the scheme, and
// the nonlinear form of the relation gives what the linear one gives.
TEST(Analysis, CompliantContactRebounds) {
  const auto rebound = [](double h, bool nonlinear) {
    const double stiffness = 1e3;
    auto ds = pointMass(0.1, -1, 0);
    NonSmoothDynamicalSystem model(0.0, 0.5);
    model.insertDynamicalSystem(ds);
    std::shared_ptr<Relation> relation;
    if (nonlinear)
      relation = std::make_shared<LagrangianCompliantR>(
          [=](double, ConstVectorRef q, ConstVectorRef lambda, VectorRef y, VectorRef) { y[0] = q[0] + lambda[0] / stiffness; },
          [](double, ConstVectorRef, ConstVectorRef, MatrixRef G, VectorRef) { G(0, 0) = 1; },
          [=](double, ConstVectorRef, ConstVectorRef, MatrixRef D, VectorRef) { D(0, 0) = 1 / stiffness; });
    else
      relation = std::make_shared<LagrangianCompliantLinearTIR>(Matrix::Identity(1, 1), Matrix::Identity(1, 1) / stiffness);
    model.link(std::make_shared<Interaction>(std::make_shared<ComplementarityConditionNSL>(1), relation), ds);
    TimeDiscretisation instants(0.0, h);
    MoreauJeanOSI integrator(0.5);
    LCP problem;
    TimeStepping simulation(model, instants, integrator, problem);
    simulation.setNewtonTolerance(1e-12);
    simulation.run();
    return ds->velocity()[0];
  };
  const double coarse = 1 - rebound(1e-3, false), fine = 1 - rebound(1e-4, false);
  EXPECT_GT(coarse, 0);
  EXPECT_LT(std::abs(fine), 0.2 * coarse);
  EXPECT_NEAR(rebound(1e-3, true), rebound(1e-3, false), 1e-12);
}

// The average over the step: the spring of the contact keeps its energy, and the speed of rebound differs from that of the
// approach only by where in a step the contact begins and ends.
TEST(Analysis, AverageComplianceKeepsTheEnergy) {
  const auto rebound = [](double h, bool average) {
    auto ds = pointMass(0.1, -1, 0);
    NonSmoothDynamicalSystem model(0.0, 0.5);
    model.insertDynamicalSystem(ds);
    model.link(std::make_shared<Interaction>(
                   std::make_shared<ComplementarityConditionNSL>(1),
                   std::make_shared<LagrangianCompliantLinearTIR>(Matrix::Identity(1, 1), Matrix::Identity(1, 1) / 1e3)),
               ds);
    TimeDiscretisation instants(0.0, h);
    MoreauJeanOSI integrator(0.5);
    integrator.setAverageCompliance(average);
    LCP problem;
    TimeStepping simulation(model, instants, integrator, problem);
    simulation.run();
    return ds->velocity()[0];
  };
  EXPECT_GT(1 - rebound(1e-3, false), 1e-2);
  EXPECT_LE(std::abs(1 - rebound(1e-3, true)), 1e-3);
}

// r = g(x) + lambda of two systems: friction between them, (x_b - x_a) / 2, in a nonlinear relation, against the same in A.
TEST(Analysis, InputOfStatesLinksTwoSystems) {
  const auto run = [](bool in_relation) {
    Matrix A(2, 2);
    A << -0.5, 0.5, 0.5, -0.5;
    auto a = std::make_shared<FirstOrderLinearTIDS>(Vector::Constant(1, 2), Matrix::Zero(1, 1), Vector::Constant(1, -1));
    auto b = std::make_shared<FirstOrderLinearTIDS>(Vector::Constant(1, 0.3), Matrix::Zero(1, 1), Vector::Constant(1, -0.2));
    auto both = std::make_shared<FirstOrderLinearTIDS>(Eigen::Vector2d(2, 0.3), A, Eigen::Vector2d(-1, -0.2));
    NonSmoothDynamicalSystem model(0.0, 3.0);
    auto law = std::make_shared<ComplementarityConditionNSL>(2);
    if (in_relation) {
      model.insertDynamicalSystem(a);
      model.insertDynamicalSystem(b);
      auto relation = std::make_shared<FirstOrderNonLinearR>(
          [](double, ConstVectorRef x, ConstVectorRef, VectorRef y, VectorRef) { y = x; },
          [A](double, ConstVectorRef x, ConstVectorRef lambda, VectorRef r, VectorRef) { r = A * x + lambda; },
          [](double, ConstVectorRef, ConstVectorRef, MatrixRef C, VectorRef) { C.setIdentity(); },
          [](double, ConstVectorRef, ConstVectorRef, MatrixRef B, VectorRef) { B.setIdentity(); }, nullptr,
          [A](double, ConstVectorRef, ConstVectorRef, MatrixRef K, VectorRef) { K = A; });
      model.link(std::make_shared<Interaction>(law, relation), a, b);
    } else {
      model.insertDynamicalSystem(both);
      model.link(std::make_shared<Interaction>(
                     law, std::make_shared<FirstOrderLinearTIR>(Matrix::Identity(2, 2), Matrix::Identity(2, 2))),
                 both);
    }
    TimeDiscretisation instants(0.0, 0.01);
    EulerMoreauOSI integrator(1.0);
    LCP problem;
    TimeStepping simulation(model, instants, integrator, problem);
    simulation.setNewtonTolerance(1e-12);
    simulation.run();
    return in_relation ? Eigen::Vector2d(a->x()[0], b->x()[0]) : Eigen::Vector2d(both->x()[0], both->x()[1]);
  };
  EXPECT_LE((run(true) - run(false)).norm(), 1e-9);
}

// Theta-gamma scheme with theta = gamma = 1/2 on the relation: the stored energy changes by what the resistor dissipates,
// V(k+1) - V(k) = -h R lambda^2, in every step (Greenhalgh, Acary, Brogliato 2013).
TEST(Analysis, ThetaGammaDissipationEquality) {
  const double pi = std::acos(-1.0), L = 1, C = 1 / (4 * pi * pi), R = 10, h = 0.05;
  Matrix A(2, 2), B(2, 1), output(1, 2);
  A << 0, -1, 1 / (L * C), 0;
  B << 1, 0;
  output << 1 / C, 0;
  auto ds = std::make_shared<FirstOrderLinearTIDS>(Eigen::Vector2d(1, 1), A);
  NonSmoothDynamicalSystem model(0.0, 5.0);
  model.insertDynamicalSystem(ds);
  auto diode = std::make_shared<Interaction>(
      std::make_shared<ComplementarityConditionNSL>(1),
      std::make_shared<FirstOrderLinearTIR>(output, Matrix::Constant(1, 1, R), Matrix(), Vector(), B));
  model.link(diode, ds);
  TimeDiscretisation instants(0.0, h);
  EulerMoreauOSI integrator(0.5, 0.5);
  integrator.setUseGammaForRelation(true);
  LCP problem;
  TimeStepping simulation(model, instants, integrator, problem);
  const auto energy = [&] { return 0.5 * (ds->x()[0] * ds->x()[0] / C + L * ds->x()[1] * ds->x()[1]); };
  double before = energy(), dissipated = 0;
  simulation.run([&](const Simulation&, const StepStatus&) {
    const double lost = h * R * diode->lambda(0)[0] * diode->lambda(0)[0];
    ASSERT_NEAR(energy() - before, -lost, 1e-11);
    before = energy();
    dissipated += lost;
  });
  EXPECT_GT(dissipated, 1.0);
}

// Three masses on springs in sparse storage, the first moved: as in dense storage.
TEST(Analysis, BoundaryConditionsInSparseStorage) {
  const auto run = [](bool sparse) {
    Matrix K(3, 3);
    K << 20, -10, 0, -10, 20, -10, 0, -10, 10;
    const Matrix M = Matrix::Identity(3, 3);
    const LinearOperator mass = sparse ? LinearOperator(SparseMatrix(M.sparseView())) : LinearOperator(M);
    const LinearOperator stiffness = sparse ? LinearOperator(SparseMatrix(K.sparseView())) : LinearOperator(K);
    auto ds = std::make_shared<LagrangianLinearTIDS>(Vector::Zero(3), Vector::Zero(3), mass, stiffness, LinearOperator());
    ds->setBoundaryConditions(
        std::make_shared<BoundaryCondition>(std::vector<Index>{0}, [](double t, VectorRef v) { v[0] = std::cos(t); }));
    NonSmoothDynamicalSystem model(0.0, 1.0);
    model.insertDynamicalSystem(ds);
    TimeDiscretisation instants(0.0, 0.01);
    MoreauJeanOSI integrator(0.5);
    LCP problem;
    TimeStepping simulation(model, instants, integrator, problem);
    simulation.run();
    Vector result(4);
    result << ds->velocity(), ds->reactionToBoundaryConditions()[0];
    return result;
  };
  const Vector dense = run(false);
  EXPECT_NEAR(dense[0], std::cos(1.0), 1e-14);
  EXPECT_LE((dense - run(true)).norm(), 1e-12);
}

// A stiffness that changes on the way: its values, then its pattern as well.
TEST(Analysis, SparseStiffnessThatChanges) {
  const auto run = [](bool sparse) {
    const auto stored = [sparse](const Matrix& K) {
      return sparse ? LinearOperator(SparseMatrix(K.sparseView())) : LinearOperator(K);
    };
    const Matrix first{{20, -10, 0}, {-10, 20, -10}, {0, -10, 10}}, coupled{{30, -10, -5}, {-10, 20, -10}, {-5, -10, 20}};
    auto ds = std::make_shared<LagrangianLinearTIDS>(Vector{{0.3, 0.0, 0.1}}, Vector::Zero(3), stored(Matrix::Identity(3, 3)),
                                                     stored(first), LinearOperator());
    NonSmoothDynamicalSystem model(0.0, 0.6);
    model.insertDynamicalSystem(ds);
    TimeDiscretisation instants(0.0, 0.01);
    MoreauJeanOSI integrator(0.5);
    TimeStepping simulation(model, instants);
    simulation.insertIntegrator(integrator);
    for (int k = 0; k < 60; ++k) {
      if (k == 20) ds->setK(stored(4 * first));
      if (k == 40) ds->setK(stored(coupled));
      simulation.computeOneStep();
    }
    return Vector(ds->velocity());
  };
  EXPECT_LE((run(false) - run(true)).norm(), 1e-12);
}

// A block on a plate that is shaken: reactions do not act on the prescribed velocities of the plate, in either form.
TEST(Analysis, GlobalFrictionOnAPrescribedPlate) {
  const auto run = [](OneStepNSProblem& problem) {
    const auto body = [] {
      return std::make_shared<LagrangianLinearTIDS>(Vector::Zero(2), Vector::Zero(2), Matrix::Identity(2, 2));
    };
    const auto plate = body(), block = body();
    plate->setBoundaryConditions(std::make_shared<BoundaryCondition>(
        std::vector<Index>{1, 0}, [](double t, VectorRef v) { v << 0.0, 2 * std::sin(20 * t); }));
    block->setFExt(Vector{{0.0, -gravity}});
    NonSmoothDynamicalSystem model(0.0, 1.0);
    model.insertDynamicalSystem(block);
    model.insertDynamicalSystem(plate);
    const Matrix C{{0.0, -1.0, 0.0, 1.0}, {-1.0, 0.0, 1.0, 0.0}};
    model.link(std::make_shared<Interaction>(std::make_shared<NewtonImpactFrictionNSL>(0.0, 0.0, 0.3, 2),
                                             std::make_shared<LagrangianLinearTIR>(C)),
               plate, block);
    TimeDiscretisation instants(0.0, 0.01);
    MoreauJeanOSI integrator(0.5);
    problem.setTolerance(1e-12);
    TimeStepping(model, instants, integrator, problem).run();
    EXPECT_NEAR(plate->velocity()[0], 2 * std::sin(20.0), 1e-12);
    return Vector(block->velocity());
  };
  FrictionContact local(2);
  GlobalFrictionContact global(2);
  const Vector wanted = run(local);
  EXPECT_GT(std::abs(wanted[0]), 1e-3);
  EXPECT_LE((run(global) - wanted).norm(), 1e-9);
}

// The global form of rolling friction gives what the condensed one gives.
TEST(Analysis, GlobalRollingAgreesWithLocal) {
  const auto run = [](OneStepNSProblem& problem) {
    auto ds = std::make_shared<LagrangianLinearTIDS>(Vector::Zero(5), Vector::Zero(5), Matrix::Identity(5, 5));
    Vector force(5);
    force << -gravity, 2.0, 4.0, 0.5, 1.5;
    ds->setFExt(force);
    NonSmoothDynamicalSystem model(0.0, 0.2);
    model.insertDynamicalSystem(ds);
    model.link(std::make_shared<Interaction>(std::make_shared<NewtonImpactRollingFrictionNSL>(0, 0, 0.3, 0.1, 5),
                                             std::make_shared<LagrangianLinearTIR>(Matrix::Identity(5, 5))),
               ds);
    TimeDiscretisation instants(0.0, 0.01);
    MoreauJeanOSI integrator(0.5);
    problem.setTolerance(1e-12);
    TimeStepping simulation(model, instants, integrator, problem);
    simulation.run([](const Simulation&, const StepStatus& status) { EXPECT_TRUE(status.solve.certified); });
    return Vector(ds->velocity());
  };
  RollingFrictionContact local(5);
  GlobalRollingFrictionContact global(5);
  const Vector v = run(local);
  EXPECT_GT(v.norm(), 0.1);
  EXPECT_LE((v - run(global)).norm(), 1e-9);
}

// A disk set down on a plane with slip rolls in the end with 2/3 of its speed (friction acts on translation and rotation).
TEST(Analysis, SlippingDiskRollsWithTwoThirdsOfItsSpeed) {
  const double radius = 0.2, mass = 2.0;
  auto disk = std::make_shared<LagrangianLinearTIDS>(Eigen::Vector3d(0, radius, 0), Eigen::Vector3d(3, 0, 0),
                                                     Diagonal(Eigen::Vector3d(mass, mass, 0.5 * mass * radius * radius)));
  disk->setFExt(Eigen::Vector3d(0, -gravity * mass, 0));
  NonSmoothDynamicalSystem model(0.0, 2.0);
  model.insertDynamicalSystem(disk);
  const auto geometry = [=](double, const double* q, const double*, PlanarContact& contact) {
    contact.normal = Eigen::Vector2d::UnitY();
    contact.gap = q[1] - radius;
    contact.point1 = contact.point2 = Eigen::Vector2d(q[0], 0);
  };
  model.link(std::make_shared<Interaction>(std::make_shared<NewtonImpactFrictionNSL>(0, 0, 0.3, 2),
                                           std::make_shared<Lagrangian2d2DR>(geometry)),
             disk);
  TimeDiscretisation instants(0.0, 1e-2);
  MoreauJeanOSI integrator(0.5);
  FrictionContact problem(2);
  problem.setTolerance(1e-13);
  TimeStepping simulation(model, instants, integrator, problem);
  simulation.run();
  EXPECT_NEAR(disk->velocity()[0], 2.0, 1e-9);
  EXPECT_NEAR(disk->velocity()[2], -2.0 / radius, 1e-8);
}

}  // namespace analysis_test
