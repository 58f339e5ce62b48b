// Affine inclusions over products of intervals: orthants, boxes and free rows, seen as lo <= z <= hi.
#pragma once

#include <span>

#include "problems/inclusion.hpp"

namespace nonsmooth {

bool has_bounds_only(const Inclusion& view);
bool has_bounds_only(std::span<const SetBlock> blocks);  // whatever gives w
// -HUGE_VAL and HUGE_VAL where there is no bound. Of a polyhedron the bounds alone; cones count as free.
void read_bounds(std::span<const SetBlock> blocks, std::span<double> lo, std::span<double> hi);

// Other programs write infinite bounds as numbers of that size: to methods they are infinite.
constexpr double far_bound = 1e20;
void forget_far_bounds(std::span<SetBlock> blocks);

}  // namespace nonsmooth
