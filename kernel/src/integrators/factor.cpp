#include "integrators/factor.hpp"

namespace nonsmooth::kernel {
namespace {

[[noreturn]] void failSingular(const DynamicalSystem& system) {
  fail("the iteration matrix of %s number %d is singular (its mass?)", system.className(), system.number());
}

}  // namespace

void Factor::compute(LinearOperator W, const DynamicalSystem& system) {
  W_ = std::move(W);
  if (const Vector* diagonal = W_.diagonal()) {
    inverse_ = diagonal->cwiseInverse();
    if (!inverse_.allFinite() || !diagonal->allFinite()) failSingular(system);
  } else if (const SparseMatrix* sparse = W_.sparse()) {
    sparse_ = std::make_shared<Eigen::SparseLU<SparseMatrix>>();
    sparse_->compute(*sparse);
    if (sparse_->info() != Eigen::Success) failSingular(system);
  } else if (const Matrix* dense = W_.dense()) {
    factorDense(*dense, system);
  } else {
    failSingular(system);
  }
}

void Factor::compute(const Matrix& W, const DynamicalSystem& system) {
  W_.assign(W);
  factorDense(W, system);
}

void Factor::factorDense(const Matrix& W, const DynamicalSystem& system) {
  lu_.compute(W);
  permuted_.resize(W.rows());
  const auto pivots = lu_.matrixLU().diagonal().cwiseAbs();
  // A pivot below rounding of its own matrix says singular; the scale of each row is its own unit.
  if (!(pivots.minCoeff() > 0) || !lu_.matrixLU().allFinite()) failSingular(system);
  // The condition is asked for where pivots give reason to: estimating it takes memory and several solutions.
  if (pivots.minCoeff() < 1e-10 * pivots.maxCoeff() && !(lu_.rcond() > 1e-18)) failSingular(system);
}

void Factor::solve(double* columns, Index count) const {
  if (W_.diagonal() != nullptr) {
    const Index size = inverse_.size();
    for (Index j = 0; j < count; ++j)
      for (Index i = 0; i < size; ++i) columns[j * size + i] *= inverse_[i];
  } else if (W_.sparse() != nullptr) {
    MatrixView view(columns, W_.rows(), count);
    view = sparse_->solve(Matrix(view)).eval();
  } else {
    const Index size = lu_.rows();
    for (Index j = 0; j < count; ++j) {
      VectorView column(columns + j * size, size);
      for (Index i = 0; i < size; ++i) permuted_[lu_.permutationP().indices()[i]] = column[i];
      column = permuted_;
      lu_.matrixLU().triangularView<Eigen::UnitLower>().solveInPlace(column);
      lu_.matrixLU().triangularView<Eigen::Upper>().solveInPlace(column);
    }
  }
}

}  // namespace nonsmooth::kernel
