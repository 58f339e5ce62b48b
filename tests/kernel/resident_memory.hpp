// How much memory a process holds, for tests that it stays so.
#pragma once

#include <unistd.h>

#include <fstream>

namespace nonsmooth::kernel::test {

// Bytes of the process that are in memory.
inline long residentBytes() {
  std::ifstream file("/proc/self/statm");
  long pages = 0, resident = 0;
  file >> pages >> resident;
  return resident * sysconf(_SC_PAGESIZE);
}

// Bytes: what the allocator may keep back here and there; the sanitizer keeps what is freed.
#if defined(__SANITIZE_ADDRESS__)
constexpr long slack = 1'000'000'000;
#else
constexpr long slack = 1'000'000;
#endif

}  // namespace nonsmooth::kernel::test
