// What the projection schemes project: gaps and equalities of mechanical systems, nothing else.
#include <memory>

#include "message_of.hpp"
#include "trajectory.hpp"

namespace projection_test {

using namespace nonsmooth::kernel;

// A mass that a weak relay brakes slides on through y = 0: its output is no gap.
struct Braked {
  Braked() {
    model.insertDynamicalSystem(mass);
    model.link(std::make_shared<Interaction>(std::make_shared<RelayNSL>(1, -0.01, 0.01),
                                             std::make_shared<LagrangianLinearTIR>(Matrix::Identity(1, 1))),
               mass);
  }
  std::shared_ptr<LagrangianLinearTIDS> mass =
      std::make_shared<LagrangianLinearTIDS>(Vector::Zero(1), Vector::Constant(1, -1.0), Matrix::Identity(1, 1));
  NonSmoothDynamicalSystem model{0.0, 0.5};
  TimeDiscretisation instants{0.0, 0.05};
  Relay problem;
};

TEST(Projection, ARelayIsNoGap) {
  Braked plain, direct, combined;
  MoreauJeanOSI integrator(0.5);
  MoreauJeanDirectProjectionOSI direct_integrator(0.5);
  MoreauJeanCombinedProjectionOSI combined_integrator(0.5);
  TimeStepping(plain.model, plain.instants, integrator, plain.problem).run();
  TimeSteppingDirectProjection(direct.model, direct.instants, direct_integrator, direct.problem).run();
  TimeSteppingCombinedProjection(combined.model, combined.instants, combined_integrator, combined.problem).run();
  EXPECT_LT(plain.mass->q()[0], -0.4);
  EXPECT_EQ(direct.mass->q()[0], plain.mass->q()[0]);
  EXPECT_EQ(combined.mass->q()[0], plain.mass->q()[0]);
  EXPECT_EQ(combined.mass->velocity()[0], plain.mass->velocity()[0]);
}

// A ball falls on a plate, one component of which is prescribed and coupled by the mass to one that is free: what is prescribed
// stays, diagonal masses or not.
TEST(Projection, PrescribedVelocitiesAreNotMoved) {
  for (const double coupling : {0.0, 0.5}) {
    NonSmoothDynamicalSystem model(0.0, 0.5);
    TimeDiscretisation instants(0.0, 0.01);
    auto plate =
        std::make_shared<LagrangianLinearTIDS>(Vector::Zero(2), Vector::Zero(2), Matrix{{1.0, coupling}, {coupling, 1.0}});
    plate->setBoundaryConditions(std::make_shared<FixedBC>(std::vector<Index>{0}));
    auto ball = std::make_shared<LagrangianLinearTIDS>(Vector::Constant(1, 0.5), Vector::Zero(1), Matrix::Identity(1, 1));
    ball->setFExt(Vector::Constant(1, -9.81));
    model.insertDynamicalSystem(plate);
    model.insertDynamicalSystem(ball);
    auto contact = std::make_shared<Interaction>(std::make_shared<NewtonImpactNSL>(0.0),
                                                 std::make_shared<LagrangianLinearTIR>(Matrix{{-1.0, 0.0, 1.0}}));
    model.link(contact, plate, ball);
    MoreauJeanDirectProjectionOSI integrator(0.5);
    LCP problem;
    TimeSteppingDirectProjection simulation(model, instants, integrator, problem);
    int projections = 0;
    simulation.run([&](const Simulation&, const StepStatus&) { projections += simulation.projectionIterations(); });
    EXPECT_GT(projections, 0);
    EXPECT_EQ(plate->q()[0], 0.0);
    EXPECT_EQ(plate->q()[1], 0.0);
    EXPECT_NEAR(ball->q()[0], 0.0, 1e-8);
  }
}

// A soft floor acts in every step: no rule of activation lets a mass fly through it for one.
TEST(Projection, CompliantContactsAreAlwaysActive) {
  const auto end = [](auto&& make) {
    auto mass = std::make_shared<LagrangianLinearTIDS>(Vector::Constant(1, 0.1), Vector::Zero(1), Matrix::Identity(1, 1));
    mass->setFExt(Vector::Constant(1, -10.0));
    NonSmoothDynamicalSystem model(0.0, 1.0);
    model.insertDynamicalSystem(mass);
    const Matrix one = Matrix::Identity(1, 1);
    model.link(std::make_shared<Interaction>(std::make_shared<ComplementarityConditionNSL>(1),
                                             std::make_shared<LagrangianCompliantLinearTIR>(one, 1e-3 * one)),
               mass);
    TimeDiscretisation instants(0.0, 0.005);
    LCP problem;
    make(model, instants, problem);
    return mass->q()[0];
  };
  const auto plain = [](NonSmoothDynamicalSystem& model, TimeDiscretisation& instants, LCP& problem) {
    MoreauJeanOSI integrator(0.5);
    TimeStepping(model, instants, integrator, problem).run();
  };
  const auto direct = [](NonSmoothDynamicalSystem& model, TimeDiscretisation& instants, LCP& problem) {
    MoreauJeanDirectProjectionOSI integrator(0.5);
    TimeSteppingDirectProjection simulation(model, instants, integrator, problem);
    simulation.run([&](const Simulation& s, const StepStatus& status) {
      EXPECT_EQ(status.activeContacts, 1) << s.nextTime();
      EXPECT_EQ(simulation.projectionIterations(), 0);
    });
  };
  EXPECT_EQ(end(plain), end(direct));
}

// An oscillator with a relay, first order, by the theta-gamma scheme.
struct Circuit {
  explicit Circuit(NonSmoothDynamicalSystem& model) {
    model.insertDynamicalSystem(relayed);
    model.link(std::make_shared<Interaction>(std::make_shared<RelayNSL>(1),
                                             std::make_shared<FirstOrderLinearTIR>(Matrix{{0.6, 1.0}}, Matrix{{0.0}, {1.0}})),
               relayed);
  }
  std::shared_ptr<FirstOrderLinearTIDS> relayed =
      std::make_shared<FirstOrderLinearTIDS>(Vector{{1.0, -0.4}}, Matrix{{0.0, 1.0}, {-1.0, -0.3}}, Vector{{0.0, 0.2}});
  std::shared_ptr<EulerMoreauOSI> integrator = std::make_shared<EulerMoreauOSI>(0.6, 0.7);
};

// Beside a ball that falls on the floor: the ball is projected, the oscillator does what it does alone, r of the last step, which
// the scheme goes on from, included.
// A contact at rest stays active while y' is 0: a ball that was lifted hung in the air.
TEST(Projection, ABodyThatIsLiftedFalls) {
  const auto end = [](TimeStepping& simulation, LagrangianLinearTIDS& ball) {
    simulation.run([&](const Simulation& s, const StepStatus&) {
      if (s.getK() == 4) ball.setq(Vector::Constant(1, 3.0));
    });
    return ball.q()[0];
  };
  for (const bool combined : {false, true}) {
    NonSmoothDynamicalSystem model(0.0, 1.0);
    auto ball = std::make_shared<LagrangianLinearTIDS>(Vector::Zero(1), Vector::Zero(1), Matrix::Identity(1, 1));
    ball->setFExt(Vector::Constant(1, -2.0));
    model.insertDynamicalSystem(ball);
    model.link(std::make_shared<Interaction>(std::make_shared<NewtonImpactNSL>(0.5),
                                             std::make_shared<LagrangianLinearTIR>(Matrix::Identity(1, 1))),
               ball);
    TimeDiscretisation instants(0.0, 0.125);
    MoreauJeanDirectProjectionOSI direct_integrator(0.5);
    MoreauJeanCombinedProjectionOSI combined_integrator(0.5);
    LCP problem;
    if (combined) {
      TimeSteppingCombinedProjection simulation(model, instants, combined_integrator, problem);
      EXPECT_DOUBLE_EQ(end(simulation, *ball), 2.75);
    } else {
      TimeSteppingDirectProjection simulation(model, instants, direct_integrator, problem);
      EXPECT_DOUBLE_EQ(end(simulation, *ball), 2.75);
    }
  }
}

TEST(Projection, FirstOrderSystemsKeepTheirInputs) {
  TimeDiscretisation instants(0.0, 1e-2);
  NonSmoothDynamicalSystem alone(0.0, 2.0);
  Circuit reference(alone);
  Relay problem;
  std::vector<double> wanted, found;
  TimeStepping plain(alone, instants, reference.integrator, problem);
  plain.run([&](const Simulation&, const StepStatus&) { wanted.push_back(reference.relayed->x()[1]); });

  NonSmoothDynamicalSystem mixed(0.0, 2.0);
  TimeDiscretisation same(0.0, 1e-2);
  MoreauJeanDirectProjectionOSI mechanical(0.5);
  Relay common;
  TimeSteppingDirectProjection simulation(mixed, same, mechanical, common);
  Circuit circuit(mixed);
  auto ball = std::make_shared<LagrangianLinearTIDS>(Vector::Constant(1, 1.0), Vector::Zero(1), Matrix::Identity(1, 1));
  ball->setFExt(Vector::Constant(1, -9.81));
  mixed.insertDynamicalSystem(ball);
  auto floor = std::make_shared<Interaction>(std::make_shared<NewtonImpactNSL>(0.5),
                                             std::make_shared<LagrangianLinearTIR>(Matrix::Identity(1, 1)));
  mixed.link(floor, ball);
  simulation.associate(circuit.integrator, *circuit.relayed);
  int projections = 0;
  simulation.run([&](const Simulation&, const StepStatus&) {
    found.push_back(circuit.relayed->x()[1]);
    projections += simulation.projectionIterations();
    if (floor->lambda(1)[0] > 0) {
      EXPECT_GE(floor->y(0)[0], -1e-8);
    }
  });
  EXPECT_GT(projections, 0);
  ASSERT_EQ(found.size(), wanted.size());
  for (std::size_t k = 0; k < found.size(); ++k) EXPECT_NEAR(found[k], wanted[k], 1e-9) << k;
}

// Two bodies over a floor. What is projected changes: other contacts close, and one gives its place to an equality.
TEST(Projection, FollowsTheConstraintsThatAreThere) {
  NonSmoothDynamicalSystem model(0.0, 2.0);
  std::vector<std::shared_ptr<LagrangianLinearTIDS>> body;
  std::vector<std::shared_ptr<Interaction>> floor;
  for (const double height : {0.3, 0.7}) {
    body.push_back(std::make_shared<LagrangianLinearTIDS>(Vector::Constant(1, height), Vector::Zero(1), Matrix::Identity(1, 1)));
    body.back()->setFExt(Vector::Constant(1, -9.81));
    model.insertDynamicalSystem(body.back());
    floor.push_back(std::make_shared<Interaction>(std::make_shared<NewtonImpactNSL>(0.6),
                                                  std::make_shared<LagrangianLinearTIR>(Matrix::Identity(1, 1))));
    model.link(floor.back(), body.back());
  }
  const auto rod =
      std::make_shared<Interaction>(std::make_shared<EqualityConditionNSL>(1),
                                    std::make_shared<LagrangianLinearTIR>(Matrix::Identity(1, 1), Vector::Constant(1, 0.01)));
  TimeDiscretisation instants(0.0, 1e-2);
  MoreauJeanDirectProjectionOSI integrator(0.5);
  MLCP problem;
  TimeSteppingDirectProjection simulation(model, instants, integrator, problem);
  int projections = 0;
  for (int k = 0; k < 200; ++k) {
    if (k == 150) {
      const int place = floor[0]->handle().index;
      model.removeInteraction(*floor[0]);
      EXPECT_EQ(model.link(rod, body[0]).index, place);
    }
    simulation.computeOneStep();
    projections += simulation.projectionIterations();
    for (const int index : simulation.indexSet(1)) {
      EXPECT_GE(model.records()[static_cast<std::size_t>(index)].object->y(0)[0], -1e-8);
    }
    if (k >= 150) {
      EXPECT_NEAR(body[0]->q()[0], -0.01, 1e-8) << k;
    }
  }
  EXPECT_GT(projections, 4);
}

// y = 0 and y + 0.01 = 0: no position obeys both.
struct Contradiction {
  Contradiction() {
    model.insertDynamicalSystem(mass);
    model.link(std::make_shared<Interaction>(
                   std::make_shared<EqualityConditionNSL>(2),
                   std::make_shared<LagrangianLinearTIR>(Matrix{{0.0, 1.0}, {0.0, 1.0}}, Eigen::Vector2d(0, 0.01))),
               mass);
  }
  std::shared_ptr<LagrangianLinearTIDS> mass =
      std::make_shared<LagrangianLinearTIDS>(Vector::Zero(2), Eigen::Vector2d(1, 0), Matrix::Identity(2, 2));
  NonSmoothDynamicalSystem model{0.0, 0.25};
  TimeDiscretisation instants{0.0, 0.125};
  MLCP problem;
};

TEST(Projection, FailuresFollowThePolicy) {
  Contradiction thrown, recorded, combined;
  MoreauJeanDirectProjectionOSI first, second;
  MoreauJeanCombinedProjectionOSI third;
  TimeSteppingDirectProjection throws(thrown.model, thrown.instants, first, thrown.problem);
  const std::string message = test::messageOf([&] { throws.run(); });
  EXPECT_NE(message.find("projection on constraints at t = 0.125: "), std::string::npos) << message;

  const auto steps = [](TimeStepping& simulation) {
    int count = 0;
    simulation.setFailurePolicy(FailurePolicy::Record);
    simulation.run([&](const Simulation&, const StepStatus& status) {
      EXPECT_FALSE(status.solve.certified);
      ++count;
    });
    return count;
  };
  TimeSteppingDirectProjection records(recorded.model, recorded.instants, second, recorded.problem);
  EXPECT_EQ(steps(records), 2);
  EXPECT_EQ(records.projectionIterations(), 1);
  EXPECT_EQ(recorded.mass->q()[0], 0.25);
  EXPECT_EQ(recorded.mass->q()[1], 0);
  TimeSteppingCombinedProjection both(combined.model, combined.instants, third, combined.problem);
  EXPECT_EQ(steps(both), 2);
}

}  // namespace projection_test
