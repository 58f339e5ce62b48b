#include "io/hdf5_checksum.hpp"

#include <bit>

namespace nonsmooth::hdf5 {
namespace {

struct State {
  std::uint32_t a, b, c;

  // Twelve bytes, as three little-endian numbers; what is missing counts as zeros.
  void add(std::string_view bytes) {
    std::uint32_t* const words[] = {&a, &b, &c};
    for (std::size_t k = 0; k < bytes.size(); ++k)
      *words[k / 4] += std::uint32_t{static_cast<unsigned char>(bytes[k])} << 8 * (k % 4);
  }
  void mix() {
    const auto turn = [](std::uint32_t& x, std::uint32_t& y, std::uint32_t& z, int by) {
      x = (x - z) ^ std::rotl(z, by);
      z += y;
    };
    turn(a, b, c, 4);
    turn(b, c, a, 6);
    turn(c, a, b, 8);
    turn(a, b, c, 16);
    turn(b, c, a, 19);
    turn(c, a, b, 4);
  }
  void finish() {
    const auto turn = [](std::uint32_t& x, std::uint32_t y, int by) { x = (x ^ y) - std::rotl(y, by); };
    turn(c, b, 14);
    turn(a, c, 11);
    turn(b, a, 25);
    turn(c, b, 16);
    turn(a, c, 4);
    turn(b, a, 14);
    turn(c, b, 24);
  }
};

}  // namespace

std::uint32_t checksum(std::string_view bytes) {
  constexpr std::size_t block = 12;
  const std::uint32_t start = 0xdeadbeef + static_cast<std::uint32_t>(bytes.size());
  State state{start, start, start};
  if (bytes.empty()) return state.c;
  for (; bytes.size() > block; bytes.remove_prefix(block)) {
    state.add(bytes.substr(0, block));
    state.mix();
  }
  state.add(bytes);
  state.finish();
  return state.c;
}

}  // namespace nonsmooth::hdf5
