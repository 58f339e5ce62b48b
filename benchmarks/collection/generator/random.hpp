// Random numbers that are the same on every machine: the standard fixes mt19937_64, but not its distributions.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

namespace nonsmooth::collection {

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}

  // [0, 1), 53 bits.
  double uniform() { return static_cast<double>(engine_() >> 11) * 0x1p-53; }
  double uniform(double low, double high) { return low + (high - low) * uniform(); }
  // low .. high, both included.
  int integer(int low, int high) { return low + static_cast<int>(uniform() * (high - low + 1)); }

  // `size` numbers in (low, high).
  std::vector<double> uniforms(std::int64_t size, double low, double high) {
    return vector(static_cast<std::size_t>(size), low, high);
  }
  std::vector<double> vector(std::size_t size, double low, double high) {
    std::vector<double> v(size);
    for (double& x : v) x = uniform(low, high);
    return v;
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace nonsmooth::collection
