// Events as roots of functions of the state, located on the continuous output of the integrator.
#include <algorithm>
#include <cmath>

#include "events/event_driven_work.hpp"

namespace nonsmooth::kernel {
namespace {

// The instant in (low, high) where f falls through zero; f(low) > 0 > f(high). Regula falsi with halved values (Illinois), a
// bisection every fourth time.
template <class F>
double fallingRoot(const F& f, double low, double high, double at_low, double at_high) {
  constexpr double rounding = std::numeric_limits<double>::epsilon();
  double last = low;
  int side = 0;
  for (int k = 1; k <= 200; ++k) {
    double middle = high - at_high * (high - low) / (at_high - at_low);
    if (k % 4 == 0 || !(middle > low && middle < high)) middle = 0.5 * (low + high);
    if (std::abs(middle - last) <= rounding * std::abs(middle) || middle <= low || middle >= high) return middle;
    last = middle;
    const double value = f(middle);
    if (value == 0) return middle;
    if (value > 0) {
      low = middle;
      at_low = value;
      if (side == 1) at_high *= 0.5;
      side = 1;
    } else {
      high = middle;
      at_high = value;
      if (side == -1) at_low *= 0.5;
      side = -1;
    }
  }
  return 0.5 * (low + high);
}

}  // namespace

double EventDriven::zeroOf(const Function& function) const {
  switch (function.kind) {
    case FunctionKind::Gap: return tolerance_;
    case FunctionKind::Slide: return velocity_zero_;
    case FunctionKind::Force:
    case FunctionKind::Stick: break;
  }
  return tolerance_ * std::max(1.0, model_->outputs().view(Output::lambda2, recordAt(function.record).y).norm());
}

// At the present state; forces must have been evaluated.
double EventDriven::presentValue(const Function& function, double time) {
  InteractionRecord& record = recordAt(function.record);
  OutputStore& outputs = model_->outputs();
  VectorView lambda = outputs.view(Output::lambda2, record.y);
  switch (function.kind) {
    case FunctionKind::Gap: {
      VectorView y = outputs.view(Output::y0, record.y);
      record.relation->evaluateh(model_->point(record, time, 2), y);
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

double EventDriven::valueAt(const Function& function, double time) {
  integrator().interpolate(time);
  if (function.kind == FunctionKind::Force || function.kind == FunctionKind::Stick) integrator().motion().evaluate(time);
  return presentValue(function, time);
}

// y' at the present state.
VectorView EventDriven::rateAt(InteractionRecord& record, double time) {
  const RelationPoint at = model_->point(record, time, 2);
  if (!record.linear) record.relation->evaluateh(at, model_->outputs().view(Output::y0, record.y));
  if (model_->updateMatrices(record, at)) ++jacobian_version_;
  VectorView rate = model_->outputs().view(Output::y1, record.y);
  model_->outputRate(record, at, rate);
  return rate;
}

double EventDriven::gapRateAt(const Function& function, double time) { return rateAt(recordAt(function.record), time)[0]; }

void EventDriven::buildFunctions() {
  auto& functions = work_->functions;
  functions.clear();
  const double time = instant();
  bool with_forces = false;
  for (const int index : index_sets_[0]) {
    const InteractionRecord& record = recordAt(index);
    const Contact& contact = work_->contacts[static_cast<std::size_t>(index)];
    if (record.law->kind() == LawKind::EqualityCondition) continue;
    Function function;
    function.record = index;
    function.kind = contact.closed ? FunctionKind::Force : FunctionKind::Gap;
    functions.push_back(function);
    with_forces = with_forces || contact.closed;
    if (!contact.closed || contact.mode == ContactMode::Frictionless) continue;
    function.kind = contact.mode == ContactMode::Sticking ? FunctionKind::Stick : FunctionKind::Slide;
    functions.push_back(function);
  }
  if (with_forces) integrator().motion().evaluate(time);
  for (Function& function : functions) {
    function.value = presentValue(function, time);
    function.armed = function.value > zeroOf(function);
    if (function.kind == FunctionKind::Gap) function.rate = gapRateAt(function, time);
    // What fires again at the instant at which it has just fired has nothing to say until the next event.
    const Contact& contact = work_->contacts[static_cast<std::size_t>(function.record)];
    function.disabled =
        contact.at_once && function.kind != FunctionKind::Gap && contact.fired[static_cast<std::size_t>(function.kind)];
  }
}

void EventDriven::fire(std::size_t k, double time, bool at_once) {
  Work& w = *work_;
  if (w.found && time > w.found_time + events_.resolution()) return;
  if (w.found && time < w.found_time - events_.resolution()) {
    for (const std::size_t other : w.fired) {
      Contact& contact = w.contacts[static_cast<std::size_t>(w.functions[other].record)];
      std::fill(std::begin(contact.fired), std::end(contact.fired), false);
      contact.at_once = false;
    }
    w.found = false;
  }
  if (!w.found) w.fired.clear();
  w.found_time = w.found ? std::min(w.found_time, time) : time;
  w.found = true;
  w.fired.push_back(k);
  Contact& contact = w.contacts[static_cast<std::size_t>(w.functions[k].record)];
  contact.fired[static_cast<std::size_t>(w.functions[k].kind)] = true;
  contact.at_once = contact.at_once || at_once;
}

// A gap that falls and rises again within the step: its least value.
void EventDriven::inspectDip(std::size_t k, double start, double end, double value, double rate) {
  const Function& function = work_->functions[k];
  // Where the tangents of both ends meet a convex function is not yet lower.
  const double meeting = (value - rate * end - function.value + function.rate * start) / (function.rate - rate);
  const double zero = zeroOf(function);
  if (function.value + function.rate * (meeting - start) > zero) return;
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
double EventDriven::instantAbove(const Function& function, double start, double end) {
  for (double part = 0.5; part > 1e-16; part *= 0.5) {
    const double instant = start + part * (end - start);
    if (instant <= start) break;
    if (valueAt(function, instant) > 0) return instant;
  }
  return start;
}

// A gap that begins at zero and rises, and is below zero at the end of the step without having been found above: rounding of the
// output of a long step hides the flight. One that begins farther below than it moves within the rounding of an instant has no
// flight yet. The present state is that of `end`, before and after.
bool EventDriven::hidesFlight(double start, double end) {
  for (const Function& function : work_->functions) {
    if (function.kind != FunctionKind::Gap || function.armed || function.disabled || function.rate <= velocity_zero_) continue;
    if (function.value < -zeroOf(function) - function.rate * events_.resolution()) continue;
    if (presentValue(function, end) >= -zeroOf(function)) continue;
    const bool hidden = instantAbove(function, start, end) <= start;
    evaluateForces(end);
    if (hidden) return true;
  }
  return false;
}

// A function that has not been clearly above zero since the last event, and is below at the end of the step. It rises from zero,
// or it does not. Joints that an event puts back can take a gap below zero: nothing has fallen there. Nor does a gap meet again
// what it has just grazed: it opens there, by an acceleration that soon turns, and comes back where it has clearly fallen.
void EventDriven::inspectReturn(std::size_t k, double start, double end, double value) {
  const Function& function = work_->functions[k];
  const Contact& contact = work_->contacts[static_cast<std::size_t>(function.record)];
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

// One function over the step from `start`, where its value is known, to `end`; the present state is that of `end`.
void EventDriven::inspect(std::size_t k, double start, double end) {
  Function& function = work_->functions[k];
  const double zero = zeroOf(function), value = presentValue(function, end);
  const double rate = function.kind == FunctionKind::Gap ? gapRateAt(function, end) : 0.0;
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
void EventDriven::evaluateForces(double time) {
  integrator().interpolate(time);
  for (const Function& function : work_->functions)
    if (function.kind == FunctionKind::Force || function.kind == FunctionKind::Stick) return integrator().motion().evaluate(time);
}

void EventDriven::searchStep() {
  Work& w = *work_;
  const double start = w.searched;
  double end = integrator().stepEnd();
  if (!w.functions.empty()) evaluateForces(end);
  // Flights shorter than instants can be told apart are none.
  while (end - start > 10 * events_.resolution() && hidesFlight(start, end)) {
    const double shorter = start + 0.1 * (end - start);
    integrator().interpolate(start);
    integrator().restart(start);
    integrator().step(shorter, shorter);
    end = integrator().stepEnd();
    evaluateForces(end);
  }
  w.searched = end;
  if (w.functions.empty()) return;
  for (std::size_t k = 0; k < w.functions.size(); ++k) inspect(k, start, end);
  if (!w.found) integrator().motion().acceptDirections();
}

}  // namespace nonsmooth::kernel
