// States to come back to.
#ifndef NONSMOOTH_KERNEL_SIMULATION_SNAPSHOT_HPP
#define NONSMOOTH_KERNEL_SIMULATION_SNAPSHOT_HPP

#include <vector>

#include "nonsmooth/kernel/nsds.hpp"

namespace nonsmooth::kernel {

// The states of all systems at an instant, to be given back to those that are still in the model: managers may have inserted and
// removed others since, and what has come keeps its own state.
class Snapshot {
 public:
  void take(NonSmoothDynamicalSystem& model) {
    if (model_ != &model || systems_version_ != model.systemsVersion()) return takeAll(model);
    for (const Place& place : places_) StateStore::copy(model.states(), place.slot, states_, place.slot);
  }
  void giveBackTo(NonSmoothDynamicalSystem& model) const {
    for (const Place& place : places_)
      if (model.systemGeneration(place.number) == place.generation)
        StateStore::copy(states_, place.slot, model.states(), place.slot);
  }

 private:
  struct Place {
    int number;
    std::uint32_t generation;
    StateSlot slot;
  };
  void takeAll(NonSmoothDynamicalSystem& model) {
    states_ = model.states();
    places_.clear();
    for (const DynamicalSystem* system : model.systems())
      if (system != nullptr) places_.push_back({system->number(), model.systemGeneration(system->number()), system->slot()});
    model_ = &model;
    systems_version_ = model.systemsVersion();
  }
  const NonSmoothDynamicalSystem* model_ = nullptr;  // of the last one taken
  unsigned long systems_version_ = 0;
  StateStore states_;
  std::vector<Place> places_;
};

}  // namespace nonsmooth::kernel
#endif
