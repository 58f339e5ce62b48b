// LU with partial pivoting, and products, for dense matrices of up to some dozens of rows, where a call of LAPACK or BLAS costs
// more than the work. Column-major; nothing allocates. Vectors of AVX2 where the processor has them, with the same bits.
#pragma once

namespace nonsmooth {

// Factorises the k x k matrix A (leading dimension k) in place; row i of the factor is row pivot[i] exchanged with it. The
// reciprocals of the pivots stand on the diagonal. false if a pivot vanishes against its own column.
bool factorise_small(double* A, int* pivot, int k);
// A x = b in place, A as factorise_small has left it.
void solve_small(const double* A, const int* pivot, int k, double* x);
// A' x = b.
void solve_small_transposed(const double* A, const int* pivot, int k, double* x);
// y += A x, A rows x cols.
void multiply_add_small(const double* A, int rows, int cols, const double* x, double* y);

}  // namespace nonsmooth
