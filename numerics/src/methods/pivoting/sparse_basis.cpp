#include "methods/pivoting/sparse_basis.hpp"

#include <algorithm>
#include <cmath>

namespace nonsmooth {
namespace {

// Entries of each factor, relative to those of the matrix: what is reserved, and more is refused.
constexpr std::int64_t largest_fill = 100;
// A multiplication of the factorisation, with its indices, and an entry of its matrix, to be ordered and searched, in those of
// delayed pivots.
constexpr std::int64_t weight_of_factor = 4, weight_of_entry = 100;
constexpr double basis_consistency = 1e-8;  // relative to the largest entry of q

}  // namespace

void SparseBasis::allocate(int n, int depth) {
  ComplementaryBasis::resize(n);
  const std::int64_t entries = problem_->entries() + n, triangle = std::int64_t{n} * (n + 3) / 2;
  lu_.resize(n, entries, std::min(triangle, largest_fill * entries));
  pivots_.resize(n, depth);
  active_place_.resize(at(n));
}

const char* SparseBasis::start_at_bounds() {
  if (!classify()) return nullptr;
  choose_active();
  if (factorise_active()) return nullptr;
  if (!take_in_bounded()) return "the columns of the free variables are dependent";
  return dependent_rows_hold() ? nullptr : "the equality rows contradict each other";
}

void SparseBasis::add_to_factor(int j) {
  const auto add = [&](int i, double value) {
    if (active_place_[at(i)] >= 0 && value != 0) lu_.add(active_place_[at(i)], value);
  };
  if (j < n_)
    problem_->for_each_in_column(j, add);
  else
    for (int i : active_rows_) add(i, d_[at(i)]);
  lu_.finish_column();
}

void SparseBasis::load_active() {
  std::fill(active_place_.begin(), active_place_.end(), -1);
  for (std::size_t r = 0; r < active_rows_.size(); ++r) active_place_[at(active_rows_[r])] = static_cast<int>(r);
  lu_.clear();
  for (int j : active_cols_) add_to_factor(j);
}

bool SparseBasis::factorise_active() {
  if (active_cols_.size() != active_rows_.size()) return false;
  load_active();
  return lu_.factorise(static_cast<int>(active_rows_.size()), t_basic_ ? 1 : 0);
}

// Rows of the free variables that their columns do not span take bounded columns in; the dependent columns of free variables are
// left with the rows of those. Enough where M couples the two both ways; for others the factorisation tells. Rows that no column
// spans depend on others and are left out.
bool SparseBasis::take_in_bounded() {
  const int k = static_cast<int>(active_rows_.size());
  for (int j = 0; j < n_; ++j)
    if (is_kept(j)) active_cols_.push_back(j);
  load_active();
  const bool is_spanned = lu_.factorise(k, static_cast<int>(active_cols_.size()) - k);
  if (!lu_.is_complete()) return false;
  for (int r = 0; r < k; ++r)
    if (!lu_.has_pivot(r)) w_basic_[at(active_rows_[at(r)])] = 1;
  for (int c : lu_.chosen_columns()) {
    const int j = active_cols_[at(c)];
    if (!is_kept(j)) continue;
    z_basic_[at(j)] = 1;
    w_basic_[at(j)] = 0;
  }
  choose_active();
  if (!is_spanned && !leave_out_free()) return false;
  return factorise_active();
}

// As many free variables as rows of theirs are left out, which stay 0: those that the bounded columns and the others span.
bool SparseBasis::leave_out_free() {
  std::rotate(active_cols_.begin(), active_cols_.begin() + dropped_, active_cols_.end());
  load_active();
  if (!lu_.factorise(static_cast<int>(active_rows_.size()), dropped_)) return false;
  for (int j : active_cols_)
    if (is_free(j)) z_basic_[at(j)] = 0;
  for (int c : lu_.chosen_columns()) z_basic_[at(active_cols_[at(c)])] = 1;
  choose_active();
  return true;
}

// Rows of free variables that were left out hold wherever the others do, or nowhere.
bool SparseBasis::dependent_rows_hold() {
  load_effective_q();
  full_ = q_;
  solve_basis(x_.data());
  double size = 0;
  for (double q : q_) size = std::max(size, std::abs(q));
  for (int i = 0; i < n_; ++i)
    if (is_free(i) && w_basic_[at(i)] != 0 && std::abs(full_[at(i)]) > basis_consistency * size) return false;
  return true;
}

void SparseBasis::complete_rebuild() {
  pivots_.forget();
  pivot_work_ = 0;
}

// The mean cost of a pivot, (F + sum of work) / pivots, is least where the work so far has reached F: sums of 1, 2, 3 ...
bool SparseBasis::is_worn() const { return pivot_work_ > weight_of_factor * lu_.work() + weight_of_entry * lu_.entries(); }

void SparseBasis::column(int variable, double* out) {
  std::fill(full_.begin(), full_.end(), 0.0);
  if (variable < n_)
    full_[at(variable)] = -1;
  else
    add_column(variable - n_, 1, full_.data());
  solve_basis(out);
  pivot_work_ += std::int64_t{rows_} * pivots_.count();
  pivots_.complete(rows_, out, [](int) { return false; });
}

void SparseBasis::exchange(int row, int entering, const double* column) {
  pivots_.append(row, rows_, column);
  record_exchange(row, entering);
}

}  // namespace nonsmooth
