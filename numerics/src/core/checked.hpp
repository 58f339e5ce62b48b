// Integer arithmetic that fails instead of wrapping. Files and callers may state any size.
#pragma once

#include <cstdint>

#include "core/error.hpp"
#include "core/index.hpp"

namespace nonsmooth {

inline std::int64_t checked_add(std::int64_t a, std::int64_t b, const char* what) {
  std::int64_t result = 0;
  if (__builtin_add_overflow(a, b, &result)) fail(NSM_TOO_LARGE, "%s: %lld + %lld overflows", what, (long long)a, (long long)b);
  return result;
}

inline std::int64_t checked_mul(std::int64_t a, std::int64_t b, const char* what) {
  std::int64_t result = 0;
  if (__builtin_mul_overflow(a, b, &result)) fail(NSM_TOO_LARGE, "%s: %lld * %lld overflows", what, (long long)a, (long long)b);
  return result;
}

// A count that must fit the 32-bit indices of the sparse storages.
inline std::int32_t checked_index(std::int64_t value, const char* what) {
  if (value < 0 || value > largest_index)
    fail(value < 0 ? NSM_INVALID_DIMENSION : NSM_TOO_LARGE, "%s: %lld is outside 0 .. 2^31 - 1", what, (long long)value);
  return static_cast<std::int32_t>(value);
}

// For methods that keep or factorise what is dense; `method` says which and what.
inline void refuse_beyond(std::int64_t limit, std::int64_t order, const char* method) {
  if (order > limit) fail(NSM_TOO_LARGE, "%s: %lld unknowns exceed its limit %lld", method, (long long)order, (long long)limit);
}

}  // namespace nonsmooth
