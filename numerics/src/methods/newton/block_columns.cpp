#include "methods/newton/block_columns.hpp"

#include <algorithm>
#include <numeric>

#include "core/checked.hpp"
#include "core/index.hpp"
#include "linalg/elimination_order.hpp"

namespace nonsmooth {
namespace {

std::int32_t common_size(const Inclusion& view) {
  const std::int32_t size = view.blocks.front().size;
  return std::ranges::all_of(view.blocks, [&](const SetBlock& b) { return b.size == size; }) ? size : 0;
}

// M, if its blocks are those of the sets.
const BlockCsrMatrix* stored_blocks(const Inclusion& view, std::int32_t size) {
  const BlockCsrMatrix* B = size > 0 ? view.M->block_csr() : nullptr;
  return B != nullptr && B->uniform_block_size() == size ? B : nullptr;
}

// visit(block row, block column, number) for the blocks of M, block rows ascending.
template <class Visit>
void for_each_stored(const BlockCsrMatrix& B, Visit&& visit) {
  for (std::int32_t I = 0; I < B.block_rows(); ++I)
    for (std::int32_t k = B.row_start[at(I)]; k < B.row_start[at(I) + 1]; ++k) visit(I, B.block_col[at(k)], k);
}

bool is_zero_block(const BlockCsrMatrix& B, std::int32_t k, std::int32_t d) {
  const double* block = B.values.data() + std::int64_t{k} * d * d;
  return std::all_of(block, block + d * d, [](double value) { return value == 0; });
}

// Empty unless all blocks on the diagonal are stored.
CscMatrix graph_of_stored(const BlockCsrMatrix& B, std::int32_t d, bool with_zeros) {
  const std::int64_t n = B.block_rows();
  CscMatrix graph{n, n, IndexVector(at(n) + 1, 0), {}, {}};
  std::int64_t diagonal = 0;
  std::vector<char> is_kept(B.block_col.size());
  for_each_stored(B, [&](std::int32_t I, std::int32_t J, std::int32_t k) {
    is_kept[at(k)] = I == J || with_zeros || !is_zero_block(B, k, d);
    graph.col_start[at(J) + 1] += is_kept[at(k)];
    diagonal += I == J;
  });
  if (diagonal != n) return {};
  std::partial_sum(graph.col_start.begin(), graph.col_start.end(), graph.col_start.begin());
  graph.row_index.resize(at(graph.col_start.back()));
  IndexVector next(graph.col_start.begin(), graph.col_start.end() - 1);
  for_each_stored(B, [&](std::int32_t I, std::int32_t J, std::int32_t k) {
    if (is_kept[at(k)] != 0) graph.row_index[at(next[at(J)]++)] = I;
  });
  return graph;
}

CscMatrix graph_of_entries(const Inclusion& view, const IndexVector& block_of_row, bool with_zeros) {
  std::vector<IndexVector> rows(view.blocks.size());
  for (std::size_t b = 0; b < rows.size(); ++b) rows[b].push_back(static_cast<std::int32_t>(b));
  std::int32_t r = -1, c = -1;  // of the last entry
  for_each_entry(*view.M, [&](std::int64_t i, std::int64_t j, double value) {
    if ((!with_zeros && value == 0) || (block_of_row[at(i)] == r && block_of_row[at(j)] == c)) return;
    r = block_of_row[at(i)];
    c = block_of_row[at(j)];
    IndexVector& column = rows[at(c)];
    if (column.back() != r) column.push_back(r);
  });
  for (IndexVector& column : rows) {
    std::sort(column.begin(), column.end());
    column.erase(std::unique(column.begin(), column.end()), column.end());
  }
  return nonsmooth::graph_of(rows);
}

}  // namespace

CscMatrix BlockColumns::graph_of(const Inclusion& view, bool with_zeros) {
  const std::int32_t size = common_size(view);
  if (const BlockCsrMatrix* B = stored_blocks(view, size))
    if (CscMatrix graph = graph_of_stored(*B, size, with_zeros); graph.cols > 0) return graph;
  return graph_of_entries(view, block_of_each_row(view), with_zeros);
}

BlockColumns::BlockColumns(const Inclusion& view, bool with_zeros)
    : block_of_row_(block_of_each_row(view)), block_size_(common_size(view)), graph_(graph_of(view, with_zeros)) {
  for (const SetBlock& block : view.blocks) start_.push_back(block.start);
  start_.push_back(static_cast<std::int32_t>(view.size()));
  place_.assign(graph_.row_index.size(), -1);
  next_.resize(view.blocks.size());
  is_borrowed_ = borrow(view);
  if (is_borrowed_) return;
  place_own();
  copy(view);
}

bool BlockColumns::update(const Inclusion& view) { return is_borrowed_ ? borrow(view) : copy(view); }

// Blocks that M stores. false, and no use, unless those of the pattern stand where they are known to, and all others are zeros.
bool BlockColumns::borrow(const Inclusion& view) {
  const BlockCsrMatrix* B = stored_blocks(view, block_size_);
  if (B == nullptr || B->block_rows() != graph_.cols) return false;
  bool fits = true;
  std::copy(graph_.col_start.begin(), graph_.col_start.end() - 1, next_.begin());
  for_each_stored(*B, [&](std::int32_t I, std::int32_t J, std::int32_t k) {
    const std::int32_t slot = next_[at(J)];
    if (slot == graph_.col_start[at(J) + 1] || graph_.row_index[at(slot)] != I) {
      fits = fits && is_zero_block(*B, k, block_size_);
      return;
    }
    const auto place = checked_index(std::int64_t{k} * block_size_ * block_size_, "matrix of a Newton method");
    if (place_[at(slot)] < 0) place_[at(slot)] = place;
    fits = fits && place_[at(slot)] == place;
    ++next_[at(J)];
  });
  values_ = B->values.data();
  matrix_ = view.M;
  return fits && std::equal(next_.begin(), next_.end(), graph_.col_start.begin() + 1);
}

void BlockColumns::place_own() {
  std::int64_t next = 0;
  for (std::int32_t c = 0; c < graph_.cols; ++c)
    for (std::int32_t k = graph_.col_start[at(c)]; k < graph_.col_start[at(c) + 1]; ++k) {
      place_[at(k)] = checked_index(next, "matrix of a Newton method");
      next += std::int64_t{size(graph_.row_index[at(k)])} * size(c);
    }
  own_.resize(at(next));
}

// Entries of one block come together: its place is looked for once.
bool BlockColumns::copy(const Inclusion& view) {
  bool inside = true;
  std::int32_t r = -1, c = -1;  // block of the last entry
  double* block = nullptr;
  std::fill(own_.begin(), own_.end(), 0.0);
  values_ = own_.data();
  matrix_ = view.M;
  for_each_entry(*view.M, [&](std::int64_t i, std::int64_t j, double value) {
    if (value == 0) return;
    if (block_of_row_[at(i)] != r || block_of_row_[at(j)] != c) {
      r = block_of_row_[at(i)];
      c = block_of_row_[at(j)];
      const std::int64_t k = place_of(graph_, r, c);
      inside = inside && k >= 0;
      block = k >= 0 ? own_.data() + place_[at(k)] : nullptr;
    }
    if (block != nullptr) block[i - start(r) + (j - start(c)) * size(r)] = value;
  });
  return inside;
}

// What is stored densely is not read where it is known to be zeros.
void BlockColumns::multiply_add(std::span<const double> x, std::span<double> y) const {
  const bool is_full = graph_.row_index.size() == next_.size() * next_.size();
  if (is_full || matrix_->dense() == nullptr) return nonsmooth::multiply_add(*matrix_, 1.0, x, y);
  for (std::size_t j = 0; j < x.size(); ++j)
    if (x[j] != 0)
      for_each_entry_of_column(static_cast<std::int32_t>(j), [&](std::int32_t i, double value) { y[at(i)] += value * x[j]; });
}

}  // namespace nonsmooth
