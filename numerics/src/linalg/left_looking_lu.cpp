#include "linalg/left_looking_lu.hpp"

#include <colamd.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/checked.hpp"
#include "core/error.hpp"
#include "core/index.hpp"

namespace nonsmooth {
namespace {

constexpr double singular_tolerance = 1e-13;  // of a pivot, relative to the column before elimination
constexpr double pivot_share = 0.1;           // of a pivot that is taken for its short row, relative to the largest
constexpr std::int64_t work_between_questions = 10'000'000;  // multiplications, some hundredths of a second

}  // namespace

void LeftLookingLu::resize(int n, std::int64_t entries, std::int64_t fill) {
  for (std::vector<int>* v : {&row_count_, &step_of_row_, &row_of_step_, &mark_, &pattern_, &stack_}) v->resize(at(n));
  for (std::vector<double>* v : {&diagonal_, &work_, &solved_}) v->assign(at(n), 0.0);
  start_.resize(at(n) + 1);
  column_order_.resize(at(n) + 1);
  next_.resize(at(n));
  rows_.resize(at(entries));
  values_.resize(at(entries));
  ordering_.resize(colamd_recommended(checked_index(entries, "sparse LU"), n, n));
  if (ordering_.empty() && n > 0) fail(NSM_TOO_LARGE, "sparse LU: %lld entries are too many", static_cast<long long>(entries));
  capacity_ = fill;
  for (Triangle* triangle : {&lower_, &upper_}) {
    triangle->start.resize(at(n) + 1);
    triangle->index.resize(at(fill));
    triangle->value.resize(at(fill));
  }
  clear();
}

void LeftLookingLu::clear() {
  order_ = columns_ = entries_ = 0;
  start_[0] = 0;
}

bool LeftLookingLu::order_columns(int trailing) {
  const int columns = columns_ - trailing;
  std::array<int, COLAMD_STATS> stats;
  std::copy_n(start_.begin(), columns + 1, column_order_.begin());
  std::copy_n(rows_.begin(), start_[at(columns)], ordering_.begin());
  if (columns > 0 && colamd(order_, columns, static_cast<int>(ordering_.size()), ordering_.data(), column_order_.data(), nullptr,
                            stats.data()) == 0)
    return false;
  for (int j = columns; j < columns_; ++j) column_order_[at(j)] = j;
  std::fill_n(row_count_.begin(), order_, 0);
  for (int k = 0; k < entries_; ++k) ++row_count_[at(rows_[at(k)])];
  return true;
}

// Rows that a step reaches in the graph of L, depth first; those without a pivot yet are leaves. Topological order from `top`.
void LeftLookingLu::search_from(int row, int column, int& top) {
  int head = 0;
  stack_[0] = row;
  while (head >= 0) {
    const int i = stack_[at(head)], pivot = step_of_row_[at(i)];
    if (mark_[at(i)] != column) {
      mark_[at(i)] = column;
      next_[at(head)] = pivot < 0 ? 0 : lower_.start[at(pivot)];
    }
    const std::int64_t end = pivot < 0 ? 0 : lower_.start[at(pivot + 1)];
    std::int64_t& p = next_[at(head)];
    while (p < end && mark_[at(lower_.index[at(p)])] == column) ++p;
    if (p < end) {
      stack_[at(++head)] = lower_.index[at(p)];
    } else {
      --head;
      pattern_[at(--top)] = i;
    }
  }
}

int LeftLookingLu::find_pattern(int column) {
  int top = order_;
  for (int k = start_[at(column)]; k < start_[at(column + 1)]; ++k)
    if (mark_[at(rows_[at(k)])] != column) search_from(rows_[at(k)], column, top);
  return top;
}

// L^-1 times the column: its part of U is stored, the rest stays in work_. Returns the largest entry before.
double LeftLookingLu::eliminate(int column, int step, int top) {
  double size = 0;
  for (int k = start_[at(column)]; k < start_[at(column + 1)]; ++k) {
    work_[at(rows_[at(k)])] = values_[at(k)];
    size = std::max(size, std::abs(values_[at(k)]));
  }
  for (int k = top; k < order_; ++k) {
    const int row = pattern_[at(k)], pivot = step_of_row_[at(row)];
    if (pivot < 0) continue;
    const double x = work_[at(row)];
    work_[at(row)] = 0;
    if (x == 0) continue;
    upper_.push(pivot, x);
    work_count_ += lower_.start[at(pivot + 1)] - lower_.start[at(pivot)];
    for (std::int64_t p = lower_.start[at(pivot)]; p < lower_.start[at(pivot + 1)]; ++p)
      work_[at(lower_.index[at(p)])] -= lower_.value[at(p)] * x;
  }
  upper_.start[at(step + 1)] = upper_.count;
  return size;
}

// Of the rows whose entry is not much smaller than the largest the one with the fewest entries in the matrix.
bool LeftLookingLu::choose_pivot(int step, int top, double size) {
  double largest = 0;
  for (int k = top; k < order_; ++k) largest = std::max(largest, std::abs(work_[at(pattern_[at(k)])]));
  if (!(largest > singular_tolerance * size)) return false;
  int best = -1;
  for (int k = top; k < order_; ++k) {
    const int row = pattern_[at(k)];
    const double entry = std::abs(work_[at(row)]);
    if (entry < pivot_share * largest) continue;
    const int fewer = best < 0 ? 1 : row_count_[at(best)] - row_count_[at(row)];
    if (fewer > 0 || (fewer == 0 && entry > std::abs(work_[at(best)]))) best = row;
  }
  const double pivot = diagonal_[at(step)] = work_[at(best)];
  step_of_row_[at(best)] = step;
  row_of_step_[at(step)] = best;
  work_[at(best)] = 0;
  for (int k = top; k < order_; ++k) {
    const int row = pattern_[at(k)];
    if (work_[at(row)] != 0) lower_.push(row, work_[at(row)] / pivot);
    work_[at(row)] = 0;
  }
  lower_.start[at(step + 1)] = lower_.count;
  return true;
}

bool LeftLookingLu::factorise(int rows, int trailing) {
  order_ = rows;
  rank_ = 0;
  is_complete_ = false;
  if (!patience_lasts() || !order_columns(trailing)) return false;
  std::fill_n(step_of_row_.begin(), order_, -1);
  std::fill_n(mark_.begin(), order_, -1);
  lower_.count = upper_.count = lower_.start[0] = upper_.start[0] = work_count_ = 0;
  std::int64_t question = work_between_questions;
  for (int next = 0; rank_ < order_ && next < columns_; ++next) {
    if (std::max(lower_.count, upper_.count) + order_ > capacity_) return false;
    if (work_count_ > question) {
      if (!patience_lasts()) return false;
      question = work_count_ + work_between_questions;
    }
    const int column = column_order_[at(next)], top = find_pattern(column);
    const double size = eliminate(column, rank_, top);
    if (choose_pivot(rank_, top, size)) {
      column_order_[at(rank_++)] = column;
      continue;
    }
    upper_.count = upper_.start[at(rank_)];
    for (int k = top; k < order_; ++k) work_[at(pattern_[at(k)])] = 0;
  }
  is_complete_ = true;
  return rank_ == order_;
}

void LeftLookingLu::solve(double* x) {
  for (int step = 0; step < order_; ++step) {
    const double value = solved_[at(step)] = x[row_of_step_[at(step)]];
    if (value == 0) continue;
    for (std::int64_t p = lower_.start[at(step)]; p < lower_.start[at(step + 1)]; ++p)
      x[lower_.index[at(p)]] -= lower_.value[at(p)] * value;
  }
  for (int step = order_ - 1; step >= 0; --step) {
    const double value = x[column_order_[at(step)]] = solved_[at(step)] / diagonal_[at(step)];
    if (value == 0) continue;
    for (std::int64_t p = upper_.start[at(step)]; p < upper_.start[at(step + 1)]; ++p)
      solved_[at(upper_.index[at(p)])] -= upper_.value[at(p)] * value;
  }
}

}  // namespace nonsmooth
