// What the fuzz targets share: a reader may refuse its input with an Error, and must not do anything else.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "core/error.hpp"
#include "io/io.hpp"

namespace nonsmooth::fuzz {

template <class Call>
void tolerate_errors(Call&& call) {
  try {
    call();
  } catch (const Error&) {
  }
}

// What a reader accepts, the writer of the same format must bring back unchanged.
inline void require_same(const std::string& first, const std::string& second) {
  if (first != second) std::abort();
}

inline std::string_view view(const std::uint8_t* data, std::size_t size) { return {reinterpret_cast<const char*>(data), size}; }

}  // namespace nonsmooth::fuzz
