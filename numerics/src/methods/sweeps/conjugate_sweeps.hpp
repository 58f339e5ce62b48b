// Sweeps as the steepest descent of a nonlinear conjugate gradient method (Silcowitz, Niebe and Erleben 2010): a sweep's change
// is the negative gradient, Fletcher and Reeves' weight the share of the last direction that is added to it.
#pragma once

#include <span>

#include "linalg/matrix.hpp"

namespace nonsmooth {

class ConjugateSweeps {
 public:
  void resize(std::size_t size) {
    before_.resize(size);
    direction_.resize(size);
  }
  void begin() { last_ = 0; }
  // Before and after a sweep. The second returns whether z has been moved (out of C perhaps).
  void remember(std::span<const double> z) { before_.assign(z.begin(), z.end()); }
  bool extrapolate(std::span<double> z) {
    double squared = 0;
    for (std::size_t i = 0; i < z.size(); ++i) squared += (z[i] - before_[i]) * (z[i] - before_[i]);
    const double weight = last_ > 0 ? squared / last_ : 2;
    last_ = squared;
    const bool restarts = !(weight <= 1);  // the changes grow: the direction is no longer one of descent
    for (std::size_t i = 0; i < z.size(); ++i) {
      const double change = z[i] - before_[i];
      if (!restarts) z[i] += weight * direction_[i];
      direction_[i] = restarts ? change : weight * direction_[i] + change;
    }
    return !restarts;
  }

 private:
  Vector before_, direction_;
  double last_ = 0;  // |change|^2 of the last sweep
};

}  // namespace nonsmooth
