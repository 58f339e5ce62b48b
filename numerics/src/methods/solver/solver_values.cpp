// New values for a solver: updates one by one, and the problems of a batch.
#include <algorithm>
#include <optional>

#include "core/error.hpp"
#include "core/index.hpp"
#include "linalg/matrix_layout.hpp"
#include "methods/solver/solver.hpp"
#include "problems/problem_values.hpp"

namespace nonsmooth {

// After values of problem_ have changed. A new right-hand side costs no more than reading it: a simulation has one per step.
void Solver::refresh(Change change) {
  certified_ = false;
  if (change == Change::matrix) seen_.forget_solves();
  if (seen_.condense_if_due()) {
    control_.log("joints are condensed after %lld solves with one matrix", static_cast<long long>(seen_.solves()));
    local_ = local_.first(at(view_.size()));
    pattern_ = -1;  // the method must be set up again
  }
  seen_.refresh(change);
  certifier_.refresh_scale();
  seen_.set_scale(certifier_.view().scale);
  if (change == Change::sets) {
    certifier_.refresh_sets();
    if (seen_.refresh_sets()) return set_up_method();
  }
  if (pattern_ != seen_.patterns()) return set_up_method();
  if (view_.size() > 0) method_->update(change);
}

bool Solver::has_q() const { return right_hand_side(problem_) != nullptr; }

std::int64_t Solver::q_size() const {
  const Vector* q = right_hand_side(problem_);
  if (q == nullptr) fail_without("q", problem_);
  return static_cast<std::int64_t>(q->size());
}

std::int64_t Solver::mu_size() const {
  const Vector* mu = friction_coefficients(problem_);
  return mu == nullptr ? 0 : static_cast<std::int64_t>(mu->size());
}

std::int64_t Solver::value_count() const { return static_cast<std::int64_t>(main_matrix(problem_).values().size()); }

void Solver::update_q(std::span<const double> q) {
  Vector& target = require_values(right_hand_side(problem_), q, "q", problem_);
  std::copy(q.begin(), q.end(), target.begin());
  refresh(Change::right_hand_side);
}

// The contacts see the forces in their right-hand side alone.
void Solver::update_f(std::span<const double> f) {
  Vector& target = require_values(forces(problem_), f, "f", problem_);
  std::copy(f.begin(), f.end(), target.begin());
  seen_.reduction()->refresh_free_motion();
  refresh(Change::right_hand_side);
}

void Solver::update_mu(std::span<const double> mu) {
  Vector& target = require_values(friction_coefficients(problem_), mu, "mu", problem_);
  for (std::size_t k = 0; k < mu.size(); ++k)
    if (mu[k] < 0) fail(NSM_INVALID_VALUE, "mu[%zu] = %g is negative", k, mu[k]);
  replace(target, Change::sets, [&] { std::copy(mu.begin(), mu.end(), target.begin()); });
}

void Solver::update_matrix(const nsm_matrix& M) {
  if (view_.F != nullptr) fail_without("matrix", problem_);
  Matrix& target = main_matrix(problem_);
  std::optional<Matrix> fresh;
  std::span<const double> values;
  if (problem_.problem_class() != NSM_QP && has_layout_of(M, target)) {
    values = {M.values, target.values().size()};
  } else {
    fresh = Matrix::from_view(M, "M");
    values = fresh->values();
  }
  require_finite_values(values, "M values");
  if (fresh && !same_pattern(*fresh, target))
    fail(NSM_INVALID_STRUCTURE, "update_matrix: storage, sizes or pattern differ from those at setup");
  if (problem_.problem_class() == NSM_QP) Qp::require_convex(*fresh);
  const std::span<double> own = target.own_values();
  replace(own, Change::matrix, [&] { std::copy(values.begin(), values.end(), own.begin()); });
}

// Values that the method refuses, or the condensation, leave the solver as it was.
template <class Write>
void Solver::replace(std::span<double> values, Change change, Write&& write) {
  previous_.assign(values.begin(), values.end());
  const bool was_certified = certified_;
  try {
    write();
    refresh(change);
  } catch (...) {
    std::copy(previous_.begin(), previous_.end(), values.begin());
    refresh(change);
    certified_ = was_certified;
    sensitivity_.reset();
    throw;
  }
}

void Solver::warm_start(std::span<const double> z) {
  require_size(z.size(), z_.size(), "z");
  require_finite_values(z, "z");
  std::copy(z.begin(), z.end(), start_.begin());  // z_ is the last solution until the next solve
  is_given_start_ = has_start_ = true;
}

void Solver::check(const BatchItem& item, std::int64_t index) const {
  const auto require_finite = [&](std::span<const double> values, const char* name) {
    if (const std::int64_t k = find_not_finite(values); k >= 0)
      fail(NSM_NOT_FINITE, "problem %lld of the batch: %s[%lld] is %g", static_cast<long long>(index), name,
           static_cast<long long>(k), values[at(k)]);
  };
  require_finite(item.values, "values");
  require_finite(item.q, "q");
  require_finite(item.z, "z");
}

// With the right-hand side that goes with it; both stay as they were if the matrix is refused.
void Solver::replace_matrix(const BatchItem& item) {
  Matrix& M = main_matrix(problem_);
  Vector& q = *right_hand_side(problem_);
  std::copy(q.begin(), q.end(), refused_.begin());
  std::copy(item.q.begin(), item.q.end(), q.begin());
  const bool was_certified = certified_;
  try {
    replace(M.own_values(), Change::matrix, [&] {
      M.assign(item.values);
      if (problem_.problem_class() == NSM_QP) Qp::require_convex(M);
    });
  } catch (...) {
    std::copy_n(refused_.begin(), q.size(), q.begin());
    refresh(Change::right_hand_side);
    certified_ = was_certified;
    throw;
  }
}

const nsm_result& Solver::solve(const BatchItem& item, std::int64_t index) {
  if (item.values.empty()) {
    std::copy(item.q.begin(), item.q.end(), right_hand_side(problem_)->begin());
    refresh(Change::right_hand_side);
  } else {
    try {
      replace_matrix(item);
    } catch (const Error& error) {
      fail(error.status(), "problem %lld of the batch: %s", static_cast<long long>(index), error.message().c_str());
    }
  }
  std::copy(item.z.begin(), item.z.end(), z_.begin());
  is_given_start_ = true;
  has_start_ = false;
  const nsm_result& result = solve_once();
  std::copy(z_.begin(), z_.end(), item.z.begin());
  if (!item.w.empty()) std::copy(w_.begin(), w_.end(), item.w.begin());
  return result;
}

}  // namespace nonsmooth
