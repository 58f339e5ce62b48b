// Multiple impacts within simulations.
#include <gtest/gtest.h>

#include <cmath>
#include <nonsmooth/kernel/kernel.hpp>

#include "message_of.hpp"

namespace impact_steps_test {

using namespace nonsmooth::kernel;
using nonsmooth::kernel::test::messageOf;

// A ball falls on others that rest on each other. What is left of its bounces goes up and down between them in flights too low to
// be told from rest; they end.
TEST(ImpactsInSteps, BallOnAColumnComesToRest) {
  for (const std::size_t count : {3U, 4U}) {
    NonSmoothDynamicalSystem model(0.0, 1.0);
    const auto law = std::make_shared<MultipleImpactNSL>(0.7, 1e9, 1.5);
    std::vector<std::shared_ptr<LagrangianLinearTIDS>> balls;
    for (std::size_t i = 0; i < count; ++i) {
      balls.push_back(std::make_shared<LagrangianLinearTIDS>(Vector::Constant(1, i + 1 == count ? 0.1 : 0.0), Vector::Zero(1),
                                                             Matrix::Identity(1, 1)));
      balls.back()->setFExt(Vector::Constant(1, -10.0));
      model.insertDynamicalSystem(balls.back());
      if (i == 0)
        model.link(std::make_shared<Interaction>(law, std::make_shared<LagrangianLinearTIR>(Matrix::Identity(1, 1))), balls[0]);
      else
        model.link(std::make_shared<Interaction>(law, std::make_shared<LagrangianLinearTIR>(Eigen::RowVector2d(-1, 1))),
                   balls[i - 1], balls[i]);
    }
    TimeDiscretisation instants(0.0, 0.01);
    LsodarOSI integrator;
    OSNSMultipleImpact impact;
    LCP acceleration;
    EventDriven simulation(model, instants, integrator, impact, acceleration);
    long events = 0;
    while (simulation.hasNextEvent() && events < 5000) {
      simulation.computeOneStep();
      ++events;
    }
    EXPECT_LT(events, 5000) << "t = " << simulation.startingTime();
    for (const auto& ball : balls) {
      EXPECT_NEAR(ball->q()[0], 0, 1e-11);
      EXPECT_NEAR(ball->velocity()[0], 0, 1e-11);
    }
  }
}

// A block that bounces from corner to corner lies still at last: either corner falls by what gaps are known to, and what it hits
// the ground with opens the other one no more.
TEST(ImpactsInSteps, BlockComesToRestOnItsCorners) {
  const auto newton = std::make_shared<NewtonImpactNSL>(0.6);
  const auto multiple = std::make_shared<MultipleImpactNSL>(0.6, 1e8, 1.5);
  for (const bool compliant : {false, true}) {
    NonSmoothDynamicalSystem model(0.0, 3.0);
    const auto block = std::make_shared<LagrangianLinearTIDS>(Eigen::Vector3d(0, 1, 0.3), Vector::Zero(3),
                                                              Matrix(Eigen::Vector3d(1, 1, 0.1).asDiagonal()));
    block->setFExt(Eigen::Vector3d(0, -9.81, 0));
    model.insertDynamicalSystem(block);
    for (const double x : {-0.3, 0.3}) {
      const auto corner = std::make_shared<LagrangianScleronomousR>(
          [=](ConstVectorRef q, VectorRef y, VectorRef) { y[0] = q[1] + x * std::sin(q[2]) - 0.1 * std::cos(q[2]); },
          [=](ConstVectorRef q, MatrixRef G, VectorRef) { G << 0, 1, x * std::cos(q[2]) + 0.1 * std::sin(q[2]); },
          [=](ConstVectorRef q, ConstVectorRef v, MatrixRef G, VectorRef) {
            G << 0, 0, (0.1 * std::cos(q[2]) - x * std::sin(q[2])) * v[2];
          });
      const std::shared_ptr<NonSmoothLaw> law = compliant ? std::shared_ptr<NonSmoothLaw>(multiple) : newton;
      model.link(std::make_shared<Interaction>(law, corner), block);
    }
    TimeDiscretisation instants(0.0, 0.01);
    LsodarOSI integrator;
    LCP lcp, acceleration;
    OSNSMultipleImpact impact;
    EventDriven simulation(model, instants, integrator, compliant ? Link<OneStepNSProblem>(impact) : Link<OneStepNSProblem>(lcp),
                           acceleration);
    long events = 0;
    while (simulation.hasNextEvent() && events < 2000) {
      simulation.computeOneStep();
      ++events;
    }
    EXPECT_LT(events, 2000) << "t = " << simulation.startingTime();
    EXPECT_NEAR(block->q()[1], 0.1, 1e-11);
    EXPECT_NEAR(block->q()[2], 0, 1e-11);
    EXPECT_LE(block->velocity().norm(), 1e-11);
  }
}

// Laws between velocities have no place where positions are solved for.
TEST(ImpactsInSteps, LawsOfVelocitiesAlone) {
  const auto message = [](const std::shared_ptr<Relation>& relation, const std::shared_ptr<NonSmoothLaw>& law,
                          OneStepIntegrator& integrator, ImpactLaw impact) {
    NonSmoothDynamicalSystem model(0.0, 1.0);
    const auto ball = std::make_shared<LagrangianLinearTIDS>(Vector::Constant(1, 0.01), Vector::Zero(1), Matrix::Identity(1, 1));
    ball->setFExt(Vector::Constant(1, -10.0));
    model.insertDynamicalSystem(ball);
    model.link(std::make_shared<Interaction>(law, relation), ball);
    TimeDiscretisation instants(0.0, 1e-3);
    OSNSMultipleImpact problem;
    problem.setImpactLaw(impact);
    return messageOf([&] { TimeStepping(model, instants, integrator, problem).run(); });
  };
  const Matrix one = Matrix::Identity(1, 1);
  const auto compliant = std::make_shared<LagrangianCompliantLinearTIR>(one, Matrix::Constant(1, 1, 1e-5));
  const auto rigid = std::make_shared<LagrangianLinearTIR>(one);
  const auto newton = std::make_shared<NewtonImpactNSL>(0.5);
  const auto multiple = std::make_shared<MultipleImpactNSL>(0.5, 1e9, 1.5);
  MoreauJeanOSI velocities(0.5), poisson(0.5), other(0.5);
  SchatzmanPaoliOSI positions(0.5), same_positions(0.5);
  EXPECT_NE(message(compliant, multiple, velocities, ImpactLaw::DarbouxKeller).find("LagrangianCompliantLinearTIR"),
            std::string::npos);
  EXPECT_NE(message(compliant, newton, poisson, ImpactLaw::Poisson).find("Poisson"), std::string::npos);
  EXPECT_EQ(message(compliant, newton, other, ImpactLaw::Newton), "");
  EXPECT_NE(message(rigid, newton, positions, ImpactLaw::Poisson).find("SchatzmanPaoliOSI"), std::string::npos);
  EXPECT_EQ(message(rigid, newton, same_positions, ImpactLaw::Newton), "");
}

// One contact: the problems give the same trajectory, also where the impact is that of the end of the step.
TEST(ImpactsInSteps, LawsAgreeInD1Minus) {
  const auto height = [](OneStepNSProblem& impulses) {
    NonSmoothDynamicalSystem model(0.0, 0.6);
    const auto ball = std::make_shared<LagrangianLinearTIDS>(Vector::Ones(1), Vector::Zero(1), Matrix::Identity(1, 1));
    ball->setFExt(Vector::Constant(1, -10.0));
    model.insertDynamicalSystem(ball);
    model.link(std::make_shared<Interaction>(std::make_shared<NewtonImpactNSL>(0.5),
                                             std::make_shared<LagrangianLinearTIR>(Matrix::Identity(1, 1))),
               ball);
    TimeDiscretisation instants(0.0, 0.01);
    D1MinusLinearOSI integrator;
    LCP forces;
    TimeSteppingD1Minus simulation(model, instants, integrator, impulses, forces);
    simulation.run();
    return ball->q()[0];
  };
  LCP lcp;
  OSNSMultipleImpact newton, poisson;
  newton.setImpactLaw(ImpactLaw::Newton);
  poisson.setImpactLaw(ImpactLaw::Poisson);
  const double expected = height(lcp);
  EXPECT_NEAR(height(newton), expected, 1e-12);
  EXPECT_NEAR(height(poisson), expected, 1e-12);
}

}  // namespace impact_steps_test
