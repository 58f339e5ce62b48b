// Linear complementarity problems of the literature.
#include "collection.hpp"
#include "constructions.hpp"
#include "dense.hpp"
#include "random.hpp"

namespace nonsmooth::collection {
namespace {

// Unit lower triangular with the given value below the diagonal, its sign alternating if asked.
Dense triangular(int n, double below, bool alternating) {
  Dense M(n, n);
  for (int i = 0; i < n; ++i) {
    M(i, i) = 1;
    for (int j = 0; j < i; ++j) M(i, j) = alternating && (i + j) % 2 != 0 ? -below : below;
  }
  return M;
}

// z = e_k, w = e - e_k: the solution for q = -e and a column k of 2 but for a 1 on the diagonal.
nsm::Solution unit_vector(int n, int k = 0) {
  nsm::Solution solution{nsm::Vector(static_cast<std::size_t>(n), 0.0), nsm::Vector(static_cast<std::size_t>(n), 1.0)};
  solution.z[static_cast<std::size_t>(k)] = 1;
  solution.w[static_cast<std::size_t>(k)] = 0;
  return solution;
}

nsm::Vector minus_ones(int n) { return nsm::Vector(static_cast<std::size_t>(n), -1.0); }

// For a unit lower triangular M and q = -e: row by row.
nsm::Solution forward_substitution(const Dense& M) {
  const int n = M.rows();
  nsm::Solution solution{nsm::Vector(static_cast<std::size_t>(n)), nsm::Vector(static_cast<std::size_t>(n))};
  for (int i = 0; i < n; ++i) {
    double sum = -1;
    for (int j = 0; j < i; ++j) sum += M(i, j) * solution.z[static_cast<std::size_t>(j)];
    (sum < 0 ? solution.z : solution.w)[static_cast<std::size_t>(i)] = sum < 0 ? -sum : sum;
  }
  return solution;
}

void add_exponential(Collection& collection, int n) {
  const std::string order = std::to_string(n);
  const bool basic = n == 16;
  const Dense murty = triangular(n, 2, false), alternating = triangular(n, 2, true);
  collection.add(
      {.file = "lcp_murty_" + order + ".json",
       .family = "literature",
       .title = "Murty's problem, n = " + order,
       .source = "Murty 1978: M unit lower triangular with 2 below, q = -e; z = e_1; least-index pivoting takes 2^n steps",
       .problem = nsm::Problem::lcp(murty.matrix(), minus_ones(n)),
       .solution = unit_vector(n),
       .unique = p_matrix,
       .basic = basic});
  collection.add(
      {.file = "lcp_fathi_" + order + ".json",
       .family = "literature",
       .title = "Fathi's problem, n = " + order,
       .source = "Fathi 1979: M = L L' with L of Murty's problem, q = -e; z = e_1; Lemke without care for ties takes 2^n steps",
       .problem = nsm::Problem::lcp(murty.gram().matrix(), minus_ones(n)),
       .solution = unit_vector(n),
       .unique = positive_definite_matrix,
       .basic = basic});
  collection.add(
      {.file = "lcp_chandrasekaran_" + order + ".json",
       .family = "literature",
       .title = "Triangular P-matrix with alternating signs, n = " + order,
       .source = "after Chandrasekaran: M unit lower triangular, m_ij = 2 (-1)^(i+j) below, q = -e; z by forward substitution",
       .problem = nsm::Problem::lcp(alternating.matrix(), minus_ones(n)),
       .solution = forward_substitution(alternating),
       .unique = p_matrix,
       .basic = basic});
}

void add_small_classics(Collection& collection) {
  const Dense murty = triangular(64, 2, false).transposed();
  collection.add({.file = "lcp_murty_upper_64.json",
                  .family = "literature",
                  .title = "Murty's problem, upper triangular, n = 64",
                  .source = "Murty 1978: M unit upper triangular with 2 above, q = -e; z = e_n",
                  .problem = nsm::Problem::lcp(murty.matrix(), minus_ones(64)),
                  .solution = unit_vector(64, 63),
                  .unique = p_matrix});
  collection.add({.file = "lcp_kostreva_3.json",
                  .family = "literature",
                  .title = "Kostreva's problem",
                  .source = "Kostreva 1979: M = [1 2 0; 0 1 2; 2 0 1], q = -e; z = e / 3; least-index pivoting cycles",
                  .problem = nsm::Problem::lcp(nsm::Matrix::dense(3, 3, {1, 0, 2, 2, 1, 0, 0, 2, 1}), minus_ones(3)),
                  .solution = {nsm::Vector(3, 1.0 / 3), nsm::Vector(3, 0.0)},
                  .unique = p_matrix});
}

// tridiag(1, 4, -2), q = -4 e
void add_tridiagonal(Collection& collection, std::int32_t n, const std::string& ending) {
  const std::string order = std::to_string(n);
  collection.add(
      {.file = "lcp_tridiagonal_" + order + ending,
       .family = "literature",
       .title = "Nonsymmetric tridiagonal M, n = " + order,
       .source =
           "Ahn 1983: M = tridiag(1, 4, -2), q = -4 e; an H-matrix with positive diagonal: projected Gauss-Seidel converges",
       .problem = problem(generate::tridiagonal(n, 1, 4, -2, -4)),
       .unique = p_matrix,
       .method = n == 200 ? "block_gauss_seidel" : "",
       .basic = n == 200});
}

// M = A'A + B + D with B skew and D a positive diagonal.
void add_harker_pang(Collection& collection, int n, bool hard) {
  const std::string order = std::to_string(n);
  const bool basic = n == 20 && hard;
  const unsigned seed = basic ? 1990 : static_cast<unsigned>(1990 + n + (hard ? 0 : 1));
  Random random(seed);
  Dense transposed(n, n);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) transposed(i, j) = random.uniform(-5, 5);
  Dense M = transposed.gram();
  for (int i = 0; i < n; ++i) {
    M(i, i) += random.uniform(0, 0.3);
    for (int j = 0; j < i; ++j) {
      const double skew = random.uniform(-5, 5);
      M(i, j) += skew;
      M(j, i) -= skew;
    }
  }
  collection.add(
      {.file = std::string("lcp_harker_pang_") + (hard ? "" : "easy_") + order + ".json",
       .family = "Harker-Pang",
       .title = std::string("Harker and Pang's ") + (hard ? "hard" : "easy") + " problem, n = " + order,
       .source = std::string("Harker and Pang 1990: M = A'A + B + D, A and skew B in (-5, 5), D in (0, 0.3), q in (-500, ") +
                 (hard ? "0" : "500") + "); seed " + std::to_string(seed),
       .problem = nsm::Problem::lcp(M.matrix(), random.vector(static_cast<std::size_t>(n), -500, hard ? 0 : 500)),
       .unique = positive_definite_matrix,
       .basic = basic});
}

// integers: degenerate.
void add_bimatrix(Collection& collection, int k, bool integers) {
  const bool basic = k == 5;
  const unsigned seed = basic ? 1964 : static_cast<unsigned>(1964 + k);
  Random random(seed);
  Dense M(2 * k, 2 * k);
  for (int i = 0; i < k; ++i)
    for (int j = 0; j < k; ++j) {
      M(i, k + j) = integers ? random.integer(1, 5) : random.uniform(0.1, 1);
      M(k + j, i) = integers ? random.integer(1, 5) : random.uniform(0.1, 1);
    }
  const std::string order = std::to_string(k);
  collection.add(
      {.file = std::string("lcp_bimatrix_") + (integers && !basic ? "integers_" : "") + std::to_string(2 * k) + ".json",
       .family = "bimatrix",
       .title = "Bimatrix game of " + order + " x " + order + " strategies" + (integers ? ", degenerate" : ""),
       .source = "Lemke and Howson 1964: M = [0 A; B' 0], q = -e, costs A, B in " +
                 std::string(integers ? "1 .. 5 (degenerate)" : "(0.1, 1)") + "; seed " + std::to_string(seed),
       .problem = nsm::Problem::lcp(M.matrix(), minus_ones(2 * k)),
       .method = basic ? "enumeration" : "",
       .basic = basic});
}

}  // namespace

void add_literature(Collection& collection) {
  for (int n : {16, 60}) add_exponential(collection, n);
  add_small_classics(collection);
  add_tridiagonal(collection, 200, ".mtx");
  add_tridiagonal(collection, 5000, ".mtx");
  for (bool hard : {true, false})
    for (int n : {20, 50, 100}) add_harker_pang(collection, n, hard);
  for (int k : {5, 10, 50}) add_bimatrix(collection, k, true);
  for (int k : {10, 50}) add_bimatrix(collection, k, false);
}

}  // namespace nonsmooth::collection
