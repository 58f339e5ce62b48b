#include "sets/coulomb_lanes.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>

#include "sets/coulomb_cone.hpp"

namespace nonsmooth {

void CoulombLanesSolver3::set(std::size_t lane, const OneBlock& one) {
  double numbers[sizeof(one.block()) / sizeof(double)];
  std::memcpy(numbers, &one.block(), sizeof numbers);
  for (std::size_t k = 0; k < std::size(numbers); ++k) block[k][lane] = numbers[k];
}

void CoulombLanesSolver3::forget() {
  constexpr std::size_t alpha = offsetof(CoulombBlock3<double>, alpha) / sizeof(double);
  std::fill(block[alpha], block[alpha] + width, 0.0);
}

const CoulombLanes& coulomb_lanes([[maybe_unused]] Instructions instructions) {
#ifdef __x86_64__
  if (instructions == Instructions::avx512) return coulomb_lanes_of_avx512;
  if (instructions == Instructions::avx2) return coulomb_lanes_of_avx2;
#endif
  return coulomb_lanes_of_any;
}

}  // namespace nonsmooth
