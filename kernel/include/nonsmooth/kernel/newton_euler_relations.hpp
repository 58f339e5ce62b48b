// Contacts and joints of rigid bodies.
#ifndef NONSMOOTH_KERNEL_NEWTON_EULER_RELATIONS_HPP
#define NONSMOOTH_KERNEL_NEWTON_EULER_RELATIONS_HPP

#include <functional>
#include <vector>

#include "nonsmooth/kernel/relation.hpp"

namespace nonsmooth::kernel {

// One contact of a body with another body or with the ground, in the inertial frame.
struct Contact {
  Vector3 point1 = Vector3::Zero();   // on the first body
  Vector3 point2 = Vector3::Zero();   // on the second body or on the ground
  Vector3 normal = Vector3::UnitX();  // unit vector, from the second body to the first
  double gap = 0;                     // > 0: separated [m]
  // Of what is at point2, beside the motion of the second body [m/s]: ground that moves, the surface of a belt. Where the gap
  // depends on time its normal part is minus that rate of the gap. Accelerations take its rate over 1e-4 s.
  Vector3 surfaceVelocity = Vector3::Zero();
};

// Relations of rigid bodies: y and y' as functions of position, quaternion and twist.
class NewtonEulerR : public Relation {
 protected:
  NewtonEulerR() : Relation(RelationFamily::NewtonEuler) {}
};

// A contact with 1 row (normal), 3 rows (normal, two tangents) or 5 rows (and rolling about the two tangents). y[0] is the gap in
// row 0 and 0 elsewhere; y[1] the relative velocity of the contact points, first minus second. The geometry comes from a
// function, or from computeContact of a derived class. q1 and q2 have 7 entries; q2 is null for a contact with the ground.
class NewtonEulerContactR : public NewtonEulerR {
 public:
  // Computes a contact's points and normal from the coordinates of the bodies; q2 is null for a contact with the ground.
  using Geometry = std::function<void(double time, const double* q1, const double* q2, Contact& contact)>;
  const char* className() const override { return "NewtonEulerContactR"; }
  // The contact as of the last computation.
  const Contact& contact() const { return contact_; }
  // Where the bodies touch; to be overridden, or given as a Geometry.
  virtual void computeContact(double time, const double* q1, const double* q2, Contact& contact);
  // Tangents of the last evaluation: a right-handed frame with the normal.
  const Vector3& tangent1() const { return tangent1_; }
  const Vector3& tangent2() const { return tangent2_; }
  void checkSizes(Index rows, Index coordinates, Index motion) const override;
  void evaluateh(const RelationPoint& at, VectorRef y) override;
  void evaluateC(const RelationPoint& at, MatrixRef C) override;
  bool hasTimeDerivative() const override { return !contact_.surfaceVelocity.isZero(0); }
  void evaluateTimeDerivative(const RelationPoint& at, VectorRef hdot) override;
  // By differences along the motion, of fourth order: the geometry tells points, not how they move on the surfaces.
  void evaluateCurvature(const RelationPoint& at, VectorRef out) override;
  bool keepsContact() const override { return true; }
  std::optional<ContactFrame> contactFrame() const override;

 protected:
  explicit NewtonEulerContactR(Index rows, Geometry geometry = nullptr) : rows_(rows), geometry_(std::move(geometry)) {}

 private:
  Index rows_;
  Geometry geometry_;
  Contact contact_;
  Vector3 tangent1_ = Vector3::UnitY(), tangent2_ = Vector3::UnitZ();
  // What the tangents are made from follows the normal, but for differences along a motion.
  Vector3 tangent_axis_ = Vector3::UnitX();
  bool axis_is_held_ = false;
  MotionDifference difference_;
};

// Contact with the normal direction alone.
class NewtonEuler1DR : public NewtonEulerContactR {
 public:
  explicit NewtonEuler1DR(Geometry geometry = nullptr) : NewtonEulerContactR(1, std::move(geometry)) {}
  const char* className() const override { return "NewtonEuler1DR"; }
};

// Contact with the normal and two tangents: friction.
class NewtonEuler3DR : public NewtonEulerContactR {
 public:
  explicit NewtonEuler3DR(Geometry geometry = nullptr) : NewtonEulerContactR(3, std::move(geometry)) {}
  const char* className() const override { return "NewtonEuler3DR"; }
};

// Contact with the normal, two tangents and two rotations: rolling friction.
class NewtonEuler5DR : public NewtonEulerContactR {
 public:
  explicit NewtonEuler5DR(Geometry geometry = nullptr) : NewtonEulerContactR(5, std::move(geometry)) {}
  const char* className() const override { return "NewtonEuler5DR"; }
};

// Joints, of one body with the ground or of two bodies; y = 0 holds where the joint is intact. Made from points and directions
// fixed in the first body (body frame of body 1) at the configuration given at construction; q2 null: the ground.
class JointR : public NewtonEulerR {
 public:
  // Number of constraints.
  Index rows() const { return 3 * static_cast<Index>(points_.size()) + static_cast<Index>(angles_.size() + slides_.size()); }
  void checkSizes(Index rows, Index coordinates, Index motion) const override;
  void evaluateh(const RelationPoint& at, VectorRef y) override;
  void evaluateC(const RelationPoint& at, MatrixRef C) override;
  void evaluateCurvature(const RelationPoint& at, VectorRef out) override;

 protected:
  JointR(const Vector& q1, const Vector* q2);
  // A point of body 1 stays at the point of body 2 it is at now: 3 rows.
  void holdPoint(const Vector3& point1);
  // A direction of body 1 stays perpendicular to a direction of body 2 (given in the frame of body 1 as of now): 1 row.
  void holdRightAngle(const Vector3& direction1, const Vector3& direction2);
  // The centre of body 1 does not move along a direction of body 2 (given in the frame of body 1 as of now): 1 row.
  void holdDistance(const Vector3& direction2);

 private:
  struct Point {
    Vector3 in1, in2;
  };
  struct Angle {
    Vector3 in1, in2;
  };
  struct Slide {
    Vector3 direction2, origin2;
  };
  bool to_ground_;
  Matrix3 rotation1_, rotation2_;
  Vector3 position1_, position2_;
  std::vector<Point> points_;
  std::vector<Angle> angles_;
  std::vector<Slide> slides_;
};

// Ball joint at `point` (frame of body 1): 3 rows.
class KneeJointR : public JointR {
 public:
  KneeJointR(const Vector3& point, const Vector& q1) : JointR(q1, nullptr) { holdPoint(point); }
  KneeJointR(const Vector3& point, const Vector& q1, const Vector& q2) : JointR(q1, &q2) { holdPoint(point); }
  const char* className() const override { return "KneeJointR"; }
};

// Hinge at `point` about `axis` (frame of body 1): 5 rows.
class PivotJointR : public JointR {
 public:
  PivotJointR(const Vector3& point, const Vector3& axis, const Vector& q1) : JointR(q1, nullptr) { build(point, axis); }
  PivotJointR(const Vector3& point, const Vector3& axis, const Vector& q1, const Vector& q2) : JointR(q1, &q2) {
    build(point, axis);
  }
  const char* className() const override { return "PivotJointR"; }

 private:
  void build(const Vector3& point, const Vector3& axis);
};

// Slider along `axis` (frame of body 1): 5 rows.
class PrismaticJointR : public JointR {
 public:
  PrismaticJointR(const Vector3& axis, const Vector& q1) : JointR(q1, nullptr) { build(axis); }
  PrismaticJointR(const Vector3& axis, const Vector& q1, const Vector& q2) : JointR(q1, &q2) { build(axis); }
  const char* className() const override { return "PrismaticJointR"; }

 private:
  void build(const Vector3& axis);
};

// No relative motion: 6 rows.
class FixedJointR : public JointR {
 public:
  explicit FixedJointR(const Vector& q1) : JointR(q1, nullptr) { build(); }
  FixedJointR(const Vector& q1, const Vector& q2) : JointR(q1, &q2) { build(); }
  const char* className() const override { return "FixedJointR"; }

 private:
  void build();
};

}  // namespace nonsmooth::kernel
#endif
