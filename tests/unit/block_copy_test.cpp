// Blocks beside a matrix by columns: the same matrix, whatever its values become, and what a solver makes of it.
#include "linalg/block_copy.hpp"

#include <gtest/gtest.h>

#include "../support/generators.hpp"
#include "../support/solve.hpp"

namespace nonsmooth::block_copy_test {

using generate::at;
using generate::Random;
using support::ProblemPtr;
using support::Solution;

// Blocks of d x d, of which many are 0, and `holes` of the numbers of others.
DenseMatrix random_blocks(Random& random, std::int32_t d, double holes) {
  const std::int64_t n = d * random.integer(1, 7);
  DenseMatrix A{n, n, Vector(at(n * n), 0.0)};
  for (std::int64_t J = 0; J < n; J += d)
    for (std::int64_t I = 0; I < n; I += d) {
      if (random.chance(0.4)) continue;
      for (std::int64_t k = 0; k < d * d; ++k)
        if (!random.chance(holes)) A.values[at(I + k % d + (J + k / d) * n)] = random.normal();
    }
  return A;
}

Matrix by_columns(const DenseMatrix& A) { return Matrix(to_csc(Matrix(A, "A")), "A"); }

TEST(BlockCopy, HoldsTheBlocksThatAreNotZero) {
  Random random(1);
  int copies = 0;
  for (int trial = 0; trial < 200; ++trial)
    for (const std::int32_t d : {2, 3, 5}) {
      const DenseMatrix A = random_blocks(random, d, 0.2);
      const auto copy = BlockCopy::of(by_columns(A), d);
      if (copy == nullptr) continue;  // by chance more than half of it are holes
      ++copies;
      const BlockCsrMatrix expected = to_block_csr(Matrix(A, "A"), d), &blocks = *copy->matrix().block_csr();
      EXPECT_EQ(blocks.row_start, expected.row_start);
      EXPECT_EQ(blocks.block_col, expected.block_col);
      EXPECT_EQ(blocks.values, expected.values);
    }
  EXPECT_GT(copies, 500);
}

TEST(BlockCopy, FollowsValues) {
  Random random(2);
  int copies = 0;
  for (int trial = 0; trial < 200; ++trial)
    for (const std::int32_t d : {2, 3, 5}) {
      Matrix A = by_columns(random_blocks(random, d, 0.1));
      const auto copy = BlockCopy::of(A, d);
      if (copy == nullptr) continue;
      ++copies;
      const IndexVector before = copy->matrix().block_csr()->block_col;
      for (double& value : A.own_values()) value = random.chance(0.3) ? 0 : random.normal();
      copy->refresh(A);
      EXPECT_EQ(to_dense(copy->matrix()).values, to_dense(A).values);
      EXPECT_EQ(copy->matrix().block_csr()->block_col, before);
      EXPECT_EQ(copy->patterns(), 1);
    }
  EXPECT_GT(copies, 500);
}

TEST(BlockCopy, FindsABlockThatWasZero) {
  const IndexVector all{0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3};
  Matrix A(CscMatrix{4, 4, {0, 4, 8, 12, 16}, all, {1, 1, 0, 0, 1, 1, 0, 0, 0, 0, 1, 1, 0, 0, 1, 1}}, "A");
  const auto copy = BlockCopy::of(A, 2);
  ASSERT_NE(copy, nullptr);
  EXPECT_EQ(copy->matrix().block_csr()->block_col, (IndexVector{0, 1}));
  A.own_values()[2] = 7;
  for (int again = 0; again < 2; ++again) {
    copy->refresh(A);
    EXPECT_EQ(copy->patterns(), 2);
    EXPECT_EQ(copy->matrix().block_csr()->block_col, (IndexVector{0, 0, 1}));
    EXPECT_EQ(to_dense(copy->matrix()).values, to_dense(A).values);
  }
}

TEST(BlockCopy, LeavesAloneWhatItIsNoGainFor) {
  const DenseMatrix full{6, 6, Vector(36, 1.0)};
  DenseMatrix diagonal{6, 6, Vector(36, 0.0)};
  for (std::size_t i = 0; i < 6; ++i) diagonal.values[7 * i] = 1;
  EXPECT_NE(BlockCopy::of(by_columns(full), 3), nullptr);
  EXPECT_EQ(BlockCopy::of(by_columns(diagonal), 3), nullptr) << "a third of each block";
  EXPECT_NE(BlockCopy::of(by_columns(diagonal), 2), nullptr) << "half of each block";
  EXPECT_EQ(BlockCopy::of(Matrix(full, "A"), 3), nullptr) << "dense";
  EXPECT_EQ(BlockCopy::of(Matrix(to_block_csr(Matrix(full, "A"), 3), "A"), 3), nullptr) << "blocks already";
  EXPECT_EQ(BlockCopy::of(by_columns(full), 5), nullptr) << "not a multiple";
  EXPECT_EQ(BlockCopy::of(by_columns(full), 1), nullptr);
}

// --- in a solver ---

// A column of boxes, in any storage.
struct Column {
  generate::Friction f = generate::box_column(40).local;
  std::int64_t n = std::int64_t{f.dimension} * f.contacts;
  CscMatrix csc = to_csc(Matrix(DenseMatrix{n, n, f.W}, "W"));
  BlockCsrMatrix blocks = to_block_csr(Matrix(DenseMatrix{n, n, f.W}, "W"), f.dimension);

  nsm_matrix by_columns(const Vector& values) const {
    return nsm_matrix_csc(n, n, csc.col_start.data(), csc.row_index.data(), values.data());
  }
  nsm_matrix by_blocks() const {
    return nsm_matrix_block_csr(f.dimension, blocks.block_rows(), blocks.block_rows(), blocks.row_start.data(),
                                blocks.block_col.data(), blocks.values.data());
  }
  // Without what one contact does to another.
  Vector uncoupled() const {
    Vector values = csc.values;
    for (std::int64_t j = 0; j < n; ++j)
      for (std::int32_t k = csc.col_start[at(j)]; k < csc.col_start[at(j + 1)]; ++k)
        if (csc.row_index[at(k)] / f.dimension != j / f.dimension) values[at(k)] = 0;
    return values;
  }
  ProblemPtr problem(const nsm_matrix& W) const {
    nsm_problem* raw = nullptr;
    EXPECT_EQ(nsm_problem_create_friction(f.dimension, &W, f.q.data(), f.mu.data(), &raw), NSM_OK) << nsm_last_error();
    return ProblemPtr(raw);
  }
};

TEST(Storage, ByColumnsAndByBlocksAreSolvedToTheSameBits) {
  const Column column;
  const ProblemPtr by_columns = column.problem(column.by_columns(column.csc.values)),
                   by_blocks = column.problem(column.by_blocks());
  for (const char* method : {"auto", "block_gauss_seidel", "accelerated_projected_gradient", "proximal_newton"}) {
    const Solution one = support::solve(by_columns.get(), method, {{"max_iterations", 500}}),
                   other = support::solve(by_blocks.get(), method, {{"max_iterations", 500}});
    EXPECT_EQ(one.result.outcome, other.result.outcome) << method;
    EXPECT_EQ(one.result.iterations, other.result.iterations) << method;
    EXPECT_EQ(one.z, other.z) << method;
  }
}

TEST(Storage, ContactsThatBecomeCoupledAreSolvedAsIfTheyHadBeen) {
  const Column column;
  const nsm_matrix coupled = column.by_columns(column.csc.values);
  const Vector alone = column.uncoupled();
  const nsm_matrix uncoupled = column.by_columns(alone);
  for (const char* method : {"auto", "proximal_newton"}) {
    const auto solver = support::setup(column.problem(uncoupled).get(), method);
    const Solution first = support::solve(solver.get(), column.n);
    for (const nsm_matrix* W : {&coupled, &uncoupled}) {
      ASSERT_EQ(nsm_update_matrix(solver.get(), W), NSM_OK) << nsm_last_error();
      ASSERT_EQ(nsm_warm_start(solver.get(), Vector(at(column.n), 0.0).data(), column.n), NSM_OK);
      const Solution updated = support::solve(solver.get(), column.n);
      const Solution fresh = support::solve(column.problem(*W).get(), method);
      ASSERT_TRUE(fresh.converged()) << method << ": " << fresh.text();
      ASSERT_TRUE(updated.converged()) << method << ": " << updated.text();
      EXPECT_EQ(updated.z, fresh.z) << method;
    }
    EXPECT_TRUE(first.converged()) << method;
  }
}

// New blocks, which the method is set up for, and refuses: it is set up again for the values before.
TEST(Storage, AMatrixOfOtherBlocksThatIsRefusedLeavesTheSolverAsItWas) {
  const Column column;
  const Vector alone = column.uncoupled();
  Vector turning = column.csc.values;
  for (std::int32_t k = column.csc.col_start[0]; k < column.csc.col_start[1]; ++k)
    if (column.csc.row_index[at(k)] > 1) turning[at(k)] *= 2;
  const nsm_matrix bad = column.by_columns(turning), good = column.by_columns(column.csc.values);
  const auto solver = support::setup(column.problem(column.by_columns(alone)).get(), "projected_conjugate_gradient");
  const Vector start(at(column.n), 0.0);
  const auto solve = [&] {
    EXPECT_EQ(nsm_warm_start(solver.get(), start.data(), column.n), NSM_OK);
    return support::solve(solver.get(), column.n);
  };
  const Solution before = solve();
  EXPECT_TRUE(before.converged()) << before.text();
  ASSERT_EQ(nsm_update_matrix(solver.get(), &bad), NSM_UNSUPPORTED) << nsm_last_error();
  EXPECT_EQ(solve().z, before.z);
  ASSERT_EQ(nsm_update_matrix(solver.get(), &good), NSM_OK) << nsm_last_error();
  EXPECT_EQ(solve().z, support::solve(column.problem(good).get(), "projected_conjugate_gradient").z);
}

}  // namespace nonsmooth::block_copy_test
