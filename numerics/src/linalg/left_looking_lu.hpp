// Sparse LU with partial pivoting in storage reserved beforehand: for a method that factorises ever new bases while it runs and
// must not allocate then. Left-looking, one sparse triangular solve per column (Gilbert and Peierls 1988); columns in the order
// of COLAMD (Davis, Gilbert, Larimore and Ng 2004).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/index.hpp"
#include "core/patience.hpp"
#include "linalg/workspace.hpp"

namespace nonsmooth {

class LeftLookingLu {
 public:
  // Allocates for matrices of order up to n with up to `entries` entries, and for factors with up to `fill` entries beside the
  // diagonal: address space, whose pages are first touched when they are needed.
  void resize(int n, std::int64_t entries, std::int64_t fill);
  // Asked whether to go on with a factorisation; borrowed, without end if null.
  void set_patience(Patience* patience) { patience_ = patience; }

  // The matrix, column by column.
  void clear();
  void add(int row, double value) {
    rows_[at(entries_)] = row;
    values_[at(entries_++)] = value;
  }
  void finish_column() { start_[at(++columns_)] = entries_; }

  // Of the columns, the last `trailing` of them after all others and in their order, the first `rows` independent ones. false if
  // there are fewer, if the fill exceeds its bound, or once patience ends.
  bool factorise(int rows, int trailing);
  std::span<const int> chosen_columns() const { return std::span(column_order_).first(at(rank_)); }
  // Whether the last factorisation has seen all columns, or enough: the chosen ones then span what all do, in the rows that have
  // a pivot; the other rows depend on those.
  bool is_complete() const { return is_complete_; }
  bool has_pivot(int row) const { return step_of_row_[at(row)] >= 0; }
  // A x = b, in place.
  void solve(double* x);
  int entries() const { return entries_; }
  // Multiplications of the last factorisation.
  std::int64_t work() const { return work_count_; }

 private:
  using Indices = std::vector<int, UninitialisedAllocator<int>>;
  struct Triangle {  // columns, without the diagonal
    std::vector<std::int64_t> start;
    Indices index;
    Workspace value;
    std::int64_t count = 0;
    void push(int i, double x) {
      index[at(count)] = i;
      value[at(count++)] = x;
    }
  };
  bool patience_lasts() const { return patience_ == nullptr || patience_->lasts(); }
  bool order_columns(int trailing);
  int find_pattern(int column);
  void search_from(int row, int column, int& top);
  double eliminate(int column, int step, int top);
  bool choose_pivot(int step, int top, double size);

  Patience* patience_ = nullptr;
  int order_ = 0, rank_ = 0, columns_ = 0, entries_ = 0;
  bool is_complete_ = false;
  std::int64_t capacity_ = 0, work_count_ = 0;
  std::vector<int> start_, column_order_, row_count_;
  Indices rows_, ordering_;
  Workspace values_;
  Triangle lower_, upper_;  // rows of L are those of the matrix, rows of U are steps
  std::vector<double> diagonal_, work_, solved_;
  std::vector<int> step_of_row_, row_of_step_, mark_, pattern_, stack_;
  std::vector<std::int64_t> next_;
};

}  // namespace nonsmooth
