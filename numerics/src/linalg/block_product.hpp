// Matrices of small square blocks times a vector with the widest instructions of the processor this runs on, and the same bits on
// all: every row adds up in the order of ascending columns, products rounded before they are added.
#pragma once

#include <span>

#include "core/workers.hpp"
#include "linalg/matrix.hpp"

namespace nonsmooth {

// y += A x. false, and nothing is done, unless all blocks of A are 2 x 2 or all are 3 x 3.
bool multiply_add_blocks(const BlockCsrMatrix& A, std::span<const double> x, std::span<double> y, Workers* workers);
// y += sign A x, sign 1 or -1, by columns, of which two or three that have the same rows are taken together. Any others are taken
// one by one, and not at all where x is 0.
void multiply_add_columns(const CscMatrix& A, double sign, std::span<const double> x, std::span<double> y);

}  // namespace nonsmooth
