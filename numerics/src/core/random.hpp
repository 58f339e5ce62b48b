// Numbers that look random, the same on every machine and in every solve: a linear congruential generator with the constants of
// Knuth's MMIX, whose low bits are left out.
#pragma once

#include <cstdint>

namespace nonsmooth {

class Random {
 public:
  static constexpr std::uint64_t default_seed = 0x9e3779b97f4a7c15u;  // 2^64 over the golden ratio

  explicit Random(std::uint64_t seed = default_seed) : state_(seed) {}
  // [0, 1), 53 bits.
  double uniform() {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<double>(state_ >> 11) * 0x1p-53;
  }

 private:
  std::uint64_t state_;
};

}  // namespace nonsmooth
