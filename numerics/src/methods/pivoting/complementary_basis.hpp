// What every basis of  w = M z + q + d t,  lo <= z <= hi,  w_i and z_i complementary, keeps: which variables are basic, in which
// row, their values x + (infinitesimal) s and their intervals. How columns of the tableau are had is left to the dense tableau
// (PivotBasis) and to sparse factors (SparseBasis).
//
// Free variables are made basic before anything else and stay, and the w they have replaced stay at 0. "Kept" indices are those
// with a finite bound and lo < hi: the pivots are among them.
#pragma once

#include <span>
#include <vector>

#include "core/index.hpp"
#include "methods/frame/equilibration.hpp"

namespace nonsmooth {

class ComplementaryBasis {
 public:
  virtual ~ComplementaryBasis() = default;
  virtual void resize(int n);
  // Asked in the midst of long work; borrowed, without end if null. What it ends fails as on a singular basis.
  virtual void set_patience(Patience* patience) = 0;

  // Variables: w_i is i, z_i is n + i, t is 2 n.
  int n() const { return n_; }
  int t() const { return 2 * n_; }
  bool is_z(int variable) const { return variable >= n_ && variable < 2 * n_; }
  int complement(int variable) const { return variable < n_ ? variable + n_ : variable - n_; }
  bool is_kept(int index) const { return kept_[at(index)] != 0; }

  // Makes the free variables basic; everything else is at a bound. nullptr, or why that cannot be done. rebuild must follow.
  virtual const char* start_at_bounds() = 0;
  // Multipliers of the rows that prove it, where the last start has found that equality rows contradict each other.
  virtual std::span<const double> contradiction() const { return {}; }
  // These z are basic (the free ones among them), all others at their lower or upper bound. rebuild must follow.
  void start_with(std::span<const char> basic_z, std::span<const char> upper);
  // After start_at_bounds: z (scaled) strictly between bounds is made basic, the rest goes to its bound.
  void start_at(std::span<const double> z);
  // Makes single variables of kept indices, or t, basic or not.
  void set_basic(int variable, bool basic);

  // Factors, x and s anew. false if the basis is singular.
  bool rebuild();
  int age() const { return age_; }  // exchanges since then
  // Whether these have made a column dearer than rebuild would.
  virtual bool is_worn() const { return false; }
  // Whether x is in its intervals, or so little outside that it may be rounding.
  bool is_nearly_feasible() const;
  // Whether rounding has moved x away from the rows  w = M z + q + d t.
  bool has_drifted();
  // After rebuild: d and p are chosen so that the basic variables have these coefficients. t is non-basic.
  virtual void set_cover(std::span<const double> basic_cover, std::span<const double> basic_perturbation);
  // d = value e_index, before rebuild.
  void set_unit_cover(int index, double value);
  void set_perturbation(std::span<const double> basic_perturbation);

  // The solution of this basis from fresh factors with one step of refinement, moved into the bounds. false if singular. t counts
  // as 0.
  bool solve(std::span<double> z);

  // Rows of the tableau: basic variables, their values x + (infinitesimal) s, their intervals.
  int rows() const { return rows_; }
  int variable_at(int row) const { return basic_[at(row)]; }
  int place_of(int variable) const { return place_[at(variable)]; }  // row if basic
  bool is_basic(int variable) const;
  bool at_upper(int index) const { return at_upper_[at(index)] != 0; }
  // Also turns the interval of w_index round if that is basic.
  void set_at_upper(int index, bool upper);
  // Where z_i is while it is not basic.
  double bound(int index) const;
  double lo(int index) const { return problem_->lo()[at(index)]; }
  double hi(int index) const { return problem_->hi()[at(index)]; }
  double* x() { return x_.data(); }
  const double* x() const { return x_.data(); }
  double* s() { return s_.data(); }
  const double* s() const { return s_.data(); }
  const double* low() const { return low_.data(); }
  const double* high() const { return high_.data(); }

  // How the basic variables move with a non-basic one: its column of the tableau.
  virtual void column(int variable, double* out) = 0;
  // Basic variable of `row` out, `entering` in; `column` is the tableau's column of it. x and s are the caller's.
  virtual void exchange(int row, int entering, const double* column) = 0;

 protected:
  explicit ComplementaryBasis(const Equilibration& problem) : problem_(&problem) {}
  bool is_free(int i) const { return free_[at(i)] != 0; }
  bool classify();
  void choose_active();
  // B x = b with b in full_, which is overwritten; x by row of the tableau.
  void solve_basis(double* x);
  void place(int variable, int row);
  void record_exchange(int row, int entering);
  void load_effective_q();
  void to_original(std::span<const double> basic, std::vector<double>& original) const;
  // y += value (M, d)_j: n stands for t.
  void add_column(int j, double value, double* y) const;
  const Equilibration& problem() const { return *problem_; }

  int n_ = 0, rows_ = 0, age_ = 0;
  int dropped_ = 0;  // active columns that are no rows of the tableau: free variables
  bool t_basic_ = false;
  std::vector<char> kept_, free_, at_upper_, w_basic_, z_basic_;
  std::vector<int> basic_, place_;
  std::vector<int> active_rows_, active_cols_;  // w non-basic; z (or t: n) basic, free ones first
  std::vector<int> other_rows_;                 // kept w that are basic
  std::vector<double> x_, s_, low_, high_, d_, p_, q_, full_, work_;

 private:
  // LU of the active block, and x := G^-1 x.
  virtual bool factorise_active() = 0;
  virtual void solve_active(double* x) = 0;
  // What else is computed anew by rebuild.
  virtual void complete_rebuild() = 0;
  void place_rows();
  const Equilibration* problem_;
};

}  // namespace nonsmooth
