// The set behind a SetBlock: dispatch by kind. What certificate and methods call when the kind is known only at run time.
#pragma once

#include "sets/box.hpp"
#include "sets/coulomb_cone.hpp"
#include "sets/dilatant_cone.hpp"
#include "sets/disk.hpp"
#include "sets/free_space.hpp"
#include "sets/orthant.hpp"
#include "sets/polyhedron.hpp"
#include "sets/rolling_cone.hpp"
#include "sets/second_order_cone.hpp"
#include "sets/set_block.hpp"
#include "sets/user_set.hpp"

namespace nonsmooth {

// visit(cone) with the cone's own type; false for what is no contact with friction, nor yields likewise.
template <class Visit>
bool visit_contact(const SetBlock& block, Visit&& visit) {
  switch (block.kind) {
    case SetKind::coulomb_2d: visit(CoulombCone2{{block.a}}); return true;
    case SetKind::coulomb_3d: visit(CoulombCone3{{block.a}}); return true;
    case SetKind::rolling_2d: visit(RollingCone2{{block.a, block.b}}); return true;
    case SetKind::rolling_3d: visit(RollingCone3{{block.a, block.b}}); return true;
    case SetKind::dilatant_3d: visit(DilatantCone{{{block.a}}, block.b}); return true;
    default: return false;
  }
}
// visit(set) with the set's own type; false for a polyhedron and for a set known by its projection,
// which have no small block form.
template <class Visit>
bool visit_set(const SetBlock& block, Visit&& visit) {
  switch (block.kind) {
    case SetKind::free_space: visit(FreeSpace{block.size}); return true;
    case SetKind::orthant: visit(Orthant{}); return true;
    case SetKind::box: visit(Box{block.a, block.b}); return true;
    case SetKind::second_order_cone: visit(SecondOrderCone{block.size, block.a}); return true;
    case SetKind::disk: visit(Disk<2>{block.a}); return true;
    case SetKind::coulomb_2d:
    case SetKind::coulomb_3d:
    case SetKind::rolling_2d:
    case SetKind::rolling_3d:
    case SetKind::dilatant_3d: return visit_contact(block, visit);
    case SetKind::polyhedron:
    case SetKind::user_set: break;
  }
  return false;
}

// The exact solver of one block over a set: prepare(set, W, proximal), then solve(q, z) with z in and out.
template <class Set>
struct BlockSolverOf {
  using Type = typename Set::BlockSolver;
};
template <>
struct BlockSolverOf<CoulombCone2> {
  using Type = CoulombBlockSolver2;
};
template <>
struct BlockSolverOf<CoulombCone3> {
  using Type = CoulombBlockSolver3;
};
template <>
struct BlockSolverOf<DilatantCone> {
  using Type = DilatantBlockSolver;
};
template <>
struct BlockSolverOf<Disk<2>> {
  using Type = DiskBlockSolver;
};
template <>
struct BlockSolverOf<RollingCone2> {
  using Type = RollingBlockSolver<1>;
};
template <>
struct BlockSolverOf<RollingCone3> {
  using Type = RollingBlockSolver<2>;
};

inline bool rolls(SetKind kind) { return kind == SetKind::rolling_2d || kind == SetKind::rolling_3d; }

inline bool has_friction(SetKind kind) { return kind == SetKind::coulomb_2d || kind == SetKind::coulomb_3d || rolls(kind); }
// Sticks or slides, by a coefficient or a bound of its own.
inline bool may_slide(SetKind kind) { return has_friction(kind) || kind == SetKind::disk; }
inline bool is_box_or_disk(SetKind kind) { return kind == SetKind::box || kind == SetKind::disk; }

// p = P_C(x) for the rows of one block; p may be x, but not for a set known by its projection. false if a polyhedron is empty or
// the callback fails.
bool project(const SetBlock& block, const double* x, double* p);
// The same for many blocks; x, p: of all rows.
bool project(std::span<const SetBlock> blocks, const double* x, double* p);
// The same, but for contacts with friction their law (ContactCone::obey), which is no projection.
bool obey(const SetBlock& block, const double* x, double* z);
// The variable that lies in the dual cone: w itself, or De Saxce's u~ for friction. In place.
void add_normal_shift(const SetBlock& block, double* w);
void add_normal_shift(std::span<const SetBlock> blocks, double* w);
// Whether C is a cone, so that the (shifted) w lies in its dual.
inline bool has_dual_cone(SetKind kind) {
  return !is_box_or_disk(kind) && kind != SetKind::polyhedron && kind != SetKind::user_set;
}
// Distances of z to C and of the shifted w to the dual cone (0 where there is none). workspace: twice the block's size.
double distance_to_set(const SetBlock& block, const double* z, double* workspace);
double distance_to_dual(const SetBlock& block, const double* w, double* workspace);

}  // namespace nonsmooth
