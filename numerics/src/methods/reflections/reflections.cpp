#include "methods/reflections/reflections.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/checked.hpp"
#include "core/error.hpp"
#include "core/index.hpp"
#include "linalg/lapack.hpp"

namespace nonsmooth {
namespace {

// Measured on made-up problems of 40 to 200 unknowns (docs/decisions/0073-reflections.md).
constexpr double beta = 0.75;
constexpr double drawn_sizes = 6;  // powers of two
constexpr std::int64_t trial_interval = 25, least_patience = 200;
constexpr std::int64_t largest_order = 5000;  // four dense matrices

}  // namespace

void Reflections::setup(const Inclusion& view, const Options&) {
  const std::int64_t order = EquilibratedLcp::order_of(view);
  refuse_beyond(largest_order, order, "relaxed_reflect_reflect keeps dense matrices");
  view_ = &view;
  n_ = static_cast<int>(order);
  const auto n = at(order);
  lcp_.resize(order);
  factor_.resize(n_);
  divide(room_,
         {{inverse_, n * n}, {z_, n}, {w_, n}, {near_z_, n}, {near_w_, n}, {law_z_, n}, {law_w_, n}, {rest_, n}, {shift_, n}});
  load();
}

void Reflections::update(Change change) {
  if (change == Change::right_hand_side)
    lcp_.load_q(*view_);
  else
    load();
}

// The unit makes M as large as the identity, in the mean of its entries' squares.
void Reflections::load() {
  lcp_.load(*view_, EquilibratedLcp::Kind::two_sided);
  const double *M = lcp_.column(0), squares = std::inner_product(M, M + inverse_.size(), M, 0.0);
  unit_ = squares > 0 ? std::sqrt(squares / n_) : 1;
  const std::span<double> product = factor_.matrix();
  gemm("N", "T", n_, n_, n_, 1 / (unit_ * unit_), M, n_, M, n_, 0.0, product.data(), n_);
  std::fill(inverse_.begin(), inverse_.end(), 0.0);
  for (std::size_t i = 0; i < inverse_.size(); i += at(n_) + 1) {
    product[i] += 1;
    inverse_[i] = 1;
  }
  if (!factor_.factorise(n_, DenseFactor::Kind::cholesky))
    throw Error(NSM_UNSUPPORTED, "relaxed_reflect_reflect: M is too badly scaled");
  factor_.solve(inverse_.data(), n_, n_);
}

// Iterations from one start. Large problems come to the neighbourhood of a solution later.
std::int64_t Reflections::patience() const {
  const std::int64_t n = n_;
  return patience_ * std::max({least_patience, 10 * n, n * n / 10});
}

void Reflections::add_product(const char* transposition, double factor, const double* A, std::span<const double> x,
                              std::span<double> y) const {
  gemv(transposition, n_, n_, factor, A, n_, x.data(), 1.0, y.data());
}

// x = (z, M z + q). Multipliers of a polyhedron have no starting value.
void Reflections::start_at(std::span<const double> z) {
  std::fill(z_.begin(), z_.end(), 0.0);
  lcp_.scale(z, z_);
  std::copy(lcp_.q().begin(), lcp_.q().end(), w_.begin());
  add_product("N", 1, lcp_.column(0), z_, w_);
  for (double& value : z_) value *= unit_;
}

// As large as q or larger, within the bounds.
void Reflections::draw_start() {
  const double norm = norm2(lcp_.q());
  const double size = (norm > 0 ? norm / std::sqrt(n_) : 1) * std::exp2(drawn_sizes * random_.uniform());
  const auto draw = [&] { return size * (2 * random_.uniform() - 1); };
  for (std::size_t i = 0; i < z_.size(); ++i) {
    z_[i] = std::clamp(draw(), unit_ * lcp_.lo()[i], unit_ * lcp_.hi()[i]);
    w_[i] = draw();
  }
}

// With y = (I + M M')^-1 (w - q - M z) it is (z + M' y, w - y).
void Reflections::project_on_equations() {
  const double* M = lcp_.column(0);
  for (std::size_t i = 0; i < rest_.size(); ++i) rest_[i] = w_[i] - lcp_.q()[i];
  add_product("N", -1 / unit_, M, z_, rest_);
  std::fill(shift_.begin(), shift_.end(), 0.0);
  add_product("N", 1, inverse_.data(), rest_, shift_);
  std::copy(z_.begin(), z_.end(), near_z_.begin());
  add_product("T", 1 / unit_, M, shift_, near_z_);
  for (std::size_t i = 0; i < near_w_.size(); ++i) near_w_[i] = w_[i] - shift_[i];
}

// x by beta (P_B(2 P_A(x) - x) - P_A(x)).
void Reflections::reflect() {
  for (std::size_t i = 0; i < z_.size(); ++i) {
    law_z_[i] = 2 * near_z_[i] - z_[i];
    law_w_[i] = 2 * near_w_[i] - w_[i];
  }
  project_on_laws(law_z_, law_w_);
  for (std::size_t i = 0; i < z_.size(); ++i) {
    z_[i] += beta * (law_z_[i] - near_z_[i]);
    w_[i] += beta * (law_w_[i] - near_w_[i]);
  }
}

Stop Reflections::solve(std::span<double> z, Control& control) {
  random_ = Random();
  begin_trials();
  start_at(z);
  std::int64_t begun = 0;
  for (std::int64_t k = 1;; ++k) {
    project_on_equations();
    reflect();
    const Stop stop = k % trial_interval == 0 ? try_faces(z, control, k) : control.check_limits(k);
    if (stop != Stop::none) return stop;
    if (k - begun >= patience()) {
      draw_start();
      begun = k;
    }
  }
}

}  // namespace nonsmooth
