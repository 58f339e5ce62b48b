// LU factors of dense matrices. Eigen's are compiled in dense_lu.cpp alone: they take ten seconds of a compiler.
#pragma once

#include <vector>

#include "nonsmooth/kernel/algebra.hpp"

namespace nonsmooth::kernel {

class DenseLu {
 public:
  DenseLu() = default;
  explicit DenseLu(const Matrix& matrix) { compute(matrix); }
  // Keeps the memory of the last one of the same size. A singular matrix has a pivot of zero.
  void compute(const ConstMatrixView& matrix);
  void compute(const Matrix& matrix) { compute(ConstMatrixView(matrix.data(), matrix.rows(), matrix.cols())); }
  Index size() const { return factors_.rows(); }
  // Magnitudes of the pivots.
  double leastPivot() const { return least_; }
  double greatestPivot() const { return greatest_; }
  bool allFinite() const { return factors_.allFinite(); }
  // Is a pivot no more than rounding of the terms it was summed from? It then is in any units of rows and columns.
  bool isSingular() const;
  // columns := matrix^-1 columns, [size, count], without allocation.
  void solve(double* columns, Index count) const;
  void solve(Matrix& columns) const { solve(columns.data(), columns.cols()); }

 private:
  void factorAny();
  Eigen::PartialPivLU<Matrix> lu_;  // of sizes that have no loops of their own
  Matrix factors_;                  // L, without its diagonal of ones, and U
  double least_ = 0, greatest_ = 0;
  std::vector<Index> source_;  // the permutation: what comes to each place
  mutable Vector work_;
};

}  // namespace nonsmooth::kernel
