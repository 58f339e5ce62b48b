#include "integrators/curvature.hpp"

#include <cmath>

namespace nonsmooth::kernel {
namespace {

// y' at the present state, with matrices of its own.
void outputRate(NonSmoothDynamicalSystem& model, const InteractionRecord& record, double time, Matrix& C, Vector& y,
                Vector& out) {
  const RelationPoint at = model.point(record, time, 2);
  record.relation->evaluateh(at, y);  // contacts keep their points from there
  record.relation->evaluateC(at, C);
  out.noalias() = C * at.v;
  if (!record.relation->hasTimeDerivative()) return;
  record.relation->evaluateTimeDerivative(at, y);
  out += y;
}

// Along q(s) with qdot = T(q) v, v held, and time + s: five points without the middle one.
void curvatureByDifferences(NonSmoothDynamicalSystem& model, const InteractionRecord& record, double time, VectorView out) {
  const Index rows = record.y.rows;
  std::array<SecondOrderDS*, 2> systems{};
  std::array<Vector, 2> before;
  double speed = 1;
  for (std::size_t side = 0; side < static_cast<std::size_t>(record.sides()); ++side) {
    systems[side] = static_cast<SecondOrderDS*>(model.systems()[static_cast<std::size_t>(record.system[side])]);
    before[side] = systems[side]->q();
    speed = std::max(speed, systems[side]->velocity().norm());
  }
  const double step = 1e-3 / speed;
  Matrix C(rows, record.totalMotion());
  Vector y(rows), rate(rows);
  const auto moveTo = [&](double s) {
    for (std::size_t side = 0; side < static_cast<std::size_t>(record.sides()); ++side)
      systems[side]->move(before[side], s * systems[side]->velocity(), systems[side]->q());
  };
  constexpr std::array<std::pair<double, double>, 4> stencil = {{{-2, 1}, {-1, -8}, {1, 8}, {2, -1}}};
  out.setZero();
  for (const auto& [place, weight] : stencil) {
    moveTo(place * step);
    outputRate(model, record, time + place * step, C, y, rate);
    out += weight / (12 * step) * rate;
  }
  for (std::size_t side = 0; side < static_cast<std::size_t>(record.sides()); ++side) systems[side]->q() = before[side];
  record.relation->evaluateh(model.point(record, time, 2), y);
}

}  // namespace

void curvature(NonSmoothDynamicalSystem& model, const InteractionRecord& record, double time, VectorView out) {
  if (record.linear)
    out.setZero();
  else if (record.relation->hasCurvature())
    record.relation->evaluateCurvature(model.point(record, time, 2), out);
  else
    curvatureByDifferences(model, record, time, out);
}

}  // namespace nonsmooth::kernel
