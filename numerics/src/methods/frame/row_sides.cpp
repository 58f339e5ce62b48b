#include "methods/frame/row_sides.hpp"

#include <cmath>

#include "linalg/matrix.hpp"

namespace nonsmooth {
namespace {

constexpr double side_tolerance = 1e-13;  // of the largest |z| or |w|: below it a sign is rounding

}  // namespace

int exchange_sides(std::span<const double> z, std::span<const double> w, std::span<const double> lo, std::span<const double> hi,
                   std::span<const RowSide> sides, std::span<RowSide> next) {
  const double small_z = side_tolerance * norm_inf(z), small_w = side_tolerance * norm_inf(w);
  int exchanged = 0;
  for (std::size_t i = 0; i < z.size(); ++i) {
    const RowSide side = sides[i];
    RowSide other = side;
    if (side == RowSide::between) {
      if (std::isfinite(lo[i]) && !(z[i] >= lo[i] - small_z)) other = RowSide::low;
      if (std::isfinite(hi[i]) && !(z[i] <= hi[i] + small_z)) other = RowSide::high;
    } else if (lo[i] < hi[i]) {
      const double inward = side == RowSide::low ? w[i] : -w[i];
      if (!(inward >= -small_w)) other = RowSide::between;
    }
    exchanged += other != side;
    next[i] = other;
  }
  return exchanged;
}

}  // namespace nonsmooth
