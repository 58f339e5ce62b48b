// First order systems.
#ifndef NONSMOOTH_KERNEL_FIRST_ORDER_HPP
#define NONSMOOTH_KERNEL_FIRST_ORDER_HPP

#include "nonsmooth/kernel/dynamical_system.hpp"

namespace nonsmooth::kernel {

// M xdot = f(t, x, z) + r,  x(t0) = x0 [n].  M [n, n] is invertible and constant; identity unless set.
class FirstOrderNonLinearDS : public DynamicalSystem {
 public:
  explicit FirstOrderNonLinearDS(const Vector& x0);
  FirstOrderNonLinearDS(const Vector& x0, StateToVector f, StateToMatrix jacobianfx);
  FirstOrderNonLinearDS(const Vector& x0, const std::string& plugin, const std::string& f, const std::string& jacobianfx);

  const char* className() const override { return "FirstOrderNonLinearDS"; }
  Index n() const override { return dimension(); }
  bool isLinear() const override { return false; }
  // Are all operators constant?
  virtual bool isTimeInvariant() const { return false; }

  using DynamicalSystem::x;
  // State: a view, a copy, a new value.
  VectorView x() const { return motion(Motion::v); }
  Vector getx() const { return x(); }
  void setx(const Vector& value);
  // Input from nonsmooth laws.
  VectorView r() const { return motion(Motion::input0); }
  // Initial state: a copy, a new value. A system that has not left it takes the new one at once, others at resetToInitialState.
  const Vector& x0() const { return x0_; }
  Vector getx0() const { return x0_; }
  void setx0(const Vector& value);

  // M: shared, a copy; set by value or shared with the caller. Null: identity. Throws where its owner has given it another size.
  const std::shared_ptr<Matrix>& M() const;
  Matrix getM() const;
  void setM(const Matrix& value);
  void setMPtr(std::shared_ptr<Matrix> value);

  // f at the present state; its value as of then.
  void computef(double time) { evaluatef(time, x(), motion(Motion::force)); }
  VectorView fValue() const { return motion(Motion::force); }
  // [n, n], as of the last compute.
  void computeJacobianfx(double time);

  Vector x(int level) const override;
  void computeRhs(double time) override;
  void computeJacobianRhsx(double time) override;
  void resetToInitialState() override;
  void checkJacobians(double time, double tolerance) override;

  // For integrators: out := f(t, x); out := df/dx. Both check what user functions give.
  virtual void evaluatef(double time, ConstVectorRef x, VectorRef out);
  virtual void evaluateJacobianfx(double time, ConstVectorRef x, Matrix& out);

 protected:
  void describe(std::string& text) const override;
  NONSMOOTH_KERNEL_OPERAND(f, f, Vector, StateToVector, requireVector);
  NONSMOOTH_KERNEL_OPERAND(Jacobianfx, jacobianfx, Matrix, StateToMatrix, requireSquare);

 private:
  Vector solveM(const Vector& rhs) const;
  Vector x0_;
  std::shared_ptr<Matrix> M_;
};

// M xdot = A(t, z) x + b(t, z) + r.  A [n, n] and b [n] default to zero.
class FirstOrderLinearDS : public FirstOrderNonLinearDS {
 public:
  explicit FirstOrderLinearDS(const Vector& x0) : FirstOrderNonLinearDS(x0) {}
  FirstOrderLinearDS(const Vector& x0, const Matrix& A);
  FirstOrderLinearDS(const Vector& x0, const Matrix& A, const Vector& b);
  FirstOrderLinearDS(const Vector& x0, TimeToMatrix A, TimeToVector b);
  FirstOrderLinearDS(const Vector& x0, const std::string& plugin, const std::string& A, const std::string& b);

  const char* className() const override { return "FirstOrderLinearDS"; }
  bool isLinear() const override { return hasConstantA(); }
  bool isTimeInvariant() const override { return hasConstantA() && !b_.computed(); }
  // Is A a constant? A and b at an instant.
  bool hasConstantA() const { return !A_.computed(); }
  void computeA(double time);
  void computeb(double time);
  void checkJacobians(double, double) override {}
  void evaluatef(double time, ConstVectorRef x, VectorRef out) override;
  void evaluateJacobianfx(double time, ConstVectorRef x, Matrix& out) override;

 protected:
  NONSMOOTH_KERNEL_OPERAND(A, A, Matrix, TimeToMatrix, requireSquare);
  NONSMOOTH_KERNEL_OPERAND(b, b, Vector, TimeToVector, requireVector);

 private:
  void requireNof() const;
  const Matrix& presentA(double time);
  const Vector& presentb(double time);
  NONSMOOTH_KERNEL_WITHOUT(FirstOrderNonLinearDS, f);
  NONSMOOTH_KERNEL_WITHOUT(FirstOrderNonLinearDS, Jacobianfx);
};

// The same with constant A and b.
class FirstOrderLinearTIDS : public FirstOrderLinearDS {
 public:
  FirstOrderLinearTIDS(const Vector& x0, const Matrix& A) : FirstOrderLinearDS(x0, A) {}
  FirstOrderLinearTIDS(const Vector& x0, const Matrix& A, const Vector& b) : FirstOrderLinearDS(x0, A, b) {}
  const char* className() const override { return "FirstOrderLinearTIDS"; }
  void setComputeAFunction(TimeToMatrix) = delete;
  void setComputebFunction(TimeToVector) = delete;
  void setComputeA(const std::string&, const std::string&) = delete;
  void setComputeb(const std::string&, const std::string&) = delete;
};

}  // namespace nonsmooth::kernel
#endif
