// One sweep of block Gauss-Seidel: ns per contact (or row), and the bytes a sweep has to read. `memory_read` is what the machine
// delivers at most for a data set of the same size; a sweep cannot be faster than its bytes at that rate.
#include <benchmark/benchmark.h>

#include <memory>
#include <vector>

#include "../sweeps/towers.hpp"
#include "counters.hpp"
#include "methods/sweeps/block_rows.hpp"
#include "methods/sweeps/block_sweep.hpp"
#include "problems.hpp"
#include "problems/condensation.hpp"
#include "sets/set.hpp"

namespace nonsmooth {
namespace {

constexpr int warm_up_sweeps = 50;

// A sweep of methods/block_gauss_seidel.cpp.
class Sweep {
 public:
  // The problem behind the view must outlive this object.
  explicit Sweep(const Inclusion& view)
      : sweeper_(make_sweeper(view, {.always_bodies = true})),
        z_(static_cast<std::size_t>(view.size()), 0.0),
        contacts_(static_cast<double>(view.blocks.size())),
        dimension_(view.blocks.front().size) {}

  void run() { sweeper_->sweep(z_.data(), false); }
  void start() {
    std::fill(z_.begin(), z_.end(), 0.0);
    sweeper_->start(z_.data());
  }
  double contacts() const { return contacts_; }
  // q, z and the solver of every block, beside the rows.
  double bytes(double of_rows, std::size_t of_solver) const {
    return of_rows + contacts_ * (2 * 8 * dimension_ + static_cast<double>(of_solver));
  }

 private:
  std::unique_ptr<Sweeper> sweeper_;
  Vector z_;
  double contacts_;
  int dimension_;
};

double off_diagonal_blocks(const Inclusion& view) {
  return static_cast<double>(to_block_csr(*view.M, view.blocks.front().size).block_col.size() - view.blocks.size());
}

// In double precision: contacts in groups read half of it.
double row_bytes(const Inclusion& view) {
  const double d = view.blocks.front().size;
  return off_diagonal_blocks(view) * (8 * d * d + 4) + 4 * static_cast<double>(view.blocks.size());
}

void time_sweeps(benchmark::State& state, const Inclusion& view, double of_rows, std::size_t of_solver,
                 const char* item = "per_contact") {
  Sweep sweep(view);
  for (int k = 0; k < warm_up_sweeps; ++k) sweep.run();
  for (auto _ : state) sweep.run();
  count_time_per(state, item, sweep.contacts());
  count_traffic(state, sweep.contacts(), sweep.bytes(of_rows, of_solver));
}

template <class Set>
void run_sweeps(benchmark::State& state, const Inclusion& view, const char* item = "per_contact") {
  time_sweeps(state, view, row_bytes(view), sizeof(typename BlockSolverOf<Set>::Type), item);
  state.counters["blocks_per_row"] = off_diagonal_blocks(view) / static_cast<double>(view.blocks.size());
}

// The velocity form, or W form, of the same global problem.
void run_global(benchmark::State& state, const collection::RigidBodies& scene, bool velocities) {
  const GlobalFriction problem = global_problem(scene);
  const Condensation condensation(problem);
  Inclusion view = condensation.inclusion();
  const auto bytes = static_cast<double>(view.bodies->bytes());
  if (velocities) {
    time_sweeps(state, view, bytes, sizeof(CoulombBlockSolver3));
  } else {
    view.bodies = nullptr;
    run_sweeps<CoulombCone3>(state, view);
  }
}

void slabs_matrix_sweep(benchmark::State& state) {
  run_global(state, collection::slab_tower(static_cast<int>(state.range(0)), static_cast<int>(state.range(1))), false);
}
void slabs_velocity_sweep(benchmark::State& state) {
  run_global(state, collection::slab_tower(static_cast<int>(state.range(0)), static_cast<int>(state.range(1))), true);
}
void tower_matrix_sweep(benchmark::State& state) {
  run_global(state, collection::plank_tower(static_cast<int>(state.range(0)), static_cast<int>(state.range(1))), false);
}
void tower_velocity_sweep(benchmark::State& state) {
  run_global(state, collection::plank_tower(static_cast<int>(state.range(0)), static_cast<int>(state.range(1))), true);
}
void boxes_matrix_sweep(benchmark::State& state) {
  run_global(state, collection::box_stack(static_cast<int>(state.range(0))), false);
}
void boxes_velocity_sweep(benchmark::State& state) {
  run_global(state, collection::box_stack(static_cast<int>(state.range(0))), true);
}
void spheres_velocity_sweep(benchmark::State& state) {
  run_global(state, collection::sphere_pile(static_cast<int>(state.range(0)), 0.3), true);
}

// Forming W of a global problem, per contact: what the velocity form saves.
void tower_form_matrix(benchmark::State& state) {
  const GlobalFriction problem =
      global_problem(collection::plank_tower(static_cast<int>(state.range(0)), static_cast<int>(state.range(1))));
  const Condensation condensation(problem);
  for (auto _ : state) benchmark::DoNotOptimize(condensation.inclusion().bodies->form());
  count_time_per(state, "per_contact", static_cast<double>(problem.contacts()));
}
void tower_condense(benchmark::State& state) {
  const GlobalFriction problem =
      global_problem(collection::plank_tower(static_cast<int>(state.range(0)), static_cast<int>(state.range(1))));
  for (auto _ : state) benchmark::DoNotOptimize(Condensation(problem).inclusion().q);
  count_time_per(state, "per_contact", static_cast<double>(problem.contacts()));
}

void spheres_sweep(benchmark::State& state) {
  const Friction problem = friction_problem(collection::sphere_pile(static_cast<int>(state.range(0)), 0.3));
  run_sweeps<CoulombCone3>(state, problem.inclusion());
}

// The first ten sweeps from r = 0, where the one-contact problems have no good start.
void spheres_first_sweeps(benchmark::State& state) {
  constexpr int sweeps = 10;
  const Friction problem = friction_problem(collection::sphere_pile(static_cast<int>(state.range(0)), 0.3));
  const Inclusion view = problem.inclusion();
  Sweep sweep(view);
  for (auto _ : state) {
    sweep.start();
    for (int k = 0; k < sweeps; ++k) sweep.run();
  }
  count_time_per(state, "per_contact", sweeps * sweep.contacts());
}

// Row access alone: what remains is the one-contact solves.
void spheres_gather(benchmark::State& state) {
  const Friction problem = friction_problem(collection::sphere_pile(static_cast<int>(state.range(0)), 0.3));
  const Inclusion view = problem.inclusion();
  UniformRows<3> rows;
  SweepOrder order;
  order.set_natural(view.blocks.size());
  rows.setup(view, order);
  const Vector z(static_cast<std::size_t>(view.size()), 1.0);
  for (auto _ : state)
    for (std::size_t b = 0; b < view.blocks.size(); ++b) {
      double q[3];
      rows.gather(b, z.data(), q);
      benchmark::DoNotOptimize(q);
    }
  count_time_per(state, "per_contact", static_cast<double>(view.blocks.size()));
  count_traffic(state, static_cast<double>(view.blocks.size()), row_bytes(view) + 48 * static_cast<double>(view.blocks.size()));
}

void spheres_rolling_sweep(benchmark::State& state) {
  const auto n = static_cast<int>(state.range(0));
  const Rolling problem =
      rolling_problem(collection::sphere_pile({n, n, n, 0.3, 0.02, collection::RigidBodies::Law::rolling, 3}));
  run_sweeps<RollingCone3>(state, problem.inclusion());
}

void wall_2d_sweep(benchmark::State& state) {
  const auto n = static_cast<int>(state.range(0));
  const Friction problem = friction_problem(collection::wall_2d(n, n));
  run_sweeps<CoulombCone2>(state, problem.inclusion());
}

void obstacle_pgs_sweep(benchmark::State& state) {
  const Lcp problem = obstacle_problem(static_cast<std::int32_t>(state.range(0)));
  run_sweeps<Orthant>(state, problem.inclusion(), "per_row");
}

void memory_read(benchmark::State& state) {
  const std::vector<double> data(static_cast<std::size_t>(state.range(0)) / 8, 1.0);
  for (auto _ : state) {
    double sum[8]{};
    for (std::size_t k = 0; k + 8 <= data.size(); k += 8)
      for (std::size_t i = 0; i < 8; ++i) sum[i] += data[k + i];
    benchmark::DoNotOptimize(sum);
  }
  count_traffic(state, static_cast<double>(data.size()), static_cast<double>(8 * data.size()));
}

BENCHMARK(memory_read)->Arg(256 << 10)->Arg(2 << 20)->Arg(16 << 20)->Arg(96 << 20);
BENCHMARK(spheres_sweep)->Arg(5)->Arg(10)->Arg(19)->Arg(33);
BENCHMARK(spheres_gather)->Arg(5)->Arg(10)->Arg(19)->Arg(33);
BENCHMARK(spheres_velocity_sweep)->Arg(5)->Arg(10)->Arg(19)->Arg(33);
BENCHMARK(boxes_matrix_sweep)->Arg(100)->Arg(10000);
BENCHMARK(boxes_velocity_sweep)->Arg(100)->Arg(10000);
// Layers, planks: 27 (2 planks), 43, 59 neighbours.
BENCHMARK(tower_matrix_sweep)->Args({50, 2})->Args({2000, 2})->Args({50, 3})->Args({1000, 3})->Args({50, 4})->Args({500, 4});
BENCHMARK(tower_velocity_sweep)->Args({50, 2})->Args({2000, 2})->Args({50, 3})->Args({1000, 3})->Args({50, 4})->Args({500, 4});
// Layers, columns along a side: 107 (3), 191 (4) neighbours.
BENCHMARK(slabs_matrix_sweep)->Args({90, 3})->Args({900, 3})->Args({50, 4})->Args({250, 4});
BENCHMARK(slabs_velocity_sweep)->Args({90, 3})->Args({900, 3})->Args({50, 4})->Args({250, 4});
BENCHMARK(tower_form_matrix)->Args({1000, 3});
BENCHMARK(tower_condense)->Args({1000, 3});
BENCHMARK(spheres_first_sweeps)->Arg(10);
BENCHMARK(spheres_rolling_sweep)->Arg(5);
BENCHMARK(wall_2d_sweep)->Arg(10)->Arg(40);
BENCHMARK(obstacle_pgs_sweep)->Arg(100)->Arg(400);

}  // namespace
}  // namespace nonsmooth
