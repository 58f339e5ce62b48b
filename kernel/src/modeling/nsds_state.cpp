// A model's state, saved and restored.
#include <algorithm>
#include <limits>

#include "nonsmooth/kernel/nsds.hpp"

namespace nonsmooth::kernel {
namespace {

constexpr auto coordinate_fields = static_cast<int>(Coordinate::count);
constexpr auto motion_fields = static_cast<int>(Motion::count);
constexpr auto output_fields = static_cast<int>(Output::count);

void write(StateWriter& out, const std::vector<int>& values) {
  out.integer(static_cast<std::int64_t>(values.size()));
  for (const int value : values) out.integer(value);
}

// Places of systems, or of interactions, that are free: all that `taken` does not have, each once.
std::vector<int> readFreePlaces(StateReader& in, const std::string& what, std::vector<bool> taken) {
  std::vector<int> places(in.count("free places of " + what, sizeof(std::int64_t)));
  const auto free = static_cast<std::size_t>(std::count(taken.begin(), taken.end(), false));
  for (int& place : places) {
    const std::int64_t number = in.integer();
    const bool inside = number >= 0 && static_cast<std::size_t>(number) < taken.size();
    if (!inside || taken[static_cast<std::size_t>(number)])
      in.refuse(what + ": place " + std::to_string(number) + ", said to be free, is " + (inside ? "taken" : "not there"));
    taken[static_cast<std::size_t>(number)] = true;
    place = static_cast<int>(number);
  }
  if (places.size() != free)
    in.refuse(what + ": " + std::to_string(places.size()) + " places are said to be free, " + std::to_string(free) + " are");
  return places;
}

void saveVector(StateWriter& out, const Vector& values) { out.reals(values.data(), values.size()); }

void restoreVector(StateReader& in, Vector& values, const std::string& what) { in.reals(values.data(), values.size(), what); }

std::string describe(const SavedInteraction& saved) {
  std::string text = "interaction " + std::to_string(saved.place) + " (" + saved.law + ", " + saved.relation + ", tag " +
                     std::to_string(saved.tag) + ", system " + std::to_string(saved.system[0]);
  if (saved.system[1] >= 0) text += " and " + std::to_string(saved.system[1]);
  return text + ")";
}

// True if there is an interaction at that place.
bool readInteraction(StateReader& in, std::size_t place, SavedInteraction& saved) {
  saved.place = static_cast<int>(place);
  const bool alive = in.integer() != 0;
  const std::int64_t generation = in.integer();
  if (generation < 0 || generation > std::numeric_limits<std::uint32_t>::max())
    in.refuse("the generation of interaction " + std::to_string(place) + " is " + std::to_string(generation));
  saved.generation = static_cast<std::uint32_t>(generation);
  if (!alive) return false;
  saved.tag = in.integer();
  saved.law = in.text();
  saved.relation = in.text();
  saved.rows = in.integer();
  for (int& system : saved.system) {
    const std::int64_t number = in.integer();
    if (number < -1 || number > std::numeric_limits<int>::max())
      in.refuse("interaction " + std::to_string(place) + " is linked to system " + std::to_string(number));
    system = static_cast<int>(number);
  }
  return true;
}

// Of one system: its class, its arrays.
void restoreSystem(DynamicalSystem& system, StateReader& in) {
  const std::string what = "system " + std::to_string(system.number());
  in.expect("the class of " + what, system.className());
  for (int f = 0; f < coordinate_fields; ++f) {
    VectorView values = system.coordinates(static_cast<Coordinate>(f));
    in.reals(values.data(), values.size(), "q of " + what);
  }
  for (int f = 0; f < motion_fields; ++f) {
    VectorView values = system.motion(static_cast<Motion>(f));
    in.reals(values.data(), values.size(), "the state of " + what);
  }
  restoreVector(in, system.z(), "z of " + what);
  if (auto* mechanical = dynamic_cast<SecondOrderDS*>(&system))
    restoreVector(in, mechanical->reactionToBoundaryConditions(), "the boundary conditions of " + what);
}

// What comes after `fresh` and `active`.
void restoreOutputs(const InteractionRecord& record, OutputStore& outputs, StateReader& in, const std::string& what) {
  restoreVector(in, record.relation->z(), "z of " + what);
  for (int f = 0; f < output_fields; ++f) {
    VectorView values = outputs.view(static_cast<Output>(f), record.y);
    in.reals(values.data(), values.size(), "the outputs of " + what);
  }
}

// Systems, and interactions, take these at least in a file.
constexpr std::size_t bytes_of_system = sizeof(std::int64_t), bytes_of_interaction = 2 * sizeof(std::int64_t);

}  // namespace

void NonSmoothDynamicalSystem::saveSystem(const DynamicalSystem& system, StateWriter& out) const {
  out.text(system.className());
  for (int f = 0; f < coordinate_fields; ++f) {
    const VectorView values = system.coordinates(static_cast<Coordinate>(f));
    out.reals(values.data(), values.size());
  }
  for (int f = 0; f < motion_fields; ++f) {
    const VectorView values = system.motion(static_cast<Motion>(f));
    out.reals(values.data(), values.size());
  }
  saveVector(out, system.getz());
  if (const auto* mechanical = dynamic_cast<const SecondOrderDS*>(&system))
    saveVector(out, mechanical->reactionToBoundaryConditions());
}

void NonSmoothDynamicalSystem::save(StateWriter& out) const {
  out.real(t0_);
  out.integer(static_cast<std::int64_t>(systems_.size()));
  for (const DynamicalSystem* system : systems_) {
    out.integer(system != nullptr ? 1 : 0);
    if (system != nullptr) saveSystem(*system, out);
  }
  write(out, free_systems_);
  out.integer(static_cast<std::int64_t>(records_.size()));
  for (const InteractionRecord& record : records_) {
    out.integer(record.object != nullptr ? 1 : 0);
    out.integer(record.generation);
    if (record.object == nullptr) continue;
    out.integer(record.object->tag());
    out.text(name(record.law->kind()));
    out.text(record.relation->className());
    out.integer(record.y.rows);
    for (const Index system : record.system) out.integer(system);
    out.integer(record.fresh ? 1 : 0);
    out.integer(record.active ? 1 : 0);
    saveVector(out, record.relation->z());
    for (int f = 0; f < output_fields; ++f) {
      const VectorView values = record.object->store_->view(static_cast<Output>(f), record.y);
      out.reals(values.data(), values.size());
    }
  }
  write(out, free_records_);
}

void NonSmoothDynamicalSystem::requireSame(const SavedInteraction& saved, const StateReader& in) const {
  const InteractionRecord& record = recordAt(saved.place);
  const bool same = record.object->tag() == saved.tag && name(record.law->kind()) == saved.law &&
                    record.relation->className() == saved.relation && record.y.rows == saved.rows &&
                    std::equal(record.system.begin(), record.system.end(), saved.system.begin());
  if (same) return;
  const SavedInteraction here{saved.place,
                              saved.generation,
                              record.object->tag(),
                              name(record.law->kind()),
                              record.relation->className(),
                              record.y.rows,
                              {static_cast<int>(record.system[0]), static_cast<int>(record.system[1])}};
  in.refuse(describe(saved) + " of " + std::to_string(saved.rows) + " rows in the file is " + describe(here) + " of " +
            std::to_string(here.rows) + " rows here");
}

// One that the model has must be the same; one that it has not is to be linked, to systems that it has.
void NonSmoothDynamicalSystem::checkInteraction(const SavedInteraction& saved, StateReader& in) const {
  const auto place = static_cast<std::size_t>(saved.place);
  const std::string what = describe(saved);
  if (place < records_.size() && records_[place].object != nullptr) {
    const InteractionRecord& record = records_[place];
    requireSame(saved, in);
    in.integer();
    in.integer();
    return restoreOutputs(record, *record.object->store_, in, what);
  }
  for (std::size_t side = 0; side < saved.system.size(); ++side) {
    const int system = saved.system[side];
    if (side == 1 && system == -1) continue;
    if (system < 0 || static_cast<std::size_t>(system) >= systems_.size() || systemAt(system) == nullptr)
      in.refuse(what + " is linked to a system that is not there");
  }
  in.integer();
  in.integer();
  in.skipReals("z of " + what);
  for (int f = 0; f < output_fields; ++f) in.skipReals("the outputs of " + what);
}

void NonSmoothDynamicalSystem::checkState(StateReader in) const {
  in.lookOnly();
  in.expectReal("the initial time", t0_);
  const std::size_t places = in.count("places of systems", bytes_of_system);
  std::vector<bool> taken(places, false);
  for (std::size_t d = 0; d < std::max(places, systems_.size()); ++d) {
    const bool saved = d < places && in.integer() != 0, here = d < systems_.size() && systems_[d] != nullptr;
    if (saved != here)
      in.refuse("system " + std::to_string(d) + " is " +
                (saved ? "in the file, not in this model" : "in this model, not in the file"));
    if (!saved) continue;
    taken[d] = true;
    restoreSystem(*systems_[d], in);
  }
  readFreePlaces(in, "systems", std::move(taken));
  const std::size_t saved_records = in.count("places of interactions", bytes_of_interaction);
  if (saved_records < records_.size())
    in.refuse("there are places for " + std::to_string(saved_records) + " interactions in the file, for " +
              std::to_string(records_.size()) + " here");
  taken.assign(saved_records, false);
  for (std::size_t k = 0; k < saved_records; ++k) {
    SavedInteraction saved;
    taken[k] = readInteraction(in, k, saved);
    if (taken[k])
      checkInteraction(saved, in);
    else if (k < records_.size() && records_[k].object != nullptr)
      in.refuse("interaction " + std::to_string(k) + " is in this model, not in the file");
  }
  readFreePlaces(in, "interactions", std::move(taken));
}

void NonSmoothDynamicalSystem::restoreInteraction(const SavedInteraction& saved, StateReader& in,
                                                  const std::function<bool(const SavedInteraction&)>& link) {
  const auto place = static_cast<std::size_t>(saved.place);
  const std::string what = describe(saved);
  if (records_[place].object == nullptr) {
    free_records_.push_back(saved.place);  // the next one linked goes here
    if (!link(saved)) in.refuse(what + " is not in this model, and no interaction manager restores it");
    if (records_[place].object == nullptr) in.refuse("the interaction manager has not linked " + what);
  }
  requireSame(saved, in);
  InteractionRecord& record = records_[place];
  record.object->handle_.generation = saved.generation;
  record.fresh = in.integer() != 0;
  record.active = in.integer() != 0;
  // Matrices are evaluated anew; only what a step before has left is read.
  record.relation_version = record.relation->version() - 1;
  restoreOutputs(record, outputs_, in, what);
}

// Places that the file does not have, free ones, come after those that it has.
void NonSmoothDynamicalSystem::restoreSystems(StateReader& in) {
  const std::size_t places = in.count("places of systems", bytes_of_system), all = std::max(places, systems_.size());
  systems_.resize(all, nullptr);
  system_owners_.resize(all);
  links_of_system_.resize(all, 0);
  system_generations_.resize(all, 0);
  std::vector<bool> taken(places, false);
  for (std::size_t d = 0; d < places; ++d) {
    taken[d] = in.integer() != 0;
    if (taken[d]) restoreSystem(*systems_[d], in);
  }
  free_systems_.clear();
  for (std::size_t d = all; d > places; --d) free_systems_.push_back(static_cast<int>(d - 1));
  const std::vector<int> saved = readFreePlaces(in, "systems", std::move(taken));
  free_systems_.insert(free_systems_.end(), saved.begin(), saved.end());
}

void NonSmoothDynamicalSystem::restore(StateReader& in, const std::function<bool(const SavedInteraction&)>& link) {
  checkState(in);
  in.expectReal("the initial time", t0_);
  restoreSystems(in);
  ++topology_version_;
  try {
    restoreInteractions(in, link);
  } catch (...) {
    // A manager has refused: what has been linked stays, all other places are free.
    free_records_.clear();
    for (std::size_t k = records_.size(); k > 0; --k)
      if (records_[k - 1].object == nullptr) free_records_.push_back(static_cast<int>(k - 1));
    throw;
  }
}

void NonSmoothDynamicalSystem::restoreInteractions(StateReader& in, const std::function<bool(const SavedInteraction&)>& link) {
  const std::size_t places = in.count("places of interactions", bytes_of_interaction);
  records_.resize(places);
  interaction_owners_.resize(places);
  std::vector<bool> taken(places, false);
  for (std::size_t k = 0; k < places; ++k) {
    SavedInteraction saved;
    taken[k] = readInteraction(in, k, saved);
    records_[k].generation = saved.generation;
    if (taken[k]) restoreInteraction(saved, in, link);
  }
  free_records_ = readFreePlaces(in, "interactions", std::move(taken));
}

}  // namespace nonsmooth::kernel
