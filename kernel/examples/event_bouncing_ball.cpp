// A ball bounces and comes to rest, event by event: impacts t_n = t_1 + 2 t_1 e (1 - e^(n-1)) / (1 - e), t_1 = sqrt(2 / g), whose
// accumulation at t_1 (1 + e) / (1 - e) is recognised and jumped. Writes event_bouncing_ball.csv with the states before and after
// each impact.
#include "example.hpp"

using namespace nonsmooth::kernel;

int main() {
  const double gravity = 9.81, e = 0.9;
  NonSmoothDynamicalSystem model(0.0, 20.0);
  auto ball = std::make_shared<LagrangianLinearTIDS>(Vector::Constant(1, 1.0), Vector::Zero(1), Matrix::Identity(1, 1));
  ball->setFExt(Vector::Constant(1, -gravity));
  model.insertDynamicalSystem(ball);
  auto contact = std::make_shared<Interaction>(std::make_shared<NewtonImpactNSL>(e),
                                               std::make_shared<LagrangianLinearTIR>(Matrix::Identity(1, 1)));
  model.link(contact, ball);

  // How it is computed: variable steps between events, one LCP for velocities and one for accelerations at each of them.
  TimeDiscretisation instants(0.0, 0.01);
  LsodarOSI integrator;
  LCP impact, acceleration;
  EventDriven simulation(model, instants, integrator, impact, acceleration);

  CsvTrajectory output("event_bouncing_ball.csv");
  output.addSystem("ball", *ball);
  output.addInteraction("floor", *contact, 1);
  output.addInteraction("floor_force", *contact, 2);
  simulation.setTrajectoryCallback([&](const EventDriven& s, bool) { output.record(s.startingTime()); });

  const double first = std::sqrt(2 / gravity);
  double worst = 0, accumulation = 0;
  int impacts = 0;
  simulation.setEventCallback([&](const EventDriven&, const ContactRecord& record) {
    if (record.kind == ContactEvent::Accumulation) accumulation = record.until;
    if (record.kind != ContactEvent::Impact) return;
    const double exact = first * (1 + 2 * e * (1 - std::pow(e, impacts++)) / (1 - e));
    worst = std::max(worst, std::abs(record.time / exact - 1));
  });
  Report report;
  simulation.run([&](const Simulation&, const StepStatus& status) { report.step(status); });
  std::printf("%d impacts\n", impacts);
  report.figure("greatest relative error of an instant", worst, 0, 1e-11);
  report.figure("accumulation [s]", accumulation, first * (1 + e) / (1 - e), 1e-9);
  report.figure("height at rest [m]", ball->q()[0], 0, 0);
  report.figure("velocity at rest [m/s]", ball->velocity()[0], 0, 0);
  report.figure("force at rest [N]", contact->lambda(2)[0], gravity, 0);
  return report.exitCode();
}
