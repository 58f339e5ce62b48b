// A mass on a spring lies on a belt that moves with velocity b; dry friction pulls it: x'' + x = f lambda, lambda in -Sgn(x' -
// b), a differential inclusion of Filippov. From rest the mass is dragged, sticks to the belt when it has its velocity, and lets
// go where the spring is as strong as friction (x = f); from there it oscillates about f with amplitude b.
#include "example.hpp"

using namespace nonsmooth::kernel;

int main() {
  const double f = 1.0, belt = 0.5, h = 1e-4;
  // State: position and velocity; y = velocity relative to the belt.
  Matrix A(2, 2);
  A << 0, 1, -1, 0;
  NonSmoothDynamicalSystem model(0.0, 10.0);
  auto mass = std::make_shared<FirstOrderLinearTIDS>(Eigen::Vector2d(0, 0), A);
  model.insertDynamicalSystem(mass);
  auto friction = std::make_shared<Interaction>(
      std::make_shared<RelayNSL>(1), std::make_shared<FirstOrderLinearTIR>(Eigen::RowVector2d(0, 1), Matrix(), Matrix(),
                                                                           Vector::Constant(1, -belt), Eigen::Vector2d(0, f)));
  model.link(friction, mass);

  TimeDiscretisation instants(0.0, h);
  EulerMoreauOSI integrator(0.5);
  Relay problem;
  TimeStepping simulation(model, instants, integrator, problem);
  CsvTrajectory output("friction_oscillator.csv");
  output.addSystem("mass", *mass);
  output.addInteraction("friction", *friction, 0);
  Report report;
  // Friction is within its bounds while the mass sticks.
  double sticks = 0, slips = 0, highest = 0, lowest = 1, slip_velocity = 0;
  long k = 0;
  simulation.run([&](const Simulation& s, const StepStatus& status) {
    report.step(status);
    const double t = s.nextTime(), lambda = friction->lambda(0)[0];
    if (sticks == 0 && lambda < 1 - 1e-9) sticks = t;
    if (sticks > 0 && slips == 0) {
      if (lambda >= 1 - 1e-9)
        slips = t;
      else
        slip_velocity = std::max(slip_velocity, std::abs(mass->x()[1] - belt));
    }
    if (slips > 0) highest = std::max(highest, mass->x()[0]), lowest = std::min(lowest, mass->x()[0]);
    if (++k % 10 == 0) output.record(t);
  });
  const double dragged = std::asin(belt / f), at = f * (1 - std::cos(dragged));
  report.figure("the mass begins to stick [s]", sticks, dragged, 2 * h);
  report.figure("largest relative velocity while it sticks", slip_velocity, 0, 1e-12);
  report.figure("it lets go [s]", slips, dragged + (f - at) / belt, 4 * h);
  report.figure("amplitude afterwards", 0.5 * (highest - lowest), belt, 1e-4);
  return report.exitCode();
}
