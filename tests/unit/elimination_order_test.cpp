// Fill-reducing orders: permutations, the same every time and in every thread, and nothing else of the process is touched.
#include "linalg/elimination_order.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <thread>

namespace nonsmooth {
namespace {

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
  const LowerRows lower = lower_rows(A, inverse_order(order));
  double work = 0;
  for (const double below : column_counts(lower, elimination_tree(lower))) work += (1 + below) * (1 + below);
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

}  // namespace
}  // namespace nonsmooth
