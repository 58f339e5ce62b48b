// Which laws keep a gap open.
#pragma once

#include "nonsmooth/kernel/law.hpp"

namespace nonsmooth::kernel {

// Laws for which y[0] < 0 is a violation.
inline bool isUnilateral(LawKind kind) {
  return kind == LawKind::NewtonImpact || kind == LawKind::NewtonImpactFriction || kind == LawKind::NewtonImpactRollingFriction ||
         kind == LawKind::ComplementarityCondition || kind == LawKind::MultipleImpact;
}

// How many rows from the first one on are gaps: tangents are none.
inline Index unilateralRows(const NonSmoothLaw& law) {
  if (!isUnilateral(law.kind())) return 0;
  return law.kind() == LawKind::NewtonImpact || law.kind() == LawKind::ComplementarityCondition ? law.size() : 1;
}

}  // namespace nonsmooth::kernel
