// Factorisation of a square matrix whose graph falls into components: the mass matrix of many bodies. Dense LU for small
// components; for large ones sparse Cholesky factors if they are symmetric positive definite (elastic bodies), else sparse LU.
// Cost linear in the number of bodies.
#pragma once

#include <memory>

#include "linalg/matrix.hpp"
#include "linalg/sparse_cholesky.hpp"
#include "linalg/sparse_lu.hpp"

namespace nonsmooth {

// Of the graph of a square matrix: of each row, numbered by their first rows.
IndexVector components_of(const CscMatrix& A);

class ComponentFactor {
 public:
  // Throws Error(NSM_INVALID_VALUE) naming `what` and a row if a component is singular.
  ComponentFactor(const CscMatrix& A, const char* what);
  bool has_components_of(const CscMatrix& A) const;
  // Another matrix with the same components: what was found from their patterns is kept. Throws as above.
  void factorise(const CscMatrix& A);

  std::size_t components() const { return row_start_.size() - 1; }
  std::span<const std::int32_t> rows(std::size_t component) const {
    const auto begin = static_cast<std::size_t>(row_start_[component]), end = static_cast<std::size_t>(row_start_[component + 1]);
    return std::span(rows_).subspan(begin, end - begin);
  }
  std::int32_t component_of(std::int32_t row) const { return component_of_[static_cast<std::size_t>(row)]; }
  std::int32_t position_in_component(std::int32_t row) const { return position_[static_cast<std::size_t>(row)]; }
  // A_c x = b on one component, in place; x has rows(component).size() entries. Uses a workspace of this object: not thread-safe.
  void solve_component(std::size_t component, std::span<double> x, bool transposed = false);
  // The number of right-hand sides of one component that are best solved together: 1 of small ones and of those without Cholesky
  // factors.
  int solved_together(std::size_t component) const;
  // A_c X = B for so many, row by row in X. Allocates.
  void solve_together(std::size_t component, std::span<double> X);
  // A x = b or A' x = b, in place.
  void solve(std::span<double> x, bool transposed = false);

 private:
  struct SparseFactor {  // one of the two
    SparseLu lu;
    std::unique_ptr<SparseCholesky> cholesky;
  };
  void list_rows();
  void place_factors();
  bool factorise_dense(std::size_t component, const CscMatrix& A);
  bool factorise_sparse(std::size_t component, const CscMatrix& A);

  const char* what_;
  IndexVector rows_, row_start_;         // of all components, one after the other; where each starts, and the end
  IndexVector component_of_, position_;  // of each row
  // Dense LU of the small components, one after the other, and their pivots, each where the rows of its component start.
  Vector dense_;
  IndexVector pivot_;
  std::vector<SparseFactor> sparse_;
  std::vector<std::size_t> place_;  // of the factor of each component in dense_, or in sparse_
  Vector gathered_, workspace_;
};

}  // namespace nonsmooth
