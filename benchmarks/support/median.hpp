// The median of measurements.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

namespace nonsmooth {

// NaN of none, and where one is NaN.
inline double median(std::vector<double> values) {
  if (values.empty() || std::any_of(values.begin(), values.end(), [](double x) { return std::isnan(x); })) return NAN;
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : 0.5 * (values[half - 1] + values[half]);
}

}  // namespace nonsmooth
