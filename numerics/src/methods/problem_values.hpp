// The values of a problem that a solver may be given anew, and what is asked of those.
#pragma once

#include <span>

#include "nonsmooth/matrix.h"
#include "problems/problem.hpp"

namespace nonsmooth {

// q; of a global problem the free velocity w; null of a problem given by callbacks.
Vector* right_hand_side(Problem& problem);
// Of a global problem, in its equations of motion; null of others.
Vector* forces(Problem& problem);
// mu, null if there is none.
Vector* friction_coefficients(Problem& problem);
// The set that may hold half-spaces, null if there is none.
Polyhedron* polyhedron_of(Problem& problem);

// Whether the view holds its values exactly where M does.
bool has_layout_of(const nsm_matrix& view, const Matrix& M);
bool same_pattern(const Matrix& a, const Matrix& b);

// All throw Error.
[[noreturn]] void fail_without(const char* what, const Problem& problem);
void require_finite_values(std::span<const double> values, const char* name);
void require_size(std::size_t given, std::size_t expected, const char* name);
// A vector of the problem, from which new values for it may be taken: there, of its size, finite.
Vector& require_values(Vector* target, std::span<const double> values, const char* name, const Problem& problem);

}  // namespace nonsmooth
