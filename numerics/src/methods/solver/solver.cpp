#include "methods/solver/solver.hpp"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "certificate/farkas.hpp"
#include "core/error.hpp"
#include "core/index.hpp"
#include "core/suggestion.hpp"
#include "problems/jacobian.hpp"
#include "problems/problem_values.hpp"
#include "sets/set.hpp"

namespace nonsmooth {
namespace {

// A claim that the certificate refuses is tried once more if its residual is at most so many tolerances: lifting and rounding add
// no more than that.
constexpr double largest_excess = 1000;
constexpr double margin = 0.1;      // share of the residual that would have sufficed, asked of that try
constexpr double refinement = 0.5;  // a refused claim is refined as long as every step leaves at most this share
constexpr double near_start = 0.1;  // with a residual below it the last solution is a better start than 0

const MethodEntry& choose_method(const Problem& problem, const char* name) {
  const nsm_class c = problem.problem_class();
  const MethodEntry* entry = name == nullptr ? default_method(problem) : find_method(name);
  if (entry == nullptr && name == nullptr) fail(NSM_UNSUPPORTED, "no method treats this problem of class %s", nsm_class_name(c));
  if (entry == nullptr) {
    std::vector<std::string_view> names;
    for (const MethodEntry* known : method_table()) names.emplace_back(known->info.name);
    fail(NSM_UNKNOWN_METHOD, "no method is named '%.100s'%s", name, suggestion(name, names).c_str());
  }
  if ((entry->info.classes & class_bit(c)) == 0)
    fail(NSM_UNSUPPORTED, "%s does not treat problems of class %s", entry->info.name, nsm_class_name(c));
  return *entry;
}

// By `auto` alone, which factorises then: sweeps and projections spread forces joint by joint. Not in a sequence with one matrix,
// where what reduces its problems to fewer unknowns is paid for once, nor with second-order cones, beside which few methods treat
// free rows.
bool may_keep_joints(const MethodEntry& method, const Problem& problem, const Options& options) {
  const bool is_one_of_many = options.flag(Option::all_stages) || options.integer(Option::first_stage) != 0;
  return &method == default_method(problem) && !is_one_of_many && !options.flag(Option::convex_relaxation);
}

// Projections onto its set, if it has one, ask `patience`.
Problem values_of(const Problem& problem, Patience& patience) {
  Problem copy{problem.data, {}, {}, {}, {}, {}, {}};
  if (Polyhedron* set = polyhedron_of(copy)) set->patience = &patience;
  return copy;
}

}  // namespace

Solver::Solver(const Problem& problem, const char* method, const Options& options)
    : problem_(values_of(problem, *this)),
      options_(options),
      entry_(&choose_method(problem, method)),
      certifier_(problem_),
      seen_(problem_, certifier_, options, may_keep_joints(*entry_, problem, options)) {
  const std::size_t size = at(problem_.size());
  divide(room_, {{z_, size}, {w_, size}, {local_, at(view_.size())}, {refused_, size}, {start_, size}});
  std::fill(z_.begin(), z_.end(), 0.0);
  if (seen_.reduction() != nullptr) {
    ray_.reserve(size);
    workspace_.reserve(local_.size());
  } else if (infeasibility_size(certifier_.view()) > 0) {
    ray_.reserve(infeasibility_size(certifier_.view()));
    workspace_.resize(proof_workspace(certifier_.view()));
  }
  set_up_method();
}

void Solver::set_up_method() {
  seen_.describe_bodies();
  control_.setup(view_, options_, entry_->info.default_iterations);
  control_.set_tells_residuals(entry_ != find_method("auto"));
  control_.set_sees_problem(seen_.reduction() == nullptr && !seen_.is_relaxed() && seen_.bounds() == nullptr);
  method_ = entry_->create();
  if (view_.size() > 0) method_->setup(view_, options_);
  pattern_ = seen_.patterns();
}

// The method's part of z_: the contacts of a global problem are its last entries. F need not be defined outside C, and data
// behind the callbacks may have changed since the last solve. A method that could not be set up for a new pattern is set up
// here, or refuses again.
void Solver::load_start() {
  if (pattern_ != seen_.patterns()) set_up_method();
  std::copy(z_.end() - static_cast<std::ptrdiff_t>(local_.size()), z_.end(), local_.begin());
  if (view_.F == nullptr) return;
  certifier_.refresh_scale();
  seen_.set_scale(residual_scale(view_, w_));
  if (project(view_, z_, local_) && find_not_finite(local_) < 0) control_.start_at(local_);
  if (options_.flag(Option::check_jacobian)) check_jacobian(view_, local_);
}

// The last solution, or what the last solve has failed at, may be far from the next solution: then 0, if that is nearer.
Stop Solver::check_start() {
  const Stop stop = control_.check(0, local_);
  if (stop != Stop::none || is_given_start_ || view_.F != nullptr || !(control_.residual() > near_start)) return stop;
  const double residual = control_.residual();
  std::fill(local_.begin(), local_.end(), 0.0);
  const Stop at_zero = control_.check(0, local_, *view_.q);
  if (control_.residual() < residual) return at_zero;
  std::copy(z_.end() - static_cast<std::ptrdiff_t>(local_.size()), z_.end(), local_.begin());
  return stop;
}

// From z_ to z_ and its certificate. A start that is a solution already ends the solve, unless all solutions are wanted.
Solver::Run Solver::run() {
  struct Restore {
    std::optional<double>& end;
    ~Restore() { end = HUGE_VAL; }
  } restore{patience_end_};
  patience_end_.reset();
  load_start();
  Stop stop = check_start();
  const bool done = stop == Stop::finished && !options_.flag(Option::all_solutions);
  // Of a solve that begins again the iterations may be spent.
  if (!done && stop != Stop::cancelled && stop != Stop::iteration_limit && view_.size() > 0) {
    is_searched_ = true;
    stop = method_->solve(local_, control_);
  }
  // A projection that has had no time left, or no leave to go on, ends some methods as if it had been their own failure.
  if (stop == Stop::breakdown || stop == Stop::stalled)
    if (const Stop limit = control_.check_outside(); limit != Stop::none) stop = limit;
  // What a method ends on counts only if it is better than what it had; where it has finished, its last check has just said so.
  if (stop != Stop::finished) control_.consider(local_);
  seen_.lift(control_.best(), z_);
  const bool is_late = stop == Stop::time_limit || stop == Stop::cancelled;
  patience_end_ = is_late ? 2 * control_.seconds() : HUGE_VAL;
  result_.certificate = certifier_.certify(z_, {}, options_.real(Option::tolerance), w_);
  return {stop, done};
}

// Projections end with the method; those of its certificate may take as long again where it had to end.
bool Solver::lasts() { return patience_end_ ? control_.seconds() < *patience_end_ : control_.goes_on(); }

bool Solver::is_refused(const Run& last) const {
  return last.stop == Stop::finished && result_.certificate.verdict == NSM_NOT_CERTIFIED;
}

// From a claim that the certificate has refused, which stays if nothing better comes of it.
Solver::Run Solver::run_again(double tolerance) {
  const nsm_certificate& certificate = result_.certificate;
  const double residual = certificate.residual;
  std::copy(z_.begin(), z_.end(), refused_.begin());
  control_.begin_again(tolerance);
  const Run last = run();
  if (certificate.verdict == NSM_NOT_CERTIFIED && !(certificate.residual < residual)) {
    std::copy(refused_.begin(), refused_.end(), z_.begin());
    result_.certificate = certifier_.certify(z_, {}, options_.real(Option::tolerance), w_);
  }
  return last;
}

// Contacts see the motion through W, whose rounding may be worth more than the tolerance: stiff elastic bodies that nothing holds
// leave 1e-8 of W and more. What the motion that goes with the reactions leaves at the contacts is known to rounding, and takes
// the place of what W makes of them; the reactions are right when nothing is left of the difference.
Solver::Run Solver::run_with_motion(Run last) {
  const double tolerance = options_.real(Option::tolerance);
  double before = HUGE_VAL;
  while (is_refused(last) && result_.certificate.residual < refinement * before) {
    before = result_.certificate.residual;
    const auto contacts = std::span(z_).last(local_.size());
    workspace_.assign(view_.q->begin(), view_.q->end());
    multiply_add(view_, contacts, workspace_);
    for (std::size_t i = 0; i < workspace_.size(); ++i) workspace_[i] = w_.last(local_.size())[i] - workspace_[i];
    seen_.reduction()->shift(workspace_);
    is_shifted_ = true;
    method_->update(Change::right_hand_side);
    last = run_again(tolerance);
  }
  return last;
}

void Solver::restore_q() {
  if (!is_shifted_) return;
  is_shifted_ = false;
  seen_.reduction()->refresh();
  method_->update(Change::right_hand_side);
}

Solver::Run Solver::run_from_zero() {
  restore_q();
  std::fill(z_.begin(), z_.end(), 0.0);
  control_.begin_strictly();
  return run();
}

// What can be done about a claim that the certificate has refused.
Solver::Run Solver::run_refused(Run last) {
  const nsm_certificate& certificate = result_.certificate;
  const bool at_start = last.at_start;
  // Rounding hides the residual of a start or an iterate that is too large, and no method goes on from there.
  if (!is_meaningful(certificate.rounding_floor, certificate.tolerance)) return run_from_zero();
  if (seen_.reduction() != nullptr && !seen_.is_relaxed() && view_.size() > 0) last = run_with_motion(last);
  if (certificate.verdict != NSM_NOT_CERTIFIED) return last;
  if (at_start && control_.goes_on()) return run_from_zero();
  if (!is_refused(last) || seen_.is_relaxed() || !(certificate.residual <= largest_excess * certificate.tolerance)) return last;
  return run_again(margin * control_.best_residual() * certificate.tolerance / certificate.residual);
}

const nsm_result& Solver::solve() {
  const ControlledCall call(control_);
  return solve_once();
}

const nsm_result& Solver::solve_once() {
  solved_ = certified_ = is_searched_ = false;  // should anything be thrown
  nsm_result& result = result_ = NSM_RESULT_INIT;
  ray_.clear();
  seen_.count_solve();
  if (std::exchange(has_start_, false)) std::copy(start_.begin(), start_.end(), z_.begin());
  control_.begin();
  restore_q();
  Run last = run();
  if (is_refused(last)) last = run_refused(last);
  result.outcome = outcome_of(last.stop, result.certificate);
  // The method's view has no equations of motion and no joints. NaN stays, in this order.
  if (seen_.is_relaxed()) result.relaxation_residual = std::max(result.certificate.dynamics, control_.best_residual());
  result.iterations = control_.iterations();
  result.time = control_.seconds();
  result.setup_time = control_.setup_seconds();
  const char* stage = last.at_start ? nullptr : method_->finished_by();
  result.finished_by = stage != nullptr ? stage : entry_->info.name;
  result.solutions = is_searched_ ? method_->solution_count() : 0;
  if (result.solutions == 0 && result.outcome == NSM_CONVERGED) result.solutions = 1;
  out_of_memory_ = last.stop == Stop::out_of_memory && result.outcome != NSM_CONVERGED;
  solved_ = true;
  certified_ = result.outcome == NSM_CONVERGED;
  is_given_start_ = false;
  sensitivity_.reset();
  restore_q();
  return result;
}

std::int64_t Solver::listed_solutions() const { return is_searched_ ? method_->stored_solutions() : 0; }

std::int64_t Solver::stored_solutions() const { return std::max<std::int64_t>(1, listed_solutions()); }

void Solver::solution_at(std::int64_t index, std::span<double> z, std::span<double> w) {
  if (listed_solutions() == 0) {
    std::copy(z_.begin(), z_.end(), z.begin());
  } else {
    seen_.lift(method_->stored_solution(index), z);
  }
  certifier_.certify(z, {}, options_.real(Option::tolerance), w);
}

}  // namespace nonsmooth
