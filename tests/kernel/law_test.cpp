// What the parameters of a law may be.
#include <gtest/gtest.h>

#include <limits>

#include "message_of.hpp"
#include "nonsmooth/kernel/kernel.hpp"
#include "one_entry.hpp"

namespace law_test {

using namespace nonsmooth::kernel;
using nonsmooth::kernel::test::expectRefusal;
using nonsmooth::kernel::test::messageOf;
using test::one;
using test::square;

constexpr double infinity = std::numeric_limits<double>::infinity();

TEST(Laws, AtTheEndsOfTheirRanges) {
  EXPECT_EQ(NewtonImpactNSL(0).e(), 0);
  EXPECT_EQ(NewtonImpactNSL(1).e(), 1);
  EXPECT_EQ(NewtonImpactFrictionNSL(0, -1, 0, 2).et(), -1);
  EXPECT_EQ(NewtonImpactRollingFrictionNSL(1, 1, 0, 0, 5).muR(), 0);
  EXPECT_EQ(RelayNSL(1, 0.5, 0.5).ub(), 0.5) << "lambda is given";
  EXPECT_EQ(RelayNSL(1, -infinity, infinity).ub(), infinity);
  EXPECT_EQ(MixedComplementarityConditionNSL(2, 2).equalities(), 2);
}

TEST(Laws, BeyondTheirRanges) {
  EXPECT_EQ(messageOf([] { ComplementarityConditionNSL(0); }), "the size of a ComplementarityConditionNSL is 0");
  EXPECT_EQ(messageOf([] { NewtonImpactNSL(1.5); }), "restitution e = 1.5 is outside [0, 1]");
  EXPECT_EQ(messageOf([] { NewtonImpactFrictionNSL(0, -1.5, 0, 2); }), "restitution et = -1.5 is outside [-1, 1]");
  EXPECT_EQ(messageOf([] { NewtonImpactFrictionNSL(0, 0, 0.5, 4); }), "a NewtonImpactFrictionNSL has size 2 or 3, not 4");
  EXPECT_EQ(messageOf([] { NewtonImpactRollingFrictionNSL(0, 0, 0.5, 0.1, 4); }),
            "a NewtonImpactRollingFrictionNSL has size 3 or 5, not 4");
  EXPECT_EQ(messageOf([] { NewtonImpactRollingFrictionNSL(0, 0, 0.5, -0.1, 5); }),
            "rolling friction mu_r = -0.1 is outside [0, 1e+300]");
  EXPECT_EQ(messageOf([] { RelayNSL(1, 1, 0.5); }), "RelayNSL: lb = 1 is above ub = 0.5");
  EXPECT_EQ(messageOf([] { RelayNSL(1, infinity, infinity); }), "RelayNSL: lb and ub are both inf");
  EXPECT_EQ(messageOf([] { MixedComplementarityConditionNSL(2, 3); }), "3 equalities in a law of size 2");
  EXPECT_EQ(messageOf([] { MixedComplementarityConditionNSL(2, -1); }), "-1 equalities in a law of size 2");
  EXPECT_EQ(messageOf([] { MultipleImpactNSL(0.5, 0, 1); }), "stiffness K = 0 is not positive");
  EXPECT_EQ(messageOf([] { MultipleImpactNSL(0.5, 1, 0); }), "exponent eta = 0 is not positive");
  EXPECT_EQ(messageOf([] { MultipleImpactNSL(0.5, infinity, 1); }), "stiffness K = inf is outside [0, 1e+300]");
}

TEST(Laws, PolyhedraOfNormalCones) {
  const auto refused = [](Index size, const Matrix& H, const Vector& K, const char* what) {
    expectRefusal(what, [&] { NormalConeNSL(size, H, K); });
  };
  refused(2, square(1), one(0), "rows of H of a NormalConeNSL");
  refused(1, square(1), Vector::Zero(2), "K of a NormalConeNSL");
  refused(1, square(1), one(std::numeric_limits<double>::quiet_NaN()), "K of a NormalConeNSL[0] is nan");
}

// Rows: normal, tangents, rotations, which have none.
TEST(Laws, RestitutionByRow) {
  const NewtonImpactFrictionNSL friction(0.8, 0.3, 0.5, 3);
  EXPECT_EQ(friction.restitution(0), 0.8);
  EXPECT_EQ(friction.restitution(2), 0.3);
  const NewtonImpactRollingFrictionNSL plane(0.8, 0.3, 0.5, 0.1, 3), space(0.8, 0.3, 0.5, 0.1, 5);
  EXPECT_EQ(plane.restitution(1), 0.3);
  EXPECT_EQ(plane.restitution(2), 0);
  EXPECT_EQ(space.restitution(2), 0.3);
  EXPECT_EQ(space.restitution(3), 0);
  EXPECT_EQ(RelayNSL(1).restitution(0), 0);
}

TEST(Laws, ImpactsAreOfMechanicalSystems) {
  NonSmoothDynamicalSystem model(0.0, 1.0);
  auto ds = std::make_shared<FirstOrderLinearTIDS>(one(0), square(-1));
  model.insertDynamicalSystem(ds);
  const auto refused = [&](const std::shared_ptr<NonSmoothLaw>& law, const std::string& name) {
    const auto relation = std::make_shared<FirstOrderLinearTIR>(square(1), square(1));
    EXPECT_EQ(messageOf([&] { model.link(std::make_shared<Interaction>(law, relation), ds); }),
              "law " + name + " does not apply to system FirstOrderLinearTIDS: impacts are laws of mechanical systems");
  };
  refused(std::make_shared<NewtonImpactNSL>(0.5), "NewtonImpactNSL");
  refused(std::make_shared<MultipleImpactNSL>(0.5, 1, 1), "MultipleImpactNSL");
}

}  // namespace law_test
