// Factorisation of a square matrix whose graph falls into components: the mass matrix of many bodies. Dense LU for small
// components; for large ones sparse Cholesky factors if they are symmetric positive definite (elastic bodies), else sparse LU.
// Cost linear in the number of bodies.
#pragma once

#include <memory>

#include "linalg/dense_lu.hpp"
#include "linalg/matrix.hpp"
#include "linalg/sparse_cholesky.hpp"
#include "linalg/sparse_lu.hpp"

namespace nonsmooth {

class ComponentFactor {
 public:
  // Throws Error(NSM_INVALID_VALUE) naming `what` and a row if a component is singular.
  ComponentFactor(const CscMatrix& A, const char* what);

  std::size_t components() const { return rows_.size(); }
  const IndexVector& rows(std::size_t component) const { return rows_[component]; }
  std::int32_t component_of(std::int32_t row) const { return component_of_[static_cast<std::size_t>(row)]; }
  std::int32_t position_in_component(std::int32_t row) const { return position_[static_cast<std::size_t>(row)]; }
  // A_c x = b on one component, in place; x has rows(component).size() entries. Uses a workspace of this object: not thread-safe.
  void solve_component(std::size_t component, std::span<double> x, bool transposed = false);
  // A x = b or A' x = b, in place.
  void solve(std::span<double> x, bool transposed = false);

 private:
  struct Factor {  // one of the three
    DenseLu dense;
    SparseLu sparse;
    std::unique_ptr<SparseCholesky> cholesky;
    bool is_dense = true;
  };
  void find_components(const CscMatrix& A);
  bool factorise_dense(Factor& factor, const CscMatrix& A, const IndexVector& rows) const;
  bool factorise_sparse(Factor& factor, const CscMatrix& A, const IndexVector& rows) const;

  std::vector<IndexVector> rows_;
  IndexVector component_of_, position_;
  std::vector<Factor> factors_;
  Vector gathered_, workspace_;
};

}  // namespace nonsmooth
