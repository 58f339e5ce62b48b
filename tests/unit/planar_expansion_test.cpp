// Friction in the plane as a mixed LCP, whose new values are read as they come.
#include "methods/planar_expansion.hpp"

#include <gtest/gtest.h>

#include "core/error.hpp"

namespace nonsmooth {
namespace {

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

}  // namespace
}  // namespace nonsmooth
