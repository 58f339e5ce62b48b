// Relays, affine variational inequalities, second-order cones and mixtures of blocks, most with a solution known by construction.
#include <cmath>
#include <limits>

#include "collection.hpp"
#include "dense.hpp"
#include "random.hpp"

namespace nonsmooth::collection {
namespace {

// G G' / n + shift I + a skew part: positive definite.
Dense positive_definite(Random& random, int n, double shift, double skew) {
  Dense G(n, n);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) G(i, j) = random.uniform(-1, 1);
  Dense M = G.gram();
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) M(i, j) /= n;
    M(i, i) += shift;
    for (int j = 0; j < i; ++j) {
      const double s = skew * random.uniform(-1, 1);
      M(i, j) += s;
      M(j, i) -= s;
    }
  }
  return M;
}

// One implicit step of x' = A x + s, s in -Sgn(x): w = x+ = h s + (I + h A) x. Where |x| is small against h the state is held at
// 0 exactly.
void add_sliding_mode(Entries& entries) {
  constexpr int n = 6;
  constexpr double h = 1e-2;
  Random random(20);
  Dense B = positive_definite(random, n, 1, 0.3), A(n, n);
  nsm::Vector x(n), q(n);
  for (int i = 0; i < n; ++i)
    x[static_cast<std::size_t>(i)] = i % 2 == 0 ? random.uniform(-0.2, 0.2) * h : random.uniform(2, 4) * h;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      A(i, j) = random.uniform(-1, 1);
      q[static_cast<std::size_t>(i)] += ((i == j ? 1.0 : 0.0) + h * A(i, j)) * x[static_cast<std::size_t>(j)];
      B(i, j) *= h;
    }
  entries.push_back({"relay_sliding_mode_6.json",
                     "Sliding mode control, one implicit step",
                     "x+ = x + h (A x + B s), s in -Sgn(x+), h = 0.01, B positive definite, not symmetric; seed 20",
                     nsm::Problem::relay(B.matrix(), q, nsm::Vector(n, -1.0), nsm::Vector(n, 1.0)),
                     0,
                     {},
                     "converged",
                     {},
                     1e-10});
}

// z in the box with given faces, -w normal to it there.
void choose_in_box(Random& random, double lo, double hi, int face, double& z, double& w) {
  z = face == 0 ? random.uniform(0.9 * lo + 0.1 * hi, 0.1 * lo + 0.9 * hi) : (face < 0 ? lo : hi);
  w = face == 0 ? 0.0 : -face * random.uniform(0.1, 1);
}

void add_box_avi(Entries& entries) {
  constexpr int n = 20;
  Random random(21);
  const Dense M = positive_definite(random, n, 0.5, 0.2);
  nsm::Vector lo(n), hi(n), z(n), w(n);
  for (std::size_t i = 0; i < n; ++i) {
    lo[i] = random.uniform(-2, -0.5);
    hi[i] = random.uniform(0.5, 2);
    choose_in_box(random, lo[i], hi[i], random.integer(-1, 1), z[i], w[i]);
  }
  entries.push_back({"avi_box_20.json",
                     "Variational inequality over a box",
                     "M positive definite, not symmetric; faces and normals drawn, q from the solution; seed 21",
                     nsm::Problem::avi(M.matrix(), M.right_hand_side(z, w), {}, {}, lo, hi),
                     0,
                     {z, w}});
}

// P = {H z >= k}: three rows active at the solution, w = H' multipliers.
struct OnPolyhedron {
  Dense M, H;
  nsm::Vector q, k, z, w;
};

OnPolyhedron on_polyhedron(std::uint64_t seed, double skew) {
  constexpr int n = 6, rows = 8, active = 3;
  Random random(seed);
  const Dense M = positive_definite(random, n, 0.5, skew);
  Dense H(rows, n);
  nsm::Vector z = random.vector(n, -1, 1), w(n), k(rows);
  for (int i = 0; i < rows; ++i) {
    const double multiplier = i < active ? random.uniform(0.1, 1) : 0.0;
    double product = 0;
    for (int j = 0; j < n; ++j) {
      H(i, j) = random.uniform(-1, 1);
      product += H(i, j) * z[static_cast<std::size_t>(j)];
      w[static_cast<std::size_t>(j)] += multiplier * H(i, j);
    }
    k[static_cast<std::size_t>(i)] = i < active ? product : product - random.uniform(0.1, 1);
  }
  return {M, H, M.right_hand_side(z, w), k, z, w};
}

void add_polyhedra(Entries& entries) {
  const OnPolyhedron avi = on_polyhedron(22, 0.2), qp = on_polyhedron(25, 0);
  const std::string how = "H z >= k of 8 rows, 3 active at the solution with multipliers in (0.1, 1), q from it; seed ";
  entries.push_back({"avi_polyhedron_6.json",
                     "Variational inequality over a polyhedron",
                     how + "22",
                     nsm::Problem::avi(avi.M.matrix(), avi.q, avi.H.matrix(), avi.k),
                     0,
                     {avi.z, avi.w}});
  entries.push_back({"qp_polyhedron_6.json",
                     "Convex quadratic programme over a polyhedron",
                     how + "25",
                     nsm::Problem::qp(qp.M.matrix(), qp.q, qp.H.matrix(), qp.k),
                     0,
                     {qp.z, qp.w}});
}

nsm::Vector unit_vector(Random& random, std::size_t size) {
  nsm::Vector v = random.vector(size, -1, 1);
  double square = 0;
  for (double x : v) square += x * x;
  for (double& x : v) x /= std::sqrt(square);
  return v;
}

// Appends z in the cone |z_T| <= tau z_N and w in its dual cone with z.w = 0. state 0: z = 0, w inside; 1: w = 0, z inside; 2:
// both on the boundary.
void choose_in_cone(Random& random, std::size_t size, double tau, int state, nsm::Vector& z, nsm::Vector& w) {
  const double s = random.uniform(0.5, 2), t = random.uniform(0.5, 2);
  const nsm::Vector direction = unit_vector(random, size - 1);
  z.push_back(state == 0 ? 0.0 : s);
  w.push_back(state == 1 ? 0.0 : t * tau);
  for (double d : direction) {
    z.push_back(state == 0 ? 0.0 : (state == 1 ? 0.5 : 1.0) * tau * s * d);
    w.push_back(state == 1 ? 0.0 : (state == 0 ? -0.5 : -1.0) * t * d);
  }
}

void add_soclcp(Entries& entries) {
  Random random(23);
  const nsm::Indices sizes{2, 3, 3, 4, 3, 5};
  nsm::Indices start{0};
  nsm::Vector z, w, tau;
  for (std::size_t k = 0; k < sizes.size(); ++k) {
    tau.push_back(random.uniform(0.5, 1.5));
    choose_in_cone(random, static_cast<std::size_t>(sizes[k]), tau.back(), static_cast<int>(k % 3), z, w);
    start.push_back(start.back() + sizes[k]);
  }
  const Dense M = positive_definite(random, start.back(), 0.5, 0);
  entries.push_back({"soclcp_constructed_20.json",
                     "Second-order-cone problem with a known solution",
                     "M symmetric positive definite, six cones of 2 to 5 rows at the tip, inside or on the boundary; seed 23",
                     nsm::Problem::soclcp(M.matrix(), M.right_hand_side(z, w), start, tau),
                     0,
                     {z, w}});
}

// Appends a contact that is open (0), sticks (1) or slides (2).
void choose_contact(Random& random, std::size_t size, double mu, int state, nsm::Vector& z, nsm::Vector& w) {
  const double normal = random.uniform(0.5, 2), speed = random.uniform(0.1, 1);
  const nsm::Vector direction = unit_vector(random, size - 1);
  z.push_back(state == 0 ? 0.0 : normal);
  w.push_back(state == 0 ? speed : 0.0);
  for (double d : direction) {
    z.push_back(state == 0 ? 0.0 : (state == 1 ? 0.5 : 1.0) * mu * normal * d);
    w.push_back(state == 1 ? 0.0 : -speed * d);
  }
}

void add_generic(Entries& entries) {
  Random random(24);
  const nsm::Indices kind{NSM_BLOCK_EQUALITY,    NSM_BLOCK_COMPLEMENTARITY, NSM_BLOCK_RELAY,      NSM_BLOCK_FRICTION_3D,
                          NSM_BLOCK_FRICTION_3D, NSM_BLOCK_FRICTION_3D,     NSM_BLOCK_FRICTION_2D};
  const nsm::Indices size{3, 2, 2, 3, 3, 3, 2};
  const nsm::Vector mu{0, 0, 0, 0.3, 0.5, 0.7, 0.4};
  nsm::Vector z = random.vector(3, -1, 1), w(3, 0.0);  // equality
  z.insert(z.end(), {random.uniform(0.1, 1), 0});      // complementarity
  w.insert(w.end(), {0, random.uniform(0.1, 1)});
  z.insert(z.end(), {random.uniform(-0.9, 0.9), 1});  // relay: inside, at its upper end
  w.insert(w.end(), {0, -random.uniform(0.1, 1)});
  for (std::size_t k = 3; k < kind.size(); ++k)
    choose_contact(random, static_cast<std::size_t>(size[k]), mu[k], static_cast<int>((k - 1) % 3), z, w);
  const int n = static_cast<int>(z.size());
  nsm::Vector lo(z.size(), 0.0), hi(z.size(), 0.0);
  for (std::size_t i : {5, 6}) lo[i] = -1, hi[i] = 1;
  const Dense M = positive_definite(random, n, 0.5, 0);
  entries.push_back({"generic_mechanism_18.json",
                     "All kinds of blocks with a known solution",
                     "equality, complementarity, relay, three 3D contacts (sliding, open, sticking) and one in 2D, M symmetric "
                     "positive definite; seed 24",
                     nsm::Problem::generic(M.matrix(), M.right_hand_side(z, w), kind, size, mu, lo, hi),
                     4,
                     {z, w}});
}

void add_constructed_friction(Entries& entries) {
  constexpr int contacts = 12;
  Random random(25);
  nsm::Vector z, w, mu;
  for (int k = 0; k < contacts; ++k) {
    mu.push_back(random.uniform(0.2, 0.8));
    choose_contact(random, 3, mu.back(), k % 3, z, w);
  }
  const Dense M = positive_definite(random, 3 * contacts, 0.5, 0.02);
  entries.push_back({"friction_3d_constructed_12.json",
                     "Friction with a known solution",
                     "12 contacts, a third each open, sticking and sliding; dense W, positive definite, not symmetric; seed 25",
                     nsm::Problem::friction(3, M.matrix(), M.right_hand_side(z, w), mu),
                     contacts,
                     {z, w}});
}

}  // namespace

void add_variational(Entries& entries) {
  add_sliding_mode(entries);
  add_box_avi(entries);
  add_polyhedra(entries);
  add_soclcp(entries);
  add_generic(entries);
  add_constructed_friction(entries);
}

}  // namespace nonsmooth::collection
