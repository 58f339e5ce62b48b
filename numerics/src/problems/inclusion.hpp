// Every problem as  w = M z + q,  -w in N_C(z),  C a product of sets (w after De Saxce for friction). What the methods see.
#pragma once

#include <vector>

#include "linalg/matrix.hpp"
#include "sets/set_block.hpp"

namespace nonsmooth {

struct Inclusion {
  const Matrix* M = nullptr;     // borrowed
  const Vector* q = nullptr;     // borrowed
  std::vector<SetBlock> blocks;  // ascending, covering all rows
  double scale = 1;              // the residual is divided by it: max(1, |q|) of the original problem

  std::int64_t size() const { return M->rows(); }
};

// max(1, |q|_2): what residuals are relative to.
double residual_scale(const Vector& q);

}  // namespace nonsmooth
