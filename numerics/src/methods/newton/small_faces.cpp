#include "methods/newton/small_faces.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/error.hpp"
#include "core/index.hpp"
#include "linalg/small_lu.hpp"
#include "sets/set.hpp"

namespace nonsmooth {
namespace {

constexpr double smallest_diagonal_scale = 1e-6;  // of a diagonal entry, relative to their mean
constexpr std::array<int, 4> sweeps_before{0, 3, 10, 30};
// One-block solves with rolling friction cost as much as some ten projections of all, which the stages behind begin with.
constexpr std::size_t rolling_attempts = 1;

}  // namespace

void SmallFaces::setup(const Inclusion& view) {
  view_ = &view;
  n_ = at(view.size());
  face_.setup(view);
  const std::size_t own = view.M->dense() == nullptr ? n_ * n_ : 0;
  divide(room_, {{scale_, n_}, {w_, n_}, {y_, n_}, {column_, n_}, {factor_, n_ * n_}, {dense_, own}});
  pivot_.resize(n_);
  attempts_ = std::ranges::any_of(view.blocks, rolls, &SetBlock::kind) ? rolling_attempts : sweeps_before.size();
  load();
}

void SmallFaces::setup_sweeps() {
  sweeper_ = make_sweeper(*view_, {});
  untold_.reset();
}

void SmallFaces::update(Change change) {
  if (change == Change::right_hand_side) return;
  untold_ = std::max(untold_.value_or(change), change);
  load();
}

void SmallFaces::load() {
  const Matrix& M = *view_->M;
  std::fill(dense_.begin(), dense_.end(), 0.0);
  if (M.dense() == nullptr)
    for_each_entry(M, [&](std::int64_t i, std::int64_t j, double value) { dense_[at(i) + at(j) * n_] = value; });
  columns_ = M.dense() != nullptr ? M.dense()->values.data() : dense_.data();
  double mean = 0;
  for (std::size_t i = 0; i < n_; ++i) mean += std::abs(columns_[i * (n_ + 1)]) / static_cast<double>(n_);
  for (std::size_t i = 0; i < n_; ++i) scale_[i] = std::max(std::abs(columns_[i * (n_ + 1)]), smallest_diagonal_scale * mean);
  factored_ = false;
}

void SmallFaces::evaluate(std::span<const double> z) {
  std::copy(view_->q->begin(), view_->q->end(), w_.begin());
  const int n = static_cast<int>(n_);
  multiply_add_small(columns_, n, n, z.data(), w_.data());
}

// M move.
const double* SmallFaces::image_of(const FaceDirection& direction) {
  const auto column_at = [&](std::int32_t row) { return columns_ + at(row) * n_; };
  if (direction.moves_alone) return column_at(direction.row);
  std::fill(column_.begin(), column_.end(), 0.0);
  multiply_add_small(column_at(direction.start), static_cast<int>(n_), direction.size, direction.move.data(), column_.data());
  return column_.data();
}

// test' M move + curvature, of all pairs of directions.
bool SmallFaces::factorise() {
  const std::span<const FaceDirection> directions = face_.directions();
  const std::size_t count = directions.size();
  for (std::size_t c = 0; c < count; ++c) {
    const FaceDirection& to = directions[c];
    const double* image = image_of(to);
    double* target = factor_.data() + c * count;
    for (std::size_t k = 0; k < count; ++k) target[k] = directions[k].tested(image);
    target[c] += to.curvature + proximal_term * scale_[at(to.start)];
  }
  return factorise_small(factor_.data(), pivot_.data(), static_cast<int>(count));
}

void SmallFaces::step(std::span<double> z) {
  const std::span<const FaceDirection> directions = face_.directions();
  for (std::size_t c = 0; c < directions.size(); ++c) y_[c] = -directions[c].tested(w_.data());
  solve_small(factor_.data(), pivot_.data(), static_cast<int>(directions.size()), y_.data());
  for (std::size_t c = 0; c < directions.size(); ++c) {
    const FaceDirection& direction = directions[c];
    if (direction.moves_alone) {
      z[at(direction.row)] += y_[c];
      continue;
    }
    for (std::int32_t i = 0; i < direction.size; ++i) z[at(direction.start + i)] += y_[c] * direction.move[at(i)];
  }
}

// A problem that sweeps do not treat is left to others.
Stop SmallFaces::reach_sweeps(Control& control) {
  if (sweeper_ == nullptr) {
    const Stop stop = control.set_up("sweeps between faces", [&] {
      setup_sweeps();
      return true;
    });
    return stop == Stop::breakdown ? Stop::stalled : stop;
  }
  if (untold_) try {
      untold_ == Change::matrix ? sweeper_->load(*view_) : sweeper_->prepare(*view_);
      untold_.reset();
    } catch (const Error&) {
      return Stop::stalled;
    }
  return Stop::none;
}

Stop SmallFaces::sweep(std::span<double> z, int sweeps, Control& control) {
  sweeper_->start(z.data());
  for (int k = 0; k < sweeps; ++k) {
    sweeper_->sweep(z.data(), false);
    if (const Stop stop = control.check_limits(++iteration_); stop != Stop::none) return stop;
  }
  return control.check(iteration_, z);
}

Stop SmallFaces::solve(std::span<double> z, Control& control) {
  iteration_ = 0;
  for (std::size_t attempt = 0; attempt < attempts_; ++attempt) {
    if (sweeps_before[attempt] > 0) {
      if (const Stop stop = reach_sweeps(control); stop != Stop::none) return stop;
      if (const Stop stop = sweep(z, sweeps_before[attempt], control); stop != Stop::none) return stop;
    }
    if (const Stop stop = follow(z, w_, scale_, control); stop != Stop::none) return stop;
    std::copy(control.best().begin(), control.best().end(), z.begin());
  }
  return Stop::stalled;
}

}  // namespace nonsmooth
