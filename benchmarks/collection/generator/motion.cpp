// Simulation of the scenes, with nothing but additions, multiplications, divisions and square roots, so that what is captured
// from it is the same on every machine: a simulation with the solvers of the library is not, for BLAS orders its sums as the
// processor likes, and piles are chaotic. The answers need not be accurate: the state is an honest state of a moving scene, and
// the problem is what is captured.
#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "rigid_bodies.hpp"

namespace nonsmooth::collection {

// Projected Gauss-Seidel on the velocities of the bodies (Jourdan, Alart and Jean 1998), the law row by row: normal, tangent,
// rolling.
class RigidBodies::Sweeps {
 public:
  explicit Sweeps(const RigidBodies& scene) : scene_(scene) {
    for (std::size_t k = 0; k < scene.bodies_.size(); ++k) {
      const auto body = static_cast<std::int32_t>(k);
      velocity_.push_back(scene.velocity(body, true));
      inverse_.push_back(scene.masses(body));
      for (int d = 0; d < scene.dofs(); ++d)
        inverse_.back()[static_cast<std::size_t>(d)] = 1 / inverse_.back()[static_cast<std::size_t>(d)];
    }
    for (const Contact& contact : scene.contacts_) contacts_.push_back(rows_of(scene.jacobian(contact), scene.dimension()));
    for (const Joint& joint : scene.joints_)
      joints_.push_back(rows_of(scene.jacobian(joint), scene.space_ == Space::plane ? 2 : 3));
    given_.resize(contacts_.size() * static_cast<std::size_t>(scene.dimension()));
    std::vector<Jacobian> jacobians;
    for (const Block& block : contacts_) jacobians.push_back(block.jacobian);
    given_ = scene.given_velocities(jacobians);
  }

  void sweep() {
    for (Block& joint : joints_)
      for (int row = 0; row < joint.rows; ++row) push(joint, row, -velocity(joint, row) / joint.diagonal[row]);
    for (std::size_t c = 0; c < contacts_.size(); ++c) solve(c);
  }
  const std::array<double, largest_dofs>& velocity(std::size_t body) const { return velocity_[body]; }

 private:
  struct Block {
    Jacobian jacobian;
    int rows;
    double diagonal[largest_dimension], impulse[largest_dimension];
  };

  Block rows_of(const Jacobian& jacobian, int rows) const {
    Block block{jacobian, rows, {}, {}};
    for (int row = 0; row < rows; ++row)
      for (int side = 0; side < 2; ++side) {
        if (jacobian.body[side] == ground) continue;
        const auto& inverse = inverse_[static_cast<std::size_t>(jacobian.body[side])];
        const auto& entries = jacobian.rows[side][static_cast<std::size_t>(row)];
        for (std::size_t k = 0; k < inverse.size(); ++k) block.diagonal[row] += entries[k] * entries[k] * inverse[k];
      }
    return block;
  }

  double velocity(const Block& block, int row) const {
    double sum = 0;
    for (int side = 0; side < 2; ++side) {
      if (block.jacobian.body[side] == ground) continue;
      const auto& v = velocity_[static_cast<std::size_t>(block.jacobian.body[side])];
      const auto& entries = block.jacobian.rows[side][static_cast<std::size_t>(row)];
      for (std::size_t k = 0; k < v.size(); ++k) sum += entries[k] * v[k];
    }
    return sum;
  }

  void push(Block& block, int row, double change) {
    block.impulse[row] += change;
    for (int side = 0; side < 2; ++side) {
      if (block.jacobian.body[side] == ground) continue;
      const auto body = static_cast<std::size_t>(block.jacobian.body[side]);
      const auto& entries = block.jacobian.rows[side][static_cast<std::size_t>(row)];
      for (std::size_t k = 0; k < entries.size(); ++k) velocity_[body][k] += change * inverse_[body][k] * entries[k];
    }
  }

  // Rows first .. first + count - 1, to a length of `bound` at most.
  void solve_disc(Block& block, std::size_t given, int first, int count, double bound) {
    double aim[2]{}, square = 0, diagonal = 0;
    for (int k = 0; k < count; ++k) diagonal = std::max(diagonal, block.diagonal[first + k]);
    for (int k = 0; k < count; ++k) {
      const double u = velocity(block, first + k) + given_[given + static_cast<std::size_t>(first + k)];
      aim[k] = block.impulse[first + k] - u / diagonal;
      square += aim[k] * aim[k];
    }
    const double length = std::sqrt(square), scale = length > bound ? bound / length : 1;
    for (int k = 0; k < count; ++k) push(block, first + k, scale * aim[k] - block.impulse[first + k]);
  }

  void solve(std::size_t c) {
    Block& block = contacts_[c];
    const Contact& contact = scene_.contacts_[c];
    const std::size_t given = c * static_cast<std::size_t>(block.rows);
    const double u = velocity(block, 0) + given_[given];
    push(block, 0, std::max(0.0, block.impulse[0] - u / block.diagonal[0]) - block.impulse[0]);
    const int tangents = scene_.space_ == Space::plane ? 1 : 2;
    solve_disc(block, given, 1, tangents, contact.mu * block.impulse[0]);
    if (scene_.law_ == Law::rolling) solve_disc(block, given, 1 + tangents, tangents, contact.mu_r * block.impulse[0]);
  }

  const RigidBodies& scene_;
  std::vector<std::array<double, largest_dofs>> velocity_, inverse_;
  std::vector<Block> contacts_, joints_;
  nsm::Vector given_;
};

Vec3 RigidBodies::velocity_at(std::int32_t body, const Vec3& point) const {
  if (body == ground) return {};
  const Body& b = bodies_[static_cast<std::size_t>(body)];
  return b.velocity + cross(b.rotation, point - b.position);
}

// Of a point between two bodies, in one step: with the body that is not the ground, or with the mean of both.
Vec3 RigidBodies::drift(std::int32_t body, std::int32_t other, const Vec3& point) const {
  const Vec3 v = velocity_at(body, point);
  return step_ * (other == ground ? v : 0.5 * (v + velocity_at(other, point)));
}

void RigidBodies::advance(int sweeps) {
  const RigidBodies closed = touching();
  Sweeps solver(closed);
  for (int k = 0; k < sweeps; ++k) solver.sweep();
  for (std::size_t k = 0; k < bodies_.size(); ++k) {
    const auto& v = solver.velocity(k);
    Body& body = bodies_[k];
    body.velocity = {v[0], v[1], space_ == Space::plane ? 0 : v[2]};
    body.rotation = space_ == Space::plane ? Vec3{0, 0, v[2]} : Vec3{v[3], v[4], v[5]};
  }
  for (Contact& contact : contacts_) {
    const Vec3 relative = velocity_at(contact.body, contact.point) - velocity_at(contact.other, contact.point) - contact.surface;
    contact.gap += step_ * dot(contact.frame.normal, relative);
    contact.point = contact.point + drift(contact.body, contact.other, contact.point);
  }
  for (Joint& joint : joints_) joint.point = joint.point + drift(joint.body, joint.other, joint.point);
  for (Body& body : bodies_) body.position = body.position + step_ * body.velocity;
}

RigidBodies RigidBodies::touching() const {
  RigidBodies closed = *this;
  std::erase_if(closed.contacts_, [](const Contact& contact) { return contact.gap > 0; });
  return closed;
}

void RigidBodies::shake(const Vec3& velocity) {
  for (Contact& contact : contacts_)
    if (contact.other == ground) contact.surface = velocity;
}

void RigidBodies::add_between(std::int32_t body, std::int32_t other, const Container& container) {
  const Body &a = bodies_[static_cast<std::size_t>(body)], &b = bodies_[static_cast<std::size_t>(other)];
  const Vec3 line = a.position - b.position;
  const double square = dot(line, line), reach = a.radius + b.radius;
  if (square > reach * reach) return;
  const Vec3 normal = (1 / std::sqrt(square)) * line;
  const Frame frame = space_ == Space::plane ? Frame{normal, {normal[1], -normal[0], 0}, {0, 0, 1}} : frame_of(normal);
  contacts_.push_back({body, other, b.position + b.radius * normal, frame, container.mu, container.mu_r, container.restitution});
}

// Bodies by cubes a little larger than the largest of them: what touches a body lies in its cube or in one beside it.
class RigidBodies::Cubes {
 public:
  explicit Cubes(const std::vector<Body>& bodies) {
    for (const Body& body : bodies) edge_ = std::max(edge_, 2.1 * body.radius);
  }
  void add(std::int32_t id, const Vec3& position) { members_[key(position, {})].push_back(id); }
  // In ascending order.
  const std::vector<std::int32_t>& around(const Vec3& position) {
    near_.clear();
    for (int x : {-1, 0, 1})
      for (int y : {-1, 0, 1})
        for (int z : {-1, 0, 1})
          if (const auto cube = members_.find(key(position, {x, y, z})); cube != members_.end())
            near_.insert(near_.end(), cube->second.begin(), cube->second.end());
    std::sort(near_.begin(), near_.end());
    return near_;
  }

 private:
  std::int64_t key(const Vec3& position, const std::array<int, 3>& shift) const {
    constexpr std::int64_t most = 1 << 20;  // cubes in a direction
    std::int64_t key = 0;
    for (std::size_t k = 0; k < 3; ++k)
      key = key * most + static_cast<std::int64_t>(std::floor(position[k] / edge_)) + shift[k] + most / 2;
    return key;
  }

  double edge_ = 0;
  std::unordered_map<std::int64_t, std::vector<std::int32_t>> members_;
  std::vector<std::int32_t> near_;
};

void RigidBodies::find_contacts(const Container& container) {
  contacts_.clear();
  Cubes cubes(bodies_);
  for (std::size_t k = 0; k < bodies_.size(); ++k) {
    const auto id = static_cast<std::int32_t>(k);
    for (const auto& [point, normal] : container.planes) {
      const double height = dot(normal, bodies_[k].position - point);
      if (height > bodies_[k].radius) continue;
      const Frame frame = space_ == Space::plane ? Frame{normal, {normal[1], -normal[0], 0}, {0, 0, 1}} : frame_of(normal);
      contacts_.push_back(
          {id, ground, bodies_[k].position - height * normal, frame, container.mu, container.mu_r, container.restitution});
    }
    for (const std::int32_t other : cubes.around(bodies_[k].position)) add_between(id, other, container);
    cubes.add(id, bodies_[k].position);
  }
}

}  // namespace nonsmooth::collection
