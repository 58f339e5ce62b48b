// interior_point and admm on sparse factors, and what auto makes of them: programmes with equalities, polyhedra, linear
// programmes, beyond the size of any dense matrix; contradicting rows; new matrices.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "../support/generators.hpp"
#include "nonsmooth/nonsmooth.hpp"

namespace sparse_interior_point_test {

using generate::at;
using generate::Random;
using nsm::Matrix;
using nsm::Problem;
using nsm::Vector;

constexpr double infinity = HUGE_VAL;

class Entries {
 public:
  Entries(int rows, int cols) : rows_(rows), columns_(at(cols)) {}
  void add(int i, int j, double a) { columns_[at(j)][i] += a; }
  // a at (i, j), -a at (j, i): a constraint and its multiplier.
  void couple(int i, int j, double a) {
    add(i, j, a);
    add(j, i, -a);
  }
  Matrix matrix() const {
    nsm::Indices start{0}, index;
    Vector values;
    for (const auto& column : columns_) {
      for (const auto& [i, a] : column) {
        index.push_back(i);
        values.push_back(a);
      }
      start.push_back(static_cast<std::int32_t>(index.size()));
    }
    return Matrix::csc(rows_, static_cast<std::int64_t>(columns_.size()), start, index, values);
  }
  Vector operator*(const Vector& x) const {
    Vector y(at(rows_), 0.0);
    for (std::size_t j = 0; j < columns_.size(); ++j)
      for (const auto& [i, a] : columns_[j]) y[at(i)] += a * x[j];
    return y;
  }

 private:
  int rows_;
  std::vector<std::map<int, double>> columns_;
};

// Gram matrix of random rows with few entries, half as many as unknowns: semidefinite.
Entries gram(Random& random, int n, int order) {
  Entries M(order, order);
  for (int row = 0; row < n / 2; ++row) {
    std::map<int, double> g;
    for (int k = 0; k < 3; ++k) g[random.integer(0, n - 1)] = random.normal();
    for (const auto& [i, a] : g)
      for (const auto& [j, b] : g) M.add(i, j, a * b);
  }
  return M;
}

nsm::Result solve(const Problem& problem, const char* method) {
  nsm::Solver solver(problem, method);
  return solver.solve();
}

// A car on a line: position and speed, a bounded force, steps of 0.1 s; minimise x^2 + v^2 + 0.1 u^2. Multipliers are free.
Problem steered_car(int steps) {
  const int per = 5, n = per * steps;  // u, x, v, and the multipliers of the two equations of motion
  Entries M(n, n);
  Vector q(at(n), 0.0), lo(at(n), -infinity), hi(at(n), infinity);
  for (int k = 0; k < steps; ++k) {
    const int u = per * k, x = u + 1, v = u + 2, of_x = u + 3, of_v = u + 4;
    M.add(u, u, 0.1);
    M.add(x, x, 1);
    M.add(v, v, 1);
    lo[at(u)] = -0.5;
    hi[at(u)] = 0.5;
    M.couple(of_x, x, 1);
    M.couple(of_v, v, 1);
    M.couple(of_v, u, -0.1);
    if (k == 0) {
      q[at(of_x)] = -3;  // the car starts at x = 3 with v = 0
    } else {
      M.couple(of_x, x - per, -1);
      M.couple(of_x, v - per, -0.1);
      M.couple(of_v, v - per, -1);
    }
  }
  return Problem::relay(M.matrix(), q, lo, hi);
}

TEST(SparseInteriorPoint, TakesFewStepsAtAnyLength) {
  for (const int steps : {50, 500, 5000}) {
    const nsm::Result result = solve(steered_car(steps), "interior_point");
    EXPECT_TRUE(result.converged()) << steps;
    EXPECT_LE(result.iterations(), 12) << steps;
  }
}

TEST(SparseInteriorPoint, AutoGoesToItWherePivotsWouldBeMany) {
  const nsm::Result result = solve(steered_car(2000), "auto");
  EXPECT_TRUE(result.converged());
  EXPECT_EQ(result.finished_by(), "interior_point");
}

// min 1/2 z'Mz + q'z over 0 <= z <= 10, H z >= k: auto agrees with pivots on the value.
TEST(SparseInteriorPoint, ProgrammesOverPolyhedra) {
  Random random(71);
  for (const int n : {250, 400}) {
    const int m = n / 3;
    const Entries M = gram(random, n, n);
    Entries H(m, n);
    for (int i = 0; i < m; ++i)
      for (int k = 0; k < 4; ++k) H.add(i, random.integer(0, n - 1), random.normal());
    Vector inside(at(n));
    for (double& x : inside) x = random.uniform(0, 2);
    Vector k = H * inside;
    for (double& bound : k) bound -= random.chance(0.5) ? 0 : random.uniform();
    const Vector q = random.normals(n);
    const Problem problem = Problem::qp(M.matrix(), q, H.matrix(), k, Vector(at(n), 0.0), Vector(at(n), 10.0));
    const auto value = [&](const char* method) {
      nsm::Solver solver(problem, method);
      EXPECT_TRUE(solver.solve().converged()) << method;
      const Vector z = solver.solution().z, product = M * z;
      double sum = 0;
      for (std::size_t i = 0; i < z.size(); ++i) sum += z[i] * (0.5 * product[i] + q[i]);
      return sum;
    };
    const double expected = value("lemke");
    for (const char* method : {"interior_point", "admm", "auto"})
      EXPECT_NEAR(value(method), expected, 1e-6 * (1 + std::abs(expected))) << n;
  }
}

TEST(SparseInteriorPoint, DegenerateLinearProgrammes) {
  Random random(72);
  const int n = 600, m = 200;
  Entries M(n, n);
  for (int i = 0; i < m; ++i)
    for (int k = 0; k < 4; ++k) M.couple(n - m + i, random.integer(0, n - m - 1), random.normal());
  Vector z(at(n), 0.0), w(at(n), 0.0);
  for (std::size_t i = 0; i < z.size(); ++i)
    if (const double draw = random.uniform(); draw < 0.35)
      z[i] = random.uniform(0.1, 2);
    else if (draw < 0.7)
      w[i] = random.uniform(0.1, 2);
  Vector q = M * z;
  for (std::size_t i = 0; i < q.size(); ++i) q[i] = w[i] - q[i];
  EXPECT_TRUE(solve(Problem::lcp(M.matrix(), q), "interior_point").converged());
}

// Two rows of equality that are the same but for what they ask for.
TEST(SparseInteriorPoint, ContradictingRowsAreProven) {
  Random random(73);
  for (const int n : {150, 900}) {
    const int m = n / 5, unknowns = n - m;
    Entries M = gram(random, unknowns, n);
    for (int i = 1; i < m; ++i)
      for (int k = 0; k < 3; ++k) {
        const int j = random.integer(0, unknowns - 1);
        const double a = random.normal();
        M.couple(unknowns + i, j, a);
        if (i == 1) M.couple(unknowns, j, a);
      }
    nsm::Indices kinds(at(n), 1);
    std::fill(kinds.begin() + unknowns, kinds.end(), 0);
    Vector z(at(n), 1.0), q = M * z;
    for (double& x : q) x = -x;
    EXPECT_TRUE(solve(Problem::mlcp(M.matrix(), q, kinds), "interior_point").converged()) << n << ", twice the same";
    q[at(unknowns)] += 1;
    for (const char* method : {"interior_point", "auto"}) {
      const nsm::Result result = solve(Problem::mlcp(M.matrix(), q, kinds), method);
      EXPECT_EQ(result.outcome(), NSM_INFEASIBLE) << n;
      EXPECT_LE(result.iterations(), 60) << n;
    }
  }
}

// Another pattern, another symmetry, and back: the bits of a solver that begins with the matrix.
TEST(SparseInteriorPoint, UpdatesReadTheNewMatrix) {
  const auto matrix = [](double sub, double sup, bool wide) {
    const int n = 200;
    Entries M(n, n);
    for (int i = 0; i < n; ++i) {
      M.add(i, i, 4);
      if (i > 0) M.add(i, i - 1, sub);
      if (i + 1 < n) M.add(i, i + 1, sup);
      if (wide && i >= 20) M.add(i, i - 20, 0.5);
    }
    return M.matrix();
  };
  Random random(74);
  const Vector q = random.normals(200);
  for (const char* method : {"interior_point", "admm"}) {
    nsm::Solver updated(Problem::lcp(matrix(-1, -1, true), q), method);
    EXPECT_TRUE(updated.solve().converged());
    for (const auto& [sub, sup] : {std::pair{-1.0, -2.0}, std::pair{-1.5, -1.5}, std::pair{-1.0, -1.0}}) {
      const Matrix M = matrix(sub, sup, true);
      updated.update_matrix(M);
      updated.warm_start(Vector(200, 0.0));
      EXPECT_TRUE(updated.solve().converged()) << method;
      nsm::Solver fresh(Problem::lcp(M, q), method);
      EXPECT_TRUE(fresh.solve().converged()) << method;
      EXPECT_EQ(updated.solution().z, fresh.solution().z) << method;
    }
  }
}

}  // namespace sparse_interior_point_test
