#include "methods/frame/equilibration.hpp"

#include <algorithm>
#include <cmath>

#include "core/checked.hpp"
#include "core/index.hpp"
#include "linalg/matrix.hpp"
#include "problems/bounds.hpp"
#include "sets/polyhedron.hpp"

namespace nonsmooth {
namespace {

constexpr int balancing_rounds = 6;

// 1 / sqrt(largest), rounded to a power of two; 1 where there is nothing to scale by.
double power_of_two_root(double largest) {
  if (!(largest > 0) || std::isinf(largest)) return 1;
  int exponent = 0;
  const double fraction = std::frexp(largest, &exponent);      // from 1/2 to 1
  const double log2 = exponent - (fraction == 0.5 ? 1 : 0.5);  // or less than a half beside it, which rounds alike
  return std::ldexp(1.0, -static_cast<int>(std::lround(0.5 * log2)));
}

// One size for all rows of a cone: scaled by one factor it stays what it is.
void even_out_cones(std::span<const SetBlock> blocks, std::span<double> sizes) {
  for (const SetBlock& block : blocks) {
    if (block.kind != SetKind::second_order_cone) continue;
    const std::span<double> rows = sizes.subspan(at(block.start), at(block.size));
    std::ranges::fill(rows, std::ranges::max(rows));
  }
}

}  // namespace

const Polyhedron* polyhedron_of(const Inclusion& view) {
  return view.blocks.size() == 1 && view.blocks[0].kind == SetKind::polyhedron ? view.blocks[0].polyhedron : nullptr;
}

std::int64_t Equilibration::order_of(const Inclusion& view) {
  const Polyhedron* set = polyhedron_of(view);
  return set == nullptr ? view.size() : checked_add(view.size(), set->H.rows(), "multipliers");
}

void Equilibration::resize(std::int64_t n) {
  n_ = checked_index(n, "LCP");
  for (Vector* v : {&q_, &lo_, &hi_, &row_, &col_, &row_factor_, &col_factor_}) v->resize(at(n));
}

// Multipliers, the last of the unknowns, are >= 0.
void Equilibration::load_bounds(const Inclusion& view) {
  std::fill(lo_.begin(), lo_.end(), 0.0);
  std::fill(hi_.begin(), hi_.end(), HUGE_VAL);
  const auto unknowns = at(view.size());
  read_bounds(view.blocks, std::span(lo_).first(unknowns), std::span(hi_).first(unknowns));
  for (std::size_t i = 0; i < lo_.size(); ++i) {
    lo_[i] /= col_[i];
    hi_[i] /= col_[i];
  }
}

void Equilibration::load_q(const Inclusion& view) {
  std::copy(view.q->begin(), view.q->end(), q_.begin());
  if (const Polyhedron* set = polyhedron_of(view))
    std::transform(set->k.begin(), set->k.end(), q_.begin() + view.size(), [](double k) { return -k; });
  for (std::size_t i = 0; i < q_.size(); ++i) q_[i] *= row_[i];
}

void Equilibration::load(const Inclusion& view, Kind kind) {
  load_matrix(view);
  std::fill(row_.begin(), row_.end(), 1.0);
  std::fill(col_.begin(), col_.end(), 1.0);
  for (int round = 0; round < balancing_rounds && balance(view, kind); ++round) {
  }
  load_bounds(view);
  load_q(view);
}

// One round; false if nothing changed.
bool Equilibration::balance(const Inclusion& view, Kind kind) {
  measure(row_factor_, col_factor_);
  for (Vector* sizes : {&row_factor_, &col_factor_}) even_out_cones(view.blocks, *sizes);
  bool changes = false;
  for (std::size_t i = 0; i < q_.size(); ++i) {
    if (kind == Kind::symmetric) row_factor_[i] = col_factor_[i] = std::max(row_factor_[i], col_factor_[i]);
    row_factor_[i] = power_of_two_root(row_factor_[i]);
    col_factor_[i] = kind == Kind::symmetric ? row_factor_[i] : power_of_two_root(col_factor_[i]);
    changes = changes || row_factor_[i] != 1 || col_factor_[i] != 1;
  }
  if (!changes) return false;
  multiply(row_factor_, col_factor_);
  for (std::size_t i = 0; i < q_.size(); ++i) {
    row_[i] *= row_factor_[i];
    col_[i] *= col_factor_[i];
  }
  return true;
}

void Equilibration::scale(std::span<const double> z, std::span<double> scaled) const {
  for (std::size_t i = 0; i < z.size(); ++i) scaled[i] = z[i] / col_[i];
}

void Equilibration::unscale(std::span<const double> scaled, std::span<double> z) const {
  for (std::size_t i = 0; i < z.size(); ++i) z[i] = col_[i] * scaled[i];
}

void Equilibration::unscale_row_multiplier(std::span<const double> scaled, std::span<double> y) const {
  for (std::size_t i = 0; i < scaled.size(); ++i) y[i] = row_[i] * scaled[i];
}

void EquilibratedLcp::resize(std::int64_t n) {
  Equilibration::resize(n);
  M_.resize(at(checked_mul(n, n, "dense LCP")));
}

void EquilibratedLcp::load_matrix(const Inclusion& view) {
  const DenseMatrix* dense = view.M->dense();
  if (dense != nullptr && polyhedron_of(view) == nullptr) {
    std::copy(dense->values.begin(), dense->values.end(), M_.begin());
    return;
  }
  std::fill(M_.begin(), M_.end(), 0.0);
  for_each_entry_with_multipliers(view, [&](std::int64_t i, std::int64_t j, double x) { M_[at(i + j * n())] = x; });
}

void EquilibratedLcp::measure(Vector& rows, Vector& columns) const {
  std::fill(rows.begin(), rows.end(), 0.0);
  for (int j = 0; j < n(); ++j) {
    const std::span m(column(j), rows.size());
    columns[at(j)] = norm_inf(m);
    for (std::size_t i = 0; i < m.size(); ++i) rows[i] = std::max(rows[i], std::abs(m[i]));
  }
}

void EquilibratedLcp::multiply(const Vector& rows, const Vector& columns) {
  const std::size_t n = rows.size();
  for (std::size_t j = 0; j < n; ++j)
    for (std::size_t i = 0; i < n; ++i) M_[i + j * n] *= rows[i] * columns[j];
}

void EquilibratedLcp::add_column(int j, double value, double* y) const {
  const double* m = column(j);
  for (int i = 0; i < n(); ++i) y[i] += m[i] * value;
}

void EquilibratedLcp::add_sizes(int j, double* y) const {
  const double* m = column(j);
  for (int i = 0; i < n(); ++i) y[i] += std::abs(m[i]);
}

}  // namespace nonsmooth
