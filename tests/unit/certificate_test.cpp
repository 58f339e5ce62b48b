// The certificate: residuals against formulas worked out by hand, verdicts, and what must never be certified.
#include "certificate/certificate.hpp"
#include "certificate/farkas.hpp"

#include <gtest/gtest.h>

#include <cfloat>
#include <cmath>

#include "../support/generators.hpp"
#include "methods/solver/solver.hpp"
#include "nonsmooth/nonsmooth.h"

namespace nonsmooth::certificate_test {

using generate::at;
using generate::norm;
using generate::Random;

Matrix dense(int n, const Vector& values) { return Matrix(DenseMatrix{n, n, values}, "M"); }
Matrix dense(int rows, int cols, const Vector& values) { return Matrix(DenseMatrix{rows, cols, values}, "M"); }

Problem problem_of(ProblemData data) {
  Problem problem;
  problem.data = std::move(data);
  validate(problem);
  return problem;
}

nsm_certificate certify(const Problem& problem, const Vector& z, double tolerance = 1e-8, const Vector& w = {}) {
  Certifier certifier(problem);
  return certifier.certify(z, w, tolerance);
}

TEST(Certificate, LcpByHand) {
  const Problem p = problem_of(Lcp{dense(2, {2, 1, 0, 1}), {-3, 4}});
  // z = (1, 0): w = (-1, 5); min(z, w) = (-1, 0), |q| = 5.
  const nsm_certificate c = certify(p, {1, 0});
  EXPECT_DOUBLE_EQ(c.residual, 0.2);
  EXPECT_DOUBLE_EQ(c.natural_map, 0.2);
  EXPECT_EQ(c.dynamics, 0);
  EXPECT_EQ(c.verdict, NSM_NOT_CERTIFIED);
  EXPECT_EQ(c.worst_block, 0);
  EXPECT_DOUBLE_EQ(c.worst_block_residual, 1);
  EXPECT_DOUBLE_EQ(c.infeasibility, 1);  // of w
  EXPECT_DOUBLE_EQ(c.complementarity, 1);
  EXPECT_DOUBLE_EQ(c.rounding_floor, 64 * DBL_EPSILON * std::hypot(5.0, 5.0) / 5);
  EXPECT_EQ(c.fclib_merit, 0);
  EXPECT_DOUBLE_EQ(c.siconos_error, 1 / std::sqrt(26.0));
  EXPECT_EQ(certify(p, {1.5, 0}).verdict, NSM_CERTIFIED);
  EXPECT_EQ(certify(p, {1.5, 0}).residual, 0);
}

// z - P(z - w) with z so large that z - w rounds to z: w must not be lost.
TEST(Certificate, ALargeZDoesNotSwallowW) {
  EXPECT_EQ(certify(problem_of(Lcp{dense(2, {0, 0, 0, 0}), {-1, 2}}), {1e17, 0}).residual, 1 / std::sqrt(5.0));
  EXPECT_EQ(certify(problem_of(Relay{dense(1, {0}), {-1}, {0}, {HUGE_VAL}}), {1e17}).residual, 1);
  EXPECT_EQ(certify(problem_of(Mlcp{dense(1, {0}), {-1}, {0}}), {1e17}).residual, 1);
  // On a cone only the rounding floor can tell.
  EXPECT_EQ(certify(problem_of(Friction{2, dense(2, {0, 0, 0, 0}), {-1, 0}, {0.5}}), {1e17, 0}).verdict, NSM_NOT_CERTIFIED);
}

TEST(Certificate, TheScaleIsAtLeastOne) {
  EXPECT_DOUBLE_EQ(certify(problem_of(Lcp{dense(1, {1}), {-1e-3}}), {0}).residual, 1e-3);
}

TEST(Certificate, MlcpByHand) {
  const Problem p = problem_of(Mlcp{dense(2, {1, 1, 1, 1}), {-3, -2}, {0, 1}});
  // z = (1, 1): w = (-1, 0): the equality is off by 1.
  const nsm_certificate c = certify(p, {1, 1});
  EXPECT_DOUBLE_EQ(c.residual, 1 / std::sqrt(13.0));
  EXPECT_EQ(c.worst_block, 0);
  EXPECT_EQ(certify(p, {3, 0}).verdict, NSM_CERTIFIED);
}

TEST(Certificate, RelayByHand) {
  const Problem p = problem_of(Relay{dense(2, {1, 0, 0, 1}), {-3, 0.5}, {-1, -1}, {1, 1}});
  EXPECT_EQ(certify(p, {1, -0.5}).residual, 0);
  // z = (1, 1.25) outside by .25: w = (-2, 1.75), z - w = (3, -.5), P = (1, -.5).
  const nsm_certificate c = certify(p, {1, 1.25});
  EXPECT_DOUBLE_EQ(c.residual, 1.75 / std::hypot(3, 0.5));
  EXPECT_EQ(c.worst_block, 1);
  EXPECT_DOUBLE_EQ(c.infeasibility, 0.25);
}

TEST(Certificate, AviOnAPolyhedronByHand) {
  Avi avi{dense(2, {1, 0, 0, 1}), {-2, -2}, {}};
  avi.set = {dense(1, 2, {-1, -1}), {-1}, {}, {}};  // x + y <= 1
  const Problem p = problem_of(avi);
  EXPECT_EQ(certify(p, {0.5, 0.5}).verdict, NSM_CERTIFIED);
  // z = 0: w = (-2, -2), P(2, 2) = (.5, .5).
  EXPECT_DOUBLE_EQ(certify(p, {0, 0}).natural_map, std::sqrt(0.5) / std::sqrt(8.0));
  std::get<Avi>(problem_of(avi).data);
  avi.set = {dense(2, 2, {1, -1, 1, -1}), {1, 0}, {}, {}};  // x + y >= 1 and <= 0
  const nsm_certificate c = certify(problem_of(avi), {0.5, 0.5});
  EXPECT_EQ(c.verdict, NSM_NOT_CERTIFIED);
  EXPECT_FALSE(c.residual <= 1) << "an empty set has no small residual";
}

// z >= 1000 and z <= 1000 - 1e-7: as little as that, relative to 1000, a projection forgives.
TEST(Certificate, AnAlmostEmptyPolyhedronIsEmpty) {
  for (const double size : {1e3, 1e5}) {
    Avi avi{dense(1, {1}), {0}, {}};
    avi.set = {dense(2, 1, {1, -1}), {size, -(size - 1e-10 * size)}, {}, {}};
    const nsm_certificate c = certify(problem_of(avi), {size});
    EXPECT_EQ(c.verdict, NSM_NOT_CERTIFIED) << size;
    EXPECT_GE(c.residual, 0.9e-10 * size);
  }
}

TEST(Certificate, FrictionByHand) {
  const Problem p = problem_of(Friction{3, dense(3, generate::identity(3)), {-1, 3, -4}, {0.5}});
  EXPECT_LE(certify(p, {1, -0.3, 0.4}).residual, 1e-15);
  // r = (1, 0, 0): u = (0, 3, -4), u~ = (2.5, 3, -4); r - u~ = (-1.5, -3, 4): |t| = 5, P_N = (-1.5 + 2.5) / 1.25 = .8,
  // P_T = .4 (-.6, .8).
  const nsm_certificate c = certify(p, {1, 0, 0});
  EXPECT_NEAR(c.natural_map, std::hypot(0.2, 0.4) / std::sqrt(26.0), 1e-15);
  EXPECT_NEAR(c.fclib_merit, std::hypot(0.2, 0.4), 1e-15);
  EXPECT_NEAR(c.complementarity, 2.5, 1e-15);
}

TEST(Certificate, RollingByHand) {
  const Problem p = problem_of(Rolling{5, dense(5, generate::identity(5)), {-1, 3, -4, 0.05, 0}, {0.5}, {0.1}});
  // Slides in T, sticks in R.
  EXPECT_LE(certify(p, {1, -0.3, 0.4, -0.05, 0}).residual, 1e-15);
  EXPECT_GT(certify(p, {1, -0.3, 0.4, 0, 0}).residual, 1e-3);
}

TEST(Certificate, SecondOrderConeHasNoShift) {
  const Problem p = problem_of(Soclcp{dense(2, generate::identity(2)), {-1, 3}, {0, 2}, {1}});
  // Projection of -q = (1, -3) on |t| <= n: (2, -2).
  EXPECT_LE(certify(p, {2, -2}).residual, 1e-15);
  EXPECT_GT(certify(p, {1, -1}).residual, 1e-3);
}

TEST(Certificate, GenericByHand) {
  Generic g{dense(5, generate::identity(5)), {-1, -2, 3, -1, 0.25}, {0, 1, 2, 3}, {1, 1, 1, 2}, {0, 0, 0, 0.5}, {}, {}};
  g.lo = Vector(5, -1.0);
  g.hi = Vector(5, 1.0);
  const Problem p = problem_of(g);
  EXPECT_EQ(certify(p, {1, 2, -1, 1, -0.25}).residual, 0);
  const nsm_certificate c = certify(p, {1, 2, 0, 1, -0.25});  // relay: P(0 - 3) = -1
  EXPECT_DOUBLE_EQ(c.worst_block_residual, 1);
  EXPECT_EQ(c.worst_block, 2);
}

// Sets are counted otherwise: one for each of the two complementarities, one for both equalities.
TEST(Certificate, TheWorstBlockIsOneOfTheProblem) {
  const Problem generic = problem_of(Generic{dense(6, generate::identity(6)),
                                             {0, 0, 0, -1, 2, 0},
                                             {NSM_BLOCK_EQUALITY, NSM_BLOCK_COMPLEMENTARITY, NSM_BLOCK_FRICTION_3D},
                                             {1, 2, 3},
                                             {0, 0, 0.5},
                                             {},
                                             {}});
  EXPECT_EQ(certify(generic, {0, 0, 0, 0, 0, 0}).worst_block, 2);
  EXPECT_EQ(certify(generic, {0, 0, 5, 0, 0, 0}).worst_block, 1);
  const Problem mixed = problem_of(Mlcp{dense(4, generate::identity(4)), {0, 0, 0, 0}, {1, 0, 0, 1}});
  EXPECT_EQ(certify(mixed, {0, 0, -2, 1}).worst_block, 2);
  EXPECT_EQ(certify(mixed, {0, 0, 1, 2}).worst_block, 3);
}

GlobalFriction falling_point() {
  GlobalFriction g;
  g.dimension = 3;
  g.M = dense(3, generate::identity(3, 2));
  g.H = dense(3, generate::identity(3));
  g.f = {-4, 1, 0};
  g.w = {0, 0, 0};
  g.mu = {0.5};
  return g;
}

TEST(Certificate, GlobalFrictionByHand) {
  const Problem p = problem_of(falling_point());
  // Free velocity (-2, .5, 0); r = (4, -1, 0) sticks.
  EXPECT_EQ(certify(p, {0, 0, 0, 4, -1, 0}).verdict, NSM_CERTIFIED);
  // Right r, wrong v: M v - H r - f = (2, 0, 0) against |f| = sqrt 17.
  const nsm_certificate c = certify(p, {1, 0, 0, 4, -1, 0});
  EXPECT_DOUBLE_EQ(c.dynamics, 2 / std::sqrt(17.0));
  EXPECT_GE(c.residual, c.dynamics);
  EXPECT_EQ(c.verdict, NSM_NOT_CERTIFIED);
}

TEST(Certificate, GlobalBilateralEquations) {
  GlobalFriction g = falling_point();
  g.G = dense(3, 1, {0, 0, 1});
  g.b = {-3};
  const Problem p = problem_of(g);
  // v_3 = 3 is imposed: l = 6 drives it, and the contact slides along T2: r_T = -.5 r_N e2 would change v; r = 0 is no solution.
  const nsm_certificate c = certify(p, {0, 0, 0, 0, 4, -1, 0});
  EXPECT_GE(c.dynamics, 1.0) << "G'v + b = -3";
}

TEST(Certificate, VerdictAtTheRoundingFloor) {
  const Problem p = problem_of(Lcp{dense(2, {1.0 / 3, 0.1, 0.1, 1.0 / 7}), {-1, -1}});
  Vector z;
  ASSERT_TRUE(generate::solve({1.0 / 3, 0.1, 0.1, 1.0 / 7}, {1, 1}, z));
  z[0] *= 1 + 8 * DBL_EPSILON;
  const nsm_certificate strict = certify(p, z, 1e-17);
  EXPECT_GT(strict.residual, 1e-17);
  EXPECT_EQ(strict.verdict, NSM_WORKING_PRECISION);
  EXPECT_EQ(certify(p, z, 1e-8).verdict, NSM_CERTIFIED);
  EXPECT_EQ(certify(p, z, 0).verdict, NSM_WORKING_PRECISION);
  z[0] *= 1 + 1e-10;
  EXPECT_EQ(certify(p, z, 1e-17).verdict, NSM_NOT_CERTIFIED);
}

TEST(Certificate, DefectOfTheGivenW) {
  const Problem p = problem_of(Lcp{dense(1, {2}), {-4}});
  const nsm_certificate c = certify(p, {2}, 1e-8, {1});
  EXPECT_DOUBLE_EQ(c.w_defect, 0.25);
  EXPECT_EQ(c.residual, 0) << "w is recomputed: the one given cannot change the verdict";
  EXPECT_EQ(certify(p, {2}).w_defect, 0);
}

// The true residual of the LCP below is at least 1 for every z, but rounding hides it from any computation in double precision.
TEST(Certificate, HugeIteratesOfAnInfeasibleLcpGetNoVerdict) {
  const Problem p = problem_of(Lcp{dense(2, {1, -1, -1, 1}), {-1, -1}});
  for (double size = 1; size < 1e300; size *= 10)
    for (double tolerance : {1e-12, 1e-8, 1e-4})
      EXPECT_EQ(certify(p, {size, size}, tolerance).verdict, NSM_NOT_CERTIFIED) << size << " " << tolerance;
}

TEST(Certificate, OverflowGetsNoVerdict) {
  // M v and H r overflow, their difference is NaN, the contact looks perfect.
  GlobalFriction g;
  g.dimension = 2;
  g.M = dense(1, {1e200});
  g.H = dense(1, 2, {1e100, 0});
  g.f = {0};
  g.w = {-1e250, 0};
  g.mu = {0};
  const nsm_certificate c = certify(problem_of(g), {1e150, 1e300, 0});
  EXPECT_EQ(c.verdict, NSM_NOT_CERTIFIED) << "residual " << c.residual << " dynamics " << c.dynamics;
  const Problem lcp = problem_of(Lcp{dense(2, {1e300, -1e300, -1e300, 1e300}), {-1, -1}});
  EXPECT_EQ(certify(lcp, {1e300, 1e300}).verdict, NSM_NOT_CERTIFIED);
}

// Finite where the squares of differences overflow.
TEST(Certificate, HugeDataHaveAResidual) {
  Soclcp soclcp;
  soclcp.M = dense(2, {2, 1, 1, 2});
  soclcp.q = {-1e160, 1e160};
  soclcp.cone_start = {0, 2};
  soclcp.tau = {0.5};
  const Problem problem = problem_of(soclcp);
  const nsm_certificate c = certify(problem, {0, 0});
  EXPECT_NEAR(c.worst_block_residual / 1e160, std::sqrt(1.8), 1e-12);
  EXPECT_NEAR(c.residual, std::sqrt(0.9), 1e-12);
  EXPECT_EQ(c.verdict, NSM_NOT_CERTIFIED);
}

// tau^2 overflows: z = 0 is no solution, since w = (1, 1) lies beside the dual cone {tau |w_T| <= w_N}.
TEST(Certificate, SteepConesAreNotNormals) {
  Soclcp soclcp;
  soclcp.M = dense(2, {1, 0, 0, 1});
  soclcp.q = {1, 1};
  soclcp.cone_start = {0, 2};
  for (const double tau : {1e9, 1e155, 1e300}) {
    soclcp.tau = {tau};
    const Problem problem = problem_of(soclcp);
    EXPECT_NEAR(certify(problem, {0, 0}).residual, std::sqrt(0.5), 1e-6) << tau;
    EXPECT_EQ(certify(problem, {2 / tau, -1}).verdict, NSM_CERTIFIED) << tau;
  }
}

struct Handle {
  nsm_problem* problem = nullptr;
  Handle(const generate::Lcp& lcp) {
    const nsm_matrix M = nsm_matrix_dense(lcp.n, lcp.n, lcp.M.data());
    EXPECT_EQ(nsm_problem_create_lcp(&M, lcp.q.data(), &problem), NSM_OK);
  }
  ~Handle() { nsm_problem_free(&problem); }
};

TEST(Certificate, NotANumberIsRefused) {
  const Handle handle(generate::kostreva());
  nsm_certificate c = NSM_CERTIFICATE_INIT;
  for (double bad : {double(NAN), HUGE_VAL, -HUGE_VAL}) {
    const double z[] = {0, bad, 0}, w[] = {0, 0, 0};
    EXPECT_EQ(nsm_certify(handle.problem, z, nullptr, &c), NSM_NOT_FINITE);
    EXPECT_EQ(nsm_certify(handle.problem, w, z, &c), NSM_NOT_FINITE);
  }
  EXPECT_EQ(nsm_certify(handle.problem, nullptr, nullptr, &c), NSM_INVALID_ARGUMENT);
}

// Every change of a certified solution by much more than the tolerance is noticed when M is well conditioned.
TEST(Certificate, WrongSolutionsAreNeverCertified) {
  Random random(51);
  for (int k = 0; k < 2000; ++k) {
    const int n = random.integer(1, 8);
    const generate::Lcp lcp = generate::constructed(random, n, generate::gram(random, n, 2 * n, 0.5));
    const Problem p = problem_of(Lcp{dense(n, lcp.M), lcp.q});
    EXPECT_EQ(certify(p, lcp.z).verdict, NSM_CERTIFIED);
    Vector wrong = lcp.z;
    wrong[at(random.integer(0, n - 1))] += (random.chance(0.5) ? 1 : -1) * random.magnitude(-6, 3);
    const nsm_certificate c = certify(p, wrong);
    EXPECT_EQ(c.verdict, NSM_NOT_CERTIFIED);
    EXPECT_NEAR(c.residual, lcp.residual(wrong), 1e-12 * (1 + c.residual));
  }
}

TEST(Certificate, WrongContactForcesAreNeverCertified) {
  Random random(52);
  for (int k = 0; k < 1000; ++k) {
    const int d = random.integer(2, 3), nc = random.integer(1, 5);
    const auto f = generate::constructed_friction(random, d, nc, generate::gram(random, d * nc, 2 * d * nc, 0.5));
    const Problem p = problem_of(Friction{d, dense(d * nc, f.W), f.q, f.mu});
    EXPECT_EQ(certify(p, f.r).verdict, NSM_CERTIFIED);
    Vector wrong = f.r;
    wrong[at(random.integer(0, d * nc - 1))] += (random.chance(0.5) ? 1 : -1) * random.magnitude(-5, 2);
    const nsm_certificate c = certify(p, wrong);
    EXPECT_EQ(c.verdict, NSM_NOT_CERTIFIED) << c.residual;
    EXPECT_NEAR(c.residual, generate::friction_residual(f, wrong), 1e-12 * (1 + c.residual));
  }
}

bool proves(const generate::Lcp& lcp, const Vector& y, double tolerance = 1e-9) {
  const Handle handle(lcp);
  std::int32_t verified = -1;
  EXPECT_EQ(nsm_certify_infeasible(handle.problem, y.data(), tolerance, &verified), NSM_OK);
  return verified == 1;
}

TEST(Infeasibility, ProofsAreAcceptedOnlyIfTheyAre) {
  const generate::Lcp psd{2, {1, -1, -1, 1}, {-1, -1}, {}};
  EXPECT_TRUE(proves(psd, {1, 1}));
  EXPECT_TRUE(proves(psd, {1e-200, 1e-200})) << "scaling a proof does not spoil it";
  EXPECT_FALSE(proves(psd, {1, 0.5}));
  EXPECT_FALSE(proves(psd, {0, 0}));
  EXPECT_FALSE(proves(psd, {-1, -1}));
  EXPECT_FALSE(proves(psd, {NAN, 1}));
  EXPECT_FALSE(proves(psd, {HUGE_VAL, 1}));
  const generate::Lcp solvable{2, {1, -1, -1, 1}, {-1, 1}, {}};
  EXPECT_FALSE(proves(solvable, {1, 1})) << "q'y = 0 proves nothing";
  EXPECT_TRUE(proves({1, {-1}, {-1}, {}}, {1}));
  EXPECT_TRUE(proves({1, {0}, {-1}, {}}, {1}));
  EXPECT_FALSE(proves({1, {1e-3}, {-1}, {}}, {1})) << "z = 1000 solves it";
  EXPECT_TRUE(proves({2, {0, 0, 1, 0}, {-1, -1}, {}}, {0, 1}));
}

// No y proves a solvable LCP infeasible.
TEST(Infeasibility, SolvableProblemsAreNeverProvedInfeasible) {
  Random random(53);
  for (int k = 0; k < 2000; ++k) {
    const int n = random.integer(1, 6);
    const generate::Lcp lcp = generate::constructed(random, n, generate::gram(random, n, std::max(1, n / 2), 0));
    Vector y = random.uniforms(n, 0, 1);
    for (double& entry : y) entry = random.chance(0.3) ? 0 : entry;
    EXPECT_FALSE(proves(lcp, y));
  }
}

// z1 + z2 >= 3, -z1 >= -1 over z in [0, 1.5]^2 (infeasible) or [0, 2.5]^2 (not).
TEST(Infeasibility, OfPolyhedra) {
  Avi avi{dense(2, {1, 0, 0, 1}), {0, 0}, {}};
  avi.set = {dense(2, 2, {1, -1, 1, 0}), {3, -1}, {0, 0}, {1.5, 1.5}};
  Vector workspace(6);
  const auto proves = [&](Vector y) {
    const Problem p = problem_of(avi);
    EXPECT_EQ(proof_size(p), 2);
    return proves_infeasible(local_inclusion(p), y, 1e-9, 0, workspace);
  };
  EXPECT_TRUE(proves({1, 1})) << "z2 >= 2 against z2 <= 1.5";
  EXPECT_FALSE(proves({1, 0})) << "z1 + z2 >= 3 alone is met at the corner";
  EXPECT_FALSE(proves({1, -1}));
  EXPECT_FALSE(proves({0, 0}));
  avi.set.hi = {2.5, 2.5};
  EXPECT_FALSE(proves({1, 1}));
  avi.set.hi.clear();
  EXPECT_FALSE(proves({1, 1}));
}

// Positive definite, with a solution of 5e10 and more: nothing but rounding may be left of M'y.
TEST(Infeasibility, AlmostSingularIsNotSingular) {
  for (const double d : {1e-13, 1e-11, 1e-9}) EXPECT_FALSE(proves({2, {1 + d, -1, -1, 1}, {-1, 0.5}, {}}, {1, 1})) << d;
}

TEST(Infeasibility, RefinementLeavesRoundingOnly) {
  Random random(61);
  for (int k = 0; k < 50; ++k) {
    const int n = random.integer(4, 40), rank = n / 2;
    Vector B = random.uniforms(n * rank, -1, 1), y = random.uniforms(n, 0.1, 1);
    for (int j = 0; j < rank; ++j) {  // y in the kernel of B'
      const double product = std::inner_product(y.begin(), y.end(), &B[at(j * n)], 0.0);
      B[at(j * n)] -= product / y[0];
    }
    Lcp lcp{dense(n, Vector(at(n * n), 0.0)), random.uniforms(n, -1, 1)};
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        for (int c = 0; c < rank; ++c) lcp.M.own_values()[at(i + j * n)] += B[at(i + c * n)] * B[at(j + c * n)];
    lcp.q[0] -= (1 + std::inner_product(y.begin(), y.end(), lcp.q.begin(), 0.0)) / y[0];
    const Problem p = problem_of(lcp);
    const Inclusion view = local_inclusion(p);
    Vector workspace(refinement_workspace(view));
    for (double& entry : y) entry *= 1 + 1e-11 * random.uniform(-1, 1);
    EXPECT_FALSE(proves_infeasible(view, y, 1e-9, 0, workspace));
    ASSERT_TRUE(refine_proof(view, y, workspace));
    EXPECT_TRUE(proves_infeasible(view, y, 1e-9, 0, workspace)) << "n = " << n;
  }
}

TEST(Certificate, ATruncatedStructIsToldBeforeTheWork) {
  const Handle handle(generate::Lcp{1, {1}, {-1}, {}});
  nsm_certificate certificate = NSM_CERTIFICATE_INIT;
  certificate.struct_size = 8;
  const double z = 1;
  EXPECT_EQ(nsm_certify(handle.problem, &z, nullptr, &certificate), NSM_INVALID_ARGUMENT);
}

// The size told without a view, and with it.
TEST(Infeasibility, SizesOfProofs) {
  const Matrix I = dense(2, generate::identity(2)), I3 = dense(3, generate::identity(3));
  const Vector q = {1, 1}, lo = {-1, -1}, q3 = {1, 1, 1};
  const auto expect_size = [](const ProblemData& data, std::int64_t size) {
    const Problem p = problem_of(data);
    EXPECT_EQ(proof_size(p), size);
    EXPECT_EQ(infeasibility_size(local_inclusion(p)), at(size));
  };
  expect_size(Lcp{I, q}, 2);
  expect_size(Mlcp{I, q, {0, 1}}, 2);
  expect_size(Relay{I, q, lo, q}, 0);
  expect_size(Avi{I, q, {}}, 0);
  expect_size(Friction{2, I, q, {0.5}}, 2);
  expect_size(Rolling{3, I3, q3, {0.5}, {0.1}}, 3);
  expect_size(Soclcp{I, q, {0, 2}, {1}}, 0);
  for (const double theta : {0.0, 0.4, 0.5}) expect_size(Plasticity{I3, q3, {0.5}, {theta}}, theta == 0.5 ? 3 : 0);
  expect_size(Generic{I, q, {NSM_BLOCK_COMPLEMENTARITY}, {2}, {}, {}, {}}, 2);
  expect_size(Generic{I, q, {NSM_BLOCK_EQUALITY}, {2}, {}, {}, {}}, 2);
  expect_size(Generic{I, q, {NSM_BLOCK_EQUALITY, NSM_BLOCK_RELAY}, {1, 1}, {}, lo, q}, 0);
  expect_size(Generic{I, q, {NSM_BLOCK_DISK}, {2}, {1}, {}, {}}, 0);
  expect_size(
      Generic{dense(4, generate::identity(4)), Vector(4, 1.0), {NSM_BLOCK_FRICTION_2D, NSM_BLOCK_DISK}, {2, 2}, {1, 1}, {}, {}},
      4);
  expect_size(Generic{I3, q3, {NSM_BLOCK_FRICTION_2D, NSM_BLOCK_RELAY}, {2, 1}, {0.5, 0}, {0, 0, -1}, {0, 0, 1}}, 3);
}

// Two contacts whose normals pull one body apart: y = (1, 1) on them.
TEST(Infeasibility, OfContactsIsThatOfTheirNormals) {
  Friction friction{2, dense(4, {1, 0, -1, 0, 0, 1, 0, 0, -1, 0, 1, 0, 0, 0, 0, 1}), {-1, 0, 0.5, 0}, {0.5, 0.5}};
  Vector workspace;
  const auto proves = [&](const Vector& y) {
    const Problem p = problem_of(friction);
    const Inclusion view = local_inclusion(p);
    workspace.resize(proof_workspace(view));
    EXPECT_EQ(proves_infeasible(view, y, 1e-9, 0, workspace), proves_infeasible(p, y, 1e-9));
    return proves_infeasible(p, y, 1e-9);
  };
  EXPECT_TRUE(proves({1, 0, 1, 0}));
  EXPECT_FALSE(proves({1, 0, 0, 0})) << "the other contact gives way";
  EXPECT_FALSE(proves({-1, 0, -1, 0})) << "normals do not pull";
  EXPECT_FALSE(proves({1, 1e-12, 1, 0})) << "tangential velocities may be anything";
  EXPECT_FALSE(proves({1, NAN, 1, 0}));
  friction.q[2] = 1.5;
  EXPECT_FALSE(proves({1, 0, 1, 0})) << "there is room";
}

// M'y = v with v_N + mu |v_T| <= 0: no reaction within the cone brings y'w back.
TEST(Infeasibility, OfMatricesThatPushBackIntoTheCone) {
  const auto proves = [](double vn, double vt, double mu) {
    return proves_infeasible(problem_of(Friction{2, dense(2, {vn, 0, vt, 0}), {-1, 0}, {mu}}), Vector{1, 0}, 1e-9);
  };
  EXPECT_TRUE(proves(-1, 0.5, 1));
  EXPECT_TRUE(proves(-1, -1, 1));
  EXPECT_FALSE(proves(-1, 1.01, 1)) << "r = (1, 1)";
  EXPECT_FALSE(proves(1, 0, 1));
  const auto rolls = [](double mu_r) {
    const Rolling rolling{3, dense(3, {-1, 0, 0, 0.5, 0, 0, 0.5, 0, 0}), {-1, 0, 0}, {1}, {mu_r}};
    return proves_infeasible(problem_of(rolling), Vector{1, 0, 0}, 1e-9);
  };
  EXPECT_TRUE(rolls(0.9));
  EXPECT_FALSE(rolls(1.1));
}

TEST(Infeasibility, OfEqualities) {
  const Mlcp mlcp{dense(3, {1, 1, 0, 1, 1, 0, 0, 0, 1}), {1, 2, -1}, {0, 0, 1}};
  const auto proves = [&](const Vector& y) { return proves_infeasible(problem_of(mlcp), y, 1e-9); };
  EXPECT_TRUE(proves({1, -1, 0})) << "z1 + z2 = -1 and = -2";
  EXPECT_FALSE(proves({-1, 1, 0})) << "y'q > 0";
  EXPECT_FALSE(proves({1, -1, 1}));
}

// One coordinate, held by a joint at velocity -b between a contact that needs v >= 1 and nothing else.
TEST(Infeasibility, OfGlobalProblemsIsAMatterOfMotions) {
  GlobalFriction global;
  global.dimension = 2;
  global.M = dense(1, {1});
  global.H = dense(1, 2, {1, 0});
  global.f = {1e6};
  global.w = {-1, 0};
  global.mu = {0.5};
  const auto proves = [&](const Vector& y) { return proves_infeasible(problem_of(global), y, 1e-9); };
  EXPECT_EQ(proof_size(problem_of(global)), 2);
  EXPECT_FALSE(proves({1, 0}));
  global.G = dense(1, {1});
  global.b = {0};  // v = 0
  EXPECT_EQ(proof_size(problem_of(global)), 3);
  EXPECT_TRUE(proves({-1, 1, 0}));
  EXPECT_FALSE(proves({1, 1, 0}));
  EXPECT_FALSE(proves({-1, 1, 0.1}));
  global.b = {-2};  // v = 2
  EXPECT_FALSE(proves({-1, 1, 0}));
}

// What should be 0 of W = H'H and is 1e-17 limits nothing.
TEST(Infeasibility, RoundingOfWIsNoPivot) {
  Vector W(16, 0.0);
  for (int i : {0, 1, 2, 3}) W[at(5 * i)] = 1;
  W[2] = W[8] = -1;
  const auto proves = [&] {
    return proves_infeasible(problem_of(Friction{2, dense(4, W), {-1, 0, 0.5, 0}, {0.5, 0.5}}), Vector{1, 0, 1, 0}, 1e-9);
  };
  W[3] = W[12] = 3e-17;
  EXPECT_TRUE(proves());
  W[3] = W[12] = 3e-12;
  EXPECT_FALSE(proves());
}

void expect_certified_and_not_disproved(const Problem& problem, const Vector& z, const Vector& y) {
  EXPECT_NE(Certifier(problem).certify(z, {}, 1e-8).verdict, NSM_NOT_CERTIFIED);
  EXPECT_FALSE(proves_infeasible(problem, y, 1e-9));
  Options options;
  options.set("max_iterations", 100000);  // what may claim a proof has ended after a few hundred
  Solver solver(problem, "auto", options);
  EXPECT_NE(solver.solve().outcome, NSM_INFEASIBLE);
}

// Entries that are rounding beside those of a light body, and open the contacts through the reactions of a heavy one.
TEST(Infeasibility, HeavyBodiesMayOpenWhatLightOnesCannot) {
  for (const double light : {1e16, 1e18, 1e20}) {
    const double coupling = 1e-14 * std::sqrt(light), r = 2 / coupling;
    Vector W(64, 0.0);
    const auto set = [&](int i, int j, double value) { W[at(2 * i + 16 * j)] = value; };
    for (int k = 0; k < 4; ++k) W[at(9 * (2 * k + 1))] = 1;
    set(0, 0, light), set(1, 1, light), set(0, 1, -light), set(1, 0, -light);
    set(2, 2, 1), set(3, 3, 1), set(2, 3, -1), set(3, 2, -1);
    set(0, 2, coupling), set(2, 0, coupling);
    const Friction friction{2, dense(8, W), {-1, 0, -1, 0, 0, 0, 0, 0}, Vector(4, 0.3)};
    expect_certified_and_not_disproved(problem_of(friction), {0, 0, 1 / light, 0, r, 0, r, 0}, {1, 0, 1, 0, 0, 0, 0, 0});
  }
}

// A coordinate in small units is none of rounding.
TEST(Infeasibility, SmallEntriesOfAMotionMayOpenContacts) {
  GlobalFriction global;
  global.dimension = 2;
  global.M = dense(2, {1, 0, 0, 1e-20});
  global.H = dense(2, 4, {1, 1e-15, 0, 0, -1, 0, 0, 0});
  global.f = {-0.75, 2e-5};  // v = (-0.75, 2e15)
  global.w = {-1, 0, -0.5, 0};
  global.mu = {0.3, 0.3};
  expect_certified_and_not_disproved(problem_of(global), {-0.75, 2e15, 0, 0, 0, 0}, {1, 0, 1, 0});
}

// Positive definite up to rounding, and so close to feasible that a solution is small enough for a verdict.
TEST(Infeasibility, RoundingIsEnoughForSmallGaps) {
  const double d = 45 * DBL_EPSILON, q = 1e-7, z = q / d;
  expect_certified_and_not_disproved(problem_of(Lcp{dense(2, {1, -1 + d, -1 + d, 1}), {-q, -q}}), {z, z}, {1, 1});
  const Vector W = {1, 0, -1 + d, 0, 0, 1, 0, 0, -1 + d, 0, 1, 0, 0, 0, 0, 1};
  expect_certified_and_not_disproved(problem_of(Friction{2, dense(4, W), {-q, 0, -q, 0}, {0.3, 0.3}}), {z, 0, z, 0},
                                     {1, 0, 1, 0});
}

TEST(Infeasibility, OtherClassesAreUnsupported) {
  nsm_problem* problem = nullptr;
  const double one = 1, q = -1, bound = 2;
  const nsm_matrix M = nsm_matrix_dense(1, 1, &one);
  ASSERT_EQ(nsm_problem_create_relay(&M, &q, &one, &bound, &problem), NSM_OK);
  std::int32_t verified = 0;
  EXPECT_EQ(nsm_certify_infeasible(problem, &one, 1e-9, &verified), NSM_UNSUPPORTED);
  nsm_problem_free(&problem);
}

// What the certificate calls a solution to working precision, no method has to improve on: a residual of 5e-8 or 1e-6 beside
// terms of 1e7, whose rounding is 4e-7, in a problem of that scale and as a part of a larger one.
TEST(NaturalMap, TellsWhatRoundingLeaves) {
  const nonsmooth::Matrix M(nonsmooth::DenseMatrix{2, 2, {100, -100, -100, 100}}, "M");
  const std::vector<double> z(2, 1e5);
  for (const double left : {5e-8, 1e-6}) {
    const nonsmooth::Vector q{left, 0};
    nonsmooth::Inclusion view;
    view.M = &M;
    view.q = &q;
    view.blocks = {{nonsmooth::SetKind::free_space, 0, 1}, {nonsmooth::SetKind::free_space, 1, 1}};
    nonsmooth::NaturalMap map(view);
    EXPECT_EQ(map.is_within_rounding(z, 1e-8, 1), left < 1e-7);
    EXPECT_FALSE(map.is_within_rounding(z, 1e-8, 1e3)) << "little beside the whole";
    EXPECT_FALSE(map.is_within_rounding(z, 1e-4, 1)) << "no floor above the tolerance";
  }
}

}  // namespace nonsmooth::certificate_test
