// Matrix views.
#include "nonsmooth/matrix.h"

#include <cstdint>

nsm_matrix nsm_matrix_dense(int64_t rows, int64_t cols, const double* values) {
  nsm_matrix view{};
  view.struct_size = sizeof view;
  view.storage = NSM_DENSE;
  view.rows = rows;
  view.cols = cols;
  view.values = values;
  return view;
}

nsm_matrix nsm_matrix_csc(int64_t rows, int64_t cols, const int32_t* start, const int32_t* index, const double* values) {
  nsm_matrix view = nsm_matrix_dense(rows, cols, values);
  view.storage = NSM_CSC;
  view.start = start;
  view.index = index;
  return view;
}

nsm_matrix nsm_matrix_block_csr(int32_t block_size, int64_t block_rows, int64_t block_cols, const int32_t* start,
                                const int32_t* index, const double* values) {
  const auto length = [block_size](int64_t blocks) {  // out of range: more than any array has, which every reader refuses
    int64_t product = 0;
    return __builtin_mul_overflow(blocks, int64_t{block_size}, &product) ? INT64_MAX : product;
  };
  nsm_matrix view = nsm_matrix_csc(length(block_rows), length(block_cols), start, index, values);
  view.storage = NSM_BLOCK_CSR;
  view.block_size = block_size;
  view.block_rows = block_rows;
  view.block_cols = block_cols;
  return view;
}
