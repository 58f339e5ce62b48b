#include "methods/impossible_row.hpp"

#include <algorithm>

namespace nonsmooth {

std::int64_t find_impossible_row(const Inclusion& view, double tolerance) {
  const bool is_lcp = view.F == nullptr && view.bodies == nullptr &&
                      std::all_of(view.blocks.begin(), view.blocks.end(),
                                  [](const SetBlock& block) { return block.kind == SetKind::orthant; });
  const DenseMatrix* M = is_lcp ? view.M->dense() : nullptr;
  if (M == nullptr) return -1;
  const auto n = static_cast<std::size_t>(view.size());
  for (std::size_t i = 0; i < n; ++i) {
    if (!((*view.q)[i] < -tolerance * view.scale) || M->values[i * (n + 1)] > 0) continue;
    bool is_positive = false;
    for (std::size_t j = 0; j < n && !is_positive; ++j) is_positive = !(M->values[i + j * n] <= 0);
    if (!is_positive) return static_cast<std::int64_t>(i);
  }
  return -1;
}

}  // namespace nonsmooth
