// Slater's condition: a z with u_N > mu |u_T| at every contact, which proves that a friction problem has a solution (Acary,
// Cadoux, Lemarechal and Malick 2011). If the associated convex problem of the data with all normal velocities lowered by a
// little has a solution, its velocities lie in the dual cones, and the true ones inside them.
#pragma once

#include <span>

#include "problems/problem.hpp"

namespace nonsmooth {

// z receives the point, as the unknowns of the problem. Returns the least u_N - mu |u_T|, recomputed; not positive, beyond
// rounding, if no such point was found. Throws Error for other classes than friction and global friction.
double slater_margin(const Problem& problem, std::span<double> z);

}  // namespace nonsmooth
