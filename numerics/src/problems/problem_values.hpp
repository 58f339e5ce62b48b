// The values of a problem that a solver may be given anew, and what is asked of those.
#pragma once

#include <span>

#include "problems/problem.hpp"

namespace nonsmooth {

// q; of a global problem the free velocity w; null of a problem given by callbacks.
Vector* right_hand_side(Problem& problem);
const Vector* right_hand_side(const Problem& problem);
// Of a global problem, in its equations of motion; null of others.
Vector* forces(Problem& problem);
// mu, null if there is none.
Vector* friction_coefficients(Problem& problem);
const Vector* friction_coefficients(const Problem& problem);
// The set that may hold half-spaces, null if there is none.
Polyhedron* polyhedron_of(Problem& problem);
const Polyhedron* polyhedron_of(const Problem& problem);

// All throw Error.
[[noreturn]] void fail_without(const char* what, const Problem& problem);
void require_finite_values(std::span<const double> values, const char* name);
void require_size(std::size_t given, std::size_t expected, const char* name);
// A vector of the problem, from which new values for it may be taken: there, of its size, finite.
Vector& require_values(Vector* target, std::span<const double> values, const char* name, const Problem& problem);

}  // namespace nonsmooth
