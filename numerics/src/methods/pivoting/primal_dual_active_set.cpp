#include "methods/pivoting/primal_dual_active_set.hpp"

#include <algorithm>
#include <cmath>

#include "certificate/natural_map.hpp"
#include "core/index.hpp"

namespace nonsmooth {
namespace {

constexpr int most_rescues = 3, rescue_sweeps = 20;
constexpr int most_idle = 400;                 // single exchanges in a row that gain nothing
constexpr double sign_of_z = 1e-13;            // of the largest |z|: below it a sign is rounding
constexpr double sign_of_w = rounding_factor;  // of (|M| |z| + |q|)_i: the floor of the certificate

}  // namespace

void PrimalDualActiveSet::setup(const CscMatrix& A, const Vector& q, const RowBounds& bounds,
                                std::unique_ptr<PrincipalFactor> factor) {
  A_ = &A;
  q_ = &q;
  bounds_ = &bounds;
  factor_ = std::move(factor);
  const std::size_t n = at(A.cols);
  for (Vector* v : {&z_, &w_, &floor_, &step_, &best_, &diagonal_}) v->resize(n);
  side_.resize(n);
  free_.resize(n);
  wrong_.reserve(n);
}

void PrimalDualActiveSet::reset_progress() {
  fewest_.begin(std::ssize(z_) + 1);
  rescues_ = 0;
  best_violation_ = HUGE_VAL;
}

void PrimalDualActiveSet::start(std::span<const double> z, int sweeps) {
  reset_progress();
  place(z, sweeps);
}

void PrimalDualActiveSet::place(std::span<const double> z, int sweeps) {
  std::fill(diagonal_.begin(), diagonal_.end(), 0.0);
  for (std::size_t j = 0; j < z_.size(); ++j)
    for (std::int32_t k = A_->col_start[j]; k < A_->col_start[j + 1]; ++k)
      if (at(A_->row_index[at(k)]) == j) diagonal_[j] = A_->values[at(k)];
  for (std::size_t i = 0; i < z_.size(); ++i) z_[i] = bounds_->clip(i, z[i]);
  evaluate();
  for (int k = 0; k < sweeps; ++k) sweep();
  choose_sides();
}

void PrimalDualActiveSet::start(std::span<const char> free) {
  reset_progress();
  for (std::size_t i = 0; i < side_.size(); ++i) side_[i] = free[i] ? RowSide::between : RowSide::low;
}

// Projected Gauss-Seidel by columns: w follows z.
void PrimalDualActiveSet::sweep() {
  for (std::size_t j = 0; j < z_.size(); ++j) {
    if (!(diagonal_[j] > 0)) continue;
    const double moved = bounds_->clip(j, z_[j] - w_[j] / diagonal_[j]), change = moved - z_[j];
    if (change == 0) continue;
    z_[j] = moved;
    for (std::int32_t k = A_->col_start[j]; k < A_->col_start[j + 1]; ++k)
      w_[at(A_->row_index[at(k)])] += change * A_->values[at(k)];
  }
}

// By the projection of a Gauss-Seidel step.
void PrimalDualActiveSet::choose_sides() {
  for (std::size_t i = 0; i < z_.size(); ++i)
    side_[i] = side_of(z_[i] - w_[i] / (diagonal_[i] > 0 ? diagonal_[i] : 1.0), bounds_->lo[i], bounds_->hi[i]);
}

// w = A z + q and the size of its terms.
void PrimalDualActiveSet::evaluate() {
  std::copy(q_->begin(), q_->end(), w_.begin());
  for (std::size_t i = 0; i < w_.size(); ++i) floor_[i] = std::abs(w_[i]);
  for (std::size_t j = 0; j < z_.size(); ++j) {
    const double x = z_[j];
    if (x == 0) continue;
    for (std::int32_t k = A_->col_start[j]; k < A_->col_start[j + 1]; ++k) {
      const double product = A_->values[at(k)] * x;
      w_[at(A_->row_index[at(k)])] += product;
      floor_[at(A_->row_index[at(k)])] += std::abs(product);
    }
  }
}

// z at its bounds where the sides say so, M_FF z_F = -q_F - M_FA z_A on the free rows.
bool PrimalDualActiveSet::solve_sides() {
  bool moved = false;
  for (std::size_t i = 0; i < z_.size(); ++i) {
    free_[i] = side_[i] == RowSide::between ? 1 : 0;
    const double bound = side_[i] == RowSide::low ? bounds_->lo[i] : bounds_->hi[i];
    z_[i] = free_[i] ? 0.0 : bound;
    moved = moved || z_[i] != 0;
  }
  if (!factor_->factorise(free_)) return false;
  const Vector* terms = q_;
  if (moved) {
    evaluate();
    terms = &w_;
  }
  for (std::size_t i = 0; i < z_.size(); ++i) step_[i] = -(*terms)[i];
  factor_->solve(step_);
  for (std::size_t i = 0; i < z_.size(); ++i) z_[i] = free_[i] ? step_[i] : z_[i];
  evaluate();
  return true;
}

void PrimalDualActiveSet::refine() {
  for (std::size_t i = 0; i < z_.size(); ++i) step_[i] = -w_[i];
  factor_->solve(step_);
  for (std::size_t i = 0; i < z_.size(); ++i)
    if (free_[i]) z_[i] += step_[i];
  evaluate();
}

// wrong_ and violation_. NaN counts as wrong.
void PrimalDualActiveSet::scan() {
  double largest = 0, sum = 0;
  for (double x : z_) largest = std::max(largest, std::abs(x));
  wrong_.clear();
  for (std::size_t i = 0; i < z_.size(); ++i) {
    const double lo = bounds_->lo[i], hi = bounds_->hi[i];
    if (lo == hi) continue;
    // Which side a row is on is not predictable: no branches.
    const bool free = side_[i] == RowSide::between;
    const double outside = std::max(lo - z_[i], z_[i] - hi), pulling = static_cast<int>(side_[i]) * w_[i];
    const double excess = free ? outside : pulling, allowed = free ? sign_of_z * largest : sign_of_w * floor_[i];
    const double positive = excess <= 0 ? 0.0 : excess;
    sum += positive * positive;
    if (!(excess <= allowed)) wrong_.push_back(static_cast<std::int32_t>(i));
  }
  violation_ = std::sqrt(sum);
  if (violation_ < best_violation_) {
    best_violation_ = violation_;
    for (std::size_t i = 0; i < z_.size(); ++i) best_[i] = bounds_->clip(i, z_[i]);
  }
}

// All wrong signs at once while that reduces their number; then sides from projected sweeps; then only the sign of largest index
// (Murty 1974), which ends on P-matrices. false if none of it helps.
bool PrimalDualActiveSet::exchange() {
  const std::int64_t fruitless = fewest_.since(std::ssize(wrong_));
  const bool all = fruitless <= FewestWrong::patience;
  if (!all && rescues_ < most_rescues) {
    ++rescues_;
    fewest_.forgive();
    place(best_, rescue_sweeps);
    return true;
  }
  if (fruitless > FewestWrong::patience + most_idle) return false;
  for (std::size_t k = all ? 0 : wrong_.size() - 1; k < wrong_.size(); ++k) {
    const std::size_t i = at(wrong_[k]);
    const RowSide bound = z_[i] > bounds_->hi[i] ? RowSide::high : RowSide::low;
    side_[i] = side_[i] == RowSide::between ? bound : RowSide::between;
  }
  return true;
}

PrimalDualActiveSet::Step PrimalDualActiveSet::step() {
  if (!solve_sides()) return Step::stuck;
  scan();
  if (wrong_.empty()) return Step::solved;
  return exchange() ? Step::exchanged : Step::stuck;
}

void PrimalDualActiveSet::best(std::span<double> z) const {
  if (best_violation_ < HUGE_VAL) std::copy(best_.begin(), best_.end(), z.begin());
}

}  // namespace nonsmooth
