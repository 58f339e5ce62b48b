// What Newton's methods with a line search ask of a direction and of a step (De Luca, Facchinei and Kanzow 1996).
#pragma once

#include <cmath>

namespace nonsmooth {

constexpr double armijo = 1e-4;  // least decrease, as a share of what the slope foretells

// Whether a direction of such a slope and length goes down far enough to be searched along.
inline bool is_descent(double slope, double length) {
  constexpr double factor = 1e-10, power = 2.1;
  return std::isfinite(length) && slope <= -factor * std::pow(length, power);
}

}  // namespace nonsmooth
