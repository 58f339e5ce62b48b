// One time step of rigid bodies with contacts and joints, by Moreau's midpoint scheme in impulses:
//   M v+ = H r + G l + f,   f = M v- + h F,   u = H'v+ + w,   w = e u_N- - surface velocity,   G'v+ = 0
// (global), or with the velocities eliminated u = W r + q, W = H'M^-1 H, q = H'M^-1 f + w (local, without joints).
// Positions are those at the midpoint of the step. Body axes are parallel to the axes of the world.
#pragma once

#include <array>
#include <cstdint>
#include <nonsmooth/nonsmooth.hpp>
#include <vector>

namespace nonsmooth::collection {

using Vec3 = std::array<double, 3>;

inline Vec3 operator+(const Vec3& a, const Vec3& b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }
inline Vec3 operator-(const Vec3& a, const Vec3& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
inline Vec3 operator*(double s, const Vec3& a) { return {s * a[0], s * a[1], s * a[2]}; }
inline double dot(const Vec3& a, const Vec3& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
inline Vec3 cross(const Vec3& a, const Vec3& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

struct Body {
  double mass = 1;              // kg
  Vec3 inertia{1, 1, 1};        // kg m^2; in the plane only the last counts
  Vec3 position{};              // m
  Vec3 velocity{}, rotation{};  // m/s, rad/s, at the beginning of the step
  Vec3 force{};                 // N
  double radius = 0;            // of a sphere or a disc, whose contacts are found
};

struct Frame {
  Vec3 normal{}, tangent{}, second{};
};
// A right-handed frame for a given unit normal.
Frame frame_of(const Vec3& normal);

constexpr std::int32_t ground = -1;

struct Contact {
  std::int32_t body = 0, other = ground;
  Vec3 point{};
  Frame frame{};  // normal from `other` to `body`
  double mu = 0, mu_r = 0;
  double restitution = 0;
  Vec3 surface{};  // m/s, prescribed velocity of the other side: shaken ground, walls that close
  double gap = 0;  // m
};

// The point stays common to both bodies.
struct Joint {
  std::int32_t body = 0, other = ground;
  Vec3 point{};
};

// What spheres or discs fall into: half spaces, and the law of all contacts.
struct Container {
  struct Plane {
    Vec3 point{}, normal{};
  };
  std::vector<Plane> planes;
  double mu = 0.3, mu_r = 0, restitution = 0;
};

struct LocalData {
  std::int32_t dimension = 3;
  nsm::Matrix W;  // blocks of dimension x dimension
  nsm::Vector q, mu, mu_r;
  std::int64_t blocks = 0;  // stored in W
  std::int64_t contacts() const { return static_cast<std::int64_t>(mu.size()); }
};

struct GlobalData {
  std::int32_t dimension = 3;
  nsm::Matrix M, H, G;
  nsm::Vector f, w, mu, mu_r, b;
};

class RigidBodies {
 public:
  enum class Space { plane, space };
  enum class Law { friction, rolling };
  RigidBodies(Space space, Law law, double step) : space_(space), law_(law), step_(step) {}

  std::int32_t add(const Body& body);
  void add(const Contact& contact) { contacts_.push_back(contact); }
  void add(const Joint& joint) { joints_.push_back(joint); }

  Law law() const { return law_; }
  double step() const { return step_; }
  const Body& body(std::int32_t id) const { return bodies_[static_cast<std::size_t>(id)]; }
  std::int32_t dimension() const;  // of one contact
  std::int64_t contact_count() const { return static_cast<std::int64_t>(contacts_.size()); }
  LocalData local() const;  // joints are not condensed: there must be none
  GlobalData global() const;
  // The same as problems; generic: joints as equalities, then the contacts as friction, in one dense matrix.
  nsm::Problem local_problem() const;
  nsm::Problem global_problem() const;
  nsm::Problem generic_problem() const;

  // --- motion (motion.cpp) ---
  // One time step: velocities from `sweeps` of Gauss-Seidel over the contacts that touch, then positions. Contacts keep their
  // frames and move with the bodies, and inertia stays: for displacements that are small beside the bodies, and for spheres.
  void advance(int sweeps);
  // The contacts of spheres (discs) with each other and with the container, instead of those there are.
  void find_contacts(const Container& container);
  void shake(const Vec3& velocity);  // of the ground
  RigidBodies touching() const;      // without the contacts that are open

 private:
  static constexpr int largest_dofs = 6, largest_dimension = 5;
  // Rows of H' of one contact for the body and the other one, [row][degree of freedom].
  using Rows = std::array<std::array<double, largest_dofs>, largest_dimension>;
  struct Jacobian {
    std::int32_t body[2];
    Rows rows[2];
  };

  int dofs() const { return space_ == Space::plane ? 3 : 6; }
  std::array<double, largest_dofs> masses(std::int32_t body) const;
  std::array<double, largest_dofs> velocity(std::int32_t body, bool free) const;
  void write_linear(Jacobian& jacobian, int row, const Vec3& direction, const Vec3& point) const;
  void write_angular(Jacobian& jacobian, int row, const Vec3& axis) const;
  Jacobian jacobian(const Contact& contact) const;
  Jacobian jacobian(const Joint& joint) const;
  nsm::Vector given_velocities(const std::vector<Jacobian>& jacobians) const;
  double relative_velocity(const Jacobian& jacobian, int row, bool free) const;
  std::vector<std::vector<std::int32_t>> contacts_of_bodies() const;
  nsm::Matrix columns(const std::vector<Jacobian>& jacobians, int rows_each) const;
  Vec3 velocity_at(std::int32_t body, const Vec3& point) const;
  Vec3 drift(std::int32_t body, std::int32_t other, const Vec3& point) const;
  void add_between(std::int32_t body, std::int32_t other, const Container& container);
  class Sweeps;
  class Cubes;

  Space space_;
  Law law_;
  double step_;
  std::vector<Body> bodies_;
  std::vector<Contact> contacts_;
  std::vector<Joint> joints_;
};

}  // namespace nonsmooth::collection
