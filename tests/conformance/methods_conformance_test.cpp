// What every method has to keep on every class it claims, through the C interface alone.
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <cstring>
#include <thread>

#include "../support/class_examples.hpp"
#include "../support/generators.hpp"
#include "../support/solve.hpp"

namespace methods_conformance_test {

using generate::at;
using generate::Values;
using support::all_classes;
using support::all_methods;
using support::example_contact_rows;
using support::example_motion_rows;
using support::is_global;
using support::ProblemPtr;
using support::Solution;
using support::treats;

// body(method, class, problem) for every method and class it treats.
template <class Body>
void for_each_pair(Body&& body, support::Size size = {}) {
  for (const nsm_method_info& method : all_methods())
    for (nsm_class c : all_classes()) {
      if (!treats(method, c)) continue;
      SCOPED_TRACE(std::string(method.name) + " on " + nsm_class_name(c));
      const ProblemPtr problem = support::example(method, c, size);
      body(method, c, problem.get());
    }
}

nsm_certificate certify(const nsm_problem* problem, const Values& z, const Values& w, double tolerance) {
  nsm_certificate certificate = NSM_CERTIFICATE_INIT;
  certificate.tolerance = tolerance;
  EXPECT_EQ(nsm_certify(problem, z.data(), w.data(), &certificate), NSM_OK) << nsm_last_error();
  return certificate;
}

// Converged means that the certificate, recomputed, agrees; anything else is an honest outcome with the residual of its iterate.
void expect_honest(const nsm_problem* problem, const Solution& s, double tolerance) {
  const nsm_certificate again = certify(problem, s.z, s.w, tolerance);
  EXPECT_EQ(again.residual, s.result.certificate.residual);
  EXPECT_EQ(again.verdict, s.result.certificate.verdict);
  EXPECT_EQ(again.w_defect, 0);
  EXPECT_EQ(s.result.outcome == NSM_CONVERGED, again.verdict != NSM_NOT_CERTIFIED);
  if (s.converged()) {
    EXPECT_TRUE(again.residual <= tolerance || again.verdict == NSM_WORKING_PRECISION);
    EXPECT_GE(s.result.solutions, 1);
  } else {
    EXPECT_EQ(s.result.solutions, 0);
  }
  EXPECT_GE(s.result.time, 0);
  EXPECT_GE(s.result.iterations, 0);
}

TEST(Methods, TheTableIsComplete) {
  EXPECT_GT(nsm_method_count(), 0);
  for (const nsm_method_info& method : all_methods()) {
    for (const char* text : {method.name, method.summary, method.source, method.safe_for, method.use_for}) {
      ASSERT_NE(text, nullptr);
      EXPECT_GT(std::strlen(text), 0u) << method.name;
    }
    EXPECT_NE(method.classes, 0u);
    EXPECT_EQ(method.classes >> NSM_CLASS_COUNT, 0u);
    EXPECT_GT(method.default_iterations, 0);
  }
  nsm_method_info info{};
  info.struct_size = sizeof info;
  EXPECT_EQ(nsm_method_describe(-1, &info), NSM_INVALID_ARGUMENT);
  EXPECT_EQ(nsm_method_describe(nsm_method_count(), &info), NSM_INVALID_ARGUMENT);
  EXPECT_EQ(nsm_method_describe(0, nullptr), NSM_INVALID_ARGUMENT);
}

TEST(Methods, EasyProblemsConverge) {
  for_each_pair([](const nsm_method_info& method, nsm_class, const nsm_problem* problem) {
    for (double tolerance : {1e-4, 1e-8, 1e-12}) {
      const Solution s = support::solve(problem, method.name, {{"tolerance", tolerance}});
      EXPECT_TRUE(s.converged()) << s.text();
      expect_honest(problem, s, tolerance);
    }
  });
}

// Tolerance 0 asks for more than rounding allows: "working precision" or an honest end, never a lie.
TEST(Methods, ZeroToleranceEndsHonestly) {
  for_each_pair([](const nsm_method_info& method, nsm_class, const nsm_problem* problem) {
    const Solution s = support::solve(problem, method.name, {{"tolerance", 0}, {"max_iterations", 3000}});
    expect_honest(problem, s, 0);
  });
}

TEST(Methods, UnsupportedClassesAreRefused) {
  for (const nsm_method_info& method : all_methods())
    for (nsm_class c : all_classes()) {
      if (treats(method, c)) continue;
      const ProblemPtr problem = support::example(c);
      nsm_solver* solver = nullptr;
      EXPECT_EQ(nsm_setup(problem.get(), method.name, nullptr, &solver), NSM_UNSUPPORTED)
          << method.name << " on " << nsm_class_name(c);
      EXPECT_EQ(solver, nullptr);
      EXPECT_NE(std::string(nsm_last_error()).find(method.name), std::string::npos) << nsm_last_error();
    }
}

// A generic problem of equalities, complementarities and bounds is what its blocks are; contacts are refused by name.
TEST(Methods, GenericProblemsAreJudgedByTheirBlocks) {
  const Values M = support::example_matrix(6, 21), q = generate::Random(22).normals(6), lo(6, -0.25), hi(6, 0.25);
  const nsm_matrix view = support::dense(6, 6, M);
  const std::int32_t kinds[] = {NSM_BLOCK_EQUALITY, NSM_BLOCK_COMPLEMENTARITY, NSM_BLOCK_RELAY}, sizes[] = {2, 1, 3};
  const Values low = {-HUGE_VAL, -HUGE_VAL, 0, -0.25, -0.25, -0.25}, high = {HUGE_VAL, HUGE_VAL, HUGE_VAL, 0.25, 0.25, 0.25};
  nsm_problem *generic = nullptr, *relay = nullptr, *contacts = nullptr;
  ASSERT_EQ(nsm_problem_create_generic(&view, q.data(), 3, kinds, sizes, nullptr, lo.data(), hi.data(), &generic), NSM_OK);
  ASSERT_EQ(nsm_problem_create_relay(&view, q.data(), low.data(), high.data(), &relay), NSM_OK);
  const std::int32_t with_contact[] = {NSM_BLOCK_EQUALITY, NSM_BLOCK_FRICTION_3D}, three[] = {3, 3};
  const Values mu = {0, 0.5};
  ASSERT_EQ(nsm_problem_create_generic(&view, q.data(), 2, with_contact, three, mu.data(), nullptr, nullptr, &contacts), NSM_OK);
  const ProblemPtr owners[] = {ProblemPtr(generic), ProblemPtr(relay), ProblemPtr(contacts)};
  const Solution expected = support::solve(relay, "auto");
  int without_contacts = 0;
  for (const nsm_method_info& method : all_methods()) {
    if (!treats(method, NSM_GENERIC) || support::needs_grid(method)) continue;
    SCOPED_TRACE(method.name);
    const Solution s = support::solve(generic, method.name);
    EXPECT_TRUE(s.converged()) << s.text();
    for (std::size_t i = 0; i < 6; ++i) EXPECT_NEAR(s.z[i], expected.z[i], 1e-6);
    nsm_solver* solver = nullptr;
    const nsm_status status = nsm_setup(contacts, method.name, nullptr, &solver);
    nsm_free(&solver);
    if (status == NSM_OK) continue;
    ++without_contacts;
    EXPECT_EQ(status, NSM_UNSUPPORTED);
    const std::string message = nsm_last_error();
    EXPECT_NE(message.find(method.name), std::string::npos) << message;
    EXPECT_TRUE(message.find("contact of dimension 3") != std::string::npos || support::needs_plane(method)) << message;
  }
  EXPECT_GE(without_contacts, 10);
}

// Disks beside what they may stand beside: solved, or refused by name.
TEST(Methods, DisksAreSolvedOrRefused) {
  constexpr int n = 8;
  const Values M = support::example_matrix(n, 31), q = generate::Random(32).normals(n), lo(n, -0.25), hi(n, 0.25);
  const Values mu = {0.2, 0, 0, 0.3, 0, 0};
  const nsm_matrix view = support::dense(n, n, M);
  const std::int32_t kinds[] = {NSM_BLOCK_DISK, NSM_BLOCK_EQUALITY, NSM_BLOCK_COMPLEMENTARITY,
                                NSM_BLOCK_DISK, NSM_BLOCK_RELAY,    NSM_BLOCK_COMPLEMENTARITY};
  const std::int32_t sizes[] = {2, 1, 1, 2, 1, 1};
  nsm_problem* raw = nullptr;
  ASSERT_EQ(nsm_problem_create_generic(&view, q.data(), 6, kinds, sizes, mu.data(), lo.data(), hi.data(), &raw), NSM_OK);
  const ProblemPtr problem(raw);
  const Solution expected = support::solve(problem.get(), nullptr, {{"tolerance", 1e-12}});
  ASSERT_TRUE(expected.converged()) << expected.text();
  for (const nsm_method_info& method : all_methods()) {
    if (!treats(method, NSM_GENERIC) || support::needs_grid(method)) continue;
    SCOPED_TRACE(method.name);
    nsm_solver* solver = nullptr;
    const nsm_status status = nsm_setup(problem.get(), method.name, nullptr, &solver);
    const std::string message = nsm_last_error();
    nsm_free(&solver);
    EXPECT_EQ(status == NSM_OK, support::treats_disks(method)) << message;
    if (status != NSM_OK) {
      EXPECT_EQ(status, NSM_UNSUPPORTED);
      EXPECT_NE(message.find(method.name), std::string::npos) << message;
      EXPECT_TRUE(message.find("disks") != std::string::npos || message.find("only") != std::string::npos) << message;
      continue;
    }
    const Solution s = support::solve(problem.get(), method.name);
    EXPECT_TRUE(s.converged()) << s.text();
    expect_honest(problem.get(), s, 1e-8);
    for (std::size_t i = 0; i < n; ++i) EXPECT_NEAR(s.z[i], expected.z[i], 1e-5);
  }
}

TEST(Methods, UnknownNamesAreRefused) {
  const ProblemPtr problem = support::example(NSM_LCP);
  nsm_solver* solver = nullptr;
  for (const char* name : {"", "lemke ", "Lemke", "no_such_method"}) {
    EXPECT_EQ(nsm_setup(problem.get(), name, nullptr, &solver), NSM_UNKNOWN_METHOD) << name;
    EXPECT_EQ(solver, nullptr);
  }
  EXPECT_EQ(nsm_setup(nullptr, nullptr, nullptr, &solver), NSM_INVALID_ARGUMENT);
  EXPECT_EQ(nsm_setup(problem.get(), nullptr, nullptr, nullptr), NSM_INVALID_ARGUMENT);
}

TEST(Methods, EveryClassHasADefaultOrAnHonestError) {
  for (nsm_class c : all_classes()) {
    const ProblemPtr problem = support::example(c);
    const std::string name = nsm_default_method(problem.get());
    nsm_solver* solver = nullptr;
    const nsm_status status = nsm_setup(problem.get(), nullptr, nullptr, &solver);
    EXPECT_EQ(status, name.empty() ? NSM_UNSUPPORTED : NSM_OK) << nsm_class_name(c) << ": " << nsm_last_error();
    if (solver != nullptr) {
      EXPECT_EQ(nsm_solver_method(solver), name);
    }
    nsm_free(&solver);
  }
  EXPECT_STREQ(nsm_default_method(nullptr), "");
  // A polyhedron is solved, or refused with a reason.
  const ProblemPtr avi = support::example_polyhedral_avi();
  nsm_solver* solver = nullptr;
  const nsm_status status = nsm_setup(avi.get(), nullptr, nullptr, &solver);
  const support::SolverPtr owner(solver);
  if (status == NSM_OK) {
    const Solution s = support::solve(solver, 4);
    expect_honest(avi.get(), s, 1e-8);
  } else {
    EXPECT_EQ(status, NSM_UNSUPPORTED) << nsm_last_error();
    EXPECT_NE(std::string(nsm_last_error()), "");
  }
}

TEST(Methods, NothingBeforeTheFirstSolve) {
  const ProblemPtr problem = support::example(NSM_LCP);
  const auto solver = support::setup(problem.get(), nullptr);
  Values z(at(nsm_problem_size(problem.get())));
  const auto n = static_cast<std::int64_t>(z.size());
  EXPECT_EQ(nsm_solution(solver.get(), z.data(), nullptr, n), NSM_NOT_AVAILABLE);
  EXPECT_EQ(nsm_solution_at(solver.get(), 0, z.data(), nullptr, n), NSM_NOT_AVAILABLE);
  EXPECT_EQ(nsm_infeasibility_certificate(solver.get(), z.data(), n), NSM_NOT_AVAILABLE);
  support::solve(solver.get(), n);
  EXPECT_EQ(nsm_solution(solver.get(), z.data(), nullptr, n - 1), NSM_INVALID_DIMENSION);
  EXPECT_EQ(nsm_solution(solver.get(), nullptr, nullptr, n), NSM_OK);
  EXPECT_EQ(nsm_solve(solver.get(), nullptr), NSM_INVALID_ARGUMENT);
}

TEST(Options, EveryRowIsConsistent) {
  EXPECT_GT(nsm_option_count(), 0);
  for (std::int64_t k = 0; k < nsm_option_count(); ++k) {
    nsm_option_info row{};
    row.struct_size = sizeof row;
    ASSERT_EQ(nsm_option_describe(k, &row), NSM_OK);
    SCOPED_TRACE(row.name);
    EXPECT_LE(row.lower, row.default_value);
    EXPECT_LE(row.default_value, row.upper);
    EXPECT_GT(std::strlen(row.help), 0u);
    EXPECT_GT(std::strlen(row.unit), 0u);
    const auto options = support::options({});
    double value = -1;
    EXPECT_EQ(nsm_options_get(options.get(), row.name, &value), NSM_OK);
    EXPECT_EQ(value, row.default_value);
    for (double bound : {row.lower, row.upper}) {
      EXPECT_EQ(nsm_options_set(options.get(), row.name, bound), NSM_OK) << nsm_last_error();
      EXPECT_EQ(nsm_options_get(options.get(), row.name, &value), NSM_OK);
      EXPECT_EQ(value, bound);
    }
    for (double bad : {row.lower - 1, row.upper * 2 + 1, std::nan("")}) {
      EXPECT_EQ(nsm_options_set(options.get(), row.name, bad), NSM_INVALID_OPTION) << bad;
      EXPECT_NE(std::string(nsm_last_error()).find(row.name), std::string::npos) << nsm_last_error();
    }
    EXPECT_EQ(nsm_options_get(options.get(), row.name, &value), NSM_OK);
    EXPECT_EQ(value, row.upper) << "a refused value changes nothing";
    if (row.type != NSM_OPTION_REAL) {
      EXPECT_EQ(nsm_options_set(options.get(), row.name, 0.5), NSM_INVALID_OPTION);
    }
    // `methods` names methods of the table.
    std::string names = row.methods;
    if (names == "all") continue;
    std::size_t start = 0;
    while (start < names.size()) {
      const std::size_t end = std::min(names.find(' ', start), names.size());
      const std::string name = names.substr(start, end - start);
      bool known = false;
      for (const nsm_method_info& method : all_methods()) known = known || name == method.name;
      EXPECT_TRUE(known) << name;
      start = end + 1;
    }
  }
}

TEST(Options, TextAndUnknownNames) {
  const auto options = support::options({});
  EXPECT_EQ(nsm_options_set(options.get(), "no_such_option", 1), NSM_INVALID_OPTION);
  EXPECT_NE(std::string(nsm_last_error()).find("no_such_option"), std::string::npos);
  EXPECT_EQ(nsm_options_set_text(options.get(), "tolerance", "1e-6"), NSM_OK);
  double value = 0;
  EXPECT_EQ(nsm_options_get(options.get(), "tolerance", &value), NSM_OK);
  EXPECT_EQ(value, 1e-6);
  EXPECT_EQ(nsm_options_set_text(options.get(), "all_solutions", "true"), NSM_OK);
  for (const char* bad : {"", "1e-6x", " 1", "nan", "true", "-1", "inf"})
    EXPECT_EQ(nsm_options_set_text(options.get(), "tolerance", bad), NSM_INVALID_OPTION) << bad;
  EXPECT_EQ(nsm_options_get(options.get(), "tolerance", &value), NSM_OK);
  EXPECT_EQ(value, 1e-6);
}

// One iteration: an honest end with the best iterate, whatever the method.
TEST(Limits, OneIteration) {
  for_each_pair([](const nsm_method_info& method, nsm_class, const nsm_problem* problem) {
    const Solution s = support::solve(problem, method.name, {{"max_iterations", 1}});
    EXPECT_LE(s.result.iterations, 1);
    EXPECT_TRUE(s.converged() || s.result.outcome == NSM_ITERATION_LIMIT) << s.text();
    expect_honest(problem, s, 1e-8);
  });
}

// A problem that keeps a method busy for seconds, if there is one for it.
ProblemPtr endless(const std::string& method) {
  generate::Random random(3);
  if (method == "enumeration") {
    // No solution, and every sign pattern is possible until the last row: w_n = -1 - (small) sum.
    const int n = 60;
    generate::Lcp lcp{n, generate::identity(n, -1), Values(at(n), 1.0), {}};
    for (int j = 0; j < n - 1; ++j) lcp.M[at(n - 1 + j * n)] = j % 2 == 0 ? 1e-3 : -1e-3;
    for (int i = 0; i < n; ++i) lcp.M[at(i + (n - 1) * n)] = 0;
    lcp.q[at(n - 1)] = -1;
    return support::problem(lcp);
  }
  if (method == "block_gauss_seidel" || method == "jacobi" || method == "extragradient" || method == "fixed_point_projection") {
    // Rank-deficient with large friction: many thousand sweeps at a tolerance of 0.
    const int contacts = 200, n = 3 * contacts;
    return support::problem(generate::constructed_friction(random, 3, contacts, generate::gram(random, n, n / 4, 0), 0.8, 1));
  }
  if (method == "josephy_newton") return support::example(NSM_NCP, {300});
  if (method == "lemke" || method == "semismooth_newton" || method == "block_principal_pivoting" ||
      method == "principal_pivoting" || method == "interior_point" || method == "admm" || method == "extragradient" ||
      method == "fixed_point_projection") {
    static const generate::Lcp lcp = generate::constructed(random, 1200, generate::gram(random, 1200, 40, 1e-3));
    return support::problem(lcp);
  }
  return nullptr;
}

support::SolverPtr endless_solver(const nsm_problem* problem, const char* method) {
  return support::setup(problem, method, {{"tolerance", 0}});
}

TEST(Limits, TimeLimit) {
  for (const nsm_method_info& method : all_methods()) {
    SCOPED_TRACE(method.name);
    const ProblemPtr problem = endless(method.name);
    if (problem == nullptr) continue;
    const Solution s = support::solve(problem.get(), method.name, {{"tolerance", 0}, {"time_limit", 0.01}});
    EXPECT_TRUE(s.result.outcome == NSM_TIME_LIMIT || s.converged()) << s.text();
    EXPECT_LE(s.result.time, 2.0);
    expect_honest(problem.get(), s, 0);
  }
}

std::int32_t cancel_at_once(void* user, std::int64_t, double residual, double seconds) {
  EXPECT_FALSE(std::isnan(residual));
  EXPECT_GE(seconds, 0);
  ++*static_cast<int*>(user);
  return 1;
}

TEST(Limits, CancellationFromTheProgressCallback) {
  int cancelled = 0;
  for (const nsm_method_info& method : all_methods()) {
    SCOPED_TRACE(method.name);
    const ProblemPtr problem = endless(method.name);
    if (problem == nullptr) continue;
    const auto solver = endless_solver(problem.get(), method.name);
    int calls = 0;
    nsm_set_progress(solver.get(), cancel_at_once, &calls);
    const Solution s = support::solve(solver.get(), nsm_problem_size(problem.get()));
    EXPECT_LE(calls, 1);
    if (calls == 1) {
      ++cancelled;
      EXPECT_TRUE(s.result.outcome == NSM_CANCELLED || s.converged()) << s.text();
    }
    expect_honest(problem.get(), s, 0);
  }
  EXPECT_GE(cancelled, 2);
}

// Asked within a projection on a polyhedron, which can only fail, a callback that says it once is heard.
TEST(Limits, CancellationFromWithinAProjection) {
  constexpr int n = 400, rows = 240;
  generate::Random random(3);
  const Values M = generate::gram(random, n, n / 2, 0), q = random.normals(n), H = random.normals(rows * n), k(rows, -1.0);
  const nsm_matrix view = support::dense(n, n, M), half_spaces = support::dense(rows, n, H);
  nsm_problem* raw = nullptr;
  ASSERT_EQ(nsm_problem_create_avi(&view, q.data(), &half_spaces, k.data(), nullptr, nullptr, &raw), NSM_OK) << nsm_last_error();
  const ProblemPtr problem(raw);
  for (const char* method : {"extragradient", "fixed_point_projection", "admm"}) {
    SCOPED_TRACE(method);
    const auto solver = support::setup(problem.get(), method, {{"tolerance", 0}, {"time_limit", 3}});
    int calls = 0;
    const auto once = [](void* user, std::int64_t, double, double) -> std::int32_t { return ++*static_cast<int*>(user) == 1; };
    nsm_set_progress(solver.get(), once, &calls);
    EXPECT_EQ(support::solve(solver.get(), n).result.outcome, NSM_CANCELLED);
    EXPECT_EQ(calls, 1);
  }
}

TEST(Limits, CancellationFromAnotherThread) {
  for (const nsm_method_info& method : all_methods()) {
    SCOPED_TRACE(method.name);
    const ProblemPtr problem = endless(method.name);
    if (problem == nullptr) continue;
    const auto solver = endless_solver(problem.get(), method.name);
    std::atomic<bool> done{false};
    std::thread canceller([&] {  // again, if the solve has not begun yet
      while (!done) {
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        if (!done) nsm_cancel(solver.get());
      }
    });
    const Solution s = support::solve(solver.get(), nsm_problem_size(problem.get()));
    done = true;
    canceller.join();
    EXPECT_TRUE(s.result.outcome == NSM_CANCELLED || s.result.time < 0.2) << s.text();
    EXPECT_LE(s.result.time, 3.0);
    expect_honest(problem.get(), s, 0);
  }
}

TEST(Data, NotANumberIsRefusedByName) {
  const Values good = {2, 0, 0, 2}, bad = {2, 0, NAN, 2}, q = {-1, -1}, bad_q = {-1, HUGE_VAL};
  nsm_problem* problem = nullptr;
  const nsm_matrix M = support::dense(2, 2, good), broken = support::dense(2, 2, bad);
  EXPECT_EQ(nsm_problem_create_lcp(&broken, q.data(), &problem), NSM_NOT_FINITE);
  EXPECT_NE(std::string(nsm_last_error()).find("M(0, 1) is nan"), std::string::npos) << nsm_last_error();
  EXPECT_EQ(problem, nullptr);
  EXPECT_EQ(nsm_problem_create_lcp(&M, bad_q.data(), &problem), NSM_NOT_FINITE);
  EXPECT_NE(std::string(nsm_last_error()).find("q[1] is inf"), std::string::npos) << nsm_last_error();
  const Values mu = {NAN}, lo = {NAN, 0}, hi = {1, 1};
  EXPECT_EQ(nsm_problem_create_friction(2, &M, q.data(), mu.data(), &problem), NSM_NOT_FINITE);
  EXPECT_EQ(nsm_problem_create_relay(&M, q.data(), lo.data(), hi.data(), &problem), NSM_NOT_FINITE);
  EXPECT_EQ(nsm_problem_create_global_friction(2, &broken, &M, q.data(), q.data(), q.data(), nullptr, nullptr, &problem),
            NSM_NOT_FINITE);
  EXPECT_EQ(problem, nullptr);
}

bool same_bits(const Values& a, const Values& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}

TEST(Determinism, FreshHandlesGiveTheSameBits) {
  for_each_pair([](const nsm_method_info& method, nsm_class, const nsm_problem* problem) {
    const Solution a = support::solve(problem, method.name), b = support::solve(problem, method.name);
    EXPECT_TRUE(same_bits(a.z, b.z));
    EXPECT_TRUE(same_bits(a.w, b.w));
    EXPECT_EQ(a.result.iterations, b.result.iterations);
    EXPECT_EQ(a.result.certificate.residual, b.result.certificate.residual);
  });
}

// The same handle from the same start: nothing of the first solve may show in the second.
TEST(Determinism, TheSameStartGivesTheSameBits) {
  for_each_pair([](const nsm_method_info& method, nsm_class, const nsm_problem* problem) {
    const auto solver = support::setup(problem, method.name);
    const auto n = nsm_problem_size(problem);
    const Solution a = support::solve(solver.get(), n);
    ASSERT_EQ(nsm_warm_start(solver.get(), Values(at(n), 0.0).data(), n), NSM_OK);
    const Solution b = support::solve(solver.get(), n);
    EXPECT_TRUE(same_bits(a.z, b.z));
    EXPECT_EQ(a.result.iterations, b.result.iterations);
  });
}

TEST(Determinism, ThreadsWithTheirOwnHandlesGiveTheBitsOfASerialRun) {
  for_each_pair(
      [](const nsm_method_info& method, nsm_class c, const nsm_problem* problem) {
        if (method.name == std::string("enumeration") && c != NSM_LCP && c != NSM_MLCP) return;
        const Solution serial = support::solve(problem, method.name);
        Solution parallel[2];
        std::thread threads[2];
        for (int t = 0; t < 2; ++t)
          threads[t] = std::thread([&parallel, &method, problem, t] {
            for (int repeat = 0; repeat < 5; ++repeat) parallel[t] = support::solve(problem, method.name);
          });
        for (std::thread& thread : threads) thread.join();
        for (const Solution& s : parallel) {
          EXPECT_TRUE(same_bits(s.z, serial.z));
          EXPECT_TRUE(same_bits(s.w, serial.w));
          EXPECT_EQ(s.result.iterations, serial.result.iterations);
        }
      },
      {6});
}

// The problem may be freed before its solver.
TEST(Lifetime, TheSolverKeepsWhatItNeeds) {
  for_each_pair([](const nsm_method_info& method, nsm_class c, const nsm_problem*) {
    ProblemPtr problem = support::example(method, c);
    const auto n = nsm_problem_size(problem.get());
    const auto solver = support::setup(problem.get(), method.name);
    problem.reset();
    EXPECT_TRUE(support::solve(solver.get(), n).converged());
  });
}

TEST(Updates, OfQEqualAFreshProblem) {
  for_each_pair([](const nsm_method_info& method, nsm_class c, const nsm_problem* problem) {
    const auto solver = support::setup(problem, method.name);
    const auto n = nsm_problem_size(problem);
    support::solve(solver.get(), n);
    if (nsm_class_storable(c) == 0) {
      EXPECT_EQ(nsm_update_q(solver.get(), Values(at(n)).data(), n), NSM_UNSUPPORTED);
      return;
    }
    generate::Random random(12);
    const std::int64_t size = is_global(c) ? example_contact_rows(c) : n;
    const Values q = random.normals(size);
    ASSERT_EQ(nsm_update_q(solver.get(), q.data(), size), NSM_OK) << nsm_last_error();
    const Solution s = support::solve(solver.get(), n);
    EXPECT_TRUE(s.converged()) << s.text();
    // The problem itself has not changed: its certificate refuses the new solution.
    EXPECT_EQ(certify(problem, s.z, s.w, 1e-8).verdict, NSM_NOT_CERTIFIED);
  });
}

// Refused values change nothing; others give the bits of a fresh setup, in a solve as in a batch.
TEST(Updates, OfFEqualAFreshProblem) {
  for_each_pair([](const nsm_method_info& method, nsm_class c, const nsm_problem* problem) {
    const auto n = nsm_problem_size(problem), rows = is_global(c) ? example_motion_rows(c) : n;
    const auto solver = support::setup(problem, method.name);
    const Values f = generate::Random(16).normals(rows), zero(at(n), 0.0);
    const Solution before = support::solve(solver.get(), n);
    const auto expect_refused = [&](const Values& values, nsm_status status, const std::string& text) {
      EXPECT_EQ(nsm_update_f(solver.get(), values.data(), static_cast<std::int64_t>(values.size())), status);
      EXPECT_EQ(nsm_last_error(), text);
      ASSERT_EQ(nsm_warm_start(solver.get(), zero.data(), n), NSM_OK);
      EXPECT_TRUE(same_bits(support::solve(solver.get(), n).z, before.z)) << text;
    };
    if (!is_global(c))
      return expect_refused(f, NSM_UNSUPPORTED, std::string("problems of class ") + nsm_class_name(c) + " have no f");
    Values bad = f;
    bad[3] = NAN;
    expect_refused(bad, NSM_NOT_FINITE, "f[3] is nan");
    bad.pop_back();
    expect_refused(bad, NSM_INVALID_DIMENSION,
                   "f has " + std::to_string(rows - 1) + " entries, " + std::to_string(rows) + " expected");

    const ProblemPtr moved = support::example(method, c, {4, &f});
    const Solution fresh = support::solve(moved.get(), method.name);
    ASSERT_EQ(nsm_update_f(solver.get(), f.data(), rows), NSM_OK) << nsm_last_error();
    ASSERT_EQ(nsm_warm_start(solver.get(), zero.data(), n), NSM_OK);
    const Solution updated = support::solve(solver.get(), n);
    EXPECT_TRUE(updated.converged()) << updated.text();
    EXPECT_TRUE(same_bits(updated.z, fresh.z));
    EXPECT_TRUE(same_bits(updated.w, fresh.w));
    EXPECT_EQ(updated.result.certificate.residual, fresh.result.certificate.residual);
    EXPECT_EQ(certify(moved.get(), updated.z, updated.w, 1e-8).verdict, updated.result.certificate.verdict);
    EXPECT_EQ(certify(problem, updated.z, updated.w, 1e-8).verdict, NSM_NOT_CERTIFIED);
  });
}

// Whatever a method puts off until it needs it.
TEST(Updates, InAnyOrderOrByBatchGiveTheSameBits) {
  for_each_pair([](const nsm_method_info& method, nsm_class c, const nsm_problem* problem) {
    if (nsm_class_storable(c) == 0 || support::needs_grid(method)) return;
    const std::int64_t n = nsm_problem_size(problem), rows = is_global(c) ? example_contact_rows(c) : n;
    const std::int64_t order = is_global(c) ? example_motion_rows(c) : n;
    generate::Random random(15);
    const Values q = random.normals(rows), M = support::example_matrix(static_cast<int>(order), 20), zero(at(n), 0.0);
    const Values f = random.normals(order);
    const nsm_matrix view = support::dense(order, order, M);
    Solution by_way[3];
    for (int way = 0; way < 3; ++way) {
      Solution& s = by_way[way];
      const auto solver = support::setup(problem, method.name);
      support::solve(solver.get(), n);  // leaves something behind
      const auto update_f = [&] { return is_global(c) ? nsm_update_f(solver.get(), f.data(), order) : NSM_OK; };
      ASSERT_EQ(way == 1 ? NSM_OK : update_f(), NSM_OK) << nsm_last_error();
      if (way == 2) {
        s.z = zero;
        s.w = zero;
        std::int32_t outcome = -1;
        ASSERT_EQ(nsm_solve_batch(solver.get(), 1, M.data(), q.data(), s.z.data(), s.w.data(), &outcome, nullptr), NSM_OK)
            << nsm_last_error();
        s.result.outcome = outcome;
      } else {
        for (const bool matrix : {way == 1, way == 0})
          ASSERT_EQ(matrix ? nsm_update_matrix(solver.get(), &view) : nsm_update_q(solver.get(), q.data(), rows), NSM_OK)
              << nsm_last_error();
        ASSERT_EQ(way == 1 ? update_f() : NSM_OK, NSM_OK) << nsm_last_error();
        ASSERT_EQ(nsm_warm_start(solver.get(), zero.data(), n), NSM_OK);
        s = support::solve(solver.get(), n);
      }
      EXPECT_TRUE(s.converged()) << "way " << way;
      EXPECT_TRUE(same_bits(s.z, by_way[0].z)) << "way " << way;
      EXPECT_TRUE(same_bits(s.w, by_way[0].w)) << "way " << way;
    }
  });
}

}  // namespace methods_conformance_test
