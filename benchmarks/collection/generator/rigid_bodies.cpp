#include "rigid_bodies.hpp"

#include <algorithm>
#include <cmath>

#include "dense.hpp"

namespace nonsmooth::collection {

Frame frame_of(const Vec3& normal) {
  const Vec3 axis = std::abs(normal[0]) < 0.7 ? Vec3{1, 0, 0} : Vec3{0, 1, 0};
  const Vec3 along = axis - dot(axis, normal) * normal;
  const Vec3 tangent = (1 / std::sqrt(dot(along, along))) * along;
  return {normal, tangent, cross(normal, tangent)};
}

std::int32_t RigidBodies::add(const Body& body) {
  bodies_.push_back(body);
  return static_cast<std::int32_t>(bodies_.size()) - 1;
}

std::int32_t RigidBodies::dimension() const {
  if (law_ == Law::friction) return space_ == Space::plane ? 2 : 3;
  return space_ == Space::plane ? 3 : 5;
}

std::array<double, RigidBodies::largest_dofs> RigidBodies::masses(std::int32_t body) const {
  const Body& b = bodies_[static_cast<std::size_t>(body)];
  if (space_ == Space::plane) return {b.mass, b.mass, b.inertia[2], 0, 0, 0};
  return {b.mass, b.mass, b.mass, b.inertia[0], b.inertia[1], b.inertia[2]};
}

// At the beginning of the step; free: after it, without reactions.
std::array<double, RigidBodies::largest_dofs> RigidBodies::velocity(std::int32_t body, bool free) const {
  const Body& b = bodies_[static_cast<std::size_t>(body)];
  const Vec3 v = free ? b.velocity + (step_ / b.mass) * b.force : b.velocity;
  if (space_ == Space::plane) return {v[0], v[1], b.rotation[2], 0, 0, 0};
  return {v[0], v[1], v[2], b.rotation[0], b.rotation[1], b.rotation[2]};
}

// Velocity of the point along the direction: d.v + (lever x d).omega, that of the other body counted negative.
void RigidBodies::write_linear(Jacobian& jacobian, int row, const Vec3& direction, const Vec3& point) const {
  for (int side = 0; side < 2; ++side) {
    if (jacobian.body[side] == ground) continue;
    const double sign = side == 0 ? 1.0 : -1.0;
    const Vec3 lever = point - bodies_[static_cast<std::size_t>(jacobian.body[side])].position;
    const Vec3 torque = cross(lever, direction);
    auto& entries = jacobian.rows[side][static_cast<std::size_t>(row)];
    if (space_ == Space::plane)
      entries = {sign * direction[0], sign * direction[1], sign * torque[2], 0, 0, 0};
    else
      for (std::size_t k = 0; k < 3; ++k) {
        entries[k] = sign * direction[k];
        entries[3 + k] = sign * torque[k];
      }
  }
}

void RigidBodies::write_angular(Jacobian& jacobian, int row, const Vec3& axis) const {
  for (int side = 0; side < 2; ++side) {
    if (jacobian.body[side] == ground) continue;
    const double sign = side == 0 ? 1.0 : -1.0;
    auto& entries = jacobian.rows[side][static_cast<std::size_t>(row)];
    if (space_ == Space::plane)
      entries[2] = sign * axis[2];
    else
      for (std::size_t k = 0; k < 3; ++k) entries[3 + k] = sign * axis[k];
  }
}

RigidBodies::Jacobian RigidBodies::jacobian(const Contact& contact) const {
  Jacobian result{{contact.body, contact.other}, {}};
  int row = 0;
  write_linear(result, row++, contact.frame.normal, contact.point);
  write_linear(result, row++, contact.frame.tangent, contact.point);
  if (space_ == Space::space) write_linear(result, row++, contact.frame.second, contact.point);
  if (law_ == Law::friction) return result;
  if (space_ == Space::plane) {
    write_angular(result, row++, {0, 0, 1});
  } else {
    write_angular(result, row++, contact.frame.tangent);
    write_angular(result, row++, contact.frame.second);
  }
  return result;
}

RigidBodies::Jacobian RigidBodies::jacobian(const Joint& joint) const {
  Jacobian result{{joint.body, joint.other}, {}};
  write_linear(result, 0, {1, 0, 0}, joint.point);
  write_linear(result, 1, {0, 1, 0}, joint.point);
  if (space_ == Space::space) write_linear(result, 2, {0, 0, 1}, joint.point);
  return result;
}

double RigidBodies::relative_velocity(const Jacobian& jacobian, int row, bool free) const {
  double sum = 0;
  for (int side = 0; side < 2; ++side) {
    if (jacobian.body[side] == ground) continue;
    const auto v = velocity(jacobian.body[side], free);
    for (std::size_t k = 0; k < v.size(); ++k) sum += jacobian.rows[side][static_cast<std::size_t>(row)][k] * v[k];
  }
  return sum + 0.0;
}

nsm::Vector RigidBodies::given_velocities(const std::vector<Jacobian>& jacobians) const {
  const auto d = static_cast<std::size_t>(dimension());
  nsm::Vector w(jacobians.size() * d);
  for (std::size_t c = 0; c < jacobians.size(); ++c) {
    const Contact& contact = contacts_[c];
    w[c * d] = contact.restitution * relative_velocity(jacobians[c], 0, false) - dot(contact.frame.normal, contact.surface) + 0.0;
    w[c * d + 1] = 0.0 - dot(contact.frame.tangent, contact.surface);
    if (space_ == Space::space) w[c * d + 2] = 0.0 - dot(contact.frame.second, contact.surface);
  }
  return w;
}

std::vector<std::vector<std::int32_t>> RigidBodies::contacts_of_bodies() const {
  std::vector<std::vector<std::int32_t>> lists(bodies_.size());
  for (std::size_t c = 0; c < contacts_.size(); ++c)
    for (std::int32_t body : {contacts_[c].body, contacts_[c].other})
      if (body != ground) lists[static_cast<std::size_t>(body)].push_back(static_cast<std::int32_t>(c));
  return lists;
}

LocalData RigidBodies::local() const {
  const int d = dimension();
  LocalData data;
  data.dimension = d;
  std::vector<Jacobian> jacobians;
  for (const Contact& contact : contacts_) jacobians.push_back(jacobian(contact));
  data.q = given_velocities(jacobians);
  const auto lists = contacts_of_bodies();
  nsm::Indices start{0}, index;
  nsm::Vector values;
  for (std::size_t a = 0; a < contacts_.size(); ++a) {
    std::vector<std::int32_t> neighbours;
    for (std::int32_t body : jacobians[a].body)
      if (body != ground)
        neighbours.insert(neighbours.end(), lists[static_cast<std::size_t>(body)].begin(),
                          lists[static_cast<std::size_t>(body)].end());
    std::sort(neighbours.begin(), neighbours.end());
    neighbours.erase(std::unique(neighbours.begin(), neighbours.end()), neighbours.end());
    for (std::int32_t b : neighbours) {
      const Jacobian& other = jacobians[static_cast<std::size_t>(b)];
      double block[largest_dimension * largest_dimension]{};
      for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 2; ++j) {
          if (jacobians[a].body[i] == ground || jacobians[a].body[i] != other.body[j]) continue;
          const auto mass = masses(other.body[j]);
          for (int col = 0; col < d; ++col)
            for (int row = 0; row < d; ++row)
              for (std::size_t k = 0; k < static_cast<std::size_t>(dofs()); ++k)
                block[row + d * col] += jacobians[a].rows[i][static_cast<std::size_t>(row)][k] *
                                        other.rows[j][static_cast<std::size_t>(col)][k] / mass[k];
        }
      index.push_back(b);
      for (int k = 0; k < d * d; ++k) values.push_back(block[k] + 0.0);
    }
    start.push_back(static_cast<std::int32_t>(index.size()));
    for (int row = 0; row < d; ++row)
      data.q[a * static_cast<std::size_t>(d) + static_cast<std::size_t>(row)] += relative_velocity(jacobians[a], row, true);
    data.mu.push_back(contacts_[a].mu);
    data.mu_r.push_back(contacts_[a].mu_r);
  }
  data.blocks = static_cast<std::int64_t>(index.size());
  data.W = nsm::Matrix::block_csr(d, contact_count(), contact_count(), std::move(start), std::move(index), std::move(values));
  return data;
}

// H or G: one column per row of the Jacobians, without the zeros.
nsm::Matrix RigidBodies::columns(const std::vector<Jacobian>& jacobians, int rows_each) const {
  nsm::Indices start{0}, index;
  nsm::Vector values;
  const int n = dofs();
  for (const Jacobian& jacobian : jacobians)
    for (int row = 0; row < rows_each; ++row) {
      for (int side = 0; side < 2; ++side) {
        if (jacobian.body[side] == ground) continue;
        for (int k = 0; k < n; ++k) {
          const double value = jacobian.rows[side][static_cast<std::size_t>(row)][static_cast<std::size_t>(k)];
          if (value == 0) continue;
          index.push_back(jacobian.body[side] * n + k);
          values.push_back(value);
        }
      }
      start.push_back(static_cast<std::int32_t>(index.size()));
    }
  const auto cols = static_cast<std::int64_t>(jacobians.size()) * rows_each;
  return nsm::Matrix::csc(static_cast<std::int64_t>(bodies_.size()) * n, cols, std::move(start), std::move(index),
                          std::move(values));
}

GlobalData RigidBodies::global() const {
  GlobalData data;
  data.dimension = dimension();
  const int n = dofs();
  nsm::Indices start{0}, index;
  nsm::Vector diagonal;
  for (std::size_t body = 0; body < bodies_.size(); ++body) {
    const auto mass = masses(static_cast<std::int32_t>(body)), v = velocity(static_cast<std::int32_t>(body), true);
    for (std::size_t k = 0; k < static_cast<std::size_t>(n); ++k) {
      index.push_back(static_cast<std::int32_t>(diagonal.size()));
      diagonal.push_back(mass[k]);
      start.push_back(static_cast<std::int32_t>(diagonal.size()));
      data.f.push_back(mass[k] * v[k] + 0.0);
    }
  }
  const auto size = static_cast<std::int64_t>(diagonal.size());
  data.M = nsm::Matrix::csc(size, size, std::move(start), std::move(index), std::move(diagonal));
  std::vector<Jacobian> jacobians;
  for (const Contact& contact : contacts_) {
    jacobians.push_back(jacobian(contact));
    data.mu.push_back(contact.mu);
    data.mu_r.push_back(contact.mu_r);
  }
  data.H = columns(jacobians, data.dimension);
  data.w = given_velocities(jacobians);
  if (joints_.empty()) return data;
  jacobians.clear();
  for (const Joint& joint : joints_) jacobians.push_back(jacobian(joint));
  data.G = columns(jacobians, space_ == Space::plane ? 2 : 3);
  data.b.assign(static_cast<std::size_t>(data.G.cols()), 0.0);
  return data;
}

nsm::Problem RigidBodies::local_problem() const {
  const LocalData data = local();
  return law_ == Law::rolling ? nsm::Problem::rolling(data.dimension, data.W, data.q, data.mu, data.mu_r)
                              : nsm::Problem::friction(data.dimension, data.W, data.q, data.mu);
}

nsm::Problem RigidBodies::global_problem() const {
  const GlobalData data = global();
  return law_ == Law::rolling
             ? nsm::Problem::global_rolling(data.dimension, data.M, data.H, data.f, data.w, data.mu, data.mu_r, data.G, data.b)
             : nsm::Problem::global_friction(data.dimension, data.M, data.H, data.f, data.w, data.mu, data.G, data.b);
}

nsm::Problem RigidBodies::generic_problem() const {
  const GlobalData data = global();
  const nsm_matrix mass = data.M.view(), parts[] = {data.G.view(), data.H.view()};
  const auto bilateral = static_cast<int>(data.G.cols()), n = bilateral + static_cast<int>(data.H.cols());
  Dense J(n, static_cast<int>(mass.rows)), scaled = J;  // rows of G' and H'; the same times M^-1/2
  nsm::Vector q(static_cast<std::size_t>(n), 0.0);
  for (int row = 0; row < n; ++row) {
    const nsm_matrix& columns = parts[row < bilateral ? 0 : 1];
    const int column = row < bilateral ? row : row - bilateral;
    for (std::int32_t k = columns.start[column]; k < columns.start[column + 1]; ++k) {
      const std::int32_t i = columns.index[k];
      J(row, i) = columns.values[k];
      scaled(row, i) = J(row, i) / std::sqrt(mass.values[i]);
      q[static_cast<std::size_t>(row)] += J(row, i) * data.f[static_cast<std::size_t>(i)] / mass.values[i];
    }
    if (row >= bilateral) q[static_cast<std::size_t>(row)] += data.w[static_cast<std::size_t>(column)];
  }
  const bool plane = space_ == Space::plane;
  nsm::Indices kind(joints_.size(), NSM_BLOCK_EQUALITY), size(joints_.size(), plane ? 2 : 3);
  kind.resize(joints_.size() + contacts_.size(), plane ? NSM_BLOCK_FRICTION_2D : NSM_BLOCK_FRICTION_3D);
  size.resize(kind.size(), dimension());
  nsm::Vector mu(joints_.size(), 0.0);
  mu.insert(mu.end(), data.mu.begin(), data.mu.end());
  return nsm::Problem::generic(scaled.gram().matrix(), q, kind, size, mu);
}

}  // namespace nonsmooth::collection
