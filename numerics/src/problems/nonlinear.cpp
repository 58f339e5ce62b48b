#include "problems/nonlinear.hpp"

#include <cmath>

#include "core/index.hpp"
#include "problems/checks.hpp"

namespace nonsmooth {

void NonlinearProblem::validate() const { require_polyhedron(set, F.size()); }

Inclusion NonlinearProblem::inclusion_over(std::vector<SetBlock> blocks) const {
  Inclusion view;
  view.M = &F.pattern;
  view.F = &F;
  view.blocks = std::move(blocks);
  Vector workspace(at(F.size()), 0.0);
  view.reference.resize(workspace.size());
  project(view, workspace, view.reference);
  view.scale = residual_scale(view, workspace);
  return view;
}

// Without a two-sided row the blocks are those of an LCP or a mixed LCP, which more methods treat.
std::vector<SetBlock> NonlinearProblem::box_blocks() const {
  std::vector<SetBlock> boxes, simpler;
  for (std::int32_t i = 0; i < F.size(); ++i) {
    const double lo = set.low(at(i)), hi = set.high(at(i));
    boxes.push_back({SetKind::box, i, 1, lo, hi});
    if (hi == HUGE_VAL && lo == -HUGE_VAL) simpler.push_back({SetKind::free_space, i, 1});
    if (hi == HUGE_VAL && lo == 0) simpler.push_back({SetKind::orthant, i, 1});
  }
  return simpler.size() == boxes.size() ? simpler : boxes;
}

Inclusion Ncp::inclusion() const {
  std::vector<SetBlock> blocks;
  for (std::int32_t i = 0; i < F.size(); ++i) blocks.push_back({SetKind::orthant, i, 1});
  return inclusion_over(std::move(blocks));
}

Inclusion Mcp::inclusion() const { return inclusion_over(box_blocks()); }

Inclusion Vi::inclusion() const {
  const auto n = static_cast<std::int32_t>(F.size());
  if (user_set.projection != nullptr) return inclusion_over({{SetKind::user_set, 0, n, 0, 0, nullptr, &user_set}});
  if (set.H.rows() > 0) return inclusion_over({{SetKind::polyhedron, 0, n, 0, 0, &set}});
  return inclusion_over(box_blocks());
}

}  // namespace nonsmooth
