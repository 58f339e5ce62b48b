// Fixed point iterations z <- P_C(z - rho F(z)) (Goldstein 1964; Levitin and Polyak 1966; for friction De Saxce and Feng 1998)
// with the self-adaptive step of Khobotov (1987). Converges where F is co-coercive: half the products of extragradient, for fewer
// problems.
#include "methods/projection_method.hpp"

namespace nonsmooth {
namespace {

class FixedPointProjection final : public ProjectionMethod {
 public:
  FixedPointProjection() : ProjectionMethod("fixed_point_projection", false) {}
};

}  // namespace

extern const MethodEntry fixed_point_projection_method;
const MethodEntry fixed_point_projection_method{
    {sizeof(nsm_method_info), "fixed_point_projection",
     "projected fixed point iterations with a self-adaptive step, products with M only",
     "Goldstein 1964; De Saxce and Feng 1998; Khobotov 1987",
     "symmetric positive semidefinite M where a solution exists, nonsymmetric M if positive definite enough; friction: none "
     "proven; "
     "slow where M is ill-conditioned",
     class_bit(NSM_LCP) | class_bit(NSM_MLCP) | class_bit(NSM_RELAY) | class_bit(NSM_AVI) | class_bit(NSM_FRICTION) |
         class_bit(NSM_GLOBAL_FRICTION) | class_bit(NSM_ROLLING) | class_bit(NSM_GLOBAL_ROLLING) | class_bit(NSM_GENERIC) |
         class_bit(NSM_SOCLCP),
     500000},
    &make_method<FixedPointProjection>};

}  // namespace nonsmooth
