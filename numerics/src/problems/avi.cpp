#include "problems/avi.hpp"

#include <cmath>

#include "problems/checks.hpp"

namespace nonsmooth {

void Avi::validate() const {
  require_square(M, "M");
  require_length(q, M.rows(), "q");
  if (!set.lo.empty()) require_length(set.lo, M.rows(), "lo");
  if (!set.hi.empty()) require_length(set.hi, M.rows(), "hi");
  require_ordered(set.lo, set.hi);
  if (!set.H.empty()) require_cols(set.H, M.rows(), "H");
  require_length(set.k, set.H.rows(), "k");
}

Inclusion Avi::inclusion() const {
  Inclusion view{&M, &q, {}, residual_scale(q)};
  const auto n = static_cast<std::int32_t>(M.rows());
  if (set.H.rows() > 0) {
    view.blocks.push_back({SetKind::polyhedron, 0, n, 0, 0, &set});
    return view;
  }
  view.blocks.reserve(q.size());
  for (std::int32_t i = 0; i < n; ++i) {
    const double lo = set.lo.empty() ? -HUGE_VAL : set.lo[static_cast<std::size_t>(i)];
    const double hi = set.hi.empty() ? HUGE_VAL : set.hi[static_cast<std::size_t>(i)];
    view.blocks.push_back({SetKind::box, i, 1, lo, hi});
  }
  return view;
}

}  // namespace nonsmooth
