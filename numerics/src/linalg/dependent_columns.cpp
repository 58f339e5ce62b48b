#include "linalg/dependent_columns.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "core/index.hpp"

namespace nonsmooth {
namespace {

// What is left of a dependent column, relative to what was subtracted from it. Far above the rounding of some thousand
// subtractions, far below what tells the directions of two joints apart.
constexpr double vanishes = 1e-12;
// Pivots may be so much smaller than the largest entry, for the sake of fewer entries.
constexpr double threshold = 0.1;

// Columns reduced so far, each divided by its pivot, and the one at hand.
class Elimination {
 public:
  explicit Elimination(const CscMatrix& A)
      : x_(at(A.rows), 0.0), is_met_(at(A.rows), 0), pivot_of_(at(A.rows), -1), to_come_(at(A.rows), 0) {
    for (std::int32_t row : A.row_index) ++to_come_[at(row)];
  }

  // Takes the next column; false if nothing is left of it.
  bool add(const CscMatrix& A, std::int64_t j) {
    double size = 0;  // of the terms
    for (std::int32_t k = A.col_start[at(j)]; k < A.col_start[at(j + 1)]; ++k) {
      meet(A.row_index[at(k)], A.values[at(k)]);
      --to_come_[at(A.row_index[at(k)])];
      size = std::max(size, std::abs(A.values[at(k)]));
    }
    while (!pivots_to_come_.empty()) {
      const std::int32_t p = *pivots_to_come_.begin();  // ascending: a reduced column has no entry in earlier pivot rows
      pivots_to_come_.erase(pivots_to_come_.begin());
      const double factor = x_[at(pivot_row_[at(p)])];
      size = std::max(size, std::abs(factor));
      for (std::int32_t k = reduced_.col_start[at(p)]; k < reduced_.col_start[at(p + 1)]; ++k)
        meet(reduced_.row_index[at(k)], -factor * reduced_.values[at(k)]);
      x_[at(pivot_row_[at(p)])] = 0;
    }
    return keep(vanishes * size);
  }

 private:
  void meet(std::int32_t row, double value) {
    x_[at(row)] += value;
    if (is_met_[at(row)] != 0) return;
    is_met_[at(row)] = 1;
    met_.push_back(row);
    if (pivot_of_[at(row)] >= 0) pivots_to_come_.insert(pivot_of_[at(row)]);
  }

  // The pivot is in a row that few columns to come have an entry in: along a chain of bodies they then stay as short as they are.
  std::int32_t choose_pivot(double nothing) const {
    double largest = 0;
    for (std::int32_t i : met_) largest = std::max(largest, std::abs(x_[at(i)]));
    if (!(largest > nothing)) return -1;
    std::int32_t row = -1;
    for (std::int32_t i : met_)
      if (std::abs(x_[at(i)]) >= threshold * largest && (row < 0 || to_come_[at(i)] < to_come_[at(row)])) row = i;
    return row;
  }

  bool keep(double nothing) {
    const std::int32_t row = choose_pivot(nothing);
    for (std::int32_t i : met_) {
      if (row >= 0 && x_[at(i)] != 0) {
        reduced_.row_index.push_back(i);
        reduced_.values.push_back(x_[at(i)] / x_[at(row)]);
      }
      is_met_[at(i)] = 0;
    }
    for (std::int32_t i : met_) x_[at(i)] = 0;
    met_.clear();
    if (row < 0) return false;
    pivot_of_[at(row)] = static_cast<std::int32_t>(pivot_row_.size());
    pivot_row_.push_back(row);
    reduced_.col_start.push_back(static_cast<std::int32_t>(reduced_.row_index.size()));
    return true;
  }

  Vector x_;  // the column at hand
  IndexVector is_met_, met_, pivot_of_, pivot_row_;
  IndexVector to_come_;  // entries of each row in columns not yet added
  std::set<std::int32_t> pivots_to_come_;
  CscMatrix reduced_{0, 0, {0}, {}, {}};
};

}  // namespace

IndexVector dependent_columns(const CscMatrix& A) {
  Elimination elimination(A);
  IndexVector depends(at(A.cols));
  for (std::int64_t j = 0; j < A.cols; ++j) depends[at(j)] = elimination.add(A, j) ? 0 : 1;
  return depends;
}

}  // namespace nonsmooth
