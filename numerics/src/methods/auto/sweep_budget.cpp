#include "methods/auto/sweep_budget.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "sets/set.hpp"

namespace nonsmooth {
namespace {

// Iterations between two forecasts. Residuals of accelerated projections fall by fits and starts, and fast at the end.
constexpr std::int64_t sweep_window = 10, projection_window = 20;
constexpr Forecast of_sweeps{.trust = 6}, of_projections{.trust = 8};
// Of contacts to a loose tolerance, where projections come next and end as soon: little is lost where sweeps are left.
constexpr Forecast of_loose_sweeps{.trust = 3};
// In the plane, and where one contact is coupled with so many on the average, there are more forces than equations of motion.
// Projections then stay where they are for long before they fall, and what comes behind them takes long too; not to a tight
// tolerance (docs/decisions/0058-patient-projections.md). With rolling friction in space they fall by longer fits, and no more
// than that (0063-joints-and-supports.md).
constexpr Forecast of_hyperstatic_projections{.trust = 16, .span = 4, .share = 2};
constexpr Forecast of_rolling_projections{.trust = 8, .span = 4};
constexpr double hyperstatic_coupling = 20;
// With two contacts per body in space, each of which meets two bodies, a body has four, as many forces as it has equations of
// motion, and a contact is coupled with seven, itself among them.
constexpr double isostatic_coupling = 7;
// How far sweeps may end behind their first forecast: a rate that falls off goes on falling.
constexpr double forecast_patience = 1.5;
constexpr double close = 0.5;  // of the iterations behind it: an end so near is awaited in any case
constexpr double setup_iterations = 5, iterations_per_digit = 2.5;  // of the interior point method
constexpr double budget_share = 0.5;  // of its cost: what iterations past the budget come to if the forecast fails
constexpr double loose_share = 4;     // the same for loose tolerances
constexpr double rolling_share = 2;   // the same in space with rolling friction, where that method fails on half of the problems
constexpr double exact = 1e-8;        // of bounds it ends on the active set, whatever the tolerance
constexpr double linear_work = 20;    // what an iteration of that method does besides its factorisation, in products; measured

// Of the interior point method, to a share of the residual of 0.
double iterations_to(double share) { return setup_iterations - iterations_per_digit * std::log10(std::min(share, 1.0)); }

// Contacts that one is coupled with, on the average; in the plane any number counts as many.
double coupling(const Inclusion& view) {
  const SetBlock& contact = view.blocks.front();
  if (contact.kind != SetKind::coulomb_3d) return has_friction(contact.kind) ? HUGE_VAL : 0;
  return product_entries(view) / (static_cast<double>(view.blocks.size()) * contact.size * contact.size);
}

Forecast of_loose_projections(const Inclusion& view) {
  if (view.blocks.front().kind == SetKind::rolling_3d) return of_rolling_projections;
  return is_hyperstatic(view) ? of_hyperstatic_projections : of_projections;
}

}  // namespace

bool is_hyperstatic(const Inclusion& view) { return coupling(view) >= hyperstatic_coupling; }

bool is_redundant(const Inclusion& view) { return coupling(view) > isostatic_coupling; }

void SweepBudget::begin(Extent extent, std::int64_t budget, std::int64_t farthest, Control& control) {
  const bool weighed = extent == Extent::weighed;
  extent_ = weighed ? Extent::foretold : extent;
  budget_ = weighed ? static_cast<std::int64_t>(static_cast<double>(budget) * price_.products(control)) : budget;
  farthest_ = farthest;
  window_ = next_ = extent_ == Extent::foretold ? sweep_window : projection_window;
  forecast_ = extent_ == Extent::foretold ? of_sweeps : of_projections;
  if (extent_ == Extent::foretold && control.tolerance() > loose_tolerance && has_contacts(*view_)) forecast_ = of_loose_sweeps;
  if (extent_ == Extent::affordable && control.tolerance() >= loose_tolerance) forecast_ = of_loose_projections(*view_);
  first_end_ = 0;
  next_told_ = 0;
  best_ = first_best_ = HUGE_VAL;
  early_ = late_ = {0, HUGE_VAL};
  halving_ = {};
}

double SweepBudget::allowance(double tolerance) {
  const bool rolls_in_space = view_->blocks.front().kind == SetKind::rolling_3d;
  const double tight_share = rolls_in_space ? rolling_share : budget_share;
  const double share = tolerance >= loose_tolerance ? loose_share : tight_share;
  return share * (factorisation() + linear_work) * iterations_to(tolerance / residual_of_zero(*view_));
}

bool SweepBudget::halves(std::int64_t iteration, const Control& control) {
  const double best = control.best_residual();
  if (first_best_ == HUGE_VAL) first_best_ = best;
  if (extent_ == Extent::descending && 2 * iteration >= farthest_ && best >= first_best_) return false;
  const double since = halving_.since(static_cast<double>(iteration), best);
  return iteration < budget_ && since < static_cast<double>(farthest_);
}

// What is linear in the entries is paid in any case: most end before the price is asked.
bool SweepBudget::rivals(std::int64_t iteration, Control& control) {
  if (iteration >= farthest_) return false;
  const double paths = static_cast<double>(iteration) / (static_cast<double>(budget_) * iterations_to(exact));
  return paths < linear_work || paths < price_.products(control) + linear_work;
}

bool SweepBudget::goes_on(std::int64_t iteration, Control& control) {
  if (extent_ == Extent::halving || extent_ == Extent::descending) return halves(iteration, control);
  if (extent_ == Extent::rival) return rivals(iteration, control);
  best_ = std::min(best_, control.residual());
  if (extent_ == Extent::falling)
    return iteration < budget_ && halving_.since(static_cast<double>(iteration), best_) < static_cast<double>(farthest_);
  if (iteration < next_) return true;
  next_ += window_;
  const Mark now{iteration, best_};
  if (iteration >= forecast_.span * late_.iteration) early_ = std::exchange(late_, now);
  if (early_.iteration == 0) early_ = now;
  if (iteration < budget_) return true;
  if (!(now.residual < early_.residual)) return false;
  const double rate = std::log(early_.residual / now.residual) / static_cast<double>(iteration - early_.iteration);
  const double remaining = std::log(now.residual / control.tolerance()) / rate;
  if (!(remaining <= forecast_.trust * static_cast<double>(iteration))) return false;
  if (remaining <= close * static_cast<double>(iteration)) return true;
  const double end = static_cast<double>(iteration) + remaining;
  if (first_end_ == 0) first_end_ = end;
  double limit = static_cast<double>(farthest_);
  if (extent_ == Extent::foretold) limit = std::min(limit, forecast_patience * first_end_);
  if (extent_ == Extent::affordable) {
    price_.products(control);
    limit = static_cast<double>(budget_) + forecast_.share * allowance(control.tolerance());
  }
  const bool pays = end <= limit;
  if (!pays || iteration >= next_told_) {
    control.log("%.0f more iterations foretold after %lld, up to %.0f pay", remaining, static_cast<long long>(iteration), limit);
    next_told_ = 2 * iteration;
  }
  return pays;
}

}  // namespace nonsmooth
