// Derivatives of solutions against differences of solutions, and where there is no derivative; nsm_solve_batch against single
// solves.
#include <gtest/gtest.h>

#include <cmath>

#include "../support/class_examples.hpp"
#include "../support/lcp_families.hpp"

namespace sensitivity_test {

using generate::at;
using generate::Values;
using support::ProblemPtr;
using support::SolverPtr;

// (dz/dq) dq, and (dz/dq)' gz.
Values change_of_z(nsm_solver* solver, const Values& dq) {
  Values dz(dq.size());
  const auto n = std::ssize(dq);
  EXPECT_EQ(nsm_differentiate(solver, dq.data(), n, nullptr, 0, dz.data(), nullptr, n), NSM_OK) << nsm_last_error();
  return dz;
}

Values gradient_by_q(nsm_solver* solver, const Values& gz) {
  Values gq(gz.size());
  const auto n = std::ssize(gz);
  EXPECT_EQ(nsm_differentiate_transposed(solver, gz.data(), nullptr, n, gq.data(), n, nullptr, 0), NSM_OK) << nsm_last_error();
  return gq;
}

double dot(const Values& x, const Values& y) {
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += x[i] * y[i];
  return sum;
}

// dz against the difference of two solutions, and  a'(dz/dq b) = b'(dz/dq)'a.
void expect_derivative(nsm_solver* solver, const Values& q, std::uint64_t seed) {
  const auto n = static_cast<std::int64_t>(q.size());
  generate::Random random(seed);
  const Values a = random.uniforms(n, -1, 1), b = random.uniforms(n, -1, 1);
  const auto solution = support::solve(solver, n);
  ASSERT_TRUE(solution.converged()) << solution.text();
  const Values forward = change_of_z(solver, b), backward = gradient_by_q(solver, a);
  EXPECT_NEAR(dot(a, forward), dot(b, backward), 1e-10 * (1 + std::abs(dot(a, forward))));
  constexpr double step = 1e-5;
  Values shifted = q;
  for (std::size_t i = 0; i < q.size(); ++i) shifted[i] += step * b[i];
  ASSERT_EQ(nsm_update_q(solver, shifted.data(), n), NSM_OK);
  const auto moved = support::solve(solver, n);
  ASSERT_TRUE(moved.converged()) << moved.text();
  for (std::size_t i = 0; i < q.size(); ++i) EXPECT_NEAR((moved.z[i] - solution.z[i]) / step, forward[i], 1e-6) << i;
}

TEST(Sensitivity, OfAnLcp) {
  generate::Random random(5);
  for (int n : {1, 3, 10, 60}) {
    const Values S = random.uniforms(std::int64_t{n} * n, -1, 1);
    generate::Lcp lcp{n, generate::identity(n, 2.0 * n), random.uniforms(n, -1, 1), {}};
    for (std::size_t k = 0; k < S.size(); ++k) lcp.M[k] += S[k];
    expect_derivative(support::setup(support::problem(lcp).get(), nullptr, {{"tolerance", 1e-12}}).get(), lcp.q, 7);
  }
}

TEST(Sensitivity, OfASparseObstacleProblem) {
  const generate::SparseLcp lcp = generate::obstacle(40);
  const nsm_matrix M = nsm_matrix_csc(lcp.n, lcp.n, lcp.start.data(), lcp.index.data(), lcp.values.data());
  nsm_problem* raw = nullptr;
  ASSERT_EQ(nsm_problem_create_lcp(&M, lcp.q.data(), &raw), NSM_OK) << nsm_last_error();
  const ProblemPtr problem(raw);
  const SolverPtr solver = support::setup(problem.get(), nullptr, {{"tolerance", 1e-11}});
  ASSERT_TRUE(support::solve(solver.get(), lcp.n).converged());
  generate::Random random(3);
  const Values a = random.uniforms(lcp.n, -1, 1), b = random.uniforms(lcp.n, -1, 1);
  const double forward = dot(a, change_of_z(solver.get(), b)), backward = dot(b, gradient_by_q(solver.get(), a));
  EXPECT_NEAR(forward, backward, 1e-10 * std::abs(forward));
  EXPECT_NE(forward, 0);
}

// z = clamp(-q, -1, 1): the derivative is -1 inside, 0 at the bounds, and does not exist at q = 1.
TEST(Sensitivity, OfARelay) {
  const Values M = generate::identity(3, 1), lo(3, -1.0), hi(3, 1.0);
  const nsm_matrix view = support::dense(3, 3, M);
  Values q = {0.5, -3, 2};
  nsm_problem* raw = nullptr;
  ASSERT_EQ(nsm_problem_create_relay(&view, q.data(), lo.data(), hi.data(), &raw), NSM_OK);
  const ProblemPtr problem(raw);
  const SolverPtr solver = support::setup(problem.get(), nullptr);
  Values dz(3);
  const Values dq = {1, 1, 1};
  EXPECT_EQ(nsm_differentiate(solver.get(), dq.data(), 3, nullptr, 0, dz.data(), nullptr, 3), NSM_NOT_AVAILABLE)
      << "before any solve";
  ASSERT_TRUE(support::solve(solver.get(), 3).converged());
  EXPECT_EQ(change_of_z(solver.get(), dq), (Values{-1, 0, 0}));
  q[2] = 1;
  ASSERT_EQ(nsm_update_q(solver.get(), q.data(), 3), NSM_OK);
  EXPECT_EQ(nsm_differentiate(solver.get(), dq.data(), 3, nullptr, 0, dz.data(), nullptr, 3), NSM_NOT_AVAILABLE)
      << "values have changed";
  ASSERT_TRUE(support::solve(solver.get(), 3).converged());
  EXPECT_EQ(nsm_differentiate(solver.get(), dq.data(), 3, nullptr, 0, dz.data(), nullptr, 3), NSM_NOT_AVAILABLE);
  EXPECT_NE(std::string(nsm_last_error()).find("row 2 is degenerate"), std::string::npos) << nsm_last_error();
}

TEST(Sensitivity, IsRefusedWhereThereIsNone) {
  // M singular on the active rows: z1 + z2 = 1 has many solutions.
  const generate::Lcp many{2, {1, 1, 1, 1}, {-1, -1}, {}};
  const SolverPtr solver = support::setup(support::problem(many).get(), nullptr);
  const Values inside = {0.5, 0.5}, dq = {1, 0};
  Values dz(2);
  ASSERT_EQ(nsm_warm_start(solver.get(), inside.data(), 2), NSM_OK);
  ASSERT_TRUE(support::solve(solver.get(), 2).converged());
  EXPECT_EQ(nsm_differentiate(solver.get(), dq.data(), 2, nullptr, 0, dz.data(), nullptr, 2), NSM_NOT_AVAILABLE);
  EXPECT_NE(std::string(nsm_last_error()).find("not locally unique"), std::string::npos) << nsm_last_error();

  const auto cones = support::example(NSM_SOCLCP);
  const auto n = nsm_problem_size(cones.get());
  const SolverPtr other = support::setup(cones.get(), nullptr);
  ASSERT_TRUE(support::solve(other.get(), n).converged());
  Values zeros(at(n), 0.0), out(at(n));
  EXPECT_EQ(nsm_differentiate(other.get(), zeros.data(), n, nullptr, 0, out.data(), nullptr, n), NSM_UNSUPPORTED);
}

TEST(Batch, IsTheSameAsSingleSolves) {
  constexpr int n = 5, count = 40;
  generate::Random random(17);
  Values values, q, z(at(n * count), 0.0), w(z.size()), residual(at(count));
  std::vector<std::int32_t> outcome(at(count), -1);
  std::vector<generate::Lcp> problems;
  for (int k = 0; k < count; ++k) {
    generate::Lcp lcp{n, generate::identity(n, 6), random.uniforms(n, -1, 1), {}};
    const Values S = random.uniforms(n * n, -1, 1);
    for (std::size_t i = 0; i < S.size(); ++i) lcp.M[i] += S[i];
    values.insert(values.end(), lcp.M.begin(), lcp.M.end());
    q.insert(q.end(), lcp.q.begin(), lcp.q.end());
    problems.push_back(lcp);
  }
  const SolverPtr solver = support::setup(support::problem(problems[0]).get(), nullptr);
  nsm_result last = NSM_RESULT_INIT;
  EXPECT_EQ(nsm_last_result(solver.get(), &last), NSM_NOT_AVAILABLE);
  ASSERT_EQ(nsm_solve_batch(solver.get(), count, values.data(), q.data(), z.data(), w.data(), outcome.data(), residual.data()),
            NSM_OK)
      << nsm_last_error();
  ASSERT_EQ(nsm_last_result(solver.get(), &last), NSM_OK);
  EXPECT_EQ(last.outcome, outcome.back());
  EXPECT_EQ(last.certificate.residual, residual.back());
  EXPECT_NE(std::string(last.finished_by), "");
  for (int k = 0; k < count; ++k) {
    EXPECT_EQ(outcome[at(k)], NSM_CONVERGED) << k;
    EXPECT_LE(residual[at(k)], 1e-8) << k;
    const auto single = support::solve(problems[at(k)], "lemke");
    for (int i = 0; i < n; ++i) {
      EXPECT_NEAR(z[at(k * n + i)], single.z[at(i)], 1e-10) << k;
      EXPECT_NEAR(w[at(k * n + i)], single.w[at(i)], 1e-10) << k;
    }
  }
}

TEST(Batch, NamesTheBadProblemBeforeSolvingAny) {
  const generate::Lcp lcp{1, {2}, {-1}, {}};
  const SolverPtr solver = support::setup(support::problem(lcp).get(), nullptr);
  const Values q = {-1, NAN, -4};
  Values z = {7, 7, 7};
  EXPECT_EQ(nsm_solve_batch(solver.get(), 3, nullptr, q.data(), z.data(), nullptr, nullptr, nullptr), NSM_NOT_FINITE);
  EXPECT_NE(std::string(nsm_last_error()).find("problem 1 of the batch: q[0]"), std::string::npos) << nsm_last_error();
  EXPECT_EQ(z, (Values{7, 7, 7}));
  EXPECT_EQ(nsm_solve_batch(solver.get(), -1, nullptr, q.data(), z.data(), nullptr, nullptr, nullptr), NSM_INVALID_ARGUMENT);
  EXPECT_EQ(nsm_solve_batch(solver.get(), 0, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr), NSM_OK);
  EXPECT_EQ(nsm_solve_batch(solver.get(), 1, nullptr, nullptr, z.data(), nullptr, nullptr, nullptr), NSM_INVALID_ARGUMENT);
}

}  // namespace sensitivity_test
