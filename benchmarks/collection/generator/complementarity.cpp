// Linear and mixed linear complementarity problems from published formulas.
#include "collection.hpp"
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

// z = e_1, w = e - e_1: the solution for q = -e and a first column (1, 2, 2, ...).
nsm::Solution first_unit_vector(int n) {
  nsm::Solution solution{nsm::Vector(static_cast<std::size_t>(n), 0.0), nsm::Vector(static_cast<std::size_t>(n), 1.0)};
  solution.z[0] = 1;
  solution.w[0] = 0;
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

void add_exponential(Entries& entries) {
  constexpr int n = 16;
  const Dense murty = triangular(n, 2, false);
  entries.push_back({"lcp_murty_16.json", "Murty's problem, n = 16",
                     "Murty 1978: M unit lower triangular with 2 below, q = -e; z = e_1; least-index pivoting takes 2^n steps",
                     nsm::Problem::lcp(murty.matrix(), minus_ones(n)), 0, first_unit_vector(n)});
  entries.push_back(
      {"lcp_fathi_16.json", "Fathi's problem, n = 16",
       "Fathi 1979: M = L L' with L of Murty's problem, q = -e; z = e_1; Lemke without care for ties takes 2^n steps",
       nsm::Problem::lcp(murty.gram().matrix(), minus_ones(n)), 0, first_unit_vector(n)});
  const Dense chandrasekaran = triangular(n, 2, true);
  entries.push_back(
      {"lcp_chandrasekaran_16.json", "Triangular P-matrix with alternating signs, n = 16",
       "after Chandrasekaran: M unit lower triangular, m_ij = 2 (-1)^(i+j) below, q = -e; z by forward substitution",
       nsm::Problem::lcp(chandrasekaran.matrix(), minus_ones(n)), 0, forward_substitution(chandrasekaran)});
}

// M = A'A + B + D with B skew and D a positive diagonal.
void add_harker_pang(Entries& entries) {
  constexpr int n = 20;
  Random random(1990);
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
  entries.push_back({"lcp_harker_pang_20.json", "Harker and Pang's hard problem, n = 20",
                     "Harker and Pang 1990: M = A'A + B + D, A and skew B in (-5, 5), D in (0, 0.3), q in (-500, 0); seed 1990",
                     nsm::Problem::lcp(M.matrix(), random.vector(n, -500, 0))});
}

void add_semidefinite(Entries& entries) {
  const nsm::Matrix M = nsm::Matrix::dense(2, 2, {1, -1, -1, 1});
  entries.push_back({"lcp_psd_infeasible_2.json",
                     "Semidefinite M without a solution",
                     "M = [1 -1; -1 1], q = (-1, -1): y = (1, 1) has M'y = 0 and q'y = -2",
                     nsm::Problem::lcp(M, {-1, -1}),
                     0,
                     {},
                     "infeasible"});
  entries.push_back({"lcp_psd_solvable_2.json",
                     "Semidefinite M with a line of solutions",
                     "M = [1 -1; -1 1], q = (-1, 1): z = (1 + t, t)",
                     nsm::Problem::lcp(M, {-1, 1}),
                     0,
                     {{1, 0}, {0, 0}}});
}

void add_bimatrix(Entries& entries) {
  constexpr int k = 5;
  Random random(1964);
  Dense M(2 * k, 2 * k);
  for (int i = 0; i < k; ++i)
    for (int j = 0; j < k; ++j) {
      M(i, k + j) = random.integer(1, 5);
      M(k + j, i) = random.integer(1, 5);
    }
  entries.push_back({"lcp_bimatrix_10.json",
                     "Bimatrix game of 5 x 5 strategies",
                     "Lemke and Howson 1964: M = [0 A; B' 0], q = -e, costs A, B in 1 .. 5 (degenerate); seed 1964",
                     nsm::Problem::lcp(M.matrix(), minus_ones(2 * k)),
                     0,
                     {},
                     "converged",
                     "enumeration"});
}

// tridiag(1, 4, -2), q = -4 e
void add_tridiagonal(Entries& entries) {
  constexpr std::int32_t n = 200;
  nsm::Indices start{0}, index;
  nsm::Vector values;
  for (std::int32_t j = 0; j < n; ++j) {
    if (j > 0) index.push_back(j - 1), values.push_back(-2);
    index.push_back(j), values.push_back(4);
    if (j + 1 < n) index.push_back(j + 1), values.push_back(1);
    start.push_back(static_cast<std::int32_t>(index.size()));
  }
  entries.push_back(
      {"lcp_tridiagonal_200.mtx",
       "Nonsymmetric tridiagonal M, n = 200",
       "Ahn 1983: M = tridiag(1, 4, -2), q = -4 e; an H-matrix with positive diagonal: projected Gauss-Seidel converges",
       nsm::Problem::lcp(nsm::Matrix::csc(n, n, start, index, values), nsm::Vector(n, -4.0)),
       0,
       {},
       "converged",
       "block_gauss_seidel"});
}

// One implicit Euler step of an LC oscillator with a resistor behind four ideal diodes:
//   x+ = x + h (A x+ + B v),   w = C x+ + D v,   0 <= w _|_ v >= 0,   x = (voltage, current), unknowns (x+, v).
void add_diode_bridge(Entries& entries) {
  constexpr double inductance = 1e-2, capacitance = 1e-6, resistance = 1e3, h = 1e-6, voltage = 10, current = 0;
  constexpr double g = 1 / resistance;
  const nsm::Matrix A = nsm::Matrix::dense(2, 2, {1, -h / inductance, h / capacitance, 1});               // I - h A
  const nsm::Matrix C = nsm::Matrix::dense(2, 4, {0, 0, 0, 0, h / capacitance, 0, -h / capacitance, 0});  // -h B
  const nsm::Matrix D = nsm::Matrix::dense(4, 2, {0, 0, -1, 1, 0, 0, 0, 0});
  const nsm::Matrix B = nsm::Matrix::dense(4, 4, {g, g, 1, 0, g, g, 0, 1, -1, 0, 0, 0, 0, -1, 0, 0});
  entries.push_back({"mlcp_diode_bridge.json", "Four-diode bridge rectifier, one time step",
                     "oscillator L = 10 mH, C = 1 uF and R = 1 kOhm behind a bridge of ideal diodes, 10 V at the start, implicit "
                     "Euler, h = 1 us",
                     nsm::Problem::mlcp_blocks(A, B, C, D, {-voltage, -current}, {0, 0, 0, 0})});
}

void add_mixed(Entries& entries) {
  constexpr int n = 12;
  Random random(1968);
  Dense M(n, n);
  nsm::Vector z(n), w(n);
  nsm::Indices kind(n);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) M(i, j) = random.uniform(-1, 1) + (i == j ? 4.0 : 0.0);
  for (std::size_t i = 0; i < n; ++i) {
    kind[i] = i % 3 == 0 ? 0 : 1;
    if (kind[i] == 0)
      z[i] = random.uniform(-1, 1);
    else
      (i % 2 == 0 ? z : w)[i] = random.uniform(0.1, 1);
  }
  const nsm::Vector q = M.right_hand_side(z, w);
  entries.push_back({"mlcp_constructed_12.dat",
                     "Mixed problem with a known solution",
                     "random M with dominant diagonal, every third row an equality; q from the solution; seed 1968",
                     nsm::Problem::mlcp(M.matrix(), q, kind),
                     0,
                     {z, w}});
}

}  // namespace

void add_complementarity(Entries& entries) {
  add_exponential(entries);
  add_harker_pang(entries);
  add_semidefinite(entries);
  add_bimatrix(entries);
  add_tridiagonal(entries);
  add_diode_bridge(entries);
  add_mixed(entries);
}

}  // namespace nonsmooth::collection
