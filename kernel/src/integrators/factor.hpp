// Factors of the iteration matrices of systems, in the storage of the matrix.
#pragma once

#include <Eigen/SparseLU>
#include <memory>

#include "modeling/dense_lu.hpp"
#include "nonsmooth/kernel/dynamical_system.hpp"

namespace nonsmooth::kernel {

// W and what is needed to solve with it. `compute` keeps the memory of the last one of the same size.
class Factor {
 public:
  // Throws, naming the system, if W is not finite or singular; dense ones: to working precision.
  void compute(LinearOperator W, const DynamicalSystem& system);
  // The same from a dense matrix; one of order 7 or more that has the bits of the one before is not factored again.
  void compute(const Matrix& W, const DynamicalSystem& system);
  bool empty() const { return W_.isZero(); }
  const LinearOperator& W() const { return W_; }
  // W for users; throws, naming the system, before the first step.
  const LinearOperator& requireW(const DynamicalSystem& system) const;
  // columns := W^-1 columns, [size, count]. Dense and diagonal: without allocation. By one thread at a time.
  void solve(double* columns, Index count) const;

 private:
  bool isFactored(const Matrix& W) const;
  void factorDiagonal(const Eigen::Ref<const Vector, 0, Eigen::InnerStride<>>& diagonal, const DynamicalSystem& system);
  void factorDense(const Matrix& W, const DynamicalSystem& system);
  void factorSparse(bool same_pattern, const DynamicalSystem& system);
  LinearOperator W_;
  bool knows_matrix_ = false;  // W is a dense matrix of its own, which has been factored
  Vector inverse_;             // of a diagonal; else empty
  DenseLu lu_;
  std::unique_ptr<Eigen::SparseLU<SparseMatrix>> sparse_;
  mutable Matrix columns_;  // right-hand sides of the last sparse solution
};

}  // namespace nonsmooth::kernel
