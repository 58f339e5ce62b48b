#include "nonsmooth/kernel/linear_operator.hpp"

#include "nonsmooth/kernel/error.hpp"

namespace nonsmooth::kernel {

LinearOperator LinearOperator::shared(std::shared_ptr<const Matrix> dense, const char* what) {
  LinearOperator result;
  result.data_ = Shared(requirePointer(std::move(dense), what), what);
  return result;
}

const Matrix* LinearOperator::dense() const {
  const Shared* held = std::get_if<Shared>(&data_);
  if (held == nullptr) return std::get_if<Matrix>(&data_);
  requireShape(*held->matrix, held->rows, held->cols, held->what);
  return held->matrix.get();
}

Index LinearOperator::rows() const {
  if (const Vector* d = diagonal()) return d->size();
  if (const Matrix* m = dense()) return m->rows();
  if (const SparseMatrix* s = sparse()) return s->rows();
  return 0;
}

Index LinearOperator::cols() const {
  if (const Matrix* m = dense()) return m->cols();
  if (const SparseMatrix* s = sparse()) return s->cols();
  return rows();
}

Matrix LinearOperator::toDense(Index size) const {
  Matrix result;
  copyTo(result, size);
  return result;
}

void LinearOperator::copyTo(Matrix& result, Index size) const {
  if (const Vector* d = diagonal())
    result = d->asDiagonal();
  else if (const Matrix* m = dense())
    result = *m;
  else if (const SparseMatrix* s = sparse())
    result = *s;
  else
    result.setZero(size, size);
}

void LinearOperator::assign(const Matrix& dense) {
  if (Matrix* held = std::get_if<Matrix>(&data_))
    *held = dense;
  else
    data_ = dense;
}

SparseMatrix LinearOperator::toSparse(Index size) const {
  if (const SparseMatrix* s = sparse()) return *s;
  if (const Matrix* m = dense()) return m->sparseView();
  SparseMatrix result(size, size);
  if (const Vector* d = diagonal()) {
    result.reserve(Eigen::VectorXi::Constant(size, 1));
    for (Index i = 0; i < size; ++i) result.insert(i, i) = (*d)[i];
  }
  result.makeCompressed();
  return result;
}

bool LinearOperator::isSymmetric() const {
  if (const Matrix* m = dense()) return *m == m->transpose();
  if (const SparseMatrix* s = sparse()) return SparseMatrix(*s - SparseMatrix(s->transpose())).norm() == 0;
  return true;
}

void LinearOperator::addProduct(double factor, ConstVectorRef x, VectorRef y) const {
  if (const Vector* d = diagonal())
    y.array() += factor * d->array() * x.array();
  else if (const Matrix* m = dense())
    y.noalias() += factor * m->lazyProduct(x);
  else if (const SparseMatrix* s = sparse())
    for (Index j = 0; j < s->outerSize(); ++j)
      for (SparseMatrix::InnerIterator entry(*s, j); entry; ++entry) y[entry.row()] += factor * entry.value() * x[j];
}

LinearOperator LinearOperator::plus(double factor, const LinearOperator& other) const {
  if (other.isZero() || factor == 0) return *this;
  const Index size = other.rows();
  if (sparse() || other.sparse()) {
    const SparseMatrix a = toSparse(size), b = other.toSparse(size);
    return SparseMatrix(a + factor * b);
  }
  if (isZero() && other.diagonal()) return Diagonal(factor * *other.diagonal());
  if (diagonal() && other.diagonal()) return Diagonal(*diagonal() + factor * *other.diagonal());
  return Matrix(toDense(size) + factor * other.toDense(size));
}

}  // namespace nonsmooth::kernel
