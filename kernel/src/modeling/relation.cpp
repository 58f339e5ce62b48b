#include "nonsmooth/kernel/relation.hpp"

#include <algorithm>
#include <cmath>

#include "nonsmooth/kernel/newton_euler.hpp"

namespace nonsmooth::kernel {

void Relation::checkSizes(Index, Index, Index) const {}
void Relation::evaluateD(const RelationPoint&, MatrixRef D) { D.setZero(); }
void Relation::evaluateg(const RelationPoint&, VectorRef r) { r.setZero(); }
void Relation::evaluateB(const RelationPoint&, MatrixRef B) { B.setZero(); }
void Relation::evaluateK(const RelationPoint&, MatrixRef K) { K.setZero(); }
void Relation::evaluateTimeDerivative(const RelationPoint&, VectorRef hdot) { hdot.setZero(); }

void Relation::evaluateCurvature(const RelationPoint&, VectorRef out) {
  if (!isLinear() || hasTimeDerivative()) fail("accelerations of a %s need its curvature (evaluateCurvature)", className());
  out.setZero();
}

void Relation::requireUnit(double squared_length, const char* relation, double time) {
  if (!(std::abs(squared_length - 1) <= 1e-6))
    fail("the normal of a %s has length %.9g, not 1, at t = %.17g", relation, std::sqrt(squared_length), time);
}

namespace {

// moved := x moved by s v.
void moveBy(double s, RelationFamily family, const RelationPoint& at, Vector& moved) {
  if (family != RelationFamily::NewtonEuler) {
    moved = at.x + s * at.v;
    return;
  }
  moved.resize(at.x.size());
  for (Index body = 0; body < at.x.size() / 7; ++body) {
    const Eigen::Matrix<double, 6, 1> increment = s * at.v.segment<6>(6 * body);
    moveRigidBody(at.x.data() + 7 * body, increment.data(), moved.data() + 7 * body);
  }
}

}  // namespace

void MotionDifference::compute(Relation& relation, const RelationPoint& at, double speed, VectorRef out, bool moving) {
  out.setZero();
  // Squares of less are lost, and with them which of the velocities the speed is of; so is the curvature, which is of second
  // order.
  constexpr double lost = 1e-100;
  if (!(speed > lost) && !moving) return;
  double step = 1e-3 / std::max(speed, lost);
  if (moving) step = std::min(step, time_step);
  y_.resize(out.size());
  rate_.resize(out.size());
  C_.resize(out.size(), at.v.size());
  const auto addRate = [&](double s, double weight) {
    moveBy(s, relation.family(), at, moved_);
    const RelationPoint there{moving ? at.time + s : at.time, ConstVectorView(moved_.data(), moved_.size()), at.v, at.lambda};
    relation.evaluateh(there, y_);
    relation.evaluateC(there, C_);
    out.noalias() += weight * C_.lazyProduct(at.v);
    if (!moving) return;
    rate_.setZero();
    relation.evaluateTimeDerivative(there, rate_);
    out += weight * rate_;
  };
  addRate(2 * step, -1 / (12 * step));
  addRate(step, 8 / (12 * step));
  addRate(-step, -8 / (12 * step));
  addRate(-2 * step, 1 / (12 * step));
  relation.evaluateh(at, y_);
  relation.evaluateC(at, C_);
}

}  // namespace nonsmooth::kernel
