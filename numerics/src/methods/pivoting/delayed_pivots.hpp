// Pivots of a tableau that are not carried out yet: T = T_0 + U V', one rank-one term for each. A column of T is had from that of
// T_0 and a small triangular system.
//
// A pivot on (row, col) with column a and a_row = p makes T' = T + u v', u = a with u_row = p + 1, v = (e_col - row of T) / p.
#pragma once

#include <algorithm>
#include <vector>

#include "core/index.hpp"
#include "linalg/lapack.hpp"
#include "linalg/workspace.hpp"

namespace nonsmooth {

class DelayedPivots {
 public:
  // Allocates for columns of up to `stride` entries and up to `depth` pivots.
  void resize(int stride, int depth) {
    stride_ = stride;
    depth_ = depth;
    U_.resize(at(stride) * at(depth));
    L_.resize(at(depth) * at(depth));
    row_.resize(at(depth));
    v_.resize(at(depth));
    forget();
  }
  void forget() { count_ = 0; }
  int count() const { return count_; }
  bool is_full() const { return count_ == depth_; }

  int depth() const { return depth_; }
  int row(int k) const { return row_[at(k)]; }
  const double* term(int k) const { return U_.data() + at(k) * at(stride_); }
  // L(k, l) = entry of u_l in the row of pivot k, for l < k; L(k, k) = pivot k. Column-major, leading dimension depth.
  const double* triangle() const { return L_.data(); }

  void append(int row, int rows, const double* column) {
    const int k = count_++;
    row_[at(k)] = row;
    for (int l = 0; l < k; ++l) L_[at(k) + at(l) * at(depth_)] = term(l)[row];
    L_[at(k) + at(k) * at(depth_)] = column[row];
    double* u = U_.data() + at(k) * at(stride_);
    std::copy_n(column, rows, u);
    u[row] = column[row] + 1;
  }

  // In: a column of T_0; out: that of T. is_column(k): whether it is the column of pivot k.
  template <class IsColumn>
  void complete(int rows, double* column, IsColumn&& is_column) {
    if (count_ == 0) return;
    for (int k = 0; k < count_; ++k) {
      double sum = (is_column(k) ? 1.0 : 0.0) - column[row(k)];
      for (int l = 0; l < k; ++l) sum -= L_[at(k) + at(l) * at(depth_)] * v_[at(l)];
      v_[at(k)] = sum / L_[at(k) + at(k) * at(depth_)];
    }
    if (rows >= blas_rows) {
      constexpr double one = 1;
      constexpr int unit = 1;
      dgemv_("N", &rows, &count_, &one, U_.data(), &stride_, v_.data(), &unit, &one, column, &unit);
      return;
    }
    for (int k = 0; k < count_; ++k)
      for (int i = 0; i < rows; ++i) column[i] += term(k)[i] * v_[at(k)];
  }

  static constexpr int blas_rows = 24;  // below it a call of BLAS costs more than it saves

 private:
  int stride_ = 0, depth_ = 0, count_ = 0;
  Workspace U_, L_;
  std::vector<double> v_;
  std::vector<int> row_;
};

}  // namespace nonsmooth
