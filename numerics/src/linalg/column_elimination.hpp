// Independent columns of a sparse matrix, by elimination of one column after the other: columns that meet in few rows, as those
// of joints do, stay sparse. Of the independent ones A = R U, with U upper triangular and R 1 at the pivot of each of its
// columns, in a row where later columns are 0.
#pragma once

#include <span>

#include "linalg/matrix.hpp"

namespace nonsmooth {

class ColumnElimination {
 public:
  explicit ColumnElimination(const CscMatrix& A);
  // 1 for every column that depends on the columns before it, up to rounding, empty ones included.
  const IndexVector& dependent() const { return depends_; }
  // One for every other column, in their order.
  const IndexVector& pivot_rows() const { return pivot_row_; }
  // Z' where x = Z y has all x with A'x = 0: y are the entries in rows without a pivot, ascending. Empty if it would have more
  // entries than that.
  CscMatrix null_space(std::int64_t most_entries) const;
  // A'x = b by the entries of x in pivot rows, the others being 0; b of dependent columns counts for nothing.
  void solve_transposed(std::span<const double> b, std::span<double> x) const;
  // (A y)_i = x_i in pivot rows, with y 0 for dependent columns. x is lost.
  void solve(std::span<double> x, std::span<double> y) const;

 private:
  friend class ColumnReduction;
  IndexVector depends_, independent_;
  IndexVector pivot_row_;
  CscMatrix R_, U_;  // U without its diagonal
  Vector pivot_;
};

// 1 for every column that depends on the columns before it, up to rounding, empty ones included.
IndexVector dependent_columns(const CscMatrix& A);

}  // namespace nonsmooth
