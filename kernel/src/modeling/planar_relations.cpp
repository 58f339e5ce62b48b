#include "nonsmooth/kernel/planar_relations.hpp"

#include <algorithm>
#include <cmath>

#include "modeling/contact_checks.hpp"

namespace nonsmooth::kernel {

void PlanarContactR::computeContact(double time, const double* q1, const double* q2, PlanarContact& contact) {
  if (!geometry_) fail("a %s needs a geometry: a function, or an override of computeContact", className());
  geometry_(time, q1, q2, contact);
}

void PlanarContactR::checkSizes(Index rows, Index coordinates, Index) const {
  requireRows(rows, rows_, className());
  if (coordinates != 3 && coordinates != 6) fail("a %s links one or two bodies with q = (x, y, angle)", className());
}

void PlanarContactR::evaluateh(const RelationPoint& at, VectorRef y) {
  computeContact(at.time, at.x.data(), at.x.size() > 3 ? at.x.data() + 3 : nullptr, contact_);
  requireFiniteContact(contact_, at.time);
  requireUnit(contact_.normal.squaredNorm(), className(), at.time);
  y.setZero();
  y[0] = contact_.gap;
}

// d . velocity of a point = d . v + (arm x d) omega
void PlanarContactR::evaluateC(const RelationPoint& at, MatrixRef C) {
  const Eigen::Vector2d n = contact_.normal, t(-n.y(), n.x());
  const auto side = [&](const double* q, const Eigen::Vector2d& point, Index column, double sign) {
    const Eigen::Vector2d arm = point - Eigen::Vector2d(q[0], q[1]);
    const auto row = [&](Index i, const Eigen::Vector2d& d) {
      C(i, column) = sign * d.x();
      C(i, column + 1) = sign * d.y();
      C(i, column + 2) = sign * (arm.x() * d.y() - arm.y() * d.x());
    };
    row(0, n);
    if (rows_ > 1) row(1, t);
    if (rows_ < 3) return;
    C(2, column) = C(2, column + 1) = 0;
    C(2, column + 2) = sign;
  };
  side(at.x.data(), contact_.point1, 0, 1.0);
  if (at.x.size() > 3) side(at.x.data() + 3, contact_.point2, 3, -1.0);
}

void PlanarContactR::evaluateTimeDerivative(const RelationPoint&, VectorRef hdot) {
  const Eigen::Vector2d &n = contact_.normal, &v = contact_.surfaceVelocity;
  hdot.setZero();
  hdot[0] = -n.dot(v);
  if (rows_ > 1) hdot[1] = n.y() * v.x() - n.x() * v.y();
}

void PlanarContactR::evaluateCurvature(const RelationPoint& at, VectorRef out) {
  double arm = (contact_.point1 - Eigen::Vector2d(at.x[0], at.x[1])).norm();
  if (at.x.size() > 3) arm = std::max(arm, (contact_.point2 - Eigen::Vector2d(at.x[3], at.x[4])).norm());
  if (!(arm > 0)) arm = 1;
  double speed = 0;
  for (Index k = 0; k < at.v.size(); k += 3) speed = std::max({speed, at.v.segment<2>(k).norm() / arm, std::abs(at.v[k + 2])});
  PlanarContact soon = contact_;
  if (soon.surfaceVelocity.isZero(0))
    computeContact(at.time + MotionDifference::time_step, at.x.data(), at.x.size() > 3 ? at.x.data() + 3 : nullptr, soon);
  difference_.compute(*this, at, speed, out, !soon.surfaceVelocity.isZero(0));
}

std::optional<ContactFrame> PlanarContactR::contactFrame() const {
  const auto inSpace = [](const Eigen::Vector2d& a) { return Eigen::Vector3d(a.x(), a.y(), 0.0); };
  const Eigen::Vector2d &n = contact_.normal, t(-n.y(), n.x());
  return ContactFrame{inSpace(contact_.point1), inSpace(contact_.point2), inSpace(n), inSpace(t),
                      Eigen::Vector3d::UnitZ(), std::min<Index>(rows_, 2)};
}

}  // namespace nonsmooth::kernel
