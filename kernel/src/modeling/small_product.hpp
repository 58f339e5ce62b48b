// Products of the small matrices of interactions, without the cost of general ones.
#ifndef NONSMOOTH_KERNEL_MODELING_SMALL_PRODUCT_HPP
#define NONSMOOTH_KERNEL_MODELING_SMALL_PRODUCT_HPP

#include "nonsmooth/kernel/algebra.hpp"

namespace nonsmooth::kernel {

// y += A x, A [y.size(), length] column by column.
inline void addProduct(const double* A, const double* x, Index length, VectorView y) {
  const Index rows = y.size();
  double* out = y.data();
  for (Index j = 0; j < length; ++j)
    for (Index i = 0; i < rows; ++i) out[i] += A[i + j * rows] * x[j];
}

// y := A x
inline void product(const double* A, const ConstVectorView& x, VectorView y) {
  for (Index i = 0; i < y.size(); ++i) y[i] = 0;
  addProduct(A, x.data(), x.size(), y);
}

}  // namespace nonsmooth::kernel
#endif
