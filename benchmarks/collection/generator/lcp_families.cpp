// Linear complementarity problems by kind of matrix, most with a solution by construction; those of contacts; and some without a
// solution.
#include "collection.hpp"
#include "constructions.hpp"
#include "friction_lcp.hpp"
#include "scenes.hpp"

namespace nonsmooth::collection {
namespace {

struct Kind {
  std::string file, family, title, formula;
  Uniqueness unique{};
  unsigned seed = 0;
};

// q from a solution that is drawn.
void add_constructed(Collection& collection, const Kind& kind, const Dense& M, Random& random) {
  const nsm::Solution pair = complementary_pair(random, M.rows());
  const std::string order = std::to_string(M.rows());
  collection.add({.file = "lcp_" + kind.file + "_" + order + ".json",
                  .family = kind.family,
                  .title = kind.title + ", n = " + order,
                  .source = kind.formula + "; z > 0 or w > 0 in nine of ten rows, q from them; seed " + std::to_string(kind.seed),
                  .problem = nsm::Problem::lcp(M.matrix(), M.right_hand_side(pair.z, pair.w)),
                  .solution = pair,
                  .unique = kind.unique});
}

template <class MatrixOf>
void add_constructed(Collection& collection, Kind kind, std::initializer_list<int> orders, MatrixOf matrix_of) {
  for (int n : orders) {
    kind.seed = static_cast<unsigned>(700 + n);
    Random random(kind.seed);
    const Dense M = matrix_of(random, n);
    add_constructed(collection, kind, M, random);
  }
}

Dense filled(int n, double (*value)(int, int)) {
  Dense M(n, n);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) M(i, j) = value(i, j);
  return M;
}

void add_definite(Collection& collection) {
  add_constructed(
      collection,
      {"definite", "positive definite", "Positive definite M", "M = G G' / n + I / 10, G in (-1, 1)", positive_definite_matrix},
      {20, 100}, [](Random& random, int n) { return positive_definite(random, n, 0.1, 0); });
  add_constructed(collection,
                  {"definite_skew", "positive definite", "Positive definite M, not symmetric",
                   "M = G G' / n + I / 10 + skew part in (-1, 1)", positive_definite_matrix},
                  {50}, [](Random& random, int n) { return positive_definite(random, n, 0.1, 1); });
  add_constructed(collection,
                  {"nearly_singular", "positive definite", "Nearly singular M", "M = G G' / n + 1e-10 I, G of rank n / 2"},
                  {20, 50}, [](Random& random, int n) { return gram_matrix(random, n, n / 2, 1e-10, 0); });
  add_constructed(collection, {"hilbert", "positive definite", "Hilbert's matrix", "m_ij = 1 / (i + j - 1)"}, {12},
                  [](Random&, int n) { return filled(n, [](int i, int j) { return 1.0 / (i + j + 1); }); });
  add_constructed(
      collection,
      {"exponential_kernel", "positive definite", "Exponential kernel", "m_ij = exp(-|i - j| / 10)", positive_definite_matrix},
      {50}, [](Random&, int n) {
        return filled(n, [](int i, int j) { return generate::exponential(-(i < j ? j - i : i - j) / 10.0); });
      });
}

void add_semidefinite(Collection& collection) {
  collection.add({.file = "lcp_psd_solvable_2.json",
                  .family = "semidefinite",
                  .title = "Semidefinite M with a line of solutions",
                  .source = "M = [1 -1; -1 1], q = (-1, 1): z = (1 + t, t)",
                  .problem = nsm::Problem::lcp(nsm::Matrix::dense(2, 2, {1, -1, -1, 1}), {-1, 1}),
                  .solution = {{1, 0}, {0, 0}},
                  .unique = moved_along_kernel,
                  .basic = true});
  add_constructed(collection,
                  {"half_rank", "semidefinite", "Semidefinite M of rank n / 2", "M = G G' / n, G of n / 2 columns in (-1, 1)"},
                  {20, 100}, [](Random& random, int n) { return gram_matrix(random, n, n / 2, 0, 0); });
  add_constructed(
      collection,
      {"half_rank_skew", "semidefinite", "Semidefinite plus skew", "M = G G' / n + skew part in (-1, 1), G of n / 2 columns"},
      {20, 50}, [](Random& random, int n) { return gram_matrix(random, n, n / 2, 0, 1); });
  add_constructed(
      collection,
      {"skew_blocks", "semidefinite", "Blocks [0 -1; 1 0]", "skew M: blocks [0 -1; 1 0] on the diagonal, others in (-0.1, 0.1)"},
      {20}, [](Random& random, int n) {
        Dense M = gram_matrix(random, n, 0, 0, 0.1);
        for (int i = 0; i + 1 < n; i += 2) M(i, i + 1) -= 1, M(i + 1, i) += 1;
        return M;
      });
}

void add_m_matrices(Collection& collection) {
  add_constructed(collection,
                  {"m_matrix", "M-matrix", "Dense M-matrix", "m_ij in (-1, 0), diagonal 1.01 times the sum of the row", p_matrix},
                  {20, 100}, [](Random& random, int n) {
                    Dense M(n, n);
                    for (int i = 0; i < n; ++i) {
                      double sum = 0;
                      for (int j = 0; j < n; ++j) {
                        M(i, j) = -random.uniform();
                        sum -= i == j ? 0 : M(i, j);
                      }
                      M(i, i) = 1.01 * sum;
                    }
                    return M;
                  });
  for (int n : {300, 1000})
    collection.add({.file = "lcp_graph_laplacian_" + std::to_string(n) + ".json",
                    .family = "M-matrix",
                    .title = "Laplacian of a random graph, n = " + std::to_string(n),
                    .source = "3 n edges with weights in (0.1, 1), 0.001 added to the diagonal, q in (-1, 1); seed 5",
                    .problem = problem(generate::graph_laplacian<Random>(5, n, 6, 1e-3)),
                    .unique = positive_definite_matrix});
  for (int n : {300, 1000})
    collection.add({.file = "lcp_markov_" + std::to_string(n) + ".json",
                    .family = "M-matrix",
                    .title = "Optimal stopping of a Markov chain, n = " + std::to_string(n),
                    .source = "d'Epenoux 1963: M = I - 0.99 P, six transitions of each state, q in (-1, 1); seed 6",
                    .problem = problem(generate::markov<Random>(6, n, 0.99)),
                    .unique = p_matrix});
}

// D M D with powers of ten in (1e-4, 1e4) on the diagonal of D.
Dense badly_scaled(Random& random, Dense M) {
  nsm::Vector d(static_cast<std::size_t>(M.rows()));
  for (double& x : d) x = generate::power(10, random.integer(-4, 4));
  for (int i = 0; i < M.rows(); ++i)
    for (int j = 0; j < M.rows(); ++j) M(i, j) *= d[static_cast<std::size_t>(i)] * d[static_cast<std::size_t>(j)];
  return M;
}

void add_scaled(Collection& collection) {
  const std::string scaled = ", rows and columns scaled by 1e-4 .. 1e4";
  add_constructed(collection, {"scaled_definite", "badly scaled", "Badly scaled, definite", "M = G G' / n + I / 10" + scaled},
                  {20, 50, 100},
                  [](Random& random, int n) { return badly_scaled(random, positive_definite(random, n, 0.1, 0)); });
  add_constructed(collection, {"scaled_semidefinite", "badly scaled", "Badly scaled, rank n / 2", "M = G G' / n" + scaled},
                  {20, 50}, [](Random& random, int n) { return badly_scaled(random, gram_matrix(random, n, n / 2, 0, 0)); });
}

void add_small_infeasible(Collection& collection, const std::string& name, const std::string& title, const std::string& source,
                          const nsm::Vector& M, const nsm::Vector& q, bool basic = false) {
  const auto n = static_cast<std::int64_t>(q.size());
  collection.add({.file = "lcp_" + name + "_" + std::to_string(n) + ".json",
                  .family = "infeasible",
                  .title = title,
                  .source = source,
                  .problem = nsm::Problem::lcp(nsm::Matrix::dense(n, n, M), q),
                  .outcome = "infeasible",
                  .basic = basic});
}

// M y = 0 for some y > 0 and q'y < 0.
void add_half_rank_infeasible(Collection& collection, int n) {
  const auto seed = static_cast<unsigned>(400 + n);
  Random random(seed);
  const nsm::Vector y = random.uniforms(n, 0.5, 1.5);
  Dense G(n, n / 2);
  double square = 0;
  for (double x : y) square += x * x;
  for (int k = 0; k < n / 2; ++k) {
    double along = 0;
    for (int i = 0; i < n; ++i) {
      G(i, k) = random.uniform(-1, 1);
      along += G(i, k) * y[static_cast<std::size_t>(i)];
    }
    for (int i = 0; i < n; ++i) G(i, k) -= along / square * y[static_cast<std::size_t>(i)];
  }
  collection.add({.file = "lcp_half_rank_infeasible_" + std::to_string(n) + ".json",
                  .family = "infeasible",
                  .title = "Semidefinite M of rank n / 2 without a solution, n = " + std::to_string(n),
                  .source = "M = G G', M y = 0 for a y in (0.5, 1.5), q in (-1, 0.5); seed " + std::to_string(seed),
                  .problem = nsm::Problem::lcp(G.gram().matrix(), random.uniforms(n, -1, 0.5)),
                  .outcome = "infeasible"});
}

void add_infeasible(Collection& collection) {
  add_small_infeasible(collection, "psd_infeasible", "Semidefinite M without a solution",
                       "M = [1 -1; -1 1], q = (-1, -1): y = (1, 1) has M'y = 0 and q'y = -2", {1, -1, -1, 1}, {-1, -1}, true);
  add_small_infeasible(collection, "minus_identity", "M = -I, q = -e", "w = -z - e < 0", {-1, 0, 0, -1}, {-1, -1});
  add_small_infeasible(collection, "zero_matrix", "M = 0, q not positive", "w = q", {0, 0, 0, 0}, {-1, 1});
  add_small_infeasible(collection, "nilpotent", "M = [0 1; 0 0], q = -e", "w_2 = -1", {0, 0, 1, 0}, {-1, -1});
  for (int n : {20, 50}) add_half_rank_infeasible(collection, n);
}

void add_contacts(Collection& collection) {
  const std::vector<std::tuple<std::string, std::string, RigidBodies>> normal = {
      {"stack_5", "stack of five cubes", box_stack(5)},
      {"wall_2d_5", "wall of 5 courses in the plane", wall_2d(5, 5)},
      {"arch_2d_11", "arch of 11 stones in the plane", arch_2d(11)},
      {"sphere_pile_63", "pile of 3 x 3 x 3 spheres", sphere_pile(3, 0.3)},
      {"pyramid_84", "pyramid of 14 cubes", pyramid(3)}};
  for (const auto& [name, title, scene] : normal)
    collection.add({.file = "lcp_contact_" + name + ".json",
                    .family = "contact as LCP",
                    .title = "Without friction: " + title,
                    .source = "the normal rows of the scene; M semidefinite",
                    .problem = frictionless_lcp(scene.local())});
  const std::vector<std::tuple<std::string, std::string, RigidBodies>> rough = {
      {"incline", "box sliding down a slope", box_on_incline(0.5)},
      {"stack_2", "stack of two cubes", box_stack(2)},
      {"wall_2d_3", "wall of 3 courses in the plane", wall_2d(3, 3)},
      {"arch_2d_7", "arch of 7 stones in the plane", arch_2d(7)},
      {"sphere_pile_2", "pile of 2 x 2 x 2 spheres", sphere_pile(2, 0.3)}};
  for (const auto& [name, title, scene] : rough)
    collection.add({.file = "lcp_friction_" + name + ".json",
                    .family = "friction as LCP",
                    .title = "Friction in pyramids: " + title,
                    .source = "Anitescu and Potra 1997: four directions per contact in space, two in the plane; M copositive",
                    .problem = friction_lcp(scene.local())});
}

}  // namespace

void add_lcp_families(Collection& collection) {
  add_definite(collection);
  add_semidefinite(collection);
  add_m_matrices(collection);
  add_scaled(collection);
  add_infeasible(collection);
  add_contacts(collection);
}

}  // namespace nonsmooth::collection
