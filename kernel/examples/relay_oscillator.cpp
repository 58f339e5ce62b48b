// A relay in negative feedback around G(s) = 6 / ((s + 1)(s + 2)(s + 3)) oscillates. With G = sum of c_i / (s + p_i) the half
// period T of the limit cycle satisfies sum of c_i / p_i tanh(p_i T / 2) = 0 (Tsypkin 1984; Astrom 1995).
#include "example.hpp"

using namespace nonsmooth::kernel;

int main() {
  const Eigen::Vector3d p(1, 2, 3), c(3, -6, 3);
  const double h = 1e-3;
  NonSmoothDynamicalSystem model(0.0, 60.0);
  auto plant = std::make_shared<FirstOrderLinearTIDS>(Eigen::Vector3d(0.2, 0, 0), Matrix((-p).asDiagonal()));
  model.insertDynamicalSystem(plant);
  // y = sum of c_i x_i, and lambda = -sgn(y) drives every state.
  auto relay = std::make_shared<Interaction>(std::make_shared<RelayNSL>(1),
                                             std::make_shared<FirstOrderLinearTIR>(c.transpose(), Eigen::Vector3d::Ones()));
  model.link(relay, plant);

  TimeDiscretisation instants(0.0, h);
  EulerMoreauOSI integrator(0.5);
  Relay problem;
  TimeStepping simulation(model, instants, integrator, problem);
  CsvTrajectory output("relay_oscillator.csv");
  output.addSystem("plant", *plant);
  output.addInteraction("relay", *relay, 0);
  Report report;
  double previous = 0, last = 0, half = 0;
  simulation.run([&](const Simulation& s, const StepStatus& status) {
    report.step(status);
    output.record(s.nextTime());
    const double y = c.dot(plant->x());
    if (y * previous < 0) {
      const double crossing = s.nextTime() - h * y / (y - previous);
      half = crossing - last, last = crossing;
    }
    previous = y;
  });
  const auto tsypkin = [&](double T) { return (c.array() / p.array() * (0.5 * T * p.array()).tanh()).sum(); };
  double low = 0.1, high = 10;
  for (int k = 0; k < 60; ++k) (tsypkin(0.5 * (low + high)) < 0 ? low : high) = 0.5 * (low + high);
  report.figure("half period of the limit cycle [s]", half, low, 2 * h);
  return report.exitCode();
}
