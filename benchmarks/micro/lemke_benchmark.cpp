// Pivoting methods: Lemke's whole solves with the time per pivot, dense and sparse, and enumeration.
#include <benchmark/benchmark.h>

#include <map>
#include <utility>

#include "methods/solver/solver.hpp"
#include "random.hpp"
#include "whole_solve.hpp"

namespace nonsmooth {
namespace {

// M = G G' / rank + shift I with G of order x rank (plus a skew part, if asked).
DenseMatrix gram(collection::Random& random, std::int64_t order, std::int64_t rank, double shift, double skew) {
  const auto n = static_cast<std::size_t>(order), columns = static_cast<std::size_t>(rank);
  const Vector G = random.vector(n * columns, -1, 1);
  DenseMatrix M{order, order, Vector(n * n, 0.0)};
  for (std::size_t k = 0; k < columns; ++k)
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t i = 0; i < n; ++i) M.values[i + j * n] += G[i + k * n] * G[j + k * n] / static_cast<double>(rank);
  for (std::size_t i = 0; i < n; ++i) {
    M.values[i + i * n] += shift;
    for (std::size_t j = 0; j < i; ++j) {
      const double s = skew * random.uniform(-1, 1);
      M.values[i + j * n] += s;
      M.values[j + i * n] -= s;
    }
  }
  return M;
}

// q in (-1, 1): positive definite, about half the rows active.
Problem definite_problem(std::int64_t order, double skew) {
  collection::Random random(7);
  DenseMatrix M = gram(random, order, order, 0.1, skew);
  Problem problem;
  problem.data = Lcp{Matrix(std::move(M), "M"), random.vector(static_cast<std::size_t>(order), -1, 1)};
  return problem;
}

// Rank n / 2; q from a solution with half the rows active, so that there is one.
Problem semidefinite_problem(std::int64_t order) {
  collection::Random random(9);
  const auto n = static_cast<std::size_t>(order);
  DenseMatrix M = gram(random, order, order / 2, 0, 0);
  Vector q(n, 0.0);
  for (std::size_t j = 0; j < n; ++j) {
    const double x = random.uniform(-1, 1);
    if (x < 0) q[j] -= x;
    for (std::size_t i = 0; i < n && x > 0; ++i) q[i] -= M.values[i + j * n] * x;
  }
  Problem problem;
  problem.data = Lcp{Matrix(std::move(M), "M"), std::move(q)};
  return problem;
}

// tridiag(1, 4, -2), q = -4: every ratio test is tied at the start.
Problem tied_problem(std::int64_t order) {
  const auto n = static_cast<std::size_t>(order);
  DenseMatrix M{order, order, Vector(n * n, 0.0)};
  for (std::size_t i = 0; i < n; ++i) {
    M.values[i + i * n] = 4;
    if (i > 0) M.values[i + (i - 1) * n] = 1;
    if (i + 1 < n) M.values[i + (i + 1) * n] = -2;
  }
  Problem problem;
  problem.data = Lcp{Matrix(std::move(M), "M"), Vector(n, -4.0)};
  return problem;
}

// Semidefinite plus skew on a graph without locality, six entries in a row, q from a solution with half the rows active.
Problem sparse_problem(std::int64_t order) {
  collection::Random random(11);
  const auto n = static_cast<std::int32_t>(order);
  std::map<std::pair<std::int32_t, std::int32_t>, double> entries;
  const auto add = [&](std::int32_t i, std::int32_t j, double x) { entries[{i, j}] += x; };
  for (std::int32_t k = 0; k < n; ++k) {
    const std::int32_t i = random.integer(0, n - 1), j = random.integer(0, n - 1);
    const double skew = random.uniform(-1, 1), a = random.uniform(-1, 1), b = random.uniform(-1, 1);
    if (i == j) continue;
    add(i, j, (k % 2) * a * b + skew);
    add(j, i, (k % 2) * a * b - skew);
    add(i, i, (k % 2) * a * a);
    add(j, j, (k % 2) * b * b);
  }
  IndexVector row, col;
  Vector value, z(static_cast<std::size_t>(n)), q(static_cast<std::size_t>(n), 0.0);
  for (const auto& [place, x] : entries) {
    row.push_back(place.first);
    col.push_back(place.second);
    value.push_back(x);
  }
  for (std::size_t i = 0; i < z.size(); ++i) {
    const double x = random.uniform(-1, 1);
    z[i] = std::max(x, 0.0);
    q[i] = std::max(-x, 0.0);
  }
  Matrix M = Matrix::from_triplets(n, n, row, col, value, "M");
  multiply_add(M, -1, z, q);
  Problem problem;
  problem.data = Lcp{std::move(M), std::move(q)};
  return problem;
}

void lemke_definite(benchmark::State& state) {
  solve_again_and_again(state, definite_problem(state.range(0), 0), "lemke", "pivots");
}
void lemke_skew(benchmark::State& state) { solve_again_and_again(state, definite_problem(state.range(0), 1), "lemke", "pivots"); }
void lemke_semidefinite(benchmark::State& state) {
  solve_again_and_again(state, semidefinite_problem(state.range(0)), "lemke", "pivots");
}
void lemke_tied(benchmark::State& state) { solve_again_and_again(state, tied_problem(state.range(0)), "lemke", "pivots"); }
void lemke_of_sparse(benchmark::State& state) { solve_again_and_again(state, sparse_problem(state.range(0)), "lemke", "pivots"); }
void sparse_lemke(benchmark::State& state) {
  solve_again_and_again(state, sparse_problem(state.range(0)), "sparse_lemke", "pivots");
}
void enumeration_definite(benchmark::State& state) {
  solve_again_and_again(state, definite_problem(state.range(0), 0), "enumeration", "nodes");
}

BENCHMARK(lemke_definite)->Arg(8)->Arg(30)->Arg(100)->Arg(300)->Arg(1000)->Arg(2000)->Unit(benchmark::kMicrosecond);
BENCHMARK(lemke_semidefinite)->Arg(100)->Arg(300)->Arg(1000)->Unit(benchmark::kMicrosecond);
BENCHMARK(lemke_skew)->Arg(30)->Arg(100)->Arg(300);
BENCHMARK(lemke_tied)->Arg(30)->Arg(100);
BENCHMARK(lemke_of_sparse)->Arg(100)->Arg(500)->Arg(2000)->Unit(benchmark::kMicrosecond);
BENCHMARK(sparse_lemke)->Arg(100)->Arg(500)->Arg(2000)->Arg(10000)->Unit(benchmark::kMicrosecond);
BENCHMARK(enumeration_definite)->Arg(8)->Arg(16);

}  // namespace
}  // namespace nonsmooth
