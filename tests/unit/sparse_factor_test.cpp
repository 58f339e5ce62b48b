// Factorisations of principal submatrices against dense elimination.
#include <gtest/gtest.h>

#include <cmath>

#include "../support/lcp_families.hpp"
#include "linalg/sparse_principal_factor.hpp"

namespace {

using generate::at;
using generate::Random;
using generate::SparseLcp;
using generate::Values;
using nonsmooth::CscMatrix;
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

void expect_solves(const CscMatrix& A, bool symmetric, Random& random) {
  SparsePrincipalFactor factor(A, symmetric);
  const std::size_t n = at(A.cols);
  for (double share : {1.0, 0.7, 0.3, 0.0}) {
    std::vector<char> keep(n);
    for (char& k : keep) k = random.chance(share) ? 1 : 0;
    const Values b = random.normals(A.cols);
    Values x = b;
    ASSERT_TRUE(factor.factorise(keep));
    factor.solve(x);
    EXPECT_LE(defect(A, keep, x, b), 1e-11) << "share " << share << " of " << n;
    for (std::size_t i = 0; i < n; ++i)
      if (!keep[i]) {
        EXPECT_EQ(x[i], b[i]) << "not touched";
      }
  }
}

TEST(SparsePrincipalFactor, SymmetricMatrices) {
  Random random(301);
  for (std::int32_t n : {1, 2, 5, 30, 200}) expect_solves(random_matrix(random, n, 3, true), true, random);
  expect_solves(matrix(generate::obstacle(40)), true, random);
  expect_solves(matrix(generate::graph_laplacian(5, 2000, 5, 0.1)), true, random);
}

TEST(SparsePrincipalFactor, GeneralMatrices) {
  Random random(302);
  for (std::int32_t n : {1, 2, 5, 30, 200}) expect_solves(random_matrix(random, n, 3, false), false, random);
  expect_solves(matrix(generate::obstacle(40)), false, random);
  expect_solves(matrix(generate::tridiagonal(500, 1, 4, -2, -4)), false, random);
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

TEST(SparsePrincipalFactor, SingularAndIndefiniteBlocksAreRefused) {
  const CscMatrix semidefinite{2, 2, {0, 2, 4}, {0, 1, 0, 1}, {1, -1, -1, 1}};
  SparsePrincipalFactor cholesky(semidefinite, true), lu(semidefinite, false);
  EXPECT_FALSE(cholesky.factorise(std::vector<char>{1, 1}));
  EXPECT_FALSE(lu.factorise(std::vector<char>{1, 1}));
  EXPECT_TRUE(cholesky.factorise(std::vector<char>{1, 0}));
  EXPECT_TRUE(lu.factorise(std::vector<char>{0, 1}));
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

}  // namespace
