// A ball bounces on the floor: impacts t_n = t_1 + 2 t_1 e (1 - e^(n-1)) / (1 - e), t_1 = sqrt(2 / g), rest at t_1 (1 + e) / (1 -
// e). Writes bouncing_ball.csv, or the file named (.csv or .h5), and checks the height of the ball at rest and the instant of the
// second impact.
#include "example.hpp"

using namespace nonsmooth::kernel;

int main(int argc, char** argv) try {
  const double gravity = 9.81, e = 0.9, h = 1e-4;
  // The model: height and velocity of the ball; a contact with the floor, y = height, and Newton's law of impact.
  NonSmoothDynamicalSystem model(0.0, 10.0);
  auto ball = std::make_shared<LagrangianLinearTIDS>(Vector::Constant(1, 1.0), Vector::Zero(1), Matrix::Identity(1, 1));
  ball->setFExt(Vector::Constant(1, -gravity));
  model.insertDynamicalSystem(ball);
  auto contact = std::make_shared<Interaction>(std::make_shared<NewtonImpactNSL>(e),
                                               std::make_shared<LagrangianLinearTIR>(Matrix::Identity(1, 1)));
  model.link(contact, ball);

  // How it is computed: Moreau's and Jean's scheme, one LCP a step.
  TimeDiscretisation instants(0.0, h);
  MoreauJeanOSI integrator(0.5);
  LCP problem;
  TimeStepping simulation(model, instants, integrator, problem);

  const auto output = createTrajectory(argc > 1 ? argv[1] : "bouncing_ball.csv");
  output->addSystem("ball", *ball);
  output->addInteraction("floor", *contact, 1);
  output->addEnergies(model);
  int impacts = 0;
  double second = 0;
  Report report;
  simulation.run([&](const Simulation& s, const StepStatus& status) {
    report.step(status);
    if (contact->lambda(1)[0] > 0 && ++impacts == 2) second = s.nextTime();
    if (std::fmod(s.nextTime() + 0.5 * h, 0.01) < h) output->record(s.nextTime());
  });
  const double t1 = std::sqrt(2 / gravity);
  report.figure("second impact [s]", second, t1 * (1 + 2 * e), 4 * h);
  report.figure("height at rest [m]", ball->q()[0], 0, 1e-3);
  return report.exitCode();
} catch (const std::exception& error) {
  return told(error);
}
