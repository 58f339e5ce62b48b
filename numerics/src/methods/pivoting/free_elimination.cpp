#include "methods/pivoting/free_elimination.hpp"

#include <algorithm>
#include <cmath>

#include "core/index.hpp"

namespace nonsmooth {
namespace {

constexpr double rank_tolerance = 1e-11;        // relative to the largest entry of M
constexpr double consistency_tolerance = 1e-8;  // relative to the largest entry of q

}  // namespace

void FreeElimination::resize(int n) {
  n_ = n;
  for (std::vector<int>* indices : {&free_rows_, &free_cols_, &kept_rows_, &kept_cols_}) indices->reserve(at(n));
  in_row_.resize(at(n));
  col_of_.resize(at(n));
  pivots_.reserve(at(n));
  y_.resize(at(n));
}

// The matrix of the problem; all rows and columns to be eliminated are open.
void FreeElimination::load(const EquilibratedLcp& problem) {
  double largest = 0;
  q_size_ = 0;
  for (int j = 0; j < n_; ++j) {
    for (int i = 0; i < n_; ++i) {
      entry(i, j) = problem.column(j)[i];
      largest = std::max(largest, std::abs(entry(i, j)));
    }
    q_size_ = std::max(q_size_, std::abs(q_[at(j)]));
  }
  tolerance_ = rank_tolerance * largest;
  for (std::vector<int>* indices : {&free_rows_, &kept_rows_}) indices->clear();
  for (int j = 0; j < n_; ++j) {
    if (is_free_[at(j)] != 0)
      free_rows_.push_back(j);
    else if (is_kept_[at(j)] != 0)
      kept_rows_.push_back(j);
  }
  free_cols_ = free_rows_;
  kept_cols_ = kept_rows_;
}

// z is basic where its column has been eliminated, w where its row has not.
void FreeElimination::tell_bases(std::span<char> z_basic, std::span<char> w_basic) const {
  for (int j = 0; j < n_; ++j) {
    z_basic[at(j)] = is_free_[at(j)] != 0 || is_kept_[at(j)] != 0;
    w_basic[at(j)] = z_basic[at(j)] == 0;
  }
  for (const std::vector<int>* open : {&free_cols_, &kept_cols_})
    for (int j : *open) z_basic[at(j)] = 0;
  for (const std::vector<int>* open : {&free_rows_, &kept_rows_})
    for (int i : *open) w_basic[at(i)] = 1;
}

const char* FreeElimination::run(const EquilibratedLcp& problem, std::span<const char> is_free, std::span<const char> is_kept,
                                 double* S, int stride, std::span<double> q, std::span<char> z_basic, std::span<char> w_basic) {
  S_ = S;
  stride_ = stride;
  is_free_ = is_free;
  is_kept_ = is_kept;
  q_ = q;
  pivots_.clear();
  contradicts_ = false;
  load(problem);
  while (patience_lasts() && pivot_largest()) {
  }
  while (patience_lasts() && pivot_through_bounded()) {
  }
  has_no_time_ = !patience_lasts();
  if (has_no_time_) return "the elimination of the free variables has no time left";
  tell_bases(z_basic, w_basic);
  return leftover();
}

void FreeElimination::close(int row, int col) {
  std::erase(is_free_[at(row)] != 0 ? free_rows_ : kept_rows_, row);
  std::erase(is_free_[at(col)] != 0 ? free_cols_ : kept_cols_, col);
}

void FreeElimination::eliminate(int row, int col) {
  const double inverse = 1 / entry(row, col);
  pivots_.push_back({row, col});
  close(row, col);
  const auto eliminate_from = [&](const std::vector<int>& rows, int j) {
    const double factor = entry(row, j) * inverse;
    if (factor == 0) return;
    for (int i : rows) entry(i, j) -= entry(i, col) * factor;
  };
  for (int j : free_cols_) {
    eliminate_from(free_rows_, j);
    eliminate_from(kept_rows_, j);
  }
  for (int j : kept_cols_) eliminate_from(free_rows_, j);
  for (int i : free_rows_) q_[at(i)] -= entry(i, col) * inverse * q_[at(row)];
}

bool FreeElimination::pivot_largest() {
  double largest = tolerance_;
  int row = -1, col = -1;
  for (int j : free_cols_)
    for (int i : free_rows_)
      if (std::abs(entry(i, j)) > largest) {
        largest = std::abs(entry(i, j));
        row = i;
        col = j;
      }
  if (row < 0) return false;
  eliminate(row, col);
  return true;
}

// Column by column, as entries are stored.
void FreeElimination::find_largest_in_rows() {
  std::fill(in_row_.begin(), in_row_.end(), tolerance_);
  for (int k : free_cols_)
    for (int j : kept_rows_)
      if (std::abs(entry(j, k)) > in_row_[at(j)]) {
        in_row_[at(j)] = std::abs(entry(j, k));
        col_of_[at(j)] = k;
      }
}

// z_j enters for an equality row, then a free variable for w_j: the j for which both pivots are large.
bool FreeElimination::pivot_through_bounded() {
  double best = 0;
  int best_row = -1, best_j = -1;
  find_largest_in_rows();
  for (int j : kept_cols_) {
    if (!(in_row_[at(j)] > tolerance_)) continue;
    double in_col = tolerance_;
    int row = -1;
    for (int k : free_rows_)
      if (std::abs(entry(k, j)) > in_col) {
        in_col = std::abs(entry(k, j));
        row = k;
      }
    if (row < 0 || in_col * in_row_[at(j)] <= best) continue;
    best = in_col * in_row_[at(j)];
    best_row = row;
    best_j = j;
  }
  if (best_j < 0) return false;
  eliminate(best_row, best_j);
  eliminate(best_j, col_of_[at(best_j)]);
  return true;
}

// Equality rows without an entry hold by themselves or never; their free variables stay 0.
const char* FreeElimination::leftover() {
  for (int i : free_rows_) {
    const auto has_entry = [&](int j) { return std::abs(entry(i, j)) > tolerance_; };
    if (std::ranges::any_of(free_cols_, has_entry) || std::ranges::any_of(kept_cols_, has_entry))
      return "the equality rows are singular and no regular pivot is left for them";
    if (std::abs(q_[at(i)]) > consistency_tolerance * q_size_) {
      keep_contradiction(i);
      return "the equality rows contradict each other";
    }
  }
  return nullptr;
}

// The rows as they were whose sum is now this one. Columns keep what their pivot found in the rows that were open then.
void FreeElimination::keep_contradiction(int row) {
  contradicts_ = true;
  std::fill(y_.begin(), y_.end(), 0.0);
  y_[at(row)] = q_[at(row)] > 0 ? -1 : 1;
  for (auto pivot = pivots_.rbegin(); pivot != pivots_.rend(); ++pivot) {
    double sum = entry(row, pivot->col) * y_[at(row)];
    for (auto later = pivots_.rbegin(); later != pivot; ++later) sum += entry(later->row, pivot->col) * y_[at(later->row)];
    y_[at(pivot->row)] = -sum / entry(pivot->row, pivot->col);
  }
}

}  // namespace nonsmooth
