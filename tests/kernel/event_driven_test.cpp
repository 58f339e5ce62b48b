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
    if (impacts > 120 || record.kind != ContactEvent::Impact) std::printf("%ld %.17g %s %g %g\n", impacts, record.time, name(record.kind), record.velocityBefore, record.velocityAfter);
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

}  // namespace
