#include "nonsmooth/kernel/first_order_relations.hpp"

namespace nonsmooth::kernel {
namespace {

// Value of an operand of a relation that is given, at a point.
template <class Value, class Function, class... Arguments>
const Value& valueOf(Operand<Value, Function>& operand, Index rows, Index cols, const char* what, double time, Vector& z,
                     const Arguments&... arguments) {
  const Value& value = operand.compute(rows, cols, z, arguments...);
  if (operand.computed()) requireFinite(value.data(), value.size(), what, -1, time);
  return value;
}

// The same copied to out; zero where it is not given.
template <class Value, class Function, class Out, class... Arguments>
void evaluate(Operand<Value, Function>& operand, Out& out, const char* what, double time, Vector& z,
              const Arguments&... arguments) {
  if (!operand.given()) {
    out.setZero();
    return;
  }
  out = valueOf(operand, out.rows(), out.cols(), what, time, z, arguments...);
}

// The same of an operand that a class derived from the relation overrides where it is not given.
template <class Value, class Function, class Out>
void evaluateGiven(Operand<Value, Function>& operand, Out& out, const Relation& relation, const char* what,
                   const RelationPoint& at, Vector& z) {
  if (!operand.given()) fail("a %s needs %s", relation.className(), what);
  evaluate(operand, out, what, at.time, z, at.time, at.x, at.lambda);
}

}  // namespace

FirstOrderNonLinearR::FirstOrderNonLinearR(CoupledToVector h, CoupledToVector g, CoupledToMatrix C, CoupledToMatrix B,
                                           CoupledToMatrix D, CoupledToMatrix K)
    : Relation(RelationFamily::FirstOrder) {
  setComputehFunction(std::move(h));
  setComputegFunction(std::move(g));
  setComputeJacobianhOverxFunction(std::move(C));
  setComputeBFunction(std::move(B));
  if (D) setComputeDFunction(std::move(D));
  if (K) setComputeKFunction(std::move(K));
}

void FirstOrderNonLinearR::evaluateh(const RelationPoint& at, VectorRef y) { evaluateGiven(h_, y, *this, "h", at, z()); }
void FirstOrderNonLinearR::evaluateg(const RelationPoint& at, VectorRef r) { evaluateGiven(g_, r, *this, "g", at, z()); }
void FirstOrderNonLinearR::evaluateC(const RelationPoint& at, MatrixRef C) {
  evaluateGiven(jacobianhOverx_, C, *this, "JacobianhOverx", at, z());
}
void FirstOrderNonLinearR::evaluateD(const RelationPoint& at, MatrixRef D) {
  evaluate(D_, D, "D", at.time, z(), at.time, at.x, at.lambda);
}
void FirstOrderNonLinearR::evaluateB(const RelationPoint& at, MatrixRef B) { evaluateGiven(B_, B, *this, "B", at, z()); }
void FirstOrderNonLinearR::evaluateK(const RelationPoint& at, MatrixRef K) {
  evaluate(K_, K, "K", at.time, z(), at.time, at.x, at.lambda);
}

void FirstOrderNonLinearR::checkJacobians(const RelationPoint& at, Index rows, double tolerance) {
  const auto check = [&](const char* what, Index values, bool with_x, auto&& value, auto&& derivative) {
    const ConstVectorView& variable = with_x ? at.x : at.lambda;
    Matrix jacobian = Matrix::Zero(values, variable.size());
    derivative(at, jacobian);
    const auto f = [&](ConstVectorRef moved, VectorRef out) {
      const ConstVectorView view(moved.data(), moved.size());
      value(with_x ? RelationPoint{at.time, view, view, at.lambda} : RelationPoint{at.time, at.x, at.v, view}, out);
    };
    const double defect = jacobianDefect(f, variable, jacobian);
    if (defect > tolerance) fail("%s of a %s is off by %.2g from differences", what, className(), defect);
  };
  const auto h = [this](const RelationPoint& p, VectorRef out) { evaluateh(p, out); };
  const auto g = [this](const RelationPoint& p, VectorRef out) { evaluateg(p, out); };
  check("JacobianhOverx", rows, true, h, [this](const RelationPoint& p, MatrixRef out) { evaluateC(p, out); });
  check("D", rows, false, h, [this](const RelationPoint& p, MatrixRef out) { evaluateD(p, out); });
  check("B", at.x.size(), false, g, [this](const RelationPoint& p, MatrixRef out) { evaluateB(p, out); });
  if (K_.given()) check("K", at.x.size(), true, g, [this](const RelationPoint& p, MatrixRef out) { evaluateK(p, out); });
}

FirstOrderLinearR::FirstOrderLinearR(const Matrix& C, const Matrix& B) : Relation(RelationFamily::FirstOrder) {
  setC(C);
  setB(B);
}

void FirstOrderLinearR::checkSizes(Index rows, Index, Index motion) const {
  if (!C_.given() || !B_.given()) fail("a %s needs C and B", className());
  if (!C_.computed()) requireShape(*C_.pointer(), rows, motion, "C");
  if (!B_.computed()) requireShape(*B_.pointer(), motion, rows, "B");
  if (D_.given() && !D_.computed()) requireShape(*D_.pointer(), rows, rows, "D");
  if (e_.given() && !e_.computed()) requireSize(e_.pointer()->size(), rows, "e");
  if (F_.given() && !F_.computed()) requireShape(*F_.pointer(), rows, z().size(), "F");
}

void FirstOrderLinearR::evaluateh(const RelationPoint& at, VectorRef y) {
  if (e_.given())
    evaluate(e_, y, "e", at.time, z(), at.time);
  else
    y.setZero();
  const Index rows = y.size();
  y.noalias() += valueOf(C_, rows, at.x.size(), "C", at.time, z(), at.time).lazyProduct(at.x);
  if (D_.given()) y.noalias() += valueOf(D_, rows, rows, "D", at.time, z(), at.time).lazyProduct(at.lambda);
  if (F_.given()) y.noalias() += valueOf(F_, rows, z().size(), "F", at.time, z(), at.time).lazyProduct(z());
}

void FirstOrderLinearR::evaluateg(const RelationPoint& at, VectorRef r) {
  r.noalias() = valueOf(B_, r.size(), at.lambda.size(), "B", at.time, z(), at.time).lazyProduct(at.lambda);
}
void FirstOrderLinearR::evaluateC(const RelationPoint& at, MatrixRef C) { evaluate(C_, C, "C", at.time, z(), at.time); }
void FirstOrderLinearR::evaluateD(const RelationPoint& at, MatrixRef D) { evaluate(D_, D, "D", at.time, z(), at.time); }
void FirstOrderLinearR::evaluateB(const RelationPoint& at, MatrixRef B) { evaluate(B_, B, "B", at.time, z(), at.time); }

FirstOrderLinearTIR::FirstOrderLinearTIR(const Matrix& C, const Matrix& D, const Matrix& F, const Vector& e, const Matrix& B)
    : FirstOrderLinearR(C, B) {
  if (D.size() > 0) setD(D);
  if (F.size() > 0) setF(F);
  if (e.size() > 0) sete(e);
}

}  // namespace nonsmooth::kernel
