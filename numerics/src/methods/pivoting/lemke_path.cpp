#include "methods/pivoting/lemke_path.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/index.hpp"

namespace nonsmooth {
namespace {

constexpr double pivot_tolerance = 1e-11;  // relative to the largest entry of the column
constexpr double tie_tolerance = 1e-13;    // relative to the size of x
constexpr double lexicographic_tolerance = 1e-11;
constexpr int drift_interval = 200;  // a look costs as much as several pivots

// Random bits for each key (the finaliser of splitmix64, Steele, Lea and Flood 2014). The states of a set that its members come
// to and leave are told apart by the sums modulo 2 of those of its members (Zobrist 1970).
std::uint64_t bits_of(int key) {
  std::uint64_t x = 0x9e3779b97f4a7c15u * (static_cast<std::uint64_t>(key) + 1);
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

}  // namespace

void LemkePath::resize(int n) {
  column_.resize(at(n));
  entries_.resize(at(n));
  tied_.reserve(at(n));
}

// The smallest t from which on all basic variables keep their intervals, up to the perturbation; its row is the first to leave.
bool LemkePath::enter_from_cover(const double* cover) {
  const double *x = basis_.x(), *s = basis_.s();
  int row = -1;
  double largest = 0, largest_s = 0;
  for (int i = 0; i < basis_.rows(); ++i) {
    const double d = cover[i];
    if (d == 0) continue;
    const double t = ((d > 0 ? basis_.low()[i] : basis_.high()[i]) - x[i]) / d, t_s = -s[i] / d;
    if (t > largest || (row >= 0 && t == largest && t_s > largest_s)) {
      largest = t;
      largest_s = t_s;
      row = i;
    }
  }
  if (row < 0) return false;
  std::copy_n(cover, basis_.rows(), column_.begin());
  entering_ = basis_.t();
  missing_ = -1;
  sign_ = 1;
  const bool at_high = cover[row] < 0;
  const int leaving = basis_.variable_at(row);
  move({row, false, largest, largest_s});
  continue_after(leaving, at_high);
  return true;
}

void LemkePath::enter(int entering, int missing) {
  entering_ = entering;
  missing_ = missing;
  sign_ = 1;
}

// Largest entry of the column and largest basic value. Four chains of maxima: one would wait for itself.
LemkePath::Sizes LemkePath::sizes() const {
  const int rows = basis_.rows();
  const double *x = basis_.x(), *c = column_.data();
  std::array<double, 4> entry{}, value{};
  int i = 0;
  for (; i + 4 <= rows; i += 4)
    for (int k = 0; k < 4; ++k) {
      const double e = std::abs(c[i + k]), v = std::abs(x[i + k]);
      entry[at(k)] = entry[at(k)] < e ? e : entry[at(k)];
      value[at(k)] = value[at(k)] < v ? v : value[at(k)];
    }
  for (; i < rows; ++i) {
    entry[0] = std::max(entry[0], std::abs(c[i]));
    value[0] = std::max(value[0], std::abs(x[i]));
  }
  return {*std::max_element(entry.begin(), entry.end()), *std::max_element(value.begin(), value.end())};
}

LemkePath::Step LemkePath::ratio_test() {
  const int rows = basis_.rows();
  const double *x = basis_.x(), *low = basis_.low(), *high = basis_.high(), *c = column_.data();
  const auto [largest, x_size] = sizes();
  const double threshold = pivot_tolerance * largest;
  double smallest = HUGE_VAL;
  const double* const ends[2] = {high, low};  // an index instead of a branch: signs of rates are random
  for (int i = 0; i < rows; ++i) {
    const double rate = sign_ * c[i], size = std::abs(rate), room = std::abs(ends[rate < 0 ? 1 : 0][i] - x[i]);
    entries_[at(i)] = room;
    // The division is left out where the ratio cannot be smaller.
    if (size > threshold && room < smallest * size) smallest = room / size;
  }
  const double range = range_of_entering();
  smallest = std::min(smallest, range);
  if (std::isinf(smallest)) return {};
  collect_ties(smallest, threshold, x_size);
  if (tied_.empty()) return {-1, true, range, 0};
  const int row = tied_.size() == 1 ? tied_.front() : break_ties();
  const double rate = sign_ * c[row], end = rate < 0 ? low[row] : high[row], length_s = -basis_.s()[row] / rate;
  const double room = std::abs(end - x[row]), size = std::abs(rate);
  // Bounds are not perturbed: of a tie with a flip, up to rounding too, the row comes first whose perturbed step is the shorter
  // one.
  const bool flips = std::isfinite(range) && range * size - room <= tie_tolerance * std::max(x_size, range * size);
  if (flips && length_s >= 0 && !ends_path(basis_.variable_at(row))) return {-1, true, range, 0};
  return {row, false, room / size, length_s};
}

// From one bound to the other.
double LemkePath::range_of_entering() const {
  if (!basis_.is_z(entering_)) return HUGE_VAL;
  const int i = entering_ - basis_.n();
  return basis_.hi(i) - basis_.lo(i);
}

// entries_ holds how far each basic variable is from the end it moves to. Tied: the excess over the smallest ratio is rounding of
// x. t, or the z that ends the path, goes before all others, and before a flip from bound to bound.
void LemkePath::collect_ties(double smallest, double threshold, double x_size) {
  tied_.clear();
  for (int i = 0; i < basis_.rows(); ++i) {
    const double size = std::abs(column_[at(i)]);
    const double excess = entries_[at(i)] - smallest * size;
    if (size <= threshold || excess > tie_tolerance * std::max(x_size, smallest * size)) continue;
    if (ends_path(basis_.variable_at(i))) {
      tied_.assign(1, i);
      return;
    }
    tied_.push_back(i);
  }
}

// Of the tied rows the lexicographically smallest of [s, B^-1], divided by its rate. Column j of B^-1 is that of w_j, all rows at
// once.
int LemkePath::break_ties() {
  std::copy_n(basis_.s(), basis_.rows(), entries_.begin());
  keep_smallest(entries_);
  for (int j = 0; j < basis_.n() && tied_.size() > 1; ++j) {
    if (!basis_.is_kept(j)) continue;
    if (basis_.is_basic(j)) {
      std::fill(entries_.begin(), entries_.end(), 0.0);
      entries_[at(basis_.place_of(j))] = 1;
    } else {
      basis_.column(j, entries_.data());
      for (double& entry : entries_) entry = -entry;
    }
    keep_smallest(entries_);
  }
  return tied_.front();
}

void LemkePath::keep_smallest(const std::vector<double>& entries) {
  auto ratio = [&](int row) { return -entries[at(row)] / (sign_ * column_[at(row)]); };
  double smallest = HUGE_VAL;
  for (int row : tied_) smallest = std::min(smallest, ratio(row));
  std::erase_if(tied_, [&](int row) { return ratio(row) - smallest > lexicographic_tolerance * (1 + std::abs(smallest)); });
}

void LemkePath::move(const Step& step) {
  double *x = basis_.x(), *s = basis_.s();
  const double *low = basis_.low(), *high = basis_.high();
  const double by = sign_ * step.length, by_s = sign_ * step.length_s;
  for (int i = 0; i < basis_.rows(); ++i) {
    const double value = x[i] + by * column_[at(i)];
    x[i] = std::min(std::max(value, low[i]), high[i]);
    s[i] += by_s * column_[at(i)];
  }
  if (step.flip) return;
  const double start = basis_.is_z(entering_) ? basis_.bound(entering_ - basis_.n()) : 0.0;
  x[step.row] = start + by;
  s[step.row] = by_s;
  state_ ^= bits_of(entering_) ^ bits_of(basis_.variable_at(step.row));
  basis_.exchange(step.row, entering_, column_.data());
}

// The complement of what has left comes in.
void LemkePath::continue_after(int leaving, bool at_high) {
  entering_ = basis_.complement(leaving);
  const int index = basis_.is_z(leaving) ? leaving - basis_.n() : leaving;
  if (basis_.is_z(leaving)) {
    if (basis_.at_upper(index) != at_high) state_ ^= bits_of(basis_.t() + 1 + index);
    basis_.set_at_upper(index, at_high);
  }
  sign_ = basis_.at_upper(index) ? -1 : 1;
}

// After a step. Marks states ever farther apart, so that one of a closed path is marked and comes again (Brent 1980).
bool LemkePath::is_where_it_was() {
  const std::uint64_t state = state_ ^ bits_of(~entering_);
  if (state == marked_state_) return true;
  if (++steps_ == next_mark_) {
    marked_state_ = state;
    next_mark_ *= 2;
  }
  return false;
}

bool LemkePath::refresh() {
  if (basis_.age() < interval_ && !basis_.is_worn() &&
      !(basis_.age() > 0 && basis_.age() % drift_interval == 0 && basis_.has_drifted()))
    return true;
  return rebuild();
}

// What rounding has moved out of its interval goes back to the bound.
bool LemkePath::rebuild() {
  if (!basis_.rebuild()) return false;
  for (int i = 0; i < basis_.rows(); ++i) basis_.x()[i] = std::min(std::max(basis_.x()[i], basis_.low()[i]), basis_.high()[i]);
  return true;
}

Stop LemkePath::follow(std::int64_t& pivots, std::int64_t limit, Control& control) {
  state_ = 0;
  marked_state_ = bits_of(~entering_);
  steps_ = 0;
  next_mark_ = 1;
  for (const std::int64_t last = pivots + limit; pivots < last;) {
    if (const Stop stop = control.check_limits(pivots); stop != Stop::none) return stop;
    if (!refresh()) return Stop::breakdown;
    basis_.column(entering_, column_.data());
    const Step step = ratio_test();
    if (step.row < 0 && !step.flip) {
      if (basis_.age() == 0) return Stop::ray;
      // A ray met with an old tableau may be drift: look again with a fresh one.
      if (!rebuild()) return Stop::breakdown;
      continue;
    }
    ++pivots;
    if (step.flip) {
      move(step);
      const int flipped = entering_;
      continue_after(flipped, sign_ > 0);
      if (is_where_it_was()) return Stop::stalled;
      continue;
    }
    const int leaving = basis_.variable_at(step.row);
    const bool at_high = sign_ * column_[at(step.row)] > 0;
    move(step);
    if (leaving == basis_.t()) return Stop::finished;
    if (leaving == missing_) {
      // The other half of the pair is what t stands for.
      basis_.set_at_upper(missing_ - basis_.n(), at_high);
      basis_.set_basic(basis_.t(), false);
      basis_.set_basic(missing_ - basis_.n(), true);
      return Stop::finished;
    }
    continue_after(leaving, at_high);
    if (is_where_it_was()) return Stop::stalled;
  }
  return Stop::none;
}

void LemkePath::write_ray(std::vector<double>& ray) const {
  std::fill(ray.begin(), ray.end(), 0.0);
  auto add = [&](int variable, double value) {
    if (basis_.is_z(variable)) ray[at(variable - basis_.n())] = value;
  };
  add(entering_, sign_);
  for (int i = 0; i < basis_.rows(); ++i) add(basis_.variable_at(i), sign_ * column_[at(i)]);
}

}  // namespace nonsmooth
