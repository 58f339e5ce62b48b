// Boxes in the plane, contacts at corners. (a) Three boxes of different widths, stacked off centre, stay where they are; normal
// impulses under each corner are those of the lever rule. (b) A slender block rocks on its lower corners: it falls back after
// acosh(1 / (1 - a0 / a)) / p, p^2 = 3 g / (4 r), where a is the angle and r the length of the half diagonal and a0 the angle at
// the start, and the impact leaves 1 - 3/2 sin(a)^2 of its angular velocity (Housner 1963).
#include <vector>

#include "example.hpp"

using namespace nonsmooth::kernel;

namespace {

constexpr double gravity = 9.81;

struct Box {
  double width, height, mass;
  double inertia() const { return mass * (width * width + height * height) / 12; }
  std::shared_ptr<LagrangianLinearTIDS> at(double x, double y, double angle) const {
    const LinearOperator inertias = Diagonal(Eigen::Vector3d(mass, mass, inertia()));
    auto ds = std::make_shared<LagrangianLinearTIDS>(Eigen::Vector3d(x, y, angle), Vector::Zero(3), inertias);
    ds->setFExt(Eigen::Vector3d(0, -mass * gravity, 0));
    return ds;
  }
  // A lower corner (side -1: left, 1: right) against the upper face of the box below, or against the floor y = 0.
  std::shared_ptr<Interaction> corner(int side, double mu, double height_below = 0) const {
    const Eigen::Vector2d arm(0.5 * side * width, -0.5 * height);
    const auto geometry = [=](double, const double* q, const double* below, PlanarContact& contact) {
      contact.point1 = Eigen::Vector2d(q[0], q[1]) + Eigen::Rotation2Dd(q[2]) * arm;
      contact.normal = Eigen::Rotation2Dd(below ? below[2] : 0.0) * Eigen::Vector2d::UnitY();
      const Eigen::Vector2d face = below ? Eigen::Vector2d(below[0], below[1]) + 0.5 * height_below * contact.normal
                                         : Eigen::Vector2d(Eigen::Vector2d::Zero());
      contact.gap = contact.normal.dot(contact.point1 - face);
      contact.point2 = contact.point1 - contact.gap * contact.normal;
    };
    return std::make_shared<Interaction>(std::make_shared<NewtonImpactFrictionNSL>(0.0, 0.0, mu, 2),
                                         std::make_shared<Lagrangian2d2DR>(geometry));
  }
};

template <class Each>
void run(NonSmoothDynamicalSystem& model, double h, Report& report, Each each) {
  TimeDiscretisation instants(0.0, h);
  MoreauJeanOSI integrator(0.5);
  FrictionContact problem(2);
  problem.setTolerance(1e-10);
  TimeStepping simulation(model, instants, integrator, problem);
  simulation.run([&](const Simulation& s, const StepStatus& status) {
    report.step(status);
    each(s.nextTime());
  });
}

void stack(Report& report) {
  const double h = 1e-3;
  const std::vector<Box> boxes = {{1.0, 0.5, 3.0}, {0.75, 0.25, 2.0}, {0.5, 0.5, 1.0}};
  const std::vector<double> x = {0.0, 0.125, 0.25};
  NonSmoothDynamicalSystem model(0.0, 0.5);
  std::vector<std::shared_ptr<LagrangianLinearTIDS>> ds;
  std::vector<std::shared_ptr<Interaction>> left, right;
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    const double top = i == 0 ? 0 : ds[i - 1]->q()[1] + 0.5 * boxes[i - 1].height;
    ds.push_back(boxes[i].at(x[i], top + 0.5 * boxes[i].height, 0));
    model.insertDynamicalSystem(ds[i]);
    for (const int side : {-1, 1}) {
      auto contact = boxes[i].corner(side, 0.5, i == 0 ? 0 : boxes[i - 1].height);
      (side < 0 ? left : right).push_back(contact);
      i == 0 ? model.link(contact, ds[0]) : model.link(contact, ds[i], ds[i - 1]);
    }
  }
  run(model, h, report, [](double) {});
  double weight = 0, moment = 0, moved = 0;
  for (std::size_t i = boxes.size(); i-- > 0;) {
    weight += boxes[i].mass * gravity, moment += boxes[i].mass * gravity * x[i];
    const double share = 0.5 + (moment / weight - x[i]) / boxes[i].width;  // of the right corner
    report.figure("force at the right corner [N]", right[i]->lambda(1)[0] / h, weight * share, 1e-5);
    report.figure("force at the left corner [N]", left[i]->lambda(1)[0] / h, weight * (1 - share), 1e-5);
    moved = std::max(moved, (ds[i]->q() - ds[i]->q0()).norm());
  }
  report.figure("largest movement of a box", moved, 0, 1e-6);
}

void rocking(Report& report) {
  const double h = 1e-4;
  const Box block{0.2, 1.0, 1.0};
  const double r = 0.5 * std::hypot(block.width, block.height), a = std::atan2(block.width, block.height), start = 0.2 * a;
  NonSmoothDynamicalSystem model(0.0, 1.0);
  // Tilted to the right about its right corner.
  const auto ds = block.at(0.5 * block.width - r * std::sin(a - start), r * std::cos(a - start), -start);
  model.insertDynamicalSystem(ds);
  for (const int side : {-1, 1}) model.link(block.corner(side, 2.0), ds);
  double impact = 0, before = 0, after = 0;
  run(model, h, report, [&](double t) {
    if (impact == 0 && ds->q()[2] >= 0) impact = t;
    if (impact == 0) before = ds->velocity()[2];
    if (impact > 0 && after == 0 && t > impact + 5 * h) after = ds->velocity()[2];
  });
  const double p = std::sqrt(0.75 * gravity / r);
  report.figure("the block falls back [s]", impact, std::acosh(1 / (1 - start / a)) / p, a * a / 6 * impact);  // sin(a) = a
  report.figure("angular velocity left by the impact", after / before, 1 - 1.5 * std::pow(std::sin(a), 2), 5e-3);
}

}  // namespace

int main() {
  Report report;
  stack(report);
  rocking(report);
  return report.exitCode();
}
