// Piles and walls of growing size, 1,000 to 30,000 contacts: `nonsmooth-generate FOLDER --scaling`.
#include "collection.hpp"
#include "scene_entry.hpp"
#include "scenes.hpp"

namespace nonsmooth::collection {
namespace {

// Both forms of a scene; the families are told apart by them.
void add_forms(Collection& collection, const std::string& family, const std::string& name, const std::string& source,
               const RigidBodies& scene) {
  const std::string contacts = std::to_string(scene.contact_count());
  const auto file = [&](const std::string& form) { return form + "_3d_" + name + "_" + contacts + ".hdf5"; };
  const std::string title = family + ", " + contacts + " contacts";
  collection.add(local_entry(family + ", local", file("friction"), title, source, scene));
  collection.add(global_entry(family + ", global", file("global_friction"), title, source, scene));
}

struct Spheres {
  int nx, ny, nz;
};
constexpr Spheres grid_piles[] = {{7, 7, 8}, {9, 9, 9}, {12, 12, 12}, {15, 15, 15}, {19, 19, 20}, {22, 22, 22}};
constexpr Spheres poured_piles[] = {{7, 7, 9}, {9, 9, 11}, {12, 12, 14}, {16, 16, 16}, {20, 20, 20}, {23, 23, 22}};
constexpr int wall_courses[] = {12, 17, 26, 36, 51, 62};

// Poured like the shipped pour_300, until they rest: n layers fall half of their height.
void add_settled_piles(Collection& collection) {
  constexpr int sweeps = 60;
  for (const auto& [nx, ny, nz] : poured_piles) {
    RigidBodies scene = falling_spheres(RigidBodies::Law::friction, nx, ny, nz, 0, 102);
    const Container box = box_around(nx, ny, false, 0.6);
    for (int k = 0; k < 150 + 10 * nz; ++k) {
      scene.find_contacts(box);
      scene.advance(sweeps);
    }
    scene.find_contacts(box);
    add_forms(collection, "settled sphere pile", "settled_pile",
              "spheres of radii 0.35 to 0.5 m fallen into a box, mu = 0.6; seed 102", scene);
  }
}

}  // namespace

void add_scaling(Collection& collection) {
  for (const auto& [nx, ny, nz] : grid_piles)
    add_forms(collection, "grid sphere pile", "grid_pile", "jittered cubic grid, mu = 0.3, seed 3",
              sphere_pile({nx, ny, nz, 0.3}));
  add_settled_piles(collection);
  for (int courses : wall_courses)
    add_forms(collection, "brick wall", "wall", "bricks of 2 x 1 x 1 in running bond, mu = 0.6",
              wall(courses, courses, Event::rest));
}

}  // namespace nonsmooth::collection
