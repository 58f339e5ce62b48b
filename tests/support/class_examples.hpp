// One small solvable problem of every class (AVI twice), built through the C API from constructed solutions.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "lcp_families.hpp"
#include "solve.hpp"

namespace support {

// `raw` by reference: it is written by the call that gives `status`.
inline ProblemPtr checked(nsm_status status, nsm_problem*& raw) {
  EXPECT_EQ(status, NSM_OK) << nsm_last_error();
  return ProblemPtr(raw);
}

struct Size {
  int blocks = 4;                  // contacts, cones, triples of rows
  const Values* forces = nullptr;  // f of a global class, in place of the example's own
};

inline Values forces_or(Values own, const Size& size) { return size.forces != nullptr ? *size.forces : own; }

// Symmetric positive definite of order n.
inline Values example_matrix(int n, std::uint64_t seed) {
  generate::Random random(seed);
  return generate::gram(random, n, 2 * n, 0.2);
}

inline ProblemPtr example_global(nsm_class c, Size size) {
  const bool rolling = c == NSM_GLOBAL_ROLLING;
  const int d = rolling ? 5 : 3, m = d * size.blocks, n = m + 2;
  generate::Random random(6);
  const Values M = example_matrix(n, 5), H = random.normals(std::int64_t{n} * m), f = forces_or(random.normals(n), size);
  const Values w = random.normals(m);
  const Values mu(at(size.blocks), 0.3), mu_r(at(size.blocks), 0.1), G = random.normals(n), b = {0.25};
  const nsm_matrix mass = dense(n, n, M), jacobian = dense(n, m, H), bilateral = dense(n, 1, G);
  nsm_problem* raw = nullptr;
  const nsm_status status = rolling ? nsm_problem_create_global_rolling(d, &mass, &jacobian, f.data(), w.data(), mu.data(),
                                                                        mu_r.data(), nullptr, nullptr, &raw)
                                    : nsm_problem_create_global_friction(d, &mass, &jacobian, f.data(), w.data(), mu.data(),
                                                                         &bilateral, b.data(), &raw);
  return checked(status, raw);
}

// Blocks of the first `used` kinds of nsm_block_kind in turn.
inline ProblemPtr example_generic(Size size, int used = 6) {
  std::vector<std::int32_t> kinds, sizes;
  Values mu;
  int n = 0;
  for (int k = 0; k < size.blocks; ++k) {
    const std::int32_t kind = k % used, rows = kind == NSM_BLOCK_FRICTION_3D ? 3 : 2;
    kinds.push_back(kind);
    sizes.push_back(rows);
    mu.push_back(0.3);
    n += rows;
  }
  generate::Random random(7);
  const Values M = example_matrix(n, 8), q = random.normals(n), lo(at(n), -0.5), hi(at(n), 0.5);
  const nsm_matrix view = dense(n, n, M);
  nsm_problem* raw = nullptr;
  return checked(
      nsm_problem_create_generic(&view, q.data(), size.blocks, kinds.data(), sizes.data(), mu.data(), lo.data(), hi.data(), &raw),
      raw);
}

// Classes with one matrix of order 3 * blocks (rolling: 5).
inline ProblemPtr example_local(nsm_class c, Size size) {
  const int n = (c == NSM_ROLLING ? 5 : 3) * size.blocks;
  generate::Random random(9);
  const Values M = example_matrix(n, 10), q = random.normals(n), lo(at(n), -0.5), hi(at(n), 0.5);
  const Values mu(at(size.blocks), 0.3), mu_r(at(size.blocks), 0.1), tau(at(size.blocks), 0.8);
  std::vector<std::int32_t> rows, cones;
  for (int i = 0; i < n; ++i) rows.push_back(i % 3 == 0 ? 0 : 1);
  for (int i = 0; i <= size.blocks; ++i) cones.push_back(3 * i);
  const nsm_matrix view = dense(n, n, M);
  nsm_problem* raw = nullptr;
  switch (c) {
    case NSM_LCP: return checked(nsm_problem_create_lcp(&view, q.data(), &raw), raw);
    case NSM_MLCP: return checked(nsm_problem_create_mlcp(&view, q.data(), rows.data(), &raw), raw);
    case NSM_RELAY: return checked(nsm_problem_create_relay(&view, q.data(), lo.data(), hi.data(), &raw), raw);
    case NSM_AVI: return checked(nsm_problem_create_avi(&view, q.data(), nullptr, nullptr, lo.data(), hi.data(), &raw), raw);
    case NSM_QP: return checked(nsm_problem_create_qp(&view, q.data(), nullptr, nullptr, lo.data(), hi.data(), &raw), raw);
    case NSM_FRICTION: return checked(nsm_problem_create_friction(3, &view, q.data(), mu.data(), &raw), raw);
    case NSM_ROLLING: return checked(nsm_problem_create_rolling(5, &view, q.data(), mu.data(), mu_r.data(), &raw), raw);
    case NSM_PLASTICITY: return checked(nsm_problem_create_plasticity(&view, q.data(), tau.data(), mu.data(), &raw), raw);
    default: return checked(nsm_problem_create_soclcp(&view, q.data(), size.blocks, cones.data(), tau.data(), &raw), raw);
  }
}

// Strongly monotone, with a tridiagonal Jacobian.
inline std::int32_t example_function(void*, std::int64_t n, const double* z, double* F) {
  for (std::int64_t i = 0; i < n; ++i) {
    F[i] = 4 * z[i] + 0.1 * z[i] * z[i] * z[i] - 3 * std::cos(1.7 * static_cast<double>(i + 1));
    if (i > 0) F[i] -= z[i - 1];
    if (i + 1 < n) F[i] -= 0.5 * z[i + 1];
  }
  return 0;
}
inline std::int32_t example_jacobian(void*, std::int64_t n, const double* z, double* J) {
  std::fill(J, J + n * n, 0.0);
  for (std::int64_t i = 0; i < n; ++i) {
    J[i * (n + 1)] = 4 + 0.3 * z[i] * z[i];
    if (i > 0) J[i + (i - 1) * n] = -1;
    if (i + 1 < n) J[i + (i + 1) * n] = -0.5;
  }
  return 0;
}
inline std::int32_t project_on_unit_ball(void*, std::int64_t n, const double* x, double* p) {
  double square = 0;
  for (std::int64_t i = 0; i < n; ++i) square += x[i] * x[i];
  const double factor = square > 1 ? 1 / std::sqrt(square) : 1;
  for (std::int64_t i = 0; i < n; ++i) p[i] = factor * x[i];
  return 0;
}

inline ProblemPtr example_nonlinear(nsm_class c, Size size) {
  const int n = 3 * size.blocks;
  Values lo(at(n), -0.5), hi(at(n), 0.5);
  lo[0] = -HUGE_VAL;
  hi[0] = HUGE_VAL;
  nsm_problem* raw = nullptr;
  switch (c) {
    case NSM_NCP: return checked(nsm_problem_create_ncp(n, example_function, example_jacobian, nullptr, nullptr, &raw), raw);
    case NSM_MCP:
      return checked(nsm_problem_create_mcp(n, example_function, nullptr, nullptr, nullptr, lo.data(), hi.data(), &raw), raw);
    default:
      return checked(nsm_problem_create_vi(n, example_function, example_jacobian, nullptr, nullptr, nullptr, nullptr, lo.data(),
                                           hi.data(), &raw),
                     raw);
  }
}

inline ProblemPtr example_on_unit_ball(int n) {
  nsm_problem* raw = nullptr;
  return checked(
      nsm_problem_create_vi_projection(n, example_function, example_jacobian, nullptr, nullptr, project_on_unit_ball, &raw), raw);
}

inline ProblemPtr example(nsm_class c, Size size = {}) {
  if (nsm_class_storable(c) == 0) return example_nonlinear(c, size);
  if (c == NSM_GLOBAL_FRICTION || c == NSM_GLOBAL_ROLLING) return example_global(c, size);
  return c == NSM_GENERIC ? example_generic(size) : example_local(c, size);
}

// The classes of rows bounded one by one on a grid of 3 x blocks points, for methods that need one.
inline ProblemPtr example_on_a_grid(nsm_class c, Size size) {
  const auto one = [](std::int32_t, std::int32_t) { return 1.0; };
  const generate::SparseLcp grid = generate::five_point(3, size.blocks, one, one);
  const Values q = generate::Random(13).normals(grid.n), lo(at(grid.n), -0.3), hi(at(grid.n), 0.3);
  std::vector<std::int32_t> rows;
  for (int i = 0; i < grid.n; ++i) rows.push_back(i % 3 == 0 ? 0 : 1);
  const nsm_matrix view = nsm_matrix_csc(grid.n, grid.n, grid.start.data(), grid.index.data(), grid.values.data());
  nsm_problem* raw = nullptr;
  switch (c) {
    case NSM_LCP: return checked(nsm_problem_create_lcp(&view, q.data(), &raw), raw);
    case NSM_MLCP: return checked(nsm_problem_create_mlcp(&view, q.data(), rows.data(), &raw), raw);
    case NSM_RELAY: return checked(nsm_problem_create_relay(&view, q.data(), lo.data(), hi.data(), &raw), raw);
    case NSM_GENERIC: {
      const std::vector<std::int32_t> sizes(at(grid.n), 1);  // rows: equalities and complementarities
      return checked(
          nsm_problem_create_generic(&view, q.data(), grid.n, rows.data(), sizes.data(), nullptr, nullptr, nullptr, &raw), raw);
    }
    default: return checked(nsm_problem_create_avi(&view, q.data(), nullptr, nullptr, lo.data(), hi.data(), &raw), raw);
  }
}

inline bool needs_grid(const nsm_method_info& method) { return method.name == std::string("projected_multigrid"); }

// Friction in the plane, local or global, for methods that treat no other.
inline bool needs_plane(const nsm_method_info& method) {
  const std::string name = method.name;
  return name == "lemke" || name == "enumeration" || name == "projected_conjugate_gradient";
}
// Of the same sizes as the examples in space, for an even number of blocks.
inline ProblemPtr example_in_the_plane(nsm_class c, Size size) {
  const bool local = c == NSM_FRICTION;
  const int contacts = 3 * size.blocks / 2, m = 2 * contacts, n = local ? m : m + 2;
  generate::Random random(14);
  const Values W = example_matrix(n, 15), q = random.normals(m), f = forces_or(random.normals(n), size);
  const Values mu(at(contacts), 0.3);
  const Values H = random.normals(std::int64_t{n} * m), G = random.normals(n), b = {0.25};
  const nsm_matrix matrix = dense(n, n, W), jacobian = dense(n, m, H), bilateral = dense(n, 1, G);
  nsm_problem* raw = nullptr;
  const nsm_status status = local ? nsm_problem_create_friction(2, &matrix, q.data(), mu.data(), &raw)
                                  : nsm_problem_create_global_friction(2, &matrix, &jacobian, f.data(), q.data(), mu.data(),
                                                                       &bilateral, b.data(), &raw);
  return checked(status, raw);
}

inline bool treats(const nsm_method_info& method, nsm_class c) { return ((method.classes >> c) & 1u) != 0; }

// Disks among the blocks of a generic problem: projections and equations of cones do, bounds and cones alone do not.
inline bool treats_disks(const nsm_method_info& method) {
  const std::string name = method.name;
  return name == "latin" || (treats(method, NSM_FRICTION) && !needs_plane(method) && name != "friction_interior_point");
}

// What the method has to solve of a class it claims.
inline ProblemPtr example(const nsm_method_info& method, nsm_class c, Size size = {}) {
  if (needs_plane(method) && (c == NSM_FRICTION || c == NSM_GLOBAL_FRICTION)) return example_in_the_plane(c, size);
  if (c == NSM_GENERIC && !needs_grid(method))
    return example_generic(size, needs_plane(method)             ? NSM_BLOCK_FRICTION_3D
                                 : !treats(method, NSM_FRICTION) ? NSM_BLOCK_FRICTION_2D
                                 : treats_disks(method)          ? 6
                                                                 : 5);
  return needs_grid(method) ? example_on_a_grid(c, size) : example(c, size);
}

// x >= 0, sum x <= 1 as a polyhedron.
inline ProblemPtr example_polyhedral_avi() {
  const int n = 4;
  const Values M = example_matrix(n, 11), q(at(n), -1.0), H(at(n), -1.0), k = {-1}, lo(at(n), 0.0);
  const nsm_matrix view = dense(n, n, M), rows = dense(1, n, H);
  nsm_problem* raw = nullptr;
  return checked(nsm_problem_create_avi(&view, q.data(), &rows, k.data(), lo.data(), nullptr, &raw), raw);
}

inline std::vector<nsm_class> all_classes() {
  std::vector<nsm_class> classes;
  for (int c = 0; c < NSM_CLASS_COUNT; ++c) classes.push_back(static_cast<nsm_class>(c));
  return classes;
}

// Those that files can hold, which have a matrix and a q to update: the others have callbacks.
inline std::vector<nsm_class> storable_classes() {
  std::vector<nsm_class> classes = all_classes();
  std::erase_if(classes, [](nsm_class c) { return nsm_class_storable(c) == 0; });
  return classes;
}

inline std::vector<nsm_method_info> all_methods() {
  std::vector<nsm_method_info> methods;
  for (std::int64_t k = 0; k < nsm_method_count(); ++k) {
    nsm_method_info info{};
    info.struct_size = sizeof info;
    EXPECT_EQ(nsm_method_describe(k, &info), NSM_OK);
    methods.push_back(info);
  }
  return methods;
}

inline bool is_global(nsm_class c) { return c == NSM_GLOBAL_FRICTION || c == NSM_GLOBAL_ROLLING; }
// Rows of the contacts, and of the motion, of the examples of global classes of four blocks.
inline std::int64_t example_contact_rows(nsm_class c) { return c == NSM_GLOBAL_FRICTION ? 12 : 20; }
inline std::int64_t example_motion_rows(nsm_class c) { return example_contact_rows(c) + 2; }

}  // namespace support
