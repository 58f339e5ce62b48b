// A run can be left and taken up again.
#ifndef NONSMOOTH_KERNEL_CHECKPOINT_HPP
#define NONSMOOTH_KERNEL_CHECKPOINT_HPP

#include <string>

#include "nonsmooth/kernel/simulation.hpp"

namespace nonsmooth::kernel {

// Saves all that the following steps depend on: states of the systems and their memories, outputs and multipliers, parameters z,
// memories of the integrators, the number of the step. Between steps only. The file is complete or, after a failure, the one that
// was there before.
//
// The nonsmooth problems forget what solvers keep from solve to solve, so that the run which saves and the run which is resumed
// go on with the same bits. `origin` is kept for those who restore it: LoadedModel::fingerprint, say.
void saveState(const std::string& path, Simulation& simulation, const std::string& origin = "");

// Into a simulation built by the same program: the same systems, interactions, integrators, problems and instants; another
// final time will do. Throws Error, naming the file and what differs, where it does not fit: the simulation is to be built anew
// then. Interactions that come and go are linked again by InteractionManager::restoreInteraction. Not in the file: the operators
// and functions of the model, and what user functions remember. Returns the origin.
std::string restoreState(const std::string& path, Simulation& simulation);

// Saves the state after every n-th step: call step() after each one.
class Checkpoints {
 public:
  Checkpoints(Simulation& simulation, std::string path, long every, std::string origin = "");
  // True if it has saved.
  bool step();
  // The file.
  const std::string& path() const { return path_; }

 private:
  Simulation* simulation_;
  std::string path_, origin_;
  long every_, count_ = 0;
};

}  // namespace nonsmooth::kernel
#endif
