#include "problems/relay.hpp"

#include "core/index.hpp"
#include "problems/checks.hpp"

namespace nonsmooth {

void Relay::validate() const {
  require_square(M, "M");
  require_length(q, M.rows(), "q");
  require_length(lo, M.rows(), "lo");
  require_length(hi, M.rows(), "hi");
  require_ordered(lo, hi);
}

Inclusion Relay::inclusion() const {
  Inclusion view{&M, &q, {}, residual_scale(q)};
  view.blocks.reserve(q.size());
  for (std::int32_t i = 0; i < M.rows(); ++i) view.blocks.push_back({SetKind::box, i, 1, lo[at(i)], hi[at(i)]});
  return view;
}

}  // namespace nonsmooth
