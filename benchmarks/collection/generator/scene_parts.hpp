// What the scenes have in common.
#pragma once

#include <cmath>

#include "../../../tests/support/elementary.hpp"
#include "scenes.hpp"

namespace nonsmooth::collection {

using generate::cosine;
using generate::sine;

inline constexpr double step = 0.01, gravity = 9.81;
inline constexpr Frame upwards{{0, 0, 1}, {1, 0, 0}, {0, 1, 0}};
inline constexpr Frame upwards_plane{{0, 1, 0}, {1, 0, 0}, {0, 0, 1}};

inline Vec3 weight(double mass) { return {0, 0, -mass * gravity}; }
inline Vec3 weight_plane(double mass) { return {0, -mass * gravity, 0}; }
// In axes that lie on a slope about y, x down the slope.
inline Vec3 weight_on_slope(double mass, double tilt) { return {mass * gravity * sine(tilt), 0, -mass * gravity * cosine(tilt)}; }

// Of a box with the given edges, parallel to the axes.
inline Vec3 box_inertia(double mass, const Vec3& e) {
  return {mass * (e[1] * e[1] + e[2] * e[2]) / 12, mass * (e[0] * e[0] + e[2] * e[2]) / 12,
          mass * (e[0] * e[0] + e[1] * e[1]) / 12};
}

// Four contacts at the corners of a face, of edges ex and ey, around `centre`.
inline void add_face(RigidBodies& scene, std::int32_t body, std::int32_t other, const Vec3& centre, double mu, double ex = 1,
                     double ey = 1, const Vec3& surface = {}) {
  for (double x : {-0.5 * ex, 0.5 * ex})
    for (double y : {-0.5 * ey, 0.5 * ey}) scene.add(Contact{body, other, centre + Vec3{x, y, 0}, upwards, mu, 0, 0, surface});
}

inline void add_between(RigidBodies& scene, std::int32_t body, const Vec3& centre, std::int32_t other, const Vec3& other_centre,
                        double mu, double mu_r) {
  const Vec3 line = centre - other_centre;
  const Vec3 normal = (1 / std::sqrt(dot(line, line))) * line;
  scene.add(Contact{body, other, 0.5 * (centre + other_centre), frame_of(normal), mu, mu_r, 0});
}

// Running bond: every second course is one brick of length 2 shorter and half a brick to the right. place(course, left) adds a
// brick and returns it; touch(brick, other, course, left, right) its contacts with one below, or with the ground.
template <class Place, class Touch>
void running_bond(int courses, int bricks, Place place, Touch touch) {
  std::int32_t below = 0, first = 0;  // first bricks of the course below and of this one
  for (int course = 0; course < courses; ++course) {
    const int shift = course % 2;
    for (int brick = 0; brick < bricks - shift; ++brick) {
      const double left = 2.0 * brick + shift;
      const std::int32_t id = place(course, left);
      if (brick == 0) first = id;
      if (course == 0) {
        touch(id, ground, course, left, left + 2);
        continue;
      }
      // Halves that rest on a brick below: both in the shorter courses, only the inner one at the ends of the longer ones.
      for (int half = 0; half < 2; ++half) {
        const int support = brick + half - (1 - shift);
        if (support < 0 || support >= bricks - (1 - shift)) continue;
        touch(id, below + support, course, left + half, left + half + 1);
      }
    }
    below = first;
  }
}

}  // namespace nonsmooth::collection
