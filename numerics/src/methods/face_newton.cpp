#include "methods/face_newton.hpp"

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <utility>

#include "core/error.hpp"
#include "core/index.hpp"
#include "linalg/small_lu.hpp"
#include "sets/set.hpp"

namespace nonsmooth {
namespace {

constexpr double proximal_term = 1e-9;            // relative to the diagonal
constexpr double smallest_diagonal_scale = 1e-6;  // of a diagonal entry, relative to their mean
constexpr double on_bound = 1 - 1e-6;
constexpr double slow = 0.1, growth_limit = 10;  // of the residual, in one step
constexpr int most_face_steps = 12;
constexpr int leaps = 3;  // the first steps, which may lead far off: where they end the right face is often seen
constexpr std::array<int, 4> sweeps_before{0, 3, 10, 30};
// One-block solves with rolling friction cost as much as some ten projections of all, which the stages behind begin with.
constexpr std::size_t rolling_attempts = 1;

constexpr std::uint8_t row_inside = 1, row_at_lower = 2, row_at_upper = 4;  // of a bounded row
constexpr std::uint8_t closed = 1;                                          // of a contact; bit 1 + g: part g slides

}  // namespace

bool FaceNewton::treats(const Inclusion& view) {
  const auto is_treated = [](const SetBlock& block) {
    return has_friction(block.kind) || block.kind == SetKind::orthant || block.kind == SetKind::box ||
           block.kind == SetKind::free_space;
  };
  return view.F == nullptr && view.size() <= largest_order && std::all_of(view.blocks.begin(), view.blocks.end(), is_treated) &&
         has_contacts(view);
}

void FaceNewton::setup(const Inclusion& view) {
  view_ = &view;
  n_ = at(view.size());
  const std::size_t own = view.M->dense() == nullptr ? n_ * n_ : 0, blocks = view.blocks.size();
  divide(room_, {{scale_, n_}, {w_, n_}, {y_, n_}, {column_, n_}, {factor_, n_ * n_}, {dense_, own}});
  pivot_.resize(n_);
  directions_.resize(2 * n_);
  statuses_.resize(2 * blocks);
  status_ = std::span(statuses_).first(blocks);
  factored_status_ = std::span(statuses_).last(blocks);
  attempts_ = std::ranges::any_of(view.blocks, rolls, &SetBlock::kind) ? rolling_attempts : sweeps_before.size();
  load();
}

void FaceNewton::setup_sweeps() {
  sweeper_ = make_sweeper(*view_, {.check_interval = 1});
  untold_.reset();
}

void FaceNewton::update(Change change) {
  if (change == Change::right_hand_side) return;
  untold_ = std::max(untold_.value_or(change), change);
  load();
}

void FaceNewton::load() {
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

void FaceNewton::evaluate(std::span<const double> z) {
  std::copy(view_->q->begin(), view_->q->end(), w_.begin());
  const int n = static_cast<int>(n_);
  multiply_add_small(columns_, n, n, z.data(), w_.data());
}

FaceDirection& FaceNewton::add(const FaceDirection& direction) { return directions_[count_++] = direction; }

// Reads the face of a bounded row and moves z onto it: true if that has changed z.
bool FaceNewton::take_row(std::size_t b, double lo, double hi, std::span<double> z) {
  const SetBlock& block = view_->blocks[b];
  const auto i = at(block.start);
  const double x = z[i] - w_[i] / scale_[i], before = z[i];
  status_[b] = x <= lo ? row_at_lower : x >= hi ? row_at_upper : row_inside;
  if (status_[b] == row_inside) {
    add(FaceDirection::along(block.start, 1, 0));
  } else {
    z[i] = status_[b] == row_at_lower ? lo : hi;
  }
  return z[i] != before;
}

// The same for a contact.
template <int PART, int PARTS>
bool FaceNewton::take_contact(std::size_t b, std::span<double> z) {
  using Cone = ContactCone<PART, PARTS>;
  const SetBlock& block = view_->blocks[b];
  const double mu[2] = {block.a, block.b};
  double* r = z.data() + block.start;
  const double *u = w_.data() + block.start, *s = scale_.data() + block.start;
  double x[Cone::size], before[Cone::size];
  for (int i = 0; i < Cone::size; ++i) x[i] = r[i] - u[i] / s[i];
  std::copy(r, r + Cone::size, before);
  status_[b] = 0;
  if (!(x[0] > 0)) {
    std::fill(r, r + Cone::size, 0.0);
    return !std::equal(r, r + Cone::size, before);
  }
  status_[b] = closed;
  r[0] = std::max(r[0], 0.0);
  FaceDirection& normal = add(FaceDirection::along(block.start, block.size, 0));
  for (int g = 0; g < PARTS; ++g) {
    const int first = 1 + g * PART;
    const double length = Cone::part_norm(x, g), own = Cone::part_norm(r, g);
    if (mu[g] > 0 && length <= mu[g] * x[0]) {
      for (int i = first; i < first + PART; ++i) add(FaceDirection::along(block.start, block.size, i));
      continue;
    }
    status_[b] = static_cast<std::uint8_t>(status_[b] | (2 << g));
    // A part that lies on its bound already slides the way it points.
    const double* towards = own > 0 && own >= on_bound * mu[g] * r[0] ? r : x;
    const double towards_length = towards == r ? own : length;
    double d[2] = {0, 0}, against = 0;
    for (int i = 0; i < PART && towards_length > 0; ++i) d[i] = towards[first + i] / towards_length;
    for (int i = 0; i < PART; ++i) {
      r[first + i] = mu[g] * r[0] * d[i];
      against -= u[first + i] * d[i];
    }
    normal.take_along<PART>(first, mu[g], d);
    if (PART == 2 && mu[g] > 0)
      add(FaceDirection::turning(block.start, block.size, first, d, std::max(0.0, against), mu[g] * x[0]));
  }
  return !std::equal(r, r + Cone::size, before);
}

// The face that z and w point to; z is moved onto it, true if that has changed it.
bool FaceNewton::take_face(std::span<double> z) {
  bool moved = false;
  count_ = 0;
  for (std::size_t b = 0; b < view_->blocks.size(); ++b) {
    const SetBlock& block = view_->blocks[b];
    switch (block.kind) {
      case SetKind::coulomb_2d: moved |= take_contact<1, 1>(b, z); break;
      case SetKind::coulomb_3d: moved |= take_contact<2, 1>(b, z); break;
      case SetKind::rolling_2d: moved |= take_contact<1, 2>(b, z); break;
      case SetKind::rolling_3d: moved |= take_contact<2, 2>(b, z); break;
      case SetKind::orthant: moved |= take_row(b, 0, HUGE_VAL, z); break;
      case SetKind::box: moved |= take_row(b, block.a, block.b, z); break;
      default:
        for (std::int32_t i = block.start; i < block.start + block.size; ++i) add(FaceDirection::along(i, 1, 0));
    }
  }
  return moved;
}

// M move.
const double* FaceNewton::image_of(const FaceDirection& direction) {
  const auto column_at = [&](std::int32_t row) { return columns_ + at(row) * n_; };
  if (direction.moves_alone) return column_at(direction.row);
  std::fill(column_.begin(), column_.end(), 0.0);
  multiply_add_small(column_at(direction.start), static_cast<int>(n_), direction.size, direction.move.data(), column_.data());
  return column_.data();
}

// test' M move + curvature, of all pairs of directions.
bool FaceNewton::factorise() {
  for (std::size_t c = 0; c < count_; ++c) {
    const FaceDirection& to = directions_[c];
    const double* image = image_of(to);
    double* target = factor_.data() + c * count_;
    for (std::size_t k = 0; k < count_; ++k) target[k] = directions_[k].tested(image);
    target[c] += to.curvature + proximal_term * scale_[at(to.start)];
  }
  factored_ = factorise_small(factor_.data(), pivot_.data(), static_cast<int>(count_));
  std::copy(status_.begin(), status_.end(), factored_status_.begin());
  std::copy_n(directions_.begin(), count_, directions_.begin() + static_cast<std::ptrdiff_t>(n_));
  return factored_;
}

void FaceNewton::step(std::span<double> z) {
  for (std::size_t c = 0; c < count_; ++c) y_[c] = -directions_[c].tested(w_.data());
  solve_small(factor_.data(), pivot_.data(), static_cast<int>(count_), y_.data());
  for (std::size_t c = 0; c < count_; ++c) {
    const FaceDirection& direction = directions_[c];
    if (direction.moves_alone) {
      z[at(direction.row)] += y_[c];
      continue;
    }
    for (std::int32_t i = 0; i < direction.size; ++i) z[at(direction.start + i)] += y_[c] * direction.move[at(i)];
  }
}

// Parts that slide have moved along the tangent of their bound.
void FaceNewton::stay_on_face(std::span<double> z) {
  for (std::size_t b = 0; b < status_.size(); ++b) {
    const SetBlock& block = view_->blocks[b];
    if (block.kind != SetKind::coulomb_3d && block.kind != SetKind::rolling_3d) continue;
    double* r = z.data() + block.start;
    for (int g = 0; g < block.size / 2; ++g) {
      if ((status_[b] & (2 << g)) == 0) continue;
      const double length = ContactCone<2, 2>::part_norm(r, g);
      if (!(length > 0)) continue;
      const double factor = (g == 0 ? block.a : block.b) * std::max(r[0], 0.0) / length;
      r[1 + 2 * g] *= factor;
      r[2 + 2 * g] *= factor;
    }
  }
}

// Whether factorising anew would give the factor at hand bit by bit: equal starts are to give equal bits, whatever was solved
// before.
bool FaceNewton::has_same_matrix() const {
  return has_same_statuses() && std::equal(directions_.begin(), directions_.begin() + static_cast<std::ptrdiff_t>(count_),
                                           directions_.begin() + static_cast<std::ptrdiff_t>(n_));
}

// Steps from face to face until they no longer pay. A factor is kept while it serves.
Stop FaceNewton::follow(std::span<double> z, Control& control) {
  evaluate(z);
  double last = control.residual(), before_last = HUGE_VAL, share = 0;  // share: what the last step has left of the residual
  for (int k = 0; k < most_face_steps; ++k) {
    if (take_face(z)) evaluate(z);
    const bool known = factored_ && (k == 0 ? has_same_matrix() : has_same_statuses());
    if ((!known || share > slow) && !factorise()) return Stop::none;
    step(z);
    stay_on_face(z);
    evaluate(z);
    if (const Stop stop = control.check(++iteration_, z, w_); stop != Stop::none) return stop;
    if (control.residual() == before_last) return Stop::none;  // to and fro between two faces
    share = control.residual() / last;
    before_last = std::exchange(last, control.residual());
    const double limit = k < leaps ? DBL_MAX : growth_limit * control.best_residual();
    if (!(last <= limit)) return Stop::none;
  }
  return Stop::none;
}

// A problem that sweeps do not treat is left to others.
Stop FaceNewton::reach_sweeps(Control& control) {
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

Stop FaceNewton::sweep(std::span<double> z, int sweeps, Control& control) {
  sweeper_->start(z.data());
  for (int k = 0; k < sweeps; ++k) {
    sweeper_->sweep(z.data(), false);
    if (const Stop stop = control.check_limits(++iteration_); stop != Stop::none) return stop;
  }
  return control.check(iteration_, z);
}

Stop FaceNewton::solve(std::span<double> z, Control& control) {
  iteration_ = 0;
  for (std::size_t attempt = 0; attempt < attempts_; ++attempt) {
    if (sweeps_before[attempt] > 0) {
      if (const Stop stop = reach_sweeps(control); stop != Stop::none) return stop;
      if (const Stop stop = sweep(z, sweeps_before[attempt], control); stop != Stop::none) return stop;
    }
    if (const Stop stop = follow(z, control); stop != Stop::none) return stop;
    std::copy(control.best().begin(), control.best().end(), z.begin());
  }
  return Stop::stalled;
}

}  // namespace nonsmooth
