#include "linalg/least_eigenvalue.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace nonsmooth::least_eigenvalue_test {
namespace {

constexpr std::int32_t order = 500;

// tridiag(-1, 2, -1) + diagonal I and a skew part. Without that the eigenvalues are diagonal + 2 - 2 cos(k pi / (order + 1)).
Matrix chain(double diagonal, double skew = 0) {
  IndexVector row, col;
  Vector value;
  for (std::int32_t i = 0; i < order; ++i)
    for (std::int32_t j = std::max(0, i - 1); j <= std::min(order - 1, i + 1); ++j) {
      row.push_back(i);
      col.push_back(j);
      value.push_back(i == j ? 2 + diagonal : -1 + skew * (i - j));
    }
  return Matrix::from_triplets(order, order, row, col, value, "A");
}

double least_of_chain() { return 2 - 2 * std::cos(std::numbers::pi / (order + 1)); }

EigenvalueRange found(const Matrix& A) {
  EigenvalueRange range = symmetric_eigenvalue_range(A);
  EXPECT_TRUE(range.estimated);
  find_least_eigenvalue(A, range);
  return range;
}

TEST(Spectrum, LargeMatricesAreEstimated) {
  const EigenvalueRange range = symmetric_eigenvalue_range(chain(0));
  EXPECT_NEAR(range.max, 4, 1e-2);
  EXPECT_NEAR(range.min, 0, 1e-2);
}

TEST(LeastEigenvalue, IsFoundWhereLanczosEndsAboveIt) {
  EXPECT_GT(symmetric_eigenvalue_range(chain(0)).min, 1.5 * least_of_chain());
  for (const double diagonal : {0.0, 1e-3, -0.5 * least_of_chain(), -1.5 * least_of_chain()})
    for (const double skew : {0.0, 3.0}) {
      const EigenvalueRange range = found(chain(diagonal, skew));
      EXPECT_FALSE(range.estimated);
      EXPECT_NEAR(range.min, diagonal + least_of_chain(), 1e-3 * least_of_chain()) << diagonal;
    }
  EXPECT_NEAR(found(chain(-least_of_chain())).min, 0, 1e-12) << "singular";
}

TEST(LeastEigenvalue, DenseMatricesToo) {
  const Matrix dense(to_dense(chain(0)), "A");
  EXPECT_NEAR(found(dense).min, least_of_chain(), 1e-3 * least_of_chain());
}

TEST(LeastEigenvalue, OfWhatIsSkewIsZero) {
  IndexVector row, col;
  Vector value;
  for (std::int32_t i = 0; i + 1 < order; ++i)
    for (const double sign : {1.0, -1.0}) {
      row.push_back(sign > 0 ? i : i + 1);
      col.push_back(sign > 0 ? i + 1 : i);
      value.push_back(sign * (1 + i));
    }
  EigenvalueRange range = symmetric_eigenvalue_range(Matrix::from_triplets(order, order, row, col, value, "A"));
  find_least_eigenvalue(Matrix::from_triplets(order, order, row, col, value, "A"), range);
  EXPECT_EQ(range.min, 0);
  EXPECT_EQ(range.max, 0);
  EXPECT_FALSE(range.estimated);
}

TEST(LeastEigenvalue, StaysAnEstimateWhereANegativeOneWasSeen) {
  const EigenvalueRange range = found(chain(-1));
  EXPECT_TRUE(range.estimated);
  EXPECT_LT(range.min, -0.9);
}

TEST(LeastEigenvalue, EndsWhereEntriesAreNotFinite) {
  const EigenvalueRange range = found(chain(std::numeric_limits<double>::quiet_NaN()));
  EXPECT_TRUE(range.estimated);
}

}  // namespace
}  // namespace nonsmooth::least_eigenvalue_test
