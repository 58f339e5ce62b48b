// Problems captured from simulations of the scenes: at the start, in an impact, in motion, settled.
#include <functional>
#include <optional>
#include <stdexcept>

#include "collection.hpp"
#include "random.hpp"
#include "scene_entry.hpp"
#include "scene_parts.hpp"

namespace nonsmooth::collection {
namespace {

enum class Form { local, global };

struct Capture {
  int step;
  Form form;
  Effort effort = Effort::small;
};

struct Run {
  std::string family, name, title, source;
  RigidBodies scene;
  std::vector<Capture> captures;         // in ascending order of the steps
  std::optional<Container> container{};  // spheres or discs: contacts are found in each step
  std::function<Vec3(double)> shake{};   // velocity of the ground
};

std::string file_of(const Run& run, const RigidBodies& scene, int step, Form form) {
  const bool rolling = scene.law() == RigidBodies::Law::rolling, plane = scene.dimension() == (rolling ? 3 : 2);
  return std::string(form == Form::global ? "global_" : "") + (rolling ? "rolling_" : "friction_") + (plane ? "2d_" : "3d_") +
         run.name + "_step_" + std::to_string(step) + (scene.contact_count() > 60 && !rolling ? ".hdf5" : ".json");
}

void capture(Collection& collection, Run run) {
  constexpr int sweeps = 60;
  int at = 0;
  for (const auto& [step, form, effort] : run.captures) {
    for (;; ++at) {
      if (run.shake) run.scene.shake(run.shake(at * run.scene.step()));
      if (run.container) run.scene.find_contacts(*run.container);
      if (at == step) break;
      run.scene.advance(sweeps);
    }
    const RigidBodies scene = run.scene.touching();
    if (scene.contact_count() == 0) throw std::runtime_error(run.name + ": no contact in step " + std::to_string(step));
    const std::string title = run.title + ", step " + std::to_string(step) + (form == Form::global ? ", global" : "");
    Entry entry =
        (form == Form::local ? local_entry : global_entry)(run.family, file_of(run, scene, step, form), title, run.source, scene);
    entry.effort = effort;
    collection.add(entry);
  }
}

// --- spheres and discs, whose contacts are found ---

void add_poured_spheres(Collection& collection) {
  const std::string fallen = "spheres of radii 0.35 to 0.5 m fall into a box, mu = ";
  capture(collection, {"sphere piles",
                       "pour_60",
                       "Sixty spheres poured",
                       fallen + "0.3; seed 101",
                       falling_spheres(RigidBodies::Law::friction, 4, 3, 5, 0, 101),
                       {{20, Form::local}, {60, Form::local}, {250, Form::local}},
                       box_around(4, 3, false, 0.3)});
  capture(collection, {"sphere piles",
                       "pour_300",
                       "Three hundred spheres poured",
                       fallen + "0.6; seed 102",
                       falling_spheres(RigidBodies::Law::friction, 6, 5, 10, 0, 102),
                       {{50, Form::global}, {250, Form::local, Effort::open}},
                       box_around(6, 5, false, 0.6)});
  capture(collection, {"sphere piles",
                       "bounce_60",
                       "Sixty spheres poured, bouncing",
                       fallen + "0.3, restitution 0.6; seed 103",
                       falling_spheres(RigidBodies::Law::friction, 4, 3, 5, 0, 103),
                       {{25, Form::global}, {80, Form::local}},
                       box_around(4, 3, false, 0.3, 0, 0.6)});
  capture(collection, {"rolling",
                       "pour_48",
                       "48 spheres with rolling resistance poured",
                       fallen + "0.5, mu_r = 0.05 m; seed 104",
                       falling_spheres(RigidBodies::Law::rolling, 4, 3, 4, 0, 104),
                       {{30, Form::local}, {150, Form::global}},
                       box_around(4, 3, false, 0.5, 0.05)});
  capture(collection, {"chute",
                       "chute_80",
                       "Eighty spheres in a chute",
                       "slope of 0.5 rad between walls, mu = 0.3; seed 105",
                       falling_spheres(RigidBodies::Law::friction, 8, 2, 5, 0.5, 105),
                       {{40, Form::local}, {120, Form::local}},
                       box_around(8, 2, true, 0.3)});
  capture(collection, {"chute",
                       "chute_300",
                       "Three hundred spheres in a chute",
                       "slope of 0.4 rad between walls, mu = 0.6; seed 106",
                       falling_spheres(RigidBodies::Law::friction, 12, 5, 5, 0.4, 106),
                       {{100, Form::global}},
                       box_around(12, 5, true, 0.6)});
  capture(collection, {"columns",
                       "falling_column_20",
                       "Column of twenty spheres falling",
                       "gaps between spheres of radii 0.35 to 0.5 m, not quite in a line, mu = 0.3; seed 107",
                       falling_spheres(RigidBodies::Law::friction, 1, 1, 20, 0, 107),
                       {{15, Form::local}, {45, Form::global}, {100, Form::local}},
                       box_around(1, 1, false, 0.3)});
}

RigidBodies falling_discs(RigidBodies::Law law, int nx, int ny, unsigned seed) {
  RigidBodies scene(RigidBodies::Space::plane, law, step);
  Random random(seed);
  for (int j = 0; j < ny; ++j)
    for (int i = 0; i < nx; ++i) {
      const double radius = random.uniform(0.3, 0.5), mass = 4 * radius * radius, shift = random.uniform(-0.04, 0.04);
      Body body{mass,
                {0, 0, 0.5 * mass * radius * radius},
                {1.1 * i + 0.55 + shift, 1.05 * j + 0.55, 0},
                {0, -1, 0},
                {},
                weight_plane(mass)};
      body.radius = radius;
      scene.add(body);
    }
  return scene;
}

void add_poured_discs(Collection& collection) {
  const auto box = [](int nx, double mu, double mu_r) {
    return Container{{{{0, 0, 0}, {0, 1, 0}}, {{0, 0, 0}, {1, 0, 0}}, {{1.1 * nx, 0, 0}, {-1, 0, 0}}}, mu, mu_r};
  };
  capture(collection, {"discs",
                       "pour_100",
                       "A hundred discs poured",
                       "radii 0.3 to 0.5 m, a box of 11 m, mu = 0.4; seed 111",
                       falling_discs(RigidBodies::Law::friction, 10, 10, 111),
                       {{40, Form::local}, {250, Form::global}},
                       box(10, 0.4, 0)});
  capture(collection, {"rolling",
                       "pour_60",
                       "Sixty discs with rolling resistance poured",
                       "radii 0.3 to 0.5 m, a box of 11 m, mu = 0.4, mu_r = 0.02 m; seed 112",
                       falling_discs(RigidBodies::Law::rolling, 10, 6, 112),
                       {{60, Form::local}, {200, Form::global}},
                       box(10, 0.4, 0.02)});
}

// --- structures, which move little: their contacts stay where they are ---

void add_structures_in_motion(Collection& collection) {
  const auto quake = [](double speed, double frequency) {
    return [speed, frequency](double t) { return Vec3{speed * sine(frequency * t), 0.6 * speed * sine(1.3 * frequency * t), 0}; };
  };
  capture(collection, {"walls",
                       "wall_quake_8",
                       "Wall of 8 courses in an earthquake",
                       "bricks of 2 x 1 x 1 in running bond, mu = 0.6, the ground moves at up to 0.6 m/s",
                       wall(8, 6, Event::rest),
                       {{10, Form::local, Effort::slow}, {60, Form::global}},
                       {},
                       quake(0.6, 12)});
  capture(collection, {"walls",
                       "wall_impact_6",
                       "Wall of 6 courses, hit",
                       "bricks of 2 x 1 x 1 in running bond, mu = 0.6, a brick of the top moves across the wall at 3 m/s",
                       wall(6, 5, Event::impact),
                       {{5, Form::global}, {20, Form::local}}});
  capture(collection, {"arches",
                       "arch_21",
                       "Arch of 21 stones in an earthquake",
                       "semicircle of radii 4 and 5, mu = 0.6, the ground moves at up to 0.3 m/s",
                       arch(21, 0),
                       {{5, Form::local}, {40, Form::global}},
                       {},
                       quake(0.3, 10)});
  capture(collection, {"towers",
                       "tower_5",
                       "Tower of five layers of planks in an earthquake",
                       "three planks a layer, every second across, mu = 0.5, the ground moves at up to 0.5 m/s",
                       tower(5),
                       {{0, Form::local}, {20, Form::global}},
                       {},
                       quake(0.5, 15)});
  capture(collection, {"stacks",
                       "stack_quake_12",
                       "Twelve cubes in an earthquake",
                       "mu = 0.4, the ground moves at up to 0.8 m/s",
                       box_stack(12),
                       {{10, Form::local}, {40, Form::global}},
                       {},
                       quake(0.8, 8)});
  capture(collection, {"chains",
                       "chain_50",
                       "Chain of fifty links in motion",
                       "parabola with a sag of 0.3 of its length, one link hit",
                       chain(50),
                       {{5, Form::local}, {30, Form::global}}});
  capture(collection, {"capsules",
                       "capsules_5",
                       "Five crossing layers of five capsules settling",
                       "small random velocities, mu = 0.5; seed 31",
                       capsules(5, 5, 0.5),
                       {{5, Form::local}, {30, Form::global}}});
  capture(collection, {"rocks",
                       "rocks_36",
                       "Pile of 36 rocks settling",
                       "boxes of random sizes, one to three contacts between two, mu between 0.2 and 0.9; seed 15",
                       rock_pile(3, 4),
                       {{5, Form::local}, {30, Form::global}}});
}

void add_moving_mechanisms(Collection& collection) {
  capture(collection, {"mechanisms",
                       "pendulum_8",
                       "Pendulum of eight links in motion",
                       "the last one lies on the ground, mu = 0.4",
                       pendulum(8),
                       {{3, Form::global}, {12, Form::global}}});
  capture(collection, {"mechanisms",
                       "moving_crank",
                       "Slider and crank in motion",
                       "slider on two contacts, mu = 0.3, a crank that turns at 2 rad/s",
                       slider_crank(true, 0.3),
                       {{10, Form::global}}});
}

}  // namespace

void add_simulations(Collection& collection) {
  add_poured_spheres(collection);
  add_poured_discs(collection);
  add_structures_in_motion(collection);
  add_moving_mechanisms(collection);
}

}  // namespace nonsmooth::collection
