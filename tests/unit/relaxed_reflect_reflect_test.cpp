// Problems with general M, made with a solution: paths end on rays beside it, and Newton's steps at local minima.
#include <gtest/gtest.h>

#include "../support/general_problems.hpp"
#include "nonsmooth/nonsmooth.hpp"

namespace relaxed_reflect_reflect_test {

constexpr const char* reflections = "relaxed_reflect_reflect";

void expect_solved(const nsm::Problem& problem, const char* method = reflections) {
  nsm::Solver solver(problem, method), again(problem, method);
  EXPECT_TRUE(solver.solve().converged());
  again.solve();
  EXPECT_EQ(again.solution().z, solver.solution().z) << "equal problems have equal bits";
}

TEST(RelaxedReflectReflect, SolvesLinearComplementarityProblems) {
  for (const int n : {1, 20, 60, 100})
    for (const std::uint32_t seed : {1u, 3u, 6u, 9u}) {
      SCOPED_TRACE(std::to_string(n) + " unknowns, seed " + std::to_string(seed));
      expect_solved(generate::complementarity(seed, n));
    }
}

TEST(RelaxedReflectReflect, SolvesMixedProblems) {
  for (const std::uint32_t seed : {1u, 2u, 3u, 4u}) expect_solved(generate::mixed(seed, 50, 10));
}

TEST(RelaxedReflectReflect, SolvesBoxes) {
  for (const std::uint32_t seed : {1u, 2u, 3u, 4u}) expect_solved(generate::boxes(seed, 60));
}

TEST(RelaxedReflectReflect, SolvesVariationalInequalitiesOverPolyhedra) {
  for (const std::uint32_t seed : {35u, 46u, 62u, 162u}) expect_solved(generate::inequality(seed));
}

TEST(RelaxedReflectReflect, SolvesConeProblems) {
  for (const int n : {3, 12, 30, 60, 99})
    for (const std::uint32_t seed : {8u, 53u, 80u, 96u}) {
      SCOPED_TRACE(std::to_string(n) + " unknowns, seed " + std::to_string(seed));
      expect_solved(generate::cones(seed, n));
    }
}

// Cones of one row are rows, one of all rows is a cone; neither unit of a variable matters.
TEST(RelaxedReflectReflect, SolvesConesOfAnySize) {
  generate::Draw draw(4);
  constexpr int n = 12;
  generate::Values M = draw.matrix(n, n), z(n, 0.0), w(n, 0.0);
  z[0] = w[1] = 1;                     // one row each
  z[2] = 5, z[3] = 6, z[4] = 8;        // |z_T| = 2 z_N
  w[2] = 2, w[3] = -0.6, w[4] = -0.8;  // |w_T| = w_N / 2
  w[5] = 3, w[6] = 1;
  z[7] = 2, z[11] = -1;
  for (const double unit : {1.0, 1e6, 1e-6}) {
    generate::Values scaled = M, to_z = z;
    for (double& value : scaled) value *= unit;
    for (double& value : to_z) value /= unit;
    expect_solved(nsm::Problem::soclcp(nsm::Matrix::dense(n, n, scaled),
                                       generate::right_hand_side(w, generate::multiply(scaled, to_z)), {0, 1, 2, 5, 7, 12},
                                       {1, 1, 2, 0.5, 3}));
  }
}

// What `auto` has tried before them ends without a solution.
TEST(RelaxedReflectReflect, IsAStageOfAuto) {
  for (const std::uint32_t seed : {1u, 3u, 6u, 9u}) {
    const nsm::Problem problem = generate::complementarity(seed, 100);
    expect_solved(problem, "auto");
    nsm::Solver solver(problem);
    EXPECT_EQ(std::string(solver.solve().finished_by()), reflections);
  }
  for (const std::uint32_t seed : {35u, 46u, 62u, 162u}) expect_solved(generate::inequality(seed), "auto");
  for (const std::uint32_t seed : {8u, 53u, 80u, 96u}) {
    const nsm::Problem problem = generate::cones(seed, 60);
    nsm::Solver solver(problem);
    const nsm::Result result = solver.solve();
    EXPECT_TRUE(result.converged());
    EXPECT_EQ(std::string(result.finished_by()), reflections);
  }
}

// Where pivots find no solution of what is linearised.
TEST(RelaxedReflectReflect, SolvesLinearisedProblems) {
  for (const std::uint32_t seed : {5u, 10u, 12u, 13u, 15u, 16u}) {
    SCOPED_TRACE(seed);
    expect_solved(generate::squares(seed, 40), "auto");
  }
}

TEST(RelaxedReflectReflect, FollowsNewValues) {
  const nsm::Problem first = generate::complementarity(1, 30), second = generate::complementarity(2, 30);
  nsm::Solver solver(first, reflections), anew(second, reflections);
  EXPECT_TRUE(solver.solve().converged());
  EXPECT_TRUE(anew.solve().converged());
  generate::Draw draw(2);
  const generate::Values M = draw.matrix(30, 30);
  solver.update_matrix(nsm::Matrix::dense(30, 30, M));
  solver.update_q(generate::right_hand_side(anew.solution().w, generate::multiply(M, anew.solution().z)));
  EXPECT_TRUE(solver.solve().converged());
  solver.update_q(nsm::Vector(30, 1.0));
  EXPECT_TRUE(solver.solve().converged()) << "z = 0";
}

TEST(RelaxedReflectReflect, FollowsNewValuesOfCones) {
  const nsm::Problem first = generate::cones(8, 30), second = generate::cones(53, 30);
  nsm::Solver solver(first, reflections), anew(second, reflections);
  EXPECT_TRUE(solver.solve().converged());
  EXPECT_TRUE(anew.solve().converged());
  generate::Draw draw(53);
  const generate::Values M = draw.matrix(30, 30);
  solver.update_matrix(nsm::Matrix::dense(30, 30, M));
  solver.update_q(generate::right_hand_side(anew.solution().w, generate::multiply(M, anew.solution().z)));
  EXPECT_TRUE(solver.solve().converged());
}

// Nothing is claimed: z >= 0, w = z_2, -z_1 - 1.
TEST(RelaxedReflectReflect, EndsAtTheLimitWhereThereIsNoSolution) {
  const nsm::Problem problem = nsm::Problem::lcp(nsm::Matrix::dense(2, 2, {0, -1, 1, 0}), {0, -1});
  nsm::Solver solver(problem, reflections, nsm::Options{{"max_iterations", 1000.0}});
  const nsm::Result result = solver.solve();
  EXPECT_EQ(result.outcome(), NSM_ITERATION_LIMIT);
  EXPECT_EQ(result.iterations(), 1000);
}

}  // namespace relaxed_reflect_reflect_test
