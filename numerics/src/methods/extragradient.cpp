// Extragradient (Korpelevich 1976) with the step rule of Khobotov (1987): F is evaluated where a projected step leads, and the
// step is taken again with that value. Converges where F is monotone, also if it is no gradient.
#include "methods/projection_method.hpp"

namespace nonsmooth {
namespace {

class Extragradient final : public ProjectionMethod {
 public:
  Extragradient() : ProjectionMethod("extragradient", true) {}
};

}  // namespace

extern const MethodEntry extragradient_method;
const MethodEntry extragradient_method{
    {sizeof(nsm_method_info), "extragradient", "extragradient projections with a self-adaptive step, products with M only",
     "Korpelevich 1976; Khobotov 1987; Marcotte 1991",
     "positive semidefinite M, symmetric or not, where a solution exists; friction: none proven; slow where M is ill-conditioned",
     class_bit(NSM_LCP) | class_bit(NSM_MLCP) | class_bit(NSM_RELAY) | class_bit(NSM_AVI) | class_bit(NSM_FRICTION) |
         class_bit(NSM_GLOBAL_FRICTION) | class_bit(NSM_ROLLING) | class_bit(NSM_GLOBAL_ROLLING) | class_bit(NSM_GENERIC) |
         class_bit(NSM_SOCLCP),
     500000},
    &make_method<Extragradient>};

}  // namespace nonsmooth
