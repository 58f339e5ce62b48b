// Lemke's method on sparse factors: the factors themselves, agreement with the dense tableau on all kinds of bounds, degenerate
// and infeasible problems, starting points, long runs.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "../support/sparse_families.hpp"
#include "core/patience.hpp"
#include "linalg/left_looking_lu.hpp"

namespace sparse_lemke_test {

using generate::at;
using generate::Graph;
using generate::Random;
using generate::SparseBuilder;
using generate::SparseLcp;
using generate::Values;
using support::Solution;

void load(nonsmooth::LeftLookingLu& lu, const SparseLcp& A) {
  lu.clear();
  for (std::size_t j = 0; j < at(A.n); ++j) {
    for (std::size_t k = at(A.start[j]); k < at(A.start[j + 1]); ++k) lu.add(A.index[k], A.values[k]);
    lu.finish_column();
  }
}

TEST(LeftLookingLu, SolvesSparseSystems) {
  Random random(301);
  nonsmooth::LeftLookingLu lu;
  lu.resize(300, 300 * 20, 300 * 300);
  for (int n : {1, 2, 10, 77, 300})
    for (int trailing : {0, 1}) {
      const SparseLcp A = generate::sparse_monotone(random, n, n, 1, 0.1, Graph::random);
      load(lu, A);
      ASSERT_TRUE(lu.factorise(n, trailing));
      const Values x = random.normals(n);
      Values solved = A.multiply(x);
      lu.solve(solved.data());
      double defect = 0;
      for (std::size_t i = 0; i < x.size(); ++i) defect = std::max(defect, std::abs(solved[i] - x[i]));
      EXPECT_LE(defect, 1e-9) << "n = " << n;
    }
}

TEST(LeftLookingLu, TellsSingularFromRegularAndLimitsTheFill) {
  nonsmooth::LeftLookingLu lu;
  lu.resize(3, 9, 9);
  load(lu, generate::sparse(3, {1, 2, 0, 2, 4, 0, 0, 0, 1}, Values(3, 0.0)));
  EXPECT_FALSE(lu.factorise(3, 0));
  load(lu, generate::sparse(3, {1, 2, 0, 2, 5, 0, 0, 0, 1}, Values(3, 0.0)));
  EXPECT_TRUE(lu.factorise(3, 0));
  nonsmooth::LeftLookingLu small;
  small.resize(30, 900, 40);
  Random random(302);
  load(small, generate::sparse(30, random.normals(900), Values(30, 0.0)));
  EXPECT_FALSE(small.factorise(30, 0));
}

// Columns (1, 1), (2, 2), (0, 0), (1, -1): the last is taken in for what the first two do not span.
TEST(LeftLookingLu, ChoosesIndependentColumns) {
  nonsmooth::LeftLookingLu lu;
  lu.resize(4, 8, 16);
  lu.clear();
  for (const auto& [a, b] : {std::pair{1.0, 1.0}, {2.0, 2.0}, {0.0, 0.0}, {1.0, -1.0}}) {
    if (a != 0) lu.add(0, a);
    if (b != 0) lu.add(1, b);
    lu.finish_column();
  }
  ASSERT_TRUE(lu.factorise(2, 2));
  EXPECT_EQ(lu.chosen_columns()[1], 3);
}

// Lasts for so many questions.
struct Questions final : nonsmooth::Patience {
  explicit Questions(int count) : left(count) {}
  bool lasts() override { return left-- > 0; }
  int left;
};

TEST(LeftLookingLu, EndsWithPatience) {
  constexpr int n = 400;
  Random random(303);
  nonsmooth::LeftLookingLu lu;
  lu.resize(n, n * n, n * n);
  load(lu, generate::sparse(n, random.normals(n * n), Values(n, 0.0)));
  for (int questions : {0, 1, 2}) {
    Questions patience(questions);
    lu.set_patience(&patience);
    EXPECT_FALSE(lu.factorise(n, 0));
    EXPECT_EQ(patience.left, -1) << "asked again, or not at all";
    EXPECT_LE(lu.work(), questions * 11'000'000);
  }
  lu.set_patience(nullptr);
  EXPECT_TRUE(lu.factorise(n, 0));
}

enum class Bounds { orthant, mixed, box };

void choose_bounds(SparseLcp& lcp, Random& random, Bounds bounds) {
  if (bounds == Bounds::orthant) return;
  for (int i = 0; i < lcp.n; ++i) {
    const int kind = bounds == Bounds::mixed ? random.integer(0, 1) : random.integer(2, 4);
    lcp.lo.push_back(kind == 0 || kind == 4 ? -HUGE_VAL : kind == 3 ? -1 : 0);
    lcp.hi.push_back(kind == 0 || kind == 1 ? HUGE_VAL : random.uniform(0.5, 2));
  }
}

class Agreement : public testing::TestWithParam<Bounds> {};
INSTANTIATE_TEST_SUITE_P(Bounds, Agreement, testing::Values(Bounds::orthant, Bounds::mixed, Bounds::box),
                         [](const auto& parameter) {
                           return std::string(std::array{"orthant", "mixed", "box"}[at(static_cast<int>(parameter.param))]);
                         });

// The same pivots, and so the same solution where there are several.
TEST_P(Agreement, WithTheDenseTableauOnMonotoneProblems) {
  Random random(303);
  int same = 0;
  for (int k = 0; k < 500; ++k) {
    const int n = random.integer(1, 60);
    SparseLcp lcp = generate::sparse_monotone(random, n, k % 2 == 0 ? n : n / 2, k % 3, k % 2 == 0 ? 0.1 : 0.0,
                                              k % 5 == 0 ? Graph::random : Graph::local);
    choose_bounds(lcp, random, k % 2 == 0 || GetParam() != Bounds::mixed ? GetParam() : Bounds::orthant);
    generate::construct_solution(lcp, random, 0.4);
    const auto problem = support::problem(lcp);
    const Solution dense = support::solve(problem.get(), "lemke"), s = support::solve(problem.get(), "sparse_lemke");
    EXPECT_TRUE(s.converged()) << "case " << k << ": " << s.text();
    EXPECT_LE(lcp.residual(s.z), 1.01e-8) << "case " << k;
    EXPECT_TRUE(dense.converged()) << "case " << k << ": " << dense.text();
    same += s.result.iterations == dense.result.iterations;
  }
  EXPECT_GE(same, 490);
}

// Rounding may part the two on long paths.
TEST_P(Agreement, WithTheDenseTableauOnGeneralMatrices) {
  Random random(304);
  int same = 0;
  for (int k = 0; k < 500; ++k) {
    const int n = random.integer(2, 30);
    SparseBuilder builder(n);
    for (int i = 0; i < n; ++i)
      for (int e = 0; e < 4; ++e) builder.add(i, e == 0 ? i : random.integer(0, n - 1), random.normal());
    SparseLcp lcp = builder.finish();
    choose_bounds(lcp, random, GetParam());
    generate::construct_solution(lcp, random, 0.4);
    const auto problem = support::problem(lcp);
    const Solution dense = support::solve(problem.get(), "lemke"), s = support::solve(problem.get(), "sparse_lemke");
    EXPECT_TRUE(!s.converged() || lcp.residual(s.z) <= 1.01e-8) << "case " << k;
    same += s.result.outcome == dense.result.outcome;
  }
  EXPECT_GE(same, 490);
}

TEST(SparseLemke, ClassicalProblems) {
  Random random(305);
  for (const generate::Lcp& p : {generate::murty(12), generate::murty(30), generate::fathi(16), generate::chandrasekaran(16),
                                 generate::harker_pang(random, 20, true), generate::kostreva()}) {
    const SparseLcp lcp = generate::sparse(p.n, p.M, p.q);
    const Solution s = support::solve(support::problem(lcp).get(), "sparse_lemke");
    EXPECT_EQ(s.converged(), support::solve(p, "lemke").converged()) << "n = " << p.n;
    EXPECT_TRUE(!s.converged() || lcp.residual(s.z) <= 1.01e-8) << "n = " << p.n;
  }
}

// Every ratio test tied: equal rows, integers; a contact problem at rest with q = 0 on all bounded rows.
TEST(SparseLemke, DegenerateProblems) {
  Random random(306);
  for (const SparseLcp& lcp : {generate::tridiagonal(200, 1, 4, -2, -4), generate::tridiagonal(150, -1, 2, -1, -1),
                               generate::american_put(200), generate::obstacle(20)}) {
    const Solution s = support::solve(support::problem(lcp).get(), "sparse_lemke");
    EXPECT_TRUE(s.converged()) << s.text();
    EXPECT_LE(lcp.residual(s.z), 1.01e-8);
  }
  SparseLcp contact = generate::sparse_contact(random, 100, 0.9);
  std::fill_n(contact.q.begin(), 200, -1.0);
  const Solution s = support::solve(support::problem(contact).get(), "sparse_lemke");
  EXPECT_TRUE(s.converged()) << s.text();
  EXPECT_LE(contact.residual(s.z), 1.01e-8);
}

// A row of a positive semidefinite matrix that is zero, with q < 0.
TEST(SparseLemke, ProvesInfeasibility) {
  Random random(307);
  for (int n : {2, 30, 600}) {
    SparseLcp lcp = generate::sparse_monotone(random, n, n, 1, 0, Graph::local);
    for (std::size_t j = 0; j < at(n); ++j)
      for (std::size_t k = at(lcp.start[j]); k < at(lcp.start[j + 1]); ++k)
        if (j == 0 || lcp.index[k] == 0) lcp.values[k] = 0;
    generate::construct_solution(lcp, random, 0.5);
    lcp.q[0] = -1;
    const Solution s = support::solve(support::problem(lcp).get(), "sparse_lemke");
    EXPECT_EQ(s.result.outcome, NSM_INFEASIBLE) << "n = " << n << ": " << s.text();
  }
}

// Free variables whose own block is zero: Lagrange multipliers of equations among bounded unknowns.
TEST(SparseLemke, FreeVariablesWithASingularBlock) {
  Random random(308);
  for (int k = 0; k < 100; ++k) {
    const int unknowns = random.integer(4, 40), equations = random.integer(1, unknowns / 4), n = unknowns + equations;
    SparseBuilder builder(n);
    for (int i = 0; i < unknowns; ++i) builder.add(i, i, k % 2 == 0 ? 1 : 0);
    for (int e = 0; e < equations; ++e)
      for (int i : {e, random.integer(equations, unknowns - 1)}) {
        const double value = random.uniform(0.5, 1);
        builder.add(unknowns + e, i, value);
        builder.add(i, unknowns + e, -value);
      }
    SparseLcp lcp = builder.finish();
    lcp.lo.assign(at(n), 0.0);
    lcp.hi.assign(at(n), HUGE_VAL);
    std::fill(lcp.lo.begin() + unknowns, lcp.lo.end(), -HUGE_VAL);
    generate::construct_solution(lcp, random, 0.6);
    const Solution s = support::solve(support::problem(lcp).get(), "sparse_lemke");
    EXPECT_TRUE(s.converged()) << "case " << k << ": " << s.text();
    EXPECT_LE(lcp.residual(s.z), 1.01e-8) << "case " << k;
  }
}

// Flows at least cost: the balances of all nodes add up to 0, so that one of these rows depends on the others.
SparseLcp flow_programme(Random& random, int nodes, int arcs) {
  const int n = arcs + nodes;
  SparseBuilder builder(n);
  Values flow = random.normals(arcs), q(at(n), 0.0);
  for (int a = 0; a < arcs; ++a) {
    const int from = a < nodes - 1 ? a : random.integer(0, nodes - 1);
    const int to = a < nodes - 1 ? a + 1 : (from + random.integer(1, nodes - 1)) % nodes;
    flow[at(a)] = std::max(0.0, flow[at(a)]);
    q[at(a)] = random.uniform(0.1, 1);
    for (const auto& [node, sign] : {std::pair{from, 1.0}, {to, -1.0}}) {
      builder.add(arcs + node, a, sign);
      builder.add(a, arcs + node, -sign);
      q[at(arcs + node)] -= sign * flow[at(a)];
    }
  }
  SparseLcp lcp = builder.finish();
  lcp.q = q;
  lcp.lo.assign(at(n), 0.0);
  lcp.hi.assign(at(n), HUGE_VAL);
  std::fill(lcp.lo.begin() + arcs, lcp.lo.end(), -HUGE_VAL);
  return lcp;
}

TEST(SparseLemke, EqualityRowsThatDependOnOthers) {
  Random random(310);
  for (int k = 0; k < 30; ++k) {
    const int nodes = random.integer(2, 20);
    SparseLcp lcp = flow_programme(random, nodes, nodes - 1 + random.integer(0, 2 * nodes));
    const Solution s = support::solve(support::problem(lcp).get(), "sparse_lemke");
    EXPECT_TRUE(s.converged()) << "case " << k << ": " << s.text();
    EXPECT_LE(lcp.residual(s.z), 1.01e-8) << "case " << k;
  }
}

// A row of zeros, and one that is another: left out, or a contradiction.
TEST(SparseLemke, EqualityRowsThatContradictOthers) {
  for (const double off : {0.0, 1.0}) {
    const Values M = {1, 1, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}, q = {-1, -1 - off, 0, -1};
    const std::vector<std::int32_t> is_complementarity = {0, 0, 0, 1};
    const nsm_matrix view = support::dense(4, 4, M);
    nsm_problem* raw = nullptr;
    ASSERT_EQ(nsm_problem_create_mlcp(&view, q.data(), is_complementarity.data(), &raw), NSM_OK) << nsm_last_error();
    const support::ProblemPtr problem(raw);
    const Solution s = support::solve(problem.get(), "sparse_lemke");
    EXPECT_EQ(s.result.outcome, off > 0 ? NSM_INFEASIBLE : NSM_CONVERGED) << s.text();
  }
}

TEST(SparseLemke, StartsFromAnOldSolution) {
  Random random(309);
  for (const bool contacts : {false, true}) {
    SparseLcp lcp =
        contacts ? generate::sparse_contact(random, 200, 0.9) : generate::sparse_monotone(random, 800, 800, 1, 0.1, Graph::local);
    generate::construct_solution(lcp, random, 0.5);
    const auto problem = support::problem(lcp);
    const auto solver = support::setup(problem.get(), "sparse_lemke");
    const Solution cold = support::solve(solver.get(), lcp.n);
    ASSERT_TRUE(cold.converged()) << cold.text();
    for (double& q : lcp.q) q += 1e-3 * random.normal();
    ASSERT_EQ(nsm_update_q(solver.get(), lcp.q.data(), lcp.n), NSM_OK);
    ASSERT_EQ(nsm_warm_start(solver.get(), cold.z.data(), lcp.n), NSM_OK);
    const Solution warm = support::solve(solver.get(), lcp.n);
    EXPECT_TRUE(warm.converged()) << warm.text();
    EXPECT_LE(warm.result.iterations, cold.result.iterations / 5);
  }
}

// Hundreds of pivots on one factorisation, and ten: the same path and the same solution.
TEST(SparseLemke, LongRunsDoNotDependOnTheFactorisations) {
  Random random(310);
  for (const Graph graph : {Graph::local, Graph::random}) {
    SparseLcp lcp = generate::sparse_monotone(random, 900, 450, 1, 0, graph);
    generate::construct_solution(lcp, random, 0.5);
    const auto problem = support::problem(lcp);
    const Solution reference = support::solve(problem.get(), "sparse_lemke", {{"refactor_interval", 10}});
    ASSERT_TRUE(reference.converged()) << reference.text();
    for (double interval : {1.0, 1000.0}) {
      const Solution s = support::solve(problem.get(), "sparse_lemke", {{"refactor_interval", interval}});
      EXPECT_TRUE(s.converged()) << s.text();
      EXPECT_EQ(s.result.iterations, reference.result.iterations);
    }
  }
}

// Larger than the dense tableau of `auto`, no diagonal to sweep with.
TEST(SparseLemke, IsWhatAutoTakesForLargeSparseProblems) {
  Random random(311);
  SparseLcp lcp = generate::sparse_contact(random, 1400, 0.9);
  generate::construct_solution(lcp, random, 0.3);
  ASSERT_GT(lcp.n, 4000);
  const Solution s = support::solve(support::problem(lcp).get(), "auto");
  EXPECT_TRUE(s.converged()) << s.text();
  EXPECT_LE(lcp.residual(s.z), 1.01e-8);
}

}  // namespace sparse_lemke_test
