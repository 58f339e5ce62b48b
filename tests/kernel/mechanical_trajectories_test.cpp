// Reference trajectories of mechanical systems: T1, T15, T18, T25, T26.
#include <memory>

#include "bead_column.hpp"
#include "trajectory.hpp"

namespace mechanical_trajectories_test {

using namespace nonsmooth::kernel;
using kernel_tests::BeadColumn;
using kernel_tests::difference;

std::shared_ptr<LagrangianLinearTIDS> ball() {
  const double radius = 0.1;
  auto ds = std::make_shared<LagrangianLinearTIDS>(Vector::Unit(3, 0), Vector::Zero(3),
                                                   Diagonal(Eigen::Vector3d(1, 1, 0.4 * radius * radius)));
  ds->setFExt(Eigen::Vector3d(-9.81, 0, 0));
  return ds;
}

Matrix runBall(OneStepIntegrator& integrator, OneStepNSProblem& problem, const std::shared_ptr<NonSmoothLaw>& law,
               const Matrix& H, int level) {
  NonSmoothDynamicalSystem model(0.0, 10.0);
  auto ds = ball();
  model.insertDynamicalSystem(ds);
  auto contact = std::make_shared<Interaction>(law, std::make_shared<LagrangianLinearTIR>(H));
  model.link(contact, ds);
  TimeDiscretisation instants(0.0, 0.005);
  TimeStepping simulation(model, instants, integrator, problem);
  Matrix rows(2001, 5);
  rows.row(0) << 0.0, ds->q()[0], ds->velocity()[0], 0.0, 0.0;
  long k = 1;
  while (simulation.hasNextEvent()) {
    const StepStatus status = simulation.computeOneStep();
    EXPECT_TRUE(status.solve.certified);
    rows.row(k++) << simulation.nextTime(), ds->q()[0], ds->velocity()[0], ds->p(level)[0], contact->lambda(level)[0];
    simulation.nextStep();
  }
  EXPECT_EQ(k, 2001);
  return rows;
}

TEST(Trajectories, T1BouncingBall) {
  READ_OR_SKIP(reference, "BouncingBallTS.ref");
  MoreauJeanOSI integrator(0.5);
  LCP problem;
  problem.setTolerance(1e-15);
  const Matrix rows =
      runBall(integrator, problem, std::make_shared<NewtonImpactNSL>(0.9), Matrix(Vector::Unit(3, 0).transpose()), 1);
  EXPECT_LE(difference(rows, reference, 0, 2001, 5), 1e-11);
}

TEST(Trajectories, T18BouncingBallGlobalFriction) {
  READ_OR_SKIP(reference, "BouncingBallTS-MoreauJeanGOSI.ref");
  MoreauJeanOSI integrator(0.5);
  GlobalFrictionContact problem(3);
  problem.setTolerance(1e-14);
  const Matrix rows =
      runBall(integrator, problem, std::make_shared<NewtonImpactFrictionNSL>(0.9, 0.9, 0.6, 3), Matrix::Identity(3, 3), 1);
  EXPECT_LE(difference(rows, reference, 0, 2001, 5), 1e-11);
}

TEST(Trajectories, T15BouncingBallSchatzmanPaoli) {
  READ_OR_SKIP(reference, "BouncingBallTS-SchatzmanPaoliOSI.ref");
  SchatzmanPaoliOSI integrator(0.5);
  LCP problem;
  problem.setTolerance(1e-15);
  // 2 q - q(before) multiplies errors: no multiplier of the step before is accepted, however close.
  problem.setKeepLambdaAndYState(false);
  const Matrix rows =
      runBall(integrator, problem, std::make_shared<NewtonImpactNSL>(0.9), Matrix(Vector::Unit(3, 0).transpose()), 0);
  // Velocities are differences of positions over 2 h: what rounding does to positions counts 100 times there.
  for (const Index column : {0, 1, 3, 4}) {
    EXPECT_LE((rows.col(column) - reference.col(column)).head(1315).cwiseAbs().maxCoeff(), 1e-11) << column;
    EXPECT_LE((rows.col(column) - reference.col(column)).cwiseAbs().maxCoeff(), 1e-4) << column;
  }
  EXPECT_LE((rows.col(2) - reference.col(2)).head(1315).cwiseAbs().maxCoeff(), 1e-10);
  EXPECT_LE((rows.col(2) - reference.col(2)).cwiseAbs().maxCoeff(), 1e-3);
}

struct Woodpecker {
  double mM = 3e-4, mS = 4.5e-3, JM = 5e-9, JS = 7e-7, lM = .01, lG = .015, cphi = .0056, hM = .0058, hS = .02, lS = .0201,
         rM = .0031, r0 = .0025, g = 9.81;
};

// An integrator may serve one run after the other: each begins with a first step, and may have steps of another length.
TEST(SchatzmanPaoli, SecondRunIsThatOfANewIntegrator) {
  const auto run = [](SchatzmanPaoliOSI& integrator, double h) {
    NonSmoothDynamicalSystem model(0.0, 0.5);
    static const auto particle =
        std::make_shared<LagrangianLinearTIDS>(Vector::Constant(1, 1.0), Vector::Constant(1, 2.0), Matrix::Identity(1, 1));
    particle->resetToInitialState();
    model.insertDynamicalSystem(particle);
    TimeDiscretisation instants(0.0, h);
    LCP problem;
    TimeStepping(model, instants, integrator, problem).run();
    return particle->q()[0];
  };
  SchatzmanPaoliOSI used(0.5);
  for (const double h : {0.01, 0.01, 0.05}) {
    SchatzmanPaoliOSI fresh(0.5);
    const double expected = run(fresh, h);
    EXPECT_EQ(run(used, h), expected);
    EXPECT_NEAR(expected, 2.0 + 2.0 * h, 1e-12);
  }
}

// A free particle of unit mass, or one above a floor.
struct SteppedByPositions {
  NonSmoothDynamicalSystem model{0.0, 1.0};
  std::shared_ptr<LagrangianLinearTIDS> ds;
  TimeDiscretisation instants;
  SchatzmanPaoliOSI integrator{0.5};
  LCP problem;
  std::unique_ptr<TimeStepping> simulation;
  explicit SteppedByPositions(TimeDiscretisation when, double height = 1.0, double e = -1) : instants(std::move(when)) {
    ds = std::make_shared<LagrangianLinearTIDS>(Vector::Constant(1, height), Vector::Zero(1), Matrix::Identity(1, 1));
    model.insertDynamicalSystem(ds);
    if (e >= 0)
      model.link(std::make_shared<Interaction>(std::make_shared<NewtonImpactNSL>(e),
                                               std::make_shared<LagrangianLinearTIR>(Matrix::Identity(1, 1))),
                 ds);
    problem.setTolerance(1e-15);
    simulation = std::make_unique<TimeStepping>(model, instants, integrator, problem);
  }
  void steps(int count) {
    for (int k = 0; k < count; ++k) simulation->computeOneStep();
  }
};

// Positions are what the scheme goes on from: a velocity or a position set in flight counts all the same.
TEST(SchatzmanPaoli, StatesSetInFlight) {
  SteppedByPositions free(TimeDiscretisation(0.0, 0.01));
  free.steps(10);
  free.ds->setVelocity(Vector::Constant(1, 2.0));
  free.steps(10);
  EXPECT_NEAR(free.ds->q()[0], 1 + 2 * 0.1, 1e-12);
  EXPECT_NEAR(free.ds->velocity()[0], 2, 1e-12);
  free.ds->setq(Vector::Constant(1, 5.0));
  free.steps(10);
  EXPECT_NEAR(free.ds->q()[0], 5 + 2 * 0.1, 1e-12);
}

// The law sees the positions that the new velocity comes from: y+ + e y- = 0 where it strikes the floor.
TEST(SchatzmanPaoli, AVelocitySetInFlightStrikesTheFloor) {
  SteppedByPositions ball(TimeDiscretisation(0.0, 0.01), 0.1, 1.0);
  ball.steps(2);
  ball.ds->setVelocity(Vector::Constant(1, -22.0));
  ball.steps(1);
  // From 0.1, where it came from 0.32, it falls to -0.12: the law asks for y+ >= -0.32.
  EXPECT_NEAR(ball.ds->q()[0], -0.12, 1e-12);
  ball.steps(10);
  EXPECT_NEAR(ball.ds->velocity()[0], 22, 1e-9);
}

// y- is that of the positions before, at a first step too: a ball thrown at the floor it lies on left with 1 + e times its speed.
// (With y- = 0 the scheme gives it back all of it, whatever e is.)
TEST(SchatzmanPaoli, ThrownFromTheFloor) {
  for (const double e : {0.5, 1.0}) {
    SteppedByPositions ball(TimeDiscretisation(0.0, 0.01), 0.0, e);
    ball.ds->setVelocity(Vector::Constant(1, -1.0));
    ball.steps(10);
    EXPECT_NEAR(ball.ds->velocity()[0], 1, 1e-12);
  }
}

// An interaction that is linked while the ball falls acts as one that has been there from the start.
TEST(SchatzmanPaoli, LinkedInFlight) {
  for (int count = 1; count < 9; ++count) {
    SteppedByPositions ball(TimeDiscretisation(0.0, 0.01), 0.095, 0.5), late(TimeDiscretisation(0.0, 0.01), 0.095);
    for (SteppedByPositions* each : {&ball, &late}) {
      each->ds->setVelocity(Vector::Constant(1, -1.0));
      each->steps(count);
      each->simulation->nextStep();
    }
    late.model.link(std::make_shared<Interaction>(std::make_shared<NewtonImpactNSL>(0.5),
                                                  std::make_shared<LagrangianLinearTIR>(Matrix::Identity(1, 1))),
                    late.ds);
    ball.steps(12);
    late.steps(12);
    EXPECT_EQ(ball.ds->q()[0], late.ds->q()[0]) << count;
  }
}

// Equally spaced up to rounding: 0.3 - 0.2 is not 0.1.
TEST(SchatzmanPaoli, StepsOfOneLengthUpToRounding) {
  SteppedByPositions given(TimeDiscretisation(std::vector<double>{0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0}));
  given.ds->setVelocity(Vector::Constant(1, 2.0));
  given.simulation->run();
  EXPECT_NEAR(given.ds->q()[0], 3.2, 1e-12);
  SteppedByPositions uneven(TimeDiscretisation(std::vector<double>{0.0, 0.1, 0.2, 0.3 + 1e-9, 1.0}));
  EXPECT_THROW(uneven.simulation->run(), Error);
}

TEST(Trajectories, T25Woodpecker) {
  READ_OR_SKIP(reference, "Woodpecker.ref.gz");
  const Woodpecker w;
  Matrix M(3, 3), K(3, 3);
  M << w.mS + w.mM, w.mS * w.lM, w.mS * w.lG, w.mS * w.lM, w.JM + w.mS * w.lM * w.lM, w.mS * w.lM * w.lG, w.mS * w.lG,
      w.mS * w.lM * w.lG, w.JS + w.mS * w.lG * w.lG;
  K << 0, 0, 0, 0, 1, -1, 0, -1, 1;
  auto bird = std::make_shared<LagrangianLinearTIDS>(
      Eigen::Vector3d(0, -.1036, -.2788), Eigen::Vector3d(-.3411, 4.8572e-15, -7.4583), M, Matrix(w.cphi * K), LinearOperator());
  bird->setFExt(Eigen::Vector3d(-w.g * (w.mS + w.mM), -w.g * w.mS * w.lM, -w.g * w.mS * w.lG));
  NonSmoothDynamicalSystem model(0.0, 0.3);
  model.insertDynamicalSystem(bird);
  const auto link = [&](double e, const Eigen::Vector3d& normal, const Eigen::Vector3d& tangent, double gap) {
    Matrix H(2, 3);
    H << normal.transpose(), tangent.transpose();
    model.link(std::make_shared<Interaction>(std::make_shared<NewtonImpactFrictionNSL>(e, 0, .3, 2),
                                             std::make_shared<LagrangianLinearTIR>(H, Eigen::Vector2d(gap, 0))),
               bird);
  };
  link(.5, {0, 0, -w.hS}, {1, w.lM, w.lG - w.lS}, w.lM + w.lG - w.lS - w.r0);
  link(0, {0, w.hM, 0}, {1, w.rM, 0}, w.rM - w.r0);
  link(0, {0, -w.hM, 0}, {1, w.rM, 0}, w.rM - w.r0);
  TimeDiscretisation instants(0.0, 2e-5);
  MoreauJeanOSI integrator(0.5);
  FrictionContact problem(2);
  problem.setTolerance(1e-15);
  TimeStepping simulation(model, instants, integrator, problem);
  Matrix rows(15000, 7);
  const auto record = [&](long k, double t) {
    rows.row(k) << t, bird->q()[0], bird->velocity()[0], bird->q()[1], bird->velocity()[1], bird->q()[2], bird->velocity()[2];
  };
  record(0, 0.0);
  for (long k = 1; k < 15000; ++k) {
    ASSERT_TRUE(simulation.computeOneStep().solve.certified) << k;
    record(k, simulation.nextTime());
    simulation.nextStep();
  }
  EXPECT_LE(difference(rows, reference, 0, 15000, 7), 1e-11);
}

// Interactions are made when a gap falls below 0.02 and stay.
TEST(Trajectories, T26ColumnOfBeads) {
  READ_OR_SKIP(reference, "ColumnOfBeadsTS.ref.gz");
  constexpr std::size_t beads = BeadColumn::beads;
  BeadColumn column(.9, 2.0);
  struct Detection : InteractionManager {
    std::function<void()> detect;
    void updateInteractions(Simulation&) override { detect(); }
  } detection;
  std::vector<bool> linked(beads, false);
  detection.detect = [&] {
    for (std::size_t i = 0; i < beads; ++i) {
      if (linked[i] || column.gap(i) >= .02) continue;
      linked[i] = true;
      column.link(i);
    }
  };
  TimeDiscretisation instants(0.0, 5e-4);
  MoreauJeanOSI integrator(0.5);
  LCP problem;
  problem.setTolerance(1e-15);
  TimeStepping simulation(column.model, instants, integrator, problem);
  simulation.insertInteractionManager(detection);
  Matrix rows = Matrix::Zero(4001, 41);
  const auto record = [&](long k, double t) {
    rows(k, 0) = t;
    for (std::size_t i = 0; i < beads; ++i) {
      rows(k, 2 * static_cast<Eigen::Index>(i) + 1) = column.bead[i]->q()[0];
      rows(k, 2 * static_cast<Eigen::Index>(i) + 2) = column.bead[i]->velocity()[0];
    }
  };
  record(0, 0.0);
  for (long k = 1; k <= 4000; ++k) {
    ASSERT_TRUE(simulation.computeOneStep().solve.certified) << k;
    record(k, simulation.nextTime());
    simulation.nextStep();
  }
  EXPECT_LE(difference(rows, reference, 0, 4001, 21), 1e-11);
}

}  // namespace mechanical_trajectories_test
