// Independent columns of sparse matrices: what they leave, and products with what that spans.
#include "linalg/column_elimination.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "../support/generators.hpp"
#include "linalg/sparse_product.hpp"

namespace nonsmooth::column_elimination_test {

using generate::at;
using generate::norm;
using generate::Random;

// A few entries in each column; every third column is the difference of the two before it.
CscMatrix random_columns(Random& random, int rows, int cols, bool with_dependent) {
  DenseMatrix A{rows, cols, Vector(at(rows) * at(cols), 0.0)};
  for (int j = 0; j < cols; ++j)
    for (int k = 0; k < 3; ++k) A.values[at(random.integer(0, rows - 1) + j * rows)] = random.normal();
  for (int j = 2; with_dependent && j < cols; j += 3)
    for (int i = 0; i < rows; ++i)
      A.values[at(i + j * rows)] = A.values[at(i + (j - 2) * rows)] - A.values[at(i + (j - 1) * rows)];
  return to_csc(Matrix(A, "A"));
}

TEST(ColumnElimination, SpansWhatTheColumnsLeave) {
  Random random(3);
  for (int k = 0; k < 50; ++k) {
    const CscMatrix A = random_columns(random, 30, 12, k % 2 == 0);
    const ColumnElimination elimination(A);
    const CscMatrix Z = elimination.null_space(1000);
    ASSERT_EQ(Z.cols, A.rows);
    EXPECT_EQ(Z.rows, A.rows - std::ssize(elimination.pivot_rows()));
    EXPECT_EQ(std::ssize(elimination.pivot_rows()), std::ranges::count(elimination.dependent(), 0));
    EXPECT_LE(norm(product(Z, A).values), 1e-9 * (1 + norm(Z.values) * norm(A.values)));
    for (std::int32_t i = 0, y = 0; i < Z.cols; ++i)
      if (std::ranges::find(elimination.pivot_rows(), i) == elimination.pivot_rows().end()) {
        EXPECT_EQ(value_at(Z, y++, i), 1.0);
      }
    EXPECT_TRUE(elimination.null_space(A.rows - 12).values.empty());
  }
}

TEST(ColumnElimination, DependentColumnsAreFound) {
  Random random(4);
  const ColumnElimination elimination(random_columns(random, 40, 12, true));
  for (std::size_t j = 0; j < 12; ++j) EXPECT_EQ(elimination.dependent()[j], j % 3 == 2 ? 1 : 0);
}

TEST(ColumnElimination, SolvesInItsPivots) {
  Random random(5);
  for (int k = 0; k < 50; ++k) {
    const Matrix A(random_columns(random, 30, 12, k % 2 == 0), "A");
    const ColumnElimination elimination(*A.csc());
    const Vector b = random.normals(12);
    Vector x(30), left(12, 0.0), y(12), given = random.normals(30);
    elimination.solve_transposed(b, x);
    multiply_transposed_add(A, 1.0, x, left);
    for (std::size_t j = 0; j < 12; ++j)
      if (elimination.dependent()[j] == 0) {
        EXPECT_NEAR(left[j], b[j], 1e-9 * (1 + norm(x)));
      }
    Vector product(30, 0.0), lost = given;
    elimination.solve(lost, y);
    multiply_add(A, 1.0, y, product);
    for (const std::int32_t i : elimination.pivot_rows()) EXPECT_NEAR(product[at(i)], given[at(i)], 1e-9 * (1 + norm(y)));
    for (std::size_t j = 0; j < 12; ++j)
      if (elimination.dependent()[j] != 0) {
        EXPECT_EQ(y[j], 0);
      }
  }
}

TEST(SparseProduct, AgreesWithDenseAlgebra) {
  Random random(6);
  const CscMatrix A = random_columns(random, 9, 7, false), B = random_columns(random, 7, 11, false);
  const DenseMatrix a = to_dense(Matrix(A, "A")), b = to_dense(Matrix(B, "B")), c = to_dense(Matrix(product(A, B), "C"));
  for (std::size_t j = 0; j < 11; ++j)
    for (std::size_t i = 0; i < 9; ++i) {
      double sum = 0;
      for (std::size_t l = 0; l < 7; ++l) sum += a.values[i + 9 * l] * b.values[l + 7 * j];
      EXPECT_NEAR(c.values[i + 9 * j], sum, 1e-14);
    }
  const DenseMatrix t = to_dense(Matrix(transposed(A), "A'"));
  for (std::size_t j = 0; j < 7; ++j)
    for (std::size_t i = 0; i < 9; ++i) EXPECT_EQ(t.values[j + 7 * i], a.values[i + 9 * j]);
}

TEST(SparseProduct, SymmetryIsSettledUpToRounding) {
  CscMatrix A{3, 3, {0, 3, 6, 9}, {0, 1, 2, 0, 1, 2, 0, 1, 2}, {4, 1, 2, 1 + 1e-13, 4, 3, 2.1, 3, 4}};
  settle_symmetry(A);
  EXPECT_EQ(value_at(A, 0, 1), 1);
  EXPECT_EQ(value_at(A, 0, 2), 2.1) << "is no rounding";
}

}  // namespace nonsmooth::column_elimination_test
