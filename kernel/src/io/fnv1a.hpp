// A checksum of bytes.
#pragma once

#include <cstdint>
#include <string_view>

namespace nonsmooth::kernel {

// FNV-1a (Fowler, Noll, Vo): every change of a single byte changes it.
inline std::uint64_t fnv1a(std::string_view bytes) {
  std::uint64_t hash = 14695981039346656037u;
  for (const char byte : bytes) hash = (hash ^ static_cast<unsigned char>(byte)) * 1099511628211u;
  return hash;
}

}  // namespace nonsmooth::kernel
