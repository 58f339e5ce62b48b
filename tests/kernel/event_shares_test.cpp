// Contacts that share a load in more ways than one: discs that come to rest between two walls.
#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <vector>

#include "nonsmooth/kernel/kernel.hpp"

namespace event_shares_test {

using namespace nonsmooth::kernel;

// Radius, x, and velocities along x, y and of turning.
using Disc = std::array<double, 5>;

// Three discs of 1 kg one above the other in a box of 0.5 m, all contacts with friction and e = 0.
struct Box {
  NonSmoothDynamicalSystem model{0.0, 1.0};
  std::vector<std::shared_ptr<LagrangianLinearTIDS>> discs;
  std::vector<std::shared_ptr<Interaction>> contacts;
  std::shared_ptr<NonSmoothLaw> law;

  Box(double mu, const std::array<Disc, 3>& values) : law(std::make_shared<NewtonImpactFrictionNSL>(0.0, 0.0, mu, 2)) {
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

// Runs to the end: every step certified, no contact violated, no energy gained.
void expectRun(Box& box) {
  TimeDiscretisation instants(0.0, 0.02);
  LsodarOSI integrator;
  FrictionContact impact(2), acceleration(2);
  EventDriven simulation(box.model, instants, integrator, impact, acceleration);
  double energy = box.energy();
  ASSERT_NO_THROW(simulation.run([&](const Simulation&, const StepStatus& status) {
    EXPECT_TRUE(status.solve.certified);
    EXPECT_LE(box.energy(), energy + 1e-9);
    energy = box.energy();
    for (const auto& contact : box.contacts) EXPECT_GE(contact->y(0)[0], -1e-10);
  }));
  EXPECT_LE(simulation.count(ContactEvent::SlidingBegins), 100);
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
    expectRun(box);
  }
}

// A contact whose friction has come to its bound, and which others keep from moving, stuck and slid in turn at one instant.
TEST(EventShares, FrictionAtItsBoundStaysThere) {
  Box box(0.15, {{{0.15, -0.09, 0.2, 0.5, -2}, {0.12, -0.01, 0, 1, 1.4}, {0.12, 0.05, 1, -0.8, 0.6}}});
  expectRun(box);
}

}  // namespace event_shares_test
