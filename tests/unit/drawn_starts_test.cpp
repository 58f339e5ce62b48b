// Cones with general M and hyperstatic contacts, made with a solution, that paths and Newton's steps from one start miss: every
// seed here is one that `auto` did not solve before it drew starts.
#include <gtest/gtest.h>

#include "../support/general_problems.hpp"
#include "nonsmooth/nonsmooth.hpp"

namespace drawn_starts_test {

using generate::at;
using generate::cones;
using generate::Draw;
using generate::Values;

// Three contacts of one body, two of which slide; forces from 0.01 to 10.
nsm::Problem hyperstatic() {
  constexpr int rows = 9, motions = 6;
  const Values H = {0,  0, 0, 0, 3, -1, -3, 2, -2, 2,  -2, 0, 0, -1, -3, -2, -1, 1, 0, 3, 2, 3,  1,  3, -3, 2, 3,
                    -1, 2, 3, 2, 3, 1,  -3, 0, 1,  -1, 0,  3, 2, -2, 1,  -1, 0,  3, 0, 1, 0, -3, -2, 0, 2,  3, 2};
  Values W(at(rows * rows), 0.0);
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < rows; ++j)
      for (int k = 0; k < motions; ++k) W[at(i + rows * j)] += H[at(k + motions * i)] * H[at(k + motions * j)];
  const Values r = {10, -12, 16, 0.01, 0.006, 0.008, 1, -6, 8}, u = {0, 0.6, -0.8, 0, 0, 0, 0, 0.6, -0.8};
  return nsm::Problem::friction(3, nsm::Matrix::dense(rows, rows, W), generate::right_hand_side(u, generate::multiply(W, r)),
                                {2, 2, 10});
}

void expect_solved(const nsm::Problem& problem, int seed) {
  nsm::Solver solver(problem), again(problem);
  EXPECT_TRUE(solver.solve().converged()) << seed;
  again.solve();
  EXPECT_EQ(again.solution().z, solver.solution().z) << "equal problems have equal bits";
}

TEST(DrawnStarts, SolveConeProblems) {
  for (const int seed : {8, 53, 80, 96}) expect_solved(cones(static_cast<std::uint32_t>(seed)), seed);
}

TEST(DrawnStarts, SolveHyperstaticContacts) { expect_solved(hyperstatic(), 0); }

// A new right-hand side, then a new matrix, are read by what has been set up.
TEST(DrawnStarts, FollowNewValues) {
  nsm::Solver solver(cones(8)), anew(cones(53));
  EXPECT_TRUE(solver.solve().converged());
  EXPECT_TRUE(anew.solve().converged());
  Draw draw(53);
  const Values M = draw.matrix(12, 12);
  solver.update_matrix(nsm::Matrix::dense(12, 12, M));
  Values q(12);
  std::vector<double> z = anew.solution().z, w = anew.solution().w;
  q = generate::right_hand_side(w, generate::multiply(M, z));
  solver.update_q(q);
  solver.warm_start(nsm::Vector(12, 0.0));
  EXPECT_TRUE(solver.solve().converged());
}

}  // namespace drawn_starts_test
