// The same problem in another class is the same to methods.
#include <gtest/gtest.h>

#include <cmath>

#include "nonsmooth/nonsmooth.hpp"
#include "problems/bounds.hpp"
#include "problems/nonlinear.hpp"
#include "problems/relaxation.hpp"
#include "problems/soclcp.hpp"

namespace problem_forms_test {

using namespace nonsmooth;

TEST(ProblemForms, ConesOfOneRowAloneAreAnLcp) {
  Soclcp cones{Matrix(DenseMatrix{2, 2, {1, 0, 0, 1}}, "M"), {1, 1}, {0, 1, 2}, {1, 0.5}};
  for (const SetBlock& block : cones.inclusion().blocks) EXPECT_EQ(block.kind, SetKind::orthant);
  cones.cone_start = {0, 2};
  cones.tau = {1};
  EXPECT_EQ(cones.inclusion().blocks[0].kind, SetKind::second_order_cone);
}

TEST(ProblemForms, ProofsOfConesOfOneRowAreThoseOfAnLcp) {
  const nsm::Problem problem = nsm::Problem::soclcp(nsm::Matrix::dense(2, 2, {1, -1, -1, 1}), {-1, -1}, {0, 1, 2}, {1, 1});
  nsm::Solver solver(problem);
  ASSERT_EQ(solver.solve().outcome(), NSM_INFEASIBLE);
  EXPECT_TRUE(nsm::certify_infeasible(problem, solver.infeasibility_certificate()));
}

TEST(ProblemForms, FarBoundsAreInfiniteToMethods) {
  std::vector<SetBlock> blocks{
      {SetKind::box, 0, 1, 0, 1e20}, {SetKind::box, 1, 1, -1e30, 1e19}, {SetKind::coulomb_2d, 2, 2, 1e21}};
  forget_far_bounds(blocks);
  EXPECT_EQ(blocks[0].a, 0);
  EXPECT_EQ(blocks[0].b, HUGE_VAL);
  EXPECT_EQ(blocks[1].a, -HUGE_VAL);
  EXPECT_EQ(blocks[1].b, 1e19);
  EXPECT_EQ(blocks[2].a, 1e21);
}

// z = -1e20 solves it: not by a method, but by the certificate.
TEST(ProblemForms, TheCertificateKnowsFarBounds) {
  const nsm::Problem problem = nsm::Problem::relay(nsm::Matrix::dense(1, 1, {0}), {1}, {-1e20}, {1e20});
  EXPECT_TRUE(nsm::certify(problem, {-1e20}).certified());
  EXPECT_NE(nsm::Solver(problem).solve().outcome(), NSM_INFEASIBLE);
}

// Without friction the second-order cone would be a half-line: a normal, and tangents that are 0.
TEST(ProblemForms, RelaxedContactsWithoutFriction) {
  const std::vector<SetBlock> blocks = relaxed_blocks({{SetKind::coulomb_3d, 0, 3, 0.5}, {SetKind::coulomb_2d, 3, 2, 0}});
  ASSERT_EQ(blocks.size(), 3u);
  EXPECT_EQ(blocks[0].kind, SetKind::second_order_cone);
  EXPECT_EQ(blocks[0].a, 0.5);
  EXPECT_EQ(blocks[1].kind, SetKind::orthant);
  EXPECT_EQ(blocks[1].start, 3);
  EXPECT_EQ(blocks[2].kind, SetKind::box);
  EXPECT_EQ(blocks[2].start, 4);
  EXPECT_TRUE(blocks[2].a == 0 && blocks[2].b == 0);
}

int one(void*, std::int64_t, const double*, double* w) { return w[0] = 1, 0; }

// A row with a lower bound alone is one of an NCP where that bound is 0.
TEST(ProblemForms, RowsAboveABoundAreNoComplementarity) {
  const auto kind_and_bound = [](double lo, double hi) {
    Mcp mcp;
    mcp.F = NonlinearFunction::from_callbacks(1, one, nullptr, nullptr, nullptr);
    mcp.set.lo = {lo};
    mcp.set.hi = {hi};
    const SetBlock block = mcp.inclusion().blocks[0];
    return std::pair(block.kind, block.a);
  };
  EXPECT_EQ(kind_and_bound(0, HUGE_VAL).first, SetKind::orthant);
  EXPECT_EQ(kind_and_bound(-HUGE_VAL, HUGE_VAL).first, SetKind::free_space);
  EXPECT_EQ(kind_and_bound(1, HUGE_VAL), std::pair(SetKind::box, 1.0));
  EXPECT_EQ(kind_and_bound(0, 1), std::pair(SetKind::box, 0.0));
}

int half_infinite(void*, std::int64_t, const double*, double* w) { return w[0] = 1, w[1] = HUGE_VAL, 0; }

TEST(ProblemForms, AFunctionWithAnInfiniteEntryHasNoValue) {
  const NonlinearFunction F = NonlinearFunction::from_callbacks(2, half_infinite, nullptr, nullptr, nullptr);
  Vector w(2);
  EXPECT_FALSE(F.evaluate(Vector{0, 0}, w));
  EXPECT_TRUE(std::isnan(w[0]) && std::isnan(w[1]));
}

}  // namespace problem_forms_test
