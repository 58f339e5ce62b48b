// Relations: outputs y of the systems, inputs to them.
#ifndef NONSMOOTH_KERNEL_RELATION_HPP
#define NONSMOOTH_KERNEL_RELATION_HPP

#include <memory>
#include <optional>

#include "nonsmooth/kernel/dynamical_system.hpp"

namespace nonsmooth::kernel {

// Which systems a relation is for.
enum class RelationFamily { FirstOrder, Lagrangian, NewtonEuler };

// Where a relation is evaluated. The vectors of two linked systems stand one after the other.
struct RelationPoint {
  // The instant.
  double time;
  ConstVectorView x;  // x of first order systems, q of mechanical ones
  ConstVectorView v;  // x again, or velocities
  // Multipliers; empty where the relation takes none.
  ConstVectorView lambda;
};

// Where a contact is, in the inertial frame, as of the last evaluation of its relation.
struct ContactFrame {
  Eigen::Vector3d point1, point2;              // on the first body; on the second one or on the ground
  Eigen::Vector3d normal, tangent1, tangent2;  // rows 0, 1 and 2 of the relation
  Index directions = 1;                        // how many of these rows there are
};

// y = h(x, lambda, t) [rows], input = g(x, lambda, t); mechanical relations have g = (dh/dq)' lambda.
//
// A relation with constant matrices may be shared between interactions; one that keeps something of its last evaluation (contact
// points) or calls user functions belongs to one interaction. One thread at a time: simulations that run in different threads
// have relations of their own.
class Relation {
 public:
  virtual ~Relation() = default;
  // Which systems it is for, and its name.
  RelationFamily family() const { return family_; }
  // Name of the class, for messages and tables.
  virtual const char* className() const = 0;
  // h affine with constant Jacobians: no Newton iteration is needed for it, its matrices are computed once.
  virtual bool isLinear() const { return false; }
  // Throws if the matrices do not fit `rows` rows, `motion` directions and `coordinates` coordinates of the linked systems.
  virtual void checkSizes(Index rows, Index coordinates, Index motion) const;
  // Has it the feedthrough D, the matrix K, an explicit dependence on time?
  virtual bool hasD() const { return false; }
  virtual bool hasK() const { return false; }
  virtual bool hasTimeDerivative() const { return false; }

  // y at a point.
  virtual void evaluateh(const RelationPoint& at, VectorRef y) = 0;
  // dh/dx for first order relations; the matrix that maps velocities to dy/dt for mechanical ones. [rows, motion]
  virtual void evaluateC(const RelationPoint& at, MatrixRef C) = 0;
  virtual void evaluateD(const RelationPoint& at, MatrixRef D);                  // dh/dlambda [rows, rows]
  virtual void evaluateg(const RelationPoint& at, VectorRef r);                  // [motion]; first order relations only
  virtual void evaluateB(const RelationPoint& at, MatrixRef B);                  // dg/dlambda [motion, rows]
  virtual void evaluateK(const RelationPoint& at, MatrixRef K);                  // dg/dx [motion, motion]
  virtual void evaluateTimeDerivative(const RelationPoint& at, VectorRef hdot);  // partial dh/dt [rows]
  // What y'' has beyond C v' [rows]: d/dt(C) v, and d/dt(dh/dt) of rheonomous relations. Evaluated after h and C at the same
  // point. Zero for a relation that isLinear() and does not depend on time; others throw unless they override it.
  virtual void evaluateCurvature(const RelationPoint& at, VectorRef out);

  // Does it keep the contact it has evaluated last? Then it serves one interaction at a time.
  virtual bool keepsContact() const { return false; }
  // For output: of relations that know where their contact is.
  virtual std::optional<ContactFrame> contactFrame() const { return std::nullopt; }

  // Parameters z [any size], which are passed to every user function and never changed by the kernel: a reference.
  Vector& z() { return *shared_z_; }
  const Vector& z() const { return *shared_z_; }
  // z: a copy.
  Vector getz() const { return z(); }
  // New values of z, which are copied.
  void setz(const Vector& z) { *shared_z_ = z; }
  // The vector of the caller is z from now on: it is shared, what one changes the other sees.
  void setzPtr(std::shared_ptr<Vector> z) { shared_z_ = requirePointer(std::move(z), "z"); }
  // Compares the user's Jacobians with central differences; throws naming the worst.
  virtual void checkJacobians(const RelationPoint&, Index /*rows*/, double /*tolerance*/) {}
  // To be called after changing shared operators.
  void touch() { ++version_; }
  // How often operators have changed.
  unsigned long version() const { return version_; }

 protected:
  explicit Relation(RelationFamily family) : family_(family) {}
  // Throws where the normal of a contact has not the length 1.
  static void requireUnit(double squared_length, const char* relation, double time);
  // Sizes are those of the interaction, which is not known yet.
  void requireAny(const Matrix& value, const char* what) const { requireFinite(value, what); }
  void requireAny(const Vector& value, const char* what) const { requireFinite(value, what); }

 private:
  friend class NonSmoothDynamicalSystem;
  RelationFamily family_;
  unsigned long version_ = 0;
  std::shared_ptr<Vector> shared_z_ = std::make_shared<Vector>();
  std::weak_ptr<void> served_;  // the link of the interaction that it keeps a contact for
};

// d/ds of C(q moved by s v) v at s = 0, by central differences of fourth order: the curvature of relations whose C is known
// point by point only. `speed` is the greatest turning rate or speed over arm among the velocities: positions move by up to 2
// thousandths of a turn or of the arm. Where surfaces move (`moving`) time goes on with the motion, by up to 2e-4 s. Leaves the
// relation evaluated at the point itself.
class MotionDifference {
 public:
  // What surfaces that move are looked at after [s].
  static constexpr double time_step = 1e-4;
  // out := the second derivative of y that motion at this velocity alone gives, by differences.
  void compute(Relation& relation, const RelationPoint& at, double speed, VectorRef out, bool moving = false);

 private:
  Vector moved_, y_, rate_;
  Matrix C_;
};

}  // namespace nonsmooth::kernel
#endif
