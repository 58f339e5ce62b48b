// The sets of problems whose rows are bounded one by one - orthants, boxes, free rows - as one interval per row.
#pragma once

#include "problems/inclusion.hpp"

namespace nonsmooth {

struct RowBounds {
  Vector lo, hi;

  // Throws Error naming `method` if a block is of another kind.
  void setup(const Inclusion& view, const char* method);
  // Parameters of the sets have changed. Allocates nothing.
  void load(const Inclusion& view);
  double clip(std::size_t i, double z) const { return z < lo[i] ? lo[i] : z > hi[i] ? hi[i] : z; }
};

}  // namespace nonsmooth
