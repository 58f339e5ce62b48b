// Natural map of an inclusion: |z - P_C(z - w)| block by block, w = M z + q or F(z) recomputed, shifted after De Saxce for
// friction.
#pragma once

#include <cfloat>
#include <span>

#include "linalg/workspace.hpp"
#include "problems/inclusion.hpp"

namespace nonsmooth {

// Of the sum of the sizes of its terms: what a sum may be off by rounding.
inline constexpr double rounding_factor = 64 * DBL_EPSILON;

// A rounding floor (relative) above both supports no verdict: z is so large that its digits say nothing about w. false for NaN.
inline constexpr double largest_meaningful_floor = 1e-6;
inline bool is_meaningful(double floor, double tolerance) {
  return floor <= (tolerance > largest_meaningful_floor ? tolerance : largest_meaningful_floor);
}

struct NaturalMapResult {
  double norm = 0;             // |z - P_C(z - w)|_2, absolute
  double scale = 1;            // what a residual is relative to
  double floor = 0;            // rounding floor of it, absolute
  double above_floor = 0;      // the part of norm in blocks that are above their own floor
  double infeasibility = 0;    // distance of z to C and of w to the dual cone
  double complementarity = 0;  // sum |z.w| over blocks
  double z_norm = 0, w_norm = 0;
  std::int64_t worst_block = -1;
  double worst_block_norm = 0;
};

// Holds the workspace: evaluating allocates nothing (but for blocks that are polyhedra). Not thread-safe.
class NaturalMap {
 public:
  NaturalMap() = default;
  // The view must outlive this object and keep its sizes; values may change.
  explicit NaturalMap(const Inclusion& view);
  NaturalMap(NaturalMap&&) = default;
  NaturalMap& operator=(NaturalMap&&) = default;

  // |z - P_C(z - w)|_2 / scale alone: what methods ask for while they run. NaN where F cannot be evaluated.
  double residual(std::span<const double> z);
  // The same with a w already known.
  double residual(std::span<const double> z, std::span<const double> w);
  // The rounding floor of that, relative, where w = M z + q with a matrix at hand.
  double floor(std::span<const double> z);
  // Whether the certificate calls z a solution to working precision: a floor above the tolerance and, relative to `whole`, too,
  // and no more than the tolerance left of the residual in blocks above their own.
  bool is_within_rounding(std::span<const double> z, double tolerance, double whole);
  // Everything. w_out receives w (unshifted).
  NaturalMapResult evaluate(std::span<const double> z, std::span<double> w_out);

 private:
  // What the residual at z is relative to: that of the view, with callbacks no more than the terms of F at z.
  double scale(std::span<const double> z, std::span<const double> w);
  void raise_to_changes(std::span<const double> z, std::span<const double> w, std::uint64_t seed);
  void bound_terms(std::span<const double> z, std::span<const double> w);
  void bound_linear_terms(std::span<const double> z);

  const Inclusion* view_ = nullptr;
  Workspace room_;  // of the others
  std::span<double> w_, workspace_, absolute_;
  std::span<double> parts_;            // of a sum over the blocks
  std::span<double> trial_, trial_w_;  // with callbacks
};

// Residuals for blocks whose w is already known; shared by local and global problems. bound[i] = (|M||z| + |q|)_i, the size of
// the terms w_i is the sum of.
NaturalMapResult natural_map(std::span<const SetBlock> blocks, const double* z, const double* w, const double* bound,
                             std::span<double> workspace);
// Doubles natural_map needs for these blocks.
std::size_t natural_map_workspace(std::span<const SetBlock> blocks);

}  // namespace nonsmooth
