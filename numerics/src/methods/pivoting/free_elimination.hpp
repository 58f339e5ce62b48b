// Which variables have to be basic with the free ones: a regular active block for  w_e = 0  on the equality rows.
//
// The free columns are pivoted into the equality rows by the largest entry, so that the rank shows. What then is left of the
// equality rows has no free column with an entry in it; each such row takes a bounded variable z_j in, whose w_j the free column
// replaces.
#pragma once

#include <span>
#include <vector>

#include "methods/frame/equilibration.hpp"

namespace nonsmooth {

class FreeElimination {
 public:
  // is_free has one entry per index; S is n x n workspace with that stride, q the right-hand side with all z at their bounds.
  // On return z_basic and w_basic tell the basis. nullptr, or why there is none.
  const char* run(const EquilibratedLcp& problem, std::span<const char> is_free, std::span<const char> is_kept, double* S,
                  int stride, std::span<double> q, std::span<char> z_basic, std::span<char> w_basic);
  void resize(int n);
  // Asked before every pivot whether to go on; borrowed, without end if null.
  void set_patience(Patience* patience) { patience_ = patience; }
  // Whether patience has ended the last run.
  bool has_no_time() const { return has_no_time_; }
  // y with y'M = 0 and y'q < 0, a proof where equality rows alone contradict each other; empty unless run has said that they do.
  std::span<const double> contradiction() const { return contradicts_ ? std::span<const double>(y_) : std::span<const double>(); }

 private:
  struct Pivot {
    int row, col;
  };
  double& entry(int i, int j) { return S_[static_cast<std::ptrdiff_t>(j) * stride_ + i]; }
  void load(const EquilibratedLcp& problem);
  void tell_bases(std::span<char> z_basic, std::span<char> w_basic) const;
  void eliminate(int row, int col);
  bool pivot_largest();
  bool pivot_through_bounded();
  void close(int row, int col);
  void find_largest_in_rows();
  const char* leftover();
  void keep_contradiction(int row);

  bool patience_lasts() const { return patience_ == nullptr || patience_->lasts(); }

  Patience* patience_ = nullptr;
  int n_ = 0, stride_ = 0;
  double* S_ = nullptr;
  double tolerance_ = 0, q_size_ = 0;
  std::span<const char> is_free_, is_kept_;
  std::span<double> q_;
  // Entries of kept rows in kept columns are not kept up: no pivot is chosen among them, and those that are depend on none.
  std::vector<int> free_rows_, free_cols_, kept_rows_, kept_cols_;  // open, ascending
  std::vector<double> in_row_;                                      // largest entry of each kept row in the open free columns
  std::vector<int> col_of_;                                         // and its column
  std::vector<Pivot> pivots_;
  std::vector<double> y_;
  bool contradicts_ = false, has_no_time_ = false;
};

}  // namespace nonsmooth
