// Every set: projection of random points, and the exact one-block solve. Cold: z = 0 and a solver that has solved nothing yet.
// Warm: the solution and the solver's memory of a nearly equal right-hand side, as in a sweep close to the end.
#include <benchmark/benchmark.h>

#include <type_traits>
#include <vector>

#include "counters.hpp"
#include "random.hpp"
#include "sets/disk.hpp"
#include "sets/set.hpp"

namespace nonsmooth {
namespace {

constexpr std::size_t samples = 256;

// Sets of one size, and how each is made.
template <class Set>
struct Made;
template <>
struct Made<Orthant> {
  static constexpr std::size_t size = 1;
  static Orthant set() { return {}; }
};
template <>
struct Made<Box> {
  static constexpr std::size_t size = 1;
  static Box set() { return {-0.5, 0.5}; }
};
template <>
struct Made<FreeSpace> {
  static constexpr std::size_t size = 3;
  static FreeSpace set() { return {3}; }
};
template <>
struct Made<Disk<2>> {
  static constexpr std::size_t size = 2;
  static Disk<2> set() { return {0.5}; }
};
template <int PART>
struct Made<ContactCone<PART, 1>> {
  static constexpr std::size_t size = 1 + PART;
  static ContactCone<PART, 1> set() { return {{0.5}}; }
};
template <int PART>
struct Made<ContactCone<PART, 2>> {
  static constexpr std::size_t size = 1 + 2 * PART;
  static ContactCone<PART, 2> set() { return {{0.5, 0.1}}; }
};
template <>
struct Made<SecondOrderCone> {
  static constexpr std::size_t size = 5;
  static SecondOrderCone set() { return {5, 0.5}; }
};

template <class Set>
void projection(benchmark::State& state) {
  constexpr std::size_t n = Made<Set>::size;
  const Set set = Made<Set>::set();
  const Vector points = collection::Random(1).vector(n * samples, -1, 1);
  Vector projected(points.size());
  for (auto _ : state) {
    for (std::size_t k = 0; k < points.size(); k += n) set.project(&points[k], &projected[k]);
    benchmark::ClobberMemory();
  }
  count_time_per(state, "per_projection", samples);
}

void polyhedron_projection(benchmark::State& state) {
  const auto n = static_cast<std::size_t>(state.range(0)), rows = 2 * n;
  collection::Random random(1);
  Polyhedron set;
  set.H = Matrix(DenseMatrix{static_cast<std::int64_t>(rows), state.range(0), random.vector(rows * n, -1, 1)}, "H");
  set.k = random.vector(rows, -1, -0.1);
  const Vector points = random.vector(n * samples, -2, 2);
  Vector projected(n);
  for (auto _ : state)
    for (std::size_t k = 0; k < points.size(); k += n) {
      project(set, std::span(points).subspan(k, n), projected);
      benchmark::DoNotOptimize(projected.data());
    }
  count_time_per(state, "per_projection", samples);
}

// Random blocks G G' + I / 10 and velocities, most of them approaching; two nearly equal right-hand sides for each.
template <class Set>
struct OneBlockProblems {
  static constexpr std::size_t n = Made<Set>::size;
  std::vector<typename BlockSolverOf<Set>::Type> solvers{samples};
  Vector q[2], z;

  OneBlockProblems() : z(n * samples, 0.0) {
    collection::Random random(2);
    for (auto& solver : solvers) {
      const Vector G = random.vector(n * n, -1, 1);
      Vector W(n * n);
      for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j) {
          W[i + j * n] = i == j ? 0.1 : 0.0;
          for (std::size_t k = 0; k < n; ++k) W[i + j * n] += G[i + k * n] * G[j + k * n];
        }
      solver.prepare(Made<Set>::set(), W.data(), 0.0);
    }
    q[0] = random.vector(n * samples, -1, 1);
    for (std::size_t k = 0; k < q[0].size(); k += n) q[0][k] = random.uniform(-1, 0.1);
    q[1] = q[0];
    for (double& x : q[1]) x *= 1 + random.uniform(-1e-4, 1e-4);
  }
};

template <class Set>
void one_block_cold(benchmark::State& state) {
  constexpr std::size_t n = Made<Set>::size;
  OneBlockProblems<Set> problems;
  for (auto _ : state) {
    for (std::size_t k = 0; k < samples; ++k) {
      double z[n]{};
      auto& kept = problems.solvers[k];
      // Solvers that own memory keep nothing from one solve to the next.
      if constexpr (std::is_trivially_copyable_v<std::decay_t<decltype(kept)>>) {
        auto fresh = kept;
        fresh.solve(&problems.q[0][k * n], z);
      } else {
        kept.solve(&problems.q[0][k * n], z);
      }
      benchmark::DoNotOptimize(z);
    }
  }
  count_time_per(state, "per_solve", samples);
}

template <class Set>
void one_block_warm(benchmark::State& state) {
  constexpr std::size_t n = Made<Set>::size;
  OneBlockProblems<Set> problems;
  std::size_t turn = 0;
  for (auto _ : state) {
    const Vector& q = problems.q[turn];
    turn = 1 - turn;
    for (std::size_t k = 0; k < samples; ++k) problems.solvers[k].solve(&q[k * n], &problems.z[k * n]);
    benchmark::ClobberMemory();
  }
  count_time_per(state, "per_solve", samples);
}

BENCHMARK(projection<Orthant>);
BENCHMARK(projection<Box>);
BENCHMARK(projection<FreeSpace>);
BENCHMARK(projection<Disk<2>>);
BENCHMARK(projection<CoulombCone2>);
BENCHMARK(projection<CoulombCone3>);
BENCHMARK(projection<RollingCone2>);
BENCHMARK(projection<RollingCone3>);
BENCHMARK(projection<SecondOrderCone>);
BENCHMARK(polyhedron_projection)->Arg(4)->Arg(16);

BENCHMARK(one_block_cold<Orthant>);
BENCHMARK(one_block_cold<Box>);
BENCHMARK(one_block_cold<FreeSpace>);
BENCHMARK(one_block_cold<CoulombCone2>);
BENCHMARK(one_block_cold<CoulombCone3>);
BENCHMARK(one_block_cold<RollingCone2>);
BENCHMARK(one_block_cold<RollingCone3>);
BENCHMARK(one_block_cold<SecondOrderCone>);
BENCHMARK(one_block_warm<Orthant>);
BENCHMARK(one_block_warm<Box>);
BENCHMARK(one_block_warm<FreeSpace>);
BENCHMARK(one_block_warm<CoulombCone2>);
BENCHMARK(one_block_warm<CoulombCone3>);
BENCHMARK(one_block_warm<RollingCone2>);
BENCHMARK(one_block_warm<RollingCone3>);
BENCHMARK(one_block_warm<SecondOrderCone>);

}  // namespace
}  // namespace nonsmooth
