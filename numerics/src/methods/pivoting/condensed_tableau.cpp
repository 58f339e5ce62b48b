#include "methods/pivoting/condensed_tableau.hpp"

#include <algorithm>

#include "core/index.hpp"
#include "linalg/lapack.hpp"

namespace nonsmooth {
namespace {

// Measured: 8 terms stay in the first cache up to order 300; above, 32 make the product worth its reading of T.
constexpr int few_terms = 8, many_terms = 32, small_order = 300;

std::size_t product(int a, int b) { return at(a) * at(b); }

}  // namespace

void CondensedTableau::resize(int n) {
  // A stride that is a multiple of a cache line, but not of a page: columns then do not all fall on the same cache sets.
  stride_ = (n + 7) / 8 * 8;
  if (stride_ % 512 == 0) stride_ += 8;
  const int depth = n <= small_order ? few_terms : many_terms;
  pivots_.resize(stride_, depth);
  T_.resize(product(stride_, n + 1));
  V_.resize(product(n + 1, depth));
  col_.resize(at(depth));
  shape(0, n, n + 1);
}

void CondensedTableau::shape(int first, int rows, int cols) {
  first_ = first;
  rows_ = rows;
  cols_ = cols;
  pivots_.forget();
}

const double* CondensedTableau::base(int j) const { return T_.data() + product(j, stride_) + first_; }
double* CondensedTableau::base(int j) { return T_.data() + product(j, stride_) + first_; }

void CondensedTableau::set_column(int j, const double* values) { std::copy_n(values, rows_, base(j)); }

void CondensedTableau::column(int j, double* out) {
  std::copy_n(base(j), rows_, out);
  pivots_.complete(rows_, out, [&](int k) { return col_[at(k)] == j; });
}

void CondensedTableau::exchange(int row, int col, const double* entering) {
  col_[at(pivots_.count())] = col;
  pivots_.append(row, rows_, entering);
  if (pivots_.is_full()) flush();
}

// V = pivot rows of T_0, of which the k-th still lacks the first k terms: a triangular system.
void CondensedTableau::gather_rows() {
  const int pending = pivots_.count();
  for (int j = 0; j < cols_; ++j) {
    const double* start = base(j);
    for (int k = 0; k < pending; ++k) V_[product(k, cols_) + at(j)] = -start[pivots_.row(k)];
  }
  for (int k = 0; k < pending; ++k) V_[product(k, cols_) + at(col_[at(k)])] += 1;
}

void CondensedTableau::flush() {
  const int pending = pivots_.count(), depth = pivots_.depth();
  constexpr double one = 1;
  gather_rows();
  if (pending <= few_terms)
    complete_rows();
  else
    dtrsm_("R", "L", "T", "N", &cols_, &pending, &one, pivots_.triangle(), &depth, V_.data(), &cols_);
  if (rows_ >= DelayedPivots::blas_rows)
    dgemm_("N", "T", &rows_, &cols_, &pending, &one, pivots_.term(0), &stride_, V_.data(), &cols_, &one, base(0), &stride_);
  else
    add_terms();
  pivots_.forget();
}

void CondensedTableau::complete_rows() {
  const double* L = pivots_.triangle();
  const int depth = pivots_.depth();
  for (int k = 0; k < pivots_.count(); ++k) {
    double* const __restrict v = V_.data() + product(k, cols_);
    for (int l = 0; l < k; ++l) {
      const double factor = L[k + l * depth];
      const double* const __restrict other = V_.data() + product(l, cols_);
      for (int j = 0; j < cols_; ++j) v[j] -= factor * other[j];
    }
    const double inverse = 1 / L[k + k * depth];
    for (int j = 0; j < cols_; ++j) v[j] *= inverse;
  }
}

void CondensedTableau::add_terms() {
  for (int j = 0; j < cols_; ++j) {
    double* const __restrict t = base(j);
    for (int k = 0; k < pivots_.count(); ++k) {
      const double* const __restrict u = pivots_.term(k);
      const double factor = V_[product(k, cols_) + at(j)];
      for (int i = 0; i < rows_; ++i) t[i] += u[i] * factor;
    }
  }
}

}  // namespace nonsmooth
