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
constexpr int idle_rounds = 2;              // so many in a row without fewer wrong signs end the exchanges
constexpr double status_tolerance = 1e-13;  // of the largest |z| or |w|

}  // namespace

void IdentifiedSet::resize(int n) {
  place_.assign(at(n), between);
  last_ = place_;
  between_.reserve(at(n));
  for (Vector* v : {&w_, &step_, &added_}) v->resize(at(n));
}

void IdentifiedSet::forget() {
  std::fill(place_.begin(), place_.end(), between);
  last_ = place_;
}

bool IdentifiedSet::identify(const LinearSystem& system, std::span<const double> z, std::span<const double> w) {
  std::swap(place_, last_);
  for (int i = 0; i < system.n(); ++i) {
    const double x = z[at(i)] - w[at(i)];
    place_[at(i)] = x <= system.lo(i) ? at_low : x >= system.hi(i) ? at_high : between;
  }
  return place_ == last_;
}

// Equations w = 0 of the unknowns between their bounds, refined until that does not help.
bool IdentifiedSet::solve_between(const LinearSystem& system, BlockFactor& factor, std::span<double> z) {
  between_.clear();
  for (int i = 0; i < system.n(); ++i) {
    if (place_[at(i)] == between)
      between_.push_back(i);
    else
      z[at(i)] = place_[at(i)] == at_low ? system.lo(i) : system.hi(i);
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

// The number of places changed.
int IdentifiedSet::exchange(const LinearSystem& system, std::span<const double> z) {
  const double small_z = status_tolerance * norm_inf(z), small_w = status_tolerance * norm_inf(w_);
  int changes = 0;
  for (int i = 0; i < system.n(); ++i) {
    Place& place = place_[at(i)];
    const Place before = place;
    if (place == between) {
      if (z[at(i)] < system.lo(i) - small_z) place = at_low;
      if (z[at(i)] > system.hi(i) + small_z) place = at_high;
    } else if (system.lo(i) < system.hi(i) && (place == at_low ? w_[at(i)] < -small_w : w_[at(i)] > small_w)) {
      place = between;
    }
    changes += place != before ? 1 : 0;
  }
  return changes;
}

bool IdentifiedSet::solve(const LinearSystem& system, BlockFactor& factor, std::span<double> z, int rounds) {
  int wrong = system.n(), idle = 0;
  for (int k = 0; k < rounds && wrong > 0 && idle < idle_rounds; ++k) {
    if (!solve_between(system, factor, z)) break;
    const int changes = exchange(system, z);
    idle = changes < wrong ? 0 : idle + 1;
    wrong = std::min(wrong, changes);
  }
  for (int i = 0; i < system.n(); ++i) z[at(i)] = std::min(std::max(z[at(i)], system.lo(i)), system.hi(i));
  return wrong == 0;
}

}  // namespace nonsmooth
