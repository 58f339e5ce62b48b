#include "methods/newton/contact_face.hpp"

#include <algorithm>
#include <cfloat>
#include <cmath>

#include "core/index.hpp"
#include "sets/set.hpp"

namespace nonsmooth {
namespace {

constexpr double on_bound = 1 - 1e-6, bound_rounding = 4 * DBL_EPSILON;  // of a tangential part

}  // namespace

bool ContactFace::treats(const Inclusion& view) {
  const auto is_treated = [](const SetBlock& block) {
    return has_friction(block.kind) || block.kind == SetKind::orthant || block.kind == SetKind::box ||
           block.kind == SetKind::free_space;
  };
  return view.F == nullptr && std::all_of(view.blocks.begin(), view.blocks.end(), is_treated) && has_contacts(view);
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
    const double length = Cone::part_norm(x, g), own = Cone::part_norm(r, g);
    if (mu[g] > 0 && length <= mu[g] * x[0]) {
      for (int i = first; i < first + PART; ++i) add().along(block.start, block.size, i);
      continue;
    }
    status_[b] = static_cast<std::uint8_t>(status_[b] | (2 << g));
    // A part that lies on its bound already slides the way it points.
    const double* towards = own > 0 && own >= on_bound * mu[g] * r[0] ? r : x;
    const double towards_length = towards == r ? own : length;
    double d[2] = {0, 0}, against = 0;
    for (int i = 0; i < PART && towards_length > 0; ++i) d[i] = towards[first + i] / towards_length;
    // What lies on it to rounding stays: moved by rounding alone, it would ask for w anew.
    const bool on_it = towards == r && std::abs(own - mu[g] * r[0]) <= bound_rounding * own;
    for (int i = 0; i < PART; ++i) {
      if (!on_it) r[first + i] = mu[g] * r[0] * d[i];
      against -= u[first + i] * d[i];
    }
    normal.take_along<PART>(first, mu[g], d);
    if (PART == 2 && mu[g] > 0) add().turning(block.start, block.size, first, d, std::max(0.0, against), mu[g] * x[0]);
  }
  return !std::equal(r, r + Cone::size, before);
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
    if (block.kind != SetKind::coulomb_3d && block.kind != SetKind::rolling_3d) continue;
    double* r = z.data() + block.start;
    for (int g = 0; g < block.size / 2; ++g) {
      if (!slides(b, g)) continue;
      const double length = ContactCone<2, 2>::part_norm(r, g);
      if (!(length > 0)) continue;
      const double factor = (g == 0 ? block.a : block.b) * std::max(r[0], 0.0) / length;
      r[1 + 2 * g] *= factor;
      r[2 + 2 * g] *= factor;
    }
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
