#include "methods/condensed_tableau.hpp"

#include <algorithm>
#include <array>

#include "linalg/lapack.hpp"

namespace nonsmooth {
namespace {

// Measured: 8 terms stay in the first cache up to order 300; above, 32 make the product worth its reading of T.
constexpr int few_terms = 8, many_terms = 32, small_order = 300;
// Below this many rows a call of BLAS costs more than it saves.
constexpr int blas_rows = 24;

constexpr double one = 1;
constexpr int unit = 1;

std::size_t product(int a, int b) { return static_cast<std::size_t>(a) * static_cast<std::size_t>(b); }

}  // namespace

void CondensedTableau::resize(int n) {
  // A stride that is a multiple of a cache line, but not of a page: columns then do not all fall on the same cache sets.
  stride_ = (n + 7) / 8 * 8;
  if (stride_ % 512 == 0) stride_ += 8;
  depth_ = n <= small_order ? few_terms : many_terms;
  T_.resize(product(stride_, n + 1));
  U_.resize(product(stride_, depth_));
  V_.resize(product(n + 1, depth_));
  L_.resize(product(depth_, depth_));
  row_.resize(static_cast<std::size_t>(depth_));
  col_.resize(static_cast<std::size_t>(depth_));
  shape(0, n, n + 1);
}

void CondensedTableau::shape(int first, int rows, int cols) {
  first_ = first;
  rows_ = rows;
  cols_ = cols;
  pending_ = 0;
}

const double* CondensedTableau::base(int j) const { return T_.data() + product(j, stride_) + first_; }
double* CondensedTableau::base(int j) { return T_.data() + product(j, stride_) + first_; }

void CondensedTableau::set_column(int j, const double* values) { std::copy_n(values, rows_, base(j)); }

void CondensedTableau::column(int j, double* out) const {
  const double* start = base(j);
  std::copy_n(start, rows_, out);
  if (pending_ == 0) return;
  std::array<double, many_terms> v;
  const double* L = L_.data();
  for (int k = 0; k < pending_; ++k) {
    double sum = (col_[static_cast<std::size_t>(k)] == j ? 1.0 : 0.0) - start[row_[static_cast<std::size_t>(k)]];
    for (int l = 0; l < k; ++l) sum -= L[k + l * depth_] * v[static_cast<std::size_t>(l)];
    v[static_cast<std::size_t>(k)] = sum / L[k + k * depth_];
  }
  if (rows_ >= blas_rows) {
    dgemv_("N", &rows_, &pending_, &one, U_.data(), &stride_, v.data(), &unit, &one, out, &unit);
    return;
  }
  for (int k = 0; k < pending_; ++k) {
    const double* u = U_.data() + product(k, stride_);
    const double factor = v[static_cast<std::size_t>(k)];
    for (int i = 0; i < rows_; ++i) out[i] += u[i] * factor;
  }
}

// T' = T + u v' with u = column, u_row = p + 1, and v = (e_col - row) / p.
void CondensedTableau::exchange(int row, int col, const double* entering) {
  const int k = pending_;
  const double pivot = entering[row];
  row_[static_cast<std::size_t>(k)] = row;
  col_[static_cast<std::size_t>(k)] = col;
  double* L = L_.data();
  for (int l = 0; l < k; ++l) L[k + l * depth_] = U_[product(l, stride_) + static_cast<std::size_t>(row)];
  L[k + k * depth_] = pivot;
  double* u = U_.data() + product(k, stride_);
  std::copy_n(entering, rows_, u);
  u[row] = pivot + 1;
  if (++pending_ == depth_) flush();
}

// V = pivot rows of T_0, of which the k-th still lacks the first k terms: a triangular system.
void CondensedTableau::gather_rows() {
  for (int j = 0; j < cols_; ++j) {
    const double* start = base(j);
    for (int k = 0; k < pending_; ++k)
      V_[product(k, cols_) + static_cast<std::size_t>(j)] = -start[row_[static_cast<std::size_t>(k)]];
  }
  for (int k = 0; k < pending_; ++k) V_[product(k, cols_) + static_cast<std::size_t>(col_[static_cast<std::size_t>(k)])] += 1;
}

void CondensedTableau::flush() {
  gather_rows();
  if (pending_ <= few_terms)
    complete_rows();
  else
    dtrsm_("R", "L", "T", "N", &cols_, &pending_, &one, L_.data(), &depth_, V_.data(), &cols_);
  if (rows_ >= blas_rows)
    dgemm_("N", "T", &rows_, &cols_, &pending_, &one, U_.data(), &stride_, V_.data(), &cols_, &one, base(0), &stride_);
  else
    add_terms();
  pending_ = 0;
}

void CondensedTableau::complete_rows() {
  for (int k = 0; k < pending_; ++k) {
    double* const __restrict v = V_.data() + product(k, cols_);
    for (int l = 0; l < k; ++l) {
      const double factor = L_[static_cast<std::size_t>(k + l * depth_)];
      const double* const __restrict other = V_.data() + product(l, cols_);
      for (int j = 0; j < cols_; ++j) v[j] -= factor * other[j];
    }
    const double inverse = 1 / L_[static_cast<std::size_t>(k + k * depth_)];
    for (int j = 0; j < cols_; ++j) v[j] *= inverse;
  }
}

void CondensedTableau::add_terms() {
  for (int j = 0; j < cols_; ++j) {
    double* const __restrict t = base(j);
    for (int k = 0; k < pending_; ++k) {
      const double* const __restrict u = U_.data() + product(k, stride_);
      const double factor = V_[product(k, cols_) + static_cast<std::size_t>(j)];
      for (int i = 0; i < rows_; ++i) t[i] += u[i] * factor;
    }
  }
}

}  // namespace nonsmooth
