// Stages go on past their budget while their own rate of convergence foretells an end that is near, or costs less than
// factorisations.
#include "methods/auto/sweep_budget.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "methods/newton/contact_factors.hpp"
#include "problems/condensation.hpp"

namespace sweep_budget_test {

using namespace nonsmooth;

constexpr std::int32_t n = 90;
constexpr std::int64_t budget = 200;
constexpr double tolerance = 0.99e-6;  // just not loose

// 0 <= z, w = z - a >= 0, |q| = 1: z = (a + r, a, ..., a) has the residual r. Dense factors of order 90: some 40 products an
// iteration of the interior point method, which allows 375 past the budget.
class SweepBudgetTest : public testing::Test {
 protected:
  SweepBudgetTest() : q_(n, -1 / std::sqrt(n)), z_(q_.size(), 1 / std::sqrt(n)) {
    DenseMatrix identity{n, n, Vector(n * n, 0.0)};
    for (std::int32_t i = 0; i < n; ++i) identity.values[static_cast<std::size_t>(i * (n + 1))] = 1;
    matrix_ = Matrix(identity, "W");
    view_.M = &matrix_;
    view_.q = &q_;
    for (std::int32_t i = 0; i < n; ++i) view_.blocks.push_back({SetKind::orthant, i, 1});
    Options options;
    options.set("tolerance", tolerance);
    control_.setup(view_, options, 1'000'000);
    control_.begin();
    budget_.setup(view_);
  }

  // residual(k) after iteration k; how many there were.
  template <class Residual>
  std::int64_t sweep(Stop expected, Residual&& residual, Extent extent = Extent::affordable, std::int64_t farthest = 0) {
    budget_.begin(extent, budget, farthest, control_);
    control_.begin_stage(budget_);
    Stop stop = Stop::none;
    std::int64_t k = 0;
    for (; stop == Stop::none && k < 100'000; stop = control_.check(k, z_)) z_[0] = z_[1] + residual(++k);
    EXPECT_EQ(stop, expected);
    return k;
  }

  Vector q_, z_;
  Matrix matrix_;
  Inclusion view_;
  Control control_;
  SweepBudget budget_;
};

double falling(double rate, std::int64_t k) { return std::pow(rate, static_cast<double>(k)); }

TEST_F(SweepBudgetTest, EndsWithinTheBudgetAsBefore) {
  EXPECT_LT(sweep(Stop::finished, [](auto k) { return falling(0.9, k); }), budget);
}

TEST_F(SweepBudgetTest, GoesOnWhereItGetsThereSoon) {
  const std::int64_t sweeps = sweep(Stop::finished, [](auto k) { return falling(0.95, k); });  // 270
  EXPECT_GT(sweeps, budget);
  EXPECT_LT(sweeps, 300);
}

TEST_F(SweepBudgetTest, EndsAtTheBudgetWhereItDoesNotMove) {
  EXPECT_EQ(sweep(Stop::stalled, [](auto) { return 0.1; }), budget);
}

TEST_F(SweepBudgetTest, EndsAtTheBudgetWhereItIsTooSlow) {
  EXPECT_EQ(sweep(Stop::stalled, [](auto k) { return falling(0.9999, k); }), budget);
}

// 203 iterations get to 3e-5. The rate is that since the last mark but one: 160, then 320.
TEST_F(SweepBudgetTest, EndsAtTheLatestOnceNothingHasMovedForHalfOfIt) {
  const std::int64_t iterations = sweep(Stop::stalled, [](auto k) { return std::max(falling(0.95, k), 3e-5); });
  EXPECT_GT(iterations, 203);
  EXPECT_LE(iterations, 640);
}

// 1,375 iterations would meet the tolerance: more than the allowance, whatever the rate.
TEST_F(SweepBudgetTest, EndsAtTheBudgetWhereFactorisationsCostLess) {
  EXPECT_NEAR(budget_.allowance(tolerance), 375, 15);
  EXPECT_EQ(sweep(Stop::stalled, [](auto k) { return falling(0.99, k); }), budget);
}

TEST_F(SweepBudgetTest, LooseTolerancesAllowMore) {
  EXPECT_NEAR(budget_.allowance(loose_tolerance) / budget_.allowance(tolerance), 8, 0.1);
}

// Two digits from a residual of 1e-4 in place of six from 1: 10 iterations of the interior point method in place of 20.
TEST_F(SweepBudgetTest, DigitsCountFromTheResidualOfZero) {
  const double usual = budget_.allowance(tolerance);
  std::ranges::fill(q_, -1e-4 / std::sqrt(n));
  EXPECT_NEAR(budget_.allowance(tolerance) / usual, 0.5, 0.01);
}

TEST_F(SweepBudgetTest, ABudgetOfFactorisationsIsWorthTheirCost) {
  ASSERT_GT(budget_.factorisation(), 5);
  EXPECT_NEAR(static_cast<double>(sweep(
                  Stop::stalled, [](auto) { return 0.1; }, Extent::weighed, 1000)),
              budget * budget_.factorisation(), 10);
  control_.begin();
  EXPECT_LT(sweep(
                Stop::finished, [](auto k) { return falling(0.95, k); }, Extent::weighed, 1000),
            300);
}

// Once: the next solve allocates nothing.
// As many pivots as cost so many of its solves, 25 steps each that cost 20 products beside their factorisation, wherever the
// residual is; of full matrices more.
TEST_F(SweepBudgetTest, ARivalOfTheInteriorPointMethodGetsWhatItCosts) {
  const auto iterations = [&](std::int64_t farthest) {
    budget_.begin(Extent::rival, 2, farthest, control_);
    control_.begin_stage(budget_);
    std::int64_t k = 0;
    while (control_.check_limits(k) == Stop::none) ++k;
    return k;
  };
  const auto limit = static_cast<std::int64_t>(std::ceil(2 * 25 * (20 + budget_.factorisation())));
  EXPECT_EQ(iterations(100'000), limit);
  EXPECT_GT(limit, 2 * 25 * 20);
  EXPECT_EQ(iterations(300), 300);
}

TEST_F(SweepBudgetTest, WhatIsSetUpInASolveIsToldApart) {
  for (const Extent extent : {Extent::affordable, Extent::weighed}) {
    budget_.setup(view_);
    for (const bool first : {true, false}) {
      control_.begin();
      sweep(
          Stop::stalled, [&](auto k) { return extent == Extent::affordable ? falling(0.99, k) : 0.1; }, extent, 300);
      EXPECT_EQ(control_.setup_seconds() > 0, first);
    }
  }
}

// Zeros of a dense matrix are left out of its products.
TEST_F(SweepBudgetTest, NewValuesCostWhatTheyCost) {
  const double sparse = budget_.factorisation();
  std::ranges::fill(matrix_.own_values(), 1.0);
  budget_.update();
  EXPECT_LT(budget_.factorisation(), sparse);
}

TEST_F(SweepBudgetTest, FactorsOfLargeFullMatricesAreDear) {
  EXPECT_LT(budget_.factorisation(control_), dear_factorisation);
  constexpr std::int32_t order = 1200;
  const Matrix full(DenseMatrix{order, order, Vector(std::size_t{order} * order, 1.0)}, "W");
  Inclusion view;
  view.M = &full;
  for (std::int32_t i = 0; i < order; ++i) view.blocks.push_back({SetKind::orthant, i, 1});
  SweepBudget of_full;
  of_full.setup(view);
  EXPECT_GE(of_full.factorisation(control_), dear_factorisation);
}

// Residuals that fall, stay for hundreds of iterations, and fall again: how many iterations of them are awaited by so many
// contacts of a kind, each coupled with all others or with none.
std::int64_t iterations_of_a_plateau(SetKind kind, double coupling, double to_tolerance) {
  const std::int32_t d = kind == SetKind::coulomb_2d ? 2 : 3;
  Vector q(n, 0.0), z(n, 0.0);
  DenseMatrix M{n, n, Vector(n * n, coupling)};
  for (std::int32_t i = 0; i < n; ++i) M.values[static_cast<std::size_t>(i * (n + 1))] = 1;
  const Matrix matrix(M, "W");
  Inclusion view;
  view.M = &matrix;
  view.q = &q;
  for (std::int32_t i = 0; i < n; i += d) {
    view.blocks.push_back({kind, i, d, 0.5});
    q[static_cast<std::size_t>(i)] = -1;
    z[static_cast<std::size_t>(i)] = 1;
  }
  Options options;
  options.set("tolerance", to_tolerance);
  Control control;
  control.setup(view, options, 1'000'000);
  control.begin();
  SweepBudget extent;
  extent.setup(view);
  extent.begin(Extent::affordable, budget, 0, control);
  control.begin_stage(extent);
  std::int64_t k = 0;
  for (Stop stop = Stop::none; stop == Stop::none && k < 100'000; stop = control.check(k, z)) {
    ++k;
    z[0] = 1 + falling(0.975, k < 180 ? k : std::max<std::int64_t>(180, k - 720));  // 1,084 to 1e-4
  }
  return k;
}

TEST(SweepBudget, ProjectionsOfHyperstaticStructuresAreAwaited) {
  constexpr double loose = 1e-4, uncoupled = 0, coupled = 1e-9;
  EXPECT_LT(iterations_of_a_plateau(SetKind::coulomb_3d, uncoupled, loose), 700);
  EXPECT_GT(iterations_of_a_plateau(SetKind::coulomb_3d, coupled, loose), 1000);
  EXPECT_GT(iterations_of_a_plateau(SetKind::coulomb_2d, uncoupled, loose), 1000);
  EXPECT_GT(iterations_of_a_plateau(SetKind::rolling_2d, uncoupled, loose), 1000);
  EXPECT_LT(iterations_of_a_plateau(SetKind::coulomb_2d, uncoupled, tolerance), 700);
}

// 127 iterations at a steady rate, of a budget of 20: how many of them are made.
std::int64_t foretold_iterations(SetKind kind) {
  Vector q(3, 0.0), z(3, 0.0);
  const Matrix matrix(DenseMatrix{3, 3, {1, 0, 0, 0, 1, 0, 0, 0, 1}}, "W");
  Inclusion view;
  view.M = &matrix;
  view.q = &q;
  view.blocks.push_back({kind, 0, 3, 0.5});
  q[0] = -1;
  Options options;
  options.set("tolerance", 1e-4);
  Control control;
  control.setup(view, options, 1'000'000);
  control.begin();
  SweepBudget extent;
  extent.setup(view);
  extent.begin(Extent::foretold, 20, 200, control);
  control.begin_stage(extent);
  std::int64_t k = 0;
  for (Stop stop = Stop::none; stop == Stop::none && k < 1000; stop = control.check(k, z)) z[0] = 1 + falling(0.93, ++k);
  return k;
}

// Projections come behind them.
TEST(SweepBudget, SweepsOfContactsAreTrustedLessToALooseTolerance) {
  EXPECT_EQ(foretold_iterations(SetKind::coulomb_3d), 20);
  EXPECT_GT(foretold_iterations(SetKind::second_order_cone), 120);
}

// W is told by who shares a body.
TEST(SweepBudget, BodiesFormNoMatrixForIt) {
  constexpr std::int64_t contacts = 40, rows = 3 * contacts;
  GlobalFriction chain;
  DenseMatrix M{rows, rows, Vector(rows * rows, 0.0)}, H{rows, rows, Vector(rows * rows, 0.0)};
  for (std::int64_t i = 0; i < rows; ++i) {
    M.values[static_cast<std::size_t>(i * (rows + 1))] = 1;
    H.values[static_cast<std::size_t>(i * (rows + 1))] = 1;
    if (i >= 3) H.values[static_cast<std::size_t>(i - 3 + i * rows)] = -1;
  }
  chain.M = Matrix(M, "M");
  chain.H = Matrix(H, "H");
  chain.f.assign(rows, 0.0);
  chain.w.assign(rows, 0.0);
  chain.mu.assign(contacts, 0.5);
  const Condensation condensation(chain);
  Inclusion view = condensation.inclusion();
  ASSERT_NE(view.bodies, nullptr);
  const Matrix W(view.bodies->form(), "W");
  view.M = nullptr;
  SweepBudget bodies;
  bodies.setup(view);
  bodies.update();
  const double contacts_work = ContactFactors::work(view), own = bodies.factorisation();
  bodies.update();
  view.M = &W;
  view.bodies = nullptr;
  EXPECT_EQ(ContactFactors::work(view), contacts_work);
  bodies.setup(view);
  EXPECT_LE(own, bodies.factorisation());
  EXPECT_GT(own, 0);
}

TEST_F(SweepBudgetTest, ForetoldIterationsEndWhereTheyWouldPassTheFarthest) {
  const auto steady = [](auto k) { return falling(0.965, k); };  // 388
  EXPECT_EQ(sweep(Stop::stalled, steady, Extent::foretold, 350), budget);
  control_.begin();
  EXPECT_GT(sweep(Stop::finished, steady, Extent::foretold, 400), 380);
}

TEST_F(SweepBudgetTest, ForetoldIterationsEndWhereTheRateFallsOff) {
  const auto slowing = [](auto k) { return k < 220 ? falling(0.95, k) : falling(0.95, 220) * falling(0.999, k - 220); };
  EXPECT_LT(sweep(Stop::stalled, slowing, Extent::foretold, 1000), 660);  // of 2,750
}

TEST_F(SweepBudgetTest, AnEndThatIsCloseIsAwaited) {
  const auto steady = [](auto k) { return falling(0.95, k); };  // 270: a quarter of it is left at the budget
  EXPECT_GT(sweep(Stop::finished, steady, Extent::foretold, 250), 260);
}

TEST_F(SweepBudgetTest, HalvingEndsWithTheFirstIterationThatDoesNotHalve) {
  EXPECT_EQ(sweep(
                Stop::stalled, [](auto k) { return k < 5 ? falling(0.1, k) : 0.9e-4; }, Extent::halving, 1),
            5);
  control_.begin();
  EXPECT_EQ(sweep(
                Stop::finished, [](auto k) { return falling(0.1, k); }, Extent::halving, 1),
            7);
}

TEST_F(SweepBudgetTest, HalvingMayTakeAsManyIterationsAsItIsGiven) {
  const auto slow = [](auto k) { return falling(0.85, k); };     // halves in five
  EXPECT_EQ(sweep(Stop::stalled, slow, Extent::halving, 4), 5);  // counted from the first
  control_.begin();
  EXPECT_LT(sweep(Stop::finished, slow, Extent::halving, 5), budget);
}

// A residual that has not fallen at all is given half of what one is given that no longer halves.
TEST_F(SweepBudgetTest, WhatStaysWhereItBeganIsLeftSooner) {
  EXPECT_EQ(sweep(
                Stop::stalled, [](auto) { return 0.1; }, Extent::descending, 100),
            50);
  control_.begin();
  EXPECT_EQ(sweep(
                Stop::stalled, [](auto k) { return k < 40 ? 0.1 : 0.09; }, Extent::descending, 100),
            101);
  control_.begin();
  EXPECT_EQ(sweep(
                Stop::stalled, [](auto) { return 0.1; }, Extent::halving, 100),
            101);
}

// What begins anew, as the interior point method does, is far behind the best for a while.
TEST_F(SweepBudgetTest, FallingCountsFromTheFirstResidualOfTheStage) {
  for (const Extent extent : {Extent::falling, Extent::halving}) {
    control_.begin();
    z_[0] = z_[1] + 1e-4;
    ASSERT_EQ(control_.check(0, z_), Stop::none);
    const bool counts_own = extent == Extent::falling;
    const auto steady = [](auto k) { return falling(0.4, k); };
    EXPECT_EQ(sweep(counts_own ? Stop::finished : Stop::stalled, steady, extent, 2), counts_own ? 16 : 3);
  }
  control_.begin();
  EXPECT_EQ(sweep(
                Stop::stalled, [](auto k) { return k < 5 ? falling(0.4, k) : falling(0.4, 4); }, Extent::falling, 2),
            6);
}

TEST_F(SweepBudgetTest, ASecondSolveTakesTheSamePath) {
  const auto steady = [](auto k) { return falling(0.965, k); };
  const std::int64_t first = sweep(Stop::finished, steady);  // 388
  EXPECT_GT(first, 300);
  control_.begin();
  EXPECT_EQ(sweep(Stop::finished, steady), first);
}

}  // namespace sweep_budget_test
