// The simulation from which problems are captured: known motions, and elementary functions beside those of the C library.
#include <gtest/gtest.h>

#include <cmath>

#include "../support/elementary.hpp"
#include "scenes.hpp"

namespace motion_test {

using namespace nonsmooth::collection;

constexpr double h = 0.01, g = 9.81;

double length(const Vec3& v) { return std::sqrt(dot(v, v)); }

TEST(Motion, BoxOnASlopeSlidesOrStays) {
  RigidBodies sliding = box_on_incline(0.5), sticking = box_on_incline(0.8);
  for (int k = 0; k < 10; ++k) {
    sliding.advance(200);
    sticking.advance(200);
  }
  EXPECT_NEAR(sliding.body(0).velocity[0], 10 * h * g * (0.6 - 0.5 * 0.8), 1e-3);
  EXPECT_NEAR(sliding.body(0).velocity[2], 0, 1e-3);
  EXPECT_LE(length(sticking.body(0).velocity), 1e-3);
}

TEST(Motion, SphereFallsBouncesAndRests) {
  RigidBodies scene(RigidBodies::Space::space, RigidBodies::Law::friction, h);
  Body ball{1, {0.1, 0.1, 0.1}, {0, 0, 1.5}, {}, {}, {0, 0, -g}};
  ball.radius = 0.5;
  scene.add(ball);
  const Container floor{{{{0, 0, 0}, {0, 0, 1}}}, 0.3, 0, 0.5};
  double fastest_down = 0, fastest_up = 0;
  for (int k = 0; k < 300; ++k) {
    scene.find_contacts(floor);
    scene.advance(20);
    fastest_down = std::min(fastest_down, scene.body(0).velocity[2]);
    fastest_up = std::max(fastest_up, scene.body(0).velocity[2]);
  }
  EXPECT_NEAR(fastest_down, -std::sqrt(2 * g), 0.1);
  EXPECT_NEAR(fastest_up, -0.5 * fastest_down, 0.1);
  EXPECT_NEAR(scene.body(0).position[2], 0.5, 0.05);
  EXPECT_LE(length(scene.body(0).velocity), 0.1);
}

TEST(Motion, JointsHold) {
  RigidBodies scene = pendulum(3);
  for (int k = 0; k < 10; ++k) scene.advance(300);
  // The first link is hinged to the ground at a height of 2, half of its length above its centre.
  EXPECT_NEAR(length(scene.body(0).position - Vec3{0, 2, 0}), 0.5, 0.01);
}

TEST(Motion, OpenContactsAreLeftOut) {
  RigidBodies scene = falling_box(0.3, 0.5);
  EXPECT_EQ(scene.touching().contact_count(), 4);
  scene.advance(200);  // the impact: all corners leave the ground
  scene.advance(200);
  EXPECT_LT(scene.touching().contact_count(), 4);
}

TEST(Elementary, AgreeWithTheLibrary) {
  for (double x = -30; x <= 30; x += 0.37) {
    EXPECT_NEAR(generate::sine(x), std::sin(x), 1e-14);
    EXPECT_NEAR(generate::cosine(x), std::cos(x), 1e-14);
    EXPECT_NEAR(generate::exponential(x), std::exp(x), 1e-14 * std::exp(x));
    EXPECT_NEAR(generate::logarithm(std::exp(x)), x, 1e-13);
  }
  EXPECT_EQ(generate::sine(0), 0);
  EXPECT_EQ(generate::cosine(0), 1);
  EXPECT_EQ(generate::power(10, -2), 1 / 100.0);
}

// Found by cubes, against all pairs.
TEST(Motion, ContactsOfSpheresAreFound) {
  const Container box = box_around(4, 3, false, 0.3);
  RigidBodies scene = falling_spheres(RigidBodies::Law::friction, 4, 3, 5, 0, 101);
  for (int k = 0; k < 60; ++k) {
    scene.find_contacts(box);
    scene.advance(20);
  }
  scene.find_contacts(box);
  std::int64_t touching = 0;
  for (std::int32_t a = 0; a < 60; ++a) {
    const Body& body = scene.body(a);
    for (const auto& [point, normal] : box.planes) touching += dot(normal, body.position - point) <= body.radius;
    for (std::int32_t b = 0; b < a; ++b)
      touching += length(body.position - scene.body(b).position) <= body.radius + scene.body(b).radius;
  }
  EXPECT_GT(touching, 60);
  EXPECT_EQ(scene.contact_count(), touching);
}

}  // namespace motion_test
