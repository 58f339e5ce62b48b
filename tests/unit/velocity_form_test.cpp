// Sweeps in velocity form and in W form are the same iteration, and a global problem solved as it is has the solution of the
// local one.
#include <gtest/gtest.h>

#include "../support/generators.hpp"
#include "../support/random_bodies.hpp"
#include "methods/solver/solver.hpp"
#include "methods/sweeps/block_sweep.hpp"
#include "problems/condensation.hpp"

namespace nonsmooth::velocity_form_test {

using generate::at;
using generate::norm;
using generate::Random;
using support::random_bodies;

void expect_same_iterates(const GlobalContactData& data, SweepOptions options, double tolerance) {
  const Condensation condensation(data);
  const Inclusion bodies = condensation.inclusion();
  ASSERT_NE(bodies.bodies, nullptr);
  options.always_bodies = true;
  Inclusion matrix = bodies;
  matrix.bodies = nullptr;
  const auto velocity_form = make_sweeper(bodies, options), matrix_form = make_sweeper(matrix, options);
  Vector z(at(bodies.size()), 0.0), other(z.size(), 0.0);
  for (int k = 1; k <= 150; ++k) {
    velocity_form->sweep(z.data(), options.symmetric && k % 2 == 0);
    matrix_form->sweep(other.data(), options.symmetric && k % 2 == 0);
    for (std::size_t i = 0; i < z.size(); ++i) ASSERT_NEAR(z[i], other[i], tolerance * (1 + norm(other))) << "sweep " << k;
  }
}

TEST(VelocityForm, HasTheIteratesOfTheMatrixForm) {
  Random random(71);
  const SweepOptions plain, damped{.relaxation = 0.7, .proximal = 0.1, .symmetric = true},
      all_at_once{.relaxation = 0.05, .simultaneous = true};
  for (const bool diagonal : {false, true})
    for (const SweepOptions& options : {plain, damped, all_at_once})
      for (int k = 0; k < 5; ++k) {
        expect_same_iterates(random_bodies<GlobalFriction>(random, {3, 6, 4, 40}, diagonal), options, 1e-10);
        expect_same_iterates(random_bodies<GlobalFriction>(random, {2, 3, 4, 40}, diagonal), options, 1e-10);
        expect_same_iterates(random_bodies<GlobalFriction>(random, {3, 5, 3, 40}, diagonal), options, 1e-10);
      }
  expect_same_iterates(random_bodies<GlobalRolling>(random, {5, 6, 3, 40}, false), plain, 1e-7);
  expect_same_iterates(random_bodies<GlobalRolling>(random, {3, 3, 3, 40}, false), plain, 1e-7);
}

// The reactions of a global problem satisfy the local one, W formed, with the same absolute residual.
void expect_same_solution(const GlobalFriction& data, const char* method) {
  Problem global, local;
  global.data = data;
  Options options;
  Solver solver(global, method, options);
  const nsm_result result = solver.solve();
  ASSERT_EQ(result.outcome, NSM_CONVERGED) << method;
  const Condensation condensation(data);
  local.data = Friction{data.dimension, *condensation.inclusion().M, *condensation.inclusion().q, data.mu};
  const std::span<const double> r = solver.z().subspan(at(data.contact_start()));
  const nsm_certificate c = Certifier(local).certify(r, {}, 1e-8);
  const double in_global = result.certificate.natural_map * std::max(1.0, norm(data.w));
  const double in_local = c.natural_map * residual_scale(*condensation.inclusion().q);
  EXPECT_NEAR(in_local, in_global, 1e-10 * (1 + norm(*condensation.inclusion().q)));
  EXPECT_EQ(Solver(local, method, options).solve().outcome, NSM_CONVERGED) << method;
}

TEST(VelocityForm, GlobalAndLocalHaveTheSameSolutions) {
  Random random(72);
  for (int k = 0; k < 20; ++k) {
    const auto space = random_bodies<GlobalFriction>(random, {3, 6, 8, 10}, k % 2 == 0);
    const auto plane = random_bodies<GlobalFriction>(random, {2, 3, 8, 8}, k % 2 == 0);
    for (const char* method : {"block_gauss_seidel", static_cast<const char*>(nullptr)}) {
      expect_same_solution(space, method);
      expect_same_solution(plane, method);
    }
  }
}

// The accelerated sweeps end at certified solutions too, after fewer sweeps in all.
TEST(VelocityForm, AccelerationSavesSweeps) {
  for (const char* acceleration : {"conjugate", "over_relaxation"}) {
    Random random(74);
    std::int64_t plain_sweeps = 0, accelerated_sweeps = 0;
    for (int k = 0; k < 10; ++k) {
      Problem problem;
      problem.data = random_bodies<GlobalFriction>(random, {3, 6, 4, 20}, k % 2 == 0);
      Options plain, accelerated;
      accelerated.set_text("acceleration", acceleration);
      const nsm_result first = Solver(problem, "block_gauss_seidel", plain).solve();
      const nsm_result second = Solver(problem, "block_gauss_seidel", accelerated).solve();
      EXPECT_EQ(second.outcome, first.outcome);
      plain_sweeps += first.iterations;
      accelerated_sweeps += second.iterations;
    }
    EXPECT_LT(accelerated_sweeps, plain_sweeps) << acceleration;
  }
}

// New values of f, w, mu and M reach the bodies and the matrix.
TEST(VelocityForm, FollowsUpdates) {
  Random random(73);
  const auto data = random_bodies<GlobalFriction>(random, {3, 6, 8, 10}, false);
  auto changed = data;
  changed.w = random.normals(static_cast<std::int64_t>(data.w.size()));
  changed.f = random.normals(static_cast<std::int64_t>(data.f.size()));
  for (double& mu : changed.mu) mu *= 0.5;
  for (double& entry : changed.M.own_values()) entry *= 2;
  Problem before, after;
  before.data = data;
  after.data = changed;
  Options options;
  Solver updated(before, "block_gauss_seidel", options), fresh(after, "block_gauss_seidel", options);
  updated.solve();
  const CscMatrix& M = *changed.M.csc();
  updated.update_matrix(nsm_matrix_csc(M.rows, M.cols, M.col_start.data(), M.row_index.data(), M.values.data()));
  updated.update_mu(changed.mu);
  updated.update_f(changed.f);
  updated.update_q(changed.w);
  const Vector zero(updated.z().size(), 0.0);
  updated.warm_start(zero);
  updated.solve();
  fresh.solve();
  EXPECT_TRUE(std::equal(updated.z().begin(), updated.z().end(), fresh.z().begin()));
}

}  // namespace nonsmooth::velocity_form_test
