// Linkages, problems of existence, and an elastic body.
#include <algorithm>

#include "dense.hpp"
#include "scene_parts.hpp"

namespace nonsmooth::collection {

RigidBodies slider_crank(bool clearance, double mu) {
  RigidBodies scene(RigidBodies::Space::plane, RigidBodies::Law::friction, step);
  constexpr double crank = 0.5, rod = 2;
  const Vec3 pin{0.8 * crank, 0.6 * crank, 0};
  const Vec3 wrist{pin[0] + std::sqrt(rod * rod - pin[1] * pin[1]), 0, 0};
  const std::int32_t first = scene.add(Body{1, {0, 0, crank * crank / 12}, 0.5 * pin, {}, {0, 0, -2}, weight_plane(1)});
  const std::int32_t second = scene.add(Body{2, {0, 0, 2 * rod * rod / 12}, 0.5 * (pin + wrist), {}, {}, weight_plane(2)});
  const std::int32_t slider = scene.add(Body{1, {0, 0, 0.2}, wrist, {0.5, -0.1, 0}, {0, 0, 0.3}, weight_plane(1)});
  scene.add(Joint{first, ground, {0, 0, 0}});
  scene.add(Joint{second, first, pin});
  scene.add(Joint{slider, second, wrist});
  for (double x : {-0.3, 0.3}) scene.add(Contact{slider, ground, wrist + Vec3{x, -0.2, 0}, upwards_plane, mu, 0, 0});
  if (clearance) return scene;
  for (double x : {-0.3, 0.3})
    scene.add(Contact{slider, ground, wrist + Vec3{x, 0.2, 0}, {{0, -1, 0}, {-1, 0, 0}, {0, 0, 1}}, mu, 0, 0});
  return scene;
}

RigidBodies pendulum(int links) {
  RigidBodies scene(RigidBodies::Space::plane, RigidBodies::Law::friction, step);
  for (int k = 0; k < links; ++k) {
    const bool last = k == links - 1;  // lies flat; the others hang one below the other
    const double height = links - 1 - k;
    Body body{1, {0, 0, 1.0 / 12}, last ? Vec3{0.5, 0, 0} : Vec3{0, height - 0.5, 0}, {1, -0.2, 0}, {}, weight_plane(1)};
    const std::int32_t id = scene.add(body);
    scene.add(Joint{id, k == 0 ? ground : id - 1, {0, height, 0}});
    if (!last) continue;
    for (double x : {0.0, 1.0}) scene.add(Contact{id, ground, {x, 0, 0}, upwards_plane, 0.4, 0, 0});
  }
  return scene;
}

RigidBodies painleve_rod(double mu) {
  RigidBodies scene(RigidBodies::Space::plane, RigidBodies::Law::friction, step);
  constexpr double half = 1;
  const Vec3 centre{0.5 * half, std::sqrt(0.75) * half, 0};
  const std::int32_t rod = scene.add(Body{1, {0, 0, half * half / 3}, centre, {-1, 0, 0}, {}, weight_plane(1)});
  scene.add(Contact{rod, ground, {0, 0, 0}, upwards_plane, mu, 0, 0});
  return scene;
}

namespace {

// A disc of radius 1 / 2 between two walls that close at 1 m/s, with normals (-+ across, up).
RigidBodies squeezed_disc(double across, double up, double mu) {
  RigidBodies scene(RigidBodies::Space::plane, RigidBodies::Law::friction, step);
  const std::int32_t disc = scene.add(Body{1, {0, 0, 0.125}, {}, {}, {}, weight_plane(1)});
  for (double side : {-1.0, 1.0}) {
    const Vec3 normal{-side * across, up, 0};
    scene.add(Contact{disc, ground, -0.5 * normal, {normal, {normal[1], -normal[0], 0}, {0, 0, 1}}, mu, 0, 0, {-side, 0, 0}});
  }
  return scene;
}

}  // namespace

RigidBodies clamps(double mu) { return squeezed_disc(1, 0, mu); }
RigidBodies wedge(double mu) { return squeezed_disc(0.96, 0.28, mu); }

namespace {

// Signs of the corners of a brick, x fastest.
constexpr int corner_sign(int corner, int axis) { return (corner >> axis & 1) != 0 ? 1 : -1; }

// Stiffness of a cube of edge h with eight nodes, integrated at 2 x 2 x 2 points (Zienkiewicz and Taylor 2000, chapter 8).
Dense brick_stiffness(double h, double young, double poisson) {
  const double lambda = young * poisson / ((1 + poisson) * (1 - 2 * poisson)), shear = young / (2 * (1 + poisson));
  Dense K(24, 24);
  for (int point = 0; point < 8; ++point) {
    double gradient[8][3];
    for (int node = 0; node < 8; ++node)
      for (int axis = 0; axis < 3; ++axis) {
        double product = corner_sign(node, axis) / (4 * h);
        for (int other = 0; other < 3; ++other)
          if (other != axis) product *= 1 + corner_sign(node, other) * corner_sign(point, other) / std::sqrt(3.0);
        gradient[node][axis] = product;
      }
    for (int a = 0; a < 8; ++a)
      for (int b = 0; b < 8; ++b) {
        double trace = 0;
        for (int axis = 0; axis < 3; ++axis) trace += gradient[a][axis] * gradient[b][axis];
        for (int i = 0; i < 3; ++i)
          for (int j = 0; j < 3; ++j)
            K(3 * a + i, 3 * b + j) += h * h * h / 8 *
                                       (lambda * gradient[a][i] * gradient[b][j] + shear * gradient[a][j] * gradient[b][i] +
                                        (i == j ? shear * trace : 0));
      }
  }
  return K;
}

// Columns of a symmetric sparse matrix, entries added up.
struct Assembly {
  std::vector<std::vector<std::pair<std::int32_t, double>>> columns;

  void add(int i, int j, double value) {
    auto& column = columns[static_cast<std::size_t>(j)];
    const auto place =
        std::lower_bound(column.begin(), column.end(), i, [](const auto& entry, int row) { return entry.first < row; });
    if (place != column.end() && place->first == i)
      place->second += value;
    else
      column.insert(place, {i, value});
  }
  nsm::Matrix matrix(std::int64_t rows) const {
    nsm::Indices start{0}, index;
    nsm::Vector values;
    for (const auto& column : columns) {
      for (const auto& [row, value] : column) {
        index.push_back(row);
        values.push_back(value);
      }
      start.push_back(static_cast<std::int32_t>(index.size()));
    }
    return nsm::Matrix::csc(rows, static_cast<std::int64_t>(columns.size()), std::move(start), std::move(index),
                            std::move(values));
  }
};

}  // namespace

GlobalData elastic_cube(int n, double mu) {
  constexpr double young = 1e6, poisson = 0.3, density = 1000;
  const int edge = n + 1, nodes = edge * edge * edge;
  const double h = 1.0 / n, nodal_mass = density * h * h * h / 8;
  const Dense K = brick_stiffness(h, young, poisson);
  const Vec3 velocity{0.5, 0.1, -1 - step * gravity};
  GlobalData data;
  data.f.resize(static_cast<std::size_t>(3 * nodes));
  Assembly M, H;
  M.columns.resize(data.f.size());
  for (int element = 0; element < n * n * n; ++element) {
    const int first = element % n + edge * (element / n % n + edge * (element / (n * n)));
    int rows[24];
    for (int corner = 0; corner < 8; ++corner)
      for (int axis = 0; axis < 3; ++axis)
        rows[3 * corner + axis] = 3 * (first + (corner & 1) + edge * ((corner >> 1 & 1) + edge * (corner >> 2 & 1))) + axis;
    for (int a = 0; a < 24; ++a) {
      M.add(rows[a], rows[a], nodal_mass);
      data.f[static_cast<std::size_t>(rows[a])] += nodal_mass * velocity[static_cast<std::size_t>(a % 3)];
      for (int b = 0; b < 24; ++b) M.add(rows[a], rows[b], step * step * K(a, b));
    }
  }
  for (int node = 0; node < edge * edge; ++node)
    for (int row : {2, 0, 1}) H.columns.push_back({{3 * node + row, 1.0}});
  data.M = M.matrix(3 * nodes);
  data.H = H.matrix(3 * nodes);
  data.w.assign(H.columns.size(), 0.0);
  data.mu.assign(static_cast<std::size_t>(edge * edge), mu);
  data.mu_r.assign(data.mu.size(), 0.0);
  return data;
}

}  // namespace nonsmooth::collection
