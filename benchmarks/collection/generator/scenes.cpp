#include "scenes.hpp"

#include <cmath>

#include "random.hpp"
#include "scene_parts.hpp"

namespace nonsmooth::collection {
RigidBodies box_stack(const BoxStack& stack) {
  RigidBodies scene(RigidBodies::Space::space, RigidBodies::Law::friction, step);
  for (int level = 0; level < stack.boxes; ++level) {
    const double mass =
        stack.ratio == 1 ? 1 : generate::exponential(generate::logarithm(stack.ratio) * level / (stack.boxes - 1));
    Body body{mass, (mass / 6) * Vec3{1, 1, 1}, {0, 0, level + 0.5}, {}, {}, weight_on_slope(mass, stack.tilt)};
    if (level == stack.boxes / 2) body.velocity = {0.3, 0.1, 0};
    const std::int32_t id = scene.add(body);
    add_face(scene, id, level == 0 ? ground : id - 1, {0, 0, static_cast<double>(level)}, stack.mu);
  }
  return scene;
}

RigidBodies sphere_pile(const SpherePile& pile) {
  RigidBodies scene(RigidBodies::Space::space, pile.law, step);
  Random random(pile.seed);
  std::vector<Vec3> centres;
  for (int k = 0; k < pile.nz; ++k)
    for (int j = 0; j < pile.ny; ++j)
      for (int i = 0; i < pile.nx; ++i) {
        Body body{1, {0.1, 0.1, 0.1}, {}, {}, {}, weight_on_slope(1, pile.tilt)};
        const int cell[3] = {i, j, k};
        for (std::size_t axis = 0; axis < 3; ++axis) body.position[axis] = cell[axis] + 0.5 + 0.08 * random.uniform(-1, 1);
        body.velocity[0] = random.uniform(-0.05, 0.05);
        body.velocity[1] = random.uniform(-0.05, 0.05);
        body.rotation[2] = random.uniform(-0.1, 0.1);
        body.velocity[0] += pile.shear * body.position[2];
        scene.add(body);
        centres.push_back(body.position);
      }
  auto id = [&](int i, int j, int k) { return static_cast<std::int32_t>(i + pile.nx * (j + pile.ny * k)); };
  auto connect = [&](std::int32_t upper, std::int32_t lower) {
    add_between(scene, upper, centres[static_cast<std::size_t>(upper)], lower, centres[static_cast<std::size_t>(lower)], pile.mu,
                pile.mu_r);
  };
  for (int k = 0; k < pile.nz; ++k)
    for (int j = 0; j < pile.ny; ++j)
      for (int i = 0; i < pile.nx; ++i) {
        const Vec3& centre = centres[static_cast<std::size_t>(id(i, j, k))];
        if (k == 0) scene.add(Contact{id(i, j, k), ground, centre - Vec3{0, 0, 0.5}, upwards, pile.mu, pile.mu_r, 0});
        if (pile.walls && j == 0)
          scene.add(Contact{id(i, j, k), ground, centre - Vec3{0, 0.5, 0}, frame_of({0, 1, 0}), pile.mu, pile.mu_r, 0});
        if (pile.walls && j + 1 == pile.ny)
          scene.add(Contact{id(i, j, k), ground, centre + Vec3{0, 0.5, 0}, frame_of({0, -1, 0}), pile.mu, pile.mu_r, 0});
        if (i + 1 < pile.nx) connect(id(i + 1, j, k), id(i, j, k));
        if (j + 1 < pile.ny) connect(id(i, j + 1, k), id(i, j, k));
        if (k + 1 < pile.nz) connect(id(i, j, k + 1), id(i, j, k));
      }
  return scene;
}

RigidBodies box_on_incline(double mu) {
  RigidBodies scene(RigidBodies::Space::space, RigidBodies::Law::friction, step);
  constexpr double mass = 2, height = 0.5;
  const double flat = mass * (1 + height * height) / 12;
  const Body box{mass, {flat, flat, mass / 6}, {0, 0, height / 2}, {}, {}, mass * gravity * Vec3{0.6, 0, -0.8}};
  add_face(scene, scene.add(box), ground, {0, 0, 0}, mu);
  return scene;
}

nsm::Vector box_on_incline_reactions(double mu) {
  const double normal = 2 * gravity * step * 0.8;  // sum of the four
  const double ratio = mu < 0.75 ? mu : 0.75;      // tangential over normal
  const double excess = ratio * normal * 0.5 / 4;  // moment of the tangential forces about the centre of mass
  nsm::Vector r;
  for (double side : {-1.0, 1.0})
    for (int corner = 0; corner < 2; ++corner) {
      const double pressure = normal / 4 + side * excess;
      r.insert(r.end(), {pressure, -ratio * pressure, 0});
    }
  return r;
}

RigidBodies brick_on_incline(double angle, double mu) {
  RigidBodies scene(RigidBodies::Space::plane, RigidBodies::Law::friction, step);
  const Vec3 slope{gravity * sine(angle), -gravity * cosine(angle), 0};
  const std::int32_t brick = scene.add(Body{2, {0, 0, 2 * 5.0 / 12}, {0, 0.5, 0}, {}, {}, 2.0 * slope});
  for (double x : {-1.0, 1.0}) scene.add(Contact{brick, ground, {x, 0, 0}, upwards_plane, mu, 0, 0});
  return scene;
}

RigidBodies wall_2d(int courses, int bricks) {
  RigidBodies scene(RigidBodies::Space::plane, RigidBodies::Law::friction, step);
  constexpr double width = 2, height = 1, mass = 2, mu = 0.6;
  running_bond(
      courses, bricks,
      [&](int course, double left) {
        Body body{mass,
                  {0, 0, mass * (width * width + height * height) / 12},
                  {left + width / 2, course + height / 2, 0},
                  {},
                  {},
                  weight_plane(mass)};
        if (course == courses - 1 && left < 2) body.velocity = {0.5, 0, 0};
        return scene.add(body);
      },
      [&](std::int32_t id, std::int32_t other, int course, double left, double right) {
        for (double x : {left, right})
          scene.add(Contact{id, other, {x, static_cast<double>(course), 0}, upwards_plane, mu, 0, 0});
      });
  return scene;
}

RigidBodies arch_2d(int stones) {
  constexpr double inner = 4, outer = 5, middle = 4.5, mu = 0.6, pi = 3.14159265358979323846;
  RigidBodies scene(RigidBodies::Space::plane, RigidBodies::Law::friction, step);
  const double angle = pi / stones, width = angle * middle;
  for (int k = 0; k < stones; ++k) {
    const double at = pi - (k + 0.5) * angle;
    Body body{width,
              {0, 0, width * (width * width + 1) / 12},
              {middle * cosine(at), middle * sine(at), 0},
              {},
              {},
              weight_plane(width)};
    if (k == stones / 2) body.velocity = {0, -0.2, 0};
    scene.add(body);
  }
  // Joint k lies before stone k, from the left; its normal points along the arch, into that stone.
  for (int k = 0; k <= stones; ++k) {
    const double at = pi - k * angle;
    const Vec3 along{sine(at), -cosine(at), 0}, radial{cosine(at), sine(at), 0};
    const bool last = k == stones;
    const Frame frame = last ? Frame{-1.0 * along, radial, {0, 0, 1}} : Frame{along, -1.0 * radial, {0, 0, 1}};
    const std::int32_t body = last ? k - 1 : k, other = last || k == 0 ? ground : k - 1;
    for (double radius : {inner, outer}) scene.add(Contact{body, other, radius * radial, frame, mu, 0, 0});
  }
  return scene;
}

RigidBodies coupled_boxes(int boxes) {
  RigidBodies scene(RigidBodies::Space::space, RigidBodies::Law::friction, step);
  for (int k = 0; k < boxes; ++k) {
    Body body{1, {1.0 / 6, 1.0 / 6, 1.0 / 6}, {1.0 * k, 0, 0.5}, {}, {}, weight(1)};
    if (k == 0) body.force = body.force + Vec3{-30, 12, 0};
    const std::int32_t id = scene.add(body);
    add_face(scene, id, ground, {1.0 * k, 0, 0}, 0.4);
    if (k > 0) scene.add(Joint{id, id - 1, {k - 0.5, 0, 0.5}});
  }
  return scene;
}

RigidBodies falling_box(double mu, double restitution) {
  RigidBodies scene(RigidBodies::Space::space, RigidBodies::Law::friction, step);
  const std::int32_t box =
      scene.add(Body{2, {2 * 1.25 / 12, 2 * 1.25 / 12, 2.0 / 6}, {0, 0, 0.25}, {1, 0.2, -2}, {0.5, 0.3, 1}, weight(2)});
  for (double x : {-0.5, 0.5})
    for (double y : {-0.5, 0.5}) scene.add(Contact{box, ground, {x, y, 0}, upwards, mu, 0, restitution});
  return scene;
}

RigidBodies rolling_ball(double mu, double mu_r) {
  RigidBodies scene(RigidBodies::Space::space, RigidBodies::Law::rolling, step);
  const std::int32_t ball = scene.add(Body{1, {0.1, 0.1, 0.1}, {0, 0, 0.5}, {1, 0, 0}, {0, 2, 0}, weight(1)});
  scene.add(Contact{ball, ground, {0, 0, 0}, upwards, mu, mu_r, 0});
  return scene;
}

RigidBodies disc_triangle(int bottom, double mu, double mu_r, RigidBodies::Law law) {
  RigidBodies scene(RigidBodies::Space::plane, law, step);
  const double rise = std::sqrt(3.0) / 2;
  std::vector<Vec3> centres;
  std::int32_t below = 0;
  for (int row = 0; row < bottom; ++row) {
    const auto first = static_cast<std::int32_t>(centres.size());
    for (int k = 0; k < bottom - row; ++k) {
      const Vec3 centre{k + 0.5 * row, 0.5 + rise * row, 0};
      Body disc{1, {0, 0, 0.125}, centre, {}, {}, weight_plane(1)};
      if (row == bottom - 1) disc.rotation = {0, 0, 5};
      const std::int32_t id = scene.add(disc);
      auto connect = [&](std::int32_t other) {
        const Vec3 normal = centre - centres[static_cast<std::size_t>(other)];
        scene.add(Contact{id, other, centre - 0.5 * normal, {normal, {normal[1], -normal[0], 0}, {0, 0, 1}}, mu, mu_r, 0});
      };
      centres.push_back(centre);
      if (row == 0) scene.add(Contact{id, ground, centre - Vec3{0, 0.5, 0}, upwards_plane, mu, mu_r, 0});
      if (k > 0) connect(id - 1);
      if (row > 0) {
        connect(below + k);
        connect(below + k + 1);
      }
    }
    below = first;
  }
  return scene;
}

RigidBodies falling_spheres(RigidBodies::Law law, int nx, int ny, int nz, double tilt, unsigned seed) {
  RigidBodies scene(RigidBodies::Space::space, law, step);
  Random random(seed);
  for (int k = 0; k < nz; ++k)
    for (int j = 0; j < ny; ++j)
      for (int i = 0; i < nx; ++i) {
        const double radius = random.uniform(0.35, 0.5), mass = 8 * radius * radius * radius;
        const double x = random.uniform(-0.04, 0.04), y = random.uniform(-0.04, 0.04);
        Body body{mass, 0.4 * mass * radius * radius * Vec3{1, 1, 1}, {1.1 * i + 0.55 + x, 1.1 * j + 0.55 + y, 1.05 * k + 0.55}};
        body.velocity = {0, 0, -1};
        body.force = weight_on_slope(mass, tilt);
        body.radius = radius;
        scene.add(body);
      }
  return scene;
}

Container box_around(int nx, int ny, bool slope, double mu, double mu_r, double restitution) {
  Container container{{{{0, 0, 0}, {0, 0, 1}}}, mu, mu_r, restitution};
  container.planes.push_back({{0, 0, 0}, {0, 1, 0}});
  container.planes.push_back({{0, 1.1 * ny, 0}, {0, -1, 0}});
  if (slope) return container;
  container.planes.push_back({{0, 0, 0}, {1, 0, 0}});
  container.planes.push_back({{1.1 * nx, 0, 0}, {-1, 0, 0}});
  return container;
}

}  // namespace nonsmooth::collection
