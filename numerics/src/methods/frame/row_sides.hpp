// Rows bounded one by one, w = M z + q: each at a bound, or between them with w = 0. From the point of all sides those whose sign
// is wrong are exchanged at once (Kostreva 1978), as long as that leads to fewer wrong signs.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

namespace nonsmooth {

enum class RowSide : signed char { low = -1, between = 0, high = 1 };

constexpr RowSide side_of(double x, double lo, double hi) {
  return x <= lo ? RowSide::low : x >= hi ? RowSide::high : RowSide::between;
}

// next: `sides` with all wrong signs of their point exchanged; may be the same. Returns how many are wrong; NaN is.
int exchange_sides(std::span<const double> z, std::span<const double> w, std::span<const double> lo, std::span<const double> hi,
                   std::span<const RowSide> sides, std::span<RowSide> next);

// Of wrong signs, from one exchange to the next.
class FewestWrong {
 public:
  // Exchanges of all of them in a row without fewer, before single ones (Judice and Pires 1994).
  static constexpr std::int64_t patience = 10;

  // most: no number below it has been met.
  void begin(std::int64_t most) {
    fewest_ = most;
    since_ = 0;
  }
  // Exchanges in a row that have not led to fewer than ever before; 0: this one has.
  std::int64_t since(std::int64_t wrong) {
    since_ = wrong < fewest_ ? 0 : since_ + 1;
    fewest_ = std::min(fewest_, wrong);
    return since_;
  }
  // The next ones get as many tries as if this one had.
  void forgive() { since_ = 0; }
  std::int64_t fewest() const { return fewest_; }

 private:
  std::int64_t fewest_ = 0, since_ = 0;
};

}  // namespace nonsmooth
