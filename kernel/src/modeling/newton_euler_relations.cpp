#include "nonsmooth/kernel/newton_euler_relations.hpp"

#include <algorithm>
#include <cmath>

#include "modeling/contact_checks.hpp"
#include "modeling/small_vector.hpp"
#include "nonsmooth/kernel/newton_euler.hpp"

namespace nonsmooth::kernel {
namespace {

using Vector3Map = Eigen::Map<const Vector3>;

// A coordinate axis far from the unit vector n.
Vector3 axisAcross(const Vector3& n) {
  return std::abs(n.x()) < 0.6 ? Vector3::UnitX() : std::abs(n.y()) < 0.6 ? Vector3::UnitY() : Vector3::UnitZ();
}

// A unit vector perpendicular to the unit vector n.
Vector3 perpendicular(const Vector3& n) { return n.cross(axisAcross(n)).normalized(); }

const double* second(const RelationPoint& at) { return at.x.size() > 7 ? at.x.data() + 7 : nullptr; }

// Place and orientation of a body, or of the ground: q null.
struct BodyPose {
  explicit BodyPose(const double* q)
      : x(q != nullptr ? Vector3(Vector3Map(q)) : Vector3(Vector3::Zero())),
        R(q != nullptr ? rotationMatrix(q + 3) : Matrix3(Matrix3::Identity())) {}
  Vector3 x;
  Matrix3 R;
};

// row := sign * (d . velocity of the point at `arm` from the centre): d' v + (arm x d)' R Omega.
void pointRow(MatrixRef C, Index row, Index column, const Vector3& d, const Vector3& arm, const Matrix3& R, double sign) {
  C.block<1, 3>(row, column) = sign * d.transpose();
  C.block<1, 3>(row, column + 3) = sign * (arm.cross(d)).transpose() * R;
}

// row := sign * (d . angular velocity).
void turnRow(MatrixRef C, Index row, Index column, const Vector3& d, const Matrix3& R, double sign) {
  C.block<1, 3>(row, column).setZero();
  C.block<1, 3>(row, column + 3) = sign * d.transpose() * R;
}

}  // namespace

void NewtonEulerContactR::checkSizes(Index rows, Index coordinates, Index) const {
  requireRows(rows, rows_, className());
  if (coordinates != 7 && coordinates != 14) fail("a %s links one or two rigid bodies", className());
}

void NewtonEulerContactR::computeContact(double time, const double* q1, const double* q2, Contact& contact) {
  if (!geometry_) fail("a %s needs a geometry: a function, or an override of computeContact", className());
  geometry_(time, q1, q2, contact);
}

void NewtonEulerContactR::evaluateh(const RelationPoint& at, VectorRef y) {
  computeContact(at.time, at.x.data(), second(at), contact_);
  requireFiniteContact(contact_, at.time);
  requireUnit(contact_.normal.squaredNorm(), className(), at.time);
  setEach(VectorView(y.data(), y.size()), [&](Index i) { return i == 0 ? contact_.gap : 0.0; });
}

void NewtonEulerContactR::evaluateC(const RelationPoint& at, MatrixRef C) {
  const Vector3& n = contact_.normal;
  const bool with_friction = rows_ > 1;
  Matrix3 directions;
  if (with_friction) {
    if (!axis_is_held_) tangent_axis_ = axisAcross(n);
    tangent1_ = n.cross(tangent_axis_).normalized();
    tangent2_ = n.cross(tangent1_);
    // Column by column, as they are read below: rows would be read while they are being written, which the processor waits for.
    for (int k = 0; k < 3; ++k) directions.col(k) << n[k], tangent1_[k], tangent2_[k];
  }
  const auto side = [&](const double* q, const Vector3& point, Index column, double sign) {
    const Matrix3 R = rotationMatrix(q + 3);
    const Vector3 arm = point - Vector3Map(q);
    if (!with_friction) return pointRow(C, 0, column, n, arm, R, sign);
    // As pointRow for the three directions, with (arm x d) . R_k = d . (R_k x arm).
    Matrix3 levers;
    for (int k = 0; k < 3; ++k) levers.col(k) = R.col(k).cross(arm);
    C.block<3, 3>(0, column) = sign * directions;
    C.block<3, 3>(0, column + 3) = sign * (directions * levers);
    if (rows_ < 5) return;
    turnRow(C, 3, column, tangent1_, R, sign);
    turnRow(C, 4, column, tangent2_, R, sign);
  };
  side(at.x.data(), contact_.point1, 0, 1.0);
  if (const double* q2 = second(at)) side(q2, contact_.point2, 6, -1.0);
}

void NewtonEulerContactR::evaluateTimeDerivative(const RelationPoint&, VectorRef hdot) {
  const Vector3& v = contact_.surfaceVelocity;
  hdot.setZero();
  hdot[0] = -contact_.normal.dot(v);
  if (rows_ < 3) return;
  hdot[1] = -tangent1_.dot(v);
  hdot[2] = -tangent2_.dot(v);
}

void NewtonEulerContactR::evaluateCurvature(const RelationPoint& at, VectorRef out) {
  double arm = (contact_.point1 - Vector3Map(at.x.data())).norm();
  if (const double* q2 = second(at)) arm = std::max(arm, (contact_.point2 - Vector3Map(q2)).norm());
  if (!(arm > 0)) arm = 1;
  double speed = 0;
  for (Index k = 0; k < at.v.size(); k += 6)
    speed = std::max({speed, at.v.segment<3>(k).norm() / arm, at.v.segment<3>(k + 3).norm()});
  Contact soon = contact_;
  if (soon.surfaceVelocity.isZero(0)) computeContact(at.time + MotionDifference::time_step, at.x.data(), second(at), soon);
  struct Hold {
    bool& held;
    explicit Hold(bool& flag) : held(flag) { held = true; }
    ~Hold() { held = false; }
  } hold(axis_is_held_);
  difference_.compute(*this, at, speed, out, !soon.surfaceVelocity.isZero(0));
}

std::optional<ContactFrame> NewtonEulerContactR::contactFrame() const {
  return ContactFrame{contact_.point1, contact_.point2, contact_.normal, tangent1_, tangent2_, std::min<Index>(rows_, 3)};
}

namespace {

// A direction of length 1 along the axis of a joint.
Vector3 directionOf(const Vector3& axis) {
  requireFinite(axis, "the axis of a joint");
  if (!(axis.norm() > 0)) fail("the axis of a joint is zero");
  return axis.normalized();
}

}  // namespace

JointR::JointR(const Vector& q1, const Vector* q2) : to_ground_(q2 == nullptr) {
  requirePose(q1, "q1 of a joint");
  if (q2 != nullptr) requirePose(*q2, "q2 of a joint");
  const BodyPose body1(q1.data()), body2(q2 != nullptr ? q2->data() : nullptr);
  rotation1_ = body1.R;
  position1_ = body1.x;
  rotation2_ = body2.R;
  position2_ = body2.x;
}

void JointR::holdPoint(const Vector3& point1) {
  requireFinite(point1, "the point of a joint");
  points_.push_back({point1, rotation2_.transpose() * (position1_ + rotation1_ * point1 - position2_)});
}

void JointR::holdRightAngle(const Vector3& direction1, const Vector3& direction2) {
  angles_.push_back({direction1, rotation2_.transpose() * rotation1_ * direction2});
}

void JointR::holdDistance(const Vector3& direction2) {
  slides_.push_back({rotation2_.transpose() * rotation1_ * direction2, rotation2_.transpose() * (position1_ - position2_)});
}

void JointR::checkSizes(Index count, Index coordinates, Index) const {
  requireRows(count, rows(), className());
  if (coordinates != (to_ground_ ? 7 : 14))
    fail("a %s that was made for %s is linked to %s", className(), to_ground_ ? "one body and the ground" : "two bodies",
         coordinates == 7 ? "one" : "two");
}

void JointR::evaluateh(const RelationPoint& at, VectorRef y) {
  const BodyPose body1(at.x.data()), body2(second(at));
  const auto& [x1, R1] = body1;
  const auto& [x2, R2] = body2;
  Index row = 0;
  for (const Point& p : points_) {
    y.segment<3>(row) = x1 + R1 * p.in1 - x2 - R2 * p.in2;
    row += 3;
  }
  for (const Angle& a : angles_) y[row++] = (R1 * a.in1).dot(R2 * a.in2);
  for (const Slide& s : slides_) y[row++] = (R2 * s.direction2).dot(x1 - x2 - R2 * s.origin2);
}

void JointR::evaluateC(const RelationPoint& at, MatrixRef C) {
  const double* q2 = second(at);
  const BodyPose body1(at.x.data()), body2(q2);
  const auto& [x1, R1] = body1;
  const auto& [x2, R2] = body2;
  Index row = 0;
  for (const Point& p : points_)
    for (int k = 0; k < 3; ++k, ++row) {
      pointRow(C, row, 0, Vector3::Unit(k), R1 * p.in1, R1, 1.0);
      if (q2 != nullptr) pointRow(C, row, 6, Vector3::Unit(k), R2 * p.in2, R2, -1.0);
    }
  for (const Angle& a : angles_) {
    const Vector3 axis = (R1 * a.in1).cross(R2 * a.in2);
    turnRow(C, row, 0, axis, R1, 1.0);
    if (q2 != nullptr) turnRow(C, row, 6, axis, R2, -1.0);
    ++row;
  }
  for (const Slide& s : slides_) {
    const Vector3 d = R2 * s.direction2;
    pointRow(C, row, 0, d, Vector3::Zero(), R1, 1.0);
    // d/dt of d . (x1 - x2) with d turning with body 2: the velocity of the point of body 2 that is at x1.
    if (q2 != nullptr) pointRow(C, row, 6, d, x1 - x2, R2, -1.0);
    ++row;
  }
}

// Centripetal and Coriolis terms; directions and points turn with their bodies, Omega in the frame of the body.
void JointR::evaluateCurvature(const RelationPoint& at, VectorRef out) {
  const double* q2 = second(at);
  const BodyPose body1(at.x.data()), body2(q2);
  const auto& [x1, R1] = body1;
  const auto& [x2, R2] = body2;
  const Vector3 v1 = at.v.head<3>(), v2 = q2 != nullptr ? Vector3(at.v.segment<3>(6)) : Vector3(Vector3::Zero());
  const Vector3 turn1 = R1 * at.v.segment<3>(3), turn2 = q2 != nullptr ? Vector3(R2 * at.v.tail<3>()) : Vector3(Vector3::Zero());
  Index row = 0;
  for (const Point& p : points_) {
    const Vector3 arm1 = R1 * p.in1, arm2 = R2 * p.in2;
    out.segment<3>(row) = turn1.cross(turn1.cross(arm1)) - turn2.cross(turn2.cross(arm2));
    row += 3;
  }
  for (const Angle& a : angles_) {
    const Vector3 a1 = R1 * a.in1, a2 = R2 * a.in2, rate1 = turn1.cross(a1), rate2 = turn2.cross(a2);
    out[row++] = turn1.cross(rate1).dot(a2) + a1.dot(turn2.cross(rate2)) + 2 * rate1.dot(rate2);
  }
  for (const Slide& s : slides_) {
    const Vector3 d = R2 * s.direction2, rate = turn2.cross(d);
    out[row++] = turn2.cross(rate).dot(x1 - x2) + 2 * rate.dot(v1 - v2);
  }
}

void PivotJointR::build(const Vector3& point, const Vector3& axis) {
  const Vector3 a = directionOf(axis), b = perpendicular(a);
  holdPoint(point);
  holdRightAngle(a, b);
  holdRightAngle(a, a.cross(b));
}

void PrismaticJointR::build(const Vector3& axis) {
  const Vector3 a = directionOf(axis), b = perpendicular(a), c = a.cross(b);
  holdRightAngle(a, b);
  holdRightAngle(a, c);
  holdRightAngle(b, c);
  holdDistance(b);
  holdDistance(c);
}

void FixedJointR::build() {
  holdPoint(Vector3::Zero());
  holdRightAngle(Vector3::UnitX(), Vector3::UnitY());
  holdRightAngle(Vector3::UnitX(), Vector3::UnitZ());
  holdRightAngle(Vector3::UnitY(), Vector3::UnitZ());
}

}  // namespace nonsmooth::kernel
