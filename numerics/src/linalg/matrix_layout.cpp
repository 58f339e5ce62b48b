#include "linalg/matrix_layout.hpp"

#include <algorithm>

namespace nonsmooth {

bool has_layout_of(const nsm_matrix& view, const Matrix& M) {
  if (view.struct_size < sizeof(nsm_matrix) || view.storage != M.storage() || view.rows != M.rows() || view.cols != M.cols() ||
      view.values == nullptr)
    return false;
  const auto equal = [](const std::int32_t* given, const IndexVector& own) {
    return given != nullptr && std::equal(own.begin(), own.end(), given);
  };
  if (const CscMatrix* csc = M.csc()) return equal(view.start, csc->col_start) && equal(view.index, csc->row_index);
  if (const BlockCsrMatrix* blocks = M.block_csr())
    return view.block_size > 0 && view.block_size == blocks->uniform_block_size() && view.block_rows == blocks->block_rows() &&
           equal(view.start, blocks->row_start) && equal(view.index, blocks->block_col);
  return view.leading_dimension == 0 || view.leading_dimension == view.rows;
}

bool same_pattern(const Matrix& a, const Matrix& b) {
  if (a.storage() != b.storage() || a.rows() != b.rows() || a.cols() != b.cols()) return false;
  if (const CscMatrix* x = a.csc()) return x->col_start == b.csc()->col_start && x->row_index == b.csc()->row_index;
  if (const BlockCsrMatrix* x = a.block_csr()) {
    const BlockCsrMatrix* y = b.block_csr();
    return x->row_end == y->row_end && x->col_end == y->col_end && x->row_start == y->row_start && x->block_col == y->block_col;
  }
  return true;
}

}  // namespace nonsmooth
