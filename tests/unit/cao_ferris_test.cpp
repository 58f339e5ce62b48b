// Cao and Ferris's path: any matrix on bounded polyhedra, equalities as opposite rows, lines, degenerate vertices, empty sets;
// and the search for a face of least dimension.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "../support/generators.hpp"
#include "../support/solve.hpp"
#include "methods/pivoting/minimal_face.hpp"

namespace cao_ferris_test {

using generate::at;
using generate::norm;
using generate::Random;
using generate::Values;
using support::ProblemPtr;
using support::Solution;

struct PolyhedralProblem {
  int n = 0, m = 0;
  Values M, q, H, k, lo, hi;

  ProblemPtr create() const {
    nsm_problem* raw = nullptr;
    const nsm_matrix matrix = support::dense(n, n, M), rows = support::dense(m, n, H);
    EXPECT_EQ(nsm_problem_create_avi(&matrix, q.data(), m > 0 ? &rows : nullptr, m > 0 ? k.data() : nullptr,
                                     lo.empty() ? nullptr : lo.data(), hi.empty() ? nullptr : hi.data(), &raw),
              NSM_OK)
        << nsm_last_error();
    return ProblemPtr(raw);
  }
  Solution solve(const char* method = "cao_ferris") const { return support::solve(create().get(), method); }
};

enum class Bounds { none, box, rows };

// Rows through a point inside; with a box around it, as such or as further rows, the polyhedron is bounded.
PolyhedralProblem random_problem(Random& random, int n, int m, Values M, Bounds bounds) {
  PolyhedralProblem p{n, m, std::move(M), random.normals(n), random.normals(std::int64_t{m} * n), Values(at(m)), {}, {}};
  const Values inner = random.normals(n), product = generate::multiply(p.H, inner);
  for (std::size_t i = 0; i < p.k.size(); ++i) p.k[i] = product[i] - random.uniform();
  if (bounds == Bounds::none) return p;
  for (double x : inner) {
    p.lo.push_back(x - random.uniform(0.5, 3));
    p.hi.push_back(x + random.uniform(0.5, 3));
  }
  if (bounds == Bounds::box) return p;
  p.m = m + 2 * n;
  Values H(at(p.m) * at(n), 0.0);
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < m; ++i) H[at(i + j * p.m)] = p.H[at(i + j * m)];
    for (int i = j; i < std::min(n, j + 2); ++i) {  // of x_j less half of the one before it: rows of one entry are bounds
      H[at(m + i + j * p.m)] = i == j ? 1 : -0.5;
      H[at(m + n + i + j * p.m)] = i == j ? -1 : 0.5;
    }
  }
  p.H = H;
  for (int sign : {1, -1})
    for (std::size_t j = 0; j < inner.size(); ++j)
      p.k.push_back(sign * ((sign > 0 ? p.lo : p.hi)[j] - (j > 0 ? 0.5 * inner[j - 1] : 0)));
  p.lo.clear();
  p.hi.clear();
  return p;
}

TEST(CaoFerris, AnyMatrixOnBoundedPolyhedra) {
  Random random(501);
  int missed = 0, missed_by_lemke = 0;
  for (int k = 0; k < 300; ++k) {
    const int n = random.integer(1, 8), m = random.integer(0, 8);
    const PolyhedralProblem p =
        random_problem(random, n, m, random.normals(std::int64_t{n} * n), k % 2 == 0 ? Bounds::box : Bounds::rows);
    const Solution s = p.solve();
    EXPECT_TRUE(s.converged()) << "case " << k << ", n = " << n << ", m = " << m << ": " << s.text();
    missed += s.converged() ? 0 : 1;
    missed_by_lemke += p.solve("lemke").converged() ? 0 : 1;
  }
  EXPECT_EQ(missed, 0);
  EXPECT_GT(missed_by_lemke, 0) << "then one of the two methods is enough";
}

TEST(CaoFerris, MonotoneProblemsAgreeWithLemke) {
  Random random(502);
  for (int k = 0; k < 300; ++k) {
    const int n = random.integer(1, 8), m = random.integer(1, 12);
    Values M = generate::gram(random, n, n, 0.1);
    if (k % 2 == 0) generate::add_skew(random, M, n, 1);
    const PolyhedralProblem p = random_problem(random, n, m, M, static_cast<Bounds>(k % 3));
    const Solution a = p.solve(), b = p.solve("lemke");
    ASSERT_TRUE(a.converged()) << "case " << k << ", n = " << n << ", m = " << m << ": " << a.text();
    ASSERT_TRUE(b.converged()) << b.text();
    for (std::size_t i = 0; i < a.z.size(); ++i) EXPECT_NEAR(a.z[i], b.z[i], 1e-7 * (1 + norm(b.z)));
  }
}

// Indefinite M on an unbounded set: every path ends on a ray beside the solution, which auto finds all the same.
TEST(CaoFerris, WhatPathsMissAutoFinds) {
  const Values M = {-1, -0.3, 0.1, -1.2}, q = {0.5, 0.9}, H = {-1.5, -1.9, 0.5, -1.7, -1.7, 0.3}, k = {1.1, 0.6, -1.6};
  const PolyhedralProblem p{2, 3, M, q, H, k, {}, {}};
  for (const char* path : {"lemke", "cao_ferris"}) EXPECT_EQ(p.solve(path).result.outcome, NSM_RAY) << path;
  const Solution s = p.solve("auto");
  EXPECT_TRUE(s.converged()) << s.text();
}

// x + y = 1 as two rows, and twice over; the projection of (2, 0) is (1.5, -0.5).
TEST(CaoFerris, EqualitiesAsOppositeRows) {
  const PolyhedralProblem once{2, 2, {1, 0, 0, 1}, {-2, 0}, {1, -1, 1, -1}, {1, -1}, {}, {}};
  const PolyhedralProblem twice{2, 4, {1, 0, 0, 1}, {-2, 0}, {1, -1, 2, -2, 1, -1, 2, -2}, {1, -1, 2, -2}, {}, {}};
  for (const PolyhedralProblem& p : {once, twice}) {
    const Solution s = p.solve();
    ASSERT_TRUE(s.converged()) << s.text();
    EXPECT_NEAR(s.z[0], 1.5, 1e-12);
    EXPECT_NEAR(s.z[1], -0.5, 1e-12);
  }
}

// The polyhedron {x >= 1} in the plane contains lines: M decides about y.
TEST(CaoFerris, LinesInThePolyhedron) {
  const PolyhedralProblem regular{2, 1, {2, 1, 1, 2}, {0, -3}, {1, 0}, {1}, {}, {}};
  const Solution s = regular.solve();
  ASSERT_TRUE(s.converged()) << s.text();
  EXPECT_NEAR(s.z[0], 1, 1e-12);
  EXPECT_NEAR(s.z[1], 1, 1e-12);
  const PolyhedralProblem singular{2, 1, {1, 0, 0, 0}, {0, 1}, {1, 0}, {1}, {}, {}};
  EXPECT_EQ(singular.solve().result.outcome, NSM_BREAKDOWN);
}

// More constraints through one vertex than unknowns: integer data, a pyramid over a polygon.
TEST(CaoFerris, DegenerateVertices) {
  Random random(503);
  for (int k = 0; k < 200; ++k) {
    const int n = 3, m = 8;
    PolyhedralProblem p{n, m, random.normals(9), random.normals(3), Values(24), Values(8, 0.0), {-2, -2, -2}, {2, 2, 2}};
    for (int i = 0; i < m; ++i) {  // z <= +-x, z <= +-y, z <= (+-x +-y)
      const double x[] = {1, -1, 0, 0, 1, 1, -1, -1}, y[] = {0, 0, 1, -1, 1, -1, 1, -1};
      p.H[at(i)] = x[i];
      p.H[at(i + m)] = y[i];
      p.H[at(i + 2 * m)] = -1;
    }
    const Solution s = p.solve();
    EXPECT_TRUE(s.converged()) << "case " << k << ": " << s.text();
  }
}

// By the definition: y >= 0, and y'H z < y'k within the bounds.
bool proves_empty(const PolyhedralProblem& p, const Values& y) {
  double margin = 0;
  for (int i = 0; i < p.m; ++i) {
    if (y[at(i)] < 0) return false;
    margin += y[at(i)] * p.k[at(i)];
  }
  for (int j = 0; j < p.n; ++j) {
    double g = 0;
    for (int i = 0; i < p.m; ++i) g += y[at(i)] * p.H[at(i + j * p.m)];
    if (std::abs(g) < 1e-12) continue;
    if (p.lo.empty()) return false;
    margin -= g * (g > 0 ? p.hi[at(j)] : p.lo[at(j)]);
  }
  return margin > 0;
}

TEST(CaoFerris, EmptyPolyhedraAreProved) {
  const PolyhedralProblem cases[] = {{2, 2, {1, 0, 0, 1}, {0, 0}, {1, -1, 0, 0}, {1, 0}, {}, {}},  // x >= 1, x <= 0
                                     {2, 1, {1, 0, 0, 1}, {0, 0}, {1, 1}, {3}, {0, 0}, {1, 1}},    // x + y >= 3 in [0, 1]^2
                                     {1, 1, {1}, {0}, {0}, {1}, {}, {}},                           // 0 x >= 1
                                     {2, 3, {1, 0, 0, 1}, {0, 0}, {1, 0, -1, 0, 1, -1}, {1, 1, -1}, {}, {}}};
  for (const PolyhedralProblem& p : cases)
    for (const char* method : {"cao_ferris", "auto", "extragradient"}) {
      const ProblemPtr problem = p.create();
      const auto solver = support::setup(problem.get(), method);
      const Solution s = support::solve(solver.get(), p.n);
      ASSERT_EQ(s.result.outcome, NSM_INFEASIBLE) << method << ": " << s.text();
      EXPECT_EQ(nsm_infeasibility_size(problem.get()), p.m);
      Values y(at(p.m));
      ASSERT_EQ(nsm_infeasibility_certificate(solver.get(), y.data(), p.m), NSM_OK) << nsm_last_error();
      EXPECT_TRUE(proves_empty(p, y));
      std::int32_t verified = 0;
      EXPECT_EQ(nsm_certify_infeasible(problem.get(), y.data(), 1e-8, &verified), NSM_OK);
      EXPECT_EQ(verified, 1);
      y.assign(y.size(), 0.0);
      EXPECT_EQ(nsm_certify_infeasible(problem.get(), y.data(), 1e-8, &verified), NSM_OK);
      EXPECT_EQ(verified, 0);
    }
}

// No y proves that a polyhedron with a point in it is empty.
TEST(CaoFerris, NothingProvesANonEmptyPolyhedronEmpty) {
  Random random(504);
  for (int k = 0; k < 300; ++k) {
    const int n = random.integer(1, 5), m = random.integer(1, 8);
    const PolyhedralProblem p = random_problem(random, n, m, generate::identity(n), static_cast<Bounds>(k % 3));
    const ProblemPtr problem = p.create();
    for (int trial = 0; trial < 20; ++trial) {
      const Values y = random.uniforms(p.m, 0, 1);
      std::int32_t verified = 1;
      EXPECT_EQ(nsm_certify_infeasible(problem.get(), y.data(), 1e-8, &verified), NSM_OK);
      EXPECT_EQ(verified, 0);
    }
  }
}

TEST(MinimalFace, IsSpannedByIndependentConstraints) {
  // The unit square as rows and bounds: any vertex takes two of them.
  const nonsmooth::Polyhedron square{nonsmooth::Matrix(nonsmooth::DenseMatrix{2, 2, {-1, 0, 0, -1}}, "H"), {-1, -1}, {0, 0}, {}};
  const nonsmooth::MinimalFace vertex = nonsmooth::find_minimal_face(square, 2);
  ASSERT_TRUE(vertex.exists);
  EXPECT_EQ(vertex.rows[0] + vertex.rows[1] + vertex.at_lower[0] + vertex.at_lower[1], 2);
  // A slab 0 <= x + y <= 1: one constraint.
  const nonsmooth::Polyhedron slab{nonsmooth::Matrix(nonsmooth::DenseMatrix{2, 2, {1, -1, 1, -1}}, "H"), {0, -1}, {}, {}};
  const nonsmooth::MinimalFace line = nonsmooth::find_minimal_face(slab, 2);
  ASSERT_TRUE(line.exists);
  EXPECT_EQ(line.rows[0] + line.rows[1], 1);
  const nonsmooth::Polyhedron empty{nonsmooth::Matrix(nonsmooth::DenseMatrix{2, 1, {1, -1}}, "H"), {1, 0}, {}, {}};
  EXPECT_FALSE(nonsmooth::find_minimal_face(empty, 1).exists);
}

}  // namespace cao_ferris_test
