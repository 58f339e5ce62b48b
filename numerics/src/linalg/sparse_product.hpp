// Products of sparse matrices. Their patterns follow from those of the factors alone: entries that cancel stay.
#pragma once

#include "linalg/matrix.hpp"

namespace nonsmooth {

CscMatrix transposed(const CscMatrix& A);
CscMatrix product(const CscMatrix& A, const CscMatrix& B);
// b -= A x in extended precision, by as many columns of A as x has entries.
void subtract_product(const CscMatrix& A, std::span<const double> x, std::span<long double> b);
// a_ij and a_ji that differ by rounding against sqrt(a_ii a_jj), as those of a product Z' M Z with a symmetric M do, become the
// same. A square.
void settle_symmetry(CscMatrix& A);

}  // namespace nonsmooth
