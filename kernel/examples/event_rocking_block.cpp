// A slender block rocks from corner to corner on rough ground (Housner 1963). Corners stick; impacts are plastic: each multiplies
// the angular velocity by 1 - 3/2 sin^2(alpha), alpha the angle between a diagonal and the long side.
#include <vector>

#include "example.hpp"

using namespace nonsmooth::kernel;

namespace {

// Height and place along the ground of a corner at `arm` from the centre.
std::shared_ptr<Relation> cornerAt(const Eigen::Vector2d& arm) {
  const auto turned = [arm](double angle) { return Eigen::Vector2d(Eigen::Rotation2Dd(angle) * arm); };
  return std::make_shared<LagrangianScleronomousR>(
      [=](ConstVectorRef q, VectorRef out, VectorRef) {
        const Eigen::Vector2d r = turned(q[2]);
        out << q[1] + r.y(), q[0] + r.x();
      },
      [=](ConstVectorRef q, MatrixRef G, VectorRef) {
        const Eigen::Vector2d r = turned(q[2]);
        G << 0, 1, r.x(), 1, 0, -r.y();
      },
      [=](ConstVectorRef q, ConstVectorRef v, MatrixRef G, VectorRef) {
        const Eigen::Vector2d r = turned(q[2]);
        G << 0, 0, -r.y() * v[2], 0, 0, -r.x() * v[2];
      });
}

}  // namespace

int main() {
  const double gravity = 9.81, width = 0.2, height = 0.8, mass = 1.0, tilt = 0.1;
  const double inertia = mass * (width * width + height * height) / 12, alpha = std::atan(width / height);
  // Standing on its right corner, turned by -tilt about it.
  const Eigen::Vector2d centre = -(Eigen::Rotation2Dd(-tilt) * Eigen::Vector2d(width / 2, -height / 2));
  NonSmoothDynamicalSystem model(0.0, 3.0);
  auto block = std::make_shared<LagrangianDS>(Eigen::Vector3d(centre.x(), centre.y(), -tilt), Eigen::Vector3d(0, 0, 0),
                                              Matrix(Eigen::Vector3d(mass, mass, inertia).asDiagonal()));
  block->setFExt(Eigen::Vector3d(0, -mass * gravity, 0));
  model.insertDynamicalSystem(block);
  auto law = std::make_shared<NewtonImpactFrictionNSL>(0.0, 0.0, 1.0, 2);
  for (const double side : {-width / 2, width / 2})
    model.link(std::make_shared<Interaction>(law, cornerAt(Eigen::Vector2d(side, -height / 2))), block);
  TimeDiscretisation instants(0.0, 0.01);
  LsodarOSI integrator;
  FrictionContact impact(2), acceleration(2);
  impact.setTolerance(1e-12);
  acceleration.setTolerance(1e-12);
  EventDriven simulation(model, instants, integrator, impact, acceleration);
  std::vector<double> times, ratios;
  double before = 0;
  simulation.setTrajectoryCallback([&](const EventDriven& s, bool is_before) {
    if (s.eventsManager()->currentEvent().type != EventType::NonSmooth) return;
    if (is_before) {
      before = block->velocity()[2];
    } else if (std::abs(before) > 1e-3 && block->velocity()[2] != before) {
      times.push_back(s.startingTime());
      ratios.push_back(block->velocity()[2] / before);
    }
  });
  Report report;
  simulation.run([&](const Simulation&, const StepStatus& status) { report.step(status); });
  std::printf("%zu impacts\n", ratios.size());
  for (const ContactRecord& record : simulation.eventLog())
    if (&record - &simulation.eventLog().front() < 6 || record.kind == ContactEvent::Accumulation)
      std::printf("t = %.9f: %s of corner %d\n", record.time, name(record.kind), record.interaction.index);
  const double housner = 1 - 1.5 * std::sin(alpha) * std::sin(alpha);
  double worst = 0;
  for (std::size_t k = 0; k < std::min<std::size_t>(ratios.size(), 5); ++k)
    worst = std::max(worst, std::abs(ratios[k] - housner));
  report.figure("greatest error of the first five ratios of angular velocities", worst, 0, 1e-9);
  report.figure("ratio of the first impact", ratios.empty() ? 0 : ratios[0], housner, 1e-9);
  report.figure("angle at the end", block->q()[2], 0, 1e-2);
  return report.exitCode();
}
