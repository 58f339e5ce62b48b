// The free rows of an LCP with a tridiagonal Z-matrix in one pass from left to right (Chandrasekaran 1970; Cottle and Sacher
// 1977): the least element of the leading problem only grows as rows are added, so that a row once freed stays free, and each of
// the O(n) merges of two runs of free rows costs O(1), for a run is known by what its two ends do (its condensed matrix).
#pragma once

#include <span>

#include "linalg/tridiagonal_factor.hpp"

namespace nonsmooth {

class TridiagonalRuns {
 public:
  void resize(std::size_t n) { runs_.resize(n / 2 + 2); }
  // No entry off the diagonal is positive.
  static bool applies(const Tridiagonal& T);
  // free[i] = 1 where z_i > 0 in the least element of {z >= 0, T z + q >= 0}. false if a pivot is not positive: T is no M-matrix
  // on the rows needed, and there may be no such point. Allocates nothing.
  bool find(const Tridiagonal& T, std::span<const double> q, std::span<char> free);

 private:
  // Free rows first .. last between the values left and right of them:
  //   z_first = head + head_left left + head_right right,   z_last = tail + tail_left left + tail_right right.
  struct Run {
    std::size_t first, last;
    double head, head_left, head_right, tail, tail_left, tail_right;
  };
  bool push(const Tridiagonal& T, std::span<const double> q, std::size_t row);
  bool join();
  double tail_before(std::size_t row, std::size_t run) const;

  std::vector<Run> runs_;
  std::size_t count_ = 0;
};

}  // namespace nonsmooth
