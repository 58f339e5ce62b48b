// LU and products of small dense matrices, of orders on both sides of the one from which on they are vectorised.
#include "linalg/small_lu.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "../support/generators.hpp"
#include "linalg/matrix.hpp"

namespace small_lu_test {

using namespace nonsmooth;
using generate::Random;

class SmallLu : public testing::TestWithParam<int> {
 protected:
  const int n = GetParam();
  Random random{static_cast<std::uint64_t>(n)};
  const Vector A = random.normals(n * n), x = random.normals(n);
  Vector factor = A;
  std::vector<int> pivot = std::vector<int>(static_cast<std::size_t>(n));
};

TEST_P(SmallLu, SolvesWhatProductsGive) {
  Vector b(x.size(), 1.0);
  multiply_add_small(A.data(), n, n, x.data(), b.data());
  for (double& entry : b) entry -= 1;
  ASSERT_TRUE(factorise_small(factor.data(), pivot.data(), n));
  solve_small(factor.data(), pivot.data(), n, b.data());
  for (std::size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(b[i], x[i], 1e-9) << i;
}

TEST_P(SmallLu, SolvesWithTheTranspose) {
  Vector b(x.size(), 0.0);
  for (std::size_t j = 0; j < x.size(); ++j)
    for (std::size_t i = 0; i < x.size(); ++i) b[j] += A[i + j * x.size()] * x[i];
  ASSERT_TRUE(factorise_small(factor.data(), pivot.data(), n));
  solve_small_transposed(factor.data(), pivot.data(), n, b.data());
  for (std::size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(b[i], x[i], 1e-9) << i;
}

// Two right-hand sides, the second twice the first, side by side in each row.
TEST_P(SmallLu, SolvesForSeveralRightHandSidesByRows) {
  Vector b(x.size(), 0.0), rows;
  multiply_add_small(A.data(), n, n, x.data(), b.data());
  for (const double entry : b) rows.insert(rows.end(), {entry, 2 * entry});
  ASSERT_TRUE(factorise_small(factor.data(), pivot.data(), n));
  solve_small_rows<0, 2>(factor.data(), pivot.data(), n, 2, rows.data());
  for (std::size_t i = 0; i < rows.size(); ++i) EXPECT_NEAR(rows[i], (i % 2 == 0 ? 1 : 2) * x[i / 2], 1e-9) << i;
}

TEST_P(SmallLu, RefusesEqualColumns) {
  if (n == 1) factor = {0};
  for (std::size_t i = 0; i < x.size() && n > 1; ++i) factor[i] = factor[i + x.size()];
  EXPECT_FALSE(factorise_small(factor.data(), pivot.data(), n));
}

TEST_P(SmallLu, RefusesWhatIsNotFinite) {
  factor.back() = NAN;
  EXPECT_FALSE(factorise_small(factor.data(), pivot.data(), n));
}

INSTANTIATE_TEST_SUITE_P(Orders, SmallLu, testing::Values(1, 2, 3, 7, 8, 9, 24, 50));

// Columns of a tall part, as of one contact beside all others.
TEST(SmallLuProduct, TakesSomeColumns) {
  const Vector A{1, 2, 3, 4, 5, 6};
  Vector y{10, 20, 30};
  multiply_add_small(A.data(), 3, 2, Vector{1, -1}.data(), y.data());
  EXPECT_EQ(y, (Vector{7, 17, 27}));
}

}  // namespace small_lu_test
