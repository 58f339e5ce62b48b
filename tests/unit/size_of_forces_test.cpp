// With forces, velocities and tolerance so many times as small a method takes the same way. Residuals are divided by max(1, |q|):
// what is compared with them must be a share of the residual of 0.
#include <gtest/gtest.h>

#include <cmath>

#include "../support/generators.hpp"
#include "../support/sanitized.hpp"
#include "nonsmooth/nonsmooth.hpp"

namespace size_of_forces_test {

using generate::at;

constexpr int seeds = support::cases(5, 1);

// W = H'H and q = H'v of some motions and three times as many forces; |q| is above 1 with shift 0, and 2^shift times that.
nsm::Problem contacts(int seed, int shift) {
  constexpr int motions = 60, rows = 180;
  generate::Random random(static_cast<std::uint64_t>(seed));
  const nsm::Vector H = random.normals(motions * rows), v = random.normals(motions);
  nsm::Vector W(at(rows * rows), 0.0), q(at(rows), 0.0);
  for (int i = 0; i < rows; ++i)
    for (int k = 0; k < motions; ++k) {
      q[at(i)] += std::ldexp(H[at(k + motions * i)] * v[at(k)], shift);
      for (int j = 0; j < rows; ++j) W[at(i + rows * j)] += H[at(k + motions * i)] * H[at(k + motions * j)];
    }
  return nsm::Problem::friction(3, nsm::Matrix::dense(rows, rows, W), q, nsm::Vector(rows / 3, 0.7));
}

class SizeOfForces : public testing::TestWithParam<const char*> {};

TEST_P(SizeOfForces, ChangesNoIteration) {
  for (int seed = 1; seed <= seeds; ++seed) {
    const double size = contacts(seed, 0).describe().q_norm;
    ASSERT_GT(size, 1);
    nsm::Solver usual(contacts(seed, 0), GetParam(), nsm::Options{{"tolerance", 1e-8}});
    const nsm::Result expected = usual.solve();
    for (const int shift : {-10, -20}) {
      nsm::Solver solver(contacts(seed, shift), GetParam(), nsm::Options{{"tolerance", 1e-8 * std::ldexp(size, shift)}});
      const nsm::Result result = solver.solve();
      EXPECT_EQ(result.outcome(), expected.outcome()) << seed << ' ' << shift;
      EXPECT_EQ(result.iterations(), expected.iterations()) << seed << ' ' << shift;
    }
  }
}

// The residual of a global problem is divided by max(1, |w|): with w = 0 it begins at whatever the velocities are.
TEST_P(SizeOfForces, ChangesNoIterationInGlobalForm) {
  constexpr int motions = 60, rows = 180;
  const nsm::Matrix mass = nsm::Matrix::dense(motions, motions, generate::identity(motions));
  for (int seed = 1; seed <= seeds; ++seed) {
    generate::Random random(static_cast<std::uint64_t>(seed));
    const nsm::Vector H = random.normals(motions * rows), v = random.normals(motions);
    std::int64_t expected = 0;
    for (const int shift : {-12, 0, 3}) {
      nsm::Vector f = v;
      for (double& force : f) force = std::ldexp(force, shift);
      const nsm::Problem problem = nsm::Problem::global_friction(3, mass, nsm::Matrix::dense(motions, rows, H), f,
                                                                 nsm::Vector(rows, 0.0), nsm::Vector(rows / 3, 0.7));
      nsm::Solver solver(problem, GetParam(), nsm::Options{{"tolerance", std::ldexp(1e-7, shift)}});
      const std::int64_t iterations = solver.solve().iterations();
      if (shift < 0) expected = iterations;
      EXPECT_EQ(iterations, expected) << seed << ' ' << shift;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Methods, SizeOfForces,
                         testing::Values("friction_central_path", "friction_interior_point", "proximal_newton",
                                         "semismooth_newton", "block_gauss_seidel", "admm", "auto"));

}  // namespace size_of_forces_test
