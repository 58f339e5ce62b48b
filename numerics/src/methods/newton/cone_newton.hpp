// Semismooth Newton for friction, cones, disks and mixtures: what semismooth_newton does where rows are not bounded one by one.
// Gauss-Seidel sweeps bring it near a solution (Acary, Bremond and Huber 2018: without them it often stalls on rigid bodies), the
// equations are those of cone_equations.hpp, the line search accepts a defect below the largest of the last ones, a Newton matrix
// that hyperstatic contacts make singular gets a small multiple of the identity. Where steps no longer pay, longer sweeps follow.
#pragma once

#include "methods/frame/method.hpp"

namespace nonsmooth {

bool has_cones(const Inclusion& view);
std::unique_ptr<Method> make_cone_newton();

}  // namespace nonsmooth
