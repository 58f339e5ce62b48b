#include "problems/qp.hpp"

#include <algorithm>
#include <cmath>

#include "core/error.hpp"

namespace nonsmooth {
namespace {

constexpr double symmetry_tolerance = 1e-12;   // of |M|_F: products such as A'A are summed in two orders
constexpr double curvature_tolerance = 1e-10;  // of the largest eigenvalue: semidefinite matrices have rounding below 0

void require_symmetric(const Matrix& M) {
  if (symmetry_defect(M) <= symmetry_tolerance) return;
  const DenseMatrix dense = to_dense(M);
  const auto value = [&](std::int64_t i, std::int64_t j) { return dense.values[static_cast<std::size_t>(i + j * dense.rows)]; };
  std::int64_t row = 0, col = 0;
  for (std::int64_t j = 0; j < dense.cols; ++j)
    for (std::int64_t i = j + 1; i < dense.rows; ++i)
      if (std::abs(value(i, j) - value(j, i)) > std::abs(value(row, col) - value(col, row))) row = i, col = j;
  fail(NSM_INVALID_VALUE, "M(%lld, %lld) = %g but M(%lld, %lld) = %g: M of a qp is symmetric (avi takes any M)",
       static_cast<long long>(row), static_cast<long long>(col), value(row, col), static_cast<long long>(col),
       static_cast<long long>(row), value(col, row));
}

}  // namespace

void Qp::validate() const {
  Avi::validate();
  require_convex(M);
}

void Qp::require_convex(const Matrix& M) {
  require_symmetric(M);
  const EigenvalueRange range = symmetric_eigenvalue_range(M);
  if (range.min < -curvature_tolerance * std::max(std::abs(range.min), std::abs(range.max)))
    fail(NSM_INVALID_VALUE, "M has the eigenvalue %g: a qp is convex, M positive semidefinite (avi takes any M)", range.min);
}

}  // namespace nonsmooth
