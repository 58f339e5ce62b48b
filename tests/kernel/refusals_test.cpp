// What cannot be simulated is refused, naming the object and the value: numbers that are not finite, bodies and contacts that do
// not exist, laws and integrators that would be left out in silence.
#include <limits>
#include <memory>

#include "ball.hpp"
#include "message_of.hpp"
#include "one_entry.hpp"
#include "trajectory.hpp"

namespace refusals_test {

using namespace nonsmooth::kernel;
using nonsmooth::kernel::test::expectRefusal;
using test::Ball;
using test::one;
using test::square;

constexpr double nan_value = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();

Vector pose() { return (Vector(7) << 0, 0, 1, 1, 0, 0, 0).finished(); }

TEST(Refusals, ConstantsThatAreNotFinite) {
  expectRefusal("q0[0] is nan", [] { LagrangianLinearTIDS(one(nan_value), one(0), square(1)); });
  expectRefusal("velocity0[0] is inf", [] { LagrangianDS(one(0), one(infinity)); });
  expectRefusal("mass[0] is nan", [] { LagrangianLinearTIDS(one(0), one(0), square(nan_value)); });
  expectRefusal("x0[0] is nan", [] { FirstOrderLinearTIDS(one(nan_value), square(1)); });
  expectRefusal("A[0] is inf", [] { FirstOrderLinearTIDS(one(0), square(infinity)); });
  expectRefusal("b[0] is nan", [] { FirstOrderLinearTIDS(one(0), square(0), one(nan_value)); });
  expectRefusal("C of a LagrangianLinearTIR[0] is nan", [] { LagrangianLinearTIR(square(nan_value)); });
  expectRefusal("C[0] is nan", [] { FirstOrderLinearTIR(square(nan_value), square(1)); });
  expectRefusal("H of a NormalConeNSL[0] is nan", [] { NormalConeNSL(1, square(nan_value), one(0)); });
  Ball ball;
  expectRefusal("FExt[0] is nan", [&] { ball.ds->setFExt(one(nan_value)); });
  expectRefusal("K[0] is nan", [&] { ball.ds->setK(square(nan_value)); });
  expectRefusal("q[0] is nan", [&] { ball.ds->setq(one(nan_value)); });
  SparseMatrix sparse(1, 1);
  sparse.insert(0, 0) = nan_value;
  expectRefusal("C(0, 0) is nan", [&] { ball.ds->setC(sparse); });
}

// A step that ends in what is no number is no step, however the number came in.
TEST(Refusals, StatesThatAreNotFinite) {
  for (const FailurePolicy policy : {FailurePolicy::Throw, FailurePolicy::Record, FailurePolicy::Halve}) {
    Ball ball;
    MoreauJeanOSI integrator(0.5);
    LCP problem;
    TimeStepping simulation(ball.model, ball.instants, integrator, problem);
    simulation.setFailurePolicy(policy);
    ball.ds->q()[0] = nan_value;
    expectRefusal("q[0] of LagrangianLinearTIDS number 0 is nan", [&] { simulation.computeOneStep(); });
  }
  // Newton's iteration compares residuals: one that is no number must not pass for a small one.
  NonSmoothDynamicalSystem model(0.0, 1.0);
  auto force = std::make_shared<Vector>(one(0));
  auto ds = std::make_shared<LagrangianDS>(one(0), one(0), square(1));
  ds->setFExtPtr(force);
  model.insertDynamicalSystem(ds);
  TimeDiscretisation instants(0.0, 0.01);
  MoreauJeanOSI integrator(0.5);
  LCP problem;
  TimeStepping simulation(model, instants, integrator, problem);
  simulation.computeOneStep();
  simulation.nextStep();
  (*force)[0] = nan_value;
  expectRefusal("of LagrangianDS number 0 is", [&] { simulation.computeOneStep(); });
  EXPECT_EQ(ds->q()[0], 0) << "the state is that of the start of the step";
  auto circuit = std::make_shared<FirstOrderLinearTIDS>(one(0), square(0));
  NonSmoothDynamicalSystem second(0.0, 1.0);
  second.insertDynamicalSystem(circuit);
  EulerMoreauOSI euler(0.5);
  LCP other;
  TimeStepping steps(second, instants, euler, other);
  circuit->x()[0] = infinity;
  expectRefusal("x[0] of FirstOrderLinearTIDS number 0 is", [&] { steps.computeOneStep(); });
}

TEST(Refusals, EventDrivenStatesThatAreNotFinite) {
  Ball ball;
  auto force = std::make_shared<Vector>(one(-9.81));
  ball.ds->setFExtPtr(force);
  NewMarkAlphaOSI integrator(0.9);
  LCP impact, acceleration;
  EventDriven simulation(ball.model, ball.instants, integrator, impact, acceleration);
  simulation.computeOneStep();
  (*force)[0] = nan_value;
  expectRefusal("LagrangianLinearTIDS number 0 is", [&] { simulation.run(); });
}

void twoMasses(double m00, double m01, double m10, double m11) {
  const Vector at = Vector::Zero(2);
  LagrangianLinearTIDS(at, at, (Matrix(2, 2) << m00, m01, m10, m11).finished());
}

// Each two of its degrees of freedom have a positive energy, all three together none: eigenvalues 1.6, 1.6 and -0.2.
Matrix threeCoupled() { return 1.6 * Matrix::Identity(3, 3) - Matrix::Constant(3, 3, 0.6); }

TEST(Refusals, MassesWithNegativeEnergy) {
  const Vector at = Vector::Zero(3);
  const char* const message = "mass has a negative eigenvalue: the least pivot of its factors is -0.8";
  expectRefusal(message, [&] { LagrangianLinearTIDS(at, at, threeCoupled()); });
  expectRefusal(message, [&] { LagrangianLinearTIDS(at, at, SparseMatrix(threeCoupled().sparseView())); });
}

// No energy is not a negative one: of some motions, rounded or not, or of all.
TEST(Refusals, MassesWithoutEnergyAreTaken) {
  twoMasses(1, 1, 1, 1);
  twoMasses(0, 0, 0, 1e-30);
  twoMasses(0, 0, 0, 0);
  const Vector at = Vector::Zero(40), direction = Vector::LinSpaced(40, 0.1, 1.7);
  const Matrix rank_one = direction * direction.transpose() / 3;
  LagrangianLinearTIDS(at, at, rank_one);
  LagrangianLinearTIDS(at, at, SparseMatrix(rank_one.sparseView()));
  // To the last bits: what is computed by products is.
  twoMasses(1, 0.3, 0.1 * 3, 1);
}

TEST(Refusals, BodiesThatDoNotExist) {
  expectRefusal("mass(0, 0) is -1: negative", [] { LagrangianLinearTIDS(one(0), one(0), square(-1)); });
  expectRefusal("mass(0, 0) is -2: negative", [] { LagrangianLinearTIDS(one(0), one(0), Diagonal(one(-2))); });
  expectRefusal("mass is not symmetric: mass(1, 0) is -0.9, mass(0, 1) is 0.9", [] { twoMasses(1, 0.9, -0.9, 1); });
  expectRefusal("mass(1, 0) is 2, at most 1 would be a mass", [] { twoMasses(1, 2, 2, 1); });
  expectRefusal("mass(1, 0) is 1, at most 0 would be a mass", [] { twoMasses(0, 1, 1, 1); });
  const auto body = [](const Vector& q, double mass, const Matrix3& inertia) {
    NewtonEulerDS(q, Vector::Zero(6), mass, inertia);
  };
  const Matrix3 sphere = Matrix3::Identity();
  Matrix3 skew = sphere;
  skew(0, 1) = 0.5;
  expectRefusal("mass of a NewtonEulerDS is inf", [&] { body(pose(), infinity, sphere); });
  expectRefusal("its least principal moment is 0", [&] { body(pose(), 1, Matrix3::Zero()); });
  expectRefusal("its least principal moment is -1", [&] { body(pose(), 1, -sphere); });
  expectRefusal("not symmetric", [&] { body(pose(), 1, skew); });
  expectRefusal("inertia(0, 0) is nan", [&] { body(pose(), 1, nan_value * sphere); });
  expectRefusal("q0[3] is nan", [&] { body((Vector(7) << 0, 0, 0, nan_value, 0, 0, 0).finished(), 1, sphere); });
  NewtonEulerDS turned(pose(), Vector::Zero(6), 1, sphere);
  expectRefusal("the quaternion of q has length 2", [&] { turned.setq((Vector(7) << 0, 0, 0, 2, 0, 0, 0).finished()); });
}

TEST(Refusals, ContactsAndJointsWithoutDirection) {
  NonSmoothDynamicalSystem model(0.0, 1.0);
  auto body = std::make_shared<NewtonEulerDS>(pose(), Vector::Zero(6), 1, Matrix3::Identity());
  model.insertDynamicalSystem(body);
  const auto relation = std::make_shared<NewtonEuler1DR>([](double, const double* q, const double*, Contact& contact) {
    contact.gap = q[2];
    contact.normal.setZero();
  });
  model.link(std::make_shared<Interaction>(std::make_shared<NewtonImpactNSL>(0.5), relation), body);
  TimeDiscretisation instants(0.0, 0.01);
  MoreauJeanOSI integrator(0.5);
  LCP problem;
  TimeStepping simulation(model, instants, integrator, problem);
  expectRefusal("the normal of a NewtonEuler1DR has length 0, not 1", [&] { simulation.computeOneStep(); });

  const auto joint = std::make_shared<PivotJointR>(Vector3::Zero(), Vector3::UnitX(), pose());
  expectRefusal("a PivotJointR has 5 rows, its law has 3",
                [&] { model.link(std::make_shared<Interaction>(std::make_shared<EqualityConditionNSL>(3), joint), body); });
  expectRefusal("the axis of a joint is zero", [] { PivotJointR(Vector3::Zero(), Vector3::Zero(), pose()); });
  expectRefusal("the axis of a joint[0] is nan", [] { PrismaticJointR(Vector3::Constant(nan_value), pose()); });
  expectRefusal("the point of a joint[0] is nan", [] { KneeJointR(Vector3::Constant(nan_value), pose()); });
  expectRefusal("the quaternion of q1 of a joint", [] { KneeJointR(Vector3::Zero(), Vector::Zero(7)); });
}

// A body on a belt took the velocity of the ground that the other body stood on.
TEST(Refusals, ContactsOfOneRelationForTwoInteractions) {
  NonSmoothDynamicalSystem model(0.0, 1.0);
  auto law = std::make_shared<NewtonImpactFrictionNSL>(0.0, 0.0, 0.5, 2);
  auto relation =
      std::make_shared<Lagrangian2d2DR>([](double, const double* q, const double*, PlanarContact& c) { c.gap = q[0]; });
  std::vector<std::shared_ptr<Interaction>> contacts;
  for (int k = 0; k < 2; ++k) {
    auto body = std::make_shared<LagrangianLinearTIDS>(Vector::Zero(3), Vector::Zero(3), Matrix::Identity(3, 3));
    model.insertDynamicalSystem(body);
    contacts.push_back(std::make_shared<Interaction>(law, relation));
    const auto link = [&] { model.link(contacts.back(), body); };
    if (k > 0) {
      expectRefusal("relation Lagrangian2d2DR serves another interaction", link);
      EXPECT_FALSE(contacts[1]->isLinked());
      model.removeInteraction(*contacts[0]);
    }
    EXPECT_NO_THROW(link());
  }
  contacts.pop_back();
  expectRefusal("serves another interaction", [&] { model.link(contacts[0], model.dynamicalSystem(0)); });
}

TEST(Refusals, JointsOfAnotherNumberOfBodies) {
  NonSmoothDynamicalSystem model;
  const auto first = std::make_shared<NewtonEulerDS>(pose(), Vector::Zero(6), 1.0, Matrix3::Identity());
  const auto second = std::make_shared<NewtonEulerDS>(pose(), Vector::Zero(6), 1.0, Matrix3::Identity());
  model.insertDynamicalSystem(first);
  model.insertDynamicalSystem(second);
  const auto link = [&](std::shared_ptr<JointR> knee, auto... bodies) {
    model.link(std::make_shared<Interaction>(std::make_shared<EqualityConditionNSL>(3), std::move(knee)), bodies...);
  };
  expectRefusal("a KneeJointR that was made for two bodies is linked to one",
                [&] { link(std::make_shared<KneeJointR>(Vector3::UnitX(), pose(), pose()), first); });
  expectRefusal("a KneeJointR that was made for one body and the ground is linked to two",
                [&] { link(std::make_shared<KneeJointR>(Vector3::UnitX(), pose()), first, second); });
}

TEST(Refusals, PrescribedVelocities) {
  expectRefusal("needs a function", [] { BoundaryCondition({0}, nullptr); });
  Ball ball;
  expectRefusal("prescribes velocity 0 twice", [&] {
    ball.ds->setBoundaryConditions(std::make_shared<FixedBC>(std::vector<Index>{0, 0}));
  });
  ball.ds->setBoundaryConditions(std::make_shared<HarmonicBC>(std::vector<Index>{0}, nan_value, 1, 1, 0));
  SchatzmanPaoliOSI position_level;
  LCP position_problem;
  expectRefusal("SchatzmanPaoliOSI does not treat the boundary conditions of system 0",
                [&] { TimeStepping(ball.model, ball.instants, position_level, position_problem); });
  MoreauJeanOSI integrator(0.5);
  LCP problem;
  TimeStepping simulation(ball.model, ball.instants, integrator, problem);
  expectRefusal("the prescribed velocity of system 0 gave nan", [&] { simulation.computeOneStep(); });
}

// Two contacts in one interaction would be open or closed together, by the gap of the first: the second falls through its floor.
TEST(Refusals, SeveralContactsInOneInteraction) {
  const auto build = [](NonSmoothDynamicalSystem& model, std::shared_ptr<NonSmoothLaw> law, std::shared_ptr<Relation> relation) {
    auto ds = std::make_shared<LagrangianLinearTIDS>(Eigen::Vector2d(1, 0), Vector::Zero(2), Matrix::Identity(2, 2));
    ds->setFExt(Eigen::Vector2d(0, -10));
    model.insertDynamicalSystem(ds);
    model.link(std::make_shared<Interaction>(std::move(law), std::move(relation)), ds);
    return ds;
  };
  const auto rigid = std::make_shared<LagrangianLinearTIR>(Matrix::Identity(2, 2));
  const std::vector<std::shared_ptr<NonSmoothLaw>> laws = {std::make_shared<NewtonImpactNSL>(2, 0.0),
                                                           std::make_shared<ComplementarityConditionNSL>(2),
                                                           std::make_shared<MixedComplementarityConditionNSL>(2, 1)};
  for (const auto& law : laws) {
    NonSmoothDynamicalSystem model(0.0, 1.0);
    build(model, law, rigid);
    TimeDiscretisation instants(0.0, 0.01);
    MLCP problem, second;
    MoreauJeanOSI moreau(0.5);
    D1MinusLinearOSI d1;
    expectRefusal(name(law->kind()), [&] { TimeStepping(model, instants, moreau, problem); });
    expectRefusal(name(law->kind()), [&] { TimeSteppingD1Minus(model, instants, d1, problem, second); });
    expectRefusal(name(law->kind()), [&] { InstantImpact(model, problem).compute(0.0); });
  }
  // Compliant contacts are closed row by row, by their forces.
  NonSmoothDynamicalSystem model(0.0, 1.0);
  const auto soft = std::make_shared<LagrangianCompliantLinearTIR>(Matrix::Identity(2, 2), Matrix(1e-3 * Matrix::Identity(2, 2)));
  const auto ds = build(model, std::make_shared<ComplementarityConditionNSL>(2), soft);
  TimeDiscretisation instants(0.0, 0.01);
  MoreauJeanOSI integrator(1.0);
  LCP problem;
  TimeStepping(model, instants, integrator, problem).run();
  EXPECT_EQ(ds->q()[0], 1);
  EXPECT_NEAR(ds->q()[1], -0.01, 2e-3);
}

// Rows of compliant relations are positions: friction along them would pull a mass back to where it came from. Positions of two
// systems move by their own thetas.
TEST(Refusals, CompliantRelations) {
  const auto mass = [](NonSmoothDynamicalSystem& model) {
    auto ds = std::make_shared<LagrangianLinearTIDS>(Vector::Zero(2), Vector::Zero(2), Matrix(Matrix::Identity(2, 2)));
    model.insertDynamicalSystem(ds);
    return ds;
  };
  const Matrix soft = 1e-3 * Matrix::Identity(2, 2);
  TimeDiscretisation instants(0.0, 0.01);
  NonSmoothDynamicalSystem model(0.0, 1.0);
  const auto alone = mass(model);
  model.link(std::make_shared<Interaction>(std::make_shared<NewtonImpactFrictionNSL>(0, 0, 0.3, 2),
                                           std::make_shared<LagrangianCompliantLinearTIR>(Matrix::Identity(2, 2), soft)),
             alone);
  MoreauJeanOSI moreau(0.5);
  FrictionContact friction(2);
  expectRefusal("does not treat law NewtonImpactFrictionNSL with relation LagrangianCompliantLinearTIR",
                [&] { TimeStepping(model, instants, moreau, friction); });

  NonSmoothDynamicalSystem pair(0.0, 1.0);
  const auto a = mass(pair), b = mass(pair);
  Matrix C(2, 4);
  C << -Matrix::Identity(2, 2), Matrix::Identity(2, 2);
  pair.link(std::make_shared<Interaction>(std::make_shared<ComplementarityConditionNSL>(2),
                                          std::make_shared<LagrangianCompliantLinearTIR>(C, soft)),
            a, b);
  MoreauJeanOSI half(0.5), other(0.5);
  half.setTheta(*a, 1.0);
  LCP problem;
  expectRefusal("links systems 0 and 1: both need the same integrator and the same theta",
                [&] { TimeStepping(pair, instants, half, problem).run(); });
  half.setTheta(*a, 0.5);
  TimeStepping simulation(pair, instants);
  simulation.associate(half, *a);
  simulation.associate(other, *b);
  simulation.insertNonSmoothProblem(problem);
  expectRefusal("both need the same integrator and the same theta", [&] { simulation.run(); });
}

TEST(Refusals, HalvesOfEventDrivenRuns) {
  Ball ball;
  LsodarOSI integrator;
  LCP impact, acceleration;
  EventDriven simulation(ball.model, ball.instants, integrator, impact, acceleration);
  const auto halve = [&] { simulation.setFailurePolicy(FailurePolicy::Halve); };
  expectRefusal("has no step to halve", halve);
  simulation.computeOneStep();
  expectRefusal("has no step to halve", halve);
  EXPECT_EQ(simulation.failurePolicy(), FailurePolicy::Throw);
  simulation.run();
}

TEST(Refusals, IntegratorsAndInstants) {
  Ball ball;
  MoreauJeanOSI integrator(0.5), second(1.0);
  LCP problem;
  TimeStepping simulation(ball.model, ball.instants, integrator, problem);
  simulation.insertIntegrator(second);
  expectRefusal("both without systems of their own", [&] { simulation.initialize(); });

  TimeDiscretisation late(1.0, 0.01);
  expectRefusal("the first instant 1 is not before the final time 1",
                [&] { TimeStepping(ball.model, late, integrator, problem); });
  // As in event-driven simulations: functions of time would be asked at instants that the model does not have.
  NonSmoothDynamicalSystem longer(0.0, 2.0);
  auto alone = std::make_shared<LagrangianLinearTIDS>(one(1), one(0), square(1));
  longer.insertDynamicalSystem(alone);
  expectRefusal("the first instant 1 is not the initial time 0 of the model",
                [&] { TimeStepping(longer, late, integrator, problem); });
  TimeDiscretisation coarse(0.0, 3.0), fine(0.0, 0.5);
  MoreauJeanOSI other(0.5);
  LCP first, unused;
  TimeStepping without_steps(longer, coarse, other, first);
  expectRefusal("there is no step to do: the first one, of 3 s, ends after the final time 2", [&] { without_steps.run(); });
  TimeStepping twice(longer, fine, other, first);
  twice.insertNonSmoothProblem(unused, "second");
  expectRefusal("nonsmooth problem \"second\" would never be solved", [&] { twice.run(); });
  expectRefusal("gamma of the activation of contacts: nan", [&] { other.setActivationGamma(nan_value); });
  expectRefusal("threshold of the activation of contacts: nan", [&] { other.setConstraintActivationThreshold(nan_value); });
  expectRefusal("threshold of velocities", [&] { other.setConstraintActivationThresholdVelocity(nan_value); });
  expectRefusal("5 equal steps from 0 to inf", [] { TimeDiscretisation(5u, 0.0, infinity); });
  expectRefusal("an instant of a time discretisation is inf", [] { TimeDiscretisation(std::vector<double>{0.0, infinity}); });
  EXPECT_EQ(late.numberOfSteps(0.5), 0);
  EXPECT_GT(TimeDiscretisation(0.0, 1e-300).numberOfSteps(1e300), 0);
}

// Instants are counted in steps: others would put the next step elsewhere in time than the state.
TEST(Refusals, OtherInstantsOnceTheRunHasBegun) {
  Ball ball;
  MoreauJeanOSI integrator;
  LCP problem;
  TimeStepping simulation(ball.model, ball.instants, integrator, problem);
  TimeDiscretisation longer(0.0, 0.02), shorter(0.0, 0.001);
  simulation.setTimeDiscretisation(longer);
  simulation.computeOneStep();
  EXPECT_EQ(simulation.nextTime(), 0.02);
  expectRefusal("TimeStepping: the time discretisation cannot change after the first step",
                [&] { simulation.setTimeDiscretisation(shorter); });
  EXPECT_EQ(simulation.nextTime(), 0.02);
}

// Events kept those of the start, which might be no more.
TEST(Refusals, OtherInstantsOnceEventsHaveBeenProcessed) {
  Ball ball;
  LsodarOSI integrator;
  LCP impact, acceleration;
  auto first = std::make_shared<TimeDiscretisation>(0.0, 0.2), second = std::make_shared<TimeDiscretisation>(0.0, 0.125);
  EventDriven simulation(ball.model, first, integrator, impact, acceleration);
  simulation.initialize();
  simulation.setTimeDiscretisation(second);
  first.reset();
  simulation.computeOneStep();
  EXPECT_EQ(simulation.startingTime(), 0.125);
  expectRefusal("EventDriven: the time discretisation cannot change", [&] { simulation.setTimeDiscretisation(ball.instants); });
}

TEST(Refusals, StepsLostInRounding) {
  EXPECT_NO_THROW(TimeDiscretisation(1e9, 1e-3));
  EXPECT_NO_THROW(TimeDiscretisation(0.0, 1e-300));
  expectRefusal("a time step of 0.001 is lost in the rounding of the instant 1e+17", [] { TimeDiscretisation(1e17, 1e-3); });
  expectRefusal("a time step of 1e-17 is lost", [] { TimeDiscretisation(-0.5, 1e-17); });
  expectRefusal("is lost in the rounding", [] { TimeDiscretisation(10, 1e17, 1e17 + 64); });
}

// The last instant counts if it is beyond the final time by rounding alone: 3 times 0.1 is.
TEST(Refusals, GivenInstantsUpToRounding) {
  const TimeDiscretisation instants(std::vector<double>{0.0, 0.1, 0.2, 3 * 0.1, 0.5});
  EXPECT_EQ(instants.numberOfSteps(0.3), 3);
  EXPECT_EQ(instants.numberOfSteps(0.29), 2);
  EXPECT_EQ(instants.numberOfSteps(0.05), 0);
  EXPECT_EQ(instants.numberOfSteps(0.5), 4);
  EXPECT_EQ(instants.numberOfSteps(9.0), 4);
}

TEST(Refusals, EventDriven) {
  LsodarOSI integrator;
  LCP impact, acceleration;
  NonSmoothDynamicalSystem nothing(0.0, 1.0);
  TimeDiscretisation instants(0.0, 0.1), early(-0.5, 0.1);
  EventDriven empty(nothing, instants, integrator, impact, acceleration);
  expectRefusal("needs a system", [&] { empty.run(); });
  Ball ball;
  LsodarOSI other;
  EventDriven simulation(ball.model, early, other, impact, acceleration);
  expectRefusal("the first instant -0.5 is not the initial time 0", [&] { simulation.run(); });
  TimeDiscretisation coarse(0.0, 3.0);
  EventDriven without_events(ball.model, coarse, other, impact, acceleration);
  expectRefusal("there is no step to do", [&] { without_events.run(); });
  expectRefusal("beta of NewMarkAlphaOSI: 0", [] { NewMarkAlphaOSI(0, 0.5, 0, 0, false); });
  expectRefusal("alpha_m of NewMarkAlphaOSI: 1", [] { NewMarkAlphaOSI(0.25, 0.5, 1, 0, false); });
  expectRefusal("rho_inf = nan", [] { NewMarkAlphaOSI{nan_value}; });
  expectRefusal("tolerance of projections: -1", [&] { simulation.setProjectionTolerance(-1); });
  expectRefusal("tolerance of projections: nan", [&] { simulation.setProjectionTolerance(nan_value); });
  simulation.setProjectionTolerance(infinity);
}

void holdOver(double h, double A, double M) {
  FirstOrderLinearDS system(one(1), square(A));
  system.setM(square(M));
  NonSmoothDynamicalSystem model(0.0, 2 * h);
  model.insertDynamicalSystem(system);
  TimeDiscretisation instants(0.0, h);
  ZeroOrderHoldOSI integrator;
  TimeStepping simulation(model, instants);
  simulation.insertIntegrator(integrator);
  simulation.run();
}

TEST(Refusals, ExponentialsThatOverflow) {
  const char* const message = "exp(M^-1 A h) of system 0 overflows: a step h of 1 is too long for its A";
  expectRefusal(message, [] { holdOver(1, 1000, 1); });
  // Its integral is still a number.
  expectRefusal(message, [] { holdOver(1, 710, 1); });
  expectRefusal("M of system 0 is singular", [] { holdOver(1, 1, 0); });
}

TEST(Refusals, TolerancesOfProjections) {
  Ball ball;
  MoreauJeanDirectProjectionOSI integrator(0.5);
  LCP problem;
  TimeSteppingDirectProjection simulation(ball.model, ball.instants, integrator, problem);
  expectRefusal("tolerance of contacts in the projection: 0", [&] { simulation.setConstraintTolUnilateral(0); });
  expectRefusal("tolerance of equalities in the projection: -1", [&] { simulation.setConstraintTol(-1); });
  expectRefusal("projections a step: -1", [&] { simulation.setProjectionMaxIteration(-1); });
}

// Operators that a class does not have cannot be set: they would be left out of its equations.
template <class System>
concept HasInternalForces = requires(System& system, Vector value) {
  system.setFInt(value);
};
template <class System>
concept HasGyroscopicForces = requires(System& system, Vector value) {
  system.setFGyr(value);
};
template <class System>
concept HasField = requires(System& system, Vector value) {
  system.setf(value);
};
static_assert(HasInternalForces<LagrangianDS> && !HasInternalForces<LagrangianLinearTIDS>);
static_assert(HasGyroscopicForces<LagrangianDS> && !HasGyroscopicForces<LagrangianLinearDiagonalDS>);
static_assert(HasField<FirstOrderNonLinearDS> && !HasField<FirstOrderLinearDS> && !HasField<FirstOrderLinearTIDS>);

// Every gap of a law counts, not the first alone.
TEST(Violation, IsThatOfAllRows) {
  NonSmoothDynamicalSystem model(0.0, 1.0);
  auto ds = std::make_shared<LagrangianLinearTIDS>(Eigen::Vector2d(1, 0.1), Vector::Zero(2), Matrix::Identity(2, 2));
  ds->setFExt(Eigen::Vector2d(0, -10));
  model.insertDynamicalSystem(ds);
  model.link(std::make_shared<Interaction>(std::make_shared<NewtonImpactNSL>(2, 0.9),
                                           std::make_shared<LagrangianLinearTIR>(Matrix::Identity(2, 2))),
             ds);
  TimeDiscretisation instants(0.0, 0.01);
  SchatzmanPaoliOSI integrator(0.5);
  LCP problem;
  TimeStepping simulation(model, instants, integrator, problem);
  double deepest = 0, told = 0;
  simulation.run([&](const Simulation&, const StepStatus& status) {
    deepest = std::max(deepest, -ds->q()[1]);
    told = std::max(told, status.violation);
  });
  EXPECT_GT(deepest, 1e-3);
  EXPECT_EQ(told, deepest);
}

// "All members have computeName": Jacobians at the present state.
TEST(Accessors, JacobiansAreComputed) {
  LagrangianDS ds(one(3), one(5), square(1));
  const auto fill = [](double t, ConstVectorRef q, ConstVectorRef v, MatrixRef out, VectorRef) { out(0, 0) = t + q[0] * v[0]; };
  ds.setComputeJacobianFIntqFunction(fill);
  ds.setComputeJacobianFIntqDotFunction(fill);
  ds.setComputeJacobianFGyrqFunction(fill);
  ds.setComputeJacobianFGyrqDotFunction(fill);
  ds.computeJacobianFIntq(1);
  ds.computeJacobianFIntqDot(2);
  ds.computeJacobianFGyrq();
  ds.computeJacobianFGyrqDot();
  EXPECT_EQ(ds.getJacobianFIntq()(0, 0), 16);
  EXPECT_EQ(ds.getJacobianFIntqDot()(0, 0), 17);
  EXPECT_EQ(ds.getJacobianFGyrq()(0, 0), 15);
  EXPECT_EQ(ds.getJacobianFGyrqDot()(0, 0), 15);
  NewtonEulerDS body(pose(), Vector::Zero(6), 1, Matrix3::Identity());
  body.setComputeJacobianMIntTwistFunction(
      [](double t, ConstVectorRef, ConstVectorRef, MatrixRef out, VectorRef) { out(2, 5) = t; });
  body.computeJacobianMIntTwist(4);
  EXPECT_EQ(body.getJacobianMIntTwist()(2, 5), 4);
}

TEST(Refusals, StepsOfLsodar) {
  LsodarOSI integrator;
  expectRefusal("steps of LsodarOSI: least 2, largest 1", [&] { integrator.setMinMaxStepSizes(2, 1); });
  integrator.setMinMaxStepSizes(2, 0);  // no largest one
  Ball ball;
  ball.ds->setK(square(1e4));
  LCP impact, acceleration;
  EventDriven simulation(ball.model, ball.instants, integrator, impact, acceleration);
  expectRefusal("LsodarOSI: step at t = 0: the corrector does not converge, not even with the least step",
                [&] { simulation.run(); });
}

// Singular to working precision, in any units; masses far apart are not.
TEST(Refusals, MassesThatRoundingAloneKeepsRegular) {
  const auto stepWith = [](const Matrix& mass) {
    NonSmoothDynamicalSystem model(0.0, 1.0);
    const Vector zero = Vector::Zero(mass.rows());
    model.insertDynamicalSystem(std::make_shared<LagrangianLinearTIDS>(zero, zero, mass));
    TimeDiscretisation instants(0.0, 0.1);
    MoreauJeanOSI integrator(0.5);
    TimeStepping simulation(model, instants);
    simulation.insertIntegrator(integrator);
    simulation.computeOneStep();
  };
  // Products of (1, 4), (2, 5), (3, 6) with each other.
  const Matrix singular{{17.0, 22.0, 27.0}, {22.0, 29.0, 36.0}, {27.0, 36.0, 45.0}};
  const Matrix regular{{2.0, 1.0, 0.0}, {1.0, 2.0, 1.0}, {0.0, 1.0, 2.0}};
  for (const double unit : {1.0, 1e6, 1e-6}) {
    const Vector scale = Vector3(1, unit, 1 / unit);
    const Matrix scaled = scale.asDiagonal() * singular * scale.asDiagonal(),
                 fine = scale.asDiagonal() * regular * scale.asDiagonal();
    expectRefusal("is singular (its mass?)", [&] { stepWith(scaled); });
    EXPECT_NO_THROW(stepWith(fine)) << unit;
  }
  EXPECT_NO_THROW(stepWith(Vector3(1e-12, 1, 1e12).asDiagonal()));

  const auto advance = [](OneStepIntegrator& integrator) {
    auto system = std::make_shared<FirstOrderLinearTIDS>(Vector::Ones(3), Matrix::Zero(3, 3), Vector3(1, 0, 0));
    system->setM(Matrix{{1.0, 2.0, 3.0}, {4.0, 5.0, 6.0}, {7.0, 8.0, 9.0}});
    NonSmoothDynamicalSystem model(0.0, 1.0);
    model.insertDynamicalSystem(system);
    TimeDiscretisation instants(0.0, 0.1);
    TimeStepping simulation(model, instants);
    simulation.insertIntegrator(integrator);
    simulation.computeOneStep();
  };
  EulerMoreauOSI euler(0.5);
  ZeroOrderHoldOSI exact;
  expectRefusal("FirstOrderLinearTIDS number 0 is singular", [&] { advance(euler); });
  expectRefusal("M of system 0 is singular", [&] { advance(exact); });
}

// Both numbers were shown with six digits, as the same.
TEST(Refusals, NumbersThatAreNearlyTheSame) {
  expectRefusal("restitution e = 1.0000000001 is outside [0, 1]", [] { NewtonImpactNSL(1.0000000001); });
  expectRefusal("theta = 1.0000000001 is outside", [] { MoreauJeanOSI(1.0000000001); });
  expectRefusal("mass(1, 0) is 0.1, mass(0, 1) is 0.1000000001", [] {
    LagrangianLinearTIDS(Vector::Zero(2), Vector::Zero(2), (Matrix(2, 2) << 1, 0.1000000001, 0.1, 1).finished());
  });
  expectRefusal("1.0000000001 is not after the initial time 1.0000000002",
                [] { TimeDiscretisation(3, 1.0000000002, 1.0000000001); });
  Ball ball;
  TimeDiscretisation instants(std::vector<double>{0, 0.5, 1.0000000001});
  SchatzmanPaoliOSI integrator;
  LCP problem;
  TimeStepping simulation(ball.model, instants, integrator, problem);
  ball.model.setT(2.0);
  simulation.computeOneStep();
  expectRefusal("needs a constant step: 0.5000000001 after 0.5", [&] { simulation.computeOneStep(); });
}

}  // namespace refusals_test
