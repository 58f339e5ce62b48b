// Dense LU that tells singular matrices. resize allocates; factorise and solve do not.
#pragma once

#include "linalg/dense_factor.hpp"

namespace nonsmooth {

class DenseLu {
 public:
  void resize(int largest_order);
  // Where the matrix goes before factorise: column-major, leading dimension = order.
  std::span<double> matrix() { return factor_.matrix(); }
  // Factorises the leading order x order matrix. false if it is singular to working precision: a pivot vanishes against its own
  // column, so that columns of very different size are no reason.
  bool factorise(int order);
  // Of the last factorisation: the smallest pivot, relative to its own column. 1 for order 0.
  double smallest_pivot() const { return smallest_pivot_; }
  void solve(double* x) const { factor_.solve(x); }                        // A x = b in place
  void solve_transposed(double* x) const { factor_.solve_transposed(x); }  // A' x = b
  // A X = B for several right-hand sides, columns of B.
  void solve(double* B, int columns, int stride) const { factor_.solve(B, columns, stride); }
  int order() const { return factor_.order(); }

 private:
  double smallest_pivot_ = 1;
  DenseFactor factor_;
  std::vector<double> column_size_;
};

}  // namespace nonsmooth
