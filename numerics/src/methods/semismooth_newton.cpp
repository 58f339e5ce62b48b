// Semismooth Newton: every row is one equation phi(z_i, w_i) = 0 (ncp_function.hpp), w = M z + q, so that the Newton matrix is
// diag(dz) + diag(dw) M, of the order of the problem (De Luca, Facchinei and Kanzow 1996). Line search on 1/2 |phi|^2 against the
// largest of the last values (Grippo, Lampariello and Lucidi 1986). Where that matrix is singular or its direction does not
// descend, a multiple of the identity is added in the manner of Levenberg and Marquardt, to the matrix itself: for P0-matrices it
// is then regular. Last comes the gradient. Each time the active set settles, the exact solution on it is tried, so that a
// certified residual is at rounding level.
#include <algorithm>
#include <cmath>

#include "core/checked.hpp"
#include "core/index.hpp"
#include "linalg/dense_factor.hpp"
#include "methods/equations/ncp_function.hpp"
#include "methods/frame/descent.hpp"
#include "methods/frame/equilibration.hpp"
#include "methods/frame/method.hpp"
#include "methods/newton/cone_newton.hpp"
#include "methods/newton/nonlinear_semismooth.hpp"

namespace nonsmooth {
namespace {

constexpr double shortest_newton_step = 1e-12;
constexpr double smallest_scaled_shift = 1e-6, largest_scaled_shift = 1e-1;  // of the scaled matrix, whose entries are about 1

enum class Face : char { at_lower, inside, at_upper, unknown };

class SemismoothNewton final : public Method {
 public:
  void setup(const Inclusion& view, const Options& options) override;
  void update(Change change) override;
  Stop solve(std::span<double> z, Control& control) override;

 private:
  void multiply(const Vector& x, Vector& y) const;  // y += M x
  double evaluate();                                // phi_ and its derivatives at z_, w_; returns the merit
  double merit_at(double t) const;
  void write_gradient();
  bool newton_direction(double shift);
  void choose_direction(double merit);
  double line_search(double reference);
  void read_faces();
  bool try_faces(std::span<double> z, Control& control, std::int64_t iteration);

  const Inclusion* view_ = nullptr;
  int n_ = 0;
  NcpFunction function_ = NcpFunction::fischer_burmeister;
  EquilibratedLcp lcp_;
  bool loaded_ = false;  // whether it holds the present values
  DenseFactor lu_;
  std::size_t memory_ = 1;
  Vector z_, w_, phi_, dz_, dw_, gradient_, direction_, change_, history_;
  std::vector<int> inside_;
  std::vector<Face> face_, last_face_;
};

void SemismoothNewton::setup(const Inclusion& view, const Options& options) {
  const std::int64_t order = EquilibratedLcp::order_of(view);
  refuse_beyond(20000, order, "semismooth_newton factorises a dense matrix");
  view_ = &view;
  n_ = static_cast<int>(order);
  function_ = options.choice<NcpFunction>(Option::ncp_function);
  memory_ = at(options.integer(Option::nonmonotone_memory));
  lcp_.resize(n_);
  lu_.resize(n_);
  for (Vector* v : {&z_, &w_, &phi_, &dz_, &dw_, &gradient_, &direction_, &change_}) v->resize(at(n_));
  history_.resize(memory_);
  inside_.reserve(at(n_));
  face_.resize(at(n_));
  last_face_.resize(at(n_));
  loaded_ = false;
}

void SemismoothNewton::update(Change change) {
  if (change != Change::right_hand_side)
    loaded_ = false;
  else if (loaded_)
    lcp_.load_q(*view_);
}

void SemismoothNewton::multiply(const Vector& x, Vector& y) const {
  for (int j = 0; j < n_; ++j) {
    const double factor = x[at(j)];
    if (factor == 0) continue;
    const double* column = lcp_.column(j);
    for (int i = 0; i < n_; ++i) y[at(i)] += column[i] * factor;
  }
}

double SemismoothNewton::evaluate() {
  double merit = 0;
  for (std::size_t i = 0; i < z_.size(); ++i) {
    const RowEquation row = row_equation(function_, z_[i], w_[i], lcp_.lo()[i], lcp_.hi()[i]);
    phi_[i] = row.value;
    dz_[i] = row.dz;
    dw_[i] = row.dw;
    merit += 0.5 * row.value * row.value;
  }
  return merit;
}

// w is affine along the direction: no product with M.
double SemismoothNewton::merit_at(double t) const {
  double merit = 0;
  for (std::size_t i = 0; i < z_.size(); ++i) {
    const double value =
        row_equation(function_, z_[i] + t * direction_[i], w_[i] + t * change_[i], lcp_.lo()[i], lcp_.hi()[i]).value;
    merit += 0.5 * value * value;
  }
  return merit;
}

void SemismoothNewton::write_gradient() {
  for (int j = 0; j < n_; ++j) {
    const double* column = lcp_.column(j);
    double sum = dz_[at(j)] * phi_[at(j)];
    for (int i = 0; i < n_; ++i) sum += column[i] * dw_[at(i)] * phi_[at(i)];
    gradient_[at(j)] = sum;
  }
}

// false if the matrix is singular or its direction does not descend.
bool SemismoothNewton::newton_direction(double shift) {
  double* target = lu_.matrix().data();
  for (int j = 0; j < n_; ++j, target += n_) {
    const double* column = lcp_.column(j);
    for (int i = 0; i < n_; ++i) target[i] = dw_[at(i)] * column[i];
    target[j] += dz_[at(j)] - shift;
  }
  if (!lu_.factorise(n_)) return false;
  for (std::size_t i = 0; i < phi_.size(); ++i) direction_[i] = -phi_[i];
  lu_.solve(direction_.data());
  return is_descent(dot(gradient_, direction_), norm2(direction_));
}

void SemismoothNewton::choose_direction(double merit) {
  write_gradient();
  const double shift = std::clamp(std::sqrt(2 * merit), smallest_scaled_shift, largest_scaled_shift);
  if (!newton_direction(0) && !newton_direction(shift))
    for (std::size_t i = 0; i < phi_.size(); ++i) direction_[i] = -gradient_[i];
  std::fill(change_.begin(), change_.end(), 0.0);
  multiply(direction_, change_);
}

// Halves the step until the merit is small enough and moves z_. Returns the new merit, or a NaN if no step was found.
double SemismoothNewton::line_search(double reference) {
  const double slope = dot(gradient_, direction_);
  if (!(slope < 0)) return std::nan("");
  for (double t = 1; t > shortest_newton_step; t *= 0.5) {
    if (!(merit_at(t) <= reference + armijo * t * slope)) continue;
    for (std::size_t i = 0; i < z_.size(); ++i) z_[i] += t * direction_[i];
    std::copy(lcp_.q().begin(), lcp_.q().end(), w_.begin());
    multiply(z_, w_);
    return evaluate();
  }
  return std::nan("");
}

void SemismoothNewton::read_faces() {
  for (std::size_t i = 0; i < z_.size(); ++i) {
    const double x = z_[i] - w_[i];
    face_[i] = x <= lcp_.lo()[i] ? Face::at_lower : x >= lcp_.hi()[i] ? Face::at_upper : Face::inside;
  }
}

// w = 0 on the rows inside, all other z at their bounds: put before the certificate.
bool SemismoothNewton::try_faces(std::span<double> z, Control& control, std::int64_t iteration) {
  inside_.clear();
  for (int i = 0; i < n_; ++i) {
    const bool is_inside = face_[at(i)] == Face::inside;
    if (is_inside) inside_.push_back(i);
    change_[at(i)] = is_inside ? 0 : face_[at(i)] == Face::at_lower ? lcp_.lo()[at(i)] : lcp_.hi()[at(i)];
  }
  std::copy(lcp_.q().begin(), lcp_.q().end(), gradient_.begin());
  multiply(change_, gradient_);
  double* target = lu_.matrix().data();
  for (std::size_t c = 0; c < inside_.size(); ++c) {
    const double* column = lcp_.column(inside_[c]);
    for (int i : inside_) *target++ = column[i];
    direction_[c] = -gradient_[at(inside_[c])];
  }
  if (!lu_.factorise(static_cast<int>(inside_.size()))) return false;
  lu_.solve(direction_.data());
  for (std::size_t c = 0; c < inside_.size(); ++c) {
    const std::size_t i = at(inside_[c]);
    change_[i] = std::min(std::max(direction_[c], lcp_.lo()[i]), lcp_.hi()[i]);
  }
  lcp_.unscale(change_, z);
  return control.check(iteration, z) == Stop::finished;
}

Stop SemismoothNewton::solve(std::span<double> z, Control& control) {
  if (!loaded_) lcp_.load(*view_, EquilibratedLcp::Kind::symmetric);
  loaded_ = true;
  std::fill(z_.begin(), z_.end(), 0.0);  // multipliers of a polyhedron have no starting value
  lcp_.scale(z, z_);
  std::copy(lcp_.q().begin(), lcp_.q().end(), w_.begin());
  multiply(z_, w_);
  std::fill(last_face_.begin(), last_face_.end(), Face::unknown);
  double merit = evaluate();
  for (std::int64_t k = 0;; ++k) {
    lcp_.unscale(z_, z);
    if (const Stop stop = control.check(k, z); stop != Stop::none) return stop;
    read_faces();
    if (face_ == last_face_ && try_faces(z, control, k)) return Stop::finished;
    std::swap(face_, last_face_);

    history_[at(k) % memory_] = merit;
    const std::size_t remembered = std::min(memory_, at(k) + 1);
    const double reference = *std::max_element(history_.begin(), history_.begin() + static_cast<std::ptrdiff_t>(remembered));
    choose_direction(merit);
    merit = line_search(reference);
    if (std::isnan(merit)) return Stop::stalled;
  }
}

// Callbacks have neither the scaling nor the exact solution on the active set of the linear problem.
class AnySemismoothNewton final : public Method {
 public:
  void setup(const Inclusion& view, const Options& options) override {
    const bool cones = has_cones(view);
    is_rowwise_ = view.F == nullptr && !cones;
    method_ = cones ? make_cone_newton() : is_rowwise_ ? std::make_unique<SemismoothNewton>() : make_nonlinear_semismooth();
    method_->setup(view, options);
  }
  void update(Change change) override { method_->update(change); }
  bool updates_in_place() const override { return is_rowwise_; }
  Stop solve(std::span<double> z, Control& control) override { return method_->solve(z, control); }

 private:
  std::unique_ptr<Method> method_;
  bool is_rowwise_ = false;
};

}  // namespace

extern const MethodEntry semismooth_newton_method;
const MethodEntry semismooth_newton_method{
    {sizeof(nsm_method_info), "semismooth_newton",
     "semismooth Newton on the Fischer-Burmeister, penalised or min function, nonmonotone line search, dense LU; "
     "by callbacks sparse where the Jacobian is",
     "De Luca, Facchinei, Kanzow 1996; Billups 1995; Chen, Chen, Kanzow 2000; Grippo, Lampariello, Lucidi 1986",
     "P-matrices (fischer_burmeister, penalised: global convergence; min: near the solution); P0 and monotone M: stationary "
     "points are solutions, the Newton matrix is regularised where it is singular; others: may stall",
     linear_classes | nonlinear_classes | contact_classes | cone_classes, 500,
     "nonlinear problems with a smooth F, and tight tolerances from a good start; on linear problems up to some thousand "
     "unknowns (dense LU), where it may stall without harm"},
    &make_method<AnySemismoothNewton>};

}  // namespace nonsmooth
