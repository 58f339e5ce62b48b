// Sliding mode control: x' = b(t) + 2 u, u = -sgn(x), with a disturbance b = sin(t) that the controller does not know. The state
// reaches 0 in finite time and stays there without chattering; the multiplier is then the equivalent control -b/2, of which the
// scheme gives the mean over a step.
#include "example.hpp"

using namespace nonsmooth::kernel;

int main() {
  const double start = 1.0, h = 1e-3;
  NonSmoothDynamicalSystem model(0.0, 10.0);
  auto plant = std::make_shared<FirstOrderLinearDS>(Vector::Constant(1, start), Matrix::Zero(1, 1));
  plant->setComputebFunction([](double t, VectorRef b, VectorRef) { b[0] = std::sin(t); });
  model.insertDynamicalSystem(plant);
  auto controller = std::make_shared<Interaction>(
      std::make_shared<RelayNSL>(1), std::make_shared<FirstOrderLinearTIR>(Matrix::Identity(1, 1), Matrix::Constant(1, 1, 2.0)));
  model.link(controller, plant);

  TimeDiscretisation instants(0.0, h);
  EulerMoreauOSI integrator(0.5);
  Relay problem;
  TimeStepping simulation(model, instants, integrator, problem);
  CsvTrajectory output("sliding_mode.csv");
  output.addSystem("plant", *plant);
  output.addInteraction("control", *controller, 0);
  Report report;
  double reached = 0, away = 0, control = 0;
  simulation.run([&](const Simulation& s, const StepStatus& status) {
    report.step(status);
    output.record(s.nextTime());
    const double t = s.nextTime(), x = plant->x()[0], mean = 0.5 * (std::sin(t) + std::sin(t - h));
    if (reached == 0 && std::abs(x) < 1e-12) {
      reached = t;
    } else if (reached > 0) {
      away = std::max(away, std::abs(x));
      control = std::max(control, std::abs(controller->lambda(0)[0] + 0.5 * mean));
    }
  });
  // x = start + 1 - cos(t) - 2 t until it is 0.
  double exact = 0.5;
  for (int k = 0; k < 20; ++k) exact -= (start + 1 - std::cos(exact) - 2 * exact) / (std::sin(exact) - 2);
  report.figure("instant of reaching 0 [s]", reached, exact, 1.01 * h);
  report.figure("largest distance afterwards", away, 0, 1e-12);
  report.figure("largest departure from the equivalent control", control, 0, 1e-9);
  return report.exitCode();
}
