// Eight contacts at once, to be compiled for several instruction sets.
#pragma once

#include "core/lanes.hpp"
#include "sets/coulomb_contact.hpp"
#include "sets/coulomb_lanes.hpp"
#include "sets/creep.hpp"

namespace nonsmooth {

NSM_INLINE void solve_velocities(CoulombLanesSolver3& solver, Lanes* q, Lanes* r, double* const* reactions,
                                 const LaneCreep* creep) {
  auto& block = reinterpret_cast<CoulombBlock3<Lanes>&>(solver.block);
  const bool is_proximal = any(block.rho > Lanes(0.0));
  Lanes old[3];
  if (is_proximal || creep != nullptr)
    for (int i = 0; i < 3; ++i) old[i] = join(reactions, i);
  if (is_proximal)
    for (int i = 0; i < 3; ++i) q[i] = q[i] - block.rho * old[i];
  solve_contact(block, q, r);
  if (creep != nullptr) push_on(block.mu, *creep, old, r);
  for (int i = 0; i < 3; ++i) separate(r[i], reactions, i);
}

NSM_INLINE void solve_lanes(CoulombLanesSolver3& solver, const double* const* given, double* const* reactions,
                            const LaneCreep* creep) {
  Lanes q[3] = {join(given, 0), join(given, 1), join(given, 2)};
  Lanes r[3];
  solve_velocities(solver, q, r, reactions, creep);
}

NSM_INLINE Singles load_singles(const float* from) {
  Singles all;
  std::memcpy(&all, from, sizeof all);
  return all;
}

// Row i of the blocks of a layer times x.
NSM_INLINE Singles row_of_layer(const float* w, int i, const Singles* x) {
  const auto entry = [&](int j) __attribute__((always_inline)) { return load_singles(w + lane_count * (i + 3 * j)); };
  return entry(0) * x[0] + entry(1) * x[1] + entry(2) * x[2];
}

NSM_INLINE void solve_lanes_of_rows(CoulombLanesSolver3& solver, const LaneRows& rows, double* const* reactions,
                                    const LaneCreep* creep) {
  constexpr int layer = 9 * lane_count, line = 16;  // numbers
  constexpr int w_ahead = 20, x_ahead = 8;          // layers: solutions between rows keep the processor's own fetching too short
  static_assert(x_ahead < layers_ahead);
  Singles sum[3]{};
  const float* w = rows.w;
  for (const std::int32_t* col = rows.col; col < rows.end; col += lane_count, w += layer) {
    for (int i = 0; i < layer; i += line) __builtin_prefetch(w + w_ahead * layer + i);  // not read beyond the last row
    if (rows.beyond_cache)
      for (int k = 0; k < lane_count; ++k) __builtin_prefetch(rows.x + col[x_ahead * lane_count + k]);
    __builtin_prefetch(col + (layers_ahead - 1) * lane_count);
    Singles x[3];
    join_threes(rows.x, col, x);
    for (int i = 0; i < 3; ++i) sum[i] = sum[i] + row_of_layer(w, i, x);
  }
  Lanes q[3], r[3];
  for (int i = 0; i < 3; ++i) q[i] = load(rows.velocity + lane_count * i) + Lanes(rows.unit) * widen(sum[i]);
  solve_velocities(solver, q, r, reactions, creep);
  for (int i = 0; i < 3; ++i) {
    const Lanes x = Lanes(rows.factor) * (r[i] - load(rows.reference + lane_count * i));
    sum[i] = narrow(select(magnitude(x) < Lanes(LaneRows::smallest), Lanes(0.0), x));
  }
  separate_threes(sum, rows.own);
}

}  // namespace nonsmooth
