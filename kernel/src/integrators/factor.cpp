#include "integrators/factor.hpp"

#include <algorithm>
#include <cstring>
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

const LinearOperator& Factor::requireW(const DynamicalSystem& system) const {
  if (empty()) fail("the iteration matrix of system %d is known after the first step", system.number());
  return W_;
}

void Factor::compute(LinearOperator W, const DynamicalSystem& system) {
  const bool same_pattern = W.sparse() != nullptr && W_.sparse() != nullptr && samePattern(*W.sparse(), *W_.sparse());
  knows_matrix_ = false;
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
  if (isFactored(W)) return;
  knows_matrix_ = false;
  W_.assign(W);
  factorDense(W, system);
  knows_matrix_ = true;
}

// Constant Jacobians give the same W in every iteration. Small ones are factored about as fast as they are compared.
bool Factor::isFactored(const Matrix& W) const {
  constexpr Index least = 7;
  if (!knows_matrix_ || W.rows() < least) return false;
  const Matrix& last = *W_.dense();
  if (W.rows() != last.rows() || W.cols() != last.cols()) return false;
  return std::memcmp(W.data(), last.data(), static_cast<std::size_t>(W.size()) * sizeof(double)) == 0;
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
  if (lu_.isSingular() || !lu_.allFinite()) failSingular(system);
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
    lu_.solve(columns, count);
  }
}

}  // namespace nonsmooth::kernel
