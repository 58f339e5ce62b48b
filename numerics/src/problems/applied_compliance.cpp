#include "problems/applied_compliance.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/index.hpp"

namespace nonsmooth {
namespace {

constexpr double smallest_share = 1e-6;  // of the mean
constexpr std::int32_t samples = 16;     // contacts whose own compliance is solved for

// visit(row, value) of the columns of a contact.
template <class Visit>
void for_each_entry_of(const CscMatrix& H, std::int32_t first, std::int32_t last, Visit&& visit) {
  for (std::int32_t k = H.col_start[at(first)]; k < H.col_start[at(last)]; ++k) visit(at(H.row_index[at(k)]), H.values[at(k)]);
}

}  // namespace

void AppliedCompliance::setup(const CscMatrix& M, const CscMatrix& H, std::int32_t dimension, ComponentFactor& factor) {
  M_ = &M;
  H_ = &H;
  dimension_ = dimension;
  factor_ = &factor;
  motion_.resize(at(M.rows));
  diagonal_.resize(at(H.cols / dimension));
  measure();
}

// Of each contact as if nothing moved but what it touches, row by row.
void AppliedCompliance::measure_alone() {
  Vector stiffness(motion_.size(), 0.0);
  for (std::int64_t j = 0; j < M_->cols; ++j)
    for (std::int32_t k = M_->col_start[at(j)]; k < M_->col_start[at(j + 1)]; ++k)
      if (M_->row_index[at(k)] == j) stiffness[at(j)] += std::abs(M_->values[at(k)]);
  for (std::int32_t a = 0; a < std::ssize(diagonal_); ++a) {
    double sum = 0;
    for_each_entry_of(*H_, a * dimension_, (a + 1) * dimension_, [&](std::size_t i, double h) {
      if (stiffness[i] > 0) sum += h * h / stiffness[i];
    });
    diagonal_[at(a)] = sum / dimension_;
  }
}

// What is touched tells one contact from another; what the whole body adds is the mean of what it adds to some of them.
void AppliedCompliance::measure() {
  measure_alone();
  const auto contacts = static_cast<std::int32_t>(diagonal_.size());
  double alone = 0, whole = 0;
  for (std::int32_t a = 0; a < contacts; a += std::max(1, contacts / samples)) {
    alone += diagonal_[at(a)];
    for (std::int32_t j = a * dimension_; j < (a + 1) * dimension_; ++j) whole += std::abs(factor_->response(j)) / dimension_;
  }
  const double mean = std::accumulate(diagonal_.begin(), diagonal_.end(), 0.0) / contacts;
  if (!(alone > 0 && whole > 0)) return std::fill(diagonal_.begin(), diagonal_.end(), 1.0);
  for (double& x : diagonal_) x = std::max(x, smallest_share * mean) * whole / alone;
}

// To the rounding of the factors, as a W that is formed by them: the solver mends what is missing from the motion (Solver).
void AppliedCompliance::multiply_add(std::span<const double> z, std::span<double> w) {
  std::fill(motion_.begin(), motion_.end(), 0.0);
  for (std::int32_t j = 0; j < H_->cols; ++j)
    for_each_entry_of(*H_, j, j + 1, [&](std::size_t i, double h) { motion_[i] += h * z[at(j)]; });
  factor_->solve_once(motion_);
  for (std::int32_t j = 0; j < H_->cols; ++j)
    for_each_entry_of(*H_, j, j + 1, [&](std::size_t i, double h) { w[at(j)] += h * motion_[i]; });
}

double AppliedCompliance::work() const { return factor_->sparse_solve_work() + 2 * static_cast<double>(H_->values.size()); }

}  // namespace nonsmooth
