// What happens at events: each case that an event-driven simulation must define, against formulas.
#include <cmath>
#include <memory>
#include <thread>

#include "message_of.hpp"
#include "resident_memory.hpp"
#include "trajectory.hpp"

namespace event_cases_test {

using namespace nonsmooth::kernel;

constexpr double gravity = 9.81;

// Unit masses that move on a line above a floor.
struct Line {
  NonSmoothDynamicalSystem model;
  std::vector<std::shared_ptr<LagrangianLinearTIDS>> mass;
  std::vector<std::shared_ptr<Interaction>> contact;
  TimeDiscretisation instants;
  LsodarOSI integrator;
  LCP impact, acceleration;
  EventDriven simulation;
  Line(double T, double h) : model(0.0, T), instants(0.0, h), simulation(model, instants, integrator, impact, acceleration) {}
  void add(double y, double v, double e, TimeToVector force) {
    mass.push_back(
        std::make_shared<LagrangianLinearTIDS>(Vector::Constant(1, y), Vector::Constant(1, v), Matrix::Identity(1, 1)));
    mass.back()->setComputeFExtFunction(std::move(force));
    model.insertDynamicalSystem(mass.back());
    contact.push_back(std::make_shared<Interaction>(std::make_shared<NewtonImpactNSL>(e),
                                                    std::make_shared<LagrangianLinearTIR>(Matrix::Identity(1, 1))));
    model.link(contact.back(), mass.back());
  }
  void add(double y, double v, double e, double force = -gravity) {
    add(y, v, e, [force](double, VectorRef out, VectorRef) { out[0] = force; });
  }
  const ContactRecord& last() const { return simulation.eventLog().back(); }
  long nonsmoothEvents() {
    long count = 0;
    while (simulation.hasNextEvent()) {
      simulation.computeOneStep();
      if (simulation.eventsManager()->currentEvent().type == EventType::NonSmooth) ++count;
    }
    return count;
  }
};

TEST(EventCases, ImpactAtTheInitialInstant) {
  Line line(0.1, 0.1);
  line.add(0.0, -1.0, 0.9);
  line.simulation.computeOneStep();
  EXPECT_EQ(line.last().kind, ContactEvent::Impact);
  EXPECT_EQ(line.last().time, 0.0);
  EXPECT_DOUBLE_EQ(line.mass[0]->velocity()[0], 0.9);
}

TEST(EventCases, RestAtTheInitialInstant) {
  Line line(100.0, 1.0);
  line.add(0.0, 0.0, 0.9);
  EXPECT_EQ(line.nonsmoothEvents(), 1);
  EXPECT_EQ(line.last().kind, ContactEvent::Closing);
  EXPECT_EQ(line.mass[0]->q()[0], 0.0);
  EXPECT_EQ(line.mass[0]->velocity()[0], 0.0);
  EXPECT_EQ(line.contact[0]->lambda(2)[0], gravity);
  EXPECT_EQ(line.simulation.indexSet(2).size(), 1u);
}

TEST(EventCases, OverlapAtTheInitialInstantIsRefused) {
  Line line(1.0, 0.1);
  line.add(-1e-3, 0.0, 0.9);
  EXPECT_THROW(line.simulation.computeOneStep(), Error);
}

TEST(EventCases, SimultaneousImpactsAreOneEvent) {
  Line line(0.5, 0.1);
  line.add(1.0, 0.0, 0.5);
  line.add(1.0, 0.0, 0.2);
  EXPECT_EQ(line.nonsmoothEvents(), 1);
  EXPECT_EQ(line.simulation.count(ContactEvent::Impact), 2);
}

// A force that pulls harder and harder: it opens the contact at t = 1/2, from where y = g (t - 1/2)^3 / 3.
TEST(EventCases, ContactIsLost) {
  Line line(1.0, 0.1);
  line.add(0.0, 0.0, 0.9, [](double t, VectorRef out, VectorRef) { out[0] = gravity * (2 * t - 1); });
  line.simulation.run();
  EXPECT_EQ(line.last().kind, ContactEvent::Opening);
  EXPECT_NEAR(line.last().time, 0.5, 1e-12);
  EXPECT_NEAR(line.mass[0]->q()[0], gravity / 24, 1e-11);
}

// y = (t - 1)^2 touches without an impact.
TEST(EventCases, Grazing) {
  Line line(2.0, 0.7);
  line.add(1.0, -2.0, 0.9, 2.0);
  EXPECT_EQ(line.nonsmoothEvents(), 1);
  EXPECT_EQ(line.last().kind, ContactEvent::Grazing);
  EXPECT_NEAR(line.last().time, 1.0, 1e-9);
  EXPECT_EQ(line.simulation.count(ContactEvent::Impact), 0);
}

// Neither pressed nor drawn: the contact stays closed until a force pulls it open, after t = 1.
TEST(EventCases, Undetermined) {
  Line line(2.0, 0.1);
  line.add(0.0, 0.0, 0.9, [](double t, VectorRef out, VectorRef) { out[0] = t < 1 ? 0.0 : t - 1; });
  line.simulation.computeOneStep();
  EXPECT_EQ(line.simulation.count(ContactEvent::Undetermined), 1);
  EXPECT_EQ(line.simulation.indexSet(2).size(), 1u);
  line.simulation.run();
  EXPECT_EQ(line.simulation.count(ContactEvent::Opening), 1);
  EXPECT_NEAR(line.mass[0]->q()[0], 1.0 / 6, 1e-9);
}

// A plastic impact closes the contact, with nothing left of the velocity.
TEST(EventCases, PlasticImpactCloses) {
  Line line(1.0, 0.1);
  line.add(1.0, 0.0, 0.0);
  line.simulation.run();
  EXPECT_EQ(line.last().kind, ContactEvent::Closing);
  EXPECT_NEAR(line.last().time, std::sqrt(2 / gravity), 1e-13);
  EXPECT_EQ(line.mass[0]->velocity()[0], 0.0);
  EXPECT_EQ(line.mass[0]->q()[0], 0.0);
}

// Events nearer than the resolution are of one instant; an instant of the time discretisation is never left out.
TEST(EventCases, EventsCloserThanTheResolution) {
  const double impact = std::sqrt(2 / gravity);
  Line line(4 * impact, impact);
  line.add(1.0, 0.0, 1.0);
  int seen = 0;
  line.simulation.eventsManager()->insertEvent(EventType::Sensor, std::nextafter(impact, 1.0), [&](EventDriven& s) {
    ++seen;
    EXPECT_GT(s.count(ContactEvent::Impact), 0);  // after the impact of the same instant
  });
  int instants = 0;
  line.simulation.run([&](const Simulation&, const StepStatus&) {
    if (line.simulation.eventsManager()->currentEvent().type == EventType::TimeDiscretisation) ++instants;
  });
  EXPECT_EQ(seen, 1);
  EXPECT_EQ(instants, 4);
  EXPECT_EQ(line.simulation.count(ContactEvent::Impact), 2);  // at t1 and 3 t1
}

TEST(EventCases, UserEvents) {
  Line line(2.0, 0.5);
  line.add(0.0, 0.0, 0.0);
  int samples = 0;
  line.simulation.eventsManager()->insertEvent(
      EventType::Sensor, 0.1, [&](EventDriven&) { ++samples; }, 0.1);
  line.simulation.eventsManager()->insertEvent(EventType::Actuator, 1.0,
                                               [&](EventDriven&) { line.mass[0]->velocity()[0] = 1.0; });
  line.simulation.run();
  EXPECT_EQ(samples, 20);
  ASSERT_EQ(line.simulation.eventLog().size(), 3u);  // rests, is kicked, comes back
  EXPECT_EQ(line.simulation.eventLog()[1].kind, ContactEvent::Opening);
  EXPECT_EQ(line.simulation.eventLog()[1].time, 1.0);
  EXPECT_EQ(line.last().kind, ContactEvent::Closing);
  EXPECT_NEAR(line.last().time, 1.0 + 2 / gravity, 1e-12);
  EXPECT_THROW(line.simulation.eventsManager()->insertEvent(EventType::Sensor, 0.5, nullptr), Error);
}

// 3 * 0.1 is more than 30 * 0.01 by a rounding error, and more than 0.3: still one instant, and within the run.
TEST(EventCases, InstantsThatRoundingParts) {
  Line line(0.3, 0.01);
  line.add(1.0, 0.0, 0.0, 0.0);
  EventsManager& events = *line.simulation.eventsManager();
  events.insertEvent(
      EventType::Actuator, 0.1, [](EventDriven&) {}, 0.1);
  std::vector<EventsManager::Past> processed;
  line.simulation.run([&](const Simulation&, const StepStatus&) { processed.push_back(events.currentEvent()); });
  int samples = 0;
  for (std::size_t k = 0; k < processed.size(); ++k) {
    if (processed[k].type != EventType::Actuator) continue;
    ++samples;
    ASSERT_LT(k + 1, processed.size());
    EXPECT_EQ(processed[k + 1].type, EventType::TimeDiscretisation);
    EXPECT_EQ(processed[k + 1].time, processed[k].time);
  }
  EXPECT_EQ(samples, 3);
  EXPECT_EQ(processed.back().time, line.simulation.timeDiscretisation().getTk(30));
}

// Far from 0 the digits of time do not tell instants apart: motion would stand still.
TEST(EventCases, InstantsWithinTheResolutionAreRefused) {
  Line line(1.0, 0.01);
  line.add(1.0, -1.0, 0.0);
  line.simulation.eventsManager()->setResolution(0.02);
  test::expectRefusal("setResolution", [&] { line.simulation.run(); });
  Line sampled(1.0, 0.1);
  sampled.add(1.0, -1.0, 0.0);
  sampled.simulation.eventsManager()->setResolution(0.01);
  sampled.simulation.eventsManager()->insertEvent(EventType::Sensor, 0.05, nullptr, 0.01);
  test::expectRefusal("period", [&] { sampled.simulation.run(); });
}

// The last ones and no more, however many have been.
TEST(EventCases, PastEventsAreTheLastOnes) {
  Line line(10.0, 0.01);
  line.add(1.0, 0.0, 0.0, 0.0);
  const EventsManager& events = *line.simulation.eventsManager();
  line.simulation.eventsManager()->setPastEvents(3);
  std::size_t steps = 0;
  for (; line.simulation.hasNextEvent(); ++steps) {
    ASSERT_EQ(events.pastEvents().size(), std::min<std::size_t>(steps, 3));
    for (std::size_t k = 0; k < events.pastEvents().size(); ++k)
      ASSERT_EQ(events.pastEvents()[k].time,
                line.simulation.timeDiscretisation().getTk(static_cast<long>(steps - events.pastEvents().size() + k)));
    line.simulation.computeOneStep();
  }
  EXPECT_EQ(steps, 1000u);
}

TEST(EventCases, AnEventInsertedTwiceIsRefused) {
  Line line(1.0, 0.1);
  line.add(1.0, 0.0, 0.0);
  const auto event = std::make_shared<Event>(EventType::Sensor, 0.5, nullptr);
  line.simulation.eventsManager()->insertEvent(event);
  EXPECT_THROW(line.simulation.eventsManager()->insertEvent(event), Error);
}

// A ball on a mass that rests: Newton's law for both contacts; equal masses, e = 1.
TEST(EventCases, ImpactThroughARestingMass) {
  Line line(1.0, 0.1);
  line.add(0.0, 0.0, 1.0);
  line.add(1.0, 0.0, 1.0);
  line.model.removeInteraction(*line.contact[1]);
  Matrix pair(1, 2);
  pair << -1, 1;
  auto upper = std::make_shared<Interaction>(std::make_shared<NewtonImpactNSL>(1.0), std::make_shared<LagrangianLinearTIR>(pair));
  line.model.link(upper, line.mass[0], line.mass[1]);
  line.simulation.run();
  const double fall = std::sqrt(2 * gravity);
  // The upper ball leaves with the velocity it came with: the lower one is held by the floor.
  const ContactRecord* found = nullptr;
  for (const ContactRecord& record : line.simulation.eventLog())
    if (record.interaction == upper->handle() && found == nullptr) found = &record;
  ASSERT_NE(found, nullptr);
  EXPECT_NEAR(found->velocityBefore, -fall, 1e-12);
  EXPECT_NEAR(found->velocityAfter, fall, 1e-9);
  EXPECT_NEAR(line.mass[0]->q()[0], 0.0, 1e-12);
}

// A block on a plane, q = (height, places along the plane).
struct Block {
  NonSmoothDynamicalSystem model;
  std::shared_ptr<LagrangianLinearTIDS> ds;
  std::shared_ptr<Interaction> contact;
  TimeDiscretisation instants;
  LsodarOSI integrator;
  FrictionContact impact, acceleration;
  EventDriven simulation;
  Block(int dimension, double T, double mu, const Vector& velocity, TimeToVector force, const Vector& place,
        std::shared_ptr<Relation> relation = nullptr)
      : model(0.0, T),
        instants(0.0, 0.05),
        impact(dimension),
        acceleration(dimension),
        simulation(model, instants, integrator, impact, acceleration) {
    for (FrictionContact* problem : {&impact, &acceleration}) problem->setTolerance(1e-13);
    ds = std::make_shared<LagrangianLinearTIDS>(place, velocity, Matrix::Identity(dimension, dimension));
    ds->setComputeFExtFunction(std::move(force));
    model.insertDynamicalSystem(ds);
    if (!relation) relation = std::make_shared<LagrangianLinearTIR>(Matrix::Identity(dimension, dimension));
    contact = std::make_shared<Interaction>(std::make_shared<NewtonImpactFrictionNSL>(0.0, 0.0, mu, dimension), relation);
    model.link(contact, ds);
  }
};

TEST(EventCases, SlidingEndsInThePlane) {
  const double mu = 0.3, v = 1.0;
  Block block(
      2, 1.0, mu, Eigen::Vector2d(0, v), [](double, VectorRef out, VectorRef) { out << -gravity, 0; }, Eigen::Vector2d(0, 0));
  block.simulation.run();
  EXPECT_EQ(block.simulation.count(ContactEvent::SlidingEnds), 1);
  EXPECT_NEAR(block.simulation.eventLog().back().time, v / (mu * gravity), 1e-12);
  EXPECT_NEAR(block.ds->q()[1], v * v / (2 * mu * gravity), 1e-12);
  EXPECT_EQ(block.ds->velocity()[1], 0.0);
  EXPECT_EQ(block.contact->lambda(2)[1], 0.0);
}

// Pushed by 10 t it begins to slide at t = mu g / 10; then x'' = 10 t - mu g.
TEST(EventCases, SlidingBeginsInThePlane) {
  const double mu = 0.3, begin = mu * gravity / 10;
  Block block(
      2, 1.0, mu, Eigen::Vector2d(0, 0), [](double t, VectorRef out, VectorRef) { out << -gravity, 10 * t; },
      Eigen::Vector2d(0, 0));
  block.simulation.run();
  EXPECT_EQ(block.simulation.count(ContactEvent::SlidingBegins), 1);
  EXPECT_NEAR(block.simulation.eventLog().back().time, begin, 1e-12);
  EXPECT_NEAR(block.ds->velocity()[1], 5 * (1 - begin) * (1 - begin), 1e-10);
  EXPECT_NEAR(block.contact->lambda(2)[1], -mu * gravity, 1e-12);
}

// A steep push against the motion: it stops and slides back at once.
TEST(EventCases, ReversalInThePlane) {
  const double mu = 0.3;
  Block block(
      2, 1.0, mu, Eigen::Vector2d(0, 1), [](double, VectorRef out, VectorRef) { out << -gravity, -5; }, Eigen::Vector2d(0, 0));
  block.simulation.run();
  const double stop = 1 / (5 + mu * gravity);
  EXPECT_EQ(block.simulation.count(ContactEvent::Reversal), 1);
  EXPECT_NEAR(block.simulation.eventLog().back().time, stop, 1e-12);
  EXPECT_NEAR(block.ds->velocity()[1], -(5 - mu * gravity) * (1 - stop), 1e-11);
}

TEST(EventCases, SlidingEndsInSpace) {
  const double mu = 0.3;
  Block block(
      3, 1.0, mu, Eigen::Vector3d(0, 0.6, -0.8), [](double, VectorRef out, VectorRef) { out << -gravity, 0, 0; },
      Eigen::Vector3d(0, 0, 0));
  block.simulation.run();
  EXPECT_EQ(block.simulation.count(ContactEvent::SlidingEnds), 1);
  // Below 1e-9 m/s it sticks.
  EXPECT_NEAR(block.simulation.eventLog().back().time, 1 / (mu * gravity), 1e-8);
  EXPECT_NEAR(block.ds->q()[1], 0.6 / (2 * mu * gravity), 1e-10);
  EXPECT_NEAR(block.ds->q()[2], -0.8 / (2 * mu * gravity), 1e-10);
  EXPECT_EQ(block.ds->velocity().norm(), 0.0);
}

// A belt that moves under a block at rest: the block slides against it until it has the belt's velocity.
TEST(EventCases, BlockOnABelt) {
  for (const int dimension : {2, 3}) {
    const double mu = 0.3, T = 1.0, meeting = 1 / (mu * gravity);
    Vector belt = Vector::Zero(dimension);
    if (dimension == 2)
      belt[1] = 1;
    else
      belt.tail(2) << 0.6, -0.8;
    const auto relation = std::make_shared<LagrangianRheonomousR>(
        [=](double t, ConstVectorRef q, VectorRef y, VectorRef) { y = q - t * belt; },
        [](double, ConstVectorRef, MatrixRef G, VectorRef) { G.setIdentity(); },
        [=](double, ConstVectorRef, VectorRef out, VectorRef) { out = -belt; },
        [](double, ConstVectorRef, ConstVectorRef, VectorRef out, VectorRef) { out.setZero(); });
    Block block(
        dimension, T, mu, Vector::Zero(dimension), [](double, VectorRef out, VectorRef) { out.setZero(), out[0] = -gravity; },
        Vector::Zero(dimension), relation);
    block.simulation.run();
    EXPECT_EQ(block.simulation.count(ContactEvent::SlidingEnds), 1);
    EXPECT_NEAR(block.simulation.eventLog().back().time, meeting, 1e-8);
    EXPECT_LE((block.ds->velocity() - belt).norm(), 1e-9);
    EXPECT_LE((block.ds->q() - (T - 0.5 * meeting) * belt).norm(), 1e-8);
  }
}

// Falls on the plane, slides, sticks: a plastic impact with friction, mu m (1 + e) v_n off the tangential momentum.
TEST(EventCases, ImpactWithFriction) {
  const double mu = 0.2, fall = std::sqrt(2 * gravity * 0.1);
  Block block(
      2, 2.0, mu, Eigen::Vector2d(0, 1), [](double, VectorRef out, VectorRef) { out << -gravity, 0; }, Eigen::Vector2d(0.1, 0));
  block.simulation.run();
  const double after = 1 - mu * fall, flight = fall / gravity;
  EXPECT_NEAR(block.ds->q()[1], flight + after * after / (2 * mu * gravity), 1e-10);
  EXPECT_EQ(block.ds->velocity()[1], 0.0);
}

// T21: a block whose lower corner hits the ground.
TEST(EventCases, T21RockingBlock) {
  for (int which = 0; which < 3; ++which) {
    const double angle = M_PI / 3, inertia = (1 + 0.25) / 12, e = 0.9;
    NonSmoothDynamicalSystem model(0.0, 0.31);
    auto block = std::make_shared<LagrangianDS>(Eigen::Vector3d(0, 0.5 * std::sin(angle) + 0.25 * std::cos(angle), angle),
                                                Eigen::Vector3d(0, 0, 0), Matrix(Eigen::Vector3d(1, 1, inertia).asDiagonal()));
    block->setFExt(Eigen::Vector3d(0, -gravity, 0));
    model.insertDynamicalSystem(block);
    auto law = std::make_shared<NewtonImpactNSL>(e);
    for (const double side : {1.0, -1.0}) {
      auto corner = std::make_shared<LagrangianScleronomousR>(
          [=](ConstVectorRef q, VectorRef y, VectorRef) { y[0] = q[1] - side * 0.1 * std::sin(q[2]) - 0.05 * std::cos(q[2]); },
          [=](ConstVectorRef q, MatrixRef G, VectorRef) { G << 0, 1, -side * 0.1 * std::cos(q[2]) + 0.05 * std::sin(q[2]); },
          [=](ConstVectorRef q, ConstVectorRef v, MatrixRef G, VectorRef) {
            G << 0, 0, (side * 0.1 * std::sin(q[2]) + 0.05 * std::cos(q[2])) * v[2];
          });
      model.link(std::make_shared<Interaction>(law, corner), block);
    }
    LsodarOSI lsodar;
    Hem5OSI hem5;
    NewMarkAlphaOSI alpha(0.99);
    EventDrivenOSI* integrators[] = {&lsodar, &hem5, &alpha};
    TimeDiscretisation instants(0.0, 0.01);
    LCP impact, acceleration;
    EventDriven simulation(model, instants, *integrators[which], impact, acceleration);
    double time = 0;
    Vector after;
    simulation.setEventCallback([&](const EventDriven& s, const ContactRecord& record) {
      if (time > 0) return;
      time = record.time;
      after = block->velocity();
      EXPECT_EQ(s.startingTime(), record.time);
    });
    simulation.run();
    EXPECT_NEAR(time, 0.3016807, 5e-8) << integrators[which]->className();
    const double exact = std::sqrt(2 * 0.446410161513775 / gravity);
    EXPECT_NEAR(time, exact, 1e-11) << integrators[which]->className();
    ASSERT_EQ(after.size(), 3);
    EXPECT_NEAR(after[1], 2.6611, 5e-5);
    EXPECT_NEAR(after[2], -0.36145, 5e-6);
  }
}

// Time-stepping comes as near to the event-driven trajectory as its step is short.
TEST(EventCases, BothStrategiesGiveOneTrajectory) {
  const auto place = [](Simulation& simulation, LagrangianLinearTIDS& ds) {
    simulation.run();
    return ds.q()[0];
  };
  Line line(1.0, 1.0);
  line.add(1.0, 0.0, 0.8);
  const double exact = place(line.simulation, *line.mass[0]);
  double last = 1;
  for (const double h : {1e-2, 1e-3, 1e-4}) {
    Line model(1.0, h);
    model.add(1.0, 0.0, 0.8);
    MoreauJeanOSI integrator(0.5);
    LCP problem;
    TimeStepping stepping(model.model, model.instants, integrator, problem);
    const double error = std::abs(place(stepping, *model.mass[0]) - exact);
    RecordProperty("error_" + std::to_string(h), std::to_string(error));
    EXPECT_LE(error, 10 * h);
    EXPECT_LE(error, 0.5 * last);
    last = error;
  }
}

// Stiff: BDF is found, and takes steps of the slow motion.
TEST(EventCases, StiffMotion) {
  for (const bool with_jacobians : {true, false}) {
    NonSmoothDynamicalSystem model(0.0, 10.0);
    const double damping = 1e5;
    auto ds = std::make_shared<LagrangianLinearTIDS>(Vector::Constant(1, 1.0), Vector::Zero(1), Matrix::Identity(1, 1),
                                                     Matrix::Identity(1, 1), Matrix(damping * Matrix::Identity(1, 1)));
    model.insertDynamicalSystem(ds);
    TimeDiscretisation instants(0.0, 0.5);
    LsodarOSI integrator;
    integrator.setTol(1e-8, 1e-12);
    integrator.setUseJacobians(with_jacobians);
    EventDriven simulation(model, instants);
    simulation.insertIntegrator(integrator);
    simulation.run();
    EXPECT_TRUE(integrator.usesBdf());
    EXPECT_LT(integrator.steps(), 2000);
    EXPECT_NEAR(ds->q()[0], std::exp(-10 / damping), 1e-7);
  }
}

// A rod that leans and slides: normal force and friction are coupled through its inertia.
TEST(EventCases, SlidingOfALeaningRod) {
  const double half = 0.5, inertia = half * half / 3, mu = 0.4, angle = 1.0;
  NonSmoothDynamicalSystem model(0.0, 0.05);
  auto rod = std::make_shared<LagrangianDS>(Eigen::Vector3d(0, half * std::sin(angle), angle), Eigen::Vector3d(1, 0, 0),
                                            Matrix(Eigen::Vector3d(1, 1, inertia).asDiagonal()));
  rod->setFExt(Eigen::Vector3d(0, -gravity, 0));
  model.insertDynamicalSystem(rod);
  auto foot = std::make_shared<LagrangianScleronomousR>(
      [=](ConstVectorRef q, VectorRef y, VectorRef) { y << q[1] - half * std::sin(q[2]), q[0] - half * std::cos(q[2]); },
      [=](ConstVectorRef q, MatrixRef G, VectorRef) { G << 0, 1, -half * std::cos(q[2]), 1, 0, half * std::sin(q[2]); },
      [=](ConstVectorRef q, ConstVectorRef v, MatrixRef G, VectorRef) {
        G << 0, 0, half * std::sin(q[2]) * v[2], 0, 0, half * std::cos(q[2]) * v[2];
      });
  auto contact = std::make_shared<Interaction>(std::make_shared<NewtonImpactFrictionNSL>(0.0, 0.0, mu, 2), foot);
  model.link(contact, rod);
  TimeDiscretisation instants(0.0, 0.01);
  LsodarOSI integrator;
  FrictionContact impact(2), acceleration(2);
  acceleration.setTolerance(1e-12);
  EventDriven simulation(model, instants, integrator, impact, acceleration);
  simulation.computeOneStep();
  const double c = half * std::cos(angle), s = half * std::sin(angle);
  const double force = gravity / (1 + c * (c + mu * s) / inertia);
  EXPECT_NEAR(contact->lambda(2)[0], force, 1e-12);
  EXPECT_NEAR(contact->lambda(2)[1], -mu * force, 1e-12);
  simulation.run();
  EXPECT_NEAR(contact->y(0)[0], 0, 1e-11);
  EXPECT_GT(contact->y(1)[1], 0);
}

// A rigid ball thrown on the ground with spin, by both integrators; a link on a ball joint keeps its point.
TEST(EventCases, RigidBodies) {
  for (const bool lsodar : {true, false}) {
    const double radius = 0.1, mass = 2, inertia = 0.4 * mass * radius * radius, mu = 0.3, v = 1.0;
    NonSmoothDynamicalSystem model(0.0, 1.0);
    Vector q0(7), twist(6);
    q0 << 0, 0, radius, 1, 0, 0, 0;
    twist << v, 0, 0, 0, 0, 0;
    auto ball = std::make_shared<NewtonEulerDS>(q0, twist, mass, Matrix3(inertia * Matrix3::Identity()));
    ball->setFExt(Eigen::Vector3d(0, 0, -mass * gravity));
    model.insertDynamicalSystem(ball);
    auto relation = std::make_shared<NewtonEuler3DR>([=](double, const double* q1, const double*, Contact& contact) {
      contact.normal = Vector3::UnitZ();
      contact.point1 = Vector3(q1[0], q1[1], q1[2] - radius);
      contact.point2 = Vector3(q1[0], q1[1], 0);
      contact.gap = q1[2] - radius;
    });
    auto contact = std::make_shared<Interaction>(std::make_shared<NewtonImpactFrictionNSL>(0.0, 0.0, mu, 3), relation);
    model.link(contact, ball);
    TimeDiscretisation instants(0.0, 0.05);
    LsodarOSI first;
    Hem5OSI second;
    FrictionContact impact(3), acceleration(3);
    for (FrictionContact* problem : {&impact, &acceleration}) problem->setTolerance(1e-12);
    EventDriven simulation(model, instants, lsodar ? static_cast<EventDrivenOSI&>(first) : second, impact, acceleration);
    simulation.run();
    // It slides until it rolls, at 2/7 v0 / (mu g) with 5/7 of its velocity.
    EXPECT_EQ(simulation.count(ContactEvent::SlidingEnds), 1);
    EXPECT_NEAR(simulation.eventLog().back().time, 2 * v / (7 * mu * gravity), 1e-8);
    EXPECT_NEAR(ball->velocity()[0], 5 * v / 7, 1e-8);
    EXPECT_NEAR(ball->velocity()[4], 5 * v / 7 / radius, 1e-6);
    EXPECT_NEAR(ball->q().tail(4).norm(), 1, 1e-14);
  }
}

std::vector<double> bounces(double height, double T) {
  std::vector<double> times;
  Line line(T, 0.5);
  line.add(height, 0.0, 0.95);
  line.simulation.setEventCallback([&](const EventDriven&, const ContactRecord& record) { times.push_back(record.time); });
  line.simulation.run();
  times.push_back(line.mass[0]->q()[0]);
  return times;
}

TEST(EventCases, TwoThreads) {
  const std::vector<double> alone1 = bounces(1.0, 20), alone2 = bounces(0.7, 20);
  std::vector<double> first, second;
  std::thread a([&] { first = bounces(1.0, 20); }), b([&] { second = bounces(0.7, 20); });
  a.join();
  b.join();
  EXPECT_EQ(first, alone1);
  EXPECT_EQ(second, alone2);
}

// An elastic ball: 1e5 events, memory as after the first thousand.
TEST(EventCases, ManyEvents) {
  Line line(1e9, 1e3);
  line.add(1e-3, 0.0, 1.0);
  long before = 0;
  for (int k = 0; k < 100000; ++k) {
    if (k == 2000) before = test::residentBytes();
    line.simulation.computeOneStep();
  }
  EXPECT_GE(line.simulation.count(ContactEvent::Impact), 99000);
  EXPECT_LE(test::residentBytes(), before + test::slack);
  EXPECT_NEAR(0.5 * std::pow(line.mass[0]->velocity()[0], 2) + gravity * line.mass[0]->q()[0], gravity * 1e-3, 1e-6);
}

}  // namespace event_cases_test
