// The same problem in another class is the same to methods.
#include <gtest/gtest.h>

#include <cmath>

#include "nonsmooth/nonsmooth.hpp"
#include "problems/bounds.hpp"
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

}  // namespace problem_forms_test
