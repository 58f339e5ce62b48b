// Generic numbers in [0, 1) that are the same in every run.
#pragma once

#include <cmath>
#include <numbers>

namespace nonsmooth {

// Of the multiple of the golden ratio.
inline double golden_fraction(double multiple) {
  const double x = multiple / std::numbers::phi;
  return x - std::floor(x);
}

}  // namespace nonsmooth
