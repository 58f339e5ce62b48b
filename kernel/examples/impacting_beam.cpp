// A clamped beam (Euler-Bernoulli, finite elements) is let go in the shape of its static deflection and hits a stop at its tip,
// again and again, event by event. Checked: the lowest natural frequency against (1.8751040687)^2 sqrt(EI / (rho A L^4)), the
// first impact against the formula for a beam that vibrates freely, and the energy, of which impacts with e = 1 take nothing.
#include <Eigen/Eigenvalues>

#include "example.hpp"

using namespace nonsmooth::kernel;

namespace {

// Steel, 1 m long, 10 mm x 10 mm.
constexpr double length = 1, stiffness = 2.1e11 * 1e-8 / 12, mass = 7850 * 1e-4, deflection = 0.02, gap = 0.005;
constexpr int elements = 4;

struct Beam {
  Matrix M, K;
};

// Two unknowns per node, deflection and slope; those of the clamped end are left out.
Beam beam() {
  const double l = length / elements;
  Matrix m(4, 4), k(4, 4);
  m << 156, 22 * l, 54, -13 * l, 22 * l, 4 * l * l, 13 * l, -3 * l * l, 54, 13 * l, 156, -22 * l, -13 * l, -3 * l * l, -22 * l,
      4 * l * l;
  k << 12, 6 * l, -12, 6 * l, 6 * l, 4 * l * l, -6 * l, 2 * l * l, -12, -6 * l, 12, -6 * l, 6 * l, 2 * l * l, -6 * l, 4 * l * l;
  Beam whole{Matrix::Zero(2 * elements + 2, 2 * elements + 2), Matrix::Zero(2 * elements + 2, 2 * elements + 2)};
  for (int e = 0; e < elements; ++e) {
    whole.M.block<4, 4>(2 * e, 2 * e) += mass * l / 420 * m;
    whole.K.block<4, 4>(2 * e, 2 * e) += stiffness / (l * l * l) * k;
  }
  return {whole.M.bottomRightCorner(2 * elements, 2 * elements), whole.K.bottomRightCorner(2 * elements, 2 * elements)};
}

// The first instant at which the freely vibrating beam has a tip deflection of -gap, from its modes.
double firstImpact(const Beam& b, const Vector& q0, const Eigen::GeneralizedSelfAdjointEigenSolver<Matrix>& modes) {
  const Vector amplitude = modes.eigenvectors().transpose() * b.M * q0;
  const Vector tip = modes.eigenvectors().row(2 * elements - 2).transpose().cwiseProduct(amplitude);
  const Vector omega = modes.eigenvalues().cwiseSqrt();
  const auto above = [&](double t) { return tip.dot((omega * t).array().cos().matrix()) + gap; };
  double high = 0;
  while (above(high) > 0) high += 1e-5;
  double low = high - 1e-5;
  for (int k = 0; k < 60; ++k) {
    const double middle = 0.5 * (low + high);
    (above(middle) > 0 ? low : high) = middle;
  }
  return high;
}

}  // namespace

int main() {
  const Beam b = beam();
  const Index unknowns = 2 * elements, tip = unknowns - 2;
  const Eigen::GeneralizedSelfAdjointEigenSolver<Matrix> modes(b.K, b.M);
  const double omega = std::sqrt(modes.eigenvalues()[0]);
  // Bent by a force at its tip.
  Vector q0 = b.K.ldlt().solve(Vector(Vector::Unit(unknowns, tip)));
  q0 *= deflection / q0[tip];

  NonSmoothDynamicalSystem model(0.0, 0.5);
  auto ds = std::make_shared<LagrangianLinearTIDS>(q0, Vector::Zero(unknowns), b.M, b.K, LinearOperator());
  model.insertDynamicalSystem(ds);
  auto stop = std::make_shared<Interaction>(
      std::make_shared<NewtonImpactNSL>(1.0),
      std::make_shared<LagrangianLinearTIR>(Matrix(Vector::Unit(unknowns, tip).transpose()), Vector::Constant(1, gap)));
  model.link(stop, ds);

  TimeDiscretisation instants(0.0, 1e-3);
  LsodarOSI integrator;
  LCP impact, acceleration;
  EventDriven simulation(model, instants, integrator, impact, acceleration);
  CsvTrajectory output("impacting_beam.csv");
  output.addSystem("beam", *ds);
  const auto energy = [&] { return 0.5 * ds->velocity().dot(b.M * ds->velocity()) + 0.5 * ds->q().dot(b.K * ds->q()); };
  const double at_start = energy();
  double first = 0, worst = 0, deepest = 0;
  simulation.setEventCallback([&](const EventDriven&, const ContactRecord& record) {
    if (first == 0) first = record.time;
  });
  Report report;
  simulation.run([&](const Simulation& s, const StepStatus& status) {
    report.step(status);
    output.record(s.startingTime());
    worst = std::max(worst, std::abs(energy() / at_start - 1));
    deepest = std::max(deepest, -ds->q()[tip] - gap);
  });
  std::printf("%ld impacts, %ld steps of the integrator\n", simulation.count(ContactEvent::Impact), integrator.steps());
  const double exact = 1.8751040687119611 * 1.8751040687119611 * std::sqrt(stiffness / mass) / (length * length);
  report.figure("lowest natural frequency [1/s]", omega, exact, 1e-4 * exact);
  report.figure("first impact [s]", first, firstImpact(b, q0, modes), 1e-10);
  report.figure("greatest relative change of the energy", worst, 0, 1e-7);
  report.figure("deepest penetration [m]", deepest, 0, 1e-11);
  return report.exitCode();
}
