// A complementary basis of a sparse problem: LU of the active block, and the pivots since then in product form. A column of the
// tableau costs one solve with each, memory is linear in the entries of M and of the factors.
#pragma once

#include "linalg/left_looking_lu.hpp"
#include "methods/pivoting/complementary_basis.hpp"
#include "methods/pivoting/delayed_pivots.hpp"
#include "methods/pivoting/sparse_lcp.hpp"

namespace nonsmooth {

class SparseBasis final : public ComplementaryBasis {
 public:
  explicit SparseBasis(const SparseLcp& problem) : ComplementaryBasis(problem), problem_(&problem) {}
  // For up to `depth` pivots between two factorisations.
  void allocate(int n, int depth);
  void set_patience(Patience* patience) override { lu_.set_patience(patience); }
  const char* start_at_bounds() override;
  void column(int variable, double* out) override;
  void exchange(int row, int entering, const double* column) override;
  bool is_worn() const override;

 private:
  bool factorise_active() override;
  void solve_active(double* x) override { lu_.solve(x); }
  void complete_rebuild() override;
  void add_to_factor(int j);
  void load_active();
  bool take_in_bounded();
  bool leave_out_free();
  bool dependent_rows_hold();

  const SparseLcp* problem_;
  LeftLookingLu lu_;
  DelayedPivots pivots_;
  std::int64_t pivot_work_ = 0;    // multiplications with delayed pivots since the factorisation
  std::vector<int> active_place_;  // of a row among the active ones, -1 elsewhere
};

}  // namespace nonsmooth
