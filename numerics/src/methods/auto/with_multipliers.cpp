#include "methods/auto/with_multipliers.hpp"

#include <algorithm>
#include <cmath>
#include <new>

#include "core/checked.hpp"
#include "core/error.hpp"
#include "core/index.hpp"
#include "sets/polyhedron.hpp"

namespace nonsmooth {
namespace {

constexpr std::int64_t largest_lifted_order = 4000;
constexpr double lifted_tolerance_share = 0.01;  // steps at the end are quadratic, and the residual that counts is another
constexpr double outside_by_rounding = 1e-6;     // of z: solutions of linearised problems meet the rows of H up to a tolerance

struct PatternEntry {
  std::int64_t col, row, source;
  double constant;
};

}  // namespace

void WithMultipliers::setup(const Inclusion& view, const Options& options) {
  view_ = &view;
  set_ = view.blocks.front().polyhedron;
  if (view.F == nullptr || set_ == nullptr || set_->H.rows() == 0)
    fail(NSM_UNSUPPORTED, "multipliers: nonlinear problems over a polyhedron alone");
  const std::int64_t n = view.size(), order = n + set_->H.rows();
  refuse_beyond(largest_lifted_order, order, "rows and multipliers in one dense matrix");
  J_.setup(view);
  make_pattern();
  rows_.function = &WithMultipliers::evaluate_rows;
  rows_.jacobian = &WithMultipliers::differentiate_rows;
  rows_.user = this;
  lifted_ = {};
  lifted_.M = &rows_.pattern;
  lifted_.F = &rows_;
  lifted_.scale = view.scale;
  lifted_.reference.assign(at(order), 0.0);
  std::copy(view.reference.begin(), view.reference.end(), lifted_.reference.begin());
  make_blocks();
  for (Vector* v : {&point_, &value_}) v->resize(at(n));
  x_.resize(at(order));
  gap_.resize(set_->k.size());
  row_size_.assign(set_->k.size(), 0.0);
  for_each_entry(set_->H, [&](std::int64_t i, std::int64_t, double a) { row_size_[at(i)] = std::hypot(row_size_[at(i)], a); });
  const MethodEntry* method = find_method("josephy_newton");
  Options own = inner_options(options, lifted_tolerance_share, method->info.default_iterations);
  own.set("restarts", 0);
  inner_.setup(lifted_, method->create(), own, 0);
}

// [J -H'; H 0], the values of J by those of J_.
void WithMultipliers::make_pattern() {
  const std::int64_t n = view_->size(), order = n + set_->H.rows();
  std::vector<PatternEntry> entries;
  for_each_entry(J_.matrix(), [&, k = std::int64_t{0}](std::int64_t i, std::int64_t j, double) mutable {
    entries.push_back({j, i, k++, 0});
  });
  for_each_entry(set_->H, [&](std::int64_t i, std::int64_t j, double a) {
    entries.push_back({j, n + i, -1, a});
    entries.push_back({n + i, j, -1, -a});
  });
  std::ranges::sort(entries,
                    [](const PatternEntry& a, const PatternEntry& b) { return a.col != b.col ? a.col < b.col : a.row < b.row; });
  CscMatrix pattern{order, order, {0}, {}, {}};
  source_.clear();
  constant_.clear();
  for (const PatternEntry& entry : entries) {
    while (std::ssize(pattern.col_start) <= entry.col) pattern.col_start.push_back(static_cast<std::int32_t>(source_.size()));
    pattern.row_index.push_back(static_cast<std::int32_t>(entry.row));
    source_.push_back(entry.source);
    constant_.push_back(entry.constant);
  }
  while (std::ssize(pattern.col_start) <= order) pattern.col_start.push_back(static_cast<std::int32_t>(source_.size()));
  pattern.values.assign(source_.size(), 0.0);
  rows_.pattern = Matrix(std::move(pattern), "pattern with multipliers");
}

// Where no row has two bounds, as many methods know them; else boxes all of them.
void WithMultipliers::make_blocks() {
  const auto n = static_cast<std::int32_t>(view_->size()), order = static_cast<std::int32_t>(rows_.pattern.rows());
  std::vector<SetBlock> boxes, simpler;
  for (std::int32_t i = 0; i < order; ++i) {
    const double lo = i < n ? set_->low(at(i)) : 0, hi = i < n ? set_->high(at(i)) : HUGE_VAL;
    boxes.push_back({SetKind::box, i, 1, lo, hi});
    if (hi == HUGE_VAL && lo == -HUGE_VAL) simpler.push_back({SetKind::free_space, i, 1});
    if (hi == HUGE_VAL && lo == 0) simpler.push_back({SetKind::orthant, i, 1});
  }
  lifted_.blocks = simpler.size() == boxes.size() ? simpler : boxes;
}

// F need not be defined outside the polyhedron: it is asked for at the projection of a point that is outside by what rounding
// and tolerances of linearised problems leave, and counts as undefined at others.
bool WithMultipliers::enter(const double* x) {
  const std::span<const double> z(x, point_.size());
  std::copy(z.begin(), z.end(), point_.begin());
  double outside = 0, size = 1;
  std::ranges::copy(set_->k, gap_.begin());
  for_each_entry(set_->H, [&](std::int64_t i, std::int64_t j, double a) { gap_[at(i)] -= a * z[at(j)]; });
  for (std::size_t i = 0; i < gap_.size(); ++i) outside = std::max(outside, gap_[i] / row_size_[i]);
  for (const double entry : z) size = std::max(size, std::abs(entry));
  if (!(outside > 0)) return true;
  try {
    return outside <= outside_by_rounding * size && project(*view_, z, point_);
  } catch (const std::bad_alloc&) {
    return false;
  }
}

std::int32_t WithMultipliers::evaluate_rows(void* self, std::int64_t, const double* x, double* w) {
  auto& it = *static_cast<WithMultipliers*>(self);
  const std::size_t n = it.point_.size();
  if (!it.enter(x) || !evaluate(*it.view_, it.point_, std::span(w, n))) return 1;
  for (std::size_t i = 0; i < it.set_->k.size(); ++i) w[n + i] = -it.set_->k[i];
  for_each_entry(it.set_->H, [&](std::int64_t i, std::int64_t j, double a) {
    w[n + at(i)] += a * x[at(j)];
    w[at(j)] -= a * x[n + at(i)];
  });
  return 0;
}

std::int32_t WithMultipliers::differentiate_rows(void* self, std::int64_t, const double* x, double* values) {
  auto& it = *static_cast<WithMultipliers*>(self);
  if (!it.enter(x) || !evaluate(*it.view_, it.point_, it.value_) || !it.J_.evaluate(it.point_, it.value_)) return 1;
  const std::span<const double> J = it.J_.matrix().values();
  for (std::size_t k = 0; k < it.source_.size(); ++k) values[k] = it.source_[k] < 0 ? it.constant_[k] : J[at(it.source_[k])];
  return 0;
}

Stop WithMultipliers::solve(std::span<double> z, Control& control) {
  std::ranges::fill(x_, 0.0);
  const std::span<double> unknowns = std::span(x_).first(point_.size());
  if (!project(*view_, z, unknowns)) return Stop::breakdown;
  const Stop stop = inner_.solve_as_whole(x_, control);
  control.count_setup(inner_.control().setup_seconds());
  if (!enter(x_.data())) return ends_outer(stop) ? stop : Stop::stalled;
  std::ranges::copy(point_, z.begin());
  const Stop end = control.check(inner_.control().iterations(), z);
  if (end != Stop::none) return end;
  return ends_outer(stop) || stop == Stop::out_of_memory ? stop : Stop::stalled;
}

}  // namespace nonsmooth
