#include "methods/sweeps/row_product.hpp"

#include <cstring>

#include "core/instructions.hpp"

namespace nonsmooth {
namespace {

constexpr int block_width = 3, doubles_a_line = 8;
constexpr int blocks_ahead = 80;  // the solver between two rows keeps the processor's own fetching too short

// Three numbers and one that is not wanted.
using FourRows = double __attribute__((vector_size(32)));

// sum += W z for one block.
__attribute__((always_inline)) inline void add_product(const double* w, const double* z, FourRows& sum) {
  FourRows column[block_width];
  for (int j = 0; j < block_width; ++j) std::memcpy(&column[j], w + j * block_width, sizeof(FourRows));
  FourRows product = column[0] * z[0];
  for (int j = 1; j < block_width; ++j) product += column[j] * z[j];
  sum += product;
}

__attribute__((always_inline)) inline void add_row(const double* w, const std::int32_t* col, const std::int32_t* end,
                                                   const double* z, const double* given, double* q) {
  // Two sums, each with one addition per block on its chain: the latency of additions bounds this loop, not their number.
  FourRows even{given[0], given[1], given[2], 0}, odd{};
  for (; col + 2 <= end; col += 2, w += 2 * block_width * block_width) {
    for (int i = 0; i < 2 * block_width * block_width; i += doubles_a_line)
      __builtin_prefetch(w + blocks_ahead * block_width * block_width + i);  // not read beyond the last row
    for (std::size_t k = columns_ahead - 2; k < columns_ahead; ++k) __builtin_prefetch(z + col[k]);
    add_product(w, z + col[0], even);
    add_product(w + block_width * block_width, z + col[1], odd);
  }
  if (col < end) add_product(w, z + *col, even);
  for (int i = 0; i < block_width; ++i) q[i] = even[i] + odd[i];
}

void add_row_anywhere(const double* w, const std::int32_t* col, const std::int32_t* end, const double* z, const double* given,
                      double* q) {
  add_row(w, col, end, z, given, q);
}
#ifdef __x86_64__
__attribute__((target("avx2"))) void add_row_avx2(const double* w, const std::int32_t* col, const std::int32_t* end,
                                                  const double* z, const double* given, double* q) {
  add_row(w, col, end, z, given, q);
}
#endif

}  // namespace

RowProduct row_product_of_threes() {
#ifdef __x86_64__
  if (widest_instructions() >= Instructions::avx2) return add_row_avx2;
#endif
  return add_row_anywhere;
}

}  // namespace nonsmooth
