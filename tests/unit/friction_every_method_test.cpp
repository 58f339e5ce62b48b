// Every method on every formulation of friction it claims: problems constructed around a solution, a block on an incline solved
// by hand, a sphere at rest. Where the solution is unique, methods that share no idea agree. The convex relaxation and Slater's
// condition say what they are.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "../support/class_examples.hpp"

namespace friction_every_method_test {

using generate::at;
using generate::Friction;
using generate::Random;
using generate::Values;
using support::ProblemPtr;
using support::Solution;

// The methods that treat friction of this dimension, local or global.
std::vector<const char*> methods_for(nsm_class c, int dimension) {
  std::vector<const char*> names;
  for (const nsm_method_info& method : support::all_methods())
    if (support::treats(method, c) && (dimension == 2 || !support::needs_plane(method))) names.push_back(method.name);
  return names;
}

// M = 1/m I, H = I with f = m q: the global form of a local problem with diagonal W.
ProblemPtr as_global(const Friction& f) {
  const int n = f.dimension * f.contacts;
  Values M(f.W.size(), 0.0), load(at(n)), w(at(n), 0.0);
  for (int i = 0; i < n; ++i) {
    M[at(i * (n + 1))] = 1 / f.W[at(i * (n + 1))];
    load[at(i)] = f.q[at(i)] * M[at(i * (n + 1))];
  }
  const Values H = generate::identity(n);
  const nsm_matrix mass = support::dense(n, n, M), jacobian = support::dense(n, n, H);
  nsm_problem* raw = nullptr;
  return support::checked(nsm_problem_create_global_friction(f.dimension, &mass, &jacobian, load.data(), w.data(), f.mu.data(),
                                                             nullptr, nullptr, &raw),
                          raw);
}

// The impulses, the last entries of z.
Values impulses(const Solution& s, const Friction& f) { return Values(s.z.end() - f.dimension * f.contacts, s.z.end()); }

// W well conditioned and mu small: one solution, which is the constructed one.
TEST(EveryMethod, FindsTheConstructedSolution) {
  for (int dimension : {2, 3})
    for (const char* method : methods_for(NSM_FRICTION, dimension))
      for (int contacts : {1, 2, 5}) {
        SCOPED_TRACE(std::string(method) + ", dimension " + std::to_string(dimension));
        Random random(static_cast<std::uint64_t>(41 + contacts));
        const int n = dimension * contacts;
        const Friction f =
            generate::constructed_friction(random, dimension, contacts, generate::gram(random, n, 4 * n, 1), 0.05, 0.2);
        const Solution s = support::solve(f, method, {{"tolerance", 1e-9}});
        ASSERT_TRUE(s.converged()) << s.text();
        EXPECT_LE(generate::friction_residual(f, s.z), 1.01e-9);
        for (std::size_t i = 0; i < s.z.size(); ++i) EXPECT_NEAR(s.z[i], f.r[i], 1e-6);
      }
}

// A block of 2 kg on an incline of slope theta, one implicit step from rest: it sticks if tan theta <= mu, else it slides with
// h g (sin theta - mu cos theta); r_N = m h g cos theta. Local and global.
TEST(EveryMethod, BlockOnAnIncline) {
  constexpr double mass = 2, h = 0.01, g = 9.81, mu = 0.4;
  for (int dimension : {2, 3})
    for (double ratio : {0.5, 1.5}) {
      const double theta = std::atan(ratio * mu), normal = mass * h * g * std::cos(theta), load = h * g * std::sin(theta);
      Friction f{dimension, 1, generate::identity(dimension, 1 / mass), Values(at(dimension), 0.0), {mu}, {}, {}};
      f.q[0] = -h * g * std::cos(theta);
      f.q[1] = load;
      for (nsm_class c : {NSM_FRICTION, NSM_GLOBAL_FRICTION})
        for (const char* method : methods_for(c, dimension)) {
          SCOPED_TRACE(std::string(method) + " on " + nsm_class_name(c) + ", dimension " + std::to_string(dimension));
          const ProblemPtr problem = c == NSM_FRICTION ? support::problem(f) : as_global(f);
          const Solution s = support::solve(problem.get(), method, {{"tolerance", 1e-10}});
          ASSERT_TRUE(s.converged()) << s.text();
          const Values r = impulses(s, f);
          EXPECT_NEAR(r[0], normal, 1e-8);
          EXPECT_NEAR(r[1], -std::min(mass * load, mu * normal), 1e-8);
        }
    }
}

// A sphere on a plane with its weight: r_N = m g h, no tangential impulse, no rolling moment.
TEST(EveryMethod, SphereAtRest) {
  constexpr double weight = 0.3;
  const Values W = generate::identity(5), q = {-weight, 0, 0, 0, 0}, mu = {0.5}, mu_r = {0.1};
  const nsm_matrix view = support::dense(5, 5, W);
  nsm_problem* raw = nullptr;
  const ProblemPtr problem = support::checked(nsm_problem_create_rolling(5, &view, q.data(), mu.data(), mu_r.data(), &raw), raw);
  for (const char* method : methods_for(NSM_ROLLING, 3)) {
    SCOPED_TRACE(method);
    const Solution s = support::solve(problem.get(), method, {{"tolerance", 1e-10}});
    ASSERT_TRUE(s.converged()) << s.text();
    EXPECT_NEAR(s.z[0], weight, 1e-9);
    for (std::size_t i = 1; i < 5; ++i) EXPECT_NEAR(s.z[i], 0, 1e-9);
  }
}

class ConeFunctions : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(All, ConeFunctions, testing::Range(0, 4));

// Each system of equations leads semismooth Newton to a solution, also of singular W and from no sweeps at all.
TEST_P(ConeFunctions, SemismoothNewtonConverges) {
  for (int dimension : {2, 3})
    for (int seed = 0; seed < 10; ++seed) {
      Random random(static_cast<std::uint64_t>(seed));
      const int contacts = 8, n = dimension * contacts, rank = seed % 2 == 0 ? n : n / 2;
      const Friction f = generate::constructed_friction(random, dimension, contacts,
                                                        generate::gram(random, n, rank, rank == n ? 0.2 : 0), 0.1, 0.4);
      SCOPED_TRACE(seed);
      const Solution s =
          support::solve(f, "semismooth_newton",
                         {{"cone_function", GetParam()}, {"start_sweeps", seed % 3 == 0 ? 0 : 20}, {"max_iterations", 5000}});
      EXPECT_TRUE(s.converged()) << s.text();
    }
}

// A rod whose tip slides, W_NN - mu W_NT < 0 (Painleve 1895): existence and uniqueness are in doubt, and only what the definition
// confirms is called converged.
TEST(EveryMethod, PainleveEndsHonestly) {
  const Friction f{2, 1, {1, 2, 2, 5}, {-1, -10}, {0.9}, {}, {}};
  for (const char* method : methods_for(NSM_FRICTION, 2)) {
    SCOPED_TRACE(method);
    const Solution s = support::solve(f, method, {{"max_iterations", 2000}});
    EXPECT_EQ(s.converged(), generate::friction_residual(f, s.z) <= 1e-8) << s.text();
  }
}

// Sliding with mu > 0: the convex problem has another solution (u~ replaced by u: it lifts off), and says so.
TEST(Relaxation, IsNoSolutionOfTheFrictionProblem) {
  const Friction f{3, 1, generate::identity(3), {-1, 3, 0}, {0.5}, {}, {}};
  for (const char* method : {"friction_interior_point", "semismooth_newton", "accelerated_projected_gradient", "admm"}) {
    SCOPED_TRACE(method);
    const Solution s = support::solve(f, method, {{"convex_relaxation", 1}});
    EXPECT_FALSE(s.converged());
    EXPECT_LE(s.result.relaxation_residual, 1e-8);
    EXPECT_GE(s.result.relaxation_residual, 0);
    EXPECT_GT(s.result.certificate.residual, 1e-3);
    // The projection of -q on the cone, for W = I: (1, -3, 0) lies outside, n = (1 + 0.5 3) / 1.25.
    EXPECT_NEAR(s.z[0], 2, 1e-6);
    EXPECT_NEAR(s.z[1], -1, 1e-6);
  }
  EXPECT_EQ(support::solve(f, "friction_interior_point").result.relaxation_residual, -1);
}

// Sticking: De Saxce's term vanishes, both problems have the same solution.
TEST(Relaxation, IsCertifiedWhereNothingSlides) {
  const Friction f{3, 1, generate::identity(3), {-2, 0.3, 0}, {0.5}, {}, {}};
  const Solution s = support::solve(f, "friction_interior_point", {{"convex_relaxation", 1}});
  EXPECT_TRUE(s.converged());
}

TEST(Slater, HoldsForOneContactAndFailsForAClamp) {
  const Friction free{3, 1, generate::identity(3), {-1, 3, 0}, {0.5}, {}, {}};
  double margin = 0;
  Values z(3);
  ASSERT_EQ(nsm_slater(support::problem(free).get(), &margin, z.data(), 3), NSM_OK) << nsm_last_error();
  EXPECT_GT(margin, 0);
  // Two contacts press on the two sides of one body, and both must open: u_1 = v - 1, u_2 = -v - 1.
  const Friction clamp{2, 2, {1, 0, -1, 0, 0, 1, 0, 1, -1, 0, 1, 0, 0, 1, 0, 1}, {-1, 0, -1, 0}, {0.3, 0.3}, {}, {}};
  ASSERT_EQ(nsm_slater(support::problem(clamp).get(), &margin, nullptr, 4), NSM_OK) << nsm_last_error();
  EXPECT_LE(margin, 0);
  EXPECT_EQ(nsm_slater(support::example(NSM_LCP).get(), &margin, nullptr, 12), NSM_UNSUPPORTED);
}

}  // namespace friction_every_method_test
