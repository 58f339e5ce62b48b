// Products of panels of tens of rows and columns, in vectors as long as the processor has. BLAS copies both factors in front of a
// product, which at that size costs as much as what follows.
#pragma once

#include <cstddef>

namespace nonsmooth {

// Some rows of a panel, by columns.
template <class Real>
struct PanelRows {
  const Real* values;
  std::ptrdiff_t stride;
};

// C = A B', A of m and B of n rows, both of k columns; the columns of C follow one another. Thread-safe.
template <class Real>
void multiply_panels(int m, int n, int k, const PanelRows<Real>& A, const PanelRows<Real>& B, Real* C);
extern template void multiply_panels(int m, int n, int k, const PanelRows<float>& A, const PanelRows<float>& B, float* C);
extern template void multiply_panels(int m, int n, int k, const PanelRows<double>& A, const PanelRows<double>& B, double* C);

}  // namespace nonsmooth
