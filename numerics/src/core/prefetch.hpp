// Data that will soon be read, fetched into the cache.
#pragma once

namespace nonsmooth {

// For functions that do nothing else: GCC takes those for functions without effects and drops their calls; it leaves alone what
// holds an asm statement, though an empty one.
inline void fetch_line(const void* address) {
  __builtin_prefetch(address);
  asm volatile("");
}

}  // namespace nonsmooth
