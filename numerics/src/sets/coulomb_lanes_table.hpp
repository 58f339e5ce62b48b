// The functions of CoulombLanes, to be compiled for an instruction set by each source that includes this. Nothing else may stand
// in these sources: an inline function that others share would be linked with their instructions.
#pragma once

#include "sets/solve_lanes.hpp"

namespace nonsmooth {
namespace {

void solve(CoulombLanesSolver3& solver, const double* const* q, double* const* r, const LaneCreep* creep) {
  solve_lanes(solver, q, r, creep);
}
void solve_rows(CoulombLanesSolver3& solver, const LaneRows& rows, double* const* r, const LaneCreep* creep) {
  solve_lanes_of_rows(solver, rows, r, creep);
}
void project(const SetBlock* contacts, const double* x, double* p) { project_lanes(contacts, x, p); }
void add_normal_shift(const SetBlock* contacts, double* w) { shift_lanes(contacts, w); }
void natural_map(const SetBlock* contacts, const double* z, const double* w, double* errors) {
  map_lanes(contacts, z, w, errors);
}
void rolling_map(const SetBlock* contacts, int count, const double* z, const double* w, double* errors) {
  rolling_map_lanes(contacts, count, z, w, errors);
}

constexpr CoulombLanes table{solve, solve_rows, project, add_normal_shift, natural_map, rolling_map};

}  // namespace
}  // namespace nonsmooth
