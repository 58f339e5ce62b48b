// Friction and rolling friction: the scenes of scenes.hpp, local and global.
#include "collection.hpp"
#include "scenes.hpp"

namespace nonsmooth::collection {
namespace {

Entry local_entry(std::string file, std::string title, std::string source, const RigidBodies& scene, nsm::Vector z = {}) {
  return {std::move(file), std::move(title), std::move(source), scene.local_problem(), scene.contact_count(), {std::move(z), {}}};
}

Entry global_entry(std::string file, std::string title, std::string source, const RigidBodies& scene) {
  return {std::move(file), std::move(title), std::move(source), scene.global_problem(), scene.contact_count(), {}};
}

Entry generic_entry(std::string file, std::string title, std::string source, const RigidBodies& scene) {
  return {std::move(file), std::move(title), std::move(source), scene.generic_problem(), scene.contact_count(), {}};
}

RigidBodies rolling_pile(int nx, int ny, int nz) { return sphere_pile({nx, ny, nz, 0.3, 0.02, RigidBodies::Law::rolling, 3}); }

void add_structures(Entries& entries) {
  entries.push_back(
      local_entry("friction_3d_beads_10.json", "Column of ten spheres", "mu = 0.3, the lowest pushed: W is a chain", beads(10)));
  entries.push_back(local_entry("friction_3d_plate_25.json", "Plate on 5 x 5 contacts",
                                "six degrees of freedom, mu between 0.2 and 0.8, pushed and turned; seed 8", plate(5)));
  entries.push_back(global_entry("global_friction_3d_chain_26.json", "Hanging chain of 25 links",
                                 "parabola of 25 m, sag 7.5 m, mu = 0.3, one link hit", chain(25)));
  entries.push_back(global_entry("global_friction_3d_pyramid_32.json", "Pyramid of five cubes",
                                 "four below, one on their corners, pushed; mu = 0.5", pyramid(2)));
  entries.push_back(global_entry("global_friction_3d_tower_84.json", "Tower of three layers of planks",
                                 "three planks a layer, every second across, mu = 0.5, the ground moves", tower(3)));
  entries.push_back(global_entry("global_friction_3d_wall_quake_88.json", "Wall of 4 courses, shaken",
                                 "bricks of 2 x 1 x 1 in running bond, mu = 0.6, the ground moves", wall(4, 4, Event::quake)));
  entries.push_back(global_entry("global_friction_3d_capsules_58.json", "Three crossing layers of four capsules",
                                 "small random velocities, mu = 0.5; seed 31", capsules(3, 4, 0.5)));
  entries.push_back(global_entry("global_friction_3d_rocks.json", "Pile of eight rocks",
                                 "boxes of random sizes, one to three contacts between two, mu between 0.2 and 0.9; seed 15",
                                 rock_pile(2, 2)));
}

void add_mechanisms(Entries& entries) {
  const std::string crank = "slider in a guide without clearance, mu = 0.3, a crank that turns at 2 rad/s";
  entries.push_back(global_entry("global_friction_2d_slider_crank.json", "Slider and crank", crank, slider_crank(false, 0.3)));
  entries.push_back(
      generic_entry("generic_slider_crank.json", "Slider and crank, joints as equalities", crank, slider_crank(false, 0.3)));
  entries.push_back(global_entry("global_friction_2d_pendulum_5.json", "Pendulum of five links",
                                 "the last one lies on the ground, mu = 0.4", pendulum(5)));
  entries.push_back(local_entry("friction_2d_painleve_rod.json", "Painleve's rod",
                                "rod at 60 degrees that slides on its end, mu = 2: W_NN < mu |W_NT|", painleve_rod(2)));
  const GlobalData cube = elastic_cube(2, 0.3);
  entries.push_back({"global_friction_3d_elastic_cube_9.json",
                     "Elastic cube hitting the floor",
                     "2 x 2 x 2 bricks of eight nodes, E = 1e6 Pa, nu = 0.3, M = mass + h^2 stiffness, mu = 0.3",
                     nsm::Problem::global_friction(cube.dimension, cube.M, cube.H, cube.f, cube.w, cube.mu),
                     9,
                     {}});
}

}  // namespace

void add_contact(Entries& entries) {
  entries.push_back(local_entry("friction_3d_box_stack.json", "Stack of five cubes",
                                "cubes of 1 m and 1 kg, four contacts per face, mu = 0.4, the middle one pushed: hyperstatic",
                                box_stack(5)));
  entries.push_back(local_entry("friction_3d_sphere_pile_63.json", "Pile of 3 x 3 x 3 spheres",
                                "jittered cubic grid, mu = 0.3, seed 3", sphere_pile(3, 0.3)));
  entries.push_back(local_entry("friction_3d_sphere_pile_160.hdf5", "Pile of 4 x 4 x 4 spheres",
                                "jittered cubic grid, mu = 0.3, seed 3", sphere_pile(4, 0.3)));
  entries.push_back(local_entry("friction_3d_incline_sticks.json", "Box at rest on a slope",
                                "slope 3 in 4, mu = 0.8: sticks; reactions in closed form", box_on_incline(0.8),
                                box_on_incline_reactions(0.8)));
  entries.push_back(local_entry("friction_3d_incline_slides.json", "Box sliding down a slope",
                                "slope 3 in 4, mu = 0.5: velocity h g (0.6 - 0.5 * 0.8); reactions in closed form",
                                box_on_incline(0.5), box_on_incline_reactions(0.5)));
  entries.push_back(local_entry("friction_2d_wall.dat", "Wall of 6 courses in the plane",
                                "bricks of 2 x 1 in running bond, mu = 0.6, one pushed", wall_2d(6, 5)));
  entries.push_back(global_entry("global_friction_3d_sphere_pile_63.json", "Pile of 3 x 3 x 3 spheres, global",
                                 "jittered cubic grid, mu = 0.3, seed 3", sphere_pile(3, 0.3)));
  entries.push_back(global_entry("global_friction_3d_coupled_boxes.json", "Three cubes coupled by ball joints",
                                 "bilateral constraints G'v = 0; the first cube pulled away and sideways, mu = 0.4",
                                 coupled_boxes(3)));
  entries.push_back(global_entry("global_friction_3d_falling_box.json", "Box hitting the ground",
                                 "four corners, 2 m/s down, mu = 0.3, restitution 0.5: w = 0.5 u_N before the impact",
                                 falling_box(0.3, 0.5)));
  entries.push_back(global_entry("global_friction_3d_box_stack.hdf5", "Stack of five cubes, global",
                                 "as friction_3d_box_stack.json", box_stack(5)));
  entries.push_back(global_entry("global_friction_2d_wall.json", "Wall of 4 courses in the plane, global",
                                 "bricks of 2 x 1 in running bond, mu = 0.6, one pushed", wall_2d(4, 3)));
  entries.push_back(local_entry("rolling_3d_ball.json", "Ball rolling on a plane", "1 m/s without slip, mu = 0.5, mu_r = 0.01 m",
                                rolling_ball(0.5, 0.01)));
  entries.push_back(local_entry("rolling_3d_sphere_pile_16.json", "Pile of 2 x 2 x 2 spheres with rolling resistance",
                                "jittered cubic grid, mu = 0.3, mu_r = 0.02 m, seed 3", rolling_pile(2, 2, 2)));
  entries.push_back(local_entry("rolling_2d_discs.json", "Triangle of ten discs",
                                "four on the floor, mu = 0.5, mu_r = 0.02 m, the topmost spins at 5 rad/s",
                                disc_triangle(4, 0.5, 0.02)));
  entries.push_back(global_entry("global_rolling_3d_sphere_pile_26.json",
                                 "Pile of 3 x 2 x 2 spheres with rolling resistance, global",
                                 "jittered cubic grid, mu = 0.3, mu_r = 0.02 m, seed 3", rolling_pile(3, 2, 2)));
  entries.push_back(global_entry("global_rolling_2d_discs.json", "Triangle of six discs, global",
                                 "three on the floor, mu = 0.5, mu_r = 0.02 m, the topmost spins at 5 rad/s",
                                 disc_triangle(3, 0.5, 0.02)));
  add_structures(entries);
  add_mechanisms(entries);
}

}  // namespace nonsmooth::collection
