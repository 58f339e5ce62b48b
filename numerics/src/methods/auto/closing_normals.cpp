#include "methods/auto/closing_normals.hpp"

#include <algorithm>
#include <cmath>

#include "certificate/farkas.hpp"
#include "core/error.hpp"
#include "core/index.hpp"
#include "methods/frame/infeasibility.hpp"
#include "sets/set.hpp"

namespace nonsmooth {
namespace {

constexpr double closing_proximal = 1e-6;   // of the diagonal of N: a step leaves that much of what is not in its kernel
constexpr double closing_tolerance = 1e-9;  // reached by exact solves on the rows in contact
constexpr double least_gap = 1e-9;          // of the proximal term: below it the normals have a solution
constexpr std::int64_t closing_exchanges = 200, most_steps = 20, most_failures = 2;
constexpr double least_entry = 1e-9;  // of the largest, in energy: others are at rest, and have the rounding of theirs

}  // namespace

void ClosingNormals::choose_rows() {
  normals_.clear();
  for (const SetBlock& block : view_->blocks) {
    const bool is_contact = has_friction(block.kind);
    if (is_box_or_disk(block.kind)) continue;  // the proof is 0 there
    if (!is_contact && block.kind != SetKind::orthant && block.kind != SetKind::free_space)
      fail(NSM_UNSUPPORTED, "closing normals: contacts, complementarity, equalities, boxes and disks alone");
    normals_.append({is_contact ? SetKind::orthant : block.kind}, block.start, is_contact ? 1 : block.size);
  }
}

// N + D; a row without a diagonal (both bodies fixed) has that of the largest.
CscMatrix ClosingNormals::proximal_part() {
  constexpr const char* name = "normal part of W";
  const bool all_contacts = std::ranges::all_of(view_->blocks, [](const SetBlock& block) { return has_friction(block.kind); });
  const CscMatrix N = view_->bodies != nullptr && all_contacts ? to_csc(Matrix(view_->bodies->form(1), name))
                                                               : principal_part(*view_->M, normals_.rows);
  const std::int64_t n = N.cols;
  D_.resize(at(n));
  for (std::int64_t j = 0; j < n; ++j) D_[at(j)] = closing_proximal * std::max(value_at(N, j, j), 0.0);
  const double largest = n > 0 ? *std::ranges::max_element(D_) : 0;
  for (double& d : D_)
    if (!(d > 0)) d = largest > 0 ? largest : 1;
  return plus_diagonal(N, D_);
}

void ClosingNormals::setup(const Inclusion& view, const Options& options) {
  view_ = &view;
  options_ = options;
  choose_rows();
  normals_.M = Matrix(proximal_part(), "proximal normal part of W");
  normals_.complete(view.scale);
  last_.assign(normals_.rows.size(), 0.0);
  for (Vector* v : {&step_, &proof_}) v->assign(at(view.size()), 0.0);
  workspace_.resize(refinement_workspace(view));
  Options own = inner_options(options, 1, closing_exchanges);
  own.set("tolerance", closing_tolerance);
  normals_.solver.setup(normals_.view, find_method("active_set")->create(), own, 0);
}

void ClosingNormals::update(Change change) {
  if (change == Change::matrix) return setup(*view_, options_);
  normals_.view.scale = view_->scale;
}

// Of the last step.
bool ClosingNormals::proves(const Control& control) {
  const Vector& x = normals_.x;
  double largest = 0;
  for (std::size_t i = 0; i < x.size(); ++i) largest = std::max(largest, std::sqrt(D_[i]) * std::abs(x[i] - last_[i]));
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double step = x[i] - last_[i];
    step_[at(normals_.rows[i])] = std::sqrt(D_[i]) * std::abs(step) > least_entry * largest ? step : 0;
  }
  ray_ = verified_proof(*view_, control, step_, proof_, workspace_);
  return !ray_.empty();
}

Stop ClosingNormals::solve(std::span<double>, Control& control) {
  ray_ = {};
  Vector& x = normals_.x;
  std::ranges::fill(x, 0.0);
  std::int64_t failures = 0;  // of exact steps
  for (std::int64_t k = 1; k <= most_steps && failures < most_failures; ++k) {
    last_ = x;
    take_entries(normals_.rows, *view_->q, normals_.q);
    for (std::size_t i = 0; i < x.size(); ++i) normals_.q[i] -= D_[i] * last_[i];
    if (!normals_.solver.update(Change::right_hand_side)) return Stop::breakdown;
    const Stop stop = normals_.solver.solve(x, control);
    if (ends_outer(stop)) return stop;
    if (stop != Stop::finished) ++failures;
    if (const Stop limit = control.check_limits(k); limit != Stop::none) return limit;
    if (proves(control)) return Stop::infeasible;
    double square = 0;
    for (std::size_t i = 0; i < x.size(); ++i) square += std::pow(D_[i] * (x[i] - last_[i]), 2);
    control.log("closing normals: %.3g left after %lld steps", std::sqrt(square) / view_->scale, static_cast<long long>(k));
    if (!(std::sqrt(square) > least_gap * view_->scale)) break;
  }
  return Stop::stalled;
}

}  // namespace nonsmooth
