// Plasticity: known solutions by every method, the laws at both ends of the dilatancy, files.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "../support/generators.hpp"
#include "io/io.hpp"
#include "nonsmooth/nonsmooth.hpp"
#include "problems/problem.hpp"

namespace plasticity_test {

using generate::at;
using nsm::Matrix;
using nsm::Problem;
using nsm::Vector;

// theta: this share of eta.
struct Cones {
  int count;
  double share;
  int rank;  // of W
  std::uint64_t seed;
};

struct Data {
  Matrix W;
  Vector q, eta, theta;
  Problem problem() const { return Problem::plasticity(W, q, eta, theta); }
};

// q in the range of W beside what opens, so that there is a solution where W is singular too.
Data random_cones(const Cones& cones) {
  const int n = 3 * cones.count;
  generate::Random random(cones.seed);
  Data data;
  const Vector H = random.normals(std::int64_t{n} * cones.rank), v = random.normals(cones.rank);
  Vector W(at(n * n), 0.0);
  data.q.assign(at(n), 0.0);
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < cones.rank; ++k) {
      data.q[at(i)] += H[at(i + n * k)] * v[at(k)];
      for (int j = 0; j < n; ++j) W[at(i + n * j)] += H[at(i + n * k)] * H[at(j + n * k)];
    }
  data.W = Matrix::dense(n, n, W);
  for (int k = 0; k < cones.count; ++k) {
    data.eta.push_back(random.uniform(0.2, 1));
    data.theta.push_back(cones.share * data.eta.back());
  }
  return data;
}

// z on the cone, w = -alpha z_T in its tangents and eta - theta times as much in its normal.
void expect_the_law(const Data& data, const nsm::Solution& solution) {
  const double scale = 1 + generate::norm(solution.z) + generate::norm(solution.w);
  for (std::size_t k = 0; k < data.eta.size(); ++k) {
    const double *r = &solution.z[3 * k], *u = &solution.w[3 * k], eta = data.eta[k], dilatancy = eta - data.theta[k];
    const double load = std::hypot(r[1], r[2]), rate = std::hypot(u[1], u[2]);
    EXPECT_LE(load, eta * r[0] + 1e-6);
    EXPECT_GE(u[0], dilatancy * rate - 1e-6);
    if (r[0] < 1e-5 * scale) continue;  // at the tip
    EXPECT_NEAR(u[0], dilatancy * rate, 1e-5 * scale);
    EXPECT_NEAR(r[1] * u[1] + r[2] * u[2], -load * rate, 1e-5 * scale * scale);
    if (rate > 1e-5 * scale) {
      EXPECT_NEAR(load, eta * r[0], 1e-5 * scale);
    }
  }
}

TEST(Plasticity, EveryMethodFindsTheLaw) {
  for (const nsm_method_info& method : nsm::methods()) {
    if ((method.classes >> NSM_PLASTICITY & 1u) == 0) continue;
    SCOPED_TRACE(method.name);
    const Data data = random_cones({8, 0.6, 40, 1});
    nsm::Solver solver(data.problem(), method.name, nsm::Options{{"tolerance", 1e-9}});
    ASSERT_TRUE(solver.solve().converged());
    expect_the_law(data, solver.solution());
  }
}

TEST(Plasticity, AutoSolvesWhereWIsSingular) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed)
    for (const double share : {0.1, 0.5, 0.9}) {
      const Data data = random_cones({20, share, 30, seed});
      nsm::Solver solver(data.problem());
      EXPECT_TRUE(solver.solve().converged()) << seed << ' ' << share;
      expect_the_law(data, solver.solution());
    }
}

TEST(Plasticity, WithoutDilatancyItIsCoulombsLaw) {
  const Data data = random_cones({10, 1, 40, 3});
  nsm::Solver plastic(data.problem()), friction(Problem::friction(3, data.W, data.q, data.eta));
  ASSERT_TRUE(plastic.solve().converged());
  ASSERT_TRUE(friction.solve().converged());
  EXPECT_EQ(plastic.solution().z, friction.solution().z);
}

// u_N = -1 whatever r.
TEST(Plasticity, WithoutDilatancyThereAreProofsThatThereIsNoSolution) {
  const Problem closing = Problem::plasticity(Matrix::dense(3, 3, Vector(9, 0.0)), {-1, 0, 0}, {0.5}, {0.5});
  nsm::Solver solver(closing);
  ASSERT_EQ(solver.solve().outcome(), NSM_INFEASIBLE);
  ASSERT_EQ(closing.infeasibility_size(), 3);
  EXPECT_TRUE(nsm::certify_infeasible(closing, solver.infeasibility_certificate()));
}

TEST(Plasticity, AssociatedItIsASecondOrderConeProblem) {
  const Data data = random_cones({10, 0, 40, 4});
  nsm::Indices start;
  for (int k = 0; k <= 10; ++k) start.push_back(3 * k);
  nsm::Solver plastic(data.problem()), cones(Problem::soclcp(data.W, data.q, start, data.eta));
  ASSERT_TRUE(plastic.solve().converged());
  ASSERT_TRUE(cones.solve().converged());
  EXPECT_EQ(plastic.solution().z, cones.solution().z);
}

// W = 1, q = (-1, 3, 0), eta = 1, theta = 1 / 2: it yields at the rate s, u = (s / 2, s, 0), r = u - q = (1 + s / 2, s - 3, 0),
// where 3 - s = 1 + s / 2.
TEST(Plasticity, OnePointByHand) {
  const Matrix one = Matrix::dense(3, 3, generate::identity(3));
  nsm::Solver solver(Problem::plasticity(one, {-1, 3, 0}, {1}, {0.5}), "auto", nsm::Options{{"tolerance", 1e-12}});
  ASSERT_TRUE(solver.solve().converged());
  const double rate = 4.0 / 3, expected_z[] = {1 + rate / 2, rate - 3, 0}, expected_w[] = {rate / 2, rate, 0};
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(solver.solution().z[i], expected_z[i], 1e-11);
    EXPECT_NEAR(solver.solution().w[i], expected_w[i], 1e-11);
  }
}

TEST(Plasticity, ConesWithoutStrengthCarryPressureAlone) {
  Data data = random_cones({6, 0.5, 30, 5});
  data.eta[1] = data.theta[1] = data.eta[4] = data.theta[4] = 0;
  nsm::Solver solver(data.problem());
  ASSERT_TRUE(solver.solve().converged());
  expect_the_law(data, solver.solution());
}

TEST(Plasticity, WhatContractsIsRefused) {
  const Matrix one = Matrix::dense(3, 3, generate::identity(3));
  for (const auto& [eta, theta, message] :
       {std::tuple{0.5, 0.6, "theta[0] = 0.6 exceeds eta[0] = 0.5"}, std::tuple{-1.0, 0.0, "eta[0] = -1 is negative"}}) {
    try {
      Problem::plasticity(one, {0, 0, 0}, {eta}, {theta});
      ADD_FAILURE();
    } catch (const nsm::Error& error) {
      EXPECT_EQ(error.status(), NSM_INVALID_VALUE);
      EXPECT_NE(std::string(error.what()).find(message), std::string::npos) << error.what();
    }
  }
  EXPECT_THROW(Problem::plasticity(Matrix::dense(2, 2, {1, 0, 0, 1}), {0, 0}, {}, {}), nsm::Error);
}

// The older layout has no type of model; it is that of rolling friction in the plane.
TEST(Plasticity, TextFilesOfBothLayouts) {
  const std::string head = "3\n1\n", tail = "0\n3\n3\n3 3\n1 0 0 0 1 0 0 0 1\n-1 3 0\n1\n0.5\n";
  const auto read = [](const std::string& text, nsm_class asked) { return nonsmooth::read_problem_memory(text, "file", asked); };
  for (const nonsmooth::Problem& problem : {read(head + "1\n" + tail, NSM_CLASS_COUNT), read(head + "1\n" + tail, NSM_PLASTICITY),
                                            read(head + tail, NSM_PLASTICITY)}) {
    ASSERT_EQ(problem.problem_class(), NSM_PLASTICITY);
    const auto& data = std::get<nonsmooth::Plasticity>(problem.data);
    EXPECT_EQ(data.q, (nonsmooth::Vector{-1, 3, 0}));
    EXPECT_EQ(data.eta, nonsmooth::Vector{1});
    EXPECT_EQ(data.theta, nonsmooth::Vector{0.5});
  }
  EXPECT_EQ(read(head + tail, NSM_CLASS_COUNT).problem_class(), NSM_ROLLING);
}

}  // namespace plasticity_test
