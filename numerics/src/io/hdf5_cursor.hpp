// Reads little-endian fields of an HDF5 file one after the other. Every step is checked against the end of the bytes.
#pragma once

#include <cstdint>
#include <string_view>

#include "core/error.hpp"

namespace nonsmooth::hdf5 {

inline constexpr std::uint64_t no_address = ~std::uint64_t{0};

class Cursor {
 public:
  explicit Cursor(std::string_view bytes) : bytes_(bytes) {}

  std::size_t left() const { return bytes_.size(); }
  std::string_view take(std::uint64_t size) {
    if (size > bytes_.size()) fail(NSM_BAD_FILE, "damaged HDF5 data: a structure ends too early");
    const std::string_view part = bytes_.substr(0, static_cast<std::size_t>(size));
    bytes_.remove_prefix(static_cast<std::size_t>(size));
    return part;
  }
  void skip(std::uint64_t size) { take(size); }
  // Unsigned integer of `size` <= 8 bytes.
  std::uint64_t number(std::size_t size) {
    std::uint64_t value = 0;
    const std::string_view part = take(size);
    for (std::size_t k = size; k-- > 0;) value = value << 8 | static_cast<unsigned char>(part[k]);
    return value;
  }
  std::uint8_t u8() { return static_cast<std::uint8_t>(number(1)); }
  std::uint16_t u16() { return static_cast<std::uint16_t>(number(2)); }
  std::uint32_t u32() { return static_cast<std::uint32_t>(number(4)); }
  void expect(std::string_view signature) {
    if (take(signature.size()) != signature)
      fail(NSM_BAD_FILE, "damaged HDF5 data: no %.4s where one should be", signature.data());
  }

 private:
  std::string_view bytes_;
};

// The bytes of a file and the two sizes its fields depend on.
struct Source {
  std::string_view bytes;
  std::size_t offset_size = 8, length_size = 8;

  // From an address to the end of the file.
  Cursor at(std::uint64_t address) const {
    if (address > bytes.size())
      fail(NSM_BAD_FILE, "damaged HDF5 data: address %llu is outside the file", (unsigned long long)address);
    return Cursor(bytes.substr(static_cast<std::size_t>(address)));
  }
  // An address; no_address stands for "none" in every width.
  std::uint64_t address(Cursor& cursor) const {
    const std::uint64_t value = cursor.number(offset_size);
    const bool none = offset_size < 8 && value == (std::uint64_t{1} << 8 * offset_size) - 1;
    return none ? no_address : value;
  }
  std::uint64_t length(Cursor& cursor) const { return cursor.number(length_size); }
};

// Structures may point at each other in circles; what is walked through in one go must not exceed the file.
class Budget {
 public:
  explicit Budget(const Source& source) : left_(source.bytes.size()) {}
  void spend(std::size_t bytes) {
    if (bytes > left_) fail(NSM_BAD_FILE, "damaged HDF5 data: structures overlap or run in circles");
    left_ -= bytes;
  }

 private:
  std::size_t left_;
};

}  // namespace nonsmooth::hdf5
