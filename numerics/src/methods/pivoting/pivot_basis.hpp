// A complementary basis with its whole tableau, dense and condensed to the non-basic columns.
//
// Free variables, the rows they are basic in and the columns of the w they have replaced are no part of the tableau.
#pragma once

#include "linalg/dense_factor.hpp"
#include "methods/pivoting/complementary_basis.hpp"
#include "methods/pivoting/condensed_tableau.hpp"
#include "methods/pivoting/free_elimination.hpp"

namespace nonsmooth {

class PivotBasis final : public ComplementaryBasis {
 public:
  explicit PivotBasis(const EquilibratedLcp& problem) : ComplementaryBasis(problem), problem_(&problem) {}
  // Pivots between two rebuilds, each of which costs about n / 2 of them.
  static int default_interval(int n) { return std::max(2 * n, 300); }
  void resize(int n) override;
  void set_patience(Patience* patience) override { elimination_.set_patience(patience); }
  const char* start_at_bounds() override;
  std::span<const double> contradiction() const override { return elimination_.contradiction(); }
  void set_cover(std::span<const double> basic_cover, std::span<const double> basic_perturbation) override;
  void column(int variable, double* out) override { tableau_.column(place_of(variable), out); }
  void exchange(int row, int entering, const double* column) override;

 private:
  // Column j of (M, d): n stands for t.
  const double* matrix_column(int j) const { return j == n_ ? d_.data() : problem_->column(j); }
  bool factorise_active() override;
  void solve_active(double* x) override { lu_.solve(x); }
  void complete_rebuild() override;
  void place_columns();
  void fill_columns();
  void finish_columns();

  const EquilibratedLcp* problem_;
  CondensedTableau tableau_;
  DenseFactor lu_;
  FreeElimination elimination_;
  std::vector<int> nonbasic_;
};

}  // namespace nonsmooth
