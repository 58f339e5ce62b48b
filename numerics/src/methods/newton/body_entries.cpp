#include "methods/newton/body_entries.hpp"

#include <numeric>

namespace nonsmooth {

BodyEntries::BodyEntries(const CscMatrix& S, const IndexVector& start, const Supernodes& nodes) : S_(S) {
  const std::size_t bodies = start.size() - 1;
  IndexVector body_of(at(S.cols));
  for (std::size_t g = 0; g < bodies; ++g)
    std::fill(body_of.begin() + start[g], body_of.begin() + start[g + 1], static_cast<std::int32_t>(g));
  for (const std::int32_t row : nodes.order) body_of_column_.push_back(body_of[at(row)]);
  const auto size = [&](std::int32_t g) { return start[at(g) + 1] - start[at(g)]; };
  const auto visit = [&](auto&& visit_diagonal, auto&& visit_entry) {
    for (std::int32_t g = 0; at(g) < bodies; ++g) {
      const std::int32_t first = S.col_start[at(start[at(g)])], count = S.col_start[at(start[at(g)] + 1)] - first;
      for (std::int32_t k = first; k < first + count;) {
        const std::int32_t h = body_of[at(S.row_index[at(k)])];
        const std::int32_t row = nodes.position[at(start[at(h)])], column = nodes.position[at(start[at(g)])];
        const Block block{k, count, size(h), size(g)};
        if (g == h)
          visit_diagonal(g, block);
        else if (row > column)
          visit_entry(g, Entry{row, false, block});
        else
          visit_entry(h, Entry{column, true, block});
        k += size(h);
      }
    }
  };
  first_.assign(bodies + 1, 0);
  diagonal_.resize(bodies);
  visit([&](std::int32_t g, const Block& block) { diagonal_[at(g)] = block; },
        [&](std::int32_t g, const Entry&) { ++first_[at(g) + 1]; });
  std::partial_sum(first_.begin(), first_.end(), first_.begin());
  entries_.resize(at(first_.back()));
  IndexVector next(first_.begin(), first_.end() - 1);
  visit([](std::int32_t, const Block&) {}, [&](std::int32_t g, const Entry& entry) { entries_[at(next[at(g)]++)] = entry; });
}

template <class Real>
void BodyEntries::copy(const Block& block, const typename KeptPanel<Real>::Places& places) const {
  const double* from = S_.values.data() + block.place;
  for (std::int32_t j = 0; j < block.columns; ++j, from += block.stride)
    for (std::int32_t i = 0; i < block.rows; ++i) places(i, j) = static_cast<Real>(from[i]);
}

template <class Real>
void BodyEntries::put_bodies(const KeptPanel<Real>& panel) const {
  for (std::int32_t c = 0; c < panel.columns;) {
    const std::size_t g = at(body_of_column_[at(panel.column[c])]);
    copy<Real>(diagonal_[g], panel.below(c, c));
    for (std::int32_t k = first_[g]; k < first_[g + 1]; ++k) {
      const Entry& entry = entries_[at(k)];
      const std::int32_t r = panel.local[entry.row];
      copy<Real>(entry.block, entry.across ? panel.across(r, c) : panel.below(r, c));
    }
    c += diagonal_[g].columns;
  }
}

void BodyEntries::put(const KeptPanel<float>& panel) const { put_bodies(panel); }
void BodyEntries::put(const KeptPanel<double>& panel) const { put_bodies(panel); }

}  // namespace nonsmooth
