// Models whose cost per step is measured, as plain numbers: every program makes the same model of them.
#pragma once

#include <array>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace nonsmooth::scenes {

// A power of two: spheres side by side touch without rounding.
constexpr double gravity = 9.81, radius = 0.125;
constexpr int ground = -1;

struct Pair {
  int first, second;  // numbers of spheres; `ground`: the floor z = 0
};

struct Scene {
  double h = 0, restitution = 0, mu = 0;
  bool rigid = false;  // rigid bodies in space, contacts with friction; else points that move along a line
  std::vector<std::array<double, 3>> position, velocity;  // [x, y, z]; points: z only
  std::vector<Pair> contacts;
};

// The bouncing ball of the tutorials of Siconos: falls from 1 m, 2000 steps are 10 s.
inline Scene ball() {
  Scene scene{5e-3, 0.9, 0, false, {{0, 0, 1}}, {{0, 0, 0}}, {}};
  scene.contacts.push_back({0, ground});
  return scene;
}

// Beads upon each other, let go where they touch: they settle.
inline Scene beadColumn(int beads) {
  Scene scene;
  scene.h = 1e-3;
  for (int k = 0; k < beads; ++k) {
    scene.position.push_back({0, 0, (2 * k + 1) * radius});
    scene.velocity.push_back({0, 0, 0});
    scene.contacts.push_back({k, k - 1});
  }
  return scene;
}

// width x width x height spheres that touch all their neighbours and the floor; velocities drawn at random, up to `speed` along
// each axis, open about a third of the contacts, and contacts open and close in every step: the more the slower the spheres are.
inline Scene sphereLattice(int width, int height, double speed) {
  Scene scene;
  scene.h = 5e-3;
  scene.mu = 0.5;
  scene.rigid = true;
  std::uint64_t state = 12345;
  const auto random = [&state] {  // in [-1, 1]; Knuth's MMIX constants
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return static_cast<double>(state >> 11) / 4503599627370496.0 - 1.0;
  };
  const auto number = [&](int x, int y, int z) { return x + width * (y + width * z); };
  for (int z = 0; z < height; ++z)
    for (int y = 0; y < width; ++y)
      for (int x = 0; x < width; ++x) {
        scene.position.push_back({2 * radius * x, 2 * radius * y, 2 * radius * z + radius});
        const double vx = speed * random(), vy = speed * random(), vz = speed * random();
        scene.velocity.push_back({vx, vy, vz});
        const int here = number(x, y, z);
        scene.contacts.push_back({here, z > 0 ? number(x, y, z - 1) : ground});
        if (x > 0) scene.contacts.push_back({here, number(x - 1, y, z)});
        if (y > 0) scene.contacts.push_back({here, number(x, y - 1, z)});
      }
  return scene;
}

inline Scene sceneNamed(const std::string& name, int size) {
  if (name == "ball") return ball();
  if (name == "beads") return beadColumn(size);
  if (name == "lattice") return sphereLattice(size, size, 0.01);
  if (name == "slow_lattice") return sphereLattice(size, size, 0.001);
  throw std::invalid_argument("no scene is named " + name);
}

}  // namespace nonsmooth::scenes
