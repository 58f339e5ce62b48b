// Lemke's method for LCP, mixed LCP and box problems: w = M z + q + d t, t from infinity to 0 (Lemke 1965; Cottle, Pang and Stone
// 1992, 4.4; with two-sided bounds as in Dirkse and Ferris 1995), lexicographic so that it cannot cycle. Polyhedra come in with
// their multipliers.
//
// Ties of the ratio test go to t first (which ends the run: Fathi's problems take 2 pivots instead of 2^n), then to an
// infinitesimal perturbation of q that is carried along, then to rows of the inverse, computed only when that leaves a tie. A run
// that ends on a ray, or takes long (Murty 1978 has problems with 2^n pivots for d = e), is given up for other covering vectors d
// and the opposite lexicographic order; long ones come back with four times the budget, so that the method stays finite. A ray is
// turned into a proof of infeasibility if there is one.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>

#include "certificate/certificate.hpp"
#include "core/error.hpp"
#include "methods/bimatrix.hpp"
#include "methods/equilibration.hpp"
#include "methods/infeasibility.hpp"
#include "methods/lemke_path.hpp"
#include "methods/method.hpp"
#include "methods/pivot_basis.hpp"

namespace nonsmooth {
namespace {

constexpr double golden_ratio = 0.6180339887498949;
constexpr int largest_order = 20000;
constexpr int repeats = 2;  // of a run whose basis failed the certificate, from that basis

std::size_t at(int i) { return static_cast<std::size_t>(i); }

double fractional_part(double x) { return x - std::floor(x); }

bool ends_solve(Stop stop) {
  return stop == Stop::finished || stop == Stop::cancelled || stop == Stop::iteration_limit || stop == Stop::time_limit;
}

class Lemke final : public Method {
 public:
  void setup(const Inclusion& view, const Options& options) override;
  void update(Change change) override;
  bool updates_in_place() const override { return true; }
  Stop solve(std::span<double> z, Control& control) override;
  std::span<const double> infeasibility_ray() const override { return ray_; }

 private:
  using Kind = EquilibratedLcp::Kind;
  void load(Kind kind);
  void choose_cover(int attempt);
  void cover_rows();
  double cover_of_two_sided(int row, double t) const;
  Stop run(int attempt, Control& control, std::span<double> z);
  Stop run_from_basis(Control& control, std::span<double> z);
  Stop run_warm(Control& control, std::span<double> z);
  Stop run_label(int label, Control& control, std::span<double> z);
  Stop run_labels(Control& control, std::span<double> z);
  Stop try_basis(Control& control, std::span<double> z);
  bool proves_infeasible(int attempt);

  const Inclusion* view_ = nullptr;
  int n_ = 0, restarts_ = 0;
  bool is_lcp_ = false, has_multipliers_ = false, has_proof_ = false;
  std::int64_t pivots_ = 0, run_limit_ = 0;
  bool reversed_ = false;       // the perturbation falls from the first row to the last
  std::optional<Kind> loaded_;  // by the first run that needs it: as a later stage of others this method often has nothing to do
  EquilibratedLcp lcp_;
  PivotBasis basis_{lcp_};
  LemkePath path_{basis_};
  BimatrixStart bimatrix_;
  InfeasibilitySearch infeasibility_;
  Vector cover_;                                // d by index, positive; signs come with the rows
  Vector row_cover_, perturbation_, solution_;  // the first two by row
  std::vector<Stop> ended_,
      label_ended_;  // how each covering vector, each label ended; none: not yet, or given up for its length
  std::span<const double> ray_;
};

void Lemke::setup(const Inclusion& view, const Options& options) {
  const std::int64_t order = EquilibratedLcp::order_of(view);
  if (order > largest_order)
    fail(NSM_TOO_LARGE, "lemke keeps a dense tableau: %lld unknowns exceed its limit %d", static_cast<long long>(order),
         largest_order);
  view_ = &view;
  n_ = static_cast<int>(order);
  has_multipliers_ = order > view.size();
  is_lcp_ = std::all_of(view.blocks.begin(), view.blocks.end(), [](const SetBlock& b) { return b.kind == SetKind::orthant; });
  has_proof_ = infeasibility_size(view) > 0;
  restarts_ = static_cast<int>(options.integer(Option::restarts));
  ended_.resize(at(restarts_) + 1);
  label_ended_.resize(is_lcp_ ? at(n_) : 0);
  lcp_.resize(order);
  basis_.resize(n_);
  path_.resize(n_);
  const auto interval = static_cast<int>(options.integer(Option::refactor_interval));
  path_.set_interval(interval > 0 ? interval : std::max(2 * n_, 300));  // a rebuild costs about n / 2 pivots
  bimatrix_.resize(n_);
  if (has_proof_) infeasibility_.resize(n_);
  for (Vector* v : {&cover_, &row_cover_, &perturbation_, &solution_}) v->resize(at(n_));
  loaded_.reset();
}

void Lemke::update(Change change) {
  if (change != Change::right_hand_side) loaded_.reset();
  if (loaded_) lcp_.load_q(*view_);
}

void Lemke::load(Kind kind) {
  if (loaded_ == kind) return;
  loaded_ = kind;
  lcp_.load(*view_, kind);
}

void Lemke::choose_cover(int attempt) {
  std::uint64_t state = 0x9e3779b97f4a7c15u * static_cast<std::uint64_t>(attempt + 1);
  for (std::size_t i = 0; i < cover_.size(); ++i) {
    switch (attempt) {
      case 0:
      case 1: cover_[i] = 1; break;
      case 2: cover_[i] = std::max(-lcp_.q()[i], 1e-3); break;
      case 3: {
        double sum = 0;
        for (int j = 0; j < n_; ++j) sum += std::abs(lcp_.column(j)[i]);
        cover_[i] = std::max(sum, 1e-3);
        break;
      }
      default:  // fixed seed, entries in [1/16, 16]
        state = state * 6364136223846793005u + 1442695040888963407u;
        cover_[i] = std::exp2(8.0 * (static_cast<double>(state >> 11) * 0x1p-53) - 4.0);
    }
  }
}

// A basic z with two bounds has no room for a ray: at `t`, where the path starts, it is to be inside.
double Lemke::cover_of_two_sided(int row, double t) const {
  const double value = basis_.x()[row], low = basis_.low()[row], high = basis_.high()[row];
  if (value >= low && value <= high) return 0;
  const double target = low + (high - low) * (0.25 + 0.5 * fractional_part(golden_ratio * row));
  return (target - value) / t;
}

// d and the perturbation by rows of the basis: into the interval of each basic variable.
void Lemke::cover_rows() {
  double t = 1;
  for (int r = 0; r < basis_.rows(); ++r) {
    const bool from_below = std::isfinite(basis_.low()[r]), two_sided = from_below && std::isfinite(basis_.high()[r]);
    const int variable = basis_.variable_at(r), index = basis_.is_z(variable) ? variable - n_ : variable;
    const double place = (index + fractional_part(golden_ratio * index)) / n_;  // generic: multiples of the golden ratio
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
Stop Lemke::try_basis(Control& control, std::span<double> z) {
  if (!basis_.solve(solution_)) return Stop::stalled;
  lcp_.unscale(solution_, z);
  const Stop stop = control.check(pivots_, z);
  return stop == Stop::none ? Stop::stalled : stop;
}

// From the complementary basis as it is; one that fails the certificate after the run is the start of another.
Stop Lemke::run_from_basis(Control& control, std::span<double> z) {
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

Stop Lemke::run(int attempt, Control& control, std::span<double> z) {
  load(attempt % 2 == 0 ? Kind::symmetric : Kind::two_sided);
  choose_cover(attempt);
  reversed_ = attempt % 2 == 1;
  if (const char* reason = basis_.start_at_bounds(); reason != nullptr) {
    control.log("lemke: %s", reason);
    return Stop::breakdown;
  }
  return run_from_basis(control, z);
}

// The active set of a starting point: its solution if it is one, else a path from its basis.
Stop Lemke::run_warm(Control& control, std::span<double> z) {
  load(Kind::symmetric);
  choose_cover(0);
  reversed_ = false;
  if (basis_.start_at_bounds() != nullptr) return Stop::breakdown;
  std::fill(solution_.begin(), solution_.end(), 0.0);
  lcp_.scale(z, solution_);
  basis_.start_at(solution_);
  const Stop stop = try_basis(control, z);
  return ends_solve(stop) ? stop : run_from_basis(control, z);
}

// Lemke and Howson (1964): z_label, its answer, and t in the place of w_label, which stays positive along the path.
Stop Lemke::run_label(int label, Control& control, std::span<double> z) {
  int answer = -1, entering = -1;
  if (!bimatrix_.start(lcp_, label, answer, entering)) return Stop::ray;
  basis_.start_at_bounds();
  const bool solved = entering == label;
  for (int i : {label, answer}) {
    basis_.set_basic(n_ + i, true);
    basis_.set_basic(i, false);
  }
  basis_.set_unit_cover(label, -1);
  if (solved) return try_basis(control, z);
  basis_.set_basic(entering, false);
  basis_.set_basic(basis_.t(), true);
  if (!basis_.rebuild()) return Stop::breakdown;
  for (int r = 0; r < n_; ++r) {
    perturbation_[at(r)] = 1 + (r + fractional_part(golden_ratio * r)) / n_;
    basis_.x()[r] = std::max(basis_.x()[r], 0.0);
  }
  basis_.set_perturbation(perturbation_);
  path_.enter(n_ + entering, n_ + label);
  const Stop stop = path_.follow(pivots_, run_limit_, control);
  if (stop != Stop::finished) return stop;
  return try_basis(control, z);
}

// All labels in turn, those that take long again with a larger budget.
Stop Lemke::run_labels(Control& control, std::span<double> z) {
  load(Kind::symmetric);
  std::fill(label_ended_.begin(), label_ended_.end(), Stop::none);
  bool open = true;
  for (run_limit_ = 4 * std::int64_t{n_} + 100; open; run_limit_ *= 4) {
    open = false;
    for (int label = 0; label < n_; ++label) {
      Stop& ended = label_ended_[at(label)];
      if (ended != Stop::none) continue;
      ended = run_label(label, control, z);
      if (ends_solve(ended)) return ended;
      if (ended == Stop::none) open = true;
    }
  }
  control.log("lemke: no label of the bimatrix game led to a solution, %lld pivots in all", static_cast<long long>(pivots_));
  return Stop::ray;
}

// Whether the ray just met, or the least-squares search made once, proves that there is no solution.
bool Lemke::proves_infeasible(int attempt) {
  if (!has_proof_) return false;
  // For copositive-plus M the z part of a ray is a proof (Cottle, Pang and Stone 1992, theorem 4.4.11). R = C makes it one of the
  // rows.
  if (attempt % 2 == 0) {
    path_.write_ray(solution_);
    ray_ = infeasibility_.verify(solution_, lcp_, *view_);
  }
  if (ray_.empty() && attempt == 0) ray_ = infeasibility_.find(lcp_, *view_);
  return !ray_.empty();
}

Stop Lemke::solve(std::span<double> z, Control& control) {
  pivots_ = 0;
  ray_ = {};
  std::fill(ended_.begin(), ended_.end(), Stop::none);
  run_limit_ = 4 * std::int64_t{n_} + 100;
  if (!has_multipliers_ && std::any_of(z.begin(), z.end(), [](double x) { return x != 0; })) {
    const Stop stop = run_warm(control, z);
    if (ends_solve(stop)) return stop;
    control.log("lemke: no solution from the starting point after %lld pivots", static_cast<long long>(pivots_));
  }
  bool open = true;
  for (run_limit_ = 4 * std::int64_t{n_} + 100; open; run_limit_ *= 4) {
    open = false;
    for (int attempt = 0; attempt <= restarts_; ++attempt) {
      Stop& ended = ended_[at(attempt)];
      if (ended != Stop::none) continue;
      const std::int64_t before = pivots_;
      ended = run(attempt, control, z);
      if (ends_solve(ended)) return ended;
      control.log("lemke: covering vector %d %s after %lld pivots in all", attempt,
                  ended == Stop::ray    ? "ended on a ray"
                  : ended == Stop::none ? "takes long"
                                        : "broke down",
                  static_cast<long long>(pivots_));
      if (ended == Stop::ray && proves_infeasible(attempt)) return Stop::infeasible;
      if (ended == Stop::none) open = true;
      if (attempt > 0 || ended != Stop::ray || pivots_ > before || !is_lcp_ || !bimatrix_.detect(lcp_)) continue;
      if (const Stop stop = run_labels(control, z); ends_solve(stop)) return stop;
      run_limit_ = 4 * std::int64_t{n_} + 100;
    }
  }
  return ended_[0];
}

}  // namespace

extern const MethodEntry lemke_method;
const MethodEntry lemke_method{
    {sizeof(nsm_method_info), "lemke",
     "lexicographic Lemke pivoting on a condensed tableau, restarts with other covering vectors; "
     "Lemke-Howson paths for bimatrix games",
     "Lemke 1965; Lemke and Howson 1964; Cottle, Pang, Stone 1992, 4.4; Dirkse and Ferris 1995",
     "copositive-plus M (positive semidefinite included): a solution or a proof that there is none; "
     "P-matrices; bounded boxes; bimatrix games; "
     "any other M: may end on a ray. Dense, up to a few thousand unknowns",
     class_bit(NSM_LCP) | class_bit(NSM_MLCP) | class_bit(NSM_RELAY) | class_bit(NSM_AVI) | class_bit(NSM_QP), 1000000},
    &make_method<Lemke>};

}  // namespace nonsmooth
