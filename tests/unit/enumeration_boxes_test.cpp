// Enumeration over boxes: relays with two-sided, one-sided and missing bounds, against Lemke and against closed forms.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include "../support/solve.hpp"

namespace enumeration_boxes_test {

using generate::at;
using generate::Values;

support::ProblemPtr relay(const Values& M, const Values& q, const Values& lo, const Values& hi) {
  const auto n = static_cast<std::int64_t>(q.size());
  const nsm_matrix view = support::dense(n, n, M);
  nsm_problem* raw = nullptr;
  EXPECT_EQ(nsm_problem_create_relay(&view, q.data(), lo.data(), hi.data(), &raw), NSM_OK) << nsm_last_error();
  return support::ProblemPtr(raw);
}

TEST(EnumerationOfBoxes, AgreesWithLemke) {
  generate::Random random(31);
  for (int trial = 0; trial < 200; ++trial) {
    const int n = random.integer(1, 5);
    Values M = generate::gram(random, n, n, 0.1), lo(at(n)), hi(at(n));
    generate::add_skew(random, M, n, 1);
    for (std::size_t i = 0; i < lo.size(); ++i) {
      lo[i] = random.chance(0.3) ? -HUGE_VAL : random.uniform(-1, 0);
      hi[i] = random.chance(0.3) ? HUGE_VAL : random.uniform(0, 1);
    }
    const auto problem = relay(M, random.uniforms(n, -2, 2), lo, hi);
    const auto expected = support::solve(problem.get(), "lemke"), found = support::solve(problem.get(), "enumeration");
    ASSERT_TRUE(found.converged()) << trial << ": " << found.text();
    for (int i = 0; i < n; ++i) EXPECT_NEAR(found.z[at(i)], expected.z[at(i)], 1e-8) << trial;
  }
}

// -z in N_[-1,1](z) reversed: w = -z has the solutions -1, 0 and 1.
TEST(EnumerationOfBoxes, ListsAllSolutions) {
  const auto problem = relay({-1}, {0}, {-1}, {1});
  const auto solver = support::setup(problem.get(), "enumeration", {{"all_solutions", 1}});
  nsm_result result = NSM_RESULT_INIT;
  ASSERT_EQ(nsm_solve(solver.get(), &result), NSM_OK);
  EXPECT_EQ(result.solutions, 3);
}

// Twice as many unknowns as rows: the matrix of so many would not fit into any memory.
TEST(EnumerationOfBoxes, RefusesBeforeItAllocates) {
  constexpr std::int32_t n = 1'000'000;
  std::vector<std::int32_t> start(at(n) + 1), row(at(n));
  std::iota(start.begin(), start.end(), 0);
  std::iota(row.begin(), row.end(), 0);
  const Values one(at(n), 1.0), minus(at(n), -1.0);
  const nsm_matrix M = nsm_matrix_csc(n, n, start.data(), row.data(), one.data());
  nsm_problem* raw = nullptr;
  ASSERT_EQ(nsm_problem_create_relay(&M, one.data(), minus.data(), one.data(), &raw), NSM_OK) << nsm_last_error();
  const support::ProblemPtr problem(raw);
  nsm_solver* solver = nullptr;
  EXPECT_EQ(nsm_setup(problem.get(), "enumeration", nullptr, &solver), NSM_TOO_LARGE) << nsm_last_error();
  EXPECT_NE(std::string(nsm_last_error()).find("2000000 unknowns exceed its limit"), std::string::npos) << nsm_last_error();
}

}  // namespace enumeration_boxes_test
