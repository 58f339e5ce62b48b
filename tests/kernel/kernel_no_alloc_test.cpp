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

TEST(NoAllocation, RestingSpheres) {
  NonSmoothDynamicalSystem model(0.0);
  auto law = std::make_shared<NewtonImpactFrictionNSL>(0.0, 0.0, 0.5, 3);
  std::vector<std::shared_ptr<NewtonEulerDS>> spheres;
  for (int k = 0; k < 4; ++k) {
    Vector q(7);
    q << 0, 0, 0.1 + 0.2 * k, 1, 0, 0, 0;
    spheres.push_back(std::make_shared<NewtonEulerDS>(q, Vector::Zero(6), 1.0, Matrix3::Identity() * 0.004));
    spheres.back()->setFExt(Eigen::Vector3d(0, 0, -9.81));
    model.insertDynamicalSystem(spheres.back());
    const auto geometry = [](double, const double* q1, const double* q2, Contact& contact) {
      const double below = q2 != nullptr ? q2[2] + 0.1 : 0.0;
      contact.normal = Vector3::UnitZ();
      contact.point1 = Vector3(q1[0], q1[1], q1[2] - 0.1);
      contact.point2 = Vector3(q1[0], q1[1], below);
      contact.gap = q1[2] - 0.1 - below;
    };
    auto contact = std::make_shared<Interaction>(law, std::make_shared<NewtonEuler3DR>(geometry));
    if (k == 0)
      model.link(contact, spheres[0]);
    else
      model.link(contact, spheres[static_cast<std::size_t>(k)], spheres[static_cast<std::size_t>(k - 1)]);
  }
  TimeDiscretisation instants(0.0, 1e-3);
  MoreauJeanOSI integrator(0.5);
  integrator.setConstraintActivationThreshold(1e-6);
  // The Jacobians of contacts change with every step. A method that takes new values of M in place; auto sets up some of its
  // stages anew.
  FrictionContact problem(3, "block_gauss_seidel");
  TimeStepping simulation(model, instants, integrator, problem);
  EXPECT_EQ(allocationsOfSteps(simulation, 5, 50), 0);
}

}  // namespace
