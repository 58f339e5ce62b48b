// The associated convex problem of Coulomb friction: De Saxce's term is left out, contacts become second-order cones.
#pragma once

#include <vector>

#include "sets/set_block.hpp"

namespace nonsmooth {

// The same rows over convex sets. Throws Error if there is rolling friction.
std::vector<SetBlock> relaxed_blocks(const std::vector<SetBlock>& blocks);

}  // namespace nonsmooth
