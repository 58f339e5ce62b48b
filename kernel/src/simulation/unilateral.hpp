// Which laws keep a gap open.
#ifndef NONSMOOTH_KERNEL_SIMULATION_UNILATERAL_HPP
#define NONSMOOTH_KERNEL_SIMULATION_UNILATERAL_HPP

#include "nonsmooth/kernel/law.hpp"

namespace nonsmooth::kernel {

// Laws for which y[0] < 0 is a violation.
inline bool isUnilateral(LawKind kind) {
  return kind == LawKind::NewtonImpact || kind == LawKind::NewtonImpactFriction || kind == LawKind::NewtonImpactRollingFriction ||
         kind == LawKind::ComplementarityCondition || kind == LawKind::MultipleImpact;
}

}  // namespace nonsmooth::kernel
#endif
