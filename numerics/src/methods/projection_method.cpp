#include "methods/projection_method.hpp"

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "methods/iteration.hpp"
#include "sets/set.hpp"

namespace nonsmooth {
namespace {

constexpr double largest_ratio = 0.9, smallest_ratio = 0.3;  // of rho |F - F_bar| / |z - z_bar|; below the second rho grows
constexpr double reduction = 2.0 / 3.0;
constexpr int largest_reductions = 200;

double distance(std::span<const double> x, std::span<const double> y) {
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += (x[i] - y[i]) * (x[i] - y[i]);
  return std::sqrt(sum);
}

}  // namespace

void ProjectionMethod::setup(const Inclusion& view, const Options& options) {
  for (const SetBlock& block : view.blocks)
    if (block.kind == SetKind::polyhedron)
      fail(NSM_UNSUPPORTED, "%s treats products of small sets, no polyhedra {H z >= k}", name_);
  view_ = &view;
  check_interval_ = options.integer(Option::check_interval);
  for (Vector* v : {&F_, &bar_, &F_bar_}) v->resize(static_cast<std::size_t>(view.size()));
}

void ProjectionMethod::evaluate(std::span<const double> z, Vector& F) const {
  std::copy(view_->q->begin(), view_->q->end(), F.begin());
  multiply_add(*view_->M, 1.0, z, F);
  for (const SetBlock& block : view_->blocks) add_normal_shift(block, F.data() + block.start);
}

void ProjectionMethod::project_step(std::span<const double> z, const Vector& F, Vector& target) const {
  for (std::size_t i = 0; i < z.size(); ++i) target[i] = z[i] - rho_ * F[i];
  for (const SetBlock& block : view_->blocks) project(block, target.data() + block.start, target.data() + block.start);
}

Stop ProjectionMethod::step(std::span<double> z) {
  double ratio = 0;
  for (int k = 0;; ++k) {
    project_step(z, F_, bar_);
    evaluate(bar_, F_bar_);
    const double length = distance(z, bar_);
    if (length == 0 || k == largest_reductions) return Stop::stalled;
    ratio = rho_ * distance(F_, F_bar_) / length;
    if (ratio <= largest_ratio) break;
    if (!std::isfinite(ratio)) return Stop::breakdown;
    rho_ *= reduction * std::min(1.0, 1 / ratio);
  }
  if (extrapolates_) {
    project_step(z, F_bar_, bar_);
    evaluate(bar_, F_bar_);
  }
  std::copy(bar_.begin(), bar_.end(), z.begin());
  std::swap(F_, F_bar_);
  if (ratio < smallest_ratio) rho_ /= reduction;
  return Stop::none;
}

Stop ProjectionMethod::solve(std::span<double> z, Control& control) {
  for (const SetBlock& block : view_->blocks) project(block, z.data() + block.start, z.data() + block.start);
  rho_ = 1;
  evaluate(z, F_);
  return iterate(z, control, check_interval_, [&](std::int64_t) { return step(z); });
}

}  // namespace nonsmooth
