// See friction_fixed_point.hpp.
#include "methods/friction_fixed_point.hpp"

namespace nonsmooth {

extern const MethodEntry de_saxce_fixed_point_method;
const MethodEntry de_saxce_fixed_point_method{
    {sizeof(nsm_method_info), "de_saxce_fixed_point",
     "De Saxce's shift lagged: problems over second-order cones, solved by another method",
     "Acary, Cadoux, Lemarechal and Malick 2011", "none proven; a fixed point exists where the problem passes a Slater test",
     coulomb_classes | class_bit(NSM_GENERIC), 1000,
     "to compare: a fixed point exists wherever Slater's condition holds (nsm_slater), but it costs many inner solves"},
    []() -> std::unique_ptr<Method> {
      return std::make_unique<FrictionFixedPoint>(FixedPoint::de_saxce, "de_saxce_fixed_point", "accelerated_projected_gradient");
    }};

}  // namespace nonsmooth
