// Parameters of schemes that weigh the two ends of a step.
#pragma once

#include "nonsmooth/kernel/error.hpp"

namespace nonsmooth::kernel {

inline void requireFraction(double value, const char* what) {
  if (!(value >= 0 && value <= 1)) fail("%s = %.15g is outside [0, 1]", what, value);
}

}  // namespace nonsmooth::kernel
