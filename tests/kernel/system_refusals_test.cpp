// What systems, relations and models refuse before a step is done, and what functions of the user's are named for in a step.
#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <memory>

#include "message_of.hpp"
#include "nonsmooth/kernel/kernel.hpp"
#include "one_entry.hpp"

namespace system_refusals_test {

using namespace nonsmooth::kernel;
using nonsmooth::kernel::test::expectRefusal;
using nonsmooth::kernel::test::messageOf;
using test::one;
using test::square;

constexpr double nan_value = std::numeric_limits<double>::quiet_NaN();

const auto vector_of_nan = [](double, ConstVectorRef, ConstVectorRef, VectorRef out, VectorRef) { out.setConstant(nan_value); };
const auto matrix_of_nan = [](double, ConstVectorRef, ConstVectorRef, MatrixRef out, VectorRef) { out.setConstant(nan_value); };

TEST(SystemRefusals, FirstOrderSystems) {
  expectRefusal("at least one unknown", [] { FirstOrderLinearTIDS(Vector(), Matrix()); });
  FirstOrderNonLinearDS ds(one(1));
  expectRefusal("M is 2 x 2, 1 x 1 expected", [&] { ds.setM(Matrix::Identity(2, 2)); });
  expectRefusal("has no f", [&] { ds.computeRhs(0); });
  ds.setComputefFunction([](double, ConstVectorRef, VectorRef out, VectorRef) { out[0] = nan_value; });
  expectRefusal("f gave nan", [&] { ds.computeRhs(0); });
  ds.setComputeJacobianfxFunction([](double, ConstVectorRef, MatrixRef out, VectorRef) { out(0, 0) = nan_value; });
  expectRefusal("Jacobianfx", [&] { ds.computeJacobianRhsx(0); });
  ds.setComputefFunction([](double, ConstVectorRef, VectorRef out, VectorRef) { out[0] = 1; });
  ds.setM(square(0));
  expectRefusal("is M singular?", [&] { ds.computeRhs(0); });
  expectRefusal("levels 0 and 1, not 2", [&] { ds.FirstOrderNonLinearDS::x(2); });
  expectRefusal("level -1 of the nonsmooth input", [&] { ds.resetNonSmoothPart(-1); });
}

TEST(SystemRefusals, LagrangianSystems) {
  const auto of_mass = [](const LinearOperator& mass) { LagrangianLinearTIDS(one(0), one(0), mass); };
  expectRefusal("needs a mass", [&] { of_mass(LinearOperator()); });
  LagrangianLinearTIDS linear(Vector::Zero(2), Vector::Zero(2), Matrix(Matrix::Identity(2, 2)));
  expectRefusal("K has 3 entries, 2 expected", [&] { linear.setK(Matrix(Matrix::Zero(3, 2))); });
  expectRefusal("K has 3 entries, 2 expected", [&] { linear.setK(Matrix(Matrix::Zero(2, 3))); });
  expectRefusal("K[1] is nan", [&] { linear.setK(Diagonal((Vector(2) << 1, nan_value).finished())); });
  expectRefusal("negative", [&] { linear.setMassPtr(std::make_shared<Matrix>(-Matrix::Identity(2, 2))); });

  LagrangianDS ds(one(1), one(2));
  expectRefusal("has no mass", [&] { ds.computeMass(); });
  ds.setComputeMassFunction([](ConstVectorRef, MatrixRef out, VectorRef) { out(0, 0) = nan_value; });
  expectRefusal("Mass gave nan", [&] { ds.computeMass(); });
  ds.setMass(square(0));
  expectRefusal("is the mass singular?", [&] { ds.computeRhs(0); });
  expectRefusal("levels 0, 1 and 2, not -1", [&] { ds.p(-1); });
  expectRefusal("velocity -1 of", [&] { ds.setBoundaryConditions(std::make_shared<FixedBC>(std::vector<Index>{-1})); });
}

TEST(SystemRefusals, ForcesAndTheirJacobiansThatAreNoNumbers) {
  const auto lagrangian = [](auto&& set) {
    LagrangianDS ds(one(1), one(2), square(1));
    set(ds);
    ds.computeRhs(0);
    ds.computeJacobianRhsx(0);
  };
  expectRefusal("FExt gave nan", [&] {
    lagrangian([](LagrangianDS& ds) { ds.setComputeFExtFunction([](double, VectorRef out, VectorRef) { out[0] = nan_value; }); });
  });
  expectRefusal("FInt gave nan", [&] { lagrangian([](LagrangianDS& ds) { ds.setComputeFIntFunction(vector_of_nan); }); });
  expectRefusal("FGyr gave nan", [&] { lagrangian([](LagrangianDS& ds) { ds.setComputeFGyrFunction(vector_of_nan); }); });
  expectRefusal("with respect to q",
                [&] { lagrangian([](LagrangianDS& ds) { ds.setComputeJacobianFIntqFunction(matrix_of_nan); }); });
  expectRefusal("with respect to the velocity",
                [&] { lagrangian([](LagrangianDS& ds) { ds.setComputeJacobianFGyrqDotFunction(matrix_of_nan); }); });

  const auto body = [](auto&& set) {
    NewtonEulerDS ds((Vector(7) << 0, 0, 0, 1, 0, 0, 0).finished(), Vector::Zero(6), 1, Matrix3::Identity());
    set(ds);
    ds.computeForces(0);
    ds.computeJacobianRhsx(0);
  };
  expectRefusal("MInt gave nan", [&] { body([](NewtonEulerDS& ds) { ds.setComputeMIntFunction(vector_of_nan); }); });
  expectRefusal("with respect to q", [&] { body([](NewtonEulerDS& ds) { ds.setComputeJacobianMIntqFunction(matrix_of_nan); }); });
  expectRefusal("with respect to the twist",
                [&] { body([](NewtonEulerDS& ds) { ds.setComputeJacobianMIntTwistFunction(matrix_of_nan); }); });
}

TEST(SystemRefusals, RigidBodies) {
  const auto body = [](double mass, double w) {
    NewtonEulerDS((Vector(7) << 0, 0, 0, w, 0, 0, 0).finished(), Vector::Zero(6), mass, Matrix3::Identity());
  };
  expectRefusal("mass of a NewtonEulerDS is 0", [&] { body(0, 1); });
  expectRefusal("the quaternion of q0 has length 1.00001", [&] { body(1, 1.00001); });
}

// A relation with a law of so many rows, on one system of two unknowns.
void linkTo(const std::shared_ptr<Relation>& relation, Index rows, const std::shared_ptr<DynamicalSystem>& system) {
  NonSmoothDynamicalSystem model(0.0, 1.0);
  model.insertDynamicalSystem(system);
  model.link(std::make_shared<Interaction>(std::make_shared<EqualityConditionNSL>(rows), relation), system);
}

TEST(SystemRefusals, RelationsOfAnotherSize) {
  const auto first_order = [](const Matrix& C, const Matrix& B, auto&& set) {
    auto relation = std::make_shared<FirstOrderLinearR>();
    if (C.size() > 0) relation->setC(C);
    if (B.size() > 0) relation->setB(B);
    set(*relation);
    linkTo(relation, 1, std::make_shared<FirstOrderLinearTIDS>(Vector::Zero(2), Matrix::Zero(2, 2)));
  };
  const Matrix C = Matrix::Ones(1, 2), B = Matrix::Ones(2, 1);
  const auto nothing = [](FirstOrderLinearR&) {};
  EXPECT_EQ(messageOf([&] { first_order(C, B, nothing); }), "");
  expectRefusal("needs C and B", [&] { first_order(C, Matrix(), nothing); });
  expectRefusal("C is 1 x 3, 1 x 2 expected", [&] { first_order(Matrix::Ones(1, 3), B, nothing); });
  expectRefusal("B is 3 x 1, 2 x 1 expected", [&] { first_order(C, Matrix::Ones(3, 1), nothing); });
  expectRefusal("D is 2 x 1, 1 x 1 expected",
                [&] { first_order(C, B, [](FirstOrderLinearR& r) { r.setD(Matrix::Ones(2, 1)); }); });
  expectRefusal("e has 2 entries, 1 expected", [&] { first_order(C, B, [](FirstOrderLinearR& r) { r.sete(Vector::Ones(2)); }); });
  expectRefusal("F is 1 x 3, 1 x 0 expected",
                [&] { first_order(C, B, [](FirstOrderLinearR& r) { r.setF(Matrix::Ones(1, 3)); }); });

  const auto lagrangian = [](const std::shared_ptr<Relation>& relation, Index rows) {
    linkTo(relation, rows, std::make_shared<LagrangianLinearTIDS>(Vector::Zero(2), Vector::Zero(2), Diagonal(Vector::Ones(2))));
  };
  expectRefusal("e of a LagrangianLinearTIR", [&] { lagrangian(std::make_shared<LagrangianLinearTIR>(C, Vector::Ones(2)), 1); });
  expectRefusal("D of a LagrangianCompliantLinearTIR",
                [&] { lagrangian(std::make_shared<LagrangianCompliantLinearTIR>(C, Matrix::Ones(2, 2)), 1); });
  expectRefusal("q = (x, y, angle)", [&] { lagrangian(std::make_shared<Lagrangian2d1DR>(), 1); });
}

TEST(SystemRefusals, RelationsWithoutNumbersOrFunctions) {
  expectRefusal("e of a LagrangianLinearTIR[0] is nan", [] { LagrangianLinearTIR(square(1), one(nan_value)); });
  expectRefusal("D of a LagrangianCompliantLinearTIR[0] is nan",
                [] { LagrangianCompliantLinearTIR(square(1), square(nan_value)); });
  expectRefusal("needs h, G and D", [] {
    LagrangianCompliantR([](double, ConstVectorRef, ConstVectorRef, VectorRef, VectorRef) {},
                         [](double, ConstVectorRef, ConstVectorRef, MatrixRef, VectorRef) {}, nullptr);
  });
  expectRefusal("exponent eta", [] { MultipleImpactNSL(0.5, 1, std::numeric_limits<double>::infinity()); });
  Vector none = Vector::Zero(7);
  expectRefusal("the quaternion of q2 of a joint",
                [&] { KneeJointR(Vector3::Zero(), (Vector(7) << 0, 0, 0, 1, 0, 0, 0).finished(), none); });
}

TEST(SystemRefusals, FunctionsOfRelationsThatGiveNoNumbers) {
  NonSmoothDynamicalSystem model(0.0, 1.0);
  auto ds = std::make_shared<FirstOrderLinearTIDS>(one(0), square(0));
  model.insertDynamicalSystem(ds);
  auto relation = std::make_shared<FirstOrderLinearR>();
  relation->setB(square(1));
  relation->setComputeCFunction([](double, MatrixRef out, VectorRef) { out(0, 0) = nan_value; });
  model.link(std::make_shared<Interaction>(std::make_shared<ComplementarityConditionNSL>(1), relation), ds);
  TimeDiscretisation instants(0.0, 0.1);
  EulerMoreauOSI integrator(0.5);
  LCP problem;
  TimeStepping simulation(model, instants, integrator, problem);
  expectRefusal("C gave nan", [&] { simulation.computeOneStep(); });
}

// A planar body on a floor whose geometry is filled in by a function.
void stepOnFloor(const std::function<void(PlanarContact&)>& fill) {
  NonSmoothDynamicalSystem model(0.0, 1.0);
  auto ds = std::make_shared<LagrangianLinearTIDS>(Vector::Zero(3), Vector::Zero(3), Diagonal(Vector::Ones(3)));
  model.insertDynamicalSystem(ds);
  auto relation = std::make_shared<Lagrangian2d1DR>([&](double, const double*, const double*, PlanarContact& contact) {
    contact.gap = 0;
    contact.normal = Eigen::Vector2d::UnitY();
    fill(contact);
  });
  model.link(std::make_shared<Interaction>(std::make_shared<NewtonImpactNSL>(0.0), relation), ds);
  TimeDiscretisation instants(0.0, 0.1);
  MoreauJeanOSI integrator(0.5);
  LCP problem;
  TimeStepping simulation(model, instants, integrator, problem);
  simulation.computeOneStep();
}

TEST(SystemRefusals, ContactsWithoutPlaceOrDirection) {
  EXPECT_EQ(messageOf([] { stepOnFloor([](PlanarContact&) {}); }), "");
  expectRefusal("has length 2, not 1", [] { stepOnFloor([](PlanarContact& contact) { contact.normal *= 2; }); });
  expectRefusal("nan", [] { stepOnFloor([](PlanarContact& contact) { contact.point1.setConstant(nan_value); }); });
}

TEST(SystemRefusals, WhatIsInAModelAlready) {
  NonSmoothDynamicalSystem model(0.0, 1.0), other(0.0, 1.0);
  expectRefusal("is not after the initial time", [&] { model.setT(0.0); });
  const auto ball = [] { return std::make_shared<LagrangianLinearTIDS>(one(1), one(0), square(1)); };
  auto first = ball(), second = ball(), foreign = ball();
  model.insertDynamicalSystem(first);
  const int removed = model.insertDynamicalSystem(second);
  other.insertDynamicalSystem(foreign);
  expectRefusal("is in a model already", [&] { other.insertDynamicalSystem(first); });
  auto contact =
      std::make_shared<Interaction>(std::make_shared<NewtonImpactNSL>(0.5), std::make_shared<LagrangianLinearTIR>(square(1)));
  expectRefusal("not in this model", [&] { model.link(contact, foreign); });
  auto pair = std::make_shared<Interaction>(std::make_shared<NewtonImpactNSL>(0.5),
                                            std::make_shared<LagrangianLinearTIR>(Matrix::Ones(1, 2)));
  expectRefusal("two different systems, not number 0 with itself", [&] { model.link(pair, first, first); });
  model.link(contact, first);
  expectRefusal("is linked already", [&] { model.link(contact, second); });
  model.removeDynamicalSystem(*second);
  expectRefusal("no system has number 1", [&] { model.dynamicalSystem(removed); });
}

}  // namespace system_refusals_test
