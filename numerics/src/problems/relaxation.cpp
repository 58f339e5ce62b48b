#include "problems/relaxation.hpp"

#include "core/error.hpp"
#include "sets/set.hpp"

namespace nonsmooth {

std::vector<SetBlock> relaxed_blocks(const std::vector<SetBlock>& blocks) {
  std::vector<SetBlock> relaxed;
  for (const SetBlock& block : blocks) {
    if (rolls(block.kind))
      fail(NSM_UNSUPPORTED, "convex_relaxation: rolling friction has no associated problem over second-order cones");
    if (block.kind != SetKind::coulomb_2d && block.kind != SetKind::coulomb_3d) {
      relaxed.push_back(block);
    } else if (block.a > 0) {
      relaxed.push_back({SetKind::second_order_cone, block.start, block.size, block.a});
    } else {  // without friction: a normal, and tangents that are 0
      relaxed.push_back({SetKind::orthant, block.start, 1});
      for (std::int32_t i = 1; i < block.size; ++i) relaxed.push_back({SetKind::box, block.start + i, 1, 0, 0});
    }
  }
  return relaxed;
}

}  // namespace nonsmooth
