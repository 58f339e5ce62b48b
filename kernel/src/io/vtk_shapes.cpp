#include <cmath>
#include <map>

#include "nonsmooth/kernel/vtk_scene.hpp"

namespace nonsmooth::kernel {
namespace {

// The triangles of an icosahedron with vertices on the unit sphere.
VtkShape icosahedron() {
  const double g = 0.5 * (1 + std::sqrt(5.0));
  VtkShape shape;
  for (const double a : {-1.0, 1.0})
    for (const double b : {-g, g}) {
      shape.points.emplace_back(0, a, b);
      shape.points.emplace_back(a, b, 0);
      shape.points.emplace_back(b, 0, a);
    }
  for (Vector3& p : shape.points) p.normalize();
  // Faces are the triples of neighbours, turned so that their normals point outwards.
  const double edge = 1.2 * 2 / std::sqrt(g * g + 1);
  const auto near = [&](int i, int j) {
    return (shape.points[static_cast<std::size_t>(i)] - shape.points[static_cast<std::size_t>(j)]).norm() < edge;
  };
  for (int i = 0; i < 12; ++i)
    for (int j = i + 1; j < 12; ++j)
      for (int k = j + 1; k < 12; ++k) {
        if (!near(i, j) || !near(j, k) || !near(i, k)) continue;
        const auto at = [&](int index) { return shape.points[static_cast<std::size_t>(index)]; };
        const bool outwards = (at(j) - at(i)).cross(at(k) - at(i)).dot(at(i)) > 0;
        shape.triangles.push_back(outwards ? std::array<int, 3>{i, j, k} : std::array<int, 3>{i, k, j});
      }
  return shape;
}

void refine(VtkShape& shape) {
  std::map<std::pair<int, int>, int> middles;
  const auto middle = [&](int i, int j) {
    const auto [it, inserted] = middles.try_emplace(std::minmax(i, j), static_cast<int>(shape.points.size()));
    if (inserted)
      shape.points.push_back(
          (shape.points[static_cast<std::size_t>(i)] + shape.points[static_cast<std::size_t>(j)]).normalized());
    return it->second;
  };
  std::vector<std::array<int, 3>> finer;
  for (const auto& [i, j, k] : shape.triangles) {
    const int ij = middle(i, j), jk = middle(j, k), ki = middle(k, i);
    finer.insert(finer.end(), {{i, ij, ki}, {j, jk, ij}, {k, ki, jk}, {ij, jk, ki}});
  }
  shape.triangles = std::move(finer);
}

void requireLength(double value, const char* what) {
  if (!(value > 0) || !std::isfinite(value)) fail("%s of a shape is %g", what, value);
}

}  // namespace

VtkShape VtkShape::sphere(double radius, int refinement) {
  requireLength(radius, "the radius");
  if (refinement < 0 || refinement > 6) fail("refinement %d of a sphere: 0 to 6", refinement);
  VtkShape shape = icosahedron();
  for (int k = 0; k < refinement; ++k) refine(shape);
  for (Vector3& p : shape.points) p *= radius;
  shape.size = Vector3::Constant(2 * radius);
  return shape;
}

VtkShape VtkShape::box(double x, double y, double z) {
  for (const double length : {x, y, z}) requireLength(length, "a length");
  VtkShape shape;
  for (int k = 0; k < 8; ++k)
    shape.points.emplace_back((k & 1 ? 0.5 : -0.5) * x, (k & 2 ? 0.5 : -0.5) * y, (k & 4 ? 0.5 : -0.5) * z);
  shape.triangles = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                     {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
  shape.size = Vector3(x, y, z);
  return shape;
}

VtkShape VtkShape::plane(const Vector3& normal, double width) {
  requireLength(width, "the width");
  requireLength(normal.norm(), "the length of the normal");
  const Vector3 n = normal.normalized(), a = n.unitOrthogonal(), b = n.cross(a);
  VtkShape shape;
  for (int k = 0; k < 4; ++k) shape.points.push_back(0.5 * width * ((k == 0 || k == 3 ? -1 : 1) * a + (k < 2 ? -1 : 1) * b));
  shape.triangles = {{0, 1, 2}, {0, 2, 3}};
  shape.size = Vector3(width, width, 0);
  return shape;
}

}  // namespace nonsmooth::kernel
