// A vector of doubles whose resize leaves them as they are: setup reserves matrices by the dozen megabytes, and writing zeros to
// them all costs more than some solves.
#pragma once

#include <memory>
#include <new>
#include <utility>
#include <vector>

namespace nonsmooth {

template <class T>
struct UninitialisedAllocator : std::allocator<T> {
  template <class U>
  struct rebind {
    using other = UninitialisedAllocator<U>;
  };
  template <class U>
  void construct(U* place) noexcept {
    ::new (static_cast<void*>(place)) U;
  }
  template <class U, class... Arguments>
  void construct(U* place, Arguments&&... arguments) {
    ::new (static_cast<void*>(place)) U(std::forward<Arguments>(arguments)...);
  }
};

using Workspace = std::vector<double, UninitialisedAllocator<double>>;

}  // namespace nonsmooth
