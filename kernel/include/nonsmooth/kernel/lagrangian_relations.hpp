// Relations of Lagrangian systems. q and velocities of two linked systems stand one after the other; G = dh/dq [rows, ndof].
#ifndef NONSMOOTH_KERNEL_LAGRANGIAN_RELATIONS_HPP
#define NONSMOOTH_KERNEL_LAGRANGIAN_RELATIONS_HPP

#include "nonsmooth/kernel/relation.hpp"

namespace nonsmooth::kernel {

// Relations of Lagrangian systems: y and y' as functions of q and v.
class LagrangianR : public Relation {
 public:
  void checkJacobians(const RelationPoint& at, Index rows, double tolerance) override;

 protected:
  LagrangianR() : Relation(RelationFamily::Lagrangian) {}
};

// y = C q + F z + e; C [rows, ndof], F [rows, size of z], e [rows]. Empty F and e stand for zero.
class LagrangianLinearTIR : public LagrangianR {
 public:
  explicit LagrangianLinearTIR(const Matrix& C, const Vector& e = Vector());
  LagrangianLinearTIR(const Matrix& C, const Matrix& F, const Vector& e);
  const char* className() const override { return "LagrangianLinearTIR"; }
  bool isLinear() const override { return true; }
  // Its matrices as they were given.
  const Matrix& C() const { return C_; }
  const Matrix& F() const { return F_; }
  const Vector& e() const { return e_; }
  // Another F, a copy.
  void setF(const Matrix& F);
  // y += F z + e, as z is now.
  void addConstant(VectorView y) const;
  void checkSizes(Index rows, Index coordinates, Index motion) const override;
  void evaluateh(const RelationPoint& at, VectorRef y) override;
  void evaluateC(const RelationPoint& at, MatrixRef C) override;

 private:
  Matrix C_, F_;
  std::vector<Index> columns_;  // of C that are not zero, where they are few
  Vector e_;
};

// y = C q + D lambda + F z + e: D [rows, rows], lambda a force.
class LagrangianCompliantLinearTIR : public LagrangianLinearTIR {
 public:
  LagrangianCompliantLinearTIR(const Matrix& C, const Matrix& D, const Vector& e = Vector());
  const char* className() const override { return "LagrangianCompliantLinearTIR"; }
  bool hasD() const override { return true; }
  // The compliance, as it was given.
  const Matrix& D() const { return D_; }
  void checkSizes(Index rows, Index coordinates, Index motion) const override;
  void evaluateh(const RelationPoint& at, VectorRef y) override;
  void evaluateD(const RelationPoint& at, MatrixRef D) override;

 private:
  Matrix D_;
};

// y = h(q, z), user functions h and G, and, for accelerations, Gdot = dG/dt along the motion.
class LagrangianScleronomousR : public LagrangianR {
 public:
  // Forms of the user's functions of q.
  using ToVector = ConfigurationToVector;
  using ToMatrix = ConfigurationToMatrix;
  using RateToMatrix = kernel::RateToMatrix;
  LagrangianScleronomousR(ToVector h, ToMatrix G, RateToMatrix Gdot = nullptr);
  // By their names in shared libraries, "plugin:function"; an empty one is not given.
  LagrangianScleronomousR(const std::string& h, const std::string& G, const std::string& Gdot = "");
  const char* className() const override { return "LagrangianScleronomousR"; }
  void evaluateh(const RelationPoint& at, VectorRef y) override;
  void evaluateC(const RelationPoint& at, MatrixRef C) override;
  void evaluateCurvature(const RelationPoint& at, VectorRef out) override;

 private:
  ToVector h_;
  ToMatrix G_;
  RateToMatrix Gdot_;
  Matrix rate_;
};

// y = h(q, t, z), y' = G v + hdot: functions of time as well.
class LagrangianRheonomousR : public LagrangianR {
 public:
  // `curvature`, for accelerations: what y'' has beyond G v', d/dt(G) v + d/dt(hdot) along the motion.
  LagrangianRheonomousR(StateToVector h, StateToMatrix G, StateToVector hdot, MotionToVector curvature = nullptr);
  // By their names in shared libraries, "plugin:function"; an empty one is not given.
  LagrangianRheonomousR(const std::string& h, const std::string& G, const std::string& hdot, const std::string& curvature = "");
  const char* className() const override { return "LagrangianRheonomousR"; }
  bool hasTimeDerivative() const override { return true; }
  void evaluateh(const RelationPoint& at, VectorRef y) override;
  void evaluateC(const RelationPoint& at, MatrixRef C) override;
  void evaluateTimeDerivative(const RelationPoint& at, VectorRef hdot) override;
  void evaluateCurvature(const RelationPoint& at, VectorRef out) override;

 private:
  StateToVector h_, hdot_;
  StateToMatrix G_;
  MotionToVector curvature_;
};

// y = h(q, lambda, z), lambda a force; G = dh/dq, D = dh/dlambda.
class LagrangianCompliantR : public LagrangianR {
 public:
  LagrangianCompliantR(CoupledToVector h, CoupledToMatrix G, CoupledToMatrix D);
  // By their names in shared libraries, "plugin:function".
  LagrangianCompliantR(const std::string& h, const std::string& G, const std::string& D);
  const char* className() const override { return "LagrangianCompliantR"; }
  bool hasD() const override { return true; }
  void evaluateh(const RelationPoint& at, VectorRef y) override;
  void evaluateC(const RelationPoint& at, MatrixRef C) override;
  void evaluateD(const RelationPoint& at, MatrixRef D) override;

 private:
  CoupledToVector h_;
  CoupledToMatrix G_, D_;
};

}  // namespace nonsmooth::kernel
#endif
