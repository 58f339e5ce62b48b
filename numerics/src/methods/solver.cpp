#include "methods/solver.hpp"

#include <algorithm>
#include <atomic>
#include <optional>
#include <utility>

#include "certificate/farkas.hpp"
#include "core/error.hpp"
#include "methods/infeasibility.hpp"
#include "methods/minimal_face.hpp"
#include "methods/problem_values.hpp"
#include "problems/bounds.hpp"
#include "problems/inclusion.hpp"
#include "problems/jacobian.hpp"
#include "problems/relaxation.hpp"
#include "sets/set.hpp"

namespace nonsmooth {
namespace {

// A claim that the certificate refuses is tried once more if its residual is at most so many tolerances: lifting and rounding add
// no more than that.
constexpr double largest_excess = 1000;
constexpr double margin = 0.1;                  // share of the residual that would have sufficed, asked of that try
constexpr std::int64_t smallest_blocked = 100;  // unknowns; what is smaller is solved whole before its blocks would pay
constexpr double refinement = 0.5;              // a refused claim is refined as long as every step leaves at most this share
constexpr double near_start = 0.1;              // with a residual below it the last solution is a better start than 0

const MethodEntry& choose_method(const Problem& problem, const char* name) {
  const nsm_class c = problem.problem_class();
  const MethodEntry* entry = name == nullptr ? default_method(problem) : find_method(name);
  if (entry == nullptr && name == nullptr) fail(NSM_UNSUPPORTED, "no method treats this problem of class %s", nsm_class_name(c));
  if (entry == nullptr) fail(NSM_UNKNOWN_METHOD, "no method is named '%.100s'", name);
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

// Place in mu of every block of the view with friction, else -1.
IndexVector places_in_mu(const Problem& problem, std::span<const SetBlock> blocks) {
  const Generic* generic = std::get_if<Generic>(&problem.data);
  IndexVector places(blocks.size(), -1);
  std::int32_t place = 0, start = 0;  // of the present block of the problem, its first row
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    while (generic != nullptr && start < blocks[b].start) start += generic->block_size[static_cast<std::size_t>(place++)];
    if (!has_friction(blocks[b].kind)) continue;
    places[b] = place;
    if (generic == nullptr) ++place;
  }
  return places;
}

bool same_place(const SetBlock& a, const SetBlock& b) { return a.kind == b.kind && a.start == b.start && a.size == b.size; }

}  // namespace

Solver::Solver(const Problem& problem, const char* method, const Options& options)
    : problem_{problem.data, {}, {}, {}, {}, {}, {}},
      options_(options),
      entry_(&choose_method(problem, method)),
      certifier_(problem_),
      view_(certifier_.view()) {
  if (Polyhedron* set = polyhedron_of(problem_)) set->patience = this;
  if (GlobalContactData* data = global_data(problem_)) {
    reduced_ = Reduction::of(*data, may_keep_joints(*entry_, problem, options));
    view_ = reduced_->inclusion();
  } else {
    find_blocks();
    find_bounds();
  }
  relax();
  if (const std::int64_t threads = options_.integer(Option::threads); threads > 1) {
    workers_ = std::make_unique<Workers>(static_cast<int>(threads));
    view_.workers = workers_.get();
  }
  const auto size = static_cast<std::size_t>(problem_.size());
  divide(room_, {{z_, size}, {w_, size}, {local_, static_cast<std::size_t>(view_.size())}, {refused_, size}, {start_, size}});
  std::fill(z_.begin(), z_.end(), 0.0);
  if (!reduced_ && infeasibility_size(certifier_.view()) > 0) {
    ray_.reserve(infeasibility_size(certifier_.view()));
    workspace_.resize(proof_workspace(certifier_.view()));
  }
  set_up_method();
}

void Solver::set_up_method() {
  // Bodies are known by whole contacts; a relaxed one without friction is a block for each of its rows.
  const bool whole = view_.blocks.size() == original().blocks.size();
  if (reduced_) view_.bodies = whole ? reduced_->inclusion().bodies : nullptr;
  if (reduced_) view_.elastic = whole ? reduced_->inclusion().elastic : nullptr;
  control_.setup(view_, options_, entry_->info.default_iterations);
  method_ = entry_->create();
  if (view_.size() > 0) method_->setup(view_, options_);
  pattern_ = patterns();
}

// How many times the entries that the method sees have become others than those that it was set up for.
std::int64_t Solver::patterns() const {
  if (reduced_) return reduced_->patterns();
  return blocks_ ? blocks_->patterns() : 0;
}

// What the method sees of the matrix of contacts of one size; the certificate sees it as it was given.
void Solver::find_blocks() {
  if (view_.F != nullptr || view_.size() < smallest_blocked) return;
  const std::int32_t size = view_.blocks.front().size;
  if (!std::ranges::all_of(view_.blocks, [&](const SetBlock& b) { return has_friction(b.kind) && b.size == size; })) return;
  blocks_ = BlockCopy::of(*view_.M, size);
  if (blocks_) view_.M = &blocks_->matrix();
}

// Bounds that come as rows of H are bounds to methods, and far ones are none; the certificate judges by what was given.
void Solver::find_bounds() {
  forget_far_bounds(view_.blocks);
  const Polyhedron* set = view_.F == nullptr ? polyhedron_of(problem_) : nullptr;
  if (set != nullptr) bounds_ = BoundsInRows::of(*set, problem_.size());
  if (bounds_) view_.blocks = bounds_->blocks();
}

// The method and its control then see the convex problem; the certificate remains that of problem_.
void Solver::relax() {
  relaxed_ = has_contacts(view_) && options_.flag(Option::convex_relaxation);
  if (relaxed_) view_.blocks = relaxed_blocks(view_.blocks);
}

// In a sequence with one matrix joints that have been kept are condensed once as many solves have gone by as that costs. If their
// matrix is singular, they stay for as many again. Nothing has changed if it throws.
void Solver::condense_if_due() {
  if (!reduced_ || !(static_cast<double>(solves_) > reduced_->patience())) return;
  std::unique_ptr<Reduction> condensed;
  try {
    condensed = Reduction::of(*global_data(problem_), false);
  } catch (const Error&) {
    solves_ = 0;
    return;
  }
  control_.log("joints are condensed after %lld solves with one matrix", static_cast<long long>(solves_));
  Inclusion view = condensed->inclusion();
  view.scale = view_.scale;
  view.workers = view_.workers;
  view_ = std::move(view);
  reduced_ = std::move(condensed);
  local_ = local_.first(static_cast<std::size_t>(view_.size()));
  pattern_ = -1;  // the method must be set up again
}

// After values of problem_ have changed. A new right-hand side costs no more than reading it: a simulation has one per step.
void Solver::refresh(Change change) {
  certified_ = false;
  if (change == Change::matrix) solves_ = 0;
  condense_if_due();
  if (reduced_ && change == Change::matrix) reduced_->refactorise();
  if (reduced_) reduced_->refresh();
  certifier_.refresh_scale();
  view_.scale = certifier_.view().scale;
  if (change == Change::sets) {
    certifier_.refresh_sets();
    std::vector<SetBlock> before;
    if (relaxed_) before = view_.blocks;
    view_.blocks = original().blocks;
    forget_far_bounds(view_.blocks);
    relax();
    // A contact of the convex problem that has lost its friction, or got some, is made of other sets.
    if (relaxed_ && !std::ranges::equal(before, view_.blocks, same_place)) return set_up_method();
  }
  if (blocks_ && change == Change::matrix) blocks_->refresh(main_matrix(problem_));
  if (pattern_ != patterns()) return set_up_method();
  if (view_.size() > 0) method_->update(change);
}

std::int64_t Solver::q_size() const {
  const Vector* q = right_hand_side(const_cast<Problem&>(problem_));
  if (q == nullptr) fail_without("q", problem_);
  return static_cast<std::int64_t>(q->size());
}

std::int64_t Solver::mu_size() const {
  const Vector* mu = friction_coefficients(const_cast<Problem&>(problem_));
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
  reduced_->refresh_free_motion();
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
  Matrix& target = const_cast<Matrix&>(main_matrix(problem_));
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

// The method's part of z_: the contacts of a global problem are its last entries. F need not be defined outside C, and data
// behind the callbacks may have changed since the last solve. A method that could not be set up for a new pattern is set up
// here, or refuses again.
void Solver::load_start() {
  if (pattern_ != patterns()) set_up_method();
  std::copy(z_.end() - static_cast<std::ptrdiff_t>(local_.size()), z_.end(), local_.begin());
  if (view_.F == nullptr) return;
  certifier_.refresh_scale();
  view_.scale = residual_scale(view_, w_);
  if (project(view_, z_, local_) && find_not_finite(local_) < 0) control_.start_at(local_);
  if (options_.flag(Option::check_jacobian)) check_jacobian(view_, local_);
}

void Solver::lift(std::span<const double> local, std::span<double> z) {
  if (reduced_)
    reduced_->lift(local, z);
  else
    std::copy(local.begin(), local.end(), z.begin());
}

// What the method claims, if it is true of the problem: of a global one with the multipliers of its joints.
bool Solver::keep_proof(std::span<const double> y) {
  bool is_proof = false;
  if (reduced_) {
    ray_.resize(z_.size());
    reduced_->lift_change(y, ray_);
    ray_.erase(ray_.begin(), ray_.end() - proof_size(problem_));
    is_proof = complete_global_proof(*global_data(problem_), ray_, control_.tolerance());
  } else {
    ray_.assign(y.begin(), y.end());
    const Inclusion& view = bounds_ ? certifier_.view() : view_;
    is_proof = proves_infeasible(view, y, proof_tolerance, certified_violation(view, control_), workspace_);
  }
  if (!is_proof) ray_.clear();
  return is_proof;
}

bool Solver::keeps_claimed_proof() {
  const std::span<const double> y = method_->infeasibility_ray();
  if (y.empty()) return false;
  return bounds_ ? keep_proof(bounds_->lift(y)) : keep_proof(y);
}

// Methods that know a polyhedron by its projection alone break down where it is empty.
bool Solver::proves_empty() {
  const Polyhedron* set = polyhedron_of(problem_);
  if (set == nullptr || !control_.goes_on()) return false;
  Vector start(z_.size()), point(z_.size());
  if (project(*set, start, point)) return false;
  const Vector y = prove_empty(*set, view_.size());
  return !y.empty() && keep_proof(y);
}

nsm_outcome Solver::outcome_of(Stop stop, const nsm_certificate& certificate) {
  if (certificate.verdict != NSM_NOT_CERTIFIED) return NSM_CONVERGED;
  switch (stop) {
    case Stop::infeasible: return keeps_claimed_proof() ? NSM_INFEASIBLE : NSM_RAY;
    case Stop::ray: return NSM_RAY;
    case Stop::iteration_limit: return NSM_ITERATION_LIMIT;
    case Stop::time_limit: return NSM_TIME_LIMIT;
    case Stop::cancelled: return NSM_CANCELLED;
    case Stop::breakdown: return proves_empty() ? NSM_INFEASIBLE : NSM_BREAKDOWN;
    case Stop::out_of_memory: return NSM_BREAKDOWN;
    case Stop::none:
    case Stop::finished:  // a claim the certificate does not confirm
    case Stop::stalled: return NSM_STALLED;
  }
  return NSM_STALLED;
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
  if (!done && stop != Stop::cancelled && view_.size() > 0) {
    is_searched_ = true;
    stop = method_->solve(local_, control_);
  }
  // A projection that has had no time left, or no leave to go on, ends some methods as if it had been their own failure.
  if (stop == Stop::breakdown || stop == Stop::stalled)
    if (const Stop limit = control_.check_outside(); limit != Stop::none) stop = limit;
  // What a method ends on counts only if it is better than what it had; where it has finished, its last check has just said so.
  if (stop != Stop::finished) control_.consider(local_);
  lift(control_.best(), z_);
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
    reduced_->shift(workspace_);
    is_shifted_ = true;
    method_->update(Change::right_hand_side);
    last = run_again(tolerance);
  }
  return last;
}

void Solver::restore_q() {
  if (!is_shifted_) return;
  is_shifted_ = false;
  reduced_->refresh();
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
  if (reduced_ && !relaxed_ && view_.size() > 0) last = run_with_motion(last);
  if (certificate.verdict != NSM_NOT_CERTIFIED) return last;
  if (at_start && control_.goes_on()) return run_from_zero();
  if (!is_refused(last) || relaxed_ || !(certificate.residual <= largest_excess * certificate.tolerance)) return last;
  return run_again(margin * control_.best_residual() * certificate.tolerance / certificate.residual);
}

const nsm_result& Solver::solve() {
  const ClearsCancellation at_return(control_);
  return solve_once();
}

const nsm_result& Solver::solve_once() {
  solved_ = certified_ = is_searched_ = false;  // should anything be thrown
  nsm_result& result = result_ = NSM_RESULT_INIT;
  ray_.clear();
  ++solves_;
  if (std::exchange(has_start_, false)) std::copy(start_.begin(), start_.end(), z_.begin());
  control_.begin();
  restore_q();
  Run last = run();
  if (is_refused(last)) last = run_refused(last);
  result.outcome = outcome_of(last.stop, result.certificate);
  // The method's view has no equations of motion and no joints. NaN stays, in this order.
  if (relaxed_) result.relaxation_residual = std::max(result.certificate.dynamics, control_.best_residual());
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

void Solver::check(const BatchItem& item, std::int64_t index) const {
  const auto require_finite = [&](std::span<const double> values, const char* name) {
    if (const std::int64_t k = find_not_finite(values); k >= 0)
      fail(NSM_NOT_FINITE, "problem %lld of the batch: %s[%lld] is %g", static_cast<long long>(index), name,
           static_cast<long long>(k), values[static_cast<std::size_t>(k)]);
  };
  require_finite(item.values, "values");
  require_finite(item.q, "q");
  require_finite(item.z, "z");
}

// With the right-hand side that goes with it; both stay as they were if the matrix is refused.
void Solver::replace_matrix(const BatchItem& item) {
  Matrix& M = const_cast<Matrix&>(main_matrix(problem_));
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

Sensitivity& Solver::sensitivity() {
  if (!certified_) fail(NSM_NOT_AVAILABLE, "no certified solution of the present values: nsm_solve comes first");
  if (!sensitivity_) {
    const auto rows = static_cast<std::size_t>(view_.size());
    const Inclusion view = reduced_ ? reduced_->determined() : original();
    sensitivity_ = std::make_unique<Sensitivity>(view, places_in_mu(problem_, view.blocks), z_.last(rows), w_.last(rows));
  }
  return *sensitivity_;
}

void Solver::differentiate(std::span<const double> dq, std::span<const double> dmu, std::span<double> dz, std::span<double> dw) {
  require_finite_values(dq, "dq");
  require_finite_values(dmu, "dmu");
  Sensitivity& derivative = sensitivity();
  if (!reduced_) return derivative.apply(dq, dmu, dz, dw);
  // What the equations of motion leave stays 0.
  const std::span<double> du = dw.empty() ? dw : dw.last(local_.size());
  std::fill(dw.begin(), dw.end() - static_cast<std::ptrdiff_t>(du.size()), 0.0);
  Vector dr(dz.empty() ? 0 : local_.size()), of_all(dq.empty() ? 0 : local_.size());  // joints come first, and have no dq
  std::copy(dq.begin(), dq.end(), of_all.end() - std::ssize(dq));
  derivative.apply(of_all, dmu, dr, du);
  if (!dz.empty()) reduced_->lift_change(dr, dz);
}

void Solver::differentiate_transposed(std::span<const double> gz, std::span<const double> gw, std::span<double> gq,
                                      std::span<double> gmu) {
  require_finite_values(gz, "gz");
  require_finite_values(gw, "gw");
  Sensitivity& derivative = sensitivity();
  if (!reduced_) return derivative.apply_transposed(gz, gw, gq, gmu);
  Vector gr(gz.empty() ? 0 : local_.size());
  if (!gz.empty()) reduced_->lift_change_transposed(gz, gr);
  Vector of_all(gq.empty() ? 0 : local_.size());
  derivative.apply_transposed(gr, gw.empty() ? gw : gw.last(local_.size()), of_all, gmu);
  std::copy(of_all.end() - std::ssize(gq), of_all.end(), gq.begin());
}

std::int64_t Solver::listed_solutions() const { return is_searched_ ? method_->stored_solutions() : 0; }

std::int64_t Solver::stored_solutions() const { return std::max<std::int64_t>(1, listed_solutions()); }

void Solver::solution_at(std::int64_t index, std::span<double> z, std::span<double> w) {
  if (listed_solutions() == 0) {
    std::copy(z_.begin(), z_.end(), z.begin());
  } else {
    lift(method_->stored_solution(index), z);
  }
  certifier_.certify(z, {}, options_.real(Option::tolerance), w);
}

}  // namespace nonsmooth
