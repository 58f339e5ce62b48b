// No step allocates for a fixed set of contacts.
#include <gtest/gtest.h>
#include <nonsmooth/kernel/kernel.hpp>

#include <atomic>
#include <cstdlib>
#include <memory>
#include <new>

namespace {

std::atomic<long> allocations{0};

void* counted(std::size_t size) {
  ++allocations;
  if (void* memory = std::malloc(size == 0 ? 1 : size)) return memory;
  throw std::bad_alloc();
}

}  // namespace

void* operator new(std::size_t size) { return counted(size); }
void* operator new[](std::size_t size) { return counted(size); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }

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
