// nsm_differentiate and its transpose on problems with friction: against central differences of solutions to 1e-12, against
// <g, J x> = <J' g, x>, against derivatives by hand, and where there is none.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>

#include "../support/class_examples.hpp"

namespace friction_sensitivity_test {

using generate::at;
using generate::Values;
using support::ProblemPtr;
using support::SolverPtr;

struct Case {
  ProblemPtr problem;
  Values q, mu;  // of the updates
};

struct Point {
  Values z, w;
};

double dot(const Values& x, const Values& y) {
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += x[i] * y[i];
  return sum;
}

Values moved(const Values& x, double step, const Values& direction) {
  Values sum = x;
  for (std::size_t i = 0; i < x.size(); ++i) sum[i] += step * direction[i];
  return sum;
}

std::int64_t count(const Values& x) { return static_cast<std::int64_t>(x.size()); }

nsm_status differentiate(nsm_solver* solver, const Values& dq, const Values& dmu, Point& d) {
  return nsm_differentiate(solver, dq.data(), count(dq), dmu.data(), count(dmu), d.z.data(), d.w.data(), count(d.z));
}

Point solution_at(nsm_solver* solver, const Values& q, const Values& mu, std::int64_t n) {
  EXPECT_EQ(nsm_update_q(solver, q.data(), count(q)), NSM_OK) << nsm_last_error();
  EXPECT_EQ(nsm_update_mu(solver, mu.data(), count(mu)), NSM_OK) << nsm_last_error();
  const auto found = support::solve(solver, n);
  EXPECT_TRUE(found.converged()) << found.text();
  return {found.z, found.w};
}

// Whether every contact of d rows is well away from a change of status, beside the largest reaction and velocity.
bool is_regular(const Values& r, const Values& u, const Values& mu, std::size_t d, double margin) {
  double largest_r = 0, largest_u = 0;
  for (std::size_t i = 0; i < r.size(); ++i) {
    largest_r = std::max(largest_r, std::abs(r[i]));
    largest_u = std::max(largest_u, std::abs(u[i]));
  }
  for (std::size_t c = 0; c < mu.size(); ++c) {
    const double *own = r.data() + c * d, *speed = u.data() + c * d;
    const double tangent = d == 2 ? std::abs(own[1]) : std::hypot(own[1], own[2]);
    const double slip = d == 2 ? std::abs(speed[1]) : std::hypot(speed[1], speed[2]);
    const bool open = speed[0] > margin * largest_u;
    const bool closed = own[0] > margin * largest_r;
    const bool clear = slip > margin * largest_u || mu[c] * own[0] - tangent > margin * largest_r;
    if (!open && !(closed && clear)) return false;
  }
  return true;
}

// Largest deviation from central differences in a random direction, relative to the derivative.
double deviation(const Case& problem, nsm_solver* solver, const Point& at_solution, generate::Random& random) {
  const std::int64_t n = count(at_solution.z);
  const Values dq = random.uniforms(count(problem.q), -1, 1), dmu = random.uniforms(count(problem.mu), -1, 1);
  Point d{Values(at(n)), Values(at(n))};
  EXPECT_EQ(differentiate(solver, dq, dmu, d), NSM_OK) << nsm_last_error();

  const Values gz = random.uniforms(n, -1, 1), gw = random.uniforms(n, -1, 1);
  Values gq(problem.q.size()), gmu(problem.mu.size());
  EXPECT_EQ(nsm_differentiate_transposed(solver, gz.data(), gw.data(), n, gq.data(), count(gq), gmu.data(), count(gmu)), NSM_OK)
      << nsm_last_error();
  const double forward = dot(gz, d.z) + dot(gw, d.w), backward = dot(gq, dq) + dot(gmu, dmu);
  const double scale = 1 + std::sqrt(dot(d.z, d.z) + dot(d.w, d.w));
  EXPECT_NEAR(forward, backward, 1e-10 * scale * std::sqrt(static_cast<double>(n)));

  constexpr double step = 3e-6;
  const Point after = solution_at(solver, moved(problem.q, step, dq), moved(problem.mu, step, dmu), n);
  const Point before = solution_at(solver, moved(problem.q, -step, dq), moved(problem.mu, -step, dmu), n);
  double worst = 0;
  for (std::size_t i = 0; i < d.z.size(); ++i) {
    worst = std::max(worst, std::abs((after.z[i] - before.z[i]) / (2 * step) - d.z[i]));
    worst = std::max(worst, std::abs((after.w[i] - before.w[i]) / (2 * step) - d.w[i]));
  }
  return worst / scale;
}

Case friction_case(generate::Random& random, int dimension, int contacts, bool symmetric) {
  const int n = dimension * contacts;
  Values W = generate::gram(random, n, 2 * n, 0.2);
  if (!symmetric) generate::add_skew(random, W, n, 0.1);
  const generate::Friction f = generate::constructed_friction(random, dimension, contacts, std::move(W), 0.2, 0.9);
  return {support::problem(f), f.q, f.mu};
}

TEST(FrictionSensitivity, AgreesWithDifferencesOnAThousandProblems) {
  generate::Random random(2024);
  double worst = 0;
  int done = 0, sliding = 0;
  for (int attempt = 0; done < 1000 && attempt < 5000; ++attempt) {
    const int dimension = 2 + attempt % 2;
    const Case problem = friction_case(random, dimension, random.integer(1, 20), attempt % 4 < 2);
    const auto n = nsm_problem_size(problem.problem.get());
    const SolverPtr solver = support::setup(problem.problem.get(), nullptr, {{"tolerance", 1e-12}});
    const auto found = support::solve(solver.get(), n);
    ASSERT_TRUE(found.converged()) << found.text();
    if (!is_regular(found.z, found.w, problem.mu, at(dimension), 0.02)) continue;
    for (std::size_t c = 0; c < problem.mu.size(); ++c)
      sliding += found.z[c * at(dimension)] > 0 && std::abs(found.w[c * at(dimension) + 1]) > 1e-3 ? 1 : 0;
    worst = std::max(worst, deviation(problem, solver.get(), {found.z, found.w}, random));
    ++done;
  }
  EXPECT_EQ(done, 1000);
  EXPECT_GT(sliding, 1000);
  EXPECT_LT(worst, 1e-6);
  RecordProperty("worst_times_1e9", std::to_string(1e9 * worst));
}

Case rolling_case(generate::Random& random, int dimension, int contacts) {
  const int n = dimension * contacts;
  const Values W = generate::gram(random, n, 2 * n, 0.5), mu_r(at(contacts), 0.2);
  Case result{nullptr, random.normals(n), Values(at(contacts), 0.4)};
  for (int c = 0; c < contacts; ++c) result.q[at(c * dimension)] -= 1;
  const nsm_matrix view = support::dense(n, n, W);
  nsm_problem* raw = nullptr;
  result.problem =
      support::checked(nsm_problem_create_rolling(dimension, &view, result.q.data(), result.mu.data(), mu_r.data(), &raw), raw);
  return result;
}

// M not symmetric, with two bilateral rows.
Case global_case(generate::Random& random, int contacts, bool rolling) {
  const int d = rolling ? 5 : 3, m = d * contacts, n = m + 4;
  Values M = generate::gram(random, n, 2 * n, 0.5);
  generate::add_skew(random, M, n, 0.1);
  const Values H = random.normals(std::int64_t{n} * m), f = random.normals(n), G = random.normals(2 * n), b = {0.1, -0.2};
  const Values mu_r(at(contacts), 0.2);
  Case result{nullptr, random.normals(m), Values(at(contacts), 0.4)};
  for (int c = 0; c < contacts; ++c) result.q[at(c * d)] -= 1;
  const nsm_matrix mass = support::dense(n, n, M), jacobian = support::dense(n, m, H), bilateral = support::dense(n, 2, G);
  nsm_problem* raw = nullptr;
  const nsm_status status = rolling ? nsm_problem_create_global_rolling(d, &mass, &jacobian, f.data(), result.q.data(),
                                                                        result.mu.data(), mu_r.data(), &bilateral, b.data(), &raw)
                                    : nsm_problem_create_global_friction(d, &mass, &jacobian, f.data(), result.q.data(),
                                                                         result.mu.data(), &bilateral, b.data(), &raw);
  result.problem = support::checked(status, raw);
  return result;
}

// Equality, complementarity, relay, friction in 2D and 3D: mu has a place for every block.
Case generic_case(generate::Random& random) {
  const std::vector<std::int32_t> kinds = {NSM_BLOCK_FRICTION_3D, NSM_BLOCK_COMPLEMENTARITY, NSM_BLOCK_EQUALITY,
                                           NSM_BLOCK_RELAY,       NSM_BLOCK_FRICTION_2D,     NSM_BLOCK_FRICTION_3D};
  const std::vector<std::int32_t> sizes = {3, 4, 2, 3, 2, 3};
  const int n = 17;
  const Values M = generate::gram(random, n, 2 * n, 0.5), lo(at(n), -0.3), hi(at(n), 0.3);
  Case result{nullptr, random.normals(n), Values(sizes.size(), 0.4)};
  for (int normal : {0, 12, 14}) result.q[at(normal)] -= 1;
  const nsm_matrix view = support::dense(n, n, M);
  nsm_problem* raw = nullptr;
  result.problem = support::checked(nsm_problem_create_generic(&view, result.q.data(), count(result.mu), kinds.data(),
                                                               sizes.data(), result.mu.data(), lo.data(), hi.data(), &raw),
                                    raw);
  return result;
}

// Statuses are not looked at here: one problem may change one within a step.
void expect_derivatives(int problems, const std::function<Case(generate::Random&)>& make) {
  generate::Random random(7);
  int agree = 0;
  for (int k = 0; k < problems; ++k) {
    const Case problem = make(random);
    const auto n = nsm_problem_size(problem.problem.get());
    const SolverPtr solver = support::setup(problem.problem.get(), nullptr, {{"tolerance", 1e-12}});
    const auto found = support::solve(solver.get(), n);
    ASSERT_TRUE(found.converged()) << found.text();
    if (deviation(problem, solver.get(), {found.z, found.w}, random) < 1e-5) ++agree;
  }
  EXPECT_GE(agree, problems - 1);
}

TEST(FrictionSensitivity, OfRollingFriction) {
  expect_derivatives(20, [](generate::Random& random) { return rolling_case(random, 5, random.integer(1, 6)); });
  expect_derivatives(20, [](generate::Random& random) { return rolling_case(random, 3, random.integer(1, 6)); });
}
TEST(FrictionSensitivity, OfGlobalProblems) {
  expect_derivatives(20, [](generate::Random& random) { return global_case(random, random.integer(1, 8), false); });
  expect_derivatives(10, [](generate::Random& random) { return global_case(random, random.integer(1, 5), true); });
}
TEST(FrictionSensitivity, OfGenericProblems) { expect_derivatives(30, &generic_case); }

// A pile so large that the system is sparse.
TEST(FrictionSensitivity, OfALargeSparseProblem) {
  generate::Random random(3);
  constexpr int contacts = 400, n = 3 * contacts;
  std::vector<std::int32_t> start(1, 0), index;
  Values values;
  for (int j = 0; j < n; ++j) {
    for (int i = std::max(0, j - 4); i <= std::min(n - 1, j + 4); ++i) {
      index.push_back(i);
      values.push_back(i == j ? 3.0 : 0.3 * std::cos(i * j));
    }
    start.push_back(static_cast<std::int32_t>(index.size()));
  }
  const nsm_matrix W = nsm_matrix_csc(n, n, start.data(), index.data(), values.data());
  Case problem{nullptr, random.uniforms(n, -1, 1), Values(at(contacts), 0.5)};
  nsm_problem* raw = nullptr;
  problem.problem = support::checked(nsm_problem_create_friction(3, &W, problem.q.data(), problem.mu.data(), &raw), raw);
  const SolverPtr solver = support::setup(problem.problem.get(), nullptr, {{"tolerance", 1e-12}});
  const auto found = support::solve(solver.get(), n);
  ASSERT_TRUE(found.converged()) << found.text();
  EXPECT_LT(deviation(problem, solver.get(), {found.z, found.w}, random), 1e-4);
}

Case one_contact(Values q, double mu) {
  const Values W = generate::identity(3);
  const nsm_matrix view = support::dense(3, 3, W);
  nsm_problem* raw = nullptr;
  Case result{nullptr, std::move(q), {mu}};
  result.problem = support::checked(nsm_problem_create_friction(3, &view, result.q.data(), &mu, &raw), raw);
  return result;
}

// W = I, q = (-1, -2, 0), mu = 1/2: r = (1, 1/2, 0), u = (0, -3/2, 0); r_T = -mu r_N q_T / |q_T|.
TEST(FrictionSensitivity, OfOneSlidingContactByHand) {
  const Case problem = one_contact({-1, -2, 0}, 0.5);
  const SolverPtr solver = support::setup(problem.problem.get(), nullptr, {{"tolerance", 1e-14}});
  ASSERT_TRUE(support::solve(solver.get(), 3).converged());
  const auto expect = [&](const Values& dq, double dmu, const Values& dr, const Values& du) {
    Point d{Values(3), Values(3)};
    ASSERT_EQ(differentiate(solver.get(), dq, {dmu}, d), NSM_OK) << nsm_last_error();
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_NEAR(d.z[i], dr[i], 1e-12) << i;
      EXPECT_NEAR(d.w[i], du[i], 1e-12) << i;
    }
  };
  expect({1, 0, 0}, 0, {-1, -0.5, 0}, {0, -0.5, 0});
  expect({0, 1, 0}, 0, {0, 0, 0}, {0, 1, 0});
  expect({0, 0, 1}, 0, {0, 0, -0.25}, {0, 0, 0.75});
  expect({0, 0, 0}, 1, {0, 1, 0}, {0, 1, 0});
}

void expect_refused(const Case& problem, bool by_mu, const std::string& message) {
  const SolverPtr solver = support::setup(problem.problem.get(), nullptr, {{"tolerance", 1e-12}});
  ASSERT_TRUE(support::solve(solver.get(), 3).converged());
  Point d{Values(3), Values(3)};
  EXPECT_EQ(differentiate(solver.get(), {1, 0, 0}, {by_mu ? 1.0 : 0.0}, d), NSM_NOT_AVAILABLE);
  EXPECT_NE(std::string(nsm_last_error()).find(message), std::string::npos) << nsm_last_error();
}

TEST(FrictionSensitivity, IsRefusedBetweenTwoStatuses) {
  expect_refused(one_contact({0, 1, 0}, 0.5), false, "contact 0 (row 0) is degenerate: it touches without pressing");
  expect_refused(one_contact({-1, -0.5, 0}, 0.5), false, "contact 0 (row 1) is degenerate: its reaction is at the bound");
  expect_refused(one_contact({-1, 0, 0}, 0), true, "contact or disk 0 has mu = 0 and does not slide");
}

TEST(FrictionSensitivity, WithoutFrictionExistsByQ) {
  const Case problem = one_contact({-1, 0, 0}, 0);
  const SolverPtr solver = support::setup(problem.problem.get(), nullptr, {{"tolerance", 1e-12}});
  ASSERT_TRUE(support::solve(solver.get(), 3).converged());
  Values dz(3);
  const Values dq = {1, 1, 0};
  ASSERT_EQ(nsm_differentiate(solver.get(), dq.data(), 3, nullptr, 0, dz.data(), nullptr, 3), NSM_OK) << nsm_last_error();
  EXPECT_EQ(dz, (Values{-1, 0, 0}));
}

// The first of two contacts neither slides nor has friction: only dmu of the second have a derivative.
TEST(FrictionSensitivity, WithoutFrictionExistsByTheMuOfOthers) {
  const Values W = generate::identity(6), q = {-1, 0, 0, -1, -2, 0}, mu = {0, 0.5};
  const nsm_matrix view = support::dense(6, 6, W);
  nsm_problem* raw = nullptr;
  const ProblemPtr problem = support::checked(nsm_problem_create_friction(3, &view, q.data(), mu.data(), &raw), raw);
  const SolverPtr solver = support::setup(problem.get(), nullptr, {{"tolerance", 1e-12}});
  ASSERT_TRUE(support::solve(solver.get(), 6).converged());
  Point d{Values(6), Values(6)};
  ASSERT_EQ(differentiate(solver.get(), Values(6, 0.0), {0, 1}, d), NSM_OK) << nsm_last_error();
  EXPECT_NEAR(d.z[4], 1, 1e-12);
  EXPECT_EQ(differentiate(solver.get(), Values(6, 0.0), {1, 1}, d), NSM_NOT_AVAILABLE);
}

// mu_r = 0 and no rotation: mu_r stays, and the contact slides with friction.
TEST(FrictionSensitivity, WithoutRollingFrictionExistsByMu) {
  const Values W = generate::identity(3), q = {-1, -2, 0};
  const nsm_matrix view = support::dense(3, 3, W);
  const double mu = 0.5, mu_r = 0;
  nsm_problem* raw = nullptr;
  const ProblemPtr problem = support::checked(nsm_problem_create_rolling(3, &view, q.data(), &mu, &mu_r, &raw), raw);
  const SolverPtr solver = support::setup(problem.get(), nullptr, {{"tolerance", 1e-12}});
  ASSERT_TRUE(support::solve(solver.get(), 3).converged());
  Point d{Values(3), Values(3)};
  ASSERT_EQ(differentiate(solver.get(), Values(3, 0.0), {1}, d), NSM_OK) << nsm_last_error();
  EXPECT_NEAR(d.z[1], 1, 1e-12);
}

// A square plate, W = H' M^-1 H, that lies on its corners: four contacts hold three degrees of freedom in the normal direction.
struct Plate {
  static constexpr int n = 12, dofs = 6;
  Values H = Values(dofs * n, 0.0), W = Values(n * n, 0.0);
  Plate() {
    const double corners[4][2] = {{1, 1}, {1, -1}, {-1, 1}, {-1, -1}}, inertia[dofs] = {1, 1, 1, 0.4, 0.4, 0.7}, height = 0.2;
    const double axes[3][3] = {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}};
    for (int i = 0; i < n; ++i) {
      const double *e = axes[i % 3], arm[3] = {corners[i / 3][0], corners[i / 3][1], -height};
      const double column[dofs] = {
          e[0], e[1], e[2], arm[1] * e[2] - arm[2] * e[1], arm[2] * e[0] - arm[0] * e[2], arm[0] * e[1] - arm[1] * e[0]};
      std::copy(column, column + dofs, H.begin() + dofs * i);
    }
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        for (int k = 0; k < dofs; ++k) W[at(i + n * j)] += H[at(k + dofs * i)] * H[at(k + dofs * j)] / inertia[k];
  }
  // Velocities of the corners.
  Values motion(const Values& v) const {
    Values u(n, 0.0);
    for (int i = 0; i < n; ++i)
      for (int k = 0; k < dofs; ++k) u[at(i)] += H[at(k + dofs * i)] * v[at(k)];
    return u;
  }
  Case problem(const Values& v) const {
    Case result{nullptr, motion(v), Values(4, 0.5)};
    const nsm_matrix view = support::dense(n, n, W);
    nsm_problem* raw = nullptr;
    result.problem = support::checked(nsm_problem_create_friction(3, &view, result.q.data(), result.mu.data(), &raw), raw);
    return result;
  }
};

TEST(FrictionSensitivity, OfAHyperstaticPlateIsThatOfItsVelocities) {
  constexpr int n = Plate::n;
  const Plate plate;
  const Case problem = plate.problem({0.9, 0.1, -1, 0, 0, 0});
  const SolverPtr solver = support::setup(problem.problem.get(), nullptr, {{"tolerance", 1e-12}});
  const auto found = support::solve(solver.get(), n);
  ASSERT_TRUE(found.converged()) << found.text();
  for (int c = 0; c < 4; ++c) ASSERT_GT(found.z[at(3 * c)], 0.01) << "all corners press";

  const Values dq = plate.motion({0.3, -0.2, 0.1, 0, 0, 0}), dmu(4, 0.7);
  Values dz(n), dw(n), gq(n), gmu(4);
  EXPECT_EQ(nsm_differentiate(solver.get(), dq.data(), n, nullptr, 0, dz.data(), dw.data(), n), NSM_NOT_AVAILABLE);
  EXPECT_NE(std::string(nsm_last_error()).find("hyperstatic"), std::string::npos) << nsm_last_error();
  ASSERT_EQ(nsm_differentiate(solver.get(), dq.data(), n, dmu.data(), 4, nullptr, dw.data(), n), NSM_OK) << nsm_last_error();

  generate::Random random(1);
  const Values gw = random.uniforms(n, -1, 1);
  EXPECT_EQ(nsm_differentiate_transposed(solver.get(), gw.data(), gw.data(), n, gq.data(), n, nullptr, 0), NSM_NOT_AVAILABLE);
  ASSERT_EQ(nsm_differentiate_transposed(solver.get(), nullptr, gw.data(), n, gq.data(), n, gmu.data(), 4), NSM_OK);
  EXPECT_NEAR(dot(gw, dw), dot(gq, dq) + dot(gmu, dmu), 1e-12);

  constexpr double step = 1e-5;
  const Point after = solution_at(solver.get(), moved(problem.q, step, dq), moved(problem.mu, step, dmu), n);
  const Point before = solution_at(solver.get(), moved(problem.q, -step, dq), moved(problem.mu, -step, dmu), n);
  for (std::size_t i = 0; i < at(n); ++i) EXPECT_NEAR((after.w[i] - before.w[i]) / (2 * step), dw[i], 1e-6) << i;
}

TEST(FrictionSensitivity, OfAHyperstaticPlateIsRefusedWhereItDependsOnTheReactions) {
  constexpr int n = Plate::n;
  const Plate plate;
  Values dq(n, 0.0), dw(n);
  dq[0] = 1;  // lifts one corner off a plane that the others define
  const Case slides = plate.problem({0.9, 0.1, -1, 0, 0, 0});
  const SolverPtr sliding = support::setup(slides.problem.get(), nullptr, {{"tolerance", 1e-12}});
  ASSERT_TRUE(support::solve(sliding.get(), n).converged());
  EXPECT_EQ(nsm_differentiate(sliding.get(), dq.data(), n, nullptr, 0, nullptr, dw.data(), n), NSM_NOT_AVAILABLE);
  EXPECT_NE(std::string(nsm_last_error()).find("dq is no motion of the bodies"), std::string::npos) << nsm_last_error();

  // It turns as it slides: friction points another way at every corner, so that shifting the load turns it.
  const Case turns = plate.problem({0.9, 0.1, -1, 0, 0, 0.1});
  const SolverPtr turning = support::setup(turns.problem.get(), nullptr, {{"tolerance", 1e-12}});
  ASSERT_TRUE(support::solve(turning.get(), n).converged());
  EXPECT_EQ(nsm_differentiate(turning.get(), dq.data(), n, nullptr, 0, nullptr, dw.data(), n), NSM_NOT_AVAILABLE);
  EXPECT_NE(std::string(nsm_last_error()).find("z and w are not locally unique"), std::string::npos) << nsm_last_error();
}

TEST(FrictionSensitivity, RefusesWrongArguments) {
  const Case problem = one_contact({-1, -2, 0}, 0.5);
  const SolverPtr solver = support::setup(problem.problem.get(), nullptr);
  Values q(3, 1.0), mu(1, 1.0), z(3), w(3);
  const auto call = [&](std::int64_t q_size, std::int64_t mu_size, std::int64_t size) {
    return nsm_differentiate(solver.get(), q.data(), q_size, mu.data(), mu_size, z.data(), w.data(), size);
  };
  EXPECT_EQ(call(3, 1, 3), NSM_NOT_AVAILABLE) << "before any solve";
  ASSERT_TRUE(support::solve(solver.get(), 3).converged());
  EXPECT_EQ(call(3, 1, 3), NSM_OK) << nsm_last_error();
  EXPECT_EQ(call(2, 1, 3), NSM_INVALID_DIMENSION);
  EXPECT_EQ(call(3, 2, 3), NSM_INVALID_DIMENSION);
  EXPECT_EQ(call(3, 1, -3), NSM_INVALID_DIMENSION);
  EXPECT_EQ(nsm_differentiate_transposed(solver.get(), z.data(), nullptr, 3, q.data(), 4, nullptr, 0), NSM_INVALID_DIMENSION);
  EXPECT_EQ(nsm_differentiate(nullptr, q.data(), 3, nullptr, 0, z.data(), w.data(), 3), NSM_INVALID_ARGUMENT);
  q[1] = NAN;
  EXPECT_EQ(call(3, 1, 3), NSM_NOT_FINITE);
  // Everything NULL is asking for nothing; results may be where the arguments are.
  EXPECT_EQ(nsm_differentiate(solver.get(), nullptr, 3, nullptr, 0, nullptr, nullptr, 3), NSM_OK) << nsm_last_error();
  q = {1, 2, 3};
  ASSERT_EQ(nsm_differentiate(solver.get(), q.data(), 3, nullptr, 0, z.data(), nullptr, 3), NSM_OK);
  ASSERT_EQ(nsm_differentiate(solver.get(), q.data(), 3, nullptr, 0, q.data(), nullptr, 3), NSM_OK);
  EXPECT_EQ(q, z);
  const SolverPtr lcp = support::setup(support::example(NSM_LCP).get(), nullptr);
  ASSERT_TRUE(support::solve(lcp.get(), 12).converged());
  const Values twelve(12, 1.0);
  Values out(12);
  EXPECT_EQ(nsm_differentiate(lcp.get(), twelve.data(), 12, twelve.data(), 12, out.data(), nullptr, 12), NSM_INVALID_DIMENSION)
      << "no mu";
}

}  // namespace friction_sensitivity_test
