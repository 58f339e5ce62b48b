// Products of the small matrices of interactions, without the cost of general ones.
#pragma once

#include <algorithm>
#include <vector>

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

// The columns of A [rows, length] that are not zero, where products save time by taking these alone; else none. Sums that begin
// with +0 are never -0, so that zeros left out change no bit of them.
inline std::vector<Index> fewColumns(const double* A, Index rows, Index length) {
  std::vector<Index> columns;
  constexpr Index least = 16;  // of columns in all: shorter products do not save what looking columns up takes
  if (length < least) return columns;
  for (Index j = 0; j < length; ++j)
    if (std::any_of(A + j * rows, A + (j + 1) * rows, [](double entry) { return entry != 0; })) columns.push_back(j);
  if (columns.size() > static_cast<std::size_t>(length / 4)) columns.clear();
  columns.shrink_to_fit();
  return columns;
}

// y := A x by the columns of A given, in which all stands that is not zero; x_j = x(j).
template <class Entry>
void productOfColumns(const double* A, const std::vector<Index>& columns, const Entry& x, VectorView y) {
  const Index rows = y.size();
  for (Index i = 0; i < rows; ++i) y[i] = 0;
  for (const Index j : columns)
    for (Index i = 0; i < rows; ++i) y[i] += A[i + j * rows] * x(j);
}

}  // namespace nonsmooth::kernel
