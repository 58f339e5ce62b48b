#include "linalg/lifted_factor.hpp"

#include <algorithm>
#include <cmath>

#include "core/index.hpp"

namespace nonsmooth {
namespace {

constexpr double least_pivot = 1e-9;  // relative to the largest entry
constexpr int most_refinements = 5;
constexpr double refined = 1e-13;  // residual relative to the right-hand side

}  // namespace

LiftedFactor::LiftedFactor(CscMatrix A, bool symmetric) : symmetric_(symmetric), A_(std::move(A)), factor_(A_, symmetric) {
  const std::size_t n = at(A_.cols);
  diagonal_.reserve(n);
  for (std::size_t j = 0; j < n; ++j)
    for (std::int32_t k = A_.col_start[j]; k < A_.col_start[j + 1]; ++k)
      if (at(A_.row_index[at(k)]) == j) diagonal_.push_back(k);
  keep_.resize(n);
  indices_.reserve(n);
  for (Vector* v : {&given_, &lift_, &x_, &b_, &r_}) v->resize(n);
  assign(Vector(A_.values));
}

void LiftedFactor::assign(std::span<const double> values) {
  std::copy(values.begin(), values.end(), A_.values.begin());
  for (std::size_t i = 0; i < given_.size(); ++i) given_[i] = A_.values[at(diagonal_[i])];
  double largest_entry = 0;
  for (const double a : values) largest_entry = std::max(largest_entry, std::abs(a));
  least_ = symmetric_ ? 0 : least_pivot * largest_entry;
}

bool LiftedFactor::factorise(std::span<const int> indices, std::span<const double> added) {
  std::fill(keep_.begin(), keep_.end(), 0);
  indices_.assign(indices.begin(), indices.end());
  for (std::size_t c = 0; c < indices.size(); ++c) {
    const std::size_t i = at(indices[c]);
    const double entry = given_[i] + added[c];
    lift_[i] = std::max(0.0, least_ - entry);
    A_.values[at(diagonal_[i])] = entry + lift_[i];
    keep_[i] = 1;
  }
  return indices.empty() || factor_.factorise(keep_);
}

// r = b - A x over the rows kept.
void LiftedFactor::leave_residual() {
  std::copy(b_.begin(), b_.end(), r_.begin());
  for (const int j : indices_) {
    const double x = x_[at(j)];
    for (std::int32_t k = A_.col_start[at(j)]; k < A_.col_start[at(j) + 1]; ++k)
      r_[at(A_.row_index[at(k)])] -= A_.values[at(k)] * x;
    r_[at(j)] += lift_[at(j)] * x;
  }
}

double LiftedFactor::largest(const Vector& v) const {
  double size = 0;
  for (const int i : indices_) size = std::max(size, std::abs(v[at(i)]));
  return size;
}

void LiftedFactor::solve(double* x) {
  for (std::size_t c = 0; c < indices_.size(); ++c) b_[at(indices_[c])] = x_[at(indices_[c])] = x[c];
  factor_.solve(x_);
  double last = largest(b_);
  const double enough = refined * last;
  for (int k = 0; k < most_refinements && !symmetric_; ++k) {
    leave_residual();
    const double size = largest(r_);
    if (!(size > enough && size < 0.5 * last)) break;
    last = size;
    factor_.solve(r_);
    for (const int i : indices_) x_[at(i)] += r_[at(i)];
  }
  for (std::size_t c = 0; c < indices_.size(); ++c) x[c] = x_[at(indices_[c])];
}

}  // namespace nonsmooth
