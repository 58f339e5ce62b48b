// Solves with the factors: of one right-hand side by panel_solve.hpp, of several by BLAS.
#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "core/index.hpp"
#include "linalg/lapack.hpp"
#include "linalg/panel_solve.hpp"
#include "linalg/sparse_principal_factor.hpp"

namespace nonsmooth {
namespace {

constexpr std::int32_t smallest_blas_columns = 8;  // of a supernode, from which a call for several right-hand sides pays

template <class Real>
using ConstMatrix = Eigen::Map<const Eigen::MatrixX<Real>, 0, Eigen::OuterStride<>>;
template <class Real, int M>
using RightHandSides = Eigen::Map<Eigen::Matrix<Real, Eigen::Dynamic, M, Eigen::RowMajor>>;

}  // namespace

template <class Real, int M>
void SparsePrincipalFactor::exchange_rows(std::int32_t s) {
  if (symmetric_) return;
  Real* x = gathered_.as<Real>() + nodes_.first[at(s)] * M;
  for (std::int32_t c = 0; c < column_count_[at(s)]; ++c)
    std::swap_ranges(x + c * M, x + (c + 1) * M, x + (pivot_[at(nodes_.first[at(s)] + c)] - 1) * M);
}

// What the columns of s leave to the rows below them.
template <class Real, int M>
void SparsePrincipalFactor::scatter_below(std::int32_t s, const Real* change) {
  const std::int32_t* row = kept_row_.data() + nodes_.start[at(s)];
  Real* gathered = gathered_.as<Real>();
  for (std::int32_t r = 0; r < solved_rows_[at(s)]; ++r)
    for (int j = 0; j < M; ++j) gathered[at(trunk_.local[at(row[r])]) * M + at(j)] += change[at(r) * M + at(j)];
}

template <class Real, int M>
void SparsePrincipalFactor::gather_below(std::int32_t s, Real* below) const {
  const std::int32_t* row = kept_row_.data() + nodes_.start[at(s)];
  for (std::int32_t r = 0; r < solved_rows_[at(s)]; ++r)
    std::copy_n(gathered_.as<Real>() + at(trunk_.local[at(row[r])]) * M, M, below + at(r) * M);
}

template <class Real>
void SparsePrincipalFactor::forward(std::int32_t s) {
  const std::int32_t columns = column_count_[at(s)], rows = solved_rows_[at(s)], stride = columns + row_count_[at(s)];
  const PanelSolves<Real>& solves = panel_solves<Real>();
  Real* own = gathered_.as<Real>() + nodes_.first[at(s)];
  Real* x = below_.as<Real>();
  exchange_rows<Real, 1>(s);
  std::copy_n(own, columns, x);
  std::fill_n(x + columns, rows, Real{0});
  (symmetric_ ? solves.forward : solves.forward_unit)({lower<Real>(s), stride, columns, columns + rows}, x);
  std::copy_n(x, columns, own);
  scatter_below<Real, 1>(s, x + columns);
}

template <class Real>
void SparsePrincipalFactor::backward(std::int32_t s) {
  const std::int32_t columns = column_count_[at(s)], rows = solved_rows_[at(s)], stride = columns + row_count_[at(s)];
  const PanelSolves<Real>& solves = panel_solves<Real>();
  Real* own = gathered_.as<Real>() + nodes_.first[at(s)];
  Real* x = below_.as<Real>();
  gather_below<Real, 1>(s, x + columns);
  if (symmetric_) {
    std::copy_n(own, columns, x);
    solves.backward({lower<Real>(s), stride, columns, columns + rows}, x);
    std::copy_n(x, columns, own);
  } else {
    solves.subtract_transposed({upper<Real>(s), rows, columns, rows}, x + columns, own);
    solves.backward_upper({lower<Real>(s), stride, columns, columns}, own);
  }
}

template <class Real>
void SparsePrincipalFactor::forward_selected(std::int32_t s) {
  constexpr int M = selected_together;
  const std::int32_t columns = column_count_[at(s)], rows = solved_rows_[at(s)], stride = columns + row_count_[at(s)];
  const Real* L = lower<Real>(s);
  Real* x = gathered_.as<Real>() + nodes_.first[at(s)] * M;
  Real* below = below_.as<Real>();
  exchange_rows<Real, M>(s);
  if (columns >= smallest_blas_columns) {
    trsm("R", "L", "T", symmetric_ ? "N" : "U", M, columns, L, stride, x, M);
    if (rows == 0) return;
    gemm("N", "T", M, rows, columns, Real{-1}, x, M, L + columns, stride, Real{0}, below, M);
    return scatter_below<Real, M>(s, below);
  }
  for (std::int32_t c = 0; c < columns; ++c) {
    const Real* column = L + std::int64_t{stride} * c;
    for (int j = 0; j < M && symmetric_; ++j) x[c * M + j] /= column[c];
    for (std::int32_t r = c + 1; r < columns; ++r)
      for (int j = 0; j < M; ++j) x[r * M + j] -= column[r] * x[c * M + j];
  }
  if (rows == 0 || columns == 0) return;
  RightHandSides<Real, M>(below, rows, M).noalias() =
      -ConstMatrix<Real>(L + columns, rows, columns, Eigen::OuterStride<>(stride)) * RightHandSides<Real, M>(x, columns, M);
  scatter_below<Real, M>(s, below);
}

template <class Real>
void SparsePrincipalFactor::backward_selected(std::int32_t s) {
  constexpr int M = selected_together;
  const std::int32_t columns = column_count_[at(s)], rows = solved_rows_[at(s)], stride = columns + row_count_[at(s)];
  const Real* L = lower<Real>(s);
  Real* x = gathered_.as<Real>() + nodes_.first[at(s)] * M;
  Real* below = below_.as<Real>();
  if (rows > 0 && columns > 0) {
    gather_below<Real, M>(s, below);
    const Real* U = symmetric_ ? L + columns : upper<Real>(s);
    const std::int32_t stride_of_U = symmetric_ ? stride : rows;
    if (columns >= smallest_blas_columns) {
      gemm("N", "N", M, columns, rows, Real{-1}, below, M, U, stride_of_U, Real{1}, x, M);
      trsm("R", symmetric_ ? "L" : "U", symmetric_ ? "N" : "T", "N", M, columns, L, stride, x, M);
      return;
    }
    RightHandSides<Real, M>(x, columns, M).noalias() -=
        ConstMatrix<Real>(U, rows, columns, Eigen::OuterStride<>(stride_of_U)).transpose() *
        RightHandSides<Real, M>(below, rows, M);
  }
  for (std::int32_t c = columns - 1; c >= 0; --c) {
    const Real* column = L + std::int64_t{stride} * c;
    Real* own = x + c * M;
    for (std::int32_t r = c + 1; r < columns && symmetric_; ++r)
      for (int j = 0; j < M; ++j) own[j] -= column[r] * x[r * M + j];
    for (int j = 0; j < M; ++j) own[j] /= column[c];
    for (std::int32_t r = 0; r < c && !symmetric_; ++r)
      for (int j = 0; j < M; ++j) x[r * M + j] -= column[r] * own[j];
  }
}

// gathered_ holds the kept columns of a supernode together, so that `local` now is the place of a new row in it.
void SparsePrincipalFactor::place_columns(std::int32_t s) {
  for (std::int32_t place = nodes_.first[at(s)]; place < nodes_.first[at(s)] + column_count_[at(s)]; ++place)
    trunk_.local[at(kept_column_[at(place)])] = place;
}

// In single precision for the right-hand side divided by its largest entry: residuals of a refinement may be as small as 1e-50.
template <class Real>
void SparsePrincipalFactor::solve_all(std::span<double> x) {
  Real* gathered = gathered_.as<Real>();
  double scale = 1;
  if constexpr (sizeof(Real) < sizeof(double)) {
    double largest = 0;
    for (std::int32_t s = 0; s < eliminated_; ++s)
      for (std::int32_t c = 0; c < column_count_[at(s)]; ++c)
        largest = std::max(largest, std::abs(x[at(nodes_.order[at(kept_column_[at(nodes_.first[at(s)] + c)])])]));
    if (largest > 0) scale = largest;
  }
  for (std::int32_t s = 0; s < eliminated_; ++s) {
    place_columns(s);
    for (std::int32_t c = 0; c < column_count_[at(s)]; ++c) {
      const std::int32_t place = nodes_.first[at(s)] + c;
      gathered[at(place)] = static_cast<Real>(x[at(nodes_.order[at(kept_column_[at(place)])])] / scale);
    }
  }
  for (std::int32_t s = 0; s < eliminated_; ++s) forward<Real>(s);
  for (std::int32_t s = eliminated_ - 1; s >= 0; --s) backward<Real>(s);
  for (std::int32_t s = 0; s < eliminated_; ++s)
    for (std::int32_t c = 0; c < column_count_[at(s)]; ++c) {
      const std::int32_t place = nodes_.first[at(s)] + c;
      x[at(nodes_.order[at(kept_column_[at(place)])])] = scale * static_cast<double>(gathered[at(place)]);
    }
}

void SparsePrincipalFactor::solve(std::span<double> x) {
  precision_ == Precision::single ? solve_all<float>(x) : solve_all<double>(x);
}

void SparsePrincipalFactor::reserve_selections() {
  constexpr int M = selected_together;
  gathered_.resize(std::max(gathered_.size(), nodes_.order.size() * M));
  below_.resize(std::max(below_.size(), at(largest_rows_) * M));
  passed_.resize(at(nodes_.count()));
  selected_.reserve(at(nodes_.count()));
}

void SparsePrincipalFactor::select(std::span<const std::int32_t> rows) {
  reserve_selections();
  std::fill(passed_.begin(), passed_.end(), char{0});
  for (const std::int32_t row : rows)
    for (std::int32_t s = nodes_.owner[at(nodes_.position[at(row)])]; s >= 0 && passed_[at(s)] == 0; s = parent(s))
      passed_[at(s)] = 1;
  selected_.clear();
  for (std::int32_t s = 0; s < eliminated_; ++s)
    if (passed_[at(s)] != 0) selected_.push_back(s);
  for (const std::int32_t s : selected_) place_columns(s);
}

template <class Real>
void SparsePrincipalFactor::solve_all_selected(std::span<const std::int32_t> rows, std::span<double> X) {
  constexpr int M = selected_together;
  Real* gathered = gathered_.as<Real>();
  const auto place_of = [&](std::int32_t row) { return trunk_.local[at(nodes_.position[at(row)])]; };
  for (const std::int32_t s : selected_)
    std::fill_n(gathered + at(nodes_.first[at(s)]) * M, at(column_count_[at(s)]) * M, Real{0});
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (place_of(rows[i]) >= 0)
      for (std::size_t j = 0; j < M; ++j) gathered[at(place_of(rows[i])) * M + j] = static_cast<Real>(X[i * M + j]);
  for (const std::int32_t s : selected_) forward_selected<Real>(s);
  for (auto s = selected_.rbegin(); s != selected_.rend(); ++s) backward_selected<Real>(*s);
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t j = 0; j < M; ++j)
      X[i * M + j] = place_of(rows[i]) >= 0 ? static_cast<double>(gathered[at(place_of(rows[i])) * M + j]) : 0.0;
}

void SparsePrincipalFactor::solve_selected(std::span<const std::int32_t> rows, std::span<double> X) {
  precision_ == Precision::single ? solve_all_selected<float>(rows, X) : solve_all_selected<double>(rows, X);
}

}  // namespace nonsmooth
