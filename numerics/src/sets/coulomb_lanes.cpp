#include "sets/coulomb_lanes.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>

#include "sets/coulomb_cone.hpp"
#include "sets/solve_lanes.hpp"

namespace nonsmooth {
namespace {

static_assert(CoulombLanesSolver3::width == lane_count);

void solve_anywhere(CoulombLanesSolver3& solver, const double* const* q, double* const* r, const LaneCreep* creep) {
  solve_lanes(solver, q, r, creep);
}
void solve_rows_anywhere(CoulombLanesSolver3& solver, const LaneRows& rows, double* const* r, const LaneCreep* creep) {
  solve_lanes_of_rows(solver, rows, r, creep);
}
#ifdef __x86_64__
__attribute__((target("avx2"))) void solve_avx2(CoulombLanesSolver3& solver, const double* const* q, double* const* r,
                                                const LaneCreep* creep) {
  solve_lanes(solver, q, r, creep);
}
__attribute__((target("avx2"))) void solve_rows_avx2(CoulombLanesSolver3& solver, const LaneRows& rows, double* const* r,
                                                     const LaneCreep* creep) {
  solve_lanes_of_rows(solver, rows, r, creep);
}
#endif

}  // namespace

void CoulombLanesSolver3::set(std::size_t lane, const OneBlock& one) {
  double numbers[sizeof(one.block()) / sizeof(double)];
  std::memcpy(numbers, &one.block(), sizeof numbers);
  for (std::size_t k = 0; k < std::size(numbers); ++k) block[k][lane] = numbers[k];
}

void CoulombLanesSolver3::forget() {
  constexpr std::size_t alpha = offsetof(CoulombBlock3<double>, alpha) / sizeof(double);
  std::fill(block[alpha], block[alpha] + width, 0.0);
}

CoulombLanes coulomb_lanes([[maybe_unused]] Instructions instructions) {
#ifdef __x86_64__
  if (instructions == Instructions::avx512) return coulomb_lanes_of_avx512;
  if (instructions == Instructions::avx2) return {solve_avx2, solve_rows_avx2};
#endif
  return {solve_anywhere, solve_rows_anywhere};
}

}  // namespace nonsmooth
