// Monotonic time in seconds.
#pragma once

#include <chrono>

namespace nonsmooth {

inline double seconds_now() noexcept {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace nonsmooth
