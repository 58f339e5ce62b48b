// Room for work: doubles that are not set to zero, and several arrays from one allocation.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <memory>
#include <new>
#include <span>
#include <type_traits>
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
  void construct(U* place) noexcept(std::is_nothrow_default_constructible_v<U>) {
    ::new (static_cast<void*>(place)) U;
  }
  template <class U, class... Arguments>
  void construct(U* place, Arguments&&... arguments) {
    ::new (static_cast<void*>(place)) U(std::forward<Arguments>(arguments)...);
  }
};

// The pages of a large one are first touched when they are needed, if they ever are.
using Workspace = std::vector<double, UninitialisedAllocator<double>>;

// Room for numbers of single or double precision, as many of either. They are not set to zero.
class Room {
 public:
  void resize(std::size_t size) { bytes_.resize(size * sizeof(double)); }
  std::size_t size() const { return bytes_.size() / sizeof(double); }
  template <class Real>
  Real* as() {
    return reinterpret_cast<Real*>(bytes_.data());
  }
  template <class Real>
  const Real* as() const {
    return reinterpret_cast<const Real*>(bytes_.data());
  }

 private:
  std::vector<std::byte, UninitialisedAllocator<std::byte>> bytes_;
};

struct Share {
  std::span<double>& part;
  std::size_t size;
};

// Parts of `room`, one behind the other: of a problem with three unknowns, solved in a microsecond, allocations are most of the
// setup. Room that is moved takes its parts along.
inline void divide(Workspace& room, std::initializer_list<Share> shares) {
  std::size_t size = 0;
  for (const Share& share : shares) size += share.size;
  room.resize(size);
  double* next = room.data();
  for (const Share& share : shares) {
    share.part = {next, share.size};
    next += share.size;
  }
}

}  // namespace nonsmooth
