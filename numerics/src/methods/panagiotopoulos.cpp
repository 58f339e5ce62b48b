// See friction_fixed_point.hpp.
#include "methods/friction_fixed_point.hpp"

namespace nonsmooth {

extern const MethodEntry panagiotopoulos_method;
const MethodEntry panagiotopoulos_method{
    {sizeof(nsm_method_info), "panagiotopoulos", "normals and tangents in turn, each a convex problem solved by another method",
     "Panagiotopoulos 1975; Acary, Bremond and Huber 2018",
     "small friction coefficients and weak coupling of normals and tangents", contact_classes, 1000,
     "small friction coefficients with normals and tangents hardly coupled, and to compare"},
    []() -> std::unique_ptr<Method> {
      return std::make_unique<FrictionFixedPoint>(FixedPoint::panagiotopoulos, "panagiotopoulos", "block_gauss_seidel");
    }};

}  // namespace nonsmooth
