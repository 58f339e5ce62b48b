#include "nonsmooth/kernel/first_order.hpp"

#include "modeling/dense_lu.hpp"
#include "modeling/text.hpp"

namespace nonsmooth::kernel {

FirstOrderNonLinearDS::FirstOrderNonLinearDS(const Vector& x0) : DynamicalSystem(SystemKind::FirstOrder, 0, x0.size()), x0_(x0) {
  requireFinite(x0, "x0");
  resetToInitialState();
}

FirstOrderNonLinearDS::FirstOrderNonLinearDS(const Vector& x0, StateToVector f, StateToMatrix jacobianfx)
    : FirstOrderNonLinearDS(x0) {
  setComputefFunction(std::move(f));
  if (jacobianfx) setComputeJacobianfxFunction(std::move(jacobianfx));
}

FirstOrderNonLinearDS::FirstOrderNonLinearDS(const Vector& x0, const std::string& plugin, const std::string& f,
                                             const std::string& jacobianfx)
    : FirstOrderNonLinearDS(x0) {
  setComputef(plugin, f);
  setComputeJacobianfx(plugin, jacobianfx);
}

void FirstOrderNonLinearDS::setx(const Vector& value) {
  requireVector(value, "x");
  motion(Motion::v) = value;
}

void FirstOrderNonLinearDS::setx0(const Vector& value) {
  requireVector(value, "x0");
  const bool there = x() == x0_;
  x0_ = value;
  if (there) setx(value);
}

const std::shared_ptr<Matrix>& FirstOrderNonLinearDS::M() const {
  if (M_) requireShape(*M_, dimension(), dimension(), "M");
  return M_;
}

Matrix FirstOrderNonLinearDS::getM() const { return M() ? *M_ : Matrix(Matrix::Identity(dimension(), dimension())); }

void FirstOrderNonLinearDS::setM(const Matrix& value) { setMPtr(std::make_shared<Matrix>(value)); }

void FirstOrderNonLinearDS::setMPtr(std::shared_ptr<Matrix> value) {
  if (!value) fail("M: a null pointer was given");
  requireSquare(*value, "M");
  M_ = std::move(value);
  touch();
}

void FirstOrderNonLinearDS::evaluatef(double time, ConstVectorRef x, VectorRef out) {
  if (!f_.given()) fail("%s number %d has no f", className(), number());
  out = f_.compute(dimension(), 1, z(), time, x);
  if (f_.computed()) requireFinite(out.data(), out.size(), "f", number(), time);
}

void FirstOrderNonLinearDS::evaluateJacobianfx(double time, ConstVectorRef x, Matrix& out) {
  if (!jacobianfx_.given()) {
    out.setZero(dimension(), dimension());
    return;
  }
  out = jacobianfx_.compute(dimension(), dimension(), z(), time, x);
  requireFiniteResult(out, "Jacobianfx", time);
}

void FirstOrderNonLinearDS::computeJacobianfx(double time) {
  Matrix jacobian;
  evaluateJacobianfx(time, motion(Motion::v), jacobian);
  jacobianfx_.keep(jacobian);
}

Vector FirstOrderNonLinearDS::solveM(const Vector& rhs) const {
  Vector result = rhs;
  if (M()) DenseLu(*M_).solve(result.data(), 1);
  return result;
}

Vector FirstOrderNonLinearDS::x(int level) const {
  if (level == 0) return motion(Motion::v);
  if (level == 1) return rhs_;
  fail("x has levels 0 and 1, not %d", level);
}

void FirstOrderNonLinearDS::computeRhs(double time) {
  computef(time);
  rhs_ = solveM(motion(Motion::force) + motion(Motion::input0));
  requireFiniteResult(rhs_, "rhs (is M singular?)", time);
  motion(Motion::rate) = rhs_;
}

void FirstOrderNonLinearDS::computeJacobianRhsx(double time) {
  evaluateJacobianfx(time, motion(Motion::v), jacobian_rhs_);
  if (M()) DenseLu(*M_).solve(jacobian_rhs_);
}

void FirstOrderNonLinearDS::resetToInitialState() {
  motion(Motion::v) = x0_;
  motion(Motion::old) = x0_;
  resetAllNonSmoothParts();
  motion(Motion::inputOld).setZero();
}

void FirstOrderNonLinearDS::checkJacobians(double time, double tolerance) {
  if (!jacobianfx_.given()) return;
  Matrix jacobian;
  evaluateJacobianfx(time, motion(Motion::v), jacobian);
  const double defect =
      jacobianDefect([&](ConstVectorRef at, VectorRef out) { evaluatef(time, at, out); }, motion(Motion::v), jacobian);
  if (defect > tolerance) fail("Jacobianfx of %s number %d is off by %.2g from differences of f", className(), number(), defect);
}

void FirstOrderNonLinearDS::describe(std::string& text) const {
  text::line(text, "x", motion(Motion::v));
  text::line(text, "x0", x0_);
  text::line(text, "r", motion(Motion::input0));
  text::line(text, "z", z());
}

FirstOrderLinearDS::FirstOrderLinearDS(const Vector& x0, const Matrix& A) : FirstOrderNonLinearDS(x0) { setA(A); }

FirstOrderLinearDS::FirstOrderLinearDS(const Vector& x0, const Matrix& A, const Vector& b) : FirstOrderNonLinearDS(x0) {
  setA(A);
  setb(b);
}

FirstOrderLinearDS::FirstOrderLinearDS(const Vector& x0, TimeToMatrix A, TimeToVector b) : FirstOrderNonLinearDS(x0) {
  setComputeAFunction(std::move(A));
  if (b) setComputebFunction(std::move(b));
}

FirstOrderLinearDS::FirstOrderLinearDS(const Vector& x0, const std::string& plugin, const std::string& A, const std::string& b)
    : FirstOrderNonLinearDS(x0) {
  setComputeA(plugin, A);
  if (!b.empty()) setComputeb(plugin, b);
}

void FirstOrderLinearDS::computeA(double time) { presentA(time); }

void FirstOrderLinearDS::computeb(double time) { presentb(time); }

const Matrix& FirstOrderLinearDS::presentA(double time) {
  const Matrix& A = A_.compute(dimension(), dimension(), z(), time);
  if (A_.computed()) requireFiniteResult(A, "A", time);
  return A;
}

const Vector& FirstOrderLinearDS::presentb(double time) {
  const Vector& b = b_.compute(dimension(), 1, z(), time);
  if (b_.computed()) requireFiniteResult(b, "b", time);
  return b;
}

// Through a FirstOrderNonLinearDS* f can be given, and would be left out.
void FirstOrderLinearDS::requireNof() const {
  if (f_.given())
    fail("%s number %d has f: its vector field is A x + b, a FirstOrderNonLinearDS takes another", className(), number());
}

void FirstOrderLinearDS::evaluatef(double time, ConstVectorRef x, VectorRef out) {
  requireNof();
  if (A_.given())
    out.noalias() = presentA(time).lazyProduct(x);
  else
    out.setZero();
  if (b_.given()) out += presentb(time);
}

void FirstOrderLinearDS::evaluateJacobianfx(double time, ConstVectorRef, Matrix& out) {
  requireNof();
  if (A_.given())
    out = presentA(time);
  else
    out.setZero(dimension(), dimension());
}

}  // namespace nonsmooth::kernel
