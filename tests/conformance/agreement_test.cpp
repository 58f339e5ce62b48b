// Methods that share no idea find the same solution of thousands of problems with exactly one, and a problem that is permuted or
// scaled has the permuted or scaled solution.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "../support/generators.hpp"
#include "../support/solve.hpp"

namespace agreement_test {

using generate::at;
using generate::Lcp;
using generate::norm;
using generate::Random;
using generate::Values;
using support::Solution;

// P-matrices of four kinds: symmetric positive definite, positive definite but not symmetric, strictly diagonally dominant with a
// positive diagonal, and triangular with a positive diagonal (P, and in general not positive definite).
Values p_matrix(Random& random, int n, int kind) {
  if (kind < 2) {
    Values M = generate::gram(random, n, n, 0.2);
    if (kind == 1) generate::add_skew(random, M, n, 1);
    return M;
  }
  Values M = random.normals(std::int64_t{n} * n);
  for (int i = 0; i < n; ++i) {
    double sum = 0;
    for (int j = 0; j < n; ++j) {
      if (kind == 3 && j > i) M[at(i + j * n)] = 0;
      if (j != i) sum += std::abs(M[at(i + j * n)]);
    }
    M[at(i) * at(n + 1)] = random.uniform(0.5, 1) + (kind == 2 ? sum : 0);
  }
  return M;
}

Lcp random_lcp(Random& random, int k) {
  const int n = random.integer(2, 12);
  Values M = p_matrix(random, n, k % 4);
  if (random.chance(0.5)) return generate::constructed(random, n, M);
  return {n, M, random.normals(n), {}};
}

void expect_equal(const Values& a, const Values& b, double tolerance) {
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], tolerance * (1 + norm(b))) << "entry " << i;
}

constexpr const char* exact_methods[] = {"lemke", "block_principal_pivoting", "principal_pivoting"};

TEST(Agreement, IndependentMethodsFindTheSameSolution) {
  constexpr int cases = 10000, largest_enumerated = 8;
  Random random(20261);
  for (int k = 0; k < cases; ++k) {
    const Lcp lcp = random_lcp(random, k);
    SCOPED_TRACE("case " + std::to_string(k) + ", n = " + std::to_string(lcp.n));
    const auto problem = support::problem(lcp);
    Values z = lcp.z;
    auto compare = [&](const char* method, support::OptionList options) {
      const Solution s = support::solve(problem.get(), method, options);
      ASSERT_TRUE(s.converged()) << method << ": " << s.text();
      EXPECT_LE(lcp.residual(s.z), 1e-10) << method;
      if (z.empty()) z = s.z;
      expect_equal(s.z, z, 1e-8);
    };
    compare("lemke", {});
    compare("block_principal_pivoting", {});
    compare("principal_pivoting", {{"rule", static_cast<double>(k % 3)}});
    if (lcp.n <= largest_enumerated) compare("enumeration", {});
    if (HasFailure()) break;
  }
}

TEST(Agreement, PermutedProblemsHaveThePermutedSolution) {
  Random random(20262);
  for (int k = 0; k < 400; ++k) {
    const Lcp lcp = random_lcp(random, k);
    SCOPED_TRACE("case " + std::to_string(k));
    std::vector<int> order(at(lcp.n));
    std::iota(order.begin(), order.end(), 0);
    for (int i = lcp.n - 1; i > 0; --i) std::swap(order[at(i)], order[at(random.integer(0, i))]);
    Lcp permuted = lcp;
    for (int j = 0; j < lcp.n; ++j) {
      permuted.q[at(j)] = lcp.q[at(order[at(j)])];
      for (int i = 0; i < lcp.n; ++i) permuted.M[at(i + j * lcp.n)] = lcp.M[at(order[at(i)] + order[at(j)] * lcp.n)];
    }
    for (const char* method : exact_methods) {
      SCOPED_TRACE(method);
      const Solution a = support::solve(lcp, method), b = support::solve(permuted, method);
      ASSERT_TRUE(a.converged() && b.converged());
      Values back(a.z.size());
      for (int i = 0; i < lcp.n; ++i) back[at(order[at(i)])] = b.z[at(i)];
      expect_equal(back, a.z, 1e-8);
    }
  }
}

// (R M C, R q) with positive diagonal R and C: z' = C^-1 z. R = C keeps definiteness.
TEST(Agreement, ScaledProblemsHaveTheScaledSolution) {
  Random random(20263);
  for (int k = 0; k < 400; ++k) {
    const Lcp lcp = random_lcp(random, k);
    SCOPED_TRACE("case " + std::to_string(k));
    Values rows(at(lcp.n)), columns(at(lcp.n));
    for (std::size_t i = 0; i < rows.size(); ++i) {
      rows[i] = random.magnitude(-2, 2);
      columns[i] = k % 8 < 4 ? rows[i] : 1;
    }
    Lcp scaled = lcp;
    for (int j = 0; j < lcp.n; ++j) {
      scaled.q[at(j)] *= rows[at(j)];
      for (int i = 0; i < lcp.n; ++i) scaled.M[at(i + j * lcp.n)] *= rows[at(i)] * columns[at(j)];
    }
    for (const char* method : exact_methods) {
      SCOPED_TRACE(method);
      const Solution a = support::solve(lcp, method), b = support::solve(scaled, method);
      ASSERT_TRUE(a.converged() && b.converged()) << a.text() << "; " << b.text();
      Values back = b.z;
      for (std::size_t i = 0; i < back.size(); ++i) back[i] *= columns[i];
      expect_equal(back, a.z, 1e-7);
    }
  }
}

// Kojima and Shindo (1986), four unknowns, solutions (sqrt 6 / 2, 0, 0, 1/2), where row 3 is degenerate, and (1, 0, 3, 0).
Values kojima_shindo(const Values& x) {
  return {3 * x[0] * x[0] + 2 * x[0] * x[1] + 2 * x[1] * x[1] + x[2] + 3 * x[3] - 6,
          2 * x[0] * x[0] + x[0] + x[1] * x[1] + 10 * x[2] + 2 * x[3] - 2,
          3 * x[0] * x[0] + x[0] * x[1] + 2 * x[1] * x[1] + 2 * x[2] + 9 * x[3] - 9,
          x[0] * x[0] + 3 * x[1] * x[1] + 2 * x[2] + 3 * x[3] - 3};
}

// The problem linearised at x: M = F'(x), q = F(x) - F'(x) x.
Lcp linearised_kojima_shindo(const Values& x) {
  Lcp lcp{4,
          {6 * x[0] + 2 * x[1], 4 * x[0] + 1, 6 * x[0] + x[1], 2 * x[0],  //
           2 * x[0] + 4 * x[1], 2 * x[1], x[0] + 4 * x[1], 6 * x[1],      //
           1, 10, 2, 2,                                                   //
           3, 2, 9, 3},
          kojima_shindo(x),
          {}};
  lcp.q = generate::right_hand_side(lcp.q, generate::multiply(lcp.M, x));
  return lcp;
}

// Josephy's Newton steps (1979), each a linear problem, from nearby end at a solution.
TEST(Agreement, NewtonStepsSolveKojimaAndShindo) {
  const Values solutions[] = {{std::sqrt(6.0) / 2, 0, 0, 0.5}, {1, 0, 3, 0}};
  for (const char* method : {"lemke", "enumeration", "semismooth_newton", "auto"})
    for (const Values& solution : solutions) {
      SCOPED_TRACE(method);
      Values x = solution;
      for (std::size_t i = 0; i < 4; ++i) x[i] += i % 2 == 0 ? 0.02 : 0.01;
      for (int step = 0; step < 12; ++step) {
        const Solution s = support::solve(linearised_kojima_shindo(x), method);
        ASSERT_TRUE(s.converged()) << s.text();
        x = s.z;
      }
      const Values F = kojima_shindo(x);
      for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(std::min(x[i], F[i]), 0, 1e-9);
    }
}

}  // namespace agreement_test
