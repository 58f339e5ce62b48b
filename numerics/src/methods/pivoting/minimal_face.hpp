// A face of least dimension of a polyhedron: a vertex, or where the polyhedron contains lines a translate of its lineality space.
#pragma once

#include <vector>

#include "sets/polyhedron.hpp"

namespace nonsmooth {

struct MinimalFace {
  bool exists = false;     // false: the polyhedron is empty
  Vector proof;            // then multipliers of the rows of H that prove it (certificate/farkas.hpp); empty if none was found
  std::vector<char> rows;  // of H, those that span the face together with the bounds below: 1, independent ones only
  std::vector<char> at_lower, at_upper;  // per unknown
};

// By a feasible point and steps along the lines that remain. Dense work, O(n^2 (n + rows)); allocates.
MinimalFace find_minimal_face(const Polyhedron& set, std::int64_t unknowns);

// Multipliers of the rows of H that prove that the polyhedron is empty, as above. Dense; allocates.
Vector prove_empty(const Polyhedron& set, std::int64_t unknowns);

}  // namespace nonsmooth
