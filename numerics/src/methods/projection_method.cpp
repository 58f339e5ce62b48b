#include "methods/projection_method.hpp"

#include <algorithm>
#include <cmath>

#include "core/index.hpp"
#include "methods/frame/halving.hpp"
#include "sets/set.hpp"

namespace nonsmooth {
namespace {

constexpr double largest_ratio = 0.9, smallest_ratio = 0.3;  // of rho |w(p) - w(z)| / |p - z|; Khobotov 1987, He and Liao 2002
constexpr double shrink = 2.0 / 3.0, grow = 1.5;
constexpr int longest_search = 100;
constexpr std::int64_t eager_checks = 3;    // easy problems are done after a few steps
constexpr double stall_iterations = 20000;  // without halving the best residual

}  // namespace

double distance(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return std::sqrt(sum);
}

void ProjectionMethod::setup(const Inclusion& view, const Options& options) {
  view_ = &view;
  check_interval_ = view.F != nullptr ? 1 : options.integer(Option::check_interval);  // F is the larger cost
  for (Vector* v : {&z_, &w_, &predicted_, &predicted_w_, &point_}) v->resize(at(view.size()));
}

bool ProjectionMethod::evaluate_shifted(std::span<const double> z, std::span<double> w) {
  if (!evaluate(*view_, z, w)) return false;
  add_normal_shift(view_->blocks, w.data());
  return true;
}

bool ProjectionMethod::project_step(std::span<const double> w, std::span<double> p) {
  for (std::size_t i = 0; i < point_.size(); ++i) point_[i] = z_[i] - rho_ * w[i];
  return project(*view_, point_, p);
}

// The longest step so far for which rho times the local Lipschitz constant stays below 1 (Khobotov 1987).
bool ProjectionMethod::predict() {
  for (int k = 0; k < longest_search; ++k) {
    if (!project_step(w_, predicted_)) return false;
    if (!evaluate_shifted(predicted_, predicted_w_)) {
      rho_ *= 0.5;
      continue;
    }
    const double length = distance(predicted_, z_), change = rho_ * distance(predicted_w_, w_);
    if (change <= largest_ratio * length) {
      next_rho_ = change <= smallest_ratio * length ? grow * rho_ : rho_;
      return true;
    }
    rho_ *= shrink * std::min(1.0, length / change);
  }
  return false;
}

Stop ProjectionMethod::solve(std::span<double> z, Control& control) {
  rho_ = 1;
  if (!project(*view_, z, z_) || !evaluate_shifted(z_, w_)) return Stop::breakdown;
  begin();
  Halving halving;
  Stop stop = Stop::none;
  for (std::int64_t k = 0; stop == Stop::none; ++k) {
    if (view_->F == nullptr && k > eager_checks && k % check_interval_ != 0)
      stop = control.check_limits(k);
    else
      stop = view_->F != nullptr || !shifts_velocities() ? control.check(k, z_, w_) : control.check(k, z_);
    if (stop != Stop::none) break;
    if (halving.since(static_cast<double>(k), control.best_residual()) >= stall_iterations || !step()) stop = Stop::stalled;
  }
  std::copy(z_.begin(), z_.end(), z.begin());
  return stop;
}

}  // namespace nonsmooth
