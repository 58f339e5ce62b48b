#include "methods/frame/control.hpp"

#include <algorithm>
#include <cmath>
#include <cstdarg>
#include <cstdio>

#include "core/clock.hpp"
#include "core/index.hpp"

namespace nonsmooth {
namespace {

constexpr double progress_interval = 0.2;  // s
// A method aims a little below the tolerance: the certificate rounds differently (global problems are lifted first).
constexpr double aimed_share = 0.99;
constexpr double near_tolerance = 100;   // beyond it the residual is seldom that of rounding
constexpr std::int64_t told_share = 10;  // residuals are told at iterations that grow by one in so many

}  // namespace

void Control::setup(const Inclusion& view, const Options& options, std::int64_t default_iterations) {
  view_ = &view;
  map_ = NaturalMap(view);
  tolerance_ = aim_ = aimed_share * options.real(Option::tolerance);
  time_limit_ = options.real(Option::time_limit);
  const std::int64_t asked = options.integer(Option::max_iterations);
  iteration_limit_ = asked > 0 ? asked : default_iterations;
  best_.resize(at(view.size()));
}

void Control::begin() {
  reset();
  start_ = seconds_now();
}

void Control::reset() {
  iterations_ = stage_start_ = stage_budget_ = next_told_ = 0;
  budget_ = nullptr;
  setup_seconds_ = 0;
  is_strict_ = false;
  tolerance_ = aim_;
  best_residual_ = residual_ = HUGE_VAL;
  std::fill(best_.begin(), best_.end(), 0.0);
}

void Control::begin_call() {
  if (progress != nullptr) last_progress_ = seconds_now();
}

void Control::begin_strictly() {
  begin_again(aim_);
  is_strict_ = true;
}

void Control::begin_again(double tolerance) {
  const double setup = setup_seconds_;
  const std::int64_t iterations = iterations_;
  reset();
  setup_seconds_ = setup;
  iterations_ = stage_start_ = iterations;
  tolerance_ = tolerance;
}

void Control::begin_part(Control& whole, std::int64_t iterations) {
  reset();
  whole_ = &whole;
  is_strict_ = whole.is_strict_;
  start_ = whole.start_;
  log_callback = whole.log_callback;
  log_user = whole.log_user;
  iterations_ = stage_start_ = iterations;
}

bool Control::is_cancelled() const {
  return cancelled.load(std::memory_order_relaxed) || (whole_ != nullptr && whole_->is_cancelled());
}

void Control::begin_stage(std::int64_t budget) {
  stage_start_ = iterations_;
  stage_budget_ = budget;
  budget_ = nullptr;
}

void Control::begin_stage(StageBudget& budget) {
  begin_stage(0);
  budget_ = &budget;
}

bool Control::is_spent(std::int64_t iteration) {
  if (budget_ != nullptr) return !budget_->goes_on(iteration, *this);
  return stage_budget_ > 0 && iteration >= stage_budget_;
}

double Control::seconds() const { return seconds_now() - start_; }

void Control::start_at(std::span<const double> z) { std::copy(z.begin(), z.end(), best_.begin()); }

void Control::consider(std::span<const double> z) { keep(z, map_.residual(z)); }

void Control::return_to(std::span<const double> z) {
  best_residual_ = HUGE_VAL;
  consider(z);
}

void Control::keep(std::span<const double> z, double residual) {
  residual_ = residual;
  if (!(residual_ < best_residual_)) return;  // NaN is never kept
  // Columns of M that are empty do not tell what is not finite.
  if (find_not_finite(z) >= 0 || (residual_ <= tolerance_ && is_hidden_by_rounding(z))) {
    residual_ = NAN;
    return;
  }
  best_residual_ = residual_;
  std::copy(z.begin(), z.end(), best_.begin());
}

// An iterate that has diverged may have no residual for want of digits: the certificate will not have it, and it must not keep
// other iterates and methods from their turn again. Callbacks are not asked again; where operators stand for M the certificate
// looks at other terms.
bool Control::is_hidden_by_rounding(std::span<const double> z) {
  if (!is_strict_ || view_->F != nullptr || view_->is_applied()) return false;
  return !is_meaningful(map_.floor(z), tolerance_ / aimed_share);
}

bool Control::is_within_rounding() {
  const Control* root = this;
  while (root->whole_ != nullptr) root = root->whole_;
  const bool is_known = root->sees_problem_ && view_->F == nullptr && !view_->is_applied();
  if (!is_known || !(best_residual_ <= near_tolerance * tolerance_)) return false;
  return map_.is_within_rounding(best_, tolerance_ / aimed_share, root->view_->scale);
}

Stop Control::check(std::int64_t iteration, std::span<const double> z) {
  consider(z);
  return decide(iteration);
}

Stop Control::check(std::int64_t iteration, std::span<const double> z, std::span<const double> w) {
  keep(z, map_.residual(z, w));
  return decide(iteration);
}

Stop Control::decide(std::int64_t iteration) {
  iterations_ = stage_start_ + iteration;
  const bool is_met = residual_ <= tolerance_;
  if (tells_residuals_ && log_callback != nullptr && (is_met || iterations_ >= next_told_)) {
    log("iteration %lld: residual %.3g", static_cast<long long>(iterations_), residual_);
    next_told_ = iterations_ + std::max<std::int64_t>(1, iterations_ / told_share);
  }
  return is_met ? Stop::finished : check_limits(iteration);
}

Stop Control::check_limits(std::int64_t iteration) {
  iterations_ = stage_start_ + iteration;
  if (is_cancelled()) return Stop::cancelled;
  if (iterations_ >= iteration_limit_) return Stop::iteration_limit;
  if (is_spent(iteration)) return Stop::stalled;
  return check_clock();
}

Stop Control::check_clock() {
  // It has the callback, whose figures are those of the whole problem and whose calls are spaced over all parts.
  Control* whole = this;
  while (whole->whole_ != nullptr) whole = whole->whole_;
  if (time_limit_ <= 0 && whole->progress == nullptr) return Stop::none;
  const double now = seconds_now();
  if (time_limit_ > 0 && now - start_ >= time_limit_) return Stop::time_limit;
  if (whole->progress != nullptr && now - whole->last_progress_ >= progress_interval) {
    whole->last_progress_ = now;
    if (whole->progress(whole->progress_user, whole->iterations_, whole->best_residual_, now - whole->start_) != 0) {
      whole->cancelled.store(true, std::memory_order_relaxed);  // it may say so only once, and to a search that passes nothing on
      return Stop::cancelled;
    }
  }
  return Stop::none;
}

Stop Control::end_setup(const char* what, double start) {
  const double taken = seconds() - start;
  count_setup(taken);
  log("setup of %s took %.3g s", what, taken);
  return check_clock();
}

void Control::log(const char* format, ...) const {
  if (log_callback == nullptr) return;
  char message[256];
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(message, sizeof message, format, arguments);
  va_end(arguments);
  log_callback(log_user, message);
}

}  // namespace nonsmooth
