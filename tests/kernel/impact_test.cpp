// Impacts at several contacts, against results of analysis and of the literature.
#include <cmath>
#include <functional>

#include "message_of.hpp"
#include "trajectory.hpp"

namespace impact_test {

using namespace nonsmooth::kernel;
using nonsmooth::kernel::test::expectRefusal;
using nonsmooth::kernel::test::messageOf;

const double pi = std::acos(-1.0);

// Balls on a line that touch each other; the first one moves with velocity 1.
struct Chain {
  NonSmoothDynamicalSystem model{0.0};
  std::vector<std::shared_ptr<LagrangianLinearTIDS>> balls;

  Chain(std::size_t count, double mass, const std::function<std::shared_ptr<NonSmoothLaw>(std::size_t)>& law) {
    const auto relation = std::make_shared<LagrangianLinearTIR>(Eigen::RowVector2d(-1, 1));
    for (std::size_t i = 0; i < count; ++i) {
      balls.push_back(std::make_shared<LagrangianLinearTIDS>(Vector::Zero(1), Vector::Constant(1, i == 0 ? 1.0 : 0.0),
                                                             Matrix::Constant(1, 1, mass)));
      model.insertDynamicalSystem(balls.back());
      if (i > 0) model.link(std::make_shared<Interaction>(law(i - 1), relation), balls[i - 1], balls[i]);
    }
  }
  Vector velocities() const {
    Vector result(static_cast<Index>(balls.size()));
    for (std::size_t i = 0; i < balls.size(); ++i) result[static_cast<Index>(i)] = balls[i]->velocity()[0];
    return result;
  }
  // A problem belongs to one model.
  Vector after(OSNSMultipleImpact& problem) {
    InstantImpact(model, problem).compute(0.0);
    return velocities();
  }
};

std::function<std::shared_ptr<NonSmoothLaw>(std::size_t)> same(double e, double K, double eta) {
  const auto law = std::make_shared<MultipleImpactNSL>(e, K, eta);
  return [law](std::size_t) { return law; };
}

// T24 of the reference trajectories: steel balls of radius 1 cm, Hertz contact.
struct SteelChain : Chain {
  static constexpr double radius = 0.01, density = 7780, young = 203e9, poisson = 0.3;
  static double mass() { return 4.0 / 3.0 * pi * radius * radius * radius * density; }
  static double stiffness() { return 2.0 / 3.0 * young / (1 - poisson * poisson) * std::sqrt(radius / 2); }
  explicit SteelChain(std::size_t count = 10, double e = 1.0) : Chain(count, mass(), same(e, stiffness(), 1.5)) {}
};

Vector velocitiesOfT24() {
  return (Vector(10) << -.0711, -.0302, -.0157, -.0088, -.0051, -.0029, -.0017, .0026, .1469, .9860).finished();
}

TEST(MultipleImpact, ChainOfTheReferenceByConstantImpulseSteps) {
  SteelChain chain;
  OSNSMultipleImpact problem("BiStiffness", 1e-6);
  const Vector v = chain.after(problem);
  EXPECT_EQ(problem.impact().steps, 214432);
  // Printed with four digits.
  EXPECT_LE((v - velocitiesOfT24()).cwiseAbs().maxCoeff(), 0.5e-4 + 1e-6);
  EXPECT_NEAR(v.sum(), 1, 1e-10);
  // The scheme itself: energy below zero is cut at the end of each contact.
  EXPECT_NEAR(v.squaredNorm(), 1, 3e-5);
}

TEST(MultipleImpact, AdaptiveStepsKeepMomentumAndEnergy) {
  SteelChain chain;
  OSNSMultipleImpact problem;
  const Vector v = chain.after(problem);
  EXPECT_NEAR(v.sum(), 1, 1e-10);
  EXPECT_NEAR(v.squaredNorm(), 1, 1e-10);
  EXPECT_NEAR(problem.impact().kineticEnergyChange, 0, 1e-10 * chain.mass());
  EXPECT_GE(problem.impact().leastVelocity, 0);
  EXPECT_LT(problem.impact().steps, 3000);
  // The published figures are those of deltaP = 1e-6 and of an absolute zero of 2.2e-16: four digits of them do not hold in the
  // limit.
  EXPECT_LE((v - velocitiesOfT24()).cwiseAbs().maxCoeff(), 6e-4);
  // Only ratios of stiffnesses matter.
  OSNSMultipleImpact another;
  Chain soft(10, 1.0, same(1.0, 1.0, 1.5));
  EXPECT_LE((soft.after(another) - v).cwiseAbs().maxCoeff(), 1e-9);
}

// Constant steps lead to what adaptive ones give, with the order 1 of the published scheme, if zero is small enough.
TEST(MultipleImpact, ConstantStepsConvergeToTheAdaptiveOnes) {
  OSNSMultipleImpact adaptive;
  const Vector limit = SteelChain().after(adaptive);
  double error[2];
  for (int k = 0; k < 2; ++k) {
    OSNSMultipleImpact constant("BiStiffness", k == 0 ? 1e-5 : 1e-6);
    constant.setZeroTolerance(1e-25, true);
    error[k] = (SteelChain().after(constant) - limit).cwiseAbs().maxCoeff();
  }
  EXPECT_LT(error[1], 1e-4);
  EXPECT_GT(error[0] / error[1], 5);
  EXPECT_LT(error[0] / error[1], 20);
  OSNSMultipleImpact coarse;
  coarse.setAccuracy(1e-8);
  EXPECT_LE((SteelChain().after(coarse) - limit).cwiseAbs().maxCoeff(), 1e-6);
}

TEST(MultipleImpact, TwoBallsExchangeTheirVelocities) {
  OSNSMultipleImpact problem;
  const Vector v = Chain(2, 1.0, same(1.0, 1e9, 1.5)).after(problem);
  EXPECT_NEAR(v[0], 0, 1e-10);
  EXPECT_NEAR(v[1], 1, 1e-10);
}

// Three equal balls with linear springs: the indentations (sin t +- sin(sqrt 3 t) / sqrt 3) / 2 until the first contact opens;
// then the second goes on with the frequency sqrt 2.
TEST(MultipleImpact, ThreeBallsWithLinearSprings) {
  const double root = std::sqrt(3.0);
  const auto first = [&](double t) { return 0.5 * (std::sin(t) + std::sin(root * t) / root); };
  double lower = 2.0, upper = 3.2;
  while (upper - lower > 1e-15 * upper) {
    const double middle = 0.5 * (lower + upper);
    if (middle == lower || middle == upper) break;
    (first(middle) > 0 ? lower : upper) = middle;
  }
  const double t = lower;
  const double rate1 = 0.5 * (std::cos(t) + std::cos(root * t)), rate2 = 0.5 * (std::cos(t) - std::cos(root * t));
  const double x = 0.5 * (std::sin(t) - std::sin(root * t) / root);
  // v1 - v2 = rate1, v2 - v3 = rate2, sum 1; then the second contact opens with all its energy.
  const double v3 = (1 - rate1 - 2 * rate2) / 3, v2 = v3 + rate2, v1 = v2 + rate1;
  const double relative = std::sqrt(rate2 * rate2 + 2 * x * x), mean = 0.5 * (v2 + v3);
  OSNSMultipleImpact problem;
  const Vector v = Chain(3, 1.0, same(1.0, 1.0, 1.0)).after(problem);
  EXPECT_NEAR(v[0], v1, 1e-9);
  EXPECT_NEAR(v[1], mean - 0.5 * relative, 1e-9);
  EXPECT_NEAR(v[2], mean + 0.5 * relative, 1e-9);
  EXPECT_NEAR(v[0], -0.1302616950, 1e-9);
}

// The limits of Newton's cradle: a first contact that is far stiffer passes the impulse on, (0, 0, 1); a second one that is far
// stiffer makes one body of the two balls, (-1/3, 2/3, 2/3).
TEST(MultipleImpact, ThreeBallsInTheLimitsOfStiffness) {
  const auto chain = [](double K1, double K2) {
    return Chain(3, 1.0, [=](std::size_t i) { return std::make_shared<MultipleImpactNSL>(1.0, i == 0 ? K1 : K2, 1.5); });
  };
  OSNSMultipleImpact problem;
  const Vector sequence = chain(1e15, 1.0).after(problem);
  EXPECT_LE((sequence - Eigen::Vector3d(0, 0, 1)).cwiseAbs().maxCoeff(), 1e-4);
  OSNSMultipleImpact another;
  const Vector together = chain(1.0, 1e15).after(another);
  EXPECT_LE((together - Eigen::Vector3d(-1, 2, 2) / 3).cwiseAbs().maxCoeff(), 1e-4);
}

// A sphere that hits two which touch: v / 5 back, and 2 sqrt 3 / 5 v along the lines of centres; whatever the exponent.
TEST(MultipleImpact, OneSphereOnTwo) {
  for (const double eta : {1.0, 1.5, 2.0}) {
    NonSmoothDynamicalSystem model(0.0);
    std::vector<std::shared_ptr<LagrangianLinearTIDS>> spheres;
    for (int i = 0; i < 3; ++i) {
      spheres.push_back(std::make_shared<LagrangianLinearTIDS>(
          Vector::Zero(2), i == 0 ? Vector(Eigen::Vector2d(1, 0)) : Vector(Vector::Zero(2)), Matrix::Identity(2, 2)));
      model.insertDynamicalSystem(spheres.back());
    }
    const auto law = std::make_shared<MultipleImpactNSL>(1.0, 1e8, eta);
    for (const int side : {1, 2}) {
      const Eigen::RowVector2d normal(std::cos(pi / 6), (side == 1 ? 1 : -1) * std::sin(pi / 6));
      Matrix C(1, 4);
      C << -normal, normal;
      model.link(std::make_shared<Interaction>(law, std::make_shared<LagrangianLinearTIR>(C)), spheres[0],
                 spheres[static_cast<std::size_t>(side)]);
    }
    OSNSMultipleImpact problem;
    InstantImpact(model, problem).compute(0.0);
    EXPECT_NEAR(spheres[0]->velocity()[0], -0.2, 1e-9);
    EXPECT_NEAR(spheres[0]->velocity()[1], 0, 1e-14);
    EXPECT_NEAR(spheres[1]->velocity().norm(), 2 * std::sqrt(3.0) / 5, 1e-9);
    EXPECT_NEAR(spheres[1]->velocity()[1], -spheres[2]->velocity()[1], 1e-14);
    EXPECT_NEAR(spheres[1]->velocity()[0], spheres[2]->velocity()[0], 1e-14);
  }
}

// One contact: the three laws are one, v+ = -e v-, and the energy of the impact falls to e^2.
TEST(MultipleImpact, LawsAgreeForOneContact) {
  const double e = 0.7;
  std::vector<Vector> results;
  const auto run = [&](OSNSMultipleImpact& problem) {
    Chain chain(2, 2.0, same(e, 1e7, 1.5));
    const double before = chain.model.kineticEnergy();
    results.push_back(chain.after(problem));
    EXPECT_NEAR(problem.impact().kineticEnergyChange, chain.model.kineticEnergy() - before, 1e-14);
    // Relative motion: the reduced mass is 1.
    EXPECT_NEAR(chain.model.kineticEnergy() - before, -0.5 * (1 - e * e), 1e-9);
  };
  for (const char* compliance : {"BiStiffness", "MonoStiffness"}) {
    OSNSMultipleImpact problem(compliance);
    run(problem);
  }
  for (const ImpactLaw law : {ImpactLaw::Newton, ImpactLaw::Poisson}) {
    OSNSMultipleImpact problem;
    problem.setImpactLaw(law);
    run(problem);
  }
  for (const Vector& v : results) {
    EXPECT_NEAR(v[0], 0.5 * (1 - e), 1e-9);
    EXPECT_NEAR(v[1], 0.5 * (1 + e), 1e-9);
  }
}

TEST(MultipleImpact, PlasticContact) {
  for (const char* compliance : {"BiStiffness", "MonoStiffness"}) {
    OSNSMultipleImpact problem(compliance);
    const Vector v = Chain(2, 1.0, same(0.0, 1e7, 1.5)).after(problem);
    EXPECT_NEAR(v[0], 0.5, 1e-11);
    EXPECT_NEAR(v[1], 0.5, 1e-11);
    OSNSMultipleImpact another(compliance);
    const Vector three = Chain(3, 1.0, same(0.0, 1e7, 1.5)).after(another);
    EXPECT_NEAR(three.sum(), 1, 1e-12);
    EXPECT_LT(three.squaredNorm(), 0.5);
  }
}

// Restitution dissipates: more energy is left the greater it is.
TEST(MultipleImpact, EnergyFallsWithRestitution) {
  for (const char* compliance : {"BiStiffness", "MonoStiffness"}) {
    double last = 0;
    for (const double e : {0.2, 0.5, 0.8, 0.95}) {
      OSNSMultipleImpact problem(compliance);
      SteelChain chain(5, e);
      const Vector v = chain.after(problem);
      EXPECT_NEAR(v.sum(), 1, 1e-12);
      EXPECT_GT(v.squaredNorm(), last);
      EXPECT_LT(v.squaredNorm(), 1);
      for (Index i = 1; i < v.size(); ++i) EXPECT_GE(v[i] - v[i - 1], -1e-11);
      last = v.squaredNorm();
    }
  }
}

// Newton and Poisson treat the three balls as one body and its mirror image: (-1/3, 2/3, 2/3).
TEST(MultipleImpact, NewtonAndPoissonForThreeBalls) {
  for (const ImpactLaw law : {ImpactLaw::Newton, ImpactLaw::Poisson}) {
    OSNSMultipleImpact problem;
    problem.setImpactLaw(law);
    Chain chain(3, 1.0, [](std::size_t) { return std::make_shared<NewtonImpactNSL>(1.0); });
    const Vector v = chain.after(problem);
    EXPECT_LE((v - Eigen::Vector3d(-1, 2, 2) / 3).cwiseAbs().maxCoeff(), 1e-12);
    EXPECT_NEAR(problem.impact().kineticEnergyChange, 0, 1e-12);
  }
}

// A contact that was about to open is hit from behind: by Newton's law it closes with e times that velocity.
TEST(MultipleImpact, NewtonsLawTellsWhatItDoes) {
  const auto law = [](std::size_t) { return std::make_shared<NewtonImpactNSL>(0.5); };
  OSNSMultipleImpact problem;
  problem.setImpactLaw(ImpactLaw::Newton);
  Chain newton(3, 1.0, law);
  newton.balls[2]->setVelocity(Vector::Constant(1, 0.1));
  newton.after(problem);
  EXPECT_NEAR(problem.impact().leastVelocity, -0.05, 1e-12);
  problem.setImpactLaw(ImpactLaw::Poisson);
  Chain poisson(3, 1.0, law);
  poisson.balls[2]->setVelocity(Vector::Constant(1, 0.1));
  poisson.after(problem);
  EXPECT_GE(problem.impact().leastVelocity, -1e-12);
  EXPECT_LT(problem.impact().kineticEnergyChange, 0);
}

// The same with an elastic first contact: 2 P1 - P2 = 2 and -P1 + 2 P2 = -0.15; the change of energy is
// P2 (1 - e2) u2- / 2 > 0.
TEST(MultipleImpact, NewtonsLawCanCreateEnergy) {
  OSNSMultipleImpact problem;
  problem.setImpactLaw(ImpactLaw::Newton);
  Chain chain(3, 1.0, [](std::size_t i) { return std::make_shared<NewtonImpactNSL>(i == 0 ? 1.0 : 0.5); });
  chain.balls[2]->setVelocity(Vector::Constant(1, 0.1));
  const double before = chain.model.kineticEnergy();
  chain.after(problem);
  EXPECT_NEAR(problem.impact().kineticEnergyChange, 0.5 * (1.7 / 3) * 0.5 * 0.1, 1e-12);
  EXPECT_NEAR(chain.model.kineticEnergy() - before, problem.impact().kineticEnergyChange, 1e-12);
}

std::shared_ptr<LagrangianDS> rockingBlock(double height, double velocity) {
  auto block = std::make_shared<LagrangianDS>(Eigen::Vector3d(0, height, pi / 3), Eigen::Vector3d(0, velocity, 0),
                                              Matrix(Eigen::Vector3d(1, 1, 1.25 / 12).asDiagonal()));
  return block;
}

std::shared_ptr<LagrangianScleronomousR> corner(double length, double height) {
  const auto h = [=](ConstVectorRef q, VectorRef y, VectorRef) {
    y[0] = q[1] - 0.5 * length * std::sin(q[2]) - 0.5 * height * std::cos(q[2]);
  };
  const auto G = [=](ConstVectorRef q, MatrixRef C, VectorRef) {
    C << 0, 1, -0.5 * length * std::cos(q[2]) + 0.5 * height * std::sin(q[2]);
  };
  const auto Gdot = [=](ConstVectorRef q, ConstVectorRef v, MatrixRef C, VectorRef) {
    C << 0, 0, (0.5 * length * std::sin(q[2]) + 0.5 * height * std::cos(q[2])) * v[2];
  };
  return std::make_shared<LagrangianScleronomousR>(h, G, Gdot);
}

// T21: a block falls on a corner; figures from the formula u+ = -e u-, with the lengths that its constraints have.
TEST(MultipleImpact, RockingBlockOnACorner) {
  const double fall = 0.446410161514, gap = 0.1 * std::sin(pi / 3) + 0.05 * std::cos(pi / 3);
  for (const ImpactLaw law : {ImpactLaw::DarbouxKeller, ImpactLaw::Newton, ImpactLaw::Poisson}) {
    NonSmoothDynamicalSystem model(0.0);
    const auto block = rockingBlock(gap, -std::sqrt(2 * 9.81 * fall));
    model.insertDynamicalSystem(block);
    model.link(std::make_shared<Interaction>(std::make_shared<MultipleImpactNSL>(0.9, 1e10, 1.0), corner(0.2, 0.1)), block);
    model.link(std::make_shared<Interaction>(std::make_shared<MultipleImpactNSL>(0.9, 1e10, 1.0), corner(-0.2, 0.1)), block);
    OSNSMultipleImpact problem;
    problem.setImpactLaw(law);
    InstantImpact impact(model, problem);
    impact.compute(0.3016807);
    EXPECT_EQ(impact.closedContacts().size(), 1U);
    EXPECT_NEAR(block->velocity()[1], 2.6611, 5e-5);
    EXPECT_NEAR(block->velocity()[2], -0.36145, 5e-6);
  }
}

// The first impacts of T22, by the published scheme with the steps of that trajectory.
TEST(MultipleImpact, ImpactsOfTheRockingBlockTrajectory) {
  READ_OR_SKIP(reference, "RockingBlockED_Lsodar_LZBimpact.ref");
  NonSmoothDynamicalSystem model(0.0);
  const auto block = rockingBlock(0, 0);
  model.insertDynamicalSystem(block);
  const auto law = std::make_shared<MultipleImpactNSL>(0.8, 1e10, 1.0);
  model.link(std::make_shared<Interaction>(law, corner(0.2, 0.1)), block);
  model.link(std::make_shared<Interaction>(law, corner(-0.2, 0.1)), block);
  OSNSMultipleImpact published("BiStiffness", 5e-5), adaptive;
  InstantImpact impact(model, published), accurate(model, adaptive);
  int impacts = 0;
  for (Index row = 1; row < reference.rows(); ++row) {
    if (reference(row, 0) != reference(row - 1, 0)) continue;
    ++impacts;
    for (InstantImpact* each : {&impact, &accurate}) {
      block->setq(reference.row(row - 1).segment(1, 3).transpose());
      block->setVelocity(reference.row(row - 1).segment(4, 3).transpose());
      each->compute(reference(row, 0));
      const double error = (block->velocity() - reference.row(row).segment(4, 3).transpose()).cwiseAbs().maxCoeff();
      EXPECT_LE(error, each == &impact ? 1e-10 : 2e-4) << "row " << row << " contacts " << each->closedContacts().size();
    }
  }
  EXPECT_GE(impacts, 5);
}

// T22: the same block in an event-driven simulation.
TEST(MultipleImpact, T22RockingBlock) {
  READ_OR_SKIP(reference, "RockingBlockED_Lsodar_LZBimpact.ref");
  NonSmoothDynamicalSystem model(0.0, 2.0);
  const auto block = rockingBlock(0, 0);
  block->setq(reference.row(0).segment(1, 3).transpose());
  block->setFExt(Eigen::Vector3d(0, -9.81, 0));
  model.insertDynamicalSystem(block);
  const auto law = std::make_shared<MultipleImpactNSL>(0.8, 1e10, 1.0);
  model.link(std::make_shared<Interaction>(law, corner(0.2, 0.1)), block);
  model.link(std::make_shared<Interaction>(law, corner(-0.2, 0.1)), block);
  TimeDiscretisation instants(0.0, 0.01);
  LsodarOSI integrator;
  OSNSMultipleImpact impact("BiStiffness", 5e-5);
  LCP acceleration;
  EventDriven simulation(model, instants, integrator, impact, acceleration);
  Matrix rows = Matrix::Zero(reference.rows(), 7);
  rows.row(0) << 0, block->q().transpose(), block->velocity().transpose();
  long k = 1;
  simulation.setTrajectoryCallback([&](const EventDriven& s, bool) {
    if (s.startingTime() == 0) return;
    if (k < rows.rows()) rows.row(k) << s.startingTime(), block->q().transpose(), block->velocity().transpose();
    ++k;
  });
  simulation.run();
  // Then the file has zeros, as it has for gaps, their rates and forces.
  EXPECT_EQ(k, 215);
  EXPECT_EQ(reference.rightCols(6).cwiseAbs().maxCoeff(), 0);
  EXPECT_EQ(reference(215, 0), 0);
  EXPECT_LE(kernel_tests::difference(rows, reference, 0, 215, 7), 1e-9);
}

// The mass depends on the position: an arm turned by 60 degrees, with a mass at its end that hits a wall.
TEST(MultipleImpact, MassOfThePosition) {
  NonSmoothDynamicalSystem model(0.0);
  const auto mass = [](ConstVectorRef q, MatrixRef M, VectorRef) {
    M << 2 + std::cos(q[1]), 0.5 + std::cos(q[1]), 0.5 + std::cos(q[1]), 1;
  };
  auto arm = std::make_shared<LagrangianDS>(Eigen::Vector2d(0.2, pi / 3), Eigen::Vector2d(-1, 0.5), Matrix::Identity(2, 2));
  arm->setComputeMassFunction(mass);
  model.insertDynamicalSystem(arm);
  const auto law = std::make_shared<MultipleImpactNSL>(0.6, 1e6, 1.5);
  model.link(std::make_shared<Interaction>(
                 law, std::make_shared<LagrangianLinearTIR>(Eigen::RowVector2d(1, 0.3), Vector::Constant(1, -0.6))),
             arm);
  OSNSMultipleImpact problem;
  const double before = model.kineticEnergy();
  InstantImpact(model, problem).compute(0.0);
  Matrix M(2, 2);
  M << 2.5, 1, 1, 1;
  const Eigen::Vector2d C(1, 0.3), old(-1, 0.5), response = M.inverse() * C;
  const Vector expected = old - response * ((1 + 0.6) * C.dot(old) / C.dot(response));
  EXPECT_LE((arm->velocity() - expected).cwiseAbs().maxCoeff(), 1e-9);
  EXPECT_NEAR(model.kineticEnergy() - before, problem.impact().kineticEnergyChange, 1e-12);
}

// In time stepping: a chain at rest on a floor stays, and a ball that falls on it sends its impulse through.
TEST(MultipleImpact, InTimeStepping) {
  NonSmoothDynamicalSystem model(0.0, 1.2);
  const auto law = std::make_shared<MultipleImpactNSL>(1.0, 1e9, 1.5);
  const auto floor = std::make_shared<LagrangianLinearTIR>(Matrix::Identity(1, 1));
  const auto pair = std::make_shared<LagrangianLinearTIR>(Eigen::RowVector2d(-1, 1));
  std::vector<std::shared_ptr<LagrangianLinearTIDS>> balls;
  for (std::size_t i = 0; i < 3; ++i) {
    balls.push_back(std::make_shared<LagrangianLinearTIDS>(Vector::Zero(1), Vector::Zero(1), Matrix::Identity(1, 1)));
    balls.back()->setFExt(Vector::Constant(1, -10.0));
    model.insertDynamicalSystem(balls.back());
    if (i == 0)
      model.link(std::make_shared<Interaction>(law, floor), balls[0]);
    else
      model.link(std::make_shared<Interaction>(law, pair), balls[i - 1], balls[i]);
  }
  TimeDiscretisation instants(0.0, 1e-3);
  MoreauJeanOSI integrator(0.5);
  integrator.setConstraintActivationThreshold(1e-9);
  OSNSMultipleImpact problem;
  TimeStepping simulation(model, instants, integrator, problem);
  for (int k = 0; k < 100; ++k) {
    EXPECT_TRUE(simulation.computeOneStep().solve.certified);
    simulation.nextStep();
    for (const auto& ball : balls) EXPECT_NEAR(ball->velocity()[0], 0, 1e-12);
  }
  balls[2]->setq(Vector::Constant(1, 1.0));
  double highest = 0;
  while (simulation.hasNextEvent()) {
    simulation.computeOneStep();
    simulation.nextStep();
    highest = std::max(highest, balls[2]->velocity()[0]);
  }
  // It fell one metre, 0.447 s; elastic impacts keep its energy, most of it in the ball on top.
  EXPECT_NEAR(
      0.5 * (balls[0]->velocity().squaredNorm() + balls[1]->velocity().squaredNorm() + balls[2]->velocity().squaredNorm()) +
          10 * (balls[0]->q()[0] + balls[1]->q()[0] + balls[2]->q()[0]),
      10, 0.2);
  EXPECT_GT(highest, 2);
}

// Bodies in a ring: the velocities of its contacts add up to zero, so none can open. All bodies go on together, whatever rounding
// makes of that sum.
TEST(MultipleImpact, RingOfBodies) {
  for (const std::size_t count : {3U, 4U, 5U})
    for (const double e : {0.1, 0.27, 0.4, 0.55, 0.7, 0.82}) {
      Chain ring(count, 1.0, same(e, 1.0, 1.5));
      ring.model.link(
          std::make_shared<Interaction>(same(e, 1.0, 1.5)(0), std::make_shared<LagrangianLinearTIR>(Eigen::RowVector2d(1, -1))),
          ring.balls.front(), ring.balls.back());
      OSNSMultipleImpact problem;
      const Vector v = ring.after(problem);
      EXPECT_LE((v.array() - 1.0 / static_cast<double>(count)).abs().maxCoeff(), 1e-10) << count << " bodies, e = " << e;
    }
}

// The same along a line in the plane, while all bodies move with a thousand times the velocity of the impact.
TEST(MultipleImpact, RingOfFastBodies) {
  const Eigen::Vector2d normal(std::cos(0.7), std::sin(0.7)), common(700, -200);
  for (int count = 3; count <= 5; ++count)
    for (const double e : {0.0, 0.2, 0.35, 0.5, 0.65, 0.8}) {
      NonSmoothDynamicalSystem model(0.0);
      std::vector<std::shared_ptr<LagrangianLinearTIDS>> bodies;
      for (int i = 0; i < count; ++i) {
        const Vector velocity = common + (i == 0 ? 0.9 : 0.1 * i) * normal;
        bodies.push_back(std::make_shared<LagrangianLinearTIDS>(Vector::Zero(2), velocity, Matrix::Identity(2, 2)));
        model.insertDynamicalSystem(bodies.back());
      }
      Vector mean = Vector::Zero(2);
      for (const auto& body : bodies) mean += body->velocity() / count;
      Matrix forwards(1, 4);
      forwards << -normal.transpose(), normal.transpose();
      const auto law = std::make_shared<MultipleImpactNSL>(e, 1.0, 1.5);
      const auto link = [&](const Matrix& C, std::size_t first, std::size_t second) {
        model.link(std::make_shared<Interaction>(law, std::make_shared<LagrangianLinearTIR>(C)), bodies[first], bodies[second]);
      };
      for (std::size_t i = 1; i < bodies.size(); ++i) link(forwards, i - 1, i);
      link(-forwards, 0, bodies.size() - 1);
      OSNSMultipleImpact problem;
      InstantImpact(model, problem).compute(0.0);
      for (const auto& body : bodies) EXPECT_LE((body->velocity() - mean).norm(), 1e-9) << count << " bodies, e = " << e;
    }
}

// The scale of an impact is that of its fastest approach: what separates elsewhere, however fast, plays no part.
TEST(MultipleImpact, FastSeparationElsewhere) {
  for (const double deltaP : {0.0, 1e-5}) {
    Chain chain(2, 1.0, same(1.0, 1.0, 1.5));
    const auto fast = std::make_shared<LagrangianLinearTIDS>(Vector::Zero(1), Vector::Constant(1, 1e12), Matrix::Identity(1, 1));
    chain.model.insertDynamicalSystem(fast);
    chain.model.link(
        std::make_shared<Interaction>(same(1.0, 1.0, 1.5)(0), std::make_shared<LagrangianLinearTIR>(Matrix::Identity(1, 1))),
        fast);
    OSNSMultipleImpact adaptive, constant("BiStiffness", 1e-5);
    constant.setZeroTolerance(1e-14, true);
    const Vector v = chain.after(deltaP > 0 ? constant : adaptive);
    EXPECT_NEAR(v[0], 0, deltaP > 0 ? 1e-4 : 1e-10);
    EXPECT_NEAR(v[1], 1, deltaP > 0 ? 1e-4 : 1e-10);
  }
}

// Constant steps that go past the end of a contact give back more than its restitution allows, though no more than there was.
TEST(MultipleImpact, ConstantStepsTooGreatForTheRestitution) {
  for (const char* compliance : {"BiStiffness", "MonoStiffness"})
    for (const double e : {0.0, 0.5})
      for (const double deltaP : {0.3, 0.5, 1.0}) {  // the impulse of compression is 0.5
        OSNSMultipleImpact problem(compliance, deltaP);
        const std::string message = messageOf([&] { Chain(2, 1.0, same(e, 1.0, 1.5)).after(problem); });
        EXPECT_NE(message.find("created energy"), std::string::npos) << compliance << " e = " << e << " deltaP = " << deltaP;
      }
  OSNSMultipleImpact fine("BiStiffness", 1e-4);
  EXPECT_NEAR(Chain(2, 1.0, same(0.5, 1.0, 1.5)).after(fine)[1], 0.75, 1e-3);
}

TEST(MultipleImpact, SaysWhatIsWrong) {
  expectRefusal("accuracy = 0.01", [] { OSNSMultipleImpact().setAccuracy(0.01); });
  expectRefusal("nan", [] {
    NonSmoothDynamicalSystem model(0.0);
    OSNSMultipleImpact problem;
    InstantImpact(model, problem).setClosedGap(std::nan(""));
  });
  expectRefusal("\"Stiff\"", [] { OSNSMultipleImpact("Stiff"); });
  expectRefusal("deltaP", [] { OSNSMultipleImpact("BiStiffness", 0.0); });
  OSNSMultipleImpact few;
  few.setMaxSteps(20);
  SteelChain chain;
  expectRefusal("limit of steps after 20 steps", [&] { chain.after(few); });
  EXPECT_EQ(chain.velocities()[0], 1.0);
  expectRefusal("created energy", [] {
    OSNSMultipleImpact crude("BiStiffness", 0.05);
    SteelChain().after(crude);
  });
  Chain newton(2, 1.0, [](std::size_t) { return std::make_shared<NewtonImpactNSL>(1.0); });
  OSNSMultipleImpact problem;
  expectRefusal("NewtonImpactNSL", [&] { newton.after(problem); });
}

}  // namespace impact_test
