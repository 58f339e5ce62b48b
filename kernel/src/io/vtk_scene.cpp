#include "nonsmooth/kernel/vtk_scene.hpp"

#include <charconv>
#include <cmath>
#include <cstdio>

#include "io/atomic_file.hpp"
#include "io/markup.hpp"
#include "io/presence.hpp"
#include "io/vtk_polydata.hpp"

namespace nonsmooth::kernel {
namespace {

using At = VtkPolyData::At;

std::string frameFile(const std::string& prefix, const char* part, std::size_t frame) {
  char number[32];
  std::snprintf(number, sizeof number, "_%06zu.vtp", frame);
  return prefix + "_" + part + number;
}

VtkPose poseOf(const DynamicalSystem& system, bool planar) {
  VtkPose pose;
  const VectorView q = system.coordinates(Coordinate::q), v = system.motion(Motion::v);
  if (system.kind() == SystemKind::NewtonEuler) {
    pose.position = q.head<3>();
    pose.quaternion = q.tail<4>();
    pose.velocity = v.head<3>();
    pose.angularVelocity = rotationMatrix(q.data() + 3) * v.tail<3>();
  } else if (planar) {
    pose.position.head<2>() = q.head<2>();
    pose.quaternion << std::cos(0.5 * q[2]), 0, 0, std::sin(0.5 * q[2]);
    pose.velocity.head<2>() = v.head<2>();
    pose.angularVelocity.z() = v[2];
  } else {
    pose.position.head(q.size()) = q;
    pose.velocity.head(v.size()) = v;
  }
  return pose;
}

}  // namespace

VtkScene::VtkScene(const std::string& prefix, Style style) : prefix_(prefix), style_(style) {}

VtkScene::~VtkScene() {
  try {
    writeIndex();
  } catch (const std::exception&) {
    // Told to those who call writeIndex().
  }
}

void VtkScene::addBody(const DynamicalSystem& system, VtkShape shape, bool planar) {
  const Index coordinates = system.slot().nq;
  const bool known = system.kind() == SystemKind::NewtonEuler ||
                     (system.kind() == SystemKind::Lagrangian && (planar ? coordinates == 3 : coordinates <= 3));
  if (!known)
    fail("%s: where a %s with %lld coordinates is in space is not known: give a function", prefix_.c_str(), system.className(),
         static_cast<long long>(coordinates));
  bodies_.push_back({[&system, planar, here = Presence(system)](VtkPose& pose) {
                       if (!here()) return false;
                       pose = poseOf(system, planar);
                       return true;
                     },
                     std::move(shape), system.number()});
}

void VtkScene::addBody(std::function<VtkPose()> pose, VtkShape shape, int number) {
  if (!pose) fail("%s: body %d has no function that gives its pose", prefix_.c_str(), number);
  bodies_.push_back({[pose = std::move(pose)](VtkPose& out) {
                       out = pose();
                       return true;
                     },
                     std::move(shape), number});
}

void VtkScene::addFixed(const VtkPose& pose, VtkShape shape) {
  addBody([pose] { return pose; }, std::move(shape));
}

void VtkScene::addContacts(const Simulation& simulation, ContactChoice choice) {
  contacts_of_ = &simulation;
  choice_ = choice;
}

void VtkScene::writeSurfaces(const std::string& path) const {
  VtkPolyData data;
  std::vector<std::int32_t>& number = data.integers(At::Cells, "body");
  std::vector<float>& velocity = data.reals(At::Cells, "velocity", 3);
  std::vector<float>& angular = data.reals(At::Cells, "angular_velocity", 3);
  for (const Body& body : bodies_) {
    VtkPose pose;
    if (!body.pose(pose)) continue;
    const Matrix3 rotation = rotationMatrix(pose.quaternion.data());
    const std::int64_t first = data.points();
    for (const Vector3& point : body.shape.points) data.addPoint(pose.position + rotation * point);
    for (const auto& [a, b, c] : body.shape.triangles) {
      data.addTriangle(first + a, first + b, first + c);
      number.push_back(body.number);
      append(velocity, pose.velocity);
      append(angular, pose.angularVelocity);
    }
  }
  writeAtomically(path, data.text(), false);
}

void VtkScene::writePoints(const std::string& path) const {
  VtkPolyData data;
  std::vector<std::int32_t>& number = data.integers(At::Points, "body");
  std::vector<float>& velocity = data.reals(At::Points, "velocity", 3);
  std::vector<float>& angular = data.reals(At::Points, "angular_velocity", 3);
  std::vector<float>& size = data.reals(At::Points, "size", 3);
  std::vector<float>& quaternion = data.reals(At::Points, "quaternion", 4);
  for (const Body& body : bodies_) {
    VtkPose pose;
    if (!body.pose(pose)) continue;
    data.addPoint(pose.position);
    number.push_back(body.number);
    append(velocity, pose.velocity);
    append(angular, pose.angularVelocity);
    append(size, body.shape.size);
    for (const double entry : pose.quaternion) quaternion.push_back(static_cast<float>(entry));
  }
  writeAtomically(path, data.text(), false);
}

void VtkScene::writeContacts(const std::string& path) const {
  VtkPolyData data;
  std::vector<std::int32_t>& number = data.integers(At::Points, "interaction");
  std::vector<std::int32_t>& body1 = data.integers(At::Points, "body1");
  std::vector<std::int32_t>& body2 = data.integers(At::Points, "body2");
  std::vector<float>& gap = data.reals(At::Points, "gap", 1);
  std::vector<float>& normal = data.reals(At::Points, "normal", 3);
  std::vector<float>& impulse = data.reals(At::Points, "impulse", 3);
  forEachContact(*contacts_of_, choice_, [&](const ContactState& contact) {
    if (!contact.frame) return;
    data.addPoint(0.5 * (contact.frame->point1 + contact.frame->point2));
    number.push_back(contact.interaction.handle().index);
    body1.push_back(static_cast<std::int32_t>(contact.system[0]));
    body2.push_back(static_cast<std::int32_t>(contact.system[1]));
    gap.push_back(static_cast<float>(contact.interaction.y(0)[0]));
    append(normal, contact.frame->normal);
    append(impulse, contact.impulse());
  });
  writeAtomically(path, data.text(), false);
}

void VtkScene::write(double time) {
  const std::size_t frame = times_.size();
  const std::string path = frameFile(prefix_, "bodies", frame);
  if (style_ == Style::Surfaces)
    writeSurfaces(path);
  else
    writePoints(path);
  if (contacts_of_ != nullptr) writeContacts(frameFile(prefix_, "contacts", frame));
  times_.push_back(time);
  // The index is written whole: with every frame at first, then whenever it has grown by 1 in 50, so that its cost stays small.
  if (times_.size() - indexed_ > times_.size() / 50) writeIndex();
}

void VtkScene::writeIndex() {
  if (indexed_ == times_.size()) return;
  const auto slash = prefix_.rfind('/');
  const std::string name = escaped(slash == std::string::npos ? prefix_ : prefix_.substr(slash + 1));
  std::string text = "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\">\n<Collection>\n";
  for (std::size_t frame = 0; frame < times_.size(); ++frame) {
    char instant[32];
    *std::to_chars(instant, instant + sizeof instant - 1, times_[frame]).ptr = 0;
    const auto entry = [&](const char* part, const char* number) {
      text += std::string("<DataSet timestep=\"") + instant + "\" part=\"" + number + "\" name=\"" + part + "\" file=\"" +
              frameFile(name, part, frame) + "\"/>\n";
    };
    entry("bodies", "0");
    if (contacts_of_ != nullptr) entry("contacts", "1");
  }
  writeAtomically(prefix_ + ".pvd", text + "</Collection>\n</VTKFile>\n", false);
  indexed_ = times_.size();
}

}  // namespace nonsmooth::kernel
