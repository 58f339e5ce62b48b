#include "methods/sparse_basis.hpp"

#include <algorithm>

namespace nonsmooth {
namespace {

// Entries of each factor, relative to those of the matrix: what is reserved, and more is refused.
constexpr std::int64_t largest_fill = 100;
// A multiplication of the factorisation, with its indices, and an entry of its matrix, to be ordered and searched, in those of
// delayed pivots.
constexpr std::int64_t weight_of_factor = 4, weight_of_entry = 100;

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
  if (factorise_active() || take_in_bounded()) return nullptr;
  return "the columns of the free variables are dependent";
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

bool SparseBasis::factorise_active() {
  if (active_cols_.size() != active_rows_.size()) return false;
  std::fill(active_place_.begin(), active_place_.end(), -1);
  const int k = static_cast<int>(active_rows_.size());
  for (int r = 0; r < k; ++r) active_place_[at(active_rows_[at(r)])] = r;
  lu_.clear();
  for (int j : active_cols_) add_to_factor(j);
  return lu_.factorise(k, t_basic_ ? 1 : 0);
}

// Rows of the free variables that their columns do not span take bounded columns in; the dependent columns of free variables are
// left with the rows of those. Enough where M couples the two both ways; for others the factorisation tells.
bool SparseBasis::take_in_bounded() {
  const int k = static_cast<int>(active_rows_.size());
  lu_.clear();
  for (int j : active_cols_) add_to_factor(j);
  for (int j = 0; j < n_; ++j)
    if (is_kept(j)) {
      add_to_factor(j);
      active_cols_.push_back(j);
    }
  if (!lu_.factorise(k, static_cast<int>(active_cols_.size()) - k)) return false;
  for (int c : lu_.chosen_columns()) {
    const int j = active_cols_[at(c)];
    if (!is_kept(j)) continue;
    z_basic_[at(j)] = 1;
    w_basic_[at(j)] = 0;
  }
  choose_active();
  return factorise_active();
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
