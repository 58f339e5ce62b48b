// Proofs that no z meets the linear conditions every solution meets (Farkas 1902): A z >= b, lo <= z <= hi, which is
//   M z >= -q, z >= 0 of an LCP and H z >= k, lo <= z <= hi of an affine variational inequality on a polyhedron.
// y >= 0 and y'b > max {y'A z : lo <= z <= hi} is one; of an LCP that reads M'y <= 0, q'y < 0.
#pragma once

#include <cstdint>
#include <span>

#include "problems/problem.hpp"

namespace nonsmooth {

// Of the excess of a proof, relative to the terms it is the sum of.
inline constexpr double proof_tolerance = 1e-9;

// Number of rows of A; 0 where there is no such proof, or none is needed (a box is never empty).
std::size_t infeasibility_size(const Inclusion& view);
std::int64_t proof_size(const Problem& problem) noexcept;

// y of infeasibility_size(); the excess must be above `tolerance` of its terms, and above what points can gain that violate their
// conditions by `violation`: up to that a certified solution may exist. workspace: twice view.size().
bool proves_infeasible(const Inclusion& view, std::span<const double> y, double tolerance, double violation,
                       std::span<double> workspace);

// A candidate that would be a proof if y'A had no rest above rounding where z is unbounded: y becomes the nearest one without
// that rest, entries relative to their size, those that are 0 kept. False if it is not nearly one. workspace:
// refinement_workspace().
std::size_t refinement_workspace(const Inclusion& view);
bool refine_proof(const Inclusion& view, std::span<double> y, std::span<double> workspace);

}  // namespace nonsmooth
