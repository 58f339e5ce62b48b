// Matrices of small square blocks times a vector with the widest instructions of the processor this runs on, and the same bits on
// all: every row adds up in the order of ascending columns, products rounded before they are added.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "core/index.hpp"
#include "core/workers.hpp"
#include "linalg/matrix.hpp"

namespace nonsmooth {

// Whether columns j .. j + D - 1 have the same rows, D by D next to each other.
template <int D>
bool is_block_column(const CscMatrix& A, std::int64_t j) {
  if (j + D > A.cols) return false;
  const std::int32_t* row = A.row_index.data() + A.col_start[at(j)];
  const std::int32_t count = A.col_start[at(j + 1)] - A.col_start[at(j)];
  if (count % D != 0) return false;
  for (std::int32_t k = 0; k < count; k += D)
    if (row[k + D - 1] - row[k] != D - 1) return false;
  for (int d = 1; d < D; ++d)
    if (A.col_start[at(j + d + 1)] - A.col_start[at(j + d)] != count ||
        !std::equal(row, row + count, A.row_index.data() + A.col_start[at(j + d)]))
      return false;
  return true;
}

// Columns that have the same rows, which products take together: two or three of them, one group behind the other from the first
// column on. Found once for a pattern: to look in every product costs a third of it.
struct ColumnGroups {
  int size = 1;                   // 1: none
  std::vector<char> is_together;  // of each group
};
ColumnGroups group_columns(const CscMatrix& A);

// y += A x, all blocks of A having one size. false, and nothing is done, unless it is 1, 2 or 3.
bool multiply_add_blocks(const BlockCsrMatrix& A, std::int32_t size, std::span<const double> x, std::span<double> y,
                         Workers* workers);
// y += sign A x, sign 1 or -1, by columns, those of a group together. Any others are taken one by one, and not at all where x is
// 0.
void multiply_add_columns(const CscMatrix& A, const ColumnGroups& groups, double sign, std::span<const double> x,
                          std::span<double> y);

}  // namespace nonsmooth
