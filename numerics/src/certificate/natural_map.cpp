#include "certificate/natural_map.hpp"

#include <algorithm>
#include <cfloat>
#include <cmath>

#include "sets/set.hpp"

namespace nonsmooth {
namespace {

constexpr double floor_factor = 64 * DBL_EPSILON;

double dot(const double* x, const double* y, std::int32_t size) {
  double sum = 0;
  for (std::int32_t i = 0; i < size; ++i) sum += x[i] * y[i];
  return sum;
}

double norm(const double* x, std::int32_t size) { return std::sqrt(dot(x, x, size)); }

// shifted = w after De Saxce; returns |z - P(z - shifted)|. projected: scratch of twice the block's size.
double block_natural_map(const SetBlock& block, const double* z, const double* w, double* shifted, double* projected) {
  if (block.kind == SetKind::orthant || block.kind == SetKind::box) {  // the same in one line, for millions of rows
    shifted[0] = w[0];
    return std::abs(
        z[0] - (block.kind == SetKind::box ? std::min(std::max(z[0] - w[0], block.a), block.b) : std::max(z[0] - w[0], 0.0)));
  }
  std::copy(w, w + block.size, shifted);
  add_normal_shift(block, shifted);
  for (std::int32_t i = 0; i < block.size; ++i) projected[i] = z[i] - shifted[i];
  double* point = projected + block.size;
  std::copy(projected, projected + block.size, point);
  if (!project(block, point, projected)) return HUGE_VAL;
  double sum = 0;
  for (std::int32_t i = 0; i < block.size; ++i) sum += (z[i] - projected[i]) * (z[i] - projected[i]);
  return std::sqrt(sum);
}

std::size_t largest_block(std::span<const SetBlock> blocks) {
  std::int32_t largest = 1;
  for (const SetBlock& block : blocks) largest = std::max(largest, block.size);
  return static_cast<std::size_t>(largest);
}

}  // namespace

std::size_t natural_map_workspace(std::span<const SetBlock> blocks) { return 3 * largest_block(blocks); }

NaturalMapResult natural_map(std::span<const SetBlock> blocks, const double* z, const double* w, const double* bound,
                             std::span<double> workspace) {
  NaturalMapResult result;
  double sum = 0, sum_floor = 0, sum_above = 0, sum_infeasible = 0, sum_z = 0, sum_w = 0;
  for (std::size_t k = 0; k < blocks.size(); ++k) {
    const SetBlock& block = blocks[k];
    const double *zb = z + block.start, *wb = w + block.start;
    double* shifted = workspace.data();
    double* scratch = shifted + block.size;
    const double error = block_natural_map(block, zb, wb, shifted, scratch);
    const double floor = floor_factor * norm(bound + block.start, block.size);
    sum += error * error;
    sum_floor += floor * floor;
    if (!(error <= floor)) sum_above += error * error;
    if (result.worst_block < 0 || !(error <= result.worst_block_norm)) {
      result.worst_block = static_cast<std::int64_t>(k);
      result.worst_block_norm = error;
    }
    sum_z += dot(zb, zb, block.size);
    sum_w += dot(wb, wb, block.size);
    if (has_dual_cone(block.kind)) result.complementarity += std::abs(dot(zb, shifted, block.size));
    const double dual_distance = distance_to_dual(block, shifted, scratch);
    const double distance = distance_to_set(block, zb, scratch);
    sum_infeasible += dual_distance * dual_distance + distance * distance;
  }
  result.norm = std::sqrt(sum);
  result.floor = std::sqrt(sum_floor);
  result.above_floor = std::sqrt(sum_above);
  result.infeasibility = std::sqrt(sum_infeasible);
  result.z_norm = std::sqrt(sum_z);
  result.w_norm = std::sqrt(sum_w);
  return result;
}

NaturalMap::NaturalMap(const Inclusion& view)
    : view_(&view),
      w_(static_cast<std::size_t>(view.size())),
      shifted_(natural_map_workspace(view.blocks)),
      absolute_(static_cast<std::size_t>(view.size())) {}

double NaturalMap::residual_norm(std::span<const double> z) {
  std::copy(view_->q->begin(), view_->q->end(), w_.begin());
  multiply_add(*view_->M, 1.0, z, w_);
  double sum = 0;
  for (const SetBlock& block : view_->blocks) {
    const double error =
        block_natural_map(block, z.data() + block.start, w_.data() + block.start, shifted_.data(), shifted_.data() + block.size);
    sum += error * error;
  }
  return std::sqrt(sum);
}

NaturalMapResult NaturalMap::evaluate(std::span<const double> z, std::span<double> w_out) {
  std::copy(view_->q->begin(), view_->q->end(), w_out.begin());
  multiply_add(*view_->M, 1.0, z, w_out);
  for (std::size_t i = 0; i < absolute_.size(); ++i) absolute_[i] = std::abs((*view_->q)[i]);
  multiply_absolute_add(*view_->M, z, absolute_);
  return natural_map(view_->blocks, z.data(), w_out.data(), absolute_.data(), shifted_);
}

}  // namespace nonsmooth
