// Problems that several programs measure: scenes of the collection's generator in the library's own types.
#pragma once

#include "../../tests/support/lcp_families.hpp"
#include "problems/problem.hpp"
#include "scenes.hpp"

namespace nonsmooth {

inline Friction friction_problem(const collection::RigidBodies& scene) {
  const collection::LocalData data = scene.local();
  return {data.dimension, Matrix::from_view(data.W.view(), "W"), data.q, data.mu};
}

inline Rolling rolling_problem(const collection::RigidBodies& scene) {
  const collection::LocalData data = scene.local();
  return {data.dimension, Matrix::from_view(data.W.view(), "W"), data.q, data.mu, data.mu_r};
}

// Five-point Laplacian on n x n points over an obstacle: u >= 0 under a load that changes its sign.
inline Lcp obstacle_problem(std::int32_t n) {
  const auto one = [](std::int32_t, std::int32_t) { return 1.0; };
  const generate::SparseLcp grid = generate::five_point(n, n, one, one);
  Vector q;
  for (std::int32_t j = 0; j < n; ++j)
    for (std::int32_t i = 0; i < n; ++i) q.push_back((i / 16 + j / 16) % 2 == 0 ? -1.0 : 0.5);
  return {Matrix(CscMatrix{grid.n, grid.n, grid.start, grid.index, grid.values}, "M"), q};
}

inline GlobalFriction global_problem(const collection::RigidBodies& scene) {
  const collection::GlobalData data = scene.global();
  GlobalFriction problem;
  problem.dimension = data.dimension;
  problem.M = Matrix::from_view(data.M.view(), "M");
  problem.H = Matrix::from_view(data.H.view(), "H");
  problem.f = data.f;
  problem.w = data.w;
  problem.mu = data.mu;
  return problem;
}

}  // namespace nonsmooth
