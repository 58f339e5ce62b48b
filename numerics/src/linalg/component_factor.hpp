// Factorisation of a square matrix whose graph falls into components: the mass matrix of many bodies. Dense LU for small
// components; for large ones sparse Cholesky factors if they are symmetric positive definite (elastic bodies), else sparse LU.
// Cost linear in the number of bodies.
#pragma once

#include <memory>

#include "core/index.hpp"
#include "linalg/matrix.hpp"
#include "linalg/sparse_cholesky.hpp"
#include "linalg/sparse_lu.hpp"

namespace nonsmooth {

// Of the graph of a square matrix: of each row, numbered by their first rows.
IndexVector components_of(const CscMatrix& A);

class ComponentFactor {
 public:
  // Cholesky factors prepare the responses of all columns, which for many columns costs more than all else, or leave them where a
  // product with the matrix of the responses costs more than a solve.
  enum class Responses { prepared, may_be_left };
  // C, borrowed, has the columns whose response is asked for. Throws Error(NSM_INVALID_VALUE) naming `what` and a row if a
  // component is singular.
  ComponentFactor(const CscMatrix& A, const char* what, const CscMatrix* C = nullptr, Responses responses = Responses::prepared);
  bool has_components_of(const CscMatrix& A) const;
  // Another matrix with the same components: what was found from their patterns is kept. Throws as above.
  void factorise(const CscMatrix& A);

  std::size_t components() const { return row_start_.size() - 1; }
  std::span<const std::int32_t> rows(std::size_t component) const {
    const auto begin = at(row_start_[component]), end = at(row_start_[component + 1]);
    return std::span(rows_).subspan(begin, end - begin);
  }
  std::int32_t component_of(std::int32_t row) const { return component_of_[at(row)]; }
  std::int32_t position_in_component(std::int32_t row) const { return position_[at(row)]; }
  // A_c x = b on one component, in place; x has rows(component).size() entries. Uses a workspace of this object: not thread-safe.
  void solve_component(std::size_t component, std::span<double> x, bool transposed = false);
  // Columns of C that have entries in a component, ascending.
  const IndexVector& columns(std::size_t component) const { return columns_of_[component]; }
  // C_c' inverse(A_c) C_c to the rounding of the factors, entry by entry: add(i, j, value) for all of these i, ascending, for one
  // j after the other. Cholesky factors that have prepared it have it without a solve for each column.
  template <class Add>
  void for_each_response(std::size_t component, Add&& add) {
    const IndexVector& columns = columns_of_[component];
    const SparseCholesky* cholesky = prepared_by(component);
    for (std::size_t j = 0; j < columns.size(); ++j) {
      if (cholesky == nullptr) solve_column(component, columns[j]);
      for (std::size_t i = 0; i < columns.size(); ++i)
        add(columns[i], columns[j],
            cholesky != nullptr ? cholesky->response(i, j) : product_with_gathered(component, columns[i]));
    }
  }
  // Of one column, of the components that it has entries in.
  double response(std::int32_t column);
  // Whether there are large components, all of them positive definite.
  bool is_sparse_definite() const;
  // Whether some Cholesky factors have left their responses, which takes a solve for each column then.
  bool has_left_responses() const;
  // 1 for every column of whose response they have left some part.
  std::vector<char> left_columns() const;
  // Multiplications of a solve by Cholesky factors without refinement, about.
  double sparse_solve_work() const;
  // Multiplications of an LU on the pattern of these, about.
  double sparse_work() const;
  // A x = b or A' x = b, in place.
  void solve(std::span<double> x, bool transposed = false);
  // A x = b without the refinement of large components.
  void solve_once(std::span<double> x);

 private:
  struct SparseFactor {  // one of the two
    SparseLu lu;
    std::unique_ptr<SparseCholesky> cholesky;
  };
  void list_rows();
  void list_columns();
  void place_factors();
  bool factorise_dense(std::size_t component, const CscMatrix& A);
  bool factorise_sparse(std::size_t component, const CscMatrix& A);
  template <class Visit>
  void visit_column(std::size_t component, std::int32_t column, Visit&& visit) const;
  void append_columns(std::size_t component, CscMatrix& part) const;
  std::unique_ptr<SparseCholesky> set_up_cholesky(const CscMatrix& part, const CscMatrix& bordered) const;
  const SparseCholesky* prepared_by(std::size_t component) const;
  bool has_left(std::size_t component) const;
  void solve_column(std::size_t component, std::int32_t column);
  void solve_component_once(std::size_t component, std::span<double> x);
  template <class Solve>
  void solve_components(std::span<double> x, Solve&& solve);
  double product_with_gathered(std::size_t component, std::int32_t column) const;

  const char* what_;
  const CscMatrix* C_;
  Responses responses_;
  IndexVector rows_, row_start_;         // of all components, one after the other; where each starts, and the end
  IndexVector component_of_, position_;  // of each row
  std::vector<IndexVector> columns_of_;  // of each component; empty without C
  // Dense LU of the small components, one after the other, and their pivots, each where the rows of its component start.
  Vector dense_;
  IndexVector pivot_;
  std::vector<SparseFactor> sparse_;
  std::vector<std::size_t> place_;  // of the factor of each component in dense_, or in sparse_
  Vector gathered_, workspace_;
};

}  // namespace nonsmooth
