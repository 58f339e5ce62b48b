#include "linalg/grid_hierarchy.hpp"

#include <algorithm>

#include "core/index.hpp"

namespace nonsmooth {
namespace {

constexpr std::int64_t coarsest_size = 40;
constexpr int coarsest_sweeps = 10;
constexpr double weak = 0.3;  // of the strongest direction: below it a direction is not coarsened yet

}  // namespace

template <class Real>
void GridTransfer<Real>::resize(const GridShape& fine, int direction) {
  fine_ = coarse_ = fine;
  direction_ = direction;
  fine_points_ = fine.points[at(direction)];
  coarse_points_ = coarse_.points[at(direction)] = fine_points_ / 2;
  left_out_ = fine_points_ - coarse_points_;
  inner_ = fine.stride(direction);
  outer_ = fine.size() / (inner_ * fine_points_);
  to_left_.resize(at(outer_ * left_out_ * inner_));
  to_right_.resize(to_left_.size());
}

// visit(k, begin, coarse, out): the layer of `inner_` points number k along the direction; where it begins among the fine points,
// the coarse ones and those left out (the last two count layers k / 2).
template <class Real>
template <class Visit>
void GridTransfer<Real>::for_each_line(Visit&& visit) const {
  for (std::int64_t o = 0; o < outer_; ++o)
    for (std::int64_t k = 0; k < fine_points_; ++k)
      visit(k, (o * fine_points_ + k) * inner_, (o * coarse_points_ + k / 2) * inner_, (o * left_out_ + k / 2) * inner_);
}

template <class Real>
void GridTransfer<Real>::coarsen(const GridOperator<Real>& fine, GridOperator<Real>& coarse) {
  write_along(fine, coarse);
  for (int d = 0; d < fine.shape.directions(); ++d)
    if (d != direction_) write_across(d, fine, coarse);
}

// A point left out takes the mean of its two neighbours on the line, weighted by conductances; what its ground takes goes to
// theirs. Ground does not enter the mean, for it may be a boundary across the direction, and data given there would be lost.
// Where only one neighbour is there, the other one is ground: a link of at most the same conductance.
template <class Real>
void GridTransfer<Real>::write_along(const GridOperator<Real>& fine, GridOperator<Real>& coarse) {
  const Real *c = fine.conductance[at(direction_)].data(), *g = fine.ground.data();
  Real *along = coarse.conductance[at(direction_)].data(), *ground = coarse.ground.data();
  std::fill(along, along + coarse.shape.size(), Real(0));
  inject(g, ground);
  for_each_line([&](std::int64_t k, std::int64_t begin, std::int64_t kept, std::int64_t out) {
    if (k % 2 != 0) return;
    for (std::int64_t i = 0; i < inner_; ++i) {
      const std::int64_t p = begin + i, behind = kept + i, before = behind - inner_;
      const Real left = c[p - inner_], right = c[p], sum = left + right;
      Real to_left = 0, to_right = 0;
      if (left > 0 && right > 0) {
        to_left = left / sum;
        to_right = right / sum;
        along[before] = left * to_right;
        ground[before] += to_left * g[p];
        ground[behind] += to_right * g[p];
      } else if (sum > 0) {
        const Real weight = sum / (sum + std::min(sum, g[p])), rest = 1 - weight;
        (left > 0 ? to_left : to_right) = weight;
        ground[left > 0 ? before : behind] += sum * rest * rest + g[p] * weight * weight;
      }
      to_left_[at(out + i)] = to_left;
      to_right_[at(out + i)] = to_right;
    }
  });
}

// Links across the direction, of points that stay and, by their weights, of points left out. Where the two ends of a link have
// different weights (one is fixed, say), the smaller one counts for the link and the rest goes to ground.
template <class Real>
void GridTransfer<Real>::write_across(int d, const GridOperator<Real>& fine, GridOperator<Real>& coarse) const {
  const Real* across = fine.conductance[at(d)].data();
  Real *link = coarse.conductance[at(d)].data(), *ground = coarse.ground.data();
  const std::int64_t coarse_step = coarse.shape.stride(d);
  const std::int64_t step = d > direction_ ? fine.shape.stride(d) / fine_points_ * left_out_ : fine.shape.stride(d);
  for_each_line([&](std::int64_t k, std::int64_t begin, std::int64_t kept, std::int64_t) {
    if (k % 2 != 0) std::copy(across + begin, across + begin + inner_, link + kept);
  });
  const auto hand = [&](Real conductance, const std::vector<Real>& weight, std::size_t place, std::int64_t target) {
    const Real here = weight[place], there = weight[place + at(step)], common = std::min(here, there);
    link[target] += conductance * common;
    if (here == there) return;
    ground[target] += conductance * (here - common);
    ground[target + coarse_step] += conductance * (there - common);
  };
  for_each_line([&](std::int64_t k, std::int64_t begin, std::int64_t kept, std::int64_t out) {
    if (k % 2 != 0) return;
    for (std::int64_t i = 0; i < inner_; ++i) {
      const Real conductance = across[begin + i];
      if (conductance == 0) continue;
      if (k > 0) hand(conductance, to_left_, at(out + i), kept + i - inner_);
      if (k + 1 < fine_points_) hand(conductance, to_right_, at(out + i), kept + i);
    }
  });
}

template <class Real>
void GridTransfer<Real>::inject(const Real* fine, Real* coarse) const {
  for_each_line([&](std::int64_t k, std::int64_t begin, std::int64_t kept, std::int64_t) {
    if (k % 2 != 0) std::copy(fine + begin, fine + begin + inner_, coarse + kept);
  });
}

template <class Real>
void GridTransfer<Real>::restrict_to(const Real* fine, Real* coarse) const {
  for_each_line([&](std::int64_t k, std::int64_t begin, std::int64_t kept, std::int64_t out) {
    if (k % 2 == 0) return;
    const Real *middle = fine + begin, *before = middle - inner_, *behind = middle + inner_;
    const Real *right = to_right_.data() + out, *left = to_left_.data() + out + inner_;
    Real* target = coarse + kept;
    if (k + 1 < fine_points_)
      for (std::int64_t i = 0; i < inner_; ++i) target[i] = middle[i] + right[i] * before[i] + left[i] * behind[i];
    else
      for (std::int64_t i = 0; i < inner_; ++i) target[i] = middle[i] + right[i] * before[i];
  });
}

template <class Real>
void GridTransfer<Real>::prolong_add(const Real* coarse, Real* fine) const {
  for_each_line([&](std::int64_t k, std::int64_t begin, std::int64_t kept, std::int64_t out) {
    Real* target = fine + begin;
    const Real* behind = coarse + kept;  // coarse layer k / 2: of an even k the one behind, of an odd one itself
    if (k % 2 != 0) {
      for (std::int64_t i = 0; i < inner_; ++i) target[i] += behind[i];
      return;
    }
    const Real *left = to_left_.data() + out, *right = to_right_.data() + out;
    if (k > 0)
      for (std::int64_t i = 0; i < inner_; ++i) target[i] += left[i] * behind[i - inner_];
    if (k + 1 < fine_points_)
      for (std::int64_t i = 0; i < inner_; ++i) target[i] += right[i] * behind[i];
  });
}

template <class Real>
void GridHierarchy<Real>::setup(GridShape shape, std::array<double, 3> strength) {
  for (;;) {
    Level& level = level_.emplace_back();
    level.A.resize(shape);
    for (GridArray<Real>* v : {&level.b, &level.x, &level.r}) v->resize(shape);
    double strongest = 0;
    for (std::size_t d = 0; d < 3; ++d)
      if (shape.points[d] > 2) strongest = std::max(strongest, strength[d]);
    if (shape.size() <= coarsest_size || strongest == 0) return;
    std::array<double, 3> coarse_strength = strength;
    for (int d = 0; d < 3; ++d) {
      if (shape.points[at(d)] <= 2 || strength[at(d)] < weak * strongest) continue;
      GridTransfer<Real>& transfer = level.transfers.emplace_back();
      transfer.resize(shape, d);
      shape = transfer.coarse_shape();
      coarse_strength[at(d)] /= 4;  // against the others: in series they halve, in parallel they double
      level.between.emplace_back().resize(shape);
      level.vectors_between.emplace_back(at(shape.size()));
    }
    level.between.pop_back();  // the last is the next level
    level.vectors_between.pop_back();
    strength = coarse_strength;
  }
}

template <class Real>
void GridHierarchy<Real>::build(int top) {
  for (int l = top; l < levels(); ++l) {
    Level& level = level_[at(l)];
    level.A.invert_diagonal();
    const GridOperator<Real>* fine = &level.A;
    for (std::size_t t = 0; t < level.transfers.size(); ++t) {
      GridOperator<Real>& coarse = t + 1 < level.transfers.size() ? level.between[t] : level_[at(l + 1)].A;
      level.transfers[t].coarsen(*fine, coarse);
      fine = &coarse;
    }
  }
}

template <class Real>
template <class Apply>
void GridHierarchy<Real>::down(int l, const Real* fine, Real* coarse, Apply&& apply) {
  Level& level = level_[at(l)];
  for (std::size_t t = 0; t < level.transfers.size(); ++t) {
    Real* target = t + 1 < level.transfers.size() ? level.vectors_between[t].data() : coarse;
    apply(level.transfers[t], fine, target);
    fine = target;
  }
}

template <class Real>
void GridHierarchy<Real>::inject(int l, const Real* fine, Real* coarse) {
  down(l, fine, coarse, [](const GridTransfer<Real>& t, const Real* from, Real* to) { t.inject(from, to); });
}

template <class Real>
void GridHierarchy<Real>::restrict_to(int l, const Real* fine, Real* coarse) {
  down(l, fine, coarse, [](const GridTransfer<Real>& t, const Real* from, Real* to) { t.restrict_to(from, to); });
}

template <class Real>
void GridHierarchy<Real>::prolong_add(int l, const Real* coarse, Real* fine) {
  Level& level = level_[at(l)];
  for (std::size_t t = level.transfers.size(); t-- > 0;) {
    Real* target = t > 0 ? level.vectors_between[t - 1].data() : fine;
    if (t > 0) std::fill(level.vectors_between[t - 1].begin(), level.vectors_between[t - 1].end(), Real(0));
    level.transfers[t].prolong_add(coarse, target);
    coarse = target;
  }
}

template <class Real>
void GridHierarchy<Real>::smooth(Level& level, bool red_first) {
  Real* x = level.x.data();
  red_black_sweep(level.A, level.b.data(), x, red_first, [x](std::int64_t p, Real target) { x[p] = target; });
}

template <class Real>
void GridHierarchy<Real>::cycle(int top) {
  const int last = levels() - 1;
  for (int l = top; l <= last; ++l) {
    Level& level = level_[at(l)];
    std::fill(level.x.data(), level.x.data() + level.A.shape.size(), Real(0));
    for (int k = 0; k < (l == last ? coarsest_sweeps : 1); ++k) smooth(level, true);
    if (l == last) break;
    grid_residual(level.A, level.b.data(), level.x.data(), level.r.data());
    restrict_to(l, level.r.data(), level_[at(l + 1)].b.data());
  }
  for (int l = last; l >= top; --l) {
    Level& level = level_[at(l)];
    if (l < last) prolong_add(l, level_[at(l + 1)].x.data(), level.x.data());
    for (int k = 0; k < (l == last ? coarsest_sweeps : 1); ++k) smooth(level, false);
  }
}

template class GridHierarchy<float>;
template class GridHierarchy<double>;

}  // namespace nonsmooth
