// malloc and its relatives of the executable that includes this, which is one source: they tell `note_allocation`, which the
// source defines, and forward to those of the C library. `new` and Eigen end there too.
#pragma once

#include <cerrno>
#include <cstdlib>

#if defined(__SANITIZE_ADDRESS__)
#define NONSMOOTH_COUNTS_ALLOCATIONS 0  // the sanitizer interposes malloc itself
#else
#define NONSMOOTH_COUNTS_ALLOCATIONS 1
#endif

namespace support {

void note_allocation(const void* caller);

}  // namespace support

#if NONSMOOTH_COUNTS_ALLOCATIONS
extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);

void* malloc(std::size_t n) {
  support::note_allocation(__builtin_return_address(0));
  return __libc_malloc(n);
}
void* calloc(std::size_t n, std::size_t size) {
  support::note_allocation(__builtin_return_address(0));
  return __libc_calloc(n, size);
}
void* realloc(void* p, std::size_t n) {
  support::note_allocation(__builtin_return_address(0));
  return __libc_realloc(p, n);
}
void* memalign(std::size_t alignment, std::size_t n) {
  support::note_allocation(__builtin_return_address(0));
  return __libc_memalign(alignment, n);
}
void* aligned_alloc(std::size_t alignment, std::size_t n) {
  support::note_allocation(__builtin_return_address(0));
  return __libc_memalign(alignment, n);
}
int posix_memalign(void** p, std::size_t alignment, std::size_t n) {
  support::note_allocation(__builtin_return_address(0));
  *p = __libc_memalign(alignment, n);
  return *p == nullptr ? ENOMEM : 0;
}
}
#endif
