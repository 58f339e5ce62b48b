// Indices are signed where they are stored and computed with; containers take std::size_t.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

namespace nonsmooth {

constexpr std::int64_t largest_index = std::numeric_limits<std::int32_t>::max();  // of the sparse storages

constexpr std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

}  // namespace nonsmooth
