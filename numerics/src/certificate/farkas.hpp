// Proofs that no z meets the linear conditions every solution meets (Farkas 1902), in one form for all classes: of
//   A z - b = 0, >= 0 or anything, row by row, z in C,
// y is one if y'A z < y'b for all z in C, with y >= 0 at rows that are >= 0 and y = 0 at those that may be anything. The rows are
//   M z + q   of complementarity (>= 0), equalities (= 0) and contacts (normal velocities >= 0, the others anything), with C the
//             product of orthants, spaces and cones of the problem,
//   H z - k   of a polyhedron (>= 0) over its bounds,
//   G'v + b, H'v + w  of a global contact problem (= 0; contacts as above), v free: what no motion can meet.
#pragma once

#include <cstdint>
#include <span>

#include "problems/problem.hpp"

namespace nonsmooth {

// Of the excess of a proof, relative to the terms it is the sum of.
inline constexpr double proof_tolerance = 1e-9;

// Length of y, one entry per row; 0 where there is no such proof, or none is needed (a box is never empty). Boxes count beside
// contacts only.
std::size_t infeasibility_size(const Inclusion& view);
std::int64_t proof_size(const Problem& problem) noexcept;
std::int64_t required_proof_size(const Problem& problem);  // throws Error instead of 0

// y of infeasibility_size(); the excess must be above `tolerance` of its terms, and above what points can gain that violate their
// conditions by `violation`: up to that a certified solution may exist. workspace: proof_workspace().
std::size_t proof_workspace(const Inclusion& view);
bool proves_infeasible(const Inclusion& view, std::span<const double> y, double tolerance, double violation,
                       std::span<double> workspace);
// The same with what the class says of its conditions, and a workspace of its own.
bool proves_infeasible(const Problem& problem, std::span<const double> y, double tolerance);

// Entries that no proof has become 0: negative ones of rows that are >= 0, all of rows that may be anything.
void clip_proof(const Inclusion& view, std::span<double> y);

// A candidate that would be a proof if y'A had no rest above rounding where z is unbounded: y becomes the nearest one without
// that rest, entries relative to their size, those that are 0 kept. False if it is not nearly one. workspace:
// refinement_workspace().
std::size_t refinement_workspace(const Inclusion& view);
bool refine_proof(const Inclusion& view, std::span<double> y, std::span<double> workspace);

// y of a global problem from what the normals of its contacts, and its joints' multipliers, leave: (l, r) of proof_size(),
// refined if need be. False, if that proves nothing beyond points that violate their conditions by the relative `tolerance`.
// Allocates.
bool complete_global_proof(const GlobalContactData& data, std::span<double> y, double tolerance);

}  // namespace nonsmooth
