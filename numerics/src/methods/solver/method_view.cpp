#include "methods/solver/method_view.hpp"

#include <algorithm>

#include "core/error.hpp"
#include "problems/bounds.hpp"
#include "problems/problem_values.hpp"
#include "problems/relaxation.hpp"
#include "sets/set.hpp"

namespace nonsmooth {
namespace {

constexpr std::int64_t smallest_blocked = 100;  // unknowns; what is smaller is solved whole before its blocks would pay

bool same_place(const SetBlock& a, const SetBlock& b) { return a.kind == b.kind && a.start == b.start && a.size == b.size; }

}  // namespace

MethodView::MethodView(const Problem& problem, const Certifier& certifier, const Options& options, bool may_keep_joints)
    : problem_(problem), certifier_(certifier), wants_convex_(options.flag(Option::convex_relaxation)), view_(certifier.view()) {
  if (const GlobalContactData* data = global_data(problem_)) {
    reduction_ = Reduction::of(*data, may_keep_joints);
    view_ = reduction_->inclusion();
  } else {
    find_blocks();
    find_bounds();
  }
  relax();
  if (const std::int64_t threads = options.integer(Option::threads); threads > 1) {
    workers_ = std::make_unique<Workers>(static_cast<int>(threads));
    view_.workers = workers_.get();
  }
}

// The matrix of contacts of one size.
void MethodView::find_blocks() {
  if (view_.F != nullptr || view_.size() < smallest_blocked) return;
  const std::int32_t size = view_.blocks.front().size;
  if (!std::ranges::all_of(view_.blocks, [&](const SetBlock& b) { return has_friction(b.kind) && b.size == size; })) return;
  blocks_ = BlockCopy::of(*view_.M, size);
  if (blocks_) view_.M = &blocks_->matrix();
}

// Bounds that come as rows of H are bounds, and far ones are none.
void MethodView::find_bounds() {
  forget_far_bounds(view_.blocks);
  const Polyhedron* set = view_.F == nullptr ? polyhedron_of(problem_) : nullptr;
  if (set != nullptr) bounds_ = BoundsInRows::of(*set, problem_.size());
  if (bounds_) view_.blocks = bounds_->blocks();
}

void MethodView::relax() {
  relaxed_ = wants_convex_ && has_contacts(view_);
  if (relaxed_) view_.blocks = relaxed_blocks(view_.blocks);
}

void MethodView::lift(std::span<const double> local, std::span<double> z) {
  if (reduction_)
    reduction_->lift(local, z);
  else
    std::copy(local.begin(), local.end(), z.begin());
}

// Bodies are known by whole contacts; a relaxed one without friction is a block for each of its rows.
void MethodView::describe_bodies() {
  if (!reduction_) return;
  const bool whole = view_.blocks.size() == original().blocks.size();
  view_.bodies = whole ? reduction_->inclusion().bodies : nullptr;
  view_.elastic = whole ? reduction_->inclusion().elastic : nullptr;
}

std::int64_t MethodView::patterns() const {
  if (reduction_) return reduction_->patterns();
  return blocks_ ? blocks_->patterns() : 0;
}

bool MethodView::condense_if_due() {
  if (!reduction_ || !(static_cast<double>(solves_) > reduction_->patience())) return false;
  std::unique_ptr<Reduction> condensed;
  try {
    condensed = Reduction::of(*global_data(problem_), false);
  } catch (const Error&) {
    solves_ = 0;
    return false;
  }
  Inclusion view = condensed->inclusion();
  view.scale = view_.scale;
  view.workers = view_.workers;
  view_ = std::move(view);
  reduction_ = std::move(condensed);
  return true;
}

void MethodView::refresh(Change change) {
  if (reduction_ && change == Change::matrix) reduction_->refactorise();
  if (reduction_) reduction_->refresh();
  if (blocks_ && change == Change::matrix) blocks_->refresh(main_matrix(problem_));
}

bool MethodView::refresh_sets() {
  std::vector<SetBlock> before;
  if (relaxed_) before = view_.blocks;
  view_.blocks = original().blocks;
  forget_far_bounds(view_.blocks);
  relax();
  // A contact of the convex problem that has lost its friction, or got some, is made of other sets.
  return relaxed_ && !std::ranges::equal(before, view_.blocks, same_place);
}

}  // namespace nonsmooth
