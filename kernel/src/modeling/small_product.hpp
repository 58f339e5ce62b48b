// Products of the small matrices of interactions, without the cost of general ones.
#pragma once

#include "nonsmooth/kernel/algebra.hpp"

namespace nonsmooth::kernel {

namespace detail {

// y := A x, or the sum with what y was.
template <int ROWS, bool ADD>
void product(const double* A, const double* x, Index length, double* y) {
  double sum[ROWS];
  for (int i = 0; i < ROWS; ++i) sum[i] = ADD ? y[i] : 0.0;
  for (Index j = 0; j < length; ++j)
    for (int i = 0; i < ROWS; ++i) sum[i] += A[i + j * ROWS] * x[j];
  for (int i = 0; i < ROWS; ++i) y[i] = sum[i];
}

}  // namespace detail

// y += A x, A [y.size(), length] column by column.
inline void addProduct(const double* A, const double* x, Index length, VectorView y) {
  const Index rows = y.size();
  double* out = y.data();
  if (rows == 1) return detail::product<1, true>(A, x, length, out);
  if (rows == 3) return detail::product<3, true>(A, x, length, out);
  for (Index j = 0; j < length; ++j)
    for (Index i = 0; i < rows; ++i) out[i] += A[i + j * rows] * x[j];
}

// y += A' x, A [length, y.size()] column by column.
inline void addTransposedProduct(const double* A, const double* x, Index length, VectorView y) {
  for (Index j = 0; j < y.size(); ++j) {
    double sum = y[j];
    for (Index i = 0; i < length; ++i) sum += A[i + j * length] * x[i];
    y[j] = sum;
  }
}

// y := A x. Zeros are not written first where the sums begin in registers.
inline void product(const double* A, const ConstVectorView& x, VectorView y) {
  if (y.size() == 1) return detail::product<1, false>(A, x.data(), x.size(), y.data());
  if (y.size() == 3) return detail::product<3, false>(A, x.data(), x.size(), y.data());
  for (Index i = 0; i < y.size(); ++i) y[i] = 0;
  addProduct(A, x.data(), x.size(), y);
}

}  // namespace nonsmooth::kernel
