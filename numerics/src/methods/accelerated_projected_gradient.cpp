// Nesterov's accelerated projected gradients (1983) as in Mazhar, Heyn, Negrut and Tasora (2015): the gradient is taken at an
// extrapolated point y, the step 1 / L is halved until L bounds the curvature along it and grows slowly otherwise, and the
// momentum is dropped where it points uphill (O'Donoghue and Candes 2015). One product with M per step: w(y) follows from those
// at the last two points. Friction after De Saxce, the shift taken at y.
#include <cmath>

#include "core/index.hpp"
#include "methods/projection_method.hpp"
#include "sets/set.hpp"

namespace nonsmooth {
namespace {

constexpr double shorten = 0.5, lengthen = 1 / 0.9;
constexpr int most_shortenings = 60;

class AcceleratedProjectedGradient final : public ProjectionMethod {
  void setup(const Inclusion& view, const Options& options) override {
    ProjectionMethod::setup(view, options);
    for (Vector* v : {&y_, &w_of_y_, &gradient_}) v->resize(at(view.size()));
  }

  void begin() override {
    evaluate(*view_, z_, w_);
    y_ = z_;
    w_of_y_ = w_;
    theta_ = 1;
  }

  bool shifts_velocities() const override { return false; }

  bool step() override {
    gradient_ = w_of_y_;
    add_normal_shift(view_->blocks, gradient_.data());
    if (!descend()) return false;
    const double square = theta_ * theta_, next = 0.5 * (std::sqrt(square * square + 4 * square) - square);
    double momentum = theta_ * (1 - theta_) / (square + next);
    theta_ = next;
    if (uphill_ > 0) {
      momentum = 0;
      theta_ = 1;
    }
    for (std::size_t i = 0; i < z_.size(); ++i) {
      y_[i] = predicted_[i] + momentum * (predicted_[i] - z_[i]);
      w_of_y_[i] = predicted_w_[i] + momentum * (predicted_w_[i] - w_[i]);
    }
    std::swap(z_, predicted_);
    std::swap(w_, predicted_w_);
    rho_ *= lengthen;
    return true;
  }

  // predicted_ = P_C(y - rho gradient) and its w, with (w(p) - w(y))'(p - y) <= |p - y|^2 / rho. All three sums in one loop,
  // whose chains of additions do not wait for each other.
  bool descend() {
    for (int k = 0; k < most_shortenings; ++k, rho_ *= shorten) {
      for (std::size_t i = 0; i < y_.size(); ++i) point_[i] = y_[i] - rho_ * gradient_[i];
      if (!project(*view_, point_, predicted_)) return false;
      evaluate(*view_, predicted_, predicted_w_);
      double curvature = 0, length = 0, uphill = 0;
      for (std::size_t i = 0; i < y_.size(); ++i) {
        const double s = predicted_[i] - y_[i];
        curvature += s * (predicted_w_[i] - w_of_y_[i]);
        length += s * s;
        uphill += gradient_[i] * (predicted_[i] - z_[i]);
      }
      uphill_ = uphill;
      if (rho_ * curvature <= length) return true;
    }
    return false;
  }

  Vector y_, w_of_y_, gradient_;
  double theta_ = 1, uphill_ = 0;  // uphill_: gradient'(predicted - z)
};

}  // namespace

extern const MethodEntry accelerated_projected_gradient_method;
const MethodEntry accelerated_projected_gradient_method{
    {sizeof(nsm_method_info), "accelerated_projected_gradient",
     "accelerated projected gradient steps with restarts; needs projections only",
     "Nesterov 1983; O'Donoghue and Candes 2015; Mazhar, Heyn, Negrut and Tasora 2015",
     "symmetric positive semidefinite matrices; friction: none proven",
     linear_classes | contact_classes | class_bit(NSM_QP) | cone_classes, 500000,
     "large contact problems to 1e-3 or 1e-4 with little memory: often the cheapest of the first-order methods"},
    &make_method<AcceleratedProjectedGradient>};

}  // namespace nonsmooth
