// Dense factors (LAPACK): Cholesky of what is symmetric and positive definite, LU with partial pivoting of all else. resize
// allocates; factorise and solve do not.
#pragma once

#include <cmath>
#include <span>
#include <vector>

#include "core/index.hpp"
#include "linalg/workspace.hpp"

namespace nonsmooth {

class DenseFactor {
 public:
  enum class Kind { cholesky, lu };

  void resize(int largest_order);
  // Where the matrix goes before factorise: column-major, leading dimension = order. Cholesky reads the lower triangle.
  std::span<double> matrix() { return values_; }
  std::span<const double> matrix() const { return values_; }
  // Factorises the leading order x order matrix. false if a pivot is 0, or not positive with Cholesky; NaN may pass.
  bool factorise(int order, Kind kind);
  // What elimination has left of column j at its place on the diagonal.
  double pivot(std::size_t j) const {
    const double diagonal = std::abs(values_[j * (at(order_) + 1)]);
    return kind_ == Kind::cholesky ? diagonal * diagonal : diagonal;  // Cholesky's are the square roots
  }
  void solve(double* x) const { solve(x, 1, order_); }  // A x = b in place
  void solve_transposed(double* x) const;               // A' x = b
  // A X = B for several right-hand sides, columns of B.
  void solve(double* B, int columns, int stride) const;
  int order() const { return order_; }

 private:
  void solve(const char* transposition, double* B, int columns, int stride) const;

  int order_ = 0;
  Kind kind_ = Kind::lu;
  Workspace values_;
  std::vector<int> exchanges_;  // of rows
};

}  // namespace nonsmooth
