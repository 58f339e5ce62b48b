// A constant matrix in the storage that suits it.
#ifndef NONSMOOTH_KERNEL_LINEAR_OPERATOR_HPP
#define NONSMOOTH_KERNEL_LINEAR_OPERATOR_HPP

#include <memory>
#include <variant>

#include "nonsmooth/kernel/algebra.hpp"

namespace nonsmooth::kernel {

// Nothing (zero), a diagonal, a dense or a sparse square matrix. A value; copies are deep, those of a shared matrix too.
class LinearOperator {
 public:
  LinearOperator() = default;
  LinearOperator(Matrix dense) : data_(std::move(dense)) {}
  LinearOperator(SparseMatrix sparse) : data_(std::move(sparse)) {}
  LinearOperator(const Diagonal& diagonal) : data_(Vector(diagonal.diagonal())) {}
  // From any expression of Eigen.
  template <class Derived>
  LinearOperator(const Eigen::MatrixBase<Derived>& expression) : data_(Matrix(expression)) {}

  // Of a dense matrix that the caller may change, but for its size; moved it goes on sharing it. `what` names it in messages and
  // outlives it.
  static LinearOperator shared(std::shared_ptr<const Matrix> dense, const char* what = "a shared matrix");

  // Which kind it is: zero, or the stored diagonal, dense or sparse form; null where it is another. Throws where a shared matrix
  // has another size than it had when it was given.
  bool isZero() const { return data_.index() == 0; }
  const Vector* diagonal() const { return std::get_if<Vector>(&data_); }
  const Matrix* dense() const;
  const SparseMatrix* sparse() const { return std::get_if<SparseMatrix>(&data_); }
  // Size; 0 for a zero operator.
  Index rows() const;
  Index cols() const;
  // A dense copy of the given size.
  Matrix toDense(Index size) const;
  // toDense and a new value, in the memory at hand where the size is that of the last.
  void copyTo(Matrix& dense, Index size) const;
  void assign(const Matrix& dense);
  SparseMatrix toSparse(Index size) const;

  // Is it symmetric to the last bit?
  bool isSymmetric() const;
  // y += factor * (this) x; x and y do not overlap. Allocates nothing.
  void addProduct(double factor, ConstVectorRef x, VectorRef y) const;
  // this + factor * other, in the more general of both storages (diagonal < dense < sparse).
  LinearOperator plus(double factor, const LinearOperator& other) const;

 private:
  struct Shared {
    std::shared_ptr<const Matrix> matrix;
    const char* what;
    Index rows, cols;
    Shared(std::shared_ptr<const Matrix> given, const char* name)
        : matrix(std::move(given)), what(name), rows(matrix->rows()), cols(matrix->cols()) {}
    Shared(const Shared& other)
        : matrix(std::make_shared<Matrix>(*other.matrix)), what(other.what), rows(other.rows), cols(other.cols) {}
    Shared(Shared&&) noexcept = default;
    Shared& operator=(const Shared& other) { return *this = Shared(other); }
    Shared& operator=(Shared&&) noexcept = default;
    ~Shared() = default;
  };
  std::variant<std::monostate, Vector, Matrix, SparseMatrix, Shared> data_;
};

}  // namespace nonsmooth::kernel
#endif
