#include "methods/newton/reformulation.hpp"

#include <algorithm>
#include <cmath>

#include "core/index.hpp"
#include "linalg/lapack.hpp"
#include "problems/bounds.hpp"
#include "sets/set.hpp"

namespace nonsmooth {
namespace {

constexpr double difference_step = 0x1p-26;

}  // namespace

void Reformulation::setup(const Inclusion& view, NcpFunction function) {
  function_ = function;
  view_ = &view;
  const auto n = at(view.size());
  const SetKind first = view.blocks.front().kind;
  whole_ = first == SetKind::polyhedron || first == SetKind::user_set;
  user_set_ = view.blocks.front().user_set;
  phi_.resize(n);
  slope_.resize(n);
  if (whole_) {
    for (Vector* v : {&point_, &projected_, &shifted_}) v->resize(n);
    if (user_set_ != nullptr) D_.resize(n * n);
    return;
  }
  for (Vector* v : {&lo_, &hi_, &dz_, &dw_}) v->resize(n);
  read_bounds(view.blocks, lo_, hi_);
}

double Reformulation::evaluate(std::span<const double> z, std::span<const double> w) {
  double merit = 0;
  if (whole_) {
    for (std::size_t i = 0; i < phi_.size(); ++i) point_[i] = z[i] - w[i];
    if (!project(*view_, point_, projected_)) return std::nan("");
  }
  for (std::size_t i = 0; i < phi_.size(); ++i) {
    phi_[i] = whole_ ? z[i] - projected_[i] : row_equation(function_, z[i], w[i], lo_[i], hi_[i]).value;
    merit += 0.5 * phi_[i] * phi_[i];
  }
  return merit;
}

bool Reformulation::differentiate(std::span<const double> z, std::span<const double> w) {
  if (!whole_) {
    for (std::size_t i = 0; i < phi_.size(); ++i) {
      const RowEquation row = row_equation(function_, z[i], w[i], lo_[i], hi_[i]);
      dz_[i] = row.dz;
      dw_[i] = row.dw;
    }
    return true;
  }
  const auto n = phi_.size();
  for (std::size_t i = 0; i < n; ++i) point_[i] = z[i] - w[i];
  if (!project(*view_, point_, projected_)) return false;
  for (std::size_t j = 0; j < n; ++j) {
    const double origin = point_[j];
    point_[j] = origin + difference_step * std::max(1.0, std::abs(origin));
    if (!project(*view_, point_, shifted_)) return false;
    const double step = point_[j] - origin;
    for (std::size_t i = 0; i < n; ++i) D_[i + j * n] = (shifted_[i] - projected_[i]) / step;
    point_[j] = origin;
  }
  return true;
}

void Reformulation::write_newton_matrix(const Matrix& J, std::span<double> H) {
  const int n = static_cast<int>(phi_.size());
  std::fill(H.begin(), H.end(), 0.0);
  if (!whole_) {
    for_each_entry(J, [&](std::int64_t i, std::int64_t j, double a) { H[at(i + j * n)] = dw_[at(i)] * a; });
    for (std::size_t i = 0; i < phi_.size(); ++i) H[i * (phi_.size() + 1)] += dz_[i];
    return;
  }
  // I - D (I - J), column by column.
  const double minus = -1, zero = 0;
  const int stride = 1;
  for_each_entry(J, [&](std::int64_t i, std::int64_t j, double a) { H[at(i + j * n)] = a; });
  for (int j = 0; j < n; ++j) {
    double* column = H.data() + std::ptrdiff_t{j} * n;
    for (int i = 0; i < n; ++i) slope_[at(i)] = (i == j ? 1.0 : 0.0) - column[i];
    dgemv_("N", &n, &n, &minus, D_.data(), &n, slope_.data(), &stride, &zero, column, &stride);
    column[j] += 1;
  }
}

void Reformulation::write_newton_values(const Matrix& J, std::span<const std::int32_t> place, CscMatrix& H) const {
  std::fill(H.values.begin(), H.values.end(), 0.0);
  std::size_t k = 0;
  for_each_entry(J, [&](std::int64_t i, std::int64_t, double a) { H.values[at(place[k++])] = dw_[at(i)] * a; });
  for (std::int64_t j = 0; j < H.cols; ++j)
    for (std::int32_t p = H.col_start[at(j)]; p < H.col_start[at(j + 1)]; ++p)
      if (H.row_index[at(p)] == j) H.values[at(p)] += dz_[at(j)];
}

void Reformulation::write_gradient(const Matrix& J, std::span<double> g) {
  if (!whole_) {
    for (std::size_t i = 0; i < phi_.size(); ++i) {
      g[i] = dz_[i] * phi_[i];
      slope_[i] = dw_[i] * phi_[i];
    }
    multiply_transposed_add(J, 1.0, slope_, g);
    return;
  }
  const int n = static_cast<int>(phi_.size()), stride = 1;
  const double one = 1, zero = 0;
  dgemv_("T", &n, &n, &one, D_.data(), &n, phi_.data(), &stride, &zero, slope_.data(), &stride);
  for (std::size_t i = 0; i < phi_.size(); ++i) g[i] = phi_[i] - slope_[i];
  multiply_transposed_add(J, 1.0, slope_, g);
}

}  // namespace nonsmooth
