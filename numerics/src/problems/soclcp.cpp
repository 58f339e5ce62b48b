#include "problems/soclcp.hpp"

#include "core/error.hpp"
#include "problems/checks.hpp"

namespace nonsmooth {

void Soclcp::validate() const {
  require_square(M, "M");
  require_length(q, M.rows(), "q");
  require_length(cone_start, static_cast<std::int64_t>(tau.size()) + 1, "cone_start");
  if (cone_start.front() != 0) fail(NSM_INVALID_VALUE, "cone_start[0] = %d is not 0", cone_start.front());
  for (std::size_t k = 0; k < tau.size(); ++k) {
    if (cone_start[k + 1] <= cone_start[k])
      fail(NSM_INVALID_VALUE, "cone_start[%zu] = %d does not exceed cone_start[%zu] = %d", k + 1, cone_start[k + 1], k,
           cone_start[k]);
    if (!(tau[k] > 0)) fail(NSM_INVALID_VALUE, "tau[%zu] = %g is not positive", k, tau[k]);
  }
  if (cone_start.back() != M.rows())
    fail(NSM_INVALID_DIMENSION, "cone_start ends at %d, M has %lld rows", cone_start.back(), (long long)M.rows());
}

Inclusion Soclcp::inclusion() const {
  Inclusion view{&M, &q, {}, residual_scale(q)};
  view.blocks.reserve(tau.size());
  for (std::size_t k = 0; k < tau.size(); ++k)
    if (is_lcp())
      view.blocks.push_back({SetKind::orthant, cone_start[k], 1});
    else
      view.blocks.push_back({SetKind::second_order_cone, cone_start[k], cone_start[k + 1] - cone_start[k], tau[k]});
  return view;
}

}  // namespace nonsmooth
