// Rigid bodies: T29, joints, the free top.
#include <cmath>
#include <memory>

#include "trajectory.hpp"

namespace rigid_body_test {

using namespace nonsmooth::kernel;

Vector pose(double x, double y, double z) {
  Vector q(7);
  q << x, y, z, 1, 0, 0, 0;
  return q;
}

TEST(Trajectories, T29RigidBallWithProjection) {
  READ_OR_SKIP(reference, "BouncingBallNETS-WITHPROJ.ref");
  Vector twist = Vector::Zero(6);
  twist[0] = 2;
  auto ball = std::make_shared<NewtonEulerDS>(pose(1, 0, 0), twist, 1.0, Matrix3::Identity());
  ball->setFExt(Eigen::Vector3d(-9.81, 0, 0));
  NonSmoothDynamicalSystem model(0.0, 10.0);
  model.insertDynamicalSystem(ball);
  const auto geometry = [](double, const double* q1, const double*, Contact& contact) {
    constexpr double radius = 0.1;
    contact.gap = std::abs(q1[0]) - radius;
    contact.normal = Vector3::UnitX();
    contact.point1 = Vector3(radius, q1[1], q1[2]);
    contact.point2 = contact.point1;
  };
  auto contact = std::make_shared<Interaction>(std::make_shared<NewtonImpactFrictionNSL>(.9, .9, .6, 3),
                                               std::make_shared<NewtonEuler3DR>(geometry));
  model.link(contact, ball);
  TimeDiscretisation instants(0.0, 0.005);
  MoreauJeanDirectProjectionOSI integrator(0.5);
  GenericMechanical problem;
  problem.setTolerance(1e-14);
  TimeSteppingDirectProjection simulation(model, instants, integrator, problem);
  Matrix rows = Matrix::Zero(2001, 16);
  const auto record = [&](long k, double t) {
    const VectorView lambda = contact->lambda(1), q = ball->q(), v = ball->twist();
    rows.row(k) << t, q[0], v[0], ball->p(1)[0], lambda[0], 2 * std::acos(q[3]), lambda.norm(), q.transpose(), v[1], v[2];
  };
  record(0, 0.0);
  for (long k = 1; k <= 2000; ++k) {
    ASSERT_TRUE(simulation.computeOneStep().solve.certified) << k;
    record(k, simulation.nextTime());
    simulation.nextStep();
  }
  EXPECT_LE(kernel_tests::difference(rows, reference, 0, 2001, 16), 1e-9);
}

// Torque-free motion keeps the angular momentum in the inertial frame and the energy; both up to the order of the scheme.
TEST(RigidBody, FreeTopKeepsMomentum) {
  Vector twist(6);
  twist << 0, 0, 0, 1, 0.01, 2;
  const Matrix3 inertia = Eigen::Vector3d(1, 2, 3).asDiagonal();
  double previous = 0;
  for (const double h : {1e-2, 5e-3}) {
    auto body = std::make_shared<NewtonEulerDS>(pose(0, 0, 0), twist, 1.0, inertia);
    NonSmoothDynamicalSystem model(0.0, 1.0);
    model.insertDynamicalSystem(body);
    TimeDiscretisation instants(0.0, h);
    MoreauJeanOSI integrator(0.5);
    LCP problem;
    TimeStepping simulation(model, instants, integrator, problem);
    simulation.setNewtonTolerance(1e-12);
    const Vector3 before = body->rotation() * inertia * Vector3(body->twist().tail<3>());
    simulation.run();
    const Vector3 after = body->rotation() * inertia * Vector3(body->twist().tail<3>());
    const double error = (after - before).norm();
    EXPECT_LE(error, 1e-3);
    if (previous > 0) {
      EXPECT_GT(previous / error, 3.5);  // order 2
    }
    previous = error;
    EXPECT_NEAR(body->q().tail<4>().norm(), 1.0, 1e-14);
  }
}

// A mass of 1e10 kg in free fall: what rounding leaves of its momentum is no failure of Newton's iteration. Nothing is excused of
// a light body beside it, which turns as it does alone.
TEST(RigidBody, HeavyBodiesFall) {
  const auto lastOf = [](const std::vector<double>& masses) {
    NonSmoothDynamicalSystem model(0.0, 2.0);
    std::shared_ptr<NewtonEulerDS> body;
    for (const double mass : masses) {
      Vector twist = Vector::Zero(6);
      if (mass == 1) twist.tail<3>() << 3, 6, -3;
      body = std::make_shared<NewtonEulerDS>(pose(0, 0, 0), twist, mass, Matrix3(mass * Vector3(1, 2, 2.5).asDiagonal()));
      body->setFExt(Vector3(0, 0, -9.81 * mass));
      model.insertDynamicalSystem(body);
    }
    TimeDiscretisation instants(0.0, 0.01);
    MoreauJeanOSI integrator(0.5);
    LCP problem;
    TimeStepping simulation(model, instants, integrator, problem);
    simulation.run([](const Simulation&, const StepStatus& status) { EXPECT_TRUE(status.newtonConverged); });
    return Vector(body->q());
  };
  EXPECT_NEAR(lastOf({1e10})[2], -0.5 * 9.81 * 4, 1e-9);
  EXPECT_EQ(lastOf({1e10, 1.0}), lastOf({1.0}));
}

// Every joint leaves the motions free that it should, at the velocity level, and its Jacobian is that of its constraint.
void expectJacobian(Relation& joint, Index rows, const Vector& q) {
  const Index bodies = q.size() / 7;
  Matrix C(rows, 6 * bodies);
  const Vector zero = Vector::Zero(6 * bodies), lambda = Vector::Zero(rows);
  const auto point = [&](const Vector& at) {
    return RelationPoint{0.0, ConstVectorView(at.data(), at.size()), ConstVectorView(zero.data(), zero.size()),
                         ConstVectorView(lambda.data(), rows)};
  };
  Vector y(rows);
  joint.evaluateh(point(q), y);
  joint.evaluateC(point(q), C);
  constexpr double step = 1e-6;
  for (Index j = 0; j < 6 * bodies; ++j) {
    Vector ahead = q, behind = q, y_ahead(rows), y_behind(rows), increment = Vector::Zero(6);
    const Index body = j / 6;
    increment[j % 6] = step;
    moveRigidBody(q.data() + 7 * body, increment.data(), ahead.data() + 7 * body);
    increment = -increment;
    moveRigidBody(q.data() + 7 * body, increment.data(), behind.data() + 7 * body);
    joint.evaluateh(point(ahead), y_ahead);
    joint.evaluateh(point(behind), y_behind);
    EXPECT_LE(((y_ahead - y_behind) / (2 * step) - C.col(j)).cwiseAbs().maxCoeff(), 1e-8) << "column " << j;
  }
}

// Small rotations by series, others by sine and cosine.
TEST(RigidBody, MovesByRotationVectors) {
  Vector q = pose(0.3, -0.2, 0.5), moved(7), increment(6);
  q.tail<4>() = Eigen::Vector4d(0.8, 0.2, -0.4, 0.4).normalized();
  const Eigen::Quaterniond before(q[3], q[4], q[5], q[6]);
  const Vector3 axis = Vector3(1, 2, -1).normalized();
  for (const double angle : {0.0, 1e-12, 1e-4, 0.0999, 0.1001, 1.0, 3.0, 7.0}) {
    increment << 0.01, 0.02, -0.01, angle * axis;
    moveRigidBody(q.data(), increment.data(), moved.data());
    const Eigen::Quaterniond expected = before * Eigen::Quaterniond(Eigen::AngleAxisd(angle, axis));
    EXPECT_LE((moved.head<3>() - q.head<3>() - increment.head<3>()).norm(), 1e-15);
    const Eigen::Vector4d turned(expected.w(), expected.x(), expected.y(), expected.z());
    EXPECT_LE((moved.tail<4>() - turned).norm(), 1e-15) << angle;
  }
}

TEST(RigidBody, JointJacobians) {
  Vector q1 = pose(0.3, -0.2, 0.5), q2 = pose(-0.4, 0.1, 0.2), both(14), moved(14);
  q1.tail<4>() = Eigen::Vector4d(0.8, 0.2, -0.4, 0.4).normalized();
  q2.tail<4>() = Eigen::Vector4d(0.7, -0.3, 0.1, 0.5).normalized();
  both << q1, q2;
  const Vector3 point(0.1, 0.2, -0.3), axis(1, 2, -1);
  KneeJointR knee(point, q1, q2);
  PivotJointR pivot(point, axis, q1, q2);
  PrismaticJointR slider(axis, q1, q2);
  FixedJointR fixed(q1, q2);
  KneeJointR ground(point, q1);
  Vector increment(6);
  increment << 0.01, 0.02, -0.01, 0.05, -0.03, 0.02;
  moved = both;
  moveRigidBody(both.data(), increment.data(), moved.data());
  for (JointR* joint : std::initializer_list<JointR*>{&knee, &pivot, &slider, &fixed}) {
    Vector y(joint->rows());
    const Vector zero = Vector::Zero(12);
    joint->evaluateh({0.0, ConstVectorView(both.data(), 14), ConstVectorView(zero.data(), 12), ConstVectorView(zero.data(), 0)},
                     y);
    EXPECT_LE(y.norm(), 1e-15) << joint->className();
    expectJacobian(*joint, joint->rows(), moved);
  }
  expectJacobian(ground, 3, moved.head(7));
  EXPECT_EQ(pivot.rows(), 5);
  EXPECT_EQ(slider.rows(), 5);
  EXPECT_EQ(fixed.rows(), 6);
}

TEST(RigidBody, ContactJacobian) {
  const auto sphere = [](double, const double* q1, const double* q2, Contact& contact) {
    const Vector3 a(q1[0], q1[1], q1[2]), b(q2[0], q2[1], q2[2]);
    contact.normal = (a - b).normalized();
    contact.gap = (a - b).norm() - 0.3;
    contact.point1 = a - 0.1 * contact.normal;
    contact.point2 = b + 0.2 * contact.normal;
  };
  NewtonEuler1DR relation(sphere);
  Vector both(14);
  both << pose(0.3, -0.2, 0.5), pose(-0.4, 0.1, 0.2);
  both.segment<4>(3) = Eigen::Vector4d(0.8, 0.2, -0.4, 0.4).normalized();
  expectJacobian(relation, 1, both);
}

// A pendulum on a ball joint: projection keeps the joint, velocities alone let it drift.
TEST(RigidBody, ProjectionKeepsJoint) {
  const auto drift = [](bool project) {
    auto body = std::make_shared<NewtonEulerDS>(pose(1, 0, 0), Vector::Zero(6), 1.0, Matrix3::Identity() * 0.1);
    body->setFExt(Eigen::Vector3d(0, 0, -9.81));
    NonSmoothDynamicalSystem model(0.0, 1.0);
    model.insertDynamicalSystem(body);
    auto joint = std::make_shared<Interaction>(std::make_shared<EqualityConditionNSL>(3),
                                               std::make_shared<KneeJointR>(Vector3(-1, 0, 0), pose(1, 0, 0)));
    model.link(joint, body);
    TimeDiscretisation instants(0.0, 0.005);
    MoreauJeanDirectProjectionOSI integrator(0.5);
    GenericMechanical problem;
    std::unique_ptr<TimeStepping> simulation;
    if (project)
      simulation = std::make_unique<TimeSteppingDirectProjection>(model, instants, integrator, problem);
    else
      simulation = std::make_unique<TimeStepping>(model, instants, integrator, problem);
    simulation->run();
    return joint->y(0).cwiseAbs().maxCoeff();
  };
  EXPECT_LE(drift(true), 1e-8);
  EXPECT_GT(drift(false), 1e-8);
}

// Restitution along the tangents is none of rotations: what rolling resistance stops does not turn back.
TEST(RollingFriction, RotationsHaveNoRestitution) {
  for (const Index size : {Index{3}, Index{5}}) {
    const NewtonImpactRollingFrictionNSL law(0.25, 0.5, 0.0, 10.0, size);
    EXPECT_EQ(law.restitution(0), 0.25);
    for (Index row = 1; row < size; ++row) EXPECT_EQ(law.restitution(row), row <= size / 2 ? 0.5 : 0.0) << row;
  }
  auto disc =
      std::make_shared<LagrangianLinearTIDS>(Vector3(0, 0.1, 0), Vector3(0, -1, 3), Matrix(Vector3(1, 1, 0.005).asDiagonal()));
  NonSmoothDynamicalSystem model(0.0, 0.002);
  model.insertDynamicalSystem(disc);
  auto relation = std::make_shared<Lagrangian2d3DR>([](double, const double* q, const double*, PlanarContact& c) {
    c.normal = {0, 1};
    c.point1 = {q[0], q[1] - 0.1};
    c.point2 = {q[0], 0};
    c.gap = q[1] - 0.1;
  });
  model.link(std::make_shared<Interaction>(std::make_shared<NewtonImpactRollingFrictionNSL>(0.0, 0.5, 0.0, 10.0, 3), relation),
             disc);
  TimeDiscretisation instants(0.0, 0.001);
  MoreauJeanOSI integrator(0.5);
  RollingFrictionContact problem(3);
  TimeStepping simulation(model, instants, integrator, problem);
  simulation.computeOneStep();
  EXPECT_NEAR(disc->velocity()[2], 0, 1e-8);
}

}  // namespace rigid_body_test
