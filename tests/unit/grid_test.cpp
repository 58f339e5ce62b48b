// Grids found in matrices and their multigrid, tridiagonal elimination, aggregates.
#include <gtest/gtest.h>

#include <cmath>

#include "../support/lcp_families.hpp"
#include "linalg/aggregation.hpp"
#include "linalg/grid_hierarchy.hpp"
#include "linalg/tridiagonal_factor.hpp"

namespace grid_test {

using namespace nonsmooth;
using generate::at;
using generate::SparseLcp;
using generate::Values;

CscMatrix matrix(const SparseLcp& lcp) { return {lcp.n, lcp.n, lcp.start, lcp.index, lcp.values}; }

TEST(Grid, IsFoundInTheMatrixAndMultipliesLikeIt) {
  const SparseLcp lcp = generate::journal_bearing(7, 5, 0.5);
  GridOperator<double> grid;
  ASSERT_TRUE(load_grid(matrix(lcp), grid));
  EXPECT_EQ(grid.shape.points, (std::array<std::int64_t, 3>{7, 5, 1}));
  const Values x = generate::Random(1).normals(lcp.n), expected = lcp.multiply(x);
  GridArray<double> in, out;
  in.resize(grid.shape);
  out.resize(grid.shape);
  std::copy(x.begin(), x.end(), in.data());
  grid_product(grid, in.data(), out.data());
  for (std::size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(out.data()[i], expected[i], 1e-12);
}

// The residual falls by a fixed factor on every grid.
void expect_contraction(const SparseLcp& lcp, std::array<double, 3> strength) {
  GridHierarchy<double> grids;
  GridOperator<double> grid;
  ASSERT_TRUE(load_grid(matrix(lcp), grid));
  grids.setup(grid.shape, strength);
  grids.grid(0) = grid;
  grids.build(0);
  Values r = generate::Random(2).normals(lcp.n);
  const double first = generate::norm(r);
  for (int k = 0; k < 10; ++k) {
    std::copy(r.begin(), r.end(), grids.b(0));
    grids.cycle(0);
    const Values product = lcp.multiply(Values(grids.x(0), grids.x(0) + lcp.n));
    for (std::size_t p = 0; p < r.size(); ++p) r[p] -= product[p];
  }
  EXPECT_LE(generate::norm(r), std::pow(0.5, 10) * first) << lcp.n;
}

TEST(Grid, CyclesContractOnEveryGrid) {
  for (std::int32_t n : {7, 16, 33, 100, 255}) {
    expect_contraction(generate::obstacle(n), {1, 1, 0});
    expect_contraction(generate::journal_bearing(n, n, 0.8), {1, 0.1, 0});
  }
}

// Restriction is the transposed of interpolation.
TEST(Grid, TransfersAreAdjoint) {
  const SparseLcp lcp = generate::journal_bearing(14, 9, 0.5);
  GridHierarchy<double> grids;
  GridOperator<double> grid;
  ASSERT_TRUE(load_grid(matrix(lcp), grid));
  grids.setup(grid.shape, {1, 1, 0});
  grids.grid(0) = grid;
  grids.build(0);
  generate::Random random(3);
  const auto fine = grid.shape.size(), coarse = grids.grid(1).shape.size();
  const Values f = random.normals(fine), c = random.normals(coarse);
  Values restricted(at(coarse)), prolonged(at(fine), 0.0);
  grids.restrict_to(0, f.data(), restricted.data());
  grids.prolong_add(0, c.data(), prolonged.data());
  double a = 0, b = 0;
  for (std::size_t i = 0; i < c.size(); ++i) a += c[i] * restricted[i];
  for (std::size_t i = 0; i < f.size(); ++i) b += f[i] * prolonged[i];
  EXPECT_NEAR(a, b, 1e-12 * generate::norm(f) * generate::norm(c));
}

TEST(TridiagonalFactor, KeptRowsOnly) {
  generate::Random random(4);
  const SparseLcp lcp = generate::tridiagonal(300, 1, 4, -2, 0);
  ASSERT_TRUE(is_tridiagonal(matrix(lcp)));
  EXPECT_FALSE(is_tridiagonal(matrix(generate::obstacle(4))));
  Tridiagonal T;
  T.load(matrix(lcp));
  TridiagonalFactor factor(T);
  std::vector<char> keep(300);
  for (char& k : keep) k = random.chance(0.7) ? 1 : 0;
  const Values b = random.normals(300);
  Values x = b;
  ASSERT_TRUE(factor.factorise(keep));
  factor.solve(x);
  Values masked = x;
  for (std::size_t i = 0; i < x.size(); ++i)
    if (!keep[i]) {
      EXPECT_EQ(x[i], b[i]);
      masked[i] = 0;
    }
  const Values product = lcp.multiply(masked);
  for (std::size_t i = 0; i < x.size(); ++i)
    if (keep[i]) {
      EXPECT_NEAR(product[i], b[i], 1e-12);
    }
  Tridiagonal singular{{0, -1}, {1, 1}, {-1, 0}};
  TridiagonalFactor none(singular);
  EXPECT_FALSE(none.factorise(std::vector<char>{1, 1}));
}

TEST(Aggregation, KeepsColumnSumsAndSigns) {
  const CscMatrix A = matrix(generate::obstacle(20));
  EXPECT_TRUE(is_z_matrix(A));
  const Aggregation map = aggregate_fours(A);
  EXPECT_LE(map.count, 150);
  const CscMatrix coarse = aggregated_matrix(A, map, coupling_of_fours);
  EXPECT_TRUE(is_z_matrix(coarse));
  double sum = 0, coarse_sum = 0;
  for (double value : A.values) sum += value;
  for (double value : coarse.values) coarse_sum += value;
  EXPECT_NEAR(sum, coarse_sum, 1e-10);
}

}  // namespace grid_test
