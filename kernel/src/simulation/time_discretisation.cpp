#include "nonsmooth/kernel/time_discretisation.hpp"

#include "nonsmooth/kernel/simulation.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

namespace nonsmooth::kernel {
namespace {

// By what part of a step of length h the end of a run may be missed: instants and the final time are rounded, the more the
// farther they are from zero.
double endRounding(double time, double h) {
  constexpr double least = 1e-9, most = 0.5, roundings = 4;
  return std::clamp(roundings * std::numeric_limits<double>::epsilon() * std::abs(time) / h, least, most);
}

// Shorter steps than the distance of doubles at an instant would give it again and again.
void requireStepSeen(double instant, double h) {
  const double spacing = std::nextafter(std::abs(instant), std::numeric_limits<double>::infinity()) - std::abs(instant);
  if (!(h >= spacing)) fail("a time step of %g is lost in the rounding of the instant %.17g", h, instant);
}

double parseStep(const std::string& text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) fail("time step \"%s\" is not a number", text.c_str());
  return value;
}

constexpr double exact_integers = 0x1p53;

// A number in decimal text, which has been parsed, as numerator / power of ten; power 0 where these are no exact doubles.
void findFraction(const std::string& text, double& numerator, double& power) {
  constexpr int largest_power = 22;
  const std::size_t mark = std::min(text.find_first_of("eE"), text.size());
  int exponent = 0;
  if (mark < text.size()) {
    const std::size_t first = mark + (text[mark + 1] == '+' ? 2 : 1);
    std::from_chars(text.data() + first, text.data() + text.size(), exponent);
  }
  numerator = 0;
  bool fraction = false;
  for (const char c : text.substr(0, mark)) {
    if (c >= '0' && c <= '9') {
      numerator = 10 * numerator + (c - '0');
      if (fraction) --exponent;
    }
    fraction = fraction || c == '.';
  }
  power = exponent <= 0 && exponent >= -largest_power && numerator <= exact_integers ? 1 : 0;
  for (; exponent < 0; ++exponent) power *= 10;
}

}  // namespace

TimeDiscretisation::TimeDiscretisation(double t0, double h) : t0_(t0), h_(h) {
  if (!(h > 0) || !std::isfinite(h)) fail("the time step is %g", h);
  if (!std::isfinite(t0)) fail("the initial time is %g", t0);
  requireStepSeen(t0, h);
}

TimeDiscretisation::TimeDiscretisation(double t0, const std::string& h) : TimeDiscretisation(t0, parseStep(h)) {
  findFraction(h, numerator_, power_);
}

TimeDiscretisation::TimeDiscretisation(unsigned nSteps, double t0, double T) : t0_(t0), steps_(nSteps), end_(T) {
  if (nSteps == 0) fail("a time discretisation needs at least one step");
  if (!(T > t0)) fail("the final time %.17g is not after the initial time %.17g", T, t0);
  h_ = (T - t0) / nSteps;
  if (!std::isfinite(h_)) fail("%u equal steps from %g to %g", nSteps, t0, T);
  requireStepSeen(std::max(std::abs(t0), std::abs(T)), h_);
}

TimeDiscretisation::TimeDiscretisation(std::vector<double> instants) : t0_(0), instants_(std::move(instants)) {
  if (instants_.size() < 2) fail("a time discretisation needs at least two instants");
  for (std::size_t k = 1; k < instants_.size(); ++k)
    if (!(instants_[k] > instants_[k - 1]))
      fail("instant %zu (%.17g) is not after the one before it (%.17g)", k, instants_[k], instants_[k - 1]);
  for (const double end : {instants_.front(), instants_.back()})
    if (!std::isfinite(end)) fail("an instant of a time discretisation is %g", end);
  t0_ = instants_.front();
}

TimeDiscretisation::TimeDiscretisation(Steps steps) : TimeDiscretisation(0.0, steps.h) {
  if (steps.count == 0 || steps.count > std::numeric_limits<unsigned>::max())
    fail("a time discretisation of %llu steps", steps.count);
  steps_ = static_cast<unsigned>(steps.count);
  t0_ = std::numeric_limits<double>::quiet_NaN();
}

void TimeDiscretisation::beginWith(NonSmoothDynamicalSystem& model) {
  if (!std::isnan(t0_)) return;
  requireStepSeen(model.t0(), h_);
  t0_ = model.t0();
  model.setT(lastInstant());
}

TimeDiscretisation::TimeDiscretisation(double h, unsigned nSteps, Link<NonSmoothDynamicalSystem> model)
    : TimeDiscretisation(model->t0(), h) {
  if (nSteps == 0) fail("a time discretisation needs at least one step");
  model_ = model.shared();
  steps_ = nSteps;
  model_->setT(t0_ + nSteps * h);
}

TimeDiscretisation::TimeDiscretisation(double h, Simulation* simulation)
    : TimeDiscretisation(Link<Simulation>(simulation)->nonSmoothDynamicalSystem().t0(), h) {
  simulation->setTimeDiscretisation(*this);
}

TimeDiscretisation::TimeDiscretisation(double h, unsigned nSteps, Simulation* simulation)
    : TimeDiscretisation(h, nSteps, Link<NonSmoothDynamicalSystem>(Link<Simulation>(simulation)->nonSmoothDynamicalSystem())) {
  simulation->setTimeDiscretisation(*this);
}

long TimeDiscretisation::getK() const {
  const auto simulation = simulation_.lock();
  return simulation ? (*simulation)->getK() : 0;
}

long TimeDiscretisation::getNSteps() const {
  const auto simulation = simulation_.lock();
  if (!simulation) fail("no simulation has these instants");
  return (*simulation)->getNSteps();
}

double TimeDiscretisation::getTk(long k) const {
  if (k < 0) fail("instants are counted from 0, not from %ld", k);
  if (instants_.empty()) {
    const double count = static_cast<double>(k);
    return t0_ + (power_ > 0 && count * numerator_ <= exact_integers ? count * numerator_ / power_ : count * h_);
  }
  if (k >= static_cast<long>(instants_.size())) fail("instant %ld of %zu", k, instants_.size());
  return instants_[static_cast<std::size_t>(k)];
}

double TimeDiscretisation::lastInstant() const {
  if (!instants_.empty()) return instants_.back();
  return steps_ > 0 ? getTk(static_cast<long>(steps_)) : std::numeric_limits<double>::infinity();
}

long TimeDiscretisation::numberOfSteps(double T) const {
  if (!instants_.empty()) {
    // As for equal steps, an instant beyond T by rounding of its step is at T.
    std::size_t count = 0, most = instants_.size() - 1;
    while (count < most) {
      const std::size_t middle = (count + most + 1) / 2;
      const double instant = instants_[middle], h = instant - instants_[middle - 1];
      if (instant - endRounding(instant, h) * h <= T)
        count = middle;
      else
        most = middle - 1;
    }
    return static_cast<long>(count);
  }
  const double end = std::fmin(T, end_);
  if (std::isinf(end)) return std::numeric_limits<long>::max();
  const double rounding = endRounding(std::max(std::abs(t0_), std::abs(end)), h_);
  const double count = std::max(0.0, std::floor((end - t0_) / h_ + rounding));
  constexpr double most = 9e18;  // what a long holds
  const long whole = count < most ? static_cast<long>(count) : std::numeric_limits<long>::max() - 1;
  return steps_ > 0 ? std::min(whole, static_cast<long>(steps_)) : whole;
}

}  // namespace nonsmooth::kernel
