// A four-diode bridge rectifies the current of an LC oscillator through a resistor (Acary, Bonnefon, Brogliato 2010). The voltage
// over the resistor must be the absolute value of that of the capacitor wherever a pair of diodes conducts.
#include "example.hpp"

using namespace nonsmooth::kernel;

int main() {
  const double L = 1e-2, C = 1e-6, R = 1e3;
  // State: voltage of the capacitor, current of the inductor.
  Matrix A(2, 2), output(4, 2), D(4, 4), B(2, 4);
  A << 0, -1 / C, 1 / L, 0;
  output << 0, 0, 0, 0, -1, 0, 1, 0;
  D << 1 / R, 1 / R, -1, 0, 1 / R, 1 / R, 0, -1, 1, 0, 0, 0, 0, 1, 0, 0;
  B << 0, 0, -1 / C, 1 / C, 0, 0, 0, 0;
  NonSmoothDynamicalSystem model(0.0, 5e-3);
  auto oscillator = std::make_shared<FirstOrderLinearTIDS>(Eigen::Vector2d(10, 0), A);
  model.insertDynamicalSystem(oscillator);
  auto diodes = std::make_shared<Interaction>(std::make_shared<ComplementarityConditionNSL>(4),
                                              std::make_shared<FirstOrderLinearTIR>(output, D, Matrix(), Vector(), B));
  model.link(diodes, oscillator);

  TimeDiscretisation instants(0.0, 1e-6);
  EulerMoreauOSI integrator(0.5);
  LCP problem;
  TimeStepping simulation(model, instants, integrator, problem);
  double worst = 0;
  Report report;
  CsvTrajectory trajectory("diode_bridge.csv");
  trajectory.addSystem("oscillator", *oscillator);
  trajectory.addInteraction("diodes", *diodes, 0);
  simulation.run([&](const Simulation& s, const StepStatus& status) {
    report.step(status);
    trajectory.record(s.nextTime());
    const VectorView lambda = diodes->lambda(0);
    const double over_resistor = lambda[0] + lambda[1];
    if (lambda[2] + lambda[3] > 1e-9) worst = std::max(worst, std::abs(over_resistor - std::abs(oscillator->x()[0])));
  });
  report.figure("largest departure from the absolute value [V]", worst, 0, 1e-8);
  return report.exitCode();
}
