// Nonlinear problems with sparse Jacobians, far beyond the size of a dense one: heated plates between two obstacles, with and
// without derivatives, and with a limit on what every row of the plate may carry.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "../support/generators.hpp"
#include "nonsmooth/nonsmooth.hpp"

namespace sparse_nonlinear_test {

using generate::at;
using nsm::Matrix;
using nsm::Problem;
using nsm::Vector;

// -Laplace z = 6 exp(z) on the unit square (Bratu), 0 on its boundary, k x k inner points; times h^2.
struct Plate {
  int k;
  double square = 1.0 / ((k + 1.0) * (k + 1.0));  // h^2
  nsm::Indices start{0}, index;

  explicit Plate(int points) : k(points) {
    for (int j = 0; j < size(); ++j) {
      for_each_neighbour(j, [&](int i) { index.push_back(i); });
      start.push_back(static_cast<std::int32_t>(index.size()));
    }
  }
  int size() const { return k * k; }
  // j itself among them, ascending.
  template <class Visit>
  void for_each_neighbour(int j, Visit&& visit) const {
    if (j >= k) visit(j - k);
    if (j % k > 0) visit(j - 1);
    visit(j);
    if (j % k < k - 1) visit(j + 1);
    if (j < size() - k) visit(j + k);
  }
  Matrix pattern() const { return Matrix::csc(size(), size(), start, index, Vector(index.size(), 1.0)); }
  bool evaluate(const double* z, double* w) const {
    for (int j = 0; j < size(); ++j) {
      double sum = 5 * z[j] - 6 * square * std::exp(z[j]);
      for_each_neighbour(j, [&](int i) { sum -= z[i]; });
      w[j] = sum;
    }
    return true;
  }
  bool differentiate(const double* z, double* values) const {
    for (int j = 0; j < size(); ++j)
      for_each_neighbour(j, [&](int i) { *values++ = i == j ? 4 - 6 * square * std::exp(z[j]) : -1; });
    return true;
  }
};

TEST(SparseNonlinear, PlatesBetweenObstacles) {
  for (const bool with_jacobian : {true, false}) {
    const Plate plate(100);
    const auto F = [&](const double* z, double* w) { return plate.evaluate(z, w); };
    const auto J = [&](const double* z, double* values) { return plate.differentiate(z, values); };
    const Vector lo(at(plate.size()), 0.0), hi(at(plate.size()), 0.3);
    const Problem problem = with_jacobian ? Problem::mcp(plate.size(), F, lo, hi, J, plate.pattern())
                                          : Problem::mcp(plate.size(), F, lo, hi, {}, plate.pattern());
    nsm::Solver solver(problem);
    const nsm::Result result = solver.solve();
    EXPECT_TRUE(result.converged());
    EXPECT_EQ(result.finished_by(), "josephy_newton");
    EXPECT_LE(result.iterations(), 10);
    const Vector z = solver.solution().z;
    EXPECT_GT(std::count(z.begin(), z.end(), 0.3), plate.size() / 10) << "the plate touches the upper obstacle";
    EXPECT_LT(std::count(z.begin(), z.end(), 0.3), plate.size());
  }
}

// A pendulum is swung by a bounded moment from rest at 1.5 rad, at least cost: optimality conditions of `steps` implicit Euler
// steps, five unknowns each (angle, velocity, moment, two multipliers). Multipliers have nothing on the diagonal.
struct Pendulum {
  int steps;
  double h = 2.0 / steps;
  Vector lo = Vector(at(size()), -HUGE_VAL), hi = Vector(at(size()), HUGE_VAL);

  explicit Pendulum(int count) : steps(count) {
    for (int i = 0; i < steps; ++i) hi[at(5 * i + 2)] = -(lo[at(5 * i + 2)] = -1);
  }
  int size() const { return 5 * steps; }
  bool evaluate(const double* z, double* w) const {
    for (int i = 0; i < steps; ++i) {
      const double* x = z + at(5 * i);
      const double angle = i > 0 ? x[-5] : 1.5, velocity = i > 0 ? x[-4] : 0;
      const double next_p = i + 1 < steps ? x[8] : 0, next_q = i + 1 < steps ? x[9] : 0;
      double* row = w + at(5 * i);
      row[0] = h * x[0] + x[3] - next_p + h * x[4] * std::cos(x[0]);
      row[1] = 0.1 * h * x[1] - h * x[3] + x[4] - next_q;
      row[2] = 0.01 * h * x[2] - h * x[4];
      row[3] = x[0] - angle - h * x[1];
      row[4] = x[1] - velocity - h * (x[2] - std::sin(x[0]));
    }
    return true;
  }
  // All entries that any row may have: those of the three steps around it.
  Matrix pattern() const {
    nsm::Indices start{0}, index;
    for (int j = 0; j < size(); ++j) {
      const int step = j / 5;
      for (int i = std::max(0, 5 * (step - 1)); i < std::min(size(), 5 * (step + 2)); ++i) index.push_back(i);
      start.push_back(static_cast<std::int32_t>(index.size()));
    }
    return Matrix::csc(size(), size(), start, index, Vector(index.size(), 1.0));
  }
  Problem problem() const {
    return Problem::mcp(
        size(), [this](const double* z, double* w) { return evaluate(z, w); }, lo, hi, {}, pattern());
  }
};

// Newton's matrices are as sparse as the Jacobian: no limit of 4,000 unknowns.
TEST(SparseNonlinear, OptimalControlBySemismoothNewton) {
  const Pendulum large(1000);
  const Problem problem = large.problem();
  nsm::Solver solver(problem, "semismooth_newton");
  const nsm::Result result = solver.solve();
  EXPECT_TRUE(result.converged());
  EXPECT_LE(result.iterations(), 60);
  const Vector z = solver.solution().z;
  int held = 0;
  for (int i = 0; i < large.steps; ++i) held += std::abs(z[at(5 * i + 2)]) == 1 ? 1 : 0;
  EXPECT_GT(held, 10) << "the moment meets its bounds";
  nsm::Solver by_default(problem);
  const nsm::Result same = by_default.solve();
  EXPECT_TRUE(same.converged());
  EXPECT_EQ(same.finished_by(), "semismooth_newton") << "most rows are free";
}

// A plate of resistors with a junction from every point to ground, 5 V along one side: |F| is 1e11 at the start, whose
// linearisations cannot be solved to digits that matter at the solution.
TEST(SparseNonlinear, JunctionsFromFarAway) {
  const Plate plate(60);
  const auto F = [&](const double* z, double* w) {
    for (int j = 0; j < plate.size(); ++j) {
      const double v = z[j];
      double sum = j % plate.k == 0 ? v - 5 : 0;
      plate.for_each_neighbour(j, [&](int i) { sum += v - z[i]; });
      w[j] = sum + 1e-14 * (std::exp(40 * v) - std::exp(-40 * v));
    }
    return true;
  };
  const Problem problem = Problem::mcp(plate.size(), F, {}, {}, {}, plate.pattern());
  nsm::Solver solver(problem, {{"time_limit", 20}});
  solver.warm_start(Vector(at(plate.size()), 1.5));
  EXPECT_TRUE(solver.solve().converged());
}

// z_a + z_b = 3, z_a z_b = 2: singular where both are equal, as at the start, so that steps of Levenberg and Marquardt and a
// restart lead on; sparse and dense ones take the same way.
TEST(SparseNonlinear, SingularNewtonMatrices) {
  const int n = 100;
  const auto F = [=](const double* z, double* w) {
    for (int i = 0; i < n; i += 2) {
      w[i] = z[i] + z[i + 1] - 3;
      w[i + 1] = z[i] * z[i + 1] - 2;
    }
    return true;
  };
  nsm::Indices start{0}, index;
  for (int j = 0; j < n; ++j) {
    for (const int i : {j - j % 2, j - j % 2 + 1}) index.push_back(i);
    start.push_back(static_cast<std::int32_t>(index.size()));
  }
  const Vector lo(at(n), 0.0), hi(at(n), 5.0);
  for (const Matrix& pattern : {Matrix::csc(n, n, start, index, Vector(index.size(), 1.0)), Matrix()}) {
    const Problem problem = Problem::mcp(n, F, lo, hi, {}, pattern);
    nsm::Solver solver(problem, "semismooth_newton");
    solver.warm_start(Vector(at(n), 0.5));
    EXPECT_TRUE(solver.solve().converged());
    for (int i = 0; i < n; i += 2) EXPECT_NEAR(solver.solution().z[at(i)] * solver.solution().z[at(i + 1)], 2, 1e-6);
  }
}

// In each row of the plate the sum of z is at least 0.1 k: a polyhedron in place of the lower obstacle.
TEST(SparseNonlinear, PlatesOverAPolyhedron) {
  const Plate plate(24);
  const auto F = [&](const double* z, double* w) {
    for (int j = 0; j < plate.size(); ++j) w[j] = 0;
    plate.evaluate(z, w);
    for (int j = 0; j < plate.size(); ++j) w[j] += 6 * plate.square * (std::exp(z[j]) - std::exp(0.2 * z[j]));
    return true;
  };
  nsm::Indices start{0}, index;
  for (int j = 0; j < plate.size(); ++j) {
    index.push_back(j / plate.k);
    start.push_back(j + 1);
  }
  const Matrix H = Matrix::csc(plate.k, plate.size(), start, index, Vector(index.size(), 1.0));
  const Problem problem = Problem::vi(plate.size(), F, H, Vector(at(plate.k), 0.1 * plate.k), {}, {}, {}, plate.pattern());
  nsm::Solver solver(problem);
  const nsm::Result result = solver.solve();
  EXPECT_TRUE(result.converged());
  EXPECT_LE(result.iterations(), 20);
  const Vector z = solver.solution().z;
  int held = 0;
  for (int row = 0; row < plate.k; ++row) {
    double sum = 0;
    for (int j = 0; j < plate.k; ++j) sum += z[at(row * plate.k + j)];
    EXPECT_GE(sum, 0.1 * plate.k - 1e-6);
    held += sum < 0.1 * plate.k + 1e-6 ? 1 : 0;
  }
  EXPECT_GT(held, 0) << "rows near the boundary would be flatter";
}

// A set that is known by its projection has no sparse linearisation: the obstacles once more, in disguise.
TEST(SparseNonlinear, ASetKnownByItsProjection) {
  const Plate plate(12);
  const auto F = [&](const double* z, double* w) { return plate.evaluate(z, w); };
  const auto onto_obstacles = [&](const double* x, double* p) {
    for (int j = 0; j < plate.size(); ++j) p[j] = std::clamp(x[j], 0.0, 0.3);
    return true;
  };
  const Vector lo(at(plate.size()), 0.0), hi(at(plate.size()), 0.3);
  const Problem disguised = Problem::vi_projection(plate.size(), F, onto_obstacles, {}, plate.pattern());
  const Problem plain = Problem::mcp(plate.size(), F, lo, hi, {}, plate.pattern());
  nsm::Solver expected(plain);
  EXPECT_TRUE(expected.solve().converged());
  for (const char* method : {"auto", "josephy_newton"}) {
    nsm::Solver solver(disguised, method);
    EXPECT_TRUE(solver.solve().converged()) << method;
    for (int j = 0; j < plate.size(); ++j) EXPECT_NEAR(solver.solution().z[at(j)], expected.solution().z[at(j)], 1e-6);
  }
}

}  // namespace sparse_nonlinear_test
