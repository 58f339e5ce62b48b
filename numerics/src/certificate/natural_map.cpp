#include "certificate/natural_map.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <type_traits>

#include "core/index.hpp"
#include "sets/coulomb_lanes.hpp"
#include "sets/set.hpp"

namespace nonsmooth {
namespace {

constexpr std::size_t blocks_of_a_part = 512;
constexpr int fewest_rolling_lanes = 5;      // fewer contacts that roll are measured sooner one by one
constexpr double small_unit = 0x1p-600;      // whose squares overflow only in what is infinite
constexpr double relative_change = 0x1p-20;  // of z, to see the size of the terms of F
constexpr std::uint64_t mixed_signs = 0x9e3779b97f4a7c15u;

double dot(const double* x, const double* y, std::int32_t size) {
  double sum = 0;
  for (std::int32_t i = 0; i < size; ++i) sum += x[i] * y[i];
  return sum;
}

// |term(0), .., term(size - 1)| where the squares overflow. Kept out of line: it is hardly ever called.
template <class Term>
[[gnu::noinline]] double huge_norm_of(std::int32_t size, Term&& term) {
  double norm = 0;
  for (std::int32_t i = 0; i < size; ++i) norm = std::hypot(norm, term(i));
  return norm;
}

template <class Term>
double norm_of(std::int32_t size, Term&& term) {
  double sum = 0;
  for (std::int32_t i = 0; i < size; ++i) sum += term(i) * term(i);
  return std::isinf(sum) ? huge_norm_of(size, term) : std::sqrt(sum);
}

double distance(const double* x, const double* y, std::int32_t size) {
  return norm_of(size, [&](std::int32_t i) { return x[i] - y[i]; });
}

double norm(const double* x, std::int32_t size) {
  return size == 1 ? std::abs(*x) : norm_of(size, [&](std::int32_t i) { return x[i]; });
}

// The root of a sum of squares, measured in a unit, a power of 2: in 1, or in a smaller one where the squares overflow.
template <class SumIn>
double root_in_fitting_unit(SumIn&& sum_in) {
  const double sum = sum_in(1.0);
  return std::isinf(sum) ? std::sqrt(sum_in(small_unit)) / small_unit : std::sqrt(sum);
}

// The smaller one; NaN if either is.
double min_or_nan(double a, double b) { return std::isnan(a) || a < b ? a : b; }

// Sets of which z - P(z - w) is known without the difference z - w, in which a large z would swallow w.
bool has_exact_map(SetKind kind) { return kind == SetKind::free_space || kind == SetKind::orthant || kind == SetKind::box; }

// z - P(z - w) = the middle one of z - hi, w and z - lo.
double exact_map(const SetBlock& block, const double* z, const double* w) {
  if (block.kind == SetKind::free_space) return norm(w, block.size);
  if (block.kind == SetKind::orthant) return std::abs(min_or_nan(z[0], w[0]));
  const double below = min_or_nan(w[0], z[0] - block.a), above = z[0] - block.b;
  return std::abs(below < above ? above : below);
}

// shifted = w after De Saxce.
template <class Cone>
void shift(const Cone& cone, const double* w, double* shifted) {
  for (int i = 0; i < Cone::size; ++i) shifted[i] = w[i];
  cone.add_normal_shift(shifted);
}

template <class Cone>
[[gnu::noinline]] double huge_contact_map(const Cone& cone, const double* z, const double* w) {
  double shifted[Cone::size], point[Cone::size], projected[Cone::size];
  shift(cone, w, shifted);
  for (int i = 0; i < Cone::size; ++i) point[i] = z[i] - shifted[i];
  cone.project(point, projected);
  return distance(z, projected, Cone::size);
}

// |z - P(z - w)|, w after De Saxce, with the projection in place: it is taken in each check. What overflows is measured anew
// elsewhere, so that nothing here has an address and all of it stays in registers.
template <class Cone>
__attribute__((flatten)) double contact_map(const Cone& cone, const double* z, const double* w) {
  double shifted[Cone::size], point[Cone::size], sum = 0;
  shift(cone, w, shifted);
  for (int i = 0; i < Cone::size; ++i) point[i] = z[i] - shifted[i];
  const auto add = [&](double difference) { sum += difference * difference; };
  if constexpr (requires { cone.factors_of_projection(point, shifted); }) {
    double factor[Cone::parts];
    const double n = cone.factors_of_projection(point, factor);
    const bool is_apex = !(n > 0);
    add(z[0] - (is_apex ? 0 : n));
    for (int g = 0; g < Cone::parts; ++g)
      for (int i = 1 + g * Cone::part_size; i < 1 + (g + 1) * Cone::part_size; ++i)
        add(z[i] - (is_apex ? 0 : factor[g] * point[i]));
  } else {
    double projected[Cone::size];
    cone.project(point, projected);
    for (int i = 0; i < Cone::size; ++i) add(z[i] - projected[i]);
  }
  return std::isinf(sum) ? huge_contact_map(cone, z, w) : std::sqrt(sum);
}

// Orthants and boxes, most blocks of the largest problems, without the detour over pointers.
bool is_interval(const SetBlock& block) { return block.kind == SetKind::orthant || block.kind == SetKind::box; }

// |z - P(z - w)|, w after De Saxce. workspace: twice the block's size.
double block_natural_map(const SetBlock& block, const double* z, const double* w, double* workspace) {
  if (has_exact_map(block.kind)) return exact_map(block, z, w);
  double error = 0;
  const bool is_contact = visit_contact(block, [&](const auto& cone) { error = contact_map(cone, z, w); });
  if (is_contact) return error;
  double *point = workspace, *projected = workspace + block.size;
  for (std::int32_t i = 0; i < block.size; ++i) point[i] = z[i] - w[i];
  const auto n = at(block.size);
  const bool is_projected = block.kind == SetKind::polyhedron  // near z, if z is a solution
                                ? project(*block.polyhedron, {point, n}, {projected, n}, {z, n})
                                : project(block, point, projected);
  if (!is_projected) return HUGE_VAL;
  error = distance(z, projected, block.size);
  // Constraints that contradict each other by rounding are met by their projection as well as they can be; not by a certificate.
  if (block.kind == SetKind::polyhedron) error = std::max(error, largest_violation(*block.polyhedron, {z, at(block.size)}));
  return error;
}

// visit(|z - P(z - w)|) of each block, one after the other. workspace: twice the size of the largest.
template <class Visit>
void for_each_map(std::span<const SetBlock> blocks, const double* z, const double* w, double* workspace, Visit&& visit) {
  const auto visit_one = [&](const SetBlock& block) {
    visit(block_natural_map(block, z + block.start, w + block.start, workspace));
  };
  double errors[CoulombLanesSolver3::width];
  const CoulombLanes& lanes = coulomb_lanes();
  const auto visit_errors = [&](const SetBlock* contacts, std::size_t count) {
    for (std::size_t k = 0; k < count; ++k) std::isinf(errors[k]) ? visit_one(contacts[k]) : visit(errors[k]);
  };
  for (int count; (count = count_rolling_lanes(blocks)) >= fewest_rolling_lanes; blocks = blocks.subspan(at(count))) {
    lanes.rolling_map(blocks.data(), count, z, w, errors);
    visit_errors(blocks.data(), at(count));
  }
  const auto visit_eight = [&](const SetBlock* contacts) {
    lanes.natural_map(contacts, z, w, errors);
    visit_errors(contacts, CoulombLanesSolver3::width);
  };
  visit_by_lanes(blocks, visit_eight, visit_one);
}

// What one block adds to a certificate.
struct BlockMeasure {
  double error = 0, distance = 0, dual_distance = 0, complementarity = 0;
};

BlockMeasure measure_row(const SetBlock& block, double z, double w) {
  if (block.kind == SetKind::orthant) return {exact_map(block, &z, &w), std::max(-z, 0.0), std::max(-w, 0.0), std::abs(z * w)};
  return {exact_map(block, &z, &w), std::max({block.a - z, z - block.b, 0.0}), 0, 0};
}

template <class Cone>
BlockMeasure measure_contact(const Cone& cone, const double* z, const double* w) {
  constexpr int size = Cone::size;
  double shifted[size], opposite[size], projected[size];
  shift(cone, w, shifted);
  BlockMeasure measured;
  measured.error = contact_map(cone, z, w);
  measured.complementarity = std::abs(dot(z, shifted, size));
  for (int i = 0; i < size; ++i) opposite[i] = -shifted[i];
  cone.project(opposite, projected);  // Moreau: the distance to the dual cone
  measured.dual_distance = norm(projected, size);
  cone.project(z, projected);
  measured.distance = distance(z, projected, size);
  return measured;
}

BlockMeasure measure(const SetBlock& block, const double* z, const double* w, std::span<double> workspace) {
  if (is_interval(block)) return measure_row(block, *z, *w);
  BlockMeasure measured;
  if (visit_contact(block, [&](const auto& cone) { measured = measure_contact(cone, z, w); })) return measured;
  measured.error = block_natural_map(block, z, w, workspace.data());
  if (has_dual_cone(block.kind)) measured.complementarity = std::abs(dot(z, w, block.size));
  measured.dual_distance = distance_to_dual(block, w, workspace.data());
  measured.distance = distance_to_set(block, z, workspace.data());
  return measured;
}

// What the difference z - w and the projection round. De Saxce's shift multiplies what is lost of u_T by mu.
double map_floor(const SetBlock& block, const double* z, const double* bound) {
  if (block.kind == SetKind::box && block.a == block.b) return 0;  // whatever w is
  double evaluation = norm(bound, block.size);
  visit_contact(block, [&](const auto& cone) {
    double shifted[std::remove_cvref_t<decltype(cone)>::size];
    shift(cone, bound, shifted);
    evaluation = norm(shifted, block.size);
  });
  return rounding_factor * (has_exact_map(block.kind) ? evaluation : std::hypot(evaluation, norm(z, block.size)));
}

std::size_t largest_block(std::span<const SetBlock> blocks) {
  std::int32_t largest = 1;
  for (const SetBlock& block : blocks) largest = std::max(largest, block.size);
  return at(largest);
}

// Its norms are sums of squares in the given unit, a power of 2.
NaturalMapResult natural_map_in(double unit, std::span<const SetBlock> blocks, const double* z, const double* w,
                                const double* bound, std::span<double> workspace) {
  NaturalMapResult result;
  double sum = 0, sum_floor = 0, sum_above = 0, sum_infeasible = 0, sum_z = 0, sum_w = 0;
  const auto square = [unit](double x) { return (unit * x) * (unit * x); };
  for (std::size_t k = 0; k < blocks.size(); ++k) {
    const SetBlock& block = blocks[k];
    const double *zb = z + block.start, *wb = w + block.start;
    const auto [error, distance, dual_distance, complementarity] = measure(block, zb, wb, workspace);
    const double floor = map_floor(block, zb, bound + block.start);
    sum += square(error);
    sum_floor += square(floor);
    if (!(error <= floor)) sum_above += square(error);
    if (result.worst_block < 0 || !(error <= result.worst_block_norm)) {
      result.worst_block = static_cast<std::int64_t>(k);
      result.worst_block_norm = error;
    }
    sum_z += dot(zb, zb, block.size);
    sum_w += dot(wb, wb, block.size);
    result.complementarity += complementarity;
    sum_infeasible += square(dual_distance) + square(distance);
  }
  result.norm = std::sqrt(sum) / unit;
  result.floor = std::sqrt(sum_floor) / unit;
  result.above_floor = std::sqrt(sum_above) / unit;
  result.infeasibility = std::sqrt(sum_infeasible) / unit;
  result.z_norm = std::sqrt(sum_z);
  result.w_norm = std::sqrt(sum_w);
  return result;
}

}  // namespace

std::size_t natural_map_workspace(std::span<const SetBlock> blocks) { return 2 * largest_block(blocks); }

NaturalMapResult natural_map(std::span<const SetBlock> blocks, const double* z, const double* w, const double* bound,
                             std::span<double> workspace) {
  NaturalMapResult result = natural_map_in(1, blocks, z, w, bound, workspace);
  if (std::isinf(result.norm) || std::isinf(result.floor)) result = natural_map_in(small_unit, blocks, z, w, bound, workspace);
  return result;
}

NaturalMap::NaturalMap(const Inclusion& view) : view_(&view) {
  const auto size = at(view.size()), callbacks = view.F != nullptr ? size : 0;
  const std::size_t parts = (view.blocks.size() + blocks_of_a_part - 1) / blocks_of_a_part;
  const std::size_t workspaces = view.workers == nullptr ? 1 : std::max<std::size_t>(parts, 1);
  divide(room_, {{w_, size},
                 {workspace_, workspaces * natural_map_workspace(view.blocks)},
                 {absolute_, size},
                 {parts_, parts},
                 {trial_, callbacks},
                 {trial_w_, callbacks}});
}

// Squares are added up in parts of fixed size, then part by part: the same sum whoever computes the parts.
double NaturalMap::residual(std::span<const double> z, std::span<const double> w) {
  const std::span<const SetBlock> blocks = view_->blocks;
  if (blocks.size() == 1) return block_natural_map(blocks[0], z.data(), w.data(), workspace_.data()) / scale(z, w);
  const std::size_t own = view_->workers == nullptr ? 0 : workspace_.size() / std::max<std::size_t>(parts_.size(), 1);
  const auto sum_in = [&](double unit) {
    run_tasks(view_->workers, static_cast<std::int64_t>(parts_.size()), [&](std::int64_t k) {
      const std::size_t part = at(k), begin = part * blocks_of_a_part;
      double *workspace = workspace_.data() + part * own, sum = 0;
      for_each_map(blocks.subspan(begin, std::min(blocks_of_a_part, blocks.size() - begin)), z.data(), w.data(), workspace,
                   [&](double error) { sum += (unit * error) * (unit * error); });
      parts_[part] = sum;
    });
    return std::accumulate(parts_.begin(), parts_.end(), 0.0);
  };
  return root_in_fitting_unit(sum_in) / scale(z, w);
}

// absolute_ = the largest |F(z') - F(z)| / change so far, for z' = z with every entry changed a little: downwards, or with the
// signs of the seed. z (1 - change) lies in C with z and 0.
void NaturalMap::raise_to_changes(std::span<const double> z, std::span<const double> w, std::uint64_t seed) {
  for (std::size_t i = 0; i < z.size(); ++i)
    trial_[i] = z[i] * (((i + 1) * seed) >> 63 == 0 ? 1 - relative_change : 1 + relative_change);
  for (const SetBlock& block : view_->blocks) {  // not further out of C than z is
    const auto i = at(block.start);
    if (block.kind == SetKind::box) trial_[i] = std::clamp(trial_[i], std::min(block.a, z[i]), std::max(block.b, z[i]));
  }
  if (!nonsmooth::evaluate(*view_, trial_, trial_w_)) return;
  for (std::size_t i = 0; i < z.size(); ++i)
    absolute_[i] = std::max(absolute_[i], std::abs(trial_w_[i] - w[i]) / relative_change);
}

// absolute_ = |M||z| + |q|. Callbacks do not show their terms: |F(z)| + |J||z| stands for them, with |J||z| seen from outside,
// whatever the caller's Jacobian says. Where terms of J z cancel for both patterns of signs, the bound is too small, which makes
// the verdict stricter.
void NaturalMap::bound_terms(std::span<const double> z, std::span<const double> w) {
  if (view_->F == nullptr) return bound_linear_terms(z);
  std::fill(absolute_.begin(), absolute_.end(), 0.0);
  raise_to_changes(z, w, 0);
  raise_to_changes(z, w, mixed_signs);
  for (std::size_t i = 0; i < z.size(); ++i) absolute_[i] += std::abs(w[i]);
}

void NaturalMap::bound_linear_terms(std::span<const double> z) {
  for (std::size_t i = 0; i < absolute_.size(); ++i) absolute_[i] = std::abs((*view_->q)[i]);
  multiply_absolute_add(*view_->M, z, absolute_);
}

double NaturalMap::floor(std::span<const double> z) {
  bound_linear_terms(z);
  const auto sum_in = [&](double unit) {
    double sum = 0;
    for (const SetBlock& block : view_->blocks) {
      const double floor = unit * map_floor(block, z.data() + block.start, absolute_.data() + block.start);
      sum += floor * floor;
    }
    return sum;
  };
  return root_in_fitting_unit(sum_in) / view_->scale;
}

bool NaturalMap::is_within_rounding(std::span<const double> z, double tolerance, double whole) {
  const NaturalMapResult map = evaluate(z, w_);
  return is_meaningful(map.floor / map.scale, tolerance) && map.floor > tolerance * std::max(map.scale, whole) &&
         map.above_floor <= tolerance * map.scale;
}

double NaturalMap::scale(std::span<const double> z, std::span<const double> w) {
  if (view_->F == nullptr || view_->scale <= 1) return view_->scale;
  std::fill(absolute_.begin(), absolute_.end(), 0.0);
  raise_to_changes(z, w, 0);
  for (std::size_t i = 0; i < z.size(); ++i) absolute_[i] += std::abs(w[i]);
  return std::max(1.0, std::min(view_->scale, norm2(absolute_)));
}

double NaturalMap::residual(std::span<const double> z) {
  return nonsmooth::evaluate(*view_, z, w_) ? residual(z, w_) : std::nan("");
}

NaturalMapResult NaturalMap::evaluate(std::span<const double> z, std::span<double> w_out) {
  if (!nonsmooth::evaluate(*view_, z, w_out)) {
    NaturalMapResult nothing;
    nothing.norm = nothing.floor = nothing.above_floor = nothing.infeasibility = nothing.complementarity = std::nan("");
    return nothing;
  }
  const double relative_to = scale(z, w_out);
  bound_terms(z, w_out);
  NaturalMapResult result = natural_map(view_->blocks, z.data(), w_out.data(), absolute_.data(), workspace_);
  result.scale = relative_to;
  return result;
}

}  // namespace nonsmooth
