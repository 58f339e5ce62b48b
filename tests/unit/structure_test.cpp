// Structure that methods go by: layouts and patterns of matrices, grids, symmetry, sharing; what only seems to be so is refused.
#include <gtest/gtest.h>

#include <limits>

#include "core/error.hpp"
#include "linalg/grid_operator.hpp"
#include "linalg/matrix.hpp"
#include "linalg/matrix_layout.hpp"
#include "linalg/symmetry.hpp"
#include "linalg/tridiagonal_factor.hpp"

namespace nonsmooth::structure_test {

// Entries by rows.
DenseMatrix dense(std::int64_t rows, std::initializer_list<double> entries) {
  const std::int64_t cols = std::ssize(entries) / rows;
  DenseMatrix A{rows, cols, Vector(entries.size())};
  std::int64_t k = 0;
  for (const double entry : entries) {
    A.values[at(k / cols + k % cols * rows)] = entry;
    ++k;
  }
  return A;
}

CscMatrix sparse(std::int64_t rows, std::initializer_list<double> entries) { return to_csc(Matrix(dense(rows, entries), "A")); }

const double values[16] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};

TEST(Layout, OfColumns) {
  const Matrix A(sparse(2, {1, 0, 2, 3}), "A");
  const std::int32_t start[] = {0, 2, 3}, index[] = {0, 1, 1}, other_start[] = {0, 1, 3}, other_index[] = {0, 1, 0};
  const auto view = [&](const std::int32_t* starts, const std::int32_t* rows) {
    return nsm_matrix_csc(2, 2, starts, rows, values);
  };
  EXPECT_TRUE(has_layout_of(view(start, index), A));
  EXPECT_FALSE(has_layout_of(view(other_start, index), A));
  EXPECT_FALSE(has_layout_of(view(start, other_index), A));
  EXPECT_FALSE(has_layout_of(nsm_matrix_csc(3, 2, start, index, values), A));
  EXPECT_FALSE(has_layout_of(nsm_matrix_csc(2, 2, start, index, nullptr), A));
  EXPECT_FALSE(has_layout_of(nsm_matrix_dense(2, 2, values), A));
  nsm_matrix old = view(start, index);
  old.struct_size = 0;
  EXPECT_FALSE(has_layout_of(old, A));
}

TEST(Layout, OfDenseOnes) {
  const Matrix A(dense(2, {1, 2, 3, 4}), "A");
  nsm_matrix view = nsm_matrix_dense(2, 2, values);
  EXPECT_TRUE(has_layout_of(view, A));
  view.leading_dimension = 2;
  EXPECT_TRUE(has_layout_of(view, A));
  view.leading_dimension = 3;
  EXPECT_FALSE(has_layout_of(view, A));
  EXPECT_FALSE(has_layout_of(nsm_matrix_dense(2, 3, values), A));
  const std::int32_t start[] = {0, 2, 4}, index[] = {0, 1, 0, 1};
  EXPECT_FALSE(has_layout_of(nsm_matrix_csc(2, 2, start, index, values), A));
}

TEST(Layout, OfBlocks) {
  const Matrix A(to_block_csr(Matrix(dense(4, {1, 2, 0, 0, 3, 4, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8}), "A"), 2), "A");
  const std::int32_t start[] = {0, 1, 3}, index[] = {0, 0, 1}, other_start[] = {0, 2, 3}, other_index[] = {1, 0, 1};
  EXPECT_TRUE(has_layout_of(nsm_matrix_block_csr(2, 2, 2, start, index, values), A));
  EXPECT_FALSE(has_layout_of(nsm_matrix_block_csr(2, 2, 2, other_start, index, values), A));
  EXPECT_FALSE(has_layout_of(nsm_matrix_block_csr(2, 2, 2, start, other_index, values), A));
  EXPECT_FALSE(has_layout_of(nsm_matrix_block_csr(4, 1, 1, start, index, values), A));
}

TEST(Pattern, IsThatOfPlacesNotOfValues) {
  const auto same = [](const auto& a, const auto& b) { return same_pattern(Matrix(a, "A"), Matrix(b, "B")); };
  EXPECT_TRUE(same(sparse(2, {1, 0, 2, 3}), sparse(2, {4, 0, 5, 6})));
  EXPECT_FALSE(same(sparse(2, {1, 0, 2, 3}), sparse(2, {1, 2, 0, 3})));
  EXPECT_FALSE(same(sparse(2, {1, 0, 2, 0}), sparse(2, {0, 1, 0, 2}))) << "the same rows in other columns";
  EXPECT_FALSE(same(sparse(2, {1, 0, 0, 3}), sparse(2, {0, 1, 2, 0}))) << "as many entries in each column";
  EXPECT_FALSE(same(dense(1, {1, 2}), dense(2, {1, 2})));
  EXPECT_FALSE(same(dense(2, {1, 2}), dense(2, {1, 2, 3, 4})));
  // Of 1 x 2 and 2 x 1 where rows and columns fall into 1 and 2.
  const auto blocks = [](IndexVector row_end, IndexVector col_end, std::size_t entries) {
    return BlockCsrMatrix{3, 3, std::move(row_end), std::move(col_end), {0, 1, 2}, {1, 0}, {}, Vector(entries, 1.0)};
  };
  EXPECT_TRUE(same(blocks({1, 3}, {1, 3}, 4), blocks({1, 3}, {1, 3}, 4)));
  EXPECT_FALSE(same(blocks({1, 3}, {1, 3}, 4), blocks({2, 3}, {1, 3}, 5)));
  EXPECT_FALSE(same(blocks({1, 3}, {1, 3}, 4), blocks({1, 3}, {2, 3}, 5)));
  const auto column = [](IndexVector col_end, std::int32_t J) {
    return BlockCsrMatrix{1, 2, {1}, std::move(col_end), {0, 1}, {J}, {}, Vector(1, 1.0)};
  };
  EXPECT_FALSE(same(column({1, 2}, 0), column({1, 2}, 1)));
}

// Rows by twos, columns by threes and one: no square blocks, however the rows look.
TEST(Blocks, AreSquareInRowsAndColumnsOnly) {
  const BlockCsrMatrix A{4, 4, {2, 4}, {3, 4}, {0, 1, 2}, {0, 1}, {}, {1, 2, 3, 4, 5, 6, 7, 8}};
  EXPECT_EQ(A.uniform_block_size(), 0);
  Vector y(4, 0.0);
  multiply_add(Matrix(A, "A"), 1.0, Vector{1, 10, 100, 1000}, y);
  EXPECT_EQ(y, (Vector{531, 642, 7000, 8000}));
  EXPECT_EQ(to_block_csr(Matrix(to_block_csr(Matrix(dense(4, {1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 2, 3, 4, 5, 6, 7}), "A"), 2), "A"), 4)
                .uniform_block_size(),
            4);
  EXPECT_THROW(to_block_csr(Matrix(dense(2, {1, 2, 3, 4, 5, 6}), "A"), 2), Error);
}

TEST(Sharing, EndsWhereOneIsWrittenTo) {
  Matrix A(dense(1, {1, 2}), "A");
  const Matrix B = A;
  A.own_values()[0] = 5;
  EXPECT_EQ(B.values()[0], 1);
  EXPECT_EQ(A.values()[0], 5);
}

TEST(Structure, WhatSparseEntriesCanNotBe) {
  const auto status = [](auto&& body) {
    try {
      body();
    } catch (const Error& error) {
      return error.status();
    }
    return NSM_OK;
  };
  EXPECT_EQ(status([] { Matrix(CscMatrix{1, 1, {-1, 0}, {0}, {1}}, "A"); }), NSM_INVALID_STRUCTURE);
  EXPECT_EQ(status([] { Matrix(CscMatrix{1, 1, {0, 1}, {0}, {1, 2}}, "A"); }), NSM_INVALID_DIMENSION);
  EXPECT_EQ(status([] { Matrix(BlockCsrMatrix{1, 1, {1}, {1}, {0, 1}, {0}, {}, {1, 2}}, "A"); }), NSM_INVALID_DIMENSION);
  const std::int32_t row[] = {0}, col[] = {-1};
  EXPECT_EQ(status([&] { Matrix::from_triplets(1, 1, row, col, std::span(values, 1), "A"); }), NSM_INVALID_STRUCTURE);
}

TEST(Symmetry, OfSparseMatrices) {
  EXPECT_TRUE(is_symmetric(Matrix(sparse(2, {1, 2, 2, 3}), "A")));
  EXPECT_FALSE(is_symmetric(Matrix(sparse(2, {1, 0, 2, 3}), "A"))) << "no mirror image";
  EXPECT_FALSE(is_symmetric(Matrix(sparse(2, {1, 2e-20, 1e-20, 3}), "A"))) << "small entries count too";
  EXPECT_TRUE(is_assembled_symmetric(sparse(2, {-1, 1e-20, 2e-20, -1}))) << "rounding beside the diagonal, whatever its sign";
  EXPECT_FALSE(has_positive_diagonal(Matrix(dense(2, {1, 2, 3, 0}), "A")));
  EXPECT_EQ(possible_definiteness(Matrix(dense(1, {1, 2}), "A")), Definiteness::none);
  EXPECT_EQ(symmetric_eigenvalue_range(Matrix()).max, 0);
  EXPECT_EQ(possible_definiteness(Matrix(dense(2, {-1, 0, 0, 1}), "A")), Definiteness::none);
}

TEST(Tridiagonal, RowsThatAreLeftOut) {
  Tridiagonal T;
  T.load(sparse(3, {2, 1, 0, 1, 0.5, 1, 0, 1, 4}));
  TridiagonalFactor factor(T);
  const std::vector<char> ends{1, 0, 1};
  ASSERT_TRUE(factor.factorise(ends)) << "the pivot of 0 is left out";
  Vector x{6, 77, 8};
  factor.solve(x);
  EXPECT_EQ(x, (Vector{3, 77, 2}));
  const std::vector<char> begin{1, 1, 0};
  EXPECT_FALSE(factor.factorise(begin));
}

TEST(Tridiagonal, PivotsOfRoundingAreNone) {
  Tridiagonal T;
  T.load(sparse(2, {1, 1, 1, 1 + std::numeric_limits<double>::epsilon()}));
  TridiagonalFactor factor(T);
  const std::vector<char> all{1, 1};
  EXPECT_FALSE(factor.factorise(all));
}

// Five points on 3 x 3, as a dense matrix to be changed.
DenseMatrix five_points() {
  DenseMatrix A{9, 9, Vector(81, 0.0)};
  const auto link = [&](std::int64_t i, std::int64_t j) { A.values[at(i + 9 * j)] = A.values[at(j + 9 * i)] = -1; };
  for (std::int64_t p = 0; p < 9; ++p) {
    A.values[at(10 * p)] = 4;
    if (p % 3 < 2) link(p, p + 1);
    if (p < 6) link(p, p + 3);
  }
  return A;
}

bool is_grid(const DenseMatrix& A) {
  GridOperator<double> grid;
  return load_grid(to_csc(Matrix(A, "A")), grid);
}

TEST(Grid, WhatIsNearlyOneIsNone) {
  ASSERT_TRUE(is_grid(five_points()));
  const auto with = [](std::int64_t i, std::int64_t j, double value, double mirrored) {
    DenseMatrix A = five_points();
    A.values[at(i + 9 * j)] = value;
    A.values[at(j + 9 * i)] = mirrored;
    return is_grid(A);
  };
  EXPECT_FALSE(with(4, 5, 0, -1)) << "an entry without its mirror image";
  EXPECT_FALSE(with(5, 4, 0, -1));
  EXPECT_FALSE(with(4, 5, -1, -0.5)) << "not symmetric";
  EXPECT_FALSE(with(4, 5, 1, 1)) << "no M-matrix";
  EXPECT_FALSE(with(2, 3, -1, -1)) << "from the end of a row to the beginning of the next";
  EXPECT_FALSE(with(0, 8, -1, -1)) << "a fifth entry in the first column";
  EXPECT_FALSE(with(4, 4, 1, 1)) << "no dominance";
  CscMatrix columns = to_csc(Matrix(five_points(), "A"));
  columns.rows = 10;
  GridOperator<double> grid;
  EXPECT_FALSE(load_grid(columns, grid)) << "not square";
}

}  // namespace nonsmooth::structure_test
