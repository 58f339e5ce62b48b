#include "methods/pivoting/complementary_basis.hpp"

#include <algorithm>
#include <cmath>

namespace nonsmooth {
namespace {

constexpr double drift_tolerance = 1e-9;         // relative to the terms of a row
constexpr double feasibility_tolerance = 1e-10;  // relative to q and x
constexpr double interior_tolerance = 1e-10;     // of a starting point, relative to its size

}  // namespace

void ComplementaryBasis::resize(int n) {
  n_ = n;
  for (std::vector<char>* v : {&kept_, &free_, &at_upper_, &w_basic_, &z_basic_}) v->resize(at(n));
  for (std::vector<double>* v : {&x_, &s_, &low_, &high_, &d_, &p_, &q_, &full_, &work_}) v->resize(at(n));
  for (std::vector<int>* v : {&active_rows_, &active_cols_, &other_rows_}) v->reserve(at(n) + 1);
  basic_.resize(at(n));
  place_.resize(2 * at(n) + 1);
}

void ComplementaryBasis::add_column(int j, double value, double* y) const {
  if (j < n_) {
    problem_->add_column(j, value, y);
    return;
  }
  for (int i = 0; i < n_; ++i) y[i] += d_[at(i)] * value;
}

void ComplementaryBasis::set_cover(std::span<const double> basic_cover, std::span<const double> basic_perturbation) {
  to_original(basic_cover, d_);
  set_perturbation(basic_perturbation);
}

double ComplementaryBasis::bound(int i) const {
  if (is_free(i)) return 0;
  return at_upper_[at(i)] != 0 ? hi(i) : lo(i);
}

bool ComplementaryBasis::is_basic(int variable) const {
  if (variable == t()) return t_basic_;
  return variable < n_ ? w_basic_[at(variable)] != 0 : z_basic_[at(variable - n_)] != 0;
}

void ComplementaryBasis::set_at_upper(int index, bool upper) {
  at_upper_[at(index)] = upper ? 1 : 0;
  if (w_basic_[at(index)] != 0) place(index, place_of(index));
}

void ComplementaryBasis::set_basic(int variable, bool basic) {
  if (variable == t())
    t_basic_ = basic;
  else if (variable < n_)
    w_basic_[at(variable)] = basic ? 1 : 0;
  else
    z_basic_[at(variable - n_)] = basic ? 1 : 0;
}

// Which variables are free, kept, at their upper bound; the free ones are basic. Whether there are any.
bool ComplementaryBasis::classify() {
  bool any_free = false;
  t_basic_ = false;
  for (int i = 0; i < n_; ++i) {
    const bool below = std::isinf(lo(i)), above = std::isinf(hi(i)), free = below && above;
    free_[at(i)] = free ? 1 : 0;
    kept_[at(i)] = !free && lo(i) < hi(i) ? 1 : 0;
    at_upper_[at(i)] = below && !above ? 1 : 0;
    z_basic_[at(i)] = free_[at(i)];
    w_basic_[at(i)] = free ? 0 : 1;
    any_free = any_free || free;
  }
  std::fill(d_.begin(), d_.end(), 0.0);
  std::fill(p_.begin(), p_.end(), 0.0);
  return any_free;
}

void ComplementaryBasis::start_with(std::span<const char> basic_z, std::span<const char> upper) {
  classify();
  for (int i = 0; i < n_; ++i) {
    z_basic_[at(i)] = basic_z[at(i)];
    w_basic_[at(i)] = basic_z[at(i)] != 0 ? 0 : 1;
    at_upper_[at(i)] = upper[at(i)];
  }
}

void ComplementaryBasis::start_at(std::span<const double> z) {
  double size = 0;
  for (double value : z) size = std::max(size, std::abs(value));
  const double margin = interior_tolerance * size;
  for (int i = 0; i < n_; ++i) {
    if (!is_kept(i)) continue;
    const double value = i < static_cast<int>(z.size()) ? z[at(i)] : 0.0;
    const bool inside = value > lo(i) + margin && value < hi(i) - margin;
    z_basic_[at(i)] = inside ? 1 : 0;
    w_basic_[at(i)] = inside ? 0 : 1;
    if (!inside) at_upper_[at(i)] = value >= hi(i) - margin ? 1 : 0;
  }
}

// Active block: rows of the non-basic w, columns of the basic z and t, the ones outside the tableau first.
void ComplementaryBasis::choose_active() {
  active_rows_.clear();
  active_cols_.clear();
  other_rows_.clear();
  for (int i = 0; i < n_; ++i)
    if (z_basic_[at(i)] != 0 && !is_kept(i)) active_cols_.push_back(i);
  dropped_ = static_cast<int>(active_cols_.size());
  for (int i = 0; i < n_; ++i) {
    if (w_basic_[at(i)] == 0) active_rows_.push_back(i);
    if (is_kept(i) && z_basic_[at(i)] != 0) active_cols_.push_back(i);
    if (is_kept(i) && w_basic_[at(i)] != 0) other_rows_.push_back(i);
  }
  if (t_basic_) active_cols_.push_back(n_);
}

// q with the non-basic z at their bounds.
void ComplementaryBasis::load_effective_q() {
  std::copy(problem_->q().begin(), problem_->q().end(), q_.begin());
  for (int j = 0; j < n_; ++j) {
    if (z_basic_[at(j)] != 0) continue;
    const double value = bound(j);
    if (value == 0) continue;
    add_column(j, value, q_.data());
  }
}

void ComplementaryBasis::place(int variable, int row) {
  const bool z = is_z(variable);
  const int i = z ? variable - n_ : variable;
  basic_[at(row)] = variable;
  place_[at(variable)] = row;
  low_[at(row)] = z ? lo(i) : 0.0;
  high_[at(row)] = z ? hi(i) : HUGE_VAL;
  if (variable < n_ && at_upper(i)) {
    low_[at(row)] = -HUGE_VAL;
    high_[at(row)] = 0;
  }
}

// Inverse of fill_values: rhs with x_C = basic on the tableau's rows, 0 on free variables.
void ComplementaryBasis::to_original(std::span<const double> basic, std::vector<double>& original) const {
  std::fill(original.begin(), original.end(), 0.0);
  const std::size_t k = active_rows_.size(), dropped = at(dropped_);
  for (std::size_t r = 0; r < other_rows_.size(); ++r) original[at(other_rows_[r])] = basic[k - dropped + r];
  for (std::size_t c = dropped; c < k; ++c) {
    const double value = basic[c - dropped];
    if (value != 0) add_column(active_cols_[c], -value, original.data());
  }
}

void ComplementaryBasis::set_perturbation(std::span<const double> basic_perturbation) {
  std::copy(basic_perturbation.begin(), basic_perturbation.end(), s_.begin());
  to_original(basic_perturbation, p_);
}

void ComplementaryBasis::set_unit_cover(int index, double value) {
  std::fill(d_.begin(), d_.end(), 0.0);
  d_[at(index)] = value;
}

bool ComplementaryBasis::is_nearly_feasible() const {
  double size = 0, violation = 0;
  for (double q : q_) size = std::max(size, std::abs(q));
  for (std::size_t i = 0; i < at(rows()); ++i) {
    size = std::max(size, std::abs(x_[i]));
    violation = std::max({violation, low_[i] - x_[i], x_[i] - high_[i]});
  }
  return violation <= feasibility_tolerance * size;
}

bool ComplementaryBasis::has_drifted() {
  if (dropped_ > 0) return false;  // the free variables are not known between rebuilds
  load_effective_q();
  for (int i = 0; i < n_; ++i) work_[at(i)] = std::abs(q_[at(i)]);
  double size = 0;
  for (int i = 0; i < n_; ++i) size = std::max(size, work_[at(i)]);
  for (int r = 0; r < rows(); ++r) {
    const int variable = basic_[at(r)];
    size = std::max(size, std::abs(x_[at(r)]));
    if (variable < n_)
      q_[at(variable)] -= x_[at(r)];
    else
      add_column(variable - n_, x_[at(r)], q_.data());
  }
  double defect = 0;
  for (int i = 0; i < n_; ++i)
    if (is_kept(i)) defect = std::max(defect, std::abs(q_[at(i)]));
  return defect > drift_tolerance * size;
}

void ComplementaryBasis::record_exchange(int row, int entering) {
  set_basic(basic_[at(row)], false);
  place(entering, row);
  set_basic(entering, true);
  ++age_;
}

// x_C = -G^-1 b_R, and w = b + (M, d)_C x_C on the other rows.
void ComplementaryBasis::solve_basis(double* x) {
  const std::size_t k = active_rows_.size(), dropped = at(dropped_);
  for (std::size_t r = 0; r < k; ++r) work_[r] = -full_[at(active_rows_[r])];
  solve_active(work_.data());
  std::copy(work_.begin() + dropped_, work_.begin() + static_cast<std::ptrdiff_t>(k), x);
  for (std::size_t c = 0; c < k; ++c)
    if (work_[c] != 0) add_column(active_cols_[c], work_[c], full_.data());
  for (std::size_t r = 0; r < other_rows_.size(); ++r) x[k - dropped + r] = full_[at(other_rows_[r])];
}

void ComplementaryBasis::place_rows() {
  rows_ = 0;
  for (std::size_t c = at(dropped_); c < active_cols_.size(); ++c) place(active_cols_[c] + n_, rows_++);
  for (int i : other_rows_) place(i, rows_++);
}

bool ComplementaryBasis::rebuild() {
  choose_active();
  if (!factorise_active()) return false;
  place_rows();
  load_effective_q();
  full_ = q_;
  solve_basis(x_.data());
  full_ = p_;
  solve_basis(s_.data());
  complete_rebuild();
  age_ = 0;
  return true;
}

// One residual of the active rows is what the refinement costs.
bool ComplementaryBasis::solve(std::span<double> z) {
  choose_active();
  if (!factorise_active()) return false;
  load_effective_q();
  const std::size_t k = active_rows_.size();
  for (int j = 0; j < n_; ++j) z[at(j)] = z_basic_[at(j)] != 0 ? 0.0 : bound(j);
  for (int pass = 0; pass < 2; ++pass) {
    for (std::size_t r = 0; r < k; ++r) work_[r] = -q_[at(active_rows_[r])];
    solve_active(work_.data());
    for (std::size_t c = 0; c < k; ++c) {
      const int j = active_cols_[c];
      z[at(j)] += work_[c];
      if (pass == 0) add_column(j, work_[c], q_.data());
    }
  }
  for (int j = 0; j < n_; ++j) z[at(j)] = std::min(std::max(z[at(j)], lo(j)), hi(j));
  return true;
}

}  // namespace nonsmooth
