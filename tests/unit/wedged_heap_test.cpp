// Heaps on a body that slips out of a wedge, or jams in it: the convex problem, the proof that contacts can open, and an end
// where there is no solution.
#include "../support/wedged_heap.hpp"

#include <gtest/gtest.h>

#include "../support/solve.hpp"

namespace wedged_heap_test {

constexpr double slope = 0.5;

// Forces are hundreds of times what q suggests, and close to the solution factors through the bodies have wrong digits alone.
TEST(WedgedHeap, TheConvexProblemIsSolvedThroughTheBodies) {
  for (const int bodies : {30, 60})
    for (const double mu : {0.1, 0.3}) {
      const nsm::Problem problem = generate::WedgedHeap(1, bodies, slope).global(mu);
      nsm::Solver solver(problem, "friction_interior_point", nsm::Options{{"convex_relaxation", 1}});
      const nsm::Result result = solver.solve();
      EXPECT_LE(result.relaxation_residual(), 1e-8) << bodies << " bodies, mu = " << mu;
    }
}

TEST(WedgedHeap, ContactsThatCanOpenAreFound) {
  for (const int bodies : {10, 50, 100}) {
    const nsm::Problem problem = generate::WedgedHeap(1, bodies, slope).global(0.3);
    double margin = 0;
    ASSERT_EQ(nsm_slater(problem.handle(), &margin, nullptr, problem.size()), NSM_OK) << nsm_last_error();
    EXPECT_GT(margin, 1e-2) << bodies;
  }
}

// Forces of proximal steps grow without end: each is solved at once and leads nowhere.
TEST(WedgedHeap, WhatJamsComesToAnEnd) {
  for (const int bodies : {1, 3, 10}) {
    nsm::Solver solver(generate::WedgedHeap(3, bodies, 0.2).global(0.6));
    const nsm::Result result = solver.solve();
    EXPECT_FALSE(result.converged());
    EXPECT_LT(result.iterations(), 100000) << bodies;
  }
}

// Residuals are relative to max(1, |q|): of a small q even the first one is.
TEST(WedgedHeap, WhatJamsComesToAnEndWhateverTheSizeOfForces) {
  for (const double size : {1.0, 1e-2, 1e-4}) {
    nsm::Solver solver(generate::WedgedHeap(3, 30, 0.2).global(0.6, size), "proximal_newton",
                       nsm::Options{{"tolerance", 1e-8 * size}, {"time_limit", 20}});
    const nsm::Result result = solver.solve();
    EXPECT_EQ(result.outcome(), NSM_STALLED) << size;
    EXPECT_LT(result.iterations(), 10000) << size;
  }
}

TEST(WedgedHeap, WhatSlipsIsSolved) {
  for (const int bodies : {1, 3, 10, 30}) {
    nsm::Solver solver(generate::WedgedHeap(3, bodies, 0.2).global(0.1));
    EXPECT_TRUE(solver.solve().converged()) << bodies;
  }
}

}  // namespace wedged_heap_test
