// A scene as an entry of the collection, in one of its forms.
#pragma once

#include "collection.hpp"
#include "rigid_bodies.hpp"

namespace nonsmooth::collection {

inline Entry local_entry(std::string family, std::string file, std::string title, std::string source, const RigidBodies& scene) {
  return {std::move(file), std::move(family), std::move(title), std::move(source), scene.local_problem()};
}

inline Entry global_entry(std::string family, std::string file, std::string title, std::string source, const RigidBodies& scene) {
  return {std::move(file), std::move(family), std::move(title), std::move(source), scene.global_problem()};
}

inline Entry generic_entry(std::string family, std::string file, std::string title, std::string source,
                           const RigidBodies& scene) {
  Entry entry{std::move(file), std::move(family), std::move(title), std::move(source), scene.generic_problem()};
  entry.contacts = scene.contact_count();
  return entry;
}

}  // namespace nonsmooth::collection
