// Whether a residual goes on falling, measured by what a method counts: iterations, or work.
#pragma once

#include <cmath>

namespace nonsmooth {

class Halving {
 public:
  // What has been counted since the best residual was last halved, or since the start.
  double since(double count, double best_residual) {
    if (best_residual < 0.5 * residual_) {
      residual_ = best_residual;
      count_ = count;
    }
    return count - count_;
  }

 private:
  double count_ = 0, residual_ = HUGE_VAL;
};

}  // namespace nonsmooth
