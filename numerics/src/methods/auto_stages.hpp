// What `auto` tries, and in which order.
#pragma once

#include <cstdint>
#include <vector>

#include "methods/options.hpp"
#include "methods/sweep_budget.hpp"
#include "problems/inclusion.hpp"

namespace nonsmooth {

constexpr std::int64_t unlimited = 0;
// Up to it the whole tree of bases is searched within its budget: what has no solution may still be solved within a loose
// tolerance.
constexpr std::int64_t largest_searched_order = 16;

struct Stage {
  const char* method;
  std::int64_t budget;  // iterations
  Extent extent = Extent::fixed;
  std::int64_t farthest = 0;
  const char* option = nullptr;  // of the method, and its value unless the caller has another
  double value = 0;
  bool needs_monotone = false;  // left out where M + M' cannot be definite
  // Exchanges of many rows at once, from the signs of what was swept before all stages: pivots need more steps from there than
  // from the start. Left out where M is mostly skew: they go round in circles there.
  bool takes_signs = false;
  bool afresh = false;  // from the start of the solve, not from the best iterate
  bool rests = false;   // the normals alone (normals_first.hpp), where nothing is driven sideways; no method of the table
};

// Some sets are those of contacts with friction; all are.
bool has_contacts(const Inclusion& view);
bool has_contacts_only(const Inclusion& view);
// In the order in which they are tried. Reads M. Allocates.
std::vector<Stage> stages_of(const Inclusion& view, const Options& options);

}  // namespace nonsmooth
