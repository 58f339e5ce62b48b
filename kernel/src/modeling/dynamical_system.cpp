#include "nonsmooth/kernel/dynamical_system.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace nonsmooth::kernel {

DynamicalSystem::DynamicalSystem(SystemKind kind, Index nq, Index nv)
    : kind_(kind), own_(std::make_unique<StateStore>()), store_(own_.get()), slot_(own_->insert(nq, nv)) {
  if (nv <= 0) fail("a dynamical system needs at least one unknown");
}

DynamicalSystem::~DynamicalSystem() = default;

void DynamicalSystem::moveTo(StateStore& store, int number) {
  const StateSlot slot = store.insert(slot_.nq, slot_.nv);
  StateStore::copy(*store_, slot_, store, slot);
  store_ = &store;
  slot_ = slot;
  own_.reset();
  number_ = number;
  // The state of the start of the step too: where it fails, what has come in it does not go back to what it was elsewhere.
  coordinates(Coordinate::old) = coordinates(Coordinate::q);
  motion(Motion::old) = motion(Motion::v);
  motion(Motion::inputOld) = motion(Motion::input0);
}

void DynamicalSystem::moveOut() {
  auto own = std::make_unique<StateStore>();
  const StateSlot slot = own->insert(slot_.nq, slot_.nv);
  StateStore::copy(*store_, slot_, *own, slot);
  store_->erase(slot_);
  own_ = std::move(own);
  store_ = own_.get();
  slot_ = slot;
  number_ = -1;
}

void DynamicalSystem::requireVector(const Vector& value, const char* what) const {
  requireSize(value.size(), dimension(), what);
  requireFinite(value, what);
}

void DynamicalSystem::requireSquare(const Matrix& value, const char* what) const {
  requireShape(value, dimension(), dimension(), what);
  requireFinite(value, what);
}

void DynamicalSystem::initRhs(double time) {
  computeRhs(time);
  computeJacobianRhsx(time);
}

void DynamicalSystem::resetAllNonSmoothParts() {
  for (int level = 0; level < 3; ++level) resetNonSmoothPart(level);
}

void DynamicalSystem::resetNonSmoothPart(int level) {
  if (level < 0 || level > 2) fail("level %d of the nonsmooth input: 0, 1 and 2 exist", level);
  motion(inputField(level)).setZero();
}

void DynamicalSystem::swapInMemory() {
  motion(Motion::old) = motion(Motion::v);
  motion(Motion::inputOld) = motion(Motion::input0);
}

void DynamicalSystem::restoreFromMemory() {
  motion(Motion::v) = motion(Motion::old);
  motion(Motion::input0) = motion(Motion::inputOld);
}

void DynamicalSystem::requireFiniteState(double time) const {
  const auto check = [&](const VectorView& values, const char* what) {
    for (Index k = 0; k < values.size(); ++k)
      if (!std::isfinite(values[k]))
        fail("%s[%lld] of %s number %d is %g at t = %.17g", what, static_cast<long long>(k), className(), number_, values[k],
             time);
  };
  check(coordinates(Coordinate::q), "q");
  check(motion(Motion::v), kind_ == SystemKind::FirstOrder ? "x" : "velocity");
}

std::string DynamicalSystem::display() const {
  std::string text = std::string(className()) + " number " + std::to_string(number_) + "\n";
  describe(text);
  return text;
}

// The differences are those of two steps: what they differ by is how far the error of the shorter one may go, and rounding of f
// beyond that makes no defect either.
double jacobianDefect(const std::function<void(ConstVectorRef, VectorRef)>& f, ConstVectorRef x, const Matrix& jacobian) {
  constexpr double epsilon = std::numeric_limits<double>::epsilon(), roundings_of_f = 10;
  Vector point = x, ahead = Vector::Zero(jacobian.rows()), behind = ahead, size = ahead, derivative = ahead;
  double worst = 0, largest = jacobian.size() == 0 ? 0.0 : jacobian.cwiseAbs().maxCoeff();
  const auto difference = [&](Index j, double step) -> Vector {
    point[j] = x[j] + step;
    ahead.setZero();
    f(point, ahead);
    point[j] = x[j] - step;
    behind.setZero();
    f(point, behind);
    point[j] = x[j];
    size = size.cwiseMax(ahead.cwiseAbs()).cwiseMax(behind.cwiseAbs());
    return (ahead - behind) / (2 * step);
  };
  for (Index j = 0; j < jacobian.cols(); ++j) {
    const double step = std::cbrt(epsilon) * std::max(1.0, std::abs(x[j]));
    size.setZero();
    derivative = difference(j, step);
    const Vector error = (difference(j, 2 * step) - derivative).cwiseAbs() + roundings_of_f * epsilon / step * size;
    worst = std::max(worst, ((derivative - jacobian.col(j)).cwiseAbs() - error).maxCoeff());
    largest = std::max(largest, derivative.cwiseAbs().maxCoeff());
  }
  return worst > 0 ? worst / largest : 0.0;
}

}  // namespace nonsmooth::kernel
