// A double pendulum between stops: the angles (from the vertical) may not fall below given values. Restitution 1, so the energy
// must stay what it was, up to the error of the scheme (order 1 where the mass depends on angles: it halves with h); and, let go
// at a small angle in its slow mode, the upper rod must hit a stop at the vertical after a quarter of that mode's period, 2 pi /
// sqrt((2 - sqrt(2)) g / l).
#include "example.hpp"

using namespace nonsmooth::kernel;

namespace {

constexpr double gravity = 9.81, length = 1.0, mass = 1.0, h = 5e-5;

std::shared_ptr<LagrangianDS> pendulum(const Eigen::Vector2d& angles) {
  const double inertia = mass * length * length, weight = mass * gravity * length;
  auto ds = std::make_shared<LagrangianDS>(angles, Vector::Zero(2), [=](ConstVectorRef q, MatrixRef M, VectorRef) {
    const double coupling = inertia * std::cos(q[0] - q[1]);
    M << 2 * inertia, coupling, coupling, inertia;
  });
  ds->setComputeFGyrFunction([=](double, ConstVectorRef q, ConstVectorRef v, VectorRef f, VectorRef) {
    const double s = inertia * std::sin(q[0] - q[1]);
    f << s * v[1] * v[1], -s * v[0] * v[0];
  });
  ds->setComputeFIntFunction([=](double, ConstVectorRef q, ConstVectorRef, VectorRef f, VectorRef) {
    f << 2 * weight * std::sin(q[0]), weight * std::sin(q[1]);
  });
  ds->setComputeJacobianFIntqFunction([=](double, ConstVectorRef q, ConstVectorRef, MatrixRef J, VectorRef) {
    J << 2 * weight * std::cos(q[0]), 0, 0, weight * std::cos(q[1]);
  });
  return ds;
}

// Runs with stops at q_i >= stops_i; calls each(time, upper stop) after each step.
template <class Each>
void run(LagrangianDS& ds, const Eigen::Vector2d& stops, double T, Report& report, Each each) {
  NonSmoothDynamicalSystem model(0.0, T);
  model.insertDynamicalSystem(ds);
  const auto law = std::make_shared<NewtonImpactNSL>(1.0);
  std::shared_ptr<Interaction> stop[2];
  for (int i = 0; i < 2; ++i) {
    stop[i] = std::make_shared<Interaction>(
        law, std::make_shared<LagrangianLinearTIR>(Eigen::RowVector2d::Unit(i), Vector::Constant(1, -stops[i])));
    model.link(stop[i], ds);
  }
  ds.checkJacobians(0.0);
  TimeDiscretisation instants(0.0, h);
  MoreauJeanOSI integrator(0.5);
  LCP problem;
  TimeStepping simulation(model, instants, integrator, problem);
  simulation.setNewtonTolerance(1e-10);
  simulation.run([&](const Simulation& s, const StepStatus& status) {
    report.step(status);
    each(s.nextTime(), *stop[0]);
  });
}

}  // namespace

int main() {
  Report report;
  const double small = 1e-3, omega = std::sqrt((2 - std::sqrt(2.0)) * gravity / length);
  const auto slow = pendulum({small, std::sqrt(2.0) * small});
  double hit = 0;
  run(*slow, {0, -1}, 1.0, report, [&](double t, const Interaction& stop) {
    if (hit == 0 && stop.lambda(1)[0] > 0) hit = t;
  });
  report.figure("the upper rod hits its stop [s]", hit, 0.5 * std::acos(-1.0) / omega, 2 * h);

  const auto wild = pendulum({1.5, 1.0});
  const auto energy = [&] {
    return wild->kineticEnergy() + mass * gravity * length * (3 - 2 * std::cos(wild->q()[0]) - std::cos(wild->q()[1]));
  };
  const double before = energy();
  double drift = 0, deepest = 0;
  long impacts = 0, k = 0;
  CsvTrajectory output("double_pendulum.csv");
  output.addSystem("angles", *wild);
  run(*wild, {-0.2, -0.3}, 5.0, report, [&](double t, const Interaction& stop) {
    drift = std::max(drift, std::abs(energy() / before - 1));
    deepest = std::max(deepest, -stop.y(0)[0]);
    impacts += stop.lambda(1)[0] > 0 ? 1 : 0;
    if (++k % 50 == 0) output.record(t);
  });
  std::printf("the upper rod hits its stop %ld times\n", impacts);
  report.figure("largest relative change of the energy", drift, 0, 2e-3);
  report.figure("deepest penetration of the upper stop [rad]", deepest, 0, 10 * h);
  return report.exitCode();
}
