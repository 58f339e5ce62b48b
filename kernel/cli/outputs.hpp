// All that a run writes: tables, plots and saved states.
#pragma once

#include <memory>
#include <nonsmooth/kernel/checkpoint.hpp>
#include <optional>
#include <string>
#include <vector>

#include "run.hpp"

namespace cli {

class Recorder;

// What can be known of the files before the run is known before one of them is touched. After a failure of one the others are
// still kept up and finished.
class Outputs {
 public:
  // Checks all paths, and all quantities and their names; opens nothing. Throws Failure.
  Outputs(const nonsmooth::kernel::LoadedModel& loaded, const RunRequest& request);
  ~Outputs();
  Outputs(const Outputs&) = delete;
  Outputs& operator=(const Outputs&) = delete;

  // Replaces the tables and the saved state; throws Error. The simulation stands where the run starts.
  void open();
  // A row, or a point of the curves, of this instant where it is due; throws for nothing but memory.
  void record(double time);
  // The state, where it is due after a step.
  void step();
  // Has one of them failed? There is no use in going on, then.
  bool failed() const { return !failure_.empty(); }
  // Plots and the last state are written; throws the first failure of all.
  void finish(Account& account);

 private:
  template <class Write>
  bool attempt(const Write& write);

  const nonsmooth::kernel::LoadedModel& loaded_;
  const RunRequest& request_;
  std::vector<std::unique_ptr<Recorder>> recorders_;
  std::optional<nonsmooth::kernel::Checkpoints> checkpoints_;
  std::string failure_;
};

}  // namespace cli
