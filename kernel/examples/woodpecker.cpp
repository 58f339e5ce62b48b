// The woodpecker toy (Pfeiffer 1984; Glocker and Studer 2005): a sleeve slides down a pole and jams, a bird on a spring swings
// and pecks. Three degrees of freedom, three contacts with friction: the beak, the lower and the upper edge of the sleeve.
// Checked: the state near 0.3 s, against the reference trajectory T25 (Woodpecker.ref, row 14999, from the tutorials of Siconos).
#include "example.hpp"

using namespace nonsmooth::kernel;

int main() {
  // Masses and inertias of the sleeve (M) and the bird (S); lengths and heights of contacts; spring; radii of sleeve and pole.
  const double mM = 3e-4, mS = 4.5e-3, JM = 5e-9, JS = 7e-7, lM = .01, lG = .015, spring = .0056;
  const double hM = .0058, hS = .02, lS = .0201, rM = .0031, r0 = .0025, gravity = 9.81, mu = .3, h = 2e-5;
  // Coordinates: height of the sleeve, its angle, angle of the bird.
  Matrix M(3, 3), K(3, 3);
  M << mS + mM, mS * lM, mS * lG, mS * lM, JM + mS * lM * lM, mS * lM * lG, mS * lG, mS * lM * lG, JS + mS * lG * lG;
  K << 0, 0, 0, 0, spring, -spring, 0, -spring, spring;
  auto toy = std::make_shared<LagrangianLinearTIDS>(Eigen::Vector3d(0, -.1036, -.2788),
                                                    Eigen::Vector3d(-.3411, 4.8572e-15, -7.4583), M, K, LinearOperator());
  toy->setFExt(-gravity * Eigen::Vector3d(mS + mM, mS * lM, mS * lG));
  NonSmoothDynamicalSystem model(0.0, 14999 * h);
  model.insertDynamicalSystem(toy);
  const auto contact = [&](double restitution, const Eigen::RowVector3d& normal, const Eigen::RowVector3d& tangent, double gap) {
    Matrix H(2, 3);
    H << normal, tangent;
    auto interaction = std::make_shared<Interaction>(std::make_shared<NewtonImpactFrictionNSL>(restitution, 0.0, mu, 2),
                                                     std::make_shared<LagrangianLinearTIR>(H, Eigen::Vector2d(gap, 0)));
    model.link(interaction, toy);
    return interaction;
  };
  const auto beak = contact(.5, {0, 0, -hS}, {1, lM, lG - lS}, lM + lG - lS - r0);
  contact(0, {0, hM, 0}, {1, rM, 0}, rM - r0);
  contact(0, {0, -hM, 0}, {1, rM, 0}, rM - r0);

  TimeDiscretisation instants(0.0, h);
  MoreauJeanOSI integrator(0.5);
  FrictionContact problem(2);
  problem.setTolerance(1e-14);
  TimeStepping simulation(model, instants, integrator, problem);
  CsvTrajectory output("woodpecker.csv");
  output.addSystem("toy", *toy);
  output.addInteraction("beak", *beak, 1);
  Report report;
  long k = 0;
  simulation.run([&](const Simulation& s, const StepStatus& status) {
    report.step(status);
    if (++k % 10 == 0) output.record(s.nextTime());
  });
  report.figure("height [m]", toy->q()[0], -4.134818676833654e-02, 1e-9);
  report.figure("angle of the sleeve [rad]", toy->q()[1], -1.034684682717361e-01, 1e-9);
  report.figure("angle of the bird [rad]", toy->q()[2], -3.409339755504301e-01, 1e-9);
  report.figure("its angular velocity [rad/s]", toy->velocity()[2], -8.327555353239312, 1e-7);
  return report.exitCode();
}
