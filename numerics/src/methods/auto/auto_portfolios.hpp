// The stages of `auto` for problems of a kind, and what more than one kind asks.
#pragma once

#include "methods/auto/auto_stages.hpp"

namespace nonsmooth {

constexpr std::int64_t largest_dense_order = 4000;   // a dense tableau beyond it: more than 128 MB and seconds
constexpr std::int64_t largest_pivoted_first = 300;  // Lemke's pivots cost what a dozen or two factorisations do
constexpr std::int64_t newton_steps = 500;           // to the end
constexpr std::int64_t near_steps = 60;              // Newton's, where they have solved by then most of what they solve
constexpr std::int64_t interior_iterations = 60;     // with contacts and cones
constexpr std::int64_t friction_sweeps = 20000;      // where nothing but sweeps is left, or gets to a loose tolerance
constexpr std::int64_t first_sweeps = 20;            // most problems that they solve soon show it by then
constexpr std::int64_t first_alternations = 200;     // likewise

// Whether M has a skew part: accelerated projections follow a gradient, which M z + q then is not.
bool has_skew_part(const Inclusion& view);
// Where M is symmetric an interior point method takes one Cholesky factorisation per step, and few of them.
bool suits_central_path(const Inclusion& view);
// Where cycles of exact one-block solves keep a problem from converging.
Stage damped_sweeps();

// Where paths and steps from one start have ended beside a solution, as of general M or with large friction. `order`: rows of the
// Newton matrix.
constexpr std::int64_t largest_redrawn = 128;
Stage drawn_starts(const char* method, std::int64_t order, std::int64_t steps = near_steps);

// Before them, rows or cones alone: relaxed reflections, as many as cost two seconds or so. `order`: with multipliers.
constexpr std::int64_t largest_reflected = 500;
Stage reflections(std::int64_t order);

// Orthants, boxes and free rows alone; polyhedra alone (auto_bounded.cpp).
StageList bounded_stages(const Inclusion& view);
StageList polyhedron_stages(const Inclusion& view);
// Second-order cones alone (auto_cones.cpp).
StageList cone_stages(const Inclusion& view);
// Contacts with friction beside anything else (auto_contacts.cpp).
StageList contact_stages(const Inclusion& view, const Options& options);

}  // namespace nonsmooth
