#include "linalg/block_copy.hpp"

#include <algorithm>
#include <utility>

#include "core/index.hpp"
#include "linalg/block_product.hpp"

namespace nonsmooth {
namespace {

constexpr std::int64_t least_full = 2;  // one number in so many

// Rows times Columns numbers of A that stand in one block, its columns so many apart in A.
template <int D, int Rows, int Columns>
struct Piece {
  std::int32_t I, J;    // of the block
  std::int64_t offset;  // of the first of them in it
  const double* numbers;
  std::int64_t step;
  bool is_zero() const {
    for (int c = 0; c < Columns; ++c)
      for (int r = 0; r < Rows; ++r)
        if (numbers[c * step + r] != 0) return false;
    return true;
  }
  void copy_to(double* blocks, std::int32_t block) const {
    double* to = blocks + std::int64_t{block} * D * D + offset;
    for (int c = 0; c < Columns; ++c) std::copy_n(numbers + c * step, Rows, to + c * D);
  }
};

// Whether block column J has whole blocks alone.
template <int D>
bool is_whole(const CscMatrix& A, std::int32_t J) {
  const std::int64_t j = std::int64_t{J} * D;
  if (!is_block_column<D>(A, j)) return false;
  std::int32_t outside = 0;  // counted to the end, which is faster than to look after every block
  for (std::int32_t k = A.col_start[at(j)]; k < A.col_start[at(j + 1)]; k += D) outside += A.row_index[at(k)] % D;
  return outside == 0;
}

// Whole blocks.
template <int D, class Visit>
void cut_columns(const CscMatrix& A, std::int32_t J, Visit&& visit) {
  const std::int64_t j = std::int64_t{J} * D;
  const std::int32_t begin = A.col_start[at(j)], count = A.col_start[at(j + 1)] - begin;
  for (std::int32_t k = begin; k < begin + count; k += D)
    visit(Piece<D, D, D>{A.row_index[at(k)] / D, J, 0, A.values.data() + k, count});
}

// Columns of blocks where they are whole, else numbers one by one.
template <int D, class Visit>
void cut_column(const CscMatrix& A, std::int32_t J, std::int32_t c, Visit&& visit) {
  const std::int64_t j = std::int64_t{J} * D + c;
  const std::int32_t end = A.col_start[at(j + 1)];
  for (std::int32_t k = A.col_start[at(j)]; k < end;) {
    const std::int32_t row = A.row_index[at(k)], I = row / D, first = row - I * D;
    const double* numbers = A.values.data() + k;
    if (first == 0 && k + D <= end && A.row_index[at(k + D - 1)] == row + D - 1) {
      visit(Piece<D, D, 1>{I, J, c * D, numbers, 0});
      k += D;
    } else {
      visit(Piece<D, 1, 1>{I, J, c * D + first, numbers, 0});
      ++k;
    }
  }
}

// visit(piece) for all that are not 0, block columns ascending.
template <int D, class Visit>
void for_each_piece(const CscMatrix& A, Visit&& visit) {
  const auto visit_piece = [&](const auto& piece) {
    if (!piece.is_zero()) visit(piece);
  };
  for (std::int32_t J = 0; J < A.cols / D; ++J) {
    if (is_whole<D>(A, J))
      cut_columns<D>(A, J, visit_piece);
    else
      for (std::int32_t c = 0; c < D; ++c) cut_column<D>(A, J, c, visit_piece);
  }
}

template <class Visit>
void for_each_piece(const CscMatrix& A, std::int32_t d, Visit&& visit) {
  switch (d) {
    case 2: return for_each_piece<2>(A, visit);
    case 3: return for_each_piece<3>(A, visit);
    case 5: return for_each_piece<5>(A, visit);
  }
}

}  // namespace

std::unique_ptr<BlockCopy> BlockCopy::of(const Matrix& A, std::int32_t d) {
  if (A.csc() == nullptr || (d != 2 && d != 3 && d != 5) || A.rows() % d != 0 || A.cols() % d != 0) return nullptr;
  std::unique_ptr<BlockCopy> copy(new BlockCopy(d));
  return copy->find(*A.csc()) ? std::move(copy) : nullptr;
}

// false, and no blocks, if most of what they would hold are zeros.
bool BlockCopy::find(const CscMatrix& A) {
  std::vector<std::int64_t> counts(at(A.rows / d_), 0);
  std::int64_t blocks = 0;
  met_.assign(counts.size(), -1);
  for_each_piece(A, d_, [&](const auto& piece) {
    if (std::exchange(met_[at(piece.I)], piece.J) == piece.J) return;
    ++counts[at(piece.I)];
    ++blocks;
  });
  if (blocks * d_ * d_ > least_full * static_cast<std::int64_t>(A.values.size())) return false;
  BlockCsrMatrix B = square_blocks(A.rows, A.cols, d_, counts);
  next_.assign(B.row_start.begin(), B.row_start.end() - 1);
  std::ranges::fill(met_, -1);
  for_each_piece(A, d_, [&](const auto& piece) {
    std::int32_t& next = next_[at(piece.I)];
    if (std::exchange(met_[at(piece.I)], piece.J) != piece.J) B.block_col[at(next++)] = piece.J;
    piece.copy_to(B.values.data(), next - 1);
  });
  blocks_ = Matrix(std::move(B), "blocks");
  return true;
}

void BlockCopy::refresh(const Matrix& A) {
  const std::span<double> values = blocks_.own_values();
  const BlockCsrMatrix& B = *blocks_.block_csr();
  std::ranges::fill(values, 0);
  next_.assign(B.row_start.begin(), B.row_start.end() - 1);
  bool has_place = true;
  for_each_piece(*A.csc(), d_, [&](const auto& piece) {
    std::int32_t& block = next_[at(piece.I)];
    while (block < B.row_start[at(piece.I + 1)] && B.block_col[at(block)] < piece.J) ++block;
    if (block < B.row_start[at(piece.I + 1)] && B.block_col[at(block)] == piece.J)
      piece.copy_to(values.data(), block);
    else
      has_place = false;
  });
  if (has_place) return;
  blocks_ = Matrix(to_block_csr(A, d_), "blocks");
  ++patterns_;
}

}  // namespace nonsmooth
