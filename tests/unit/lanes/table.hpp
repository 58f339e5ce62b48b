// The functions of LaneOperations, to be compiled for an instruction set by each source that includes this. Nothing else may
// stand in these sources: an inline function that others share would be linked with their instructions.
#pragma once

#include "core/lanes.hpp"
#include "operations.hpp"

namespace lanes_test {
namespace {

using namespace nonsmooth;

void calculate(const double* a, const double* b, double* to) {
  const Lanes x = load(a), y = load(b);
  const Lanes results[LaneOperations::results] = {x + y,        x - y,         x * y,        x / y,          -x,
                                                  larger(x, y), smaller(x, y), magnitude(x), square_root(x), Lanes(a[0])};
  for (int k = 0; k < LaneOperations::results; ++k) store(results[k], to + lane_count * k);
}

void compare(const double* a, const double* b, double* selected, bool* are_any) {
  const Lanes x = load(a), y = load(b);
  const LaneMask is_less = x < y, is_not_positive = x <= Lanes(0.0);
  const LaneMask masks[LaneOperations::masks] = {
      is_less, x <= y, x == y, x > y, x >= y, is_less & is_not_positive, is_less | is_not_positive, negation(is_less)};
  for (int k = 0; k < LaneOperations::masks; ++k) {
    store(select(masks[k], x, y), selected + lane_count * k);
    are_any[k] = any(masks[k]);
  }
}

void join_places(const double* const* places, int offset, double* to) { store(join(places, offset), to); }
void separate_places(const double* from, double* const* places, int offset) { separate(load(from), places, offset); }

void narrow_lanes(const double* from, float* to) {
  const Singles singles = narrow(load(from));
  std::memcpy(to, &singles, sizeof singles);
}
void widen_singles(const float* from, double* to) {
  Singles singles;
  std::memcpy(&singles, from, sizeof singles);
  store(widen(singles), to);
}
void join_all_threes(const float* z, const std::int32_t* places, float* to) {
  Singles x[3];
  join_threes(z, places, x);
  std::memcpy(to, x, sizeof x);
}
void separate_all_threes(const float* from, float* to) {
  Singles x[3];
  std::memcpy(x, from, sizeof x);
  separate_threes(x, to);
}

constexpr LaneOperations table{calculate,    compare,       join_places,     separate_places,
                               narrow_lanes, widen_singles, join_all_threes, separate_all_threes};

}  // namespace
}  // namespace lanes_test
