// Blocks of free rows, cut where nothing couples what is on either side.
#pragma once

#include <vector>

#include "linalg/matrix.hpp"
#include "sets/set_block.hpp"

namespace nonsmooth {

// Rows of equations come by the hundred in one block, those of neighbouring rows of a mixed problem or all equations of motion:
// what treats blocks whole would keep dense factors for what the pattern of M lets it solve in many small ones. Blocks of a few
// rows stay whole, and so does everything where M is not stored by columns: zeros of a dense one may be filled later, and blocks
// are those of the sets.
std::vector<SetBlock> with_free_blocks_cut(std::vector<SetBlock> blocks, const Matrix& M);

}  // namespace nonsmooth
