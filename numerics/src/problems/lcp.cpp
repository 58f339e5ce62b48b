#include "problems/lcp.hpp"

#include "problems/checks.hpp"

namespace nonsmooth {

void Lcp::validate() const {
  require_square(M, "M");
  require_length(q, M.rows(), "q");
}

Inclusion Lcp::inclusion() const {
  Inclusion view{&M, &q, {}, residual_scale(q)};
  view.blocks.reserve(q.size());
  for (std::int32_t i = 0; i < M.rows(); ++i) view.blocks.push_back({SetKind::orthant, i, 1});
  return view;
}

}  // namespace nonsmooth
