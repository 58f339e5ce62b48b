#include "methods/newton/identified_set.hpp"

#include <algorithm>
#include <cmath>

#include "core/index.hpp"

namespace nonsmooth {
namespace {

// On the diagonal, relative to the largest entry: semidefinite blocks have many solutions, and refinement from z leads to one
// near z (a proximal point iteration, Rockafellar 1976).
constexpr double identified_proximal = 1e-11;
constexpr int identified_refinements = 6;
constexpr int idle_rounds = 2;  // so many in a row without fewer wrong signs end the exchanges

}  // namespace

void IdentifiedSet::resize(int n) {
  side_.assign(at(n), RowSide::between);
  last_ = side_;
  between_.reserve(at(n));
  for (Vector* v : {&w_, &step_, &added_}) v->resize(at(n));
}

void IdentifiedSet::forget() {
  std::fill(side_.begin(), side_.end(), RowSide::between);
  last_ = side_;
}

bool IdentifiedSet::identify(const LinearSystem& system, std::span<const double> z, std::span<const double> w) {
  std::swap(side_, last_);
  for (std::size_t i = 0; i < side_.size(); ++i) side_[i] = side_of(z[i] - w[i], system.lo()[i], system.hi()[i]);
  return side_ == last_;
}

// Equations w = 0 of the unknowns between their bounds, refined until that does not help.
bool IdentifiedSet::solve_between(const LinearSystem& system, BlockFactor& factor, std::span<double> z) {
  between_.clear();
  for (int i = 0; i < system.n(); ++i) {
    if (side_[at(i)] == RowSide::between)
      between_.push_back(i);
    else
      z[at(i)] = (side_[at(i)] == RowSide::low ? system.lo() : system.hi())[at(i)];
  }
  std::fill_n(added_.begin(), between_.size(), identified_proximal * std::max(system.largest_entry(), 1e-300));
  if (!factor.factorise(system, between_, added_)) return false;
  system.evaluate(z, w_);
  double last = HUGE_VAL;
  for (int k = 0; k < identified_refinements && !between_.empty(); ++k) {
    for (std::size_t c = 0; c < between_.size(); ++c) step_[c] = -w_[at(between_[c])];
    const double size = norm_inf(std::span(step_).first(between_.size()));
    if (!(size < 0.5 * last)) break;
    last = size;
    factor.solve(step_.data());
    for (std::size_t c = 0; c < between_.size(); ++c) z[at(between_[c])] += step_[c];
    system.evaluate(z, w_);
  }
  return true;
}

void IdentifiedSet::solve(const LinearSystem& system, BlockFactor& factor, std::span<double> z, int rounds) {
  FewestWrong wrong;
  wrong.begin(system.n());
  for (int k = 0; k < rounds && wrong.fewest() > 0; ++k) {
    if (!solve_between(system, factor, z)) break;
    if (wrong.since(exchange_sides(z, w_, system.lo(), system.hi(), side_, side_)) >= idle_rounds) break;
  }
  for (std::size_t i = 0; i < z.size(); ++i) z[i] = std::min(std::max(z[i], system.lo()[i]), system.hi()[i]);
}

}  // namespace nonsmooth
