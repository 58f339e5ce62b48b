// Friction and rolling friction: one time step of the scenes of scenes.hpp, local, global, or mixed with equalities.
#include "../../../tests/support/elementary.hpp"
#include "collection.hpp"
#include "scene_entry.hpp"
#include "scenes.hpp"

namespace nonsmooth::collection {
namespace {

// Small and of its kind: every method is tested on it.
Entry basic(Entry entry) {
  entry.basic = true;
  return entry;
}

Entry with(Effort effort, Entry entry) {
  entry.effort = effort;
  return entry;
}

Entry known(Entry entry, nsm::Vector z, Uniqueness unique = {}) {
  entry.solution = {std::move(z), {}};
  entry.unique = unique;
  return entry;
}

void add_one_body(Collection& collection) {
  const std::string family = "one body";
  collection.add(basic(known(local_entry(family, "friction_3d_incline_sticks.json", "Box at rest on a slope",
                                         "slope 3 in 4, mu = 0.8: sticks; reactions in closed form", box_on_incline(0.8)),
                             box_on_incline_reactions(0.8), moved_along_kernel)));
  collection.add(basic(
      known(local_entry(family, "friction_3d_incline_slides.json", "Box sliding down a slope",
                        "slope 3 in 4, mu = 0.5: velocity h g (0.6 - 0.5 * 0.8); reactions in closed form", box_on_incline(0.5)),
            box_on_incline_reactions(0.5))));
  collection.add(basic(local_entry(family, "friction_3d_plate_25.json", "Plate on 5 x 5 contacts",
                                   "six degrees of freedom, mu between 0.2 and 0.8, pushed and turned; seed 8", plate(5))));
  collection.add(global_entry(family, "global_friction_3d_plate_100.json", "Plate on 10 x 10 contacts, global",
                              "six degrees of freedom, mu between 0.2 and 0.8, pushed and turned; seed 8", plate(10)));
  collection.add(basic(global_entry(family, "global_friction_3d_falling_box.json", "Box hitting the ground",
                                    "four corners, 2 m/s down, mu = 0.3, restitution 0.5: w = 0.5 u_N before the impact",
                                    falling_box(0.3, 0.5))));
  for (double angle : {0.2, 0.5})
    collection.add(local_entry(family, angle < 0.3 ? "friction_2d_brick_sticks.json" : "friction_2d_brick_slides.json",
                               "Brick on a slope in the plane", angle < 0.3 ? "0.2 rad, mu = 0.4" : "0.5 rad, mu = 0.4",
                               brick_on_incline(angle, 0.4)));
}

void add_stacks(Collection& collection) {
  const std::string family = "stacks", cubes = "cubes of 1 m and 1 kg, four contacts per face, mu = 0.4, the middle one pushed";
  collection.add(
      basic(local_entry(family, "friction_3d_box_stack.json", "Stack of five cubes", cubes + ": hyperstatic", box_stack(5))));
  collection.add(basic(global_entry(family, "global_friction_3d_box_stack.hdf5", "Stack of five cubes, global",
                                    "as friction_3d_box_stack.json", box_stack(5))));
  collection.add(with(Effort::slow, global_entry(family, "global_friction_3d_box_stack_100.json",
                                                 "Stack of a hundred cubes, global", cubes, box_stack(100))));
  collection.add(local_entry(family, "friction_3d_stack_tilt_sticks_10.json", "Ten cubes on a slope, at rest",
                             "slope of 0.3 rad, mu = 0.4", box_stack({10, 0.3, 1, 0.4})));
  collection.add(local_entry(family, "friction_3d_stack_tilt_slides_10.json", "Ten cubes on a slope, sliding",
                             "slope of 0.5 rad, mu = 0.4", box_stack({10, 0.5, 1, 0.4})));
  for (int digits : {3, 6})
    collection.add(local_entry(family, "friction_3d_stack_ratio_1e" + std::to_string(digits) + ".json",
                               "Ten cubes, masses growing upwards by 1e" + std::to_string(digits),
                               "equal factors from one cube to the next, mu = 0.4",
                               box_stack({10, 0, generate::power(10, digits), 0.4})));
}

void add_columns_and_chains(Collection& collection) {
  collection.add(basic(local_entry("columns", "friction_3d_beads_10.json", "Column of ten spheres",
                                   "mu = 0.3, the lowest pushed: W is a chain", beads(10))));
  collection.add(local_entry("columns", "friction_3d_beads_200.hdf5", "Column of two hundred spheres",
                             "mu = 0.3, the lowest pushed: W is a chain", beads(200)));
  collection.add(global_entry("columns", "global_friction_3d_beads_50.json", "Column of fifty spheres, global",
                              "mu = 0.3, the lowest pushed", beads(50)));
  for (int links : {25, 200}) {
    Entry entry = global_entry("chains", "global_friction_3d_chain_" + std::to_string(links + 1) + ".json",
                               "Hanging chain of " + std::to_string(links) + " links",
                               "parabola with a sag of 0.3 of its length, mu = 0.3, one link hit", chain(links));
    entry.basic = links == 25;
    collection.add(entry);
  }
  collection.add(local_entry("chains", "friction_3d_chain_101.json", "Hanging chain of 100 links, local",
                             "parabola with a sag of 0.3 of its length, mu = 0.3, one link hit", chain(100)));
}

void add_walls(Collection& collection) {
  const std::string family = "walls", bricks = "bricks of 2 x 1 in running bond, mu = 0.6, one pushed",
                    solid = "bricks of 2 x 1 x 1 in running bond, mu = 0.6";
  collection.add(basic(local_entry(family, "friction_2d_wall.dat", "Wall of 6 courses in the plane", bricks, wall_2d(6, 5))));
  collection.add(basic(
      global_entry(family, "global_friction_2d_wall.json", "Wall of 4 courses in the plane, global", bricks, wall_2d(4, 3))));
  collection.add(local_entry(family, "friction_2d_wall_12.hdf5", "Wall of 12 courses in the plane", bricks, wall_2d(12, 10)));
  collection.add(basic(global_entry(family, "global_friction_3d_wall_quake_88.json", "Wall of 4 courses, shaken",
                                    solid + ", the ground moves", wall(4, 4, Event::quake))));
  collection.add(local_entry(family, "friction_3d_wall_impact_5.json", "Wall of 5 courses, hit",
                             solid + ", a brick of the top moves across the wall at 3 m/s", wall(5, 5, Event::impact)));
  collection.add(global_entry(family, "global_friction_3d_wall_rest_12.hdf5", "Wall of 12 courses at rest, global", solid,
                              wall(12, 12, Event::rest)));
}

void add_arches(Collection& collection) {
  const std::string family = "arches", stones = "semicircle of radii 4 and 5, mu = 0.6";
  for (int n : {11, 41})
    collection.add(local_entry(family, "friction_2d_arch_" + std::to_string(n) + ".json",
                               "Arch of " + std::to_string(n) + " stones in the plane", stones + ", the keystone pushed down",
                               arch_2d(n)));
  for (int n : {9, 31})
    collection.add(local_entry(family, "friction_3d_arch_" + std::to_string(n) + ".json",
                               "Arch of " + std::to_string(n) + " stones", stones + ", four contacts per joint", arch(n, 0)));
  for (int n : {9, 31})
    collection.add(global_entry(family, "global_friction_3d_arch_load_" + std::to_string(n) + ".json",
                                "Arch of " + std::to_string(n) + " stones, loaded",
                                stones + ", twenty weights of a stone on the keystone", arch(n, 20)));
}

void add_towers(Collection& collection) {
  const std::string family = "towers";
  collection.add(basic(global_entry(family, "global_friction_3d_pyramid_32.json", "Pyramid of five cubes",
                                    "four below, one on their corners, pushed; mu = 0.5", pyramid(2))));
  collection.add(local_entry(family, "friction_3d_pyramid_116.hdf5", "Pyramid of three layers of cubes",
                             "each cube on the corners of four, the topmost pushed; mu = 0.5", pyramid(3)));
  collection.add(global_entry(family, "global_friction_3d_pyramid_1056.hdf5", "Pyramid of six layers of cubes",
                              "each cube on the corners of four, the topmost pushed; mu = 0.5", pyramid(6)));
  for (const auto& [layers, ending] : {std::pair(3, ".json"), std::pair(20, ".hdf5")}) {
    Entry entry = global_entry(family, "global_friction_3d_tower_" + std::to_string(36 * layers - 24) + ending,
                               "Tower of " + std::string(layers == 3 ? "three" : "twenty") + " layers of planks",
                               "three planks a layer, every second across, mu = 0.5, the ground moves", tower(layers));
    entry.basic = layers == 3;
    collection.add(entry);
  }
}

void add_piles(Collection& collection) {
  const std::string family = "sphere piles", grid = "jittered cubic grid, mu = ";
  collection.add(basic(local_entry(family, "friction_3d_sphere_pile_63.json", "Pile of 3 x 3 x 3 spheres", grid + "0.3, seed 3",
                                   sphere_pile(3, 0.3))));
  collection.add(basic(local_entry(family, "friction_3d_sphere_pile_160.hdf5", "Pile of 4 x 4 x 4 spheres", grid + "0.3, seed 3",
                                   sphere_pile(4, 0.3))));
  collection.add(basic(global_entry(family, "global_friction_3d_sphere_pile_63.json", "Pile of 3 x 3 x 3 spheres, global",
                                    grid + "0.3, seed 3", sphere_pile(3, 0.3))));
  collection.add(local_entry(family, "friction_3d_sphere_pile_mu1_325.hdf5", "Pile of 5 x 5 x 5 spheres, mu = 0.1",
                             grid + "0.1, seed 3", sphere_pile(5, 0.1)));
  collection.add(with(Effort::slow, local_entry(family, "friction_3d_sphere_pile_mu10_325.hdf5",
                                                "Pile of 5 x 5 x 5 spheres, mu = 1", grid + "1, seed 3", sphere_pile(5, 1))));
  collection.add(global_entry(family, "global_friction_3d_sphere_pile_936.hdf5", "Pile of 7 x 7 x 7 spheres, global",
                              grid + "0.5, seed 3", sphere_pile(7, 0.5)));
}

void add_chutes_and_others(Collection& collection) {
  for (int n : {3, 5}) {
    const RigidBodies scene = sphere_pile({2 * n, n, n, 0.4, 0, RigidBodies::Law::friction, 7, 0.5, 0.5, true});
    const std::string contacts = std::to_string(scene.contact_count()), edge = std::to_string(n),
                      title = "Chute with " + std::to_string(2 * n) + " x " + edge + " x " + edge + " spheres",
                      source = "slope of 0.5 rad between walls, sheared at 0.5 1/s, mu = 0.4; seed 7";
    collection.add(with(n == 3 ? Effort::small : Effort::slow,
                        local_entry("chute", "friction_3d_chute_" + contacts + ".hdf5", title, source, scene)));
    if (n == 3)
      collection.add(global_entry("chute", "global_friction_3d_chute_" + contacts + ".json", title + ", global", source, scene));
  }
  const std::string tilted = "small random velocities, mu = 0.5; seed 31";
  collection.add(basic(global_entry("capsules", "global_friction_3d_capsules_58.json", "Three crossing layers of four capsules",
                                    tilted, capsules(3, 4, 0.5))));
  collection.add(local_entry("capsules", "friction_3d_capsules_58.json", "Three crossing layers of four capsules, local", tilted,
                             capsules(3, 4, 0.5)));
  collection.add(global_entry("capsules", "global_friction_3d_capsules_252.hdf5", "Six crossing layers of six capsules", tilted,
                              capsules(6, 6, 0.5)));
  for (const auto& [n, layers] : {std::pair(2, 2), std::pair(3, 3), std::pair(5, 4)}) {
    const std::string count = std::to_string(n * n * layers);
    Entry entry = global_entry("rocks", n == 2 ? "global_friction_3d_rocks.json" : "global_friction_3d_rocks_" + count + ".hdf5",
                               n == 2 ? "Pile of eight rocks" : "Pile of " + count + " rocks",
                               "boxes of random sizes, one to three contacts between two, mu between 0.2 and 0.9; seed 15",
                               rock_pile(n, layers));
    entry.basic = n == 2;
    if (n == 5) entry.effort = Effort::slow;
    collection.add(entry);
  }
  collection.add(local_entry("rocks", "friction_3d_rocks_27.json", "Pile of 27 rocks, local",
                             "boxes of random sizes, one to three contacts between two, mu between 0.2 and 0.9; seed 15",
                             rock_pile(3, 3)));
}

RigidBodies rolling_pile(int nx, int ny, int nz, double mu_r) {
  return sphere_pile({nx, ny, nz, 0.3, mu_r, RigidBodies::Law::rolling, 3});
}

void add_rolling(Collection& collection) {
  const std::string family = "rolling", grid = "jittered cubic grid, mu = 0.3, mu_r = 0.02 m, seed 3",
                    discs = "mu = 0.5, mu_r = 0.02 m, the topmost spins at 5 rad/s";
  collection.add(basic(local_entry(family, "rolling_3d_ball.json", "Ball rolling on a plane",
                                   "1 m/s without slip, mu = 0.5, mu_r = 0.01 m", rolling_ball(0.5, 0.01))));
  collection.add(basic(local_entry(family, "rolling_3d_sphere_pile_16.json", "Pile of 2 x 2 x 2 spheres with rolling resistance",
                                   grid, rolling_pile(2, 2, 2, 0.02))));
  collection.add(basic(local_entry(family, "rolling_2d_discs.json", "Triangle of ten discs", "four on the floor, " + discs,
                                   disc_triangle(4, 0.5, 0.02))));
  collection.add(
      basic(global_entry(family, "global_rolling_3d_sphere_pile_26.json",
                         "Pile of 3 x 2 x 2 spheres with rolling resistance, global", grid, rolling_pile(3, 2, 2, 0.02))));
  collection.add(basic(global_entry(family, "global_rolling_2d_discs.json", "Triangle of six discs, global",
                                    "three on the floor, " + discs, disc_triangle(3, 0.5, 0.02))));
  collection.add(global_entry(family, "global_rolling_3d_sphere_pile_160.hdf5",
                              "Pile of 4 x 4 x 4 spheres with rolling resistance",
                              "jittered cubic grid, mu = 0.3, mu_r = 0.1 m, seed 3", rolling_pile(4, 4, 4, 0.1)));
  collection.add(local_entry(family, "rolling_2d_discs_10.json", "Triangle of 55 discs", "ten on the floor, " + discs,
                             disc_triangle(10, 0.5, 0.02)));
}

void add_discs(Collection& collection) {
  for (int bottom : {4, 12}) {
    const RigidBodies scene = disc_triangle(bottom, 0.3, 0, RigidBodies::Law::friction);
    const std::string contacts = std::to_string(scene.contact_count()),
                      title = "Triangle of " + std::to_string(bottom) + " layers of discs",
                      source = "mu = 0.3, the topmost spins at 5 rad/s";
    collection.add(local_entry("discs", "friction_2d_discs_" + contacts + ".json", title, source, scene));
    collection.add(global_entry("discs", "global_friction_2d_discs_" + contacts + ".json", title + ", global", source, scene));
  }
}

void add_mechanisms(Collection& collection) {
  const std::string family = "mechanisms", crank = "slider in a guide without clearance, mu = 0.3, a crank that turns at 2 rad/s";
  collection.add(
      basic(global_entry(family, "global_friction_2d_slider_crank.json", "Slider and crank", crank, slider_crank(false, 0.3))));
  collection.add(basic(generic_entry(family, "generic_slider_crank.json", "Slider and crank, joints as equalities", crank,
                                     slider_crank(false, 0.3))));
  collection.add(global_entry(family, "global_friction_2d_slider_crank_clearance.json", "Slider and crank with clearance",
                              "slider on two contacts, mu = 0.5, a crank that turns at 2 rad/s", slider_crank(true, 0.5)));
  collection.add(basic(global_entry(family, "global_friction_2d_pendulum_5.json", "Pendulum of five links",
                                    "the last one lies on the ground, mu = 0.4", pendulum(5))));
  collection.add(generic_entry(family, "generic_pendulum_20.json", "Pendulum of twenty links, joints as equalities",
                               "the last one lies on the ground, mu = 0.4", pendulum(20)));
  collection.add(
      basic(global_entry(family, "global_friction_3d_coupled_boxes.json", "Three cubes coupled by ball joints",
                         "bilateral constraints G'v = 0; the first cube pulled away and sideways, mu = 0.4", coupled_boxes(3))));
  collection.add(global_entry(family, "global_friction_3d_coupled_boxes_15.json", "Fifteen cubes coupled by ball joints",
                              "bilateral constraints G'v = 0; the first cube pulled away and sideways, mu = 0.4",
                              coupled_boxes(15)));
}

void add_elastic(Collection& collection) {
  for (const auto& [n, mu] : {std::pair(2, 0.3), std::pair(2, 0.9), std::pair(3, 0.3), std::pair(3, 0.9), std::pair(4, 0.3)}) {
    const GlobalData cube = elastic_cube(n, mu);
    const std::string edge = std::to_string(n), nodes = std::to_string(cube.mu.size()), rough = mu > 0.5 ? "_rough" : "";
    collection.add(
        {.file = "global_friction_3d_elastic_cube_" + nodes + rough + ".json",
         .family = "elastic",
         .title = "Elastic cube hitting the floor" + std::string(n == 2 ? "" : ", " + nodes + " nodes on it") +
                  (mu > 0.5 ? ", mu = 0.9" : ""),
         .source = edge + " x " + edge + " x " + edge +
                   " bricks of eight nodes, E = 1e6 Pa, nu = 0.3, M = mass + h^2 stiffness, mu = " + (mu > 0.5 ? "0.9" : "0.3"),
         .problem = nsm::Problem::global_friction(cube.dimension, cube.M, cube.H, cube.f, cube.w, cube.mu),
         .basic = n == 2 && mu < 0.5});
  }
}

void add_existence(Collection& collection) {
  const std::string family = "existence";
  collection.add(local_entry(family, "friction_2d_painleve_rod_1.json", "Painleve's rod, mu = 1",
                             "rod at 60 degrees that slides on its end, mu = 1: W_NN > mu |W_NT|", painleve_rod(1)));
  collection.add(basic(local_entry(family, "friction_2d_painleve_rod.json", "Painleve's rod",
                                   "rod at 60 degrees that slides on its end, mu = 2: W_NN < mu |W_NT|", painleve_rod(2))));
  collection.add(local_entry(family, "friction_2d_wedge_slips.json", "Disc squeezed out of a wedge",
                             "between walls that close and lean outwards 7 in 24, mu = 0.1", wedge(0.1)));
  for (double mu : {0.3, 1.0}) {
    Entry entry = local_entry(family, mu < 0.5 ? "friction_2d_wedge_jams.json" : "friction_2d_wedge_jams_rough.json",
                              "Disc jammed in a wedge",
                              "between walls that close and lean outwards 7 in 24, mu = " + std::string(mu < 0.5 ? "0.3" : "1") +
                                  " > 7 / 24: no velocity is left to it",
                              wedge(mu));
    entry.outcome = "unsolvable";
    collection.add(entry);
  }
  Entry clamped = local_entry(family, "friction_2d_clamps.json", "Disc between walls that close",
                              "mu = 0.3; nothing keeps the walls apart", clamps(0.3));
  clamped.outcome = "infeasible";
  collection.add(clamped);
}

}  // namespace

void add_contact(Collection& collection) {
  add_one_body(collection);
  add_stacks(collection);
  add_columns_and_chains(collection);
  add_walls(collection);
  add_arches(collection);
  add_towers(collection);
  add_piles(collection);
  add_chutes_and_others(collection);
  add_rolling(collection);
  add_discs(collection);
  add_mechanisms(collection);
  add_elastic(collection);
  add_existence(collection);
}

}  // namespace nonsmooth::collection
