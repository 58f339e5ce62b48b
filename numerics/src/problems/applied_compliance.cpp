#include "problems/applied_compliance.hpp"

#include <algorithm>
#include <cmath>

#include "core/index.hpp"

namespace nonsmooth {
namespace {

constexpr double smallest_share = 1e-6;  // of the mean
constexpr std::size_t samples = 16;      // contacts whose own compliance is solved for

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

// What is touched tells one contact from another; what the whole body adds is the mean of what it adds to some of them. Where
// small bodies alone are touched all of it is known at once.
void AppliedCompliance::measure() {
  measure_alone();
  const std::vector<char> is_left = factor_->left_columns();
  IndexVector left, others;
  for (std::int32_t a = 0; a < std::ssize(diagonal_); ++a) {
    const auto own = is_left.begin() + a * dimension_;
    (std::count(own, own + dimension_, 1) > 0 ? left : others).push_back(a);
  }
  double alone = 0, together = 0;
  for (std::size_t k = 0; k < left.size(); k += std::max<std::size_t>(1, left.size() / samples)) {
    alone += diagonal_[at(left[k])];
    together += whole(left[k]);
  }
  for (const std::int32_t a : others) diagonal_[at(a)] = whole(a);
  enlarge(left, together / alone);
  enlarge(others, 1);
}

// None is left at 0.
void AppliedCompliance::enlarge(const IndexVector& contacts, double factor) {
  double sum = 0;
  for (const std::int32_t a : contacts) sum += diagonal_[at(a)];
  const double mean = sum / static_cast<double>(contacts.size());
  const bool is_known = mean * factor > 0;
  for (const std::int32_t a : contacts)
    diagonal_[at(a)] = is_known ? std::max(diagonal_[at(a)], smallest_share * mean) * factor : 1;
}

double AppliedCompliance::whole(std::int32_t contact) const {
  double sum = 0;
  for (std::int32_t j = contact * dimension_; j < (contact + 1) * dimension_; ++j) sum += std::abs(factor_->response(j));
  return sum / dimension_;
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
