// Extragradient: p = P_C(z - rho w(z)), z+ = P_C(z - rho w(p))  (Korpelevich 1976), rho after Khobotov (1987). Converges for
// monotone problems that have a solution, without any linear system.
#include "methods/projection_method.hpp"

namespace nonsmooth {
namespace {

class Extragradient final : public ProjectionMethod {
  bool step() override {
    if (!predict() || !project_step(predicted_w_, predicted_)) return false;
    std::swap(z_, predicted_);
    rho_ = next_rho_;
    return evaluate_shifted(z_, w_);
  }
};

}  // namespace

extern const MethodEntry extragradient_method;
const MethodEntry extragradient_method{
    {sizeof(nsm_method_info), "extragradient", "extragradient steps with adaptive length; needs projections only",
     "Korpelevich 1976; Khobotov 1987; He and Liao 2002",
     "monotone problems with a solution, slow where they are ill-conditioned; friction: none proven",
     linear_classes | nonlinear_classes | contact_classes | cone_classes, 500000,
     "monotone problems of which little is known but a projection: sets of one's own, very large nonlinear problems; slow"},
    &make_method<Extragradient>};

}  // namespace nonsmooth
