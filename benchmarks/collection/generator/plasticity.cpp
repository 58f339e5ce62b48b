// Plasticity: cones with a solution known by construction, and a soil under a footing.
#include <array>
#include <cmath>

#include "collection.hpp"
#include "constructions.hpp"

namespace nonsmooth::collection {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

// theta: this share of eta.
void add_constructed(Collection& collection, const std::string& name, int cones, int rank, double share, unsigned seed) {
  Random random(seed);
  nsm::Vector z, w, eta, theta;
  for (int k = 0; k < cones; ++k) {
    eta.push_back(random.uniform(0.2, 1));
    theta.push_back(share * eta.back());
    choose_contact(random, 3, eta.back(), k % 3, z, w, eta.back() - theta.back());
  }
  const int n = 3 * cones;
  const Dense W = gram_matrix(random, n, rank, rank == n ? 0.5 : 0, 0);
  collection.add({.file = "plasticity_" + name + "_" + std::to_string(cones) + ".json",
                  .family = "plasticity",
                  .title = "Plasticity with a known solution, " + std::to_string(cones) + " cones",
                  .source = "a third of the cones each at the tip, elastic and yielding; theta = " +
                            std::to_string(share).substr(0, 3) + " eta; dense W, positive " +
                            (rank == n ? "definite" : "semidefinite, rank n / 2") + "; seed " + std::to_string(seed),
                  .problem = nsm::Problem::plasticity(W.matrix(), W.right_hand_side(z, w), eta, theta),
                  .solution = {z, w},
                  .basic = cones == 6});
}

// Plane strain, SI units: a square of soil of `cells` x `cells` squares of two triangles each, held below and guided at the
// sides, struck by a footing on the middle of its surface. Unknowns r = (c - s, (s_x - s_y) / 2, s_xy), s the mean stress, c
// cohesion times the cotangent of the angle of friction, and u minus the plastic strain rate, times the area. One implicit step
// of
//   M (v - v_0) = h (f - B'(r - c e_N)),  (r - r_0) / h = D (B v + u).
struct Soil {
  static constexpr double side = 10, density = 1800, bulk = 2e7, shear = 1e7, cohesion = 1e4, gravity = 9.81, step = 5e-2;
  static constexpr double footing_mass = 4e4, footing_speed = 1.5;
  int cells;

  int nodes() const { return (cells + 1) * (cells + 1); }
  int node(int i, int j) const { return i + (cells + 1) * j; }
  bool is_footing(int i, int j) const { return j == cells && 3 * i >= cells && 3 * i <= 2 * cells; }
  double width() const { return side / cells; }

  // The triangle's nodes, counter-clockwise.
  std::array<int, 3> triangle(int t) const {
    const int i = t / 2 % cells, j = t / 2 / cells;
    if (t % 2 == 0) return {node(i, j), node(i + 1, j), node(i + 1, j + 1)};
    return {node(i, j), node(i + 1, j + 1), node(i, j + 1)};
  }
  // Rows (-(e_x + e_y), e_x - e_y, 2 e_xy) of its strain, times its area, over the velocities of its nodes.
  std::array<std::array<double, 6>, 3> strain(int t) const {
    const std::array<int, 3> corners = triangle(t);
    std::array<std::array<double, 6>, 3> B{};
    for (std::size_t a = 0; a < 3; ++a) {
      const int next = corners[(a + 1) % 3], last = corners[(a + 2) % 3];
      const double dx = 0.5 * width() * (next / (cells + 1) - last / (cells + 1));
      const double dy = 0.5 * width() * (last % (cells + 1) - next % (cells + 1));
      B[0][2 * a] = -dx, B[0][2 * a + 1] = -dy;
      B[1][2 * a] = dx, B[1][2 * a + 1] = -dy;
      B[2][2 * a] = dy, B[2][2 * a + 1] = dx;
    }
    return B;
  }
};

// B by the square roots of the inverse masses, so that W = h B B' + D^-1 A / h; and the strain that the step has without
// stresses.
struct SoilStep {
  Dense B;
  nsm::Vector free_strain;
};

SoilStep step_of(const Soil& soil) {
  const int triangles = 2 * soil.cells * soil.cells;
  const double area = 0.5 * soil.width() * soil.width();
  SoilStep step{Dense(3 * triangles, 2 * soil.nodes()), nsm::Vector(at(3 * triangles))};
  nsm::Vector mass(at(soil.nodes()), 0.0);
  for (int t = 0; t < triangles; ++t)
    for (int corner : soil.triangle(t)) mass[at(corner)] += Soil::density * area / 3;
  for (int t = 0; t < triangles; ++t) {
    const auto corners = soil.triangle(t);
    const auto strain = soil.strain(t);
    for (std::size_t k = 0; k < 6; ++k) {
      const int node = corners[k / 2], i = node % (soil.cells + 1), j = node / (soil.cells + 1);
      const bool vertical = k % 2 == 1, footing = soil.is_footing(i, j);
      if (j == 0 || (!vertical && (i == 0 || i == soil.cells))) continue;
      const double weight = mass[at(node)] + (footing ? Soil::footing_mass / (soil.cells / 3 + 1) : 0);
      const double speed = vertical ? -Soil::step * Soil::gravity - (footing ? Soil::footing_speed : 0) : 0;
      for (int row = 0; row < 3; ++row) {
        step.B(3 * t + row, 2 * node + (vertical ? 1 : 0)) += strain[at(row)][k] / std::sqrt(weight);
        step.free_strain[at(3 * t + row)] += strain[at(row)][k] * speed;
      }
    }
  }
  return step;
}

// eta, dilatancy: sines of the angles of friction and dilation.
void add_footing(Collection& collection, int cells, double eta, double dilatancy) {
  const Soil soil{cells};
  const SoilStep step = step_of(soil);
  const double area = 0.5 * soil.width() * soil.width(), shift = Soil::cohesion * std::sqrt(1 - eta * eta) / eta;
  Dense W = step.B.gram();
  const int n = W.rows();
  nsm::Vector q(at(n));
  for (int i = 0; i < n; ++i) {
    const double compliance = area / (i % 3 == 0 ? Soil::bulk : Soil::shear) / Soil::step;
    double of_cohesion = 0;
    for (int j = 0; j < n; ++j) {
      W(i, j) *= Soil::step;
      if (j % 3 == 0) of_cohesion += W(i, j) * shift;
    }
    W(i, i) += compliance;
    q[at(i)] = -step.free_strain[at(i)] - of_cohesion - (i % 3 == 0 ? compliance * shift : 0);
  }
  collection.add({.file = "plasticity_footing_" + std::to_string(n / 3) + ".json",
                  .family = "plasticity",
                  .title = "A footing strikes a soil, " + std::to_string(n / 3) + " triangles",
                  .source = "plane strain, Drucker and Prager: sines of the angles of friction and dilation " +
                            std::to_string(eta).substr(0, 3) + " and " + std::to_string(dilatancy).substr(0, 3),
                  .problem = nsm::Problem::plasticity(W.sparse_matrix(), q, nsm::Vector(at(n / 3), eta),
                                                      nsm::Vector(at(n / 3), eta - dilatancy))});
}

}  // namespace

void add_plasticity(Collection& collection) {
  add_constructed(collection, "constructed", 6, 18, 0.5, 261);
  add_constructed(collection, "constructed", 20, 60, 0.2, 262);
  add_constructed(collection, "half_rank", 20, 30, 0.7, 263);
  add_footing(collection, 3, 0.5, 0.2);
  add_footing(collection, 9, 0.6, 0.1);
}

}  // namespace nonsmooth::collection
