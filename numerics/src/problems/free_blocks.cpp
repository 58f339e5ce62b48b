#include "problems/free_blocks.hpp"

#include <algorithm>

#include "core/index.hpp"

namespace nonsmooth {
namespace {

constexpr std::int32_t largest_uncut = 8;  // the equations of motion of one body

bool is_cut(const SetBlock& block) { return block.kind == SetKind::free_space && block.size > largest_uncut; }

// Of every row the block that is to be cut and holds it, from 1; 0 of the others.
IndexVector cut_blocks_of_rows(const std::vector<SetBlock>& blocks, std::int64_t rows) {
  IndexVector block_of(at(rows), 0);
  std::int32_t count = 0;
  for (const SetBlock& block : blocks)
    if (is_cut(block)) std::fill_n(block_of.begin() + block.start, block.size, ++count);
  return block_of;
}

// Of every row the last one of its block with which it, or one before it, is coupled directly.
IndexVector reaches(const std::vector<SetBlock>& blocks, const Matrix& M) {
  const IndexVector block_of = cut_blocks_of_rows(blocks, M.rows());
  IndexVector reach(block_of.size());
  for (std::size_t i = 0; i < reach.size(); ++i) reach[i] = static_cast<std::int32_t>(i);
  for_each_entry(M, [&](std::int64_t i, std::int64_t j, double) {
    const auto [first, last] = std::minmax(i, j);
    if (block_of[at(first)] == 0 || block_of[at(first)] != block_of[at(last)]) return;
    reach[at(first)] = std::max(reach[at(first)], static_cast<std::int32_t>(last));
  });
  return reach;
}

}  // namespace

std::vector<SetBlock> with_free_blocks_cut(std::vector<SetBlock> blocks, const Matrix& M) {
  if (M.csc() == nullptr || std::ranges::none_of(blocks, is_cut)) return blocks;
  const IndexVector reach = reaches(blocks, M);
  std::vector<SetBlock> cut;
  for (const SetBlock& block : blocks) {
    if (!is_cut(block)) {
      cut.push_back(block);
      continue;
    }
    std::int32_t start = block.start, end = start;
    for (std::int32_t i = block.start; i < block.start + block.size; ++i) {
      end = std::max(end, reach[at(i)]);
      if (end > i) continue;
      cut.push_back({SetKind::free_space, start, i + 1 - start});
      start = end = i + 1;
    }
  }
  return cut;
}

}  // namespace nonsmooth
