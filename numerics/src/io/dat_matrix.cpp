#include "io/dat_matrix.hpp"

#include <cstring>

#include "core/error.hpp"
#include "core/index.hpp"
#include "linalg/triplets.hpp"

namespace nonsmooth {
namespace {

using ll = long long;

struct MatrixShape {
  std::int64_t rows = 0, cols = 0;
};

// Every dimension of a matrix is also the length of a vector of the same file, so a file cannot state more than it has words.
MatrixShape read_shape(Lexer& in, const char* name) {
  MatrixShape shape;
  for (std::int64_t* size : {&shape.rows, &shape.cols}) {
    *size = in.integer(name, 0, largest_index);
    if (at(*size) > in.size() / 2)
      in.refuse(NSM_BAD_FILE, name, text("size %lld announced in a file of %zu bytes", (ll)*size, in.size()));
  }
  return shape;
}

Matrix read_dense(Lexer& in, const MatrixShape& shape, const char* name) {
  const MatrixShape again = read_shape(in, name);
  if (again.rows != shape.rows || again.cols != shape.cols)
    in.refuse(NSM_BAD_FILE, name,
              text("sizes %lld x %lld and then %lld x %lld", (ll)shape.rows, (ll)shape.cols, (ll)again.rows, (ll)again.cols));
  return Matrix(DenseMatrix{shape.rows, shape.cols, in.reals(shape.rows * shape.cols, name)}, name);
}

// Cumulative ends of the block rows or columns.
IndexVector read_ends(Lexer& in, std::int64_t count, std::int64_t size, const std::string& field) {
  in.require_words(count, field);
  IndexVector ends;
  for (std::int64_t k = 0; k < count; ++k) ends.push_back(in.integer(field, ends.empty() ? 1 : ends.back() + 1, size, k));
  if ((ends.empty() ? 0 : ends.back()) != size)
    in.refuse(NSM_BAD_FILE, field, text("the last end is %d, the matrix has %lld", ends.empty() ? 0 : ends.back(), (ll)size));
  return ends;
}

// filled1 may be short: it counts up to the last block row that has a block.
IndexVector read_row_starts(Lexer& in, std::int64_t filled, std::int64_t block_rows, std::int64_t blocks,
                            const std::string& field) {
  IndexVector starts;
  for (std::int64_t k = 0; k < filled; ++k)
    starts.push_back(in.integer(field, starts.empty() ? 0 : starts.back(), starts.empty() ? 0 : blocks, k));
  if (starts.back() != blocks)
    in.refuse(NSM_BAD_FILE, field, text("the last entry is %d, the matrix has %lld blocks", starts.back(), (ll)blocks));
  starts.resize(at(block_rows + 1), starts.back());
  return starts;
}

Matrix read_blocks(Lexer& in, const MatrixShape& shape, const char* name) {
  const std::string field = name;
  const std::int64_t count = in.integer(field + " (blocks)", 0, largest_index);
  const std::int64_t block_rows = in.integer(field + " (block rows)", 0, shape.rows);
  const std::int64_t block_cols = in.integer(field + " (block columns)", 0, shape.cols);
  BlockCsrMatrix blocks;
  blocks.rows = shape.rows;
  blocks.cols = shape.cols;
  blocks.row_end = read_ends(in, block_rows, shape.rows, field + " (row ends)");
  blocks.col_end = read_ends(in, block_cols, shape.cols, field + " (column ends)");
  const std::int64_t filled = in.integer(field + " (filled1)", 1, block_rows + 1);
  in.integer(field + " (filled2)", count, count);
  blocks.row_start = read_row_starts(in, filled, block_rows, count, field + " (index1)");
  blocks.block_col = in.integers(count, field + " (index2)", 0, block_cols - 1);
  for (std::int64_t row = 0; row < block_rows; ++row)
    for (std::int32_t k = blocks.row_start[at(row)]; k < blocks.row_start[at(row + 1)]; ++k) {
      in.integer(field + " (block number)", k, k);
      const std::int32_t col = blocks.block_col[at(k)];
      const std::int64_t height = blocks.row_end[at(row)] - blocks.row_begin(row);
      const Vector values = in.reals(height * (blocks.col_end[at(col)] - blocks.col_begin(col)), field + text(" (block %d)", k));
      blocks.values.insert(blocks.values.end(), values.begin(), values.end());
    }
  return Matrix(std::move(blocks), name);
}

// "900-by-138, nzmax: 724 nnz: 724, 1-norm: 2.8247", with or without a label such as "triplet: " before it. Returns nnz.
std::int64_t read_sparse_header(Lexer& in, const MatrixShape& shape, const char* name) {
  if (in.peek() == "CSparse") in.take_line();
  for (const char* label : {"triplet:", "csr:", "csc:"}) in.accept(label);
  in.peek();
  std::string line(in.take_line().substr(0, 200));
  for (const char* mark : {"-by-", ",", "nzmax:", "nnz:"})
    for (std::size_t k = line.find(mark); k != std::string::npos; k = line.find(mark, k)) line.replace(k, std::strlen(mark), " ");
  Lexer words(line);
  std::int64_t numbers[4] = {};  // rows, columns, nzmax, nnz
  for (std::int64_t& number : numbers)
    if (!parse_integer(words.peek(), number) || !words.accept(words.peek()))
      in.refuse(NSM_BAD_FILE, name, "the sparse header is not of the form 'm-by-n, nzmax: N nnz: K'");
  if (numbers[0] != shape.rows || numbers[1] != shape.cols)
    in.refuse(NSM_BAD_FILE, name,
              text("sizes %lld x %lld and then %lld-by-%lld", (ll)shape.rows, (ll)shape.cols, (ll)numbers[0], (ll)numbers[1]));
  if (numbers[3] < 0 || numbers[3] > numbers[2])
    in.refuse(NSM_BAD_FILE, name, text("nnz %lld is outside 0 .. nzmax = %lld", (ll)numbers[3], (ll)numbers[2]));
  in.require_words(numbers[3], name);
  return numbers[3];
}

Triplets read_triplets(Lexer& in, const MatrixShape& shape, std::int64_t count, bool half, const char* name) {
  Triplets entries;
  for (std::int64_t k = 0; k < count; ++k) {
    const std::int32_t i = in.entry_index(name, "row", 0, shape.rows);
    const std::int32_t j = in.entry_index(name, "column", 0, shape.cols);
    in.expect(":", name);
    const double x = in.real(name);
    entries.add(i, j, x);
    if (half && i != j) entries.add(j, i, x);
  }
  return entries;
}

// Compressed columns ("col") or rows ("row"): "col j : locations a to b" and then b - a + 1 lines "i : value".
Triplets read_compressed(Lexer& in, const MatrixShape& shape, std::int64_t count, bool by_rows, const char* name) {
  const std::int64_t lines = by_rows ? shape.rows : shape.cols;
  const char* label = by_rows ? "row" : "col";
  Triplets entries;
  std::int64_t next = 0;
  for (std::int64_t line = 0; line < lines && (count > 0 || in.peek() == label); ++line) {
    in.expect(label, name);
    in.integer(name, line, line);
    in.expect(":", name);
    in.expect("locations", name);
    in.integer(name, next, next);
    in.expect("to", name);
    for (const std::int64_t end = in.integer(name, next - 1, count - 1); next <= end; ++next) {
      const std::int32_t index = in.entry_index(name, by_rows ? "column" : "row", 0, by_rows ? shape.cols : shape.rows);
      in.expect(":", name);
      const double x = in.real(name);
      const auto fixed = static_cast<std::int32_t>(line);
      by_rows ? entries.add(fixed, index, x) : entries.add(index, fixed, x);
    }
  }
  if (next != count) in.refuse(NSM_BAD_FILE, name, text("nnz %lld announced, %lld entries found", (ll)count, (ll)next));
  return entries;
}

Matrix read_sparse(Lexer& in, const MatrixShape& shape, const char* name) {
  const auto layout = static_cast<DatSparse>(in.integer(std::string(name) + " (sparse origin)", 1, 4));
  const bool half = layout == DatSparse::half_triplet;
  if (half && shape.rows != shape.cols)
    in.refuse(NSM_BAD_FILE, name,
              text("half triplets of a %lld x %lld matrix, which is not square", (ll)shape.rows, (ll)shape.cols));
  const std::int64_t count = read_sparse_header(in, shape, name);
  const bool compressed = layout == DatSparse::columns || layout == DatSparse::rows;
  const Triplets entries = compressed ? read_compressed(in, shape, count, layout == DatSparse::rows, name)
                                      : read_triplets(in, shape, count, half, name);
  return entries.to_matrix(shape.rows, shape.cols, name);
}

}  // namespace

Matrix read_dat_matrix(Lexer& in, const char* name) {
  const std::int32_t type = in.integer(name, -largest_index - 1, largest_index);
  if (type < 0 || type > 2) in.refuse(NSM_BAD_FILE, name, text("storage type %d is none of 0 dense, 1 block, 2 sparse", type));
  const MatrixShape shape = read_shape(in, name);
  switch (static_cast<DatStorage>(type)) {
    case DatStorage::dense: return read_dense(in, shape, name);
    case DatStorage::blocks: return read_blocks(in, shape, name);
    default: return read_sparse(in, shape, name);
  }
}

}  // namespace nonsmooth
