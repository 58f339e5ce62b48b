// Contacts of rigid bodies in the plane: Lagrangian systems with q = (x, y, angle).
#ifndef NONSMOOTH_KERNEL_PLANAR_RELATIONS_HPP
#define NONSMOOTH_KERNEL_PLANAR_RELATIONS_HPP

#include <functional>

#include "nonsmooth/kernel/lagrangian_relations.hpp"

namespace nonsmooth::kernel {

// One contact of a body with another body or with the ground.
struct PlanarContact {
  Eigen::Vector2d point1 = Eigen::Vector2d::Zero();   // on the first body
  Eigen::Vector2d point2 = Eigen::Vector2d::Zero();   // on the second body or on the ground
  Eigen::Vector2d normal = Eigen::Vector2d::UnitX();  // unit vector, from the second body to the first
  double gap = 0;                                     // > 0: separated [m]
  // Of what is at point2, beside the motion of the second body [m/s]: ground that moves, the surface of a belt. Where the gap
  // depends on time its normal part is minus that rate of the gap. Accelerations take its rate over 1e-4 s.
  Eigen::Vector2d surfaceVelocity = Eigen::Vector2d::Zero();
};

// Rows: normal, tangent (the normal turned by 90 degrees), and the relative rotation for rolling. y[0] is the gap in row 0 and 0
// elsewhere; y[1] the relative velocity of the contact points, first minus second. q1 and q2 have 3 entries; q2 is null for
// a contact with the ground. Belongs to one interaction.
class PlanarContactR : public Relation {
 public:
  // Computes a contact's points and normal from the coordinates of the bodies; q2 is null for a contact with the ground.
  using Geometry = std::function<void(double time, const double* q1, const double* q2, PlanarContact& contact)>;
  const char* className() const override { return "PlanarContactR"; }
  // The contact as of the last computation.
  const PlanarContact& contact() const { return contact_; }
  // Where the bodies touch; to be overridden, or given as a Geometry.
  virtual void computeContact(double time, const double* q1, const double* q2, PlanarContact& contact);
  void checkSizes(Index rows, Index coordinates, Index motion) const override;
  void evaluateh(const RelationPoint& at, VectorRef y) override;
  void evaluateC(const RelationPoint& at, MatrixRef C) override;
  bool hasTimeDerivative() const override { return !contact_.surfaceVelocity.isZero(0); }
  void evaluateTimeDerivative(const RelationPoint& at, VectorRef hdot) override;
  // By differences along the motion, as NewtonEulerContactR.
  void evaluateCurvature(const RelationPoint& at, VectorRef out) override;
  bool keepsContact() const override { return true; }
  // In the plane z = 0.
  std::optional<ContactFrame> contactFrame() const override;

 protected:
  explicit PlanarContactR(Index rows, Geometry geometry)
      : Relation(RelationFamily::Lagrangian), rows_(rows), geometry_(std::move(geometry)) {}

 private:
  Index rows_;
  Geometry geometry_;
  PlanarContact contact_;
  MotionDifference difference_;
};

// Contact with the normal direction alone.
class Lagrangian2d1DR : public PlanarContactR {
 public:
  explicit Lagrangian2d1DR(Geometry geometry = nullptr) : PlanarContactR(1, std::move(geometry)) {}
  const char* className() const override { return "Lagrangian2d1DR"; }
};

// Contact with normal and tangent: friction.
class Lagrangian2d2DR : public PlanarContactR {
 public:
  explicit Lagrangian2d2DR(Geometry geometry = nullptr) : PlanarContactR(2, std::move(geometry)) {}
  const char* className() const override { return "Lagrangian2d2DR"; }
};

// Contact with normal, tangent and rotation: rolling friction.
class Lagrangian2d3DR : public PlanarContactR {
 public:
  explicit Lagrangian2d3DR(Geometry geometry = nullptr) : PlanarContactR(3, std::move(geometry)) {}
  const char* className() const override { return "Lagrangian2d3DR"; }
};

}  // namespace nonsmooth::kernel
#endif
