#include "methods/friction_fixed_point.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "core/error.hpp"
#include "core/index.hpp"
#include "methods/frame/iteration.hpp"
#include "sets/set.hpp"

namespace nonsmooth {
namespace {

constexpr double tolerance_share = 0.1;
constexpr std::int64_t inner_iterations = 2000;  // of one convex problem; the next goes on from there

// What a method must list to treat problems over these blocks.
std::uint32_t classes_of(std::span<const SetBlock> blocks) {
  std::uint32_t classes = 0;
  for (const SetBlock& block : blocks) switch (block.kind) {
      case SetKind::orthant: classes |= class_bit(NSM_LCP); break;
      case SetKind::free_space: classes |= class_bit(NSM_MLCP); break;
      case SetKind::box: classes |= class_bit(NSM_RELAY); break;
      case SetKind::second_order_cone: classes |= class_bit(NSM_SOCLCP); break;
      default: classes |= class_bit(NSM_ROLLING);  // listed by those alone that treat contacts of every kind
    }
  return classes;
}

// What the bits of classes_of stand for.
std::string names_of_sets(std::uint32_t classes) {
  std::string names;
  const auto add = [&](nsm_class problem_class, const char* sets) {
    if ((classes & class_bit(problem_class)) != 0) names += (names.empty() ? "" : ", ") + std::string(sets);
  };
  add(NSM_LCP, "half-lines");
  add(NSM_MLCP, "free rows");
  add(NSM_RELAY, "intervals");
  add(NSM_SOCLCP, "second-order cones");
  add(NSM_ROLLING, "disks (as the tangents of contacts in space)");
  return names;
}

}  // namespace

void FrictionFixedPoint::append(const SetBlock& block) {
  if (!has_friction(block.kind)) return parts_[0].append(block, block.start, block.size);
  const bool rolling = rolls(block.kind);
  if (kind_ == FixedPoint::de_saxce && rolling)
    fail(NSM_UNSUPPORTED, "%s: the convex problem of rolling friction is none over second-order cones", name_);
  if (kind_ == FixedPoint::de_saxce && block.a > 0) {
    bounds_.push_back({0, parts_[0].view.blocks.size(), block.start, block.a});
    return parts_[0].append({SetKind::second_order_cone, 0, 0, block.a}, block.start, block.size);
  }
  parts_[0].append({SetKind::orthant}, block.start, 1);
  const std::size_t tangents = parts_.size() - 1;
  const std::int32_t parts = rolling ? 2 : 1, size = (block.size - 1) / parts;
  for (std::int32_t g = 0; g < parts; ++g) {
    bounds_.push_back({tangents, parts_[tangents].view.blocks.size(), block.start, g == 0 ? block.a : block.b});
    parts_[tangents].append({size == 1 ? SetKind::box : SetKind::disk}, block.start + 1 + g * size, size);
  }
}

void FrictionFixedPoint::load_matrices() {
  for (PartOfRows& part : parts_) part.M = Matrix(principal_part(*view_->M, part.rows), "part of M");
}

void FrictionFixedPoint::setup_solver(PartOfRows& part, const Options& options) {
  const auto row = at(options.integer(Option::inner_method));
  const MethodEntry* asked = method_table()[row];
  const MethodEntry& entry = asked == find_method("auto") ? *find_method(inner_) : *asked;
  const std::uint32_t needed = classes_of(part.view.blocks);
  if ((entry.info.classes & needed) != needed)
    fail(NSM_UNSUPPORTED, "%s: %s does not treat its convex problems, over %s", name_, entry.info.name,
         names_of_sets(needed & ~entry.info.classes).c_str());
  part.solver.setup(part.view, entry.create(), inner_options(options, tolerance_share, inner_iterations), 0);
}

void FrictionFixedPoint::setup(const Inclusion& view, const Options& options) {
  view_ = &view;
  options_ = options;
  bounds_.clear();
  parts_.clear();
  parts_.resize(kind_ == FixedPoint::panagiotopoulos ? 2 : 1);
  for (const SetBlock& block : view.blocks) append(block);
  if (parts_.back().rows.empty()) parts_.pop_back();
  load_matrices();
  for (Vector* v : {&w_, &others_}) v->assign(at(view.size()), 0.0);
  for (PartOfRows& part : parts_) {
    part.complete(view.scale);
    write_right_hand_side(part, others_);
    setup_solver(part, options);
  }
}

// The convex problems keep copies of matrix and coefficients.
void FrictionFixedPoint::update(Change change) {
  if (change != Change::right_hand_side) return setup(*view_, options_);
  for (PartOfRows& part : parts_) part.view.scale = view_->scale;
}

void FrictionFixedPoint::write_right_hand_side(PartOfRows& part, std::span<const double> z) {
  std::copy(z.begin(), z.end(), others_.begin());
  for (const std::int32_t row : part.rows) others_[at(row)] = 0;
  std::copy(view_->q->begin(), view_->q->end(), w_.begin());
  multiply_add(*view_, others_, w_);
  take_entries(part.rows, w_, part.q);
}

// The radii mu z_N of the disks.
void FrictionFixedPoint::write_radii(std::size_t part, std::span<const double> z) {
  for (const Bound& bound : bounds_) {
    if (bound.part != part) continue;
    SetBlock& block = parts_[part].view.blocks[bound.block];
    const double radius = bound.mu * std::max(0.0, z[at(bound.normal)]);
    if (block.kind == SetKind::box) block.b = radius;
    block.a = block.kind == SetKind::box ? -radius : radius;
  }
  parts_[part].solver.update(Change::sets);
}

// The shifts mu |u_T| of the normal velocities.
void FrictionFixedPoint::add_shifts(PartOfRows& part, std::span<const double> z) {
  std::copy(view_->q->begin(), view_->q->end(), w_.begin());
  multiply_add(*view_, z, w_);
  for (const Bound& bound : bounds_) {
    const SetBlock& block = part.view.blocks[bound.block];
    double square = 0;
    for (std::int32_t i = 1; i < block.size; ++i) square += w_[at(bound.normal + i)] * w_[at(bound.normal + i)];
    part.q[at(block.start)] += bound.mu * std::sqrt(square);
  }
}

// A time limit or a cancellation ends the step; an inner problem that is not solved to the end does not.
Stop FrictionFixedPoint::step(std::span<double> z, Control& control) {
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    PartOfRows& part = parts_[p];
    write_right_hand_side(part, z);
    if (kind_ == FixedPoint::de_saxce) add_shifts(part, z);
    if (!part.solver.update(Change::right_hand_side)) return Stop::breakdown;
    if (kind_ != FixedPoint::de_saxce && !bounds_.empty() && bounds_.front().part == p) write_radii(p, z);
    take_entries(part.rows, z, part.x);
    const Stop stop = part.solver.solve(part.x, control);
    put_entries(part.rows, part.x, z);
    if (ends_outer(stop)) return stop;
  }
  return Stop::none;
}

Stop FrictionFixedPoint::solve(std::span<double> z, Control& control) {
  return iterate(z, control, 1, [&](std::int64_t k) {
    const Stop stop = step(z, control);
    control.log("%s: step %lld, residual %.3e", name_, static_cast<long long>(k), control.residual());
    return stop;
  });
}

}  // namespace nonsmooth
