// Events as roots of functions of the state, located on the continuous output of the integrator.
#include <algorithm>
#include <cmath>

#include "events/event_driven_work.hpp"

namespace nonsmooth::kernel {
namespace {

// The instant in (low, high) where f falls through zero, to rounding; f(low) > 0 > f(high). Inverse quadratic interpolation where
// the last three values allow it, else bisection: Chandrupatla 1997, "A new hybrid quadratic/bisection algorithm".
template <class F>
double fallingRoot(const F& f, double low, double high, double at_low, double at_high) {
  // The root lies between a and b; c was one of them before.
  double a = high, at_a = at_high, b = low, at_b = at_low, share = 0.5;
  for (int k = 0; k < 200; ++k) {
    const double middle = a + share * (b - a), value = f(middle);
    const bool beside_a = (value > 0) == (at_a > 0);
    const double c = beside_a ? a : b, at_c = beside_a ? at_a : at_b;
    if (!beside_a) {
      b = a;
      at_b = at_a;
    }
    a = middle;
    at_a = value;
    const double best = std::abs(at_a) < std::abs(at_b) ? a : b;
    const double least = std::numeric_limits<double>::epsilon() * std::abs(best) / std::abs(b - a);
    if (value == 0 || !(least < 0.5)) return best;
    const double xi = (a - b) / (c - b), phi = (at_a - at_b) / (at_c - at_b);
    const bool interpolates = phi * phi < xi && (1 - phi) * (1 - phi) < 1 - xi;
    share = interpolates
                ? at_a / (at_b - at_a) * at_c / (at_b - at_c) + (c - a) / (b - a) * at_a / (at_c - at_a) * at_b / (at_c - at_b)
                : 0.5;
    share = std::clamp(share, least, 1 - least);
  }
  return a;
}

}  // namespace

double EventDriven::Work::zeroOf(const Function& function) const {
  switch (function.kind) {
    case FunctionKind::Gap: return settings.tolerance;
    case FunctionKind::Slide: return velocity_zero_;
    case FunctionKind::Force:
    case FunctionKind::Stick: break;
  }
  return settings.tolerance * std::max(1.0, model_.outputs().view(Output::lambda2, model_.recordAt(function.record).y).norm());
}

// At the present state; forces must have been evaluated.
double EventDriven::Work::presentValue(const Function& function, double time) {
  InteractionRecord& record = model_.recordAt(function.record);
  OutputStore& outputs = model_.outputs();
  VectorView lambda = outputs.view(Output::lambda2, record.y);
  switch (function.kind) {
    case FunctionKind::Gap: {
      VectorView y = outputs.view(Output::y0, record.y);
      record.relation->evaluateh(model_.point(record, time, 2), y);
      return y[0];
    }
    case FunctionKind::Force: return lambda[0];
    case FunctionKind::Stick: return record.law->mu() * lambda[0] - lambda.tail(lambda.size() - 1).norm();
    case FunctionKind::Slide: break;
  }
  const VectorView velocity = rateAt(record, time);
  const SmoothMotion& motion = integrator().motion();
  return motion.slidingVelocity(*motion.find(record), velocity);
}

double EventDriven::Work::valueAt(const Function& function, double time) {
  integrator().interpolate(time);
  if (function.kind == FunctionKind::Force || function.kind == FunctionKind::Stick) integrator().motion().evaluate(time);
  return presentValue(function, time);
}

// y' at the present state.
VectorView EventDriven::Work::rateAt(InteractionRecord& record, double time) {
  const RelationPoint at = model_.point(record, time, 2);
  if (!record.linear) record.relation->evaluateh(at, model_.outputs().view(Output::y0, record.y));
  model_.updateMatrices(record, at);
  VectorView rate = model_.outputs().view(Output::y1, record.y);
  model_.outputRate(record, at, rate);
  return rate;
}

double EventDriven::Work::gapRateAt(const Function& function, double time) {
  return rateAt(model_.recordAt(function.record), time)[0];
}

void EventDriven::Work::buildFunctions() {
  functions_.clear();
  const double time = instant();
  bool with_forces = false;
  for (const int index : index_sets_[0]) {
    const InteractionRecord& record = model_.recordAt(index);
    const Contact& contact = contactOf(index);
    if (record.law->kind() == LawKind::EqualityCondition) continue;
    Function function;
    function.record = index;
    function.kind = contact.closed ? FunctionKind::Force : FunctionKind::Gap;
    functions_.push_back(function);
    with_forces = with_forces || contact.closed;
    if (!contact.closed || contact.mode == ContactMode::Frictionless) continue;
    function.kind = contact.mode == ContactMode::Sticking ? FunctionKind::Stick : FunctionKind::Slide;
    functions_.push_back(function);
  }
  if (with_forces) integrator().motion().evaluate(time);
  for (Function& function : functions_) {
    function.value = presentValue(function, time);
    function.armed = function.value > zeroOf(function);
    if (function.kind == FunctionKind::Gap) function.rate = gapRateAt(function, time);
    // What fires again at the instant at which it has just fired has nothing to say until the next event.
    const Contact& contact = contactOf(function.record);
    function.disabled = contact.at_once && function.kind != FunctionKind::Gap && contact.hasFired(function.kind);
  }
}

void EventDriven::Work::fire(std::size_t k, double time, bool at_once) {
  if (found_ && time > found_time_ + events_.resolution()) return;
  if (found_ && time < found_time_ - events_.resolution()) {
    for (const std::size_t other : fired_) {
      Contact& contact = contactOf(functions_[other].record);
      contact.forgetFired();
    }
    found_ = false;
  }
  if (!found_) fired_.clear();
  found_time_ = found_ ? std::min(found_time_, time) : time;
  found_ = true;
  fired_.push_back(k);
  Contact& contact = contactOf(functions_[k].record);
  contact.fired[static_cast<std::size_t>(functions_[k].kind)] = true;
  contact.at_once = contact.at_once || at_once;
}

// A gap that falls and rises again within the step: its least value.
void EventDriven::Work::inspectDip(std::size_t k, double start, double end, double value, double rate) {
  const Function& function = functions_[k];
  // Where the tangents of both ends meet a convex function is not yet lower.
  const double meeting = (value - rate * end - function.value + function.rate * start) / (function.rate - rate);
  const double zero = zeroOf(function);
  if (std::min(function.least, function.value + function.rate * (meeting - start)) > zero) return;
  const auto fall = [&](double t) {
    integrator().interpolate(t);
    return -gapRateAt(function, t);
  };
  const double least = fallingRoot(fall, start, end, -function.rate, -rate);
  const double depth = valueAt(function, least);
  if (depth < -zero)
    fire(k, fallingRoot([&](double t) { return valueAt(function, t); }, start, least, function.value, depth), false);
  else if (depth <= zero)
    fire(k, least, false);
}

// The last of start + (end - start) / 2, / 4 ... at which a function that begins at zero is found above; start where none is.
double EventDriven::Work::instantAbove(const Function& function, double start, double end) {
  for (double part = 0.5; part > 1e-16; part *= 0.5) {
    const double instant = start + part * (end - start);
    if (instant <= start) break;
    if (valueAt(function, instant) > 0) return instant;
  }
  return start;
}

// A gap that begins at zero and rises, and is below zero at the end of the step without having been found above: rounding of the
// output of a long step hides the flight. One that begins farther below than it moves within the rounding of an instant has no
// flight yet.
bool EventDriven::Work::hidesFlight(double start, double end) {
  for (const Function& function : functions_) {
    if (function.kind != FunctionKind::Gap || function.armed || function.disabled || function.rate <= velocity_zero_) continue;
    if (function.value < -zeroOf(function) - function.rate * events_.resolution()) continue;
    if (valueAt(function, end) < -zeroOf(function) && instantAbove(function, start, end) <= start) return true;
  }
  return false;
}

// A function that has not been clearly above zero since the last event, and is below at the end of the step. It rises from zero,
// or it does not. Joints that an event puts back can take a gap below zero: nothing has fallen there. Nor does a gap meet again
// what it has just grazed: it opens there, by an acceleration that soon turns, and comes back where it has clearly fallen.
void EventDriven::Work::inspectReturn(std::size_t k, double start, double end, double value) {
  const Function& function = functions_[k];
  const Contact& contact = contactOf(function.record);
  const bool gap = function.kind == FunctionKind::Gap;
  const double bottom = (gap ? contact.floor : 0.0) - zeroOf(function);
  const auto at = [&](double t) { return valueAt(function, t); };
  const double low = instantAbove(function, start, end), root = low > start ? fallingRoot(at, low, end, at(low), value) : start;
  const bool again = gap && root <= contact.grazed + events_.resolution();
  if (low > start && !again) return fire(k, root, false);
  if (value >= bottom) return;
  if (!again || function.value <= bottom) return fire(k, start, true);
  fire(k, fallingRoot([&](double t) { return at(t) - bottom; }, start, end, function.value - bottom, value - bottom), true);
}

// One function over a part of the step from `start` to `end`, at which its values are known; the present state is that of `end`.
void EventDriven::Work::inspect(std::size_t k, double start, double end) {
  Function& function = functions_[k];
  const double zero = zeroOf(function), value = function.end_value;
  const double rate = function.kind == FunctionKind::Gap ? function.end_rate : 0.0;
  // An impact leaves a gap below zero by what moves within the rounding of its instant: it is on its way up.
  const bool rising = rate > velocity_zero_ && value > function.value;
  const auto at = [&](double t) { return valueAt(function, t); };
  bool moved = false;
  if (!function.disabled && function.armed && value < 0) {
    fire(k, function.value > 0 ? fallingRoot(at, start, end, function.value, value) : start, false);
    moved = true;
  } else if (!function.disabled && !function.armed && value < -zero && !rising) {
    inspectReturn(k, start, end, value);
    moved = true;
  } else if (!function.disabled && function.kind == FunctionKind::Gap && function.rate < 0 && rate > 0 && function.armed) {
    inspectDip(k, start, end, value, rate);
    moved = true;
  }
  function.value = value;
  function.rate = rate;
  function.armed = function.armed || value > zero;
  if (moved) evaluateForces(end);
}

// The state at an instant of the step, with the forces of closed contacts where they are asked for.
void EventDriven::Work::evaluateForces(double time) {
  integrator().interpolate(time);
  for (const Function& function : functions_)
    if (function.kind == FunctionKind::Force || function.kind == FunctionKind::Stick) return integrator().motion().evaluate(time);
}

void EventDriven::Work::searchStep() {
  const double start = searched_;
  double end = integrator().stepEnd();
  // Flights shorter than instants can be told apart are none.
  while (end - start > 10 * events_.resolution() && hidesFlight(start, end)) {
    const double shorter = start + 0.1 * (end - start);
    integrator().interpolate(start);
    integrator().restart(start);
    integrator().step(shorter, shorter);
    end = integrator().stepEnd();
  }
  searched_ = end;
  if (functions_.empty()) return;
  searchParts(start, end);
  if (!found_) integrator().motion().acceptDirections();
}

}  // namespace nonsmooth::kernel
