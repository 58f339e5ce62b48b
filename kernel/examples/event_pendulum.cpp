// A pendulum as a point mass with a bilateral constraint, 20 periods by the half-explicit method of order 5: length, energy and
// period are kept.
#include "example.hpp"

using namespace nonsmooth::kernel;

int main() {
  const double gravity = 9.81, amplitude = std::acos(0.0);
  // 4 K(k) / sqrt(g / L) with k = sin(45 degrees): K by the mean of Gauss.
  double a = 1, b = std::sqrt(0.5);
  for (int k = 0; k < 6; ++k) {
    const double mean = (a + b) / 2;
    b = std::sqrt(a * b);
    a = mean;
  }
  const double period = 4 * std::acos(0.0) / a / std::sqrt(gravity);
  NonSmoothDynamicalSystem model(0.0, 20 * period);
  auto mass = std::make_shared<LagrangianDS>(Eigen::Vector2d(std::sin(amplitude), -std::cos(amplitude)), Eigen::Vector2d(0, 0),
                                             Matrix::Identity(2, 2));
  mass->setFExt(Eigen::Vector2d(0, -gravity));
  model.insertDynamicalSystem(mass);
  auto string =
      std::make_shared<Interaction>(std::make_shared<EqualityConditionNSL>(1),
                                    std::make_shared<LagrangianScleronomousR>(
                                        [](ConstVectorRef q, VectorRef y, VectorRef) { y[0] = q.squaredNorm() - 1; },
                                        [](ConstVectorRef q, MatrixRef G, VectorRef) { G = 2 * q.transpose(); },
                                        [](ConstVectorRef, ConstVectorRef v, MatrixRef G, VectorRef) { G = 2 * v.transpose(); }));
  model.link(string, mass);
  TimeDiscretisation instants(200u, 0.0, 20 * period);
  Hem5OSI integrator;
  Equality impact, acceleration;
  EventDriven simulation(model, instants, integrator, impact, acceleration);
  double drift = 0;
  Report report;
  simulation.run([&](const Simulation&, const StepStatus& status) {
    report.step(status);
    drift = std::max(drift, std::abs(string->y(0)[0]));
  });
  std::printf("%ld steps, %ld evaluations of the forces\n", integrator.steps(), integrator.evaluations());
  report.figure("greatest drift of the square of the length", drift, 0, 1e-10);
  report.figure("energy", 0.5 * mass->velocity().squaredNorm() + gravity * mass->q()[1], 0, 1e-7);
  report.figure("place after 20 periods", mass->q()[0], 1, 1e-8);
  return report.exitCode();
}
