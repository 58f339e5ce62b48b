// When a pivot of a factor is nothing.
#pragma once

#include <cfloat>

namespace nonsmooth {

// Whether a pivot stands out of the rounding of what it is left of, numbers of that size. NaN does not.
constexpr bool is_clear_pivot(double pivot, double size) { return pivot > 4 * DBL_EPSILON * size; }

}  // namespace nonsmooth
