// Contacts that share a load in more ways than one: discs that come to rest between two walls.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <memory>
#include <vector>

#include "nonsmooth/kernel/kernel.hpp"

namespace event_shares_test {

using namespace nonsmooth::kernel;

// Radius, x, and velocities along x, y and of turning.
using Disc = std::array<double, 5>;

// Three discs of 1 kg one above the other in a box of 0.5 m, all contacts with friction.
struct Box {
  NonSmoothDynamicalSystem model{0.0, 1.0};
  std::vector<std::shared_ptr<LagrangianLinearTIDS>> discs;
  std::vector<std::shared_ptr<Interaction>> contacts;
  std::shared_ptr<NonSmoothLaw> law;

  Box(double mu, const std::array<Disc, 3>& values, double e = 0)
      : law(std::make_shared<NewtonImpactFrictionNSL>(e, 0.0, mu, 2)) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      const auto [radius, x, vx, vy, turning] = values[i];
      discs.push_back(
          std::make_shared<LagrangianLinearTIDS>(Vector{{x, 0.2 + 0.45 * static_cast<double>(i), 0.0}}, Vector{{vx, vy, turning}},
                                                 LinearOperator(Diagonal(Vector{{1.0, 1.0, 0.5 * radius * radius}}))));
      discs.back()->setFExt(Vector{{0.0, -9.81, 0.0}});
      model.insertDynamicalSystem(discs.back());
      addWall({0, 1}, 0, radius);
      addWall({1, 0}, -0.25, radius);
      addWall({-1, 0}, -0.25, radius);
      for (std::size_t j = 0; j < i; ++j) addPair(j, radius, values[j][0]);
    }
  }
  void addWall(const Eigen::Vector2d& normal, double offset, double radius) {
    const auto geometry = [=](double, const double* q, const double*, PlanarContact& contact) {
      const Eigen::Vector2d centre(q[0], q[1]);
      const double distance = normal.dot(centre) - offset;
      contact = {centre - radius * normal, centre - distance * normal, normal, distance - radius};
    };
    contacts.push_back(std::make_shared<Interaction>(law, std::make_shared<Lagrangian2d2DR>(geometry)));
    model.link(contacts.back(), discs.back());
  }
  void addPair(std::size_t lower, double radius1, double radius2) {
    const auto geometry = [=](double, const double* q1, const double* q2, PlanarContact& contact) {
      const Eigen::Vector2d centre1(q1[0], q1[1]), centre2(q2[0], q2[1]), normal = (centre1 - centre2).normalized();
      contact = {centre1 - radius1 * normal, centre2 + radius2 * normal, normal, (centre1 - centre2).norm() - radius1 - radius2};
    };
    contacts.push_back(std::make_shared<Interaction>(law, std::make_shared<Lagrangian2d2DR>(geometry)));
    model.link(contacts.back(), discs.back(), discs[lower]);
  }
  double energy() const { return model.kineticEnergy() + *model.potentialEnergy(); }
};

// Runs to the end: every step certified, no contact violated, no energy gained. How many contacts have jammed.
long expectRun(Box& box, long most_events = 1000000) {
  TimeDiscretisation instants(0.0, 0.02);
  LsodarOSI integrator;
  FrictionContact impact(2), acceleration(2);
  EventDriven simulation(box.model, instants, integrator, impact, acceleration);
  double energy = box.energy();
  EXPECT_NO_THROW(simulation.run([&](const Simulation&, const StepStatus& status) {
    EXPECT_TRUE(status.solve.certified);
    EXPECT_LE(box.energy(), energy + 1e-9);
    energy = box.energy();
    for (const auto& contact : box.contacts) EXPECT_GE(contact->y(0)[0], -1e-10);
  }));
  EXPECT_LE(simulation.count(ContactEvent::SlidingBegins), 100);
  EXPECT_LE(simulation.eventsManager()->processed(), most_events);
  return simulation.count(ContactEvent::Jammed);
}

// The forces of least norm pull, or stick beyond the bound of friction: runs ended in "1000 events at t = ...".
TEST(EventShares, DiscsInABoxComeToRest) {
  const std::vector<std::pair<double, std::array<Disc, 3>>> boxes = {
      {0.3, {{{0.15, 0.08, 0.7, 0, 0.6}, {0.15, -0.05, 0.4, -0.7, 0.2}, {0.13, 0.09, -0.5, 0.6, 0.4}}}},
      {0.1, {{{0.1, 0.06, -0.7, 1, -1.8}, {0.14, 0.07, 0.2, -0.6, -0.6}, {0.1, 0.01, -0.8, -0.7, -0.2}}}},
      {0.3, {{{0.1, -0.03, -0.2, -0.1, 1.2}, {0.12, 0.04, -0.8, -0.3, 1.8}, {0.13, 0.01, 0.3, -0.8, -1}}}},
      {0.2, {{{0.14, -0.07, -0.1, 0.3, -1.2}, {0.14, 0.05, 0.1, 0.3, 2}, {0.15, -0.09, 0.3, 0.1, 0}}}}};
  for (const auto& [mu, values] : boxes) {
    Box box(mu, values);
    EXPECT_EQ(expectRun(box), 0);
  }
}

// A contact whose friction has come to its bound, and which others keep from moving, stuck and slid in turn at one instant.
TEST(EventShares, FrictionAtItsBoundStaysThere) {
  Box box(0.15, {{{0.15, -0.09, 0.2, 0.5, -2}, {0.12, -0.01, 0, 1, 1.4}, {0.12, 0.05, 1, -0.8, 0.6}}});
  expectRun(box);
}

// Impacts whose law has no solution with restitution, for friction wedges the discs: they ended runs. They are plastic.
TEST(EventShares, WedgedDiscsDoNotRebound) {
  const std::vector<std::pair<double, std::array<Disc, 3>>> boxes = {
      {1.0, {{{0.1, -0.01, 0.7, 0.3, 0.6}, {0.12, 0.05, -0.9, -0.8, -1.7}, {0.14, -0.06, -0.7, 0.9, -1.1}}}},
      {0.3, {{{0.13, -0.06, -0.3, -0.8, 0.2}, {0.14, -0.09, 0.7, -0.6, 1.8}, {0.12, 0.01, 0.9, 0.1, -0.3}}}},
      {0.5, {{{0.11, 0.02, -0.1, 0.6, -1.3}, {0.15, 0.03, -0.9, 0.2, 0.6}, {0.13, -0.06, 0, 0.1, -0.1}}}}};
  for (const auto& [mu, values] : boxes) {
    Box box(mu, values, 0.2);
    EXPECT_GT(expectRun(box), 0);
  }
}

// Friction of sliding contacts for which no accelerations obey the laws.
TEST(EventShares, SlidingThatJams) {
  Box first(1.0, {{{0.1, 0.03, -0.1, 0.2, -0.1}, {0.14, 0.09, 0.6, -0.8, 0.3}, {0.14, -0.03, -0.9, -0.8, -0.1}}}, 0.5);
  EXPECT_GT(expectRun(first), 0);
  Box second(1.0, {{{0.12, -0.02, 0.9, 0.7, -1.3}, {0.11, -0.05, 0.7, -0.7, 1}, {0.14, -0.07, 0.5, -0.5, 0.8}}}, 0.5);
  EXPECT_GT(expectRun(second), 0);
}

// Where one contact closed another one opened by an impact that was all rounding, and the other way round: 1e4 events and more.
TEST(EventShares, ContactsDoNotRattleInTurn) {
  Box first(1.0, {{{0.12, 0.05, 0.6, -0.7, 0.7}, {0.11, 0.06, 0, 0.6, 1.3}, {0.15, -0.01, 0.4, -0.3, -0.5}}});
  expectRun(first, 1000);
  Box second(0.8, {{{0.15, -0.03, -0.2, 0.9, 1.2}, {0.13, -0.07, -0.8, -0.1, 1.4}, {0.11, -0.01, -0.3, -0.9, -0.1}}}, 0.2);
  expectRun(second, 1000);
  Box third(1.0, {{{0.13, 0.07, 0.3, 0.9, -0.1}, {0.14, 0.03, 0.1, 0.1, -0.4}, {0.1, 0.01, 0.6, 0.4, 0.1}}}, 0.2);
  expectRun(third, 1000);
}

// Painleve's rod (1 kg, 2 m) at 45 degrees, whose lower end is pushed along the ground at 1 m/s with mu = 2: the force of a
// sliding contact would pull the end down. It stops at once: W P = -u with W = (2.5 -1.5; -1.5 2.5), u = (0, -1), which leaves
// the centre (-3/8, 3/8) m/s.
TEST(EventShares, PainlevesRodStops) {
  const double half = std::sqrt(0.5);
  const auto rod = std::make_shared<LagrangianLinearTIDS>(Vector{{0.0, half, 0.0}}, Vector{{-1.0, 0.0, 0.0}},
                                                          LinearOperator(Diagonal(Vector{{1.0, 1.0, 1.0 / 3}})));
  rod->setFExt(Vector{{0.0, -9.81, 0.0}});
  NonSmoothDynamicalSystem model(0.0, 0.1);
  model.insertDynamicalSystem(rod);
  const auto end = [=](double, const double* q, const double*, PlanarContact& contact) {
    contact.point1 = Eigen::Vector2d(q[0], q[1]) + Eigen::Rotation2Dd(q[2]) * Eigen::Vector2d(-half, -half);
    contact.normal = Eigen::Vector2d::UnitY();
    contact.gap = contact.point1.y();
    contact.point2 = contact.point1 - contact.gap * contact.normal;
  };
  model.link(std::make_shared<Interaction>(std::make_shared<NewtonImpactFrictionNSL>(0.0, 0.0, 2.0, 2),
                                           std::make_shared<Lagrangian2d2DR>(end)),
             rod);
  TimeDiscretisation instants(0.0, 0.1);
  LsodarOSI integrator;
  FrictionContact impact(2), acceleration(2);
  EventDriven simulation(model, instants, integrator, impact, acceleration);
  simulation.computeOneStep();
  EXPECT_EQ(simulation.startingTime(), 0);
  EXPECT_EQ(simulation.count(ContactEvent::Jammed), 1);
  EXPECT_NEAR(rod->velocity()[0], -0.375, 1e-7);
  EXPECT_NEAR(rod->velocity()[1], 0.375, 1e-7);
  EXPECT_NEAR(rod->velocity()[2], 0.75 * half, 1e-7);
}

}  // namespace event_shares_test
