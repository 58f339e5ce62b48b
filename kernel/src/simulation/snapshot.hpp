// States and contacts to come back to.
#ifndef NONSMOOTH_KERNEL_SIMULATION_SNAPSHOT_HPP
#define NONSMOOTH_KERNEL_SIMULATION_SNAPSHOT_HPP

#include <algorithm>
#include <array>
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

// Gaps, multipliers and activity of all interactions at an instant, to be given back to those that are still in the model: rules
// of activation go by what the last step has left, solvers start from its multipliers.
class ContactSnapshot {
 public:
  void take(NonSmoothDynamicalSystem& model) {
    const auto rows = static_cast<std::size_t>(model.outputs().rows());
    for (std::size_t f = 0; f < kept.size(); ++f)
      values_[f].assign(model.outputs().data(kept[f]), model.outputs().data(kept[f]) + rows);
    contacts_.clear();
    for (const InteractionRecord& record : model.records()) contacts_.push_back({record.generation, record.active});
  }
  void giveBackTo(NonSmoothDynamicalSystem& model) const {
    for (std::size_t k = 0; k < std::min(contacts_.size(), model.records().size()); ++k) {
      InteractionRecord& record = model.records()[k];
      if (record.object == nullptr || record.generation != contacts_[k].generation) continue;
      record.active = contacts_[k].active;
      for (std::size_t f = 0; f < kept.size(); ++f)
        std::copy_n(values_[f].begin() + record.y.start, record.y.rows, model.outputs().data(kept[f]) + record.y.start);
    }
  }

 private:
  struct Contact {
    std::uint32_t generation;
    bool active;
  };
  static constexpr std::array kept = {Output::y0,      Output::lambda0, Output::lambda1,
                                      Output::lambda2, Output::y0Old,   Output::y1Old};
  std::array<std::vector<double>, kept.size()> values_;
  std::vector<Contact> contacts_;
};

}  // namespace nonsmooth::kernel
#endif
