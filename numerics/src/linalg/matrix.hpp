// Owning matrices in the three storages and the few operations every layer above needs.
//
// All products accumulate row i in the order of ascending columns, whatever the storage, so that a problem that changes its
// storage on the way through a file keeps its residual to the last bit.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <span>
#include <variant>
#include <vector>

#include "core/index.hpp"
#include "nonsmooth/matrix.h"

namespace nonsmooth {

using Vector = std::vector<double>;
using IndexVector = std::vector<std::int32_t>;
class Workers;
struct ColumnGroups;

struct DenseMatrix {  // column-major, leading dimension = rows
  std::int64_t rows = 0, cols = 0;
  Vector values;
};

struct CscMatrix {  // rows ascending in each column, no entry twice
  std::int64_t rows = 0, cols = 0;
  IndexVector col_start, row_index;
  Vector values;

  bool has_pattern_of(const CscMatrix& A) const { return col_start == A.col_start && row_index == A.row_index && rows == A.rows; }
};

// Blocks ascending in each block row, none twice; each block dense column-major. Block row I holds rows row_end[I-1] ..
// row_end[I]-1.
struct BlockCsrMatrix {
  std::int64_t rows = 0, cols = 0;
  IndexVector row_end, col_end;
  IndexVector row_start, block_col;
  std::vector<std::int64_t> block_start;  // offset of each block in values; one more at the end
  Vector values;

  std::int64_t block_rows() const { return static_cast<std::int64_t>(row_end.size()); }
  std::int32_t row_begin(std::int64_t block) const { return block == 0 ? 0 : row_end[at(block - 1)]; }
  std::int32_t col_begin(std::int64_t block) const { return block == 0 ? 0 : col_end[at(block - 1)]; }
  // Common size of all blocks, rows and columns alike, if there is one, else 0.
  std::int32_t uniform_block_size() const;
};

// Copies share their data until one of them is written to: a solver keeps a problem for the price of a pointer.
class Matrix {
 public:
  Matrix() = default;
  // The constructors check sizes and structure (status and message name `what`) and sort sparse entries. Values are checked by
  // find_not_finite.
  Matrix(DenseMatrix dense, const char* what);
  Matrix(CscMatrix csc, const char* what);
  Matrix(BlockCsrMatrix blocks, const char* what);

  // Deep copy of a caller's view, everything checked.
  static Matrix from_view(const nsm_matrix& view, const char* what);
  // From entries (row[k], col[k], value[k]) in any order, none twice.
  static Matrix from_triplets(std::int64_t rows, std::int64_t cols, std::span<const std::int32_t> row,
                              std::span<const std::int32_t> col, std::span<const double> value, const char* what);

  std::int64_t rows() const;
  std::int64_t cols() const;
  bool empty() const { return rows() == 0 && cols() == 0; }
  nsm_storage storage() const { return data_ ? static_cast<nsm_storage>(data_->index()) : NSM_DENSE; }
  std::span<const double> values() const;
  // To be written to: a copy of its own is made if the data are shared, at a new place.
  std::span<double> own_values();
  // The same number of values in the order of the constructor's, which may have sorted them.
  void assign(std::span<const double> values);

  const DenseMatrix* dense() const { return std::get_if<DenseMatrix>(data_.get()); }
  const CscMatrix* csc() const { return std::get_if<CscMatrix>(data_.get()); }
  const BlockCsrMatrix* block_csr() const { return std::get_if<BlockCsrMatrix>(data_.get()); }
  // Of csc().
  const ColumnGroups& column_groups() const { return *groups_; }
  // Of block_csr(), which would look after all of its blocks; 0 of other storages.
  std::int32_t uniform_block_size() const { return block_size_; }

 private:
  using Data = std::variant<DenseMatrix, CscMatrix, BlockCsrMatrix>;
  std::shared_ptr<Data> data_;                             // nullptr: 0 x 0
  std::shared_ptr<const std::vector<std::size_t>> given_;  // place of each value as given; nullptr: where it is stored
  std::shared_ptr<const ColumnGroups> groups_;             // of compressed columns
  std::int32_t block_size_ = 0;
};

// y += scale * A x  and  y += scale * A' x. Workers share the rows of square blocks of one size.
void multiply_add(const Matrix& A, double scale, std::span<const double> x, std::span<double> y, Workers* workers = nullptr);
void multiply_transposed_add(const Matrix& A, double scale, std::span<const double> x, std::span<double> y);
// y += |A| |x|, for rounding bounds.
void multiply_absolute_add(const Matrix& A, std::span<const double> x, std::span<double> y);
void multiply_absolute_transposed_add(const Matrix& A, std::span<const double> x, std::span<double> y);

// visit(row, column, value) for the stored entries of column j, or of block row I, where columns ascend within a row.
template <class Visit>
void for_each_entry_of_column(const DenseMatrix& A, std::int64_t j, Visit&& visit) {
  for (std::int64_t i = 0; i < A.rows; ++i) visit(i, j, A.values[at(i + j * A.rows)]);
}
template <class Visit>
void for_each_entry_of_column(const CscMatrix& A, std::int64_t j, Visit&& visit) {
  for (std::int32_t k = A.col_start[at(j)]; k < A.col_start[at(j + 1)]; ++k)
    visit(std::int64_t{A.row_index[at(k)]}, j, A.values[at(k)]);
}
template <class Visit>
void for_each_entry_of_block_row(const BlockCsrMatrix& A, std::int64_t I, Visit&& visit) {
  const std::int64_t i0 = A.row_begin(I), i1 = A.row_end[at(I)];
  for (std::int32_t k = A.row_start[at(I)]; k < A.row_start[at(I + 1)]; ++k) {
    const std::int32_t J = A.block_col[at(k)];
    const std::int64_t j0 = A.col_begin(J), j1 = A.col_end[at(J)];
    const double* block = A.values.data() + A.block_start[at(k)];
    for (std::int64_t j = j0; j < j1; ++j)
      for (std::int64_t i = i0; i < i1; ++i) visit(i, j, block[(j - j0) * (i1 - i0) + (i - i0)]);
  }
}

// The same for all: rows or columns outermost as the storage has it.
template <class Visit>
void for_each_entry(const Matrix& A, Visit&& visit) {
  if (const DenseMatrix* d = A.dense()) {
    for (std::int64_t j = 0; j < d->cols; ++j) for_each_entry_of_column(*d, j, visit);
  } else if (const CscMatrix* s = A.csc()) {
    for (std::int64_t j = 0; j < s->cols; ++j) for_each_entry_of_column(*s, j, visit);
  } else if (const BlockCsrMatrix* b = A.block_csr()) {
    for (std::int64_t I = 0; I < b->block_rows(); ++I) for_each_entry_of_block_row(*b, I, visit);
  }
}

// visit(row, column, value, first) for every entry that is not zero; first: of its block of d rows and columns. A block row meets
// its blocks one after the other, since the columns of a row ascend. Dense or compressed columns; `last` has an entry per block
// row.
template <class Visit>
void for_each_entry_of_blocks(const Matrix& A, std::int32_t d, IndexVector& last, Visit&& visit) {
  std::fill(last.begin(), last.end(), -1);
  for_each_entry(A, [&](std::int64_t i, std::int64_t j, double a) {
    if (a == 0.0) return;
    const auto J = static_cast<std::int32_t>(j / d);
    std::int32_t& met = last[at(i / d)];
    visit(i, j, a, met != J);
    met = J;
  });
}

DenseMatrix to_dense(const Matrix& A);
CscMatrix to_csc(const Matrix& A);
// New values of A, blocks of the pattern that `csc` is a copy of.
void copy_values(const BlockCsrMatrix& A, CscMatrix& csc);

// A by columns: its own storage, or a copy where it has another. A lives longer and is not assigned to meanwhile.
class ByColumns {
 public:
  explicit ByColumns(const Matrix& A) : own_(A.csc()) {
    if (own_ == nullptr) copy_ = to_csc(A);
  }
  const CscMatrix& operator*() const { return own_ != nullptr ? *own_ : copy_; }

 private:
  const CscMatrix* own_;
  CscMatrix copy_;
};

// So many square blocks of one size d in each block row, in column 0 and of zeros: for the caller to fill.
BlockCsrMatrix square_blocks(std::int64_t rows, std::int64_t cols, std::int32_t d, std::span<const std::int64_t> counts);
// Square blocks of one size d; rows and cols must be multiples of d. Blocks without an entry are left out.
BlockCsrMatrix to_block_csr(const Matrix& A, std::int32_t d);

// Rows and columns of A that are named, ascending, by columns.
CscMatrix principal_part(const Matrix& A, const IndexVector& rows);

bool has_positive_diagonal(const Matrix& A);
// Whether sparse factors of A are worth more than dense ones: stored sparse, from so many rows on, up to such a share of the
// entries.
constexpr std::int64_t smallest_sparse_order = 100;
constexpr double largest_sparse_density = 0.05;
bool is_sparse(std::int64_t order, std::int64_t entries);
bool is_sparse(const Matrix& A);
// A, with zeros where it has no entry on the diagonal. A square.
Matrix with_full_diagonal(const CscMatrix& A);
// A + diag(d), without the zeros that A stores off its diagonal. A square.
CscMatrix plus_diagonal(const CscMatrix& A, std::span<const double> d);
// Position of A_ij in the values, -1 where none is stored.
std::int64_t place_of(const CscMatrix& A, std::int64_t row, std::int64_t col);
// A_ij, 0 where none is stored.
double value_at(const CscMatrix& A, std::int64_t row, std::int64_t col);
// Position in values() of the first NaN or infinity, -1 if there is none.
std::int64_t find_not_finite(std::span<const double> values);
double norm2(std::span<const double> x);
// own = those entries of whole, or the other way round.
inline void take_entries(std::span<const std::int32_t> entries, std::span<const double> whole, std::span<double> own) {
  for (std::size_t i = 0; i < entries.size(); ++i) own[i] = whole[at(entries[i])];
}
inline void put_entries(std::span<const std::int32_t> entries, std::span<const double> own, std::span<double> whole) {
  for (std::size_t i = 0; i < entries.size(); ++i) whole[at(entries[i])] = own[i];
}
// NaNs are passed over. Four chains of comparisons, which do not wait for each other.
inline double norm_inf(std::span<const double> x) {
  double largest[4] = {};
  std::size_t i = 0;
  for (; i + 4 <= x.size(); i += 4)
    for (std::size_t k = 0; k < 4; ++k) largest[k] = std::max(largest[k], std::abs(x[i + k]));
  for (; i < x.size(); ++i) largest[0] = std::max(largest[0], std::abs(x[i]));
  return std::max(std::max(largest[0], largest[1]), std::max(largest[2], largest[3]));
}
inline bool is_zero(std::span<const double> x) {
  return std::all_of(x.begin(), x.end(), [](double entry) { return entry == 0; });
}
inline double dot(std::span<const double> x, std::span<const double> y) {
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += x[i] * y[i];
  return sum;
}
double frobenius_norm(const Matrix& A);
// |A - A'|_F / |A|_F; 0 for a zero matrix. A square.
double symmetry_defect(const Matrix& A);
// The same of a square matrix whose norm is known.
double symmetry_defect(const CscMatrix& A, double norm);
// Entry by entry, up to 1e-14 relative: a Gram matrix is summed in two orders. A square.
bool is_symmetric(const DenseMatrix& A);
// What (A + A')/2 can be at most, by its principal minors of order 1 and 2, which must be positive, or not negative. Linear in
// the entries, but for a logarithm where they are sparse.
enum class Definiteness { none, semidefinite, definite };
Definiteness possible_definiteness(const Matrix& A);
// Estimates of the extreme eigenvalues of (A + A')/2: exact up to order 300, Lanczos above.
struct EigenvalueRange {
  double min = 0, max = 0;
  bool estimated = false;  // min is the least that Lanczos has seen
};
EigenvalueRange symmetric_eigenvalue_range(const Matrix& A);

}  // namespace nonsmooth
