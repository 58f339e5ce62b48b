#include "methods/sweeps/block_rows.hpp"

#include "core/checked.hpp"
#include "core/index.hpp"

namespace nonsmooth {

IndexVector count_blocks_per_row(const Matrix& M, std::int32_t D) {
  IndexVector counts(at(M.rows() / D), 0), last(counts.size());
  if (const BlockCsrMatrix* blocks = M.block_csr(); blocks != nullptr && blocks->uniform_block_size() == D) {
    for (std::size_t I = 0; I < counts.size(); ++I) counts[I] = blocks->row_start[I + 1] - blocks->row_start[I];
    return counts;
  }
  for_each_entry_of_blocks(M, D, last, [&](std::int64_t i, std::int64_t, double, bool first) {
    if (first) ++counts[at(i / D)];
  });
  return counts;
}

void MixedRows::setup(const Inclusion& view, const SweepOrder&) {
  const auto n = at(view.size());
  block_of_row_.resize(n);
  block_start_.assign(1, 0);
  diagonal_start_.assign(1, 0);
  for (std::size_t b = 0; b < view.blocks.size(); ++b) {
    const SetBlock& block = view.blocks[b];
    for (std::int32_t i = block.start; i < block.start + block.size; ++i) block_of_row_[at(i)] = static_cast<std::int32_t>(b);
    block_start_.push_back(block.start + block.size);
    diagonal_start_.push_back(diagonal_start_.back() + at(block.size) * at(block.size));
  }
  next_.resize(n);
  if (view.M->dense() != nullptr) {
    col_.reserve(n * n);
    values_.reserve(n * n);
  }
  load(view);
}

void MixedRows::load(const Inclusion& view) {
  q_ = view.q->data();
  diagonal_.assign(diagonal_start_.back(), 0.0);
  row_start_.assign(block_of_row_.size() + 1, 0);
  auto same_block = [&](std::int64_t i, std::int64_t j) { return block_of_row_[at(i)] == block_of_row_[at(j)]; };
  std::int64_t count = 0;
  for_each_entry(*view.M, [&](std::int64_t i, std::int64_t j, double a) {
    if (a == 0 || same_block(i, j)) return;
    ++row_start_[at(i) + 1];
    ++count;
  });
  checked_index(count, "off-diagonal entries");
  for (std::size_t i = 1; i < row_start_.size(); ++i) row_start_[i] += row_start_[i - 1];
  std::copy(row_start_.begin(), row_start_.end() - 1, next_.begin());
  col_.resize(at(count));
  values_.resize(at(count));
  for_each_entry(*view.M, [&](std::int64_t i, std::int64_t j, double a) {
    if (same_block(i, j)) {
      const auto b = at(block_of_row_[at(i)]);
      const std::int64_t first = block_start_[b];
      diagonal_[diagonal_start_[b] + at((j - first) * size(b) + (i - first))] = a;
    } else if (a != 0) {
      const auto k = at(next_[at(i)]++);
      col_[k] = static_cast<std::int32_t>(j);
      values_[k] = a;
    }
  });
}

}  // namespace nonsmooth
