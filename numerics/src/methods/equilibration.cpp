#include "methods/equilibration.hpp"

#include <algorithm>
#include <cmath>

#include "core/checked.hpp"

namespace nonsmooth {
namespace {

constexpr int balancing_rounds = 6;

double power_of_two_root(double largest) { return largest > 0 ? std::exp2(-std::round(0.5 * std::log2(largest))) : 1.0; }

}  // namespace

void EquilibratedLcp::resize(std::int64_t n) {
  n_ = checked_index(n, "dense LCP");
  const auto order = static_cast<std::size_t>(n);
  M_.resize(static_cast<std::size_t>(checked_mul(n, n, "dense LCP")));
  q_.resize(order);
  row_.resize(order);
  col_.resize(order);
}

void EquilibratedLcp::load(const Inclusion& view, Kind kind) {
  std::fill(M_.begin(), M_.end(), 0.0);
  for_each_entry(*view.M, [&](std::int64_t i, std::int64_t j, double x) { M_[static_cast<std::size_t>(i + j * n_)] = x; });
  std::copy(view.q->begin(), view.q->end(), q_.begin());
  std::fill(row_.begin(), row_.end(), 1.0);
  std::fill(col_.begin(), col_.end(), 1.0);
  for (int round = 0; round < balancing_rounds; ++round) {
    if (kind == Kind::symmetric) {
      balance_symmetrically();
    } else {
      balance_rows();
      balance_columns();
    }
  }
}

double EquilibratedLcp::largest_in_row(std::size_t i) const {
  double largest = 0;
  for (std::size_t k = i; k < M_.size(); k += static_cast<std::size_t>(n_)) largest = std::max(largest, std::abs(M_[k]));
  return largest;
}

double EquilibratedLcp::largest_in_column(std::size_t j) const {
  double largest = 0;
  for (std::size_t k = j * q_.size(); k < (j + 1) * q_.size(); ++k) largest = std::max(largest, std::abs(M_[k]));
  return largest;
}

void EquilibratedLcp::scale_row(std::size_t i, double factor) {
  row_[i] *= factor;
  q_[i] *= factor;
  for (std::size_t k = i; k < M_.size(); k += q_.size()) M_[k] *= factor;
}

void EquilibratedLcp::scale_column(std::size_t j, double factor) {
  col_[j] *= factor;
  for (std::size_t k = j * q_.size(); k < (j + 1) * q_.size(); ++k) M_[k] *= factor;
}

void EquilibratedLcp::balance_rows() {
  for (std::size_t i = 0; i < q_.size(); ++i) scale_row(i, power_of_two_root(largest_in_row(i)));
}

void EquilibratedLcp::balance_columns() {
  for (std::size_t j = 0; j < q_.size(); ++j) scale_column(j, power_of_two_root(largest_in_column(j)));
}

void EquilibratedLcp::balance_symmetrically() {
  for (std::size_t i = 0; i < q_.size(); ++i) {
    const double factor = power_of_two_root(std::max(largest_in_row(i), largest_in_column(i)));
    scale_row(i, factor);
    scale_column(i, factor);
  }
}

void EquilibratedLcp::scale(std::span<const double> z, std::span<double> scaled) const {
  for (std::size_t i = 0; i < z.size(); ++i) scaled[i] = z[i] / col_[i];
}

void EquilibratedLcp::unscale(std::span<const double> scaled, std::span<double> z) const {
  for (std::size_t i = 0; i < scaled.size(); ++i) z[i] = col_[i] * scaled[i];
}

void EquilibratedLcp::unscale_row_multiplier(std::span<const double> scaled, std::span<double> y) const {
  for (std::size_t i = 0; i < scaled.size(); ++i) y[i] = row_[i] * scaled[i];
}

}  // namespace nonsmooth
