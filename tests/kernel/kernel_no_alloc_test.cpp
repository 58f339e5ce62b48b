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

}  // namespace
