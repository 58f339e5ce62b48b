// Over-relaxation of sweeps, block by block: where the changes of a block keep their direction it creeps towards its end and is
// pushed further every sweep, up to nearly twice as far (where relaxed sweeps of a symmetric problem stop converging); where they
// turn, the push is taken back. Chains and heaps creep; what slides or rocks turns. A limit for all blocks follows the residual
// (docs/decisions/0031).
#pragma once

#include <algorithm>
#include <cmath>

#include "linalg/matrix.hpp"
#include "sets/creep.hpp"

namespace nonsmooth {

class OverRelaxation {
 public:
  void resize(std::size_t blocks, std::size_t size) {
    factor_.resize(blocks);
    change_.resize(size);
  }
  void begin() {
    std::fill(factor_.begin(), factor_.end(), 1.0);
    std::fill(change_.begin(), change_.end(), 0.0);
    limit_ = largest_factor;
    least_ = last_least_ = HUGE_VAL;
    checks_ = 0;
  }
  // What the change of a block from `old` to z is to be multiplied with; start: where its last change is kept.
  double factor(std::size_t block, std::size_t start, std::size_t size, const double* old, const double* z) {
    Creep<double> creep;
    double* last = change_.data() + start;
    for (std::size_t i = 0; i < size; ++i) {
      const double change = z[i] - old[i];
      creep.add(change, last[i]);
      last[i] = change;
    }
    return factor_[block] = creep.factor(factor_[block], limit_);
  }
  // Of a group of eight contacts.
  LaneCreep lanes(std::size_t group) {
    return {factor_.data() + group * lane_count, change_.data() + group * 3 * lane_count, limit_};
  }
  // After the residual has been evaluated: where the least of a window of checks is above that of the last one, less is allowed.
  void observe(double residual) {
    least_ = std::min(least_, residual);
    if (++checks_ % window != 0) return;
    limit_ = least_ <= last_least_ ? std::min(largest_factor, 1 + limit_growth * (limit_ - 1))
                                   : std::max(least_limit, 1 + limit_shrinkage * (limit_ - 1));
    last_least_ = least_;
    least_ = HUGE_VAL;
  }

 private:
  static constexpr double largest_factor = 1.95, least_limit = 1.02, limit_growth = 1.5, limit_shrinkage = 0.7;
  static constexpr int window = 10;
  Vector factor_, change_;
  double limit_ = largest_factor, least_ = HUGE_VAL, last_least_ = HUGE_VAL;
  int checks_ = 0;
};

}  // namespace nonsmooth
