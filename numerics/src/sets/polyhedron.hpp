// Polyhedron P = {z : H z >= k, lo <= z <= hi}; lo and hi empty or per unknown, entries may be infinite.
#pragma once

#include "linalg/matrix.hpp"

namespace nonsmooth {

struct Polyhedron {
  Matrix H;
  Vector k;
  Vector lo, hi;
};

}  // namespace nonsmooth
