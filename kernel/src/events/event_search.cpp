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

double EventDriven::zeroOf(const Function& function) const {
  switch (function.kind) {
    case FunctionKind::Gap: return tolerance_;
    case FunctionKind::Slide: return velocity_zero_;
    case FunctionKind::Force:
    case FunctionKind::Stick: break;
  }
  return tolerance_ * std::max(1.0, model_->outputs().view(Output::lambda2, model_->recordAt(function.record).y).norm());
}

// At the present state; forces must have been evaluated.
double EventDriven::presentValue(const Function& function, double time) {
  InteractionRecord& record = model_->recordAt(function.record);
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

double EventDriven::gapRateAt(const Function& function, double time) {
  return rateAt(model_->recordAt(function.record), time)[0];
}

void EventDriven::buildFunctions() {
  auto& functions = work_->functions;
  functions.clear();
  const double time = instant();
  bool with_forces = false;
  for (const int index : index_sets_[0]) {
    const InteractionRecord& record = model_->recordAt(index);
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
