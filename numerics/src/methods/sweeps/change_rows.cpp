#include "methods/sweeps/change_rows.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "core/index.hpp"

namespace nonsmooth {
namespace {

constexpr std::int64_t read_interval = 64, first_read = 4;
// Binary digits of what is largest now, in W and in the reactions each: floats have 127, and as many for what is small.
constexpr int headroom = 30;

// Binary exponent of the largest number, 0 if there is none.
int exponent_of(std::span<const double> numbers) {
  double largest = 0;
  for (double x : numbers) largest = std::max(largest, std::abs(x));
  return largest > 0 && std::isfinite(largest) ? std::ilogb(largest) : 0;
}

}  // namespace

void ChangeRows::setup(const Inclusion& view, const SweepOrder& order) {
  set_places(view, order);
  velocity_.assign(groups_ * 3 * width, 1.0);  // open contacts where a group has none
  reference_.assign(groups_ * 3 * width, 0.0);
  change_.assign(groups_ * width * packed, 0.0F);
  product_.resize(at(view.size()));
  load(view);
}

void ChangeRows::load(const Inclusion& view) {
  view_ = &view;
  matrix_exponent_ = exponent_of(view.M->values());
  load_blocks(*view.M, std::ldexp(1.0, headroom - matrix_exponent_));
}

bool ChangeRows::reads_before(std::int64_t sweep) {
  return sweep % read_interval == 0 ||
         (first_read <= sweep && sweep < read_interval && std::has_single_bit(static_cast<std::uint64_t>(sweep)));
}

void ChangeRows::read(const double* z) {
  const std::size_t n = product_.size();
  const Vector& q = *view_->q;
  std::fill(product_.begin(), product_.end(), 0.0);
  if (!is_zero({z, n})) multiply_add(*view_, {z, n}, product_);
  for (std::size_t place = 0; place < row_.size(); ++place) {
    const double *W = diagonal(place), *own = z + row_[place];
    for (std::size_t i = 0; i < 3; ++i) {
      const std::size_t row = at(row_[place]) + i, k = number(group(place), 3, i, lane(place));
      velocity_[k] = q[row] + (product_[row] - (W[i] * own[0] + W[i + 3] * own[1] + W[i + 6] * own[2]));
      reference_[k] = own[i];
    }
  }
  std::fill(change_.begin(), change_.end(), 0.0F);
  const int exponent = std::max(exponent_of({z, n}), exponent_of(q) - matrix_exponent_);
  change_factor_ = std::ldexp(1.0, headroom - exponent);
  unit_ = std::ldexp(1.0, exponent + matrix_exponent_ - 2 * headroom);
}

}  // namespace nonsmooth
