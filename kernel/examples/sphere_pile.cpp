// A thousand spheres fall into a heap on a floor inside four walls: rigid bodies, Coulomb friction, contacts found on a
// grid of cells (sphere_heap.hpp). Prints the time per step and checks that every step is certified, that nothing sinks in and
// that no energy comes from nowhere.
//   example_sphere_pile [--side SPHERES (10)] [--steps STEPS (100)] [--method NAME (auto)]
//                       [--vtk PREFIX] [--output FILE.h5|FILE.csv] [--save FILE] [--resume FILE]
// With --vtk, PREFIX.pvd shows every fifth step in ParaView; with --output everything is recorded; with --save the state is saved
// every 20 steps, from which --resume goes on.
#include <optional>

#include "example.hpp"
#include "sphere_heap.hpp"

using namespace heap;

namespace {

// What is written while the spheres fall.
class Files {
 public:
  Files(const Options& options, TimeStepping& simulation, const Spheres& spheres, double width) {
    if (!options.text("--vtk").empty()) {
      scene_.emplace(options.text("--vtk"));
      for (const auto& sphere : spheres) scene_->addBody(*sphere, VtkShape::sphere(radius));
      scene_->addFixed(VtkPose(), VtkShape::plane(Vector3::UnitZ(), width));
      scene_->addContacts(simulation);
    }
    if (!options.text("--output").empty()) {
      trajectory_ = createTrajectory(options.text("--output"));
      trajectory_->addAll(simulation);
    }
    if (!options.text("--save").empty()) checkpoints_.emplace(simulation, options.text("--save"), 20);
  }
  void step(int k, double time) {
    if (scene_ && k % 5 == 0) scene_->write(time);
    if (trajectory_) trajectory_->record(time);
    if (checkpoints_) checkpoints_->step();
  }

 private:
  std::optional<VtkScene> scene_;
  std::unique_ptr<Trajectory> trajectory_;
  std::optional<Checkpoints> checkpoints_;
};

}  // namespace

int main(int argc, char** argv) try {
  const Options options(
      {{"--side", "10"}, {"--steps", "100"}, {"--method", ""}, {"--vtk", ""}, {"--output", ""}, {"--save", ""}, {"--resume", ""}},
      argc, argv);
  const int side = options.count("--side", 1), steps = options.count("--steps", 1);
  NonSmoothDynamicalSystem model(0.0);
  const Spheres spheres = fill(model, side);
  Detection detection(model, spheres, halfWidth(side));
  TimeDiscretisation instants(0.0, 5e-3);
  MoreauJeanOSI integrator(0.5);
  FrictionContact problem(3, options.text("--method"));
  problem.setTolerance(1e-4);
  TimeStepping simulation(model, instants, integrator, problem);
  simulation.setNewtonOptions(TimeStepping::Newton::Linear);
  simulation.insertInteractionManager(detection);
  simulation.setFailurePolicy(FailurePolicy::Record);

  Files output(options, simulation, spheres, 2 * halfWidth(side));
  if (!options.text("--resume").empty()) restoreState(options.text("--resume"), simulation);

  const auto energy = [&] { return model.kineticEnergy() + model.potentialEnergy().value(); };
  Report report;
  const double before = energy();
  double deepest = 0, kernel = 0, solver = 0;
  long contacts = 0;
  for (int k = 0; k < steps; ++k) {
    const StepStatus status = simulation.computeOneStep();
    output.step(k, status.time);
    simulation.nextStep();
    report.step(status);
    contacts += status.activeContacts;
    deepest = std::max(deepest, status.violation);
    const PhaseTimes& seconds = status.seconds;
    kernel += seconds.detection + seconds.freeState + seconds.assembly + seconds.update;
    solver += seconds.solver;
  }
  std::printf("%d spheres, %d steps, %.0f active contacts a step\n", side * side * side, steps,
              static_cast<double>(contacts) / steps);
  std::printf("ms a step: detection and kernel %.3f, solver %.3f\n", 1e3 * kernel / steps, 1e3 * solver / steps);
  std::printf("kinetic energy at the end %.2e J\n", model.kineticEnergy());
  report.figure("deepest penetration [m]", deepest, 0, 0.1 * radius);
  report.figure("relative growth of the energy", std::max(0.0, energy() / before - 1), 0, 1e-6);
  return report.exitCode();
} catch (const std::exception& error) {
  return told(error);
}
