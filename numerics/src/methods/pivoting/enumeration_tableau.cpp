#include "methods/pivoting/enumeration_tableau.hpp"

#include <algorithm>
#include <cmath>

#include "core/index.hpp"

namespace nonsmooth {
namespace {

constexpr double relative_q = 1e-9, relative_entry = 1e-12;

}  // namespace

void EnumerationTableau::resize(int n) {
  n_ = n;
  T_.resize(at(n) * at(n));
  q_.resize(at(n));
  row_.resize(at(n));
  column_.resize(at(n));
  state_of_.resize(at(n));
  for (std::vector<int>* v : {&row_of_w_, &column_of_z_, &z_at_column_, &w_at_row_}) v->resize(at(n));
}

void EnumerationTableau::start(std::span<const double> q, std::span<const char> is_free) {
  double q_size = 0, entry_size = 0;
  for (int i = 0; i < n_; ++i) {
    q_[at(i)] = q[at(i)];
    q_size = std::max(q_size, std::abs(q[at(i)]));
    row_[at(i)] = is_free[at(i)] ? Row::zero : Row::nonnegative;
    column_[at(i)] = state_of_[at(i)] = is_free[at(i)] ? Column::decided_free : Column::undecided;
    row_of_w_[at(i)] = column_of_z_[at(i)] = z_at_column_[at(i)] = w_at_row_[at(i)] = i;
  }
  for (double x : T_) entry_size = std::max(entry_size, std::abs(x));
  q_tolerance_ = relative_q * q_size;
  entry_tolerance_ = relative_entry * entry_size;
  pivot_decided();
}

// Exchanges the basic variable of `row` (a w that is 0 from now on) with the non-basic one of `col`.
void EnumerationTableau::pivot(int row, int col) {
  const double inverse = 1 / entry(row, col);
  for (int j = 0; j < n_; ++j) {
    if (j == col || column_[at(j)] == Column::dropped) continue;
    const double factor = entry(row, j) * inverse;
    if (factor == 0) continue;
    for (int i = 0; i < n_; ++i)
      if (i != row) entry(i, j) -= entry(i, col) * factor;
    entry(row, j) = -factor;
  }
  const double q_factor = q_[at(row)] * inverse;
  for (int i = 0; i < n_; ++i)
    if (i != row) q_[at(i)] -= entry(i, col) * q_factor;
  q_[at(row)] = -q_factor;

  const int z = z_at_column_[at(col)];
  row_[at(row)] = column_[at(col)] == Column::decided_free ? Row::unrestricted : Row::nonnegative;
  column_[at(col)] = Column::dropped;  // holds the w that is 0
  column_of_z_[at(z)] = -1;
  row_of_w_[at(w_at_row_[at(row)])] = -1;
  w_at_row_[at(row)] = -1;
}

// Pivots every equation on a decided column while there is one, largest pivot first.
void EnumerationTableau::pivot_decided() {
  for (;;) {
    int best_row = -1, best_col = -1;
    double best = entry_tolerance_;
    for (int j = 0; j < n_; ++j) {
      if (column_[at(j)] != Column::decided && column_[at(j)] != Column::decided_free) continue;
      for (int i = 0; i < n_; ++i)
        if (row_[at(i)] == Row::zero && std::abs(entry(i, j)) > best) {
          best = std::abs(entry(i, j));
          best_row = i;
          best_col = j;
        }
    }
    if (best_row < 0) return;
    pivot(best_row, best_col);
  }
}

void EnumerationTableau::decide_zero_z(int j) {
  state_of_[at(j)] = Column::dropped;
  column_[at(column_of_z_[at(j)])] = Column::dropped;
}

void EnumerationTableau::decide_zero_w(int j) {
  state_of_[at(j)] = Column::decided;
  column_[at(column_of_z_[at(j)])] = Column::decided;
  row_[at(row_of_w_[at(j)])] = Row::zero;
  pivot_decided();
}

EnumerationTableau::RowSigns EnumerationTableau::signs(int row) const {
  RowSigns result;
  int risers = 0;
  for (int j = 0; j < n_; ++j) {
    if (column_[at(j)] == Column::dropped || std::abs(entry(row, j)) <= entry_tolerance_) continue;
    const bool either = column_[at(j)] == Column::decided_free;
    if (entry(row, j) > 0 || either) {
      result.may_rise = true;
      result.only_riser = ++risers == 1 && column_[at(j)] == Column::undecided ? z_at_column_[at(j)] : -1;
    }
    if (entry(row, j) < 0 || either) result.may_fall = true;
  }
  return result;
}

// Draws what follows from one row: no way to satisfy it, or a decision that it forces.
EnumerationTableau::State EnumerationTableau::examine(int row, bool& changed) {
  if (row_[at(row)] == Row::unrestricted) return State::open;
  const RowSigns sign = signs(row);
  const double value = q_[at(row)];
  if (value < -q_tolerance_) {
    if (!sign.may_rise) return State::impossible;
    if (sign.only_riser >= 0) {  // it must be positive
      decide_zero_w(sign.only_riser);
      changed = true;
    }
  } else if (value > q_tolerance_ && !sign.may_fall) {
    if (row_[at(row)] == Row::zero) return State::impossible;
    const int w = w_at_row_[at(row)];
    if (w >= 0 && is_undecided(w)) {  // w is positive, so z is 0
      decide_zero_z(w);
      changed = true;
    }
  }
  return State::open;
}

EnumerationTableau::State EnumerationTableau::propagate() {
  for (bool changed = true; changed;) {
    changed = false;
    for (int i = 0; i < n_; ++i)
      if (examine(i, changed) == State::impossible) return State::impossible;
  }
  return State::open;
}

bool EnumerationTableau::is_complementary_solution() const {
  for (int i = 0; i < n_; ++i) {
    if (row_[at(i)] == Row::nonnegative && q_[at(i)] < -q_tolerance_) return false;
    if (row_[at(i)] == Row::zero && std::abs(q_[at(i)]) > q_tolerance_) return false;
  }
  return true;
}

int EnumerationTableau::branching_variable() const {
  // The worst violated row: its own variable if that is undecided, else the one that raises it most.
  int worst = -1;
  for (int i = 0; i < n_; ++i) {
    const double violation = row_[at(i)] == Row::nonnegative ? -q_[at(i)] : row_[at(i)] == Row::zero ? std::abs(q_[at(i)]) : 0.0;
    const double previous = worst < 0                             ? q_tolerance_
                            : row_[at(worst)] == Row::nonnegative ? -q_[at(worst)]
                                                                  : std::abs(q_[at(worst)]);
    if (violation > previous) worst = i;
  }
  if (worst >= 0) {
    const int own = w_at_row_[at(worst)];
    if (own >= 0 && is_undecided(own)) return own;
    int best = -1;
    double largest = entry_tolerance_;
    for (int j = 0; j < n_; ++j) {
      if (column_[at(j)] != Column::undecided) continue;
      const double help = q_[at(worst)] < 0 ? entry(worst, j) : -entry(worst, j);
      if (help > largest) {
        largest = help;
        best = z_at_column_[at(j)];
      }
    }
    if (best >= 0) return best;
  }
  for (int j = 0; j < n_; ++j)
    if (is_undecided(j)) return j;
  return -1;
}

}  // namespace nonsmooth
