#include "nonsmooth/kernel/trajectory.hpp"

#include <limits>

#include "io/presence.hpp"
#include "nonsmooth/kernel/csv_trajectory.hpp"
#include "nonsmooth/kernel/hdf5_trajectory.hpp"

namespace nonsmooth::kernel {
namespace {

enum class Format { Csv, Hdf5 };

Format formatOf(const std::string& path) {
  const auto endsWith = [&](const std::string& ending) { return path.size() > ending.size() && path.ends_with(ending); };
  if (endsWith(".csv")) return Format::Csv;
  if (endsWith(".h5") || endsWith(".hdf5")) return Format::Hdf5;
  fail("%s: a trajectory ends in .csv, .h5 or .hdf5", path.c_str());
}

void addName(const std::string& path, std::unordered_set<std::string>& names, const std::string& name) {
  // A dot alone, and what ends before its end, are no names in HDF5.
  if (name.empty() || name == "." || name.find_first_of("/,\r\n\"") != std::string::npos || name.find('\0') != std::string::npos)
    fail("%s: no column can be named \"%s\"", path.c_str(), name.c_str());
  if (!names.insert(name).second) fail("%s: there are two columns named \"%s\"", path.c_str(), name.c_str());
}

}  // namespace

Trajectory::~Trajectory() = default;

void Trajectory::requireOpen() const {
  if (started_) fail("%s: what is recorded is chosen before the first record", path_.c_str());
}

void Trajectory::take(const Simulation*& place, const Simulation& simulation, const char* what) const {
  requireOpen();
  if (place != nullptr && place != &simulation)
    fail("%s: the %s of one simulation are recorded, not of two", path_.c_str(), what);
  place = &simulation;
}

void Trajectory::addColumn(const std::string& name, std::function<double()> value) {
  requireOpen();
  if (!value) fail("%s: column \"%s\" has no function that gives its value", path_.c_str(), name.c_str());
  addName(path_, names_, name);
  columns_.push_back({name, std::move(value)});
}

void Trajectory::reserveName(const std::string& name) { addName(path_, names_, name); }

void Trajectory::addColumnOf(const DynamicalSystem& system, const std::string& name, std::function<double()> value) {
  addColumn(name, [here = Presence(system), value = std::move(value)] {
    return here() ? value() : std::numeric_limits<double>::quiet_NaN();
  });
}

void Trajectory::addSystem(const std::string& prefix, const DynamicalSystem& system) {
  for (Index k = 0; k < system.slot().nq; ++k)
    addColumnOf(system, prefix + "_q" + std::to_string(k), [&system, k] { return system.coordinates(Coordinate::q)[k]; });
  const std::string letter = system.kind() == SystemKind::FirstOrder ? "_x" : "_v";
  for (Index k = 0; k < system.dimension(); ++k)
    addColumnOf(system, prefix + letter + std::to_string(k), [&system, k] { return system.motion(Motion::v)[k]; });
}

void Trajectory::addInteraction(const std::string& prefix, const Interaction& interaction, int level) {
  for (Index k = 0; k < interaction.dimension(); ++k) {
    addColumn(prefix + "_y" + std::to_string(k), [&interaction, level, k] { return interaction.y(level)[k]; });
    addColumn(prefix + "_lambda" + std::to_string(k), [&interaction, level, k] { return interaction.lambda(level)[k]; });
  }
}

void Trajectory::addKineticEnergy(const NonSmoothDynamicalSystem& model) {
  addColumn("kinetic_energy", [&model] { return model.kineticEnergy(); });
}

void Trajectory::addEnergies(const NonSmoothDynamicalSystem& model) {
  addKineticEnergy(model);
  addColumn("potential_energy", [&model] { return model.potentialEnergy().value_or(std::numeric_limits<double>::quiet_NaN()); });
}

void Trajectory::addAll(const Simulation& simulation) {
  addSystems(simulation);
  addContacts(simulation);
  addSteps(simulation);
  addEnergies(simulation.nonSmoothDynamicalSystem());
}

std::unique_ptr<Trajectory> createTrajectory(const std::string& path) {
  if (formatOf(path) == Format::Csv) return std::make_unique<CsvTrajectory>(path);
  return std::make_unique<Hdf5Trajectory>(path);
}

void checkTrajectory(const std::string& path, const std::vector<std::string>& columns) {
  static_cast<void>(formatOf(path));
  std::unordered_set<std::string> names;
  for (const std::string& name : columns) addName(path, names, name);
}

const std::vector<StepFigure>& stepFigures() {
  using Status = const StepStatus&;
  static const std::vector<StepFigure> figures = {
      {"newton_iterations", [](Status s) { return static_cast<double>(s.newtonIterations); }},
      {"newton_converged", [](Status s) { return s.newtonConverged ? 1.0 : 0.0; }},
      {"newton_residual", [](Status s) { return s.newtonResidual; }},
      {"certified", [](Status s) { return s.solve.certified ? 1.0 : 0.0; }},
      {"residual", [](Status s) { return s.solve.residual; }},
      {"unknowns", [](Status s) { return static_cast<double>(s.solve.size); }},
      {"active_contacts", [](Status s) { return static_cast<double>(s.activeContacts); }},
      {"violation", [](Status s) { return s.violation; }},
      {"parts", [](Status s) { return static_cast<double>(s.parts); }},
      {"seconds_free_state", [](Status s) { return s.seconds.freeState; }},
      {"seconds_detection", [](Status s) { return s.seconds.detection; }},
      {"seconds_assembly", [](Status s) { return s.seconds.assembly; }},
      {"seconds_solver", [](Status s) { return s.seconds.solver; }},
      {"seconds_update", [](Status s) { return s.seconds.update; }}};
  return figures;
}

}  // namespace nonsmooth::kernel
