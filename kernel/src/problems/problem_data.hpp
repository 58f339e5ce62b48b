// What a nonsmooth problem hands to the numerics library, in the kernel's own terms.
#pragma once

#include <cstdint>
#include <vector>

#include "nonsmooth/kernel/one_step_ns_problem.hpp"

namespace nonsmooth::kernel {

enum class GenericBlock { Equality, Complementarity, Relay, Friction2D, Friction3D };

// M, dense or in block rows. The arrays belong to the assembly.
struct AssembledMatrix {
  bool dense = true;
  Index size = 0;
  const std::vector<double>* values = nullptr;
  const std::vector<std::int32_t>*start = nullptr, *column = nullptr, *row_end = nullptr;
  std::int32_t block_size = 0;  // 0: blocks of different sizes
};

struct ProblemData {
  ProblemKind kind = ProblemKind::Lcp;
  int dimension = 0;  // of one contact
  AssembledMatrix M;
  std::vector<std::int32_t> is_complementarity;  // mixed problems: per row
  std::vector<double> lo, hi;                    // relays: per row
  std::vector<double> mu, mu_r;                  // per contact; generic: per block
  std::vector<GenericBlock> block_kind;          // generic: per block
  std::vector<std::int32_t> block_size;
  SparseMatrix H;  // AVI: polyhedron {z : H z >= k}; global friction: [motion, rows]
  Vector k;
  SparseMatrix global_M;  // global friction: iteration matrices of the touched systems
};

}  // namespace nonsmooth::kernel
