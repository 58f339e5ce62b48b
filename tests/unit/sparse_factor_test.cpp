// Factorisations of principal submatrices against dense elimination.
#include <gtest/gtest.h>

#include <cmath>
#include <utility>

#include "../support/lcp_families.hpp"
#include "linalg/blocked_lu.hpp"
#include "linalg/sparse_principal_factor.hpp"

namespace sparse_factor_test {

using generate::at;
using generate::Random;
using generate::SparseLcp;
using generate::Values;
using nonsmooth::CscMatrix;
using nonsmooth::Precision;
using nonsmooth::SparsePrincipalFactor;

CscMatrix matrix(const SparseLcp& lcp) { return {lcp.n, lcp.n, lcp.start, lcp.index, lcp.values}; }

// Diagonally dominant by rows, about `per_column` entries off the diagonal, pattern not symmetric.
CscMatrix random_matrix(Random& random, std::int32_t n, double per_column, bool symmetric) {
  Values dense(at(n) * at(n), 0.0);
  for (std::int32_t j = 0; j < n; ++j)
    for (std::int32_t i = 0; i < n; ++i)
      if (i != j && random.chance(per_column / n)) {
        dense[at(i) + at(j) * at(n)] = random.normal();
        if (symmetric) dense[at(j) + at(i) * at(n)] = dense[at(i) + at(j) * at(n)];
      }
  for (std::int32_t i = 0; i < n; ++i) {
    double sum = 0.5;
    for (std::int32_t j = 0; j < n; ++j) sum += std::abs(dense[at(i) + at(j) * at(n)]);
    dense[at(i) * at(n + 1)] = sum;
  }
  CscMatrix A{n, n, {0}, {}, {}};
  for (std::int32_t j = 0; j < n; ++j) {
    for (std::int32_t i = 0; i < n; ++i)
      if (dense[at(i) + at(j) * at(n)] != 0) {
        A.row_index.push_back(i);
        A.values.push_back(dense[at(i) + at(j) * at(n)]);
      }
    A.col_start.push_back(static_cast<std::int32_t>(A.row_index.size()));
  }
  return A;
}

// The largest entry of A_FF x_F - b_F, relative to b.
double defect(const CscMatrix& A, const std::vector<char>& keep, const Values& x, const Values& b) {
  Values r = b;
  for (std::size_t j = 0; j < x.size(); ++j)
    for (std::int32_t k = A.col_start[j]; keep[j] && k < A.col_start[j + 1]; ++k)
      r[at(A.row_index[at(k)])] -= A.values[at(k)] * x[j];
  double largest = 0;
  for (std::size_t i = 0; i < r.size(); ++i)
    if (keep[i]) largest = std::max(largest, std::abs(r[i]));
  return largest;
}

constexpr double accuracy(Precision precision) { return precision == Precision::single ? 1e-4 : 1e-11; }

void expect_solves(const CscMatrix& A, bool symmetric, Precision precision, Random& random) {
  SparsePrincipalFactor factor(A, symmetric);
  const std::size_t n = at(A.cols);
  for (double share : {1.0, 0.7, 0.3, 0.0}) {
    std::vector<char> keep(n);
    for (char& k : keep) k = random.chance(share) ? 1 : 0;
    const Values b = random.normals(A.cols);
    Values x = b;
    ASSERT_TRUE(factor.factorise(keep, precision));
    factor.solve(x);
    EXPECT_LE(defect(A, keep, x, b), accuracy(precision)) << "share " << share << " of " << n;
    for (std::size_t i = 0; i < n; ++i)
      if (!keep[i]) {
        EXPECT_EQ(x[i], b[i]) << "not touched";
      }
  }
}

TEST(SparsePrincipalFactor, SymmetricMatrices) {
  Random random(301);
  for (const Precision precision : {Precision::full, Precision::single}) {
    for (std::int32_t n : {1, 2, 5, 30, 200}) expect_solves(random_matrix(random, n, 3, true), true, precision, random);
    expect_solves(matrix(generate::obstacle(40)), true, precision, random);
    expect_solves(matrix(generate::graph_laplacian(5, 2000, 5, 0.1)), true, precision, random);
  }
}

TEST(SparsePrincipalFactor, GeneralMatrices) {
  Random random(302);
  for (const Precision precision : {Precision::full, Precision::single}) {
    for (std::int32_t n : {1, 2, 5, 30, 200}) expect_solves(random_matrix(random, n, 3, false), false, precision, random);
    expect_solves(matrix(generate::obstacle(40)), false, precision, random);
    expect_solves(matrix(generate::tridiagonal(500, 1, 4, -2, -4)), false, precision, random);
  }
}

// What is far outside the range of single precision as a right-hand side is not as a share of the largest entry.
TEST(SparsePrincipalFactor, SinglePrecisionSolvesForSmallAndLargeRightHandSides) {
  Random random(306);
  const CscMatrix A = random_matrix(random, 200, 3, false);
  const std::vector<char> keep(200, 1);
  SparsePrincipalFactor factor(A, false);
  ASSERT_TRUE(factor.factorise(keep, Precision::single));
  for (const double size : {1e-60, 1e60}) {
    Values x = random.normals(200);
    for (double& value : x) value *= size;
    const Values b = x;
    factor.solve(x);
    EXPECT_LE(defect(A, keep, x, b), accuracy(Precision::single) * size);
  }
  Values zero(200, 0.0);
  factor.solve(zero);
  EXPECT_EQ(zero, Values(200, 0.0));
}

// An order of rows inside a supernode: [0 1; 1 0] has no factorisation without one.
TEST(SparsePrincipalFactor, ExchangesRowsInsideASupernode) {
  const CscMatrix A{2, 2, {0, 1, 2}, {1, 0}, {2, 4}};
  SparsePrincipalFactor factor(A, false);
  Values x = {4, 6};
  ASSERT_TRUE(factor.factorise(std::vector<char>{1, 1}));
  factor.solve(x);
  EXPECT_DOUBLE_EQ(x[0], 3);
  EXPECT_DOUBLE_EQ(x[1], 1);
}

// Right-hand sides on a few rows alone, and the solution there: as a solve of the whole has it, rows left out as 0. Larger
// supernodes go through BLAS.
void expect_selected(std::int32_t n, double per_column, bool symmetric, Precision precision) {
  Random random(31);
  const CscMatrix A = random_matrix(random, n, per_column, symmetric);
  SparsePrincipalFactor factor(A, symmetric);
  std::vector<char> keep(at(n), 1);
  for (std::int32_t i = 0; i < n; i += 9) keep[at(i)] = 0;
  ASSERT_TRUE(factor.factorise(keep, precision));
  const nonsmooth::IndexVector rows{3, 9, 10, 41, n - 1};
  constexpr int together = SparsePrincipalFactor::selected_together;
  Values X(rows.size() * together, 0.0);
  for (double& value : X) value = random.normal();
  const Values B = X;
  factor.select(rows);
  factor.solve_selected(rows, X);
  for (int j = 0; j < together; ++j) {
    Values x(at(n), 0.0);
    for (std::size_t i = 0; i < rows.size(); ++i) x[at(rows[i])] = keep[at(rows[i])] ? B[i * together + at(j)] : 0;
    factor.solve(x);
    for (std::size_t i = 0; i < rows.size(); ++i)
      EXPECT_NEAR(X[i * together + at(j)], keep[at(rows[i])] ? x[at(rows[i])] : 0, 0.1 * accuracy(precision))
          << "row " << rows[i] << ", column " << j;
  }
}

TEST(SparsePrincipalFactor, SelectedRows) {
  for (const Precision precision : {Precision::full, Precision::single})
    for (const bool symmetric : {false, true}) {
      expect_selected(120, 2.5, symmetric, precision);
      expect_selected(120, 40, symmetric, precision);
    }
}

// A and, behind it, columns C, every third of which has no entry.
CscMatrix with_columns(CscMatrix A, std::int32_t columns, Random& random) {
  const std::int64_t n = A.cols;
  for (std::int32_t j = 0; j < columns; ++j) {
    for (std::int64_t row = j % n; row < n && j % 3 != 1; row += 1 + n / 4) {
      A.row_index.push_back(static_cast<std::int32_t>(row));
      A.values.push_back(random.normal());
    }
    A.col_start.push_back(static_cast<std::int32_t>(A.row_index.size()));
  }
  A.rows = A.cols = n + columns;
  return A;
}

// What is left of columns that are not eliminated is -C' inverse(A) C, and solves see nothing of them.
void expect_tail(const CscMatrix& A, std::int32_t tail, nonsmooth::Workers* workers = nullptr) {
  Random random(8);
  const std::size_t n = at(A.cols);
  const CscMatrix bordered = with_columns(A, tail, random);
  SparsePrincipalFactor factor(bordered, true, workers, tail), plain(A, true);
  ASSERT_TRUE(factor.factorise(std::vector<char>(n + at(tail), 1)));
  ASSERT_TRUE(plain.factorise(std::vector<char>(n, 1)));
  const auto column_times = [&](std::int32_t j, const Values& x) {
    double sum = 0;
    for (std::int32_t k = bordered.col_start[n + at(j)]; k < bordered.col_start[n + at(j) + 1]; ++k)
      sum += bordered.values[at(k)] * x[at(bordered.row_index[at(k)])];
    return sum;
  };
  for (std::int32_t j = 0; j < tail; ++j) {
    Values x(n, 0.0);
    for (std::int32_t k = bordered.col_start[n + at(j)]; k < bordered.col_start[n + at(j) + 1]; ++k)
      x[at(bordered.row_index[at(k)])] = bordered.values[at(k)];
    Values expected = x;
    plain.solve(expected);
    factor.solve(x);
    for (std::size_t i = 0; i < n; ++i) ASSERT_NEAR(x[i], expected[i], 1e-12) << "row " << i << ", column " << j;
    for (std::int32_t i = j; i < tail; ++i)
      EXPECT_NEAR(factor.remainder()[at(i) + at(j) * at(tail)], -column_times(i, expected), 1e-12) << i << ", " << j;
  }
}

TEST(SparsePrincipalFactor, LeavesATail) {
  Random random(7);
  expect_tail(random_matrix(random, 1, 0, true), 2);
  expect_tail(random_matrix(random, 60, 2, true), 1);
  expect_tail(random_matrix(random, 60, 2, true), 90);
  expect_tail(matrix(generate::obstacle(40)), 300);
  nonsmooth::Workers workers(2);
  expect_tail(matrix(generate::graph_laplacian(5, 2000, 5, 0.1)), 300, &workers);
}

TEST(SparsePrincipalFactor, SingularAndIndefiniteBlocksAreRefused) {
  const CscMatrix semidefinite{2, 2, {0, 2, 4}, {0, 1, 0, 1}, {1, -1, -1, 1}};
  SparsePrincipalFactor cholesky(semidefinite, true), lu(semidefinite, false);
  EXPECT_FALSE(cholesky.factorise(std::vector<char>{1, 1}));
  EXPECT_FALSE(lu.factorise(std::vector<char>{1, 1}));
  EXPECT_TRUE(cholesky.factorise(std::vector<char>{1, 0}));
  EXPECT_TRUE(lu.factorise(std::vector<char>{0, 1}));
}

// Seven-point differences on a cube, with convection: large enough to be divided among threads.
CscMatrix convection(std::int32_t side) {
  const std::int32_t n = side * side * side;
  CscMatrix A{n, n, {0}, {}, {}};
  const std::int32_t steps[] = {1, side, side * side};
  for (std::int32_t j = 0; j < n; ++j) {
    const auto add = [&](std::int32_t i, double value) {
      A.row_index.push_back(i);
      A.values.push_back(value);
    };
    const auto has_next = [&](std::int32_t step) { return (j / step) % side + 1 < side; };
    const auto has_last = [&](std::int32_t step) { return (j / step) % side > 0; };
    for (int k = 2; k >= 0; --k)
      if (has_last(steps[k])) add(j - steps[k], -1.5);
    add(j, 6.5);
    for (int k = 0; k < 3; ++k)
      if (has_next(steps[k])) add(j + steps[k], -0.5);
    A.col_start.push_back(static_cast<std::int32_t>(A.row_index.size()));
  }
  return A;
}

TEST(SparsePrincipalFactor, ThreadsLeaveTheSameBits) {
  Random random(304);
  // The last supernode of A has more columns than a part, and than a block that is factorised at once.
  const CscMatrix A = convection(15), B = matrix(generate::obstacle(110));
  for (const bool symmetric : {false, true}) {
    const CscMatrix& matrix = symmetric ? B : A;
    const Values b = random.normals(matrix.cols);
    for (const auto& [share, precision] :
         {std::pair(1.0, Precision::full), std::pair(0.8, Precision::full), std::pair(0.8, Precision::single)}) {
      std::vector<char> keep(b.size());
      for (char& k : keep) k = random.chance(share) ? 1 : 0;
      Values alone;
      for (const int threads : {1, 2, 4}) {
        nonsmooth::Workers workers(threads);
        SparsePrincipalFactor factor(matrix, symmetric, threads > 1 ? &workers : nullptr);
        Values x = b;
        ASSERT_TRUE(factor.factorise(keep, precision));
        factor.solve(x);
        if (threads == 1) {
          EXPECT_LE(defect(matrix, keep, x, b), accuracy(precision));
          alone = x;
        }
        EXPECT_EQ(x, alone) << threads << " threads";
      }
    }
  }
}

TEST(SparsePrincipalFactor, FindsASingularPanelInAnyGroup) {
  CscMatrix A = convection(15);
  nonsmooth::Workers workers(2);
  SparsePrincipalFactor factor(A, false, &workers);
  const std::vector<char> keep(at(A.cols), 1);
  for (const std::int32_t column : {0, 1700, 3374}) {
    const Values kept = A.values;
    std::fill(A.values.begin() + A.col_start[at(column)], A.values.begin() + A.col_start[at(column + 1)], 0.0);
    EXPECT_FALSE(factor.factorise(keep)) << "column " << column;
    A.values = kept;
    EXPECT_TRUE(factor.factorise(keep));
  }
}

template <class Real>
class BlockedLu : public testing::Test {};
using Reals = testing::Types<float, double>;
TYPED_TEST_SUITE(BlockedLu, Reals);

TYPED_TEST(BlockedLu, AgreesWithTheMatrixAndItself) {
  using Numbers = std::vector<TypeParam>;
  Random random(305);
  for (const std::int32_t n : {1, 60, 257, 400}) {
    const Values values = random.normals(n * n);
    const Numbers A(values.begin(), values.end());
    Numbers alone;
    for (const int threads : {1, 2, 4}) {
      nonsmooth::Workers workers(threads);
      Numbers LU = A;
      std::vector<std::int32_t> pivot(at(n));
      ASSERT_TRUE(nonsmooth::factorise_blocked(LU.data(), n, n, pivot.data(), threads > 1 ? &workers : nullptr));
      if (threads == 1) alone = LU;
      EXPECT_EQ(LU, alone);
    }
    // A x for x = (1, .., 1) from P L U.
    Values product(at(n), 0.0), sums(at(n), 0.0);
    std::vector<std::int32_t> pivot(at(n));
    Numbers LU = A;
    nonsmooth::factorise_blocked(LU.data(), n, n, pivot.data(), nullptr);
    for (std::int32_t i = 0; i < n; ++i)
      for (std::int32_t j = i; j < n; ++j) sums[at(i)] += LU[at(i) + at(j) * at(n)];
    for (std::int32_t i = 0; i < n; ++i) {
      product[at(i)] = sums[at(i)];
      for (std::int32_t j = 0; j < i; ++j) product[at(i)] += LU[at(i) + at(j) * at(n)] * sums[at(j)];
    }
    for (std::int32_t i = n - 1; i >= 0; --i) std::swap(product[at(i)], product[at(pivot[at(i)] - 1)]);
    for (std::int32_t i = 0; i < n; ++i) {
      double expected = 0;
      for (std::int32_t j = 0; j < n; ++j) expected += A[at(i) + at(j) * at(n)];
      EXPECT_NEAR(product[at(i)], expected, sizeof(TypeParam) == sizeof(float) ? 1e-2 : 1e-10);
    }
  }
  Numbers singular(300 * 300, 1);
  std::vector<std::int32_t> pivot(300);
  EXPECT_FALSE(nonsmooth::factorise_blocked(singular.data(), 300, 300, pivot.data(), nullptr));
}

TEST(SparsePrincipalFactor, ReadsNewValues) {
  Random random(303);
  CscMatrix A = random_matrix(random, 60, 4, false);
  SparsePrincipalFactor factor(A, false);
  const std::vector<char> keep(60, 1);
  for (int round = 0; round < 3; ++round) {
    for (double& value : A.values) value *= 1 + 0.1 * random.uniform();
    const Values b = random.normals(60);
    Values x = b;
    ASSERT_TRUE(factor.factorise(keep));
    factor.solve(x);
    EXPECT_LE(defect(A, keep, x, b), 1e-11);
  }
}

}  // namespace sparse_factor_test
