// Jacobians that the user gives, against differences; and what else a system tells of itself.
#include <gtest/gtest.h>

#include <cmath>
#include <memory>

#include "message_of.hpp"
#include "nonsmooth/kernel/kernel.hpp"
#include "one_entry.hpp"

namespace jacobians_test {

using namespace nonsmooth::kernel;
using nonsmooth::kernel::test::expectRefusal;
using nonsmooth::kernel::test::messageOf;
using test::one;
using test::square;

// A body that turns about no axis of its own: Omega x I Omega counts.
NewtonEulerDS tumbling() {
  Matrix3 inertia = Eigen::Vector3d(1, 2, 4).asDiagonal();
  return {(Vector(7) << 0.1, 0.2, -0.3, 1, 0, 0, 0).finished(), (Vector(6) << 1, -2, 0.5, 0.3, -0.7, 1.1).finished(), 2.0,
          inertia};
}

// FInt = 5 p + 2 p', MInt = 4 e + 3 Omega, e the vector of the quaternion, which a rotation vector changes by half of it.
void addForces(NewtonEulerDS& body) {
  body.setComputeFIntFunction(
      [](double, ConstVectorRef q, ConstVectorRef v, VectorRef out, VectorRef) { out = 5 * q.head<3>() + 2 * v.head<3>(); });
  body.setComputeMIntFunction(
      [](double, ConstVectorRef q, ConstVectorRef v, VectorRef out, VectorRef) { out = 4 * q.tail<3>() + 3 * v.tail<3>(); });
}

// factor I in the columns from `start` on.
Matrix columns(double factor, Index start) {
  Matrix J = Matrix::Zero(3, 6);
  J.middleCols(start, 3) = factor * Matrix::Identity(3, 3);
  return J;
}

TEST(Jacobians, OfForcesOnARigidBody) {
  for (const bool explicit_gyroscopic : {false, true}) {
    NewtonEulerDS body = tumbling();
    body.setExplicitGyroscopicMoment(explicit_gyroscopic);
    EXPECT_EQ(messageOf([&] { body.checkJacobians(0); }), "");
    addForces(body);
    EXPECT_EQ(messageOf([&] { body.checkJacobians(0); }), "") << "none is given";
    body.setJacobianFIntTwist(columns(2, 0));
    body.setJacobianMIntTwist(columns(3, 3));
    EXPECT_EQ(messageOf([&] { body.checkJacobians(0); }), "") << "those with respect to q are not given";
    body.setJacobianFIntq(columns(5, 0));
    body.setJacobianMIntq(columns(2, 3));
    EXPECT_EQ(messageOf([&] { body.checkJacobians(0); }), "");
    body.setJacobianMIntq(columns(4, 3));
    expectRefusal("with respect to q is off by 0.4", [&] { body.checkJacobians(0); });
    body.setJacobianMIntq(columns(2, 3));
    body.setJacobianMIntTwist(columns(-3, 3));
    expectRefusal("with respect to the twist is off by", [&] { body.checkJacobians(0); });
  }
}

// FInt = 3 q^2 + q v, FGyr = v^2 q
TEST(Jacobians, OfForcesOnALagrangianSystem) {
  LagrangianDS ds(one(0.5), one(2), square(1));
  ds.setComputeFIntFunction(
      [](double, ConstVectorRef q, ConstVectorRef v, VectorRef out, VectorRef) { out[0] = 3 * q[0] * q[0] + q[0] * v[0]; });
  ds.setComputeFGyrFunction(
      [](double, ConstVectorRef q, ConstVectorRef v, VectorRef out, VectorRef) { out[0] = v[0] * v[0] * q[0]; });
  ds.setJacobianFIntqDot(square(0.5));
  ds.setJacobianFGyrqDot(square(2));
  EXPECT_EQ(messageOf([&] { ds.checkJacobians(0); }), "") << "those with respect to q are not given";
  ds.setJacobianFIntq(square(5));
  ds.setJacobianFGyrq(square(4));
  EXPECT_EQ(messageOf([&] { ds.checkJacobians(0); }), "");
  ds.setJacobianFGyrq(square(-4));
  expectRefusal("with respect to q is off by", [&] { ds.checkJacobians(0); });
}

// h = x^2 + 3 lambda x, g = 2 lambda + x^3 at x = 0.5, lambda = 0.
std::string messageFor(double C, double D, double B, CoupledToMatrix K) {
  NonSmoothDynamicalSystem model(0.0, 1.0);
  auto ds = std::make_shared<FirstOrderLinearTIDS>(one(0.5), square(-1));
  model.insertDynamicalSystem(ds);
  const auto constant = [](double value) {
    return [value](double, ConstVectorRef, ConstVectorRef, MatrixRef out, VectorRef) { out(0, 0) = value; };
  };
  auto relation = std::make_shared<FirstOrderNonLinearR>(
      [](double, ConstVectorRef x, ConstVectorRef lambda, VectorRef y, VectorRef) { y[0] = x[0] * x[0] + 3 * lambda[0] * x[0]; },
      [](double, ConstVectorRef x, ConstVectorRef lambda, VectorRef r, VectorRef) { r[0] = 2 * lambda[0] + x[0] * x[0] * x[0]; },
      constant(C), constant(B), constant(D), std::move(K));
  model.link(std::make_shared<Interaction>(std::make_shared<ComplementarityConditionNSL>(1), relation), ds);
  return messageOf([&] { model.checkJacobians(0); });
}

TEST(Jacobians, OfFirstOrderRelations) {
  const auto K = [](double value) {
    return [value](double, ConstVectorRef, ConstVectorRef, MatrixRef out, VectorRef) { out(0, 0) = value; };
  };
  EXPECT_EQ(messageFor(1, 1.5, 2, K(0.75)), "");
  EXPECT_EQ(messageFor(1, 1.5, 2, nullptr), "") << "K is not given";
  EXPECT_EQ(messageFor(2, 1.5, 2, K(0.75)), "JacobianhOverx of a FirstOrderNonLinearR is off by 0.5 from differences");
  EXPECT_EQ(messageFor(1, 3, 2, K(0.75)), "D of a FirstOrderNonLinearR is off by 0.5 from differences");
  EXPECT_EQ(messageFor(1, 1.5, 4, K(0.75)), "B of a FirstOrderNonLinearR is off by 0.5 from differences");
  EXPECT_EQ(messageFor(1, 1.5, 2, K(1.5)), "K of a FirstOrderNonLinearR is off by 0.5 from differences");
}

// The step that is saved, then gone back to.
TEST(Systems, RememberTheStartOfAStep) {
  LagrangianLinearTIDS ds(one(1), one(2), square(1));
  ds.q()[0] = 3;
  ds.velocity()[0] = 4;
  ds.swapInMemory();
  ds.q()[0] = 5;
  ds.velocity()[0] = 6;
  ds.restoreFromMemory();
  EXPECT_EQ(ds.q()[0], 3);
  EXPECT_EQ(ds.velocity()[0], 4);
  EXPECT_EQ(ds.coordinates(Coordinate::older)[0], 1);
}

// f = slope x + offset beside a Jacobian that is given.
std::string messageForLine(double slope, double offset, double given) {
  FirstOrderNonLinearDS ds(one(0.5));
  ds.setComputefFunction([=](double, ConstVectorRef x, VectorRef out, VectorRef) { out[0] = slope * x[0] + offset; });
  ds.setJacobianfx(square(given));
  return messageOf([&] { ds.checkJacobians(0, 1e-6); });
}

TEST(Jacobians, SmallOnesAreComparedToo) {
  EXPECT_EQ(messageForLine(1e-7, 10, 1e-7), "");
  EXPECT_NE(messageForLine(1e-7, 10, -1e-7).find("is off by 2 "), std::string::npos);
  EXPECT_EQ(messageForLine(1e-20, 0, 1e-20), "");
  EXPECT_NE(messageForLine(1e-20, 0, 0).find("is off by 1 "), std::string::npos);
}

// What differences cannot tell makes no defect: rounding of a large f, and their own error where the derivative is zero.
TEST(Jacobians, ErrorsOfDifferencesDoNotCount) {
  EXPECT_EQ(messageForLine(1e-7, 1e6, 1e-7), "");
  FirstOrderNonLinearDS ds(one(0));
  for (const int power : {3, 5}) {
    ds.setComputefFunction([=](double, ConstVectorRef x, VectorRef out, VectorRef) { out[0] = std::pow(x[0], power); });
    ds.setJacobianfx(square(0));
    EXPECT_EQ(messageOf([&] { ds.checkJacobians(0, 1e-6); }), "") << power;
  }
}

}  // namespace jacobians_test
