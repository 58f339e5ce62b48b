// Relations of first order systems.
#ifndef NONSMOOTH_KERNEL_FIRST_ORDER_RELATIONS_HPP
#define NONSMOOTH_KERNEL_FIRST_ORDER_RELATIONS_HPP

#include "nonsmooth/kernel/relation.hpp"

namespace nonsmooth::kernel {

// y = h(x, lambda, t), r = g(x, lambda, t), with C = dh/dx, D = dh/dlambda, K = dg/dx, B = dg/dlambda.
// h, g, C and B are needed: given, or evaluated by a derived class.
class FirstOrderNonLinearR : public Relation {
 public:
  FirstOrderNonLinearR() : Relation(RelationFamily::FirstOrder) {}
  // D and K may be empty: zero.
  FirstOrderNonLinearR(CoupledToVector h, CoupledToVector g, CoupledToMatrix C, CoupledToMatrix B, CoupledToMatrix D = nullptr,
                       CoupledToMatrix K = nullptr);
  const char* className() const override { return "FirstOrderNonLinearR"; }
  bool hasD() const override { return D_.given(); }
  bool hasK() const override { return K_.given(); }
  void evaluateh(const RelationPoint& at, VectorRef y) override;
  void evaluateg(const RelationPoint& at, VectorRef r) override;
  void evaluateC(const RelationPoint& at, MatrixRef C) override;
  void evaluateD(const RelationPoint& at, MatrixRef D) override;
  void evaluateB(const RelationPoint& at, MatrixRef B) override;
  void evaluateK(const RelationPoint& at, MatrixRef K) override;
  void checkJacobians(const RelationPoint& at, Index rows, double tolerance) override;

 protected:
  NONSMOOTH_KERNEL_OPERAND(h, h, Vector, CoupledToVector, requireAny);
  NONSMOOTH_KERNEL_OPERAND(g, g, Vector, CoupledToVector, requireAny);
  NONSMOOTH_KERNEL_OPERAND(JacobianhOverx, jacobianhOverx, Matrix, CoupledToMatrix, requireAny);
  NONSMOOTH_KERNEL_OPERAND(D, D, Matrix, CoupledToMatrix, requireAny);
  NONSMOOTH_KERNEL_OPERAND(B, B, Matrix, CoupledToMatrix, requireAny);
  NONSMOOTH_KERNEL_OPERAND(K, K, Matrix, CoupledToMatrix, requireAny);
};

// y = h(x), r = g(lambda).
class FirstOrderType1R : public FirstOrderNonLinearR {
 public:
  FirstOrderType1R(CoupledToVector h, CoupledToVector g, CoupledToMatrix C, CoupledToMatrix B)
      : FirstOrderNonLinearR(std::move(h), std::move(g), std::move(C), std::move(B)) {}
  const char* className() const override { return "FirstOrderType1R"; }
};

// y = h(x, lambda), r = g(lambda).
class FirstOrderType2R : public FirstOrderNonLinearR {
 public:
  FirstOrderType2R(CoupledToVector h, CoupledToVector g, CoupledToMatrix C, CoupledToMatrix D, CoupledToMatrix B)
      : FirstOrderNonLinearR(std::move(h), std::move(g), std::move(C), std::move(B), std::move(D)) {}
  const char* className() const override { return "FirstOrderType2R"; }
};

// y = C(t) x + D(t) lambda + F(t) z + e(t), r = B(t) lambda. F, D and e default to zero.
class FirstOrderLinearR : public Relation {
 public:
  FirstOrderLinearR() : Relation(RelationFamily::FirstOrder) {}
  FirstOrderLinearR(const Matrix& C, const Matrix& B);
  const char* className() const override { return "FirstOrderLinearR"; }
  // F and e are evaluated with every output and may be functions of time.
  bool isLinear() const override { return !(C_.computed() || D_.computed() || B_.computed()); }
  bool hasD() const override { return D_.given(); }
  void checkSizes(Index rows, Index coordinates, Index motion) const override;
  void evaluateh(const RelationPoint& at, VectorRef y) override;
  void evaluateg(const RelationPoint& at, VectorRef r) override;
  void evaluateC(const RelationPoint& at, MatrixRef C) override;
  void evaluateD(const RelationPoint& at, MatrixRef D) override;
  void evaluateB(const RelationPoint& at, MatrixRef B) override;

 protected:
  NONSMOOTH_KERNEL_OPERAND(C, C, Matrix, TimeToMatrix, requireAny);
  NONSMOOTH_KERNEL_OPERAND(D, D, Matrix, TimeToMatrix, requireAny);
  NONSMOOTH_KERNEL_OPERAND(F, F, Matrix, TimeToMatrix, requireAny);
  NONSMOOTH_KERNEL_OPERAND(e, e, Vector, TimeToVector, requireAny);
  NONSMOOTH_KERNEL_OPERAND(B, B, Matrix, TimeToMatrix, requireAny);
};

// The same with constant matrices.
class FirstOrderLinearTIR : public FirstOrderLinearR {
 public:
  FirstOrderLinearTIR() = default;
  FirstOrderLinearTIR(const Matrix& C, const Matrix& B) : FirstOrderLinearR(C, B) {}
  // Empty matrices and vectors stand for zero.
  FirstOrderLinearTIR(const Matrix& C, const Matrix& D, const Matrix& F, const Vector& e, const Matrix& B);
  const char* className() const override { return "FirstOrderLinearTIR"; }
};
// Short name of the specification.
using LinearTIR = FirstOrderLinearTIR;

}  // namespace nonsmooth::kernel
#endif
