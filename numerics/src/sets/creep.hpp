// Over-relaxation of a block, for one of them or eight: where its changes keep their direction from sweep to sweep it creeps
// towards its end and is pushed further every time, up to a limit; where they turn, the push is taken back
// (methods/sweeps/over_relaxation.hpp).
#pragma once

#include "core/lanes.hpp"
#include "sets/project_lanes.hpp"

namespace nonsmooth {

// How a change goes with the last one.
template <class Real>
struct Creep {
  Real along = 0.0, squared = 0.0, last_squared = 0.0;
  NSM_INLINE void add(const Real& change, const Real& last) {
    along = along + change * last;
    squared = squared + change * change;
    last_squared = last_squared + last * last;
  }
  // What the change is to be multiplied with; last: the factor of the last one.
  NSM_INLINE Real factor(const Real& last, const Real& limit) const {
    constexpr double same_direction = 0.97, growth = 1.05, shrinkage = 0.5;
    const MaskOf<Real> creeps =
        (along > Real(0.0)) & (along * along > Real(same_direction * same_direction) * squared * last_squared);
    return select(creeps, smaller<Real>(limit, growth * last), larger<Real>(1.0, shrinkage * last));
  }
};

// r <- P(old + factor (r - old)).
NSM_INLINE void push_on(const Lanes& mu, const LaneCreep& state, const Lanes* old, Lanes* r) {
  Creep<Lanes> creep;
  Lanes x[3];
  for (int i = 0; i < 3; ++i) {
    x[i] = r[i] - old[i];
    creep.add(x[i], load(state.change + lane_count * i));
    store(x[i], state.change + lane_count * i);
  }
  const Lanes factor = creep.factor(load(state.factor), state.limit);
  store(factor, state.factor);
  for (int i = 0; i < 3; ++i) x[i] = old[i] + factor * x[i];
  project_on_cone(mu, x);
  const LaneMask stays = factor == Lanes(1.0);
  for (int i = 0; i < 3; ++i) r[i] = select(stays, r[i], x[i]);
}

}  // namespace nonsmooth
