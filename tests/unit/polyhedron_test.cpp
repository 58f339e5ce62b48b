// Projection on a polyhedron against its optimality conditions; empty and degenerate polyhedra.
#include "sets/polyhedron.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "../support/generators.hpp"
#include "linalg/nnls.hpp"
#include "sets/face_projection.hpp"
#include "sets/set.hpp"

namespace nonsmooth::polyhedron_test {

using generate::at;
using generate::norm;
using generate::Random;

struct Rows {  // a_i x >= b_i, all constraints
  std::vector<Vector> a;
  Vector b;
};

Rows rows_of(const Polyhedron& P, std::size_t n) {
  Rows rows;
  const DenseMatrix H = to_dense(P.H);
  for (std::int64_t i = 0; i < H.rows; ++i) {
    Vector a(n);
    for (std::size_t j = 0; j < n; ++j) a[j] = H.values[at(i) + j * at(H.rows)];
    rows.a.push_back(a);
    rows.b.push_back(P.k[at(i)]);
  }
  for (std::size_t j = 0; j < n; ++j)
    for (const auto& [bound, sign] : {std::pair{&P.lo, 1.0}, std::pair{&P.hi, -1.0}})
      if (j < bound->size() && std::isfinite((*bound)[j])) {
        Vector a(n, 0.0);
        a[j] = sign;
        rows.a.push_back(a);
        rows.b.push_back(sign * (*bound)[j]);
      }
  return rows;
}

// p is feasible, and p - x is a non-negative combination of the active rows.
void expect_projection(const Polyhedron& P, const Vector& x, const Vector& p) {
  const Rows rows = rows_of(P, x.size());
  const double size = 1 + norm(x) + norm(p);
  std::vector<std::size_t> active;
  for (std::size_t i = 0; i < rows.a.size(); ++i) {
    double value = -rows.b[i];
    for (std::size_t j = 0; j < p.size(); ++j) value += rows.a[i][j] * p[j];
    EXPECT_GE(value, -1e-10 * size);
    if (value <= 1e-8 * size) active.push_back(i);
  }
  Vector difference(x.size());
  for (std::size_t j = 0; j < x.size(); ++j) difference[j] = p[j] - x[j];
  if (norm(difference) <= 1e-12 * size) return;
  ASSERT_FALSE(active.empty());
  NonnegativeLeastSquares nnls;
  const int n = static_cast<int>(x.size()), m = static_cast<int>(active.size());
  nnls.resize(n, m);
  for (std::size_t c = 0; c < active.size(); ++c)
    std::copy(rows.a[active[c]].begin(), rows.a[active[c]].end(),
              nnls.matrix().begin() + static_cast<std::ptrdiff_t>(c * x.size()));
  Vector multipliers(active.size());
  EXPECT_LE(nnls.solve(n, m, difference, std::vector<char>(active.size(), 0), multipliers), 1e-8 * size);
}

// Rows through a known inner point, so that the set is not empty.
Polyhedron random_polyhedron(Random& random, int n, int m, bool bounds) {
  const Vector inner = random.normals(n);
  DenseMatrix H{m, n, random.normals(std::int64_t{m} * n)};
  const Vector product = generate::multiply(H.values, inner);
  Polyhedron P{Matrix(H, "H"), Vector(at(m)), {}, {}};
  for (std::size_t i = 0; i < P.k.size(); ++i) P.k[i] = product[i] - (random.chance(0.3) ? 0 : random.uniform());
  if (bounds)
    for (double x : inner) {
      P.lo.push_back(random.chance(0.3) ? -HUGE_VAL : x - random.uniform());
      P.hi.push_back(random.chance(0.3) ? HUGE_VAL : x + random.uniform());
    }
  return P;
}

TEST(Polyhedron, ProjectionSatisfiesTheOptimalityConditions) {
  Random random(41);
  int ended = 0;
  constexpr int trials = 2000;
  for (int k = 0; k < trials; ++k) {
    const int n = random.integer(1, 8), m = random.integer(1, 12);
    const Polyhedron P = random_polyhedron(random, n, m, random.chance(0.5));
    Vector x = random.normals(n), p(at(n));
    for (double& entry : x) entry *= 5;
    if (!project(P, x, p)) continue;
    ++ended;
    expect_projection(P, x, p);
  }
  EXPECT_EQ(ended, trials) << "the projection on a non-empty polyhedron exists";
}

// What is left of x on a subspace next to 0 is rounding, which contradicts nothing.
TEST(Polyhedron, EqualitiesThroughTheOriginLeaveRounding) {
  Random random(43);
  for (int k = 0; k < 2000; ++k) {
    const int n = random.integer(2, 6), pairs = random.integer(1, n);
    DenseMatrix H{2 * pairs, n, Vector(at(2 * pairs * n))};
    for (int i = 0; i < pairs; ++i)
      for (int j = 0; j < n; ++j) {
        const double h = random.chance(0.5) ? random.integer(-2, 2) : 0;
        H.values[at(2 * i + j * 2 * pairs)] = h;
        H.values[at(2 * i + 1 + j * 2 * pairs)] = -h;
      }
    const Polyhedron P{Matrix(H, "H"), Vector(at(2 * pairs), 0.0), random.chance(0.5) ? Vector(at(n), 0.0) : Vector(), {}};
    Vector x = random.normals(n), p(at(n));
    ASSERT_TRUE(project(P, x, p)) << "case " << k << ": 0 is in it";
    expect_projection(P, x, p);
  }
}

TEST(Polyhedron, AnEqualityIsAPairOfRows) {
  // x + y = 1, projection of (2, 2) is (.5, .5).
  const Polyhedron P{Matrix(DenseMatrix{2, 2, {1, -1, 1, -1}}, "H"), {1, -1}, {}, {}};
  Vector p(2);
  ASSERT_TRUE(project(P, Vector{2, 2}, p));
  EXPECT_NEAR(p[0], 0.5, 1e-14);
  EXPECT_NEAR(p[1], 0.5, 1e-14);
}

TEST(Polyhedron, RedundantRowsDoNoHarm) {
  const Polyhedron P{Matrix(DenseMatrix{3, 2, {1, 2, 0, 0, 0, 0}}, "H"), {1, 2, 0}, {}, {}};
  Vector p(2);
  ASSERT_TRUE(project(P, Vector{-3, 7}, p));
  EXPECT_NEAR(p[0], 1, 1e-14);
  EXPECT_NEAR(p[1], 7, 1e-14);
}

TEST(Polyhedron, EmptySetsAreReported) {
  Vector p(1), p2(2);
  EXPECT_FALSE(project(Polyhedron{Matrix(DenseMatrix{2, 1, {1, -1}}, "H"), {1, 0}, {}, {}}, Vector{0.5}, p));
  EXPECT_FALSE(project(Polyhedron{Matrix(DenseMatrix{1, 2, {1, 1}}, "H"), {3}, {0, 0}, {1, 1}}, Vector{0, 0}, p2));
  EXPECT_FALSE(project(Polyhedron{Matrix(DenseMatrix{1, 1, {1}}, "H"), {1}, {}, {0}}, Vector{5}, p));
  // 0 x >= 1
  EXPECT_FALSE(project(Polyhedron{Matrix(DenseMatrix{1, 1, {0}}, "H"), {1}, {}, {}}, Vector{5}, p));
}

TEST(Polyhedron, PointsInsideStay) {
  Random random(42);
  for (int k = 0; k < 200; ++k) {
    const int n = random.integer(1, 6);
    const Polyhedron P = random_polyhedron(random, n, 5, false);
    Vector p(at(n)), again(at(n));
    ASSERT_TRUE(project(P, random.normals(n), p));
    ASSERT_TRUE(project(P, p, again));
    for (std::size_t i = 0; i < p.size(); ++i) EXPECT_NEAR(again[i], p[i], 1e-12 * (1 + norm(p)));
  }
}

// Unknowns in unlike units: a set that holds a point is not called empty.
TEST(Polyhedron, ColumnsOfUnlikeSizesDoNoHarm) {
  Random random(46);
  for (int k = 0; k < 600; ++k) {
    const int n = random.integer(3, 15), m = 2 * n;
    const Vector inside = random.normals(n);
    DenseMatrix H{m, n, random.normals(std::int64_t{m} * n)};
    Vector bounds(at(m), 0.0), p(at(n));
    for (int j = 0; j < n; ++j) {
      const double unit = random.magnitude(-4, 4);
      for (int i = 0; i < m; ++i) bounds[at(i)] += (H.values[at(i + j * m)] *= unit) * inside[at(j)];
    }
    for (double& bound : bounds)
      if (random.chance(0.6)) bound -= random.uniform();
    const Polyhedron P{Matrix(H, "H"), bounds, {}, {}};
    Vector x = random.normals(n);
    for (double& entry : x) entry *= 1000;
    EXPECT_TRUE(project(P, x, p)) << "case " << k;
  }
}

// Few entries per row, so that steps for the multipliers take the place of the dense method.
Polyhedron sparse_polyhedron(Random& random, int n, int m, bool bounds) {
  DenseMatrix H{m, n, Vector(at(m) * at(n), 0.0)};
  for (int i = 0; i < m; ++i)
    for (int k = 0; k < 4; ++k) H.values[at(i + random.integer(0, n - 1) * m)] = random.normal();
  const Vector inner = random.normals(n), product = generate::multiply(H.values, inner);
  Polyhedron P{Matrix(to_csc(Matrix(H, "H")), "H"), product, {}, {}};
  for (double& k : P.k) k -= random.chance(0.5) ? 0 : random.uniform();
  for (int j = 0; bounds && j < n; ++j) {
    P.lo.push_back(random.chance(0.2) ? -HUGE_VAL : inner[at(j)] - random.uniform());
    P.hi.push_back(random.chance(0.2) ? HUGE_VAL : inner[at(j)] + random.uniform());
  }
  return P;
}

TEST(Polyhedron, ManyUnknownsAreProjectedFromNearAndFar) {
  Random random(47);
  for (int k = 0; k < 40; ++k) {
    const int n = random.integer(50, 90);
    const Polyhedron P = sparse_polyhedron(random, n, random.integer(30, 60), k % 2 == 0);
    Vector x = random.normals(n), p(at(n)), again(at(n));
    for (double& entry : x) entry *= 5;
    ASSERT_EQ(project_by_multipliers(P, x, x, p, 100), Projected::found) << "case " << k;
    expect_projection(P, x, p);
    ASSERT_EQ(project_by_multipliers(P, x, p, again, 2), Projected::found) << "case " << k;
    for (std::size_t i = 0; i < p.size(); ++i) EXPECT_NEAR(again[i], p[i], 1e-10 * (1 + norm(p)));
  }
}

struct Asked final : Patience {
  int left;
  explicit Asked(int times) : left(times) {}
  bool lasts() override { return left-- > 0; }
};

// Of few unknowns and of many, by steps of either kind.
TEST(Polyhedron, ProjectionsEndWithPatience) {
  Random random(49);
  for (const int n : {20, 90}) {
    Polyhedron P = sparse_polyhedron(random, n, n / 2, true);
    Vector x = random.normals(n), p(at(n));
    for (double& entry : x) entry *= 5;
    Asked none(0), enough(1'000'000);
    P.patience = &none;
    EXPECT_FALSE(project(P, x, p));
    P.patience = &enough;
    ASSERT_TRUE(project(P, x, p));
    expect_projection(P, x, p);
    Asked nearly(999'999 - enough.left);
    P.patience = &nearly;
    EXPECT_FALSE(project(P, x, p)) << "asked up to the end";
  }
}

// Each row twice, and its negative: equalities that depend on each other.
TEST(Polyhedron, ManyDependentRows) {
  Random random(48);
  for (int k = 0; k < 20; ++k) {
    const int n = 60, m = 12;
    DenseMatrix H{3 * m, n, Vector(at(3 * m * n), 0.0)};
    for (int i = 0; i < m; ++i)
      for (int entry = 0; entry < 4; ++entry) {
        const int j = random.integer(0, n - 1);
        const double h = random.normal();
        for (int copy = 0; copy < 3; ++copy) H.values[at(3 * i + copy + j * 3 * m)] = copy == 2 ? -h : h;
      }
    const Polyhedron P{Matrix(to_csc(Matrix(H, "H")), "H"), generate::multiply(H.values, random.normals(n)), {}, {}};
    Vector p(at(n));
    const Vector x = random.normals(n);
    ASSERT_TRUE(project(P, x, p)) << "case " << k;
    expect_projection(P, x, p);
  }
}

// A row and its negative ask for more than 0 together: proven, with the dense method out of reach.
TEST(Polyhedron, LargeEmptySetsAreReported) {
  Random random(49);
  const int n = 2500, m = 800;
  IndexVector row, column;
  Vector value;
  for (int i = 0; i < m; ++i)
    for (int entry = 0; entry < 3; ++entry) {
      row.push_back(i);
      column.push_back((17 * i + 5 * entry) % n);
      value.push_back(random.normal());
      if (i > 0) continue;
      row.push_back(m);
      column.push_back(column.back());
      value.push_back(-value.back());
    }
  Vector k(at(m + 1), -1.0), p(at(n));
  k.back() = 1.5;
  const Polyhedron P{Matrix::from_triplets(m + 1, n, row, column, value, "H"), k, Vector(at(n), -10.0), Vector(at(n), 10.0)};
  EXPECT_FALSE(project(P, random.normals(n), p));
  EXPECT_EQ(project_by_multipliers(P, Vector(at(n), 0.0), Vector(at(n), 0.0), p, 100), Projected::empty);
  // 0 >= 1, in the last of many rows
  Polyhedron without_points = sparse_polyhedron(random, 80, 40, true);
  DenseMatrix H = to_dense(without_points.H);
  for (int j = 0; j < 80; ++j) H.values[at(39 + j * 40)] = 0;
  without_points.H = Matrix(to_csc(Matrix(H, "H")), "H");
  without_points.k.back() = 1;
  Vector q(80);
  EXPECT_FALSE(project(without_points, random.normals(80), q));
}

// Distances, in units of z whatever those of the rows are.
TEST(Polyhedron, TheLargestViolation) {
  const Polyhedron set{Matrix(DenseMatrix{1, 2, {3, 4}}, "H"), {10}, {-1, -1}, {HUGE_VAL, 5}};
  EXPECT_DOUBLE_EQ(largest_violation(set, Vector{0, 0}), 2);
  EXPECT_DOUBLE_EQ(largest_violation(set, Vector{-4, 5}), 3);
  EXPECT_DOUBLE_EQ(largest_violation(set, Vector{0, 9}), 4);
  EXPECT_EQ(largest_violation(set, Vector{2, 1}), 0);
  EXPECT_TRUE(std::isnan(largest_violation(set, Vector{NAN, 9})));
}

// z >= 1 and z <= 1 - gap: what is rounding of the bounds is forgiven.
TEST(Polyhedron, RowsThatContradictEachOther) {
  const auto is_projected = [](double gap) {
    const Polyhedron set{Matrix(DenseMatrix{2, 1, {1, -1}}, "H"), {1, -(1 - gap)}, {}, {}};
    Vector p(1);
    return project(set, Vector{0}, p);
  };
  EXPECT_TRUE(is_projected(1e-12));
  EXPECT_FALSE(is_projected(1e-6));
  const Polyhedron empty{Matrix(DenseMatrix{2, 1, {1, -1}}, "H"), {1, 0}, {}, {}};
  const SetBlock block{SetKind::polyhedron, 0, 1, 0, 0, &empty};
  double workspace[2];
  EXPECT_EQ(distance_to_set(block, Vector{3}.data(), workspace), HUGE_VAL);
}

}  // namespace nonsmooth::polyhedron_test
