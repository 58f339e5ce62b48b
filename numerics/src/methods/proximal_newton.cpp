// Proximal point method with semismooth Newton steps: each outer step solves w = M z + q + alpha (z - z_k), -w in N_C(z) by
// Newton on Alart and Curnier's equations, which the proximal term keeps regular where M is singular. Where a full step fails in
// a few contacts of a large problem, these keep their law (nonlinear_elimination.hpp).
//
// Such a step is one of implicit Euler, of length 1 / alpha, along the flow dz/dt = P(z - w) - z; a Gauss-Seidel sweep is an
// explicit one of length 1 or so. Only steps whose inner problem has been solved are taken, whatever their residual: on the way
// to a solution the flow passes places where it nearly rests, and leaves them at a rising residual. Weights fall while inner
// problems are easy; where none is solved that goes further than the sweeps that cost as much, sweeps go on from where the flow
// has come (Acary, Bremond and Huber 2018 compare the ingredients). Where factorisations are dear, as in large piles, sweeps are
// over-relaxed block by block: what creeps gets on faster along the same way.
#include <algorithm>
#include <cmath>
#include <memory>

#include "core/error.hpp"
#include "core/index.hpp"
#include "methods/frame/halving.hpp"
#include "methods/frame/method.hpp"
#include "methods/newton/contact_newton.hpp"
#include "methods/newton/factorisation_price.hpp"
#include "methods/sweeps/block_sweep.hpp"

namespace nonsmooth {
namespace {

constexpr double smallest_weight = 1e-9, first_weight = 1e-2, last_weight = 1e2;
constexpr double steps_of_a_weight = 3;  // Newton's, mostly
constexpr std::int64_t inner_steps = 12, few_inner_steps = 4, many_inner_steps = 8;
constexpr double inner_share = 0.1;
constexpr double endless_steps = 100;  // of the least weight, all solved, that do not halve the residual
// Who has so much left after work of so many factorisations follows a flow without rest, as where friction jams.
constexpr double residual_without_rest = 0.1, work_without_rest = 1000;
constexpr double lower = 0.3, lower_carefully = 0.7, raise = 1.5, raise_after_failure = 4;
constexpr int calm_steps = 3;     // solved ones in a row, before weights fall fast again
constexpr double resumption = 3;  // times the last weight that was solved: where the flow goes on behind sweeps
constexpr std::int64_t fewest_sweeps = 100;
constexpr double proximal_damping = 1e-3;  // of the sweeps: a joint may have a singular block of its own

class ProximalNewton final : public Method {
 public:
  void share(std::shared_ptr<NewtonSystem>& system) override { system_ = NewtonSystem::share(system); }
  void setup(const Inclusion& view, const Options& options) override;
  void update(Change change) override;
  Stop solve(std::span<double> z, Control& control) override;

 private:
  void set_up_elimination();
  Stop follow(std::span<double> z, Control& control);
  double largest_weight();
  std::int64_t sweeps_worth(std::int64_t steps);

  const Inclusion* view_ = nullptr;
  std::shared_ptr<NewtonSystem> system_ = std::make_shared<NewtonSystem>();
  ContactNewton newton_;
  std::unique_ptr<NonlinearElimination> elimination_;
  std::unique_ptr<Sweeper> sweeper_;  // of a matrix: nullptr where an operator stands for it
  double patience_ = 0, work_ = 0;    // factorisations, of steps and sweeps; infinite: never out of it
  Halving halving_;
  std::int64_t check_interval_ = 10, start_sweeps_ = fewest_sweeps, iteration_ = 0;
  double weight_ = first_weight;         // the last that was solved
  double rest_ = residual_without_rest;  // of this q: residuals are relative to max(1, |q|)
  double reluctance_ = 1;  // to sweep, while sweeps bring the residual up: where M turns they are no steps of the flow
  FactorisationPrice price_;
  Vector accepted_;
};

void ProximalNewton::setup(const Inclusion& view, const Options& options) {
  if (!ContactNewton::treats(view))
    fail(NSM_UNSUPPORTED, "proximal_newton treats Coulomb and rolling friction, orthants, boxes and free rows only");
  view_ = &view;
  NewtonSystem::setup_shared(system_, view);
  newton_.setup(view, *system_, options.integer(Option::nonmonotone_memory));
  set_up_elimination();
  price_.setup(view);
  price_.products();  // not in the middle of a solve, and for good: a new pattern of zeros changes little
  check_interval_ = options.integer(Option::check_interval);
  start_sweeps_ = options.integer(Option::start_sweeps);
  if (start_sweeps_ < 0) start_sweeps_ = fewest_sweeps;
  const std::int64_t patience = options.integer(Option::patience);
  patience_ = patience > 0 ? static_cast<double>(patience) : HUGE_VAL;
  accepted_.resize(at(view.size()));
  if (view.elastic_operator() != nullptr) return;
  SweepOptions sweeps{.proximal = proximal_damping};
  if (price_.products() >= dear_factorisation) sweeps.acceleration = Acceleration::over_relaxation;
  sweeper_ = make_sweeper(view, sweeps);
}

void ProximalNewton::set_up_elimination() {
  elimination_ = std::make_unique<NonlinearElimination>();
  if (!elimination_->setup(*view_, *system_, &make_method<ProximalNewton>)) elimination_.reset();
  newton_.mend_by(elimination_.get());
}

void ProximalNewton::update(Change change) {
  if (change == Change::matrix) {
    system_->update(*view_);
    if (elimination_ != nullptr && !system_->reserve_responses()) set_up_elimination();  // other factors now
    if (sweeper_ != nullptr) sweeper_->load(*view_);
  }
  if (change == Change::sets && sweeper_ != nullptr) sweeper_->prepare(*view_);
}

// From here on sweeps go further at the same cost, unless they lead nowhere.
double ProximalNewton::largest_weight() {
  if (sweeper_ == nullptr) return last_weight;
  const double even = std::min(first_weight, 1 / (steps_of_a_weight * std::max(1.0, price_.products())));
  return std::min(last_weight, reluctance_ * even);
}

// Implicit steps from z on, until sweeps go further.
Stop ProximalNewton::follow(std::span<double> z, Control& control) {
  std::copy(z.begin(), z.end(), accepted_.begin());
  const double largest = largest_weight();
  int calm = calm_steps;
  double steps_of_least = 0;
  Halving at_least;
  for (double alpha = std::min(largest, resumption * weight_);;) {
    const auto outcome = newton_.solve(z, alpha, inner_share, inner_steps, control, iteration_);
    const std::int64_t steps = std::max<std::int64_t>(1, outcome.steps);
    iteration_ += steps;
    work_ += static_cast<double>(steps);
    if (outcome.stop != Stop::none) return outcome.stop;
    control.log("proximal_newton: weight %.1e, %lld steps, %s", alpha, static_cast<long long>(outcome.steps),
                outcome.solved ? "solved" : "not solved");
    if (halving_.since(work_, control.best_residual()) > patience_) return Stop::stalled;
    if (work_ >= work_without_rest && control.best_residual() > rest_) return Stop::stalled;
    if (!outcome.solved) {
      std::copy(accepted_.begin(), accepted_.end(), z.begin());
      if (alpha >= largest) return Stop::none;
      alpha = std::min(largest, raise_after_failure * alpha);
      calm = 0;
      continue;
    }
    std::copy(z.begin(), z.end(), accepted_.begin());
    weight_ = alpha;
    ++calm;
    // Steps 1e9 times as long as a sweep: where these lead nowhere forces grow without end, as where friction jams.
    if (alpha > smallest_weight)
      at_least = {};
    else if (at_least.since(++steps_of_least, control.best_residual()) >= endless_steps)
      return Stop::stalled;
    if (outcome.steps <= few_inner_steps)
      alpha = std::max(smallest_weight, (calm > calm_steps ? lower : lower_carefully) * alpha);
    if (outcome.steps >= many_inner_steps) alpha = std::min(largest, raise * alpha);
  }
}

// Sweeps that cost as much as so many steps.
std::int64_t ProximalNewton::sweeps_worth(std::int64_t steps) {
  return std::max(fewest_sweeps, static_cast<std::int64_t>(static_cast<double>(steps) * price_.products()));
}

Stop ProximalNewton::solve(std::span<double> z, Control& control) {
  iteration_ = 0;
  rest_ = residual_without_rest * residual_of_zero(*view_);
  system_->begin();
  weight_ = first_weight;
  reluctance_ = 1;
  work_ = 0;
  halving_ = {};
  if (elimination_ != nullptr) elimination_->begin();
  Stop stop = control.check(0, z);
  for (std::int64_t sweeps = sweeper_ != nullptr ? start_sweeps_ : 0; stop == Stop::none;) {
    const double before_sweeps = control.residual();
    if (sweeps > 0) stop = sweeper_->burst(z, control, sweeps, check_interval_, iteration_);
    if (stop != Stop::none) break;
    work_ += static_cast<double>(sweeps) / std::max(1.0, price_.products());
    reluctance_ = sweeps == 0 || control.residual() < before_sweeps ? 1 : raise_after_failure * reluctance_;
    control.log("proximal_newton: %lld sweeps, residual %.3e", static_cast<long long>(sweeps), control.residual());
    // From there no step of the flow leads back.
    if (!std::isfinite(control.residual())) std::copy(control.best().begin(), control.best().end(), z.begin());
    const std::int64_t before = iteration_;
    stop = follow(z, control);
    if (stop != Stop::none) break;
    control.consider(z);
    if (sweeper_ == nullptr) return Stop::stalled;
    sweeps = sweeps_worth(iteration_ - before);
  }
  return stop;
}

}  // namespace

extern const MethodEntry proximal_newton_method;
const MethodEntry proximal_newton_method{
    {sizeof(nsm_method_info), "proximal_newton",
     "proximal point steps, each by semismooth Newton on Alart and Curnier's equations, and Gauss-Seidel sweeps where these go "
     "further",
     "Alart and Curnier 1991; Rockafellar 1976; Lanzkron, Rose and Wilkes 1996; Acary, Bremond and Huber 2018",
     "none proven with friction; singular W and many sliding contacts", contact_classes | class_bit(NSM_PLASTICITY), 2000000,
     "friction where sweeps crawl and interior points stall: singular W, many sliding contacts, hard piles"},
    &make_method<ProximalNewton>};

}  // namespace nonsmooth
