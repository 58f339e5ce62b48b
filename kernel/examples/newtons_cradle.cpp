// Newton's cradle: five pendulums (small angles), a tenth of a millimetre apart, so that the impulse goes through them one impact
// after the other. The first is let go; half a period later the last one is as high as the first was. With restitution 1 and
// theta = 1/2 the scheme conserves the energy exactly: at an impact the mean of the velocities before and after has no normal
// part.
#include <vector>

#include "example.hpp"

using namespace nonsmooth::kernel;

int main() {
  const int balls = 5;
  const double pi = std::acos(-1.0), gravity = 9.81, length = 1.0, gap = 1e-4, amplitude = 0.1, mass = 0.1;
  const double omega = std::sqrt(gravity / length), h = 2e-5;
  NonSmoothDynamicalSystem model(0.0, 2 * pi / omega);
  // Displacements from the lowest points.
  std::vector<std::shared_ptr<LagrangianLinearTIDS>> ball;
  for (int i = 0; i < balls; ++i) {
    const Matrix M = Matrix::Constant(1, 1, mass), K = Matrix::Constant(1, 1, mass * omega * omega);
    ball.push_back(std::make_shared<LagrangianLinearTIDS>(Vector::Constant(1, i == 0 ? -amplitude : 0.0), Vector::Zero(1), M, K,
                                                          LinearOperator()));
    model.insertDynamicalSystem(ball.back());
  }
  // Lowest points are a diameter and a gap apart, so y = gap + q_i - q_{i-1}.
  const auto law = std::make_shared<NewtonImpactNSL>(1.0);
  const auto relation = std::make_shared<LagrangianLinearTIR>(Eigen::RowVector2d(-1, 1), Vector::Constant(1, gap));
  for (std::size_t i = 1; i < balls; ++i) model.link(std::make_shared<Interaction>(law, relation), ball[i - 1], ball[i]);

  TimeDiscretisation instants(0.0, h);
  MoreauJeanOSI integrator(0.5);
  LCP problem;
  TimeStepping simulation(model, instants, integrator, problem);
  const auto energy = [&] {
    double sum = 0;
    for (const auto& each : ball) {
      const double q = each->q()[0], v = each->velocity()[0];
      sum += 0.5 * mass * (v * v + omega * omega * q * q);
    }
    return sum;
  };
  CsvTrajectory output("newtons_cradle.csv");
  for (std::size_t i = 0; i < balls; ++i) output.addSystem("ball" + std::to_string(i), *ball[i]);
  output.addKineticEnergy(model);
  Report report;
  const double before = energy();
  double drift = 0, highest = 0, first = 0;
  long k = 0;
  simulation.run([&](const Simulation& s, const StepStatus& status) {
    report.step(status);
    drift = std::max(drift, std::abs(energy() / before - 1));
    if (ball[balls - 1]->q()[0] > highest) highest = ball[balls - 1]->q()[0], first = ball[0]->q()[0];
    if (++k % 100 == 0) output.record(s.nextTime());
  });
  report.figure("largest displacement of the last ball [m]", highest, amplitude, 0.01 * amplitude);
  report.figure("displacement of the first one then [m]", first, 0, 0.01 * amplitude);
  report.figure("largest relative change of the energy", drift, 0, 1e-10);
  return report.exitCode();
}
