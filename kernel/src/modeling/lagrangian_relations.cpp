#include "nonsmooth/kernel/lagrangian_relations.hpp"

#include "modeling/small_product.hpp"
#include "modeling/small_vector.hpp"

namespace nonsmooth::kernel {
namespace {

template <class Value>
void requireResult(const Value& value, const char* what, double time) {
  for (Index j = 0; j < value.cols(); ++j) requireFinite(value.col(j).data(), value.rows(), what, -1, time);
}

// y += F z; z is anybody's to change.
void addParameters(const Matrix& F, const Vector& z, VectorView y) {
  requireShape(F, y.size(), z.size(), "F of a LagrangianLinearTIR");
  addProduct(F.data(), z.data(), z.size(), y);
}

template <class Function>
Function loadIfNamed(const std::string& name) {
  return name.empty() ? Function() : loadFunction<Function>(name);
}

}  // namespace

void LagrangianR::checkJacobians(const RelationPoint& at, Index rows, double tolerance) {
  const auto check = [&](const char* what, const Matrix& given, ConstVectorRef variable, auto&& point) {
    const auto h = [&](ConstVectorRef moved, VectorRef out) {
      evaluateh(point(ConstVectorView(moved.data(), moved.size())), out);
    };
    const double defect = jacobianDefect(h, variable, given);
    if (defect > tolerance) fail("%s of a %s is off by %.2g from differences of h", what, className(), defect);
  };
  Matrix G = Matrix::Zero(rows, at.x.size());
  evaluateC(at, G);
  check("G", G, at.x, [&](const ConstVectorView& q) { return RelationPoint{at.time, q, at.v, at.lambda}; });
  if (hasD()) {
    Matrix D = Matrix::Zero(rows, rows);
    evaluateD(at, D);
    check("D", D, at.lambda, [&](const ConstVectorView& lambda) { return RelationPoint{at.time, at.x, at.v, lambda}; });
  }
  if (hasTimeDerivative()) {
    Vector hdot = Vector::Zero(rows);
    evaluateTimeDerivative(at, hdot);
    check("hdot", hdot, Vector::Constant(1, at.time), [&](const ConstVectorView& time) {
      return RelationPoint{time[0], at.x, at.v, at.lambda};
    });
  }
}

LagrangianLinearTIR::LagrangianLinearTIR(const Matrix& C, const Vector& e)
    : C_(C), columns_(fewColumns(C.data(), C.rows(), C.cols())), e_(e) {
  requireFinite(C, "C of a LagrangianLinearTIR");
  requireFinite(e, "e of a LagrangianLinearTIR");
}

LagrangianLinearTIR::LagrangianLinearTIR(const Matrix& C, const Matrix& F, const Vector& e) : LagrangianLinearTIR(C, e) {
  setF(F);
}

void LagrangianLinearTIR::setF(const Matrix& F) {
  requireFinite(F, "F of a LagrangianLinearTIR");
  F_ = F;
  touch();
}

void LagrangianLinearTIR::checkSizes(Index rows, Index, Index motion) const {
  requireShape(C_, rows, motion, "C of a LagrangianLinearTIR");
  if (F_.size() > 0) requireShape(F_, rows, z().size(), "F of a LagrangianLinearTIR");
  if (e_.size() > 0) requireSize(e_.size(), rows, "e of a LagrangianLinearTIR");
}

void LagrangianLinearTIR::evaluateh(const RelationPoint& at, VectorRef y) {
  VectorView result(y.data(), y.size());
  if (columns_.empty())
    product(C_.data(), at.x, result);
  else
    productOfColumns(
        C_.data(), columns_, [&](Index j) { return at.x[j]; }, result);
  if (e_.size() > 0) setEach(result, [&](Index i) { return result[i] + e_[i]; });
  if (F_.size() > 0) addParameters(F_, z(), result);
}

void LagrangianLinearTIR::addConstant(VectorView y) const {
  if (e_.size() > 0) y += e_;
  if (F_.size() > 0) addParameters(F_, z(), y);
}

void LagrangianLinearTIR::evaluateC(const RelationPoint&, MatrixRef C) { C = C_; }

LagrangianCompliantLinearTIR::LagrangianCompliantLinearTIR(const Matrix& C, const Matrix& D, const Vector& e)
    : LagrangianLinearTIR(C, e), D_(D) {
  requireFinite(D, "D of a LagrangianCompliantLinearTIR");
}

void LagrangianCompliantLinearTIR::checkSizes(Index rows, Index coordinates, Index motion) const {
  LagrangianLinearTIR::checkSizes(rows, coordinates, motion);
  requireShape(D_, rows, rows, "D of a LagrangianCompliantLinearTIR");
}

void LagrangianCompliantLinearTIR::evaluateh(const RelationPoint& at, VectorRef y) {
  LagrangianLinearTIR::evaluateh(at, y);
  y.noalias() += D_.lazyProduct(at.lambda);
}

void LagrangianCompliantLinearTIR::evaluateD(const RelationPoint&, MatrixRef D) { D = D_; }

LagrangianScleronomousR::LagrangianScleronomousR(ToVector h, ToMatrix G, RateToMatrix Gdot)
    : h_(std::move(h)), G_(std::move(G)), Gdot_(std::move(Gdot)) {
  if (!h_ || !G_) fail("a LagrangianScleronomousR needs h and G");
}

LagrangianScleronomousR::LagrangianScleronomousR(const std::string& h, const std::string& G, const std::string& Gdot)
    : LagrangianScleronomousR(loadFunction<ToVector>(h), loadFunction<ToMatrix>(G), loadIfNamed<RateToMatrix>(Gdot)) {}

void LagrangianScleronomousR::evaluateh(const RelationPoint& at, VectorRef y) {
  y.setZero();
  h_(at.x, y, z());
  requireResult(y, "h", at.time);
}

void LagrangianScleronomousR::evaluateC(const RelationPoint& at, MatrixRef C) {
  C.setZero();
  G_(at.x, C, z());
  requireResult(C, "G", at.time);
}

void LagrangianScleronomousR::evaluateCurvature(const RelationPoint& at, VectorRef out) {
  if (!Gdot_) fail("accelerations of a LagrangianScleronomousR need Gdot");
  rate_.setZero(out.size(), at.v.size());
  Gdot_(at.x, at.v, rate_, z());
  requireResult(rate_, "Gdot", at.time);
  out.noalias() = rate_.lazyProduct(at.v);
}

LagrangianRheonomousR::LagrangianRheonomousR(StateToVector h, StateToMatrix G, StateToVector hdot, MotionToVector curvature)
    : h_(std::move(h)), hdot_(std::move(hdot)), G_(std::move(G)), curvature_(std::move(curvature)) {
  if (!h_ || !G_ || !hdot_) fail("a LagrangianRheonomousR needs h, G and hdot");
}

LagrangianRheonomousR::LagrangianRheonomousR(const std::string& h, const std::string& G, const std::string& hdot,
                                             const std::string& curvature)
    : LagrangianRheonomousR(loadFunction<StateToVector>(h), loadFunction<StateToMatrix>(G), loadFunction<StateToVector>(hdot),
                            loadIfNamed<MotionToVector>(curvature)) {}

void LagrangianRheonomousR::evaluateh(const RelationPoint& at, VectorRef y) {
  y.setZero();
  h_(at.time, at.x, y, z());
  requireResult(y, "h", at.time);
}

void LagrangianRheonomousR::evaluateC(const RelationPoint& at, MatrixRef C) {
  C.setZero();
  G_(at.time, at.x, C, z());
  requireResult(C, "G", at.time);
}

void LagrangianRheonomousR::evaluateTimeDerivative(const RelationPoint& at, VectorRef hdot) {
  hdot.setZero();
  hdot_(at.time, at.x, hdot, z());
  requireResult(hdot, "hdot", at.time);
}

void LagrangianRheonomousR::evaluateCurvature(const RelationPoint& at, VectorRef out) {
  if (!curvature_) fail("accelerations of a LagrangianRheonomousR need its curvature");
  out.setZero();
  curvature_(at.time, at.x, at.v, out, z());
  requireResult(out, "the curvature", at.time);
}

LagrangianCompliantR::LagrangianCompliantR(CoupledToVector h, CoupledToMatrix G, CoupledToMatrix D)
    : h_(std::move(h)), G_(std::move(G)), D_(std::move(D)) {
  if (!h_ || !G_ || !D_) fail("a LagrangianCompliantR needs h, G and D");
}

LagrangianCompliantR::LagrangianCompliantR(const std::string& h, const std::string& G, const std::string& D)
    : LagrangianCompliantR(loadFunction<CoupledToVector>(h), loadFunction<CoupledToMatrix>(G), loadFunction<CoupledToMatrix>(D)) {
}

void LagrangianCompliantR::evaluateh(const RelationPoint& at, VectorRef y) {
  y.setZero();
  h_(at.time, at.x, at.lambda, y, z());
  requireResult(y, "h", at.time);
}

void LagrangianCompliantR::evaluateC(const RelationPoint& at, MatrixRef C) {
  C.setZero();
  G_(at.time, at.x, at.lambda, C, z());
  requireResult(C, "G", at.time);
}

void LagrangianCompliantR::evaluateD(const RelationPoint& at, MatrixRef D) {
  D.setZero();
  D_(at.time, at.x, at.lambda, D, z());
  requireResult(D, "D", at.time);
}

}  // namespace nonsmooth::kernel
