// Where a scalar function goes from positive to negative: false position in a bracket that may reach to infinity.
#pragma once

#include <cfloat>
#include <cmath>

namespace nonsmooth {

// f(low) = f_low > 0 and f(high) < 0, unless high is infinite: `start` is then tried first, and eight times as much each time, up
// to `largest`. f returns 0 where it is as good as 0. Returns the argument of the last call of f.
template <class Function>
double find_sign_change(double low, double f_low, double high, double start, double largest, Function&& f) {
  constexpr int iterations = 100;
  double f_high = 0, t = start;
  int side = 0;
  for (int k = 0; k < iterations; ++k) {
    const double value = f(t);
    if (value == 0) break;
    // Illinois variant of false position (Dowell and Jarratt 1971) once both ends are known.
    if (value > 0) {
      low = t;
      f_low = value;
      if (side == 1) f_high /= 2;
      side = 1;
    } else {
      high = t;
      f_high = value;
      if (side == -1) f_low /= 2;
      side = -1;
    }
    if (std::isinf(high)) {
      if (t > largest) break;
      t = 8 * t;
      side = 0;
      continue;
    }
    if (high - low <= 2 * DBL_EPSILON * high) break;
    const double secant = low + (high - low) * f_low / (f_low - f_high);
    // Over many decades halve in the logarithm.
    const bool wide = low > 0 && high > 16 * low;
    t = wide ? std::sqrt(low * high) : (secant > low && secant < high ? secant : 0.5 * (low + high));
  }
  return t;
}

}  // namespace nonsmooth
