// One sweep of block Gauss-Seidel: ns per contact (or row), and the bytes a sweep has to read. `memory_read` is what the machine
// delivers at most for a data set of the same size; a sweep cannot be faster than its bytes at that rate.
#include <benchmark/benchmark.h>

#include <numeric>
#include <vector>

#include "counters.hpp"
#include "methods/block_rows.hpp"
#include "problems/friction.hpp"
#include "problems/lcp.hpp"
#include "problems/rolling.hpp"
#include "scenes.hpp"
#include "sets/set.hpp"

namespace nonsmooth {
namespace {

constexpr int warm_up_sweeps = 50;

Friction friction_problem(const collection::RigidBodies& scene) {
  const collection::LocalData data = scene.local();
  return {data.dimension, Matrix::from_view(data.W.view(), "W"), data.q, data.mu};
}

Rolling rolling_problem(const collection::RigidBodies& scene) {
  const collection::LocalData data = scene.local();
  return {data.dimension, Matrix::from_view(data.W.view(), "W"), data.q, data.mu, data.mu_r};
}

// Five-point Laplacian on n x n points over an obstacle: u >= 0 under a load that changes its sign.
Lcp obstacle_problem(std::int32_t n) {
  IndexVector row, col;
  Vector value, q;
  for (std::int32_t j = 0; j < n; ++j)
    for (std::int32_t i = 0; i < n; ++i) {
      auto add = [&](std::int32_t at_i, std::int32_t at_j, double a) {
        if (at_i < 0 || at_j < 0 || at_i >= n || at_j >= n) return;
        row.push_back(i + n * j);
        col.push_back(at_i + n * at_j);
        value.push_back(a);
      };
      add(i, j, 4);
      add(i - 1, j, -1);
      add(i + 1, j, -1);
      add(i, j - 1, -1);
      add(i, j + 1, -1);
      q.push_back((i / 16 + j / 16) % 2 == 0 ? -1.0 : 0.5);
    }
  return {Matrix::from_triplets(n * n, n * n, row, col, value, "M"), q};
}

// The sweep of methods/block_gauss_seidel.cpp for blocks of one kind.
template <class Set, int D>
class Sweep {
 public:
  using BlockSolver = typename BlockSolverOf<Set>::Type;

  // The problem must outlive this object.
  template <class ProblemOfClass>
  explicit Sweep(const ProblemOfClass& problem) {
    const Inclusion view = problem.inclusion();
    rows_.setup(view);
    solvers_.resize(view.blocks.size());
    z_.assign(static_cast<std::size_t>(view.size()), 0.0);
    for (std::size_t b = 0; b < solvers_.size(); ++b)
      visit_set(view.blocks[b], [&](const auto& set) {
        if constexpr (std::is_same_v<std::decay_t<decltype(set)>, Set>) solvers_[b].prepare(set, rows_.diagonal(b), 0.0);
      });
    off_diagonal_ = static_cast<double>(to_block_csr(*view.M, D).block_col.size()) - static_cast<double>(solvers_.size());
  }

  void gather() {
    for (std::size_t b = 0; b < solvers_.size(); ++b) {
      double q[D];
      rows_.gather(b, z_.data(), q);
      benchmark::DoNotOptimize(q);
    }
  }
  void run() {
    for (std::size_t b = 0; b < solvers_.size(); ++b) {
      double q[D];
      rows_.gather(b, z_.data(), q);
      solvers_[b].solve(q, z_.data() + rows_.start(b));
    }
  }

  double count() const { return static_cast<double>(solvers_.size()); }
  double blocks_per_row() const { return off_diagonal_ / count(); }
  // Blocks with their column index; q, z and the start of the row per block row.
  double gather_bytes() const { return off_diagonal_ * (8 * D * D + 4) + count() * (2 * 8 * D + 4); }
  double bytes() const { return gather_bytes() + count() * static_cast<double>(sizeof(BlockSolver)); }

 private:
  UniformRows<D> rows_;
  std::vector<BlockSolver> solvers_;
  Vector z_;
  double off_diagonal_ = 0;
};

template <class Set, int D, class ProblemOfClass>
void run_sweeps(benchmark::State& state, const ProblemOfClass& problem, const char* item) {
  Sweep<Set, D> sweep(problem);
  for (int k = 0; k < warm_up_sweeps; ++k) sweep.run();
  for (auto _ : state) sweep.run();
  count_time_per(state, item, sweep.count());
  count_traffic(state, sweep.count(), sweep.bytes());
  state.counters["blocks_per_row"] = sweep.blocks_per_row();
}

void spheres_sweep(benchmark::State& state) {
  run_sweeps<CoulombCone3, 3>(state, friction_problem(collection::sphere_pile(static_cast<int>(state.range(0)), 0.3)),
                              "per_contact");
}

// The first ten sweeps from r = 0, where the one-contact problems have no good start.
void spheres_first_sweeps(benchmark::State& state) {
  constexpr int sweeps = 10;
  const Friction problem = friction_problem(collection::sphere_pile(static_cast<int>(state.range(0)), 0.3));
  const Sweep<CoulombCone3, 3> fresh(problem);
  double count = 0;
  for (auto _ : state) {
    state.PauseTiming();
    Sweep<CoulombCone3, 3> sweep = fresh;
    state.ResumeTiming();
    for (int k = 0; k < sweeps; ++k) sweep.run();
    count = sweep.count();
  }
  count_time_per(state, "per_contact", sweeps * count);
}

// Row access alone: what remains is the one-contact solves.
void spheres_gather(benchmark::State& state) {
  const Friction problem = friction_problem(collection::sphere_pile(static_cast<int>(state.range(0)), 0.3));
  Sweep<CoulombCone3, 3> sweep(problem);
  for (int k = 0; k < warm_up_sweeps; ++k) sweep.run();
  for (auto _ : state) sweep.gather();
  count_time_per(state, "per_contact", sweep.count());
  count_traffic(state, sweep.count(), sweep.gather_bytes());
}

void spheres_rolling_sweep(benchmark::State& state) {
  const auto n = static_cast<int>(state.range(0));
  const Rolling problem =
      rolling_problem(collection::sphere_pile({n, n, n, 0.3, 0.02, collection::RigidBodies::Law::rolling, 3}));
  run_sweeps<RollingCone3, 5>(state, problem, "per_contact");
}

void wall_2d_sweep(benchmark::State& state) {
  const auto n = static_cast<int>(state.range(0));
  run_sweeps<CoulombCone2, 2>(state, friction_problem(collection::wall_2d(n, n)), "per_contact");
}

void obstacle_pgs_sweep(benchmark::State& state) {
  run_sweeps<Orthant, 1>(state, obstacle_problem(static_cast<std::int32_t>(state.range(0))), "per_row");
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

BENCHMARK(memory_read)->Arg(256 << 10)->Arg(2 << 20)->Arg(16 << 20);
BENCHMARK(spheres_sweep)->Arg(5)->Arg(10)->Arg(19);
BENCHMARK(spheres_gather)->Arg(5)->Arg(10)->Arg(19);
BENCHMARK(spheres_first_sweeps)->Arg(10);
BENCHMARK(spheres_rolling_sweep)->Arg(5);
BENCHMARK(wall_2d_sweep)->Arg(10)->Arg(40);
BENCHMARK(obstacle_pgs_sweep)->Arg(100)->Arg(400);

}  // namespace
}  // namespace nonsmooth
