// Semismooth Newton on the Fischer-Burmeister equation for the LCP: phi(z_i, w_i) = sqrt(z_i^2 + w_i^2) - z_i - w_i = 0
// (De Luca, Facchinei and Kanzow 1996), line search on 1/2 |Phi|^2 against the largest of the last values (Grippo, Lampariello
// and Lucidi 1986), gradient step where the Newton direction does not descend. Each time the active set settles, the exact
// solution on it is tried, so that a certified residual is at rounding level.
#include <algorithm>
#include <cfloat>
#include <cmath>

#include "core/error.hpp"
#include "linalg/dense_lu.hpp"
#include "methods/equilibration.hpp"
#include "methods/method.hpp"
#include "methods/nonlinear_semismooth.hpp"

namespace nonsmooth {
namespace {

constexpr int largest_order = 20000;
constexpr double armijo = 1e-4;
constexpr double smallest_step = 1e-12;
constexpr double descent_factor = 1e-10, descent_power = 2.1;  // Newton direction accepted if grad.d <= -factor |d|^power

class SemismoothNewton final : public Method {
 public:
  void setup(const Inclusion& view, const Options& options) override;
  void update(Change) override {}  // everything is read again by solve
  Stop solve(std::span<double> z, Control& control) override;

 private:
  double evaluate(const Vector& z);  // w_, phi_; returns the merit
  void write_jacobian();             // da_, db_ and the Newton matrix
  void write_gradient();
  bool newton_direction();
  double line_search(double slope, double reference);
  bool try_active_set(std::span<double> z, Control& control, std::int64_t iteration);

  const Inclusion* view_ = nullptr;
  int n_ = 0;
  EquilibratedLcp lcp_;
  DenseLu lu_;
  std::size_t memory_ = 1;
  Vector z_, trial_, w_, phi_, da_, db_, gradient_, direction_, history_;
  std::vector<int> active_;
  std::vector<char> status_, last_status_;
};

void SemismoothNewton::setup(const Inclusion& view, const Options& options) {
  if (view.size() > largest_order)
    fail(NSM_TOO_LARGE, "semismooth_newton factorises a dense matrix: %lld unknowns exceed its limit %d",
         static_cast<long long>(view.size()), largest_order);
  view_ = &view;
  n_ = static_cast<int>(view.size());
  memory_ = static_cast<std::size_t>(options.integer(Option::nonmonotone_memory));
  lcp_.resize(n_);
  lu_.resize(n_);
  for (Vector* v : {&z_, &trial_, &w_, &phi_, &da_, &db_, &gradient_, &direction_}) v->resize(static_cast<std::size_t>(n_));
  history_.resize(memory_);
  active_.reserve(static_cast<std::size_t>(n_));
  status_.resize(static_cast<std::size_t>(n_));
  last_status_.resize(static_cast<std::size_t>(n_));
}

double SemismoothNewton::evaluate(const Vector& z) {
  std::copy(lcp_.q().begin(), lcp_.q().end(), w_.begin());
  for (int j = 0; j < n_; ++j) {
    const double x = z[static_cast<std::size_t>(j)];
    if (x == 0) continue;
    const double* column = lcp_.column(j);
    for (int i = 0; i < n_; ++i) w_[static_cast<std::size_t>(i)] += column[i] * x;
  }
  double merit = 0;
  for (std::size_t i = 0; i < w_.size(); ++i) {
    const double sum = z[i] + w_[i], root = std::hypot(z[i], w_[i]);
    // For a positive sum the difference is formed without cancellation.
    phi_[i] = sum > 0 ? -2 * z[i] * w_[i] / (root + sum) : root - sum;
    merit += 0.5 * phi_[i] * phi_[i];
  }
  return merit;
}

void SemismoothNewton::write_jacobian() {
  for (std::size_t i = 0; i < w_.size(); ++i) {
    const double root = std::hypot(z_[i], w_[i]);
    // At the kink an element of the B-subdifferential: the limit along (1, 1).
    da_[i] = (root > 0 ? z_[i] / root : M_SQRT1_2) - 1;
    db_[i] = (root > 0 ? w_[i] / root : M_SQRT1_2) - 1;
  }
}

void SemismoothNewton::write_gradient() {
  for (int j = 0; j < n_; ++j) {
    const double* column = lcp_.column(j);
    double sum = 0;
    for (int i = 0; i < n_; ++i) sum += column[i] * db_[static_cast<std::size_t>(i)] * phi_[static_cast<std::size_t>(i)];
    gradient_[static_cast<std::size_t>(j)] = sum + da_[static_cast<std::size_t>(j)] * phi_[static_cast<std::size_t>(j)];
  }
}

bool SemismoothNewton::newton_direction() {
  const std::span<double> J = lu_.matrix();
  for (int j = 0; j < n_; ++j) {
    const double* column = lcp_.column(j);
    double* target = J.data() + std::ptrdiff_t{j} * n_;
    for (int i = 0; i < n_; ++i) target[i] = db_[static_cast<std::size_t>(i)] * column[i];
    target[j] += da_[static_cast<std::size_t>(j)];
  }
  if (!lu_.factorise(n_)) return false;
  for (std::size_t i = 0; i < phi_.size(); ++i) direction_[i] = -phi_[i];
  lu_.solve(direction_.data());
  double slope = 0, norm = 0;
  for (std::size_t i = 0; i < phi_.size(); ++i) {
    slope += gradient_[i] * direction_[i];
    norm += direction_[i] * direction_[i];
  }
  return std::isfinite(norm) && slope <= -descent_factor * std::pow(std::sqrt(norm), descent_power);
}

// Halves the step until the merit is small enough; z_ moves. Returns the new merit, or a NaN if no step was found.
double SemismoothNewton::line_search(double slope, double reference) {
  for (double t = 1; t > smallest_step; t *= 0.5) {
    for (std::size_t i = 0; i < z_.size(); ++i) trial_[i] = z_[i] + t * direction_[i];
    const double merit = evaluate(trial_);
    if (merit <= reference + armijo * t * slope) {
      std::swap(z_, trial_);
      return merit;
    }
  }
  return std::nan("");
}

// Solves M_aa z_a = -q_a on the set of z_i > w_i and puts the result before the certificate.
bool SemismoothNewton::try_active_set(std::span<double> z, Control& control, std::int64_t iteration) {
  active_.clear();
  for (int i = 0; i < n_; ++i)
    if (status_[static_cast<std::size_t>(i)]) active_.push_back(i);
  const int k = static_cast<int>(active_.size());
  for (int c = 0; c < k; ++c) {
    const double* column = lcp_.column(active_[static_cast<std::size_t>(c)]);
    double* target = lu_.matrix().data() + std::ptrdiff_t{c} * k;
    for (int r = 0; r < k; ++r) target[r] = column[active_[static_cast<std::size_t>(r)]];
    direction_[static_cast<std::size_t>(c)] = -lcp_.q()[static_cast<std::size_t>(active_[static_cast<std::size_t>(c)])];
  }
  if (!lu_.factorise(k)) return false;
  lu_.solve(direction_.data());
  std::fill(trial_.begin(), trial_.end(), 0.0);
  for (int c = 0; c < k; ++c)
    trial_[static_cast<std::size_t>(active_[static_cast<std::size_t>(c)])] =
        std::max(0.0, direction_[static_cast<std::size_t>(c)]);
  lcp_.unscale(trial_, z);
  return control.check(iteration, z) == Stop::finished;
}

Stop SemismoothNewton::solve(std::span<double> z, Control& control) {
  lcp_.load(*view_, EquilibratedLcp::Kind::symmetric);
  lcp_.scale(z, z_);
  std::fill(last_status_.begin(), last_status_.end(), char{2});
  double merit = evaluate(z_);
  for (std::int64_t k = 0;; ++k) {
    lcp_.unscale(z_, z);
    if (const Stop stop = control.check(k, z); stop != Stop::none) return stop;
    for (std::size_t i = 0; i < z_.size(); ++i) status_[i] = z_[i] > w_[i] ? 1 : 0;
    if (status_ == last_status_ && try_active_set(z, control, k)) return Stop::finished;
    std::swap(status_, last_status_);

    history_[static_cast<std::size_t>(k) % memory_] = merit;
    const std::size_t remembered = std::min(memory_, static_cast<std::size_t>(k) + 1);
    const double reference = *std::max_element(history_.begin(), history_.begin() + static_cast<std::ptrdiff_t>(remembered));
    write_jacobian();
    write_gradient();
    if (!newton_direction())
      for (std::size_t i = 0; i < z_.size(); ++i) direction_[i] = -gradient_[i];
    double slope = 0;
    for (std::size_t i = 0; i < z_.size(); ++i) slope += gradient_[i] * direction_[i];
    merit = line_search(slope, reference);
    if (!(slope < 0) || std::isnan(merit)) return Stop::stalled;
  }
}

// Callbacks have neither the scaling nor the exact solution on the active set of the linear problem.
class AnySemismoothNewton final : public Method {
 public:
  void setup(const Inclusion& view, const Options& options) override {
    method_ = view.F != nullptr ? make_nonlinear_semismooth() : std::make_unique<SemismoothNewton>();
    method_->setup(view, options);
  }
  void update(Change change) override { method_->update(change); }
  Stop solve(std::span<double> z, Control& control) override { return method_->solve(z, control); }

 private:
  std::unique_ptr<Method> method_;
};

}  // namespace

extern const MethodEntry semismooth_newton_method;
const MethodEntry semismooth_newton_method{
    {sizeof(nsm_method_info), "semismooth_newton", "Fischer-Burmeister semismooth Newton with nonmonotone line search, dense LU",
     "De Luca, Facchinei, Kanzow 1996; Grippo, Lampariello, Lucidi 1986",
     "P-matrices (global convergence); P0 and monotone M: stationary points are solutions, the Newton matrix may be singular",
     class_bit(NSM_LCP) | class_bit(NSM_NCP) | class_bit(NSM_MCP) | class_bit(NSM_VI), 500},
    &make_method<AnySemismoothNewton>};

}  // namespace nonsmooth
