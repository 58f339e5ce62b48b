#include "problems/bounds.hpp"

#include <algorithm>
#include <cmath>

#include "core/index.hpp"
#include "sets/polyhedron.hpp"

namespace nonsmooth {

bool has_bounds_only(std::span<const SetBlock> blocks) {
  return std::all_of(blocks.begin(), blocks.end(), [](const SetBlock& block) {
    return block.kind == SetKind::orthant || block.kind == SetKind::box || block.kind == SetKind::free_space;
  });
}

bool has_bounds_only(const Inclusion& view) { return view.F == nullptr && has_bounds_only(view.blocks); }

void read_bounds(std::span<const SetBlock> blocks, std::span<double> lo, std::span<double> hi) {
  for (const SetBlock& block : blocks) {
    const auto start = at(block.start), size = at(block.size);
    const std::span<double> low = lo.subspan(start, size), high = hi.subspan(start, size);
    const bool orthant = block.kind == SetKind::orthant, box = block.kind == SetKind::box;
    std::fill(low.begin(), low.end(), orthant ? 0.0 : box ? block.a : -HUGE_VAL);
    std::fill(high.begin(), high.end(), box ? block.b : HUGE_VAL);
    if (block.kind != SetKind::polyhedron) continue;  // whose bounds may be missing
    std::copy(block.polyhedron->lo.begin(), block.polyhedron->lo.end(), low.begin());
    std::copy(block.polyhedron->hi.begin(), block.polyhedron->hi.end(), high.begin());
  }
}

void forget_far_bounds(std::span<SetBlock> blocks) {
  for (SetBlock& block : blocks) {
    if (block.kind != SetKind::box) continue;
    if (block.a <= -far_bound) block.a = -HUGE_VAL;
    if (block.b >= far_bound) block.b = HUGE_VAL;
  }
}

}  // namespace nonsmooth
