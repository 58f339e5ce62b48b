// See friction_fixed_point.hpp.
#include "methods/friction_fixed_point.hpp"

namespace nonsmooth {

extern const MethodEntry tresca_method;
const MethodEntry tresca_method{
    {sizeof(nsm_method_info), "tresca",
     "friction bounds lagged: convex problems with disks of fixed radius, solved by another method",
     "Tresca law: Panagiotopoulos 1975; Haslinger 1983; compared in Acary, Bremond and Huber 2018",
     "small friction coefficients; the steps contract then", contact_classes, 1000,
     "small friction coefficients, and to compare: friction bounds are iterated around an inner method"},
    []() -> std::unique_ptr<Method> {
      return std::make_unique<FrictionFixedPoint>(FixedPoint::tresca, "tresca", "block_gauss_seidel");
    }};

}  // namespace nonsmooth
