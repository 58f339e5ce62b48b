// Shapes of scenes, and who may be in one.
#include "scratch.hpp"
#include "trajectory.hpp"

namespace shapes_test {

using namespace nonsmooth::kernel;

// Of a closed surface whose triangles look outwards.
double volume(const VtkShape& shape) {
  double sum = 0;
  for (const auto& [a, b, c] : shape.triangles) {
    const auto at = [&](int k) { return shape.points[static_cast<std::size_t>(k)]; };
    sum += at(a).dot(at(b).cross(at(c))) / 6;
  }
  return sum;
}

TEST(Shapes, AreClosedAndLookOutwards) {
  EXPECT_NEAR(volume(VtkShape::box(1, 2, 3)), 6, 1e-14);
  // An icosahedron of radius 1; every refinement comes closer to the sphere.
  EXPECT_NEAR(volume(VtkShape::sphere(1, 0)), 2.5361507, 1e-7);
  EXPECT_NEAR(volume(VtkShape::sphere(2, 4)), 8 * 4.18879, 8 * 0.02);
  EXPECT_EQ(VtkShape::sphere(1, 2).triangles.size(), 320u);
  EXPECT_EQ(VtkShape::sphere(1, 2).points.size(), 162u);
  const VtkShape plane = VtkShape::plane(Vector3(0, 2, 2), 4);
  const auto [a, b, c] = plane.triangles[1];
  const auto at = [&](int k) { return plane.points[static_cast<std::size_t>(k)]; };
  const Vector3 normal = (at(b) - at(a)).cross(at(c) - at(a));
  EXPECT_NEAR(normal.normalized().dot(Vector3(0, 1, 1).normalized()), 1, 1e-14);
  EXPECT_NEAR(normal.norm(), 16, 1e-12);
  EXPECT_THROW(VtkShape::sphere(-1), Error);
  EXPECT_THROW(VtkShape::box(1, 0, 1), Error);
  EXPECT_THROW(VtkShape::plane(Vector3::Zero(), 1), Error);
}

TEST(Shapes, BodiesAreWhereTheirSystemsAre) {
  const auto folder = test::scratchFolder("scene");
  NonSmoothDynamicalSystem model(0.0);
  auto planar = std::make_shared<LagrangianLinearTIDS>(Vector{{1.0, 2.0, 0.5}}, Vector::Zero(3), Matrix::Identity(3, 3));
  model.insertDynamicalSystem(planar);
  FirstOrderLinearTIDS circuit(Vector::Zero(1), Matrix::Identity(1, 1));
  VtkScene scene((folder / "points").string(), VtkScene::Style::Points);
  scene.addBody(*planar, VtkShape::box(1, 1, 1), true);
  EXPECT_THROW(scene.addBody(circuit, VtkShape::sphere(1)), Error);
  scene.write(0.0);
  model.removeDynamicalSystem(*planar);
  scene.write(0.5);
  EXPECT_EQ(scene.frames(), 2);
  const auto text = [&](const char* name) { return test::contentsOf(folder / name); };
  EXPECT_NE(text("points_bodies_000000.vtp").find("NumberOfPoints=\"1\" NumberOfVerts=\"1\""), std::string::npos);
  EXPECT_NE(text("points_bodies_000001.vtp").find("NumberOfPoints=\"0\" NumberOfVerts=\"0\""), std::string::npos);
  EXPECT_NE(text("points.pvd").find("timestep=\"0.5\""), std::string::npos);
  VtkScene named((folder / "a&b").string());
  named.addBody(*planar, VtkShape::box(1, 1, 1), true);
  named.write(0.5);
  named.writeIndex();
  EXPECT_NE(text("a&b.pvd").find("file=\"a&amp;b_bodies_000000.vtp\""), std::string::npos);
  EXPECT_THROW(named.addBody(std::function<VtkPose()>(), VtkShape::sphere(1)), Error);
  VtkScene nowhere("/no/such/folder/scene");
  nowhere.addBody(*planar, VtkShape::box(1, 1, 1), true);
  EXPECT_THROW(nowhere.write(0.0), Error);
}

}  // namespace shapes_test
