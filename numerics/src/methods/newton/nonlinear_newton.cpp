#include "methods/newton/nonlinear_newton.hpp"

#include <algorithm>
#include <cmath>

#include "core/index.hpp"
#include "methods/frame/descent.hpp"

namespace nonsmooth {
namespace {

constexpr double smallest_newton_step = 0x1p-12, smallest_gradient_step = 0x1p-30;
constexpr double milestone_factor = 0.5;  // of the merit, within milestone_steps, or the point is given up
constexpr int milestone_steps = 40;
constexpr double smallest_perturbation = 0.05;  // relative, doubled with every restart

void turn_back(const SetBlock& block, double& z) {
  const double low = block.kind == SetKind::box ? block.a : 0, high = block.kind == SetKind::box ? block.b : HUGE_VAL;
  if (z < low)
    z = low + (low - z);
  else if (z > high)
    z = high - (z - high);
}

}  // namespace

void NonlinearNewton::setup(const Inclusion& view, const Options& options) {
  view_ = &view;
  J_.setup(view);
  phi_.setup(view, options.choice<NcpFunction>(Option::ncp_function));
  restarts_ = options.integer(Option::restarts);
  history_.resize(at(options.integer(Option::nonmonotone_memory)));
  for (Vector* v : {&z_, &w_, &direction_, &gradient_, &trial_, &trial_w_, &point_}) v->resize(at(view.size()));
}

// Starts from P_C(z); false if nothing can be evaluated there.
bool NonlinearNewton::enter(std::span<const double> z) {
  if (!project(*view_, z, z_) || !evaluate(*view_, z_, w_)) return false;
  merit_ = phi_.evaluate(z_, w_);
  remembered_ = 0;
  reduction_ = 0;
  milestone_ = merit_;
  since_milestone_ = 0;
  return std::isfinite(merit_);
}

// Moves z_, w_, merit_ along direction_, inside C.
bool NonlinearNewton::search(double smallest_step) {
  const double reference = *std::max_element(history_.begin(), history_.begin() + static_cast<std::ptrdiff_t>(remembered_));
  for (double t = 1; t >= smallest_step; t *= 0.5) {
    for (std::size_t i = 0; i < z_.size(); ++i) trial_[i] = z_[i] + t * direction_[i];
    if (!project(*view_, trial_, point_) || !evaluate(*view_, point_, trial_w_)) continue;
    const double merit = phi_.evaluate(point_, trial_w_);
    if (!(merit <= (1 - 2 * armijo * t) * reference)) continue;
    reduction_ = merit_ > 0 ? merit / merit_ : 0;
    merit_ = merit;
    std::swap(z_, point_);
    std::swap(w_, trial_w_);
    return true;
  }
  phi_.evaluate(z_, w_);
  return false;
}

// Along the gradient of the merit, of the length at which a merit linear along it would vanish.
bool NonlinearNewton::gradient_step() {
  if (!phi_.is_differentiable()) return false;
  double square = 0;
  for (double g : gradient_) square += g * g;
  if (!(square > 0)) return false;
  for (std::size_t i = 0; i < z_.size(); ++i) direction_[i] = -2 * merit_ / square * gradient_[i];
  return search(smallest_gradient_step);
}

bool NonlinearNewton::step(Control& control) {
  history_[remembered_ < history_.size() ? remembered_++ : at(control.iterations()) % history_.size()] = merit_;
  if (!J_.evaluate(z_, w_)) return false;
  if (phi_.is_differentiable()) {
    if (!phi_.differentiate(z_, w_)) return false;
    phi_.write_gradient(J_.matrix(), gradient_);
  }
  for (int k = 0; k < directions(); ++k)
    if (write_direction(k, control) && search(smallest_newton_step)) return is_progressing();
  return gradient_step() && is_progressing();
}

// False where the merit creeps towards what may be a local minimum.
bool NonlinearNewton::is_progressing() {
  ++since_milestone_;
  if (merit_ <= milestone_factor * milestone_) {
    milestone_ = merit_;
    since_milestone_ = 0;
  }
  return since_milestone_ < milestone_steps;
}

// From the best point, perturbed: a fixed seed, so that results are reproducible. Perturbations turn back at bounds: half of the
// rows that stay there would keep F from being evaluated where it is not defined on the boundary (prices of 0).
bool NonlinearNewton::restart(Control& control) {
  while (restarts_left_ > 0) {
    const double size = smallest_perturbation * std::exp2(static_cast<double>(restarts_ - restarts_left_));
    --restarts_left_;
    for (std::size_t i = 0; i < trial_.size(); ++i) {
      const double x = control.best()[i];
      trial_[i] = x + size * (1 + std::abs(x)) * (2 * random_.uniform() - 1);
    }
    for (const SetBlock& block : view_->blocks)
      if (block.kind == SetKind::orthant || block.kind == SetKind::box) turn_back(block, trial_[at(block.start)]);
    if (!enter(trial_)) continue;
    control.log("restart from a perturbation of %g, residual %.3g so far", size, control.best_residual());
    return true;
  }
  return false;
}

Stop NonlinearNewton::solve(std::span<double> z, Control& control) {
  restarts_left_ = restarts_;
  random_ = Random();
  if (!enter(z) && !restart(control)) return Stop::breakdown;
  Stop stop = Stop::none;
  for (std::int64_t k = 0; stop == Stop::none; ++k) {
    stop = control.check(k, z_, w_);
    if (stop == Stop::none && !step(control)) {
      stop = control.check_limits(k);  // a cancelled inner solve is no reason to start again
      if (stop == Stop::none && !restart(control)) stop = Stop::stalled;
    }
  }
  std::copy(z_.begin(), z_.end(), z.begin());
  return stop;
}

}  // namespace nonsmooth
