// Nonlinear complementarity and variational inequalities through the C interface: published problems with their published
// starting points.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "../support/nonlinear_problems.hpp"
#include "nonsmooth/nonsmooth.hpp"

namespace nonlinear_methods_test {

using generate::at;
using generate::Values;
using support::Solution;

Solution solve_from(const nsm_problem* problem, const char* method, const Values& start, support::OptionList options = {}) {
  const auto solver = support::setup(problem, method, options);
  EXPECT_EQ(nsm_warm_start(solver.get(), start.data(), static_cast<std::int64_t>(start.size())), NSM_OK);
  return support::solve(solver.get(), nsm_problem_size(problem));
}

double distance(const Values& a, const Values& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return std::sqrt(sum);
}

double distance_to_nearest(const nonlinear::Problem& p, const Values& z) {
  double nearest = HUGE_VAL;
  for (const Values& solution : p.solutions) nearest = std::min(nearest, distance(z, solution));
  return p.solutions.empty() ? 0 : nearest;
}

// The problem's own residual from the definition, absolute.
double natural_map(const nonlinear::Problem& p, const Values& z) {
  Values F(at(p.n));
  EXPECT_TRUE(p.F(z.data(), F.data()));
  double sum = 0;
  for (std::size_t i = 0; i < z.size(); ++i) {
    const double lo = p.lo.empty() && p.hi.empty() ? 0 : p.lo.empty() ? -HUGE_VAL : p.lo[i];
    const double hi = p.hi.empty() ? HUGE_VAL : p.hi[i];
    sum += std::pow(z[i] - std::min(hi, std::max(lo, z[i] - F[i])), 2);
  }
  return std::sqrt(sum);
}

TEST(Nonlinear, AutoCertifiesThePublishedProblemsFromThePublishedStarts) {
  for (const nonlinear::Problem& p : nonlinear::collection()) {
    const auto problem = nonlinear::create(p);
    for (std::size_t k = 0; k < p.starts.size(); ++k) {
      SCOPED_TRACE(p.name + " from start " + std::to_string(k));
      const Solution s = solve_from(problem.get(), nullptr, p.starts[k]);
      EXPECT_TRUE(s.converged()) << s.text();
      EXPECT_LE(s.result.certificate.residual, 1e-8);
      EXPECT_LE(distance_to_nearest(p, s.z), p.name.rfind("nash", 0) == 0 ? 0.02 : 1e-4);
      EXPECT_LE(natural_map(p, s.z), 1e-7 * std::max(1.0, s.result.certificate.residual));
    }
  }
}

// Whatever the number of goods and the start, with derivatives and with differences, which must fit prices far below 1.
TEST(Nonlinear, PricesThatStartOnTheBoundary) {
  for (const int goods : {3, 5, 10, 18, 20, 30})
    for (const bool has_jacobian : {true, false}) {
      nonlinear::Problem p = nonlinear::exchange(goods);
      if (!has_jacobian) p.J = nullptr;
      const auto problem = nonlinear::create(p);
      for (std::size_t k = 0; k < p.starts.size(); ++k)
        for (const char* method : {"auto", "josephy_newton", "semismooth_newton"}) {
          const Solution s = solve_from(problem.get(), method, p.starts[k]);
          EXPECT_TRUE(s.converged()) << method << ", " << goods << " goods, start " << k
                                     << (has_jacobian ? ", with" : ", without") << " a Jacobian: " << s.text();
        }
    }
}

// Billups' problem (1995) in every row: of so many rows some stay at the local minimum of the merit from wherever Newton's
// methods start again. Projections do not know of it, and tell so within some steps, for 32 rows and more before any
// factorisation.
TEST(Nonlinear, ProjectionsPassLocalMinimaOfTheMerit) {
  for (const int n : {5, 100}) {
    nonlinear::Problem p{"billups", n, {}, {}, {}, {}, {Values(at(n), 0.0)}, {}};
    p.F = [=](const double* z, double* F) {
      for (int i = 0; i < n; ++i) F[i] = (z[i] - 1) * (z[i] - 1) - 1.01 + (i > 0 ? 0.05 * z[i - 1] : 0);
      return true;
    };
    const Solution s = solve_from(nonlinear::create(p).get(), nullptr, p.starts[0]);
    EXPECT_TRUE(s.converged()) << s.text();
    EXPECT_STREQ(s.result.finished_by, "fixed_point_projection");
  }
}

// Smoothed signs over a half-space, and over three of them: the merit of the projection on these has stationary points beside
// the solution. Multipliers lead past them, and F is not asked for outside.
TEST(Nonlinear, MultipliersPassStationaryPointsOfTheMerit) {
  struct Case {
    int n;
    Values H, k, c, q;
  };
  for (const Case& p : {Case{3, {1, 1, -2}, {1}, {3, 2, 1}, {0.5, 0.5, -0.5}},
                        Case{4, {-1, -1, -2, 1, 0, -2, 1, 1, 2, 0, 0, -1}, {2, 0, 0}, {1, 1, 1, 3}, {-0.5, -1, -0.5, -1}}}) {
    double outside = 0;
    const int rows = static_cast<int>(p.k.size());
    const auto F = [&](const double* z, double* w) {
      for (std::size_t i = 0; i < p.c.size(); ++i) w[i] = p.c[i] * z[i] / std::sqrt(1e-4 + z[i] * z[i]) + p.q[i];
      for (int i = 0; i < rows; ++i) {
        double gap = p.k[at(i)], size = 1;
        for (int j = 0; j < p.n; ++j) {
          gap -= p.H[at(i + rows * j)] * z[at(j)];
          size = std::max(size, std::abs(z[at(j)]));
        }
        outside = std::max(outside, gap / size);
      }
      return true;
    };
    const auto J = [&](const double* z, double* values) {
      std::fill_n(values, p.n * p.n, 0.0);
      for (std::size_t i = 0; i < p.c.size(); ++i) values[i * at(p.n + 1)] = p.c[i] * 1e-4 / std::pow(1e-4 + z[i] * z[i], 1.5);
      return true;
    };
    const nsm::Problem problem = nsm::Problem::vi(p.n, F, nsm::Matrix::dense(rows, p.n, p.H), p.k, {}, {}, J);
    const nsm::Result solved = nsm::Solver(problem).solve();
    EXPECT_TRUE(solved.converged());
    EXPECT_LE(outside, 1e-5);  // as steps of differences are
    // Their steps count as those of the solve.
    const auto limit = static_cast<double>(solved.iterations() - 1);
    const nsm::Result limited = nsm::Solver(problem, nsm::Options{{"max_iterations", limit}}).solve();
    EXPECT_EQ(limited.outcome(), NSM_ITERATION_LIMIT);
    EXPECT_LE(limited.iterations(), solved.iterations() - 1);
  }
}

TEST(Nonlinear, TheOptimumOfColvilleIsThePublishedOne) {
  const nonlinear::Problem p = nonlinear::colvncp();
  const Solution s = solve_from(nonlinear::create(p).get(), nullptr, p.starts[1]);
  ASSERT_TRUE(s.converged()) << s.text();
  const Values published = {0.3, 0.33346761, 0.4, 0.42831010, 0.22396487};
  EXPECT_LE(distance(Values(s.z.begin(), s.z.begin() + 5), published), 1e-7);
}

TEST(Nonlinear, TheOptimumOfPowellIsThePublishedOne) {
  const nonlinear::Problem p = nonlinear::powell();
  const Solution s = solve_from(nonlinear::create(p).get(), nullptr, p.starts[0]);
  ASSERT_TRUE(s.converged()) << s.text();
  EXPECT_NEAR(std::exp(s.z[0] * s.z[1] * s.z[2] * s.z[3] * s.z[4]), 0.0539498478, 1e-8);
}

// NONSMOOTH_TABLE=1 prints problem x method: outcome, iterations, residual.
TEST(Nonlinear, EveryMethodEndsHonestlyOnThePublishedProblems) {
  const bool table = std::getenv("NONSMOOTH_TABLE") != nullptr;
  for (const nonlinear::Problem& p : nonlinear::collection()) {
    const auto problem = nonlinear::create(p);
    for (std::size_t k = 0; k < p.starts.size(); ++k)
      for (const char* method : {"auto", "josephy_newton", "semismooth_newton", "extragradient", "fixed_point_projection"}) {
        const Solution s = solve_from(problem.get(), method, p.starts[k], {{"max_iterations", 20000}});
        if (table)
          std::printf("%-12s %zu %-24s %-16s %6lld  %.1e  %.4f s\n", p.name.c_str(), k, method,
                      nsm_outcome_name(static_cast<nsm_outcome>(s.result.outcome)), static_cast<long long>(s.result.iterations),
                      s.result.certificate.residual, s.result.time);
        EXPECT_EQ(s.converged(), s.result.certificate.verdict != NSM_NOT_CERTIFIED) << p.name << " by " << method;
      }
  }
}

}  // namespace nonlinear_methods_test
