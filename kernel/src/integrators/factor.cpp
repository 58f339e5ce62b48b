#include "integrators/factor.hpp"

#include <algorithm>
#include <utility>

namespace nonsmooth::kernel {
namespace {

[[noreturn]] void failSingular(const DynamicalSystem& system) {
  fail("the iteration matrix of %s number %d is singular (its mass?)", system.className(), system.number());
}

bool samePattern(const SparseMatrix& a, const SparseMatrix& b) {
  if (a.rows() != b.rows() || a.cols() != b.cols() || !a.isCompressed() || !b.isCompressed()) return false;
  return std::equal(a.outerIndexPtr(), a.outerIndexPtr() + a.outerSize() + 1, b.outerIndexPtr()) &&
         std::equal(a.innerIndexPtr(), a.innerIndexPtr() + a.nonZeros(), b.innerIndexPtr());
}

}  // namespace

void Factor::compute(LinearOperator W, const DynamicalSystem& system) {
  const bool same_pattern = W.sparse() != nullptr && W_.sparse() != nullptr && samePattern(*W.sparse(), *W_.sparse());
  W_ = std::move(W);
  inverse_.resize(0);
  if (const Vector* diagonal = W_.diagonal()) {
    factorDiagonal(*diagonal, system);
  } else if (W_.sparse() != nullptr) {
    factorSparse(same_pattern, system);
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

void Factor::factorDiagonal(const Eigen::Ref<const Vector, 0, Eigen::InnerStride<>>& diagonal, const DynamicalSystem& system) {
  inverse_ = diagonal.cwiseInverse();
  if (!inverse_.allFinite() || !diagonal.allFinite()) failSingular(system);
}

// The order of elimination follows from the pattern alone.
void Factor::factorSparse(bool same_pattern, const DynamicalSystem& system) {
  if (!sparse_ || !same_pattern) {
    sparse_ = std::make_unique<Eigen::SparseLU<SparseMatrix>>();
    sparse_->analyzePattern(*W_.sparse());
  }
  sparse_->factorize(*W_.sparse());
  if (sparse_->info() == Eigen::Success) return;
  sparse_.reset();
  failSingular(system);
}

void Factor::factorDense(const Matrix& W, const DynamicalSystem& system) {
  if (W.isDiagonal(0.0)) return factorDiagonal(W.diagonal(), system);
  inverse_.resize(0);
  lu_.compute(W);
  const auto pivots = lu_.matrixLU().diagonal().cwiseAbs();
  // A pivot below rounding of its own matrix says singular; the scale of each row is its own unit.
  if (!(pivots.minCoeff() > 0) || !lu_.matrixLU().allFinite()) failSingular(system);
  // The condition is asked for where pivots give reason to: estimating it takes memory and several solutions.
  if (pivots.minCoeff() < 1e-10 * pivots.maxCoeff() && !(lu_.rcond() > 1e-18)) failSingular(system);
  // Where the entry that belongs to place i stands after the swaps before.
  const auto& place_of = lu_.permutationP().indices();
  swaps_.resize(static_cast<std::size_t>(W.rows()));
  for (Index k = 0; k < W.rows(); ++k) swaps_[static_cast<std::size_t>(place_of[k])] = k;
  for (std::size_t i = 0; i < swaps_.size(); ++i)
    while (swaps_[i] < static_cast<Index>(i)) swaps_[i] = swaps_[static_cast<std::size_t>(swaps_[i])];
}

// Plain loops: systems are small, and Eigen would allocate.
void Factor::solveDense(double* x) const {
  const Index size = lu_.rows();
  const double* lu = lu_.matrixLU().data();
  for (Index i = 0; i < size; ++i) std::swap(x[i], x[swaps_[static_cast<std::size_t>(i)]]);
  for (Index j = 0; j < size; ++j)
    for (Index i = j + 1; i < size; ++i) x[i] -= lu[i + j * size] * x[j];
  for (Index j = size - 1; j >= 0; --j) {
    x[j] /= lu[j + j * size];
    for (Index i = 0; i < j; ++i) x[i] -= lu[i + j * size] * x[j];
  }
}

void Factor::solve(double* columns, Index count) const {
  if (const Index size = inverse_.size(); size > 0) {
    for (Index j = 0; j < count; ++j)
      for (Index i = 0; i < size; ++i) columns[j * size + i] *= inverse_[i];
  } else if (W_.sparse() != nullptr) {
    MatrixView view(columns, W_.rows(), count);
    columns_ = view;
    view = sparse_->solve(columns_);
  } else {
    for (Index j = 0; j < count; ++j) solveDense(columns + j * lu_.rows());
  }
}

}  // namespace nonsmooth::kernel
