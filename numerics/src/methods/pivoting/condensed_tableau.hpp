// Tableau of a pivoting method, condensed to the non-basic columns: x_B = b + T x_N, one block of doubles, 2 flops per entry and
// pivot.
//
// Pivots are delayed: T = T_0 + U V' with up to K rank-one terms, added to T_0 at once by a matrix product. A pivot itself needs
// its column alone; the pivot rows are gathered together when the terms are added, so that T_0 is read once per K pivots.
#pragma once

#include <vector>

#include "methods/pivoting/delayed_pivots.hpp"

namespace nonsmooth {

class CondensedTableau {
 public:
  // Allocates for n rows and n + 1 columns; nothing below does.
  void resize(int n);
  // From now on rows first .. first + rows - 1 and columns 0 .. cols - 1 of the block count. Forgets delayed pivots.
  void shape(int first, int rows, int cols);
  // The block itself, column-major: to be filled before shape.
  double* block() { return T_.data(); }
  int stride() const { return stride_; }
  int rows() const { return rows_; }
  int cols() const { return cols_; }

  // Column j with all pivots so far.
  void column(int j, double* out);
  // Overwrites column j; only while no pivot is delayed.
  void set_column(int j, const double* values);
  // Exchanges the basic variable of `row` with the non-basic one of column `col`, whose entries are `entering`.
  void exchange(int row, int col, const double* entering);

 private:
  const double* base(int j) const;
  double* base(int j);
  void flush();
  void gather_rows();
  void complete_rows();
  void add_terms();

  int stride_ = 0, first_ = 0, rows_ = 0, cols_ = 0;
  Workspace T_, V_;
  DelayedPivots pivots_;
  std::vector<int> col_;
};

}  // namespace nonsmooth
