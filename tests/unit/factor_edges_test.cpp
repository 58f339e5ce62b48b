// Factors where matrices are singular to rounding, change their pattern, or have entries that are no numbers.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>

#include "core/error.hpp"
#include "linalg/component_factor.hpp"
#include "linalg/delassus_operator.hpp"
#include "linalg/dense_factor.hpp"
#include "linalg/left_looking_lu.hpp"
#include "linalg/lifted_factor.hpp"
#include "linalg/minimum_norm.hpp"
#include "linalg/nnls.hpp"
#include "linalg/small_lu.hpp"
#include "methods/frame/options.hpp"

namespace nonsmooth::factor_edges_test {

TEST(FactorEdges, ColumnsThatDependUpToRounding) {
  LeftLookingLu lu;
  lu.resize(3, 6, 20);
  const auto column = [&](double first, double second) {
    lu.add(0, first);
    lu.add(1, second);
    lu.finish_column();
  };
  column(0.1, 0.3);
  column(0.7, 2.1);
  EXPECT_FALSE(lu.factorise(2, 0));
  // A third one makes up for it, and nothing of the second is left.
  column(1, 1);
  ASSERT_TRUE(lu.factorise(2, 3));
  EXPECT_EQ(std::vector<int>(lu.chosen_columns().begin(), lu.chosen_columns().end()), (std::vector<int>{0, 2}));
  double x[] = {1.2, 1.6, 0};  // 2 (0.1, 0.3) + (1, 1); by columns afterwards
  lu.solve(x);
  EXPECT_NEAR(x[0], 2, 1e-12);
  EXPECT_NEAR(x[2], 1, 1e-12);
}

TEST(FactorEdges, InfiniteEntriesAreNoPivots) {
  double A[] = {HUGE_VAL, 1, 1, 1};
  int pivot[2];
  EXPECT_FALSE(factorise_small(A, pivot, 2));
}

// What elimination leaves of the last column is rounding, not 0. A column that is small all through is no reason.
TEST(FactorEdges, DenseFactorsTellWhatIsSingularUpToRounding) {
  for (const auto kind : {DenseFactor::Kind::lu, DenseFactor::Kind::cholesky}) {
    DenseFactor factor;
    factor.resize(3);
    const auto factorise = [&](std::initializer_list<double> A) {
      std::copy(A.begin(), A.end(), factor.matrix().begin());
      return factor.factorise(static_cast<int>(std::sqrt(A.size())), kind);
    };
    EXPECT_FALSE(factorise({0.1, 0.3, 0.3, 0.9 + 2e-16}));
    EXPECT_FALSE(factorise({1, 0, 0, HUGE_VAL}));
    EXPECT_FALSE(factorise({1, NAN, NAN, 1}));
    ASSERT_TRUE(factorise({2, 1e-20, 1e-20, 1e-20}));
    double x[] = {2, 2e-20};
    factor.solve(x);
    EXPECT_NEAR(x[0], 1, 1e-12);
    EXPECT_NEAR(x[1], 1, 1e-12);
  }
}

// The pivot of the second row is lifted; refinement takes the lift out of the answer.
TEST(FactorEdges, LiftsAreNoPartOfTheAnswer) {
  LiftedFactor saddle(CscMatrix{2, 2, {0, 2, 4}, {0, 1, 0, 1}, {1e-6, -1, 1, 0}}, false);
  const int both[] = {0, 1};
  const double none[] = {0, 0};
  ASSERT_TRUE(saddle.factorise(both, none));
  double y[] = {2, -3};  // 1e-6 y0 + y1 = 2, -y0 = -3
  saddle.solve(y);
  EXPECT_NEAR(y[0], 3, 1e-12);
  EXPECT_NEAR(y[1], 2 - 3e-6, 1e-12);
}

TEST(FactorEdges, WhatCountsAsDependentIsTheCallersChoice) {
  const double A[] = {1, 0, 0, 1e-8};
  EXPECT_EQ(MinimumNorm(A, 2, 1e-6).rank(), 1);
  EXPECT_EQ(MinimumNorm(A, 2, 1e-10).rank(), 2);
}

// A chain of links, and the same closed to a ring: one component of another pattern.
TEST(FactorEdges, ComponentsOfAnotherPattern) {
  constexpr std::int32_t n = 100;
  const auto chain = [](bool closed) {
    std::vector<std::int32_t> row, col;
    Vector value;
    const auto add = [&](std::int32_t i, std::int32_t j, double a) {
      row.push_back(i);
      col.push_back(j);
      value.push_back(a);
    };
    for (std::int32_t i = 0; i < n; ++i) {
      add(i, i, 3);
      if (i + 1 < n) add(i, i + 1, -1), add(i + 1, i, -1);
    }
    if (closed) add(0, n - 1, -1), add(n - 1, 0, -1);
    return Matrix::from_triplets(n, n, row, col, value, "A");
  };
  const Matrix open = chain(false), ring = chain(true);
  ComponentFactor factor(*open.csc(), "A");
  factor.factorise(*ring.csc());
  Vector x(n, 1.0);  // each row sums to 1
  factor.solve(x);
  for (const double entry : x) EXPECT_NEAR(entry, 1, 1e-12);
}

// H = 1, K = (2 1; -1 2): W = K^-1 = (2 -1; 1 2) / 5.
TEST(FactorEdges, ContactsTakenFromBodiesThatAreNotSymmetric) {
  const CscMatrix K{2, 2, {0, 2, 4}, {0, 1, 0, 1}, {2, -1, 1, 2}}, H{2, 2, {0, 1, 2}, {0, 1}, {1, 1}};
  const ComponentFactor factor(K, "K", &H);
  DelassusOperator W, part;
  W.assemble(K, factor, contacts_of_components(factor, 2), H, 2);
  ASSERT_FALSE(W.is_symmetric());
  part.restrict_to(W, {0});
  EXPECT_FALSE(part.is_symmetric());
  Vector w(2, 0.0);
  part.multiply_add(Vector{1, 10}, w);
  EXPECT_NEAR(w[0], (2 - 10) / 5.0, 1e-15);
  EXPECT_NEAR(w[1], (1 + 20) / 5.0, 1e-15);
}

TEST(FactorEdges, ContactsWithoutABodyMeetThemselves) {
  EXPECT_EQ(neighbours_of_contacts({}, 1), (std::vector<IndexVector>{{0}}));
}

// min |A x - b|, x >= 0, where two columns are the same up to their length and one is zero.
TEST(FactorEdges, LeastSquaresWithColumnsThatDepend) {
  NonnegativeLeastSquares squares;
  squares.resize(3, 4);
  const double A[] = {1, 1, 0, 2, 2, 0, 0, 0, 0, 0, 1, 1};
  std::copy(std::begin(A), std::end(A), squares.matrix().begin());
  const Vector b{1, 4, 3};
  const std::vector<char> free(4, 0);
  Vector x(4);
  EXPECT_NEAR(squares.solve(3, 4, b, free, x), 0, 1e-14);
  EXPECT_NEAR(x[0] + 2 * x[1], 1, 1e-14);
  EXPECT_NEAR(x[3], 3, 1e-14);
  EXPECT_EQ(x[2], 0);
}

TEST(Options, NumbersThatAreNoneOrNoIntegers) {
  const auto message = [](auto&& set) {
    Options options;
    try {
      set(options);
    } catch (const Error& error) {
      return error.message();
    }
    return std::string();
  };
  EXPECT_EQ(message([](Options& options) { options.set("max_iterations", 1.5); }), "option max_iterations = 1.5 is no integer");
  EXPECT_EQ(message([](Options& options) { options.set_text("tolerance", "1e-6x"); }), "option tolerance: '1e-6x' is no number");
  EXPECT_EQ(message([](Options& options) { options.set_text("tolerance", ""); }), "option tolerance: '' is no number");
  EXPECT_EQ(message([](Options& options) { options.set_text("tolerance", "1e-6"); }), "");
}

}  // namespace nonsmooth::factor_edges_test
