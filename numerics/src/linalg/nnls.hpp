// min |A x - b|_2 subject to x_j >= 0 for the bounded columns (Lawson and Hanson 1974, ch. 23). Dense, small.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "linalg/workspace.hpp"

namespace nonsmooth {

class NonnegativeLeastSquares {
 public:
  // Allocates for up to this many rows and columns; solve allocates nothing.
  void resize(int largest_rows, int largest_cols);
  // Where A goes: column-major, leading dimension rows.
  std::span<double> matrix() { return A_; }
  // free[j] != 0: column j has no sign restriction. x receives the minimiser; returns |A x - b|. goes_on is asked before every
  // column that enters, of which there may be three times as many as there are: if it says no, x is what has been found.
  double solve(int rows, int cols, std::span<const double> b, std::span<const char> free, std::span<double> x,
               const std::function<bool()>& goes_on = {});

 private:
  bool least_squares_on_passive(std::span<const double> b);
  void settle_passive(std::span<const double> b, std::span<const char> free, std::span<double> x, double zero);
  int steepest_column(std::span<const char> free, double& steepest) const;
  void compute_residual(std::span<const double> b, std::span<const double> x);

  int rows_ = 0, cols_ = 0;
  Workspace A_, Q_, rhs_, residual_, work_;
  std::vector<int> passive_;
  std::vector<char> is_passive_;
};

}  // namespace nonsmooth
