// A run against an older one: what is no longer solved, and what has become slower.
#pragma once

#include "report.hpp"
#include "solve.hpp"

namespace nonsmooth::bench {

struct RegressionSettings {
  double time_ratio = 1.5;      // of one solve, each time in units of the calibration kernel measured beside it
  double least_seconds = 0.01;  // solves that took less before are too short to be judged one by one
  double mean_ratio = 1.1;      // of all solves of a method: the lower end of the interval of the geometric mean
};

struct Regressions {
  std::size_t count = 0, compared = 0;
  std::size_t gone = 0;  // solves of the older run that this one has not
  Section section;
};

Regressions find_regressions(const std::vector<Solve>& now, const std::vector<Solve>& before, const RegressionSettings& settings);

}  // namespace nonsmooth::bench
