// Events that the ends of the integrator's steps do not show: functions that fall and rise within a step.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <memory>
#include <vector>

#include "nonsmooth/kernel/kernel.hpp"

namespace event_parts_test {

using namespace nonsmooth::kernel;

// The first entry of that kind; NaN where there is none.
double firstOf(const EventDriven& simulation, ContactEvent kind) {
  for (const ContactRecord& entry : simulation.eventLog())
    if (entry.kind == kind) return entry.time;
  return std::numeric_limits<double>::quiet_NaN();
}

template <class Integrator>
class EventParts : public testing::Test {};
using Integrators = testing::Types<LsodarOSI, Hem5OSI>;
TYPED_TEST_SUITE(EventParts, Integrators);

// A block of 1 kg on the ground, mu = 1/2, weight 10 N, pushed by 8 N sin(omega t). It does not move before it slides: the steps
// have nothing to be bounded by.
TYPED_TEST(EventParts, AForceThatSwingsMovesABlockThatSticks) {
  for (const double omega : {0.5, 3.0, 30.0, 120.0}) {
    LagrangianLinearTIDS block(Vector::Zero(2), Vector::Zero(2), Matrix(Matrix::Identity(2, 2)));
    block.setComputeFExtFunction([omega](double t, VectorRef out, VectorRef) {
      out[0] = -10;
      out[1] = 8 * std::sin(omega * t);
    });
    Interaction ground(std::make_shared<NewtonImpactFrictionNSL>(0.0, 0.0, 0.5, 2),
                       std::make_shared<LagrangianLinearTIR>(Matrix(Matrix::Identity(2, 2))));
    NonSmoothDynamicalSystem model(0.0, 10.0);
    model.insertDynamicalSystem(block);
    model.link(ground, block);
    TimeDiscretisation instants(0.0, 0.5);
    TypeParam integrator;
    FrictionContact impact(2), acceleration(2);
    EventDriven simulation(model, instants, integrator, impact, acceleration);
    simulation.run();
    const double pi = std::acos(-1.0), first = std::asin(5.0 / 8);
    EXPECT_NEAR(firstOf(simulation, ContactEvent::SlidingBegins), first / omega, 1e-10) << omega;
    // Wherever the force grows beyond 5 N: it sticks again before the next time.
    EXPECT_EQ(simulation.count(ContactEvent::SlidingBegins), std::lround(std::floor((10 * omega - first) / pi)) + 1) << omega;
  }
}

// The same of a ball of weight 10 N, which 15 N sin(omega t) lift.
TYPED_TEST(EventParts, AForceThatSwingsLiftsABallThatRests) {
  for (const double omega : {0.5, 3.0, 30.0}) {
    LagrangianLinearTIDS ball(Vector::Zero(1), Vector::Zero(1), Matrix(Matrix::Identity(1, 1)));
    ball.setComputeFExtFunction([omega](double t, VectorRef out, VectorRef) { out[0] = -10 + 15 * std::sin(omega * t); });
    Interaction ground(std::make_shared<NewtonImpactNSL>(0.0),
                       std::make_shared<LagrangianLinearTIR>(Matrix(Matrix::Identity(1, 1))));
    NonSmoothDynamicalSystem model(0.0, 3.0);
    model.insertDynamicalSystem(ball);
    model.link(ground, ball);
    TimeDiscretisation instants(0.0, 0.5);
    TypeParam integrator;
    LCP impact, acceleration;
    EventDriven simulation(model, instants, integrator, impact, acceleration);
    simulation.run();
    EXPECT_NEAR(firstOf(simulation, ContactEvent::Opening), std::asin(2.0 / 3) / omega, 1e-10) << omega;
  }
}

// A box that turns many times while it falls, in steps that are bounded by nothing: the motion is a polynomial.
TYPED_TEST(EventParts, ABoxThatTurnsFallsOnItsFirstCorner) {
  for (const double omega : {3.0, 30.0, 100.0}) {
    Vector position(3), velocity(3), weight(3);
    position << 0, 2, 0.1;
    velocity << 0, 0, omega;
    weight << 0, -9.81, 0;
    LagrangianLinearTIDS box(position, velocity, LinearOperator(Diagonal(Vector{{1.0, 1.0, 0.04}})));
    box.setFExt(weight);
    NonSmoothDynamicalSystem model(0.0, 1.0);
    model.insertDynamicalSystem(box);
    const auto height = [](double x, double y, double angle) { return std::sin(angle) * x + std::cos(angle) * y; };
    std::vector<std::shared_ptr<Interaction>> corners;
    for (const double x : {-0.3, 0.3})
      for (const double y : {-0.2, 0.2}) {
        const auto corner = [=](double, const double* q, const double*, PlanarContact& contact) {
          contact.point1 = {q[0] + std::cos(q[2]) * x - std::sin(q[2]) * y, q[1] + height(x, y, q[2])};
          contact.point2 = {contact.point1[0], 0};
          contact.normal = {0, 1};
          contact.gap = contact.point1[1];
        };
        corners.push_back(
            std::make_shared<Interaction>(std::make_shared<NewtonImpactNSL>(0.5), std::make_shared<Lagrangian2d1DR>(corner)));
        model.link(corners.back(), box);
      }
    double touches = 0;
    const auto lowest = [&](double t) {
      const double angle = 0.1 + omega * t;
      return 2 - 9.81 / 2 * t * t - std::max(std::abs(height(0.3, 0.2, angle)), std::abs(height(0.3, -0.2, angle)));
    };
    while (lowest(touches) > 0) touches += 1e-6;
    TimeDiscretisation instants(0.0, 0.1);
    TypeParam integrator;
    LCP impact, acceleration;
    EventDriven simulation(model, instants, integrator, impact, acceleration);
    simulation.run();
    ASSERT_FALSE(simulation.eventLog().empty());
    EXPECT_NEAR(simulation.eventLog().front().time, touches, 1e-6) << omega;
  }
}

// Discs of radius 0.1 m, one on the ground, the other 0.3 m above it and thrown up: it rises, falls, and would be through the
// lower one and far below at the end of one step.
TYPED_TEST(EventParts, DiscsThatAreThrownUpDoNotPassThroughOthers) {
  for (const double speed : {0.5, 1.0, 1.5, 2.0, 2.5, 3.0}) {
    LagrangianLinearTIDS lower(Vector{{0.0, 0.1}}, Vector::Zero(2), Matrix(Matrix::Identity(2, 2)));
    LagrangianLinearTIDS upper(Vector{{0.0, 0.4}}, Vector{{0.0, speed}}, Matrix(Matrix::Identity(2, 2)));
    for (LagrangianLinearTIDS* disc : {&lower, &upper}) disc->setFExt(Vector{{0.0, -9.81}});
    const auto along = [](ConstVectorRef q) { return Eigen::Vector2d(q.head(2) - q.tail(2)); };
    const auto gap = std::make_shared<LagrangianScleronomousR>(
        [=](ConstVectorRef q, VectorRef out, VectorRef) { out[0] = along(q).norm() - 0.2; },
        [=](ConstVectorRef q, MatrixRef out, VectorRef) {
          const Eigen::Vector2d n = along(q).normalized();
          out << n[0], n[1], -n[0], -n[1];
        },
        [=](ConstVectorRef q, ConstVectorRef v, MatrixRef out, VectorRef) {
          const Eigen::Vector2d n = along(q).normalized(), u = (along(v) - n * n.dot(along(v))) / along(q).norm();
          out << u[0], u[1], -u[0], -u[1];
        });
    Interaction ground(std::make_shared<NewtonImpactNSL>(0.0),
                       std::make_shared<LagrangianLinearTIR>(Matrix{{0.0, 1.0}}, Vector{{-0.1}}));
    Interaction contact(std::make_shared<NewtonImpactNSL>(0.5), gap);
    NonSmoothDynamicalSystem model(0.0, 1.5);
    model.insertDynamicalSystem(lower);
    model.insertDynamicalSystem(upper);
    model.link(ground, lower);
    model.link(contact, upper, lower);
    TimeDiscretisation instants(0.0, 0.1);
    TypeParam integrator;
    LCP impact, acceleration;
    EventDriven simulation(model, instants, integrator, impact, acceleration);
    simulation.run();
    EXPECT_NEAR(firstOf(simulation, ContactEvent::Impact), (speed + std::sqrt(speed * speed + 2 * 9.81 * 0.1)) / 9.81, 1e-10)
        << speed;
    EXPECT_NEAR(upper.q()[1], 0.3, 1e-9) << speed;
  }
}

}  // namespace event_parts_test
