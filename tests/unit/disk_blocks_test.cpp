// Disks among the blocks of generic problems: Tresca's friction with a given bound, the law of yield of von Mises, and what knows
// no disks says so.
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "../support/generators.hpp"
#include "../support/solve.hpp"

namespace disk_blocks_test {

using generate::at;
using generate::norm;
using generate::Random;
using generate::Values;
using support::ProblemPtr;
using support::Solution;

struct Blocks {
  std::vector<std::int32_t> kind, size;
  Values mu;
  int rows = 0;

  void add(nsm_block_kind block, int block_rows, double coefficient = 0) {
    kind.push_back(block);
    size.push_back(block_rows);
    mu.push_back(coefficient);
    rows += block_rows;
  }
};

ProblemPtr problem_of(const Blocks& blocks, const Values& M, const Values& q, double bound = 1) {
  const Values lo(at(blocks.rows), -bound), hi(at(blocks.rows), bound);
  const nsm_matrix view = support::dense(blocks.rows, blocks.rows, M);
  nsm_problem* raw = nullptr;
  EXPECT_EQ(nsm_problem_create_generic(&view, q.data(), std::ssize(blocks.kind), blocks.kind.data(), blocks.size.data(),
                                       blocks.mu.data(), lo.data(), hi.data(), &raw),
            NSM_OK)
      << nsm_last_error();
  return ProblemPtr(raw);
}

const char* const methods[] = {"auto", "block_gauss_seidel", "semismooth_newton", "proximal_newton", "admm", "extragradient"};

// A body of mass m pushed by the impulse p in the plane, friction bounded by b: z is the impulse of friction, w = (p + z) / m the
// velocity. It stays at rest with z = -p up to |p| = b, and slides with w = (|p| - b) / m along p beyond.
TEST(DiskBlocks, ABlockSticksBelowTheBoundAndSlidesAtIt) {
  const double m = 2, bound = 0.5;
  Blocks blocks;
  blocks.add(NSM_BLOCK_DISK, 2, bound);
  const Values M = {1 / m, 0, 0, 1 / m};
  for (const char* method : methods)
    for (const double push : {0.0, 0.2, 0.499, 0.5, 0.501, 3.0}) {
      SCOPED_TRACE(std::string(method) + ", pushed by " + std::to_string(push));
      const double x = 0.6 * push, y = -0.8 * push;
      const ProblemPtr problem = problem_of(blocks, M, {x / m, y / m});
      const Solution s = support::solve(problem.get(), method, {{"tolerance", 1e-12}});
      ASSERT_TRUE(s.converged()) << s.text();
      const double friction = std::min(push, bound), speed = (push - friction) / m;
      EXPECT_NEAR(s.z[0], -0.6 * friction, 1e-10);
      EXPECT_NEAR(s.z[1], 0.8 * friction, 1e-10);
      EXPECT_NEAR(s.w[0], 0.6 * speed, 1e-10);
      EXPECT_NEAR(s.w[1], -0.8 * speed, 1e-10);
    }
}

// One point: the pressure is free, the deviator returns radially to the disk of the radius sigma_y.
TEST(DiskBlocks, TheDeviatorReturnsRadially) {
  Blocks blocks;
  blocks.add(NSM_BLOCK_EQUALITY, 1);
  blocks.add(NSM_BLOCK_DISK, 2, 0.25);
  const Values M = {4, 0, 0, 0, 2, 0, 0, 0, 2};
  for (const char* method : methods) {
    SCOPED_TRACE(method);
    const ProblemPtr problem = problem_of(blocks, M, {-8, 3, 4});
    const Solution s = support::solve(problem.get(), method, {{"tolerance", 1e-12}});
    ASSERT_TRUE(s.converged()) << s.text();
    const Values expected = {2, -0.15, -0.2};
    for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(s.z[i], expected[i], 1e-10);
    EXPECT_NEAR(s.w[1], 2.7, 1e-9);
  }
}

TEST(DiskBlocks, OfRadiusZeroIsAPoint) {
  Blocks blocks;
  blocks.add(NSM_BLOCK_DISK, 2, 0);
  for (const char* method : methods) {
    const ProblemPtr problem = problem_of(blocks, {1, 0.5, -0.5, 1}, {-1, 7});
    const Solution s = support::solve(problem.get(), method);
    ASSERT_TRUE(s.converged()) << method << ": " << s.text();
    EXPECT_NEAR(std::hypot(s.z[0], s.z[1]), 0, 1e-7) << method;
  }
}

// Any kind of block beside disks, M semidefinite of low rank or with a skew part: certified, and so by the law itself.
TEST(DiskBlocks, MonotoneProblemsAreCertified) {
  Random random(81);
  for (int k = 0; k < 120; ++k) {
    SCOPED_TRACE("case " + std::to_string(k));
    Blocks blocks;
    const bool has_contacts = k % 2 == 1;
    while (blocks.rows < 3 + k / 2) {
      const double radius = random.chance(0.1) ? 0 : random.magnitude(-2, 1);
      if (random.chance(0.5))
        blocks.add(NSM_BLOCK_DISK, 2, radius);
      else if (has_contacts && random.chance(0.6))
        random.chance(0.5) ? blocks.add(NSM_BLOCK_FRICTION_3D, 3, 0.3) : blocks.add(NSM_BLOCK_FRICTION_2D, 2, 0.6);
      else
        blocks.add(std::array{NSM_BLOCK_EQUALITY, NSM_BLOCK_COMPLEMENTARITY, NSM_BLOCK_RELAY}[at(random.integer(0, 2))], 1);
    }
    const int n = blocks.rows, rank = k % 3 == 0 ? std::max(1, n / 2) : 2 * n;
    Values M = generate::gram(random, n, rank, 0);
    const Values y = random.normals(n);  // so that rows without a bound have a solution
    Values q = generate::multiply(M, y);
    for (int i = 0; k % 3 == 1 && i < n; ++i)
      for (int j = 0; j < i; ++j) {
        const double skew = 0.3 * random.normal();
        M[at(i + j * n)] += skew;
        M[at(j + i * n)] -= skew;
      }
    const ProblemPtr problem = problem_of(blocks, M, q);
    const Solution s = support::solve(problem.get(), nullptr);
    ASSERT_TRUE(s.converged()) << s.text();
    const double e = 1e-7 * (1 + norm(q));
    std::size_t row = 0;
    for (std::size_t b = 0; b < blocks.kind.size(); row += at(blocks.size[b++])) {
      if (blocks.kind[b] != NSM_BLOCK_DISK) continue;
      const double *z = &s.z[row], *w = &s.w[row], radius = blocks.mu[b];
      const double size = std::hypot(z[0], z[1]), speed = std::hypot(w[0], w[1]);
      EXPECT_LE(size, radius + e);
      EXPECT_TRUE(speed <= e || size >= radius - e) << size << " of " << radius << " at " << speed;
      EXPECT_LE(z[0] * w[0] + z[1] * w[1] + size * speed, e * (1 + radius + speed)) << "w against z";
    }
  }
}

// Up to 96 rows, where steps go from face to face.
TEST(DiskBlocks, SmallProblemsTakeFewSteps) {
  Random random(83);
  for (int k = 0; k < 20; ++k) {
    Blocks blocks;
    for (int disk = 0; disk < 12; ++disk) blocks.add(NSM_BLOCK_DISK, 2, random.magnitude(-1, 0));
    const Values M = generate::gram(random, blocks.rows, 2 * blocks.rows, 0.1), q = random.normals(blocks.rows);
    const Solution s = support::solve(problem_of(blocks, M, q).get(), nullptr);
    ASSERT_TRUE(s.converged()) << s.text();
    EXPECT_STREQ(s.result.finished_by, "auto");
    EXPECT_LE(s.result.iterations, 30);
  }
}

// The radius is what nsm_update_mu changes.
TEST(DiskBlocks, RadiiAreUpdated) {
  Blocks blocks;
  blocks.add(NSM_BLOCK_COMPLEMENTARITY, 1);
  blocks.add(NSM_BLOCK_DISK, 2, 0.5);
  for (const char* method : methods) {
    const ProblemPtr problem = problem_of(blocks, {1, 0, 0, 0, 1, 0, 0, 0, 1}, {1, -3, -4});
    const auto solver = support::setup(problem.get(), method);
    EXPECT_NEAR(support::solve(solver.get(), 3).z[2], 0.4, 1e-7) << method;
    const Values radii = {0, 2.5};
    ASSERT_EQ(nsm_update_mu(solver.get(), radii.data(), 2), NSM_OK) << nsm_last_error();
    EXPECT_NEAR(support::solve(solver.get(), 3).z[2], 2, 1e-7) << method;
    const Values negative = {0, -1};
    EXPECT_EQ(nsm_update_mu(solver.get(), negative.data(), 2), NSM_INVALID_VALUE);
  }
}

// By q and by the radii, against differences; some disks inside, some on their bounds, one a point.
TEST(DiskBlocks, HaveDerivatives) {
  constexpr double step = 1e-6;
  Random random(84);
  Blocks blocks;
  for (int disk = 0; disk < 12; ++disk) blocks.add(NSM_BLOCK_DISK, 2, disk == 0 ? 0 : random.magnitude(-1, 0));
  blocks.add(NSM_BLOCK_EQUALITY, 1);
  const int n = blocks.rows;
  const Values M = generate::gram(random, n, 2 * n, 0.1), q = random.normals(n), dq = random.normals(n);
  Values dmu = random.uniforms(std::ssize(blocks.mu), 0.5, 1);
  dmu.back() = 0;
  const auto solution = [&](double t) {
    Blocks moved = blocks;
    Values there = q;
    for (std::size_t i = 0; i < q.size(); ++i) there[i] += t * dq[i];
    for (std::size_t k = 0; k < dmu.size(); ++k) moved.mu[k] += t * dmu[k];
    return support::solve(problem_of(moved, M, there).get(), nullptr, {{"tolerance", 1e-13}}).z;
  };
  const ProblemPtr problem = problem_of(blocks, M, q);
  const auto solver = support::setup(problem.get(), nullptr, {{"tolerance", 1e-13}});
  ASSERT_TRUE(support::solve(solver.get(), n).converged());
  Values dz(at(n));
  ASSERT_EQ(nsm_differentiate(solver.get(), dq.data(), n, dmu.data(), std::ssize(dmu), dz.data(), nullptr, n), NSM_OK)
      << nsm_last_error();
  const Values here = solution(0), ahead = solution(step);
  for (std::size_t i = 0; i < dz.size(); ++i) EXPECT_NEAR((ahead[i] - here[i]) / step, dz[i], 1e-4) << i;
}

TEST(DiskBlocks, TheCertificateMeasuresThem) {
  Blocks blocks;
  blocks.add(NSM_BLOCK_DISK, 2, 1);
  const ProblemPtr problem = problem_of(blocks, {1, 0, 0, 1}, {-3, 0});
  const auto certified = [&](const Values& z) {
    nsm_certificate certificate = NSM_CERTIFICATE_INIT;
    certificate.tolerance = 1e-8;
    EXPECT_EQ(nsm_certify(problem.get(), z.data(), nullptr, &certificate), NSM_OK) << nsm_last_error();
    return certificate;
  };
  const nsm_certificate right = certified({1, 0});
  EXPECT_EQ(right.verdict, NSM_CERTIFIED);
  EXPECT_EQ(right.residual, 0);
  EXPECT_EQ(right.complementarity, 0) << "no cone, as a box";
  const nsm_certificate outside = certified({3, 0});  // w = 0 there
  EXPECT_EQ(outside.verdict, NSM_NOT_CERTIFIED);
  EXPECT_DOUBLE_EQ(outside.infeasibility, 2);
  EXPECT_DOUBLE_EQ(outside.residual, 2.0 / 3);
  EXPECT_EQ(certified({0, 1}).verdict, NSM_NOT_CERTIFIED) << "on the bound, w not against z";
  EXPECT_EQ(certified({0.5, 0}).verdict, NSM_NOT_CERTIFIED) << "inside, w not 0";
}

TEST(DiskBlocks, WhatKnowsNoDisksSaysSo) {
  Blocks blocks;
  blocks.add(NSM_BLOCK_COMPLEMENTARITY, 1);
  blocks.add(NSM_BLOCK_DISK, 2, 1);
  const ProblemPtr problem = problem_of(blocks, {1, 0, 0, 0, 1, 0, 0, 0, 1}, {-1, -3, 0});
  EXPECT_EQ(nsm_infeasibility_size(problem.get()), 0);
  nsm_solver* refused = nullptr;
  EXPECT_EQ(nsm_setup(problem.get(), "lemke", nullptr, &refused), NSM_UNSUPPORTED);
  EXPECT_STREQ(nsm_last_error(), "lemke treats no disks; the block at row 1 is one, of radius 1");
  const auto options = support::options({});
  ASSERT_EQ(nsm_options_set_text(options.get(), "cone_function", "fischer_burmeister"), NSM_OK);
  EXPECT_EQ(nsm_setup(problem.get(), "semismooth_newton", options.get(), &refused), NSM_UNSUPPORTED);
  double margin = 0;
  EXPECT_EQ(nsm_slater(problem.get(), &margin, nullptr, 3), NSM_UNSUPPORTED);
}

// Contacts whose law is relaxed are cones beside the disks.
TEST(DiskBlocks, StandBesideRelaxedContacts) {
  Blocks blocks;
  blocks.add(NSM_BLOCK_FRICTION_3D, 3, 0.5);
  blocks.add(NSM_BLOCK_DISK, 2, 0.5);
  Random random(82);
  const Values M = generate::gram(random, 5, 10, 0.1), q = {-1, 2, 0, -1, 1};
  const ProblemPtr problem = problem_of(blocks, M, q);
  const Solution s = support::solve(problem.get(), nullptr, {{"convex_relaxation", 1}});
  EXPECT_LE(s.result.relaxation_residual, 1e-8) << s.text();
}

}  // namespace disk_blocks_test
