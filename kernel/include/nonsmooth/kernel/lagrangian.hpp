// Lagrangian systems.
#ifndef NONSMOOTH_KERNEL_LAGRANGIAN_HPP
#define NONSMOOTH_KERNEL_LAGRANGIAN_HPP

#include "nonsmooth/kernel/second_order.hpp"

namespace nonsmooth::kernel {

// Mass(q, z) qddot = fL + p,  fL = FExt(t, z) - FGyr(q, qdot, z) - FInt(t, q, qdot, z);  all vectors [ndof].
//
// Mass is constant or computed, FExt, FInt and FGyr default to zero. Jacobians [ndof, ndof] of FInt and FGyr enter the iteration
// matrix where they are given; without them these forces are treated by fixed-point iterations. The gradient of Mass is
// neglected.
class LagrangianDS : public SecondOrderDS {
 public:
  LagrangianDS(const Vector& q0, const Vector& velocity0);
  LagrangianDS(const Vector& q0, const Vector& velocity0, const LinearOperator& mass);
  LagrangianDS(const Vector& q0, const Vector& velocity0, ConfigurationToMatrix mass);
  LagrangianDS(const Vector& q0, const Vector& velocity0, const std::string& plugin, const std::string& mass);

  const char* className() const override { return "LagrangianDS"; }
  Index n() const override { return 2 * dimension(); }
  bool isLinear() const override { return false; }

  // Mass: a copy, a view, a constant, one that is shared (touch() after a change), a function of q, one from a shared library. A
  // constant is symmetric and has no negative eigenvalue, which is checked; what functions give is only asked to be finite.
  Matrix getMass() const { return mass_.toDense(dimension()); }
  const LinearOperator& mass() const { return mass_; }
  void setMass(const LinearOperator& mass);
  void setMassPtr(std::shared_ptr<Matrix> mass);
  void setComputeMassFunction(ConfigurationToMatrix function);
  void setComputeMass(const std::string& plugin, const std::string& function);
  // At the present state.
  void computeMass();

  // Forces at the present state.
  void computeFInt(double time) { fInt_.compute(dimension(), 1, z(), time, q(), velocity()); }
  void computeFGyr() { fGyr_.compute(dimension(), 1, z(), 0.0, q(), velocity()); }
  void computeFExt(double time) { fExt_.compute(dimension(), 1, z(), time); }
  // Their Jacobians at the present state.
  void computeJacobianFIntq(double time) { computeJacobian(jacobianFIntq_, time); }
  void computeJacobianFIntqDot(double time) { computeJacobian(jacobianFIntqDot_, time); }
  void computeJacobianFGyrq() { computeJacobian(jacobianFGyrq_, 0.0); }
  void computeJacobianFGyrqDot() { computeJacobian(jacobianFGyrqDot_, 0.0); }

  void checkJacobians(double time, double tolerance = 1e-6) override;

  bool massIsConstant() const override { return !mass_function_; }
  const LinearOperator& constantMass() const override { return mass_; }
  void evaluateMass(ConstVectorRef q, Matrix& out) override;
  void evaluateForces(double time, ConstVectorRef q, ConstVectorRef v, VectorRef out) override;
  bool hasForceJacobians() const override;
  void evaluateForceJacobians(double time, ConstVectorRef q, ConstVectorRef v, Matrix& dq, Matrix& dv) override;
  void evaluateRate(ConstVectorRef, ConstVectorRef v, VectorRef out) const override { out = v; }
  std::optional<double> potentialEnergy() const override;
  void move(ConstVectorRef q, ConstVectorRef increment, VectorRef out) const override { out = q + increment; }

 protected:
  void requireOperator(const LinearOperator& value, const char* what) const;
  LinearOperator sharedOperator(std::shared_ptr<Matrix> value, const char* what) const;

  NONSMOOTH_KERNEL_OPERAND(FExt, fExt, Vector, TimeToVector, requireVector);
  NONSMOOTH_KERNEL_OPERAND(FInt, fInt, Vector, MotionToVector, requireVector);
  NONSMOOTH_KERNEL_OPERAND(FGyr, fGyr, Vector, MotionToVector, requireVector);
  NONSMOOTH_KERNEL_OPERAND(JacobianFIntq, jacobianFIntq, Matrix, MotionToMatrix, requireSquare);
  NONSMOOTH_KERNEL_OPERAND(JacobianFIntqDot, jacobianFIntqDot, Matrix, MotionToMatrix, requireSquare);
  NONSMOOTH_KERNEL_OPERAND(JacobianFGyrq, jacobianFGyrq, Matrix, MotionToMatrix, requireSquare);
  NONSMOOTH_KERNEL_OPERAND(JacobianFGyrqDot, jacobianFGyrqDot, Matrix, MotionToMatrix, requireSquare);

 private:
  void computeJacobian(Operand<Matrix, MotionToMatrix>& jacobian, double time) {
    jacobian.compute(dimension(), dimension(), z(), time, q(), velocity());
  }
  LinearOperator mass_;
  ConfigurationToMatrix mass_function_;
};

// Mass qddot + C qdot + K q = FExt(t, z) + p, with constant Mass, K, C: dense, diagonal or sparse.
class LagrangianLinearTIDS : public LagrangianDS {
 public:
  LagrangianLinearTIDS(const Vector& q0, const Vector& velocity0, const LinearOperator& mass);
  LagrangianLinearTIDS(const Vector& q0, const Vector& velocity0, const LinearOperator& mass, const LinearOperator& K,
                       const LinearOperator& C);

  const char* className() const override { return "LagrangianLinearTIDS"; }
  bool isLinear() const override { return true; }
  // Stiffness and damping; null or zero where they are not set. Shared ones: touch() after a change.
  const LinearOperator& K() const { return K_; }
  const LinearOperator& C() const { return C_; }
  Matrix getK() const { return K_.toDense(dimension()); }
  Matrix getC() const { return C_.toDense(dimension()); }
  void setK(const LinearOperator& K);
  void setC(const LinearOperator& C);
  void setKPtr(std::shared_ptr<Matrix> K);
  void setCPtr(std::shared_ptr<Matrix> C);
  void setComputeMassFunction(ConfigurationToMatrix) = delete;
  void setComputeMass(const std::string&, const std::string&) = delete;

  std::optional<double> potentialEnergy() const override;
  const LinearOperator* stiffness() const override { return &K_; }
  const LinearOperator* damping() const override { return &C_; }
  void evaluateForces(double time, ConstVectorRef q, ConstVectorRef v, VectorRef out) override;
  // FExt at an instant.
  void evaluateExternalForces(double time, VectorRef out);
  bool hasForceJacobians() const override { return !K_.isZero() || !C_.isZero(); }
  void evaluateForceJacobians(double time, ConstVectorRef q, ConstVectorRef v, Matrix& dq, Matrix& dv) override;

 private:
  [[noreturn]] void refuseOperators() const;
  NONSMOOTH_KERNEL_WITHOUT(LagrangianDS, FInt);
  NONSMOOTH_KERNEL_WITHOUT(LagrangianDS, FGyr);
  NONSMOOTH_KERNEL_WITHOUT(LagrangianDS, JacobianFIntq);
  NONSMOOTH_KERNEL_WITHOUT(LagrangianDS, JacobianFIntqDot);
  NONSMOOTH_KERNEL_WITHOUT(LagrangianDS, JacobianFGyrq);
  NONSMOOTH_KERNEL_WITHOUT(LagrangianDS, JacobianFGyrqDot);
  LinearOperator K_, C_;
};

// Kept for users of Siconos: a LagrangianLinearTIDS whose operators are diagonals, given as vectors.
class LagrangianLinearDiagonalDS : public LagrangianLinearTIDS {
 public:
  LagrangianLinearDiagonalDS(const Vector& q0, const Vector& velocity0, const Vector& stiffness, const Vector& damping,
                             const Vector& mass)
      : LagrangianLinearTIDS(q0, velocity0, Diagonal(mass), Diagonal(stiffness), Diagonal(damping)) {}
  const char* className() const override { return "LagrangianLinearDiagonalDS"; }
};

}  // namespace nonsmooth::kernel
#endif
