// Rows of blocks times a vector with the widest instructions of the processor this runs on, and the same bits on all: lane for
// lane the same operations in the same order, products rounded before they are added.
#pragma once

#include <cstddef>
#include <cstdint>

namespace nonsmooth {

// q = given + sum over k of W_k z_k: blocks W_k of 3 x 3 by columns, one after the other from w on; z_k starts at z + col[k], col
// up to end. Fetches what later rows read, which lie behind this one.
using RowProduct = void (*)(const double* w, const std::int32_t* col, const std::int32_t* end, const double* z,
                            const double* given, double* q);
RowProduct row_product_of_threes();
// What it reads behind the last row: columns, which must be valid, and one number behind the last block.
constexpr std::size_t columns_ahead = 64;

}  // namespace nonsmooth
