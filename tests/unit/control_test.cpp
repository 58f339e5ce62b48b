// The control of a part of a solve: clock, cancellation and callbacks are those of the whole.
#include "methods/frame/control.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "methods/frame/method.hpp"

namespace control_test {

using namespace nonsmooth;

class ControlOfAPart : public testing::Test {
 protected:
  ControlOfAPart() {
    view_.M = &matrix_;
    view_.q = &q_;
    view_.blocks.push_back({SetKind::orthant, 0, 1});
    for (Control* control : {&whole_, &part_, &inner_}) control->setup(view_, Options(), 1000);
    whole_.begin();
    part_.begin_part(whole_, 0);
    inner_.begin_part(part_, 0);
  }
  Matrix matrix_{DenseMatrix{1, 1, {1.0}}, "M"};
  Vector q_{-1.0};
  Inclusion view_;
  Control whole_, part_, inner_;
};

TEST_F(ControlOfAPart, AsksTheCallbackOfTheWhole) {
  int calls = 0;
  whole_.progress_user = &calls;
  whole_.progress = [](void* user, std::int64_t, double, double) -> std::int32_t {
    return ++*static_cast<int*>(user) > 2 ? 1 : 0;
  };
  Stop stop = Stop::none;
  for (int k = 0; stop == Stop::none; ++k) stop = (k % 2 == 0 ? part_ : inner_).check_clock();
  EXPECT_EQ(stop, Stop::cancelled);
  EXPECT_EQ(calls, 3);
}

TEST_F(ControlOfAPart, TellsTheFiguresOfTheWhole) {
  struct Told {
    std::int64_t iteration = -1;
    double residual = -1;
  } told;
  whole_.check(7, Vector{0.5});
  whole_.progress_user = &told;
  whole_.progress = [](void* user, std::int64_t iteration, double residual, double) -> std::int32_t {
    *static_cast<Told*>(user) = {iteration, residual};
    return 1;
  };
  EXPECT_EQ(inner_.check(3, Vector{0.9}), Stop::cancelled);
  EXPECT_EQ(told.iteration, 7);
  EXPECT_EQ(told.residual, 0.5);
}

TEST_F(ControlOfAPart, TellsResidualsOfTheWholeAloneAtIterationsThatGrow) {
  std::vector<std::string> lines;
  whole_.set_tells_residuals(true);
  for (Control* control : {&whole_, &part_}) {
    control->log_user = &lines;
    control->log_callback = [](void* user, const char* line) {
      static_cast<std::vector<std::string>*>(user)->emplace_back(line);
    };
  }
  part_.check(1, Vector{0.5});
  for (int k = 0; k < 200; ++k) whole_.check(k, Vector{0.5});
  whole_.check(200, Vector{1.0});
  ASSERT_EQ(lines.size(), 48U);
  EXPECT_EQ(lines.front(), "iteration 0: residual 0.5");
  EXPECT_EQ(lines[20], "iteration 20: residual 0.5");
  EXPECT_EQ(lines[21], "iteration 22: residual 0.5");
  EXPECT_EQ(lines.back(), "iteration 200: residual 0");
}

// A callback may say only once that a solve is to end: that ends all that is asked later, whoever has been told.
TEST_F(ControlOfAPart, PatienceKeepsWhyItHasEnded) {
  int calls = 0;
  whole_.progress_user = &calls;
  whole_.progress = [](void* user, std::int64_t, double, double) -> std::int32_t { return ++*static_cast<int*>(user) == 1; };
  ControlPatience patience;
  patience.begin(part_);
  while (patience.lasts()) {
  }
  EXPECT_EQ(patience.end(), Stop::cancelled);
  EXPECT_FALSE(patience.lasts());
  EXPECT_EQ(calls, 1);
  patience.begin(inner_);
  EXPECT_FALSE(patience.lasts());
  EXPECT_EQ(whole_.check_outside(), Stop::cancelled);
  EXPECT_EQ(calls, 1);
}

// Equality rows that contradict each other: what the elimination of the free variables would tell is not waited for.
TEST(ControlPatience, EndsTheEliminationOfFreeVariables) {
  const Matrix M{DenseMatrix{2, 2, {1, 1, 1, 1}}, "M"};
  const Vector q{-1, -2};
  Inclusion view;
  view.M = &M;
  view.q = &q;
  view.blocks = {{SetKind::free_space, 0, 2}};
  for (const char* name : {"lemke", "sparse_lemke", "principal_pivoting"}) {
    const std::unique_ptr<Method> method = find_method(name)->create();
    method->setup(view, Options());
    Control control;
    control.setup(view, Options(), 1000);
    control.begin();
    Vector z{0, 0};
    EXPECT_NE(method->solve(z, control), Stop::cancelled) << name;
    control.cancelled = true;
    EXPECT_EQ(method->solve(z, control), Stop::cancelled) << name;
  }
}

// Rounding hides the residual of an iterate that has diverged: it is no candidate, and does not end a solve.
TEST(Control, KeepsNoIterateThatTheCertificateCannotJudge) {
  const Matrix M{DenseMatrix{2, 2, {1, -1, -1, 1}}, "M"};
  const Vector q{1, 0};
  Inclusion view;
  view.M = &M;
  view.q = &q;
  view.blocks = {{SetKind::free_space, 0, 2}};
  Control control;
  control.setup(view, Options(), 1000);
  control.begin();
  control.begin_strictly();
  EXPECT_EQ(control.check(0, Vector{0, 0}), Stop::none);
  EXPECT_EQ(control.best_residual(), 1);
  const Vector far{0x1p100, 0x1p100};
  EXPECT_EQ(control.check(1, far), Stop::none);
  EXPECT_EQ(control.best()[0], 0);
  EXPECT_EQ(control.best_residual(), 1);
}

TEST(Control, GoesOnToATighterToleranceUntilTheNextSolve) {
  const Matrix M{DenseMatrix{1, 1, {1}}, "M"};
  const Vector q{-1}, z{1 + 1e-9};
  Inclusion view;
  view.M = &M;
  view.q = &q;
  view.blocks = {{SetKind::orthant, 0, 1}};
  Control control;
  control.setup(view, Options(), 1000);
  control.begin();
  EXPECT_EQ(control.check(7, z), Stop::finished);
  control.begin_again(1e-10);
  EXPECT_EQ(control.iterations(), 7);
  EXPECT_EQ(control.check(0, z), Stop::none);
  control.begin();
  EXPECT_EQ(control.check(0, z), Stop::finished);
}

TEST_F(ControlOfAPart, ReturnsToAnEarlierIterate) {
  whole_.consider(Vector{0.5});
  whole_.consider(Vector{0.9});
  EXPECT_EQ(whole_.best()[0], 0.9);
  whole_.return_to(Vector{0.5});
  EXPECT_EQ(whole_.best()[0], 0.5);
  EXPECT_EQ(whole_.best_residual(), 0.5);
  whole_.consider(Vector{0.9});
  EXPECT_EQ(whole_.best()[0], 0.9);
}

// Squares of the floor overflow, the floor does not.
TEST(Control, IsFinishedWithHugeIterates) {
  const Matrix M{DenseMatrix{1, 1, {1}}, "M"};
  const Vector q{-1e200};
  Inclusion view;
  view.M = &M;
  view.q = &q;
  view.scale = 1e200;
  view.blocks = {{SetKind::orthant, 0, 1}};
  Control control;
  control.setup(view, Options(), 1000);
  control.begin();
  control.begin_strictly();
  EXPECT_EQ(control.check(0, Vector{1e200}), Stop::finished);
}

TEST_F(ControlOfAPart, IsCancelledWithTheWhole) {
  const Vector z{0.0};
  EXPECT_EQ(inner_.check(0, z), Stop::none);
  whole_.cancelled = true;
  EXPECT_EQ(inner_.check(1, z), Stop::cancelled);
}

}  // namespace control_test
