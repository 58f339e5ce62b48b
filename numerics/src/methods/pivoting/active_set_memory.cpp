#include "methods/pivoting/active_set_memory.hpp"

#include <algorithm>

#include "core/index.hpp"
#include "linalg/small_lu.hpp"
#include "linalg/symmetry.hpp"
#include "methods/sweeps/column_sweeps.hpp"
#include "problems/bounds.hpp"

namespace nonsmooth {
namespace {

constexpr std::size_t largest_storage = 32768;  // doubles of all factors: setup is not to cost more than a solve
constexpr int largest_exchanged = 64;           // beyond it new sets are left to methods that factorise with LAPACK,
constexpr int largest_skew = 32;                // and beyond that where exchanges of many rows at once go round in circles
constexpr int largest_followed = 64;            // definite problems of more unknowns take fewer exchanges than pivots
constexpr int most_exchanges = 10;              // P-matrices take 2 to 6; anything slower is left to pivoting,
constexpr int fruitless_exchanges = 2;          // and so is what has so many exchanges without fewer wrong indices than before,
constexpr double promising = 0.5;  // or, from so many rows on that a set costs something, more than this share wrong in the first
constexpr int fewest_judged = 16;

// Of LCPs; without a positive diagonal, as those of friction, none is definite.
bool is_followed(const Inclusion& view) {
  if (!all_of_kind(view, {SetKind::orthant})) return false;
  return view.size() <= largest_followed || !has_positive_diagonal(*view.M);
}

}  // namespace

bool ActiveSetMemory::treats(const Inclusion& view) {
  if (!has_bounds_only(view)) return false;  // asked first: W of bodies is formed when M is read
  const bool dense = view.F == nullptr && view.M->dense() != nullptr;
  return view.size() <= (dense ? largest_order : largest_exchanged);
}

void ActiveSetMemory::setup(const Inclusion& view) {
  view_ = &view;
  n_ = static_cast<int>(view.size());
  const std::size_t n = at(n_), block = n * n, own = view.M->dense() == nullptr ? block : 0;
  capacity_ = std::clamp<std::size_t>(largest_storage / std::max<std::size_t>(1, block), 2, entries_.size());
  divide(room_, {{lo_, n}, {hi_, n}, {x_, n}, {z_, n}, {w_, n}, {dense_, own}, {factors_, capacity_ * (block + n)}});
  sides_.resize((capacity_ + 1) * n);
  next_ = std::span(sides_).last(n);
  indices_.resize(capacity_ * 2 * n);
  for (std::size_t k = 0; k < capacity_; ++k) {
    Entry& entry = entries_[k];
    entry = {};
    entry.side = std::span(sides_).subspan(k * n, n);
    entry.basic = std::span(indices_).subspan(2 * k * n, n);
    entry.pivot = std::span(indices_).subspan((2 * k + 1) * n, n);
    entry.factor = factors_.subspan(k * (block + n), block);
    entry.constant = factors_.subspan(k * (block + n) + block, n);
    order_[k] = &entry;
  }
  known_ = 0;
  has_path_ = is_followed(view);
  if (has_path_) path_.resize(n_);
  forget_factors();
}

void ActiveSetMemory::forget_factors() {
  read_bounds(view_->blocks, lo_, hi_);
  if (const DenseMatrix* M = view_->M->dense()) {
    values_ = M->values.data();
  } else {
    std::fill(dense_.begin(), dense_.end(), 0.0);
    for_each_entry(*view_->M, [&](std::int64_t i, std::int64_t j, double value) { dense_[at(i) + at(j) * at(n_)] = value; });
    values_ = dense_.data();
  }
  for (Entry& entry : entries_) entry.factored = false;
}

// The block of the basic variables, and what the bounds of the others contribute to its right-hand side.
bool ActiveSetMemory::factorise(Entry& entry) {
  const int k = entry.count;
  for (int c = 0; c < k; ++c)
    for (int r = 0; r < k; ++r) entry.factor[at(r) + at(c) * at(k)] = element(entry.basic[at(r)], entry.basic[at(c)]);
  std::fill(entry.constant.begin(), entry.constant.end(), 0.0);
  for (int j = 0; j < n_; ++j) {
    const double bound = value_at_bound(entry, j);
    if (bound == 0) continue;
    for (int r = 0; r < k; ++r) entry.constant[at(r)] += element(entry.basic[at(r)], j) * bound;
  }
  entry.factored = true;
  entry.regular = factorise_small(entry.factor.data(), entry.pivot.data(), k);
  return entry.regular;
}

double ActiveSetMemory::value_at_bound(const Entry& entry, int j) const {
  switch (entry.side[at(j)]) {
    case RowSide::low: return lo_[at(j)];
    case RowSide::between: return 0;
    case RowSide::high: return hi_[at(j)];
  }
  return 0;
}

// z_ and w_ of the active set, wherever they lie.
void ActiveSetMemory::evaluate(const Entry& entry) {
  const Vector& q = *view_->q;
  for (int r = 0; r < entry.count; ++r) x_[at(r)] = -q[at(entry.basic[at(r)])] - entry.constant[at(r)];
  solve_small(entry.factor.data(), entry.pivot.data(), entry.count, x_.data());
  for (int j = 0; j < n_; ++j) z_[at(j)] = value_at_bound(entry, j);
  for (int r = 0; r < entry.count; ++r) z_[at(entry.basic[at(r)])] = x_[at(r)];
  std::copy(q.begin(), q.end(), w_.begin());
  for (int j = 0; j < n_; ++j) {
    const double x = z_[at(j)];
    const double* column = values_ + at(j) * at(n_);
    if (x == 0) continue;
    for (int i = 0; i < n_; ++i) w_[at(i)] += column[i] * x;
  }
}

// The solution of one active set before the certificate, if it has the right signs. Stop::none if not: so many are wrong, and
// next_ has them exchanged.
Stop ActiveSetMemory::attempt(const Entry& entry, std::span<double> z, Control& control, int& wrong) {
  ++steps_;
  evaluate(entry);
  wrong = exchange_sides(z_, w_, lo_, hi_, entry.side, next_);
  if (wrong > 0) return Stop::none;
  for (std::size_t i = 0; i < z.size(); ++i) z[i] = std::clamp(z_[i], lo_[i], hi_[i]);
  const Stop stop = control.check(steps_, z);
  return stop == Stop::none ? Stop::stalled : stop;
}

// The entry of active set next_: known, or in the place of the one unused for longest.
std::size_t ActiveSetMemory::find_or_add() {
  for (std::size_t place = 0; place < known_; ++place)
    if (std::equal(next_.begin(), next_.end(), order_[place]->side.begin())) return place;
  known_ = std::min(known_ + 1, capacity_);
  Entry& entry = *order_[known_ - 1];
  entry.count = 0;
  entry.factored = entry.tried = false;
  for (std::size_t i = 0; i < next_.size(); ++i) {
    entry.side[i] = next_[i];
    if (next_[i] == RowSide::between) entry.basic[at(entry.count++)] = static_cast<int>(i);
  }
  return known_ - 1;
}

void ActiveSetMemory::move_to_front(std::size_t place) {
  const auto end = order_.begin() + static_cast<std::ptrdiff_t>(place) + 1;
  std::rotate(order_.begin(), end - 1, end);
}

void ActiveSetMemory::read_active_set(std::span<const double> z) {
  for (std::size_t i = 0; i < z.size(); ++i) next_[i] = side_of(z[i], lo_[i], hi_[i]);
}

// Exchanges from the active set next_. Stop::stalled: they lead nowhere.
Stop ActiveSetMemory::follow_exchanges(std::span<double> z, Control& control) {
  FewestWrong fewest;
  fewest.begin(n_ + 1);
  for (int step = 1; step <= most_exchanges; ++step) {
    const std::size_t place = find_or_add();
    Entry& entry = *order_[place];
    if (entry.tried) break;  // a cycle
    entry.tried = true;
    if (!entry.factored) factorise(entry);
    if (!entry.regular) break;
    int wrong = 0;
    Stop stop = attempt(entry, z, control, wrong);
    const std::int64_t fruitless = fewest.since(wrong);
    if (stop == Stop::finished) move_to_front(place);
    if (stop == Stop::stalled) break;
    if (stop == Stop::none) stop = control.check_limits(steps_);
    if (stop != Stop::none) return stop;
    if (fruitless >= fruitless_exchanges || (step == 1 && n_ >= fewest_judged && wrong > promising * n_)) break;
  }
  return Stop::stalled;
}

Stop ActiveSetMemory::solve(std::span<double> z, Control& control) {
  for (Entry& entry : entries_) entry.tried = false;
  steps_ = 0;
  const bool cold = is_zero(z);
  if (cold) {
    const auto project = [&](std::size_t i, double x) { return std::clamp(x, lo_[i], hi_[i]); };
    if (const Stop stop = sweep_first(values_, *view_, z, w_, control, project); stop != Stop::none) return stop;
  }
  read_active_set(z);
  const bool blind = cold && n_ > largest_skew && is_mostly_skew({values_, at(n_) * at(n_)}, n_);
  if (n_ <= largest_exchanged && !blind)
    if (const Stop stop = follow_exchanges(z, control); stop != Stop::stalled) return stop;
  if (const Stop stop = try_known(z, control); stop != Stop::stalled) return stop;
  return has_path_ ? follow_path(z, control) : Stop::stalled;
}

// The sets that this solve has not met yet.
Stop ActiveSetMemory::try_known(std::span<double> z, Control& control) {
  for (std::size_t place = 0; place < known_; ++place) {
    Entry& entry = *order_[place];
    if (entry.tried) continue;
    if (!entry.factored) factorise(entry);
    if (!entry.regular) continue;
    int wrong = 0;
    const Stop stop = attempt(entry, z, control, wrong);
    if (stop == Stop::finished) move_to_front(place);
    if (stop != Stop::none && stop != Stop::stalled) return stop;
  }
  return Stop::stalled;
}

Stop ActiveSetMemory::follow_path(std::span<double> z, Control& control) {
  if (!path_.follow(values_, *view_->q, z, steps_)) return Stop::stalled;
  const Stop stop = control.check(steps_, z);
  if (stop == Stop::finished) learn(z);
  return stop == Stop::none ? Stop::stalled : stop;
}

void ActiveSetMemory::learn(std::span<const double> z) {
  read_active_set(z);
  move_to_front(find_or_add());
}

}  // namespace nonsmooth
