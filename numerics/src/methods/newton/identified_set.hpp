// The exact end of a solve that converges in the limit only: which unknowns are at which bound is read off the last iterate, and
// the linear equations of the rest are solved. Wrong signs are exchanged, a few times.
#pragma once

#include "methods/frame/row_sides.hpp"
#include "methods/newton/block_factor.hpp"

namespace nonsmooth {

class IdentifiedSet {
 public:
  void resize(int n);
  // At the start of a solve: nothing of the last one may show.
  void forget();
  // Reads sides off z and w = M z + q: at a bound where z is nearer to it than w is to 0 (in the metric of the natural map).
  // true if they are those of the last call.
  bool identify(const LinearSystem& system, std::span<const double> z, std::span<const double> w);
  // From z, with at most `rounds` factorisations, which `factor` holds; z receives the result, inside its bounds.
  void solve(const LinearSystem& system, BlockFactor& factor, std::span<double> z, int rounds);

 private:
  bool solve_between(const LinearSystem& system, BlockFactor& factor, std::span<double> z);

  std::vector<RowSide> side_, last_;
  std::vector<int> between_;
  Vector w_, step_, added_;
};

}  // namespace nonsmooth
