// Alternating direction method of multipliers for w = M z + q, -w in N_C(z), C any product of sets that can be projected on
// (Boyd et al. 2011; Stellato et al. 2020). For monotone M it is the splitting of Douglas and Rachford (Lions and Mercier 1979):
//   (M + rho I) x+ = rho z - l - q,   z+ = P_C(a x+ + (1 - a) z + l / rho),   l+ = l + rho (a x+ + (1 - a) z - z+),
// -l tends to w. One factorisation serves all iterations, a few more where rho has to be balanced. For friction the velocity is
// changed after De Saxce with the present -l (q + shift(-l) in place of q): nothing is proven then.
//
// Convergence is linear at best: where all sets are intervals, the active set is solved exactly once it stands still.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/index.hpp"
#include "methods/newton/identified_set.hpp"
#include "sets/set.hpp"

namespace nonsmooth {
namespace {

constexpr int largest_alternated_order = 10000;
constexpr double over_relaxation = 1.6;
constexpr std::int64_t alternations_between_checks = 10, balance_interval = 20;
constexpr double imbalance = 5;        // of primal and dual change, from which on rho is changed
constexpr double largest_change = 20;  // of rho at a time, as a factor either way
constexpr int refactorisations = 12, polishing_exchanges = 2;

class Admm final : public Method {
 public:
  void setup(const Inclusion& view, const Options& options) override;
  void update(Change change) override;
  Stop solve(std::span<double> z, Control& control) override;

 private:
  bool factorise();
  void step();
  bool balance();
  Stop try_active_set(std::span<double> z, Control& control, std::int64_t iteration);

  LinearSystem system_;
  BlockFactor factor_, polished_;  // the second: of an active set
  IdentifiedSet active_set_;
  std::vector<int> all_;
  Vector z_, l_, x_, shifted_, added_, w_;
  double rho_ = 1, factorised_rho_ = 0;  // of the factor at hand; made by the first solve that needs it
  double primal_ = 0, dual_ = 0;         // |x - z+| and |z+ - z| of the last step
  int budget_ = 0;
  std::int64_t next_trial_ = 0;
};

void Admm::setup(const Inclusion& view, const Options&) {
  system_.setup(view, "admm", largest_alternated_order);
  const int n = system_.n();
  factor_.setup(system_);
  if (system_.has_bounds()) {
    polished_.setup(system_);
    active_set_.resize(n);
  }
  all_.resize(at(n));
  std::iota(all_.begin(), all_.end(), 0);
  for (Vector* v : {&z_, &l_, &x_, &shifted_, &added_, &w_}) v->resize(at(n));
}

void Admm::update(Change change) {
  system_.update(change);
  if (change != Change::matrix) return;
  factorised_rho_ = 0;
  factor_.update(system_);
  if (system_.has_bounds()) polished_.update(system_);
}

bool Admm::factorise() {
  if (factorised_rho_ == rho_) return true;
  std::fill(added_.begin(), added_.end(), rho_);
  factorised_rho_ = factor_.factorise(system_, all_, added_) ? rho_ : 0;
  return factorised_rho_ > 0;
}

void Admm::step() {
  for (std::size_t i = 0; i < l_.size(); ++i) w_[i] = shifted_[i] = -l_[i];
  add_normal_shift(system_.blocks(), shifted_.data());
  for (std::size_t i = 0; i < x_.size(); ++i) x_[i] = rho_ * z_[i] - l_[i] - system_.q()[i] - (shifted_[i] - w_[i]);
  factor_.solve(x_.data());
  primal_ = dual_ = 0;
  for (std::size_t i = 0; i < x_.size(); ++i)
    shifted_[i] = over_relaxation * x_[i] + (1 - over_relaxation) * z_[i] + l_[i] / rho_;
  project(system_.blocks(), shifted_.data(), w_.data());
  for (std::size_t i = 0; i < x_.size(); ++i) {
    primal_ += (x_[i] - w_[i]) * (x_[i] - w_[i]);
    dual_ += (w_[i] - z_[i]) * (w_[i] - z_[i]);
    l_[i] = rho_ * (shifted_[i] - w_[i]);
    z_[i] = w_[i];
  }
}

// rho grows where z lags behind x, and falls where it runs ahead. false if M + rho I cannot be factorised.
bool Admm::balance() {
  const double ratio = std::sqrt(primal_ / std::max(dual_, 1e-300));
  if (budget_ == 0 || !std::isfinite(ratio) || (ratio < imbalance && ratio > 1 / imbalance)) return true;
  --budget_;
  rho_ *= std::min(std::max(std::sqrt(ratio), 1 / largest_change), largest_change);
  return factorise();
}

Stop Admm::try_active_set(std::span<double> z, Control& control, std::int64_t iteration) {
  for (std::size_t i = 0; i < l_.size(); ++i) w_[i] = -l_[i];
  const bool still = active_set_.identify(system_, z_, w_);
  if (!still || iteration < next_trial_) return Stop::none;
  next_trial_ = 2 * iteration;
  std::copy(z_.begin(), z_.end(), x_.begin());
  active_set_.solve(system_, polished_, x_, polishing_exchanges);
  std::copy_n(x_.begin(), z.size(), z.begin());
  return control.check(iteration, z);
}

Stop Admm::solve(std::span<double> z, Control& control) {
  rho_ = system_.mean_diagonal();
  budget_ = refactorisations;
  next_trial_ = alternations_between_checks;
  std::fill(z_.begin(), z_.end(), 0.0);
  std::copy(z.begin(), z.end(), z_.begin());
  system_.evaluate(z_, w_);
  for (std::size_t i = 0; i < l_.size(); ++i) l_[i] = -w_[i];
  active_set_.forget();
  if (!factorise()) return Stop::breakdown;
  for (std::int64_t k = 1;; ++k) {
    if (const Stop stop = control.check_limits(k - 1); stop != Stop::none) return stop;
    step();
    const bool check = k % alternations_between_checks == 0;
    if (check && system_.has_bounds())
      if (const Stop stop = try_active_set(z, control, k); stop != Stop::none) return stop;
    std::copy_n(z_.begin(), z.size(), z.begin());
    if (check)
      if (const Stop stop = control.check(k, z); stop != Stop::none) return stop;
    if (k % balance_interval == 0 && !balance()) return Stop::breakdown;
  }
}

}  // namespace

extern const MethodEntry admm_method;
const MethodEntry admm_method{
    {sizeof(nsm_method_info), "admm",
     "alternating directions on any product of sets: one dense or sparse factorisation, balanced step, exact solve of the active "
     "set at the end",
     "Boyd, Parikh, Chu, Peleato, Eckstein 2011; Stellato et al. 2020; Lions and Mercier 1979",
     "monotone M on any convex sets; friction (De Saxce's change lagged): no guarantee",
     linear_classes | contact_classes | class_bit(NSM_QP) | cone_classes, 20000,
     "monotone problems over mixed sets with one factorisation and many cheap steps, and a moderate tolerance; second-order "
     "cones"},
    &make_method<Admm>};

}  // namespace nonsmooth
