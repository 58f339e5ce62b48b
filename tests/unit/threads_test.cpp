// Threads that share the work of a sweep: every task once, slabs that may be swept at the same time, and the same bits for any
// number of threads.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>
#include <set>
#include <thread>

#include "../support/solve.hpp"
#include "../support/sphere_pile.hpp"
#include "core/workers.hpp"
#include "methods/sweeps/block_sweep.hpp"
#include "methods/sweeps/change_rows.hpp"
#include "methods/sweeps/sweep_order.hpp"
#include "problems/condensation.hpp"

namespace nonsmooth::threads_test {

using generate::at;
using generate::Values;
using support::SpherePile;

TEST(Workers, RunEveryTaskOnce) {
  Workers workers(4);
  for (std::int64_t count : {0, 1, 2, 3, 100}) {
    std::vector<int> done(at(count), 0);
    workers.run(count, [&](std::int64_t k) { ++done[at(k)]; });
    EXPECT_EQ(std::count(done.begin(), done.end(), 1), count);
  }
}

// One call after the other, with what the tasks of the last have written, and after a pause in which the threads go to sleep.
TEST(Workers, SeeWhatTheTasksBeforeHaveWritten) {
  Workers workers(3);
  constexpr std::size_t size = 16;
  std::vector<std::int64_t> values(size, 0), next(size);
  for (int round = 0; round < 2000; ++round) {
    workers.run(size, [&](std::int64_t k) { next[at(k)] = values[(at(k) + 1) % size] + 1; });
    workers.run(size, [&](std::int64_t k) { values[at(k)] = next[at(k)]; });
    if (round % 500 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  EXPECT_EQ(values, std::vector<std::int64_t>(size, 2000));
}

TEST(Workers, EndWithoutWork) {
  for (int k = 0; k < 20; ++k) const Workers workers(1 + k % 4);
}

// fork() copies the object, whose threads sleep, and none of them: all tasks are done there, and nothing is waited for.
TEST(Workers, AreOneInAChildByFork) {
  std::optional<Workers> workers(std::in_place, 4);
  std::vector<int> done(100, 0);
  const auto task = [&](std::int64_t k) { ++done[at(k)]; };
  workers->run(std::ssize(done), task);
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    alarm(20);
    for (int round = 0; round < 3; ++round) workers->run(std::ssize(done), task);
    workers.reset();
    workers.emplace(2);  // its own
    workers->run(std::ssize(done), task);
    workers.reset();
    _exit(std::count(done.begin(), done.end(), 5) == std::ssize(done) ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  workers->run(std::ssize(done), task);
  EXPECT_EQ(std::count(done.begin(), done.end(), 2), std::ssize(done));
}

// Every contact once, slabs coupled to those beside them only.
void expect_slabs_apart(const Inclusion& view, std::int32_t width = 1, std::size_t least_slabs = 4) {
  SweepOrder order;
  order.set_slabs(view, 3, width);
  const auto count = static_cast<std::size_t>(view.size() / 3);
  ASSERT_EQ(order.blocks().size(), count);
  EXPECT_EQ(std::set<std::int32_t>(order.blocks().begin(), order.blocks().end()).size(), count);
  EXPECT_GE(order.slabs(), least_slabs);
  std::vector<std::size_t> slab(count);
  for (std::size_t s = 0; s < order.slabs(); ++s)
    for (std::size_t k = order.begin(s); k < order.end(s); ++k) slab[at(order.blocks()[k])] = s;
  for_each_entry(*view.M, [&](std::int64_t i, std::int64_t j, double) {
    const std::size_t a = slab[at(i / 3)], b = slab[at(j / 3)];
    ASSERT_LE(std::max(a, b) - std::min(a, b), 1u) << i << " and " << j;
  });
}

TEST(SweepOrder, SlabsAreCoupledToTheirNeighboursOnly) {
  const SpherePile pile(9);  // 1,971 contacts
  const GlobalFriction data = pile.global();
  Condensation condensed(data);
  Inclusion view = condensed.inclusion();
  ASSERT_NE(view.bodies, nullptr);
  expect_slabs_apart(view);
  view.bodies = nullptr;
  expect_slabs_apart(view);
  const Matrix columns(to_csc(*view.M), "W");
  view.M = &columns;
  expect_slabs_apart(view);
}

// Groups inside of slabs and well filled, no two contacts of a group coupled.
void expect_groups_apart(const Inclusion& view) {
  constexpr std::int32_t width = 8;
  SweepOrder order;
  order.set_slabs(view, 3, width);
  const auto count = static_cast<std::size_t>(view.size() / 3);
  EXPECT_LE(order.groups() * 6, count);
  for (std::size_t s = 0; s < order.slabs(); ++s) {
    EXPECT_EQ(order.first_place(order.first_group(s)), order.begin(s));
    EXPECT_EQ(order.first_place(order.first_group(s + 1)), order.end(s));
  }
  std::vector<std::size_t> group(count);
  for (std::size_t g = 0; g < order.groups(); ++g) {
    EXPECT_LE(order.first_place(g + 1) - order.first_place(g), at(width));
    for (std::size_t k = order.first_place(g); k < order.first_place(g + 1); ++k) group[at(order.blocks()[k])] = g;
  }
  for_each_entry(*view.M, [&](std::int64_t i, std::int64_t j, double) {
    if (i / 3 == j / 3) return;
    ASSERT_NE(group[at(i / 3)], group[at(j / 3)]) << i << " and " << j;
  });
}

TEST(SweepOrder, GroupsAreNotCoupled) {
  for (const int n : {5, 9}) {
    const GlobalFriction data = SpherePile(n).global();
    Condensation condensed(data);
    Inclusion view = condensed.inclusion();
    for (const bool over_bodies : {true, false}) {
      if (!over_bodies) view.bodies = nullptr;
      expect_slabs_apart(view, 8, n < 9 ? 1 : 4);
      expect_groups_apart(view);
    }
  }
}

// What fills up the rows of a group reads the group alone: anything else may be another thread's, which writes it.
TEST(LaneRowsOfGroups, ReadNothingElseWithBlocksOfZeros) {
  constexpr std::size_t width = 8;
  const GlobalFriction data = SpherePile(9).global();
  Condensation condensed(data);
  Inclusion view = condensed.inclusion();
  view.bodies = nullptr;
  SweepOrder order;
  order.set_slabs(view, 3, width);
  ChangeRows rows;
  rows.setup(view, order);
  int filled = 0;
  for (std::size_t g = 0; g < order.groups(); ++g) {
    const auto first = static_cast<std::int32_t>(4 * width * g);
    const auto count = static_cast<std::int32_t>(order.first_place(g + 1) - order.first_place(g));
    const LaneRows group = rows.lane_rows(g);
    for (std::size_t k = 0; k < static_cast<std::size_t>(group.end - group.col); ++k) {
      const float* w = group.w + k / width * 9 * width + k % width;
      bool is_zero = true;
      for (std::size_t i = 0; i < 9; ++i) is_zero = is_zero && w[i * width] == 0;
      if (!is_zero) continue;
      ++filled;
      ASSERT_TRUE(group.col[k] >= first && group.col[k] < first + 4 * count) << "group " << g << " reads " << group.col[k];
    }
  }
  EXPECT_GT(filled, 0);
}

// Products of singles with what is smaller would be denormal, and a sweep many times slower.
TEST(LaneRowsOfGroups, HaveNothingThatIsNearlyDenormal) {
  const GlobalFriction data = SpherePile(5).global();
  Condensation condensed(data);
  Inclusion view = condensed.inclusion();
  view.bodies = nullptr;
  BlockCsrMatrix blocks = *view.M->block_csr();
  for (std::size_t row = 0; row + 1 < blocks.row_start.size(); ++row)
    for (auto k = at(blocks.row_start[row]); k < at(blocks.row_start[row + 1]); ++k)
      if (at(blocks.block_col[k]) != row)
        for (std::size_t i = 0; i < 9; ++i) blocks.values[at(blocks.block_start[k]) + i] *= k % 2 == 0 ? 1e-40 : 1e-20;
  const Matrix W(std::move(blocks), "W");
  view.M = &W;
  SweepOrder order;
  order.set_slabs(view, 3, 8);
  ChangeRows rows;
  rows.setup(view, order);
  int kept = 0, dropped = 0;
  for (std::size_t g = 0; g < order.groups(); ++g) {
    const LaneRows group = rows.lane_rows(g);
    for (const float* w = group.w; w < group.w + 9 * (group.end - group.col); ++w) {
      ASSERT_TRUE(*w == 0 || std::abs(*w) >= LaneRows::smallest) << *w << " in group " << g;
      ++(*w == 0 ? dropped : kept);
    }
  }
  EXPECT_GT(kept, 0);
  EXPECT_GT(dropped, 0);
}

// Bodies one on the other with many contacts between two: a slab alone has few that are not coupled, so that slabs are joined.
TEST(SweepOrder, JoinsSlabsOfTowers) {
  SpherePile tower(0);
  tower.bodies = 80;
  generate::Random random(6);
  for (int b = 0; b < tower.bodies; ++b)
    for (int k = 0; k < 24; ++k) tower.add(b, b - 1, {0.1 * random.normal(), 0.1 * random.normal(), 1});
  tower.f.assign(6 * at(tower.bodies), 0.0);
  tower.w.assign(3 * tower.mu.size(), 0.0);
  const GlobalFriction data = tower.global();
  Condensation condensed(data);
  const Inclusion view = condensed.inclusion();
  SweepOrder ungrouped, order;
  ungrouped.set_slabs(view, 3);
  order.set_slabs(view, 3, 8);
  EXPECT_LT(order.slabs(), ungrouped.slabs());
  EXPECT_EQ(ungrouped.groups(), 0u);
  expect_slabs_apart(view, 8, 4);
  expect_groups_apart(view);
}

// Over bodies and over W: in one slab the same order, so the same iterates up to rounding.
TEST(SweepOrder, GroupsOfBothFormsAreTheSame) {
  for (const int n : {5, 7}) {
    const GlobalFriction data = SpherePile(n).global();
    Condensation condensed(data);
    const Inclusion bodies = condensed.inclusion();
    Inclusion matrix = bodies;
    matrix.bodies = nullptr;
    const SweepOptions options{.symmetric = true, .always_bodies = true};
    const auto velocity_form = make_sweeper(bodies, options), matrix_form = make_sweeper(matrix, options);
    Vector z(at(bodies.size()), 0.0), other(z);
    for (const auto& [sweeper, start] : {std::pair{velocity_form.get(), &z}, {matrix_form.get(), &other}})
      sweeper->start(start->data());
    for (int k = 1; k <= 100; ++k) {
      velocity_form->sweep(z.data(), k % 2 == 0);
      matrix_form->sweep(other.data(), k % 2 == 0);
    }
    for (std::size_t i = 0; i < z.size(); ++i) ASSERT_NEAR(z[i], other[i], 1e-7 * (1 + generate::norm(other)));
  }
}

TEST(SweepOrder, LeavesSmallProblemsInTheirOrder) {
  const GlobalFriction data = SpherePile(7).global();
  Condensation condensed(data);
  SweepOrder order;
  order.set_slabs(condensed.inclusion(), 3);
  EXPECT_EQ(order.slabs(), 1u);
  EXPECT_TRUE(std::is_sorted(order.blocks().begin(), order.blocks().end()));
}

struct Answer {
  Values z, w;
  double residual;
  std::int64_t iterations;
  bool operator==(const Answer&) const = default;
};

Answer solve(const nsm_problem* problem, const char* method, double threads, support::OptionList list) {
  const support::OptionsPtr options = support::options(list);
  EXPECT_EQ(nsm_options_set(options.get(), "threads", threads), NSM_OK) << nsm_last_error();
  nsm_solver* raw = nullptr;
  EXPECT_EQ(nsm_setup(problem, method, options.get(), &raw), NSM_OK) << nsm_last_error();
  const support::SolverPtr solver(raw);
  const auto found = support::solve(solver.get(), nsm_problem_size(problem));
  return {found.z, found.w, found.result.certificate.residual, found.result.iterations};
}

void expect_same_bits(const nsm_problem* problem, const char* method, support::OptionList list) {
  const Answer one = solve(problem, method, 1, list);
  EXPECT_GT(*std::max_element(one.z.begin(), one.z.end()), 0);
  for (double threads : {2.0, 4.0}) EXPECT_TRUE(solve(problem, method, threads, list) == one) << threads;
}

support::ProblemPtr global_problem(const GlobalFriction& data) {
  const auto view_of = [](const CscMatrix& A) {
    return nsm_matrix_csc(A.rows, A.cols, A.col_start.data(), A.row_index.data(), A.values.data());
  };
  const nsm_matrix M = view_of(*data.M.csc()), H = view_of(*data.H.csc());
  nsm_problem* raw = nullptr;
  EXPECT_EQ(nsm_problem_create_global_friction(3, &M, &H, data.f.data(), data.w.data(), data.mu.data(), nullptr, nullptr, &raw),
            NSM_OK)
      << nsm_last_error();
  return support::ProblemPtr(raw);
}

support::ProblemPtr local_problem(const GlobalFriction& data) {
  const Condensation condensed(data);
  const BlockCsrMatrix& W = *condensed.inclusion().M->block_csr();
  const nsm_matrix view =
      nsm_matrix_block_csr(3, W.block_rows(), W.block_rows(), W.row_start.data(), W.block_col.data(), W.values.data());
  nsm_problem* raw = nullptr;
  EXPECT_EQ(nsm_problem_create_friction(3, &view, condensed.inclusion().q->data(), data.mu.data(), &raw), NSM_OK)
      << nsm_last_error();
  return support::ProblemPtr(raw);
}

// 3,751 contacts.
class SameBits : public testing::Test {
 protected:
  const GlobalFriction data_ = SpherePile(11).global();
};

TEST_F(SameBits, OfSweepsOverTheMatrix) {
  const auto problem = local_problem(data_);
  expect_same_bits(problem.get(), "block_gauss_seidel", {{"max_iterations", 60}});
  expect_same_bits(problem.get(), "block_gauss_seidel", {{"max_iterations", 20}, {"symmetric_sweeps", 1}, {"relaxation", 1.2}});
  expect_same_bits(problem.get(), "block_gauss_seidel", {{"max_iterations", 20}, {"acceleration", 1}});
  expect_same_bits(problem.get(), "jacobi", {{"max_iterations", 20}});
}

TEST_F(SameBits, OfSweepsOverTheBodies) {
  const auto problem = global_problem(data_);
  expect_same_bits(problem.get(), "block_gauss_seidel", {{"max_iterations", 60}});
}

// 931 contacts: too few for slabs.
TEST(Factorisations, LeaveTheSameBits) {
  const GlobalFriction data = SpherePile(7).global();
  expect_same_bits(local_problem(data).get(), "friction_interior_point", {{"max_iterations", 15}});
  expect_same_bits(global_problem(data).get(), "proximal_newton", {{"max_iterations", 103}});
}

TEST_F(SameBits, OfTheDefault) {
  expect_same_bits(local_problem(data_).get(), nullptr, {{"tolerance", 1e-4}, {"max_iterations", 400}});
}

}  // namespace nonsmooth::threads_test
