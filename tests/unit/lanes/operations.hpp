// The operations of core/lanes.hpp as functions, of each instruction set.
#pragma once

#include <cstdint>

namespace lanes_test {

struct LaneOperations {
  // Eight numbers each: a + b, a - b, a * b, a / b, -a, larger(a, b), smaller(a, b), magnitude(a), square_root(a), Lanes(a[0]).
  static constexpr int results = 10;
  void (*calculate)(const double* a, const double* b, double* to);

  // select(mask, a, b) and any(mask) for a < b, a <= b, a == b, a > b, a >= b, (a < b) & (a <= 0), (a < b) | (a <= 0),
  // negation(a < b).
  static constexpr int masks = 8;
  void (*compare)(const double* a, const double* b, double* selected, bool* any);

  // Entry `offset` of eight places, together and, the other way round, from there.
  void (*join)(const double* const* places, int offset, double* to);
  void (*separate)(const double* from, double* const* places, int offset);

  void (*narrow)(const double* from, float* to);
  void (*widen)(const float* from, double* to);
  void (*join_threes)(const float* z, const std::int32_t* places, float* to);
  void (*separate_threes)(const float* from, float* to);
};

extern const LaneOperations lanes_of_any, lanes_of_avx2, lanes_of_avx512;

}  // namespace lanes_test
