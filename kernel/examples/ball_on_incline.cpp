// A ball on an inclined plane with Coulomb friction: it rolls where tan(angle) <= 7/2 mu and slips where the plane is steeper.
// The motion is uniformly accelerated, so velocities of the scheme must be those of analysis up to the tolerance of the solver.
#include "example.hpp"

using namespace nonsmooth::kernel;

namespace {

constexpr double gravity = 9.81, mass = 0.5, radius = 0.1, mu = 0.2, inertia = 0.4 * mass * radius * radius, T = 1.0;

// Velocity along the slope and angular velocity after T seconds from rest.
Eigen::Vector2d run(double angle, Report& report) {
  // Coordinates: along the slope (downwards), normal to it, rotation.
  NonSmoothDynamicalSystem model(0.0, T);
  const LinearOperator inertias = Diagonal(Eigen::Vector3d(mass, mass, inertia));
  auto ball = std::make_shared<LagrangianLinearTIDS>(Eigen::Vector3d(0, radius, 0), Vector::Zero(3), inertias);
  ball->setFExt(mass * gravity * Eigen::Vector3d(std::sin(angle), -std::cos(angle), 0));
  model.insertDynamicalSystem(ball);
  // Rows: gap, and the velocity of the lowest point of the ball along the slope.
  Matrix H(2, 3);
  H << 0, 1, 0, 1, 0, radius;
  auto contact = std::make_shared<Interaction>(std::make_shared<NewtonImpactFrictionNSL>(0.0, 0.0, mu, 2),
                                               std::make_shared<LagrangianLinearTIR>(H, Eigen::Vector2d(-radius, 0)));
  model.link(contact, ball);

  TimeDiscretisation instants(0.0, 1e-3);
  MoreauJeanOSI integrator(0.5);
  FrictionContact problem(2);
  problem.setTolerance(1e-12);
  TimeStepping simulation(model, instants, integrator, problem);
  simulation.run([&](const Simulation&, const StepStatus& status) { report.step(status); });
  return {ball->velocity()[0], ball->velocity()[2]};
}

}  // namespace

int main() {
  Report report;
  const double gentle = 0.5, steep = 0.8;  // the limit is atan(7/2 mu) = 0.61 rad
  const Eigen::Vector2d rolling = run(gentle, report), slipping = run(steep, report);
  const double rolled = 5.0 / 7.0 * gravity * std::sin(gentle) * T;
  report.figure("velocity of the rolling ball [m/s]", rolling[0], rolled, 1e-8);
  report.figure("its angular velocity [rad/s]", rolling[1], -rolled / radius, 1e-7);
  report.figure("velocity of the slipping ball [m/s]", slipping[0], gravity * (std::sin(steep) - mu * std::cos(steep)) * T, 1e-8);
  report.figure("its angular velocity [rad/s]", slipping[1], -2.5 * mu * gravity * std::cos(steep) * T / radius, 1e-7);
  return report.exitCode();
}
