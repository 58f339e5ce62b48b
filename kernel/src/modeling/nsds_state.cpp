// A model's state, saved and restored.
#include <algorithm>

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

std::vector<int> readPlaces(StateReader& in) {
  std::vector<int> values(static_cast<std::size_t>(in.integer()));
  for (int& value : values) value = static_cast<int>(in.integer());
  return values;
}

void saveVector(StateWriter& out, const Vector& values) { out.reals(values.data(), values.size()); }

void restoreVector(StateReader& in, Vector& values, const std::string& what) { in.reals(values.data(), values.size(), what); }

std::string describe(const SavedInteraction& saved) {
  std::string text = "interaction " + std::to_string(saved.place) + " (" + saved.law + ", " + saved.relation + ", tag " +
                     std::to_string(saved.tag) + ", system " + std::to_string(saved.system[0]);
  if (saved.system[1] >= 0) text += " and " + std::to_string(saved.system[1]);
  return text + ")";
}

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

void NonSmoothDynamicalSystem::restoreSystem(DynamicalSystem& system, StateReader& in) {
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

void NonSmoothDynamicalSystem::restoreInteraction(const SavedInteraction& saved, StateReader& in,
                                                  const std::function<bool(const SavedInteraction&)>& link) {
  const auto place = static_cast<std::size_t>(saved.place);
  const std::string what = describe(saved);
  records_[place].generation = saved.generation;
  if (records_[place].object == nullptr) {
    free_records_.push_back(saved.place);  // the next one linked goes here
    if (!link(saved)) in.refuse(what + " is not in this model, and no interaction manager restores it");
    if (records_[place].object == nullptr) in.refuse("the interaction manager has not linked " + what);
  }
  InteractionRecord& record = records_[place];
  record.object->handle_.generation = saved.generation;
  const bool same = record.object->tag() == saved.tag && name(record.law->kind()) == saved.law &&
                    record.relation->className() == saved.relation && record.y.rows == saved.rows &&
                    std::equal(record.system.begin(), record.system.end(), saved.system.begin());
  if (!same) {
    const SavedInteraction here{saved.place,
                                saved.generation,
                                record.object->tag(),
                                name(record.law->kind()),
                                record.relation->className(),
                                record.y.rows,
                                {static_cast<int>(record.system[0]), static_cast<int>(record.system[1])}};
    in.refuse(what + " of " + std::to_string(saved.rows) + " rows in the file is " + describe(here) + " of " +
              std::to_string(here.rows) + " rows here");
  }
  record.fresh = in.integer() != 0;
  record.active = in.integer() != 0;
  // Matrices are evaluated anew; only what a step before has left is read.
  record.relation_version = record.relation->version() - 1;
  restoreVector(in, record.relation->z(), "z of " + what);
  for (int f = 0; f < output_fields; ++f) {
    VectorView values = outputs_.view(static_cast<Output>(f), record.y);
    in.reals(values.data(), values.size(), "the outputs of " + what);
  }
}

void NonSmoothDynamicalSystem::restore(StateReader& in, const std::function<bool(const SavedInteraction&)>& link) {
  in.expectReal("the initial time", t0_);
  const auto known = systems_.size();
  const auto places = std::max(known, static_cast<std::size_t>(in.integer()));
  systems_.resize(places, nullptr);
  system_owners_.resize(places);
  links_of_system_.resize(places, 0);
  system_generations_.resize(places, 0);
  for (std::size_t d = 0; d < places; ++d) {
    const bool saved = in.integer() != 0;
    if (saved != (systems_[d] != nullptr))
      in.refuse("system " + std::to_string(d) + " is " +
                (saved ? "in the file, not in this model" : "in this model, not in the file"));
    if (saved) restoreSystem(*systems_[d], in);
  }
  free_systems_ = readPlaces(in);
  const auto saved_records = static_cast<std::size_t>(in.integer());
  if (saved_records < records_.size())
    in.refuse("there are places for " + std::to_string(saved_records) + " interactions in the file, for " +
              std::to_string(records_.size()) + " here");
  records_.resize(saved_records);
  interaction_owners_.resize(saved_records);
  for (std::size_t k = 0; k < saved_records; ++k) {
    SavedInteraction saved;
    saved.place = static_cast<int>(k);
    const bool alive = in.integer() != 0;
    saved.generation = static_cast<std::uint32_t>(in.integer());
    if (!alive && records_[k].object != nullptr)
      in.refuse("interaction " + std::to_string(k) + " is in this model, not in the file");
    records_[k].generation = saved.generation;
    if (!alive) continue;
    saved.tag = in.integer();
    saved.law = in.text();
    saved.relation = in.text();
    saved.rows = in.integer();
    for (int& system : saved.system) system = static_cast<int>(in.integer());
    restoreInteraction(saved, in, link);
  }
  free_records_ = readPlaces(in);
  ++topology_version_;
}

}  // namespace nonsmooth::kernel
