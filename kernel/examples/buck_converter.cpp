// A buck converter: a switch, closed for a fraction of each period, a freewheeling diode, an inductor, a capacitor, a resistor.
// The diode keeps the current of the inductor from turning: 0 <= current _|_ voltage lambda >= 0. Checked: the mean output
// voltage in the periodic state, which is duty * input where the current never ends and, where it does, 2 input / (1 + sqrt(1 + 8
// L / (R T duty^2))) (Erickson and Maksimovic, Fundamentals of Power Electronics, chapters 2 and 5), both for small ripple.
#include "example.hpp"

using namespace nonsmooth::kernel;

namespace {

constexpr double input = 24, duty = 0.4, L = 1e-4, C = 1e-5, period = 1e-5;
constexpr int steps_per_period = 400;

// Mean voltage over the last period.
double run(double R, const std::string& file, Report& report) {
  const int periods = 300;
  // State: current of the inductor, voltage of the capacitor.
  Matrix A(2, 2);
  A << 0, -1 / L, 1 / C, -1 / (R * C);
  NonSmoothDynamicalSystem model(0.0, periods * period);
  auto circuit = std::make_shared<FirstOrderLinearDS>(Eigen::Vector2d(0, 0), A);
  circuit->setComputebFunction([](double t, VectorRef b, VectorRef) {
    const double periods_passed = t / period + 1e-9;  // instants are rounded
    b[0] = periods_passed - std::floor(periods_passed) < duty ? input / L : 0;
  });
  model.insertDynamicalSystem(circuit);
  auto diode =
      std::make_shared<Interaction>(std::make_shared<ComplementarityConditionNSL>(1),
                                    std::make_shared<FirstOrderLinearTIR>(Eigen::RowVector2d(1, 0), Eigen::Vector2d(1 / L, 0)));
  model.link(diode, circuit);

  TimeDiscretisation instants(0.0, period / steps_per_period);
  EulerMoreauOSI integrator(0.5);
  LCP problem;
  TimeStepping simulation(model, instants, integrator, problem);
  CsvTrajectory output(file);
  output.addSystem("circuit", *circuit);
  output.addInteraction("diode", *diode, 0);
  double sum = 0;
  long k = 0;
  simulation.run([&](const Simulation& s, const StepStatus& status) {
    report.step(status);
    if (++k > (periods - 1) * steps_per_period) {
      sum += circuit->x()[1];
      output.record(s.nextTime());
    }
  });
  return sum / steps_per_period;
}

}  // namespace

int main() {
  Report report;
  const double heavy = 5, light = 200;
  report.figure("continuous current, mean voltage [V]", run(heavy, "buck_continuous.csv", report), duty * input, 0.01);
  const double ended = 2 * input / (1 + std::sqrt(1 + 8 * L / (light * period * duty * duty)));
  report.figure("current that ends, mean voltage [V]", run(light, "buck_discontinuous.csv", report), ended, 0.05);
  return report.exitCode();
}
