// The least eigenvalue of (A + A')/2, by factors: where many lie close to 0 beside the largest, as in Delassus matrices of
// hyperstatic structures, Lanczos' steps end far above it.
#pragma once

#include "linalg/matrix.hpp"

namespace nonsmooth {

// Replaces an estimate of range.min by the least eigenvalue, found by inverse iteration with a shift that makes the matrix
// positive definite (Parlett 1998, 4.2), and says so. Leaves the estimate where it is negative beyond rounding already, or the
// factors would take more than some second, or more memory than there is.
void find_least_eigenvalue(const Matrix& A, EigenvalueRange& range);

}  // namespace nonsmooth
