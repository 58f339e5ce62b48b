#include "methods/pivoting/sparse_lcp.hpp"

#include <algorithm>
#include <cmath>

#include "core/index.hpp"

namespace nonsmooth {

void SparseLcp::resize(const Inclusion& view) {
  Equilibration::resize(order_of(view));
  start_.assign(at(n()) + 1, 0);
  for_each_entry_with_multipliers(view, [&](std::int64_t, std::int64_t j, double) { ++start_[at(j) + 1]; });
  for (std::size_t j = 1; j < start_.size(); ++j) start_[j] += start_[j - 1];
  next_.resize(start_.size());
  index_.resize(start_.back());
  values_.resize(start_.back());
}

void SparseLcp::load_matrix(const Inclusion& view) {
  std::copy(start_.begin(), start_.end(), next_.begin());
  for_each_entry_with_multipliers(view, [&](std::int64_t i, std::int64_t j, double x) {
    const std::size_t place = next_[at(j)]++;
    index_[place] = static_cast<int>(i);
    values_[place] = x;
  });
}

void SparseLcp::measure(Vector& rows, Vector& columns) const {
  std::fill(rows.begin(), rows.end(), 0.0);
  std::fill(columns.begin(), columns.end(), 0.0);
  for (int j = 0; j < n(); ++j)
    for_each_in_column(j, [&](int i, double m) {
      double &row = rows[at(i)], &column = columns[at(j)];
      row = std::max(row, std::abs(m));
      column = std::max(column, std::abs(m));
    });
}

void SparseLcp::multiply(const Vector& rows, const Vector& columns) {
  for (int j = 0; j < n(); ++j)
    for (std::size_t k = start_[at(j)]; k < start_[at(j) + 1]; ++k) values_[k] *= rows[at(index_[k])] * columns[at(j)];
}

}  // namespace nonsmooth
