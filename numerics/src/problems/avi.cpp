#include "problems/avi.hpp"

#include "core/index.hpp"
#include "problems/checks.hpp"

namespace nonsmooth {

void Avi::validate() const {
  require_square(M, "M");
  require_length(q, M.rows(), "q");
  require_polyhedron(set, M.rows());
}

Inclusion Avi::inclusion() const {
  Inclusion view{&M, &q, {}, residual_scale(q)};
  const auto n = static_cast<std::int32_t>(M.rows());
  if (set.H.rows() > 0) {
    view.blocks.push_back({SetKind::polyhedron, 0, n, 0, 0, &set});
    return view;
  }
  view.blocks.reserve(q.size());
  for (std::int32_t i = 0; i < n; ++i) view.blocks.push_back({SetKind::box, i, 1, set.low(at(i)), set.high(at(i))});
  return view;
}

}  // namespace nonsmooth
