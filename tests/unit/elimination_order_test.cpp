// Fill-reducing orders: permutations, the same every time and in every thread, and nothing else of the process is touched.
#include "linalg/elimination_order.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdlib>
#include <numeric>
#include <random>
#include <set>
#include <thread>
#include <vector>

namespace nonsmooth::elimination_order_test {

// Seven-point stencil on a cube of `side` cells.
CscMatrix cube(std::int32_t side) {
  const std::int32_t n = side * side * side;
  CscMatrix A{n, n, {0}, {}, {}};
  for (std::int32_t j = 0; j < n; ++j) {
    for (const std::int32_t step : {-side * side, -side, -1, 0, 1, side, side * side}) {
      const std::int32_t i = j + step, length = std::abs(step);
      const bool across = length > 0 && i / (length * side) != j / (length * side);
      if (i >= 0 && i < n && !across) A.row_index.push_back(i);
    }
    A.col_start.push_back(static_cast<std::int32_t>(A.row_index.size()));
  }
  A.values.assign(A.row_index.size(), 1.0);
  return A;
}

void expect_permutation(const IndexVector& order, std::int64_t n) {
  IndexVector sorted = order, all(static_cast<std::size_t>(n));
  std::sort(sorted.begin(), sorted.end());
  std::iota(all.begin(), all.end(), 0);
  EXPECT_EQ(sorted, all);
}

double work_of(const CscMatrix& A, const IndexVector& order) {
  const LowerRows lower = lower_rows(A, inverse_order(order), false);
  double work = 0;
  for (const double below : column_counts(lower_columns(lower), elimination_tree(lower))) work += (1 + below) * (1 + below);
  return work;
}

TEST(EliminationOrder, TellsItsWork) {
  for (const std::int32_t side : {3, 8, 22}) {
    const CscMatrix A = cube(side);
    const EliminationOrder found = find_elimination_order(A);
    expect_permutation(found.order, A.cols);
    EXPECT_EQ(found.work, work_of(A, found.order));
    IndexVector given(found.order.size());
    std::iota(given.begin(), given.end(), 0);
    EXPECT_LE(found.work, work_of(A, given));
  }
}

// Sparse with no order, of several components, some of one row.
CscMatrix random_graph(std::int32_t n, int edges, unsigned seed, bool is_symmetric) {
  std::mt19937 random(seed);
  std::vector<std::set<std::int32_t>> columns(static_cast<std::size_t>(n));
  for (int k = 0; k < edges; ++k) {
    const auto j = random() % static_cast<std::uint32_t>(n), i = random() % static_cast<std::uint32_t>(n);
    columns[j].insert(static_cast<std::int32_t>(i));
    if (is_symmetric) columns[i].insert(static_cast<std::int32_t>(j));
  }
  CscMatrix A{n, n, {0}, {}, {}};
  for (const auto& column : columns) {
    A.row_index.insert(A.row_index.end(), column.begin(), column.end());
    A.col_start.push_back(static_cast<std::int32_t>(A.row_index.size()));
  }
  A.values.assign(A.row_index.size(), 1.0);
  return A;
}

TEST(ColumnCounts, AreThoseOfEliminationByHand) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    const std::int32_t n = 1 + static_cast<std::int32_t>(seed % 40);
    const bool is_symmetric = seed % 2 == 1;
    const CscMatrix A = random_graph(n, static_cast<int>(seed % 7) * n / 3, seed, is_symmetric);
    IndexVector own(static_cast<std::size_t>(n)), counts, weight, weights_below;
    std::iota(own.begin(), own.end(), 0);
    for (std::int32_t i = 0; i < n; ++i) weight.push_back(1 + i % 4);
    std::vector<std::set<std::int32_t>> below(own.size());
    for (std::int32_t j = 0; j < n; ++j)
      for (std::int32_t k = A.col_start[static_cast<std::size_t>(j)]; k < A.col_start[static_cast<std::size_t>(j) + 1]; ++k) {
        const std::int32_t i = A.row_index[static_cast<std::size_t>(k)];
        if (i != j) below[static_cast<std::size_t>(std::min(i, j))].insert(std::max(i, j));
      }
    for (const auto& column : below) {
      counts.push_back(static_cast<std::int32_t>(column.size()));
      weights_below.push_back(0);
      for (const std::int32_t i : column) weights_below.back() += weight[static_cast<std::size_t>(i)];
      if (column.empty()) continue;
      auto& target = below[static_cast<std::size_t>(*column.begin())];
      target.insert(std::next(column.begin()), column.end());
    }
    for (const bool is_known : {false, is_symmetric}) {
      const LowerRows lower = lower_rows(A, own, is_known);
      const LowerColumns columns = lower_columns(lower);
      EXPECT_EQ(column_counts(columns, elimination_tree(lower)), counts) << seed;
      EXPECT_EQ(column_counts(columns, elimination_tree(lower), weight), weights_below) << seed;
    }
  }
}

// Twenty billion entries, which would take a minute to visit.
TEST(ColumnCounts, DoNotVisitTheFactor) {
  constexpr std::int32_t n = 200'000;
  CscMatrix A{n, n, {0}, {}, {}};
  for (std::int32_t j = 0; j < n; ++j) {  // the first column holds all rows, so that all others fill in
    if (j > 0) A.row_index.push_back(0);
    for (std::int32_t i = j; i < (j == 0 ? n : j + 1); ++i) A.row_index.push_back(i);
    A.col_start.push_back(static_cast<std::int32_t>(A.row_index.size()));
  }
  IndexVector own(static_cast<std::size_t>(n));
  std::iota(own.begin(), own.end(), 0);
  const LowerRows lower = lower_rows(A, own, false);
  const IndexVector counts = column_counts(lower_columns(lower), elimination_tree(lower));
  for (std::int32_t j = 0; j < n; ++j) ASSERT_EQ(counts[static_cast<std::size_t>(j)], n - 1 - j);
}

// Large enough for nested dissection, whose library draws random numbers.
TEST(EliminationOrder, IsTheSameInEveryThreadAndLeavesRandomNumbersAlone) {
  const CscMatrix A = cube(22);
  std::srand(5);
  const int expected = std::rand();
  std::srand(5);
  const IndexVector first = find_elimination_order(A).order;
  EXPECT_EQ(std::rand(), expected);
  IndexVector others[2];
  std::thread threads[2];
  for (int t = 0; t < 2; ++t) threads[t] = std::thread([&, t] { others[t] = find_elimination_order(A).order; });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(others[0], first);
  EXPECT_EQ(others[1], first);
}

// The same library takes SIGTERM to itself for as long as it works: the program's own handler gets it then.
TEST(EliminationOrder, LeavesTerminationToTheProgram) {
  const CscMatrix A = cube(22);
  const IndexVector first = find_elimination_order(A).order;
  static std::atomic<int> heard;
  heard = 0;
  const auto before = std::signal(SIGTERM, [](int) { ++heard; });
  std::atomic<bool> done{false};
  // To the thread that orders: others, as those of OpenBLAS, may not hold the signal.
  std::thread sender([&, ordering = pthread_self()] {
    for (; !done; usleep(1000)) pthread_kill(ordering, SIGTERM);
  });
  EXPECT_EQ(find_elimination_order(A).order, first);
  while (heard == 0) usleep(1000);  // by the handler that was there before
  done = true;
  sender.join();
  std::signal(SIGTERM, before);
}

}  // namespace nonsmooth::elimination_order_test
