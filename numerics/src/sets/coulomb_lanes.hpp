// One-contact problems in 3D of eight contacts that are not coupled, solved at once.
#pragma once

#include "core/lanes.hpp"
#include "sets/coulomb_cone.hpp"

namespace nonsmooth {

// Lane for lane with the bits of CoulombBlockSolver3. Twelve cache lines.
struct alignas(64) CoulombLanesSolver3 {
  using OneBlock = CoulombBlockSolver3;
  static constexpr std::size_t width = lane_count;
  void set(std::size_t lane, const OneBlock& one);
  void forget() { block.alpha = 0.0; }

  CoulombBlock3<Lanes> block;
};
// q, r: where those of each lane stand. A lane without a contact gets q_N > 0.
using SolveCoulombLanes = void (*)(CoulombLanesSolver3& solver, const double* const* q, double* const* r);
// With the widest instructions of the processor this runs on, or with those that all have: the same bits.
SolveCoulombLanes solve_coulomb_lanes(bool widest = true);

}  // namespace nonsmooth
