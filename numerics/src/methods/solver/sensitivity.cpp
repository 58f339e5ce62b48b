#include "methods/solver/sensitivity.hpp"

#include <Eigen/SparseCore>
#include <algorithm>
#include <cmath>

#include "core/checked.hpp"
#include "core/error.hpp"
#include "core/index.hpp"
#include "sets/set.hpp"

namespace nonsmooth {
namespace {

constexpr std::size_t largest_dense_derivative = 300;  // of the system of a matrix that is not dense itself
// Of the largest |z|, of the largest |w| or |q|: what is smaller may be 0 as well.
constexpr double strictness = 1e-7;
constexpr double largest_condition = 1e11, dependent = 1e-10, consistent = 1e-7;

double largest(std::span<const double> x) {
  double value = 0;
  for (double entry : x) value = std::max(value, std::abs(entry));
  return value;
}

}  // namespace

Sensitivity::Sensitivity(const Inclusion& view, IndexVector mu_of, std::span<const double> z, std::span<const double> w)
    : W_(view.M), rows_(z.size()), mu_of_(std::move(mu_of)) {
  if (view.F != nullptr)
    fail(NSM_UNSUPPORTED,
         "sensitivities are defined for affine problems over orthants, boxes, free rows, friction cones and disks");
  zero_ = {strictness * largest(z), strictness * std::max(largest(w), largest(*view.q))};
  find_directions(view, z, w);
  collect_shares();
  y_.resize(directions_.size());
  workspace_.resize(directions_.size());
  moved_.resize(rows_);
  image_.resize(rows_);
  factorise();
}

void Sensitivity::find_directions(const Inclusion& view, std::span<const double> z, std::span<const double> w) {
  for (std::size_t b = 0; b < view.blocks.size(); ++b) {
    const SetBlock& block = view.blocks[b];
    const double *r = z.data() + block.start, *u = w.data() + block.start;
    switch (block.kind) {
      case SetKind::orthant: add_row(block, *r, *u, 0, HUGE_VAL); break;
      case SetKind::box: add_row(block, *r, *u, block.a, block.b); break;
      case SetKind::coulomb_2d: add_contact<1, 1>(block, b, r, u); break;
      case SetKind::coulomb_3d: add_contact<2, 1>(block, b, r, u); break;
      case SetKind::rolling_2d: add_contact<1, 2>(block, b, r, u); break;
      case SetKind::rolling_3d: add_contact<2, 2>(block, b, r, u); break;
      case SetKind::disk: {
        double d[2];
        add_part<2>(block, b, {0, block.a, 1, r, u, true}, d);
        break;
      }
      case SetKind::free_space:
        for (std::int32_t i = block.start; i < block.start + block.size; ++i) directions_.emplace_back().along(i, 1, 0);
        break;
      default:
        fail(NSM_UNSUPPORTED,
             "sensitivities are defined for affine problems over orthants, boxes, free rows, friction cones and disks");
    }
  }
}

void Sensitivity::add_row(const SetBlock& block, double z, double w, double lo, double hi) {
  if (lo == hi) return;
  if (z - lo > zero_.z && hi - z > zero_.z)
    directions_.emplace_back().along(block.start, 1, 0);
  else if (std::abs(w) <= zero_.w)
    fail(NSM_NOT_AVAILABLE, "row %d is degenerate: z = %g is at a bound and w = %g is zero", block.start, z, w);
}

// A part whose length is bounded by its coefficient times a size, at rest or sliding: true if it slides, towards d.
template <int PART>
bool Sensitivity::add_part(const SetBlock& block, std::size_t index, const BoundedPart& part, double* d) {
  const double length = norm_of_part<PART>(part.r), speed = norm_of_part<PART>(part.u);
  const double margin = part.coefficient * part.size - length;
  const bool moves = speed > zero_.w, inside = margin > zero_.z;
  if (inside && (!moves || margin * zero_.w > speed * zero_.z)) {
    for (int i = 0; i < PART; ++i) directions_.emplace_back().along(block.start, block.size, part.first + i);
    return false;
  }
  if (!moves && part.coefficient > 0)
    fail(NSM_NOT_AVAILABLE,
         "%s %zu (row %d) is degenerate: its reaction is at the bound, |r| = %g, and it does not slide, |u| = %g",
         block.kind == SetKind::disk ? "disk" : "contact", index, block.start + part.first, length, speed);
  if (!moves) {
    if (part.has_derivative) still_without_friction_.push_back(static_cast<std::int32_t>(index));
    return false;
  }
  for (int i = 0; i < PART; ++i) d[i] = part.coefficient > 0 ? part.r[i] / length : -part.u[i] / speed;
  if (PART == 2 && part.coefficient > 0)
    directions_.emplace_back().turning(block.start, block.size, part.first, d, speed, part.coefficient * part.size);
  for (int i = 0; i < PART && part.has_derivative; ++i)
    friction_moves_.push_back({block.start + part.first + i, mu_of_[index], part.size * d[i]});
  return true;
}

template <int PART, int PARTS>
void Sensitivity::add_contact(const SetBlock& block, std::size_t index, const double* r, const double* u) {
  if (r[0] <= zero_.z) {
    if (u[0] <= zero_.w)
      fail(NSM_NOT_AVAILABLE, "contact %zu (row %d) is degenerate: it touches without pressing, r_N = %g and u_N = %g", index,
           block.start, r[0], u[0]);
    return;
  }
  const double mu[2] = {block.a, block.b};
  FaceDirection normal = FaceDirection().along(block.start, block.size, 0);
  for (int g = 0; g < PARTS; ++g) {
    const int first = 1 + g * PART;
    double d[2] = {0, 0};
    if (add_part<PART>(block, index, {first, mu[g], r[0], r + first, u + first, g == 0}, d))
      normal.take_along<PART>(first, mu[g], d);
  }
  directions_.push_back(normal);
}

// The directions by the rows in which they have a part.
void Sensitivity::collect_shares() {
  const auto for_each_share = [&](auto&& visit) {
    for (std::size_t c = 0; c < directions_.size(); ++c)
      for (std::int32_t i = 0; i < directions_[c].size; ++i)
        if (directions_[c].move[at(i)] != 0 || directions_[c].test[at(i)] != 0)
          visit(at(directions_[c].start + i),
                Share{static_cast<std::int32_t>(c), directions_[c].move[at(i)], directions_[c].test[at(i)]});
  };
  share_start_.assign(rows_ + 1, 0);
  for_each_share([&](std::size_t row, const Share&) { ++share_start_[row + 1]; });
  for (std::size_t i = 0; i < rows_; ++i) share_start_[i + 1] += share_start_[i];
  shares_.resize(at(share_start_.back()));
  IndexVector next(share_start_.begin(), share_start_.end() - 1);
  for_each_share([&](std::size_t row, const Share& share) { shares_[at(next[row]++)] = share; });
}

// visit(equation, unknown, summand) of T' W P + C.
template <class Visit>
void Sensitivity::for_each_coefficient(Visit&& visit) const {
  for_each_entry(*W_, [&](std::int64_t i, std::int64_t j, double a) {
    const auto row = at(i), column = at(j);
    for (std::int32_t s = share_start_[row]; s < share_start_[row + 1]; ++s)
      for (std::int32_t t = share_start_[column]; t < share_start_[column + 1]; ++t) {
        const double value = shares_[at(s)].test * a * shares_[at(t)].move;
        if (value != 0) visit(shares_[at(s)].direction, shares_[at(t)].direction, value);
      }
  });
  for (std::size_t c = 0; c < directions_.size(); ++c)
    visit(static_cast<std::int32_t>(c), static_cast<std::int32_t>(c), directions_[c].curvature);
}

void Sensitivity::factorise() {
  size_.assign(directions_.size(), 0.0);
  for_each_coefficient(
      [&](std::int32_t i, std::int32_t, double value) { size_[at(i)] = std::max(size_[at(i)], std::abs(value)); });
  is_dense_ = W_->dense() != nullptr || directions_.size() <= largest_dense_derivative;
  if ((is_dense_ ? factorise_dense() : factorise_sparse()) && is_regular()) return;
  if (directions_.size() > largest_dense_derivative)
    fail(NSM_NOT_AVAILABLE, "the equations of the %zu free directions are singular: z is not locally unique", directions_.size());
  keep_velocities();
}

bool Sensitivity::factorise_dense() {
  const std::size_t k = directions_.size();
  dense_.resize(static_cast<int>(k));
  const std::span<double> A = dense_.matrix();
  std::fill(A.begin(), A.end(), 0.0);
  for_each_coefficient([&](std::int32_t i, std::int32_t j, double value) { A[at(i) + at(j) * k] += value; });
  return dense_.factorise(static_cast<int>(k));
}

bool Sensitivity::factorise_sparse() {
  const std::size_t k = directions_.size();
  std::vector<Eigen::Triplet<double>> summands;
  for_each_coefficient([&](std::int32_t i, std::int32_t j, double value) { summands.emplace_back(i, j, value); });
  const auto order = checked_index(static_cast<std::int64_t>(k), "directions");
  Eigen::SparseMatrix<double> A(order, order);
  A.setFromTriplets(summands.begin(), summands.end());
  CscMatrix compressed;
  compressed.rows = compressed.cols = order;
  compressed.col_start.assign(A.outerIndexPtr(), A.outerIndexPtr() + k + 1);
  compressed.row_index.assign(A.innerIndexPtr(), A.innerIndexPtr() + A.nonZeros());
  compressed.values.assign(A.valuePtr(), A.valuePtr() + A.nonZeros());
  return sparse_.factorise(std::move(compressed));
}

// What a factor makes of a right-hand side that no structure of the problem knows: beyond all measure where an equation is a
// combination of others but for rounding.
bool Sensitivity::is_regular() {
  const double golden = (std::sqrt(5.0) - 1) / 2;
  for (std::size_t i = 0; i < y_.size(); ++i) {
    const double multiple = golden * static_cast<double>(i + 1);
    y_[i] = size_[i] * (multiple - std::floor(multiple) - 0.5);
  }
  solve(false);
  return largest(y_) < largest_condition;
}

// Hyperstatic contacts: the reactions of a null vector y move no body, W P y = 0, and hence no velocity.
void Sensitivity::keep_velocities() {
  const std::size_t k = directions_.size();
  Vector A(k * k, 0.0);
  for_each_coefficient([&](std::int32_t i, std::int32_t j, double value) { A[at(i) + at(j) * k] += value; });
  minimum_norm_.emplace(A, static_cast<int>(k), dependent);
  const Vector kernel = minimum_norm_->kernel();
  const double scale = largest(W_->values());
  for (std::size_t start = 0; start < kernel.size(); start += k) {
    std::fill(moved_.begin(), moved_.end(), 0.0);
    std::fill(image_.begin(), image_.end(), 0.0);
    add_moves(std::span<const double>(kernel).subspan(start, k), moved_);
    multiply_add(*W_, 1.0, moved_, image_);
    if (largest(image_) > consistent * scale)
      fail(NSM_NOT_AVAILABLE, "the equations of the %zu free directions are singular: z and w are not locally unique", k);
  }
}

void Sensitivity::solve(bool transposed) {
  if (minimum_norm_)
    transposed ? minimum_norm_->solve_transposed(y_) : minimum_norm_->solve(y_);
  else if (is_dense_)
    transposed ? dense_.solve_transposed(y_.data()) : dense_.solve(y_.data());
  else
    transposed ? sparse_.solve_transposed(y_, workspace_) : sparse_.solve(y_, workspace_);
}

void Sensitivity::require_unique_reactions() const {
  if (minimum_norm_)
    fail(NSM_NOT_AVAILABLE,
         "the equations of the %zu free directions are singular, of rank %d (as with hyperstatic contacts): z is not locally "
         "unique; w is, and has a derivative",
         directions_.size(), minimum_norm_->rank());
}

// Along dmu; empty: by all mu.
void Sensitivity::require_mu_derivative(std::span<const double> dmu) const {
  for (std::int32_t contact : still_without_friction_)
    if (dmu.empty() || dmu[at(mu_of_[at(contact)])] != 0)
      fail(NSM_NOT_AVAILABLE, "contact or disk %d has mu = 0 and does not slide: there is no derivative by its mu", contact);
}

// sum += P y.
void Sensitivity::add_moves(std::span<const double> y, std::span<double> sum) const {
  for (std::size_t row = 0; row < rows_; ++row)
    for (std::int32_t s = share_start_[row]; s < share_start_[row + 1]; ++s)
      sum[row] += shares_[at(s)].move * y[at(shares_[at(s)].direction)];
}

// What is left of the equations, T' dw + C y, beside the terms that made them up.
void Sensitivity::require_consistent(std::span<const double> dw, double scale) const {
  for (std::size_t c = 0; c < directions_.size(); ++c) {
    const FaceDirection& direction = directions_[c];
    double left = direction.curvature * y_[c];
    for (std::int32_t i = 0; i < direction.size; ++i) left += direction.test[at(i)] * dw[at(direction.start + i)];
    if (std::abs(left) > consistent * scale)
      fail(NSM_NOT_AVAILABLE,
           "the contacts are hyperstatic and dq is no motion of the bodies: the contact at row %d cannot keep its status",
           direction.start);
  }
}

void Sensitivity::apply(std::span<const double> dq, std::span<const double> dmu, std::span<double> dz, std::span<double> dw) {
  if (!dz.empty()) require_unique_reactions();
  if (!dmu.empty()) require_mu_derivative(dmu);
  std::fill(moved_.begin(), moved_.end(), 0.0);
  std::copy(dq.begin(), dq.end(), image_.begin());
  if (!dmu.empty()) {
    for (const FrictionMove& move : friction_moves_) moved_[at(move.row)] += move.move * dmu[at(move.mu)];
    multiply_add(*W_, 1.0, moved_, image_);
  }
  std::fill(y_.begin(), y_.end(), 0.0);
  for (std::size_t row = 0; row < rows_; ++row)
    for (std::int32_t s = share_start_[row]; s < share_start_[row + 1]; ++s)
      y_[at(shares_[at(s)].direction)] -= shares_[at(s)].test * image_[row];
  solve(false);
  const double scale = largest(image_);
  add_moves(y_, moved_);
  std::copy(moved_.begin(), moved_.begin() + static_cast<std::ptrdiff_t>(dz.size()), dz.begin());
  if (dw.empty() && !minimum_norm_) return;
  std::copy(dq.begin(), dq.end(), image_.begin());
  multiply_add(*W_, 1.0, moved_, image_);
  if (minimum_norm_) require_consistent(image_, scale);
  std::copy(image_.begin(), image_.begin() + static_cast<std::ptrdiff_t>(dw.size()), dw.begin());
}

void Sensitivity::apply_transposed(std::span<const double> gz, std::span<const double> gw, std::span<double> gq,
                                   std::span<double> gmu) {
  if (!gz.empty()) require_unique_reactions();
  if (!gmu.empty()) require_mu_derivative({});
  // moved_ = gz + W' (.)
  const auto pull_back = [&](std::span<const double> velocity) {
    std::fill(moved_.begin(), moved_.end(), 0.0);
    std::copy(gz.begin(), gz.end(), moved_.begin());
    if (!velocity.empty()) multiply_transposed_add(*W_, 1.0, velocity, moved_);
  };
  pull_back(gw);
  for (std::size_t c = 0; c < directions_.size(); ++c) {
    const FaceDirection& direction = directions_[c];
    y_[c] = 0;
    for (std::int32_t i = 0; i < direction.size; ++i) y_[c] += direction.move[at(i)] * moved_[at(direction.start + i)];
  }
  solve(true);
  std::fill(gq.begin(), gq.end(), 0.0);
  std::copy(gw.begin(), gw.end(), gq.begin());
  for (std::size_t row = 0; row < rows_; ++row)
    for (std::int32_t s = share_start_[row]; s < share_start_[row + 1]; ++s)
      gq[row] -= shares_[at(s)].test * y_[at(shares_[at(s)].direction)];
  if (gmu.empty()) return;
  pull_back(gq);
  std::fill(gmu.begin(), gmu.end(), 0.0);
  for (const FrictionMove& move : friction_moves_) gmu[at(move.mu)] += move.move * moved_[at(move.row)];
}

}  // namespace nonsmooth
