// Mechanisms in the plane: bodies pinned to each other, brakes in the pins, contacts with the ground. Velocities of 0 keep all
// pins and contacts, so that every problem is feasible. For tests and benchmarks.
#pragma once

#include <array>
#include <cmath>
#include <vector>

#include "generators.hpp"
#include "sparse_programmes.hpp"

namespace generate {

class Mechanism {
 public:
  static constexpr int ground = -1;

  explicit Mechanism(Random& random) : random_(random) {}
  // With a random mass and velocity, falling.
  int add_body() {
    const double mass = random_.magnitude(-0.5, 0.5);
    bodies_.push_back(
        {{1 / mass, 1 / mass, 6 / mass}, {0.5 * random_.normal(), 0.5 * random_.normal() - 0.2, 0.5 * random_.normal()}});
    return static_cast<int>(bodies_.size()) - 1;
  }
  void pin(int a, int b) {
    const Point at_a = point(), at_b = point();
    add_block(NSM_BLOCK_EQUALITY, 0, {row(a, b, {1, 0}, at_a, at_b), row(a, b, {0, 1}, at_a, at_b)});
  }
  // Friction of at most so much torque against the turning of a pin.
  void brake(int a, int b, double torque) { add_block(NSM_BLOCK_RELAY, torque, {{a, {0, 0, 1}, b, {0, 0, -1}}}); }
  void contact(int a, int b, double mu) {
    const double angle = b == ground ? 0.1 * random_.normal() : random_.uniform(0, 6.28);
    const Point at_a = point(), at_b = point(), normal{-std::sin(angle), std::cos(angle)}, tangent{normal[1], -normal[0]};
    add_block(NSM_BLOCK_FRICTION_2D, mu, {row(a, b, normal, at_a, at_b), row(a, b, tangent, at_a, at_b)});
  }

  nsm::Problem generic() const {
    std::vector<std::vector<int>> rows_of(bodies_.size());
    for (int i = 0; i < size(); ++i) {
      rows_of[at(rows_[at(i)].a)].push_back(i);
      if (rows_[at(i)].b != ground) rows_of[at(rows_[at(i)].b)].push_back(i);
    }
    Entries W(size(), size());
    for (std::size_t body = 0; body < bodies_.size(); ++body)
      for (int j : rows_of[body])
        for (int i : rows_of[body])
          for (std::size_t k = 0; k < 3; ++k) W.add(i, j, part(i, body)[k] * part(j, body)[k] * bodies_[body].inverse_mass[k]);
    Values lo, hi;
    for (std::size_t b = 0; b < kinds_.size(); ++b) {
      lo.insert(lo.end(), at(sizes_[b]), -bounds_[b]);
      hi.insert(hi.end(), at(sizes_[b]), bounds_[b]);
    }
    return nsm::Problem::generic(W.matrix(), q(), kinds_, sizes_, bounds_, lo, hi);
  }
  // The free velocities of its rows, of bodies so many times as fast.
  Values q(double times = 1) const {
    Values q(rows_.size(), 0.0);
    for (int i = 0; i < size(); ++i)
      for (std::size_t k = 0; k < 3; ++k) {
        const Row& row = rows_[at(i)];
        q[at(i)] += times * row.of_a[k] * bodies_[at(row.a)].velocity[k];
        if (row.b != ground) q[at(i)] += times * row.of_b[k] * bodies_[at(row.b)].velocity[k];
      }
    return q;
  }
  // Without brakes.
  nsm::Problem global() const {
    const int n = 3 * static_cast<int>(bodies_.size());
    Entries M(n, n);
    Values f, mu;
    for (int i = 0; i < n; ++i) {
      const Body& body = bodies_[at(i / 3)];
      M.add(i, i, 1 / body.inverse_mass[at(i % 3)]);
      f.push_back(body.velocity[at(i % 3)] / body.inverse_mass[at(i % 3)]);
    }
    for (std::size_t b = 0; b < kinds_.size(); ++b)
      if (kinds_[b] == NSM_BLOCK_FRICTION_2D) mu.push_back(bounds_[b]);
    const Entries G = columns(NSM_BLOCK_EQUALITY), H = columns(NSM_BLOCK_FRICTION_2D);
    const Values b(at(G.cols()), 0.0), w(at(H.cols()), 0.0);
    return nsm::Problem::global_friction(2, M.matrix(), H.matrix(), f, w, mu, G.matrix(), b);
  }

 private:
  using Point = std::array<double, 2>;
  using Velocity = std::array<double, 3>;
  struct Body {
    Velocity inverse_mass, velocity;
  };
  struct Row {
    int a;
    Velocity of_a;
    int b;
    Velocity of_b;
  };

  int size() const { return static_cast<int>(rows_.size()); }
  Point point() { return {random_.uniform(-0.5, 0.5), random_.uniform(-0.5, 0.5)}; }
  // Velocity of a at its point relative to b at its own, along a direction.
  static Row row(int a, int b, const Point& along, const Point& at_a, const Point& at_b) {
    const auto turn = [&](const Point& arm) { return arm[0] * along[1] - arm[1] * along[0]; };
    return {a, {along[0], along[1], turn(at_a)}, b, {-along[0], -along[1], -turn(at_b)}};
  }
  const Velocity& part(int i, std::size_t body) const {
    const Row& row = rows_[at(i)];
    return at(row.a) == body ? row.of_a : row.of_b;
  }
  // bound: mu, or the largest torque
  void add_block(nsm_block_kind kind, double bound, const std::vector<Row>& rows) {
    kinds_.push_back(kind);
    sizes_.push_back(static_cast<std::int32_t>(rows.size()));
    bounds_.push_back(bound);
    rows_.insert(rows_.end(), rows.begin(), rows.end());
  }
  Entries columns(nsm_block_kind kind) const {
    std::vector<Row> chosen;
    int i = 0;
    for (std::size_t b = 0; b < kinds_.size(); ++b)
      for (int k = 0; k < sizes_[b]; ++k, ++i)
        if (kinds_[b] == kind) chosen.push_back(rows_[at(i)]);
    Entries columns(3 * static_cast<int>(bodies_.size()), static_cast<int>(chosen.size()));
    for (int j = 0; j < columns.cols(); ++j)
      for (int k = 0; k < 3; ++k) {
        const Row& row = chosen[at(j)];
        columns.add(3 * row.a + k, j, row.of_a[at(k)]);
        if (row.b != ground) columns.add(3 * row.b + k, j, row.of_b[at(k)]);
      }
    return columns;
  }

  Random& random_;
  std::vector<Body> bodies_;
  std::vector<Row> rows_;
  nsm::Indices kinds_, sizes_;
  Values bounds_;
};

// Links that hang on the ground one by one; some touch it.
inline Mechanism rope(Random& random, int links) {
  Mechanism m(random);
  for (int k = 0; k < links; ++k) {
    const int body = m.add_body();
    m.pin(body, k == 0 ? Mechanism::ground : body - 1);
    if (k % 3 == 0) m.contact(body, Mechanism::ground, random.uniform(0.1, 0.8));
  }
  return m;
}

// The same with brakes, and more that touch.
inline Mechanism robot(Random& random, int links) {
  Mechanism m(random);
  for (int k = 0; k < links; ++k) {
    const int body = m.add_body(), before = k == 0 ? Mechanism::ground : body - 1;
    m.pin(body, before);
    m.brake(body, before, random.uniform(0.02, 0.5));
    if (k % 5 < 3) m.contact(body, Mechanism::ground, random.uniform(0.1, 0.8));
  }
  return m;
}

// side^2 bodies pinned to their neighbours in two directions: a frame that cannot move, with more pins than hold it.
inline Mechanism net(Random& random, int side) {
  Mechanism m(random);
  for (int k = 0; k < side * side; ++k) {
    const int body = m.add_body();
    if (k % side != 0) m.pin(body, body - 1);
    if (k >= side) m.pin(body, body - side);
    if (k % 2 == 0) m.contact(body, Mechanism::ground, random.uniform(0.1, 0.8));
  }
  return m;
}

// Side by side on the ground, each touching the next.
inline Mechanism row_of_bodies(Random& random, int bodies) {
  Mechanism m(random);
  for (int k = 0; k < bodies; ++k) {
    const int body = m.add_body();
    m.contact(body, Mechanism::ground, random.uniform(0.1, 0.8));
    if (k > 0) m.contact(body, body - 1, random.uniform(0.1, 0.8));
  }
  return m;
}

}  // namespace generate
