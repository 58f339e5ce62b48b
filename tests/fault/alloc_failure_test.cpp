// Every allocation of the library fails once: each call sequence is run with the 0th, 1st, 2nd ... `new` throwing, until a run
// needs no more. A failing run returns NSM_OUT_OF_MEMORY (or NSM_OK if it could do without), leaves no memory behind, no file,
// and no handle.
//
// `new` and `delete` of this executable are replaced; the library is linked statically so that it uses them too.
#include <gtest/gtest.h>

#include <unistd.h>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <new>
#include <sstream>

#include "../support/class_examples.hpp"

namespace {

// While armed: allocations are counted, those still alive too, and the one with number `fail_at` fails.
std::atomic<bool> armed{false};
std::atomic<std::int64_t> count{0}, fail_at{-1};
std::atomic<std::int64_t> live{0};

bool must_fail() { return armed && count++ == fail_at; }

void* allocate(std::size_t size, std::size_t alignment) {
  if (must_fail()) return nullptr;
  const std::size_t rounded = (std::max<std::size_t>(size, 1) + alignment - 1) / alignment * alignment;
  void* p = alignment > alignof(std::max_align_t) ? std::aligned_alloc(alignment, rounded)
                                                  : std::malloc(std::max<std::size_t>(size, 1));
  if (p != nullptr) ++live;
  return p;
}

void* allocate_or_throw(std::size_t size, std::size_t alignment) {
  void* p = allocate(size, alignment);
  if (p == nullptr) throw std::bad_alloc();
  return p;
}

void release(void* p) noexcept {
  if (p == nullptr) return;
  --live;
  std::free(p);
}

}  // namespace

constexpr std::size_t plain = alignof(std::max_align_t);
void* operator new(std::size_t n) { return allocate_or_throw(n, plain); }
void* operator new[](std::size_t n) { return allocate_or_throw(n, plain); }
void* operator new(std::size_t n, std::align_val_t a) { return allocate_or_throw(n, static_cast<std::size_t>(a)); }
void* operator new[](std::size_t n, std::align_val_t a) { return allocate_or_throw(n, static_cast<std::size_t>(a)); }
void* operator new(std::size_t n, const std::nothrow_t&) noexcept { return allocate(n, plain); }
void* operator new[](std::size_t n, const std::nothrow_t&) noexcept { return allocate(n, plain); }
void operator delete(void* p) noexcept { release(p); }
void operator delete[](void* p) noexcept { release(p); }
void operator delete(void* p, std::size_t) noexcept { release(p); }
void operator delete[](void* p, std::size_t) noexcept { release(p); }
void operator delete(void* p, std::align_val_t) noexcept { release(p); }
void operator delete[](void* p, std::align_val_t) noexcept { release(p); }
void operator delete(void* p, std::size_t, std::align_val_t) noexcept { release(p); }
void operator delete[](void* p, std::size_t, std::align_val_t) noexcept { release(p); }
void operator delete(void* p, const std::nothrow_t&) noexcept { release(p); }
void operator delete[](void* p, const std::nothrow_t&) noexcept { release(p); }

namespace {

namespace fs = std::filesystem;

// A sequence stops at its first status that is not NSM_OK, frees its handles and returns that status. It allocates nothing
// itself.
using Sequence = std::function<nsm_status()>;

struct Run {
  nsm_status status = NSM_OK;
  std::int64_t allocations = 0, left_behind = 0;
};

Run run_with_failure(const Sequence& sequence, std::int64_t k) {
  Run run;
  const std::int64_t before = live;
  count = 0;
  fail_at = k;
  armed = true;
  run.status = sequence();
  armed = false;
  run.allocations = count;
  run.left_behind = live - before;
  return run;
}

// check() looks at what a failed run left; it runs with allocation working again.
void fail_every_allocation(const Sequence& sequence, const std::function<void(nsm_status)>& check = {}) {
  ASSERT_EQ(sequence(), NSM_OK) << nsm_last_error();  // whatever the libraries below keep for good is allocated now
  const Run whole = run_with_failure(sequence, -1);
  ASSERT_EQ(whole.status, NSM_OK) << nsm_last_error();
  EXPECT_EQ(whole.left_behind, 0);
  EXPECT_GT(whole.allocations, 0) << "the replacement is not in effect";
  if (check) check(whole.status);
  std::int64_t failures = 0, k = 0;
  for (;; ++k) {
    ASSERT_LE(k, 100000);
    const Run run = run_with_failure(sequence, k);
    EXPECT_EQ(run.left_behind, 0) << "allocation " << k;
    if (run.allocations <= k) {
      EXPECT_EQ(run.status, NSM_OK);
      break;
    }
    EXPECT_TRUE(run.status == NSM_OUT_OF_MEMORY || run.status == NSM_OK)
        << "allocation " << k << ": " << nsm_status_name(run.status) << ": " << nsm_last_error();
    failures += run.status == NSM_OUT_OF_MEMORY ? 1 : 0;
    if (check) check(run.status);
  }
  EXPECT_GT(failures, 0);
  testing::Test::RecordProperty("allocations", static_cast<int>(k));
}

class EveryClass : public testing::TestWithParam<nsm_class> {};
class EveryStorableClass : public EveryClass {};
INSTANTIATE_TEST_SUITE_P(All, EveryStorableClass, testing::ValuesIn(support::storable_classes()),
                         [](const auto& parameter) { return std::string(nsm_class_name(parameter.param)); });
INSTANTIATE_TEST_SUITE_P(All, EveryClass, testing::ValuesIn(support::all_classes()),
                         [](const auto& parameter) { return std::string(nsm_class_name(parameter.param)); });

std::string image(const nsm_problem* problem, const char* format) {
  const std::string path = (fs::temp_directory_path() / ("nonsmooth_alloc_image_" + std::to_string(getpid()))).string();
  EXPECT_EQ(nsm_problem_write(problem, path.c_str(), format), NSM_OK) << nsm_last_error();
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  fs::remove(path);
  return text.str();
}

TEST_P(EveryStorableClass, ReadingFromMemory) {
  const auto problem = support::example(GetParam());
  for (const char* format : {"json", "fclib", "dat"}) {
    if (format == std::string("dat") && GetParam() == NSM_GLOBAL_FRICTION)
      continue;  // the example has G, which a .dat cannot hold
    SCOPED_TRACE(format);
    const std::string data = image(problem.get(), format);
    const char* name = nsm_class_name(GetParam());
    fail_every_allocation([&] {
      nsm_problem* read = nullptr;
      const nsm_status status =
          nsm_problem_read_memory(data.data(), static_cast<std::int64_t>(data.size()), "image", name, &read);
      if (status != NSM_OK && read != nullptr) return NSM_INTERNAL;
      nsm_problem_free(&read);
      return status;
    });
  }
}

TEST_P(EveryStorableClass, WritingLeavesNoPartialFile) {
  const auto problem = support::example(GetParam());
  const fs::path folder = fs::temp_directory_path() / ("nonsmooth_alloc_" + std::to_string(getpid()));
  fs::create_directories(folder);
  for (const char* format : {"json", "fclib", "dat"}) {
    if (format == std::string("dat") && GetParam() == NSM_GLOBAL_FRICTION) continue;
    SCOPED_TRACE(format);
    const std::string path = (folder / "problem").string();
    const char* file = path.c_str();
    fail_every_allocation([&] { return nsm_problem_write(problem.get(), file, format); },
                          [&](nsm_status status) {
                            std::size_t files = 0;
                            for (const auto& entry : fs::directory_iterator(folder)) {
                              ++files;
                              EXPECT_EQ(entry.path().filename(), "problem") << "left behind";
                            }
                            EXPECT_EQ(files, status == NSM_OK ? 1u : 0u);
                            fs::remove(folder / "problem");
                          });
    fs::remove(folder / "problem");
  }
  fs::remove_all(folder);
}

TEST_P(EveryClass, Describing) {
  const auto problem = support::example(GetParam());
  fail_every_allocation([&] {
    nsm_description description{};
    description.struct_size = sizeof description;
    return nsm_problem_describe(problem.get(), &description);
  });
}

// setup, solve, solution, certify, updates: the whole life of a solver.
TEST_P(EveryClass, Solving) {
  for (const nsm_method_info& method : support::all_methods()) {
    if (!support::treats(method, GetParam())) continue;
    SCOPED_TRACE(method.name);
    const auto problem = support::example(method, GetParam());
    const auto n = nsm_problem_size(problem.get());
    generate::Values z(generate::at(n)), w(generate::at(n)), zero(generate::at(n), 0.0);
    fail_every_allocation([&] {
      nsm_solver* solver = nullptr;
      nsm_options* options = nullptr;
      nsm_result result = NSM_RESULT_INIT;
      nsm_certificate certificate = NSM_CERTIFICATE_INIT;
      certificate.tolerance = 1e-7;
      nsm_status status = nsm_options_create(&options);
      if (status == NSM_OK) status = nsm_options_set(options, "tolerance", 1e-7);
      if (status == NSM_OK) status = nsm_setup(problem.get(), method.name, options, &solver);
      if (status != NSM_OK && solver != nullptr) return NSM_INTERNAL;
      if (status == NSM_OK) status = nsm_warm_start(solver, zero.data(), n);
      if (status == NSM_OK) status = nsm_solve(solver, &result);
      if (status == NSM_OK) status = nsm_solution(solver, z.data(), w.data(), n);
      if (status == NSM_OK) status = nsm_solution_at(solver, 0, z.data(), w.data(), n);
      if (status == NSM_OK) status = nsm_certify(problem.get(), z.data(), w.data(), &certificate);
      if (status == NSM_OK && certificate.verdict != NSM_CERTIFIED) status = NSM_INTERNAL;
      nsm_free(&solver);
      nsm_options_free(&options);
      return status;
    });
  }
}

// Problems without a solution take auto through its stages: one that cannot be set up ends the solve, which keeps its best
// iterate, and with memory again the next solve goes on.
void fail_in_late_stages(const nsm_problem* problem) {
  const auto n = nsm_problem_size(problem);
  generate::Values z(generate::at(n)), zero(generate::at(n), 0.0);
  std::int64_t kept = 0;
  fail_every_allocation([&] {
    nsm_solver* solver = nullptr;
    nsm_options* options = nullptr;
    nsm_result result = NSM_RESULT_INIT;
    nsm_certificate certificate = NSM_CERTIFICATE_INIT;
    nsm_status status = nsm_options_create(&options);
    if (status == NSM_OK) status = nsm_options_set(options, "max_iterations", 2000);
    if (status == NSM_OK) status = nsm_setup(problem, "auto", options, &solver);
    if (status == NSM_OK) status = nsm_solve(solver, &result);
    if (solver != nullptr && status == NSM_OUT_OF_MEMORY) {
      ++kept;
      const bool holds_best = nsm_solution(solver, z.data(), nullptr, n) == NSM_OK &&
                              nsm_certify(problem, z.data(), nullptr, &certificate) == NSM_OK &&
                              certificate.residual == result.certificate.residual && result.outcome == NSM_BREAKDOWN;
      const bool goes_on = nsm_warm_start(solver, zero.data(), n) == NSM_OK && nsm_solve(solver, &result) == NSM_OK &&
                           result.outcome != NSM_BREAKDOWN;
      if (!holds_best || !goes_on) status = NSM_INTERNAL;
    }
    nsm_free(&solver);
    nsm_options_free(&options);
    return status;
  });
  EXPECT_GT(kept, 0);
}

TEST(LateStages, OfAnLcp) { fail_in_late_stages(support::problem(generate::Lcp{2, {1, -1, -1, 1}, {-1, -1}, {}}).get()); }

// Two contacts that press on one body from both sides.
TEST(LateStages, OfFriction) {
  generate::Values W = generate::identity(6, 1);
  W[3] = W[18] = -1;
  const generate::Values q = {-1, 0, 0, -1, 0, 0}, mu = {0.5, 0.5};
  const nsm_matrix matrix = support::dense(6, 6, W);
  nsm_problem* problem = nullptr;
  ASSERT_EQ(nsm_problem_create_friction(3, &matrix, q.data(), mu.data(), &problem), NSM_OK);
  fail_in_late_stages(problem);
  nsm_problem_free(&problem);
}

TEST(Creation, OfAnLcp) {
  const generate::Lcp lcp = generate::fathi(4);
  const nsm_matrix M = support::dense(4, 4, lcp.M);
  fail_every_allocation([&] {
    nsm_problem* problem = nullptr;
    const nsm_status status = nsm_problem_create_lcp(&M, lcp.q.data(), &problem);
    if (status != NSM_OK && problem != nullptr) return NSM_INTERNAL;
    nsm_problem_free(&problem);
    return status;
  });
}

TEST(Creation, OfSparseAndBlockMatrices) {
  const std::int32_t start[] = {0, 2, 3}, index[] = {1, 0, 1};  // unsorted
  const generate::Values values = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}, q = {-1, 0, -1, 0}, mu = {0.5, 0.5};
  const nsm_matrix csc = nsm_matrix_csc(2, 2, start, index, values.data());
  const nsm_matrix blocks = nsm_matrix_block_csr(2, 2, 2, start, index, values.data());
  for (const nsm_matrix& M : {csc, blocks})
    fail_every_allocation([&] {
      nsm_problem* problem = nullptr;
      const nsm_status status = M.rows == 2 ? nsm_problem_create_lcp(&M, q.data(), &problem)
                                            : nsm_problem_create_friction(2, &M, q.data(), mu.data(), &problem);
      nsm_problem_free(&problem);
      return status;
    });
}

TEST(Creation, OfNonlinearProblems) {
  const std::int32_t start[] = {0, 2, 4}, index[] = {1, 0, 1, 0};  // unsorted
  const generate::Values rows = {1, 1}, k = {-1}, lo = {0, 0};
  const nsm_matrix pattern = nsm_matrix_csc(2, 2, start, index, nullptr), half_space = support::dense(1, 2, rows);
  for (const int kind : {0, 1, 2, 3})
    fail_every_allocation([&] {
      nsm_problem* problem = nullptr;
      const nsm_function F = support::example_function;
      const nsm_status status =
          kind == 0   ? nsm_problem_create_ncp(2, F, nullptr, &pattern, nullptr, &problem)
          : kind == 1 ? nsm_problem_create_mcp(2, F, nullptr, &pattern, nullptr, lo.data(), nullptr, &problem)
          : kind == 2
              ? nsm_problem_create_vi(2, F, nullptr, nullptr, nullptr, &half_space, k.data(), lo.data(), nullptr, &problem)
              : nsm_problem_create_vi_projection(2, F, nullptr, nullptr, nullptr, support::project_on_unit_ball, &problem);
      if (status != NSM_OK && problem != nullptr) return NSM_INTERNAL;
      nsm_problem_free(&problem);
      return status;
    });
}

// A refused argument whose message needs memory: out of memory or the real reason, no crash.
TEST(Messages, OfFailingCalls) {
  const generate::Lcp lcp = generate::murty(3);
  const nsm_matrix M = nsm_matrix_dense(3, 2, lcp.M.data());
  fail_every_allocation([&] {
    nsm_problem* problem = nullptr;
    const nsm_status status = nsm_problem_create_lcp(&M, lcp.q.data(), &problem);
    return status == NSM_INVALID_DIMENSION ? NSM_OK : status;
  });
}

// A solver after a failed update still works.
TEST(Updates, OfAllValues) {
  const auto problem = support::example(NSM_GLOBAL_FRICTION);
  const auto n = nsm_problem_size(problem.get());
  const generate::Values w(12, -1.0), f(14, 0.5), mu(4, 0.4), zero(generate::at(n), 0.0);
  const auto solver = support::setup(problem.get(), nullptr);
  const generate::Values values = support::example_matrix(14, 5);
  const nsm_matrix copy = support::dense(14, 14, values);
  fail_every_allocation(
      [&] {
        nsm_status status = nsm_update_q(solver.get(), w.data(), 12);
        if (status == NSM_OK) status = nsm_update_f(solver.get(), f.data(), 14);
        if (status == NSM_OK) status = nsm_update_mu(solver.get(), mu.data(), 4);
        if (status == NSM_OK) status = nsm_update_matrix(solver.get(), &copy);
        return status;
      },
      [&](nsm_status) {
        // With memory again the same updates succeed and the solve is that of the new values.
        ASSERT_EQ(nsm_update_q(solver.get(), w.data(), 12), NSM_OK);
        ASSERT_EQ(nsm_update_f(solver.get(), f.data(), 14), NSM_OK);
        ASSERT_EQ(nsm_update_mu(solver.get(), mu.data(), 4), NSM_OK);
        ASSERT_EQ(nsm_update_matrix(solver.get(), &copy), NSM_OK);
        ASSERT_EQ(nsm_warm_start(solver.get(), zero.data(), n), NSM_OK);
        EXPECT_TRUE(support::solve(solver.get(), n).converged());
      });
}

TEST(Derivatives, OfFriction) {
  const auto problem = support::example(NSM_FRICTION);
  const generate::Values dq(12, 1.0), dmu(4, 1.0);
  generate::Values dz(12), dw(12), gq(12), gmu(4);
  fail_every_allocation([&] {
    nsm_solver* solver = nullptr;
    nsm_result result = NSM_RESULT_INIT;
    nsm_status status = nsm_setup(problem.get(), nullptr, nullptr, &solver);
    if (status == NSM_OK) status = nsm_solve(solver, &result);
    if (status == NSM_OK) status = nsm_differentiate(solver, dq.data(), 12, dmu.data(), 4, dz.data(), dw.data(), 12);
    if (status == NSM_OK) status = nsm_differentiate_transposed(solver, dz.data(), dw.data(), 12, gq.data(), 12, gmu.data(), 4);
    nsm_free(&solver);
    return status;
  });
}

}  // namespace
