// Left-looking supernodal factorisation of principal submatrices (Ng and Peyton 1993): Cholesky of a symmetric matrix, else LU on
// the pattern of A + A' with row exchanges inside the diagonal block of a supernode only. Order and structure are those of the
// whole matrix, found once; rows left out are squeezed out of the panels, so that the cost follows the kept part.
#pragma once

#include "linalg/principal_factor.hpp"
#include "linalg/supernodes.hpp"

namespace nonsmooth {

class SparsePrincipalFactor final : public PrincipalFactor {
 public:
  // A is borrowed: later factorisations read its values. All memory is taken here. Throws
  // Error(NSM_TOO_LARGE) if the factors would take more than 1.6 GB or 1e11 multiplications.
  SparsePrincipalFactor(const CscMatrix& A, bool symmetric);
  bool factorise(std::span<const char> keep) override;
  void solve(std::span<double> x) override;
  // So many right-hand sides in the time of two or three, bit by bit as one at a time: row by row in X. Allocates once.
  static constexpr int solved_together = 8;
  void solve_together(std::span<double> X);
  // Entries of all panels for the whole matrix.
  std::int64_t size() const { return static_cast<std::int64_t>(lower_.size() + upper_.size()); }

 private:
  struct Entry {  // below the diagonal of a column, in the new order; positions in the values of A, -1 if there is none
    std::int32_t row, lower, upper;
  };
  void place_entries();
  void place_panels();
  void keep_rows(std::int32_t s, std::span<const char> keep);
  void assemble(std::int32_t s);
  void apply_descendants(std::int32_t s);
  void apply_descendant(std::int32_t d, std::int32_t s, std::int32_t from, std::int32_t to);
  void subtract_product(const double* a, const double* b, std::int32_t d, std::int32_t rows, std::int32_t cols, std::int32_t from,
                        std::int32_t to, double* target, std::int32_t stride, std::int32_t row_shift);
  bool factorise_panel(std::int32_t s);
  void queue(std::int32_t s, std::int32_t from);
  // Of M right-hand sides.
  template <int M>
  void forward(std::int32_t s);
  template <int M>
  void backward(std::int32_t s);
  template <int M>
  void solve_rows(std::span<double> x);

  const CscMatrix& A_;
  bool symmetric_;
  Supernodes nodes_;
  std::vector<std::int64_t> entry_start_;
  std::vector<Entry> entries_;
  IndexVector diagonal_;                                 // positions in the values of A, by new column
  std::vector<std::int64_t> lower_start_, upper_start_;  // panels: kept columns and rows, then (LU) kept rows of U', transposed
  Vector lower_, upper_, product_, gathered_;
  // Of the present factorisation: kept columns and rows of each supernode, at the places of all of them.
  IndexVector kept_column_, kept_row_, column_count_, row_count_, pivot_;
  IndexVector local_;        // place of a new row in the panel at work
  IndexVector head_, next_;  // supernodes waiting to be applied to another one
  IndexVector reached_;      // how many kept rows of a supernode have been applied
};

}  // namespace nonsmooth
