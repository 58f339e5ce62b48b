// Event-driven runs where rounding, tangents and drift could be taken for motion.
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <vector>

#include "nonsmooth/kernel/kernel.hpp"

namespace event_robustness_test {

using namespace nonsmooth::kernel;

constexpr double gravity = 9.81;

// Instants are rounded by 1e-7 s at t = 1e9 s, so that a bounce begins that far below the floor.
TEST(EventRobustness, BouncesFarFromTimeZero) {
  for (const double t0 : {0.0, 1e7, 1e8, 1e9, 1.7e9}) {
    NonSmoothDynamicalSystem model(t0, t0 + 2);
    auto ball = std::make_shared<LagrangianLinearTIDS>(Vector::Ones(1), Vector::Zero(1), Matrix::Identity(1, 1));
    ball->setFExt(Vector::Constant(1, -gravity));
    model.insertDynamicalSystem(ball);
    model.link(std::make_shared<Interaction>(std::make_shared<NewtonImpactNSL>(0.8),
                                             std::make_shared<LagrangianLinearTIR>(Matrix::Identity(1, 1))),
               ball);
    TimeDiscretisation instants(t0, 0.125);
    LsodarOSI integrator;
    LCP impact, acceleration;
    EventDriven simulation(model, instants, integrator, impact, acceleration);
    simulation.run();
    const double fall = std::sqrt(2 / gravity), speed = 0.512 * gravity * fall, left = 2 - 3.88 * fall;
    EXPECT_EQ(simulation.count(ContactEvent::Impact), 3) << t0;
    EXPECT_EQ(simulation.count(ContactEvent::Accumulation), 0) << t0;
    EXPECT_NEAR(ball->q()[0], speed * left - 0.5 * gravity * left * left, 1e-5) << t0;
  }
}

// A sphere in a bowl, thrown along its wall, slides and then rolls. The scene is turned by `angle` about the vertical, the result
// turned back.
struct Bowl {
  static constexpr double bowl = 1.0, radius = 0.1, mass = 2.0, mu = 0.1;
  explicit Bowl(double angle) : turn(Eigen::AngleAxisd(angle, Vector3::UnitZ()).toRotationMatrix()) {
    const Vector3 place = turn * (0.9 * Vector3(std::sin(1.2), 0, -std::cos(1.2))), velocity = turn * Vector3::UnitY();
    Vector q(7), v(6);
    q << place, 1, 0, 0, 0;
    v << velocity, (-place.normalized()).cross(velocity) / radius;
    body = std::make_shared<NewtonEulerDS>(q, v, mass, Matrix3(Matrix3::Identity() * 0.4 * mass * radius * radius));
    body->setFExt(Vector3(0, 0, -mass * gravity));
    model.insertDynamicalSystem(body);
    model.link(contact, body);
  }
  static void touch(double, const double* q, const double*, Contact& contact) {
    const Vector3 x(q[0], q[1], q[2]), outward = x.normalized();
    contact.normal = -outward;
    contact.gap = bowl - radius - x.norm();
    contact.point1 = x + radius * outward;
    contact.point2 = bowl * outward;
  }
  Vector3 run(EventDrivenOSI& integrator) {
    TimeDiscretisation instants(0.0, 0.25);
    FrictionContact impact(3), acceleration(3);
    EventDriven simulation(model, instants, integrator, impact, acceleration);
    simulation.run();
    return turn.transpose() * Vector3(body->q().head<3>());
  }
  Matrix3 turn;
  NonSmoothDynamicalSystem model{0.0, 1.0};
  std::shared_ptr<NewtonEulerDS> body;
  std::shared_ptr<Interaction> contact = std::make_shared<Interaction>(std::make_shared<NewtonImpactFrictionNSL>(0, 0, mu, 3),
                                                                       std::make_shared<NewtonEuler3DR>(touch));
};

// Tangents are made from the coordinate axis that is across the normal, so that they turn at once where that changes.
TEST(EventRobustness, SlidingDoesNotDependOnTheTangents) {
  LsodarOSI lsodar;
  Hem5OSI hem5;
  const Vector3 first = Bowl(0).run(lsodar);
  for (const double angle : {0.0, 0.4, 1.0, 2.0}) {
    EXPECT_LE((Bowl(angle).run(lsodar) - first).norm(), 1e-7) << angle;
    EXPECT_LE((Bowl(angle).run(hem5) - first).norm(), 1e-6) << angle;
  }
}

// A ladder slides down between wall and floor, and leaves the wall at 2/3 of its height. By then constraints have drifted.
TEST(EventRobustness, DriftOfAClosedContactIsNoMotion) {
  LsodarOSI lsodar;
  Hem5OSI hem5;
  NewMarkAlphaOSI newmark(0.9);
  for (EventDrivenOSI* integrator :
       {static_cast<EventDrivenOSI*>(&lsodar), static_cast<EventDrivenOSI*>(&hem5), static_cast<EventDrivenOSI*>(&newmark)}) {
    NonSmoothDynamicalSystem model(0.0, 0.7);
    const double angle = 1.2;
    auto ladder = std::make_shared<LagrangianLinearTIDS>(Vector3(std::cos(angle), std::sin(angle), -angle), Vector::Zero(3),
                                                         Matrix(Vector3(3, 3, 1).asDiagonal()));
    ladder->setFExt(Vector3(0, -3 * gravity, 0));
    model.insertDynamicalSystem(ladder);
    // The ends at -u and u from the centre, u = (cos, sin) of the third coordinate.
    const auto contact = [&](const Eigen::Vector2d& normal, double end) {
      auto relation = std::make_shared<Lagrangian2d1DR>([normal, end](double, const double* q, const double*, PlanarContact& c) {
        const Eigen::Vector2d point = Eigen::Vector2d(q[0], q[1]) + end * Eigen::Vector2d(std::cos(q[2]), std::sin(q[2]));
        c.normal = normal;
        c.gap = normal.dot(point);
        c.point1 = point;
        c.point2 = point - c.gap * normal;
      });
      auto interaction = std::make_shared<Interaction>(std::make_shared<NewtonImpactNSL>(0.0), relation);
      model.link(interaction, ladder);
      return interaction;
    };
    const auto wall = contact({1, 0}, -1), floor = contact({0, 1}, 1);
    TimeDiscretisation instants(0.0, model.finalT() / 512);
    LCP impact, acceleration;
    EventDriven simulation(model, instants, *integrator, impact, acceleration);
    double height = 0;
    simulation.setEventCallback([&](const EventDriven&, const ContactRecord&) { height = ladder->q()[1]; });
    simulation.run();
    EXPECT_EQ(simulation.count(ContactEvent::Closing), 2) << integrator->className();
    EXPECT_EQ(simulation.count(ContactEvent::Opening), 1) << integrator->className();
    EXPECT_EQ(simulation.eventLog().size(), 3u) << integrator->className();
    EXPECT_EQ(simulation.eventLog().back().interaction, wall->handle());
    EXPECT_NEAR(height, 2.0 / 3 * std::sin(angle), integrator == &newmark ? 1e-5 : 1e-8) << integrator->className();
    EXPECT_LE(std::abs(floor->y(0)[0]), 1e-9);
  }
}

// A block with a contact at each corner, above a slope.
struct Block {
  double width, height, slope, restitution, friction;
  Vector3 q, v;
};

// Blocks come to rest on two corners. Flights that rounding of the gaps makes, 5e-10 s long, do not shrink; where one corner
// falls back it lifts the other.
TEST(EventRobustness, BlocksOnTheirCornersComeToRest) {
  const Block blocks[] = {
      {0.21655403623976699, 0.34939835205702569, -0.08175786274391425, 0.071856827379839713, 0,
       Vector3(0, 0.40376932408171334, 0), Vector3(-0.33364660113910904, -0.62753018188999943, -1.1815441224695173)},
      {0.30884238036824568, 0.35146971313303721, 0.21103564881971076, 0, 0.68142715636932971, Vector3(0, 0.35974817495573269, 0),
       Vector3(0.33705675940771296, -0.19513589465073014, 0.80889608357646825)}};
  for (const Block& shape : blocks) {
    NonSmoothDynamicalSystem model(0.0, 0.3);
    const double inertia = (shape.width * shape.width + shape.height * shape.height) / 3;
    auto block = std::make_shared<LagrangianLinearTIDS>(shape.q, shape.v, Matrix(Vector3(1, 1, inertia).asDiagonal()));
    block->setFExt(Vector3(-gravity * std::sin(shape.slope), -gravity * std::cos(shape.slope), 0));
    model.insertDynamicalSystem(block);
    std::vector<std::shared_ptr<Interaction>> corners;
    for (const double x : {-shape.width, shape.width})
      for (const double y : {-shape.height, shape.height}) {
        auto relation = std::make_shared<Lagrangian2d2DR>([x, y](double, const double* q, const double*, PlanarContact& c) {
          const double cosine = std::cos(q[2]), sine = std::sin(q[2]);
          c.point1 = {q[0] + cosine * x - sine * y, q[1] + sine * x + cosine * y};
          c.point2 = {c.point1.x(), 0};
          c.normal = {0, 1};
          c.gap = c.point1.y();
        });
        corners.push_back(std::make_shared<Interaction>(
            std::make_shared<NewtonImpactFrictionNSL>(shape.restitution, 0, shape.friction, 2), relation));
        model.link(corners.back(), block);
      }
    TimeDiscretisation instants(0.0, 0.05);
    Hem5OSI integrator;
    FrictionContact impact(2), acceleration(2);
    EventDriven simulation(model, instants, integrator, impact, acceleration);
    for (int k = 0; k < 1000 && simulation.hasNextEvent(); ++k) simulation.computeOneStep();
    EXPECT_FALSE(simulation.hasNextEvent()) << simulation.startingTime();
    EXPECT_LE(std::abs(corners[0]->y(1)[0]), 1e-12);
    EXPECT_LE(std::abs(corners[2]->y(1)[0]), 1e-12);
  }
}

// Two rods in a chain, with a mass at the end of each, above floors and beside walls: joints that drift are put back at events.
struct Chain {
  struct Rod {
    double length, angle, rate, mass;
  };
  explicit Chain(const std::array<Rod, 2>& rods) {
    Eigen::Vector2d place(0, 0), velocity(0, 0);
    for (const Rod& rod : rods) {
      const Eigen::Vector2d along(std::cos(rod.angle), std::sin(rod.angle));
      place += rod.length * along;
      velocity += rod.length * rod.rate * Eigen::Vector2d(-along.y(), along.x());
      auto mass = std::make_shared<LagrangianLinearTIDS>(place, velocity, Matrix(rod.mass * Matrix::Identity(2, 2)));
      mass->setFExt(Eigen::Vector2d(0, -gravity * rod.mass));
      model.insertDynamicalSystem(mass);
      join(mass, rod.length);
      touch(mass, {1, 0}, -0.05);
      touch(mass, {0, 1}, masses.empty() ? 0.9 : 1.2);
      masses.push_back(mass);
    }
  }
  void join(const std::shared_ptr<LagrangianLinearTIDS>& mass, double length) {
    const Index first = masses.empty() ? 0 : 2;
    const auto gradient = [first](ConstVectorRef q, MatrixRef out) {
      const Eigen::Vector2d along = first == 0 ? Eigen::Vector2d(q) : Eigen::Vector2d(q.tail(2) - q.head(2));
      if (first > 0) out.leftCols(2) = -along.transpose();
      out.rightCols(2) = along.transpose();
    };
    auto rod = std::make_shared<LagrangianScleronomousR>(
        [gradient, first, length](ConstVectorRef q, VectorRef out, VectorRef) {
          Matrix along(1, first + 2);
          gradient(q, along);
          out[0] = 0.5 * (along.rightCols(2).squaredNorm() - length * length);
        },
        [gradient](ConstVectorRef q, MatrixRef out, VectorRef) { gradient(q, out); },
        [gradient](ConstVectorRef, ConstVectorRef v, MatrixRef out, VectorRef) { gradient(v, out); });
    auto joint = std::make_shared<Interaction>(std::make_shared<EqualityConditionNSL>(1), rod);
    if (masses.empty())
      model.link(joint, mass);
    else
      model.link(joint, masses.back(), mass);
    joints.push_back(joint);
  }
  void touch(const std::shared_ptr<LagrangianLinearTIDS>& mass, const Eigen::RowVector2d& normal, double distance) {
    model.link(std::make_shared<Interaction>(std::make_shared<NewtonImpactNSL>(0.0),
                                             std::make_shared<LagrangianLinearTIR>(normal, Vector::Constant(1, distance))),
               mass);
  }
  NonSmoothDynamicalSystem model{0.0, 1.0};
  std::vector<std::shared_ptr<LagrangianLinearTIDS>> masses;
  std::vector<std::shared_ptr<Interaction>> joints;
};

// Where joints are put back at an impact the contact goes below zero by 1e-11, from where it opens: that is no second impact.
TEST(EventRobustness, JointsPutBackAreNoImpact) {
  for (const auto& rods :
       {std::array<Chain::Rod, 2>{{{0.74385598100135519, -0.67625378979055006, 0.91120044578592707, 1.3543326558109332},
                                   {0.54702650574125511, -0.16315771241394295, 0.7574907582975039, 0.65463677179934987}}},
        std::array<Chain::Rod, 2>{{{0.51655941284844753, 0.019668245792774597, -0.069385041691924276, 0.53083165870301707},
                                   {0.70670131118650359, -0.012004777626960283, -0.44394610906623644, 1.088497724700789}}}}) {
    Chain chain(rods);
    TimeDiscretisation instants(0.0, 0.01);
    LsodarOSI integrator;
    MLCP impact, acceleration;
    EventDriven simulation(chain.model, instants, integrator, impact, acceleration);
    simulation.run([](const Simulation&, const StepStatus& status) { EXPECT_LE(status.violation, 1e-9); });
    EXPECT_LE(simulation.eventLog().size(), 20u);
  }
}

// Two free bodies in a knee keep their energy, however many instants look on: motion does not go on from continuous output.
TEST(EventRobustness, InstantsLeaveJointsAlone) {
  for (const double h : {1.0, 0.01, 0.0049}) {
    Vector q1(7), q2(7), v1(6), v2(6);
    q1 << 0, 0, 0, 1, 0, 0, 0;
    q2 << 1, 0.3, -0.2, 1, 0, 0, 0;
    v1 << 0.3, -0.2, 0.5, 1, -2, 0.7;
    const Vector3 knee(0.4, 0.1, 0.2), spin(0.5, 1, -1.5);
    v2 << v1.head<3>() + Vector3(v1.tail<3>()).cross(knee) + spin.cross(Vector3(q2.head<3>()) - knee), spin;
    auto first = std::make_shared<NewtonEulerDS>(q1, v1, 1.0, Matrix3(Vector3(0.3, 0.5, 0.6).asDiagonal()));
    auto second = std::make_shared<NewtonEulerDS>(q2, v2, 2.0, Matrix3(Vector3(0.4, 0.7, 0.5).asDiagonal()));
    NonSmoothDynamicalSystem model(0.0, 1.0);
    model.insertDynamicalSystem(first);
    model.insertDynamicalSystem(second);
    auto joint =
        std::make_shared<Interaction>(std::make_shared<EqualityConditionNSL>(3), std::make_shared<KneeJointR>(knee, q1, q2));
    model.link(joint, first, second);
    const double energy = model.kineticEnergy();
    TimeDiscretisation instants(0.0, h);
    Hem5OSI integrator;
    Equality impact, acceleration;
    EventDriven simulation(model, instants, integrator, impact, acceleration);
    simulation.run([&](const Simulation&, const StepStatus&) { EXPECT_LE(joint->y(0).cwiseAbs().maxCoeff(), 1e-10); });
    EXPECT_NEAR(model.kineticEnergy(), energy, 1e-11) << h;
  }
}

// The response of a heavy body beside that of a light one is no sign that its contact depends on the other: it fell through the
// floor. A second contact that does depend on the first shares its force.
TEST(EventRobustness, LightAndHeavyBodiesRest) {
  for (const double heavy : {1e2, 1e6, 1e9})
    for (int which = 0; which < 3; ++which) {
      NonSmoothDynamicalSystem model(0.0, 1.0);
      std::vector<std::shared_ptr<LagrangianLinearTIDS>> bodies;
      std::vector<std::shared_ptr<Interaction>> contacts;
      const auto law = std::make_shared<NewtonImpactNSL>(0.5);
      const auto floor = std::make_shared<LagrangianLinearTIR>(Matrix::Identity(1, 1));
      for (const double mass : {1 / heavy, heavy}) {
        bodies.push_back(std::make_shared<LagrangianLinearTIDS>(Vector::Zero(1), Vector::Zero(1), mass * Matrix::Identity(1, 1)));
        bodies.back()->setFExt(Vector::Constant(1, -gravity * mass));
        model.insertDynamicalSystem(bodies.back());
      }
      for (const std::size_t body : {0U, 1U, 1U}) {
        contacts.push_back(std::make_shared<Interaction>(law, floor));
        model.link(contacts.back(), bodies[body]);
      }
      TimeDiscretisation instants(0.0, 0.125);
      LsodarOSI lsodar;
      Hem5OSI hem5;
      NewMarkAlphaOSI newmark(0.8);
      LCP impact, acceleration;
      EventDrivenOSI* integrators[] = {&lsodar, &hem5, &newmark};
      EventDriven simulation(model, instants, *integrators[which], impact, acceleration);
      simulation.run();
      for (const auto& body : bodies) EXPECT_NEAR(body->q()[0], 0, 1e-12) << heavy << " " << which;
      EXPECT_NEAR(contacts[0]->lambda(2)[0] * heavy, gravity, 1e-6) << heavy << " " << which;
      for (const std::size_t k : {1U, 2U})
        EXPECT_NEAR(contacts[k]->lambda(2)[0] / heavy, gravity / 2, 1e-6) << heavy << " " << which;
    }
}

// Forces jump where nothing has moved: no step is short enough for errors relative to the motion, and instants are rounded.
TEST(EventRobustness, ForcesThatJumpAtBodiesAtRest) {
  const Matrix one = Matrix::Identity(2, 2);
  for (const double t0 : {0.0, 1e3, 1e6})
    for (const double first : {1e-6, 0.3, 0.70001}) {
      NonSmoothDynamicalSystem model(t0, t0 + 1);
      auto body = std::make_shared<LagrangianLinearTIDS>(Vector::Zero(2), Vector::Zero(2), one, one, LinearOperator());
      body->setComputeFExtFunction([=](double t, VectorRef out, VectorRef) {
        out[0] = t > t0 + first ? 1 : 0;
        out[1] = t > t0 + first + 0.1 ? 1 : 0;
      });
      model.insertDynamicalSystem(body);
      TimeDiscretisation instants(t0, 0.125);
      LsodarOSI integrator;
      integrator.setMinMaxStepSizes(0, 0.02);
      EventDriven simulation(model, instants);
      simulation.insertIntegrator(integrator);
      simulation.run();
      const double allowed = 1e-10 + 1e-12 * t0;
      EXPECT_NEAR(body->q()[0], 1 - std::cos(1 - first), allowed) << t0 << " " << first;
      EXPECT_NEAR(body->q()[1], 1 - std::cos(0.9 - first), allowed) << t0 << " " << first;
      EXPECT_LT(integrator.steps(), 3000) << t0 << " " << first;
    }
}

}  // namespace event_robustness_test
