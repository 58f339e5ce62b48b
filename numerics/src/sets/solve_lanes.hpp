// Eight contacts at once, to be compiled for several instruction sets.
#pragma once

#include "core/lanes.hpp"
#include "sets/coulomb_contact.hpp"
#include "sets/coulomb_lanes.hpp"

namespace nonsmooth {

NSM_INLINE void solve_velocities(CoulombLanesSolver3& solver, Lanes* q, double* const* reactions) {
  auto& block = reinterpret_cast<CoulombBlock3<Lanes>&>(solver.block);
  if (any(block.rho > Lanes(0.0)))
    for (int i = 0; i < 3; ++i) q[i] = q[i] - block.rho * join(reactions, i);
  Lanes r[3];
  solve_contact(block, q, r);
  for (int i = 0; i < 3; ++i) separate(r[i], reactions, i);
}

NSM_INLINE void solve_lanes(CoulombLanesSolver3& solver, const double* const* given, double* const* reactions) {
  Lanes q[3] = {join(given, 0), join(given, 1), join(given, 2)};
  solve_velocities(solver, q, reactions);
}

// Row i of the blocks of a layer times x.
NSM_INLINE Lanes row_of_layer(const double* w, int i, const Lanes* x) {
  return load(w + lane_count * i) * x[0] + load(w + lane_count * (3 + i)) * x[1] + load(w + lane_count * (6 + i)) * x[2];
}

NSM_INLINE void solve_lanes_of_rows(CoulombLanesSolver3& solver, const LaneRows& rows, double* const* reactions) {
  constexpr int layer = 9 * lane_count, line = 8;  // doubles
  constexpr int w_ahead = 10, z_ahead = 8;         // layers: solutions between rows keep the processor's own fetching too short
  static_assert(z_ahead < layers_ahead);
  Lanes q[3] = {load(rows.given), load(rows.given + lane_count), load(rows.given + 2 * lane_count)};
  const double* w = rows.w;
  for (const std::int32_t* col = rows.col; col < rows.end; col += lane_count, w += layer) {
    for (int i = 0; i < layer; i += line) __builtin_prefetch(w + w_ahead * layer + i);  // not read beyond the last row
    for (int k = 0; k < lane_count; ++k) __builtin_prefetch(rows.z + col[z_ahead * lane_count + k]);
    __builtin_prefetch(col + (layers_ahead - 1) * lane_count);
    Lanes x[3];
    join_threes(rows.z, col, x);
    q[0] = q[0] + row_of_layer(w, 0, x);
    q[1] = q[1] + row_of_layer(w, 1, x);
    q[2] = q[2] + row_of_layer(w, 2, x);
  }
  solve_velocities(solver, q, reactions);
}

}  // namespace nonsmooth
