// What systems, relations and impacts say of themselves: outputs, rows of Jacobians, energies, memory.
#include <gtest/gtest.h>

#include <cmath>
#include <memory>

#include "message_of.hpp"
#include "nonsmooth/kernel/kernel.hpp"
#include "one_entry.hpp"

namespace system_values_test {

using namespace nonsmooth::kernel;
using nonsmooth::kernel::test::messageOf;
using test::one;
using test::square;

ConstVectorView viewOf(const Vector& values) { return ConstVectorView(values.data(), values.size()); }

TEST(SystemValues, ParametersAreInTheOutputOfALinearRelation) {
  FirstOrderLinearR relation;
  relation.setC(square(2));
  relation.setB(square(1));
  relation.setD(square(3));
  relation.sete(one(5));
  relation.setF((Matrix(1, 2) << 7, 11).finished());
  relation.setz((Vector(2) << 1, 10).finished());
  const Vector x = one(100), lambda = one(1000);
  Vector y(1);
  relation.evaluateh({0, viewOf(x), viewOf(x), viewOf(lambda)}, y);
  EXPECT_EQ(y[0], 200 + 3000 + 5 + 7 + 110);
}

// A mass over a floor at the height z - 1/4: y = q - z + 1/4.
struct FloorOfParameters {
  NonSmoothDynamicalSystem model{0.0, 2.0};
  std::shared_ptr<LagrangianLinearTIDS> mass = std::make_shared<LagrangianLinearTIDS>(one(1), one(0), square(1));
  std::shared_ptr<LagrangianLinearTIR> relation = std::make_shared<LagrangianLinearTIR>(square(1), square(-1), one(0.25));
  std::shared_ptr<Interaction> contact = std::make_shared<Interaction>(std::make_shared<NewtonImpactNSL>(0.0), relation);
  TimeDiscretisation instants{0.0, 1e-3};
  FloorOfParameters() {
    mass->setFExt(one(-9.81));
    relation->setz(one(0.75));
    model.insertDynamicalSystem(mass);
    model.link(contact, mass);
  }
};

TEST(SystemValues, ParametersOfALagrangianLinearRelationInTimeStepping) {
  MoreauJeanOSI velocities;
  SchatzmanPaoliOSI positions;
  for (OneStepIntegrator* integrator :
       {static_cast<OneStepIntegrator*>(&velocities), static_cast<OneStepIntegrator*>(&positions)}) {
    FloorOfParameters floor;
    LCP problem;
    TimeStepping simulation(floor.model, floor.instants, *integrator, problem);
    while (simulation.getK() < 1000) simulation.computeOneStep();
    EXPECT_NEAR(floor.mass->q()[0], 0.5, 5e-3);
    EXPECT_NEAR(floor.contact->y(0)[0], floor.mass->q()[0] - 0.5, 1e-15);
    floor.relation->setz(one(0.5));
    while (simulation.hasNextEvent()) simulation.computeOneStep();
    EXPECT_NEAR(floor.mass->q()[0], 0.25, 5e-3);
  }
}

TEST(SystemValues, ParametersOfALagrangianLinearRelationEventByEvent) {
  FloorOfParameters floor;
  LsodarOSI integrator;
  LCP impact, acceleration;
  EventDriven simulation(floor.model, floor.instants, integrator, impact, acceleration);
  while (simulation.startingTime() < 1) simulation.computeOneStep();
  EXPECT_NEAR(simulation.eventLog().front().time, std::sqrt(2 * 0.5 / 9.81), 1e-12);
  EXPECT_NEAR(floor.mass->q()[0], 0.5, 1e-12);
  floor.relation->setz(one(0.5));
  simulation.run();
  EXPECT_NEAR(simulation.eventLog().back().time, 1 + std::sqrt(2 * 0.25 / 9.81), 1e-12);
  EXPECT_NEAR(floor.mass->q()[0], 0.25, 1e-12);
}

TEST(SystemValues, ParametersOfACompliantLinearRelation) {
  LagrangianCompliantLinearTIR relation(square(2), square(3), one(5));
  relation.setF((Matrix(1, 2) << 7, 11).finished());
  relation.setz((Vector(2) << 1, 10).finished());
  const Vector q = one(100), lambda = one(1000);
  Vector y(1);
  relation.evaluateh({0, viewOf(q), viewOf(q), viewOf(lambda)}, y);
  EXPECT_EQ(y[0], 200 + 3000 + 5 + 7 + 110);
  relation.setz(one(1));
  EXPECT_EQ(messageOf([&] {
              relation.evaluateh({0, viewOf(q), viewOf(q), viewOf(lambda)}, y);
            }),
            "F of a LagrangianLinearTIR is 1 x 2, 1 x 1 expected");
}

// A body of the reference orientation on an inclined belt: each row is one direction, of velocity or of rotation.
TEST(SystemValues, RowsOfARollingContactOnABelt) {
  const Vector3 belt(1, 2, 3);
  NewtonEuler5DR relation([&](double, const double*, const double*, Contact& contact) {
    contact.gap = 0.25;
    contact.normal = Vector3(2, -1, 2) / 3;
    contact.point1 = contact.point2 = Vector3::Zero();
    contact.surfaceVelocity = belt;
  });
  const Vector q = (Vector(7) << 0, 0, 1, 1, 0, 0, 0).finished(), v = Vector::Zero(6), none;
  const RelationPoint at{0, viewOf(q), viewOf(v), viewOf(none)};
  Vector y(5), hdot(5);
  Matrix C(5, 6);
  relation.evaluateh(at, y);
  relation.evaluateC(at, C);
  relation.evaluateTimeDerivative(at, hdot);
  const ContactFrame frame = relation.contactFrame().value();
  const Vector3 directions[3] = {frame.normal, frame.tangent1, frame.tangent2};
  for (Index i = 0; i < 3; ++i) {
    EXPECT_TRUE(C.row(i).head<3>().transpose().isApprox(directions[i]));
    EXPECT_NEAR(hdot[i], -directions[i].dot(belt), 1e-15);
  }
  for (Index i = 3; i < 5; ++i) {
    EXPECT_TRUE(C.row(i).head<3>().isZero());
    EXPECT_TRUE(C.row(i).tail<3>().transpose().isApprox(directions[i - 2]));
  }
  EXPECT_NEAR(frame.tangent1.dot(frame.tangent2), 0, 1e-15);
}

TEST(SystemValues, PotentialEnergyOfConstantForces) {
  LagrangianDS ds(one(3), one(0), square(1));
  ds.setFExt(one(-10));
  ds.setFInt(one(4));
  EXPECT_EQ(ds.potentialEnergy(), 30 + 12);
  ds.setComputeFIntFunction([](double, ConstVectorRef, ConstVectorRef, VectorRef out, VectorRef) { out[0] = 4; });
  EXPECT_FALSE(ds.potentialEnergy());

  NewtonEulerDS body((Vector(7) << 1, 2, 3, 1, 0, 0, 0).finished(), Vector::Zero(6), 1, Matrix3::Identity());
  body.setFInt(Vector3(1, 10, 100));
  EXPECT_EQ(body.potentialEnergy(), 321);
  body.setMExt(Vector3(0, 0, 1));
  EXPECT_FALSE(body.potentialEnergy());
}

TEST(SystemValues, PotentialEnergyOfAStiffness) {
  auto ds = std::make_shared<LagrangianLinearTIDS>(Vector::Ones(2), Vector::Zero(2), Diagonal(Vector::Ones(2)));
  NonSmoothDynamicalSystem model(0.0, 1.0);
  model.insertDynamicalSystem(ds);
  const auto stiffness = [](double coupling) {
    return SparseMatrix((Matrix(2, 2) << 2, -1, coupling, 2).finished().sparseView());
  };
  ds->setK(stiffness(-1));
  EXPECT_EQ(model.potentialEnergy(), 1);
  ds->setK(stiffness(1));
  EXPECT_FALSE(model.potentialEnergy()) << "such forces have no potential";
}

TEST(SystemValues, InitialValuesMoveWhatIsThere) {
  LagrangianLinearTIDS ds(one(1), one(2), square(1));
  ds.setVelocity0(one(3));
  EXPECT_EQ(ds.velocity()[0], 3);
  ds.setVelocity(one(4));
  ds.setVelocity0(one(5));
  EXPECT_EQ(ds.velocity()[0], 4) << "it has moved since";
  FirstOrderLinearTIDS circuit(one(1), square(0));
  circuit.setx(one(2));
  circuit.setx0(one(3));
  EXPECT_EQ(circuit.x()[0], 2);
}

// What is set is what a step goes back to.
TEST(SystemValues, ValuesThatAreSetAreRemembered) {
  LagrangianLinearTIDS ds(one(1), one(2), square(1));
  ds.setq(one(3));
  ds.setVelocity(one(4));
  ds.q()[0] = 5;
  ds.velocity()[0] = 6;
  ds.restoreFromMemory();
  EXPECT_EQ(ds.q()[0], 3);
  EXPECT_EQ(ds.velocity()[0], 4);
  ds.swapInMemory();
  ds.setq(one(7));
  ds.swapInMemory();
  EXPECT_EQ(ds.coordinates(Coordinate::older)[0], 7);
}

TEST(SystemValues, ForcesOfContactsAccelerate) {
  LagrangianLinearTIDS ds(one(0), one(0), square(2));
  ds.setFExt(one(-10));
  ds.p(2)[0] = 30;
  ds.computeRhs(0);
  EXPECT_EQ(ds.acceleration()[0], 10);
}

// FInt = q v, FGyr = 3 q v, at q = 1, v = 2; all that is given is right but one.
TEST(SystemValues, EveryJacobianOfForcesIsCompared) {
  const auto message = [](auto&& set) {
    auto ds = std::make_shared<LagrangianDS>(one(1), one(2), square(1));
    const auto force = [](double factor) {
      return [factor](double, ConstVectorRef q, ConstVectorRef v, VectorRef out, VectorRef) { out[0] = factor * q[0] * v[0]; };
    };
    ds->setComputeFIntFunction(force(1));
    ds->setComputeFGyrFunction(force(3));
    set(*ds);
    NonSmoothDynamicalSystem model(0.0, 1.0);
    model.insertDynamicalSystem(ds);
    return messageOf([&] { model.checkJacobians(0); });
  };
  EXPECT_NE(message([](LagrangianDS& ds) { ds.setJacobianFGyrq(square(5)); }).find("with respect to q"), std::string::npos);
  EXPECT_NE(message([](LagrangianDS& ds) { ds.setJacobianFGyrqDot(square(5)); }).find("with respect to the velocity"),
            std::string::npos);
  EXPECT_EQ(message([](LagrangianDS& ds) { ds.setJacobianFGyrqDot(square(4)); }), "");

  const auto of_body = [](auto&& set) {
    NewtonEulerDS body((Vector(7) << 0, 0, 0, 1, 0, 0, 0).finished(), Vector::Zero(6), 1, Matrix3::Identity());
    set(body);
    return messageOf([&] { body.checkJacobians(0); });
  };
  EXPECT_NE(of_body([](NewtonEulerDS& body) { body.setJacobianMIntq(Matrix::Ones(3, 6)); }).find("with respect to q"),
            std::string::npos);
  EXPECT_NE(of_body([](NewtonEulerDS& body) { body.setJacobianMIntTwist(Matrix::Ones(3, 6)); }).find("the twist"),
            std::string::npos);
}

// Two unknowns against one: y = q1 + 2 q2 - q3.
TEST(SystemValues, ImpactsOfSystemsOfDifferentSizes) {
  NonSmoothDynamicalSystem model(0.0);
  auto large =
      std::make_shared<LagrangianLinearTIDS>(Vector::Zero(2), (Vector(2) << -1, -2).finished(), Diagonal(Vector::Ones(2)));
  auto small = std::make_shared<LagrangianLinearTIDS>(one(0), one(5), square(1));
  model.insertDynamicalSystem(large);
  model.insertDynamicalSystem(small);
  auto contact = std::make_shared<Interaction>(std::make_shared<NewtonImpactNSL>(0.5),
                                               std::make_shared<LagrangianLinearTIR>((Matrix(1, 3) << 1, 2, -1).finished()));
  model.link(contact, large, small);
  LCP problem;
  InstantImpact impact(model, problem);
  impact.compute(0);
  EXPECT_NEAR(contact->y(1)[0], 5, 1e-12) << "half of the approach of 10";
  EXPECT_NEAR(large->velocity()[0] + 2 * large->velocity()[1] - small->velocity()[0], 5, 1e-12);
  EXPECT_NEAR(contact->lambda(1)[0], 15.0 / 6, 1e-12);
  // They part now: nothing acts any more, and what has acted is no more said.
  auto second = std::make_shared<Interaction>(std::make_shared<NewtonImpactNSL>(0.5),
                                              std::make_shared<LagrangianLinearTIR>(square(1), one(1)));
  model.link(second, small);
  impact.compute(0);
  EXPECT_EQ(contact->lambda(1)[0], 0);
  EXPECT_EQ(second->y(0)[0], 1);
  EXPECT_NEAR(second->y(1)[0], small->velocity()[0], 1e-15) << "of open contacts too";
}

// All rows, in and out of a model.
TEST(SystemValues, OutputsOfAnInteractionThatIsRemovedStay) {
  NonSmoothDynamicalSystem model(0.0, 1.0);
  auto ds = std::make_shared<LagrangianLinearTIDS>(Vector::Zero(3), Vector::Zero(3), Diagonal(Vector::Ones(3)));
  model.insertDynamicalSystem(ds);
  Interaction contact(std::make_shared<NewtonImpactFrictionNSL>(0, 0, 0.5, 3),
                      std::make_shared<LagrangianLinearTIR>(Matrix(Matrix::Identity(3, 3))));
  const Vector3 before(1, 2, 3), after(4, 5, 6);
  contact.lambda(1) = before;
  model.link(contact, *ds);
  EXPECT_EQ(Vector3(contact.lambda(1)), before);
  contact.lambda(1) = after;
  model.removeInteraction(contact);
  EXPECT_EQ(Vector3(contact.lambda(1)), after);
}

// What the verbs leave to be read where nobody has given anything is no force and no Jacobian of the user's.
TEST(SystemValues, WhatIsComputedIsNotGiven) {
  LagrangianLinearTIDS ball(one(1), one(0), square(2));
  ball.setFExt(one(-3));
  ball.computeFInt(0);
  ball.computeFGyr();
  EXPECT_EQ(ball.getFInt(), one(0));
  Vector force(1);
  EXPECT_EQ(messageOf([&] { ball.evaluateForces(0, ball.q(), ball.velocity(), force); }), "");
  EXPECT_EQ(force, one(-3));

  const Vector q = (Vector(7) << 0, 0, 2, 1, 0, 0, 0).finished();
  NewtonEulerDS body(q, Vector::Zero(6), 1, Matrix3::Identity());
  body.setFExt(Vector3(0, 0, -5));
  body.computeMExt(0);
  body.computeMInt(0);
  body.computeJacobianFIntq(0);
  EXPECT_EQ(body.potentialEnergy(), 10.0);
  EXPECT_FALSE(body.hasForceJacobians());
  EXPECT_EQ(body.getJacobianFIntq(), Matrix(Matrix::Zero(3, 6)));

  FirstOrderNonLinearDS decay(one(1));
  decay.setComputefFunction([](double, ConstVectorRef x, VectorRef out, VectorRef) { out = -x; });
  decay.computeJacobianfx(0);
  EXPECT_EQ(decay.getJacobianfx(), square(0));
  EXPECT_EQ(messageOf([&] { decay.checkJacobians(0, 1e-6); }), "") << "none is given";
  FirstOrderLinearDS linear(one(1), square(7));
  for (const double A : {7.0, 8.0}) {
    linear.setA(square(A));
    linear.computeJacobianfx(0);
    EXPECT_EQ(linear.getJacobianfx(), square(A));
  }
}

}  // namespace system_values_test
