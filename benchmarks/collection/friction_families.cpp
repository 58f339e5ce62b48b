#include <cmath>

#include "../../tests/support/generators.hpp"
#include "../../tests/support/mechanisms.hpp"
#include "families.hpp"
#include "scenes.hpp"

namespace nonsmooth::collection {
namespace {

using Law = RigidBodies::Law;

enum class Form { local, global, generic };

nsm::Problem in_form(const RigidBodies& scene, Form form) {
  switch (form) {
    case Form::global: return scene.global_problem();
    case Form::generic: return scene.generic_problem();
    default: return scene.local_problem();
  }
}

class FrictionList {
 public:
  explicit FrictionList(std::vector<FamilyProblem>& out) : out_(out) {}

  // scene(n): a scene.
  template <class Scene>
  void add(const std::string& family, const std::string& name, std::initializer_list<int> sizes, Scene scene,
           Form form = Form::local, Answer answer = Answer::solvable) {
    const std::string ending = form == Form::local ? "" : form == Form::global ? "_global" : "_generic";
    for (int n : sizes)
      out_.push_back({family, name + "_" + std::to_string(n) + ending, answer, [=] { return in_form(scene(n), form); }});
  }
  // make(n): a problem.
  template <class Make>
  void add_problem(const std::string& family, const std::string& name, std::initializer_list<int> sizes, Make make) {
    for (int n : sizes) out_.push_back({family, name + "_" + std::to_string(n), Answer::solvable, [=] { return make(n); }});
  }

 private:
  std::vector<FamilyProblem>& out_;
};

void add_stacks(FrictionList& list) {
  const auto stack = [](int n) { return box_stack(n); };
  list.add("box stack", "stack", {1, 3, 10, 40, 100}, stack);
  list.add("box stack", "stack", {10, 40}, stack, Form::global);
  list.add("box stack", "stack_tilt_sticks", {10, 40}, [](int n) { return box_stack({n, 0.3, 1, 0.4}); });
  list.add("box stack", "stack_tilt_slides", {10, 40}, [](int n) { return box_stack({n, 0.5, 1, 0.4}); });
  list.add("mass ratio", "stack_ratio_1e", {1, 2, 3, 4, 6}, [](int digits) {
    return box_stack({10, 0, std::pow(10.0, digits), 0.4});
  });
  list.add("one body", "plate", {2, 5, 10}, [](int n) { return plate(n); });
  list.add(
      "one body", "plate", {10}, [](int n) { return plate(n); }, Form::global);
  list.add("one body", "incline_tenths", {5, 8}, [](int mu) { return box_on_incline(mu / 10.0); });
  list.add("one body", "impact_tenths", {3, 9}, [](int mu) { return falling_box(mu / 10.0, 0.5); });
}

void add_chains(FrictionList& list) {
  list.add("chain", "chain", {20, 200, 1000}, chain);
  list.add("chain", "chain", {20, 200}, chain, Form::global);
  list.add("beads", "beads", {10, 100, 500}, beads);
  list.add("beads", "beads", {100}, beads, Form::global);
}

void add_masonry(FrictionList& list) {
  const auto bare = [](int n) { return arch(n, 0); };
  const auto loaded = [](int n) { return arch(n, 20); };
  list.add("arch", "arch", {9, 31, 99}, bare);
  list.add("arch", "arch", {31}, bare, Form::global);
  list.add("arch", "arch_load", {9, 31}, loaded);
  for (const auto& [name, event] :
       {std::pair("wall_rest", Event::rest), std::pair("wall_impact", Event::impact), std::pair("wall_quake", Event::quake)}) {
    list.add("wall", name, {4, 10}, [event = event](int n) { return wall(n, n, event); });
    list.add(
        "wall", name, {6}, [event = event](int n) { return wall(n, n, event); }, Form::global);
  }
  list.add("wall", "wall_rest", {20}, [](int n) { return wall(n, n, Event::rest); });
  list.add("pyramid", "pyramid", {2, 4, 8}, pyramid);
  list.add("pyramid", "pyramid", {4}, pyramid, Form::global);
  list.add("tower", "tower", {3, 10, 30}, tower);
  list.add("tower", "tower", {10}, tower, Form::global);
}

void add_piles(FrictionList& list) {
  for (int tenths : {1, 3, 5, 10}) {
    const auto pile = [tenths](int n) { return sphere_pile(n, tenths / 10.0); };
    list.add("sphere pile", "pile_mu" + std::to_string(tenths), {4, 7}, pile);
    list.add("sphere pile", "pile_mu" + std::to_string(tenths), {5}, pile, Form::global);
  }
  list.add("sphere pile", "pile_mu3", {12}, [](int n) { return sphere_pile(n, 0.3); });
  const auto slope = [](int n) { return sphere_pile({2 * n, n, n, 0.4, 0, Law::friction, 7, 0.5, 0.5, true}); };
  list.add("chute", "chute", {3, 5, 8}, slope);
  list.add("chute", "chute", {5}, slope, Form::global);
  const auto logs = [](int n) { return capsules(n, n, 0.5); };
  list.add("capsules", "capsules", {3, 6, 10}, logs);
  list.add("capsules", "capsules", {6}, logs, Form::global);
  const auto rocks = [](int n) { return rock_pile(n, n); };
  list.add("rocks", "rocks", {2, 4, 7}, rocks);
  list.add("rocks", "rocks", {4}, rocks, Form::global);
}

void add_plane(FrictionList& list) {
  for (int tenths : {2, 5})
    list.add("plane", "brick_tenths", {tenths}, [](int angle) { return brick_on_incline(angle / 10.0, 0.4); });
  const auto masonry = [](int n) { return wall_2d(n, n); };
  const auto discs = [](int n) { return disc_triangle(n, 0.3, 0, Law::friction); };
  list.add("plane", "wall_2d", {4, 12, 40}, masonry);
  list.add("plane", "wall_2d", {12}, masonry, Form::global);
  list.add("plane", "arch_2d", {11, 101}, arch_2d);
  list.add("plane", "discs", {4, 12, 30}, discs);
  list.add("plane", "discs", {12}, discs, Form::global);
}

void add_mechanisms(FrictionList& list) {
  for (const Form form : {Form::global, Form::generic}) {
    list.add(
        "mechanism", "slider_crank_tenths", {1, 5}, [](int mu) { return slider_crank(true, mu / 10.0); }, form);
    list.add(
        "mechanism", "slider_crank_tight_tenths", {3}, [](int mu) { return slider_crank(false, mu / 10.0); }, form);
    list.add("mechanism", "pendulum", {2, 20}, pendulum, form);
    list.add("mechanism", "coupled_boxes", {3, 15}, coupled_boxes, form);
  }
  const auto seeded = [](auto make, int n) {
    generate::Random random(static_cast<std::uint64_t>(2900 + n));
    return make(random, n);
  };
  list.add_problem("mechanism", "rope_global", {30, 120, 400}, [=](int n) { return seeded(generate::rope, n).global(); });
  list.add_problem("mechanism", "robot", {15, 50, 200, 400}, [=](int n) { return seeded(generate::robot, n).generic(); });
  list.add_problem("mechanism", "net", {7, 15}, [=](int n) { return seeded(generate::net, n).generic(); });
  list.add_problem("mechanism", "net_global", {7, 15}, [=](int n) { return seeded(generate::net, n).global(); });
  list.add_problem("row on the ground", "row", {15, 50, 200, 500},
                   [=](int n) { return seeded(generate::row_of_bodies, n).generic(); });
}

void add_rolling(FrictionList& list) {
  list.add("rolling", "ball", {1}, [](int) { return rolling_ball(0.5, 0.01); });
  for (int hundredths : {1, 10}) {
    const auto pile = [hundredths](int n) { return sphere_pile({n, n, n, 0.3, hundredths / 100.0, Law::rolling, 3}); };
    list.add("rolling", "rolling_pile_mur" + std::to_string(hundredths), {2, 4, 6}, pile);
    list.add("rolling", "rolling_pile_mur" + std::to_string(hundredths), {4}, pile, Form::global);
  }
  const auto discs = [](int n) { return disc_triangle(n, 0.5, 0.02); };
  list.add("rolling", "rolling_discs", {4, 12}, discs);
  list.add("rolling", "rolling_discs", {8}, discs, Form::global);
}

nsm::Problem elastic(int n) {
  const GlobalData data = elastic_cube(n, 0.3);
  return nsm::Problem::global_friction(data.dimension, data.M, data.H, data.f, data.w, data.mu);
}

// A known solution for a given matrix: two in ten contacts open, five stick, three slide.
nsm::Problem constructed(int contacts, double rank, double skew) {
  generate::Random random(static_cast<std::uint64_t>(300 + contacts));
  const int n = 3 * contacts;
  generate::Values W = generate::gram(random, n, static_cast<int>(rank * n), rank < 1 ? 0 : 0.1),
                   r(W.size() > 0 ? generate::at(n) : 0), u = r;
  if (skew > 0) generate::add_skew(random, W, n, skew);
  nsm::Vector mu(generate::at(contacts));
  for (std::size_t c = 0; c < mu.size(); ++c) {
    mu[c] = random.uniform(0.2, 0.8);
    const double kind = random.uniform(), angle = random.uniform(0, 6.283185307179586),
                 tangent[] = {std::cos(angle), std::sin(angle)};
    const bool open = kind < 0.2, slides = kind >= 0.7;
    if (open)
      u[3 * c] = random.uniform();
    else
      r[3 * c] = random.uniform();
    const double share = slides ? 1 : random.uniform(0, 0.95), speed = random.uniform();
    for (std::size_t k = 0; k < 2; ++k) {
      r[3 * c + 1 + k] = open ? 0 : share * mu[c] * r[3 * c] * tangent[k];
      u[3 * c + 1 + k] = open || slides ? -speed * tangent[k] : 0;
    }
  }
  return nsm::Problem::friction(3, nsm::Matrix::dense(n, n, W), generate::right_hand_side(u, generate::multiply(W, r)), mu);
}

// One contact with a random positive definite block and a skew part `skew` times its trace.
nsm::Problem one_contact(int seed, double skew) {
  generate::Random random(static_cast<std::uint64_t>(seed));
  generate::Values W = generate::gram(random, 3, 3, 1e-3);
  const double trace = W[0] + W[4] + W[8];
  generate::add_skew(random, W, 3, skew * trace);
  return nsm::Problem::friction(3, nsm::Matrix::dense(3, 3, W), {-1, random.uniform(-1, 1), random.uniform(-1, 1)},
                                {random.magnitude(-2, 0.5)});
}

void add_others(FrictionList& list) {
  list.add_problem("elastic", "elastic_cube", {2, 5, 10}, elastic);
  list.add_problem("constructed", "definite", {10, 50, 200}, [](int n) { return constructed(n, 1, 0); });
  list.add_problem("constructed", "half_rank", {10, 50, 200}, [](int n) { return constructed(n, 0.5, 0); });
  list.add_problem("constructed", "skew", {10, 50}, [](int n) { return constructed(n, 1, 0.1); });
  list.add_problem("one contact", "block", {1, 2}, [](int n) { return one_contact(n, 0); });
  list.add_problem("one contact", "block_skew", {1, 2}, [](int n) { return one_contact(n, 10); });
  list.add("existence", "painleve_rod_tenths", {10, 20}, [](int mu) { return painleve_rod(mu / 10.0); });
  list.add("existence", "wedge_tenths", {1}, [](int mu) { return wedge(mu / 10.0); });
  list.add(
      "existence", "jammed_wedge_tenths", {3, 10}, [](int mu) { return wedge(mu / 10.0); }, Form::local, Answer::unsolvable);
  list.add(
      "existence", "clamps_tenths", {3}, [](int mu) { return clamps(mu / 10.0); }, Form::local, Answer::infeasible);
}

void add_large(FrictionList& list) {
  list.add("large", "stack", {2500}, [](int n) { return box_stack(n); });
  list.add("large", "chain", {10000}, chain);
  list.add("large", "wall_rest", {40, 60}, [](int n) { return wall(n, n, Event::rest); });
  list.add(
      "large", "wall_rest", {40}, [](int n) { return wall(n, n, Event::rest); }, Form::global);
  list.add("large", "pyramid", {18}, pyramid);
  list.add("large", "tower", {300}, tower);
  list.add("large", "pile_mu3", {16, 22}, [](int n) { return sphere_pile(n, 0.3); });
  list.add(
      "large", "pile_mu3", {16}, [](int n) { return sphere_pile(n, 0.3); }, Form::global);
  list.add("large", "rocks", {13}, [](int n) { return rock_pile(n, n); });
  list.add("large", "wall_2d", {75}, [](int n) { return wall_2d(n, n); });
  list.add_problem("large", "elastic_cube", {20}, elastic);
}

}  // namespace

std::vector<FamilyProblem> friction_families() {
  std::vector<FamilyProblem> problems;
  FrictionList list(problems);
  add_stacks(list);
  add_chains(list);
  add_masonry(list);
  add_piles(list);
  add_plane(list);
  add_mechanisms(list);
  add_rolling(list);
  add_others(list);
  return problems;
}

std::vector<FamilyProblem> large_friction_families() {
  std::vector<FamilyProblem> problems;
  FrictionList list(problems);
  add_large(list);
  return problems;
}

}  // namespace nonsmooth::collection
