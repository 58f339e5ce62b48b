// Dense factors (LAPACK) that tell singular matrices: Cholesky of what is symmetric and positive definite, LU with partial
// pivoting of all else. resize allocates; factorise and solve do not.
#pragma once

#include <span>
#include <vector>

#include "linalg/workspace.hpp"

namespace nonsmooth {

class DenseFactor {
 public:
  enum class Kind { cholesky, lu };

  void resize(int largest_order);
  // Where the matrix goes before factorise: column-major, leading dimension = order. Cholesky reads the lower triangle.
  std::span<double> matrix() { return values_; }
  // Factorises the leading order x order matrix. false if it is singular to working precision, or not positive definite with
  // Cholesky: a pivot vanishes against its own column (with Cholesky its own entry on the diagonal), so that columns of very
  // different size are no reason.
  bool factorise(int order, Kind kind = Kind::lu);
  // Of the last factorisation: the smallest pivot, relative to its own column. 1 for order 0.
  double smallest_pivot() const { return smallest_pivot_; }
  void solve(double* x) const { solve(x, 1, order_); }  // A x = b in place
  void solve_transposed(double* x) const;               // A' x = b
  // A X = B for several right-hand sides, columns of B.
  void solve(double* B, int columns, int stride) const;

 private:
  void measure_columns();
  bool has_clear_pivots();
  void solve(const char* transposition, double* B, int columns, int stride) const;

  int order_ = 0;
  Kind kind_ = Kind::lu;
  double smallest_pivot_ = 1;
  Workspace values_;
  std::vector<double> column_size_;
  std::vector<int> exchanges_;  // of rows
};

}  // namespace nonsmooth
