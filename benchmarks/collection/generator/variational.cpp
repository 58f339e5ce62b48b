// Relays, affine variational inequalities, second-order cones and mixtures of blocks, most with a solution known by construction.
#include <algorithm>
#include <functional>
#include <limits>

#include "collection.hpp"
#include "constructions.hpp"

namespace nonsmooth::collection {
namespace {

// One implicit step of x' = A x + s, s in -Sgn(x): w = x+ = h s + (I + h A) x. Where |x| is small against h the state is held at
// 0 exactly.
void add_sliding_mode(Collection& collection, int n, unsigned seed, double skew) {
  constexpr double h = 1e-2;
  const bool basic = n == 6;
  Random random(seed);
  Dense B = positive_definite(random, n, 1, skew), A(n, n);
  nsm::Vector x(static_cast<std::size_t>(n)), q(x.size());
  for (int i = 0; i < n; ++i)
    x[static_cast<std::size_t>(i)] = i % 2 == 0 ? random.uniform(-0.2, 0.2) * h : random.uniform(2, 4) * h;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      A(i, j) = random.uniform(-1, 1);
      q[static_cast<std::size_t>(i)] += ((i == j ? 1.0 : 0.0) + h * A(i, j)) * x[static_cast<std::size_t>(j)];
      B(i, j) *= h;
    }
  collection.add({.file = "relay_sliding_mode_" + std::string(skew > 0.3 ? "skew_" : "") + std::to_string(n) + ".json",
                  .family = "relay",
                  .title = "Sliding mode control, one implicit step, n = " + std::to_string(n),
                  .source = std::string("x+ = x + h (A x + B s), s in -Sgn(x+), h = 0.01, B positive definite, ") +
                            (skew > 0.3 ? "the skew part as large" : "not symmetric") + "; seed " + std::to_string(seed),
                  .problem = nsm::Problem::relay(B.matrix(), q, nsm::Vector(q.size(), -1.0), nsm::Vector(q.size(), 1.0)),
                  .unique = positive_definite_matrix,
                  .tolerance = 1e-10,
                  .basic = basic});
}

// z in the box with given faces, -w normal to it there.
void choose_in_box(Random& random, double lo, double hi, int face, double& z, double& w) {
  z = face == 0 ? random.uniform(0.9 * lo + 0.1 * hi, 0.1 * lo + 0.9 * hi) : (face < 0 ? lo : hi);
  w = face == 0 ? 0.0 : -face * random.uniform(0.1, 1);
}

// rank < n: semidefinite.
void add_box_avi(Collection& collection, int n, int rank, unsigned seed) {
  const bool basic = n == 20 && rank == n;
  Random random(seed);
  const Dense M = gram_matrix(random, n, rank, rank == n ? 0.5 : 0, 0.2);
  const auto size = static_cast<std::size_t>(n);
  nsm::Vector lo(size), hi(size), z(size), w(size);
  for (std::size_t i = 0; i < size; ++i) {
    lo[i] = random.uniform(-2, -0.5);
    hi[i] = random.uniform(0.5, 2);
    choose_in_box(random, lo[i], hi[i], random.integer(-1, 1), z[i], w[i]);
  }
  const std::string definite = rank == n ? "definite" : "semidefinite, rank n / 2 beside the skew part";
  collection.add({.file = std::string("avi_box_") + (rank == n ? "" : "half_rank_") + std::to_string(n) + ".json",
                  .family = "affine variational inequality",
                  .title = "Variational inequality over a box, n = " + std::to_string(n),
                  .source = "M positive " + definite + ", not symmetric; faces and normals drawn, q from the solution; seed " +
                            std::to_string(seed),
                  .problem = nsm::Problem::avi(M.matrix(), M.right_hand_side(z, w), {}, {}, lo, hi),
                  .solution = {z, w},
                  .unique = rank == n ? positive_definite_matrix : Uniqueness{},
                  .basic = basic});
}

// P = {H z >= k}: the first rows active at the solution, w = H' multipliers.
struct OnPolyhedron {
  Dense M, H;
  nsm::Vector q, k, z, w;
};

OnPolyhedron on_polyhedron(std::uint64_t seed, int n, int rows, int active, double skew) {
  Random random(seed);
  const Dense M = positive_definite(random, n, 0.5, skew);
  const auto size = static_cast<std::size_t>(n);
  Dense H(rows, n);
  nsm::Vector z = random.vector(size, -1, 1), w(size), k(static_cast<std::size_t>(rows));
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

// active > n: multipliers that are not unique.
void add_polyhedron(Collection& collection, int n, int rows, int active, unsigned seed, bool symmetric) {
  const OnPolyhedron p = on_polyhedron(seed, n, rows, active, symmetric ? 0 : 0.2);
  const std::string kind = symmetric ? "qp" : "avi", degenerate = active > n ? "degenerate_" : "";
  collection.add({.file = kind + "_polyhedron_" + degenerate + std::to_string(n) + ".json",
                  .family = symmetric ? "quadratic programme" : "affine variational inequality",
                  .title = std::string(symmetric ? "Convex quadratic programme" : "Variational inequality") +
                           " over a polyhedron, n = " + std::to_string(n) + (active > n ? ", degenerate" : ""),
                  .source = "H z >= k of " + std::to_string(rows) + " rows, " + std::to_string(active) +
                            " active at the solution with multipliers in (0.1, 1), q from it; seed " + std::to_string(seed),
                  .problem = symmetric ? nsm::Problem::qp(p.M.matrix(), p.q, p.H.matrix(), p.k)
                                       : nsm::Problem::avi(p.M.matrix(), p.q, p.H.matrix(), p.k),
                  .solution = {p.z, p.w},
                  .unique = positive_definite_matrix,
                  .basic = n == 6 && active == 3});
}

// The point of a simplex next to a given one: the solution is known by sorting (Held, Wolfe and Crowder 1974).
void add_simplex_projection(Collection& collection, int n) {
  Random random(26);
  const auto size = static_cast<std::size_t>(n);
  Dense H(2, n), M(n, n);
  for (int i = 0; i < n; ++i) {
    M(i, i) = 1;
    H(0, i) = 1;
    H(1, i) = -1;
  }
  const nsm::Vector point = random.vector(size, -1, 1);
  nsm::Vector sorted = point, z(size), w(size), q(size);
  std::sort(sorted.begin(), sorted.end(), std::greater<>());
  double sum = -1, level = 0;
  for (std::size_t k = 0; k < size; ++k) {
    sum += sorted[k];
    if (sorted[k] > sum / static_cast<double>(k + 1)) level = sum / static_cast<double>(k + 1);
  }
  for (std::size_t i = 0; i < size; ++i) {
    z[i] = std::max(0.0, point[i] - level);
    w[i] = z[i] - point[i];
    q[i] = -point[i];
  }
  collection.add({.file = "qp_simplex_" + std::to_string(n) + ".json",
                  .family = "quadratic programme",
                  .title = "Point of the simplex next to another, n = " + std::to_string(n),
                  .source = "z >= 0, sum of z = 1; the solution by sorting (Held, Wolfe and Crowder 1974); seed 26",
                  .problem = nsm::Problem::qp(M.matrix(), q, H.matrix(), {1, -1}, nsm::Vector(size, 0.0),
                                              nsm::Vector(size, std::numeric_limits<double>::infinity())),
                  .solution = {z, w},
                  .unique = positive_definite_matrix});
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

struct Cones {
  std::string name, title;
  nsm::Indices sizes;
  unsigned seed;
  double skew = 0;
  int rank = 0;  // 0: positive definite
};

void add_soclcp(Collection& collection, const Cones& cones) {
  Random random(cones.seed);
  nsm::Indices start{0};
  nsm::Vector z, w, tau;
  for (std::size_t k = 0; k < cones.sizes.size(); ++k) {
    tau.push_back(random.uniform(0.5, 1.5));
    choose_in_cone(random, static_cast<std::size_t>(cones.sizes[k]), tau.back(), static_cast<int>(k % 3), z, w);
    start.push_back(start.back() + cones.sizes[k]);
  }
  const int n = start.back();
  const Dense M =
      cones.rank > 0 ? gram_matrix(random, n, cones.rank, 0, cones.skew) : positive_definite(random, n, 0.5, cones.skew);
  collection.add({.file = "soclcp_" + cones.name + "_" + std::to_string(n) + ".json",
                  .family = "second-order cones",
                  .title = cones.title + ", n = " + std::to_string(n),
                  .source = std::to_string(cones.sizes.size()) +
                            " cones at the tip, inside or on the boundary, q from the solution; seed " +
                            std::to_string(cones.seed),
                  .problem = nsm::Problem::soclcp(M.matrix(), M.right_hand_side(z, w), start, tau),
                  .solution = {z, w},
                  .unique = cones.rank > 0 ? Uniqueness{} : positive_definite_matrix,
                  .basic = n == 20});
}

void add_cones(Collection& collection) {
  add_soclcp(collection, {"constructed", "Second-order-cone problem with a known solution", {2, 3, 3, 4, 3, 5}, 23});
  add_soclcp(collection, {"threes", "Cones of three rows", nsm::Indices(20, 3), 231});
  add_soclcp(collection, {"threes_skew", "Cones of three rows, M not symmetric", nsm::Indices(30, 3), 232, 0.3});
  add_soclcp(collection, {"long", "Three long cones", {10, 30, 60}, 233});
  add_soclcp(collection, {"half_rank", "Cones of four rows, M of rank n / 2", nsm::Indices(12, 4), 234, 0, 24});
}

// `times` equalities of three rows, complementarity and relays of two, 3D contacts (sliding, open, sticking) and one in 2D.
void add_generic(Collection& collection, int times, unsigned seed) {
  Random random(seed);
  nsm::Indices kind, size;
  nsm::Vector mu, z, w, lo, hi;
  for (int k = 0; k < times; ++k) {
    kind.insert(kind.end(), {NSM_BLOCK_EQUALITY, NSM_BLOCK_COMPLEMENTARITY, NSM_BLOCK_RELAY, NSM_BLOCK_FRICTION_3D,
                             NSM_BLOCK_FRICTION_3D, NSM_BLOCK_FRICTION_3D, NSM_BLOCK_FRICTION_2D});
    size.insert(size.end(), {3, 2, 2, 3, 3, 3, 2});
    mu.insert(mu.end(), {0, 0, 0, 0.3, 0.5, 0.7, 0.4});
    const nsm::Vector free = random.vector(3, -1, 1);
    z.insert(z.end(), free.begin(), free.end());
    w.insert(w.end(), {0, 0, 0});
    z.insert(z.end(), {random.uniform(0.1, 1), 0});  // complementarity
    w.insert(w.end(), {0, random.uniform(0.1, 1)});
    z.insert(z.end(), {random.uniform(-0.9, 0.9), 1});  // relay: inside, at its upper end
    w.insert(w.end(), {0, -random.uniform(0.1, 1)});
    lo.insert(lo.end(), {0, 0, 0, 0, 0, -1, -1});
    hi.insert(hi.end(), {0, 0, 0, 0, 0, 1, 1});
    for (std::size_t b = kind.size() - 4; b < kind.size(); ++b)
      choose_contact(random, static_cast<std::size_t>(size[b]), mu[b], static_cast<int>((b + kind.size() + 1) % 3), z, w);
    lo.resize(z.size(), 0.0);
    hi.resize(z.size(), 0.0);
  }
  const Dense M = positive_definite(random, static_cast<int>(z.size()), 0.5, 0);
  collection.add(
      {.file = "generic_mechanism_" + std::to_string(z.size()) + ".json",
       .family = "mechanisms",
       .title = "All kinds of blocks with a known solution, n = " + std::to_string(z.size()),
       .source = "equality, complementarity, relay, three 3D contacts (sliding, open, sticking) and one in 2D, M symmetric "
                 "positive definite; seed " +
                 std::to_string(seed),
       .problem = nsm::Problem::generic(M.matrix(), M.right_hand_side(z, w), kind, size, mu, lo, hi),
       .solution = {z, w},
       .contacts = 4 * times,
       .basic = times == 1});
}

// A third of the contacts each open, sticking and sliding.
void add_constructed_friction(Collection& collection, const std::string& name, int contacts, int rank, double skew,
                              unsigned seed) {
  Random random(seed);
  nsm::Vector z, w, mu;
  for (int k = 0; k < contacts; ++k) {
    mu.push_back(random.uniform(0.2, 0.8));
    choose_contact(random, 3, mu.back(), k % 3, z, w);
  }
  const int n = 3 * contacts;
  const Dense M = gram_matrix(random, n, rank, rank == n ? 0.5 : 0, skew);
  collection.add({.file = "friction_3d_" + name + "_" + std::to_string(contacts) + ".json",
                  .family = "constructed friction",
                  .title = "Friction with a known solution, " + std::to_string(contacts) + " contacts",
                  .source = "a third of the contacts each open, sticking and sliding; dense W, positive " +
                            std::string(rank == n ? "definite" : "semidefinite, rank n / 2") +
                            (skew > 0 ? ", not symmetric" : "") + "; seed " + std::to_string(seed),
                  .problem = nsm::Problem::friction(3, M.matrix(), M.right_hand_side(z, w), mu),
                  .solution = {z, w},
                  .basic = contacts == 12});
}

}  // namespace

void add_variational(Collection& collection) {
  add_sliding_mode(collection, 6, 20, 0.3);
  for (int n : {2, 20, 60}) add_sliding_mode(collection, n, static_cast<unsigned>(200 + n), 0.3);
  for (int n : {20, 60}) add_sliding_mode(collection, n, static_cast<unsigned>(300 + n), 1);
  add_box_avi(collection, 20, 20, 21);
  add_box_avi(collection, 60, 60, 211);
  add_box_avi(collection, 40, 20, 212);
  add_polyhedron(collection, 6, 8, 3, 22, false);
  add_polyhedron(collection, 20, 40, 10, 221, false);
  add_polyhedron(collection, 10, 30, 15, 222, false);
  add_polyhedron(collection, 6, 8, 3, 25, true);
  add_polyhedron(collection, 20, 40, 10, 251, true);
  add_polyhedron(collection, 50, 60, 20, 252, true);
  add_polyhedron(collection, 10, 30, 15, 253, true);
  add_simplex_projection(collection, 40);
  add_cones(collection);
  add_generic(collection, 1, 24);
  add_generic(collection, 3, 241);
  add_constructed_friction(collection, "constructed", 12, 36, 0.02, 25);
  add_constructed_friction(collection, "constructed", 4, 12, 0, 254);
  add_constructed_friction(collection, "constructed", 40, 120, 0.02, 255);
  add_constructed_friction(collection, "half_rank", 20, 30, 0, 256);
  add_constructed_friction(collection, "skew", 30, 90, 0.2, 257);
}

}  // namespace nonsmooth::collection
