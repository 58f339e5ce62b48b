// Principal pivoting on the condensed tableau: w_i and z_i exchange their places until no basic variable is outside its interval.
//
//   keller       z_r of a violated pair is driven until w_r has reached its bound; what blocks meanwhile is exchanged with its
//                complement, or in a block of two where its diagonal entry is 0 (Keller 1973; Cottle and Dantzig 1968). Finite
//                for P-matrices and symmetric positive semidefinite M; there a ray proves that no solution exists.
//   bard         the most violated variable is exchanged (Bard 1972; Zoutendijk 1960), the first one after n exchanges that have
//                not reduced their number.
//   least_index  the first violated variable is exchanged (Murty 1974). Finite for P-matrices, 2^n exchanges at worst.
//
// Ties are broken by an infinitesimal perturbation, x + eps s, chosen anew for each variable that is driven.
#include <algorithm>
#include <cmath>

#include "certificate/farkas.hpp"
#include "core/checked.hpp"
#include "core/index.hpp"
#include "methods/frame/equilibration.hpp"
#include "methods/frame/golden_fraction.hpp"
#include "methods/frame/infeasibility.hpp"
#include "methods/frame/method.hpp"
#include "methods/pivoting/pivot_basis.hpp"

namespace nonsmooth {
namespace {

constexpr double exchange_tolerance = 1e-11;   // relative to the largest entry of the column
constexpr double violation_tolerance = 1e-12;  // relative to the largest value
constexpr int repeats_of_a_refused = 2;        // from a fresh tableau, where the certificate has refused a basis

enum class Rule { keller, bard, least_index };  // in the order of options.def

class PrincipalPivoting final : public Method {
 public:
  void setup(const Inclusion& view, const Options& options) override;
  void update(Change change) override;
  Stop solve(std::span<double> z, Control& control) override;
  std::span<const double> infeasibility_ray() const override { return ray_; }

 private:
  struct Step {  // x + eps s: lengths are compared in this order
    int row = -1;
    double length = HUGE_VAL, length_s = 0, rate = 1;
    bool before(const Step& other) const {
      return length < other.length || (length == other.length && length_s < other.length_s);
    }
  };
  Stop run(Control& control, std::span<double> z, bool warm);
  bool refresh();
  void perturb();
  double tolerance() const;
  double violation(int row) const;
  int choose_row();
  bool exchange(int row);
  Stop drive(int row, Control& control);
  Step step_to_target(int violated) const;
  Step first_blocking(int violated) const;
  void advance(const Step& step);
  void settle(int row, int entering, double value, double value_s);
  bool exchange_blocking(int row);
  bool prove_infeasible(Stop stop, Control& control);
  void write_ray(const Control& control);
  void read_column(int variable);

  double start_of(int variable) const { return basis_.is_z(variable) ? basis_.bound(variable - n_) : 0.0; }
  int index_of(int variable) const { return basis_.is_z(variable) ? variable - n_ : variable; }

  const Inclusion* view_ = nullptr;
  int n_ = 0, interval_ = 0;
  bool has_proof_ = false;
  Rule rule_ = Rule::keller;
  std::int64_t pivots_ = 0;
  int fewest_ = 0, patience_ = 0;  // violated variables, exchanges left before the first of them is taken
  int driven_ = 0;                 // non-basic variable that moves, at this value and perturbation
  double sign_ = 1, value_ = 0, value_s_ = 0, column_size_ = 0;
  double target_ = 0;  // of the variable that is violated
  EquilibratedLcp lcp_;
  PivotBasis basis_{lcp_};
  ControlPatience time_;  // of the basis
  InfeasibilitySearch infeasibility_;
  Vector column_, solution_, perturbation_;
  std::span<const double> ray_;
};

void PrincipalPivoting::setup(const Inclusion& view, const Options& options) {
  refuse_contacts_and_disks(view, "principal_pivoting");
  const std::int64_t order = EquilibratedLcp::order_of(view);
  refuse_beyond(20000, order, "principal_pivoting keeps a dense tableau");
  view_ = &view;
  n_ = static_cast<int>(order);
  interval_ = PivotBasis::default_interval(n_);
  rule_ = options.choice<Rule>(Option::rule);
  has_proof_ = infeasibility_size(view) > 0;
  lcp_.resize(n_);
  basis_.resize(n_);
  basis_.set_patience(&time_);
  if (has_proof_) infeasibility_.resize(n_);
  for (Vector* v : {&column_, &solution_, &perturbation_}) v->resize(at(n_));
  lcp_.load(view, EquilibratedLcp::Kind::symmetric);
}

void PrincipalPivoting::update(Change change) {
  if (change == Change::right_hand_side)
    lcp_.load_q(*view_);
  else
    lcp_.load(*view_, EquilibratedLcp::Kind::symmetric);
}

void PrincipalPivoting::read_column(int variable) {
  basis_.column(variable, column_.data());
  column_size_ = 0;
  for (int i = 0; i < basis_.rows(); ++i) column_size_ = std::max(column_size_, std::abs(column_[at(i)]));
}

double PrincipalPivoting::tolerance() const {
  double size = 0;
  for (int i = 0; i < basis_.rows(); ++i) size = std::max(size, std::abs(basis_.x()[i]));
  return violation_tolerance * size;
}

double PrincipalPivoting::violation(int row) const {
  return std::max(basis_.low()[row] - basis_.x()[row], basis_.x()[row] - basis_.high()[row]);
}

// Generic, into the interval of each basic variable.
void PrincipalPivoting::perturb() {
  for (int r = 0; r < basis_.rows(); ++r) {
    const double p = 1 + (r + golden_fraction(r + 1)) / n_;
    perturbation_[at(r)] = std::isfinite(basis_.low()[r]) ? p : -p;
  }
  basis_.set_perturbation(std::span(perturbation_).first(at(basis_.rows())));
}

bool PrincipalPivoting::refresh() { return basis_.age() < interval_ || basis_.rebuild(); }

// By the rule; -1 if nothing is violated.
int PrincipalPivoting::choose_row() {
  const double allowed = tolerance();
  int worst = -1, first = -1, count = 0;
  for (int r = 0; r < basis_.rows(); ++r) {
    if (!(violation(r) > allowed)) continue;
    ++count;
    if (worst < 0 || violation(r) > violation(worst)) worst = r;
    if (first < 0 || index_of(basis_.variable_at(r)) < index_of(basis_.variable_at(first))) first = r;
  }
  if (count < fewest_) {
    fewest_ = count;
    patience_ = n_;
  }
  if (rule_ == Rule::least_index) return first;
  return rule_ == Rule::bard && --patience_ < 0 ? first : worst;
}

// The basic variable of `row` has left for its bound and `entering` has come in at this value.
void PrincipalPivoting::settle(int row, int entering, double value, double value_s) {
  basis_.exchange(row, entering, column_.data());
  basis_.x()[row] = value;
  basis_.s()[row] = value_s;
}

// The violated variable goes to its bound and its complement comes in. false if the diagonal entry is 0.
bool PrincipalPivoting::exchange(int row) {
  const int leaving = basis_.variable_at(row), entering = basis_.complement(leaving);
  read_column(entering);
  const double pivot = column_[at(row)];
  if (std::abs(pivot) <= exchange_tolerance * column_size_) return false;
  const bool above = basis_.x()[row] > basis_.high()[row];
  const double by = ((above ? basis_.high()[row] : basis_.low()[row]) - basis_.x()[row]) / pivot;
  for (int i = 0; i < basis_.rows(); ++i) basis_.x()[i] += by * column_[at(i)];
  const double value = start_of(entering) + by;
  if (basis_.is_z(leaving)) basis_.set_at_upper(index_of(leaving), above);
  settle(row, entering, value, 0);
  return true;
}

// How far the driven variable goes until the violated one, or the driven one itself, is at the end of its way.
PrincipalPivoting::Step PrincipalPivoting::step_to_target(int violated) const {
  Step step;
  if (driven_ == violated) return {-1, std::abs(target_ - value_), -sign_ * value_s_};
  const int row = basis_.place_of(violated);
  const double rate = sign_ * column_[at(row)];
  // Its bound lies where the driven variable takes it, unless the diagonal entry is negative.
  if (sign_ * rate > exchange_tolerance * column_size_)
    step = {row, (target_ - basis_.x()[row]) / rate, -basis_.s()[row] / rate, std::abs(rate)};
  if (!basis_.is_z(driven_)) return step;
  const int index = driven_ - n_;
  const Step range{-1, sign_ > 0 ? basis_.hi(index) - value_ : value_ - basis_.lo(index), -sign_ * value_s_};
  return range.before(step) ? range : step;
}

// The first variable to leave its interval, those outside already left alone.
PrincipalPivoting::Step PrincipalPivoting::first_blocking(int violated) const {
  const double threshold = exchange_tolerance * column_size_, allowed = tolerance();
  Step first;
  for (int i = 0; i < basis_.rows(); ++i) {
    const double rate = sign_ * column_[at(i)], size = std::abs(rate);
    if (size <= threshold || basis_.variable_at(i) == violated) continue;
    const double room = rate < 0 ? basis_.x()[i] - basis_.low()[i] : basis_.high()[i] - basis_.x()[i];
    if (room < -allowed || std::isinf(room)) continue;
    const Step step{i, room <= allowed ? 0 : room / size, (rate < 0 ? basis_.s()[i] : -basis_.s()[i]) / size};
    if (step.before(first)) first = step;
  }
  return first;
}

void PrincipalPivoting::advance(const Step& step) {
  const double by = sign_ * step.length, by_s = sign_ * step.length_s;
  for (int i = 0; i < basis_.rows(); ++i) {
    basis_.x()[i] += by * column_[at(i)];
    basis_.s()[i] += by_s * column_[at(i)];
  }
  value_ += by;
  value_s_ += by_s;
}

// The variable of `row` is at its bound: its complement comes in for it, or, where the diagonal entry is 0, the driven variable
// does and the complement comes in for the driven one's, which is driven from then on.
bool PrincipalPivoting::exchange_blocking(int row) {
  const int blocking = basis_.variable_at(row), entering = basis_.complement(blocking);
  if (basis_.is_z(blocking)) basis_.set_at_upper(index_of(blocking), sign_ * column_[at(row)] > 0);
  const double size = column_size_;
  solution_ = column_;  // same size: no allocation
  read_column(entering);
  if (column_[at(row)] > exchange_tolerance * column_size_) {
    settle(row, entering, start_of(entering), 0);
    return true;
  }
  std::swap(column_, solution_);
  column_size_ = size;
  const int partner = basis_.complement(driven_);
  settle(row, driven_, value_, value_s_);
  read_column(entering);
  const int place = basis_.place_of(partner);
  if (std::abs(column_[at(place)]) <= exchange_tolerance * column_size_) return false;
  driven_ = partner;
  value_ = basis_.x()[place];
  value_s_ = basis_.s()[place];
  settle(place, entering, start_of(entering), 0);
  return true;
}

// Until the violated variable of `row` is at its bound. none: it is; other values end the run.
Stop PrincipalPivoting::drive(int row, Control& control) {
  const int violated = basis_.variable_at(row), raised = basis_.complement(violated);
  const bool above = basis_.x()[row] > basis_.high()[row];
  sign_ = above ? -1 : 1;
  target_ = above ? basis_.high()[row] : basis_.low()[row];
  perturb();
  driven_ = raised;
  value_ = start_of(raised);
  value_s_ = 0;
  for (;; ++pivots_) {
    if (const Stop stop = control.check_limits(pivots_); stop != Stop::none) return stop;
    read_column(driven_);
    const Step end = step_to_target(violated), block = first_blocking(violated);
    if (std::isinf(end.length) && std::isinf(block.length)) return Stop::ray;
    // What is left of the way is rounding: the end goes before all others.
    const bool ends = !block.before(end) || (end.length - block.length) * end.rate <= tolerance();
    advance(ends ? end : block);
    if (!ends && basis_.variable_at(block.row) != raised) {
      if (!exchange_blocking(block.row)) return Stop::breakdown;
      continue;
    }
    ++pivots_;
    if (!ends) {  // z_r is at its other end: w_r may have this sign
      basis_.set_at_upper(index_of(raised), sign_ > 0);
      settle(block.row, driven_, value_, value_s_);
    } else if (driven_ == violated || end.row >= 0) {
      if (basis_.is_z(violated)) basis_.set_at_upper(index_of(violated), above);
      if (driven_ != violated) settle(end.row, driven_, value_, value_s_);
    } else {
      basis_.set_at_upper(index_of(raised), sign_ > 0);
    }
    return Stop::none;
  }
}

// For symmetric positive semidefinite M the z part of the ray is a proof (Keller 1973).
void PrincipalPivoting::write_ray(const Control& control) {
  std::fill(solution_.begin(), solution_.end(), 0.0);
  if (basis_.is_z(driven_)) solution_[at(driven_ - n_)] = sign_;
  for (int i = 0; i < basis_.rows(); ++i)
    if (basis_.is_z(basis_.variable_at(i))) solution_[at(basis_.variable_at(i) - n_)] = sign_ * column_[at(i)];
  ray_ = infeasibility_.verify(solution_, lcp_, *view_, control);
}

// The ray, equality rows that contradict each other, or what the least-squares search finds.
bool PrincipalPivoting::prove_infeasible(Stop stop, Control& control) {
  if (!has_proof_ || (stop != Stop::ray && stop != Stop::breakdown)) return false;
  if (stop == Stop::ray) write_ray(control);
  if (const std::span<const double> y = basis_.contradiction(); ray_.empty() && !y.empty())
    ray_ = infeasibility_.verify(y, lcp_, *view_, control);
  if (ray_.empty()) ray_ = infeasibility_.find(lcp_, *view_, control);
  return !ray_.empty();
}

Stop PrincipalPivoting::run(Control& control, std::span<double> z, bool warm) {
  const char* reason = basis_.start_at_bounds();
  if (!time_.lasts()) return time_.end();
  if (reason != nullptr) {
    control.log("principal_pivoting: %s", reason);
    return Stop::breakdown;
  }
  if (warm) {
    std::fill(solution_.begin(), solution_.end(), 0.0);  // multipliers of a polyhedron have no starting value
    lcp_.scale(z, solution_);
    basis_.start_at(solution_);
  }
  if (!basis_.rebuild()) return Stop::breakdown;
  fewest_ = n_ + 1;
  patience_ = n_;
  for (int refused = 0; refused <= repeats_of_a_refused;) {
    if (const Stop stop = control.check_limits(pivots_); stop != Stop::none) return stop;
    if (!refresh()) return Stop::breakdown;
    const int row = choose_row();
    if (row < 0) {
      if (!basis_.solve(solution_)) return Stop::breakdown;
      lcp_.unscale(solution_, z);
      if (const Stop stop = control.check(pivots_, z); stop != Stop::none) return stop;
      ++refused;
      if (!basis_.rebuild()) return Stop::breakdown;
    } else if (rule_ == Rule::keller) {
      if (const Stop stop = drive(row, control); stop != Stop::none) return stop;
    } else {
      ++pivots_;
      if (!exchange(row)) return Stop::breakdown;
    }
  }
  return Stop::stalled;
}

Stop PrincipalPivoting::solve(std::span<double> z, Control& control) {
  pivots_ = 0;
  ray_ = {};
  time_.begin(control);
  Stop stop = Stop::none;
  if (!is_zero(z)) stop = run(control, z, true);
  // A start that leads nowhere is dropped.
  if (stop == Stop::none || stop == Stop::breakdown || stop == Stop::stalled || stop == Stop::ray) stop = run(control, z, false);
  if (time_.end() != Stop::none) return time_.end();
  return prove_infeasible(stop, control) ? Stop::infeasible : stop;
}

}  // namespace

extern const MethodEntry principal_pivoting_method;
const MethodEntry principal_pivoting_method{
    {sizeof(nsm_method_info), "principal_pivoting",
     "single and 2 x 2 principal pivots on a dense condensed tableau, by the rules of Keller, Bard or Murty",
     "Keller 1973; Cottle and Dantzig 1968; Bard 1972; Murty 1974",
     "P-matrices (finite by every rule); keller also for symmetric positive semidefinite M: a solution or a proof that there is "
     "none; others: may end on a ray or break down on a zero pivot",
     linear_classes, 1000000, "small P-matrices, and to compare with the classical pivoting rules; `lemke` is safer and as fast"},
    &make_method<PrincipalPivoting>};

}  // namespace nonsmooth
