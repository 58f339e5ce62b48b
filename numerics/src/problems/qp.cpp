#include "problems/qp.hpp"

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "core/index.hpp"

namespace nonsmooth {
namespace {

constexpr double programme_symmetry = 1e-12;   // of |M|_F: products such as A'A are summed in two orders
constexpr double curvature_tolerance = 1e-10;  // of the largest eigenvalue: semidefinite matrices have rounding below 0

void require_symmetric(const Matrix& M) {
  if (symmetry_defect(M) <= programme_symmetry) return;
  const ByColumns columns(M);
  const CscMatrix& A = *columns;
  std::int64_t row = 0, col = 0;
  for (std::int64_t j = 0; j < A.cols; ++j)
    for (auto k = at(A.col_start[at(j)]); k < at(A.col_start[at(j + 1)]); ++k) {
      const std::int64_t i = A.row_index[k];
      if (std::abs(A.values[k] - value_at(A, j, i)) > std::abs(value_at(A, row, col) - value_at(A, col, row)))
        row = std::max(i, j), col = std::min(i, j);
    }
  const auto above = static_cast<long long>(row), left = static_cast<long long>(col);
  fail(NSM_INVALID_VALUE, "M(%lld, %lld) = %g but M(%lld, %lld) = %g: M of a qp is symmetric (avi takes any M)", above, left,
       value_at(A, row, col), left, above, value_at(A, col, row));
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
