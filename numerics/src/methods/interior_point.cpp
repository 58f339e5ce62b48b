// Primal-dual interior point method for monotone problems on orthants, boxes, free rows and polyhedra (with their multipliers):
//   M z + q - l + u = 0 (residual r),   (z - lo) l = mu,   (hi - z) u = mu,   z inside its bounds.
// Mehrotra's (1992) predictor and corrector with one step length for all variables, as nonsymmetric M wants it (Potra and Wright
// 2000), and Gondzio's (1996) further correctors, each of which costs two triangular solves against a factorisation of M + diag.
//
// Iterates converge in the limit only; the active set they point to is solved exactly (methods/newton/identified_set.hpp).
#include <algorithm>
#include <cmath>

#include "certificate/farkas.hpp"
#include "core/error.hpp"
#include "core/index.hpp"
#include "methods/frame/infeasibility.hpp"
#include "methods/newton/identified_set.hpp"

namespace nonsmooth {
namespace {

constexpr int largest_dense_interior = 10000;
constexpr int correctors = 3, exchange_rounds = 20;
constexpr double boundary_share = 0.995;  // of the step to the boundary
// On the diagonal, relative to the largest entry; grows where M + diag cannot be factorised.
constexpr double proximal_share = 1e-12;
constexpr double suspicious_step = 0.3, smallest_step = 1e-6;
constexpr double negligible_share = 1e-10;  // of the largest entry of a proof
constexpr int inverse_iterations = 3;
constexpr int iterations_in_circles = 20;
constexpr double cautious_share = 0.3;       // of mu that such a step aims at
constexpr int short_steps = 3;               // so many in a row end the solve
constexpr double rounding_residual = 1e-15;  // of measure(): below it further steps move digits of rounding
constexpr double due_decrease = 0.5;         // of the infeasibility a Newton step leaves 1 - its length; so much of that is due
// Trial of the active set once the residual is this small, and again after it has fallen by the factor.
constexpr double first_trial = 1e-2, next_trial = 0.03;

// One side of the bounds: distance s = sign (z - bound) > 0, multiplier y > 0, their directions, and the products s y aimed at.
struct Side {
  double sign;
  std::vector<int> index;  // unknowns with this bound
  Vector bound, s, y, ds, dy, target;

  void resize(int n) {
    index.reserve(at(n));
    for (Vector* v : {&bound, &s, &y, &ds, &dy, &target}) v->resize(at(n));
  }
  std::size_t size() const { return index.size(); }
  double gap(double step) const {
    double sum = 0;
    for (std::size_t k = 0; k < size(); ++k) sum += (s[k] + step * ds[k]) * (y[k] + step * dy[k]);
    return sum;
  }
  double longest_step() const {
    double step = HUGE_VAL;
    for (std::size_t k = 0; k < size(); ++k) {
      if (ds[k] < 0) step = std::min(step, -s[k] / ds[k]);
      if (dy[k] < 0) step = std::min(step, -y[k] / dy[k]);
    }
    return step;
  }
};

class InteriorPoint final : public Method {
 public:
  void setup(const Inclusion& view, const Options& options) override;
  void update(Change change) override;
  Stop solve(std::span<double> z, Control& control) override;
  std::span<const double> infeasibility_ray() const override { return ray_; }

 private:
  void load_bounds();
  void start();
  double measure();
  void watch(std::int64_t iteration, double residual);
  bool factorise();
  void direction();
  double predict_and_correct();
  double improve(double step, double aim);
  void move(double step);
  Stop try_active_set(std::span<double> z, Control& control, std::int64_t iteration);
  bool proves_infeasible(std::span<const double> candidate, const Control& control);
  bool leads_nowhere(const Control& control);
  Stop finish(std::span<double> z, const Control& control);

  const Inclusion* view_ = nullptr;
  LinearSystem system_;
  BlockFactor factor_;
  IdentifiedSet active_set_;
  Side sides_[2] = {{1, {}, {}, {}, {}, {}, {}, {}}, {-1, {}, {}, {}, {}, {}, {}, {}}};
  std::vector<int> moving_;  // all unknowns but those with lo = hi
  Vector z_, w_, r_, step_, dz_, diagonal_, added_, trial_, saved_dz_, workspace_, y_;
  Vector saved_ds_[2], saved_dy_[2], saved_target_[2];
  double mu_ = 0, least_mu_ = 0, least_residual_ = 0;
  std::int64_t last_gain_ = 0;
  bool is_cautious_ = false;
  std::span<const double> ray_;
};

void InteriorPoint::setup(const Inclusion& view, const Options&) {
  view_ = &view;
  refuse_contacts_and_disks(view, "interior_point");
  system_.setup(view, "interior_point", largest_dense_interior);
  if (!system_.has_bounds()) fail(NSM_UNSUPPORTED, "interior_point treats orthants, boxes, free rows and polyhedra");
  const int n = system_.n();
  factor_.setup(system_);
  active_set_.resize(n);
  for (int k = 0; k < 2; ++k) {
    sides_[k].resize(n);
    for (Vector* v : {&saved_ds_[k], &saved_dy_[k], &saved_target_[k]}) v->resize(at(n));
  }
  moving_.reserve(at(n));
  for (Vector* v : {&z_, &w_, &r_, &step_, &dz_, &diagonal_, &added_, &trial_, &saved_dz_, &y_}) v->resize(at(n));
  workspace_.resize(refinement_workspace(view));
  load_bounds();
}

void InteriorPoint::update(Change change) {
  system_.update(change);
  if (change == Change::matrix) factor_.update(system_);
  if (change != Change::right_hand_side) load_bounds();
}

void InteriorPoint::load_bounds() {
  moving_.clear();
  for (Side& side : sides_) side.index.clear();
  for (int i = 0; i < system_.n(); ++i) {
    if (system_.lo()[at(i)] == system_.hi()[at(i)]) continue;
    moving_.push_back(i);
    for (Side& side : sides_) {
      const double bound = side.sign > 0 ? system_.lo()[at(i)] : system_.hi()[at(i)];
      if (!std::isfinite(bound)) continue;
      side.bound[side.size()] = bound;
      side.index.push_back(i);
    }
  }
}

// As near to 0 as is inside the bounds by the size that |q| and the diagonal of M suggest, or half way between two of them.
void InteriorPoint::start() {
  double size = 0;
  for (double x : system_.q()) size = std::max(size, std::abs(x));
  if (size == 0) size = 1;
  const double distance = 0.1 * size / system_.mean_diagonal();
  for (int i = 0; i < system_.n(); ++i) {
    const double lo = system_.lo()[at(i)], hi = system_.hi()[at(i)];
    const double room = std::min(distance, 0.5 * (hi - lo));
    z_[at(i)] = std::min(std::max(0.0, lo + room), hi - room);
  }
  for (Side& side : sides_)
    for (std::size_t k = 0; k < side.size(); ++k) {
      side.s[k] = side.sign * (z_[at(side.index[k])] - side.bound[k]);
      side.y[k] = 0.1 * size;
      side.ds[k] = side.dy[k] = 0;  // of another solve, which may have ended on what is no number
    }
}

// w, r and mu of the iterate; returns its natural map, multipliers of a polyhedron included, relative as in the certificate.
double InteriorPoint::measure() {
  system_.evaluate(z_, w_);
  std::copy(w_.begin(), w_.end(), r_.begin());
  double gap = 0;
  for (const Side& side : sides_) {
    gap += side.gap(0);
    for (std::size_t k = 0; k < side.size(); ++k) r_[at(side.index[k])] -= side.sign * side.y[k];
  }
  const std::size_t count = sides_[0].size() + sides_[1].size();
  mu_ = count > 0 ? gap / static_cast<double>(count) : 0;
  double sum = 0;
  for (int i : moving_) {
    const double error = z_[at(i)] - std::min(std::max(z_[at(i)] - w_[at(i)], system_.lo()[at(i)]), system_.hi()[at(i)]);
    sum += error * error;
  }
  return std::sqrt(sum) / view_->scale;
}

// The second-order correction of a short step may lead round in circles (Cartis 2009): where neither mu nor the residual is
// halved for long, steps to the central path without it go on.
void InteriorPoint::watch(std::int64_t iteration, double residual) {
  if (iteration == 0) is_cautious_ = false;
  if (iteration == 0 || mu_ < 0.5 * least_mu_ || residual < 0.5 * least_residual_) {
    least_mu_ = iteration == 0 ? mu_ : std::min(mu_, least_mu_);
    least_residual_ = iteration == 0 ? residual : std::min(residual, least_residual_);
    last_gain_ = iteration;
  } else if (iteration - last_gain_ > iterations_in_circles) {
    is_cautious_ = true;
  }
}

bool InteriorPoint::factorise() {
  std::fill(diagonal_.begin(), diagonal_.end(), 0.0);
  for (const Side& side : sides_)
    for (std::size_t k = 0; k < side.size(); ++k) diagonal_[at(side.index[k])] += side.y[k] / side.s[k];
  double shift = proximal_share * std::max(system_.largest_entry(), 1e-300);
  for (int attempt = 0; attempt < 4; ++attempt, shift *= 1e3) {
    for (std::size_t c = 0; c < moving_.size(); ++c) added_[c] = diagonal_[at(moving_[c])] + shift;
    if (factor_.factorise(system_, moving_, added_)) return true;
  }
  return false;
}

// Newton's direction to r = 0 and the targets.
void InteriorPoint::direction() {
  for (std::size_t i = 0; i < r_.size(); ++i) dz_[i] = -r_[i];
  for (const Side& side : sides_)
    for (std::size_t k = 0; k < side.size(); ++k) dz_[at(side.index[k])] += side.sign * (side.target[k] / side.s[k] - side.y[k]);
  for (std::size_t c = 0; c < moving_.size(); ++c) step_[c] = dz_[at(moving_[c])];
  factor_.solve(step_.data());
  std::fill(dz_.begin(), dz_.end(), 0.0);
  for (std::size_t c = 0; c < moving_.size(); ++c) dz_[at(moving_[c])] = step_[c];
  for (Side& side : sides_)
    for (std::size_t k = 0; k < side.size(); ++k) {
      side.ds[k] = side.sign * dz_[at(side.index[k])];
      side.dy[k] = (side.target[k] - side.y[k] * side.ds[k]) / side.s[k] - side.y[k];
    }
}

// Returns the longest step, at most 1.
double InteriorPoint::predict_and_correct() {
  const auto longest = [&] { return std::min({1.0, sides_[0].longest_step(), sides_[1].longest_step()}); };
  for (Side& side : sides_) std::fill_n(side.target.begin(), side.size(), 0.0);
  direction();
  if (mu_ == 0) return 1;
  double step = longest();
  const double after = (sides_[0].gap(step) + sides_[1].gap(step)) / (sides_[0].gap(0) + sides_[1].gap(0));
  const double aim = std::max(is_cautious_ ? cautious_share : 0, after * after * after) * mu_;
  for (Side& side : sides_)
    for (std::size_t k = 0; k < side.size(); ++k) side.target[k] = aim - (is_cautious_ ? 0 : side.ds[k] * side.dy[k]);
  direction();
  step = longest();
  for (int k = 0; k < correctors && step < 0.95; ++k) {
    const double longer = improve(step, aim);
    if (longer <= step) break;
    step = longer;
  }
  return step;
}

// Gondzio: products that a longer step would take out of [0.1, 10] aim are drawn back. Kept if the step does get longer.
double InteriorPoint::improve(double step, double aim) {
  constexpr double low = 0.1, high = 10, hoped = 0.3, least = 0.01;
  const double trial = std::min(1.0, step + hoped);
  saved_dz_ = dz_;
  for (int k = 0; k < 2; ++k) {
    Side& side = sides_[k];
    std::copy_n(side.ds.begin(), side.size(), saved_ds_[k].begin());
    std::copy_n(side.dy.begin(), side.size(), saved_dy_[k].begin());
    std::copy_n(side.target.begin(), side.size(), saved_target_[k].begin());
    for (std::size_t j = 0; j < side.size(); ++j) {
      const double product = (side.s[j] + trial * side.ds[j]) * (side.y[j] + trial * side.dy[j]);
      if (product < low * aim) side.target[j] += low * aim - product;
      if (product > high * aim) side.target[j] += std::max(high * aim - product, -high * aim);
    }
  }
  direction();
  const double longer = std::min({1.0, sides_[0].longest_step(), sides_[1].longest_step()});
  if (longer >= step + least) return longer;
  std::swap(dz_, saved_dz_);
  for (int k = 0; k < 2; ++k) {
    std::swap(sides_[k].ds, saved_ds_[k]);
    std::swap(sides_[k].dy, saved_dy_[k]);
    std::swap(sides_[k].target, saved_target_[k]);
  }
  return step;
}

void InteriorPoint::move(double step) {
  for (std::size_t i = 0; i < z_.size(); ++i) z_[i] += step * dz_[i];
  for (Side& side : sides_)
    for (std::size_t k = 0; k < side.size(); ++k) {
      side.s[k] += step * side.ds[k];  // not z - bound, whose digits cancel
      side.y[k] += step * side.dy[k];
    }
}

Stop InteriorPoint::try_active_set(std::span<double> z, Control& control, std::int64_t iteration) {
  active_set_.identify(system_, z_, w_);
  std::copy(z_.begin(), z_.end(), trial_.begin());
  active_set_.solve(system_, factor_, trial_, exchange_rounds);
  std::copy_n(trial_.begin(), z.size(), z.begin());
  return control.check(iteration, z);
}

// Without a solution the iterates grow along a proof of that: the multipliers of a polyhedron, z itself of an LCP.
bool InteriorPoint::proves_infeasible(std::span<const double> candidate, const Control& control) {
  ray_ = verified_proof(*view_, control, candidate.last(infeasibility_size(*view_)), y_, workspace_);
  return !ray_.empty();
}

// Whether the last direction is such a proof, or what is left of it after inverse iteration: rows of equality that contradict
// each other make it large along them, but not alone.
bool InteriorPoint::leads_nowhere(const Control& control) {
  if (proves_infeasible(dz_, control)) return true;
  for (std::size_t c = 0; c < moving_.size(); ++c) step_[c] = dz_[at(moving_[c])];
  for (int k = 0; k < inverse_iterations; ++k) {
    factor_.solve(step_.data());
    double largest = 0;
    for (std::size_t c = 0; c < moving_.size(); ++c) largest = std::max(largest, std::abs(step_[c]));
    if (!(largest > 0) || !std::isfinite(largest)) return false;
    std::fill(trial_.begin(), trial_.end(), 0.0);
    for (std::size_t c = 0; c < moving_.size(); ++c) {
      step_[c] /= largest;
      if (std::abs(step_[c]) > negligible_share) trial_[at(moving_[c])] = step_[c];
    }
    if (proves_infeasible(trial_, control)) return true;
  }
  return false;
}

Stop InteriorPoint::finish(std::span<double> z, const Control& control) {
  std::copy_n(z_.begin(), z.size(), z.begin());
  return proves_infeasible(z_, control) || proves_infeasible(dz_, control) ? Stop::infeasible : Stop::stalled;
}

Stop InteriorPoint::solve(std::span<double> z, Control& control) {
  ray_ = {};
  start();
  double next = first_trial;
  int shorts = 0;
  double last_step = 0, last_infeasibility = HUGE_VAL;
  for (std::int64_t k = 0;; ++k) {
    const double residual = measure();
    watch(k, residual);
    if (!std::isfinite(residual)) return finish(z, control);
    if (residual <= next || mu_ == 0) {
      if (const Stop stop = try_active_set(z, control, k); stop != Stop::none) return stop;
      next = std::min(next, residual) * next_trial;
    }
    if (const Stop stop = control.check_limits(k); stop != Stop::none) {
      std::copy_n(z_.begin(), z.size(), z.begin());
      return stop;
    }
    if (!factorise()) return finish(z, control);
    const double longest = predict_and_correct();
    const double infeasibility = norm2(r_);
    const bool stays = infeasibility > (1 - due_decrease * last_step) * last_infeasibility;
    if ((longest < suspicious_step || stays) && leads_nowhere(control)) return Stop::infeasible;
    last_step = longest;
    last_infeasibility = infeasibility;
    shorts = longest < smallest_step ? shorts + 1 : 0;
    if (shorts >= short_steps || (residual < rounding_residual && mu_ > 0)) return finish(z, control);
    move(longest == 1 && mu_ == 0 ? 1 : boundary_share * longest);
  }
}

}  // namespace

extern const MethodEntry interior_point_method;
const MethodEntry interior_point_method{
    {sizeof(nsm_method_info), "interior_point",
     "primal-dual predictor-corrector with several correctors, dense or sparse Cholesky or LU; exact solve of the active set at "
     "the end",
     "Mehrotra 1992; Gondzio 1996; Potra and Wright 2000",
     "monotone M (symmetric part positive semidefinite) on orthants, boxes, free rows and polyhedra",
     linear_classes | class_bit(NSM_QP), 200,
     "monotone problems where the pivots of `lemke` would be too many, from some hundred unknowns on: convex quadratic "
     "programmes, optimal control, linear programmes with equalities; sparse ones as far as their factors are; the number of "
     "iterations hardly depends on the data"},
    &make_method<InteriorPoint>};

}  // namespace nonsmooth
