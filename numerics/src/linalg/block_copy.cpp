#include "linalg/block_copy.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "core/checked.hpp"
#include "core/index.hpp"

namespace nonsmooth {
namespace {

constexpr std::int64_t least_full = 2;  // one number in so many

// visit(I, J, numbers) for the blocks of D rows and columns that are not 0: block columns J ascending, and block rows I in each;
// numbers column-major.
template <int D, class Visit>
void for_each_block(const CscMatrix& A, Visit&& visit) {
  constexpr std::int32_t none = std::numeric_limits<std::int32_t>::max();
  for (std::int32_t J = 0; J < A.cols / D; ++J) {
    const std::int32_t* end = A.col_start.data() + std::ptrdiff_t{J} * D + 1;
    std::int32_t next[D];
    std::copy_n(end - 1, D, next);
    for (;;) {
      std::int32_t row = none;
      for (int j = 0; j < D; ++j)
        if (next[j] < end[j]) row = std::min(row, A.row_index[at(next[j])]);
      if (row == none) break;
      const std::int32_t I = row / D, first = I * D;
      std::array<double, D * D> numbers{};
      bool is_zero = true;
      for (int j = 0; j < D; ++j)
        for (; next[j] < end[j] && A.row_index[at(next[j])] < first + D; ++next[j]) {
          numbers[at(j * D + A.row_index[at(next[j])] - first)] = A.values[at(next[j])];
          is_zero = is_zero && A.values[at(next[j])] == 0;
        }
      if (!is_zero) visit(I, J, numbers);
    }
  }
}

template <class Visit>
void for_each_block(const CscMatrix& A, std::int32_t d, Visit&& visit) {
  switch (d) {
    case 2: return for_each_block<2>(A, visit);
    case 3: return for_each_block<3>(A, visit);
    case 5: return for_each_block<5>(A, visit);
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
  for_each_block(A, d_, [&](std::int32_t I, std::int32_t, const auto&) {
    ++counts[at(I)];
    ++blocks;
  });
  if (blocks * d_ * d_ > least_full * static_cast<std::int64_t>(A.values.size())) return false;
  BlockCsrMatrix B = square_blocks(A.rows, A.cols, d_, counts);
  next_.assign(B.row_start.begin(), B.row_start.end() - 1);
  for_each_block(A, d_, [&](std::int32_t I, std::int32_t J, const auto& numbers) {
    const std::int64_t block = next_[at(I)]++;
    B.block_col[at(block)] = J;
    std::ranges::copy(numbers, B.values.begin() + block * std::ssize(numbers));
  });
  blocks_ = Matrix(std::move(B), "blocks");
  return true;
}

bool BlockCopy::refresh(const Matrix& A) {
  const std::span<double> values = blocks_.own_values();
  const BlockCsrMatrix& B = *blocks_.block_csr();
  std::ranges::fill(values, 0);
  next_.assign(B.row_start.begin(), B.row_start.end() - 1);
  bool has_place = true;
  for_each_block(*A.csc(), d_, [&](std::int32_t I, std::int32_t J, const auto& numbers) {
    std::int32_t& block = next_[at(I)];
    while (block < B.row_start[at(I + 1)] && B.block_col[at(block)] < J) ++block;
    if (block < B.row_start[at(I + 1)] && B.block_col[at(block)] == J)
      std::ranges::copy(numbers, values.begin() + block * std::ssize(numbers));
    else
      has_place = false;
  });
  if (!has_place) blocks_ = Matrix(to_block_csr(A, d_), "blocks");
  return has_place;
}

}  // namespace nonsmooth
