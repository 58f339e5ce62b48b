#include "linalg/matrix.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <numeric>
#include <utility>

#include "core/checked.hpp"
#include "core/error.hpp"
#include "core/index.hpp"
#include "core/workers.hpp"
#include "linalg/block_product.hpp"

namespace nonsmooth {
namespace {

void require_size(std::size_t actual, std::int64_t expected, const char* what, const char* array) {
  if (actual != at(expected))
    fail(NSM_INVALID_DIMENSION, "%s: %s has %zu entries, %lld expected", what, array, actual, (long long)expected);
}

void require_shape(std::int64_t rows, std::int64_t cols, const char* what) {
  if (rows < 0 || cols < 0)
    fail(NSM_INVALID_DIMENSION, "%s: %lld x %lld is no matrix size", what, (long long)rows, (long long)cols);
  checked_index(rows, what);
  checked_index(cols, what);
}

// start[0] = 0, non-decreasing, and the last one counts `index`; every index in [0, limit).
void require_compressed(const IndexVector& start, const IndexVector& index, std::int64_t lines, std::int64_t limit,
                        const char* what) {
  require_size(start.size(), lines + 1, what, "start");
  if (start[0] != 0) fail(NSM_INVALID_STRUCTURE, "%s: start[0] is %d, not 0", what, start[0]);
  for (std::int64_t k = 0; k < lines; ++k)
    if (start[at(k + 1)] < start[at(k)])
      fail(NSM_INVALID_STRUCTURE, "%s: start[%lld] = %d is below start[%lld] = %d", what, (long long)(k + 1), start[at(k + 1)],
           (long long)k, start[at(k)]);
  require_size(index.size(), start[at(lines)], what, "index");
  for (std::size_t k = 0; k < index.size(); ++k)
    if (index[k] < 0 || index[k] >= limit)
      fail(NSM_INVALID_STRUCTURE, "%s: index[%zu] = %d is outside 0 .. %lld", what, k, index[k], (long long)limit - 1);
}

// Cumulative ends: positive block sizes, last one the whole size.
void require_partition(const IndexVector& end, std::int64_t size, const char* what, const char* array) {
  std::int32_t previous = 0;
  for (std::size_t k = 0; k < end.size(); ++k) {
    if (end[k] <= previous) fail(NSM_INVALID_STRUCTURE, "%s: %s[%zu] = %d does not exceed %d", what, array, k, end[k], previous);
    previous = end[k];
  }
  if (previous != size) fail(NSM_INVALID_DIMENSION, "%s: %s ends at %d, not at %lld", what, array, previous, (long long)size);
}

// Permutation that sorts index within each line; fails on an index given twice. Empty if all lines are sorted already.
IndexVector sorting_permutation(const IndexVector& start, const IndexVector& index, const char* what, const char* line_name) {
  bool sorted = true;
  for (std::size_t line = 0; line + 1 < start.size() && sorted; ++line)
    sorted = std::is_sorted(index.begin() + start[line], index.begin() + start[line + 1]);
  IndexVector order;
  if (!sorted) {
    order.resize(index.size());
    std::iota(order.begin(), order.end(), 0);
    for (std::size_t line = 0; line + 1 < start.size(); ++line)
      std::stable_sort(order.begin() + start[line], order.begin() + start[line + 1],
                       [&](std::int32_t a, std::int32_t b) { return index[at(a)] < index[at(b)]; });
  }
  auto entry = [&](std::int32_t k) { return index[order.empty() ? at(k) : at(order[at(k)])]; };
  for (std::size_t line = 0; line + 1 < start.size(); ++line)
    for (std::int32_t k = start[line] + 1; k < start[line + 1]; ++k)
      if (entry(k) == entry(k - 1))
        fail(NSM_INVALID_STRUCTURE, "%s: index %d stands twice in %s %zu", what, entry(k), line_name, line);
  return order;
}

// Where each of the sorted values stood; nullptr: where it stands.
using GivenPlaces = std::shared_ptr<const std::vector<std::size_t>>;

GivenPlaces sort_columns(CscMatrix& A, const char* what) {
  const IndexVector order = sorting_permutation(A.col_start, A.row_index, what, "column");
  if (order.empty()) return nullptr;
  IndexVector index(A.row_index.size());
  Vector values(A.values.size());
  for (std::size_t k = 0; k < order.size(); ++k) {
    index[k] = A.row_index[at(order[k])];
    values[k] = A.values[at(order[k])];
  }
  A.row_index = std::move(index);
  A.values = std::move(values);
  return std::make_shared<std::vector<std::size_t>>(order.begin(), order.end());
}

// Fills block_start from the partition; returns the number of values the blocks need.
std::int64_t compute_block_start(BlockCsrMatrix& A, const char* what) {
  A.block_start.assign(A.block_col.size() + 1, 0);
  if (const std::int64_t d = A.uniform_block_size(); d > 0) {
    checked_mul(static_cast<std::int64_t>(A.block_col.size()), checked_mul(d, d, what), what);
    for (std::size_t k = 1; k < A.block_start.size(); ++k) A.block_start[k] = static_cast<std::int64_t>(k) * d * d;
    return A.block_start.back();
  }
  for (std::int64_t I = 0; I < A.block_rows(); ++I)
    for (std::int32_t k = A.row_start[at(I)]; k < A.row_start[at(I + 1)]; ++k) {
      const std::int32_t J = A.block_col[at(k)];
      const std::int64_t size = std::int64_t{A.row_end[at(I)] - A.row_begin(I)} * (A.col_end[at(J)] - A.col_begin(J));
      A.block_start[at(k + 1)] = checked_add(A.block_start[at(k)], size, what);
    }
  return A.block_start.back();
}

GivenPlaces sort_blocks(BlockCsrMatrix& A, const char* what) {
  const IndexVector order = sorting_permutation(A.row_start, A.block_col, what, "block row");
  if (order.empty()) return nullptr;
  const BlockCsrMatrix source = A;
  for (std::size_t k = 0; k < order.size(); ++k) A.block_col[k] = source.block_col[at(order[k])];
  compute_block_start(A, what);
  auto given = std::make_shared<std::vector<std::size_t>>();
  given->reserve(A.values.size());
  for (const std::int32_t from : order)
    for (std::int64_t e = source.block_start[at(from)]; e < source.block_start[at(from + 1)]; ++e) given->push_back(at(e));
  std::transform(given->begin(), given->end(), A.values.begin(), [&](std::size_t place) { return source.values[place]; });
  return given;
}

// The length of the caller's other arrays. More than all entries is none: the end of such a start was never written.
std::int64_t entries_of(const IndexVector& start, std::int64_t all, const char* what) {
  if (start.back() > all)
    fail(NSM_INVALID_STRUCTURE, "%s: start[%zu] = %d, but there are %lld entries in all", what, start.size() - 1, start.back(),
         static_cast<long long>(all));
  return std::max(0, start.back());
}

}  // namespace

std::int32_t BlockCsrMatrix::uniform_block_size() const {
  if (row_end.empty()) return 0;
  const std::int32_t d = row_end[0];
  std::int32_t different = 0;  // counted to the end, which is faster than to look after every block
  for (const IndexVector* end : {&row_end, &col_end})
    for (std::size_t k = 0; k < end->size(); ++k) different += (*end)[k] != d * static_cast<std::int32_t>(k + 1);
  return different == 0 ? d : 0;
}

Matrix::Matrix(DenseMatrix dense, const char* what) {
  require_shape(dense.rows, dense.cols, what);
  require_size(dense.values.size(), checked_mul(dense.rows, dense.cols, what), what, "values");
  data_ = std::make_shared<Data>(std::move(dense));
}

Matrix::Matrix(CscMatrix csc, const char* what) {
  require_shape(csc.rows, csc.cols, what);
  require_compressed(csc.col_start, csc.row_index, csc.cols, csc.rows, what);
  require_size(csc.values.size(), static_cast<std::int64_t>(csc.row_index.size()), what, "values");
  given_ = sort_columns(csc, what);
  groups_ = std::make_shared<const ColumnGroups>(group_columns(csc));
  data_ = std::make_shared<Data>(std::move(csc));
}

Matrix::Matrix(BlockCsrMatrix blocks, const char* what) {
  require_shape(blocks.rows, blocks.cols, what);
  require_partition(blocks.row_end, blocks.rows, what, "row_end");
  require_partition(blocks.col_end, blocks.cols, what, "col_end");
  require_compressed(blocks.row_start, blocks.block_col, blocks.block_rows(), static_cast<std::int64_t>(blocks.col_end.size()),
                     what);
  require_size(blocks.values.size(), compute_block_start(blocks, what), what, "values");
  given_ = sort_blocks(blocks, what);
  block_size_ = blocks.uniform_block_size();
  data_ = std::make_shared<Data>(std::move(blocks));
}

Matrix Matrix::from_triplets(std::int64_t rows, std::int64_t cols, std::span<const std::int32_t> row,
                             std::span<const std::int32_t> col, std::span<const double> value, const char* what) {
  require_shape(rows, cols, what);
  if (row.size() != col.size() || row.size() != value.size())
    fail(NSM_INVALID_DIMENSION, "%s: %zu rows, %zu columns, %zu values", what, row.size(), col.size(), value.size());
  checked_index(static_cast<std::int64_t>(row.size()), what);
  CscMatrix csc{rows, cols, IndexVector(at(cols + 1), 0), IndexVector(row.size()), Vector(row.size())};
  for (std::size_t k = 0; k < row.size(); ++k) {
    if (row[k] < 0 || row[k] >= rows)
      fail(NSM_INVALID_STRUCTURE, "%s: row index %d of entry %zu is outside 0 .. %lld", what, row[k], k, (long long)rows - 1);
    if (col[k] < 0 || col[k] >= cols)
      fail(NSM_INVALID_STRUCTURE, "%s: column index %d of entry %zu is outside 0 .. %lld", what, col[k], k, (long long)cols - 1);
    ++csc.col_start[at(col[k] + 1)];
  }
  std::partial_sum(csc.col_start.begin(), csc.col_start.end(), csc.col_start.begin());
  IndexVector next(csc.col_start.begin(), csc.col_start.end() - 1);
  for (std::size_t k = 0; k < row.size(); ++k) {
    const std::size_t position = at(next[at(col[k])]++);
    csc.row_index[position] = row[k];
    csc.values[position] = value[k];
  }
  return Matrix(std::move(csc), what);
}

namespace {

void require_array(const void* array, std::int64_t size, const char* name, const char* what) {
  if (array == nullptr && size > 0) fail(NSM_INVALID_ARGUMENT, "%s: %s is NULL", what, name);
}

template <class Number>
std::vector<Number> copied(const Number* array, std::int64_t size, const char* name, const char* what) {
  require_array(array, size, name, what);
  return std::vector<Number>(array, array + size);
}

DenseMatrix dense_from_view(const nsm_matrix& view, const char* what) {
  const std::int64_t stride = view.leading_dimension == 0 ? view.rows : view.leading_dimension;
  if (stride < view.rows)
    fail(NSM_INVALID_DIMENSION, "%s: leading_dimension %lld is below rows %lld", what, (long long)stride, (long long)view.rows);
  checked_mul(checked_mul(stride, view.cols, what), sizeof(double), what);  // where the last column stands
  const std::int64_t count = checked_mul(view.rows, view.cols, what);
  require_array(view.values, count, "values", what);
  DenseMatrix dense{view.rows, view.cols, Vector(at(count))};
  for (std::int64_t j = 0; j < view.cols; ++j)
    std::copy_n(view.values + j * stride, view.rows, dense.values.begin() + j * view.rows);
  return dense;
}

CscMatrix csc_from_view(const nsm_matrix& view, const char* what) {
  CscMatrix csc{view.rows, view.cols, copied(view.start, view.cols + 1, "start", what), {}, {}};
  const std::int64_t count = entries_of(csc.col_start, view.rows * view.cols, what);
  csc.row_index = copied(view.index, count, "index", what);
  csc.values = copied(view.values, count, "values", what);
  return csc;
}

BlockCsrMatrix block_csr_from_view(const nsm_matrix& view, const char* what) {
  BlockCsrMatrix blocks;
  blocks.rows = view.rows;
  blocks.cols = view.cols;
  if (checked_index(view.block_rows, what) > view.rows || checked_index(view.block_cols, what) > view.cols)
    fail(NSM_INVALID_DIMENSION, "%s: %lld x %lld blocks in a %lld x %lld matrix", what, (long long)view.block_rows,
         (long long)view.block_cols, (long long)view.rows, (long long)view.cols);
  if (view.block_size > 0) {
    for (std::int64_t k = 1; k <= view.block_rows; ++k) blocks.row_end.push_back(checked_index(k * view.block_size, what));
    for (std::int64_t k = 1; k <= view.block_cols; ++k) blocks.col_end.push_back(checked_index(k * view.block_size, what));
  } else {
    blocks.row_end = copied(view.row_end, view.block_rows, "row_end", what);
    blocks.col_end = copied(view.col_end, view.block_cols, "col_end", what);
  }
  blocks.row_start = copied(view.start, view.block_rows + 1, "start", what);
  const std::int64_t stored_blocks = entries_of(blocks.row_start, view.block_rows * view.block_cols, what);
  blocks.block_col = copied(view.index, stored_blocks, "index", what);
  require_partition(blocks.row_end, blocks.rows, what, "row_end");
  require_partition(blocks.col_end, blocks.cols, what, "col_end");
  require_compressed(blocks.row_start, blocks.block_col, blocks.block_rows(), view.block_cols, what);
  blocks.values = copied(view.values, compute_block_start(blocks, what), "values", what);
  return blocks;
}

}  // namespace

Matrix Matrix::from_view(const nsm_matrix& view, const char* what) {
  if (view.struct_size < sizeof(nsm_matrix))
    fail(NSM_INVALID_ARGUMENT, "%s: struct_size is %u, at least %zu expected", what, view.struct_size, sizeof(nsm_matrix));
  require_shape(view.rows, view.cols, what);
  switch (view.storage) {
    case NSM_DENSE: return Matrix(dense_from_view(view, what), what);
    case NSM_CSC: return Matrix(csc_from_view(view, what), what);
    case NSM_BLOCK_CSR: return Matrix(block_csr_from_view(view, what), what);
    default: fail(NSM_INVALID_ARGUMENT, "%s: storage %d is none of nsm_storage", what, view.storage);
  }
}

std::int64_t Matrix::rows() const {
  return data_ ? std::visit([](const auto& A) { return A.rows; }, *data_) : 0;
}
std::int64_t Matrix::cols() const {
  return data_ ? std::visit([](const auto& A) { return A.cols; }, *data_) : 0;
}
std::span<const double> Matrix::values() const {
  if (!data_) return {};
  return std::visit([](const auto& A) { return std::span<const double>(A.values); }, std::as_const(*data_));
}
std::span<double> Matrix::own_values() {
  if (!data_) return {};
  if (data_.use_count() > 1) data_ = std::make_shared<Data>(*data_);
  std::atomic_thread_fence(std::memory_order_acquire);  // after the last reads of a thread that shared them
  return std::visit([](auto& A) { return std::span<double>(A.values); }, *data_);
}
void Matrix::assign(std::span<const double> values) {
  const std::span<double> own = own_values();
  if (given_ == nullptr)
    std::copy(values.begin(), values.end(), own.begin());
  else
    std::transform(given_->begin(), given_->end(), own.begin(), [&](std::size_t place) { return values[place]; });
}

namespace {

// Two columns at a time, zeros of x skipped: y is read and written half as often. Each row still sums its columns in ascending
// order.
void multiply_add_dense(const DenseMatrix& A, double scale, std::span<const double> x, std::span<double> y) {
  const double* previous = nullptr;
  double factor = 0;
  for (std::int64_t j = 0; j < A.cols; ++j) {
    if (x[at(j)] == 0) continue;
    const double *a = A.values.data() + j * A.rows, xj = x[at(j)];
    if (previous == nullptr) {
      previous = a;
      factor = xj;
      continue;
    }
    for (std::size_t i = 0; i < at(A.rows); ++i) y[i] = (y[i] + scale * (previous[i] * factor)) + scale * (a[i] * xj);
    previous = nullptr;
  }
  if (previous != nullptr)
    for (std::size_t i = 0; i < at(A.rows); ++i) y[i] += scale * (previous[i] * factor);
}

// Square blocks of one size D: sums of a row stay in registers, in the order of for_each_entry. Rows are independent: their bits
// do not depend on who adds them up.
template <std::size_t D, class Term>
void add_rows(const BlockCsrMatrix& A, std::span<const double> x, std::span<double> y, const Term& term, Workers* workers) {
  for_each_share(workers, A.row_end.size(), [&](std::size_t I) {
    const double* block = A.values.data() + at(A.row_start[I]) * D * D;
    double sum[D];
    std::copy_n(y.data() + I * D, D, sum);
    for (std::int32_t k = A.row_start[I]; k < A.row_start[I + 1]; ++k, block += D * D) {
      const double* xb = x.data() + at(A.block_col[at(k)]) * D;
      for (std::size_t j = 0; j < D; ++j)
        for (std::size_t i = 0; i < D; ++i) sum[i] += term(block[j * D + i], xb[j]);
    }
    std::copy_n(sum, D, y.data() + I * D);
  });
}

// y[i] += term(A_ij, x[j]) for every entry.
template <class Term>
void add_terms(const Matrix& A, std::span<const double> x, std::span<double> y, const Term& term, Workers* workers = nullptr) {
  const BlockCsrMatrix* blocks = A.block_csr();
  switch (A.uniform_block_size()) {
    case 1: return add_rows<1>(*blocks, x, y, term, workers);
    case 2: return add_rows<2>(*blocks, x, y, term, workers);
    case 3: return add_rows<3>(*blocks, x, y, term, workers);
    case 5: return add_rows<5>(*blocks, x, y, term, workers);
    default: for_each_entry(A, [&](std::int64_t i, std::int64_t j, double a) { y[at(i)] += term(a, x[at(j)]); });
  }
}

}  // namespace

void multiply_add(const Matrix& A, double scale, std::span<const double> x, std::span<double> y, Workers* workers) {
  if (const DenseMatrix* dense = A.dense()) return multiply_add_dense(*dense, scale, x, y);
  if (const CscMatrix* csc = A.csc()) {  // zeros of x skipped
    if (std::abs(scale) == 1) return multiply_add_columns(*csc, A.column_groups(), scale, x, y);
    for (std::size_t j = 0; j < x.size(); ++j) {
      if (x[j] == 0) continue;
      for (std::int32_t k = csc->col_start[j]; k < csc->col_start[j + 1]; ++k)
        y[at(csc->row_index[at(k)])] += scale * (csc->values[at(k)] * x[j]);
    }
    return;
  }
  const BlockCsrMatrix* blocks = A.block_csr();
  if (blocks != nullptr && scale == 1 && multiply_add_blocks(*blocks, A.uniform_block_size(), x, y, workers)) return;
  add_terms(
      A, x, y, [scale](double a, double xj) { return scale * (a * xj); }, workers);
}

void multiply_transposed_add(const Matrix& A, double scale, std::span<const double> x, std::span<double> y) {
  for_each_entry(A, [&](std::int64_t i, std::int64_t j, double a) { y[at(j)] += scale * (a * x[at(i)]); });
}

void multiply_absolute_add(const Matrix& A, std::span<const double> x, std::span<double> y) {
  if (const DenseMatrix* dense = A.dense()) {
    double* const __restrict sum = y.data();
    for (std::size_t j = 0; j < x.size(); ++j) {
      const double* const __restrict a = dense->values.data() + j * y.size();
      const double factor = x[j];
      if (factor == 0) continue;
      for (std::size_t i = 0; i < y.size(); ++i) sum[i] += std::abs(a[i] * factor);
    }
    return;
  }
  if (const CscMatrix* csc = A.csc()) {
    for (std::int64_t j = 0; j < csc->cols; ++j)
      if (const double xj = x[at(j)]; xj != 0)
        for_each_entry_of_column(*csc, j, [&](std::int64_t i, std::int64_t, double a) { y[at(i)] += std::abs(a * xj); });
    return;
  }
  add_terms(A, x, y, [](double a, double xj) { return std::abs(a * xj); });
}

void multiply_absolute_transposed_add(const Matrix& A, std::span<const double> x, std::span<double> y) {
  for_each_entry(A, [&](std::int64_t i, std::int64_t j, double a) { y[at(j)] += std::abs(a * x[at(i)]); });
}

DenseMatrix to_dense(const Matrix& A) {
  if (const DenseMatrix* dense = A.dense()) return *dense;
  DenseMatrix dense{A.rows(), A.cols(), Vector(at(checked_mul(A.rows(), A.cols(), "dense copy")), 0.0)};
  for_each_entry(A, [&](std::int64_t i, std::int64_t j, double a) { dense.values[at(i + j * dense.rows)] = a; });
  return dense;
}

CscMatrix to_csc(const Matrix& A) {
  if (const CscMatrix* csc = A.csc()) return *csc;
  const bool keep_zeros = A.dense() == nullptr;  // explicit zeros of a dense matrix are no pattern
  CscMatrix csc{A.rows(), A.cols(), IndexVector(at(A.cols() + 1), 0), {}, {}};
  std::int64_t count = 0;
  for_each_entry(A, [&](std::int64_t, std::int64_t j, double a) {
    if (keep_zeros || a != 0.0) {
      ++csc.col_start[at(j + 1)];
      ++count;
    }
  });
  checked_index(count, "sparse copy");
  std::partial_sum(csc.col_start.begin(), csc.col_start.end(), csc.col_start.begin());
  csc.row_index.resize(at(count));
  csc.values.resize(at(count));
  IndexVector next(csc.col_start.begin(), csc.col_start.end() - 1);
  for_each_entry(A, [&](std::int64_t i, std::int64_t j, double a) {
    if (!keep_zeros && a == 0.0) return;
    const std::size_t k = at(next[at(j)]++);
    csc.row_index[k] = static_cast<std::int32_t>(i);
    csc.values[k] = a;
  });
  return csc;
}

void copy_values(const BlockCsrMatrix& A, CscMatrix& csc) {
  IndexVector next(csc.col_start.begin(), csc.col_start.end() - 1);
  for (std::int64_t I = 0; I < A.block_rows(); ++I)
    for_each_entry_of_block_row(A, I, [&](std::int64_t, std::int64_t j, double a) { csc.values[at(next[at(j)]++)] = a; });
}

BlockCsrMatrix square_blocks(std::int64_t rows, std::int64_t cols, std::int32_t d, std::span<const std::int64_t> counts) {
  BlockCsrMatrix B;
  B.rows = rows;
  B.cols = cols;
  for (std::int64_t k = 1; k <= rows / d; ++k) B.row_end.push_back(static_cast<std::int32_t>(k * d));
  for (std::int64_t k = 1; k <= cols / d; ++k) B.col_end.push_back(static_cast<std::int32_t>(k * d));
  B.row_start.push_back(0);
  for (const std::int64_t count : counts) B.row_start.push_back(checked_index(B.row_start.back() + count, "block copy"));
  B.block_col.resize(at(B.row_start.back()));
  B.values.assign(at(compute_block_start(B, "block copy")), 0.0);
  return B;
}

BlockCsrMatrix to_block_csr(const Matrix& A, std::int32_t d) {
  if (const BlockCsrMatrix* blocks = A.block_csr(); blocks != nullptr && blocks->uniform_block_size() == d) return *blocks;
  if (A.rows() % d != 0 || A.cols() % d != 0)
    fail(NSM_INVALID_DIMENSION, "%lld x %lld matrix has no blocks of %d", (long long)A.rows(), (long long)A.cols(), d);
  if (A.block_csr() != nullptr) return to_block_csr(Matrix(to_csc(A), "block copy"), d);
  IndexVector last(at(A.rows() / d));
  std::vector<std::int64_t> counts(last.size(), 0);
  for_each_entry_of_blocks(A, d, last,
                           [&](std::int64_t i, std::int64_t, double, bool first) { counts[at(i / d)] += first ? 1 : 0; });
  BlockCsrMatrix B = square_blocks(A.rows(), A.cols(), d, counts);
  std::vector<std::int64_t> end(B.row_start.begin(), B.row_start.end() - 1);  // of the blocks placed so far, by block row
  for_each_entry_of_blocks(A, d, last, [&](std::int64_t i, std::int64_t j, double a, bool first) {
    std::int64_t& next = end[at(i / d)];
    if (first) B.block_col[at(next++)] = static_cast<std::int32_t>(j / d);
    B.values[at((next - 1) * d * d + (j % d) * d + i % d)] = a;
  });
  return B;
}

namespace {

// visit(place of the row, of the column, value) for the stored entries whose row and column have a place, none being negative.
template <class Visit>
void for_each_entry_among(const Matrix& A, const IndexVector& place, Visit&& visit) {
  const auto visit_column = [&](std::int64_t j, const double* values, auto rows, const auto& row_of) {
    if (place[at(j)] < 0) return;
    for (decltype(rows) k = 0; k < rows; ++k)
      if (const std::int32_t row = place[at(row_of(k))]; row >= 0) visit(row, place[at(j)], values[k]);
  };
  if (const DenseMatrix* d = A.dense()) {
    for (std::int64_t j = 0; j < d->cols; ++j)
      visit_column(j, d->values.data() + j * d->rows, d->rows, [](std::int64_t k) { return k; });
  } else if (const CscMatrix* s = A.csc()) {
    for (std::int64_t j = 0; j < s->cols; ++j) {
      const std::int32_t begin = s->col_start[at(j)];
      visit_column(j, s->values.data() + begin, s->col_start[at(j + 1)] - begin,
                   [&](std::int32_t k) { return s->row_index[at(begin + k)]; });
    }
  } else if (const BlockCsrMatrix* b = A.block_csr()) {
    for (std::int64_t I = 0; I < b->block_rows(); ++I)
      for (std::int32_t k = b->row_start[at(I)]; k < b->row_start[at(I + 1)]; ++k) {
        const std::int32_t J = b->block_col[at(k)];
        const std::int64_t i0 = b->row_begin(I), rows = b->row_end[at(I)] - i0, j0 = b->col_begin(J);
        const double* block = b->values.data() + b->block_start[at(k)];
        for (std::int64_t j = j0; j < b->col_end[at(J)]; ++j)
          visit_column(j, block + (j - j0) * rows, rows, [i0](std::int64_t i) { return i0 + i; });
      }
  }
}

}  // namespace

CscMatrix principal_part(const Matrix& A, const IndexVector& rows) {
  IndexVector place(at(A.cols()), -1);
  for (std::size_t i = 0; i < rows.size(); ++i) place[at(rows[i])] = static_cast<std::int32_t>(i);
  const auto order = static_cast<std::int64_t>(rows.size());
  CscMatrix part{order, order, IndexVector(rows.size() + 1, 0), {}, {}};
  const auto for_each_kept = [&](auto&& visit) {
    for_each_entry_among(A, place, [&](std::int32_t row, std::int32_t col, double a) {
      if (a != 0) visit(row, col, a);
    });
  };
  for_each_kept([&](std::int32_t, std::int32_t col, double) { ++part.col_start[at(col) + 1]; });
  std::partial_sum(part.col_start.begin(), part.col_start.end(), part.col_start.begin());
  IndexVector next(part.col_start.begin(), part.col_start.end() - 1);
  part.row_index.resize(at(part.col_start.back()));
  part.values.resize(at(part.col_start.back()));
  for_each_kept([&](std::int32_t row, std::int32_t col, double a) {
    const std::size_t k = at(next[at(col)]++);
    part.row_index[k] = row;
    part.values[k] = a;
  });
  return part;
}

bool is_sparse(std::int64_t order, std::int64_t entries) {
  const auto n = static_cast<double>(order);
  return order >= smallest_sparse_order && static_cast<double>(entries) <= largest_sparse_density * n * n;
}

bool is_sparse(const Matrix& A) {
  return A.dense() == nullptr && is_sparse(A.rows(), static_cast<std::int64_t>(A.values().size()));
}

Matrix with_full_diagonal(const CscMatrix& A) {
  IndexVector row, column;
  Vector value;
  const auto add = [&](std::int64_t i, std::int64_t j, double a) {
    row.push_back(static_cast<std::int32_t>(i));
    column.push_back(static_cast<std::int32_t>(j));
    value.push_back(a);
  };
  for (std::int64_t j = 0; j < A.cols; ++j) {
    for_each_entry_of_column(A, j, add);
    if (place_of(A, j, j) < 0) add(j, j, 0);
  }
  return Matrix::from_triplets(A.rows, A.cols, row, column, value, "M");
}

CscMatrix plus_diagonal(const CscMatrix& A, std::span<const double> d) {
  CscMatrix sum{A.rows, A.cols, {0}, {}, {}};
  const auto append = [&](std::int64_t i, double a) {
    sum.row_index.push_back(static_cast<std::int32_t>(i));
    sum.values.push_back(a);
  };
  for (std::int64_t j = 0; j < A.cols; ++j) {
    double diagonal = d[at(j)];
    std::int32_t k = A.col_start[at(j)];
    const std::int32_t end = A.col_start[at(j + 1)];
    for (; k < end && A.row_index[at(k)] < j; ++k)
      if (A.values[at(k)] != 0) append(A.row_index[at(k)], A.values[at(k)]);
    if (k < end && A.row_index[at(k)] == j) diagonal += A.values[at(k++)];
    append(j, diagonal);
    for (; k < end; ++k)
      if (A.values[at(k)] != 0) append(A.row_index[at(k)], A.values[at(k)]);
    sum.col_start.push_back(static_cast<std::int32_t>(sum.values.size()));
  }
  return sum;
}

bool has_positive_diagonal(const Matrix& A) {
  std::int64_t positive = 0;
  if (const DenseMatrix* dense = A.dense()) {
    while (positive < A.rows() && dense->values[at(positive * (A.rows() + 1))] > 0) ++positive;
    return positive == A.rows();
  }
  for_each_entry(A, [&](std::int64_t i, std::int64_t j, double a) { positive += i == j && a > 0 ? 1 : 0; });
  return positive == A.rows();
}

std::int64_t place_of(const CscMatrix& A, std::int64_t row, std::int64_t col) {
  const auto begin = A.row_index.begin() + A.col_start[at(col)], end = A.row_index.begin() + A.col_start[at(col + 1)];
  const auto found = std::lower_bound(begin, end, static_cast<std::int32_t>(row));
  return found != end && *found == row ? found - A.row_index.begin() : -1;
}

double value_at(const CscMatrix& A, std::int64_t row, std::int64_t col) {
  const std::int64_t place = place_of(A, row, col);
  return place >= 0 ? A.values[at(place)] : 0.0;
}

std::int64_t find_not_finite(std::span<const double> values) {
  for (std::size_t k = 0; k < values.size(); ++k)
    if (!std::isfinite(values[k])) return static_cast<std::int64_t>(k);
  return -1;
}

double norm2(std::span<const double> x) {
  // Scaled, so that neither overflow nor underflow spoils it (Blue 1978, as in LAPACK's dlassq).
  const double largest = norm_inf(x);
  if (largest == 0 || !std::isfinite(largest)) {
    const auto is_nan = [](double value) { return std::isnan(value); };
    return std::any_of(x.begin(), x.end(), is_nan) ? std::nan("") : largest;  // which the maximum drops
  }
  double sum = 0;
  for (double value : x) sum += (value / largest) * (value / largest);
  return largest * std::sqrt(sum);
}

double frobenius_norm(const Matrix& A) { return norm2(A.values()); }

}  // namespace nonsmooth
