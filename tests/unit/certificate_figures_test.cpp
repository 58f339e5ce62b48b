// Every figure of a certificate and of a proof, against formulas worked out by hand; which of them decide.
#include <gtest/gtest.h>

#include <cfloat>
#include <cmath>

#include "../support/generators.hpp"
#include "certificate/certificate.hpp"
#include "certificate/farkas.hpp"

namespace nonsmooth::certificate_figures_test {

using generate::at;

constexpr double rounding = 64 * DBL_EPSILON;

Matrix dense(int rows, int cols, const Vector& values) { return Matrix(DenseMatrix{rows, cols, values}, "M"); }
Matrix diagonal(int n, double value) { return dense(n, n, generate::identity(n, value)); }

Problem problem_of(ProblemData data) {
  Problem problem;
  problem.data = std::move(data);
  validate(problem);
  return problem;
}

nsm_certificate certify(ProblemData data, const Vector& z, double tolerance = 1e-8, const Vector& w = {}) {
  const Problem problem = problem_of(std::move(data));
  return Certifier(problem).certify(z, w, tolerance);
}

TEST(CertificateFigures, ToleranceZeroIsMetByResidualZero) {
  EXPECT_EQ(certify(Lcp{diagonal(1, 1), {-1}}, {1}, 0).verdict, NSM_CERTIFIED);
}

// One block within its floor of 128 eps, one above: together they exceed a tolerance that lies above the floor of both.
TEST(CertificateFigures, WorkingPrecisionIsForTolerancesBelowTheFloor) {
  const double below = 1.2e2 * DBL_EPSILON, above = 2.2e2 * DBL_EPSILON, tolerance = 2.3e2 * DBL_EPSILON / std::sqrt(2.0);
  const nsm_certificate c = certify(Lcp{diagonal(2, 1), {-1, -1}}, {1 + below, 1 + above}, tolerance);
  EXPECT_LT(c.rounding_floor, tolerance);
  EXPECT_GT(c.residual, tolerance);
  EXPECT_EQ(c.verdict, NSM_NOT_CERTIFIED);
}

// The column of z is empty: w does not tell.
TEST(CertificateFigures, ZThatIsNoNumberIsNoSolution) {
  const Matrix empty(CscMatrix{1, 1, {0, 0}, {}, {}}, "M");
  EXPECT_EQ(certify(Mlcp{empty, {0}, {0}}, {0}).verdict, NSM_CERTIFIED);
  const nsm_certificate c = certify(Mlcp{empty, {0}, {0}}, {NAN});
  EXPECT_EQ(c.verdict, NSM_NOT_CERTIFIED);
  EXPECT_TRUE(std::isnan(c.residual));
}

TEST(CertificateFigures, OverflowIsToldAsSuch) {
  const Vector z{1e300, 1e300};
  const Matrix huge = dense(2, 2, {1e300, 0, -1e300, 0});
  EXPECT_TRUE(std::isnan(certify(Relay{huge, {0, 0}, {0, 0}, {HUGE_VAL, HUGE_VAL}}, z).residual));
  GlobalFriction global;  // M v - H r is infinity less infinity
  global.dimension = 2;
  global.M = diagonal(1, 1e200);
  global.H = dense(1, 2, {1e100, 0});
  global.f = {0};
  global.w = {-1e250, 0};
  global.mu = {0};
  const nsm_certificate c = certify(global, {1e150, 1e300, 0});
  EXPECT_TRUE(std::isnan(c.dynamics));
  EXPECT_TRUE(std::isnan(c.residual));
}

TEST(CertificateFigures, TheDefectIsTheDifferenceOfW) {
  EXPECT_DOUBLE_EQ(certify(Lcp{diagonal(1, 2), {-4}}, {0}, 1e-8, {-3}).w_defect, 0.25);
}

// |min(z, w)| over the largest of |q|, |z| and |w|.
TEST(CertificateFigures, TheErrorOfSiconos) {
  EXPECT_DOUBLE_EQ(certify(Lcp{diagonal(1, 0.5), {-1}}, {4}).siconos_error, 0.25);
  EXPECT_DOUBLE_EQ(certify(Lcp{diagonal(1, 2), {-1}}, {1}).siconos_error, 1);
}

TEST(CertificateFigures, TheFirstOfEqualBlocksIsTheWorst) {
  EXPECT_EQ(certify(Lcp{diagonal(2, 1), {-1, -1}}, {0, 0}).worst_block, 0);
}

// Of a row that its bounds hold, w may be anything.
TEST(CertificateFigures, AFixedRowHasNoFloor) {
  const nsm_certificate c = certify(Relay{diagonal(1, 1e9), {-1}, {1}, {1}}, {1}, 0);
  EXPECT_EQ(c.rounding_floor, 0);
  EXPECT_EQ(c.verdict, NSM_CERTIFIED);
}

// De Saxce's shift adds mu |u_T| to the terms of u_N.
TEST(CertificateFigures, TheFloorOfAContact) {
  const nsm_certificate c = certify(Friction{2, diagonal(2, 0), {3, 4}, {2}}, {0, 0});
  EXPECT_DOUBLE_EQ(c.rounding_floor, rounding * std::hypot(3 + 2 * 4, 4) / 5);
}

// One block is measured without the detour over squares: as it is beside a row that adds nothing, and where they overflow.
TEST(NaturalMap, OfOneBlockIsThatOfItBesideAnother) {
  for (const double size : {1.0, 1e160}) {
    const Vector q{-size, 0.5 * size, 0.2 * size, 0.1 * size, -0.3 * size}, z{size, 0.1 * size, 0.3 * size, 0, size};
    const Matrix M = diagonal(5, 1), larger = diagonal(6, 1);
    Inclusion alone, beside;
    const auto residual = [](Inclusion& view, const Matrix& matrix, const Vector& right, const Vector& at_z) {
      view.blocks.push_back({SetKind::rolling_3d, 0, 5, 0.3, 0.02});
      if (right.size() > 5) view.blocks.push_back({SetKind::free_space, 5, 1, 0, 0});
      view.M = &matrix;
      view.q = &right;
      return NaturalMap(view).residual(at_z);
    };
    Vector more = q, further = z;
    more.push_back(0);
    further.push_back(0);
    const double found = residual(alone, M, q, z);
    EXPECT_GT(found, 0.1 * size);
    EXPECT_DOUBLE_EQ(found / size, residual(beside, larger, more, further) / size);
  }
}

// Its square overflows, not the floor: it is 2 * 64 eps of the data.
TEST(CertificateFigures, TheFloorOfHugeData) {
  const nsm_certificate c = certify(Lcp{diagonal(1, 1), {-1e170}}, {1e170});
  EXPECT_DOUBLE_EQ(c.rounding_floor, 2 * rounding);
  EXPECT_EQ(c.verdict, NSM_CERTIFIED);
}

// r and u~ to their cones.
TEST(CertificateFigures, InfeasibilityOfAContact) {
  const Friction friction{3, diagonal(3, 0), {-1, 3, -4}, {0.5}};
  // u~ = (1.5, 3, -4); P(-u~) = 0.8 (1, ..) with |.| = 0.8 sqrt(1.25).
  EXPECT_NEAR(certify(friction, {0, 0, 0}).infeasibility, 0.8 * std::sqrt(1.25), 1e-15);
  // P(0, 1, 0) = (.4, .2, 0).
  EXPECT_NEAR(certify(friction, {0, 1, 0}).infeasibility, std::hypot(0.8 * std::sqrt(1.25), std::hypot(0.4, 0.8)), 1e-15);
}

// A point of mass 2 on a plane without friction, driven along it by a joint: v_3 = 3.
GlobalFriction driven_point() {
  GlobalFriction global;
  global.dimension = 3;
  global.M = diagonal(3, 2);
  global.H = diagonal(3, 1);
  global.f = {-4, 1, 0};
  global.w = {0, 0, 0};
  global.mu = {0};
  global.G = dense(3, 1, {0, 0, 1});
  global.b = {-3};
  return global;
}

TEST(CertificateFigures, JointsPushAlongG) {
  EXPECT_EQ(certify(driven_point(), {0, 0.5, 3, 6, 4, 0, 0}).verdict, NSM_CERTIFIED);
  // M v - H r - G l - f = (0, 0, 12) beside |M v| = sqrt(37).
  EXPECT_DOUBLE_EQ(certify(driven_point(), {0, 0.5, 3, -6, 4, 0, 0}).dynamics, 12 / std::sqrt(37.0));
}

TEST(CertificateFigures, DynamicsAreRelativeToTheLargestTerm) {
  EXPECT_DOUBLE_EQ(certify(driven_point(), {0, 0, 1000, 0, 0, 0, 0}).dynamics, 997 / 3.0) << "G'v + b = 997 over |b|";
  GlobalFriction global = driven_point();
  global.G = {};
  global.b = {};
  EXPECT_DOUBLE_EQ(certify(global, {1000, 0, 0, 0, 0, 0}).dynamics, std::hypot(2004, 1) / 2000);
}

// u = (10, 0, 0) and r = (1, 0, 0): r - P(r - u) = r.
TEST(CertificateFigures, TheErrorOfSiconosOfAGlobalProblem) {
  GlobalFriction global = driven_point();
  global.G = {};
  global.b = {};
  EXPECT_DOUBLE_EQ(certify(global, {10, 0, 0, 1, 0, 0}).siconos_error, 0.1);
}

TEST(CertificateFigures, TheFloorOfAGlobalProblemHasTheTermsOfU) {
  GlobalFriction global = driven_point();
  global.w = {3, 0, 0};
  EXPECT_DOUBLE_EQ(certify(global, {1, 0, 0, 0, 0, 0, 0}).rounding_floor, rounding * (3 + 1) / 3);
}

// The contact is open and exact, at any tolerance; the motion is that of no force.
TEST(CertificateFigures, WrongDynamicsAreNoRounding) {
  const nsm_certificate c = certify(driven_point(), {1, 0.5, 3, 6, 0, 0, 0}, 0);
  EXPECT_EQ(c.natural_map, 0);
  EXPECT_GT(c.rounding_floor, 0);
  EXPECT_EQ(c.verdict, NSM_NOT_CERTIFIED);
}

// (r_N, r_T) = (1, 0.4) sticks for mu = 0.5, and is outside for mu = 0.3.
TEST(CertificateFigures, NewCoefficientsOfFriction) {
  Problem local = problem_of(Friction{2, diagonal(2, 1), {-1, -0.4}, {0.5}});
  GlobalFriction data;
  data.dimension = 2;
  data.M = diagonal(2, 1);
  data.H = diagonal(2, 1);
  data.f = {-1, -0.4};
  data.w = {0, 0};
  data.mu = {0.5};
  Problem global = problem_of(data);
  Certifier of_local(local), of_global(global);
  const Vector r{1, 0.4}, z{0, 0, 1, 0.4};
  EXPECT_EQ(of_local.certify(r, {}, 1e-8).verdict, NSM_CERTIFIED);
  EXPECT_EQ(of_global.certify(z, {}, 1e-8).verdict, NSM_CERTIFIED);
  std::get<Friction>(local.data).mu = std::get<GlobalFriction>(global.data).mu = {0.3};
  of_local.refresh_sets();
  of_global.refresh_sets();
  EXPECT_EQ(of_local.certify(r, {}, 1e-8).verdict, NSM_NOT_CERTIFIED);
  EXPECT_EQ(of_global.certify(z, {}, 1e-8).verdict, NSM_NOT_CERTIFIED);
}

Mcp mcp_of(std::int64_t n, nsm_function function, Vector lo, Vector hi) {
  Mcp mcp;
  mcp.F = NonlinearFunction::from_callbacks(n, function, nullptr, nullptr, nullptr);
  mcp.set.lo = std::move(lo);
  mcp.set.hi = std::move(hi);
  return mcp;
}

int difference(void*, std::int64_t, const double* z, double* w) {
  w[0] = w[1] = z[0] - z[1];
  return z[0] > 1 ? 1 : 0;  // no value beyond the bound
}

// |F| + |J||z|, seen through changes of z that stay within the bounds. The terms cancel: of 0.5 each, and of 1 where z_1 lies on
// its bound and z_2 alone can change.
TEST(CertificateFigures, TheFloorOfCallbacks) {
  for (const double z : {1.0, 0.5})
    EXPECT_NEAR(certify(mcp_of(2, difference, {0, 0}, {1, 1}), {z, z}).rounding_floor, rounding * std::sqrt(2.0), 1e-25);
  const auto three = [](void*, std::int64_t, const double*, double* w) { return w[0] = 3, 0; };
  EXPECT_DOUBLE_EQ(certify(mcp_of(1, three, {0}, {1}), {0}).rounding_floor, rounding);
}

TEST(CertificateFigures, WithoutAValueThereIsNoFigure) {
  const nsm_certificate c = certify(mcp_of(2, difference, {0, 0}, {2, 2}), {2, 0});
  EXPECT_TRUE(std::isnan(c.residual) && std::isnan(c.rounding_floor));
  EXPECT_EQ(c.verdict, NSM_NOT_CERTIFIED);
}

// Terms of 1e11 whose rounding says nothing about 1e-8: a floor as large is no excuse.
TEST(CertificateFigures, AMeaninglessFloorIsNoRounding) {
  const Problem problem = problem_of(Mlcp{dense(2, 2, {100, -100, -100, 100}), {5e-8, 0}, {0, 0}});
  const Inclusion view = local_inclusion(problem);
  NaturalMap map(view);
  EXPECT_TRUE(map.is_within_rounding(Vector{1e5, 1e5}, 1e-8, 1));
  EXPECT_FALSE(map.is_within_rounding(Vector{1e9, 1e9}, 1e-8, 1));
}

// z_1 <= 1e9 <= z_2 and z_1 - z_2 >= 1e-3: a gap of 5e-13 of the bounds.
TEST(ProofFigures, GapsAreRelativeToTheBounds) {
  Avi avi{diagonal(2, 1), {0, 0}, {}};
  avi.set = {dense(1, 2, {1, -1}), {1e-3}, {-HUGE_VAL, 1e9}, {1e9, HUGE_VAL}};
  const Problem problem = problem_of(avi);
  EXPECT_TRUE(proves_infeasible(problem, Vector{1}, 1e-13));
  EXPECT_FALSE(proves_infeasible(problem, Vector{1}, 1e-9));
}

// w = -1e-3, whatever z is: within a violation of 1e-2 it counts as none.
TEST(ProofFigures, GapsExceedTheViolationAllowed) {
  const Problem problem = problem_of(Lcp{diagonal(1, 0), {-1e-3}});
  const Inclusion view = local_inclusion(problem);
  Vector workspace(proof_workspace(view));
  EXPECT_TRUE(proves_infeasible(view, Vector{1}, 1e-9, 0, workspace));
  EXPECT_FALSE(proves_infeasible(view, Vector{1}, 1e-9, 1e-2, workspace));
}

// W is known up to sqrt(W_ii W_jj): what is rounding does not depend on units.
TEST(ProofFigures, RoundingOfWIsThatOfItsRowsAndColumns) {
  const auto proves = [](double unit, double coupling) {
    Vector W(16, 0.0);
    for (int i : {0, 1, 2, 3}) W[at(5 * i)] = unit;
    W[2] = W[8] = -unit;
    W[3] = W[12] = coupling * unit;
    return proves_infeasible(problem_of(Friction{2, dense(4, 4, W), {-1, 0, 0.5, 0}, {0.5, 0.5}}), Vector{1, 0, 1, 0}, 1e-9);
  };
  for (const double unit : {1e-8, 1.0, 1e8}) {
    EXPECT_TRUE(proves(unit, 3e-17)) << unit;
    EXPECT_FALSE(proves(unit, 3e-12)) << unit;
  }
}

// Positive definite: z = 0.1 / d solves it, to what a scale of 1e6, that of the third row, lets be rounded.
TEST(ProofFigures, WhatMayBeRoundedIsRelativeToTheScale) {
  const double d = 45 * DBL_EPSILON, z = 0.1 / d;
  const Problem problem = problem_of(Lcp{dense(3, 3, {1, -1 + d, 0, -1 + d, 1, 0, 0, 0, 1}), {-0.1, -0.1, -1e6}});
  EXPECT_NE(Certifier(problem).certify(Vector{z, z, 1e6}, {}, 1e-8).verdict, NSM_NOT_CERTIFIED);
  EXPECT_FALSE(proves_infeasible(problem, Vector{1, 1, 0}, 1e-9));
}

// W = s [1, -1 + d; -1 + d, 1] on the normals: reactions of 1e-7 / (s d). They are of the floor's terms themselves.
TEST(ProofFigures, ReactionsHaveAFloorOfTheirOwn) {
  const auto proves = [](double s) {
    const double off = s * (-1 + 45 * DBL_EPSILON);
    const Matrix W = dense(4, 4, {s, 0, off, 0, 0, s, 0, 0, off, 0, s, 0, 0, 0, 0, s});
    return proves_infeasible(problem_of(Friction{2, W, {-1e-7, 0, -1e-7, 0}, {0.3, 0.3}}), Vector{1, 0, 1, 0}, 1e-9);
  };
  EXPECT_FALSE(proves(1)) << "r = 1e7 has a verdict";
  EXPECT_TRUE(proves(1e-3)) << "r = 1e10 has none";
}

// A joint holds v_2 = 2e15, by which a small entry of H opens the contact. The joint itself has no floor that would limit v_2.
TEST(ProofFigures, JointsLimitNoMotion) {
  GlobalFriction global;
  global.dimension = 2;
  global.M = dense(2, 2, {1, 0, 0, 1e-20});
  global.H = dense(2, 4, {1, 1e-15, 0, 0, -1, 0, 0, 0});
  global.f = {-0.75, 2e-5};
  global.w = {-1, 0, -0.5, 0};
  global.mu = {0.3, 0.3};
  global.G = dense(2, 1, {0, 1});
  global.b = {-2e15};
  const Problem problem = problem_of(global);
  EXPECT_EQ(Certifier(problem).certify(Vector{-0.75, 2e15, 0, 0, 0, 0, 0}, {}, 1e-8).verdict, NSM_CERTIFIED);
  EXPECT_FALSE(proves_infeasible(problem, Vector{0, 1, 0, 1, 0}, 1e-9));
}

// What has the wrong sign, and the tangents of contacts.
TEST(ProofFigures, ClippedProofsHaveTheirSigns) {
  const auto clipped = [](ProblemData data, Vector y) {
    const Problem problem = problem_of(std::move(data));
    clip_proof(local_inclusion(problem), y);
    return y;
  };
  EXPECT_EQ(clipped(Mlcp{diagonal(3, 1), {1, 1, 1}, {1, 1, 0}}, {-1, 2, -3}), (Vector{0, 2, -3}));
  EXPECT_EQ(clipped(Friction{2, diagonal(4, 1), Vector(4, 1.0), {0.5, 0.5}}, {-1, -2, 3, 4}), (Vector{0, 0, 3, 0}));
}

}  // namespace nonsmooth::certificate_figures_test
