// The combined projection: no violation is left at the end of any step.
#include <cmath>
#include <memory>

#include "bead_column.hpp"
#include "trajectory.hpp"

namespace combined_projection_test {

using namespace nonsmooth::kernel;

using kernel_tests::BeadColumn;

constexpr double gravity = 9.81, tolerance = 1e-8;

TEST(CombinedProjection, BeadsAreNeverViolated) {
  const double h = 5e-4;
  BeadColumn column(0.9, 4.0);
  column.linkAll();
  TimeDiscretisation instants(0.0, h);
  MoreauJeanCombinedProjectionOSI integrator(0.5);
  LCP problem;
  TimeSteppingCombinedProjection simulation(column.model, instants, integrator, problem);
  const double start = column.energy();
  double worst = 0, before = start, gained = 0;
  int repeated = 0, projected = 0;
  simulation.run([&](const Simulation&, const StepStatus& status) {
    ASSERT_TRUE(status.solve.certified);
    worst = std::max(worst, status.violation);
    gained = std::max(gained, column.energy() - before);
    before = column.energy();
    if (simulation.rounds() > 1) ++repeated;
    if (simulation.projectionIterations() > 0) ++projected;
  });
  EXPECT_LE(worst, tolerance);
  EXPECT_GT(repeated + projected, 0);
  EXPECT_LE(before, start);
  // What a step gains is potential: the weight of the column over the way of one step at the speed of the fall.
  EXPECT_LE(gained, 10 * gravity * h * std::sqrt(2 * gravity * 3.25));
  testing::Test::RecordProperty("repeated", repeated);
  testing::Test::RecordProperty("projected", projected);
}

// Without it the same column is violated by the way of a step, by the direct projection where contacts were not active.
TEST(CombinedProjection, OthersLeaveViolations) {
  BeadColumn plain(0.9, 4.0);
  plain.linkAll();
  TimeDiscretisation instants(0.0, 5e-4);
  MoreauJeanOSI integrator(0.5);
  LCP problem;
  TimeStepping simulation(plain.model, instants, integrator, problem);
  double worst = 0;
  simulation.run([&](const Simulation&, const StepStatus& status) { worst = std::max(worst, status.violation); });
  EXPECT_GT(worst, 1e-5);
}

// A rod hung by a ball joint that swings against a wall: joint and contact hold at the end of every step.
TEST(CombinedProjection, PendulumAgainstAWall) {
  const double h = 2e-3, half = 0.5;
  Vector q(7);
  q << half, 0, 0, 1, 0, 0, 0;
  auto rod = std::make_shared<NewtonEulerDS>(q, Vector::Zero(6), 1.0, Matrix3(Eigen::Vector3d(0.01, 0.1, 0.1).asDiagonal()));
  rod->setFExt(Eigen::Vector3d(0, 0, -gravity));
  NonSmoothDynamicalSystem model(0.0, 2.0);
  model.insertDynamicalSystem(rod);
  auto joint = std::make_shared<Interaction>(std::make_shared<EqualityConditionNSL>(3),
                                             std::make_shared<KneeJointR>(Vector3(-half, 0, 0), q));
  // The free end stays at x >= 0.2.
  auto wall = std::make_shared<Interaction>(
      std::make_shared<NewtonImpactNSL>(0.5),
      std::make_shared<NewtonEuler1DR>([=](double, const double* pose, const double*, Contact& contact) {
        const Vector3 end = Vector3(pose[0], pose[1], pose[2]) + rotationMatrix(pose + 3) * Vector3(half, 0, 0);
        contact.normal = Vector3::UnitX();
        contact.gap = end.x() - 0.2;
        contact.point1 = end;
        contact.point2 = Vector3(0.2, end.y(), end.z());
      }));
  model.link(joint, rod);
  model.link(wall, rod);
  TimeDiscretisation instants(0.0, h);
  MoreauJeanCombinedProjectionOSI integrator(0.5);
  GenericMechanical problem;
  problem.setTolerance(1e-12);
  TimeSteppingCombinedProjection simulation(model, instants, integrator, problem);
  const auto energy = [&] { return rod->kineticEnergy() + gravity * rod->q()[2]; };
  const double start = energy();
  int impacts = 0;
  double highest = start;
  simulation.run([&](const Simulation&, const StepStatus&) {
    ASSERT_LE(joint->y(0).cwiseAbs().maxCoeff(), tolerance);
    ASSERT_GE(wall->y(0)[0], -tolerance);
    highest = std::max(highest, energy());
    if (wall->lambda(1)[0] > 0) ++impacts;
  });
  EXPECT_GE(impacts, 2);
  EXPECT_LE(highest - start, 1e-2);
  EXPECT_LT(energy(), start - 1.0);
}

// A turning body rises at the start of a step and is below the floor at its end: the contact joins, and stays although an
// integrator that is asked again in every iteration would let it go. Without that the rounds never end.
TEST(CombinedProjection, ContactsThatJoinStay) {
  NonSmoothDynamicalSystem model(0.0, 0.3);
  Vector pose = Vector::Zero(7), twist = Vector::Zero(6);
  pose[2] = 0.15;
  pose[3] = 1;
  twist << 0, 0, 0.1, 1, 2, 3;
  auto body = std::make_shared<NewtonEulerDS>(pose, twist, 1.0, Matrix3(Vector3(1, 2, 3).asDiagonal()));
  body->setFExt(Vector3(0, 0, -100));
  model.insertDynamicalSystem(body);
  auto floor =
      std::make_shared<Interaction>(std::make_shared<NewtonImpactNSL>(0.0),
                                    std::make_shared<NewtonEuler1DR>([](double, const double* q, const double*, Contact& c) {
                                      c.normal = Vector3::UnitZ();
                                      c.gap = q[2] - 0.1;
                                      c.point1 = c.point2 = Vector3(q[0], q[1], 0);
                                    }));
  model.link(floor, body);
  TimeDiscretisation instants(0.0, 0.1);
  MoreauJeanCombinedProjectionOSI integrator(0.5);
  LCP problem;
  TimeSteppingCombinedProjection simulation(model, instants, integrator, problem);
  simulation.setNewtonOptions(TimeStepping::Newton::NonLinearFull);
  simulation.setNewtonTolerance(1e-10);
  int most = 0;
  simulation.run([&](const Simulation&, const StepStatus& status) {
    EXPECT_LE(status.violation, 1e-8);
    most = std::max(most, simulation.rounds());
  });
  EXPECT_EQ(most, 2);
}

// A particle at (1/2, 0.135) with v = (0.2, -2) falls through a bowl, 2 y = x^2, and is pushed by the projection through a wall
// at x = 0.46, which joins then. One iteration goes by the normal of the bowl at the start of the step, (-1/2, 1), in the second
// round too: v_x = -0.2 by the wall, which is elastic, v_y = v_x / 2 by the bowl, which is not.
TEST(CombinedProjection, EachRoundBeginsAtTheStartOfTheStep) {
  auto particle =
      std::make_shared<LagrangianLinearTIDS>(Eigen::Vector2d(0.5, 0.135), Eigen::Vector2d(0.2, -2), Matrix::Identity(2, 2));
  NonSmoothDynamicalSystem model(0.0, 0.1);
  model.insertDynamicalSystem(particle);
  auto bowl = std::make_shared<Interaction>(
      std::make_shared<NewtonImpactNSL>(0.0),
      std::make_shared<LagrangianScleronomousR>([](ConstVectorRef q, VectorRef y, VectorRef) { y[0] = q[1] - 0.5 * q[0] * q[0]; },
                                                [](ConstVectorRef q, MatrixRef G, VectorRef) { G << -q[0], 1; }));
  auto wall = std::make_shared<Interaction>(
      std::make_shared<NewtonImpactNSL>(1.0),
      std::make_shared<LagrangianLinearTIR>(Matrix(Eigen::RowVector2d(1, 0)), Vector::Constant(1, -0.46)));
  model.link(bowl, particle);
  model.link(wall, particle);
  TimeDiscretisation instants(0.0, 0.1);
  MoreauJeanCombinedProjectionOSI integrator(0.5);
  LCP problem;
  TimeSteppingCombinedProjection simulation(model, instants, integrator, problem);
  simulation.setNewtonOptions(TimeStepping::Newton::Linear);
  const StepStatus status = simulation.computeOneStep();
  EXPECT_EQ(simulation.rounds(), 2);
  EXPECT_EQ(status.activeContacts, 2);
  EXPECT_LE(status.violation, tolerance);
  EXPECT_NEAR(particle->velocity()[0], -0.2, 1e-12);
  EXPECT_NEAR(particle->velocity()[1], -0.1, 1e-12);
  EXPECT_NEAR(bowl->lambda(1)[0], 1.9, 1e-12);
  EXPECT_NEAR(wall->lambda(1)[0], 0.55, 1e-12);
}

TEST(CombinedProjection, TakesItsOwnIntegrator) {
  BeadColumn column(0.5, 4.0);
  column.linkAll();
  TimeDiscretisation instants(0.0, 1e-3);
  MoreauJeanCombinedProjectionOSI combined(0.5);
  MoreauJeanDirectProjectionOSI direct(0.5);
  LCP problem;
  EXPECT_THROW(TimeStepping(column.model, instants, combined, problem), Error);
  EXPECT_THROW(TimeSteppingCombinedProjection(column.model, instants, direct, problem), Error);
}

}  // namespace combined_projection_test
