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

  // Of a dense matrix that the caller may change; moved it goes on sharing it.
  static LinearOperator shared(std::shared_ptr<const Matrix> dense);

  // Which kind it is: zero, or the stored diagonal, dense or sparse form; null where it is another.
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
    explicit Shared(std::shared_ptr<const Matrix> given) : matrix(std::move(given)) {}
    Shared(const Shared& other) : matrix(std::make_shared<Matrix>(*other.matrix)) {}
    Shared(Shared&&) noexcept = default;
    Shared& operator=(const Shared& other) { return *this = Shared(other); }
    Shared& operator=(Shared&&) noexcept = default;
    ~Shared() = default;
  };
  std::variant<std::monostate, Vector, Matrix, SparseMatrix, Shared> data_;
};

}  // namespace nonsmooth::kernel
#endif
