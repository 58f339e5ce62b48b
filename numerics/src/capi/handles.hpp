// The opaque handles of the C API and the firewall every entry point stands behind.
#pragma once

#include <exception>
#include <new>
#include <span>
#include <stdexcept>

#include "core/error.hpp"
#include "methods/frame/options.hpp"
#include "methods/solver/solver.hpp"
#include "problems/problem.hpp"

struct nsm_problem {
  nonsmooth::Problem problem;
};

struct nsm_options {
  nonsmooth::Options options;
};

struct nsm_solver {
  nsm_solver(const nonsmooth::Problem& problem, const char* method, const nonsmooth::Options& options)
      : solver(problem, method, options) {}
  nonsmooth::Solver solver;
};

namespace nonsmooth {

// Runs the body of an entry point; whatever is thrown becomes a status and a thread-local message.
template <class Body>
nsm_status guarded(Body&& body) noexcept {
  try {
    body();
    return NSM_OK;
  } catch (const Error& error) {
    set_last_error(error.message().c_str(), error.number());
    return error.status();
  } catch (const std::bad_alloc&) {
    set_last_error("out of memory");
    return NSM_OUT_OF_MEMORY;
  } catch (const std::length_error&) {  // of a vector: no memory could hold it
    set_last_error("the problem is too large: an array of it exceeds what memory can address");
    return NSM_TOO_LARGE;
  } catch (const std::exception& error) {
    set_last_error(error.what());
    return NSM_INTERNAL;
  } catch (...) {
    set_last_error("unknown exception");
    return NSM_INTERNAL;
  }
}

template <class T>
T& required(T* pointer, const char* name) {
  if (pointer == nullptr) fail(NSM_INVALID_ARGUMENT, "%s is NULL", name);
  return *pointer;
}

// Of a table of so many rows.
inline std::size_t checked_row(std::int64_t index, std::size_t count) {
  if (index < 0 || static_cast<std::size_t>(index) >= count)
    fail(NSM_INVALID_ARGUMENT, "index %lld is outside 0 .. %zu", static_cast<long long>(index), count - 1);
  return static_cast<std::size_t>(index);
}

inline Vector copied(const double* values, std::int64_t size, const char* name) {
  if (size > 0) required(values, name);
  return Vector(values, values + size);
}

inline std::span<const double> viewed(const double* values, std::int64_t size, const char* name) {
  if (size < 0) fail(NSM_INVALID_DIMENSION, "size of %s is %lld", name, static_cast<long long>(size));
  if (size > 0) required(values, name);
  return {values, static_cast<std::size_t>(size)};
}

// The size a caller's struct says it has.
template <class T>
std::uint32_t required_room(T* target, const char* name) {
  const std::uint32_t room = required(target, name).struct_size;
  if (room < sizeof(std::uint32_t))
    fail(NSM_INVALID_ARGUMENT, "%s: struct_size is %u; set it to the size of the struct before the call", name, room);
  return room;
}

// Writes as much of a struct as the caller, perhaps compiled against an older header, has room for.
template <class T>
void write_struct(const T& value, T* target, const char* name) {
  const std::uint32_t room = required_room(target, name);
  const auto size = room < sizeof(T) ? room : static_cast<std::uint32_t>(sizeof(T));
  __builtin_memcpy(target, &value, size);
  target->struct_size = room;
}

}  // namespace nonsmooth
