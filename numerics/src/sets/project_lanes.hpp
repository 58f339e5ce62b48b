// Projections on the cones of contacts and what is made of them, for eight contacts at once, with the bits of ContactCone. To be
// compiled for several instruction sets.
#pragma once

#include "core/lanes.hpp"
#include "sets/coulomb_lanes.hpp"

namespace nonsmooth {

NSM_INLINE Lanes tangential_norm(const Lanes* x) { return square_root(x[1] * x[1] + x[2] * x[2]); }

// Onto the cone, in place. A mu whose square is infinite counts as a smaller one.
NSM_INLINE void project_on_cone(const Lanes& mu, Lanes* x) {
  const Lanes zero = 0.0, slope = smaller<Lanes>(largest_lane_mu, mu), norm = tangential_norm(x);
  const LaneMask inside = norm <= mu * x[0];
  const Lanes on_bound = (x[0] + slope * norm) / (1.0 + slope * slope), normal = select(inside, x[0], on_bound);
  const LaneMask touches = normal > zero;
  const Lanes factor = select(inside, 1.0, slope * normal / norm);
  x[0] = select(touches, normal, zero);
  for (int i = 1; i < 3; ++i) x[i] = select(touches, factor * x[i], zero);
}

// Where the three numbers of each contact begin in a vector of all rows, and its mu.
struct LanePlaces {
  NSM_INLINE explicit LanePlaces(const SetBlock* contacts) : contacts_(contacts) {}
  NSM_INLINE void join_of(const double* vector, Lanes* x) const {
    const double* places[lane_count];
    for (int k = 0; k < lane_count; ++k) places[k] = vector + contacts_[k].start;
    for (int i = 0; i < 3; ++i) x[i] = join(places, i);
  }
  NSM_INLINE void separate_into(const Lanes* x, double* vector) const {
    double* places[lane_count];
    for (int k = 0; k < lane_count; ++k) places[k] = vector + contacts_[k].start;
    for (int i = 0; i < 3; ++i) separate(x[i], places, i);
  }
  NSM_INLINE Lanes mu() const {
    const double* places[lane_count];
    for (int k = 0; k < lane_count; ++k) places[k] = &contacts_[k].a;
    return join(places, 0);
  }

 private:
  const SetBlock* contacts_;
};

NSM_INLINE void project_lanes(const SetBlock* contacts, const double* from, double* to) {
  const LanePlaces at(contacts);
  Lanes x[3];
  at.join_of(from, x);
  project_on_cone(at.mu(), x);
  at.separate_into(x, to);
}

// De Saxce and Feng (1991): u~ = u + mu |u_T| e_N.
NSM_INLINE void shift_lanes(const SetBlock* contacts, double* w) {
  const LanePlaces at(contacts);
  Lanes x[3];
  at.join_of(w, x);
  x[0] = x[0] + at.mu() * tangential_norm(x);
  double* places[lane_count];
  for (int k = 0; k < lane_count; ++k) places[k] = w + contacts[k].start;
  separate(x[0], places, 0);
}

// |z - P(z - u~)|.
NSM_INLINE void map_lanes(const SetBlock* contacts, const double* reactions, const double* velocities, double* errors) {
  const LanePlaces at(contacts);
  const Lanes mu = at.mu();
  Lanes z[3], x[3], sum = 0.0;
  at.join_of(reactions, z);
  at.join_of(velocities, x);
  x[0] = x[0] + mu * tangential_norm(x);
  for (int i = 0; i < 3; ++i) x[i] = z[i] - x[i];
  project_on_cone(mu, x);
  for (int i = 0; i < 3; ++i) sum = sum + (z[i] - x[i]) * (z[i] - x[i]);
  store(square_root(sum), errors);
}

// The normal part of a projection on a rolling cone whose parts on their bounds are told.
NSM_INLINE Lanes rolling_normal(const Lanes* slope, const Lanes& normal, const Lanes* norm, const LaneMask* active) {
  Lanes numerator = normal, denominator = 1.0;
  for (int g = 0; g < 2; ++g) {
    numerator = numerator + select(active[g], slope[g] * norm[g], 0.0);
    denominator = denominator + select(active[g], slope[g] * slope[g], 0.0);
  }
  return numerator / denominator;
}

// Onto the rolling cone, in place. No mu may be above largest_lane_mu.
NSM_INLINE void project_on_rolling_cone(const Lanes* mu, Lanes* x) {
  const Lanes zero = 0.0, norm[2] = {tangential_norm(x), tangential_norm(x + 2)};
  LaneMask active[2] = {negation(norm[0] <= mu[0] * x[0]), negation(norm[1] <= mu[1] * x[0])};
  Lanes normal = rolling_normal(mu, x[0], norm, active);
  const LaneMask both = active[0] & active[1];
  if (any(both)) {  // one of them may be inside for that normal part
    const LaneMask first = both & (norm[0] <= mu[0] * normal), second = both & negation(first) & (norm[1] <= mu[1] * normal);
    active[0] = active[0] & negation(first);
    active[1] = active[1] & negation(second);
    normal = rolling_normal(mu, x[0], norm, active);
  }
  const LaneMask touches = normal > zero;
  x[0] = select(touches, normal, zero);
  for (int g = 0; g < 2; ++g) {
    const Lanes factor = select(active[g], mu[g] * normal / norm[g], 1.0);
    for (int i = 1 + 2 * g; i < 3 + 2 * g; ++i) x[i] = select(touches, factor * x[i], zero);
  }
}

// |z - P(z - u~)| of the first `count` contacts, which roll; the last one stands for those that are missing.
NSM_INLINE void rolling_map_lanes(const SetBlock* contacts, int count, const double* reactions, const double* velocities,
                                  double* errors) {
  const double *z_at[lane_count], *x_at[lane_count], *mu_at[2][lane_count];
  for (int k = 0; k < lane_count; ++k) {
    const SetBlock& contact = contacts[k < count ? k : count - 1];
    z_at[k] = reactions + contact.start;
    x_at[k] = velocities + contact.start;
    mu_at[0][k] = &contact.a;
    mu_at[1][k] = &contact.b;
  }
  const Lanes mu[2] = {join(mu_at[0], 0), join(mu_at[1], 0)};
  Lanes z[5], x[5], sum = 0.0;
  for (int i = 0; i < 5; ++i) {
    z[i] = join(z_at, i);
    x[i] = join(x_at, i);
  }
  for (int g = 0; g < 2; ++g) x[0] = x[0] + mu[g] * tangential_norm(x + 2 * g);
  for (int i = 0; i < 5; ++i) x[i] = z[i] - x[i];
  project_on_rolling_cone(mu, x);
  for (int i = 0; i < 5; ++i) sum = sum + (z[i] - x[i]) * (z[i] - x[i]);
  store(square_root(sum), errors);
}

}  // namespace nonsmooth
