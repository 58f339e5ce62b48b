// Hyperstatic contacts, made with a solution, that paths and Newton's steps from one start miss: `auto` did not solve them before
// it drew starts.
#include <gtest/gtest.h>

#include <cstring>

#include "../support/generators.hpp"
#include "nonsmooth/nonsmooth.hpp"

namespace drawn_starts_test {

using generate::at;
using generate::Values;

// Three contacts of one body, two of which slide; forces from 0.01 to 10.
struct Hyperstatic {
  static constexpr int rows = 9;
  Values W, q;
};

// W and velocities times `size`, of the same reactions.
Hyperstatic hyperstatic(double size) {
  constexpr int rows = Hyperstatic::rows, motions = 6;
  const Values H = {0,  0, 0, 0, 3, -1, -3, 2, -2, 2,  -2, 0, 0, -1, -3, -2, -1, 1, 0, 3, 2, 3,  1,  3, -3, 2, 3,
                    -1, 2, 3, 2, 3, 1,  -3, 0, 1,  -1, 0,  3, 2, -2, 1,  -1, 0,  3, 0, 1, 0, -3, -2, 0, 2,  3, 2};
  Values W(at(rows * rows), 0.0);
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < rows; ++j)
      for (int k = 0; k < motions; ++k) W[at(i + rows * j)] += size * H[at(k + motions * i)] * H[at(k + motions * j)];
  const Values r = {10, -12, 16, 0.01, 0.006, 0.008, 1, -6, 8},
               u = {0, 0.6 * size, -0.8 * size, 0, 0, 0, 0, 0.6 * size, -0.8 * size};
  return {W, generate::right_hand_side(u, generate::multiply(W, r))};
}

nsm::Matrix matrix(const Hyperstatic& data) { return nsm::Matrix::dense(data.rows, data.rows, data.W); }

nsm::Problem problem(const Hyperstatic& data) { return nsm::Problem::friction(3, matrix(data), data.q, {2, 2, 10}); }

// Whether it does so by drawn starts.
bool solves(nsm::Solver& solver) {
  bool drawn = false;
  solver.set_log([&](const char* message) { drawn = drawn || std::strstr(message, "drawn starts ended") != nullptr; });
  const bool converged = solver.solve().converged();
  solver.set_log({});
  return converged && drawn;
}

TEST(DrawnStarts, SolveHyperstaticContacts) {
  nsm::Solver solver(problem(hyperstatic(1))), again(problem(hyperstatic(1)));
  EXPECT_TRUE(solves(solver));
  again.solve();
  EXPECT_EQ(again.solution().z, solver.solution().z) << "equal problems have equal bits";
}

// A new matrix and a new right-hand side are read by what has been set up.
TEST(DrawnStarts, FollowNewValues) {
  nsm::Solver solver(problem(hyperstatic(1)));
  EXPECT_TRUE(solves(solver));
  const Hyperstatic other = hyperstatic(4);
  solver.update_matrix(matrix(other));
  solver.update_q(other.q);
  solver.warm_start(nsm::Vector(other.rows, 0.0));
  EXPECT_TRUE(solves(solver));
}

}  // namespace drawn_starts_test
