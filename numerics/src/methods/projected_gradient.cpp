// Projected gradient steps z+ = P_C(z - rho w(z)) with rho after Barzilai and Borwein (1988), its two formulas in turn, accepted
// while |z - P_C(z - rho w)| / rho stays below the largest of the last ones (spectral projected gradients: Birgin, Martinez and
// Raydan 2000; on contact problems Heyn et al. 2013). A refused step is one of fixed_point_projection, whose rho is safe.
#include <algorithm>
#include <array>
#include <cmath>

#include "methods/projection_method.hpp"

namespace nonsmooth {
namespace {

constexpr double step_growth = 1.5;  // of the last few step lengths, beyond which a step is refused
constexpr double smallest_rho = 1e-10, largest_rho = 1e10;

class ProjectedGradient final : public ProjectionMethod {
  void begin() override {
    history_.fill(HUGE_VAL);
    count_ = 0;
    spectral_ = false;
  }

  bool step() override {
    if (!try_spectral() && !predict()) return false;
    history_[count_++ % history_.size()] = distance(predicted_, z_) / rho_;
    choose_rho();
    std::swap(z_, predicted_);
    std::swap(w_, predicted_w_);
    return true;
  }

  // false, with rho_ left for a safe step, if there is no spectral step or it leads too far.
  bool try_spectral() {
    if (!spectral_) return false;
    if (!project_step(w_, predicted_)) return false;
    const double length = distance(predicted_, z_) / rho_;
    return length <= step_growth * *std::max_element(history_.begin(), history_.end()) &&
           evaluate_shifted(predicted_, predicted_w_);
  }

  void choose_rho() {
    double ss = 0, sy = 0, yy = 0;
    for (std::size_t i = 0; i < z_.size(); ++i) {
      const double s = predicted_[i] - z_[i], y = predicted_w_[i] - w_[i];
      ss += s * s;
      sy += s * y;
      yy += y * y;
    }
    spectral_ = sy > 0;
    rho_ = spectral_ ? std::clamp(count_ % 2 == 0 ? ss / sy : sy / yy, smallest_rho, largest_rho) : next_rho_;
  }

  std::array<double, 10> history_{};
  std::size_t count_ = 0;
  bool spectral_ = false;  // rho_ is Barzilai and Borwein's
};

}  // namespace

extern const MethodEntry projected_gradient_method;
const MethodEntry projected_gradient_method{
    {sizeof(nsm_method_info), "projected_gradient", "projected gradient steps of spectral length; needs projections only",
     "Barzilai and Borwein 1988; Birgin, Martinez and Raydan 2000; Heyn, Anitescu, Tasora and Negrut 2013",
     "symmetric positive definite matrices, in practice; friction: none proven",
     linear_classes | contact_classes | class_bit(NSM_QP) | cone_classes, 500000,
     "large problems to a moderate tolerance with little memory; symmetric matrices; often fast on friction problems of small "
     "size"},
    &make_method<ProjectedGradient>};

}  // namespace nonsmooth
