#include <zlib.h>

#include "io/hdf5_dataset.hpp"

namespace nonsmooth::hdf5 {
namespace {

constexpr std::size_t checksum_size = 4;

std::string inflate(std::string_view stored, std::size_t most, const std::string& path) {
  std::string result(most, '\0');
  uLongf size = most;
  if (uncompress(reinterpret_cast<Bytef*>(result.data()), &size, reinterpret_cast<const Bytef*>(stored.data()), stored.size()) !=
      Z_OK)
    fail(NSM_BAD_FILE, "%s: damaged compressed data", path.c_str());
  result.resize(size);
  return result;
}

// Byte k of all elements stood together; bytes beyond whole elements stay where they are.
template <std::size_t SIZE>
void unshuffle_elements(std::string_view stored, char* to) {
  const std::size_t count = stored.size() / SIZE;
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t k = 0; k < SIZE; ++k) *to++ = stored[k * count + i];
}

std::string unshuffle(std::string_view stored, std::size_t element) {
  std::string result(stored);
  const std::size_t count = stored.size() / element;
  if (element == 8)
    unshuffle_elements<8>(stored, result.data());
  else if (element == 4)
    unshuffle_elements<4>(stored, result.data());
  else
    for (std::size_t k = 0; k < element; ++k)
      for (std::size_t i = 0; i < count; ++i) result[i * element + k] = stored[k * count + i];
  return result;
}

// As HDF5 defines it: sums of big-endian 16-bit words, a last odd byte being a high one.
std::uint32_t fletcher32(std::string_view data) {
  std::uint64_t sum1 = 0, sum2 = 0;
  for (std::size_t k = 0; k < data.size(); k += 2) {
    const auto high = static_cast<unsigned char>(data[k]);
    const auto low = k + 1 < data.size() ? static_cast<unsigned char>(data[k + 1]) : 0;
    sum1 = (sum1 + (static_cast<std::uint64_t>(high) << 8 | static_cast<std::uint64_t>(low))) % 65535;
    sum2 = (sum2 + sum1) % 65535;
  }
  return static_cast<std::uint32_t>(sum2 << 16 | sum1);
}

std::string without_checksum(std::string_view stored, const std::string& path) {
  if (stored.size() < checksum_size) fail(NSM_BAD_FILE, "%s: a chunk of %zu bytes has no checksum", path.c_str(), stored.size());
  const std::string_view data = stored.substr(0, stored.size() - checksum_size);
  Cursor end(stored.substr(data.size()));
  if (end.u32() != fletcher32(data)) fail(NSM_BAD_FILE, "%s: checksum of a chunk does not match", path.c_str());
  return std::string(data);
}

}  // namespace

std::vector<Filter> read_filters(std::string_view message, const std::string& path) {
  Cursor cursor(message);
  const std::uint8_t version = cursor.u8(), count = cursor.u8();
  if (version != 1 && version != 2) fail(NSM_BAD_FILE, "%s: damaged list of filters", path.c_str());
  if (version == 1) cursor.skip(6);
  std::vector<Filter> filters;
  for (std::uint8_t k = 0; k < count; ++k) {
    const std::uint16_t id = cursor.u16();
    if (id < 1 || id > 3)
      fail(NSM_BAD_FILE, "%s: HDF5 filter %d; only deflate, shuffle and fletcher32 are read", path.c_str(), id);
    const std::uint16_t name_size = version == 1 ? cursor.u16() : std::uint16_t{0};
    cursor.skip(2);
    const std::uint16_t values = cursor.u16();
    cursor.skip((name_size + 7u) / 8 * 8);
    cursor.skip(4u * values + (version == 1 && values % 2 == 1 ? 4 : 0));
    filters.push_back({static_cast<Filter::Kind>(id)});
  }
  return filters;
}

std::string undo_filters(std::string_view stored, const std::vector<Filter>& filters, std::uint32_t mask, std::size_t size,
                         std::size_t element, const std::string& path) {
  std::string data(stored);
  for (std::size_t k = filters.size(); k-- > 0;) {
    if (mask >> k & 1u) continue;
    switch (filters[k].kind) {
      case Filter::Kind::deflate: data = inflate(data, size + checksum_size * filters.size(), path); break;
      case Filter::Kind::shuffle: data = unshuffle(data, element); break;
      case Filter::Kind::fletcher32: data = without_checksum(data, path); break;
    }
  }
  if (data.size() != size) fail(NSM_BAD_FILE, "%s: a chunk has %zu bytes, %zu expected", path.c_str(), data.size(), size);
  return data;
}

}  // namespace nonsmooth::hdf5
