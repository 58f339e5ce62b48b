// Geometries of contacts that need no user function: a ball (in the plane: a disc) of a body on a plane or on another ball. A
// ball of radius 0 is a corner. Points and directions are fixed in their body; those of body 2 in the ground where there is none.
#include "io/model_file_schema.hpp"

namespace nonsmooth::kernel::model_file {
namespace {

template <int dimension>
using Point = Eigen::Matrix<double, dimension, 1>;

template <int dimension>
struct Pose {
  Point<dimension> centre = Point<dimension>::Zero();
  Eigen::Matrix<double, dimension, dimension> rotation = Eigen::Matrix<double, dimension, dimension>::Identity();

  explicit Pose(const double* q) {
    if (q == nullptr) return;
    centre = Eigen::Map<const Point<dimension>>(q);
    if constexpr (dimension == 2)
      rotation = Eigen::Rotation2Dd(q[2]).toRotationMatrix();
    else
      rotation = rotationMatrix(q + 3);
  }
  Point<dimension> operator()(const Point<dimension>& point) const { return centre + rotation * point; }
};

template <int dimension>
struct Names {
  static constexpr const char* on_plane = dimension == 2 ? "DiscOnLine" : "SphereOnPlane";
  static constexpr const char* on_ball = dimension == 2 ? "DiscOnDisc" : "SphereOnSphere";
};

template <int dimension>
const ClassInfo& onPlaneClass() {
  static const ClassInfo info{Names<dimension>::on_plane,
                              dimension == 2 ? "a disc of body 1 on a line of body 2" : "a ball of body 1 on a plane of body 2",
                              {{"centre", Type::Vector, none, "in body 1; its centre of mass if not given"},
                               {"radius", Type::Number, "0", "[m]; 0: a corner"},
                               {"point", Type::Vector, none, "of the face, in body 2 or in the ground; the origin if not given"},
                               {"normal", Type::Vector, required, "of the face, towards body 1, in body 2 or in the ground"}}};
  return info;
}

template <int dimension>
const ClassInfo& onBallClass() {
  static const ClassInfo info{Names<dimension>::on_ball,
                              dimension == 2 ? "two discs" : "two balls",
                              {{"centre1", Type::Vector, none, "in body 1; its centre of mass if not given"},
                               {"radius1", Type::Number, "0", "[m]"},
                               {"centre2", Type::Vector, none, "in body 2 or in the ground; its origin if not given"},
                               {"radius2", Type::Number, "0", "[m]"}}};
  return info;
}

template <int dimension>
Point<dimension> point(const Object& from, const char* field) {
  const Vector value = from.vector(field);
  if (value.size() == 0) return Point<dimension>::Zero();
  if (value.size() != dimension)
    from.find(field)->refuse(std::to_string(value.size()) + " numbers, " + std::to_string(dimension) + " expected");
  return value;
}

double radius(const Object& from, const char* field) {
  const double value = from.number(field);
  if (value < 0) from.find(field)->refuse("the radius is negative");
  return value;
}

template <int dimension, class ContactPoint, class Geometry>
Geometry onPlane(const Node& node) {
  const Object from(node, onPlaneClass<dimension>());
  const auto centre = point<dimension>(from, "centre"), face = point<dimension>(from, "point");
  const Point<dimension> direction = point<dimension>(from, "normal");
  if (!(direction.norm() > 0)) from.find("normal")->refuse("the normal is zero");
  const Point<dimension> normal = direction.normalized();
  const double r = radius(from, "radius");
  return [=](double, const double* q1, const double* q2, ContactPoint& contact) {
    const Pose<dimension> body2(q2);
    const Point<dimension> at = Pose<dimension>(q1)(centre);
    contact.normal = body2.rotation * normal;
    const double height = contact.normal.dot(at - body2(face));
    contact.gap = height - r;
    contact.point1 = at - r * contact.normal;
    contact.point2 = at - height * contact.normal;
  };
}

template <int dimension, class ContactPoint, class Geometry>
Geometry onBall(const Node& node) {
  const Object from(node, onBallClass<dimension>());
  const auto centre1 = point<dimension>(from, "centre1"), centre2 = point<dimension>(from, "centre2");
  const double r1 = radius(from, "radius1"), r2 = radius(from, "radius2");
  return [=](double, const double* q1, const double* q2, ContactPoint& contact) {
    const Point<dimension> at1 = Pose<dimension>(q1)(centre1), at2 = Pose<dimension>(q2)(centre2);
    const double apart = (at1 - at2).norm();
    contact.normal = apart > 0 ? Point<dimension>((at1 - at2) / apart) : Point<dimension>(Point<dimension>::UnitX());
    contact.gap = apart - r1 - r2;
    contact.point1 = at1 - r1 * contact.normal;
    contact.point2 = at2 + r2 * contact.normal;
  };
}

template <int dimension, class ContactPoint, class Geometry>
Geometry geometry(const Object& relation) {
  const Node* plane = relation.find(Names<dimension>::on_plane);
  const Node* ball = relation.find(Names<dimension>::on_ball);
  if ((plane == nullptr) == (ball == nullptr))
    relation.node().refuse(std::string("one of ") + Names<dimension>::on_plane + " and " + Names<dimension>::on_ball +
                           " is needed");
  return plane != nullptr ? onPlane<dimension, ContactPoint, Geometry>(*plane) : onBall<dimension, ContactPoint, Geometry>(*ball);
}

template <int dimension>
std::vector<Property<Relation>> fields() {
  return {given<Relation>(Names<dimension>::on_plane, Type::Object, none, onPlaneClass<dimension>().meaning),
          given<Relation>(Names<dimension>::on_ball, Type::Object, none, onBallClass<dimension>().meaning)};
}

}  // namespace

std::vector<Property<Relation>> spatialGeometryFields() { return fields<3>(); }
std::vector<Property<Relation>> planarGeometryFields() { return fields<2>(); }

NewtonEulerContactR::Geometry spatialGeometry(const Object& relation) {
  return geometry<3, Contact, NewtonEulerContactR::Geometry>(relation);
}
PlanarContactR::Geometry planarGeometry(const Object& relation) {
  return geometry<2, PlanarContact, PlanarContactR::Geometry>(relation);
}

const std::vector<ClassInfo>& geometryClasses() {
  static const std::vector<ClassInfo> classes = {onPlaneClass<2>(), onBallClass<2>(), onPlaneClass<3>(), onBallClass<3>()};
  return classes;
}

}  // namespace nonsmooth::kernel::model_file
