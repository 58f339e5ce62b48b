// Mechanical systems: what Lagrangian and Newton-Euler systems have in common.
#ifndef NONSMOOTH_KERNEL_SECOND_ORDER_HPP
#define NONSMOOTH_KERNEL_SECOND_ORDER_HPP

#include <optional>

#include "nonsmooth/kernel/boundary_condition.hpp"
#include "nonsmooth/kernel/dynamical_system.hpp"

namespace nonsmooth::kernel {

// Mass(q) vdot = fL(t, q, v) + p,  qdot = T(q) v.
class SecondOrderDS : public DynamicalSystem {
 public:
  // Positions, velocities and accelerations: views, copies, new values.
  VectorView q() const { return coordinates(Coordinate::q); }
  Vector getq() const { return q(); }
  void setq(const Vector& value);
  VectorView velocity() const { return motion(Motion::v); }
  Vector getVelocity() const { return velocity(); }
  void setVelocity(const Vector& value);
  VectorView acceleration() const { return motion(Motion::rate); }
  // Nonsmooth input: p(0) acts on positions, p(1) is an impulse [N s], p(2) a force [N].
  VectorView p(int level) const;
  // fL as of the last compute.
  VectorView forces() const { return motion(Motion::force); }
  // fL at the present state.
  void computeForces(double time) { evaluateForces(time, q(), velocity(), forces()); }
  // Initial state: copies, new values. A system that has not left it takes the new one at once, others at resetToInitialState.
  const Vector& q0() const { return q0_; }
  const Vector& velocity0() const { return velocity0_; }
  Vector getq0() const { return q0_; }
  Vector getVelocity0() const { return velocity0_; }
  void setq0(const Vector& value);
  void setVelocity0(const Vector& value);
  // 1/2 v' Mass v [J].
  double kineticEnergy();
  // Of constant external forces and of the stiffness, 1/2 q' K q - FExt' q [J]; nothing where some force may have another
  // potential or none: functions, unsymmetric stiffness, moments on rigid bodies. Gyroscopic forces and damping have none.
  virtual std::optional<double> potentialEnergy() const = 0;

  // Prescribed velocities; at most one condition per system. Null: none, they are free from the next step on.
  void setBoundaryConditions(std::shared_ptr<BoundaryCondition> condition);
  const std::shared_ptr<BoundaryCondition>& boundaryConditions() const { return boundary_; }
  // Impulses that enforce them [rows of the condition], of the last step.
  const Vector& reactionToBoundaryConditions() const { return boundary_reaction_; }
  Vector& reactionToBoundaryConditions() { return boundary_reaction_; }

  void swapInMemory() override;
  void restoreFromMemory() override;
  void resetToInitialState() override;
  Vector x(int level) const override;
  void computeRhs(double time) override;
  // With respect to increments of the motion, and of v: [0 I; Mass^-1 dfL/dq, Mass^-1 dfL/dv].
  void computeJacobianRhsx(double time) override;

  // For integrators. Constant operators of linear time-invariant systems, else null.
  virtual const LinearOperator* stiffness() const { return nullptr; }
  virtual const LinearOperator* damping() const { return nullptr; }
  // Is the mass constant? It, and the mass and the forces at a point.
  virtual bool massIsConstant() const = 0;
  virtual const LinearOperator& constantMass() const = 0;
  virtual void evaluateMass(ConstVectorRef q, Matrix& out) = 0;
  virtual void evaluateForces(double time, ConstVectorRef q, ConstVectorRef v, VectorRef out) = 0;
  // Does fL depend on q or v in a way that the iteration matrix takes into account?
  virtual bool hasForceJacobians() const = 0;
  // dfL/dq (with respect to increments of the motion, so that it is [dimension, dimension]) and dfL/dv.
  virtual void evaluateForceJacobians(double time, ConstVectorRef q, ConstVectorRef v, Matrix& dq, Matrix& dv) = 0;
  // qdot = T(q) v, [size of q].
  virtual void evaluateRate(ConstVectorRef q, ConstVectorRef v, VectorRef out) const = 0;
  // out := q moved by the increment of motion (h times a velocity). out may be q.
  virtual void move(ConstVectorRef q, ConstVectorRef increment, VectorRef out) const = 0;

 protected:
  SecondOrderDS(SystemKind kind, const Vector& q0, const Vector& velocity0);
  void describe(std::string& text) const override;
  // For checkJacobians: throws where those of the forces are off by more than the tolerance.
  void requireForceJacobians(double off_in_q, double off_in_velocity, double tolerance, const char* name_of_velocity) const;
  // Throws unless these can be coordinates.
  virtual void requireCoordinates(const Vector& value, const char* what) const { requireFinite(value, what); }

 private:
  bool isAtInitialState() const { return q() == q0_ && velocity() == velocity0_; }
  Vector q0_, velocity0_, boundary_reaction_;
  std::shared_ptr<BoundaryCondition> boundary_;
};

}  // namespace nonsmooth::kernel
#endif
