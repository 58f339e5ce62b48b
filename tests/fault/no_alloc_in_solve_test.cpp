// nsm_solve by a named method allocates nothing: neither `new` nor malloc is called by this thread while it runs, for any method
// on any class. auto allocates in the first solve that reaches a stage, and says so; not if all stages are set up beforehand.
//
// What OpenBLAS takes for itself is not counted: its small products for AVX-512 ask for a buffer in every call.
#include <gtest/gtest.h>

#include <dlfcn.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <vector>

#include "../support/class_examples.hpp"
#include "../support/count_allocations.hpp"
#include "../support/mechanisms.hpp"
#include "../support/sparse_families.hpp"
#include "../support/sphere_pile.hpp"
#include "../support/stiff_body.hpp"
#include "problems/condensation.hpp"

namespace {
thread_local bool armed = false;
thread_local std::int64_t allocations = 0;

bool is_blas(const void* caller) {
  Dl_info where;
  return dladdr(caller, &where) != 0 && where.dli_fname != nullptr && std::strstr(where.dli_fname, "blas") != nullptr;
}

}  // namespace

void support::note_allocation(const void* caller) {
  if (armed && !is_blas(caller)) ++allocations;
}

namespace {

using generate::at;
using generate::Values;

template <class Call>
std::int64_t count_allocations(Call&& call) {
  allocations = 0;
  armed = true;
  call();
  armed = false;
  return allocations;
}

TEST(Counting, IsInEffect) {
  if (!NONSMOOTH_COUNTS_ALLOCATIONS) GTEST_SKIP() << "not under AddressSanitizer";
  const auto problem = support::example(NSM_LCP);
  nsm_solver* solver = nullptr;
  EXPECT_GT(count_allocations([&] { nsm_setup(problem.get(), nullptr, nullptr, &solver); }), 0);
  nsm_free(&solver);
  EXPECT_GT(count_allocations([] { std::free(std::malloc(3)); }), 0);
}

// A method may refuse a problem of a class it treats: one whose matrix is not symmetric, say.
bool refuses(const nsm_problem* problem, const char* method) {
  nsm_solver* solver = nullptr;
  const nsm_status status = nsm_setup(problem, method, nullptr, &solver);
  nsm_free(&solver);
  return status == NSM_UNSUPPORTED;
}

void expect_no_allocation(const nsm_problem* problem, const char* method, bool all_stages) {
  const auto n = nsm_problem_size(problem);
  const Values zero(at(n), 0.0);
  const bool on_demand = method == std::string("auto") && !all_stages;
  for (double tolerance : {1e-8, 0.0}) {  // at 0 the methods go through all their phases
    const auto solver = support::setup(
        problem, method, {{"tolerance", tolerance}, {"max_iterations", 500}, {"all_stages", all_stages ? 1.0 : 0.0}});
    nsm_result result = NSM_RESULT_INIT;
    nsm_status status = NSM_INTERNAL;
    const std::int64_t first = count_allocations([&] { status = nsm_solve(solver.get(), &result); });
    EXPECT_EQ(status, NSM_OK);
    EXPECT_EQ(first > 0, result.setup_time > 0) << "tolerance " << tolerance;
    EXPECT_TRUE(on_demand || first == 0) << first << " allocations in the first solve, tolerance " << tolerance;
    EXPECT_EQ(count_allocations([&] { status = nsm_warm_start(solver.get(), zero.data(), n); }), 0) << "warm start";
    EXPECT_EQ(status, NSM_OK);
    EXPECT_EQ(count_allocations([&] { status = nsm_solve(solver.get(), &result); }), 0) << "second solve";
    EXPECT_EQ(status, NSM_OK);
  }
}

void expect_no_allocation(const nsm_problem* problem, const char* method) {
  expect_no_allocation(problem, method, false);
  if (method == std::string("auto")) expect_no_allocation(problem, method, true);
}

class EveryClass : public testing::TestWithParam<nsm_class> {
 protected:
  void SetUp() override {
    if (!NONSMOOTH_COUNTS_ALLOCATIONS) GTEST_SKIP() << "not under AddressSanitizer";
  }
};
INSTANTIATE_TEST_SUITE_P(All, EveryClass, testing::ValuesIn(support::all_classes()),
                         [](const auto& parameter) { return std::string(nsm_class_name(parameter.param)); });

TEST_P(EveryClass, SolvesWithoutAllocating) {
  for (const nsm_method_info& method : support::all_methods()) {
    if (!support::treats(method, GetParam())) continue;
    SCOPED_TRACE(method.name);
    const auto problem = support::example(method, GetParam());
    expect_no_allocation(problem.get(), method.name);
  }
}

// A simulation calls update_q, or update_f, and solve once per step.
TEST_P(EveryClass, UpdatesQAndFWithoutAllocating) {
  if (nsm_class_storable(GetParam()) == 0) GTEST_SKIP() << "callbacks: no q";
  const bool global = support::is_global(GetParam());
  const std::int64_t rows = global ? support::example_motion_rows(GetParam()) : 0;
  const Values f(at(rows), 0.5);
  for (const nsm_method_info& method : support::all_methods()) {
    if (!support::treats(method, GetParam())) continue;
    SCOPED_TRACE(method.name);
    const auto problem = support::example(method, GetParam());
    const std::int64_t size = global ? support::example_contact_rows(GetParam()) : nsm_problem_size(problem.get());
    const Values q(at(size), -0.5);
    const auto solver = support::setup(problem.get(), method.name);
    nsm_result result = NSM_RESULT_INIT;
    nsm_status status = nsm_solve(solver.get(), &result);
    EXPECT_EQ(count_allocations([&] { status = nsm_update_q(solver.get(), q.data(), size); }), 0);
    EXPECT_EQ(status, NSM_OK) << nsm_last_error();
    if (global) {
      EXPECT_EQ(count_allocations([&] { status = nsm_update_f(solver.get(), f.data(), rows); }), 0);
      EXPECT_EQ(status, NSM_OK) << nsm_last_error();
    }
    const std::int64_t counted = count_allocations([&] { status = nsm_solve(solver.get(), &result); });
    const bool reached_a_stage = method.name == std::string("auto") && result.setup_time > 0;
    EXPECT_EQ(counted > 0, reached_a_stage);
    EXPECT_EQ(status, NSM_OK);
  }
}

// These read a new matrix as if they were set up anew.
bool takes_memory_for_a_matrix(const std::string& method) {
  return method == "active_set" || method == "latin" || method == "projected_conjugate_gradient" || method == "tresca" ||
         method == "panagiotopoulos" || method == "de_saxce_fixed_point";
}

// Where Jacobians change, M does too, in every step. The first update makes the solver's own copy of the values, the first solve
// that goes further than those before may allocate.
TEST_P(EveryClass, UpdatesTheMatrixWithoutAllocating) {
  if (nsm_class_storable(GetParam()) == 0 || support::is_global(GetParam()) || GetParam() == NSM_QP)
    GTEST_SKIP() << "no matrix, or one that is factorised";
  for (const nsm_method_info& method : support::all_methods()) {
    if (!support::treats(method, GetParam()) || support::needs_grid(method) || takes_memory_for_a_matrix(method.name)) continue;
    SCOPED_TRACE(method.name);
    const auto problem = support::example(method, GetParam());
    const auto n = static_cast<int>(nsm_problem_size(problem.get()));
    const auto solver = support::setup(problem.get(), method.name);
    const Values zero(at(n), 0.0);
    nsm_result result = NSM_RESULT_INIT;
    for (int step = 0; step < 6; ++step) {
      const Values values = support::example_matrix(n, static_cast<std::uint64_t>(20 + step % 3));
      const nsm_matrix M = support::dense(n, n, values);
      nsm_status status = NSM_OK;
      const std::int64_t counted = count_allocations([&] {
        status = nsm_update_matrix(solver.get(), &M);
        if (status == NSM_OK) status = nsm_warm_start(solver.get(), zero.data(), n);
        if (status == NSM_OK) status = nsm_solve(solver.get(), &result);
      });
      EXPECT_EQ(status, NSM_OK) << nsm_last_error();
      EXPECT_TRUE(step < 3 || counted == 0) << counted << " allocations in step " << step;
    }
  }
}

// Pairs of coupled contacts, and some that are coupled to nothing: solved part by part.
TEST(Islands, AreSolvedWithoutAllocating) {
  if (!NONSMOOTH_COUNTS_ALLOCATIONS) GTEST_SKIP() << "not under AddressSanitizer";
  const int contacts = 40, n = 3 * contacts;
  Values W = generate::identity(n, 3);
  for (int i = 0; i < n / 2; ++i)
    if (i % 6 < 3) W[at(i) + at(i + 3) * at(n)] = W[at(i + 3) + at(i) * at(n)] = -1;
  generate::Random random(4);
  expect_no_allocation(support::problem(generate::constructed_friction(random, 3, contacts, W)).get(), "auto");
}

// The normals alone solve the first, and lead nowhere in the second.
TEST(StructuresAtRest, DoNotAllocate) {
  if (!NONSMOOTH_COUNTS_ALLOCATIONS) GTEST_SKIP() << "not under AddressSanitizer";
  generate::Friction column = generate::box_column(30).local;
  expect_no_allocation(support::problem(column).get(), "auto");
  column.q[0] = 0.5;
  expect_no_allocation(support::problem(column).get(), "auto");
}

// They are not set up for a start that is a solution.
TEST(Mechanisms, LeaveStagesToTheSolveThatNeedsThem) {
  if (!NONSMOOTH_COUNTS_ALLOCATIONS) GTEST_SKIP() << "not under AddressSanitizer";
  generate::Random random(86);
  const nsm::Problem problem = generate::robot(random, 80).generic();
  std::optional<nsm::Solver> solver;
  const std::int64_t setup = count_allocations([&] { solver.emplace(problem); });
  const std::int64_t first = count_allocations([&] { EXPECT_TRUE(solver->solve().converged()); });
  EXPECT_LT(setup, first / 4) << first << " in the first solve";
}

TEST(Vi, SetsKnownByTheirProjectionDoNotAllocate) {
  if (!NONSMOOTH_COUNTS_ALLOCATIONS) GTEST_SKIP() << "not under AddressSanitizer";
  const auto problem = support::example_on_unit_ball(12);
  for (const nsm_method_info& method : support::all_methods())
    if (support::treats(method, NSM_VI)) {
      SCOPED_TRACE(method.name);
      expect_no_allocation(problem.get(), method.name);
    }
}

// Rays, proofs of infeasibility, singular leaves and restarts have their own workspaces.
TEST(Lcp, HardCasesDoNotAllocate) {
  if (!NONSMOOTH_COUNTS_ALLOCATIONS) GTEST_SKIP() << "not under AddressSanitizer";
  generate::Random random(1);
  const generate::Lcp cases[] = {{2, {1, -1, -1, 1}, {-1, -1}, {}},
                                 {2, {0, 0, 0, 0}, {-1, 2}, {}},
                                 generate::kostreva(),
                                 generate::fathi(12),
                                 generate::bimatrix(random, 4, true),
                                 generate::constructed(random, 10, random.normals(100)),
                                 {8, random.normals(64), random.normals(8), {}}};
  for (const generate::Lcp& lcp : cases) {
    const auto problem = support::problem(lcp);
    for (const nsm_method_info& method : support::all_methods())
      if (support::treats(method, NSM_LCP) && !refuses(problem.get(), method.name) && !support::needs_grid(method)) {
        SCOPED_TRACE(std::string(method.name) + " on order " + std::to_string(lcp.n));
        expect_no_allocation(problem.get(), method.name);
      }
  }
}

// Bases are factorised anew while the path is followed, in storage reserved by setup.
TEST(SparseProblems, FactorsOfBasesDoNotAllocate) {
  if (!NONSMOOTH_COUNTS_ALLOCATIONS) GTEST_SKIP() << "not under AddressSanitizer";
  generate::Random random(2);
  for (generate::SparseLcp lcp :
       {generate::sparse_contact(random, 100, 0.9), generate::sparse_monotone(random, 400, 200, 1, 0, generate::Graph::random)}) {
    generate::construct_solution(lcp, random, 0.5);
    const auto problem = support::problem(lcp);
    for (const char* method : {"sparse_lemke", "auto"}) expect_no_allocation(problem.get(), method);
  }
}

// Newton's matrices of a sparse Jacobian, and the augmented ones where these are singular, likewise: a row of springs, beside
// pairs of equations that are singular at the start.
TEST(SparseProblems, FactorsOfNewtonMatricesDoNotAllocate) {
  if (!NONSMOOTH_COUNTS_ALLOCATIONS) GTEST_SKIP() << "not under AddressSanitizer";
  constexpr std::int32_t n = 200;
  const nsm_function F = [](void*, std::int64_t size, const double* z, double* w) -> std::int32_t {
    for (std::int64_t i = 0; i < size; ++i) {
      const double left = i > 0 ? z[i - 1] : 0, right = i + 1 < size ? z[i + 1] : 0;
      w[i] = i < size / 2 ? 2.1 * z[i] - left - right + z[i] * z[i] * z[i] - std::sin(0.1 * static_cast<double>(i))
             : i % 2 == 0 ? z[i] + right - 3
                          : left * z[i] - 2;
    }
    return 0;
  };
  std::vector<std::int32_t> start{0}, index;
  for (std::int32_t j = 0; j < n; ++j) {
    for (std::int32_t i = std::max(0, j - 1); i < std::min(n, j + 2); ++i) index.push_back(i);
    start.push_back(static_cast<std::int32_t>(index.size()));
  }
  const nsm_matrix pattern = nsm_matrix_csc(n, n, start.data(), index.data(), nullptr);
  nsm_problem* raw = nullptr;
  const auto problem = support::checked(nsm_problem_create_ncp(n, F, nullptr, &pattern, nullptr, &raw), raw);
  expect_no_allocation(problem.get(), "semismooth_newton");
}

// Contacts of a pile keep their law in Newton's steps (nonlinear_elimination.hpp).
TEST(LargePiles, EliminationDoesNotAllocate) {
  if (!NONSMOOTH_COUNTS_ALLOCATIONS) GTEST_SKIP() << "not under AddressSanitizer";
  const support::SpherePile pile(9);  // 1,971 contacts: the small problems have both their methods
  nonsmooth::Condensation condensed(pile.global());
  const nonsmooth::CscMatrix W = nonsmooth::to_csc(*condensed.inclusion().M);
  const nsm_matrix view = nsm_matrix_csc(W.rows, W.cols, W.col_start.data(), W.row_index.data(), W.values.data());
  nsm_problem* raw = nullptr;
  const auto problem =
      support::checked(nsm_problem_create_friction(3, &view, condensed.inclusion().q->data(), pile.mu.data(), &raw), raw);
  const auto solver = support::setup(problem.get(), "proximal_newton", {{"max_iterations", 400}});
  int eliminations = 0;
  const auto count = [](void* user, const char* message) {
    if (std::strstr(message, "with the law of") != nullptr) ++*static_cast<int*>(user);
  };
  nsm_set_log(solver.get(), count, &eliminations);
  nsm_result result = NSM_RESULT_INIT;
  EXPECT_EQ(count_allocations([&] { nsm_solve(solver.get(), &result); }), 0);
  EXPECT_GT(eliminations, 2);
}

// One component of the mass matrix above the dense limit: the lift solves with a sparse factorisation.
TEST(GlobalFriction, LargeComponentsDoNotAllocate) {
  if (!NONSMOOTH_COUNTS_ALLOCATIONS) GTEST_SKIP() << "not under AddressSanitizer";
  const auto problem = support::example(NSM_GLOBAL_FRICTION, {30});
  expect_no_allocation(problem.get(), "block_gauss_seidel");
}

// What the certificate refuses for the rounding of W is made up for, and solved again.
TEST(GlobalFriction, RefusedClaimsDoNotAllocate) {
  if (!NONSMOOTH_COUNTS_ALLOCATIONS) GTEST_SKIP() << "not under AddressSanitizer";
  constexpr std::int32_t n = 24;
  const generate::StiffBody body(n, 1e8);
  const nsm::Problem problem = nsm::Problem::global_friction(2, nsm::Matrix::dense(body.rows, body.rows, body.M),
                                                             nsm::Matrix::dense(body.rows, 2 * n, body.H), body.f,
                                                             Values(at(2 * n), 0.0), Values(at(n), 0.5));
  const auto solver = support::setup(problem.handle(), "friction_interior_point", {{"tolerance", 1e-9}});
  nsm_result result = NSM_RESULT_INIT;
  EXPECT_EQ(count_allocations([&] { nsm_solve(solver.get(), &result); }), 0);
  EXPECT_EQ(result.outcome, NSM_CONVERGED);
}

}  // namespace
