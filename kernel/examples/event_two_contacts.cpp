// A bar falls on two supports, a little askew: its ends bounce in turn, their impacts accumulate, and it rests on both with half
// of its weight on each. q = (height of the centre, angle), for small angles.
#include "example.hpp"

using namespace nonsmooth::kernel;

int main() {
  const double gravity = 9.81, mass = 2.0, half = 0.5, e = 0.6, inertia = mass * half * half / 3;
  NonSmoothDynamicalSystem model(0.0, 5.0);
  auto bar = std::make_shared<LagrangianLinearTIDS>(Eigen::Vector2d(0.5, 0.02), Eigen::Vector2d(0, 0),
                                                    Diagonal(Eigen::Vector2d(mass, inertia)));
  bar->setFExt(Eigen::Vector2d(-mass * gravity, 0));
  model.insertDynamicalSystem(bar);
  std::vector<std::shared_ptr<Interaction>> supports;
  for (const double arm : {-half, half}) {
    Matrix H(1, 2);
    H << 1, arm;
    supports.push_back(
        std::make_shared<Interaction>(std::make_shared<NewtonImpactNSL>(e), std::make_shared<LagrangianLinearTIR>(H)));
    model.link(supports.back(), bar);
  }
  TimeDiscretisation instants(0.0, 0.01);
  LsodarOSI integrator;
  LCP impact, acceleration;
  EventDriven simulation(model, instants, integrator, impact, acceleration);
  double first = 0;
  simulation.setEventCallback([&](const EventDriven&, const ContactRecord& record) {
    if (first == 0) first = record.time;
    if (record.kind != ContactEvent::Impact)
      std::printf("t = %.9f: %s of support %d\n", record.time, name(record.kind), record.interaction.index);
  });
  Report report;
  simulation.run([&](const Simulation&, const StepStatus& status) { report.step(status); });
  std::printf("%ld impacts\n", simulation.count(ContactEvent::Impact));
  report.figure("first impact [s]", first, std::sqrt(2 * (0.5 - 0.02 * half) / gravity), 1e-12);
  report.figure("force of the left support [N]", supports[0]->lambda(2)[0], mass * gravity / 2, 1e-12);
  report.figure("force of the right support [N]", supports[1]->lambda(2)[0], mass * gravity / 2, 1e-12);
  report.figure("angle at rest", bar->q()[1], 0, 1e-15);
  report.figure("velocity at rest", bar->velocity().norm(), 0, 1e-15);
  return report.exitCode();
}
