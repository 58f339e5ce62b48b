// Contact problems with exact answers, constructed solutions, global against local, options and updates of block Gauss-Seidel.
#include <gtest/gtest.h>

#include <cmath>

#include "../support/generators.hpp"
#include "../support/solve.hpp"

namespace friction_methods_test {

using generate::at;
using generate::Friction;
using generate::norm;
using generate::Random;
using generate::Values;
using support::ProblemPtr;
using support::Solution;

constexpr double gravity = 9.81;

// A cube of 1 m and 1 kg on an incline, four contacts at the corners of its base, one implicit step h from rest.
// Degrees of freedom: velocity along (slope, across, normal) and rotation about them.
struct Box {
  static constexpr int n = 6;
  Values M, H, f;
  Values mu;
  Box(double theta, double friction, double h) : M(generate::identity(n)), H(at(n) * 12, 0.0), mu(4, friction) {
    for (int i = 3; i < 6; ++i) M[at(i) * 7] = 1.0 / 6;
    f = {h * gravity * std::sin(theta), 0, -h * gravity * std::cos(theta), 0, 0, 0};
    const double corner[4][2] = {{0.5, 0.5}, {0.5, -0.5}, {-0.5, 0.5}, {-0.5, -0.5}};
    const int axis_of[3] = {2, 0, 1};  // normal, slope, across
    for (int c = 0; c < 4; ++c)
      for (int k = 0; k < 3; ++k) {
        double* column = H.data() + (3 * c + k) * n;
        double e[3] = {0, 0, 0};
        e[axis_of[k]] = 1;
        const double x[3] = {corner[c][0], corner[c][1], -0.5};
        for (int i = 0; i < 3; ++i) column[i] = e[i];
        for (int i = 0; i < 3; ++i) column[3 + i] = x[(i + 1) % 3] * e[(i + 2) % 3] - x[(i + 2) % 3] * e[(i + 1) % 3];
      }
  }
  ProblemPtr problem() const {
    nsm_problem* raw = nullptr;
    const nsm_matrix mass = support::dense(n, n, M), jacobian = support::dense(n, 12, H);
    EXPECT_EQ(nsm_problem_create_global_friction(3, &mass, &jacobian, f.data(), Values(12, 0.0).data(), mu.data(), nullptr,
                                                 nullptr, &raw),
              NSM_OK)
        << nsm_last_error();
    return ProblemPtr(raw);
  }
};

TEST(BoxOnIncline, SticksIfAndOnlyIfTheSlopeIsBelowTheFriction) {
  const double h = 0.01;
  for (double mu : {0.1, 0.3, 0.6})
    for (double ratio : {0.2, 0.9, 0.99, 1.01, 1.1, 1.4}) {  // above 1 / mu the box would topple instead
      const double theta = std::atan(ratio * mu);
      const Solution s = support::solve(Box(theta, mu, h).problem().get(), nullptr, {{"tolerance", 1e-12}});
      ASSERT_TRUE(s.converged()) << s.text();
      const double slip = std::max(0.0, h * gravity * (std::sin(theta) - mu * std::cos(theta)));
      EXPECT_NEAR(s.z[0], slip, 1e-10) << "mu " << mu << " ratio " << ratio;
      for (std::size_t i = 1; i < 6; ++i) EXPECT_NEAR(s.z[i], 0, 1e-10);
      double normal = 0, tangent = 0;
      for (std::size_t c = 0; c < 4; ++c) {
        normal += s.z[6 + 3 * c];
        tangent += s.z[7 + 3 * c];
      }
      EXPECT_NEAR(normal, h * gravity * std::cos(theta), 1e-10);
      EXPECT_NEAR(tangent, -std::min(h * gravity * std::sin(theta), mu * normal), 1e-10);
    }
}

TEST(BoxOnIncline, WithoutFrictionItSlides) {
  const Solution s = support::solve(Box(0.3, 0, 0.01).problem().get(), nullptr);
  ASSERT_TRUE(s.converged()) << s.text();
  EXPECT_NEAR(s.z[0], 0.01 * gravity * std::sin(0.3), 1e-9);
  for (std::size_t c = 0; c < 4; ++c) {
    EXPECT_EQ(s.z[7 + 3 * c], 0);
    EXPECT_EQ(s.z[8 + 3 * c], 0);
  }
}

Friction random_friction(Random& random, int dimension, int contacts, double skew = 0) {
  const int n = dimension * contacts;
  Values W = generate::gram(random, n, 2 * n, 0.1);
  generate::add_skew(random, W, n, skew);
  return generate::constructed_friction(random, dimension, contacts, W);
}

TEST(Friction, ConstructedProblemsAreSolved) {
  Random random(91);
  for (int k = 0; k < 300; ++k) {
    const Friction f = random_friction(random, random.integer(2, 3), random.integer(1, 12), k % 3 == 0 ? 0.05 : 0);
    const Solution s = support::solve(f, nullptr);
    EXPECT_TRUE(s.converged()) << "case " << k << ": " << s.text();
    EXPECT_LE(generate::friction_residual(f, s.z), 1e-8);
  }
}

// Hyperstatic: W = H'H of rank below its order. A certified answer, or an honest end.
TEST(Friction, RankDeficientProblemsEndHonestly) {
  Random random(92);
  int converged = 0;
  for (int k = 0; k < 60; ++k) {
    const int contacts = random.integer(3, 12), n = 3 * contacts;
    const Friction f =
        generate::constructed_friction(random, 3, contacts, generate::gram(random, n, std::max(3, n / 2), 0), 0.1, 0.5);
    const Solution s = support::solve(f, nullptr);
    converged += s.converged() ? 1 : 0;
    EXPECT_TRUE(s.converged() || s.result.outcome == NSM_STALLED || s.result.outcome == NSM_ITERATION_LIMIT);
    EXPECT_NEAR(generate::friction_residual(f, s.z), s.result.certificate.residual, 1e-12);
  }
  EXPECT_GE(converged, 50);
}

TEST(Friction, WithoutFrictionIsAnLcpOfTheNormals) {
  Random random(93);
  for (int k = 0; k < 100; ++k) {
    const int contacts = random.integer(1, 6), d = random.integer(2, 3), n = d * contacts;
    Friction f = random_friction(random, d, contacts);
    f.mu.assign(at(contacts), 0.0);
    const Solution s = support::solve(f, nullptr);
    ASSERT_TRUE(s.converged()) << s.text();
    generate::Lcp lcp{contacts, Values(at(contacts * contacts)), Values(at(contacts)), {}};
    Values normals(at(contacts));
    for (int j = 0; j < contacts; ++j) {
      for (int i = 0; i < contacts; ++i) lcp.M[at(i + j * contacts)] = f.W[at(d * i + d * j * n)];
      lcp.q[at(j)] = f.q[at(d * j)];
      normals[at(j)] = s.z[at(d * j)];
      for (int t = 1; t < d; ++t) EXPECT_EQ(s.z[at(d * j + t)], 0);
    }
    EXPECT_LE(lcp.residual(normals), 1e-7);
  }
}

struct Global {
  Friction local;  // W and q condensed by the test
  Values M, H, f, w;
  int n = 0;
  ProblemPtr problem() const {
    nsm_problem* raw = nullptr;
    const nsm_matrix mass = support::dense(n, n, M), jacobian = support::dense(n, local.dimension * local.contacts, H);
    EXPECT_EQ(nsm_problem_create_global_friction(local.dimension, &mass, &jacobian, f.data(), w.data(), local.mu.data(), nullptr,
                                                 nullptr, &raw),
              NSM_OK)
        << nsm_last_error();
    return ProblemPtr(raw);
  }
};

Global random_global(Random& random) {
  Global g;
  g.local.dimension = random.integer(2, 3);
  g.local.contacts = random.integer(1, 5);
  const int m = g.local.dimension * g.local.contacts;
  g.n = m + random.integer(0, 4);
  g.M = generate::gram(random, g.n, 2 * g.n, 0.5);
  g.H = random.normals(std::int64_t{g.n} * m);
  g.f = random.normals(g.n);
  g.w = random.normals(m);
  g.local.mu = random.uniforms(g.local.contacts, 0, 0.9);
  g.local.q = g.w;
  Values x;
  auto add_dual = [&](const Values& v, Values& target, std::size_t offset) {
    for (int i = 0; i < m; ++i)
      for (int k = 0; k < g.n; ++k) target[offset + at(i)] += g.H[at(k + i * g.n)] * v[at(k)];
  };
  EXPECT_TRUE(generate::solve(g.M, g.f, x));
  add_dual(x, g.local.q, 0);
  g.local.W.assign(at(m) * at(m), 0.0);
  for (int j = 0; j < m; ++j) {
    EXPECT_TRUE(generate::solve(g.M, Values(g.H.begin() + j * g.n, g.H.begin() + (j + 1) * g.n), x));
    add_dual(x, g.local.W, at(j * m));
  }
  return g;
}

TEST(GlobalFriction, EqualsTheLocalProblem) {
  Random random(94);
  for (int k = 0; k < 100; ++k) {
    const Global g = random_global(random);
    const Solution s = support::solve(g.problem().get(), nullptr);
    ASSERT_TRUE(s.converged()) << "case " << k << ": " << s.text();
    EXPECT_LE(s.result.certificate.dynamics, 1e-10);
    const Values r(s.z.begin() + g.n, s.z.end());
    const double scale = std::max(1.0, norm(g.local.q)) / std::max(1.0, norm(g.w));
    EXPECT_LE(generate::friction_residual(g.local, r) * scale, 2e-8) << "case " << k;
    // M v = H r + f.
    Values defect = generate::multiply(g.M, Values(s.z.begin(), s.z.begin() + g.n));
    const Values load = generate::multiply(g.H, r);
    for (std::size_t i = 0; i < defect.size(); ++i) EXPECT_NEAR(defect[i], load[i] + g.f[i], 1e-9 * (1 + norm(load)));
  }
}

TEST(GlobalFriction, NoContacts) {
  nsm_problem* raw = nullptr;
  const Values M = {2, 0, 0, 4}, f = {1, 1};
  const nsm_matrix mass = support::dense(2, 2, M), H = nsm_matrix_dense(2, 0, nullptr);
  ASSERT_EQ(nsm_problem_create_global_friction(3, &mass, &H, f.data(), nullptr, nullptr, nullptr, nullptr, &raw), NSM_OK)
      << nsm_last_error();
  const ProblemPtr problem(raw);
  const Solution s = support::solve(problem.get(), nullptr);
  EXPECT_TRUE(s.converged());
  EXPECT_EQ(s.z, (Values{0.5, 0.25}));
  EXPECT_EQ(s.result.certificate.worst_block, -1);
  const auto solver = support::setup(problem.get(), nullptr);
  EXPECT_EQ(nsm_update_mu(solver.get(), nullptr, 0), NSM_OK) << nsm_last_error();
  EXPECT_TRUE(support::solve(solver.get(), 2).converged());
}

// Two joints that contradict each other, and no contact: there is nothing to be solved, and the certificate refuses it.
TEST(GlobalFriction, NoContactsAndNoMotion) {
  nsm_problem* raw = nullptr;
  const Values one = {1}, both = {1, 1}, b = {0, 1};
  const nsm_matrix mass = support::dense(1, 1, one), H = nsm_matrix_dense(1, 0, nullptr), G = support::dense(1, 2, both);
  ASSERT_EQ(nsm_problem_create_global_friction(3, &mass, &H, one.data(), nullptr, nullptr, &G, b.data(), &raw), NSM_OK)
      << nsm_last_error();
  const ProblemPtr problem(raw);
  for (std::int64_t k = 0; k < nsm_method_count(); ++k) {
    nsm_method_info info{};
    info.struct_size = sizeof info;
    ASSERT_EQ(nsm_method_describe(k, &info), NSM_OK);
    if ((info.classes & (1u << NSM_GLOBAL_FRICTION)) == 0) continue;
    EXPECT_FALSE(support::solve(problem.get(), info.name).converged()) << info.name;
  }
}

TEST(GlobalFriction, SingularMassIsRefused) {
  nsm_problem* raw = nullptr;
  const Values M = {1, 1, 1, 1}, H = {1, 0, 0, 1};
  const nsm_matrix mass = support::dense(2, 2, M), jacobian = support::dense(2, 2, H);
  ASSERT_EQ(nsm_problem_create_global_friction(2, &mass, &jacobian, Values(2, 1.0).data(), Values(2, 0.0).data(),
                                               Values(1, 0.5).data(), nullptr, nullptr, &raw),
            NSM_OK);
  const ProblemPtr problem(raw);
  nsm_solver* solver = nullptr;
  EXPECT_EQ(nsm_setup(problem.get(), nullptr, nullptr, &solver), NSM_INVALID_VALUE);
  EXPECT_EQ(solver, nullptr);
  EXPECT_NE(std::string(nsm_last_error()).find("singular"), std::string::npos) << nsm_last_error();
}

// The problem is a valid one, which other methods solve.
TEST(FrictionMethods, ASingularBlockIsUnsupportedNotInvalid) {
  nsm_problem* raw = nullptr;
  const Values negative = generate::identity(3, -1);
  const nsm_matrix W = support::dense(3, 3, negative);
  const double q[] = {1, 1, 0}, mu = 0.5;
  ASSERT_EQ(nsm_problem_create_friction(3, &W, q, &mu, &raw), NSM_OK) << nsm_last_error();
  const ProblemPtr problem(raw);
  EXPECT_TRUE(support::solve(problem.get(), nullptr).converged());
  const ProblemPtr swap = support::problem(generate::Lcp{2, {0, 1, 1, 0}, {1, 1}, {}});  // latin: M + I is singular
  for (const auto& [method, refused] : {std::pair("block_gauss_seidel", &problem), {"jacobi", &problem}, {"latin", &swap}}) {
    nsm_solver* solver = nullptr;
    EXPECT_EQ(nsm_setup(refused->get(), method, nullptr, &solver), NSM_UNSUPPORTED) << method;
    EXPECT_NE(std::string(nsm_last_error()).find("singular"), std::string::npos) << nsm_last_error();
  }
}

class SweepOption : public testing::TestWithParam<std::pair<const char*, double>> {};

TEST_P(SweepOption, LeadsToASolution) {
  Random random(95);
  for (int k = 0; k < 50; ++k) {
    const Friction f = random_friction(random, random.integer(2, 3), random.integer(1, 8));
    const Solution s = support::solve(f, "block_gauss_seidel", {{GetParam().first, GetParam().second}});
    EXPECT_TRUE(s.converged()) << "case " << k << ": " << s.text();
    EXPECT_LE(generate::friction_residual(f, s.z), 1e-8);
  }
}

INSTANTIATE_TEST_SUITE_P(Values, SweepOption,
                         testing::Values(std::pair{"relaxation", 0.7}, std::pair{"relaxation", 1.2},
                                         std::pair{"symmetric_sweeps", 1.0}, std::pair{"proximal", 0.1},
                                         std::pair{"check_interval", 1.0}, std::pair{"check_interval", 1000.0}));

TEST(WarmStart, TakesNoIterations) {
  Random random(96);
  for (int k = 0; k < 50; ++k) {
    const Friction f = random_friction(random, 3, 5);
    const ProblemPtr problem = support::problem(f);
    const auto solver = support::setup(problem.get(), nullptr);
    ASSERT_EQ(nsm_warm_start(solver.get(), f.r.data(), 15), NSM_OK);
    const Solution s = support::solve(solver.get(), 15);
    EXPECT_TRUE(s.converged());
    EXPECT_EQ(s.result.iterations, 0);
    EXPECT_EQ(s.z, f.r);
  }
  const Global g = random_global(random);
  const ProblemPtr problem = g.problem();
  const auto solver = support::setup(problem.get(), nullptr);
  const auto size = nsm_problem_size(problem.get());
  const Solution first = support::solve(solver.get(), size);
  EXPECT_TRUE(first.converged());
  const Solution again = support::solve(solver.get(), size);
  EXPECT_EQ(again.result.iterations, 0);
  EXPECT_EQ(again.z, first.z);
}

// Updates followed by a solve from 0 are a fresh setup on the new problem.
TEST(Update, EqualsAFreshSetup) {
  Random random(97);
  for (int k = 0; k < 60; ++k) {
    const int d = random.integer(2, 3), contacts = random.integer(1, 6), n = d * contacts;
    const Friction before = random_friction(random, d, contacts), after = random_friction(random, d, contacts);
    const ProblemPtr old_problem = support::problem(before), new_problem = support::problem(after);
    const auto solver = support::setup(old_problem.get(), nullptr);
    support::solve(solver.get(), n);
    const nsm_matrix W = support::dense(n, n, after.W);
    ASSERT_EQ(nsm_update_matrix(solver.get(), &W), NSM_OK) << nsm_last_error();
    ASSERT_EQ(nsm_update_q(solver.get(), after.q.data(), n), NSM_OK) << nsm_last_error();
    ASSERT_EQ(nsm_update_mu(solver.get(), after.mu.data(), contacts), NSM_OK) << nsm_last_error();
    ASSERT_EQ(nsm_warm_start(solver.get(), Values(at(n), 0.0).data(), n), NSM_OK);
    const Solution updated = support::solve(solver.get(), n), fresh = support::solve(new_problem.get(), nullptr);
    ASSERT_TRUE(updated.converged()) << updated.text();
    EXPECT_EQ(updated.z, fresh.z) << "case " << k;
    EXPECT_EQ(updated.result.iterations, fresh.result.iterations);
    EXPECT_EQ(updated.result.certificate.residual, fresh.result.certificate.residual);
  }
}

TEST(Update, OfAGlobalProblemEqualsAFreshSetup) {
  Random random(98);
  for (int k = 0; k < 40; ++k) {
    Global g = random_global(random);
    const ProblemPtr problem = g.problem();
    const auto solver = support::setup(problem.get(), nullptr);
    const auto size = nsm_problem_size(problem.get());
    support::solve(solver.get(), size);
    g.M = generate::gram(random, g.n, 2 * g.n, 0.5);
    g.w = random.normals(std::int64_t{g.local.dimension} * g.local.contacts);
    g.local.mu = random.uniforms(g.local.contacts, 0, 0.9);
    const nsm_matrix M = support::dense(g.n, g.n, g.M);
    ASSERT_EQ(nsm_update_matrix(solver.get(), &M), NSM_OK) << nsm_last_error();
    ASSERT_EQ(nsm_update_q(solver.get(), g.w.data(), static_cast<std::int64_t>(g.w.size())), NSM_OK) << nsm_last_error();
    ASSERT_EQ(nsm_update_mu(solver.get(), g.local.mu.data(), g.local.contacts), NSM_OK) << nsm_last_error();
    ASSERT_EQ(nsm_warm_start(solver.get(), Values(at(size), 0.0).data(), size), NSM_OK);
    const Solution updated = support::solve(solver.get(), size), fresh = support::solve(g.problem().get(), nullptr);
    EXPECT_EQ(updated.z, fresh.z) << "case " << k;
  }
}

TEST(Update, RefusesWhatDoesNotFit) {
  Random random(99);
  const Friction f = random_friction(random, 3, 2);
  const ProblemPtr problem = support::problem(f);
  const auto solver = support::setup(problem.get(), nullptr);
  const Solution before = support::solve(solver.get(), 6);
  Values q = f.q, W = f.W;
  EXPECT_EQ(nsm_update_q(solver.get(), q.data(), 5), NSM_INVALID_DIMENSION);
  q[3] = NAN;
  EXPECT_EQ(nsm_update_q(solver.get(), q.data(), 6), NSM_NOT_FINITE);
  EXPECT_EQ(nsm_warm_start(solver.get(), q.data(), 6), NSM_NOT_FINITE);
  EXPECT_EQ(nsm_update_mu(solver.get(), Values{0.1, -0.1}.data(), 2), NSM_INVALID_VALUE);
  W[7] = HUGE_VAL;
  const nsm_matrix bad = support::dense(6, 6, W), small = support::dense(3, 3, f.W);
  EXPECT_EQ(nsm_update_matrix(solver.get(), &bad), NSM_NOT_FINITE);
  EXPECT_EQ(nsm_update_matrix(solver.get(), &small), NSM_INVALID_STRUCTURE);
  const Solution after = support::solve(solver.get(), 6);
  EXPECT_EQ(after.z, before.z) << "a refused update changes nothing";
}

// --- other classes ---

TEST(Generic, MixedBlocks) {
  Random random(101);
  for (int k = 0; k < 200; ++k) {
    const std::int32_t kinds[] = {NSM_BLOCK_EQUALITY, NSM_BLOCK_COMPLEMENTARITY, NSM_BLOCK_RELAY, NSM_BLOCK_FRICTION_3D,
                                  NSM_BLOCK_FRICTION_2D};
    const std::int32_t sizes[] = {2, 2, 2, 3, 2};
    const int n = 11;
    const Values M = generate::gram(random, n, 2 * n, 0.1), q = random.normals(n), mu = {0, 0, 0, 0.4, 0.3};
    const Values lo(at(n), -0.2), hi(at(n), 0.3);
    nsm_problem* raw = nullptr;
    const nsm_matrix view = support::dense(n, n, M);
    ASSERT_EQ(nsm_problem_create_generic(&view, q.data(), 5, kinds, sizes, mu.data(), lo.data(), hi.data(), &raw), NSM_OK);
    const ProblemPtr problem(raw);
    const Solution s = support::solve(problem.get(), nullptr);
    ASSERT_TRUE(s.converged()) << "case " << k << ": " << s.text();
    Values w = generate::multiply(M, s.z);
    const double e = 1e-7 * (1 + norm(q));
    for (std::size_t i = 0; i < w.size(); ++i) w[i] += q[i];
    for (std::size_t i : {0u, 1u}) EXPECT_NEAR(w[i], 0, e);
    for (std::size_t i : {2u, 3u}) EXPECT_NEAR(std::min(w[i], s.z[i]), 0, e);
    for (std::size_t i : {4u, 5u}) EXPECT_NEAR(s.z[i], std::clamp(s.z[i] - w[i], -0.2, 0.3), e);
    EXPECT_LE(std::hypot(s.z[7], s.z[8]), 0.4 * s.z[6] + e);
    EXPECT_LE(std::abs(s.z[10]), 0.3 * s.z[9] + e);
    EXPECT_GE(w[6], -e);
    EXPECT_GE(w[9], -e);
  }
}

// x+ = x + h s with s in -Sgn(x+): after a finite number of steps x is exactly 0, and stays there without chattering.
TEST(Relay, SlidesWithoutChattering) {
  const double h = 0.1;
  double x = 1.05;
  for (int step = 0; step < 30; ++step) {
    // w = x+ = x + h z with -w in N_[-1,1](z).
    nsm_problem* raw = nullptr;
    const nsm_matrix M = nsm_matrix_dense(1, 1, &h);
    const double lo = -1, hi = 1;
    ASSERT_EQ(nsm_problem_create_relay(&M, &x, &lo, &hi, &raw), NSM_OK);
    const ProblemPtr problem(raw);
    const Solution s = support::solve(problem.get(), nullptr);
    ASSERT_TRUE(s.converged());
    x = x + h * s.z[0];
    if (step >= 11) {
      EXPECT_NEAR(x, 0, 1e-14) << "step " << step;
    }
  }
}

// Box inequality with a solution chosen on random faces.
TEST(Avi, BoxWithAChosenSolution) {
  Random random(102);
  for (int k = 0; k < 200; ++k) {
    const int n = random.integer(1, 10);
    const Values M = generate::gram(random, n, 2 * n, 0.3);
    Values lo = random.normals(n), hi = lo, x(at(n)), q(at(n));
    for (std::size_t i = 0; i < x.size(); ++i) {
      hi[i] += random.uniform(0.1, 2);
      const int face = random.integer(0, 2);
      x[i] = face == 0 ? lo[i] : face == 1 ? hi[i] : random.uniform(lo[i], hi[i]);
      q[i] = face == 0 ? random.uniform() : face == 1 ? -random.uniform() : 0;
      if (face == 2 && random.chance(0.2)) lo[i] = -HUGE_VAL;
    }
    q = generate::right_hand_side(q, generate::multiply(M, x));
    nsm_problem *avi = nullptr, *relay = nullptr;
    const nsm_matrix view = support::dense(n, n, M);
    ASSERT_EQ(nsm_problem_create_avi(&view, q.data(), nullptr, nullptr, lo.data(), hi.data(), &avi), NSM_OK) << nsm_last_error();
    ASSERT_EQ(nsm_problem_create_relay(&view, q.data(), lo.data(), hi.data(), &relay), NSM_OK);
    for (nsm_problem* raw : {avi, relay}) {
      const ProblemPtr problem(raw);
      const Solution s = support::solve(problem.get(), nullptr);
      ASSERT_TRUE(s.converged()) << "case " << k << ": " << s.text();
      for (std::size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(s.z[i], x[i], 1e-6 * (1 + norm(q)));
    }
  }
}

TEST(Rolling, ReducesToCoulombWhenRollingIsFree) {
  // mu_r = 0: no rolling moment; W couples nothing, so that the contact part is Coulomb's.
  Random random(103);
  for (int k = 0; k < 50; ++k) {
    const Values W = generate::identity(5), q = {-1, 3 * random.normal(), random.normal(), random.normal(), random.normal()};
    nsm_problem* raw = nullptr;
    const nsm_matrix view = support::dense(5, 5, W);
    const double mu = 0.5, mu_r = 0;
    ASSERT_EQ(nsm_problem_create_rolling(5, &view, q.data(), &mu, &mu_r, &raw), NSM_OK);
    const ProblemPtr problem(raw);
    const Solution s = support::solve(problem.get(), nullptr);
    ASSERT_TRUE(s.converged()) << s.text();
    const Friction f{3, 1, generate::identity(3), {q[0], q[1], q[2]}, {mu}, {}, {}};
    EXPECT_LE(generate::friction_residual(f, {s.z[0], s.z[1], s.z[2]}), 1e-7);
    EXPECT_NEAR(s.z[3], 0, 1e-8);
    EXPECT_NEAR(s.z[4], 0, 1e-8);
  }
}

TEST(Rolling, RandomProblems) {
  Random random(104);
  for (int k = 0; k < 150; ++k) {
    const int d = k % 2 == 0 ? 5 : 3, contacts = random.integer(1, 5), n = d * contacts;
    const Values W = generate::gram(random, n, 2 * n, 0.1), mu = random.uniforms(contacts, 0.1, 0.8),
                 mu_r = random.uniforms(contacts, 0.01, 0.2);
    nsm_problem* raw = nullptr;
    const nsm_matrix view = support::dense(n, n, W);
    ASSERT_EQ(nsm_problem_create_rolling(d, &view, random.normals(n).data(), mu.data(), mu_r.data(), &raw), NSM_OK);
    const ProblemPtr problem(raw);
    const Solution s = support::solve(problem.get(), nullptr);
    EXPECT_TRUE(s.converged()) << "case " << k << ": " << s.text();
    const std::size_t part = at((d - 1) / 2);
    for (std::size_t c = 0; c < at(contacts); ++c) {
      const double* r = s.z.data() + c * at(d);
      EXPECT_LE(norm(Values(r + 1, r + 1 + part)), mu[c] * r[0] * (1 + 1e-12) + 1e-15);
      EXPECT_LE(norm(Values(r + 1 + part, r + 1 + 2 * part)), mu_r[c] * r[0] * (1 + 1e-12) + 1e-15);
    }
  }
}

TEST(SecondOrderCones, RandomProblems) {
  Random random(105);
  for (int k = 0; k < 100; ++k) {
    const std::int32_t start[] = {0, 3, 4, 8};
    const Values M = generate::gram(random, 8, 16, 0.1), q = random.normals(8), tau = {1, 2, 0.5};
    nsm_problem* raw = nullptr;
    const nsm_matrix view = support::dense(8, 8, M);
    ASSERT_EQ(nsm_problem_create_soclcp(&view, q.data(), 3, start, tau.data(), &raw), NSM_OK) << nsm_last_error();
    const ProblemPtr problem(raw);
    const Solution s = support::solve(problem.get(), nullptr);
    ASSERT_TRUE(s.converged()) << "case " << k << ": " << s.text();
    for (std::size_t c = 0; c < 3; ++c) {
      const auto a = at(start[c]), b = at(start[c + 1]);
      double product = 0;
      for (std::size_t i = a; i < b; ++i) product += s.z[i] * s.w[i];
      EXPECT_NEAR(product, 0, 1e-6 * (1 + norm(q)));
      EXPECT_LE(norm(Values(s.z.begin() + start[c] + 1, s.z.begin() + start[c + 1])), tau[c] * s.z[a] + 1e-7);
      EXPECT_LE(tau[c] * norm(Values(s.w.begin() + start[c] + 1, s.w.begin() + start[c + 1])), s.w[a] + 1e-7);
    }
  }
}

// Sweeps diverge there; Newton's steps from the start do not.
TEST(SecondOrderCones, SweepsThatDivergeDoNotSpoilTheStart) {
  const std::int32_t start[] = {0, 2, 3};
  const Values M = {1, 3, 3, 2, 3, 0, 2, 3, 2}, q = {-4, -6, -4}, tau = {0.5, 0.2651448378964685};
  nsm_problem* raw = nullptr;
  const nsm_matrix view = support::dense(3, 3, M);
  ASSERT_EQ(nsm_problem_create_soclcp(&view, q.data(), 2, start, tau.data(), &raw), NSM_OK) << nsm_last_error();
  const ProblemPtr problem(raw);
  for (const char* method : {"semismooth_newton", "auto"}) {
    const Solution s = support::solve(problem.get(), method);
    EXPECT_TRUE(s.converged()) << method << ": " << s.text();
  }
}

// Entries from 1e-8 to 1e8: sweeps and projections lead astray without diverging.
TEST(SecondOrderCones, NewtonStepsFromTheStartAreTried) {
  const std::int32_t start[] = {0, 2, 6};
  const Values M = {8.24e7, -0.342,  -33.1,  -36300, 8.97e6, 10.8,     -0.152, 1.25e-7, 2.44e-5,  0.00219, 0.14, -9.57e-8,
                    56.2,   3.06e-5, 0.0285, -8.68,  16.9,   -3.86e-4, 663,    0.00477, -7.47,    3630,    7430, 0.0946,
                    9.55e6, 0.181,   36.2,   15400,  1.75e6, 2.89,     15.4,   2.24e-7, -2.35e-4, 0.157,   3.88, 1.82e-5};
  const Values q(6, -1.0), tau = {0.001, 0.001};
  nsm_problem* raw = nullptr;
  const nsm_matrix view = support::dense(6, 6, M);
  ASSERT_EQ(nsm_problem_create_soclcp(&view, q.data(), 2, start, tau.data(), &raw), NSM_OK) << nsm_last_error();
  const ProblemPtr problem(raw);
  const Solution s = support::solve(problem.get(), "auto");
  EXPECT_TRUE(s.converged()) << s.text();
}

// Two clamps approach while the body between them cannot give way: no solution, and a proof of that.
TEST(Friction, InfeasibleClampsAreNotSolved) {
  const Friction f{2, 2, {1, 0, -1, 0, 0, 1, 0, 0, -1, 0, 1, 0, 0, 0, 0, 1}, {-1, 0, -1, 0}, {0.5, 0.5}, {}, {}};
  const Solution s = support::solve(f, nullptr, {{"max_iterations", 3000}});
  EXPECT_EQ(s.result.outcome, NSM_INFEASIBLE) << s.text();
  EXPECT_GE(s.result.certificate.residual, 1e-3);
}

}  // namespace friction_methods_test
