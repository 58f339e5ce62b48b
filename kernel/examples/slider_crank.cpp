// A slider-crank mechanism with clearance: the end of the rod is a journal in a bearing of the slider, free within the clearance
// c, with frictional contact at its border. Gravity does not act; the crank turns by its inertia. Checked: the slider is never
// further from the ideal mechanism's than clearance and slope of the rod allow; the energy does not grow; and, as the clearance
// is small, a turn takes the time of the ideal mechanism that has the energy measured at its start.
#include "example.hpp"

using namespace nonsmooth::kernel;

namespace {

constexpr double crank = 0.15, rod = 0.5, clearance = 5e-4;
constexpr double crank_inertia = 0.02, rod_mass = 0.1, rod_inertia = rod_mass * rod * rod / 12, slider_mass = 0.3;

// Coordinates: angles of crank and rod against the axis of the slider, position of the slider.
void mass(ConstVectorRef q, MatrixRef M, VectorRef) {
  const double coupling = 0.5 * rod_mass * crank * rod * std::cos(q[0] - q[1]);
  M.setZero();
  M(0, 0) = crank_inertia + rod_mass * crank * crank;
  M(0, 1) = M(1, 0) = coupling;
  M(1, 1) = rod_inertia + 0.25 * rod_mass * rod * rod;
  M(2, 2) = slider_mass;
}

void gyroscopic(double, ConstVectorRef q, ConstVectorRef v, VectorRef out, VectorRef) {
  const double s = 0.5 * rod_mass * crank * rod * std::sin(q[0] - q[1]);
  out << s * v[1] * v[1], -s * v[0] * v[0], 0;
}

// From the centre of the bearing to the centre of the journal.
Eigen::Vector2d eccentricity(ConstVectorRef q) {
  return {crank * std::cos(q[0]) + rod * std::cos(q[1]) - q[2], crank * std::sin(q[0]) + rod * std::sin(q[1])};
}

Eigen::Vector2d outwards(ConstVectorRef q) {
  const Eigen::Vector2d e = eccentricity(q);
  return e.norm() > 0 ? Eigen::Vector2d(e.normalized()) : Eigen::Vector2d(Eigen::Vector2d::UnitX());
}

// Rows: gap, sliding of the journal's centre along the border (the rotation of so small a journal is neglected).
void gap(ConstVectorRef q, VectorRef y, VectorRef) { y << clearance - eccentricity(q).norm(), 0; }
void gapJacobian(ConstVectorRef q, MatrixRef G, VectorRef) {
  Eigen::Matrix<double, 2, 3> J;
  J << -crank * std::sin(q[0]), -rod * std::sin(q[1]), -1, crank * std::cos(q[0]), rod * std::cos(q[1]), 0;
  const Eigen::Vector2d n = -outwards(q);
  G.row(0) = n.transpose() * J;
  G.row(1) = Eigen::RowVector2d(-n[1], n[0]) * J;
}

// Position of the ideal slider, and inertia of the ideal mechanism as seen by the crank.
double idealPosition(double angle) {
  return crank * std::cos(angle) + std::sqrt(rod * rod - std::pow(crank * std::sin(angle), 2));
}
double idealInertia(double angle) {
  const double phi = -std::asin(crank / rod * std::sin(angle)), rate = -crank * std::cos(angle) / (rod * std::cos(phi));
  const Eigen::Vector3d q(angle, phi, 0), v(1, rate, -crank * std::sin(angle) - rod * std::sin(phi) * rate);
  Matrix M(3, 3);
  Vector none;
  mass(q, M, none);
  return v.dot(M * v);
}

}  // namespace

int main() {
  const double pi = std::acos(-1.0), speed = 20, h = 1e-5;
  NonSmoothDynamicalSystem model(0.0, 1.0);
  auto mechanism =
      std::make_shared<LagrangianDS>(Eigen::Vector3d(0, 0, crank + rod), Eigen::Vector3d(speed, -speed * crank / rod, 0), mass);
  mechanism->setComputeFGyrFunction(gyroscopic);
  model.insertDynamicalSystem(mechanism);
  auto bearing = std::make_shared<Interaction>(std::make_shared<NewtonImpactFrictionNSL>(0.0, 0.0, 0.01, 2),
                                               std::make_shared<LagrangianScleronomousR>(gap, gapJacobian));
  model.link(bearing, mechanism);

  TimeDiscretisation instants(0.0, h);
  MoreauJeanOSI integrator(0.5);
  FrictionContact problem(2);
  TimeStepping simulation(model, instants, integrator, problem);
  simulation.setNewtonTolerance(1e-9);
  CsvTrajectory output("slider_crank.csv");
  output.addSystem("mechanism", *mechanism);
  output.addInteraction("bearing", *bearing, 1);
  Report report;
  double energy = mechanism->kineticEnergy(), growth = 0, departure = 0, start = 0, start_energy = 0, turn = 0;
  const double first = energy;
  long k = 0, turns = 0, contacts = 0;
  simulation.run([&](const Simulation& s, const StepStatus& status) {
    report.step(status);
    energy = mechanism->kineticEnergy();
    growth = std::max(growth, energy / first - 1);
    departure = std::max(departure, std::abs(mechanism->q()[2] - idealPosition(mechanism->q()[0])));
    contacts += bearing->lambda(1)[0] > 0 ? 1 : 0;
    if (mechanism->q()[0] >= 2 * pi * static_cast<double>(turns + 1)) {
      if (++turns == 1) start = s.nextTime(), start_energy = energy;
      if (turns == 2) turn = s.nextTime() - start;
    }
    if (++k % 100 == 0) output.record(s.nextTime());
  });
  double ideal = 0;  // integral of dt = sqrt(inertia / (2 energy)) d(angle), a periodic function: equidistant points
  for (int i = 0; i < 360; ++i) ideal += 2 * pi / 360 * std::sqrt(idealInertia(2 * pi * i / 360) / (2 * start_energy));
  std::printf("%ld turns, in contact for %.0f %% of the steps\n", turns,
              100.0 * static_cast<double>(contacts) / static_cast<double>(k));
  const double slope = crank / std::sqrt(rod * rod - crank * crank), bound = clearance * (1 + slope);
  report.figure("largest distance from the ideal slider [m]", departure, 0, 1.01 * bound);
  report.figure("largest relative growth of the energy", growth, 0, 1e-4);
  report.figure("duration of the second turn [s]", turn, ideal, 0.005 * ideal);
  return report.exitCode();
}
