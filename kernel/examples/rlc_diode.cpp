// A capacitor discharges through an inductor and, where its voltage is positive, through a diode and a resistor. Conducting: v''
// + v'/(RC) + v/(LC) = 0; blocking: an undamped oscillation. Checked: the instant at which the diode begins to block, and the
// lowest voltage, which follows from the energy at that instant.
#include "example.hpp"

using namespace nonsmooth::kernel;

int main() {
  const double L = 1e-2, C = 1e-6, R = 1e3, start = 10, h = 1e-7;
  // State: voltage of the capacitor, current of the inductor. y = R lambda - v is the voltage over the diode, lambda its current.
  Matrix A(2, 2);
  A << 0, -1 / C, 1 / L, 0;
  NonSmoothDynamicalSystem model(0.0, 6e-4);
  auto circuit = std::make_shared<FirstOrderLinearTIDS>(Eigen::Vector2d(start, 0), A);
  model.insertDynamicalSystem(circuit);
  auto diode =
      std::make_shared<Interaction>(std::make_shared<ComplementarityConditionNSL>(1),
                                    std::make_shared<FirstOrderLinearTIR>(Eigen::RowVector2d(-1, 0), Matrix::Constant(1, 1, R),
                                                                          Matrix(), Vector(), Eigen::Vector2d(-1 / C, 0)));
  model.link(diode, circuit);

  TimeDiscretisation instants(0.0, h);
  EulerMoreauOSI integrator(0.5);
  LCP problem;
  TimeStepping simulation(model, instants, integrator, problem);
  CsvTrajectory output("rlc_diode.csv");
  output.addSystem("circuit", *circuit);
  output.addInteraction("diode", *diode, 0);
  Report report;
  double previous = start, blocks = 0, lowest = 0;
  long k = 0;
  simulation.run([&](const Simulation& s, const StepStatus& status) {
    report.step(status);
    const double v = circuit->x()[0];
    if (blocks == 0 && v <= 0) blocks = s.nextTime() - h * v / (v - previous);
    lowest = std::min(lowest, v);
    previous = v;
    if (++k % 10 == 0) output.record(s.nextTime());
  });
  // v = exp(-a t) (start cos(w t) + b sin(w t)) with v'(0) = -start / (RC).
  const double a = 0.5 / (R * C), w = std::sqrt(1 / (L * C) - a * a), b = -a * start / w;
  const double zero = std::atan2(start, -b) / w;
  const double slope = std::exp(-a * zero) * w * (b * std::cos(w * zero) - start * std::sin(w * zero));
  report.figure("the diode begins to block [s]", blocks, zero, 0.1 * h);  // order 1: lambda is implicit
  report.figure("lowest voltage [V]", lowest, slope * std::sqrt(L * C), 1e-3);
  return report.exitCode();
}
