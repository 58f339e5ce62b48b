// Conjugate gradients with projections for  min 1/2 z'M z + q'z  over a box, M symmetric: MPRGP (Dostal 2009, alg. 5.8; Dostal
// and Schoberl 2005), after More and Toraldo (1991). On the face of the free unknowns conjugate gradients; where they leave the
// box, the step to its boundary and one projected gradient step of fixed length; where the bounds hold more of the gradient than
// the face does, a step that releases them. One product with M per step, two where the face grows.
//
// The unknowns are scaled by the square roots of the diagonal.
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "core/error.hpp"
#include "core/index.hpp"
#include "linalg/symmetry.hpp"
#include "methods/frame/iteration.hpp"
#include "methods/frame/method.hpp"
#include "methods/friction_fixed_point.hpp"
#include "problems/bounds.hpp"
#include "sets/set.hpp"

namespace nonsmooth {
namespace {

constexpr double gradient_symmetry = 1e-10;
constexpr int power_iterations = 30;
constexpr double power_change = 0.01;          // of the estimate, below which they end
constexpr double step_factor = 1.5;            // of 1 / |M|, which power iterations estimate from below; 2 is the limit
constexpr double smallest_curvature = 1e-14;   // relative to |M|
constexpr std::int64_t refresh_interval = 50;  // steps after which the gradient is computed anew

// The sums over i of terms(i), each of which has several: in one loop, where their chains of additions do not wait for each
// other.
template <class Terms>
auto sums_of(std::size_t size, Terms&& terms) {
  auto sums = decltype(terms(0)){};
  for (std::size_t i = 0; i < size; ++i) {
    const auto own = terms(i);
    for (std::size_t k = 0; k < sums.size(); ++k) sums[k] += own[k];
  }
  return sums;
}

class ProjectedConjugateGradient final : public Method {
 public:
  void setup(const Inclusion& view, const Options& options) override;
  void update(Change change) override;
  Stop solve(std::span<double> z, Control& control) override;

 private:
  void load_matrix();
  void load_bounds();
  void multiply(const Vector& x, Vector& y);  // y = S M S x
  void write_gradient();
  void split_gradient();
  double longest_step(const Vector& direction);
  void move(const Vector& direction, double length);
  Stop follow_face();
  Stop release_bounds();

  const Inclusion* view_ = nullptr;
  std::int64_t check_interval_ = 1;
  double norm_ = 1;
  Vector scale_, lo_, hi_, x_, gradient_, product_, scaled_;
  Vector face_, reduced_, chopped_, direction_;  // gradient on the face, the same cut off at the box; on the bounds
};

void ProjectedConjugateGradient::setup(const Inclusion& view, const Options& options) {
  refuse_polyhedra(view, "projected_conjugate_gradient");
  view_ = &view;
  check_interval_ = options.integer(Option::check_interval);
  for (Vector* v : {&scale_, &lo_, &hi_, &x_, &gradient_, &product_, &scaled_, &face_, &reduced_, &chopped_, &direction_})
    v->resize(at(view.size()));
  load_matrix();
}

void ProjectedConjugateGradient::update(Change change) {
  if (change == Change::matrix) load_matrix();
  if (change != Change::right_hand_side) load_bounds();
}

void ProjectedConjugateGradient::load_matrix() {
  const double defect = is_symmetric(*view_->M) ? 0 : symmetry_defect(*view_->M);
  if (!(defect <= gradient_symmetry))
    fail(NSM_UNSUPPORTED, "projected_conjugate_gradient needs a symmetric M: |M - M'| / |M| is %g", defect);
  std::fill(scale_.begin(), scale_.end(), 1.0);
  for_each_entry(*view_->M, [&](std::int64_t i, std::int64_t j, double a) {
    if (i == j && a > 0) scale_[at(i)] = 1 / std::sqrt(a);
  });
  load_bounds();
  for (std::size_t i = 0; i < x_.size(); ++i) x_[i] = 1 + 0.5 * std::sin(static_cast<double>(i));
  norm_ = 0;
  for (int k = 0; k < power_iterations; ++k) {
    const double length = norm2(x_);
    for (double& x : x_) x /= length;
    multiply(x_, product_);
    const double last = std::exchange(norm_, norm2(product_));
    if (norm_ == 0 || std::abs(norm_ - last) <= power_change * norm_) break;
    std::swap(x_, product_);
  }
  if (norm_ == 0) norm_ = 1;
}

void ProjectedConjugateGradient::load_bounds() {
  read_bounds(view_->blocks, lo_, hi_);
  for (std::size_t i = 0; i < scale_.size(); ++i) {
    lo_[i] /= scale_[i];
    hi_[i] /= scale_[i];
  }
}

void ProjectedConjugateGradient::multiply(const Vector& x, Vector& y) {
  for (std::size_t i = 0; i < x.size(); ++i) scaled_[i] = scale_[i] * x[i];
  std::fill(y.begin(), y.end(), 0.0);
  multiply_add(*view_->M, 1.0, scaled_, y);
  for (std::size_t i = 0; i < x.size(); ++i) y[i] *= scale_[i];
}

void ProjectedConjugateGradient::write_gradient() {
  multiply(x_, gradient_);
  for (std::size_t i = 0; i < x_.size(); ++i) gradient_[i] += scale_[i] * (*view_->q)[i];
}

// Everything is computed whatever is chosen, one choice after the other, and in two loops, as the compiler takes several unknowns
// at once then.
void ProjectedConjugateGradient::split_gradient() {
  const double step = step_factor / norm_;
  const double *x = x_.data(), *lo = lo_.data(), *hi = hi_.data(), *gradient = gradient_.data();
  double *face = face_.data(), *reduced = reduced_.data(), *chopped = chopped_.data();
  const std::size_t n = x_.size();
  for (std::size_t i = 0; i < n; ++i) {
    const double g = gradient[i], within = std::min(std::max(g, (x[i] - hi[i]) / step), (x[i] - lo[i]) / step);
    const double above_lo = x[i] <= lo[i] ? 0 : g, reduced_above_lo = x[i] <= lo[i] ? 0 : within;
    face[i] = x[i] >= hi[i] ? 0 : above_lo;
    reduced[i] = x[i] >= hi[i] ? 0 : reduced_above_lo;
  }
  for (std::size_t i = 0; i < n; ++i) {
    const double down = std::min(gradient[i], 0.0), up = std::max(gradient[i], 0.0);
    const double at_lo = x[i] >= hi[i] ? 0 : down, elsewhere = x[i] >= hi[i] ? up : 0;
    chopped[i] = x[i] <= lo[i] ? at_lo : elsewhere;
  }
}

// The largest t for which x - t direction stays in the box.
double ProjectedConjugateGradient::longest_step(const Vector& direction) {
  double longest = HUGE_VAL;
  for (std::size_t i = 0; i < x_.size(); ++i) {
    const double d = direction[i];
    if (d > 0) longest = std::min(longest, (x_[i] - lo_[i]) / d);
    if (d < 0) longest = std::min(longest, (x_[i] - hi_[i]) / d);
  }
  return longest;
}

// x - length direction; product_ holds that of the direction.
void ProjectedConjugateGradient::move(const Vector& direction, double length) {
  for (std::size_t i = 0; i < x_.size(); ++i) {
    x_[i] = std::min(std::max(x_[i] - length * direction[i], lo_[i]), hi_[i]);
    gradient_[i] -= length * product_[i];
  }
}

Stop ProjectedConjugateGradient::follow_face() {
  multiply(direction_, product_);
  const auto [curvature, slope, square] = sums_of(x_.size(), [&](std::size_t i) {
    const double d = direction_[i];
    return std::array{d * product_[i], gradient_[i] * d, d * d};
  });
  const double longest = longest_step(direction_);
  const bool flat = curvature <= smallest_curvature * norm_ * square;
  const double length = flat ? HUGE_VAL : slope / curvature;
  if (length <= longest && std::isfinite(length)) {
    move(direction_, length);
    split_gradient();
    const double conjugation = dot(face_, product_) / curvature;
    for (std::size_t i = 0; i < x_.size(); ++i) direction_[i] = face_[i] - conjugation * direction_[i];
    return Stop::none;
  }
  if (std::isinf(longest)) return Stop::ray;  // the function falls for ever, or M is not semidefinite
  move(direction_, longest);
  split_gradient();
  const double step = step_factor / norm_;
  for (std::size_t i = 0; i < x_.size(); ++i) x_[i] = std::min(std::max(x_[i] - step * face_[i], lo_[i]), hi_[i]);
  write_gradient();
  split_gradient();
  direction_ = face_;
  return Stop::none;
}

Stop ProjectedConjugateGradient::release_bounds() {
  multiply(chopped_, product_);
  const auto [curvature, square] = sums_of(x_.size(), [&](std::size_t i) {
    return std::array{chopped_[i] * product_[i], chopped_[i] * chopped_[i]};
  });
  const double longest = longest_step(chopped_);
  const bool flat = curvature <= smallest_curvature * norm_ * square;
  const double length = std::min(flat ? HUGE_VAL : square / curvature, longest);
  if (std::isinf(length)) return Stop::ray;
  move(chopped_, length);
  split_gradient();
  direction_ = face_;
  return Stop::none;
}

Stop ProjectedConjugateGradient::solve(std::span<double> z, Control& control) {
  for (std::size_t i = 0; i < z.size(); ++i) x_[i] = std::min(std::max(z[i] / scale_[i], lo_[i]), hi_[i]);
  auto write_point = [&] {
    for (std::size_t i = 0; i < z.size(); ++i) z[i] = scale_[i] * x_[i];
  };
  write_point();
  return iterate(z, control, check_interval_, [&](std::int64_t k) {
    if (k % refresh_interval == 1) {
      write_gradient();
      split_gradient();
      direction_ = face_;
    }
    const auto [on_bounds, on_face] = sums_of(x_.size(), [&](std::size_t i) {
      return std::array{chopped_[i] * chopped_[i], reduced_[i] * face_[i]};
    });
    if (on_bounds == 0 && on_face == 0) return Stop::stalled;  // a stationary point: the residual is what rounding leaves
    const Stop stop = on_bounds <= on_face ? follow_face() : release_bounds();
    write_point();
    return stop;
  });
}

// Friction in the plane: boxes |r_T| <= mu r_N whose bounds follow r_N (the fixed point of Tresca's law, as in the conjugate
// gradients of Raous and Barbarin 1992).
class AnyProjectedConjugateGradient final : public Method {
 public:
  void setup(const Inclusion& view, const Options& options) override {
    constexpr const char* name = "projected_conjugate_gradient";
    refuse_disks(view, name);
    if (has_contacts(view))
      method_ = std::make_unique<FrictionFixedPoint>(FixedPoint::tresca, name, name);
    else
      method_ = std::make_unique<ProjectedConjugateGradient>();
    Options own = options;
    own.set("inner_method", 0);
    method_->setup(view, own);
  }
  void update(Change change) override { method_->update(change); }
  Stop solve(std::span<double> z, Control& control) override { return method_->solve(z, control); }

 private:
  std::unique_ptr<Method> method_;
};

}  // namespace

extern const MethodEntry projected_conjugate_gradient_method;
const MethodEntry projected_conjugate_gradient_method{
    {sizeof(nsm_method_info), "projected_conjugate_gradient",
     "conjugate gradients on the face of free unknowns with projections (MPRGP), diagonal scaling",
     "Dostal and Schoberl 2005; Dostal 2009; More and Toraldo 1991",
     "symmetric positive definite M, boxes and orthants; symmetric semidefinite M: a solution if there is one, or a ray; others "
     "are refused",
     linear_classes | coulomb_classes, 1000000,
     "large symmetric positive definite problems with bounds, where a factorisation would be too large: frictionless contact of "
     "elastic bodies"},
    &make_method<AnyProjectedConjugateGradient>};

}  // namespace nonsmooth
