// The collected problems, which are not part of the project.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "sanitized.hpp"

namespace collected {

// Bytes: larger files are only read under the sanitizers, not written again, which takes minutes there; they are of the same
// kinds.
inline constexpr std::size_t largest_written = support::is_sanitized ? 500'000 : SIZE_MAX;

// NONSMOOTH_COLLECTION; null if it is not set, or empty.
inline const char* folder() {
  const char* name = std::getenv("NONSMOOTH_COLLECTION");
  return name != nullptr && *name != '\0' ? name : nullptr;
}

}  // namespace collected
