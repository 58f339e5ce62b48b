// Proximal point method with semismooth Newton steps: each outer step solves w = M z + q + alpha (z - z_k), -w in N_C(z) by
// Newton on Alart and Curnier's equations, which the proximal term keeps regular where M is singular; alpha follows the number of
// inner steps. Where a full step fails in a few contacts of a large problem, these keep their law (nonlinear_elimination.hpp).
// Bursts of Gauss-Seidel sweeps, each twice as long as the one before, bring it back into the region where Newton converges. They
// go on from the last iterate, not from the best: its residual is often low in a region that leads nowhere, and the same attempt
// would be repeated for ever (Acary, Bremond and Huber 2018 compare the ingredients).
#include <algorithm>
#include <cmath>
#include <memory>

#include "core/error.hpp"
#include "methods/block_sweep.hpp"
#include "methods/contact_newton.hpp"
#include "methods/method.hpp"
#include "sets/set.hpp"

namespace nonsmooth {
namespace {

constexpr double first_weight = 1e-2, smallest_weight = 1e-9, largest_weight = 1e2;
constexpr std::int64_t inner_steps = 12, few_steps = 4, many_steps = 10;
constexpr double fewer = 0.2, more = 3, inner_share = 1e-2;
constexpr std::int64_t first_burst = 100, longest_burst = 800;
constexpr std::int64_t largest_rejections = 3;  // in a row
constexpr std::int64_t patience = 40;           // factorisations without enough progress
constexpr double damping = 0.1;                 // of the sweeps: cycles on hyperstatic problems
constexpr double enough_progress = 0.5, growth_limit = 2;
constexpr double diverged = 1e3;  // of residuals, which are about 1 at 0

class ProximalNewton final : public Method {
 public:
  void share(std::shared_ptr<NewtonSystem>& system) override { system_ = NewtonSystem::share(system); }
  void setup(const Inclusion& view, const Options& options) override;
  void update(Change change) override;
  Stop solve(std::span<double> z, Control& control) override;

 private:
  void set_up_elimination();
  Stop burst(std::span<double> z, Control& control, std::int64_t sweeps);
  Stop attempt(std::span<double> z, Control& control);

  const Inclusion* view_ = nullptr;
  std::shared_ptr<NewtonSystem> system_ = std::make_shared<NewtonSystem>();
  ContactNewton newton_;
  std::unique_ptr<NonlinearElimination> elimination_;
  std::unique_ptr<Sweeper> sweeper_;
  std::int64_t check_interval_ = 10, start_sweeps_ = first_burst, iteration_ = 0;
  Vector accepted_;
};

void ProximalNewton::setup(const Inclusion& view, const Options& options) {
  if (!ContactNewton::treats(view))
    fail(NSM_UNSUPPORTED, "proximal_newton treats Coulomb and rolling friction, orthants, boxes and free rows only");
  view_ = &view;
  NewtonSystem::set_up(system_, view);
  newton_.setup(view, *system_, options.integer(Option::nonmonotone_memory));
  set_up_elimination();
  check_interval_ = options.integer(Option::check_interval);
  start_sweeps_ = options.integer(Option::start_sweeps);
  if (start_sweeps_ < 0) start_sweeps_ = first_burst;
  sweeper_ = make_sweeper(view, {1.0, damping, false, false, check_interval_});
  accepted_.resize(static_cast<std::size_t>(view.size()));
}

void ProximalNewton::set_up_elimination() {
  elimination_ = std::make_unique<NonlinearElimination>();
  if (!elimination_->setup(*view_, *system_)) elimination_.reset();
  newton_.mend_by(elimination_.get());
}

void ProximalNewton::update(Change change) {
  if (change == Change::matrix) {
    system_->update(*view_);
    if (elimination_ != nullptr && !system_->reserve_responses()) set_up_elimination();  // other factors now
    sweeper_->load(*view_);
  }
  if (change == Change::sets) sweeper_->prepare(*view_);
}

Stop ProximalNewton::burst(std::span<double> z, Control& control, std::int64_t sweeps) {
  sweeper_->start(z.data());
  for (std::int64_t k = 1; k <= sweeps; ++k) {
    sweeper_->sweep(z.data(), false);
    ++iteration_;
    const Stop stop = k % check_interval_ == 0 ? control.check(iteration_, z) : control.check_limits(iteration_);
    if (stop != Stop::none) return stop;
  }
  return Stop::none;
}

// Outer steps from z until they no longer pay.
Stop ProximalNewton::attempt(std::span<double> z, Control& control) {
  double alpha = first_weight;
  std::copy(z.begin(), z.end(), accepted_.begin());
  control.consider(z);
  double last = control.residual(), milestone = last;
  std::int64_t spent = 0, rejections = 0;
  while (spent < patience && rejections <= largest_rejections) {
    const auto outcome = newton_.solve(z, alpha, inner_share, inner_steps, control, iteration_);
    iteration_ += outcome.steps;
    spent += std::max<std::int64_t>(1, outcome.steps);
    if (outcome.stop != Stop::none) return outcome.stop;
    const double residual = control.residual();
    control.log("proximal_newton: weight %.1e, %lld steps, residual %.3e", alpha, static_cast<long long>(outcome.steps),
                residual);
    if (!(residual <= std::min(growth_limit * last, diverged))) {
      ++rejections;
      std::copy(accepted_.begin(), accepted_.end(), z.begin());
      alpha = std::min(largest_weight, 4 * alpha);
      continue;
    }
    std::copy(z.begin(), z.end(), accepted_.begin());
    rejections = 0;
    last = residual;
    if (residual <= enough_progress * milestone) {
      milestone = residual;
      spent = 0;
    }
    if (outcome.solved && outcome.steps <= few_steps) alpha = std::max(smallest_weight, fewer * alpha);
    if (!outcome.solved || outcome.steps >= many_steps) alpha = std::min(largest_weight, more * alpha);
  }
  return Stop::none;
}

Stop ProximalNewton::solve(std::span<double> z, Control& control) {
  iteration_ = 0;
  if (elimination_ != nullptr) elimination_->begin();
  Stop stop = control.check(0, z);
  for (std::int64_t sweeps = start_sweeps_; stop == Stop::none; sweeps = std::clamp(2 * sweeps, first_burst, longest_burst)) {
    stop = burst(z, control, sweeps);
    if (stop != Stop::none) break;
    control.log("proximal_newton: %lld sweeps, residual %.3e", static_cast<long long>(sweeps), control.residual());
    if (!(control.residual() <= diverged)) std::copy(control.best().begin(), control.best().end(), z.begin());
    stop = attempt(z, control);
  }
  return stop;
}

}  // namespace

extern const MethodEntry proximal_newton_method;
const MethodEntry proximal_newton_method{
    {sizeof(nsm_method_info), "proximal_newton",
     "proximal point steps, each by semismooth Newton on Alart and Curnier's equations, between bursts of Gauss-Seidel sweeps",
     "Alart and Curnier 1991; Rockafellar 1976; Lanzkron, Rose and Wilkes 1996; Acary, Bremond and Huber 2018",
     "none proven with friction; singular W and many sliding contacts",
     class_bit(NSM_FRICTION) | class_bit(NSM_GLOBAL_FRICTION) | class_bit(NSM_ROLLING) | class_bit(NSM_GLOBAL_ROLLING) |
         class_bit(NSM_GENERIC),
     200000, "friction where sweeps crawl and interior points stall: singular W, many sliding contacts, hard piles"},
    &make_method<ProximalNewton>};

}  // namespace nonsmooth
