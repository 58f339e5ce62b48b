#include "methods/equilibration.hpp"

#include <algorithm>
#include <cmath>

#include "core/checked.hpp"
#include "problems/bounds.hpp"
#include "sets/polyhedron.hpp"

namespace nonsmooth {
namespace {

constexpr int balancing_rounds = 6;

double power_of_two_root(double largest) { return largest > 0 ? std::exp2(-std::round(0.5 * std::log2(largest))) : 1.0; }

const Polyhedron* polyhedron_of(const Inclusion& view) {
  return view.blocks.size() == 1 && view.blocks[0].kind == SetKind::polyhedron ? view.blocks[0].polyhedron : nullptr;
}

}  // namespace

std::int64_t EquilibratedLcp::order_of(const Inclusion& view) {
  const Polyhedron* set = polyhedron_of(view);
  return set == nullptr ? view.size() : checked_add(view.size(), set->H.rows(), "multipliers");
}

void EquilibratedLcp::resize(std::int64_t n) {
  n_ = checked_index(n, "dense LCP");
  M_.resize(static_cast<std::size_t>(checked_mul(n, n, "dense LCP")));
  for (Vector* v : {&q_, &lo_, &hi_, &row_, &col_, &row_factor_, &col_factor_}) v->resize(static_cast<std::size_t>(n));
}

// Multipliers, the last of the unknowns, are >= 0.
void EquilibratedLcp::load_bounds(const Inclusion& view) {
  std::fill(lo_.begin(), lo_.end(), 0.0);
  std::fill(hi_.begin(), hi_.end(), HUGE_VAL);
  const auto unknowns = static_cast<std::size_t>(view.size());
  read_bounds(view, std::span(lo_).first(unknowns), std::span(hi_).first(unknowns));
  for (std::size_t i = 0; i < lo_.size(); ++i) {
    lo_[i] /= col_[i];
    hi_[i] /= col_[i];
  }
}

void EquilibratedLcp::load_q(const Inclusion& view) {
  std::copy(view.q->begin(), view.q->end(), q_.begin());
  if (const Polyhedron* set = polyhedron_of(view))
    std::transform(set->k.begin(), set->k.end(), q_.begin() + view.size(), [](double k) { return -k; });
  for (std::size_t i = 0; i < q_.size(); ++i) q_[i] *= row_[i];
}

void EquilibratedLcp::load(const Inclusion& view, Kind kind) {
  const DenseMatrix* dense = view.M->dense();
  const Polyhedron* set = polyhedron_of(view);
  if (dense != nullptr && set == nullptr) {
    std::copy(dense->values.begin(), dense->values.end(), M_.begin());
  } else {
    std::fill(M_.begin(), M_.end(), 0.0);
    for_each_entry(*view.M, [&](std::int64_t i, std::int64_t j, double x) { M_[static_cast<std::size_t>(i + j * n_)] = x; });
  }
  if (set != nullptr)
    for_each_entry(set->H, [&](std::int64_t i, std::int64_t j, double h) {
      const std::int64_t l = view.size() + i;
      M_[static_cast<std::size_t>(l + j * n_)] = h;
      M_[static_cast<std::size_t>(j + l * n_)] = -h;
    });
  std::fill(row_.begin(), row_.end(), 1.0);
  std::fill(col_.begin(), col_.end(), 1.0);
  for (int round = 0; round < balancing_rounds && balance(kind); ++round) {
  }
  load_bounds(view);
  load_q(view);
}

// One round; false if nothing changed.
bool EquilibratedLcp::balance(Kind kind) {
  std::fill(row_factor_.begin(), row_factor_.end(), 0.0);
  const std::size_t n = q_.size();
  for (std::size_t j = 0; j < n; ++j) {
    double largest = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const double size = std::abs(M_[i + j * n]);
      largest = size > largest ? size : largest;
      row_factor_[i] = size > row_factor_[i] ? size : row_factor_[i];
    }
    col_factor_[j] = largest;
  }
  bool changes = false;
  for (std::size_t i = 0; i < n; ++i) {
    if (kind == Kind::symmetric) row_factor_[i] = col_factor_[i] = std::max(row_factor_[i], col_factor_[i]);
    row_factor_[i] = power_of_two_root(row_factor_[i]);
    col_factor_[i] = power_of_two_root(col_factor_[i]);
    changes = changes || row_factor_[i] != 1 || col_factor_[i] != 1;
  }
  if (changes) scale_all(row_factor_, col_factor_);
  return changes;
}

void EquilibratedLcp::scale_all(const Vector& rows, const Vector& columns) {
  const std::size_t n = q_.size();
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t i = 0; i < n; ++i) M_[i + j * n] *= rows[i] * columns[j];
    row_[j] *= rows[j];
    col_[j] *= columns[j];
  }
}

void EquilibratedLcp::scale(std::span<const double> z, std::span<double> scaled) const {
  for (std::size_t i = 0; i < z.size(); ++i) scaled[i] = z[i] / col_[i];
}

void EquilibratedLcp::unscale(std::span<const double> scaled, std::span<double> z) const {
  for (std::size_t i = 0; i < z.size(); ++i) z[i] = col_[i] * scaled[i];
}

void EquilibratedLcp::unscale_row_multiplier(std::span<const double> scaled, std::span<double> y) const {
  for (std::size_t i = 0; i < scaled.size(); ++i) y[i] = row_[i] * scaled[i];
}

}  // namespace nonsmooth
