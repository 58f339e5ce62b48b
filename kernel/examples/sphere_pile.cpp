// A thousand spheres fall into a heap on a floor inside four walls: rigid bodies, Coulomb friction, contacts found by the example
// itself on a grid of cells. Prints the time per step and checks that every step is certified, that nothing sinks in and that no
// energy comes from nowhere.
//   example_sphere_pile [--side SPHERES (10)] [--steps STEPS (100)] [--method NAME (auto)]
//                       [--vtk PREFIX] [--output FILE.h5|FILE.csv] [--save FILE] [--resume FILE]
// With --vtk, PREFIX.pvd shows every fifth step in ParaView; with --output everything is recorded; with --save the state is saved
// every 20 steps, from which --resume goes on.
#include <array>
#include <cstdlib>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "example.hpp"

using namespace nonsmooth::kernel;

namespace {

constexpr double radius = 0.1, margin = 0.02;

void betweenSpheres(double, const double* a, const double* b, Contact& contact) {
  const Vector3 d(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
  const double distance = d.norm();
  contact.normal = d / distance;
  contact.gap = distance - 2 * radius;
  contact.point1 = Vector3(a[0], a[1], a[2]) - radius * contact.normal;
  contact.point2 = Vector3(b[0], b[1], b[2]) + radius * contact.normal;
}

struct Plane {
  Vector3 normal;
  double offset;
  double gap(const double* q) const { return normal.dot(Vector3(q[0], q[1], q[2])) - offset - radius; }
  void operator()(double, const double* q, const double*, Contact& contact) const {
    contact.normal = normal;
    contact.gap = gap(q);
    contact.point1 = contact.point2 = Vector3(q[0], q[1], q[2]) - radius * normal;
  }
};

// Keeps an interaction for every pair closer than the margin.
class Detection : public InteractionManager {
 public:
  Detection(NonSmoothDynamicalSystem& model, const std::vector<std::shared_ptr<NewtonEulerDS>>& spheres, double half_width)
      : model_(model), spheres_(spheres), law_(std::make_shared<NewtonImpactFrictionNSL>(0.0, 0.0, 0.5, 3)) {
    planes_ = {{Vector3::UnitZ(), 0.0},
               {Vector3::UnitX(), -half_width},
               {-Vector3::UnitX(), -half_width},
               {Vector3::UnitY(), -half_width},
               {-Vector3::UnitY(), -half_width}};
  }

  bool restoreInteraction(Simulation&, const SavedInteraction& saved) override {
    touch(static_cast<std::size_t>(saved.system[0]), static_cast<std::size_t>(saved.tag));
    return true;
  }

  void updateInteractions(Simulation&) override {
    ++step_;
    const double reach = 2 * radius + margin;
    cells_.clear();
    for (std::size_t i = 0; i < spheres_.size(); ++i) cells_[key(cell(i, reach))].push_back(i);
    for (std::size_t i = 0; i < spheres_.size(); ++i) {
      touchPlanes(i);
      const auto c = cell(i, reach);
      for (int dx = -1; dx <= 1; ++dx)
        for (int dy = -1; dy <= 1; ++dy)
          for (int dz = -1; dz <= 1; ++dz) {
            const auto found = cells_.find(key({c[0] + dx, c[1] + dy, c[2] + dz}));
            if (found == cells_.end()) continue;
            for (const std::size_t j : found->second)
              if (j < i && (spheres_[i]->q().head<3>() - spheres_[j]->q().head<3>()).norm() < reach) touch(i, j);
          }
    }
    std::erase_if(known_, [&](const auto& entry) {
      const bool apart = entry.second.seen != step_;
      if (apart) model_.removeInteraction(entry.second.handle);
      return apart;
    });
  }

 private:
  struct Known {
    InteractionHandle handle;
    long seen;
  };

  std::array<long, 3> cell(std::size_t i, double size) const {
    const VectorView q = spheres_[i]->q();
    return {std::lround(std::floor(q[0] / size)), std::lround(std::floor(q[1] / size)), std::lround(std::floor(q[2] / size))};
  }
  static long key(const std::array<long, 3>& c) { return (c[0] + 10000) + 20011 * ((c[1] + 10000) + 20011 * (c[2] + 10000)); }

  void touchPlanes(std::size_t i) {
    for (std::size_t p = 0; p < planes_.size(); ++p)
      if (planes_[p].gap(spheres_[i]->q().data()) < margin) touch(i, spheres_.size() + p);
  }

  // A sphere and another one, or, where j counts beyond the spheres, a plane.
  void touch(std::size_t i, std::size_t j) {
    auto [it, inserted] = known_.try_emplace({i, j}, Known{{}, step_});
    it->second.seen = step_;
    if (!inserted) return;
    const bool between = j < spheres_.size();
    auto contact = std::make_shared<Interaction>(law_, between ? std::make_shared<NewtonEuler3DR>(betweenSpheres)
                                                               : std::make_shared<NewtonEuler3DR>(planes_[j - spheres_.size()]));
    contact->setTag(static_cast<std::int64_t>(j));
    it->second.handle = between ? model_.link(contact, *spheres_[i], *spheres_[j]) : model_.link(contact, *spheres_[i]);
  }

  NonSmoothDynamicalSystem& model_;
  const std::vector<std::shared_ptr<NewtonEulerDS>>& spheres_;
  std::shared_ptr<NewtonImpactFrictionNSL> law_;
  std::vector<Plane> planes_;
  std::unordered_map<long, std::vector<std::size_t>> cells_;
  std::map<std::pair<std::size_t, std::size_t>, Known> known_;
  long step_ = 0;
};

using Options = std::map<std::string, std::string>;
using Spheres = std::vector<std::shared_ptr<NewtonEulerDS>>;

constexpr double mass = 1.0, spacing = 2 * radius + 0.01;

// Layers are shifted so that the heap is none of columns.
Spheres fill(NonSmoothDynamicalSystem& model, int side) {
  const double inertia = 0.4 * mass * radius * radius;
  Spheres spheres;
  for (int k = 0; k < side * side * side; ++k) {
    const int ix = k % side, iy = k / side % side, iz = k / side / side;
    Vector q(7);
    q << spacing * (ix - 0.5 * (side - 1)) + 0.03 * (iz % 2), spacing * (iy - 0.5 * (side - 1)) + 0.02 * (iz % 3),
        radius + spacing * iz, 1, 0, 0, 0;
    spheres.push_back(std::make_shared<NewtonEulerDS>(q, Vector::Zero(6), mass, inertia * Matrix3::Identity()));
    spheres.back()->setFExt(Eigen::Vector3d(0, 0, -9.81 * mass));
    model.insertDynamicalSystem(spheres.back());
  }
  return spheres;
}

// What is written while the spheres fall.
class Files {
 public:
  Files(Options& options, TimeStepping& simulation, const Spheres& spheres, double width) {
    if (!options["--vtk"].empty()) {
      scene_.emplace(options["--vtk"]);
      for (const auto& sphere : spheres) scene_->addBody(*sphere, VtkShape::sphere(radius));
      scene_->addFixed(VtkPose(), VtkShape::plane(Vector3::UnitZ(), width));
      scene_->addContacts(simulation);
    }
    if (!options["--output"].empty()) {
      trajectory_ = createTrajectory(options["--output"]);
      trajectory_->addAll(simulation);
    }
    if (!options["--save"].empty()) checkpoints_.emplace(simulation, options["--save"], 20);
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

int main(int argc, char** argv) {
  Options options = {{"--side", "10"}, {"--steps", "100"}, {"--method", ""}, {"--vtk", ""},
                     {"--output", ""}, {"--save", ""},     {"--resume", ""}};
  for (int i = 1; i + 1 < argc; i += 2) options.at(argv[i]) = argv[i + 1];
  const int side = std::stoi(options["--side"]), steps = std::stoi(options["--steps"]);
  NonSmoothDynamicalSystem model(0.0);
  const Spheres spheres = fill(model, side);
  Detection detection(model, spheres, 0.5 * spacing * side + 0.1);
  TimeDiscretisation instants(0.0, 5e-3);
  MoreauJeanOSI integrator(0.5);
  FrictionContact problem(3, options["--method"]);
  problem.setTolerance(1e-4);
  TimeStepping simulation(model, instants, integrator, problem);
  simulation.setNewtonOptions(TimeStepping::Newton::Linear);
  simulation.insertInteractionManager(detection);
  simulation.setFailurePolicy(FailurePolicy::Record);

  Files output(options, simulation, spheres, spacing * side + 0.2);
  if (!options["--resume"].empty()) restoreState(options["--resume"], simulation);

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
}
