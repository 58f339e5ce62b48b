// Laws as intervals for the multiplier.
#pragma once

#include <limits>
#include <utility>

#include "nonsmooth/kernel/law.hpp"

namespace nonsmooth::kernel {

// lambda in [lo, hi]: [0, inf) for complementarity and impact, the line for equalities.
inline std::pair<double, double> boundsOf(const NonSmoothLaw& law) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (law.kind() == LawKind::EqualityCondition) return {-infinity, infinity};
  if (law.kind() != LawKind::Relay) return {0.0, infinity};
  const auto& relay = static_cast<const RelayNSL&>(law);
  return {relay.lb(), relay.ub()};
}

}  // namespace nonsmooth::kernel
