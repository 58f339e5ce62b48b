// No step allocates for a fixed set of contacts.
#include <gtest/gtest.h>
#include <nonsmooth/kernel/kernel.hpp>

#include <atomic>
#include <cmath>
#include <memory>

#include "../support/count_allocations.hpp"

namespace {
std::atomic<long> allocations{0};
}

void support::note_allocation(const void*) { ++allocations; }

namespace {

using namespace nonsmooth::kernel;

long allocationsOfSteps(TimeStepping& simulation, int warm_up, int steps) {
  for (int k = 0; k < warm_up; ++k) {
    simulation.computeOneStep();
    simulation.nextStep();
  }
  const long before = allocations;
  for (int k = 0; k < steps; ++k) {
    simulation.computeOneStep();
    simulation.nextStep();
  }
  return allocations - before;
}

TEST(Counting, IsInEffect) {
  if (!NONSMOOTH_COUNTS_ALLOCATIONS) GTEST_SKIP() << "not under AddressSanitizer";
  const long before = allocations;
  const Matrix matrix = Matrix::Identity(3, 3);
  const auto shared = std::make_shared<double>(matrix(0, 0));
  EXPECT_EQ(allocations - before, 2);
}

TEST(NoAllocation, RestingBall) {
  NonSmoothDynamicalSystem model(0.0);
  auto ball = std::make_shared<LagrangianLinearTIDS>(Vector::Zero(3), Vector::Zero(3), Matrix::Identity(3, 3));
  ball->setFExt(Eigen::Vector3d(-9.81, 0, 0));
  model.insertDynamicalSystem(ball);
  model.link(std::make_shared<Interaction>(std::make_shared<NewtonImpactNSL>(0.9),
                                           std::make_shared<LagrangianLinearTIR>(Matrix(Vector::Unit(3, 0).transpose()))),
             ball);
  TimeDiscretisation instants(0.0, 1e-3);
  MoreauJeanOSI integrator(0.5);
  LCP problem;
  TimeStepping simulation(model, instants, integrator, problem);
  EXPECT_EQ(allocationsOfSteps(simulation, 5, 100), 0);
}

// Impacts at several contacts, by adaptive steps and by constant ones.
TEST(NoAllocation, MultipleImpacts) {
  NonSmoothDynamicalSystem model(0.0);
  const auto law = std::make_shared<MultipleImpactNSL>(0.9, 1e9, 1.5);
  const auto relation = std::make_shared<LagrangianLinearTIR>(Eigen::RowVector2d(-1, 1));
  std::vector<std::shared_ptr<LagrangianLinearTIDS>> balls;
  for (std::size_t k = 0; k < 4; ++k) {
    balls.push_back(std::make_shared<LagrangianLinearTIDS>(Vector::Zero(1), Vector::Zero(1), Matrix::Identity(1, 1)));
    model.insertDynamicalSystem(balls.back());
    if (k > 0) model.link(std::make_shared<Interaction>(law, relation), *balls[k - 1], *balls[k]);
  }
  OSNSMultipleImpact adaptive, constant("BiStiffness", 1e-3);
  for (OSNSMultipleImpact* problem : {&adaptive, &constant}) {
    InstantImpact impact(model, *problem);
    long counted = 0;
    for (int k = 0; k < 4; ++k) {
      for (std::size_t i = 0; i < 4; ++i) balls[i]->velocity()[0] = i == 0 ? 1.0 : 0.0;
      const long before = allocations;
      impact.compute(0.0);
      if (k > 1) counted += allocations - before;
    }
    EXPECT_EQ(counted, 0);
  }
}

// Blocks upon each other with friction: constant operators, so that only q goes to the solver in each step.
TEST(NoAllocation, RestingBlocks) {
  NonSmoothDynamicalSystem model(0.0);
  auto law = std::make_shared<NewtonImpactFrictionNSL>(0.0, 0.0, 0.5, 3);
  std::vector<std::shared_ptr<LagrangianLinearTIDS>> blocks;
  const Matrix one = Matrix::Identity(3, 3);
  Matrix pair(3, 6);
  pair << one, -one;
  for (std::size_t k = 0; k < 4; ++k) {
    blocks.push_back(std::make_shared<LagrangianLinearTIDS>(Vector::Zero(3), Vector::Zero(3), one));
    blocks.back()->setFExt(Eigen::Vector3d(-9.81, 1.0, 0.0));
    model.insertDynamicalSystem(blocks.back());
    auto contact = std::make_shared<Interaction>(law, std::make_shared<LagrangianLinearTIR>(k == 0 ? one : pair));
    if (k == 0)
      model.link(contact, *blocks[0]);
    else
      model.link(contact, *blocks[k], *blocks[k - 1]);
  }
  TimeDiscretisation instants(0.0, 1e-3);
  MoreauJeanOSI integrator(0.5);
  integrator.setConstraintActivationThreshold(1e-9);  // rounding opens none of them
  FrictionContact problem(3);
  TimeStepping simulation(model, instants, integrator, problem);
  EXPECT_EQ(allocationsOfSteps(simulation, 5, 50), 0);
  EXPECT_EQ(simulation.status().activeContacts, 4);
}

// The same ball with two problems a step.
TEST(NoAllocation, RestingBallOfD1Minus) {
  NonSmoothDynamicalSystem model(0.0);
  auto ball = std::make_shared<LagrangianLinearTIDS>(Vector::Zero(3), Vector::Zero(3), Matrix::Identity(3, 3));
  ball->setFExt(Eigen::Vector3d(-9.81, 0, 0));
  model.insertDynamicalSystem(ball);
  model.link(std::make_shared<Interaction>(std::make_shared<NewtonImpactNSL>(0.9),
                                           std::make_shared<LagrangianLinearTIR>(Matrix(Vector::Unit(3, 0).transpose()))),
             ball);
  TimeDiscretisation instants(0.0, 1e-3);
  D1MinusLinearOSI integrator;
  LCP impulses, forces;
  TimeSteppingD1Minus simulation(model, instants, integrator, impulses, forces);
  EXPECT_EQ(allocationsOfSteps(simulation, 5, 100), 0);
}

// A circuit whose diode conducts.
TEST(NoAllocation, ConductingDiode) {
  NonSmoothDynamicalSystem model(0.0);
  const Matrix one = Matrix::Identity(1, 1);
  auto ds = std::make_shared<FirstOrderLinearTIDS>(Vector::Zero(1), Matrix(-one), Vector::Constant(1, -1));
  model.insertDynamicalSystem(ds);
  model.link(std::make_shared<Interaction>(std::make_shared<ComplementarityConditionNSL>(1),
                                           std::make_shared<FirstOrderLinearTIR>(one, one)),
             ds);
  TimeDiscretisation instants(0.0, 1e-3);
  EulerMoreauOSI integrator(0.5);
  LCP problem;
  TimeStepping simulation(model, instants, integrator, problem);
  EXPECT_EQ(allocationsOfSteps(simulation, 5, 50), 0);
}

// The same with matrices D and a constant e, by both integrators.
TEST(NoAllocation, CircuitWithFeedthrough) {
  const Matrix unit = Matrix::Identity(2, 2);
  EulerMoreauOSI euler(0.5);
  ZeroOrderHoldOSI hold;
  for (OneStepIntegrator* integrator : {static_cast<OneStepIntegrator*>(&euler), static_cast<OneStepIntegrator*>(&hold)}) {
    NonSmoothDynamicalSystem model(0.0);
    auto ds = std::make_shared<FirstOrderLinearTIDS>(Vector::Zero(2), Matrix(-unit), Vector::Constant(2, -1));
    model.insertDynamicalSystem(ds);
    const auto relation = std::make_shared<FirstOrderLinearTIR>(unit, unit, Matrix(), Vector::Constant(2, -0.1), unit);
    model.link(std::make_shared<Interaction>(std::make_shared<ComplementarityConditionNSL>(2), relation), ds);
    TimeDiscretisation instants(0.0, 1e-3);
    LCP problem;
    TimeStepping simulation(model, instants, *integrator, problem);
    EXPECT_EQ(allocationsOfSteps(simulation, 5, 50), 0) << integrator->className();
    EXPECT_GT(ds->r()[0], 0);
  }
}

// One degree of freedom: the iteration matrix is its own diagonal.
TEST(NoAllocation, NonlinearOscillator) {
  NonSmoothDynamicalSystem model(0.0);
  auto ds = std::make_shared<LagrangianDS>(Vector::Ones(1), Vector::Zero(1),
                                           [](ConstVectorRef q, MatrixRef mass, VectorRef) { mass(0, 0) = 2 + q[0]; });
  ds->setComputeFIntFunction([](double, ConstVectorRef q, ConstVectorRef, VectorRef out, VectorRef) { out[0] = std::sin(q[0]); });
  ds->setComputeJacobianFIntqFunction(
      [](double, ConstVectorRef q, ConstVectorRef, MatrixRef out, VectorRef) { out(0, 0) = std::cos(q[0]); });
  model.insertDynamicalSystem(ds);
  TimeDiscretisation instants(0.0, 1e-2);
  MoreauJeanOSI integrator(0.5);
  LCP problem;
  TimeStepping simulation(model, instants, integrator, problem);
  EXPECT_EQ(allocationsOfSteps(simulation, 5, 50), 0);
}

TEST(NoAllocation, ProductsWithOperators) {
  SparseMatrix sparse(5, 5);
  for (int i = 0; i < 5; ++i) sparse.insert(i, (2 * i) % 5) = i + 1.0;
  Vector x = Vector::LinSpaced(5, 1, 2), y = Vector::Ones(5);
  const Vector expected = y + 2.0 * (sparse * x);
  const LinearOperator kinds[] = {sparse, Matrix(sparse), Diagonal(x)};
  const long before = allocations;
  kinds[0].addProduct(2.0, x, y);
  EXPECT_EQ(allocations - before, 0);
  EXPECT_LT((y - expected).norm(), 1e-14);
  const long then = allocations;
  kinds[1].addProduct(2.0, x, y);
  kinds[2].addProduct(2.0, x, y);
  EXPECT_EQ(allocations - then, 0);
}

// Spheres side by side on a floor, pushed together and around, so that every Jacobian changes in every step while the contacts
// remain. Neighbours in a row are held together by ball joints if so wanted.
struct Raft {
  static constexpr double radius = 0.1;
  enum class Contacts { frictional, frictionless };

  Raft(int side, Contacts contacts, bool joints) : model(0.0) {
    const double centre = radius * (side - 1);
    const Matrix3 inertia = Vector3(0.004, 0.005, 0.006).asDiagonal();
    for (int k = 0; k < side * side; ++k) {
      Vector q(7);
      q << 2 * radius * (k % side), 2 * radius * (k / side), radius, 1, 0, 0, 0;
      spheres.push_back(std::make_shared<NewtonEulerDS>(q, Vector::Zero(6), 1.0, inertia));
      const double x = q[0] - centre, y = q[1] - centre;
      spheres.back()->setFExt(Eigen::Vector3d(-3 * x - 20 * y, 20 * x - 3 * y, -9.81));
      model.insertDynamicalSystem(spheres.back());
    }
    for (int k = 0; k < side * side; ++k) {
      const auto sphere = spheres[static_cast<std::size_t>(k)];
      model.link(contact(contacts, onFloor), *sphere);
      if (k % side > 0) joints ? join(k, k - 1) : touch(contacts, k, k - 1);
      if (k / side > 0) touch(contacts, k, k - side);
    }
  }
  static std::shared_ptr<Interaction> contact(Contacts contacts, const NewtonEulerContactR::Geometry& geometry) {
    if (contacts == Contacts::frictional)
      return std::make_shared<Interaction>(std::make_shared<NewtonImpactFrictionNSL>(0.0, 0.0, 0.3, 3),
                                           std::make_shared<NewtonEuler3DR>(geometry));
    return std::make_shared<Interaction>(std::make_shared<NewtonImpactNSL>(0.0), std::make_shared<NewtonEuler1DR>(geometry));
  }
  void touch(Contacts contacts, int a, int b) { model.link(contact(contacts, betweenSpheres), *at(a), *at(b)); }
  void join(int a, int b) {
    const auto joint = std::make_shared<KneeJointR>(Vector3(-radius, 0, 0), Vector(at(a)->q()), Vector(at(b)->q()));
    model.link(std::make_shared<Interaction>(std::make_shared<EqualityConditionNSL>(3), joint), *at(a), *at(b));
  }
  std::shared_ptr<NewtonEulerDS> at(int k) const { return spheres[static_cast<std::size_t>(k)]; }

  static void onFloor(double, const double* q, const double*, Contact& contact) {
    contact.normal = Vector3::UnitZ();
    contact.gap = q[2] - radius;
    contact.point1 = contact.point2 = Vector3(q[0], q[1], 0);
  }
  static void betweenSpheres(double, const double* a, const double* b, Contact& contact) {
    const Vector3 d(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
    contact.normal = d / d.norm();
    contact.gap = d.norm() - 2 * radius;
    contact.point1 = Vector3(a[0], a[1], a[2]) - radius * contact.normal;
    contact.point2 = Vector3(b[0], b[1], b[2]) + radius * contact.normal;
  }

  NonSmoothDynamicalSystem model;
  std::vector<std::shared_ptr<NewtonEulerDS>> spheres;
};

void expectNoAllocation(Raft raft, OneStepNSProblem& problem, Index contacts) {
  TimeDiscretisation instants(0.0, 1e-4);
  MoreauJeanOSI integrator(0.5);
  integrator.setConstraintActivationThreshold(0.01);
  TimeStepping simulation(raft.model, instants, integrator, problem);
  const Vector before = raft.spheres.front()->q();
  EXPECT_EQ(allocationsOfSteps(simulation, 10, 100), 0);
  EXPECT_EQ(simulation.status().activeContacts, contacts);
  EXPECT_TRUE(simulation.status().solve.certified);
  EXPECT_GT((raft.spheres.front()->q() - before).norm(), 1e-5) << "nothing has moved";
}

TEST(NoAllocation, RigidSpheresWithFriction) {
  FrictionContact few(3), many(3);
  expectNoAllocation(Raft(2, Raft::Contacts::frictional, false), few, 8);
  expectNoAllocation(Raft(5, Raft::Contacts::frictional, false), many, 65);
}

TEST(NoAllocation, RigidSpheresWithoutFriction) {
  LCP few, many;
  expectNoAllocation(Raft(2, Raft::Contacts::frictionless, false), few, 8);
  expectNoAllocation(Raft(6, Raft::Contacts::frictionless, false), many, 96);
}

TEST(NoAllocation, JoinedSpheres) {
  MLCP mixed;
  GenericMechanical generic;
  expectNoAllocation(Raft(3, Raft::Contacts::frictionless, true), mixed, 21);
  expectNoAllocation(Raft(2, Raft::Contacts::frictional, true), generic, 8);
}

// Between events: a double pendulum of two constraints.
TEST(NoAllocation, SmoothMotionWithConstraints) {
  LsodarOSI lsodar;
  Hem5OSI hem5;
  hem5.setTol(1e-8, 1e-10);
  for (EventDrivenOSI* integrator : {static_cast<EventDrivenOSI*>(&lsodar), static_cast<EventDrivenOSI*>(&hem5)}) {
    NonSmoothDynamicalSystem model(0.0, 100.0);
    auto ds = std::make_shared<LagrangianDS>(Eigen::Vector4d(1, 0, 2, 0), Vector::Zero(4), Matrix::Identity(4, 4));
    ds->setFExt(Eigen::Vector4d(0, -9.81, 0, -9.81));
    model.insertDynamicalSystem(ds);
    auto rods = std::make_shared<LagrangianScleronomousR>(
        [](ConstVectorRef q, VectorRef y, VectorRef) {
          y << q.head<2>().squaredNorm() - 1, (q.tail<2>() - q.head<2>()).squaredNorm() - 1;
        },
        [](ConstVectorRef q, MatrixRef G, VectorRef) {
          G << 2 * q[0], 2 * q[1], 0, 0, 2 * (q[0] - q[2]), 2 * (q[1] - q[3]), 2 * (q[2] - q[0]), 2 * (q[3] - q[1]);
        },
        [](ConstVectorRef, ConstVectorRef v, MatrixRef G, VectorRef) {
          G << 2 * v[0], 2 * v[1], 0, 0, 2 * (v[0] - v[2]), 2 * (v[1] - v[3]), 2 * (v[2] - v[0]), 2 * (v[3] - v[1]);
        });
    model.link(std::make_shared<Interaction>(std::make_shared<EqualityConditionNSL>(2), rods), ds);
    TimeDiscretisation instants(0.0, 1e-2);
    Equality impact, acceleration;
    EventDriven simulation(model, instants, *integrator, impact, acceleration);
    simulation.setProjectionTolerance(std::numeric_limits<double>::infinity());
    for (int k = 0; k < 20; ++k) simulation.computeOneStep();
    const long before = allocations;
    for (int k = 0; k < 100; ++k) simulation.computeOneStep();
    EXPECT_EQ(allocations - before, 0) << integrator->className();
  }
}

}  // namespace
