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
  normals_.clear();
  for (const SetBlock& block : view.blocks) {
    if (!has_friction(block.kind)) fail(NSM_UNSUPPORTED, "normals first: contacts with friction alone");
    normals_.append({SetKind::orthant}, block.start, 1);
  }
  constexpr const char* name = "normal part of W";
  normals_.M = view.bodies != nullptr ? Matrix(view.bodies->form(1), name) : Matrix(principal_part(*view.M, normals_.rows), name);
  normals_.complete(view.scale);
  z_.resize(at(view.size()));
  w_.resize(z_.size());
  map_ = NaturalMap(view);
  const std::int64_t contacts = std::ssize(normals_.rows);
  const std::int64_t most = std::max(most_iterations, contacts / contacts_per_iteration);
  const std::int64_t asked = options.integer(Option::max_iterations);
  Options own = inner_options(options, normal_tolerance_share, asked > 0 ? std::min(asked, most) : most);
  own.set("check_interval", static_cast<double>(normal_check_interval));
  normals_.solver.setup(normals_.view, find_method("projected_conjugate_gradient")->create(), own, 0);
}

void NormalsFirst::update(Change change) {
  if (change == Change::matrix) return setup(*view_, options_);
  normals_.view.scale = view_->scale;
}

void NormalsFirst::write_point(std::span<const double> normals, std::span<double> z) const {
  std::fill(z.begin(), z.end(), 0.0);
  put_entries(normals_.rows, normals, z);
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
  take_entries(normals_.rows, *view_->q, normals_.q);
  take_entries(normals_.rows, z, normals_.x);
  for (double& x : normals_.x) x = std::max(0.0, x);
  whole_ = &control;
  next_ = normal_check_interval;
  last_ = HUGE_VAL;
  InnerSolver& solver = normals_.solver;
  const Stop stop = solver.update(Change::right_hand_side) ? solver.solve(normals_.x, control, this) : Stop::breakdown;
  write_point(normals_.x, z);
  if (ends_outer(stop)) return stop;
  // What leads elsewhere is no start for others either: the best iterate stays the one there was.
  const std::int64_t iterations = solver.control().iterations();
  const bool is_met = evaluate(*view_, z, w_) && map_.residual(z, w_) <= control.tolerance();
  const Stop end = is_met ? control.check(iterations, z, w_) : control.check_limits(iterations);
  return end == Stop::none ? Stop::stalled : end;
}

}  // namespace nonsmooth
