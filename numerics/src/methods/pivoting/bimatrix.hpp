// Bimatrix games as LCP: M = [0 A; B' 0] with A, B >= 0 and q < 0, rows in any order. Every covering vector d > 0 ends on a ray
// at once there; the almost complementary paths of Lemke and Howson (1964) start elsewhere, one for each label k (Cottle, Pang
// and Stone 1992, 4.4).
#pragma once

#include <vector>

#include "core/index.hpp"
#include "methods/frame/equilibration.hpp"

namespace nonsmooth {

class BimatrixStart {
 public:
  void resize(int n) {
    side_.resize(at(n));
    queue_.reserve(at(n));
  }
  // Whether M has two zero diagonal blocks after a permutation, is non-negative otherwise, and q < 0.
  bool detect(const EquilibratedLcp& lcp);
  // Makes z_k basic, at the smallest value at which all rows of the other side hold (w_answer = 0), then z_answer likewise
  // (w_entering = 0): z_entering enters next. entering == k: that is a solution. false if a zero in M stands in the way.
  bool start(const EquilibratedLcp& lcp, int k, int& answer, int& entering) const;

 private:
  bool colour_from(const EquilibratedLcp& lcp, int first);
  bool best_response(const EquilibratedLcp& lcp, int column, int& row) const;
  std::vector<char> side_;  // 1 or 2
  std::vector<int> queue_;
};

}  // namespace nonsmooth
