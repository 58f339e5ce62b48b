// What `auto` asks of Josephy's method on grids.
#pragma once

#include "methods/frame/method.hpp"

namespace nonsmooth {

// With few iterations for each linearised problem: those that are M-matrices end within them, of others the next proximal term
// is tried.
std::unique_ptr<Method> make_hasty_josephy();

}  // namespace nonsmooth
