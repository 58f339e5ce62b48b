#include "methods/auto/normals_first.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/error.hpp"
#include "core/index.hpp"
#include "sets/set.hpp"

namespace nonsmooth {
namespace {

constexpr double normal_tolerance_share = 0.1;
constexpr std::int64_t normal_check_interval = 8;
constexpr std::int64_t most_iterations = 2000, contacts_per_iteration = 4;  // at most, or a share of the contacts if that is more
// Where bodies can rest, the residual of the whole does not rise from one look to the next, and falls once the loads have reached
// the ground; of an arch it rises while that of the normals falls. Where the two are as good as one (walls) it is the normals
// alone that take so long, which they do by fits and starts in high ones.
constexpr std::int64_t first_demand = 128;
constexpr double least_fall = 0.9, as_one = 1.2;

}  // namespace

bool NormalsFirst::may_rest(const Inclusion& view, std::span<const double> z, double tolerance) {
  const Vector& q = *view.q;
  double squares = 0;
  for (const SetBlock& block : view.blocks) {
    if (!has_friction(block.kind)) return false;
    const bool may_close = q[at(block.start)] <= 0;
    for (std::int32_t i = block.start + 1; i < block.start + block.size; ++i) {
      if (z[at(i)] != 0) return false;
      if (may_close) squares += q[at(i)] * q[at(i)];
    }
  }
  return std::sqrt(squares) <= tolerance * view.scale;
}

void NormalsFirst::setup(const Inclusion& view, const Options& options) {
  view_ = &view;
  options_ = options;
  rows_.clear();
  normals_.blocks.clear();
  for (const SetBlock& block : view.blocks) {
    if (!has_friction(block.kind)) fail(NSM_UNSUPPORTED, "normals first: contacts with friction alone");
    normals_.blocks.push_back({SetKind::orthant, static_cast<std::int32_t>(rows_.size()), 1});
    rows_.push_back(block.start);
  }
  constexpr const char* name = "normal part of W";
  M_ = view.bodies != nullptr ? Matrix(view.bodies->form(1), name) : Matrix(principal_part(*view.M, rows_), name);
  q_.resize(rows_.size());
  x_.resize(rows_.size());
  z_.resize(at(view.size()));
  map_ = NaturalMap(view);
  normals_.M = &M_;
  normals_.q = &q_;
  normals_.scale = view.scale;
  const auto contacts = static_cast<std::int64_t>(rows_.size());
  const std::int64_t most = std::max(most_iterations, contacts / contacts_per_iteration);
  const std::int64_t asked = options.integer(Option::max_iterations);
  Options own = inner_options(options, normal_tolerance_share, asked > 0 ? std::min(asked, most) : most);
  own.set("check_interval", static_cast<double>(normal_check_interval));
  solver_.setup(normals_, find_method("projected_conjugate_gradient")->create(), own, 0);
}

void NormalsFirst::update(Change change) {
  if (change == Change::matrix) return setup(*view_, options_);
  normals_.scale = view_->scale;
}

void NormalsFirst::write_point(std::span<const double> normals, std::span<double> z) const {
  std::fill(z.begin(), z.end(), 0.0);
  for (std::size_t i = 0; i < rows_.size(); ++i) z[at(rows_[i])] = normals[i];
}

// Looked at with the tangents at doubling intervals, and as soon as the normals alone would do.
bool NormalsFirst::goes_on(std::int64_t iteration, Control& inner) {
  const bool due = iteration >= next_;
  if (!due && (iteration % normal_check_interval != 0 || inner.best_residual() > whole_->tolerance())) return true;
  write_point(inner.best(), z_);
  const double residual = map_.residual(z_);
  whole_->log("normals first: residual %.3e after %lld iterations, of the normals %.3e", residual,
              static_cast<long long>(iteration), inner.best_residual());
  if (residual <= whole_->tolerance()) return false;
  if (!due) return true;
  next_ = 2 * iteration;
  const bool must_fall = iteration >= first_demand && residual > as_one * inner.best_residual();
  return residual <= (must_fall ? least_fall : 1) * std::exchange(last_, residual);
}

Stop NormalsFirst::solve(std::span<double> z, Control& control) {
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    q_[i] = (*view_->q)[at(rows_[i])];
    x_[i] = std::max(0.0, z[at(rows_[i])]);
  }
  whole_ = &control;
  next_ = normal_check_interval;
  last_ = HUGE_VAL;
  const Stop stop = solver_.update(Change::right_hand_side) ? solver_.solve(x_, control, this) : Stop::breakdown;
  write_point(x_, z);
  if (stop == Stop::time_limit || stop == Stop::cancelled || stop == Stop::breakdown) return stop;
  // What leads elsewhere is no start for others either: the best iterate stays the one there was.
  const std::int64_t iterations = solver_.control().iterations();
  const Stop end = map_.residual(z) <= control.tolerance() ? control.check(iterations, z) : control.check_limits(iterations);
  return end == Stop::none ? Stop::stalled : end;
}

}  // namespace nonsmooth
