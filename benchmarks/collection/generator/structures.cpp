// Scenes of boxes in space: masonry, towers, plates, rocks.
#include "random.hpp"
#include "scene_parts.hpp"

namespace nonsmooth::collection {

RigidBodies wall(int courses, int bricks, Event event) {
  RigidBodies scene(RigidBodies::Space::space, RigidBodies::Law::friction, step);
  constexpr double mass = 2, mu = 0.6;
  const Vec3 shake = event == Event::quake ? Vec3{0.3, 0.5, 0} : Vec3{};
  running_bond(
      courses, bricks,
      [&](int course, double left) {
        Body body{mass, box_inertia(mass, {2, 1, 1}), {left + 1, 0, course + 0.5}, {}, {}, weight(mass)};
        if (event == Event::impact && course == courses - 1 && left >= bricks - 1 && left < bricks + 1)
          body.velocity = {0.2, 3, 0};
        return scene.add(body);
      },
      [&](std::int32_t id, std::int32_t other, int course, double left, double right) {
        add_face(scene, id, other, {0.5 * (left + right), 0, static_cast<double>(course)}, mu, right - left, 1,
                 other == ground ? shake : Vec3{});
      });
  return scene;
}

RigidBodies arch(int stones, double load) {
  constexpr double inner = 4, outer = 5, middle = 4.5, mu = 0.6, pi = 3.14159265358979323846;
  RigidBodies scene(RigidBodies::Space::space, RigidBodies::Law::friction, step);
  const double angle = pi / stones, width = angle * middle;
  for (int k = 0; k < stones; ++k) {
    const double at = pi - (k + 0.5) * angle;
    Body body{width, (width / 6) * Vec3{1, 1, 1}, {middle * cosine(at), 0, middle * sine(at)}, {}, {}, weight(width)};
    if (k == stones / 2) body.force = body.force + weight(load * width);
    scene.add(body);
  }
  // Joint k lies before stone k, from the left; its normal points along the arch, into that stone.
  for (int k = 0; k <= stones; ++k) {
    const double at = pi - k * angle;
    const Vec3 along{sine(at), 0, -cosine(at)}, radial{cosine(at), 0, sine(at)};
    const bool last = k == stones;
    const Vec3 normal = last ? -1.0 * along : along;
    const std::int32_t body = last ? k - 1 : k, other = last || k == 0 ? ground : k - 1;
    for (double radius : {inner, outer})
      for (double y : {-0.5, 0.5})
        scene.add(Contact{body, other, radius * radial + Vec3{0, y, 0}, {normal, radial, cross(normal, radial)}, mu, 0, 0});
  }
  return scene;
}

RigidBodies pyramid(int n) {
  RigidBodies scene(RigidBodies::Space::space, RigidBodies::Law::friction, step);
  constexpr double mu = 0.5;
  std::int32_t below = 0, first = 0;
  for (int level = 0; level < n; ++level) {
    const int edge = n - level;
    for (int j = 0; j < edge; ++j)
      for (int i = 0; i < edge; ++i) {
        const Vec3 foot{i + 0.5 * level, j + 0.5 * level, 1.0 * level};
        Body body{1, (1.0 / 6) * Vec3{1, 1, 1}, foot + Vec3{0, 0, 0.5}, {}, {}, weight(1)};
        if (level == n - 1) body.velocity = {0.5, 0.2, 0};
        const std::int32_t id = scene.add(body);
        if (i == 0 && j == 0) first = id;
        if (level == 0) {
          add_face(scene, id, ground, foot, mu);
          continue;
        }
        for (int dj = 0; dj < 2; ++dj)
          for (int di = 0; di < 2; ++di)
            add_face(scene, id, below + i + di + (edge + 1) * (j + dj), foot + Vec3{0.5 * di - 0.25, 0.5 * dj - 0.25, 0}, mu, 0.5,
                     0.5);
      }
    below = first;
  }
  return scene;
}

RigidBodies tower(int layers) {
  RigidBodies scene(RigidBodies::Space::space, RigidBodies::Law::friction, step);
  constexpr double length = 1, width = 0.2, height = 0.1, mass = 1, mu = 0.5;
  constexpr double offsets[] = {-0.4, 0, 0.4};
  for (int layer = 0; layer < layers; ++layer)
    for (int plank = 0; plank < 3; ++plank) {
      const bool across = layer % 2 == 1;
      const Vec3 edges = across ? Vec3{width, length, height} : Vec3{length, width, height};
      const Vec3 foot = across ? Vec3{offsets[plank], 0, layer * height} : Vec3{0, offsets[plank], layer * height};
      const std::int32_t id =
          scene.add(Body{mass, box_inertia(mass, edges), foot + Vec3{0, 0, height / 2}, {}, {}, weight(mass)});
      if (layer == 0) {
        add_face(scene, id, ground, foot, mu, edges[0], edges[1], {0.2, 0.1, 0});
        continue;
      }
      for (int k = 0; k < 3; ++k) {
        const Vec3 centre = across ? Vec3{foot[0], offsets[k], foot[2]} : Vec3{offsets[k], foot[1], foot[2]};
        add_face(scene, id, 3 * (layer - 1) + k, centre, mu, width, width);
      }
    }
  return scene;
}

RigidBodies plate(int n) {
  RigidBodies scene(RigidBodies::Space::space, RigidBodies::Law::friction, step);
  constexpr double mass = 2;
  Random random(8);
  const std::int32_t id =
      scene.add(Body{mass, box_inertia(mass, {2, 2, 0.5}), {0, 0, 0.25}, {0.3, 0.1, -0.2}, {0.1, -0.2, 0.4}, weight(mass)});
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) {
      const double apart = n > 1 ? 2.0 / (n - 1) : 0;
      scene.add(Contact{id, ground, {i * apart - 1, j * apart - 1, 0}, upwards, random.uniform(0.2, 0.8), 0, 0});
    }
  return scene;
}

namespace {

// One to three contacts around the point between two rocks, or between one and the floor.
void add_rough_contacts(RigidBodies& scene, Random& random, std::int32_t body, std::int32_t other, const Vec3& point,
                        const Vec3& axis, double roughness) {
  const int count = random.integer(1, 3);
  for (int k = 0; k < count; ++k) {
    const Frame face = frame_of(axis);
    const double s = random.uniform(-0.3, 0.3), t = random.uniform(-0.3, 0.3);
    const double first = random.uniform(-1, 1), second = random.uniform(-1, 1);
    Vec3 normal = axis + roughness * (first * face.tangent) + roughness * (second * face.second);
    normal = (1 / std::sqrt(dot(normal, normal))) * normal;
    scene.add(Contact{body, other, point + s * face.tangent + t * face.second, frame_of(normal), random.uniform(0.2, 0.9), 0, 0});
  }
}

}  // namespace

RigidBodies rock_pile(int n, int layers) {
  RigidBodies scene(RigidBodies::Space::space, RigidBodies::Law::friction, step);
  Random random(15);
  std::vector<Vec3> centres;
  for (int k = 0; k < layers; ++k)
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i) {
        const Vec3 edges{random.uniform(0.5, 1.1), random.uniform(0.5, 1.1), random.uniform(0.5, 1.1)};
        const double mass = 2 * edges[0] * edges[1] * edges[2];
        const Vec3 centre{i + random.uniform(-0.1, 0.1), j + random.uniform(-0.1, 0.1), k + 0.5 + random.uniform(-0.1, 0.1)};
        Body body{mass, box_inertia(mass, edges), centre, {}, {}, weight(mass)};
        body.velocity = {random.uniform(-0.2, 0.2), random.uniform(-0.2, 0.2), random.uniform(-0.3, 0)};
        scene.add(body);
        centres.push_back(centre);
      }
  const int strides[] = {1, n, n * n}, sizes[] = {n, n, layers};
  for (int id = 0; id < static_cast<int>(centres.size()); ++id) {
    const Vec3& centre = centres[static_cast<std::size_t>(id)];
    if (id < n * n) add_rough_contacts(scene, random, id, ground, centre - Vec3{0, 0, 0.5}, {0, 0, 1}, 0);
    for (int axis = 0; axis < 3; ++axis) {
      if (id / strides[axis] % sizes[axis] + 1 == sizes[axis]) continue;
      const Vec3& next = centres[static_cast<std::size_t>(id + strides[axis])];
      const Vec3 line = next - centre;
      add_rough_contacts(scene, random, id + strides[axis], id, 0.5 * (next + centre), (1 / std::sqrt(dot(line, line))) * line,
                         0.3);
    }
  }
  return scene;
}

RigidBodies beads(int n) {
  RigidBodies scene(RigidBodies::Space::space, RigidBodies::Law::friction, step);
  for (int k = 0; k < n; ++k) {
    Body body{1, {0.1, 0.1, 0.1}, {0, 0, k + 0.5}, {}, {}, weight(1)};
    if (k == 0) body.velocity = {0.3, 0.1, 0};
    const std::int32_t id = scene.add(body);
    scene.add(Contact{id, k == 0 ? ground : id - 1, {0, 0, static_cast<double>(k)}, upwards, 0.3, 0, 0});
  }
  return scene;
}

RigidBodies chain(int links) {
  RigidBodies scene(RigidBodies::Space::space, RigidBodies::Law::friction, step);
  constexpr double sag = 0.3;  // of the length
  const double apart = 1, length = links * apart;
  const auto point = [&](double s) {  // along the parabola
    const double x = 2 * s / length - 1;
    return Vec3{s, 0, sag * length * (x * x - 1)};
  };
  for (int k = 0; k < links; ++k) {
    Body body{1, {0.02, 0.1, 0.1}, point((k + 0.5) * apart), {}, {}, weight(1)};
    if (k == links / 3) body.velocity = {0, 0.5, 0.2};
    scene.add(body);
  }
  // Links pull each other: the contact pushes the one on the right towards the left. At its right end the last one hangs on the
  // fixed end, which pulls it to the right.
  for (int k = 0; k <= links; ++k) {
    const Vec3 here = point(k * apart), line = point(k * apart + 0.01) - point(k * apart - 0.01);
    const Vec3 along = (1 / std::sqrt(dot(line, line))) * line;
    const bool last = k == links;
    scene.add(Contact{last ? k - 1 : k, last || k == 0 ? ground : k - 1, here, frame_of(last ? along : -1.0 * along), 0.3, 0, 0});
  }
  return scene;
}

RigidBodies capsules(int layers, int n, double mu) {
  RigidBodies scene(RigidBodies::Space::space, RigidBodies::Law::friction, step);
  Random random(31);
  const double length = n, mass = n;
  std::vector<Vec3> centres;
  for (int layer = 0; layer < layers; ++layer)
    for (int k = 0; k < n; ++k) {
      const bool across = layer % 2 == 1;
      const double middle = 0.5 * (n - 1);
      const auto id = static_cast<std::int32_t>(centres.size());
      const Vec3 centre = across ? Vec3{1.0 * k, middle, layer + 0.5} : Vec3{middle, 1.0 * k, layer + 0.5};
      const Vec3 axis = across ? Vec3{0, 1, 0} : Vec3{1, 0, 0}, side = across ? Vec3{1, 0, 0} : Vec3{0, 1, 0};
      Body body{mass, box_inertia(mass, across ? Vec3{0.8, length, 0.8} : Vec3{length, 0.8, 0.8}), centre, {}, {}, weight(mass)};
      body.velocity = {random.uniform(-0.2, 0.2), random.uniform(-0.2, 0.2), random.uniform(-0.2, 0)};
      body.rotation = {random.uniform(-0.1, 0.1), random.uniform(-0.1, 0.1), random.uniform(-0.1, 0.1)};
      scene.add(body);
      centres.push_back(centre);
      const auto touch = [&](std::int32_t other, const Vec3& point, const Vec3& normal) {
        const Frame face = frame_of(normal);
        const double first = random.uniform(-0.1, 0.1), second = random.uniform(-0.1, 0.1);
        const Vec3 tilted = normal + first * face.tangent + second * face.second;
        scene.add(Contact{id, other, point, frame_of((1 / std::sqrt(dot(tilted, tilted))) * tilted), mu, 0, 0});
      };
      for (double end : {-0.5, 0.5}) {
        if (layer == 0) scene.add(Contact{id, ground, centre + (end * length) * axis - Vec3{0, 0, 0.5}, upwards, mu, 0, 0});
        if (k > 0) touch(id - 1, centre + (end * length) * axis - 0.5 * side, side);
      }
      for (int below = 0; layer > 0 && below < n; ++below) {
        const double at = below - middle;
        touch((layer - 1) * n + below, centre + at * axis - Vec3{0, 0, 0.5}, {0, 0, 1});
      }
    }
  return scene;
}

}  // namespace nonsmooth::collection
