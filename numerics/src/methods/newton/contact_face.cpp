#include "methods/newton/contact_face.hpp"

#include <algorithm>
#include <cfloat>
#include <cmath>

#include "core/index.hpp"
#include "sets/set.hpp"

namespace nonsmooth {
namespace {

constexpr double on_bound = 1 - 1e-6, bound_rounding = 4 * DBL_EPSILON;  // of a tangential part

// A part r that slides is put on its bound: towards where it points if it lies there already, else towards x = r - u / s. d: that
// direction. Returns the speed at which it slides against it.
template <int PART>
double put_on_bound(double bound, const double* x, const double* u, double* r, double* d) {
  const double own = norm_of_part<PART>(r);
  const bool points = own > 0 && own >= on_bound * bound;
  const double *towards = points ? r : x, length = points ? own : norm_of_part<PART>(x);
  for (int i = 0; i < PART; ++i) d[i] = length > 0 ? towards[i] / length : 0;
  // What lies on it to rounding stays: moved by rounding alone, it would ask for w anew.
  const bool stays = points && std::abs(own - bound) <= bound_rounding * own;
  double against = 0;
  for (int i = 0; i < PART; ++i) {
    if (!stays) r[i] = bound * d[i];
    against -= u[i] * d[i];
  }
  return std::max(0.0, against);
}

void scale_to(double bound, double* t) {
  const double length = norm_of_part<2>(t);
  if (!(length > 0)) return;
  const double factor = bound / length;
  t[0] *= factor;
  t[1] *= factor;
}

}  // namespace

bool ContactFace::treats(const Inclusion& view) {
  const auto is_treated = [](const SetBlock& block) {
    return may_slide(block.kind) || block.kind == SetKind::orthant || block.kind == SetKind::box ||
           block.kind == SetKind::free_space;
  };
  return view.F == nullptr && std::ranges::all_of(view.blocks, is_treated) &&
         std::ranges::any_of(view.blocks, may_slide, &SetBlock::kind);
}

void ContactFace::setup(const Inclusion& view) {
  view_ = &view;
  n_ = at(view.size());
  const std::size_t blocks = view.blocks.size();
  directions_.resize(2 * n_);
  statuses_.resize(2 * blocks);
  status_ = std::span(statuses_).first(blocks);
  remembered_ = std::span(statuses_).last(blocks);
}

// Reads the face of a bounded row and moves z onto it: true if that has changed z.
bool ContactFace::take_row(std::size_t b, std::span<double> z, double w, double s, double lo, double hi) {
  const SetBlock& block = view_->blocks[b];
  double& r = z[at(block.start)];
  const double x = r - w / s, before = r;
  status_[b] = x <= lo ? row_at_lower : x >= hi ? row_at_upper : row_inside;
  if (status_[b] == row_inside) {
    add().along(block.start, 1, 0);
  } else {
    r = status_[b] == row_at_lower ? lo : hi;
  }
  return r != before;
}

// The same for a contact.
template <int PART, int PARTS>
bool ContactFace::take_contact(std::size_t b, std::span<double> z, std::span<const double> w, std::span<const double> scale) {
  using Cone = ContactCone<PART, PARTS>;
  const SetBlock& block = view_->blocks[b];
  const double mu[2] = {block.a, block.b};
  double* r = z.data() + block.start;
  const double *u = w.data() + block.start, *s = scale.data() + block.start;
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
  FaceDirection& normal = add().along(block.start, block.size, 0);
  for (int g = 0; g < PARTS; ++g) {
    const int first = 1 + g * PART;
    if (mu[g] > 0 && Cone::part_norm(x, g) <= mu[g] * x[0]) {
      for (int i = first; i < first + PART; ++i) add().along(block.start, block.size, i);
      continue;
    }
    status_[b] = static_cast<std::uint8_t>(status_[b] | (2 << g));
    double d[2] = {0, 0};
    const double speed = put_on_bound<PART>(mu[g] * r[0], x + first, u + first, r + first, d);
    normal.take_along<PART>(first, mu[g], d);
    if (PART == 2 && mu[g] > 0) add().turning(block.start, block.size, first, d, speed, mu[g] * x[0]);
  }
  return !std::equal(r, r + Cone::size, before);
}

// The same for a disk: a part whose bound is known.
bool ContactFace::take_disk(std::size_t b, std::span<double> z, std::span<const double> w, std::span<const double> scale) {
  const SetBlock& block = view_->blocks[b];
  const double radius = block.a;
  double* r = z.data() + block.start;
  const double *u = w.data() + block.start, *s = scale.data() + block.start;
  const double x[2] = {r[0] - u[0] / s[0], r[1] - u[1] / s[1]}, before[2] = {r[0], r[1]};
  status_[b] = closed;
  if (radius > 0 && norm_of_part<2>(x) <= radius) {
    for (int i = 0; i < 2; ++i) add().along(block.start, 2, i);
    return false;
  }
  status_[b] |= 2;
  double d[2];
  const double speed = put_on_bound<2>(radius, x, u, r, d);
  if (radius > 0) add().turning(block.start, 2, 0, d, speed, radius);
  return r[0] != before[0] || r[1] != before[1];
}

bool ContactFace::take(std::span<double> z, std::span<const double> w, std::span<const double> s) {
  bool moved = false;
  count_ = 0;
  for (std::size_t b = 0; b < view_->blocks.size(); ++b) {
    const SetBlock& block = view_->blocks[b];
    const auto row = [&](double lo, double hi) { return take_row(b, z, w[at(block.start)], s[at(block.start)], lo, hi); };
    switch (block.kind) {
      case SetKind::coulomb_2d: moved |= take_contact<1, 1>(b, z, w, s); break;
      case SetKind::coulomb_3d: moved |= take_contact<2, 1>(b, z, w, s); break;
      case SetKind::rolling_2d: moved |= take_contact<1, 2>(b, z, w, s); break;
      case SetKind::rolling_3d: moved |= take_contact<2, 2>(b, z, w, s); break;
      case SetKind::disk: moved |= take_disk(b, z, w, s); break;
      case SetKind::orthant: moved |= row(0, HUGE_VAL); break;
      case SetKind::box: moved |= row(block.a, block.b); break;
      default:
        for (std::int32_t i = block.start; i < block.start + block.size; ++i) add().along(i, 1, 0);
    }
  }
  return moved;
}

void ContactFace::stay_on(std::span<double> z) const {
  for (std::size_t b = 0; b < status_.size(); ++b) {
    const SetBlock& block = view_->blocks[b];
    double* r = z.data() + block.start;
    if (block.kind == SetKind::disk && slides(b, 0)) scale_to(block.a, r);
    if (block.kind != SetKind::coulomb_3d && block.kind != SetKind::rolling_3d) continue;
    for (int g = 0; g < block.size / 2; ++g)
      if (slides(b, g)) scale_to((g == 0 ? block.a : block.b) * std::max(r[0], 0.0), r + 1 + 2 * g);
  }
}

void ContactFace::remember() {
  std::copy(status_.begin(), status_.end(), remembered_.begin());
  std::copy_n(directions_.begin(), count_, directions_.begin() + static_cast<std::ptrdiff_t>(n_));
}

bool ContactFace::has_same_statuses() const { return std::equal(status_.begin(), status_.end(), remembered_.begin()); }

std::size_t ContactFace::changes() const {
  std::size_t count = 0;
  for (std::size_t b = 0; b < status_.size(); ++b) count += status_[b] != remembered_[b] ? 1 : 0;
  return count;
}

bool ContactFace::is_same() const {
  const auto begin = directions_.begin();
  return has_same_statuses() &&
         std::equal(begin, begin + static_cast<std::ptrdiff_t>(count_), begin + static_cast<std::ptrdiff_t>(n_));
}

}  // namespace nonsmooth
