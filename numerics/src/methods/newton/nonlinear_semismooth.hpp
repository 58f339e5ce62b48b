// Semismooth Newton for w = F(z) by callbacks: what the method semismooth_newton does with nonlinear problems.
#pragma once

#include "methods/frame/method.hpp"

namespace nonsmooth {

std::unique_ptr<Method> make_nonlinear_semismooth();

}  // namespace nonsmooth
