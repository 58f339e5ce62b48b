#include "linalg/panel_entries.hpp"

#include <numeric>

namespace nonsmooth {

// Columns of A + A' below the diagonal in the new order, each entry with the places of its two values.
ColumnEntries::ColumnEntries(const CscMatrix& A, const Supernodes& nodes, bool symmetric, std::int32_t tail)
    : A_(A), start_(at(A.cols) + 1, 0), diagonal_(at(A.cols), -1) {
  const std::size_t n = at(A.cols);
  const std::int64_t first_of_tail = A.cols - tail;
  const auto visit = [&](auto&& entry) {
    for (std::size_t j = 0; j < n; ++j)
      for (std::int32_t k = A.col_start[j]; k < A.col_start[j + 1]; ++k) {
        const std::int32_t row = nodes.position[at(A.row_index[at(k)])], col = nodes.position[j];
        if (row == col)
          diagonal_[at(col)] = k;
        else if (row > col)
          entry(col, Entry{row, k, -1});
        else if (!symmetric)
          entry(row, Entry{col, -1, k});
        else if (col >= first_of_tail)
          entry(row, Entry{col, k, -1});
      }
  };
  visit([&](std::int32_t col, Entry) { ++start_[at(col + 1)]; });
  std::partial_sum(start_.begin(), start_.end(), start_.begin());
  entries_.resize(at(start_.back()));
  std::vector<std::int64_t> next(start_.begin(), start_.end() - 1);
  visit([&](std::int32_t col, Entry entry) { entries_[at(next[at(col)]++)] = entry; });
}

template <class Real>
void ColumnEntries::put_values(const KeptPanel<Real>& panel) const {
  for (std::int32_t c = 0; c < panel.columns; ++c) {
    const auto column = at(panel.column[c]);
    if (const std::int32_t k = diagonal_[column]; k >= 0) *panel.below(c, c).first = static_cast<Real>(A_.values[at(k)]);
    for (std::int64_t k = start_[column]; k < start_[column + 1]; ++k) {
      const Entry& entry = entries_[at(k)];
      const std::int32_t r = panel.local[entry.row];
      if (r < 0) continue;
      if (entry.lower >= 0) *panel.below(r, c).first = static_cast<Real>(A_.values[at(entry.lower)]);
      if (entry.upper >= 0) *panel.across(r, c).first = static_cast<Real>(A_.values[at(entry.upper)]);
    }
  }
}

void ColumnEntries::put(const KeptPanel<float>& panel) const { put_values(panel); }
void ColumnEntries::put(const KeptPanel<double>& panel) const { put_values(panel); }

}  // namespace nonsmooth
