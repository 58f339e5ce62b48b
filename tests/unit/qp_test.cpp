// Convex quadratic programmes: what is refused, and minimisers known by hand.
#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "../support/generators.hpp"
#include "nonsmooth/nonsmooth.hpp"

namespace qp_test {

using nsm::Matrix;
using nsm::Problem;
using nsm::Vector;

constexpr double infinity = std::numeric_limits<double>::infinity();

std::string refusal(const Matrix& M) {
  try {
    Problem::qp(M, Vector(static_cast<std::size_t>(M.rows()), 0.0));
  } catch (const nsm::Error& error) {
    return error.what();
  }
  return "";
}

TEST(Qp, RefusesWhatIsNotConvexAndSaysWhere) {
  EXPECT_NE(refusal(Matrix::dense(2, 2, {1, 3, 4, 1})).find("M(1, 0) = 3 but M(0, 1) = 4"), std::string::npos);
  EXPECT_NE(refusal(Matrix::dense(2, 2, {1, 2, 2, 1})).find("eigenvalue -1"), std::string::npos);
  EXPECT_EQ(refusal(Matrix::dense(2, 2, {1, -1, -1, 1})), "") << "semidefinite";
  EXPECT_EQ(refusal(Matrix::dense(2, 2, {0, 0, 0, 0})), "") << "a linear programme";
  Vector large(400 * 400, 0.0);
  for (std::size_t i = 0; i < 400; ++i) large[i * 401] = i == 399 ? -1.0 : 1.0;
  EXPECT_NE(refusal(Matrix::dense(400, 400, large)).find("eigenvalue"), std::string::npos);
}

// n^2 numbers would not fit into any memory.
TEST(Qp, RefusesLargeMatricesThatAreNotSymmetric) {
  constexpr std::int32_t n = 1'000'000;
  std::vector<std::int32_t> start{0}, index;
  Vector values;
  for (std::int32_t j = 0; j < n; ++j) {
    if (j == n - 1) index.push_back(7), values.push_back(0.5);
    index.push_back(j), values.push_back(2);
    start.push_back(static_cast<std::int32_t>(index.size()));
  }
  const std::string reason = refusal(Matrix::csc(n, n, start, index, values));
  EXPECT_NE(reason.find("M(999999, 7) = 0 but M(7, 999999) = 0.5"), std::string::npos) << reason;
}

TEST(Qp, AnUpdateMustStayConvex) {
  const Problem problem = Problem::qp(Matrix::dense(2, 2, {2, 0, 0, 2}), {-2, -4});
  nsm::Solver solver(problem);
  EXPECT_TRUE(solver.solve().converged());
  EXPECT_THROW(solver.update_matrix(Matrix::dense(2, 2, {2, 0, 0, -2})), nsm::Error);
  solver.update_matrix(Matrix::dense(2, 2, {4, 0, 0, 4}));
  EXPECT_TRUE(solver.solve().converged());
  EXPECT_NEAR(solver.solution().z[1], 1, 1e-9);
}

struct Case {
  const char* what;
  Problem problem;
  Vector minimiser;
};

std::vector<Case> cases() {
  const Matrix identity = Matrix::dense(2, 2, {1, 0, 0, 1}), zero = Matrix::dense(2, 2, {0, 0, 0, 0});
  const Matrix sum = Matrix::dense(1, 2, {1, 1});
  std::vector<Case> list;
  list.push_back({"no constraint", Problem::qp(identity, {-1, 2}), {1, -2}});
  list.push_back({"box", Problem::qp(identity, {-3, 2}, {}, {}, {0, 0}, {1, 1}), {1, 0}});
  list.push_back({"nearest point of a line (two opposite rows)",
                  Problem::qp(identity, {0, 0}, Matrix::dense(2, 2, {1, -1, 1, -1}), {2, -2}),
                  {1, 1}});
  list.push_back({"half-plane and bound", Problem::qp(identity, {0, 0}, sum, {2}, {-infinity, 1.5}), {0.5, 1.5}});
  list.push_back({"linear programme: z1 + 2 z2 over z1 + z2 >= 1, z >= 0", Problem::qp(zero, {1, 2}, sum, {1}, {0, 0}), {1, 0}});
  // Markowitz: variances 1 and 4, sum of shares 1 (as two rows): shares 4/5 and 1/5.
  list.push_back({"portfolio",
                  Problem::qp(Matrix::dense(2, 2, {1, 0, 0, 4}), {0, 0}, Matrix::dense(2, 2, {1, -1, 1, -1}), {1, -1}),
                  {0.8, 0.2}});
  return list;
}

TEST(Qp, MinimisersByHand) {
  for (const nsm_method_info& method : nsm::methods()) {
    if ((method.classes >> NSM_QP & 1u) == 0) continue;
    for (const Case& c : cases()) {
      SCOPED_TRACE(std::string(method.name) + ": " + c.what);
      try {
        nsm::Solver solver(c.problem, method.name);
        ASSERT_TRUE(solver.solve().converged());
        for (std::size_t i = 0; i < c.minimiser.size(); ++i) EXPECT_NEAR(solver.solution().z[i], c.minimiser[i], 1e-7);
      } catch (const nsm::Error& error) {  // a method without polyhedra says so
        EXPECT_EQ(error.status(), NSM_UNSUPPORTED) << error.what();
      }
    }
  }
}

// An empty set ends as infeasible with a proof, an unbounded programme never does.
TEST(Qp, EmptyAndUnboundedAreToldApart) {
  const Matrix identity = Matrix::dense(2, 2, {1, 0, 0, 1}), opposite = Matrix::dense(2, 2, {1, -1, 1, -1});
  const Problem empty = Problem::qp(identity, {-1, 3}, opposite, {2, -1});  // 2 <= z1 + z2 <= 1
  const Problem boxed =
      Problem::avi(Matrix::dense(2, 2, {1, 1, -1, 1}), {-1, 3}, Matrix::dense(1, 2, {1, 1}), {3}, {0, 0}, {1, 1});
  const Problem unbounded = Problem::qp(Matrix::dense(2, 2, {1, 0, 0, 0}), {0, -1}, Matrix::dense(1, 2, {1, 0}), {1}, {0, 0});
  for (const char* method : {"auto", "lemke", "sparse_lemke", "interior_point"}) {
    SCOPED_TRACE(method);
    for (const Problem* problem : {&empty, &boxed}) {
      nsm::Solver solver(*problem, method);
      const nsm_outcome outcome = solver.solve().outcome();
      EXPECT_NE(outcome, NSM_CONVERGED);
      if (method == std::string("interior_point") && outcome != NSM_INFEASIBLE) continue;  // converges to a proof at best
      ASSERT_EQ(outcome, NSM_INFEASIBLE) << nsm_outcome_name(outcome);
      EXPECT_TRUE(nsm::certify_infeasible(*problem, solver.infeasibility_certificate()));
    }
    nsm::Solver solver(unbounded, method);
    const nsm_outcome outcome = solver.solve().outcome();
    EXPECT_TRUE(outcome == NSM_RAY || outcome == NSM_STALLED || outcome == NSM_ITERATION_LIMIT) << nsm_outcome_name(outcome);
  }
}

// Of half the rank, in a box that is wide beside q.
Problem wide_box(int n) {
  generate::Random random(4);
  const Matrix M = Matrix::dense(n, n, generate::gram(random, n, n / 2 + 1, 0));
  Vector q = random.normals(n);
  for (double& x : q) x *= 1e-3;
  const auto size = static_cast<std::size_t>(n);
  return Problem::qp(M, q, {}, {}, Vector(size, -1), Vector(size, 2));
}

// From a corner of the box it would stall at once.
TEST(Qp, WideBoxesTakeAFewStepsOfAnInteriorPointMethod) {
  const Problem problem = wide_box(300);
  constexpr std::int64_t steps = 15, projections = 200;  // before it, if they foretell their end
  for (const auto& [method, most] : {std::pair{"interior_point", steps}, std::pair{"auto", projections + steps}}) {
    nsm::Solver solver(problem, method);
    const nsm::Result result = solver.solve();
    EXPECT_TRUE(result.converged()) << method;
    EXPECT_EQ(result.finished_by(), "interior_point");
    EXPECT_LE(result.iterations(), most) << method;
  }
}

// With room for 4 pivots per unknown all ten covering vectors would be given up just before their end.
TEST(Qp, LemkeFollowsTheFirstPathOfABoxToItsEnd) {
  const int n = 300;
  nsm::Solver solver(wide_box(n), "lemke");
  const nsm::Result result = solver.solve();
  EXPECT_TRUE(result.converged());
  EXPECT_GT(result.iterations(), 4 * n + 100);
  EXPECT_LE(result.iterations(), 16 * n + 100);
}

// z2 reaches its upper bound where the path ends: beyond, the perturbed set is empty, and the path a ray.
TEST(Qp, LemkeEndsWhereABoundIsReachedAtTheSameTime) {
  const Matrix M = Matrix::dense(2, 2, {0, 0, 0, 0}), H = Matrix::dense(2, 2, {1, 0, 0, 1});
  const Problem problem = Problem::qp(M, {2, 1}, H, {-1, 0}, {-1, -1}, {infinity, 0});
  for (const char* method : {"lemke", "sparse_lemke"}) {
    nsm::Solver solver(problem, method, nsm::Options{{"restarts", 0}});
    EXPECT_TRUE(solver.solve().converged()) << method;
    EXPECT_EQ(solver.solution().z, (Vector{-1, 0})) << method;
  }
}

// Steps from bound to bound that are tied with others, again and again: taken first, they lead round in a circle.
TEST(Pivots, TiesWithStepsFromBoundToBoundLeadNowhereTwice) {
  const Matrix M = Matrix::dense(7, 7, {1, 0, -2, 0, 1, 1,  -1, 0,  -1, -2, -1, 0, 2,  2, 0, 1,  1, 0, -1, 0, 1, 2, 0,  0, -1,
                                        0, 1, 0,  0, 0, -1, -2, -2, -1, 0,  -1, 1, -1, 1, 1, -1, 0, 1, 2,  0, 1, 1, -1, -2});
  const Problem problem = Problem::avi(M, {0, -3, -1, -1, -2, -1, -3}, {}, {}, {-2, -1, 0, 0, 0, -1, -1}, {0, 2, 0, 2, 1, 0, 0});
  for (const char* method : {"cao_ferris", "lemke", "sparse_lemke"}) {
    nsm::Solver solver(problem, method, nsm::Options{{"restarts", 0}, {"max_iterations", 1000}});
    EXPECT_TRUE(solver.solve().converged()) << method;
  }
}

}  // namespace qp_test
