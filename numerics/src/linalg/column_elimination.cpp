#include "linalg/column_elimination.hpp"

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

// visit(row, value) of column j.
template <class Visit>
void for_each_in_column(const CscMatrix& A, std::size_t j, Visit&& visit) {
  for (std::int32_t k = A.col_start[j]; k < A.col_start[j + 1]; ++k) visit(A.row_index[at(k)], A.values[at(k)]);
}

void append(CscMatrix& A, std::int32_t row, double value) {
  A.row_index.push_back(row);
  A.values.push_back(value);
}

void end_column(CscMatrix& A) {
  A.col_start.push_back(static_cast<std::int32_t>(A.row_index.size()));
  ++A.cols;
}

}  // namespace

// The columns reduced so far, and the one at hand.
class ColumnReduction {
 public:
  ColumnReduction(const CscMatrix& A, ColumnElimination& result)
      : x_(at(A.rows), 0.0), is_met_(at(A.rows), 0), pivot_of_(at(A.rows), -1), to_come_(at(A.rows), 0), result_(result) {
    for (std::int32_t row : A.row_index) ++to_come_[at(row)];
  }

  // Takes the next column; false if nothing is left of it.
  bool add(const CscMatrix& A, std::size_t j) {
    double size = 0;  // of the terms
    for_each_in_column(A, j, [&](std::int32_t row, double value) {
      meet(row, value);
      --to_come_[at(row)];
      size = std::max(size, std::abs(value));
    });
    const std::size_t begin = result_.U_.row_index.size();
    while (!pivots_to_come_.empty()) {
      const std::int32_t p = *pivots_to_come_.begin();  // ascending: a reduced column has no entry in earlier pivot rows
      pivots_to_come_.erase(pivots_to_come_.begin());
      const double factor = x_[at(result_.pivot_row_[at(p)])];
      size = std::max(size, std::abs(factor));
      for_each_in_column(result_.R_, at(p), [&](std::int32_t row, double value) { meet(row, -factor * value); });
      x_[at(result_.pivot_row_[at(p)])] = 0;
      if (factor != 0) append(result_.U_, p, factor);
    }
    if (keep(vanishes * size)) return true;
    result_.U_.row_index.resize(begin);
    result_.U_.values.resize(begin);
    return false;
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
      if (row >= 0 && x_[at(i)] != 0) append(result_.R_, i, x_[at(i)] / x_[at(row)]);
      is_met_[at(i)] = 0;
    }
    if (row >= 0) result_.pivot_.push_back(x_[at(row)]);
    for (std::int32_t i : met_) x_[at(i)] = 0;
    met_.clear();
    if (row < 0) return false;
    pivot_of_[at(row)] = static_cast<std::int32_t>(result_.pivot_row_.size());
    result_.pivot_row_.push_back(row);
    end_column(result_.R_);
    end_column(result_.U_);
    return true;
  }

  Vector x_;  // the column at hand
  IndexVector is_met_, met_, pivot_of_;
  IndexVector to_come_;  // entries of each row in columns not yet added
  std::set<std::int32_t> pivots_to_come_;
  ColumnElimination& result_;
};

ColumnElimination::ColumnElimination(const CscMatrix& A) : R_{A.rows, 0, {0}, {}, {}}, U_{A.cols, 0, {0}, {}, {}} {
  ColumnReduction reduction(A, *this);
  for (std::int32_t j = 0; j < A.cols; ++j) {
    depends_.push_back(reduction.add(A, at(j)) ? 0 : 1);
    if (depends_.back() == 0) independent_.push_back(j);
  }
}

// From the last pivot to the first: what else is in its column is known by then.
CscMatrix ColumnElimination::null_space(std::int64_t most_entries) const {
  IndexVector number(at(R_.rows), 0);  // of each row without a pivot
  for (const std::int32_t row : pivot_row_) number[at(row)] = -1;
  std::int32_t free = 0;
  for (std::int32_t& n : number)
    if (n >= 0) n = free++;
  std::vector<IndexVector> terms(pivot_row_.size());
  std::vector<Vector> factors(pivot_row_.size());
  IndexVector place(at(R_.rows));  // of each pivot row, of its pivot
  for (std::size_t p = 0; p < pivot_row_.size(); ++p) place[at(pivot_row_[p])] = static_cast<std::int32_t>(p);
  Vector sum(at(free), 0.0);
  std::int64_t entries = free;
  for (std::size_t p = pivot_row_.size(); p-- > 0;) {
    IndexVector& own = terms[p];
    const auto add = [&](std::int32_t y, double value) {
      own.push_back(y);
      sum[at(y)] += value;
    };
    for_each_in_column(R_, p, [&](std::int32_t row, double r) {
      if (row == pivot_row_[p]) return;
      if (number[at(row)] >= 0) return add(number[at(row)], -r);
      const auto other = at(place[at(row)]);
      for (std::size_t k = 0; k < terms[other].size(); ++k) add(terms[other][k], -r * factors[other][k]);
    });
    std::sort(own.begin(), own.end());
    own.erase(std::unique(own.begin(), own.end()), own.end());
    for (const std::int32_t y : own) {
      factors[p].push_back(sum[at(y)]);
      sum[at(y)] = 0;
    }
    entries += std::ssize(own);
    if (entries > most_entries) return {};
  }
  CscMatrix Z{free, 0, {0}, {}, {}};
  for (std::size_t i = 0; i < number.size(); ++i) {
    if (number[i] >= 0) append(Z, number[i], 1.0);
    for (std::size_t k = 0; number[i] < 0 && k < terms[at(place[i])].size(); ++k)
      append(Z, terms[at(place[i])][k], factors[at(place[i])][k]);
    end_column(Z);
  }
  return Z;
}

void ColumnElimination::solve_transposed(std::span<const double> b, std::span<double> x) const {
  std::fill(x.begin(), x.end(), 0.0);
  for (std::size_t k = 0; k < pivot_row_.size(); ++k) {
    double left = b[at(independent_[k])];
    for_each_in_column(U_, k, [&](std::int32_t p, double u) { left -= u * x[at(pivot_row_[at(p)])]; });
    x[at(pivot_row_[k])] = left / pivot_[k];
  }
  for (std::size_t k = pivot_row_.size(); k-- > 0;) {
    double& own = x[at(pivot_row_[k])];
    for_each_in_column(R_, k, [&](std::int32_t row, double r) { own -= row != pivot_row_[k] ? r * x[at(row)] : 0; });
  }
}

void ColumnElimination::solve(std::span<double> x, std::span<double> y) const {
  for (std::size_t k = 0; k < pivot_row_.size(); ++k) {
    const double own = x[at(pivot_row_[k])];
    for_each_in_column(R_, k, [&](std::int32_t row, double r) { x[at(row)] -= r * own; });
    x[at(pivot_row_[k])] = own;
  }
  std::fill(y.begin(), y.end(), 0.0);
  for (std::size_t k = pivot_row_.size(); k-- > 0;) {
    const double own = x[at(pivot_row_[k])] / pivot_[k];
    for_each_in_column(U_, k, [&](std::int32_t p, double u) { x[at(pivot_row_[at(p)])] -= u * own; });
    y[at(independent_[k])] = own;
  }
}

IndexVector dependent_columns(const CscMatrix& A) { return ColumnElimination(A).dependent(); }

}  // namespace nonsmooth
