#include "methods/pivoting/lemke_runs.hpp"

#include <algorithm>
#include <cmath>

#include "certificate/farkas.hpp"
#include "core/index.hpp"
#include "core/random.hpp"
#include "methods/frame/golden_fraction.hpp"

namespace nonsmooth {
namespace {

constexpr double least_cover = 1e-3;  // entries of covering vectors must be positive; rows are equilibrated
// Of vectors drawn at random: entries from 2^-4 to 2^4, evenly in their logarithms.
constexpr double cover_octaves = 8;
constexpr int repeats = 2;  // of a run whose basis failed the certificate, from that basis

}  // namespace

bool LemkeRuns::ends_solve(Stop stop) { return stop == Stop::finished || is_limit(stop); }

void LemkeRuns::prepare(const Inclusion& view, const Options& options, int interval) {
  view_ = &view;
  n_ = basis_.n();
  has_multipliers_ = n_ > view.size();
  is_lcp_ = all_of_kind(view, {SetKind::orthant});
  has_proof_ = infeasibility_size(view) > 0;
  restarts_ = static_cast<int>(options.integer(Option::restarts));
  ended_.resize(at(restarts_) + 1);
  basis_.set_patience(&patience_);
  path_.resize(n_);
  path_.set_interval(interval);
  if (has_proof_) infeasibility_.resize(n_, searches_proof_);
  for (Vector* v : {&cover_, &row_cover_, &perturbation_, &solution_}) v->resize(at(n_));
  loaded_.reset();
}

void LemkeRuns::update(Change change) {
  if (change != Change::right_hand_side) loaded_.reset();
  if (loaded_) problem_.load_q(*view_);
}

void LemkeRuns::load(Kind kind) {
  if (loaded_ == kind) return;
  loaded_ = kind;
  problem_.load(*view_, kind);
}

void LemkeRuns::choose_cover(int attempt) {
  if (attempt == 3) {
    std::fill(solution_.begin(), solution_.end(), 0.0);
    for (int j = 0; j < n_; ++j) problem_.add_sizes(j, solution_.data());
  }
  Random drawn(Random::default_seed * static_cast<std::uint64_t>(attempt + 1));
  for (std::size_t i = 0; i < cover_.size(); ++i) {
    switch (attempt) {
      case 0:
      case 1: cover_[i] = 1; break;
      case 2: cover_[i] = std::max(-problem_.q()[i], least_cover); break;
      case 3: cover_[i] = std::max(solution_[i], least_cover); break;
      default: cover_[i] = std::exp2(cover_octaves * (drawn.uniform() - 0.5));
    }
  }
}

// A basic z with two bounds has no room for a ray: at `t`, where the path starts, it is to be inside.
double LemkeRuns::cover_of_two_sided(int row, double t) const {
  const double value = basis_.x()[row], low = basis_.low()[row], high = basis_.high()[row];
  if (value >= low && value <= high) return 0;
  const double target = low + (high - low) * (0.25 + 0.5 * golden_fraction(row));
  return (target - value) / t;
}

// d and the perturbation by rows of the basis: into the interval of each basic variable.
void LemkeRuns::cover_rows() {
  double t = 1;
  for (int r = 0; r < basis_.rows(); ++r) {
    const bool from_below = std::isfinite(basis_.low()[r]), two_sided = from_below && std::isfinite(basis_.high()[r]);
    const int variable = basis_.variable_at(r), index = basis_.is_z(variable) ? variable - n_ : variable;
    const double place = (index + golden_fraction(index)) / n_;  // generic: multiples of the golden ratio
    const double p = 1 + (reversed_ ? 1 - place : place);
    perturbation_[at(r)] = from_below ? p : -p;
    row_cover_[at(r)] = two_sided ? 0 : from_below ? cover_[at(index)] : -cover_[at(index)];
    if (two_sided) continue;
    const double bound = from_below ? basis_.low()[r] : basis_.high()[r];
    t = std::max(t, 1 + (bound - basis_.x()[r]) / row_cover_[at(r)]);
  }
  for (int r = 0; r < basis_.rows(); ++r)
    if (row_cover_[at(r)] == 0) row_cover_[at(r)] = cover_of_two_sided(r, t);
}

// The solution of the present basis is put before the certificate.
Stop LemkeRuns::try_basis(Control& control, std::span<double> z) {
  if (!basis_.solve(solution_)) return Stop::stalled;
  problem_.unscale(solution_, z);
  const Stop stop = control.check(pivots_, z);
  return stop == Stop::none ? Stop::stalled : stop;
}

// From the complementary basis as it is; one that fails the certificate after the run is the start of another.
Stop LemkeRuns::run_from_basis(Control& control, std::span<double> z) {
  for (int repeat = 0; repeat <= repeats; ++repeat) {
    if (!basis_.rebuild()) return Stop::breakdown;
    // What is violated by rounding alone is no reason to pivot, on entries that may be rounding too.
    if (basis_.is_nearly_feasible())
      if (const Stop stop = try_basis(control, z); ends_solve(stop)) return stop;
    cover_rows();
    const auto rows = at(basis_.rows());
    basis_.set_cover(std::span(row_cover_).first(rows), std::span(perturbation_).first(rows));
    if (!path_.enter_from_cover(row_cover_.data())) return try_basis(control, z);
    Stop stop = path_.follow(pivots_, run_limit_, control);
    if (stop != Stop::finished) return stop;
    stop = try_basis(control, z);
    if (ends_solve(stop)) return stop;
  }
  return Stop::stalled;
}

Stop LemkeRuns::run(int attempt, Control& control, std::span<double> z) {
  load(attempt % 2 == 0 ? Kind::symmetric : Kind::two_sided);
  choose_cover(attempt);
  reversed_ = attempt % 2 == 1;
  const char* reason = basis_.start_at_bounds();
  if (!patience_.lasts()) return patience_.end();
  if (reason != nullptr) {
    control.log("%s: %s", name_, reason);
    const std::span<const double> y = basis_.contradiction();
    return !y.empty() && proves_infeasible(attempt, y, control) ? Stop::infeasible : Stop::breakdown;
  }
  return run_from_basis(control, z);
}

// The active set of a starting point: its solution if it is one, else a path from its basis.
Stop LemkeRuns::run_warm(Control& control, std::span<double> z) {
  load(Kind::symmetric);
  choose_cover(0);
  reversed_ = false;
  if (basis_.start_at_bounds() != nullptr) return Stop::breakdown;
  std::fill(solution_.begin(), solution_.end(), 0.0);
  problem_.scale(z, solution_);
  basis_.start_at(solution_);
  const Stop stop = try_basis(control, z);
  return ends_solve(stop) ? stop : run_from_basis(control, z);
}

// For copositive-plus M the z part of a ray is a proof (Cottle, Pang and Stone 1992, theorem 4.4.11). R = C makes it one of the
// rows.
bool LemkeRuns::ray_proves_infeasible(int attempt, Control& control) {
  if (attempt % 2 != 0) return proves_infeasible(attempt, {}, control);
  path_.write_ray(solution_);
  return proves_infeasible(attempt, solution_, control);
}

// Whether the candidate, multipliers of the rows, or the least-squares search made once proves that there is no solution.
bool LemkeRuns::proves_infeasible(int attempt, std::span<const double> candidate, Control& control) {
  if (!has_proof_) return false;
  if (!candidate.empty()) ray_ = infeasibility_.verify(candidate, problem_, *view_, control);
  if (!ray_.empty() || attempt > 0 || !searches_proof_) return !ray_.empty();
  control.log("%s: search for a proof that there is no solution", name_);
  ray_ = infeasibility_.find(problem_, *view_, control);
  return !ray_.empty();
}

Stop LemkeRuns::solve(std::span<double> z, Control& control) {
  patience_.begin(control);
  pivots_ = 0;
  ray_ = {};
  std::fill(ended_.begin(), ended_.end(), Stop::none);
  run_limit_ = first_limit();
  if (!has_multipliers_ && !is_zero(z)) {
    const Stop stop = run_warm(control, z);
    if (ends_solve(stop)) return stop;
    if (!patience_.lasts()) return patience_.end();
    control.log("%s: no solution from the starting point after %lld pivots", name_, static_cast<long long>(pivots_));
  }
  bool open = true;
  for (run_limit_ = first_limit(); open; run_limit_ *= 4) {
    open = false;
    for (int attempt = 0; attempt <= restarts_; ++attempt) {
      Stop& ended = ended_[at(attempt)];
      if (ended != Stop::none) continue;
      const std::int64_t before = pivots_;
      ended = run(attempt, control, z);
      if (ends_solve(ended) || ended == Stop::infeasible) return ended;
      if (patience_.end() != Stop::none) return patience_.end();
      control.log("%s: covering vector %d %s after %lld pivots in all", name_, attempt,
                  ended == Stop::ray       ? "ended on a ray"
                  : ended == Stop::none    ? "takes long"
                  : ended == Stop::stalled ? "led to no solution"
                                           : "broke down",
                  static_cast<long long>(pivots_));
      if (ended == Stop::ray && ray_proves_infeasible(attempt, control)) return Stop::infeasible;
      // The pivots of a path without an end may be rounding: of a Schur complement that is 0.
      if (ended == Stop::breakdown && proves_infeasible(attempt, {}, control)) return Stop::infeasible;
      if (ended == Stop::none) open = true;
      if (attempt > 0 || ended != Stop::ray || pivots_ > before || !is_lcp_) continue;
      if (const Stop stop = after_initial_ray(z, control); ends_solve(stop)) return stop;
      run_limit_ = first_limit();
    }
  }
  return ended_[0];
}

}  // namespace nonsmooth
