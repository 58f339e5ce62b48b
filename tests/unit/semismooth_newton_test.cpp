// Semismooth Newton with all its functions on all kinds of bounds; the derivatives of the row equations.
#include <gtest/gtest.h>

#include <cmath>

#include "../support/box_problem.hpp"
#include "../support/generators.hpp"
#include "../support/solve.hpp"
#include "methods/equations/ncp_function.hpp"

namespace semismooth_newton_test {

using generate::at;
using generate::BoxProblem;
using generate::Lcp;
using generate::Random;
using generate::Values;
using nonsmooth::NcpFunction;
using nonsmooth::row_equation;
using nonsmooth::RowEquation;
using support::Solution;

class Function : public testing::TestWithParam<NcpFunction> {
 protected:
  double option() const { return static_cast<double>(GetParam()); }
};
std::string function_name(const testing::TestParamInfo<NcpFunction>& parameter) {
  constexpr const char* names[] = {"fischer_burmeister", "penalised", "min"};
  return names[static_cast<int>(parameter.param)];
}
INSTANTIATE_TEST_SUITE_P(All, Function,
                         testing::Values(NcpFunction::fischer_burmeister, NcpFunction::penalised, NcpFunction::min),
                         function_name);

constexpr double infinity = HUGE_VAL;
constexpr std::pair<double, double> bounds[] = {{-infinity, infinity}, {0, infinity}, {-infinity, 0.5}, {-1, 0.5}, {0.25, 0.25}};

TEST_P(Function, VanishesExactlyOnTheSolutionsOfARow) {
  for (const auto& [lo, hi] : bounds)
    for (double z : {-2.0, -1.0, -0.3, 0.0, 0.25, 0.5, 2.0})
      for (double w : {-1.5, 0.0, 0.7}) {
        const double p = std::min(std::max(z - w, lo), hi);
        const RowEquation row = row_equation(GetParam(), z, w, lo, hi);
        EXPECT_EQ(std::abs(row.value) < 1e-14, std::abs(z - p) < 1e-14) << z << " " << w << " in " << lo << " " << hi;
        EXPECT_LE(row.dz, 0);
        EXPECT_LE(row.dw, 0);
      }
}

TEST_P(Function, DerivativesAreThoseOfDifferences) {
  Random random(301);
  constexpr double h = 1e-6;
  for (const auto& [lo, hi] : bounds)
    for (int k = 0; k < 200; ++k) {
      const double z = 2 * random.normal(), w = 2 * random.normal();
      if (std::abs(z - w - lo) < 1e-4 || std::abs(z - w - hi) < 1e-4 || std::abs(z - lo) < 1e-4 || std::abs(z - hi) < 1e-4 ||
          std::abs(w) < 1e-4)
        continue;  // kinks
      const RowEquation row = row_equation(GetParam(), z, w, lo, hi);
      auto value = [&, lower = lo, upper = hi](double dz, double dw) {
        return row_equation(GetParam(), z + dz, w + dw, lower, upper).value;
      };
      EXPECT_NEAR(row.dz, (value(h, 0) - value(-h, 0)) / (2 * h), 1e-6);
      EXPECT_NEAR(row.dw, (value(0, h) - value(0, -h)) / (2 * h), 1e-6);
    }
}

TEST_P(Function, PublishedProblems) {
  Random random(302);
  for (int n : {5, 20, 60})
    for (bool hard : {false, true}) {
      const Lcp lcp = generate::harker_pang(random, n, hard);
      const Solution s = support::solve(lcp, "semismooth_newton", {{"ncp_function", option()}});
      EXPECT_TRUE(s.converged()) << s.text();
      EXPECT_LE(lcp.residual(s.z), 1e-8);
    }
  for (const Lcp& lcp : {generate::murty(12), generate::kostreva(), generate::chandrasekaran(8)}) {
    const Solution s = support::solve(lcp, "semismooth_newton", {{"ncp_function", option()}});
    EXPECT_TRUE(s.converged()) << s.text();
    EXPECT_LE(lcp.residual(s.z), 1e-8);
  }
}

TEST_P(Function, BoxesWithPositiveDefiniteMatrices) {
  Random random(303);
  for (int k = 0; k < 400; ++k) {
    const int n = random.integer(1, 15);
    Values M = generate::gram(random, n, n, 0.1);
    if (k % 2 == 0) generate::add_skew(random, M, n, 1);
    const BoxProblem p = generate::constructed_box(random, n, M, k % 4 == 1);
    const Solution s = support::solve(support::problem(p).get(), "semismooth_newton", {{"ncp_function", option()}});
    EXPECT_TRUE(s.converged()) << "case " << k << ": " << s.text();
    EXPECT_LE(p.residual(s.z), 1.01e-8);
  }
}

// Singular Newton matrices: the regularised ones take over.
TEST(SemismoothNewton, SemidefiniteBoxes) {
  Random random(304);
  int missed = 0;
  for (int k = 0; k < 300; ++k) {
    const int n = random.integer(2, 15);
    const BoxProblem p = generate::constructed_box(random, n, generate::gram(random, n, (n + 1) / 2, 0), false);
    const Solution s = support::solve(support::problem(p).get(), "semismooth_newton");
    missed += s.converged() ? 0 : 1;
    EXPECT_EQ(s.converged(), p.residual(s.z) <= 1e-8) << "case " << k;
  }
  RecordProperty("missed", missed);
  EXPECT_LE(missed, 6);
}

TEST_P(Function, InfeasibleProblemsEndHonestly) {
  for (const Lcp& lcp : {Lcp{1, {-1}, {-1}, {}}, Lcp{2, {1, -1, -1, 1}, {-1, -1}, {}}, Lcp{2, {0, 0, 1, 0}, {-1, -1}, {}}}) {
    const Solution s = support::solve(lcp, "semismooth_newton", {{"ncp_function", option()}});
    EXPECT_FALSE(s.converged()) << s.text();
  }
}

}  // namespace semismooth_newton_test
