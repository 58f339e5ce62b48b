#include "methods/newton/newton_entries.hpp"

#include <numeric>

namespace nonsmooth {

NewtonEntries::NewtonEntries(const CscMatrix& M, const Supernodes& nodes, const IndexVector& block_of_row,
                             std::int32_t block_size)
    : M_(M), block_size_(block_size) {
  const auto blocks = at(block_of_row.back()) + 1;
  for (const std::int32_t row : nodes.order) block_of_column_.push_back(block_of_row[at(row)]);
  start_.assign(blocks + 1, 0);
  diagonal_.resize(blocks);
  // visit(block column, block row, position, first column) of every block of M
  const auto for_each_block = [&](auto&& visit) {
    for (std::int32_t j = 0; j < M.cols; ++j) {
      const std::int32_t own = block_of_row[at(j)];
      if (j > 0 && block_of_row[at(j - 1)] == own) continue;
      for (std::int32_t k = M.col_start[at(j)], last = -1; k < M.col_start[at(j + 1)]; ++k)
        if (const std::int32_t b = block_of_row[at(M.row_index[at(k)])]; b != last) visit(own, last = b, k, j);
    }
  };
  const auto visit_entries = [&](auto&& entry) {
    for_each_block([&](std::int32_t own, std::int32_t b, std::int32_t k, std::int32_t j) {
      const std::int32_t row = nodes.position[at(M.row_index[at(k)])], column = nodes.position[at(j)];
      if (b == own)
        diagonal_[at(b)] = k;
      else if (row > column)
        entry(own, Entry{row, b, k, false});
      else
        entry(b, Entry{column, own, k, true});
    });
  };
  visit_entries([&](std::int32_t b, const Entry&) { ++start_[at(b) + 1]; });
  std::partial_sum(start_.begin(), start_.end(), start_.begin());
  entries_.resize(at(start_.back()));
  std::vector<std::int64_t> next(start_.begin(), start_.end() - 1);
  visit_entries([&](std::int32_t b, const Entry& entry) { entries_[at(next[at(b)]++)] = entry; });
}

template <class Real>
void NewtonEntries::put_blocks(const KeptPanel<Real>& panel) const {
  with_block_size(block_size_, [&]<int D>(std::integral_constant<int, D>) {
    for (std::int32_t c = 0; c < panel.columns;) {
      put_column<D>(panel, c);
      c += D > 0 ? D : blocks_->size(at(block_of_column_[at(panel.column[c])]));
    }
  });
}

// The blocks below and across from the diagonal one at place c.
template <int D, class Real>
void NewtonEntries::put_column(const KeptPanel<Real>& panel, std::int32_t c) const {
  const auto b = at(block_of_column_[at(panel.column[c])]);
  const std::int32_t d = blocks_->size(b);
  const double *L = blocks_->L(b), *M = M_.values.data();
  const std::ptrdiff_t own_stride = stride(static_cast<std::int32_t>(b));
  const auto put = [](const typename KeptPanel<Real>::Places& places) {
    return [places](std::int32_t i, std::int32_t j, double value) { places(i, j) = static_cast<Real>(value); };
  };
  const auto own = panel.below(c, c);
  put_block<D>(L, d, M + diagonal_[b], own_stride, d, blocks_->R(b), put(own));
  for (std::int32_t i = 0; i < d && shift_ > 0; ++i) own(i, i) += static_cast<Real>(shift_ * blocks_->scale[b]);
  for (std::int64_t k = start_[b]; k < start_[b + 1]; ++k) {
    const Entry& entry = entries_[at(k)];
    const std::int32_t r = panel.local[entry.row];
    if (r < 0) continue;
    const auto other = at(entry.block);
    const std::int32_t size = blocks_->size(other);
    if (entry.across)
      put_block<D>(L, d, M + entry.place, stride(entry.block), size, nullptr, put(panel.across(r, c)));
    else
      put_block<D>(blocks_->L(other), size, M + entry.place, own_stride, d, nullptr, put(panel.below(r, c)));
  }
}

void NewtonEntries::put(const KeptPanel<float>& panel) const { put_blocks(panel); }
void NewtonEntries::put(const KeptPanel<double>& panel) const { put_blocks(panel); }

}  // namespace nonsmooth
