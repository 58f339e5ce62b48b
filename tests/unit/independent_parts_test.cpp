// Problems whose unknowns are not all coupled: solved part by part, the answer is that of the whole.
#include <gtest/gtest.h>

#include <cmath>

#include "../support/solve.hpp"

namespace {

using generate::at;
using generate::Lcp;
using generate::Values;

// Copies of problems side by side, their unknowns interleaved: row i of part p is row i * parts + p.
Lcp interleaved(const std::vector<Lcp>& parts) {
  const int count = static_cast<int>(parts.size()), own = parts.front().n, n = own * count;
  Lcp whole{n, Values(at(n) * at(n), 0.0), Values(at(n)), {}};
  for (int p = 0; p < count; ++p)
    for (int j = 0; j < own; ++j) {
      whole.q[at(j * count + p)] = parts[at(p)].q[at(j)];
      for (int i = 0; i < own; ++i) whole.M[at(i * count + p + (j * count + p) * n)] = parts[at(p)].M[at(i + j * own)];
    }
  return whole;
}

std::vector<Lcp> random_parts(int count, int own) {
  generate::Random random(23);
  std::vector<Lcp> parts;
  for (int p = 0; p < count; ++p) parts.push_back(generate::harker_pang(random, own, p % 2 == 0));
  return parts;
}

TEST(IndependentParts, GiveTheSolutionOfTheWhole) {
  const auto parts = random_parts(7, 9);
  Lcp whole = interleaved(parts);
  const auto solver = support::setup(support::problem(whole).get(), nullptr);
  for (int round = 0; round < 3; ++round) {
    const auto s = support::solve(solver.get(), whole.n);
    ASSERT_TRUE(s.converged()) << s.text();
    const auto expected = support::solve(whole, "lemke");
    for (int i = 0; i < whole.n; ++i) EXPECT_NEAR(s.z[at(i)], expected.z[at(i)], 1e-7) << round << ", " << i;
    if (round == 0) {
      for (double& x : whole.q) x -= 20;
      ASSERT_EQ(nsm_update_q(solver.get(), whole.q.data(), whole.n), NSM_OK);
    } else {
      for (int i = 0; i < whole.n; ++i) whole.M[at(i) * at(whole.n + 1)] += 5;
      const nsm_matrix M = support::dense(whole.n, whole.n, whole.M);
      ASSERT_EQ(nsm_update_matrix(solver.get(), &M), NSM_OK);
    }
  }
}

TEST(IndependentParts, OnePartWithoutSolutionProvesTheWholeInfeasible) {
  auto parts = random_parts(5, 6);
  parts[3] = {6, Values(36, 0.0), {1, 1, -1, 1, 1, 1}, {}};
  const Lcp whole = interleaved(parts);
  const auto problem = support::problem(whole);
  const auto solver = support::setup(problem.get(), nullptr);
  nsm_result result = NSM_RESULT_INIT;
  ASSERT_EQ(nsm_solve(solver.get(), &result), NSM_OK);
  ASSERT_EQ(result.outcome, NSM_INFEASIBLE);
  Values y(at(whole.n));
  ASSERT_EQ(nsm_infeasibility_certificate(solver.get(), y.data(), whole.n), NSM_OK);
  std::int32_t verified = 0;
  ASSERT_EQ(nsm_certify_infeasible(problem.get(), y.data(), 1e-9, &verified), NSM_OK);
  EXPECT_EQ(verified, 1);
}

// A stop in one part is the stop of the whole, and what the other parts have found is kept.
TEST(IndependentParts, LimitsHoldForTheWhole) {
  const Lcp whole = interleaved(random_parts(6, 8));
  const auto s = support::solve(whole, nullptr, {{"max_iterations", 2}});
  EXPECT_FALSE(s.converged());
  EXPECT_EQ(s.result.outcome, NSM_ITERATION_LIMIT) << s.text();
  EXPECT_LE(s.result.iterations, 2);
  EXPECT_LT(s.result.certificate.residual, whole.residual(Values(at(whole.n), 0.0)) + 1e-12);
}

}  // namespace
