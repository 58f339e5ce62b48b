// Relations at the level of accelerations: y'' = C v' + curvature.
#include <cmath>
#include <memory>

#include "message_of.hpp"
#include "trajectory.hpp"

namespace acceleration_test {

using namespace nonsmooth::kernel;
using test::expectRefusal;

Vector pose(double x, double y, double z, const Eigen::Vector4d& quaternion) {
  Vector q(7);
  q << x, y, z, quaternion.normalized();
  return q;
}

struct Pair {
  Vector q, v, lambda;
  Pair() : q(14), v(12), lambda(Vector::Zero(6)) {
    q << pose(0.3, -0.2, 0.5, {0.8, 0.2, -0.4, 0.4}), pose(-0.4, 0.1, 0.2, {0.7, -0.3, 0.1, 0.5});
    v << 0.5, -0.3, 0.8, 1.0, -2.0, 0.4, -0.2, 0.6, 0.1, 0.7, 0.9, -1.5;
  }
  RelationPoint at(Index rows) const {
    return {0.0, ConstVectorView(q.data(), 14), ConstVectorView(v.data(), 12), ConstVectorView(lambda.data(), rows)};
  }
};

TEST(Acceleration, CurvatureOfJointsIsThatOfTheirMotion) {
  Pair pair;
  const Vector q1 = pair.q.head(7), q2 = pair.q.tail(7);
  const Vector3 point(0.1, 0.2, -0.3), axis(1, 2, -1);
  KneeJointR knee(point, q1, q2);
  PivotJointR pivot(point, axis, q1, q2);
  PrismaticJointR slider(axis, q1, q2);
  FixedJointR fixed(q1, q2);
  for (JointR* joint : std::initializer_list<JointR*>{&knee, &pivot, &slider, &fixed}) {
    Vector exact(joint->rows()), differences(joint->rows());
    joint->evaluateCurvature(pair.at(joint->rows()), exact);
    MotionDifference().compute(*joint, pair.at(joint->rows()), 3.0, differences);
    EXPECT_GT(exact.norm(), 0.1) << joint->className();
    EXPECT_LE((exact - differences).norm(), 1e-9) << joint->className();
  }
}

// Distance of two spheres: y'' = n . a + (|v|^2 - (n . v)^2) / |r|.
TEST(Acceleration, CurvatureOfSpheres) {
  Pair pair;
  NewtonEuler1DR relation([](double, const double* q1, const double* q2, Contact& contact) {
    const Vector3 a(q1[0], q1[1], q1[2]), b(q2[0], q2[1], q2[2]);
    contact.normal = (a - b).normalized();
    contact.gap = (a - b).norm() - 0.3;
    contact.point1 = a - 0.1 * contact.normal;
    contact.point2 = b + 0.2 * contact.normal;
  });
  Vector y(1), out(1);
  Matrix C(1, 12);
  relation.evaluateh(pair.at(1), y);
  relation.evaluateC(pair.at(1), C);
  relation.evaluateCurvature(pair.at(1), out);
  const Vector3 r = (pair.q.head(3) - pair.q.segment(7, 3)), v = pair.v.head(3) - pair.v.segment(6, 3);
  const double along = r.normalized().dot(v);
  EXPECT_NEAR(out[0], (v.squaredNorm() - along * along) / r.norm(), 1e-10);
  EXPECT_NEAR(relation.contact().gap, r.norm() - 0.3, 1e-15);
}

// A corner of a turning rod above the ground: y = q_y - sin(angle), y'' = a_y - cos(angle) angle'' + sin(angle) angle'^2.
TEST(Acceleration, CurvatureInThePlane) {
  Lagrangian2d1DR relation([](double, const double* q, const double*, PlanarContact& contact) {
    contact.normal = Eigen::Vector2d::UnitY();
    contact.gap = q[1] - std::sin(q[2]);
    contact.point1 = Eigen::Vector2d(q[0] - std::cos(q[2]), q[1] - std::sin(q[2]));
    contact.point2 = Eigen::Vector2d(contact.point1.x(), 0);
  });
  const Vector q = Eigen::Vector3d(0.2, 1.5, 0.7), v = Eigen::Vector3d(0.4, -0.3, 2.0), lambda = Vector::Zero(1);
  const RelationPoint at{0.0, ConstVectorView(q.data(), 3), ConstVectorView(v.data(), 3), ConstVectorView(lambda.data(), 1)};
  Vector y(1), out(1);
  Matrix C(1, 3);
  relation.evaluateh(at, y);
  relation.evaluateC(at, C);
  relation.evaluateCurvature(at, out);
  EXPECT_NEAR(out[0], std::sin(0.7) * 4, 1e-10);
}

// y = |q|^2 / 2 - t^2: y'' = q . a + v . v - 2.
// What impacts that come to rest leave of velocities is as small as that.
TEST(Acceleration, CurvatureOfMotionWhoseSquaresAreLost) {
  Lagrangian2d2DR plane([](double, const double* q1, const double*, PlanarContact& contact) {
    contact.normal = {0, 1};
    contact.point1 = {q1[0] + 0.1 * std::sin(q1[2]), 0.1 * std::cos(q1[2])};
    contact.point2 = {contact.point1[0], 0};
    contact.gap = q1[1] - 0.1;
  });
  NewtonEuler3DR space([](double, const double* q1, const double*, Contact& contact) {
    contact.normal = Vector3::UnitZ();
    contact.point1 = {q1[0], q1[1], q1[2] - 0.1};
    contact.point2 = {q1[0], q1[1], 0};
    contact.gap = q1[2] - 0.1;
  });
  const Vector of_plane{{0.0, 0.1, 0.3}}, of_space = pose(0, 0, 0.1, {0.8, 0.2, -0.4, 0.4}), none = Vector::Zero(3);
  for (const double speed : {1e-90, 1e-120, 1e-155, 1e-162, 1e-200, 1e-300, 1e-320}) {
    for (const double turning : {speed, 1e-320}) {
      Vector v3(3), v6(6), out = Vector::Ones(3);
      v3 << speed, speed, turning;
      v6 << speed, speed, speed, turning, turning, turning;
      const ConstVectorView lambda(none.data(), 3);
      Vector y(3), y2(2), out2 = Vector::Ones(2);
      const RelationPoint in_plane{0.0, ConstVectorView(of_plane.data(), 3), ConstVectorView(v3.data(), 3),
                                   ConstVectorView(none.data(), 2)};
      plane.evaluateh(in_plane, y2);
      plane.evaluateCurvature(in_plane, out2);
      EXPECT_LE(out2.norm(), 1e-100) << speed;
      const RelationPoint in_space{0.0, ConstVectorView(of_space.data(), 7), ConstVectorView(v6.data(), 6), lambda};
      space.evaluateh(in_space, y);
      space.evaluateCurvature(in_space, out);
      EXPECT_LE(out.norm(), 1e-100) << speed;
    }
  }
}

TEST(Acceleration, CurvatureOfRheonomousRelations) {
  const auto h = [](double t, ConstVectorRef q, VectorRef y, VectorRef) { y[0] = 0.5 * q.squaredNorm() - t * t; };
  const auto G = [](double, ConstVectorRef q, MatrixRef C, VectorRef) { C = q.transpose(); };
  const auto hdot = [](double t, ConstVectorRef, VectorRef out, VectorRef) { out[0] = -2 * t; };
  LagrangianRheonomousR with(h, G, hdot,
                             [](double, ConstVectorRef, ConstVectorRef v, VectorRef out, VectorRef) { out[0] = v.dot(v) - 2; });
  LagrangianRheonomousR without(h, G, hdot);
  const Vector q = Eigen::Vector2d(1, 2), v = Eigen::Vector2d(3, -1), lambda = Vector::Zero(1);
  const RelationPoint at{0.5, ConstVectorView(q.data(), 2), ConstVectorView(v.data(), 2), ConstVectorView(lambda.data(), 1)};
  Vector out(1);
  with.evaluateCurvature(at, out);
  EXPECT_EQ(out[0], 8.0);
  EXPECT_THROW(without.evaluateCurvature(at, out), Error);
}

// Users' own classes.
struct Circle : LagrangianR {
  const char* className() const override { return "Circle"; }
  void evaluateh(const RelationPoint& at, VectorRef y) override { y[0] = 0.5 * at.x.squaredNorm() - 0.5; }
  void evaluateC(const RelationPoint& at, MatrixRef C) override { C.row(0) = at.x.transpose(); }
};
struct Line : LagrangianR {
  const char* className() const override { return "Line"; }
  bool isLinear() const override { return true; }
  void evaluateh(const RelationPoint& at, VectorRef y) override { y[0] = at.x[0] - 1; }
  void evaluateC(const RelationPoint&, MatrixRef C) override { C.row(0) << 1, 0; }
};

TEST(Acceleration, OfRelationsOfTheUsersOwnWithoutCurvature) {
  const auto run = [](std::shared_ptr<Relation> relation) {
    NonSmoothDynamicalSystem model(0.0, 1.0);
    auto ds = std::make_shared<LagrangianLinearTIDS>(Eigen::Vector2d(1, 0), Eigen::Vector2d(0, 2), Matrix::Identity(2, 2));
    model.insertDynamicalSystem(ds);
    model.link(std::make_shared<Interaction>(std::make_shared<EqualityConditionNSL>(1), std::move(relation)), ds);
    TimeDiscretisation instants(0.0, 0.1);
    Equality impact, acceleration;
    LsodarOSI integrator;
    EventDriven(model, instants, integrator, impact, acceleration).run();
    return Vector(ds->q());
  };
  expectRefusal("accelerations of a Circle need its curvature", [&] { run(std::make_shared<Circle>()); });
  EXPECT_LE((run(std::make_shared<Line>()) - Eigen::Vector2d(1, 2)).norm(), 1e-10);
}

}  // namespace acceleration_test
