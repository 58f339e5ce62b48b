// Ten beads fall onto the floor and each other. Contacts are made when a gap falls below a margin and removed when it grows
// beyond it. Checked: the height of the fourth bead after 0.5 s, against the reference trajectory T26 (ColumnOfBeadsTS.ref, row
// 1000, from the tutorials of Siconos), and at the end the column at rest, heights (2 i + 1) radius.
#include <vector>

#include "example.hpp"

using namespace nonsmooth::kernel;

namespace {

constexpr double radius = 0.1, margin = 0.02;
using Beads = std::vector<std::shared_ptr<LagrangianLinearTIDS>>;

class Detection : public InteractionManager {
 public:
  Detection(NonSmoothDynamicalSystem& model, const Beads& beads) : model_(model), beads_(beads), contacts_(beads.size()) {}

  // Contact i is that of bead i with the one below it, or with the floor.
  void updateInteractions(Simulation&) override {
    for (std::size_t i = 0; i < beads_.size(); ++i) {
      const double height = beads_[i]->q()[0];
      const double gap = i == 0 ? height - radius : height - beads_[i - 1]->q()[0] - 2 * radius;
      if (gap < margin && !contacts_[i]) {
        contacts_[i] = std::make_shared<Interaction>(law_, i == 0 ? with_floor_ : between_);
        i == 0 ? model_.link(contacts_[i], beads_[0]) : model_.link(contacts_[i], beads_[i - 1], beads_[i]);
        ++links;
      } else if (gap >= margin && contacts_[i]) {
        model_.removeInteraction(*contacts_[i]);
        contacts_[i] = nullptr;
        ++removals;
      }
    }
  }

  long links = 0, removals = 0;

 private:
  NonSmoothDynamicalSystem& model_;
  const Beads& beads_;
  std::vector<std::shared_ptr<Interaction>> contacts_;
  std::shared_ptr<NewtonImpactNSL> law_ = std::make_shared<NewtonImpactNSL>(0.9);
  std::shared_ptr<Relation> with_floor_ =
      std::make_shared<LagrangianLinearTIR>(Matrix::Identity(1, 1), Vector::Constant(1, -radius));
  std::shared_ptr<Relation> between_ =
      std::make_shared<LagrangianLinearTIR>(Eigen::RowVector2d(-1, 1), Vector::Constant(1, -2 * radius));
};

}  // namespace

int main() {
  NonSmoothDynamicalSystem model(0.0, 3.0);
  Beads beads;
  for (int i = 0; i < 10; ++i) {
    beads.push_back(
        std::make_shared<LagrangianLinearTIDS>(Vector::Constant(1, 1 + 0.25 * i), Vector::Zero(1), Matrix::Identity(1, 1)));
    beads.back()->setFExt(Vector::Constant(1, -9.81));
    model.insertDynamicalSystem(beads.back());
  }
  TimeDiscretisation instants(0.0, 5e-4);
  MoreauJeanOSI integrator(0.5);
  LCP problem;
  problem.setTolerance(1e-14);
  TimeStepping simulation(model, instants, integrator, problem);
  Detection detection(model, beads);
  simulation.insertInteractionManager(detection);

  CsvTrajectory output("bead_column.csv");
  for (std::size_t i = 0; i < beads.size(); ++i) output.addSystem("bead" + std::to_string(i), *beads[i]);
  Report report;
  long k = 0;
  simulation.run([&](const Simulation& s, const StepStatus& status) {
    report.step(status);
    if (++k == 1000) report.figure("height of the fourth bead after 0.5 s [m]", beads[3]->q()[0], 0.7479780513725154, 1e-9);
    if (k % 10 == 0) output.record(s.nextTime());
  });
  double departure = 0;
  for (std::size_t i = 0; i < beads.size(); ++i)
    departure = std::max(departure, std::abs(beads[i]->q()[0] - (2.0 * static_cast<double>(i) + 1) * radius));
  report.figure("largest departure from the column at rest [m]", departure, 0, 1e-4);
  report.figure("contacts at rest", static_cast<double>(detection.links - detection.removals), 10, 0);
  std::printf("contacts made %ld times, removed %ld times\n", detection.links, detection.removals);
  return report.exitCode();
}
