#include "sets/set.hpp"

#include <algorithm>
#include <cmath>

#include "core/index.hpp"
#include "sets/coulomb_lanes.hpp"

namespace nonsmooth {

bool project(const SetBlock& block, const double* x, double* p) {
  if (visit_set(block, [&](const auto& set) { set.project(x, p); })) return true;
  if (block.kind == SetKind::user_set) return block.user_set->project(block.size, x, p);
  const auto n = at(block.size);
  return project(*block.polyhedron, {x, n}, {p, n});
}

bool project(std::span<const SetBlock> blocks, const double* x, double* p) {
  bool projected = true;
  visit_by_lanes(
      blocks, [&, eight = coulomb_lanes().project](const SetBlock* contacts) { eight(contacts, x, p); },
      [&](const SetBlock& block) { projected = project(block, x + block.start, p + block.start) && projected; });
  return projected;
}

bool obey(const SetBlock& block, const double* x, double* z) {
  return visit_contact(block, [&](const auto& cone) { cone.obey(x, z); }) || project(block, x, z);
}

void add_normal_shift(const SetBlock& block, double* w) {
  visit_contact(block, [&](const auto& cone) { cone.add_normal_shift(w); });
}

void add_normal_shift(std::span<const SetBlock> blocks, double* w) {
  visit_by_lanes(
      blocks, [&, eight = coulomb_lanes().add_normal_shift](const SetBlock* contacts) { eight(contacts, w); },
      [&](const SetBlock& block) { add_normal_shift(block, w + block.start); });
}

double distance_to_set(const SetBlock& block, const double* z, double* workspace) {
  if (block.kind == SetKind::orthant) return std::max(-z[0], 0.0);
  if (!project(block, z, workspace)) return HUGE_VAL;
  double sum = 0;
  for (std::int32_t i = 0; i < block.size; ++i) sum += (z[i] - workspace[i]) * (z[i] - workspace[i]);
  return std::sqrt(sum);
}

double distance_to_dual(const SetBlock& block, const double* w, double* workspace) {
  if (!has_dual_cone(block.kind)) return 0;
  if (block.kind == SetKind::orthant) return std::max(-w[0], 0.0);
  // Moreau: w = P_K*(w) - P_K(-w), so that the distance is |P_K(-w)|. For R^n this is |w|.
  double* minus_w = workspace;
  double* projection = workspace + block.size;
  for (std::int32_t i = 0; i < block.size; ++i) minus_w[i] = -w[i];
  project(block, minus_w, projection);
  double sum = 0;
  for (std::int32_t i = 0; i < block.size; ++i) sum += projection[i] * projection[i];
  return std::sqrt(sum);
}

}  // namespace nonsmooth
