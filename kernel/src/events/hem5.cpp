// Brasey and Hairer, SIAM J. Numer. Anal. 30 (1993) 538-552.
#include <algorithm>
#include <cmath>

#include "events/hermite_output.hpp"
#include "events/smooth_motion.hpp"
#include "nonsmooth/kernel/event_integrators.hpp"
#include "nonsmooth/kernel/simulation.hpp"

namespace nonsmooth::kernel {
namespace {

constexpr int stages = 8;
constexpr std::array<double, stages> nodes = {0, .1, .15, .3614787346573635, .08535584335486351, .5, .8, 1};
// Row i: those of stage i + 1; the last row: the weights of the step.
constexpr std::array<std::array<double, stages>, stages> coefficients = {{
    {.1},
    {.0375, .1125},
    {.3222169236216038, -1.188883322987607, 1.228145134023366},
    {-.03501123898129943, .3725420601086163, -.2721053535582034, .01993037578575077},
    {-.5576547055042005, 1.367307289645883, -1.732236360460725, .4587772007467548, .9638065755722880},
    {.08654517193566155, -.08810082847945416, .1981275547329404, -.4645422679331083, .1615170091109488, .9064533606330119},
    {0, 0, 0, 3.624477248753816, -.4617724189181256, -3.198024628164272, 1.035319798328740},
    {0, 0, 0, .2467760667636791, .2106594087489728, .1769218149125021, .3064446444147922, .05919806516005373},
}};
constexpr double safety = 0.85, least_ratio = 0.2, greatest_ratio = 10, first_step = 1e-3;

}  // namespace

struct Hem5OSI::Work {
  Vector q0, v0, q1, v1;                          // of the step
  Vector rate0, rate1, second0, second1, a0, a1;  // q', q'', v' at its ends
  std::array<Vector, stages> rate, acceleration;
  Vector q, v, q8, v8, zero;
  double h = 0, last_h = 0;  // to be tried next; of the last step
  long since_restart = 0;
  bool turning = false;  // some q' is not v

  void resize(Index positions, Index velocities) {
    for (Vector* x : {&q0, &q1, &rate0, &rate1, &second0, &second1, &q, &q8}) x->setZero(positions);
    for (Vector* x : {&v0, &v1, &a0, &a1, &v, &v8}) x->setZero(velocities);
    for (Vector& x : rate) x.setZero(positions);
    for (Vector& x : acceleration) x.setZero(velocities);
  }
};

Hem5OSI::Hem5OSI() : largest_(std::numeric_limits<double>::infinity()), work_(std::make_unique<Work>()) {}

Hem5OSI::Hem5OSI(const DynamicalSystemsSet& systems, Simulation* simulation) : Hem5OSI() {
  for (DynamicalSystem* system : systems) Link<Simulation>(simulation)->associate(*this, *Link<DynamicalSystem>(system));
}

Hem5OSI::~Hem5OSI() = default;

void Hem5OSI::setTol(double relative, double absolute) {
  if (!(relative >= 0) || !(absolute > 0)) fail("tolerances of Hem5OSI: relative %g, absolute %g", relative, absolute);
  relative_ = relative;
  absolute_ = absolute;
}

void Hem5OSI::setMinMaxStepSizes(double smallest, double largest) {
  if (!(smallest >= 0) || !(largest >= smallest) || !(largest > 0)) fail("steps of Hem5OSI: %g to %g", smallest, largest);
  smallest_ = smallest;
  largest_ = largest;
}

void Hem5OSI::setMaxNstep(long steps) {
  if (steps < 1) fail("steps of Hem5OSI between two events: %ld", steps);
  max_steps_ = steps;
}

void Hem5OSI::setProjection(int every_steps) {
  if (every_steps < 0) fail("projection of Hem5OSI every %d steps", every_steps);
  projection_ = every_steps;
}

double Hem5OSI::driftTolerance() const {
  return smallest_ == largest_ ? std::numeric_limits<double>::infinity() : EventDrivenOSI::driftTolerance();
}

void Hem5OSI::initialize(NonSmoothDynamicalSystem& new_model, std::vector<int> numbers) {
  EventDrivenOSI::initialize(new_model, std::move(numbers));
  work_->resize(positions(), velocities());
  work_->turning = positions() != velocities();
  work_->h = 0;
}

void Hem5OSI::restart(double time) {
  Work& w = *work_;
  step_start_ = step_end_ = time;
  w.since_restart = 0;
  gather(w.q1.data(), w.v1.data());
  evaluate(time, w.q1.data(), w.v1.data(), w.rate1.data(), w.a1.data());
  gatherSecondRates(w.second1.data());
  // The step is chosen anew: without errors to hold it back (free flight) it has grown without bound.
  w.h = std::min({w.h > 0 ? w.h : first_step, first_step, largest_});
}

// One step from (q0, v0) to (q1, v1); returns the error in units of the tolerances.
double Hem5OSI::attempt(double h) {
  Work& w = *work_;
  SmoothMotion& constraints = motion();
  const double start = step_start_;
  w.q = w.q0;
  w.v = w.v0;
  for (std::size_t i = 0; i < stages; ++i) {
    scatter(w.q.data(), w.v.data());
    constraints.prepare(start + nodes[i] * h);
    constraints.keepInputs();
    gatherRates(w.rate[i].data(), w.acceleration[i].data());
    ++evaluations_;
    // Where the next stage will be; its velocity but for the acceleration of this stage.
    if (i == stages - 1) {
      w.q8 = w.q;
      w.v8 = w.v;
    }
    w.q = w.q0;
    w.v = w.v0;
    for (std::size_t j = 0; j <= i; ++j)
      if (coefficients[i][j] != 0) {
        w.q += h * coefficients[i][j] * w.rate[j];
        if (j < i) w.v += h * coefficients[i][j] * w.acceleration[j];
      }
    scatter(w.q.data(), w.v.data());
    constraints.evaluateTowards(start + (i + 1 < stages ? nodes[i + 1] : 1.0) * h, h * coefficients[i][i]);
    gatherAccelerations(w.acceleration[i].data());
    w.v += h * coefficients[i][i] * w.acceleration[i];
  }
  w.q1 = w.q;
  w.v1 = w.v;
  return errorOfStep(h);
}

// Of the step from 0 to 1, in units of the tolerances: that of a second formula, damped by that of a third.
double Hem5OSI::errorOfStep(double h) const {
  const Work& w = *work_;
  double first = 0, second = 0;
  const auto add = [&](const Vector& x0, const Vector& x1, const Vector& x8, const Vector& k7, const Vector& k8) {
    for (Index k = 0; k < x0.size(); ++k) {
      const double scale = absolute_ + relative_ * std::max(std::abs(x0[k]), std::abs(x1[k]));
      first += std::pow((x1[k] - x8[k]) / scale, 2);
      second += std::pow((x1[k] - x0[k] - h * (2.5 * k7[k] - 1.5 * k8[k])) / scale, 2);
    }
  };
  add(w.q0, w.q1, w.q8, w.rate[6], w.rate[7]);
  add(w.v0, w.v1, w.v8, w.acceleration[6], w.acceleration[7]);
  const auto size = static_cast<double>(w.q0.size() + w.v0.size());
  first = std::sqrt(first / size);
  second = std::sqrt(second / size);
  return first == 0 ? 0.0 : first * first / (first + 0.01 * second);
}

void Hem5OSI::step(double, double barrier) {
  Work& w = *work_;
  if (++w.since_restart > max_steps_) fail("Hem5OSI: %ld steps after an event, at t = %.17g", max_steps_, step_end_);
  std::swap(w.q0, w.q1);
  std::swap(w.v0, w.v1);
  std::swap(w.rate0, w.rate1);
  std::swap(w.second0, w.second1);
  std::swap(w.a0, w.a1);
  step_start_ = step_end_;
  const bool fixed = smallest_ == largest_;
  const double smallest_possible = 16 * std::numeric_limits<double>::epsilon() * std::max(1e-3, std::abs(step_start_));
  for (bool rejected = false;; rejected = true) {
    double h = fixed ? largest_ : std::clamp(w.h, smallest_, largest_);
    const bool last = step_start_ + h * (1 + 1e-10) >= barrier;
    if (last) h = barrier - step_start_;
    const double error = attempt(h);
    if (!std::isfinite(error)) fail("Hem5OSI: the state is not finite after a step of %g s from t = %.17g", h, step_start_);
    const double ratio = error == 0 ? greatest_ratio : std::clamp(safety * std::pow(error, -0.2), least_ratio, greatest_ratio);
    const bool accepted = fixed || error <= 1 || h <= smallest_;
    // Not beyond the present step after a rejection; not shortened by an end that lies near.
    if (!accepted)
      w.h = h * ratio;
    else if (!last || ratio < 1)
      w.h = h * (rejected ? std::min(1.0, ratio) : ratio);
    if (accepted) {
      step_end_ = last ? barrier : step_start_ + h;
      w.last_h = h;
      break;
    }
    if (w.h < smallest_possible) fail("Hem5OSI: the tolerances cannot be met at t = %.17g", step_start_);
  }
  ++steps_;
  if (projection_ > 0 && steps_ % projection_ == 0) {
    scatter(w.q1.data(), w.v1.data());
    motion().projectPositions(step_end_);
    motion().projectVelocities(step_end_);
    gather(w.q1.data(), w.v1.data());
  }
  evaluate(step_end_, w.q1.data(), w.v1.data(), w.rate1.data(), w.a1.data());
  gatherSecondRates(w.second1.data());
}

void Hem5OSI::interpolate(double time) {
  Work& w = *work_;
  if (time == step_end_) return scatter(w.q1.data(), w.v1.data());
  const double h = step_end_ - step_start_, s = (time - step_start_) / h;
  const HermiteOutput::End start{w.q0, w.rate0, w.second0}, end{w.q1, w.rate1, w.second1};
  HermiteOutput::quintic(start, end, h, s, w.q);
  if (w.turning)
    HermiteOutput::cubic(w.v0, w.a0, w.v1, w.a1, h, s, w.v);
  else
    HermiteOutput::quinticRate(start, end, h, s, w.v);
  scatter(w.q.data(), w.v.data());
}

}  // namespace nonsmooth::kernel
