// Blocks of free rows are cut where M couples nothing across.
#include "problems/free_blocks.hpp"

#include <gtest/gtest.h>

#include "linalg/triplets.hpp"
#include "nonsmooth/nonsmooth.hpp"
#include "problems/generic.hpp"
#include "problems/mlcp.hpp"

namespace free_blocks_test {

using namespace nonsmooth;

constexpr std::int32_t bodies = 12, motions = 6 * bodies, contacts = 3 * bodies;

// Bodies that lie on the ground by one contact each, [M -H; H' 0] with M = 2: no row of one is coupled with one of another.
Matrix kept_motion() {
  Triplets entries;
  for (std::int32_t i = 0; i < motions; ++i) entries.add(i, i, 2);
  for (std::int32_t b = 0; b < bodies; ++b)
    for (std::int32_t k = 0; k < 3; ++k) {
      entries.add(6 * b + k, motions + 3 * b + k, -1);
      entries.add(motions + 3 * b + k, 6 * b + k, 1);
      if (k > 0) entries.add(6 * b + 6 - k, motions + 3 * b + k, -0.5);
      if (k > 0) entries.add(motions + 3 * b + k, 6 * b + 6 - k, 0.5);
    }
  return entries.to_matrix(motions + contacts, motions + contacts, "M");
}

TEST(FreeBlocks, EquationsOfMotionInOneBlockAreCut) {
  Generic problem;
  problem.M = kept_motion();
  problem.q.assign(motions + contacts, 0.0);
  problem.block_kind.assign(bodies + 1, NSM_BLOCK_FRICTION_3D);
  problem.block_kind.front() = NSM_BLOCK_EQUALITY;
  problem.block_size.assign(bodies + 1, 3);
  problem.block_size.front() = motions;
  problem.mu.assign(bodies + 1, 0.5);
  const Inclusion view = problem.inclusion();
  ASSERT_EQ(std::ssize(view.blocks), motions + bodies);
  std::int32_t row = 0;
  for (const SetBlock& block : view.blocks) {
    EXPECT_EQ(block.start, row);
    EXPECT_EQ(block.size, row < motions ? 1 : 3);
    row += block.size;
  }
}

// Rows i and i + 2 of the first twenty are coupled, so that no place lies between all pairs but the last.
TEST(FreeBlocks, CoupledRowsStayTogether) {
  IndexVector row, col;
  Vector value;
  for (std::int32_t i = 0; i < 40; ++i) {
    row.push_back(i);
    col.push_back(i);
    value.push_back(1);
    if (i >= 18) continue;
    row.push_back(i + 2);
    col.push_back(i);
    value.push_back(0.1);
  }
  Mlcp problem;
  problem.M = Matrix::from_triplets(40, 40, row, col, value, "M");
  problem.q.assign(40, 1.0);
  problem.is_complementarity.assign(40, 0);
  problem.is_complementarity.back() = 1;
  const Inclusion view = problem.inclusion();
  ASSERT_EQ(view.blocks.size(), 21u);
  EXPECT_EQ(view.blocks[0].size, 20);
  EXPECT_EQ(view.blocks[1].size, 1);
  problem.M = Matrix(to_dense(problem.M), "M");
  EXPECT_EQ(problem.inclusion().blocks.size(), 2u) << "zeros of a dense matrix may be filled later";
}

TEST(FreeBlocks, AFewRowsStayWhole) {
  const std::vector<SetBlock> body{{SetKind::free_space, 0, 6}};
  IndexVector diagonal{0, 1, 2, 3, 4, 5};
  const Matrix M = Matrix::from_triplets(6, 6, diagonal, diagonal, Vector(6, 1.0), "M");
  EXPECT_EQ(with_free_blocks_cut(body, M).size(), 1u);
}

// Whose zeros auto leaves out: the bodies are parts then, and new coefficients reach them.
TEST(FreeBlocks, EquationsOfMotionOfADenseMatrixAreCutInAuto) {
  const Matrix M(to_dense(kept_motion()), "M");
  nsm::Vector q(motions + contacts, 0.0), mu(bodies + 1, 0.5);
  for (std::size_t b = 0; b < bodies; ++b) {
    q[6 * b] = 1;         // weight
    q[6 * b + 1] = -0.3;  // and a push
  }
  nsm::Indices kind(bodies + 1, NSM_BLOCK_FRICTION_3D), size(bodies + 1, 3);
  kind[0] = NSM_BLOCK_EQUALITY;
  size[0] = motions;
  const Vector& values = M.dense()->values;
  nsm::Solver solver(
      nsm::Problem::generic(nsm::Matrix::dense(M.rows(), M.cols(), {values.begin(), values.end()}), q, kind, size, mu));
  ASSERT_TRUE(solver.solve().converged());
  const auto sliding_velocity = [&](std::size_t body) { return solver.solution().w[motions + 3 * body + 1]; };
  for (std::size_t b = 0; b < bodies; ++b) EXPECT_NEAR(sliding_velocity(b), 0, 1e-7);
  std::fill(mu.begin() + 1 + bodies / 2, mu.end(), 0.1);
  solver.update_mu(mu);
  ASSERT_TRUE(solver.solve().converged());
  EXPECT_NEAR(sliding_velocity(0), 0, 1e-7);
  EXPECT_GT(sliding_velocity(bodies - 1), 0.05);
}

}  // namespace free_blocks_test
