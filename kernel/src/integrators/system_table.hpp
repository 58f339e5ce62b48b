// What an integrator keeps of each of its systems.
#pragma once

#include <vector>

#include "nonsmooth/kernel/nsds.hpp"

namespace nonsmooth::kernel {

// Entries side by side, found by the number of the system. An entry has the system, `ds`, and the `generation` of its place.
template <class Entry>
class SystemTable {
 public:
  void clear(std::size_t numbers) {
    entries_.clear();
    place_.assign(numbers, -1);
  }
  void insert(int number, Entry entry) {
    place_[static_cast<std::size_t>(number)] = static_cast<int>(entries_.size());
    entries_.push_back(std::move(entry));
  }
  bool contains(Index number) const {
    return number >= 0 && number < static_cast<Index>(place_.size()) && place_[static_cast<std::size_t>(number)] >= 0;
  }
  // Is there an entry of this very system, not of one that had its number or its address before?
  bool keeps(const NonSmoothDynamicalSystem& model, const DynamicalSystem& system) const {
    return contains(system.number()) && at(system.number()).ds == &system &&
           at(system.number()).generation == model.systemGeneration(system.number());
  }
  std::size_t placeOf(Index number) const { return static_cast<std::size_t>(place_[static_cast<std::size_t>(number)]); }
  Entry& at(Index number) { return entries_[placeOf(number)]; }
  const Entry& at(Index number) const { return entries_[placeOf(number)]; }
  // Throws where the system is not among them. One of another model may have the number of one that is.
  const Entry& require(Index number, const char* integrator) const {
    if (!contains(number)) fail("system %d is not integrated by this %s", static_cast<int>(number), integrator);
    return at(number);
  }
  const Entry& require(const DynamicalSystem& system, const char* integrator) const {
    const Entry& entry = require(system.number(), integrator);
    if (entry.ds != &system) fail("system %d is one of another model, not integrated by this %s", system.number(), integrator);
    return entry;
  }
  std::vector<Entry>& entries() { return entries_; }
  const std::vector<Entry>& entries() const { return entries_; }
  auto begin() { return entries_.begin(); }
  auto end() { return entries_.end(); }

 private:
  std::vector<Entry> entries_;
  std::vector<int> place_;
};

}  // namespace nonsmooth::kernel
