#include "nonsmooth/kernel/second_order.hpp"

#include <algorithm>

#include "modeling/dense_lu.hpp"
#include "modeling/text.hpp"

namespace nonsmooth::kernel {

SecondOrderDS::SecondOrderDS(SystemKind kind, const Vector& q0, const Vector& velocity0)
    : DynamicalSystem(kind, q0.size(), velocity0.size()), q0_(q0), velocity0_(velocity0) {
  requireFinite(q0, "q0");
  requireFinite(velocity0, "velocity0");
  resetToInitialState();
}

void SecondOrderDS::setq(const Vector& value) {
  requireSize(value.size(), q0_.size(), "q");
  requireCoordinates(value, "q");
  q() = value;
  coordinates(Coordinate::old) = value;
}

void SecondOrderDS::setVelocity(const Vector& value) {
  requireVector(value, "velocity");
  velocity() = value;
  motion(Motion::old) = value;
}

void SecondOrderDS::setq0(const Vector& value) {
  requireSize(value.size(), q0_.size(), "q0");
  requireCoordinates(value, "q0");
  const bool there = isAtInitialState();
  q0_ = value;
  if (there) setq(value);
}

void SecondOrderDS::setVelocity0(const Vector& value) {
  requireVector(value, "velocity0");
  const bool there = isAtInitialState();
  velocity0_ = value;
  if (there) setVelocity(value);
}

VectorView SecondOrderDS::p(int level) const {
  if (level < 0 || level > 2) fail("p has levels 0, 1 and 2, not %d", level);
  return motion(inputField(level));
}

double SecondOrderDS::kineticEnergy() {
  Vector momentum = Vector::Zero(dimension());
  if (massIsConstant()) {
    constantMass().addProduct(1.0, velocity(), momentum);
  } else {
    Matrix mass;
    evaluateMass(q(), mass);
    momentum = mass * velocity();
  }
  return 0.5 * momentum.dot(velocity());
}

void SecondOrderDS::setBoundaryConditions(std::shared_ptr<BoundaryCondition> condition) {
  if (!condition) {
    boundary_reaction_ = Vector();
    boundary_ = nullptr;
    return changeDemands();
  }
  for (const Index k : condition->velocityIndices())
    if (k < 0 || k >= dimension())
      fail("boundary condition on velocity %lld of a %s that has %lld, counted from 0", static_cast<long long>(k), className(),
           static_cast<long long>(dimension()));
  std::vector<Index> sorted = condition->velocityIndices();
  std::sort(sorted.begin(), sorted.end());
  const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
  if (twice != sorted.end())
    fail("the boundary condition of a %s prescribes velocity %lld twice", className(), static_cast<long long>(*twice));
  boundary_reaction_ = Vector::Zero(static_cast<Index>(condition->velocityIndices().size()));
  boundary_ = std::move(condition);
  changeDemands();
}

void SecondOrderDS::swapInMemory() {
  DynamicalSystem::swapInMemory();
  coordinates(Coordinate::older) = coordinates(Coordinate::old);
  coordinates(Coordinate::old) = coordinates(Coordinate::q);
}

void SecondOrderDS::restoreFromMemory() {
  DynamicalSystem::restoreFromMemory();
  coordinates(Coordinate::q) = coordinates(Coordinate::old);
}

void SecondOrderDS::resetToInitialState() {
  for (const Coordinate field : {Coordinate::q, Coordinate::old, Coordinate::older}) coordinates(field) = q0_;
  for (const Motion field : {Motion::v, Motion::old}) motion(field) = velocity0_;
  resetAllNonSmoothParts();
  motion(Motion::inputOld).setZero();
}

Vector SecondOrderDS::x(int level) const {
  if (level == 1) return rhs_;
  if (level != 0) fail("x has levels 0 and 1, not %d", level);
  Vector result(q0_.size() + dimension());
  result << q(), velocity();
  return result;
}

void SecondOrderDS::computeRhs(double time) {
  const Index size = dimension();
  computeForces(time);
  Matrix mass;
  evaluateMass(q(), mass);
  acceleration() = forces() + p(2);
  DenseLu(mass).solve(acceleration().data(), 1);
  requireFinite(acceleration().data(), size, "acceleration (is the mass singular?)", number(), time);
  rhs_.resize(q0_.size() + size);
  evaluateRate(q(), velocity(), rhs_.head(q0_.size()));
  rhs_.tail(size) = acceleration();
}

void SecondOrderDS::computeJacobianRhsx(double time) {
  const Index size = dimension();
  Matrix mass, dq, dv;
  evaluateMass(q(), mass);
  evaluateForceJacobians(time, q(), velocity(), dq, dv);
  const DenseLu factor(mass);
  factor.solve(dq);
  factor.solve(dv);
  jacobian_rhs_.setZero(2 * size, 2 * size);
  jacobian_rhs_.topRightCorner(size, size).setIdentity();
  jacobian_rhs_.bottomLeftCorner(size, size) = dq;
  jacobian_rhs_.bottomRightCorner(size, size) = dv;
}

void SecondOrderDS::requireForceJacobians(double off_in_q, double off_in_velocity, double tolerance,
                                          const char* name_of_velocity) const {
  const double worst = std::max(off_in_q, off_in_velocity);
  if (worst > tolerance)
    fail("Jacobian of the forces of %s number %d with respect to %s is off by %.2g from differences", className(), number(),
         off_in_q > off_in_velocity ? "q" : name_of_velocity, worst);
}

void SecondOrderDS::describe(std::string& text) const {
  text::line(text, "q", q());
  text::line(text, "velocity", velocity());
  text::line(text, "q0", q0_);
  text::line(text, "velocity0", velocity0_);
  text::line(text, "p[1]", p(1));
  text::line(text, "forces", forces());
}

}  // namespace nonsmooth::kernel
