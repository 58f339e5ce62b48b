// Rigid bodies in space.
#ifndef NONSMOOTH_KERNEL_NEWTON_EULER_HPP
#define NONSMOOTH_KERNEL_NEWTON_EULER_HPP

#include "nonsmooth/kernel/second_order.hpp"

namespace nonsmooth::kernel {

// m vdot_G = FExt - FInt,  I Omegadot + Omega x I Omega = MExt - MInt.
//
// q [7] = position of the centre of mass (inertial frame) and unit quaternion (w, x, y, z) that turns body into inertial axes;
// twist [6] = velocity of the centre of mass (inertial frame, m/s) and angular velocity (body frame, rad/s). Forces in the
// inertial frame [N], moments in the body frame [N m]. The rotation is updated by composition with exp of the rotation vector, so
// that the quaternion keeps its length.
class NewtonEulerDS : public SecondOrderDS {
 public:
  NewtonEulerDS(const Vector& q0, const Vector& twist0, double mass, const Matrix3& inertia);

  const char* className() const override { return "NewtonEulerDS"; }
  Index n() const override { return 13; }
  bool isLinear() const override { return false; }

  // Velocity of the centre of mass (inertial frame), angular velocity (body frame).
  VectorView twist() const { return velocity(); }
  // Mass [kg] and inertia [kg m^2] in the body frame.
  double scalarMass() const { return scalar_mass_; }
  const Matrix3& inertia() const { return inertia_; }
  // Body axes in the inertial frame, columns.
  Matrix3 rotation() const;

  // Forces and moments at the present state.
  void computeFExt(double time) { fExt_.compute(3, 1, z(), time); }
  void computeMExt(double time) { mExt_.compute(3, 1, z(), time); }
  void computeFInt(double time) { fInt_.compute(3, 1, z(), time, q(), velocity()); }
  void computeMInt(double time) { mInt_.compute(3, 1, z(), time, q(), velocity()); }
  // Their Jacobians at the present state.
  void computeJacobianFIntq(double time) { jacobianFIntq_.compute(3, 6, z(), time, q(), velocity()); }
  void computeJacobianFIntTwist(double time) { jacobianFIntTwist_.compute(3, 6, z(), time, q(), velocity()); }
  void computeJacobianMIntq(double time) { jacobianMIntq_.compute(3, 6, z(), time, q(), velocity()); }
  void computeJacobianMIntTwist(double time) { jacobianMIntTwist_.compute(3, 6, z(), time, q(), velocity()); }
  // Treat the gyroscopic moment Omega x I Omega by fixed-point iterations instead of in the iteration matrix.
  void setExplicitGyroscopicMoment(bool value) { explicit_gyroscopic_ = value, touch(); }

  void checkJacobians(double time, double tolerance = 1e-6) override;

  bool massIsConstant() const override { return true; }
  const LinearOperator& constantMass() const override { return mass_; }
  void evaluateMass(ConstVectorRef q, Matrix& out) override;
  void evaluateForces(double time, ConstVectorRef q, ConstVectorRef v, VectorRef out) override;
  bool hasForceJacobians() const override;
  void evaluateForceJacobians(double time, ConstVectorRef q, ConstVectorRef v, Matrix& dq, Matrix& dv) override;
  void evaluateRate(ConstVectorRef q, ConstVectorRef v, VectorRef out) const override;
  std::optional<double> potentialEnergy() const override;
  void move(ConstVectorRef q, ConstVectorRef increment, VectorRef out) const override;

 private:
  Matrix3 gyroscopicJacobian(ConstVectorRef v) const;
  void requireCoordinates(const Vector& value, const char* what) const override;
  void requireForce(const Vector& value, const char* what) const {
    requireSize(value.size(), 3, what);
    requireFinite(value, what);
  }
  void requireJacobian(const Matrix& value, const char* what) const {
    requireShape(value, 3, 6, what);
    requireFinite(value, what);
  }

  NONSMOOTH_KERNEL_OPERAND(FExt, fExt, Vector, TimeToVector, requireForce);
  NONSMOOTH_KERNEL_OPERAND(MExt, mExt, Vector, TimeToVector, requireForce);
  NONSMOOTH_KERNEL_OPERAND(FInt, fInt, Vector, MotionToVector, requireForce);
  NONSMOOTH_KERNEL_OPERAND(MInt, mInt, Vector, MotionToVector, requireForce);
  // [3, 6], with respect to an increment (displacement, rotation vector in the body frame) of the configuration, and to the
  // twist.
  NONSMOOTH_KERNEL_OPERAND(JacobianFIntq, jacobianFIntq, Matrix, MotionToMatrix, requireJacobian);
  NONSMOOTH_KERNEL_OPERAND(JacobianFIntTwist, jacobianFIntTwist, Matrix, MotionToMatrix, requireJacobian);
  NONSMOOTH_KERNEL_OPERAND(JacobianMIntq, jacobianMIntq, Matrix, MotionToMatrix, requireJacobian);
  NONSMOOTH_KERNEL_OPERAND(JacobianMIntTwist, jacobianMIntTwist, Matrix, MotionToMatrix, requireJacobian);

 private:
  double scalar_mass_;
  Matrix3 inertia_;
  LinearOperator mass_;
  bool isotropic_;
  bool explicit_gyroscopic_ = false;
};

// Rotation matrix of a unit quaternion (w, x, y, z); the matrix [a]x with [a]x b = a x b.
Matrix3 rotationMatrix(const double* quaternion);
Matrix3 crossMatrix(const Vector3& a);
// Throws, naming what, unless q is the pose of a rigid body: a position and a unit quaternion, all finite.
void requirePose(const Vector& q, const char* what);
// q [7] turned and moved by (displacement, rotation vector in the body frame) [6].
void moveRigidBody(const double* q, const double* increment, double* out);

}  // namespace nonsmooth::kernel
#endif
