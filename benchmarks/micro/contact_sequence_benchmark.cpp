// Scenes of 1 to 63 contacts, solved step after step by one solver: update_q and solve, time per contact. The right-hand side of
// step k is q + W s_k, which keeps hyperstatic problems solvable:
//   drift    s_k is 5 % of the reactions, slowly varying: a simulation whose contacts mostly keep their statuses
//   changes  30 %, faster: statuses change now and then
//   anew     s_k is drawn at random, as large as the reactions
// Batch: the problems of `anew`, each from 0. Cold: setup and solve.
#include <benchmark/benchmark.h>

#include <cmath>

#include "counters.hpp"
#include "linalg/matrix.hpp"
#include "random.hpp"
#include "scenes.hpp"

namespace nonsmooth {
namespace {

using collection::RigidBodies;

constexpr int steps = 200;

struct Scene {
  const char* name;
  RigidBodies bodies;
};

RigidBodies ball_at_rest() {
  RigidBodies scene(RigidBodies::Space::space, RigidBodies::Law::friction, 0.01);
  const auto ball = scene.add(collection::Body{1, {0.1, 0.1, 0.1}, {0, 0, 0.5}, {}, {}, {0, 0, -9.81}});
  scene.add(collection::Contact{ball, collection::ground, {0, 0, 0}, {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}}, 0.3, 0, 0});
  return scene;
}

RigidBodies spheres(int nx, int ny, int nz) {
  return collection::sphere_pile({nx, ny, nz, 0.3, 0, RigidBodies::Law::friction, 3});
}

RigidBodies rolling_spheres(int nx, int ny, int nz) {
  return collection::sphere_pile({nx, ny, nz, 0.3, 0.02, RigidBodies::Law::rolling, 3});
}

std::vector<Scene> all_scenes() {
  return {{"sphere", ball_at_rest()},
          {"incline_sticks", collection::box_on_incline(0.8)},
          {"incline_slides", collection::box_on_incline(0.5)},
          {"stack_2", collection::box_stack(2)},
          {"stack_5", collection::box_stack(5)},
          {"stack_10", collection::box_stack(10)},
          {"spheres_2x1x1", spheres(2, 1, 1)},
          {"spheres_2x2x1", spheres(2, 2, 1)},
          {"spheres_2x2x2", spheres(2, 2, 2)},
          {"spheres_3x3x3", spheres(3, 3, 3)},
          {"wall_2d_2x2", collection::wall_2d(2, 2)},
          {"wall_2d_3x3", collection::wall_2d(3, 3)},
          {"rolling_spheres_1x1x1", rolling_spheres(1, 1, 1)},
          {"rolling_spheres_2x1x1", rolling_spheres(2, 1, 1)},
          {"rolling_spheres_2x2x1", rolling_spheres(2, 2, 1)}};
}

enum Kind { drift, changes, anew };

struct Sequence {
  Sequence(const Scene& scene, Kind kind) : data(scene.bodies.local()) {
    problem.emplace(scene.bodies.law() == RigidBodies::Law::rolling
                        ? nsm::Problem::rolling(data.dimension, data.W, data.q, data.mu, data.mu_r)
                        : nsm::Problem::friction(data.dimension, data.W, data.q, data.mu));
    nsm::Solver solver(*problem);
    solver.solve();
    const nsm::Vector r = solver.solution().z;
    double size = 0;
    for (double x : r) size = std::max(size, std::abs(x));
    const Matrix W = Matrix::from_view(data.W.view(), "W");
    collection::Random random(5);
    nsm::Vector rate, phase, s(r.size());
    for (std::size_t i = 0; i < r.size(); ++i) {
      rate.push_back(random.uniform(0.5, 1.5));
      phase.push_back(random.uniform(0, 6));
    }
    for (int k = 0; k < steps; ++k) {
      for (std::size_t i = 0; i < r.size(); ++i)
        s[i] = size * (kind == drift     ? 0.05 * std::sin(0.05 * rate[i] * k + phase[i])
                       : kind == changes ? 0.3 * std::sin(0.1 * rate[i] * k + phase[i])
                                         : random.uniform(-1, 1));
      nsm::Vector q = data.q;
      multiply_add(W, 1.0, s, q);
      all.insert(all.end(), q.begin(), q.end());
      each.push_back(std::move(q));
    }
  }
  collection::LocalData data;
  std::optional<nsm::Problem> problem;
  std::vector<nsm::Vector> each;
  nsm::Vector all;
};

void report(benchmark::State& state, const Sequence& sequence, std::int64_t solves, std::int64_t failed) {
  const auto contacts = static_cast<double>(sequence.data.contacts());
  count_time_per(state, "per_contact", contacts * steps);
  state.counters["contacts"] = contacts;
  state.counters["failed"] = static_cast<double>(failed) / static_cast<double>(solves);
}

void warm(benchmark::State& state, const Scene& scene, Kind kind) {
  const Sequence sequence(scene, kind);
  nsm::Solver solver(*sequence.problem);
  std::int64_t failed = 0, solves = 0, iterations = 0;
  for (auto _ : state)
    for (const nsm::Vector& q : sequence.each) {
      solver.update_q(q);
      const auto result = solver.solve();
      failed += !result.converged();
      iterations += result.iterations();
      ++solves;
    }
  state.counters["iterations"] = static_cast<double>(iterations) / static_cast<double>(solves);
  report(state, sequence, solves, failed);
}

void batch(benchmark::State& state, const Scene& scene) {
  const Sequence sequence(scene, anew);
  nsm::Solver solver(*sequence.problem);
  nsm::Vector z;
  std::int64_t failed = 0, solves = 0;
  for (auto _ : state) {
    z.assign(sequence.all.size(), 0.0);
    for (nsm_outcome outcome : solver.solve_batch(steps, sequence.all, z)) failed += outcome != NSM_CONVERGED;
    solves += steps;
  }
  report(state, sequence, solves, failed);
}

void cold(benchmark::State& state, const Scene& scene) {
  const Sequence sequence(scene, drift);
  std::int64_t failed = 0, solves = 0;
  for (auto _ : state)
    for (int k = 0; k < steps; ++k) {
      nsm::Solver solver(*sequence.problem);
      failed += !solver.solve().converged();
      ++solves;
    }
  report(state, sequence, solves, failed);
}

[[maybe_unused]] const bool registered = [] {
  for (const Scene& scene : all_scenes()) {
    const auto add = [&](const char* sequence, auto run) {
      benchmark::RegisterBenchmark((std::string(scene.name) + "/" + sequence).c_str(), run)->Unit(benchmark::kMillisecond);
    };
    add("drift", [scene](benchmark::State& state) { warm(state, scene, drift); });
    add("changes", [scene](benchmark::State& state) { warm(state, scene, changes); });
    add("anew", [scene](benchmark::State& state) { warm(state, scene, anew); });
    add("batch", [scene](benchmark::State& state) { batch(state, scene); });
    add("cold", [scene](benchmark::State& state) { cold(state, scene); });
  }
  return true;
}();

}  // namespace
}  // namespace nonsmooth
