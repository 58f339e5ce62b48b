#include "methods/newton/newton_blocks.hpp"

#include <algorithm>
#include <cmath>

#include "core/index.hpp"

namespace nonsmooth {
namespace {

constexpr double smallest_scale = 1e-6;  // of the mean

// visit(row, M_row,row). Blocks, if they have one size, and columns are searched: the diagonal is little of what they hold.
template <class Visit>
void for_each_diagonal_entry(const Matrix& M, Visit&& visit) {
  const BlockCsrMatrix* blocks = M.block_csr();
  if (const auto d = at(blocks != nullptr ? blocks->uniform_block_size() : 0); d > 0) {
    for (std::size_t I = 0; I < blocks->row_end.size(); ++I) {
      const auto begin = blocks->block_col.begin() + blocks->row_start[I],
                 end = blocks->block_col.begin() + blocks->row_start[I + 1];
      const auto found = std::lower_bound(begin, end, static_cast<std::int32_t>(I));
      if (found == end || at(*found) != I) continue;
      const double* block = blocks->values.data() + at(found - blocks->block_col.begin()) * d * d;
      for (std::size_t k = 0; k < d; ++k) visit(I * d + k, block[k * (d + 1)]);
    }
  } else if (const CscMatrix* columns = M.csc()) {
    for (std::int64_t j = 0; j < columns->cols; ++j)
      if (const std::int64_t k = place_of(*columns, j, j); k >= 0) visit(at(j), columns->values[at(k)]);
  } else {
    for_each_entry(M, [&](std::int64_t i, std::int64_t j, double value) {
      if (i == j) visit(at(i), value);
    });
  }
}

// The same by the bodies where they are known.
template <class Visit>
void for_each_diagonal_entry(const Inclusion& view, Visit&& visit) {
  if (view.bodies == nullptr) {
    for_each_diagonal_entry(*view.M, visit);
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
