// Projection on a polyhedron of many unknowns by Newton steps for the multipliers of its rows.
#pragma once

#include "sets/polyhedron.hpp"

namespace nonsmooth {

enum class Projected {
  found,
  empty,     // the polyhedron is, multipliers prove it; or its points are a million times as far as all that is given
  unsettled  // nothing is known
};

// p = projection of x. The dual problem, a maximum over l >= 0 of a concave function that is piecewise quadratic, is solved by
// projected Newton steps (Bertsekas 1982; Li, Sun and Toh 2020): those of the face that the point `near` lies on first, which
// leads there at once if the projection is near it. Each step is a factorisation, sparse if H is; where the factors would not fit
// nothing is found. p is undefined unless it is found. Throws std::bad_alloc.
Projected project_by_multipliers(const Polyhedron& set, std::span<const double> x, std::span<const double> near,
                                 std::span<double> p, int most_steps);

}  // namespace nonsmooth
