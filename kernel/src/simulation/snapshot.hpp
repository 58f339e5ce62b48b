// States and contacts to come back to.
#pragma once

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
// of activation go by what the last step has left, solvers start from its multipliers. Who has come to a place that was free then
// has the generation that the place had.
class ContactSnapshot {
 public:
  void take(NonSmoothDynamicalSystem& model) {
    rows_ = static_cast<std::size_t>(model.outputs().rows());
    values_.resize(kept.size() * rows_);
    for (std::size_t f = 0; f < kept.size(); ++f) std::copy_n(model.outputs().data(kept[f]), rows_, values_.data() + f * rows_);
    const std::vector<InteractionRecord>& records = model.records();
    contacts_.resize(records.size());
    for (std::size_t k = 0; k < records.size(); ++k)
      contacts_[k] = {records[k].generation, records[k].object != nullptr, records[k].active};
  }
  void giveBackTo(NonSmoothDynamicalSystem& model) const {
    for (std::size_t k = 0; k < std::min(contacts_.size(), model.records().size()); ++k) {
      InteractionRecord& record = model.records()[k];
      if (record.object == nullptr || !contacts_[k].linked || record.generation != contacts_[k].generation) continue;
      record.active = contacts_[k].active;
      const auto start = static_cast<std::size_t>(record.y.start);
      for (std::size_t f = 0; f < kept.size(); ++f)
        std::copy_n(values_.data() + f * rows_ + start, record.y.rows, model.outputs().data(kept[f]) + record.y.start);
    }
  }

 private:
  struct Contact {
    std::uint32_t generation;
    bool linked, active;
  };
  static constexpr std::array kept = {Output::y0,      Output::lambda0, Output::lambda1,
                                      Output::lambda2, Output::y0Old,   Output::y1Old};
  std::size_t rows_ = 0;
  std::vector<double> values_;  // field by field
  std::vector<Contact> contacts_;
};

}  // namespace nonsmooth::kernel
