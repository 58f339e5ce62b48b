#include "methods/newton/newton_blocks.hpp"

#include <algorithm>
#include <cmath>

#include "core/index.hpp"

namespace nonsmooth {
namespace {

constexpr double smallest_scale = 1e-6;  // of the mean

// visit(row, M_row,row)
template <class Visit>
void for_each_diagonal_entry(const Inclusion& view, Visit&& visit) {
  if (view.bodies == nullptr) {
    for_each_entry(*view.M, [&](std::int64_t i, std::int64_t j, double value) {
      if (i == j) visit(at(i), value);
    });
    return;
  }
  double block[largest_contact * largest_contact];
  const std::int32_t d = view.bodies->dimension();
  for (std::int32_t a = 0; a < view.bodies->contacts(); ++a) {
    view.bodies->diagonal_block(a, block);
    for (std::int32_t k = 0; k < d; ++k) visit(at(a * d + k), block[k * (d + 1)]);
  }
}

// Of a skew M, in the mean of its rows; 1 if it is 0.
double size_without_diagonal(const Inclusion& view) {
  const double norm = view.bodies == nullptr ? frobenius_norm(*view.M) : 0;
  return norm > 0 ? norm / std::sqrt(static_cast<double>(view.size())) : 1;
}

}  // namespace

void NewtonBlocks::setup(const Inclusion& view) {
  start.assign(1, 0);
  offset.assign(1, 0);
  for (const SetBlock& block : view.blocks) {
    start.push_back(block.start + block.size);
    offset.push_back(offset.back() + at(block.size) * at(block.size));
  }
  left.assign(offset.back(), 0.0);
  right.assign(offset.back(), 0.0);
  scale.resize(view.blocks.size());
  measure(view);
}

void NewtonBlocks::measure(const Inclusion& view) {
  if (const ElasticOperator* W = view.elastic_operator()) {
    const auto diagonal = W->diagonal();
    std::copy(diagonal.begin(), diagonal.end(), scale.begin());
    return;
  }
  std::fill(scale.begin(), scale.end(), 0.0);
  double mean = 0;
  std::size_t b = 0;
  for_each_diagonal_entry(view, [&](std::size_t row, double value) {
    const auto i = static_cast<std::int32_t>(row);
    while (i >= start[b + 1]) ++b;
    scale[b] += std::abs(value) / size(b);
    mean += std::abs(value) / static_cast<double>(start.back());
  });
  if (!(mean > 0)) return std::fill(scale.begin(), scale.end(), size_without_diagonal(view));
  for (double& s : scale) s = std::max(s, smallest_scale * mean);
}

}  // namespace nonsmooth
