// The loop of methods whose steps cost no more than a residual: sweeps, projections, splittings.
#pragma once

#include "methods/frame/control.hpp"

namespace nonsmooth {

// step(k), k = 1, 2 ..., moves z; anything but Stop::none ends the loop. The residual is looked at every check_interval steps,
// and after each of the first ones, so that easy problems end early. Stalled: the best residual has not fallen by a hundredth for
// long.
template <class Step>
Stop iterate(std::span<double> z, Control& control, std::int64_t check_interval, Step&& step) {
  constexpr std::int64_t patience = 20000, eager_checks = 4;
  constexpr double progress = 0.99;
  Stop stop = control.check(0, z);
  double milestone = control.best_residual();
  std::int64_t milestone_step = 0;
  for (std::int64_t k = 1; stop == Stop::none; ++k) {
    stop = step(k);
    if (stop != Stop::none) break;
    const bool due = k <= eager_checks || k % check_interval == 0;
    stop = due ? control.check(k, z) : control.check_limits(k);
    if (control.best_residual() <= progress * milestone) {
      milestone = control.best_residual();
      milestone_step = k;
    } else if (stop == Stop::none && k - milestone_step >= patience) {
      stop = Stop::stalled;
    }
  }
  // The end may have come between two checks.
  if (stop != Stop::finished) control.consider(z);
  return stop;
}

}  // namespace nonsmooth
