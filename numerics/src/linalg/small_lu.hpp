// LU with partial pivoting, and products, for dense matrices of up to some dozens of rows, where a call of LAPACK or BLAS costs
// more than the work. Column-major; nothing allocates. Vectors of AVX2 where the processor has them, with the same bits.
#pragma once

#include <algorithm>

namespace nonsmooth {

// Factorises the k x k matrix A (leading dimension k) in place; row i of the factor is row pivot[i] exchanged with it. The
// reciprocals of the pivots stand on the diagonal. false if a pivot vanishes against its own column.
bool factorise_small(double* A, int* pivot, int k);
// A x = b in place, A as factorise_small has left it.
void solve_small(const double* A, const int* pivot, int k, double* x);
// A X = B in place, row by row of X, all columns at once. K: rows, C: columns, as constants or 0.
template <int K, int C>
void solve_small_rows(const double* A, const int* pivot, int rows, int columns, double* X) {
  const int k = K > 0 ? K : rows, n = C > 0 ? C : columns;
  const auto subtract = [&](int i, int p) {  // row p from row i
    for (int c = 0; c < n; ++c) X[i * n + c] -= A[i + p * k] * X[p * n + c];
  };
  for (int p = 0; p < k; ++p)
    if (pivot[p] != p) std::swap_ranges(X + p * n, X + (p + 1) * n, X + pivot[p] * n);
  for (int p = 0; p < k; ++p)
    for (int i = p + 1; i < k; ++i) subtract(i, p);
  for (int p = k - 1; p >= 0; --p) {
    for (int c = 0; c < n; ++c) X[p * n + c] *= A[p * (k + 1)];
    for (int i = 0; i < p; ++i) subtract(i, p);
  }
}
// A' x = b.
void solve_small_transposed(const double* A, const int* pivot, int k, double* x);
// y += A x, A rows x cols.
void multiply_add_small(const double* A, int rows, int cols, const double* x, double* y);

}  // namespace nonsmooth
