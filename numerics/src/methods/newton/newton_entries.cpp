#include "methods/newton/newton_entries.hpp"

#include <numeric>

namespace nonsmooth {

NewtonEntries::NewtonEntries(const BlockColumns& M, const Supernodes& nodes) : M_(M) {
  const CscMatrix& graph = M.graph();
  const auto blocks = at(graph.cols);
  for (const std::int32_t row : nodes.order) block_of_column_.push_back(M.block_of(row));
  start_.assign(blocks + 1, 0);
  diagonal_.resize(blocks);
  const auto visit_entries = [&](auto&& entry) {
    for (std::int32_t c = 0; c < graph.cols; ++c)
      for (std::int32_t k = graph.col_start[at(c)]; k < graph.col_start[at(c) + 1]; ++k) {
        const std::int32_t r = graph.row_index[at(k)], place = M.place(k);
        const std::int32_t row = nodes.position[at(M.start(r))], column = nodes.position[at(M.start(c))];
        if (r == c)
          diagonal_[at(c)] = place;
        else if (row > column)
          entry(c, Entry{row, r, place, false});
        else
          entry(r, Entry{column, c, place, true});
      }
  };
  visit_entries([&](std::int32_t b, const Entry&) { ++start_[at(b) + 1]; });
  std::partial_sum(start_.begin(), start_.end(), start_.begin());
  entries_.resize(at(start_.back()));
  std::vector<std::int64_t> next(start_.begin(), start_.end() - 1);
  visit_entries([&](std::int32_t b, const Entry& entry) { entries_[at(next[at(b)]++)] = entry; });
}

template <class Real>
void NewtonEntries::put_blocks(const KeptPanel<Real>& panel) const {
  with_block_size(M_.block_size(), [&]<int D>(std::integral_constant<int, D>) {
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
  const double* L = blocks_->L(b);
  const auto put = [](const typename KeptPanel<Real>::Places& places) {
    return [places](std::int32_t i, std::int32_t j, double value) { places(i, j) = static_cast<Real>(value); };
  };
  const auto own = panel.below(c, c);
  put_block<D>(L, d, M_.at_place(diagonal_[b]), d, d, blocks_->R(b), put(own));
  for (std::int32_t i = 0; i < d && shift_ > 0; ++i) own(i, i) += static_cast<Real>(shift_ * blocks_->scale[b]);
  for (std::int64_t k = start_[b]; k < start_[b + 1]; ++k) {
    const Entry& entry = entries_[at(k)];
    const std::int32_t r = panel.local[entry.row];
    if (r < 0) continue;
    const auto other = at(entry.block);
    const std::int32_t size = blocks_->size(other);
    const double* M = M_.at_place(entry.place);
    if (entry.across)
      put_block<D>(L, d, M, d, size, nullptr, put(panel.across(r, c)));
    else
      put_block<D>(blocks_->L(other), size, M, size, d, nullptr, put(panel.below(r, c)));
  }
}

void NewtonEntries::put(const KeptPanel<float>& panel) const { put_blocks(panel); }
void NewtonEntries::put(const KeptPanel<double>& panel) const { put_blocks(panel); }

}  // namespace nonsmooth
