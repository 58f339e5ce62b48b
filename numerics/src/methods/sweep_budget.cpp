#include "methods/sweep_budget.hpp"

#include <cmath>
#include <new>
#include <utility>

#include "methods/newton_system.hpp"

namespace nonsmooth {
namespace {

constexpr std::int64_t window = 100;       // sweeps over which the rate of convergence is taken
constexpr double trust = 2;                // a forecast reaches so many times as far as the sweeps behind it
constexpr double assumed_iterations = 20;  // of the interior point method, its setup among them
constexpr double share = 1.0 / 3;          // of its cost: what sweeps past the budget come to if the forecast fails
// Measured, in multiplications of a sweep: one of a factorisation, a one-block solve with friction, with rolling friction; and
// what an iteration of the interior point method does besides its factorisation, in sweeps without rolling.
constexpr double factor_multiplication = 1.0 / 3, contact_solve = 50, rolling_solve = 3500, linear_work = 20;

// An iteration of the interior point method in sweeps.
double sweeps_per_iteration(const Inclusion& view) {
  const bool dense = view.M->dense() != nullptr;  // sweeps leave its zeros out
  double entries = 0, plain = 0, solves = 0;
  for_each_entry(*view.M, [&](std::int64_t, std::int64_t, double value) { entries += dense && value == 0 ? 0 : 1; });
  for (const SetBlock& block : view.blocks) {
    const bool rolls = block.kind == SetKind::rolling_2d || block.kind == SetKind::rolling_3d;
    plain += contact_solve;
    solves += rolls ? rolling_solve : contact_solve;
  }
  return (factor_multiplication * NewtonSystem::work(view) + linear_work * (entries + plain)) / (entries + solves);
}

}  // namespace

void SweepBudget::begin(std::int64_t budget) {
  budget_ = budget;
  next_ = window;
  residual_ = HUGE_VAL;
}

// Ordering may find no memory; then nothing is allowed this time.
double SweepBudget::allowance() {
  if (allowance_ < 0) try {
      allowance_ = share * assumed_iterations * sweeps_per_iteration(*view_);
    } catch (const std::bad_alloc&) {
      return 0;
    }
  return allowance_;
}

bool SweepBudget::goes_on(std::int64_t iteration, const Control& control) {
  if (iteration < next_) return true;
  next_ += window;
  const double now = control.best_residual(), before = std::exchange(residual_, now);
  if (iteration < budget_) return true;
  if (!(now < before)) return false;
  const double remaining = window * std::log(now / control.tolerance()) / std::log(before / now);
  if (!(remaining <= trust * static_cast<double>(iteration))) return false;
  const bool pays = static_cast<double>(iteration - budget_) + remaining <= allowance();
  control.log("sweeps: %.0f more foretold after %lld, %.0f past the budget pay", remaining, static_cast<long long>(iteration),
              allowance());
  return pays;
}

}  // namespace nonsmooth
