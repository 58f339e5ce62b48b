// Scenes in space for ParaView: VTK polygon files, one pair per frame, and the list of their instants.
#ifndef NONSMOOTH_KERNEL_VTK_SCENE_HPP
#define NONSMOOTH_KERNEL_VTK_SCENE_HPP

#include <functional>
#include <string>
#include <vector>

#include "nonsmooth/kernel/contact_state.hpp"

namespace nonsmooth::kernel {

// A surface of triangles about the origin of a body's frame.
struct VtkShape {
  // Corners, and three of them for each triangle.
  std::vector<Vector3> points;
  std::vector<std::array<int, 3>> triangles;
  Vector3 size = Vector3::Zero();  // lengths along the axes

  // `refinement` times each triangle of an icosahedron is cut in four: 20, 80, 320 ... triangles.
  static VtkShape sphere(double radius, int refinement = 1);
  // Axes along those of the body; lengths of the edges.
  static VtkShape box(double x, double y, double z);
  // A square piece of the plane through the origin, with that normal.
  static VtkShape plane(const Vector3& normal, double width);
};

// Where a body is, and how it moves; the quaternion (w, x, y, z) turns body into inertial axes.
struct VtkPose {
  // Of the centre of mass, in the inertial frame.
  Vector3 position = Vector3::Zero();
  // Body to inertial axes.
  Eigen::Vector4d quaternion = Eigen::Vector4d::UnitX();
  // Of the centre of mass, in the inertial frame.
  Vector3 velocity = Vector3::Zero();
  Vector3 angularVelocity = Vector3::Zero();  // inertial frame
};

// write(t) makes PREFIX_bodies_000000.vtp and, where contacts are wanted, PREFIX_contacts_000000.vtp, counting frames, and
// PREFIX.pvd, which ParaView opens. Every file is complete or not there. Throws, naming the file. Systems, models and simulations
// must outlive the last write(); a body whose system has left its model is left out, and that system may be gone.
class VtkScene {
 public:
  // What stands for a body.
  enum class Style {
    Surfaces,  // the shapes; velocity and number of the body with every triangle
    Points     // centres of mass with orientation, velocities, size: for glyphs
  };
  explicit VtkScene(const std::string& prefix, Style style = Style::Surfaces);
  ~VtkScene();
  VtkScene(const VtkScene&) = delete;
  VtkScene& operator=(const VtkScene&) = delete;

  // A rigid body; a Lagrangian system with one to three coordinates (x, y, z); with `planar`, (x, y, angle).
  void addBody(const DynamicalSystem& system, VtkShape shape, bool planar = false);
  // Anything else. `number` is what the file shows as the number of the body.
  void addBody(std::function<VtkPose()> pose, VtkShape shape, int number = -1);
  // What does not move.
  void addFixed(const VtkPose& pose, VtkShape shape);
  // Contacts whose relation knows where they are.
  void addContacts(const Simulation& simulation, ContactChoice choice = ContactChoice::Active);

  // Writes a frame.
  void write(double time);
  // Frames written.
  long frames() const { return static_cast<long>(times_.size()); }
  // PREFIX.pvd is brought up to date by write() now and then, and by this and the destructor.
  void writeIndex();

 private:
  struct Body {
    std::function<bool(VtkPose&)> pose;  // false: not there
    VtkShape shape;
    int number;
  };
  void writeSurfaces(const std::string& path) const;
  void writePoints(const std::string& path) const;
  void writeContacts(const std::string& path) const;

  std::string prefix_;
  Style style_;
  std::vector<Body> bodies_;
  const Simulation* contacts_of_ = nullptr;
  ContactChoice choice_ = ContactChoice::Active;
  std::vector<double> times_;
  std::size_t indexed_ = 0;
};

}  // namespace nonsmooth::kernel
#endif
