// What a Newton matrix K = diag(L_b) M + diag(R_b) has beside M, block row by block row, and the size of M there.
#pragma once

#include "problems/inclusion.hpp"

namespace nonsmooth {

struct NewtonBlocks {
  IndexVector start;                // first row of each block, and the number of rows
  std::vector<std::size_t> offset;  // of each block in L and R
  Vector left, right;               // column-major blocks
  Vector scale;                     // mean of the diagonal of M_bb, at least a little of that of M

  // Allocates.
  void setup(const Inclusion& view);
  // Reads the diagonal of M anew. Allocates nothing.
  void measure(const Inclusion& view);

  std::size_t count() const { return scale.size(); }
  std::int32_t size(std::size_t b) const { return start[b + 1] - start[b]; }
  const double* L(std::size_t b) const { return left.data() + offset[b]; }
  const double* R(std::size_t b) const { return right.data() + offset[b]; }
};

}  // namespace nonsmooth
