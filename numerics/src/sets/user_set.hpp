// A closed convex set known by its projection alone, a callback of the caller.
#pragma once

#include <cmath>
#include <cstdint>

#include "nonsmooth/problem.h"

namespace nonsmooth {

struct UserSet {
  nsm_projection projection = nullptr;
  void* user = nullptr;

  // false if the callback says so or returns what is no number.
  bool project(std::int64_t n, const double* x, double* p) const {
    if (projection(user, n, x, p) != 0) return false;
    for (std::int64_t i = 0; i < n; ++i)
      if (!std::isfinite(p[i])) return false;
    return true;
  }
};

}  // namespace nonsmooth
