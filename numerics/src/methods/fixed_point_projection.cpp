// Fixed-point iteration z+ = P_C(z - rho w(z))  (Sibony 1970), rho as for the extragradient method. One evaluation and one
// projection less per step; converges for strongly monotone problems and for symmetric monotone ones.
#include "methods/projection_method.hpp"

namespace nonsmooth {
namespace {

class FixedPointProjection final : public ProjectionMethod {
  bool step() override {
    if (!predict()) return false;
    rho_ = next_rho_;
    std::swap(z_, predicted_);
    std::swap(w_, predicted_w_);
    return true;
  }
};

}  // namespace

extern const MethodEntry fixed_point_projection_method;
const MethodEntry fixed_point_projection_method{
    {sizeof(nsm_method_info), "fixed_point_projection", "projected steps with adaptive length; needs projections only",
     "Sibony 1970; Khobotov 1987", "strongly monotone problems; symmetric positive definite matrices; friction: none proven",
     linear_classes | nonlinear_classes | contact_classes | cone_classes, 500000,
     "as extragradient, for strongly monotone problems: half the work per step, less robust"},
    &make_method<FixedPointProjection>};

}  // namespace nonsmooth
