// Compiled for processors with AVX-512 (DQ), on which alone it may be called.
#include "sets/solve_lanes.hpp"

namespace nonsmooth {

#ifdef __AVX512DQ__
namespace {

void solve(CoulombLanesSolver3& solver, const double* const* q, double* const* r, const LaneCreep* creep) {
  solve_lanes(solver, q, r, creep);
}
void solve_rows(CoulombLanesSolver3& solver, const LaneRows& rows, double* const* r, const LaneCreep* creep) {
  solve_lanes_of_rows(solver, rows, r, creep);
}

}  // namespace

const CoulombLanes coulomb_lanes_of_avx512{solve, solve_rows};
#else
const CoulombLanes coulomb_lanes_of_avx512{};
#endif

}  // namespace nonsmooth
