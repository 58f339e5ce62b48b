#include "problems/plasticity.hpp"

#include <algorithm>

#include "core/error.hpp"
#include "problems/checks.hpp"

namespace nonsmooth {
namespace {

constexpr std::int32_t rows_per_cone = 3;

}  // namespace

void Plasticity::validate() const {
  require_square(W, "W");
  if (W.rows() % rows_per_cone != 0)
    fail(NSM_INVALID_DIMENSION, "W has %lld rows, no multiple of the %d of a cone", static_cast<long long>(W.rows()),
         rows_per_cone);
  const std::int64_t cones = W.rows() / rows_per_cone;
  require_length(q, W.rows(), "q");
  require_length(eta, cones, "eta");
  require_length(theta, cones, "theta");
  require_not_negative(eta, "eta");
  require_not_negative(theta, "theta");
  for (std::size_t k = 0; k < eta.size(); ++k)
    if (theta[k] > eta[k])
      fail(NSM_INVALID_VALUE, "theta[%zu] = %g exceeds eta[%zu] = %g: what contracts as it yields has several solutions", k,
           theta[k], k, eta[k]);
}

Inclusion Plasticity::inclusion() const {
  const bool is_associated =
      std::ranges::all_of(theta, [](double t) { return t == 0; }) && std::ranges::all_of(eta, [](double e) { return e > 0; });
  const SetKind law = is_coulomb() ? SetKind::coulomb_3d : is_associated ? SetKind::second_order_cone : SetKind::dilatant_3d;
  Inclusion view{&W, &q, {}, residual_scale(q)};
  view.blocks.reserve(eta.size());
  for (std::size_t k = 0; k < eta.size(); ++k)
    view.blocks.push_back(
        {law, static_cast<std::int32_t>(k) * rows_per_cone, rows_per_cone, eta[k], law == SetKind::dilatant_3d ? theta[k] : 0.0});
  return view;
}

}  // namespace nonsmooth
