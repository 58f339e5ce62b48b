// Tableau of the enumeration: basic variables = q + T (non-basic variables), with what is known of every variable.
//
// Row i starts with w_i basic, column j with z_j non-basic. Deciding z_j = 0 drops its column; deciding w_j = 0 makes its row an
// equation that is pivoted on as soon as a column that may become basic offers a pivot (its own, or another decided one: zero
// diagonals need no special care). Equality rows and free variables are decided from the start.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/index.hpp"
#include "linalg/workspace.hpp"

namespace nonsmooth {

class EnumerationTableau {
 public:
  enum class Row : std::uint8_t { nonnegative, zero, unrestricted };               // what the basic variable must satisfy
  enum class Column : std::uint8_t { undecided, decided, decided_free, dropped };  // decided: waits to become basic

  void resize(int n);
  // Values of an n x n matrix by columns and q; is_free[j] != 0 marks an equality row with its free variable.
  template <class ColumnOf>
  void load(ColumnOf&& column_of, std::span<const double> q, std::span<const char> is_free) {
    for (int j = 0; j < n_; ++j) {
      const double* column = column_of(j);
      for (int i = 0; i < n_; ++i) entry(i, j) = column[i];
    }
    start(q, is_free);
  }

  // What is left of the problem after all implied decisions.
  enum class State { open, impossible };
  State propagate();
  // No basic variable violates its sign with every non-basic one at 0: the basis is a solution.
  bool is_complementary_solution() const;
  // Variable to branch on; -1 if all are decided.
  int branching_variable() const;
  void decide_zero_z(int j);  // z_j = 0
  void decide_zero_w(int j);  // w_j = 0

  bool is_undecided(int j) const { return state_of_[at(j)] == Column::undecided; }
  // z_j may be non-zero in this branch.
  bool is_supported(int j) const {
    const Column state = state_of_[at(j)];
    return state == Column::decided || state == Column::decided_free;
  }

 private:
  double& entry(int i, int j) { return T_[at(i) + at(j) * at(n_)]; }
  double entry(int i, int j) const { return T_[at(i) + at(j) * at(n_)]; }
  void start(std::span<const double> q, std::span<const char> is_free);
  void pivot_decided();
  void pivot(int row, int col);
  struct RowSigns {
    bool may_rise = false, may_fall = false;  // through some active column
    int only_riser = -1;                      // the undecided column that alone can raise the row; -1 if there are others
  };
  RowSigns signs(int row) const;
  State examine(int row, bool& changed);

  int n_ = 0;
  double q_tolerance_ = 0, entry_tolerance_ = 0;
  Workspace T_;
  std::vector<double> q_;
  std::vector<Row> row_;
  std::vector<Column> column_;    // state of the non-basic variable that stands at a column
  std::vector<Column> state_of_;  // decision about z_j, wherever it stands
  std::vector<int> row_of_w_;     // row at which w_j is basic; -1 once it has left
  std::vector<int> column_of_z_;  // column at which z_j is non-basic; -1 once it is basic
  std::vector<int> z_at_column_, w_at_row_;
};

}  // namespace nonsmooth
