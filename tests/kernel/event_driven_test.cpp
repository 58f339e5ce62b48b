// Event-driven simulations: instants of events against formulas, reference trajectories T2 and T20, what happens at events.
#include <cmath>
#include <memory>

#include "trajectory.hpp"

namespace {

using namespace nonsmooth::kernel;
using kernel_tests::difference;

constexpr double gravity = 9.81;

struct Ball {
  NonSmoothDynamicalSystem model;
  std::shared_ptr<LagrangianLinearTIDS> ds;
  std::shared_ptr<Interaction> contact;
  TimeDiscretisation instants;
  LsodarOSI integrator;
  LCP impact, acceleration;
  EventDriven simulation;
  Ball(double T, double h, double e = 0.9, double height = 1.0, double velocity = 0.0)
      : model(0.0, T), instants(0.0, h), simulation(model, instants, integrator, impact, acceleration) {
    const double radius = 0.1;
    ds = std::make_shared<LagrangianLinearTIDS>(Eigen::Vector3d(height, 0, 0), Eigen::Vector3d(velocity, 0, 0),
                                                Diagonal(Eigen::Vector3d(1, 1, 0.6 * radius * radius)));
    ds->setFExt(Eigen::Vector3d(-gravity, 0, 0));
    model.insertDynamicalSystem(ds);
    contact = std::make_shared<Interaction>(std::make_shared<NewtonImpactNSL>(e),
                                            std::make_shared<LagrangianLinearTIR>(Matrix(Vector::Unit(3, 0).transpose())));
    model.link(contact, ds);
  }
};

TEST(EventDriven, T2BouncingBall) {
  READ_OR_SKIP(reference, "BouncingBallED.ref");
  Ball ball(8.5, 0.005);
  Matrix rows(1788, 7);
  rows.row(0) << 0, ball.ds->q()[0], ball.ds->velocity()[0], 0, 0, 0, 0;
  long k = 0;
  ball.simulation.setTrajectoryCallback([&](const EventDriven& s, bool before) {
    ASSERT_LT(k, 1788);
    rows.row(k++) << s.startingTime(), ball.ds->q()[0], ball.ds->velocity()[0], ball.ds->p(1)[0], ball.ds->p(2)[0],
        ball.contact->lambda(1)[0], ball.contact->lambda(2)[0];
    if (!before && s.eventsManager().currentEvent().type == EventType::NonSmooth) rows(k - 2, 3) = ball.ds->p(1)[0];
  });
  ball.simulation.run();
  EXPECT_EQ(k, 1788);
  EXPECT_LE(difference(rows, reference, 0, 1788, 7), 1e-9);
}

TEST(EventDriven, InstantsOfABouncingBall) {
  Ball ball(20, 0.1);
  const double e = 0.9, t1 = std::sqrt(2 / gravity);
  double worst = 0, accumulation = 0;
  long impacts = 0;
  ball.simulation.setEventCallback([&](const EventDriven&, const ContactRecord& record) {
    if (record.kind == ContactEvent::Accumulation) accumulation = record.until;
    if (record.kind != ContactEvent::Impact) return;
    const double exact = t1 * (1 + 2 * e * (1 - std::pow(e, static_cast<double>(impacts))) / (1 - e));
    worst = std::max(worst, std::abs(record.time / exact - 1));
    ++impacts;
  });
  ball.simulation.run();
  std::printf("%ld impacts, worst %g, accumulation %g, steps %ld, evals %ld\n", impacts, worst,
              accumulation - t1 * (1 + e) / (1 - e), ball.integrator.steps(), ball.integrator.evaluations());
  EXPECT_GT(impacts, 100);
  EXPECT_LE(worst, 1e-11);
  EXPECT_NEAR(accumulation, t1 * (1 + e) / (1 - e), 1e-9);
  EXPECT_EQ(ball.ds->q()[0], 0.0);
  EXPECT_EQ(ball.ds->velocity()[0], 0.0);
  EXPECT_EQ(ball.contact->lambda(2)[0], gravity);
}

// A unit mass on a string of length 1, whose contact is closed all the time.
struct Pendulum {
  NonSmoothDynamicalSystem model;
  std::shared_ptr<LagrangianDS> ds;
  std::shared_ptr<Interaction> contact;
  TimeDiscretisation instants;
  MLCP impact, acceleration;
  std::unique_ptr<EventDriven> simulation;
  Pendulum(EventDrivenOSI& integrator, double T, double h, bool bilateral = false, double angle = M_PI / 3)
      : model(0.0, T), instants(0.0, h) {
    ds = std::make_shared<LagrangianDS>(Eigen::Vector2d(std::sin(angle), std::cos(angle)), Eigen::Vector2d(0, 0),
                                        Matrix::Identity(2, 2));
    ds->setFExt(Eigen::Vector2d(0, gravity));
    model.insertDynamicalSystem(ds);
    auto length = std::make_shared<LagrangianScleronomousR>(
        [](ConstVectorRef q, VectorRef y, VectorRef) { y[0] = 1 - q.squaredNorm(); },
        [](ConstVectorRef q, MatrixRef G, VectorRef) { G.row(0) = -2 * q.transpose(); },
        [](ConstVectorRef, ConstVectorRef v, MatrixRef G, VectorRef) { G.row(0) = -2 * v.transpose(); });
    std::shared_ptr<NonSmoothLaw> law = std::make_shared<NewtonImpactNSL>(0.9);
    if (bilateral) law = std::make_shared<EqualityConditionNSL>(1);
    contact = std::make_shared<Interaction>(law, length);
    model.link(contact, ds);
    simulation = std::make_unique<EventDriven>(model, instants, integrator, impact, acceleration);
  }
  Matrix run(long count) {
    Matrix rows(count, 10);
    const auto record = [&](long k, double t) {
      rows.row(k) << t, ds->q()[0], ds->q()[1], ds->velocity()[0], ds->velocity()[1], ds->acceleration()[0],
          ds->acceleration()[1], contact->y(0)[0], contact->y(1)[0], contact->lambda(2)[0];
    };
    simulation->computeOneStep();  // closes the contact at t = 0
    record(0, 0.0);
    for (long k = 1; k < count; ++k) {
      simulation->computeOneStep();
      record(k, simulation->startingTime());
    }
    EXPECT_FALSE(simulation->hasNextEvent());
    return rows;
  }
  double energy() const { return 0.5 * ds->velocity().squaredNorm() - gravity * ds->q()[1]; }
};

TEST(EventDriven, T20PendulumLsodar) {
  READ_OR_SKIP(reference, "SimplePendulumED_Lsodar.ref");
  LsodarOSI integrator;
  Pendulum pendulum(integrator, 10, 0.01);
  const Matrix rows = pendulum.run(1001);
  for (int c = 0; c < 10; ++c) std::printf("col %d %g\n", c, (rows.col(c) - reference.col(c)).cwiseAbs().maxCoeff());
  std::printf("steps %ld evals %ld\n", integrator.steps(), integrator.evaluations());
  EXPECT_LE(difference(rows, reference, 0, 1001, 10), 1e-9);
}

TEST(EventDriven, T20PendulumHem5) {
  READ_OR_SKIP(reference, "SimplePendulumED_Lsodar.ref");
  Hem5OSI integrator;
  integrator.setTol(1e-12, 1e-13);
  Pendulum pendulum(integrator, 10, 0.01);
  const Matrix rows = pendulum.run(1001);
  for (int c = 0; c < 10; ++c) std::printf("col %d %g\n", c, (rows.col(c) - reference.col(c)).cwiseAbs().maxCoeff());
  std::printf("steps %ld evals %ld\n", integrator.steps(), integrator.evaluations());
  EXPECT_LE(difference(rows, reference, 0, 1001, 10), 1e-9);
}

TEST(EventDriven, T20PendulumNewMarkAlpha) {
  READ_OR_SKIP(reference, "SimplePendulumED_AlphaScheme.ref.gz");
  NewMarkAlphaOSI integrator(0.99, false);
  Pendulum pendulum(integrator, 10, 1e-3);
  const Matrix rows = pendulum.run(10001);
  for (int c = 0; c < 10; ++c) std::printf("col %d %g\n", c, (rows.col(c) - reference.col(c)).cwiseAbs().maxCoeff());
  NewMarkAlphaOSI variant(0.99, false);
  variant.setOwnAuxiliaryAcceleration(false);
  Pendulum other(variant, 10, 1e-3);
  const Matrix variant_rows = other.run(10001);
  for (int c = 0; c < 10; ++c)
    std::printf("variant col %d %g\n", c, (variant_rows.col(c) - reference.col(c)).cwiseAbs().maxCoeff());
}

}  // namespace
