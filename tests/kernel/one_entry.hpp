// Vectors and matrices of one entry.
#pragma once

#include "nonsmooth/kernel/algebra.hpp"

namespace nonsmooth::kernel::test {

inline Vector one(double x) { return Vector::Constant(1, x); }
inline Matrix square(double x) { return Matrix::Constant(1, 1, x); }

}  // namespace nonsmooth::kernel::test
