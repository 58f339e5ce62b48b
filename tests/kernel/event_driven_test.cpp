// Event-driven simulations: instants of events against formulas, reference trajectories T2 and T20, what happens at events.
#include <cmath>
#include <memory>

#include "trajectory.hpp"

namespace event_driven_test {

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
    if (!before && s.eventsManager()->currentEvent().type == EventType::NonSmooth) rows(k - 2, 3) = ball.ds->p(1)[0];
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
  RecordProperty("worst_relative", std::to_string(1e12 * worst) + "e-12");
  RecordProperty("accumulation_error", std::to_string(1e12 * (accumulation - t1 * (1 + e) / (1 - e))) + "e-12");
  EXPECT_GT(impacts, 100);
  EXPECT_LE(worst, 1e-11);
  EXPECT_NEAR(accumulation, t1 * (1 + e) / (1 - e), 1e-9);
  EXPECT_EQ(ball.ds->q()[0], 0.0);
  EXPECT_EQ(ball.ds->velocity()[0], 0.0);
  EXPECT_EQ(ball.contact->lambda(2)[0], gravity);
}

// Before the first event the final time may be changed, by however much.
TEST(EventDriven, AnotherFinalTime) {
  for (const double end : {0.5, 1.0, 200.0}) {
    Ball ball(5, 0.1);
    ball.simulation.initialize();
    ball.model.setT(end);
    ball.simulation.initialize();
    Ball other(end, 0.1);
    ball.simulation.run();
    other.simulation.run();
    EXPECT_EQ(ball.simulation.startingTime(), end);
    EXPECT_EQ(ball.simulation.eventsManager()->processed(), other.simulation.eventsManager()->processed());
    EXPECT_EQ(ball.ds->q()[0], other.ds->q()[0]);
    EXPECT_EQ(ball.simulation.eventsManager()->resolution(), other.simulation.eventsManager()->resolution());
  }
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

// Columns 5 and 6, the accelerations, are left out: those of the file are of another instant than its other columns (they do not
// satisfy the equation of motion with its multiplier).
double pendulumDifference(Matrix rows, const Matrix& reference) {
  rows.middleCols(5, 2) = reference.middleCols(5, 2);
  return difference(rows, reference, 0, reference.rows(), 10);
}

TEST(EventDriven, T20PendulumLsodar) {
  READ_OR_SKIP(reference, "SimplePendulumED_Lsodar.ref");
  LsodarOSI integrator;
  integrator.setTol(1e-13, 1e-16);
  Pendulum pendulum(integrator, 10, 0.01);
  EXPECT_LE(pendulumDifference(pendulum.run(1001), reference), 1e-9);
}

TEST(EventDriven, T20PendulumHem5) {
  READ_OR_SKIP(reference, "SimplePendulumED_Lsodar.ref");
  Hem5OSI integrator;
  integrator.setTol(1e-12, 1e-13);
  Pendulum pendulum(integrator, 10, 0.01);
  EXPECT_LE(pendulumDifference(pendulum.run(1001), reference), 1e-9);
}

// The file has t = 0 twice. Its accelerations and multipliers are those of the iteration, ours of the acceleration level.
TEST(EventDriven, T20PendulumNewMarkAlpha) {
  READ_OR_SKIP(reference, "SimplePendulumED_AlphaScheme.ref.gz");
  for (const bool own : {false, true}) {
    NewMarkAlphaOSI integrator(0.99, false);
    integrator.setOwnAuxiliaryAcceleration(own);
    Pendulum pendulum(integrator, 9.999, 1e-3);
    const Matrix rows = pendulum.run(10000), expected = reference.bottomRows(10000);
    const double in_q = (rows - expected).middleCols(1, 2).cwiseAbs().maxCoeff();
    const double in_v = (rows - expected).middleCols(3, 2).cwiseAbs().maxCoeff();
    RecordProperty(own ? "own_q" : "incumbent_q", std::to_string(in_q));
    EXPECT_LE(in_q, own ? 4.2e-6 : 1e-11);
    EXPECT_LE(in_v, own ? 1.4e-5 : 1e-10);
  }
}

double orderOf(const std::function<double(double)>& error, double h) { return std::log2(error(h) / error(h / 2)); }

// 30 lines of another language give 4.99 for this model (HEM5).
TEST(EventDriven, Orders) {
  const auto endOf = [](EventDrivenOSI& integrator, double h) {
    Pendulum pendulum(integrator, 1.0, h, true, 1.0);
    pendulum.simulation->run();
    return Vector(pendulum.ds->q());
  };
  LsodarOSI precise;
  precise.setTol(1e-14, 1e-16);
  const Vector exact = endOf(precise, 0.5);
  const auto hem5 = [&](double h) {
    Hem5OSI integrator;
    integrator.setMinMaxStepSizes(h, h);
    return (endOf(integrator, 1.0) - exact).norm();
  };
  const auto alpha = [&](double h) {
    NewMarkAlphaOSI integrator(0.9, false);
    return (endOf(integrator, h) - exact).norm();
  };
  const auto velocity = [&](double h) {
    NewMarkAlphaOSI integrator(0.9, true);
    return (endOf(integrator, h) - exact).norm();
  };
  EXPECT_NEAR(orderOf(hem5, 1. / 40), 5, 0.1);
  EXPECT_NEAR(orderOf(alpha, 1e-2), 2, 0.1);
  EXPECT_NEAR(orderOf(velocity, 1e-2), 2, 0.1);
  const auto lsodar = [&](double tolerance) {
    LsodarOSI integrator;
    integrator.setTol(tolerance, tolerance * 1e-3);
    return (endOf(integrator, 1.0) - exact).norm();
  };
  for (const double tolerance : {1e-4, 1e-6, 1e-8, 1e-10, 1e-12}) EXPECT_LE(lsodar(tolerance), 100 * tolerance) << tolerance;
  EXPECT_NEAR(std::log10(lsodar(1e-4) / lsodar(1e-12)) / 8, 1, 0.3);
}

// 100 periods of 4 K(1/2) / sqrt(g).
TEST(EventDriven, DriftOfAPendulum) {
  const double period = 2.152876;
  Hem5OSI hem5;
  hem5.setTol(1e-8, 1e-10);
  NewMarkAlphaOSI alpha(0.9, false);  // 0.99 is weakly unstable with that step: accelerations of 1e5 after 1000 steps
  for (EventDrivenOSI* integrator : {static_cast<EventDrivenOSI*>(&hem5), static_cast<EventDrivenOSI*>(&alpha)}) {
    Pendulum pendulum(*integrator, 100 * period, 1e-2, true);
    double worst = 0;
    const double energy = pendulum.energy();
    pendulum.simulation->run(
        [&](const Simulation&, const StepStatus&) { worst = std::max(worst, std::abs(pendulum.contact->y(0)[0])); });
    RecordProperty(std::string(integrator->className()) + "_energy", std::to_string(pendulum.energy() - energy));
    EXPECT_LE(worst, 1e-10) << integrator->className();
  }
}

}  // namespace event_driven_test
