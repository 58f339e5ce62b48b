#include "families.hpp"

#include <algorithm>
#include <cmath>

#include "../../tests/support/sparse_programmes.hpp"
#include "constructions.hpp"
#include "friction_lcp.hpp"
#include "scenes.hpp"

namespace nonsmooth::collection {
namespace {

using generate::at;
using generate::Lcp;
using generate::Values;

class List {
 public:
  explicit List(std::vector<FamilyProblem>& out) : out_(out) {}
  // make(n): an Lcp, a SparseLcp or a Problem.
  template <class Make>
  void add(const std::string& family, const std::string& name, std::initializer_list<int> orders, Make make,
           Answer answer = Answer::solvable) {
    for (int n : orders)
      out_.push_back({family, name + "_" + std::to_string(n), answer, [make, n] {
                        if constexpr (std::is_same_v<decltype(make(n)), nsm::Problem>)
                          return make(n);
                        else
                          return problem(make(n));
                      }});
  }

 private:
  std::vector<FamilyProblem>& out_;
};

Lcp transposed(Lcp lcp) {
  for (int j = 0; j < lcp.n; ++j)
    for (int i = 0; i < j; ++i) std::swap(lcp.M[at(i + j * lcp.n)], lcp.M[at(j + i * lcp.n)]);
  return lcp;
}

void add_literature(List& list) {
  list.add("literature", "murty", {8, 50, 100, 300, 512}, generate::murty);
  list.add("literature", "murty_upper", {50, 300}, [](int n) { return transposed(generate::murty(n)); });
  list.add("literature", "fathi", {8, 50, 100, 300, 512}, generate::fathi);
  list.add("literature", "chandrasekaran", {50, 200}, generate::chandrasekaran);
  list.add("literature", "kostreva", {3}, [](int) { return generate::kostreva(); });
  list.add("literature", "ahn", {100, 500}, [](int n) { return generate::tridiagonal(n, 1, 4, -2, -4); });
  for (bool hard : {false, true})
    list.add("Harker-Pang", hard ? "harker_pang_hard" : "harker_pang_easy", {30, 100, 300, 1000}, [hard](int n) {
      generate::Random random(static_cast<std::uint64_t>(1990 + n));
      return generate::harker_pang(random, n, hard);
    });
  for (bool integers : {false, true})
    list.add("bimatrix", integers ? "bimatrix_integers" : "bimatrix", {20, 50, 100, 300, 1000}, [integers](int n) {
      generate::Random random(static_cast<std::uint64_t>(1964 + n));
      return generate::bimatrix(random, n / 2, integers);
    });
}

// Diagonal scaling over eight orders of magnitude, the same on both sides.
Lcp badly_scaled(generate::Random& random, Lcp lcp) {
  Values d(at(lcp.n));
  for (double& x : d) x = random.magnitude(-4, 4);
  for (int j = 0; j < lcp.n; ++j) {
    lcp.q[at(j)] *= d[at(j)];
    for (int i = 0; i < lcp.n; ++i) lcp.M[at(i + j * lcp.n)] *= d[at(i)] * d[at(j)];
  }
  return lcp;
}

Values hilbert(int n) {
  Values M(at(n) * at(n));
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) M[at(i + j * n)] = 1.0 / (i + j + 1);
  return M;
}

Values exponential_kernel(int n) {
  Values M(at(n) * at(n));
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) M[at(i + j * n)] = std::exp(-std::abs(i - j) / 10.0);
  return M;
}

Values dense_m_matrix(generate::Random& random, int n) {
  Values M(at(n) * at(n));
  for (double& x : M) x = -random.uniform();
  for (int i = 0; i < n; ++i) {
    double sum = 0;
    for (int j = 0; j < n; ++j) sum += i == j ? 0 : -M[at(i + j * n)];
    M[at(i) * at(n + 1)] = 1.01 * sum;
  }
  return M;
}

// [[0, -1], [1, 0]] on the diagonal, a random skew part around it: P0, no part of it definite.
Values skew_blocks(generate::Random& random, int n) {
  Values M(at(n) * at(n), 0.0);
  generate::add_skew(random, M, n, 0.1);
  for (int i = 0; i + 1 < n; i += 2) {
    M[at(i + (i + 1) * n)] -= 1;
    M[at(i + 1 + i * n)] += 1;
  }
  return M;
}

// q from a solution, so that every problem has one.
template <class MatrixOf>
auto constructed(MatrixOf matrix_of) {
  return [matrix_of](int n) {
    generate::Random random(static_cast<std::uint64_t>(700 + n));
    Values M = matrix_of(random, n);
    return generate::constructed(random, n, std::move(M));
  };
}

void add_random(List& list) {
  using generate::Random;
  list.add("positive definite", "definite", {50, 100, 300, 1000},
           constructed([](Random& r, int n) { return generate::gram(r, n, n, 0.1); }));
  list.add("positive definite", "nearly_singular", {50, 100, 300},
           constructed([](Random& r, int n) { return generate::gram(r, n, n, 1e-10); }));
  list.add("positive definite", "exponential_kernel", {50, 300},
           constructed([](Random&, int n) { return exponential_kernel(n); }));
  list.add("positive definite", "hilbert", {50}, constructed([](Random&, int n) { return hilbert(n); }));
  list.add("semidefinite", "half_rank", {50, 100, 300, 1000},
           constructed([](Random& r, int n) { return generate::gram(r, n, n / 2, 0); }));
  list.add("semidefinite", "half_rank_skew", {50, 100, 300}, constructed([](Random& r, int n) {
             Values M = generate::gram(r, n, n / 2, 0);
             generate::add_skew(r, M, n, 1);
             return M;
           }));
  list.add("semidefinite", "skew_blocks", {50, 100}, constructed(skew_blocks));
  list.add("M-matrix", "m_matrix", {50, 100, 300}, constructed(dense_m_matrix));
  list.add("M-matrix", "graph_laplacian", {500}, [](int n) { return generate::graph_laplacian(5, n, 6, 1e-3); });
  list.add("badly scaled", "scaled_definite", {50, 100, 300}, [](int n) {
    Random random(static_cast<std::uint64_t>(800 + n));
    Values M = generate::gram(random, n, n, 0.1);
    return badly_scaled(random, generate::constructed(random, n, std::move(M)));
  });
  list.add("badly scaled", "scaled_semidefinite", {50, 100}, [](int n) {
    Random random(static_cast<std::uint64_t>(900 + n));
    Values M = generate::gram(random, n, n / 2, 0);
    return badly_scaled(random, generate::constructed(random, n, std::move(M)));
  });
}

void add_contact_problems(List& list) {
  const auto normal = [](auto scene) { return [scene](int n) { return frictionless_lcp(scene(n).local()); }; };
  const auto friction = [](auto scene) { return [scene](int n) { return friction_lcp(scene(n).local()); }; };
  const auto stack = [](int n) { return box_stack(n); };
  const auto wall = [](int n) { return wall_2d(n, n); };
  const auto arch = [](int n) { return arch_2d(n); };
  const auto pile = [](int n) { return sphere_pile(n, 0.3); };
  list.add("contact", "box_stack", {5, 25}, normal(stack));
  list.add("contact", "wall", {5, 12}, normal(wall));
  list.add("contact", "arch", {11, 41}, normal(arch));
  list.add("contact", "sphere_pile", {4, 6}, normal(pile));
  list.add("friction as LCP", "friction_box_stack", {2, 5}, friction(stack));
  list.add("friction as LCP", "friction_wall", {3, 6}, friction(wall));
  list.add("friction as LCP", "friction_arch", {7, 15}, friction(arch));
  list.add("friction as LCP", "friction_pile", {2, 3}, friction(pile));
  list.add("friction as LCP", "friction_incline", {1}, friction([](int) { return box_on_incline(0.5); }));
}

void add_grids(List& list) {
  list.add("obstacle", "obstacle", {10, 30}, [](int k) { return generate::obstacle(k); });
  list.add("obstacle", "obstacle_two_sided", {10, 30}, [](int k) { return generate::obstacle(k, true, true); });
  list.add("obstacle", "ball", {30}, generate::ball_obstacle);
  list.add("obstacle", "torsion", {30}, [](int k) { return generate::torsion(k, 10); });
  for (int tenths : {1, 5, 8})
    list.add("journal bearing", "bearing_eps0" + std::to_string(tenths), {30},
             [tenths](int k) { return generate::journal_bearing(k, k, tenths / 10.0); });
  list.add("American option", "american_put", {100, 1000}, [](int n) { return generate::american_put(n); });
}

// Random linear circuit with m ideal diodes: A11 regular, Schur complement passive (positive semidefinite plus skew).
nsm::Problem mixed(int n, int deficiency) {
  generate::Random random(static_cast<std::uint64_t>(500 + n + deficiency));
  Values M = generate::gram(random, n, n - deficiency, 0);
  generate::add_skew(random, M, n, 1);
  Lcp lcp = generate::constructed(random, n, M);
  nsm::Indices kind(at(n));
  for (std::size_t i = 0; i < kind.size(); ++i) kind[i] = i < kind.size() / 2 ? 0 : 1;
  // Equality rows: w = 0, z of either sign.
  Values z = lcp.z, w = generate::multiply(M, z);
  for (std::size_t i = 0; i < w.size(); ++i) w[i] += lcp.q[i];
  for (std::size_t i = 0; i < kind.size() / 2; ++i) {
    z[i] = random.uniform(-1, 1);
    w[i] = 0;
  }
  return nsm::Problem::mlcp(nsm::Matrix::dense(n, n, M), generate::right_hand_side(w, generate::multiply(M, z)), kind);
}

// x+ = x + h (a x + B s), s in -Sgn(C x+): sliding along C x = 0.
nsm::Problem relay(int m, bool symmetric) {
  generate::Random random(static_cast<std::uint64_t>(600 + m));
  Values M = generate::gram(random, m, m, 0.1);
  if (!symmetric) generate::add_skew(random, M, m, 1);
  for (double& x : M) x *= 0.1;
  return nsm::Problem::relay(nsm::Matrix::dense(m, m, M), random.uniforms(m, -0.2, 0.2), nsm::Vector(at(m), -1.0),
                             nsm::Vector(at(m), 1.0));
}

void add_mixed_and_boxes(List& list) {
  list.add("mixed LCP", "mixed", {10, 40, 100}, [](int n) { return mixed(n, 0); });
  list.add("mixed LCP", "mixed_singular", {10, 40}, [](int n) { return mixed(n, n / 5); });
  list.add("relay", "relay", {2, 10, 50, 200}, [](int m) { return relay(m, true); });
  list.add("relay", "relay_skew", {2, 10, 50, 200}, [](int m) { return relay(m, false); });
}

// make(random, n), each order from a seed of its own.
template <class Make>
auto seeded(Make make) {
  return [make](int n) {
    generate::Random random(static_cast<std::uint64_t>(300 + n));
    return make(random, n);
  };
}

void add_sparse_programmes(List& list) {
  using generate::Random;
  const char* family = "sparse programmes";
  list.add(family, "steered_car", {50, 500}, generate::steered_car);
  list.add(family, "programme", {300, 1000}, seeded([](Random& r, int n) { return generate::sparse_programme(r, n).problem(); }));
  list.add(family, "transport", {10, 40}, seeded(generate::transport));
  list.add(family, "linear_programme", {300, 1500},
           seeded([](Random& r, int n) { return generate::sparse_linear_programme(r, n, 0.3); }));
  list.add(family, "least_squares", {300, 3000}, seeded([](Random& r, int n) {
             return generate::constructed_sparse_lcp(r, generate::sparse_gram(r, n / 2, n, n), n, 0);
           }));
  list.add(family, "cone_programme", {100, 500}, seeded(generate::cone_programme));
  list.add(family, "repeated_equality", {200, 1000},
           seeded([](Random& r, int n) { return generate::repeated_equality(r, n, 0); }));
}

void add_infeasible(List& list) {
  list.add("infeasible", "contradicting_equalities", {200, 1000},
           seeded([](generate::Random& r, int n) { return generate::repeated_equality(r, n, 1); }), Answer::infeasible);
  list.add("infeasible", "empty_polyhedron", {300, 1000},
           seeded([](generate::Random& r, int n) { return generate::empty_programme(r, n).problem(); }), Answer::infeasible);
  const auto fixed = [&](const char* name, Lcp lcp) {
    list.add(
        "infeasible", name, {lcp.n}, [lcp](int) { return lcp; }, Answer::infeasible);
  };
  fixed("minus_identity", {1, {-1}, {-1}, {}});
  fixed("zero_matrix", {2, {0, 0, 0, 0}, {-1, 1}, {}});
  fixed("nilpotent", {2, {0, 0, 1, 0}, {-1, -1}, {}});
  fixed("laplacian", {2, {1, -1, -1, 1}, {-1, -1}, {}});
  // M of rank n / 2 with M y = 0 for some y > 0, and q'y < 0.
  list.add(
      "infeasible", "half_rank_infeasible", {50, 300},
      [](int n) {
        generate::Random random(static_cast<std::uint64_t>(400 + n));
        const Values y = random.uniforms(n, 0.5, 1.5);
        Values G = random.normals(std::int64_t{n} * (n / 2));
        double length = 0;
        for (double x : y) length += x * x;
        for (int k = 0; k < n / 2; ++k) {
          double along = 0;
          for (int i = 0; i < n; ++i) along += G[at(i + k * n)] * y[at(i)];
          for (int i = 0; i < n; ++i) G[at(i + k * n)] -= along / length * y[at(i)];
        }
        Lcp lcp{n, Values(at(n) * at(n), 0.0), random.uniforms(n, -1, 0.5), {}};
        for (int k = 0; k < n / 2; ++k)
          for (int j = 0; j < n; ++j)
            for (int i = 0; i < n; ++i) lcp.M[at(i + j * n)] += G[at(i + k * n)] * G[at(j + k * n)];
        return lcp;
      },
      Answer::infeasible);
}

}  // namespace

std::vector<FamilyProblem> complementarity_families() {
  std::vector<FamilyProblem> problems;
  List list(problems);
  add_literature(list);
  add_random(list);
  add_contact_problems(list);
  add_grids(list);
  add_mixed_and_boxes(list);
  add_sparse_programmes(list);
  add_infeasible(list);
  return problems;
}

}  // namespace nonsmooth::collection
