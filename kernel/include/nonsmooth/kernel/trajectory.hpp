// What is recorded of a run, whatever the file it goes to.
#ifndef NONSMOOTH_KERNEL_TRAJECTORY_HPP
#define NONSMOOTH_KERNEL_TRAJECTORY_HPP

#include <functional>
#include <memory>
#include <string>
#include <unordered_set>
#include <vector>

#include "nonsmooth/kernel/contact_state.hpp"

namespace nonsmooth::kernel {

// First it is said what is recorded, then record() is called as often as wanted: once after each step, say, or twice at the
// instant of an event. Columns are single numbers; systems, contacts and steps are tables, which each file lays out in its own
// way. What has been reported as written stays readable after a crash or on a full disk; record() and flush() throw, naming the
// file. Models, simulations and objects recorded must outlive the last record(), but for systems that leave their model. One
// thread at a time, that of the simulation; objects are independent of each other.
class Trajectory {
 public:
  virtual ~Trajectory();
  Trajectory(const Trajectory&) = delete;
  Trajectory& operator=(const Trajectory&) = delete;

  // A column of one's own: what `value` gives at each record.
  void addColumn(const std::string& name, std::function<double()> value);
  // PREFIX_q0 ... PREFIX_v0 ... of mechanical systems, PREFIX_x0 ... of first order ones; nan once a system has left its model.
  void addSystem(const std::string& prefix, const DynamicalSystem& system);
  // PREFIX_y0 ... PREFIX_lambda0 ... of a level.
  void addInteraction(const std::string& prefix, const Interaction& interaction, int level);
  // Kinetic energy [J].
  void addKineticEnergy(const NonSmoothDynamicalSystem& model);
  // kinetic_energy and potential_energy [J]; nan where a potential is not known (NonSmoothDynamicalSystem::potentialEnergy).
  void addEnergies(const NonSmoothDynamicalSystem& model);

  // The state of all systems; with forces also what acts on them: fL or f, and the input from nonsmooth laws.
  virtual void addSystems(const Simulation& simulation, bool with_forces = false) = 0;
  virtual void addContacts(const Simulation& simulation, ContactChoice choice = ContactChoice::Active) = 0;
  // StepStatus of the last step.
  virtual void addSteps(const Simulation& simulation) = 0;
  // Systems, active contacts, steps and energies.
  void addAll(const Simulation& simulation);

  // Adds what was chosen, as it is now.
  virtual void record(double time) = 0;
  // Hands everything recorded to the operating system.
  virtual void flush() = 0;

 protected:
  struct Column {
    std::string name;
    std::function<double()> value;
  };
  Trajectory(std::string path) : path_(std::move(path)) {}
  // Throws once the first record has been made.
  void requireOpen() const;
  // A column of what a system has: nan once it has left its model.
  void addColumnOf(const DynamicalSystem& system, const std::string& name, std::function<double()> value);
  // What is recorded is of this simulation: throws where it is of another one already, or the first record has been made.
  void take(const Simulation*& place, const Simulation& simulation, const char* what) const;
  // No column may have this name, which the file itself uses.
  void reserveName(const std::string& name);
  const std::string& path() const { return path_; }
  const std::vector<Column>& columns() const { return columns_; }
  bool started_ = false;

 private:
  std::string path_;
  std::vector<Column> columns_;
  std::unordered_set<std::string> names_;
};

// By the ending: .csv, or .h5 and .hdf5.
std::unique_ptr<Trajectory> createTrajectory(const std::string& path);
// Throws what createTrajectory would because of the ending, and addColumn because of the names; no file is opened.
void checkTrajectory(const std::string& path, const std::vector<std::string>& columns);

// The numbers of a StepStatus, in the order in which files show them.
struct StepFigure {
  // Name of its column.
  const char* name;
  // Its value in a status.
  double (*value)(const StepStatus& status);
};
// The figures of a StepStatus, in the order of the tables.
const std::vector<StepFigure>& stepFigures();

}  // namespace nonsmooth::kernel
#endif
