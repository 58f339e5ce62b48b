// Towers of bodies with many contacts each.
#pragma once

#include <cmath>
#include <utility>

#include "scenes.hpp"

namespace nonsmooth::collection {

// Layers of planks, each across the one below: every plank lies on all planks of the layer below it, four contacts to each.
inline RigidBodies plank_tower(int layers, int planks) {
  constexpr double height = 0.2, width = 0.5, half = 0.2, mu = 0.5;
  const double length = planks;
  RigidBodies scene(RigidBodies::Space::space, RigidBodies::Law::friction, 0.01);
  for (int layer = 0; layer < layers; ++layer) {
    const bool across = layer % 2 == 1;
    for (int k = 0; k < planks; ++k) {
      Body body{1, {1, 1, 1}, {k + 0.5, length / 2, (layer + 0.5) * height}, {}, {}, {0, 0, -9.81}};
      body.inertia = {(length * length + height * height) / 12, (width * width + height * height) / 12,
                      (length * length + width * width) / 12};
      if (across) {
        std::swap(body.position[0], body.position[1]);
        std::swap(body.inertia[0], body.inertia[1]);
      }
      body.velocity = {0.02 * std::sin(layer + 2.0 * k), 0.02 * std::cos(3.0 * layer + k), 0};  // some slide, some stick
      const std::int32_t id = scene.add(body);
      for (int j = 0; j < planks; ++j)
        for (double x : {-half, half})
          for (double y : {-half, half}) {
            const double along = k + 0.5 + x, beyond = j + 0.5 + y;
            const Vec3 point{across ? beyond : along, across ? along : beyond, layer * height};
            scene.add(Contact{id, layer == 0 ? ground : id - k - planks + j, point, {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}}, mu, 0, 0});
          }
    }
  }
  return scene;
}

// Layers of one slab of `side` x `side` columns of four contacts to the slab below.
inline RigidBodies slab_tower(int layers, int side) {
  constexpr double height = 0.2, half = 0.2, mu = 0.5;
  const double length = side;
  RigidBodies scene(RigidBodies::Space::space, RigidBodies::Law::friction, 0.01);
  for (int layer = 0; layer < layers; ++layer) {
    Body body{1, {1, 1, 1}, {length / 2, length / 2, (layer + 0.5) * height}, {}, {}, {0, 0, -9.81}};
    body.inertia = {(length * length + height * height) / 12, (length * length + height * height) / 12, length * length / 6};
    body.velocity = {0.02 * std::sin(layer), 0.02 * std::cos(3.0 * layer), 0};
    const std::int32_t id = scene.add(body);
    for (int column = 0; column < side * side; ++column)
      for (double x : {-half, half})
        for (double y : {-half, half}) {
          const Vec3 point{column % side + 0.5 + x, column / side + 0.5 + y, layer * height};
          scene.add(Contact{id, layer == 0 ? ground : id - 1, point, {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}}, mu, 0, 0});
        }
  }
  return scene;
}

}  // namespace nonsmooth::collection
