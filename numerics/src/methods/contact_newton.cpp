#include "methods/contact_newton.hpp"

#include <algorithm>
#include <cmath>

#include "sets/disk.hpp"
#include "sets/set.hpp"

namespace nonsmooth {
namespace {

constexpr int halvings = 8;
constexpr double polish_weight = 1e-7, polish_share = 1e-6;
constexpr std::int64_t polish_steps = 4, polish_rounds = 3;

// Value of a block's equations in units of w, and L = d/dw, R = d/dz (column-major) if asked for.
struct BlockEquations {
  double* value;
  double *L, *R;  // nullptr: values only
};

// z - P(z - w / scale) times scale.
void row_equation(double lo, double hi, double z, double w, double scale, const BlockEquations& e) {
  const double x = z - w / scale, p = std::min(std::max(x, lo), hi);
  const bool inside = lo < x && x < hi;
  e.value[0] = inside ? w : scale * (z - p);
  if (e.L == nullptr) return;
  e.L[0] = inside ? 1 : 0;
  e.R[0] = inside ? 0 : scale;
}

// PARTS disks in PART dimensions, each with its own coefficient.
template <int PART, int PARTS>
void contact_equations(const double* mu, const double* z, const double* w, double scale, const BlockEquations& e) {
  constexpr int D = 1 + PART * PARTS;
  double x[D], p[PART], J[PART * PART];
  for (int i = 0; i < D; ++i) x[i] = z[i] - w[i] / scale;
  const bool closed = x[0] > 0;
  e.value[0] = closed ? w[0] : scale * z[0];
  if (e.L != nullptr) {
    std::fill(e.L, e.L + D * D, 0.0);
    std::fill(e.R, e.R + D * D, 0.0);
    e.L[0] = closed ? 1 : 0;
    e.R[0] = closed ? 0 : scale;
  }
  for (int first = 1; first < D; first += PART, ++mu) {
    const Disk<PART> disk{closed ? *mu * x[0] : 0};
    const double length = Disk<PART>::norm(x + first);
    const bool slides = length >= disk.radius;
    disk.project(x + first, p);
    for (int i = 0; i < PART; ++i) e.value[first + i] = slides ? scale * (z[first + i] - p[i]) : w[first + i];
    if (e.L == nullptr) continue;
    if (slides && disk.radius > 0)
      disk.jacobian(x + first, J);
    else
      std::fill(J, J + PART * PART, 0.0);
    for (int i = 0; i < PART; ++i) {
      const int row = first + i;
      if (!slides) {
        e.L[row + row * D] = 1;
        continue;
      }
      // d(scale (z_T - P)) = scale (I - J) dz_T + J dw_T - mu x_T / |x_T| (scale dz_N - dw_N)
      for (int j = 0; j < PART; ++j) {
        e.R[row + (first + j) * D] = scale * ((i == j ? 1 : 0) - J[i + j * PART]);
        e.L[row + (first + j) * D] = J[i + j * PART];
      }
      const double outward = closed && length > 0 ? *mu * x[row] / length : 0;
      e.R[row] = -scale * outward;
      e.L[row] = outward;
    }
  }
}

void block_equations(const SetBlock& block, const double* z, const double* w, double scale, const BlockEquations& e) {
  const double mu[] = {block.a, block.b};
  switch (block.kind) {
    case SetKind::coulomb_2d: return contact_equations<1, 1>(mu, z, w, scale, e);
    case SetKind::coulomb_3d: return contact_equations<2, 1>(mu, z, w, scale, e);
    case SetKind::rolling_2d: return contact_equations<1, 2>(mu, z, w, scale, e);
    case SetKind::rolling_3d: return contact_equations<2, 2>(mu, z, w, scale, e);
    case SetKind::orthant: return row_equation(0, HUGE_VAL, z[0], w[0], scale, e);
    case SetKind::box: return row_equation(block.a, block.b, z[0], w[0], scale, e);
    default:
      for (std::int32_t i = 0; i < block.size; ++i) e.value[i] = w[i];
      if (e.L == nullptr) return;
      std::fill_n(e.L, block.size * block.size, 0.0);
      std::fill_n(e.R, block.size * block.size, 0.0);
      for (std::int32_t i = 0; i < block.size; ++i) e.L[i * (block.size + 1)] = 1;
  }
}

std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

}  // namespace

bool ContactNewton::treats(const Inclusion& view) {
  return std::all_of(view.blocks.begin(), view.blocks.end(), [](const SetBlock& block) {
    return has_friction(block.kind) || block.kind == SetKind::orthant || block.kind == SetKind::box ||
           block.kind == SetKind::free_space;
  });
}

void ContactNewton::setup(const Inclusion& view, NewtonSystem& system, std::int64_t memory) {
  view_ = &view;
  system_ = &system;
  for (Vector* v : {&centre_, &w_, &change_, &direction_, &trial_, &equations_}) v->assign(at(view.size()), 0.0);
  history_.assign(at(memory), 0.0);
}

// |equations| at z + t direction_, where w is w_ + t change_.
double ContactNewton::defect_at(std::span<const double> z, double t, double alpha) {
  double sum = 0, w[5];
  for (std::size_t b = 0; b < view_->blocks.size(); ++b) {
    const SetBlock& block = view_->blocks[b];
    const auto start = at(block.start);
    const double weight = alpha * system_->scale(b);
    for (std::size_t i = start; i < start + at(block.size); ++i) {
      trial_[i] = z[i] + t * direction_[i];
      equations_[i] = w_[i] + t * change_[i] + weight * (trial_[i] - centre_[i]);
    }
    if (block.kind == SetKind::free_space) continue;
    std::copy_n(&equations_[start], block.size, w);
    block_equations(block, &trial_[start], w, std::sqrt(alpha) * system_->scale(b), {&equations_[start], nullptr, nullptr});
  }
  for (double value : equations_) sum += value * value;
  return std::sqrt(sum);
}

void ContactNewton::linearise(std::span<const double> z, double alpha) {
  for (std::size_t b = 0; b < view_->blocks.size(); ++b) {
    const SetBlock& block = view_->blocks[b];
    const auto start = at(block.start);
    const double weight = alpha * system_->scale(b);
    double *L = system_->left(b), *R = system_->right(b);
    for (std::size_t i = start; i < start + at(block.size); ++i) trial_[i] = w_[i] + weight * (z[i] - centre_[i]);
    block_equations(block, &z[start], &trial_[start], std::sqrt(alpha) * system_->scale(b), {&equations_[start], L, R});
    for (std::int32_t k = 0; k < block.size * block.size; ++k) R[k] += weight * L[k];
  }
}

// Halves the step until the defect is below the largest of the last ones; takes the last trial if none is.
double ContactNewton::line_search(std::span<double> z, double alpha, double reference) {
  double t = 1, defect = defect_at(z, t, alpha);
  for (int k = 0; k < halvings && !(defect <= reference); ++k) {
    t *= 0.5;
    defect = defect_at(z, t, alpha);
  }
  for (std::size_t i = 0; i < z.size(); ++i) {
    z[i] += t * direction_[i];
    w_[i] += t * change_[i];
  }
  return defect;
}

ContactNewton::Outcome ContactNewton::solve(std::span<double> z, double alpha, double share, std::int64_t steps, Control& control,
                                            std::int64_t iteration) {
  std::copy(z.begin(), z.end(), centre_.begin());
  std::copy(view_->q->begin(), view_->q->end(), w_.begin());
  multiply_add(*view_->M, 1.0, z, w_);
  double defect = defect_at(z, 0, alpha);
  const double goal = share * defect;
  Outcome outcome;
  for (std::int64_t k = 0; k < steps; ++k) {
    history_[at(k) % history_.size()] = defect;
    linearise(z, alpha);
    if (!system_->factorise()) return outcome;
    for (std::size_t i = 0; i < direction_.size(); ++i) direction_[i] = -equations_[i];
    system_->solve(direction_);
    std::fill(change_.begin(), change_.end(), 0.0);
    multiply_add(*view_->M, 1.0, direction_, change_);
    const auto remembered = static_cast<std::ptrdiff_t>(std::min(history_.size(), at(k) + 1));
    defect = line_search(z, alpha, *std::max_element(history_.begin(), history_.begin() + remembered));
    outcome.steps = k + 1;
    if (!std::isfinite(defect)) return outcome;
    outcome.stop = control.check(iteration + outcome.steps, z);
    outcome.solved = defect <= goal;
    if (outcome.solved || outcome.stop != Stop::none) return outcome;
  }
  return outcome;
}

ContactNewton::Outcome ContactNewton::polish(std::span<double> z, Control& control, std::int64_t iteration) {
  Outcome all;
  for (std::int64_t round = 0; round < polish_rounds; ++round) {
    const Outcome outcome = solve(z, polish_weight, polish_share, polish_steps, control, iteration + all.steps);
    all.steps += outcome.steps;
    all.stop = outcome.stop;
    if (outcome.stop != Stop::none || !outcome.solved) break;
  }
  return all;
}

}  // namespace nonsmooth
