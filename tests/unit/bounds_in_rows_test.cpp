// Rows of H that bound one unknown each.
#include "problems/bounds_in_rows.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "nonsmooth/nonsmooth.hpp"

namespace bounds_in_rows_test {

using namespace nonsmooth;

// 2 x_0 >= 1, -x_1 >= -3, x_0 + x_1 >= 1, -4 x_0 >= -8, x_1 >= 0, 0 >= -1.
Polyhedron with_bounds() {
  const Vector columns{2, 0, 1, -4, 0, 0, 0, -1, 1, 0, 1, 0};
  return {Matrix(DenseMatrix{6, 2, columns}, "H"), {1, -3, 1, -8, 0, -1}, {}, {}};
}

TEST(BoundsInRows, BecomeBoundsBesideTheOthers) {
  const auto bounds = BoundsInRows::of(with_bounds(), 2);
  ASSERT_NE(bounds, nullptr);
  const std::vector<SetBlock> blocks = bounds->blocks();
  ASSERT_EQ(blocks.size(), 1u);
  ASSERT_EQ(blocks[0].kind, SetKind::polyhedron);
  const Polyhedron& set = *blocks[0].polyhedron;
  EXPECT_EQ(set.lo, (Vector{0.5, 0}));
  EXPECT_EQ(set.hi, (Vector{2, 3}));
  ASSERT_EQ(set.H.rows(), 2) << "that of both, and the one without an entry";
  ASSERT_NE(set.H.dense(), nullptr);
  EXPECT_EQ(set.H.dense()->values, (Vector{1, 0, 1, 0}));
  EXPECT_EQ(set.k, (Vector{1, -1}));
}

TEST(BoundsInRows, AloneAreBoxes) {
  const Polyhedron set{Matrix(DenseMatrix{2, 2, {-1, 0, 0, 3}}, "H"), {-5, 6}, {1, -HUGE_VAL}, {7, HUGE_VAL}};
  const auto bounds = BoundsInRows::of(set, 2);
  ASSERT_NE(bounds, nullptr);
  const std::vector<SetBlock> blocks = bounds->blocks();
  ASSERT_EQ(blocks.size(), 2u);
  EXPECT_EQ(blocks[0].kind, SetKind::box);
  EXPECT_EQ(blocks[0].a, 1);
  EXPECT_EQ(blocks[0].b, 5);
  EXPECT_EQ(blocks[1].a, 2);
  EXPECT_EQ(blocks[1].b, HUGE_VAL);
}

TEST(BoundsInRows, StayRowsWhereThereAreNoneOrTheyContradictEachOther) {
  const Polyhedron sum{Matrix(DenseMatrix{1, 2, {1, 1}}, "H"), {1}, {}, {}};
  EXPECT_EQ(BoundsInRows::of(sum, 2), nullptr);
  const Polyhedron crossed{Matrix(DenseMatrix{2, 1, {1, -1}}, "H"), {1, 0}, {}, {}};
  EXPECT_EQ(BoundsInRows::of(crossed, 1), nullptr);
}

TEST(BoundsInRows, StayRowsWhereABoundOverflows) {
  const Polyhedron set{Matrix(DenseMatrix{1, 1, {1e-300}}, "H"), {1e300}, {}, {}};
  EXPECT_EQ(BoundsInRows::of(set, 1), nullptr);
}

TEST(BoundsInRows, NamedMethodsSolveTheSameProblem) {
  const nsm::Matrix M = nsm::Matrix::dense(2, 2, {2, 1, -1, 1});
  const nsm::Matrix H = nsm::Matrix::dense(5, 2, {1, 0, -2, 0, 1, 0, 1, 0, -1, 1});
  const nsm::Problem rows = nsm::Problem::avi(M, {-3, -4}, H, {0, 0, -2, -2, 0.5});
  const nsm::Matrix rest = nsm::Matrix::dense(1, 2, {1, 1});
  const nsm::Problem bounds = nsm::Problem::avi(M, {-3, -4}, rest, {0.5}, {0, 0}, {1, 2});
  for (const char* method : {"auto", "lemke", "interior_point", "cao_ferris", "extragradient"}) {
    nsm::Solver one(rows, method), other(bounds, method);
    ASSERT_TRUE(one.solve().converged()) << method;
    ASSERT_TRUE(other.solve().converged()) << method;
    for (std::size_t i = 0; i < 2; ++i) EXPECT_NEAR(one.solution().z[i], other.solution().z[i], 1e-7) << method;
  }
}

// x_0 <= 1 and x_1 <= 1 by rows, x_0 + x_1 >= 3.
TEST(BoundsInRows, ProofsAreThoseOfAllRows) {
  const nsm::Matrix M = nsm::Matrix::dense(2, 2, {1, 0, 0, 1});
  const nsm::Matrix H = nsm::Matrix::dense(3, 2, {-2, 1, 0, 0, 1, -1});
  const nsm::Problem problem = nsm::Problem::avi(M, {1, 1}, H, {-2, 3, -1});
  nsm::Solver solver(problem);
  ASSERT_EQ(solver.solve().outcome(), NSM_INFEASIBLE);
  const nsm::Vector y = solver.infeasibility_certificate();
  ASSERT_EQ(y.size(), 3u);
  EXPECT_GT(y[0], 0);
  EXPECT_NEAR(2 * y[0], y[1], 1e-12 * y[1]);
  EXPECT_NEAR(y[2], y[1], 1e-12 * y[1]);
}

}  // namespace bounds_in_rows_test
