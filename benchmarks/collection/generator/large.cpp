// The large problems, made on demand: `nonsmooth-generate FOLDER --large`.
#include "collection.hpp"
#include "constructions.hpp"
#include "scene_entry.hpp"
#include "scenes.hpp"

namespace nonsmooth::collection {
namespace {

void add_sparse(Collection& collection, const std::string& name, const std::string& title, const std::string& source,
                const generate::SparseLcp& lcp, Uniqueness unique) {
  collection.add({.file = (lcp.lo.empty() ? "lcp_" : "relay_") + name + "_" + std::to_string(lcp.n) + ".json",
                  .family = "large complementarity",
                  .title = title,
                  .source = source,
                  .problem = problem(lcp),
                  .unique = unique});
}

void add_large_complementarity(Collection& collection) {
  add_sparse(collection, "obstacle", "Membrane over one bump, 316 x 316 points", "More and Toraldo 1991", generate::obstacle(316),
             positive_definite_matrix);
  add_sparse(collection, "torsion", "Elastic-plastic torsion, 316 x 316 points", "Ting 1986", generate::torsion(316, 10),
             positive_definite_matrix);
  add_sparse(collection, "bearing_eps08", "Journal bearing of eccentricity 0.8, 316 x 316 points", "Cryer 1971",
             generate::journal_bearing(316, 316, 0.8), positive_definite_matrix);
  add_sparse(collection, "american_put", "American put", "Brennan and Schwartz 1977", generate::american_put(100000), p_matrix);
  add_sparse(collection, "markov", "Optimal stopping of a Markov chain", "d'Epenoux 1963, discount 0.99; seed 6",
             generate::markov<Random>(6, 100000, 0.99), p_matrix);
}

}  // namespace

void add_large(Collection& collection) {
  add_large_complementarity(collection);
  const std::string family = "large friction", grid = "jittered cubic grid, mu = 0.3, seed 3";
  const auto local = [&](const std::string& name, const std::string& title, const std::string& source, const RigidBodies& scene) {
    collection.add(
        local_entry(family, "friction_" + name + "_" + std::to_string(scene.contact_count()) + ".hdf5", title, source, scene));
  };
  const auto global = [&](const std::string& name, const std::string& title, const std::string& source,
                          const RigidBodies& scene) {
    collection.add(global_entry(family, "global_friction_" + name + "_" + std::to_string(scene.contact_count()) + ".hdf5", title,
                                source, scene));
  };
  local("3d_box_stack", "Stack of 2,500 cubes", "mu = 0.4, the middle one pushed", box_stack(2500));
  local("3d_chain", "Hanging chain of 10,000 links", "mu = 0.3, one link hit", chain(10000));
  local("3d_wall_rest", "Wall of 60 courses at rest", "mu = 0.6", wall(60, 60, Event::rest));
  global("3d_wall_quake", "Wall of 40 courses, shaken", "mu = 0.6, the ground moves", wall(40, 40, Event::quake));
  local("3d_pyramid", "Pyramid of 18 layers of cubes", "mu = 0.5, the topmost pushed", pyramid(18));
  global("3d_tower", "Tower of 300 layers of planks", "mu = 0.5, the ground moves", tower(300));
  local("3d_sphere_pile", "Pile of 16 x 16 x 16 spheres", grid, sphere_pile(16, 0.3));
  global("3d_sphere_pile", "Pile of 22 x 22 x 22 spheres, global", grid, sphere_pile(22, 0.3));
  local("3d_rocks", "Pile of 2,197 rocks", "mu between 0.2 and 0.9; seed 15", rock_pile(13, 13));
  local("2d_wall", "Wall of 75 courses in the plane", "mu = 0.6, a brick pushed", wall_2d(75, 75));
  const GlobalData cube = elastic_cube(20, 0.3);
  collection.add({.file = "global_friction_3d_elastic_cube_441.hdf5",
                  .family = family,
                  .title = "Elastic cube hitting the floor, 441 nodes on it",
                  .source = "20 x 20 x 20 bricks of eight nodes, E = 1e6 Pa, nu = 0.3, mu = 0.3",
                  .problem = nsm::Problem::global_friction(cube.dimension, cube.M, cube.H, cube.f, cube.w, cube.mu)});
}

}  // namespace nonsmooth::collection
