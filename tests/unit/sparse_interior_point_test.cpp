// interior_point and admm on sparse factors, and what auto makes of them: programmes with equalities, polyhedra, linear
// programmes, beyond the size of any dense matrix; contradicting rows; new matrices.
#include <gtest/gtest.h>

#include <cmath>

#include "../support/sparse_programmes.hpp"

namespace sparse_interior_point_test {

using generate::at;
using generate::Entries;
using generate::Random;
using generate::Values;

nsm::Result solve(const nsm::Problem& problem, const char* method) {
  nsm::Solver solver(problem, method);
  return solver.solve();
}

TEST(SparseInteriorPoint, TakesFewStepsAtAnyLength) {
  for (const int steps : {50, 500, 5000}) {
    const nsm::Result result = solve(generate::steered_car(steps), "interior_point");
    EXPECT_TRUE(result.converged()) << steps;
    EXPECT_LE(result.iterations(), 12) << steps;
  }
}

TEST(SparseInteriorPoint, AutoGoesToItWherePivotsWouldBeMany) {
  const nsm::Result result = solve(generate::steered_car(2000), "auto");
  EXPECT_TRUE(result.converged());
  EXPECT_EQ(result.finished_by(), "interior_point");
}

// All methods agree on the value.
TEST(SparseInteriorPoint, ProgrammesOverPolyhedra) {
  Random random(71);
  for (const int n : {250, 400}) {
    const generate::SparseProgramme p = generate::sparse_programme(random, n);
    const nsm::Problem problem = p.problem();
    const auto value = [&](const char* method) {
      nsm::Solver solver(problem, method);
      EXPECT_TRUE(solver.solve().converged()) << method;
      const Values z = solver.solution().z, product = p.M * z;
      double sum = 0;
      for (std::size_t i = 0; i < z.size(); ++i) sum += z[i] * (0.5 * product[i] + p.q[i]);
      return sum;
    };
    const double expected = value("lemke");
    for (const char* method : {"interior_point", "admm", "auto"})
      EXPECT_NEAR(value(method), expected, 1e-6 * (1 + std::abs(expected))) << n;
  }
}

TEST(SparseInteriorPoint, EmptyPolyhedraAreProven) {
  Random random(75);
  for (const int n : {300, 2000}) {
    const nsm::Result result = solve(generate::empty_programme(random, n).problem(), "auto");
    EXPECT_EQ(result.outcome(), NSM_INFEASIBLE) << n;
    EXPECT_LE(result.iterations(), 60) << n;
  }
}

TEST(SparseInteriorPoint, LinearProgrammes) {
  Random random(72);
  EXPECT_TRUE(solve(generate::sparse_linear_programme(random, 600, 0.3), "interior_point").converged());
  EXPECT_TRUE(solve(generate::transport(random, 30), "interior_point").converged());
}

// Wrong signs of degenerate rows are exchanged until none is left, from an iterate that is not yet near: after three rounds of
// exchanges the fifth takes 25 steps.
TEST(SparseInteriorPoint, DegenerateRowsAreIdentified) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    Random random(seed);
    const int n = 2000;
    const auto M = generate::sparse_gram(random, n / 2, n, n);
    const nsm::Result result = solve(generate::constructed_sparse_lcp(random, M, n, 0.3), "interior_point");
    EXPECT_TRUE(result.converged()) << seed;
    EXPECT_LE(result.iterations(), 10) << seed;
  }
}

TEST(SparseInteriorPoint, ContradictingRowsAreProven) {
  for (const int n : {150, 900}) {
    Random first(73), second(73);
    EXPECT_TRUE(solve(generate::repeated_equality(first, n, 0), "interior_point").converged()) << n << ", twice the same";
    const nsm::Problem problem = generate::repeated_equality(second, n, 1);
    for (const char* method : {"interior_point", "auto"}) {
      const nsm::Result result = solve(problem, method);
      EXPECT_EQ(result.outcome(), NSM_INFEASIBLE) << method << ", " << n;
      EXPECT_LE(result.iterations(), 30) << method << ", " << n;
    }
  }
}

// No entry on the diagonal tells a size: that of the rows does.
TEST(SparseInteriorPoint, ConeProgrammes) {
  Random random(77);
  for (const int n : {60, 200, 500}) {
    const nsm::Problem problem = generate::cone_programme(random, n);
    const nsm::Result result = solve(problem, "friction_interior_point");
    EXPECT_TRUE(result.converged()) << n;
    EXPECT_LE(result.iterations(), 35) << n;
    EXPECT_TRUE(solve(problem, "auto").converged()) << n;
  }
}

// Another symmetry, and back: the bits of a solver that begins with the matrix.
TEST(SparseInteriorPoint, UpdatesReadTheNewMatrix) {
  const int n = 200;
  const auto matrix = [](double sub, double sup) {
    Entries M(n, n);
    for (int i = 0; i < n; ++i) {
      M.add(i, i, 4);
      if (i > 0) M.add(i, i - 1, sub);
      if (i + 1 < n) M.add(i, i + 1, sup);
      if (i >= 20) M.add(i, i - 20, 0.5);
    }
    return M.matrix();
  };
  Random random(74);
  const Values q = random.normals(n);
  for (const char* method : {"interior_point", "admm"}) {
    nsm::Solver updated(nsm::Problem::lcp(matrix(-1, -1), q), method);
    EXPECT_TRUE(updated.solve().converged());
    for (const auto& [sub, sup] : {std::pair{-1.0, -2.0}, std::pair{-1.5, -1.5}, std::pair{-1.0, -1.0}}) {
      const nsm::Matrix M = matrix(sub, sup);
      updated.update_matrix(M);
      updated.warm_start(Values(at(n), 0.0));
      EXPECT_TRUE(updated.solve().converged()) << method;
      nsm::Solver fresh(nsm::Problem::lcp(M, q), method);
      EXPECT_TRUE(fresh.solve().converged()) << method;
      EXPECT_EQ(updated.solution().z, fresh.solution().z) << method;
    }
  }
}

}  // namespace sparse_interior_point_test
