// The second-order methods for friction, on problems constructed around a solution and on ones solved by hand.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "../support/generators.hpp"
#include "../support/solve.hpp"
#include "linalg/matrix.hpp"
#include "methods/newton/cone_scaling.hpp"
#include "methods/newton/newton_system.hpp"

namespace friction_newton_test {

using generate::at;
using generate::Friction;
using generate::Random;
using generate::Values;
using support::Solution;

constexpr const char* methods[] = {"friction_interior_point", "proximal_newton", "auto"};

// The certificate is checked against the residual from its definition.
void expect_solved(const Friction& f, const char* method, double tolerance = 1e-9) {
  const Solution s = support::solve(f, method, {{"tolerance", tolerance}});
  EXPECT_TRUE(s.converged()) << s.text();
  EXPECT_LE(generate::friction_residual(f, s.z), 1.01 * tolerance);
}

class SecondOrder : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Methods, SecondOrder, testing::ValuesIn(methods),
                         [](const auto& parameter) { return std::string(parameter.param); });

TEST_P(SecondOrder, SolvesConstructedProblems) {
  for (int dimension : {2, 3})
    for (int contacts : {1, 4, 15, 40}) {
      Random random(static_cast<std::uint64_t>(10 * contacts + dimension));
      const int n = dimension * contacts;
      SCOPED_TRACE(n);
      expect_solved(generate::constructed_friction(random, dimension, contacts, generate::gram(random, n, n, 0.1)), GetParam());
    }
}

void expect_hyperstatic_solved(const char* method) {
  for (int dimension : {2, 3})
    for (int seed = 0; seed < 5; ++seed) {
      Random random(static_cast<std::uint64_t>(seed));
      const int contacts = 20, n = dimension * contacts;
      SCOPED_TRACE(seed);
      expect_solved(generate::constructed_friction(random, dimension, contacts, generate::gram(random, n, n / 2, 0), 0.1, 0.4),
                    method);
    }
}

TEST_P(SecondOrder, SolvesHyperstaticProblems) { expect_hyperstatic_solved(GetParam()); }

TEST_P(SecondOrder, SolvesProblemsThatAreNotSymmetric) {
  for (int seed = 0; seed < 5; ++seed) {
    Random random(static_cast<std::uint64_t>(seed));
    Values W = generate::gram(random, 45, 45, 0.5);
    generate::add_skew(random, W, 45, 0.05);
    SCOPED_TRACE(seed);
    expect_solved(generate::constructed_friction(random, 3, 15, W), GetParam());
  }
}

Solution solve_shipped(const std::string& name, std::int64_t iterations) {
  nsm_problem* raw = nullptr;
  EXPECT_EQ(nsm_problem_read((NONSMOOTH_DATA_DIR "/" + name).c_str(), nullptr, &raw), NSM_OK) << nsm_last_error();
  const support::ProblemPtr problem(raw);
  return support::solve(problem.get(), "proximal_newton", {{"max_iterations", static_cast<double>(iterations)}});
}

// On the way to these solutions residuals rise. Steps that were refused for that, and unsolved ones that were taken, led to
// 13,000 iterations and to more than 30,000 without an end.
TEST(ProximalNewton, FollowsTheFlowWhereResidualsRise) {
  for (const char* name : {"friction_2d_discs_210.json", "global_friction_3d_chute_171.json"}) {
    const Solution s = solve_shipped(name, 6000);
    EXPECT_TRUE(s.converged()) << name << ": " << s.text();
  }
}

// M turns: sweeps lead back and forth between two points, and weights have to grow.
TEST(ProximalNewton, GoesOnWhereSweepsCycle) {
  const Solution s = solve_shipped("friction_3d_skew_30.json", 20000);
  EXPECT_TRUE(s.converged()) << s.text();
}

// Contacts of bodies with six degrees of freedom, any two of which may touch: factors that fill up, reactions that are not
// unique.
Friction tangle(std::uint64_t seed, int bodies, int contacts) {
  Random random(seed);
  const int n = 3 * contacts, rows = 6 * bodies;
  std::vector<Values> touching(at(contacts));  // columns of H, by contact
  std::vector<std::array<int, 2>> pairs(at(contacts));
  for (std::size_t c = 0; c < pairs.size(); ++c) {
    for (int& body : pairs[c]) body = std::min(bodies - 1, static_cast<int>(random.uniform() * bodies));
    if (pairs[c][0] == pairs[c][1]) pairs[c][1] = (pairs[c][0] + 1) % bodies;
    touching[c] = random.normals(36);
  }
  Values W(at(n) * at(n), 0.0);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      for (int k = 0; k < 2; ++k)
        for (int l = 0; l < 2; ++l) {
          if (pairs[at(i / 3)][at(k)] != pairs[at(j / 3)][at(l)]) continue;
          for (int d = 0; d < 6; ++d)
            W[at(i) + at(j) * at(n)] +=
                touching[at(i / 3)][at(18 * k + 6 * (i % 3) + d)] * touching[at(j / 3)][at(18 * l + 6 * (j % 3) + d)] / rows;
        }
  return generate::constructed_friction(random, 3, contacts, std::move(W), 0.5, 2.0);
}

// auto tries proximal Newton where factors are dear, before all that factorises more often, and goes on as if it had not.
TEST(Auto, TriesProximalNewtonWhereFactorsAreDear) {
  const Solution near = support::solve(tangle(6, 150, 350), "auto");
  EXPECT_TRUE(near.converged()) << near.text();
  EXPECT_STREQ(near.result.finished_by, "proximal_newton");
  EXPECT_LT(near.result.iterations, 1000);
  const Friction f = tangle(15, 150, 350);
  const Solution far = support::solve(f, "auto");
  EXPECT_TRUE(far.converged()) << far.text();
  const Solution tried = support::solve(f, "proximal_newton", {{"patience", 10}});
  EXPECT_FALSE(tried.converged());
  EXPECT_LT(tried.result.iterations, 10000) << "gives up";
}

// Where M is mostly skew the sweeps between Newton's steps go to infinity: the method used not to end, nor to find its way back.
TEST(ProximalNewton, EndsWhereSweepsDiverge) {
  for (int seed = 0; seed < 3; ++seed) {
    Random random(static_cast<std::uint64_t>(seed));
    Values W = generate::gram(random, 105, 105, 0.5);
    generate::add_skew(random, W, 105, 20);
    const Friction f = generate::constructed_friction(random, 3, 35, std::move(W));
    const Solution s = support::solve(f, "proximal_newton", {{"max_iterations", 2000}});
    EXPECT_LE(s.result.iterations, 2000);
    EXPECT_LE(generate::friction_residual(f, s.z), 0.1) << "sweeps alone leave 0.3";
  }
}

// Without friction the normal parts are an LCP and the tangents carry nothing; mixed with contacts that have friction.
TEST_P(SecondOrder, TreatsContactsWithoutFriction) {
  for (int dimension : {2, 3}) {
    Random random(7);
    const int n = 10 * dimension;
    Friction f = generate::constructed_friction(random, dimension, 10, generate::gram(random, n, n, 0.2));
    for (std::size_t c = 0; c < 10; c += 2) f.mu[c] = 0;
    const Solution s = support::solve(f, GetParam(), {{"tolerance", 1e-10}});
    ASSERT_TRUE(s.converged()) << s.text();
    for (std::size_t c = 0; c < 10; c += 2)
      for (std::size_t k = 1; k < at(dimension); ++k) EXPECT_NEAR(s.z[c * at(dimension) + k], 0, 1e-9);
  }
}

// Contacts that are not coupled and whose normal and tangent are not either stick for any friction that is large enough: r = -q /
// w.
TEST_P(SecondOrder, LargeFrictionSticks) {
  Friction f{3, 4, generate::identity(12, 2), Values(12, 0.0), Values(4, 1e4), {}, {}};
  for (std::size_t c = 0; c < 4; ++c) {
    f.q[3 * c] = -1;
    f.q[3 * c + 1] = 0.5 * static_cast<double>(c);
    f.q[3 * c + 2] = -3;
  }
  const Solution s = support::solve(f, GetParam(), {{"tolerance", 1e-10}});
  ASSERT_TRUE(s.converged()) << s.text();
  for (std::size_t i = 0; i < 12; ++i) EXPECT_NEAR(s.z[i], -f.q[i] / 2, 1e-8);
}

// One contact on W = I: it opens, sticks or slides, each with its answer.
TEST_P(SecondOrder, OneContactOpensSticksOrSlides) {
  const double mu = 0.5;
  const auto solve = [&](Values q) {
    const Solution s =
        support::solve(Friction{3, 1, generate::identity(3), std::move(q), {mu}, {}, {}}, GetParam(), {{"tolerance", 1e-11}});
    EXPECT_TRUE(s.converged()) << s.text();
    return s;
  };
  for (double r : solve({0.3, 1, -2}).z) EXPECT_NEAR(r, 0, 1e-9);
  const Solution sticks = solve({-2, 0.6, -0.6});
  EXPECT_NEAR(sticks.z[0], 2, 1e-9);
  EXPECT_NEAR(sticks.z[1], -0.6, 1e-9);
  EXPECT_NEAR(sticks.z[2], 0.6, 1e-9);
  const Solution slides = solve({-2, 3, 4});
  EXPECT_NEAR(slides.z[0], 2, 1e-9);
  EXPECT_NEAR(slides.z[1], -0.6, 1e-9);
  EXPECT_NEAR(slides.z[2], -0.8, 1e-9);
}

// New values of q, mu and W on the solver that is there.
TEST_P(SecondOrder, UpdatesReuseTheSetup) {
  Random random(3);
  Friction f = generate::constructed_friction(random, 3, 12, generate::gram(random, 36, 36, 0.3));
  const auto problem = support::problem(f);
  const auto solver = support::setup(problem.get(), GetParam(), {{"tolerance", 1e-9}});
  for (int step = 0; step < 3; ++step) {
    for (double& q : f.q) q += 0.1 * random.normal();
    for (double& mu : f.mu) mu *= 1.1;
    for (double& w : f.W) w *= 1.5;
    const nsm_matrix W = support::dense(36, 36, f.W);
    ASSERT_EQ(nsm_update_q(solver.get(), f.q.data(), 36), NSM_OK);
    ASSERT_EQ(nsm_update_mu(solver.get(), f.mu.data(), 12), NSM_OK);
    ASSERT_EQ(nsm_update_matrix(solver.get(), &W), NSM_OK);
    const Solution s = support::solve(solver.get(), 36);
    EXPECT_TRUE(s.converged()) << s.text();
    EXPECT_LE(generate::friction_residual(f, s.z), 1.01e-9);
  }
}

// Orders above the dense limit go through the sparse factorisation: blocks in a chain, coupled to their neighbours only.
TEST_P(SecondOrder, SolvesSparseProblems) {
  Random random(5);
  const int contacts = 150, n = 3 * contacts;
  Values W = generate::identity(n, 3);
  for (int i = 0; i + 3 < n; ++i) W[at(i) + at(i + 3) * at(n)] = W[at(i + 3) + at(i) * at(n)] = -1;
  expect_solved(generate::constructed_friction(random, 3, contacts, W), GetParam());
}

// Contacts that were not coupled at setup are after an update.
TEST_P(SecondOrder, AnUpdateMayCoupleContacts) {
  const int contacts = 40, n = 3 * contacts;
  Random random(6);
  const Friction apart = generate::constructed_friction(random, 3, contacts, generate::identity(n));
  const Friction coupled = generate::constructed_friction(random, 3, contacts, generate::gram(random, n, n, 0.2));
  const auto problem = support::problem(apart);
  const auto solver = support::setup(problem.get(), GetParam(), {{"tolerance", 1e-9}});
  EXPECT_TRUE(support::solve(solver.get(), n).converged());
  const nsm_matrix W = support::dense(n, n, coupled.W);
  ASSERT_EQ(nsm_update_matrix(solver.get(), &W), NSM_OK);
  ASSERT_EQ(nsm_update_q(solver.get(), coupled.q.data(), n), NSM_OK);
  ASSERT_EQ(nsm_update_mu(solver.get(), coupled.mu.data(), contacts), NSM_OK);
  const Solution s = support::solve(solver.get(), n);
  EXPECT_TRUE(s.converged()) << s.text();
  EXPECT_LE(generate::friction_residual(coupled, s.z), 1.01e-9);
}

TEST(FrictionCentralPath, SolvesHyperstaticProblems) { expect_hyperstatic_solved("friction_central_path"); }

// A body between two walls: no velocity opens both contacts, so that the convex problem has no centre and r goes off.
TEST(FrictionCentralPath, EndsSoonWithoutACentre) {
  const Friction f{2, 2, {1, 0, -1, 0, 0, 1, 0, 1, -1, 0, 1, 0, 0, 1, 0, 1}, {-1, 0.1, 1, 0.1}, {0.5, 0.5}, {}, {}};
  const Solution s = support::solve(f, "friction_central_path", {});
  EXPECT_EQ(s.result.outcome, NSM_STALLED) << s.text();
  EXPECT_LT(s.result.iterations, 100);  // 44 or 56, as the processor rounds; the flow alone may take 200
  for (const double r : s.z) EXPECT_TRUE(std::isfinite(r));
  EXPECT_TRUE(support::solve(f, "auto", {}).converged());
}

// It divides by mu.
TEST(FrictionCentralPath, RefusesContactsWithoutFriction) {
  Random random(7);
  Friction f = generate::constructed_friction(random, 3, 4, generate::gram(random, 12, 12, 0.2));
  const auto problem = support::problem(f);
  const auto solver = support::setup(problem.get(), "friction_central_path", {});
  f.mu[1] = 0;
  EXPECT_EQ(nsm_update_mu(solver.get(), f.mu.data(), 4), NSM_UNSUPPORTED);
}

// Contacts that are open or closed, each of their two parts sticking or on its bound, with q = u - W r.
struct Rolling {
  int part, contacts;  // unknowns of one tangential part
  Values W, q, mu, mu_r;
  int size() const { return (1 + 2 * part) * contacts; }
};

Rolling constructed_rolling(Random& random, int part, int contacts, double regular) {
  Rolling f{part, contacts, {}, {}, random.uniforms(contacts, 0.3, 0.8), random.uniforms(contacts, 0.01, 0.1)};
  const int d = 1 + 2 * part, n = f.size();
  f.W = generate::gram(random, n, regular > 0 ? n : n / 2, regular);
  Values r(at(n), 0.0), u(at(n), 0.0);
  for (int c = 0; c < contacts; ++c) {
    const auto normal = at(d * c);
    if (random.uniform() < 0.2) {
      u[normal] = random.uniform();
      continue;
    }
    r[normal] = random.uniform(0.1, 1);
    for (int g = 0; g < 2; ++g) {
      const Values e = random.normals(part);
      const bool slides = random.uniform() < 0.4;
      const double bound = (g == 0 ? f.mu : f.mu_r)[at(c)] * r[normal], length = generate::norm(e);
      for (int i = 0; i < part; ++i) {
        const auto row = normal + at(1 + g * part + i);
        r[row] = (slides ? 1 : 0.6) * bound * e[at(i)] / length;
        u[row] = slides ? -0.3 * e[at(i)] / length : 0;
      }
    }
  }
  f.q = generate::multiply(f.W, r);
  for (int i = 0; i < n; ++i) f.q[at(i)] = u[at(i)] - f.q[at(i)];
  return f;
}

support::ProblemPtr problem(const Rolling& f) {
  const nsm_matrix W = support::dense(f.size(), f.size(), f.W);
  nsm_problem* raw = nullptr;
  EXPECT_EQ(nsm_problem_create_rolling(1 + 2 * f.part, &W, f.q.data(), f.mu.data(), f.mu_r.data(), &raw), NSM_OK);
  return support::ProblemPtr(raw);
}

TEST_P(SecondOrder, SolvesRollingFriction) {
  for (int part : {1, 2})
    for (int contacts : {1, 5, 30})
      for (double regular : {0.3, 0.0}) {
        Random random(static_cast<std::uint64_t>(contacts + part));
        const Rolling f = constructed_rolling(random, part, contacts, contacts > 1 ? regular : 0.3);
        const Solution s = support::solve(problem(f).get(), GetParam(), {{"tolerance", 1e-9}});
        EXPECT_TRUE(s.converged()) << part << ", " << contacts << ", " << regular << ": " << s.text();
      }
}

// A part without friction carries nothing.
TEST_P(SecondOrder, TreatsRollingPartsWithoutFriction) {
  for (int part : {1, 2}) {
    Random random(9);
    Rolling f = constructed_rolling(random, part, 9, 0.3);
    for (std::size_t c = 0; c < 9; ++c) {
      if (c % 3 != 0) f.mu[c] = 0;
      if (c % 3 != 1) f.mu_r[c] = 0;
    }
    const Solution s = support::solve(problem(f).get(), GetParam(), {{"tolerance", 1e-10}});
    ASSERT_TRUE(s.converged()) << s.text();
    for (std::size_t c = 0; c < 9; ++c)
      for (std::size_t k = 1; k <= 2 * at(part); ++k) {
        const double mu = (k <= at(part) ? f.mu : f.mu_r)[c];
        EXPECT_LE(std::abs(s.z[c * at(1 + 2 * part) + k]), mu * std::abs(s.z[c * at(1 + 2 * part)]) + 1e-9);
      }
  }
}

template <int D>
void expect_scaling(Random& random) {
  using Algebra = nonsmooth::JordanAlgebra<D>;
  double x[D], y[D], a[D], b[D], c[D];
  for (double* v : {x, y}) {
    for (int i = 1; i < D; ++i) v[i] = random.normal();
    v[0] = Algebra::tangent_norm(v) + random.magnitude(-2, 1);
  }
  const typename Algebra::Scaling scaling(x, y);
  scaling.apply(x, a);
  scaling.apply_inverse(y, b);
  scaling.apply(a, c);
  for (int i = 0; i < D; ++i) {
    EXPECT_NEAR(a[i], b[i], 1e-8 * (std::abs(a[0]) + 1));
    EXPECT_NEAR(c[i], y[i], 1e-8 * (std::abs(y[0]) + 1));
  }
  Algebra::product(x, y, a);
  Algebra::divide(a, x, b);
  for (int i = 0; i < D; ++i) EXPECT_NEAR(b[i], y[i], 1e-8 * (std::abs(y[0]) + 1));
  // A step of -x ends at the apex; one along e_N never ends.
  for (int i = 0; i < D; ++i) a[i] = -x[i], b[i] = i == 0 ? 1 : 0;
  EXPECT_NEAR(Algebra::step(x, a, 10), 1, 1e-6);
  EXPECT_EQ(Algebra::step(x, b, 10), 10);
}

TEST(JordanAlgebra, ScalesStepsAndDivides) {
  Random random(11);
  for (int k = 0; k < 200; ++k) {
    expect_scaling<2>(random);
    expect_scaling<3>(random);
  }
}

// A singular matrix is shifted by next to nothing, and a right-hand side in its range is solved for.
TEST(NewtonSystem, SolvesSingularSystems) {
  Random random(2);
  const Values M = generate::gram(random, 6, 3, 0);
  nonsmooth::Inclusion view;
  const nonsmooth::Matrix matrix(nonsmooth::DenseMatrix{6, 6, M}, "M");
  const nonsmooth::Vector q(6, 0.0);
  view.M = &matrix;
  view.q = &q;
  view.blocks = {{nonsmooth::SetKind::coulomb_3d, 0, 3, 0.5, 0, nullptr},
                 {nonsmooth::SetKind::coulomb_3d, 3, 3, 0.5, 0, nullptr}};
  nonsmooth::NewtonSystem system;
  system.setup(view, nonsmooth::NewtonSystem::Space::contacts);
  for (std::size_t b = 0; b < 2; ++b)
    for (int k = 0; k < 3; ++k) system.left(b)[4 * k] = 1;
  ASSERT_TRUE(system.factorise());
  const Values rhs = generate::multiply(M, {1, -2, 3, 0, 1, 1});
  nonsmooth::Vector x = rhs;
  system.solve(x);
  const Values product = generate::multiply(M, x);
  for (std::size_t i = 0; i < 6; ++i) EXPECT_NEAR(product[i], rhs[i], 1e-8);
}

}  // namespace friction_newton_test
