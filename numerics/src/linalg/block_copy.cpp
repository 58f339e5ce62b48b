#include "linalg/block_copy.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "core/index.hpp"
#include "linalg/block_product.hpp"

namespace nonsmooth {
namespace {

constexpr std::int64_t least_full = 2;  // one number in so many

template <int D>
using Numbers = std::array<double, D * D>;  // column-major

// visit(I, numbers) for the blocks of D columns of any patterns, block rows I ascending.
template <int D, class Visit>
void merge_columns(const CscMatrix& A, std::int64_t j, Visit&& visit) {
  constexpr std::int32_t none = std::numeric_limits<std::int32_t>::max();
  const std::int32_t* end = A.col_start.data() + j + 1;
  std::int32_t next[D];
  std::copy_n(end - 1, D, next);
  for (;;) {
    std::int32_t row = none;
    for (int k = 0; k < D; ++k)
      if (next[k] < end[k]) row = std::min(row, A.row_index[at(next[k])]);
    if (row == none) return;
    const std::int32_t I = row / D, first = I * D;
    Numbers<D> numbers{};
    for (int k = 0; k < D; ++k)
      for (; next[k] < end[k] && A.row_index[at(next[k])] < first + D; ++next[k])
        numbers[at(k * D + A.row_index[at(next[k])] - first)] = A.values[at(next[k])];
    visit(I, numbers);
  }
}

// The same where the columns have the same rows, and whole blocks of them. false, and nothing is done, elsewhere.
template <int D, class Visit>
bool cut_columns(const CscMatrix& A, std::int64_t j, Visit&& visit) {
  if (!is_block_column<D>(A, j)) return false;
  const std::int32_t begin = A.col_start[at(j)], count = A.col_start[at(j + 1)] - begin;
  for (std::int32_t k = 0; k < count; k += D)
    if (A.row_index[at(begin + k)] % D != 0) return false;
  for (std::int32_t k = 0; k < count; k += D) {
    Numbers<D> numbers;
    for (int c = 0; c < D; ++c) std::copy_n(A.values.data() + begin + c * count + k, D, numbers.data() + c * D);
    visit(A.row_index[at(begin + k)] / D, numbers);
  }
  return true;
}

// visit(I, J, numbers) for the blocks of D rows and columns that are not 0: block columns J ascending, and block rows I in each.
template <int D, class Visit>
void for_each_block(const CscMatrix& A, Visit&& visit) {
  for (std::int32_t J = 0; J < A.cols / D; ++J) {
    const auto visit_block = [&](std::int32_t I, const Numbers<D>& numbers) {
      if (std::ranges::any_of(numbers, [](double value) { return value != 0; })) visit(I, J, numbers);
    };
    const std::int64_t j = std::int64_t{J} * D;
    if (!cut_columns<D>(A, j, visit_block)) merge_columns<D>(A, j, visit_block);
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

void BlockCopy::refresh(const Matrix& A) {
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
  if (has_place) return;
  blocks_ = Matrix(to_block_csr(A, d_), "blocks");
  ++patterns_;
}

}  // namespace nonsmooth
