#include "methods/newton/contact_newton.hpp"

#include <algorithm>
#include <cmath>

#include "core/index.hpp"

namespace nonsmooth {
namespace {

constexpr int step_halvings = 8;
constexpr double direction_defect = 1e-12;  // of what a step solves; the next one mends it
constexpr double mended = 0.5;              // of the defect: what a full step that needs no mending leaves at most
constexpr double worth = 0.8;               // and a mended one
constexpr std::int64_t told_after = 4;      // steps: a defect above this share of the first seldom ends within a dozen
constexpr double hopeless = 0.7;
constexpr int mendings = 6;  // contacts that come in because others have been mended
constexpr double polish_weight = 1e-7, polish_share = 1e-6;
constexpr std::int64_t polish_steps = 4, polish_rounds = 3;

// What z is compared in with w, over the scale of the block.
double stretch(double alpha) { return alpha > 0 ? std::sqrt(alpha) : 1; }

}  // namespace

bool ContactNewton::treats(const Inclusion& view, ConeFunction function) { return ConeEquations::treats(view, function); }

void ContactNewton::setup(const Inclusion& view, NewtonSystem& system, std::int64_t memory, ConeFunction function) {
  view_ = &view;
  system_ = &system;
  for (Vector* v : {&centre_, &w_, &change_, &direction_, &trial_, &equations_}) v->assign(at(view.size()), 0.0);
  history_.assign(at(memory), 0.0);
  std::int32_t largest = 0;
  for (const SetBlock& block : view.blocks) largest = std::max(largest, block.size);
  block_w_.assign(at(largest), 0.0);
  cone_.setup(view, function);
}

// |equations| at z + t direction_, where w is w_ + t change_.
double ContactNewton::defect_at(std::span<const double> z, double t, double alpha) {
  for (std::size_t i = 0; i < z.size(); ++i) {
    trial_[i] = z[i] + t * direction_[i];
    equations_[i] = w_[i] + t * change_[i];
  }
  double sum = 0;
  for (std::size_t b = 0; b < view_->blocks.size(); ++b) {
    const SetBlock& block = view_->blocks[b];
    const auto start = at(block.start);
    const double weight = alpha * system_->scale(b);
    for (std::size_t i = start; i < start + at(block.size); ++i)
      block_w_[i - start] = equations_[i] + weight * (trial_[i] - centre_[i]);
    cone_.evaluate(block, &trial_[start], block_w_.data(), stretch(alpha) * system_->scale(b),
                   {&equations_[start], nullptr, nullptr});
    for (std::size_t i = start; i < start + at(block.size); ++i) sum += equations_[i] * equations_[i];
  }
  return std::sqrt(sum);
}

void ContactNewton::mend_by(NonlinearElimination* elimination) {
  elimination_ = elimination;
  if (elimination == nullptr) return;
  for (Vector* v : {&full_direction_, &full_change_, &source_}) v->assign(at(view_->size()), 0.0);
  defects_.assign(view_->blocks.size(), 0.0);
}

// The defect of the full step. Where that fails in a few contacts the step is changed so that these end where their law has them.
double ContactNewton::full_step(std::span<const double> z, double alpha, double reference, Control& control) {
  const double unmended = defect_at(z, 1, alpha);
  if (elimination_ == nullptr || unmended <= mended * reference || !elimination_->is_due()) return unmended;
  full_direction_ = direction_;
  full_change_ = change_;
  elimination_->choose_none();
  double defect = unmended;
  for (int k = 0; k < mendings && defect > mended * reference; ++k) {
    if (!follow_source(alpha, control)) break;
    defect = defect_at(z, 1, alpha);
  }
  const bool success = defect <= worth * reference;
  control.log("Newton step with the law of %zu contacts: defect %.2e after %.2e", elimination_->chosen(), defect, reference);
  elimination_->report(success);
  if (success) return defect;
  direction_ = full_direction_;
  change_ = full_change_;
  return unmended;
}

// From the trial point, of which trial_ and equations_ are.
bool ContactNewton::follow_source(double alpha, Control& control) {
  for (std::size_t b = 0; b < defects_.size(); ++b) {
    const SetBlock& block = view_->blocks[b];
    defects_[b] = 0;
    for (std::size_t i = at(block.start); i < at(block.start + block.size); ++i) {
      defects_[b] += equations_[i] * equations_[i];
      equations_[i] = w_[i] + change_[i] + alpha * system_->scale(b) * (trial_[i] - centre_[i]);
    }
  }
  if (!elimination_->choose(defects_) || !elimination_->find_source(trial_, equations_, alpha, source_, control)) return false;
  system_->solve(source_);
  for (std::size_t i = 0; i < source_.size(); ++i) direction_[i] += source_[i];
  multiply_add(*view_, source_, change_);
  return true;
}

void ContactNewton::linearise(std::span<const double> z, double alpha) {
  for (std::size_t b = 0; b < view_->blocks.size(); ++b) {
    const SetBlock& block = view_->blocks[b];
    const auto start = at(block.start);
    const double weight = alpha * system_->scale(b);
    double *L = system_->left(b), *R = system_->right(b);
    for (std::size_t i = start; i < start + at(block.size); ++i) trial_[i] = w_[i] + weight * (z[i] - centre_[i]);
    cone_.evaluate(block, &z[start], &trial_[start], stretch(alpha) * system_->scale(b), {&equations_[start], L, R});
    for (std::int32_t k = 0; k < block.size * block.size; ++k) R[k] += weight * L[k];
  }
}

// Halves the step, the full one of which leaves `defect`, until that is below the largest of the last ones; takes the last trial
// if none is.
double ContactNewton::line_search(std::span<double> z, double alpha, double reference, double defect) {
  double t = 1;
  for (int k = 0; k < step_halvings && !(defect <= reference); ++k) {
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
  multiply_add(*view_, z, w_);
  double defect = defect_at(z, 0, alpha);
  const double goal = share * defect;
  Outcome outcome;
  for (std::int64_t k = 0; k < steps; ++k) {
    history_[at(k) % history_.size()] = defect;
    linearise(z, alpha);
    if (!system_->factorise()) return outcome;
    for (std::size_t i = 0; i < direction_.size(); ++i) direction_[i] = -equations_[i];
    system_->solve(direction_, direction_defect);
    std::fill(change_.begin(), change_.end(), 0.0);
    multiply_add(*view_, direction_, change_);
    const double full = full_step(z, alpha, defect, control);
    const auto remembered = static_cast<std::ptrdiff_t>(std::min(history_.size(), at(k) + 1));
    defect = line_search(z, alpha, *std::max_element(history_.begin(), history_.begin() + remembered), full);
    outcome.steps = k + 1;
    outcome.stop = control.check(iteration + outcome.steps, z);
    if (!std::isfinite(defect)) return outcome;
    outcome.solved = defect <= goal;
    if (outcome.solved || outcome.stop != Stop::none) return outcome;
    if (outcome.steps == told_after && share * defect > hopeless * goal) return outcome;
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
