// Steps of the integrator are searched in parts within which functions do what their values at the ends tell.
#include <algorithm>
#include <cmath>
#include <limits>

#include "events/event_driven_work.hpp"

namespace nonsmooth::kernel {
namespace {

// Where within a part functions are looked at. Not in its middle: motion that repeats itself would be met at the same place.
constexpr double first_share = 0.4, second_share = 0.7;
// What a polynomial may be off by, as a share of what the function takes on, and still tell where it falls and rises.
constexpr double trusted = 0.02;
// A part is not cut in more than 2^8.
constexpr int greatest_depth = 8;
// The first part after an event is not longer than that share of an interval of the time discretisation, others than that many
// times the one before.
constexpr double first_part = 0.01, growth = 4;

// The cubic polynomial on [0, 1] with these values and rates at its ends.
struct Cubic {
  double value0, rate0, value1, rate1;

  double operator()(double s) const {
    const double rise = value1 - value0;
    return value0 + s * (rate0 + s * (3 * rise - 2 * rate0 - rate1 + s * (rate0 + rate1 - 2 * rise)));
  }
  // Where it has a minimum of its own, else 0.
  double bottom() const {
    const double rise = value1 - value0, b = 3 * rise - 2 * rate0 - rate1, a = 3 * (rate0 + rate1 - 2 * rise);
    const double root = b * b - a * rate0;
    if (!(root > 0)) return 0;
    const double s = b > 0 ? -rate0 / (b + std::sqrt(root)) : (std::sqrt(root) - b) / a;
    return s > 0 && s < 1 ? s : 0;
  }
};

// The quadratic polynomial with these values at 0, first_share and 1.
struct Quadratic {
  double value0, value, value1;

  double curvature() const { return (value1 - value0 - (value - value0) / first_share) / (1 - first_share); }
  double operator()(double s) const {
    const double a = curvature();
    return value0 + s * (value1 - value0 - a + s * a);
  }
  // Where it has a minimum of its own, else 0.
  double bottom() const {
    const double a = curvature(), s = 0.5 - 0.5 * (value1 - value0) / a;
    return a > 0 && s > 0 && s < 1 ? s : 0;
  }
};

}  // namespace

// Is it known from the ends and one value within that nothing happens in the part? Of a gap the velocities of the ends tell by
// how much it may change; other functions are to differ by less than what is left of them.
bool EventDriven::Work::isQuiet(const Function& function, double length) const {
  if (!asksForLook(function)) return true;
  const double zero = zeroOf(function);
  const auto [least, greatest] = std::minmax({function.value, function.first, function.end_value});
  if (function.kind != FunctionKind::Gap) return least > std::max(zero, greatest - least) || (greatest <= zero && least >= -zero);
  return least > zero + 2 * std::max(greatest - least, length * std::max(std::abs(function.rate), std::abs(function.end_rate)));
}

// Could the function have come to zero within the part without its ends telling? Or is it not known well enough?
bool EventDriven::Work::hidesDip(Function& function, double length) const {
  function.least = std::numeric_limits<double>::infinity();
  if (function.quiet && (asksForLook(function) || function.disabled)) return false;
  return function.kind == FunctionKind::Gap ? hidesDipOfGap(function, length) : hidesDipOfValues(function);
}

bool EventDriven::Work::hidesDipOfGap(Function& function, double length) const {
  const double zero = zeroOf(function);
  const Cubic cubic{function.value, function.rate * length, function.end_value, function.end_rate * length};
  // Gaps of linear relations bend as the motion does, which the steps follow.
  double off = 0;
  if (asksForLook(function))
    off = 2 * std::max(std::abs(function.first - cubic(first_share)), std::abs(function.second - cubic(second_share)));
  const double bottom = cubic.bottom();
  function.least = (bottom > 0 ? cubic(bottom) : std::min(cubic.value0, cubic.value1)) - off;
  if (std::min({function.least, cubic.value0, cubic.value1}) > zero) return false;
  const double range = std::max({std::abs(cubic.value0), std::abs(cubic.value1), std::abs(cubic.rate0), std::abs(cubic.rate1)});
  if (off > std::max(zero, trusted * range)) return true;
  // What falls at the start and rises at the end is followed to its minimum. What has not been above zero is not at it anew.
  return bottom > 0 && (function.rate < 0) == (function.end_rate < 0) && function.least < (function.armed ? zero : -zero);
}

// Of a function whose rate is not known.
bool EventDriven::Work::hidesDipOfValues(const Function& function) const {
  const double zero = zeroOf(function);
  const Quadratic quadratic{function.value, function.first, function.end_value};
  const double off = 2 * std::abs(function.second - quadratic(second_share)), bottom = quadratic.bottom();
  const double least = bottom > 0 ? quadratic(bottom) : std::min(quadratic.value0, quadratic.value1);
  if (std::min({least, quadratic.value0, quadratic.value1}) - off > zero) return false;
  const auto [lowest, highest] = std::minmax({function.value, function.first, function.second, function.end_value});
  if (off > std::max(zero, trusted * (highest - lowest))) return true;
  return bottom > 0 && function.end_value >= 0 && least < off - zero;
}

// Do values within the part tell more of the function than those of its ends?
bool EventDriven::Work::asksForLook(const Function& function) const {
  return !function.disabled && (function.kind != FunctionKind::Gap || !model_.recordAt(function.record).linear);
}

// The values of all functions at the end of the part, which is the present state then, and within it.
void EventDriven::Work::look(double start, double end) {
  const auto at = [&](double share) { return start + share * (end - start); };
  const auto asks = [&](const Function& function) { return asksForLook(function); };
  if (std::any_of(functions_.begin(), functions_.end(), asks)) {
    evaluateForces(at(first_share));
    for (Function& function : functions_)
      if (asks(function)) function.first = presentValue(function, at(first_share));
  }
  evaluateForces(end);
  for (Function& function : functions_) {
    function.end_value = presentValue(function, end);
    if (function.kind == FunctionKind::Gap) function.end_rate = gapRateAt(function, end);
  }
  bool loud = false;
  for (Function& function : functions_) {
    function.quiet = isQuiet(function, end - start);
    loud = loud || !function.quiet;
  }
  if (!loud) return;
  evaluateForces(at(second_share));
  for (Function& function : functions_)
    if (!function.quiet) function.second = presentValue(function, at(second_share));
  evaluateForces(end);
}

// From `start`, where the values of functions are known, to `end`, which is the present state afterwards. Closed contacts hide
// what acts on them from the integrator, whose steps may pass over many periods of a force: parts grow from one to the next.
void EventDriven::Work::searchParts(double start, double end) {
  const auto asks = [&](const Function& function) { return asksForLook(function); };
  const bool bounded = std::any_of(functions_.begin(), functions_.end(), asks);
  const double least = std::max(first_part * simulation_.timeDiscretisation().timeStep(0), 10 * events_.resolution());
  while (bounded && end - start > std::max(least, growth * last_part_)) {
    const double length = std::max(least, growth * last_part_), middle = start + length;
    searchPart(start, middle, 0);
    if (found_ && found_time_ < middle - events_.resolution()) return evaluateForces(end);
    // One that had to be cut does not shorten those that follow for ever.
    last_part_ = std::max(last_part_, length / growth);
    start = middle;
  }
  searchPart(start, end, 0);
}

// One of them, in halves as long as functions do in it what its ends do not tell.
void EventDriven::Work::searchPart(double start, double end, int depth) {
  look(start, end);
  bool hidden = false;
  for (Function& function : functions_) hidden = hidesDip(function, end - start) || hidden;
  if (hidden && depth < greatest_depth && end - start > 10 * events_.resolution()) {
    const double middle = start + 0.5 * (end - start);
    searchPart(start, middle, depth + 1);
    if (found_ && found_time_ < middle - events_.resolution()) return evaluateForces(end);
    return searchPart(middle, end, depth + 1);
  }
  last_part_ = end - start;
  for (std::size_t k = 0; k < functions_.size(); ++k) inspect(k, start, end);
}

}  // namespace nonsmooth::kernel
