// Matrices: storages, conversions, products equal to the bit, everything a view can do wrong.
#include "linalg/matrix.hpp"
#include "linalg/symmetry.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "../support/generators.hpp"
#include "core/error.hpp"

namespace nonsmooth::matrix_test {

using generate::at;
using generate::Random;

// Dense with about a third of the 3 x 3 blocks empty and zeros inside the others.
DenseMatrix random_blocky(Random& random, int block_rows, int block_cols) {
  const std::int64_t rows = 3 * block_rows, cols = 3 * block_cols;
  DenseMatrix A{rows, cols, Vector(at(rows * cols), 0.0)};
  for (int J = 0; J < block_cols; ++J)
    for (int I = 0; I < block_rows; ++I) {
      if (random.chance(0.3)) continue;
      for (int j = 3 * J; j < 3 * J + 3; ++j)
        for (int i = 3 * I; i < 3 * I + 3; ++i)
          if (!random.chance(0.2)) A.values[at(i + j * rows)] = random.normal() * random.magnitude(-8, 8);
    }
  return A;
}

struct Storages {
  Matrix dense, csc, blocks;
  explicit Storages(const DenseMatrix& A) : dense(A, "A"), csc(to_csc(dense), "A"), blocks(to_block_csr(dense, 3), "A") {}
};

nsm_status status_of(const auto& body, const std::string& fragment = "") {
  try {
    body();
  } catch (const Error& error) {
    EXPECT_NE(error.message().find(fragment), std::string::npos) << error.message();
    return error.status();
  }
  return NSM_OK;
}

nsm_status view_status(const nsm_matrix& view, const std::string& fragment = "") {
  return status_of([&] { Matrix::from_view(view, "M"); }, fragment);
}

TEST(Matrix, ProductsAreEqualToTheBitAcrossStorages) {
  Random random(1);
  for (int trial = 0; trial < 200; ++trial) {
    const int block_rows = random.integer(1, 6), block_cols = random.integer(1, 6);
    const DenseMatrix A = random_blocky(random, block_rows, block_cols);
    const Storages all(A);
    const Vector x = random.normals(A.cols), xt = random.normals(A.rows);
    auto products = [&](const Matrix& B) {
      Vector y(at(A.rows), 0.25), yt(at(A.cols), -0.5), a(at(A.rows), 0.0), bound(at(A.cols), 0.0);
      multiply_add(B, 0.7, x, y);
      multiply_transposed_add(B, -1.3, xt, yt);
      multiply_absolute_add(B, x, a);
      multiply_absolute_transposed_add(B, xt, bound);
      for (const Vector* part : {&yt, &a, &bound}) y.insert(y.end(), part->begin(), part->end());
      return y;
    };
    const Vector expected = products(all.dense);
    EXPECT_EQ(products(all.csc), expected);
    EXPECT_EQ(products(all.blocks), expected);
  }
}

// Blocks without a zero in them, so that columns of the sparse storage share their rows; then one of them with a hole.
TEST(Matrix, ProductsByBlocksAreEqualToTheBit) {
  Random random(7);
  for (int trial = 0; trial < 300; ++trial) {
    const std::int64_t d = random.integer(1, 3), rows = d * random.integer(1, 9), cols = d * random.integer(1, 9);
    DenseMatrix A{rows, cols, Vector(at(rows * cols), 0.0)};
    for (std::int64_t J = 0; J < cols; J += d)
      for (std::int64_t I = 0; I < rows; I += d) {
        if (random.chance(0.4)) continue;
        for (std::int64_t k = 0; k < d * d; ++k)
          A.values[at(I + k % d + (J + k / d) * rows)] = random.normal() * random.magnitude(-8, 8);
      }
    if (random.chance(0.3)) A.values[at(random.integer(0, static_cast<int>(rows * cols) - 1))] = 0;
    Vector x = random.normals(cols);
    for (double& value : x)
      if (random.chance(0.3)) value = 0;
    const Matrix dense(A, "A"), csc(to_csc(dense), "A"), blocks(to_block_csr(dense, static_cast<std::int32_t>(d)), "A");
    for (const double scale : {1.0, -1.0, 0.7}) {
      Vector expected(at(rows), 0.25), by_columns = expected, by_rows = expected;
      multiply_add(dense, scale, x, expected);
      multiply_add(csc, scale, x, by_columns);
      multiply_add(blocks, scale, x, by_rows);
      EXPECT_EQ(by_columns, expected) << trial << " " << scale;
      EXPECT_EQ(by_rows, expected) << trial << " " << scale;
    }
  }
}

TEST(Matrix, ProductsAgreeWithTheDefinition) {
  Random random(2);
  const DenseMatrix A = random_blocky(random, 3, 4);
  const Vector x = random.normals(A.cols);
  Vector y(at(A.rows), 1.0);
  multiply_add(Storages(A).blocks, 2.0, x, y);
  for (std::int64_t i = 0; i < A.rows; ++i) {
    double sum = 0, size = 1;
    for (std::int64_t j = 0; j < A.cols; ++j) {
      sum += A.values[at(i + j * A.rows)] * x[at(j)];
      size += std::abs(A.values[at(i + j * A.rows)] * x[at(j)]);
    }
    EXPECT_NEAR(y[at(i)], 1 + 2 * sum, 1e-14 * size);
  }
}

TEST(Matrix, ConversionsKeepEveryEntry) {
  Random random(3);
  for (int trial = 0; trial < 50; ++trial) {
    const DenseMatrix A = random_blocky(random, random.integer(1, 5), random.integer(1, 5));
    const Storages all(A);
    for (const Matrix* B : {&all.dense, &all.csc, &all.blocks}) {
      EXPECT_EQ(to_dense(*B).values, A.values);
      EXPECT_EQ(to_dense(Matrix(to_csc(*B), "A")).values, A.values);
      EXPECT_EQ(to_dense(Matrix(to_block_csr(*B, 3), "A")).values, A.values);
      EXPECT_EQ(to_dense(Matrix(to_block_csr(*B, 1), "A")).values, A.values);
      EXPECT_EQ(frobenius_norm(*B), frobenius_norm(*B));
    }
    EXPECT_EQ(all.blocks.block_csr()->uniform_block_size(), 3);
  }
}

TEST(Matrix, PrincipalPartsAreReadFromEveryStorage) {
  Random random(4);
  for (int trial = 0; trial < 20; ++trial) {
    const int blocks = random.integer(1, 5);
    const DenseMatrix A = random_blocky(random, blocks, blocks);
    IndexVector rows;
    for (std::int32_t i = 0; i < A.rows; ++i)
      if (random.chance(0.4)) rows.push_back(i);
    const Storages all(A);
    for (const Matrix* B : {&all.dense, &all.csc, &all.blocks}) {
      const DenseMatrix part = to_dense(Matrix(principal_part(*B, rows), "part"));
      ASSERT_EQ(part.values.size(), rows.size() * rows.size());
      for (std::size_t j = 0; j < rows.size(); ++j)
        for (std::size_t i = 0; i < rows.size(); ++i)
          EXPECT_EQ(part.values[i + j * rows.size()], A.values[at(rows[i] + rows[j] * A.rows)]);
    }
  }
}

TEST(Matrix, BlocksThatDoNotFitAreRefused) {
  const Matrix A(DenseMatrix{4, 4, Vector(16, 1.0)}, "A");
  EXPECT_EQ(status_of([&] { to_block_csr(A, 3); }), NSM_INVALID_DIMENSION);
  EXPECT_EQ(to_block_csr(A, 2).block_col.size(), 4u);
}

TEST(Matrix, UnsortedColumnsAreSortedAndRepetitionsRefused) {
  const std::int32_t start[] = {0, 2, 3}, index[] = {1, 0, 1}, twice[] = {1, 1, 0};
  const double values[] = {10, 20, 30};
  const Matrix A = Matrix::from_view(nsm_matrix_csc(2, 2, start, index, values), "A");
  EXPECT_EQ(to_dense(A).values, (Vector{20, 10, 0, 30}));
  EXPECT_EQ(A.csc()->row_index, (IndexVector{0, 1, 1}));
  EXPECT_EQ(view_status(nsm_matrix_csc(2, 2, start, twice, values), "twice"), NSM_INVALID_STRUCTURE);
}

TEST(Matrix, UnsortedBlocksAreSortedWithTheirValues) {
  const std::int32_t start[] = {0, 2, 3}, index[] = {1, 0, 1}, twice[] = {1, 1, 0};
  const Vector values = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
  const Matrix A = Matrix::from_view(nsm_matrix_block_csr(2, 2, 2, start, index, values.data()), "A");
  EXPECT_EQ(to_dense(A).values, (Vector{5, 6, 0, 0, 7, 8, 0, 0, 1, 2, 9, 10, 3, 4, 11, 12}));
  EXPECT_EQ(view_status(nsm_matrix_block_csr(2, 2, 2, start, twice, values.data()), "twice"), NSM_INVALID_STRUCTURE);
}

TEST(Matrix, UnevenBlocks) {
  const std::int32_t start[] = {0, 2, 3}, index[] = {0, 1, 0}, ends[] = {1, 3};
  const Vector values = {1, 2, 3, 4, 5};
  nsm_matrix view = nsm_matrix_block_csr(0, 2, 2, start, index, values.data());
  view.rows = view.cols = 3;
  view.row_end = view.col_end = ends;
  const Matrix A = Matrix::from_view(view, "A");
  EXPECT_EQ(to_dense(A).values, (Vector{1, 4, 5, 2, 0, 0, 3, 0, 0}));
  EXPECT_EQ(A.block_csr()->uniform_block_size(), 0);
  const std::int32_t bad[] = {1, 1}, short_end[] = {1, 2};
  view.row_end = bad;
  EXPECT_EQ(view_status(view), NSM_INVALID_STRUCTURE);
  view.row_end = short_end;
  EXPECT_EQ(view_status(view), NSM_INVALID_DIMENSION);
  view.row_end = nullptr;
  EXPECT_EQ(view_status(view), NSM_INVALID_ARGUMENT);
}

TEST(Matrix, LeadingDimension) {
  const Vector values = {1, 2, -9, 3, 4, -9};
  nsm_matrix view = nsm_matrix_dense(2, 2, values.data());
  view.leading_dimension = 3;
  EXPECT_EQ(to_dense(Matrix::from_view(view, "M")).values, (Vector{1, 2, 3, 4}));
  view.leading_dimension = 1;
  EXPECT_EQ(view_status(view), NSM_INVALID_DIMENSION);
  view.leading_dimension = -4;
  EXPECT_EQ(view_status(view), NSM_INVALID_DIMENSION);
  for (const std::int64_t beyond : {std::numeric_limits<std::int64_t>::max(), std::int64_t{1} << 61}) {
    view.leading_dimension = beyond;
    EXPECT_EQ(view_status(view), NSM_TOO_LARGE) << "the second column would stand outside the address space";
  }
}

TEST(Matrix, SizesAreChecked) {
  const double one = 1;
  const std::int64_t huge = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(view_status(nsm_matrix_dense(-1, 1, &one)), NSM_INVALID_DIMENSION);
  EXPECT_EQ(view_status(nsm_matrix_dense(1, -1, &one)), NSM_INVALID_DIMENSION);
  EXPECT_EQ(view_status(nsm_matrix_dense(huge, 1, &one)), NSM_TOO_LARGE);
  EXPECT_EQ(view_status(nsm_matrix_dense(1, std::int64_t{1} << 31, &one)), NSM_TOO_LARGE);
  EXPECT_EQ(view_status(nsm_matrix_dense(1, 1, nullptr)), NSM_INVALID_ARGUMENT);
  nsm_matrix view = nsm_matrix_dense(1, 1, &one);
  view.struct_size = 8;
  EXPECT_EQ(view_status(view), NSM_INVALID_ARGUMENT);
  view = nsm_matrix_dense(1, 1, &one);
  view.storage = 7;
  EXPECT_EQ(view_status(view), NSM_INVALID_ARGUMENT);
  EXPECT_EQ(view_status(nsm_matrix_dense(0, 0, nullptr)), NSM_OK);
  EXPECT_EQ(view_status(nsm_matrix_dense(3, 0, nullptr)), NSM_OK);
  const std::int32_t start[] = {0, 0};
  EXPECT_EQ(view_status(nsm_matrix_block_csr(2, -1, 1, start, start, &one)), NSM_INVALID_DIMENSION);
  EXPECT_EQ(view_status(nsm_matrix_block_csr(std::numeric_limits<std::int32_t>::max(), 2, 2, start, start, &one)), NSM_TOO_LARGE);
}

TEST(Matrix, CompressedStructureIsChecked) {
  const double values[] = {1, 2, 3};
  auto status = [&](std::vector<std::int32_t> start, std::vector<std::int32_t> index) {
    return view_status(nsm_matrix_csc(2, 2, start.data(), index.data(), values));
  };
  EXPECT_EQ(status({0, 1, 2}, {0, 1}), NSM_OK);
  EXPECT_EQ(status({1, 1, 2}, {0, 1}), NSM_INVALID_STRUCTURE);
  EXPECT_EQ(status({0, 2, 1}, {0, 1}), NSM_INVALID_STRUCTURE);
  EXPECT_EQ(status({0, -1, 2}, {0, 1}), NSM_INVALID_STRUCTURE);
  EXPECT_EQ(status({0, 1, -5}, {0, 1}), NSM_INVALID_STRUCTURE);
  EXPECT_EQ(status({0, 1, 2'000'000'000}, {0, 1}), NSM_INVALID_STRUCTURE) << "before 2e9 rows are read";
  EXPECT_EQ(status({0, 1, 2}, {0, 2}), NSM_INVALID_STRUCTURE);
  EXPECT_EQ(status({0, 1, 2}, {-1, 1}), NSM_INVALID_STRUCTURE);
  EXPECT_EQ(view_status(nsm_matrix_csc(2, 2, nullptr, nullptr, values)), NSM_INVALID_ARGUMENT);
  const std::int32_t start[] = {0, 1, 2}, index[] = {0, 1}, unwritten[] = {0, 1, 2'000'000'000};
  EXPECT_EQ(view_status(nsm_matrix_block_csr(1, 2, 2, unwritten, index, values)), NSM_INVALID_STRUCTURE);
  EXPECT_EQ(view_status(nsm_matrix_csc(2, 2, start, nullptr, values)), NSM_INVALID_ARGUMENT);
  EXPECT_EQ(view_status(nsm_matrix_csc(2, 2, start, index, nullptr)), NSM_INVALID_ARGUMENT);
}

TEST(Matrix, Triplets) {
  const IndexVector row = {2, 0, 1}, col = {0, 1, 0};
  const Vector value = {5, 6, 7};
  EXPECT_EQ(to_dense(Matrix::from_triplets(3, 2, row, col, value, "T")).values, (Vector{0, 7, 5, 6, 0, 0}));
  EXPECT_EQ(status_of([&] { Matrix::from_triplets(2, 2, row, col, value, "T"); }, "row index 2"), NSM_INVALID_STRUCTURE);
  EXPECT_EQ(status_of([&] { Matrix::from_triplets(3, 1, row, col, value, "T"); }, "column index 1"), NSM_INVALID_STRUCTURE);
  EXPECT_EQ(status_of([&] { Matrix::from_triplets(3, 2, row, IndexVector{0, 1}, value, "T"); }), NSM_INVALID_DIMENSION);
  EXPECT_EQ(status_of(
                [&] {
                  Matrix::from_triplets(3, 2, IndexVector{2, 2, 0}, IndexVector{0, 0, 0}, value, "T");
                },
                "twice"),
            NSM_INVALID_STRUCTURE);
}

TEST(Matrix, ViewsAreCopied) {
  Vector values = {1, 2, 3, 4};
  const Matrix A = Matrix::from_view(nsm_matrix_dense(2, 2, values.data()), "A");
  values[0] = 99;
  EXPECT_EQ(A.values()[0], 1);
}

TEST(Norms, AreScaledAndKeepNotANumber) {
  EXPECT_EQ(norm2(Vector{}), 0);
  EXPECT_EQ(norm2(Vector{0, 0}), 0);
  EXPECT_DOUBLE_EQ(norm2(Vector{3e300, 4e300}), 5e300);
  EXPECT_DOUBLE_EQ(norm2(Vector{3e-300, 4e-300}), 5e-300);
  EXPECT_EQ(norm2(Vector{1, HUGE_VAL}), HUGE_VAL);
  EXPECT_TRUE(std::isnan(norm2(Vector{1, NAN})));
  EXPECT_TRUE(std::isnan(norm2(Vector{NAN}))) << "a norm of 0 would make NaN look like a solution";
  EXPECT_TRUE(std::isnan(norm2(Vector{0, NAN, 0})));
  EXPECT_TRUE(std::isnan(norm2(Vector{HUGE_VAL, 1, NAN})));
  for (std::size_t i = 0; i < 7; ++i) {
    Vector x(7, 1.0);
    x[i] = -3;
    EXPECT_EQ(norm_inf(x), 3);
    EXPECT_DOUBLE_EQ(norm2(x), std::sqrt(15.0));
    x[i] = NAN;
    EXPECT_EQ(norm_inf(x), 1);
    EXPECT_TRUE(std::isnan(norm2(x)));
  }
  EXPECT_EQ(find_not_finite(Vector{1, 2, NAN, HUGE_VAL}), 2);
  EXPECT_EQ(find_not_finite(Vector{1, 2}), -1);
}

TEST(Spectrum, SymmetryDefectAndEigenvalues) {
  const Matrix skew(DenseMatrix{2, 2, {0, -1, 1, 0}}, "S");
  EXPECT_DOUBLE_EQ(symmetry_defect(skew), 2);
  EXPECT_EQ(symmetry_defect(Matrix(DenseMatrix{2, 2, {0, 0, 0, 0}}, "Z")), 0);
  const double expected = std::sqrt(2.0 / 3);  // of (1, 1; 0, 1), whether its zero is stored or not
  EXPECT_DOUBLE_EQ(symmetry_defect(Matrix(CscMatrix{2, 2, {0, 2, 4}, {0, 1, 0, 1}, {1, 0, 1, 1}}, "U")), expected);
  EXPECT_DOUBLE_EQ(symmetry_defect(Matrix(CscMatrix{2, 2, {0, 1, 3}, {0, 0, 1}, {1, 1, 1}}, "U")), expected);
  const EigenvalueRange range = symmetric_eigenvalue_range(Matrix(DenseMatrix{2, 2, {2, 1, 1, 2}}, "A"));
  EXPECT_NEAR(range.min, 1, 1e-14);
  EXPECT_NEAR(range.max, 3, 1e-14);
}

// [1 2 3; 0 4 6; 0 5 7] in blocks of 1 and 2, of which one has no mirror image.
TEST(Spectrum, BlocksByColumns) {
  const auto blocks = [](const Vector& values) {
    return Matrix(BlockCsrMatrix{3, 3, {1, 3}, {1, 3}, {0, 2, 3}, {0, 1, 1}, {}, values}, "B");
  };
  const Matrix A = blocks({1, 2, 3, 4, 5, 6, 7}), changed = blocks({2, -3, 5, 0, 7, 1, -1});
  EXPECT_DOUBLE_EQ(symmetry_defect(A), std::sqrt(2 * (4 + 9 + 1) / 140.0));
  CscMatrix columns = to_csc(A);
  EXPECT_EQ(columns.values, (Vector{1, 2, 4, 5, 3, 6, 7}));
  EXPECT_EQ(symmetry_defect(columns, frobenius_norm(A)), symmetry_defect(A));
  copy_values(*changed.block_csr(), columns);
  EXPECT_EQ(columns.values, to_csc(changed).values);
}

TEST(Spectrum, WhatMinorsAllow) {
  const auto of = [](const DenseMatrix& A) { return possible_definiteness(Matrix(A, "A")); };
  EXPECT_EQ(of({2, 2, {2, 1, 1, 2}}), Definiteness::definite);
  EXPECT_EQ(of({2, 2, {2, -3, 5, 2}}), Definiteness::definite) << "the symmetric part alone";
  EXPECT_EQ(of({2, 2, {1, 1, 1, 1}}), Definiteness::semidefinite);
  EXPECT_EQ(of({2, 2, {0.1 * 3, 0.3, 0.3, 0.3}}), Definiteness::semidefinite) << "up to rounding";
  EXPECT_EQ(of({2, 2, {0, -1, 1, 0}}), Definiteness::semidefinite) << "skew";
  EXPECT_EQ(of({2, 2, {1, -1, 1, 0}}), Definiteness::semidefinite) << "a row of a programme";
  EXPECT_EQ(of({2, 2, {0, 1, 1, 0}}), Definiteness::none);
  EXPECT_EQ(of({2, 2, {1, 0, 0, -1}}), Definiteness::none);
  EXPECT_EQ(of({2, 2, {1, 2, 1, 1}}), Definiteness::none);
  EXPECT_EQ(of({1, 1, {std::numeric_limits<double>::quiet_NaN()}}), Definiteness::none);
  EXPECT_EQ(possible_definiteness(Matrix::from_triplets(2, 2, IndexVector{0, 1}, IndexVector{0, 1}, Vector{1, 2}, "M")),
            Definiteness::definite);
}

TEST(Matrix, SymmetryIsNoticed) {
  const Matrix laplacian = Matrix::from_triplets(3, 3, IndexVector{0, 1, 0, 1, 2, 1, 2}, IndexVector{0, 0, 1, 1, 1, 2, 2},
                                                 Vector{2, -1, -1, 2, -1, -1, 2}, "M");
  EXPECT_TRUE(is_symmetric(laplacian));
  EXPECT_TRUE(is_symmetric(Matrix(to_dense(laplacian), "M")));
  EXPECT_FALSE(is_symmetric(Matrix::from_triplets(2, 2, IndexVector{0, 1, 1}, IndexVector{0, 0, 1}, Vector{1, 1, 1}, "M")));
  EXPECT_FALSE(
      is_symmetric(Matrix::from_triplets(2, 2, IndexVector{0, 1, 0, 1}, IndexVector{0, 0, 1, 1}, Vector{1, 2, 3, 1}, "M")));
  const auto has_mirrors = [](IndexVector row, IndexVector col) {
    return has_symmetric_pattern(*Matrix::from_triplets(3, 3, row, col, Vector(row.size(), 1.0), "M").csc());
  };
  EXPECT_TRUE(has_mirrors({0, 2, 1, 0}, {0, 0, 1, 2}));
  EXPECT_TRUE(has_mirrors({2, 0}, {0, 2}));
  EXPECT_FALSE(has_mirrors({0, 2, 1}, {0, 0, 1}));              // below the diagonal alone
  EXPECT_FALSE(has_mirrors({0, 1, 0, 2}, {0, 1, 2, 2}));        // above
  EXPECT_FALSE(has_mirrors({1, 2, 0, 1, 0}, {0, 0, 1, 2, 2}));  // a_12 is, a_21 is not
  EXPECT_TRUE(is_mostly_skew(Vector{1, -2, 2, 1}, 2));          // |K|^2 = 8, |S|^2 = 2
  EXPECT_FALSE(is_mostly_skew(Vector{2, -2, 2, 2}, 2));         // 8 and 8
  EXPECT_FALSE(is_mostly_skew(Vector{0, 0, 0, 0}, 2));
}

}  // namespace nonsmooth::matrix_test
