// Friction in the plane as a mixed LCP, whose new values are read as they come.
#include "methods/pivoting/planar_expansion.hpp"

#include <gtest/gtest.h>

#include "core/error.hpp"

namespace nonsmooth::planar_expansion_test {

// A matrix that counts how often it is asked for.
class Counted final : public MatrixSource {
 public:
  const Matrix& matrix() override {
    ++reads;
    return matrix_;
  }
  int reads = 0;

 private:
  Matrix matrix_{DenseMatrix{4, 4, {2, 0, 1, 0, 0, 2, 0, 0, 1, 0, 2, 0, 0, 0, 0, 2}}, "W"};
};

class PlanarFriction : public testing::Test {
 protected:
  PlanarFriction() {
    view_.M = BorrowedMatrix(source_);
    view_.q = &q_;
    for (const std::int32_t start : {0, 2}) view_.blocks.push_back({SetKind::coulomb_2d, start, 2, 0.5});
    control_.setup(view_, options_, 1000);
  }

  Counted source_;
  Vector q_{-1, 0.2, -1, 0.1};
  Inclusion view_;
  Options options_;
  Control control_;
};

TEST_F(PlanarFriction, ANewRightHandSideLeavesTheMatrixAlone) {
  const auto method = find_method("lemke")->create();
  method->setup(view_, options_);
  q_ = {-2, 0.1, 1, 0.4};
  const int reads = source_.reads;
  method->update(Change::right_hand_side);
  EXPECT_EQ(source_.reads, reads);
  Vector z(4, 0.0);
  control_.begin();
  EXPECT_EQ(method->solve(z, control_), Stop::finished);
  EXPECT_NEAR(z[0], 1, 1e-12);
  method->update(Change::matrix);
  EXPECT_GT(source_.reads, reads);
}

class Refuses final : public Method {
 public:
  void setup(const Inclusion&, const Options&) override {}
  void update(Change change) override {
    if (change == Change::matrix) fail(NSM_UNSUPPORTED, "not these");
  }
  Stop solve(std::span<double>, Control&) override { return Stop::breakdown; }
};

TEST_F(PlanarFriction, NewValuesThatTheMethodRefusesAreRefused) {
  const auto method = with_planar_friction(std::make_unique<Refuses>(), "refuses", 10);
  method->setup(view_, options_);
  EXPECT_NO_THROW(method->update(Change::right_hand_side));
  EXPECT_THROW(method->update(Change::matrix), Error);
  EXPECT_THROW(method->update(Change::sets), Error);  // the coefficients stand in the matrix
}

// Iterates until it is told to end.
class Endless final : public Method {
 public:
  void setup(const Inclusion&, const Options&) override {}
  void update(Change) override {}
  Stop solve(std::span<double>, Control& control) override {
    for (std::int64_t k = 0;; ++k)
      if (const Stop stop = control.check_limits(k); stop != Stop::none) return stop;
  }
};

TEST_F(PlanarFriction, TheLimitsOfTheSolveHold) {
  struct Case {
    std::int64_t own_limit, budget;
    Stop stop;
    std::int64_t iterations;
  };
  for (const Case& c : {Case{100000, 5, Stop::stalled, 5}, Case{100000, 0, Stop::iteration_limit, 1000},
                        Case{10, 0, Stop::stalled, 10}, Case{10, 5, Stop::stalled, 5}}) {
    const auto method = with_planar_friction(std::make_unique<Endless>(), "endless", c.own_limit);
    method->setup(view_, options_);
    Vector z(4, 0.0);
    control_.begin();
    control_.begin_stage(c.budget);
    EXPECT_EQ(method->solve(z, control_), c.stop) << c.own_limit << ", " << c.budget;
    EXPECT_EQ(control_.iterations(), c.iterations) << c.own_limit << ", " << c.budget;
  }
}

}  // namespace nonsmooth::planar_expansion_test
