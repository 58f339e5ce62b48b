#include "problems/checks.hpp"

#include <algorithm>
#include <cmath>

#include "core/error.hpp"

namespace nonsmooth {
namespace {
using ll = long long;
}

void require_square(const Matrix& M, const char* name) {
  if (M.rows() != M.cols()) fail(NSM_INVALID_DIMENSION, "%s is %lld x %lld, not square", name, (ll)M.rows(), (ll)M.cols());
  if (M.rows() == 0) fail(NSM_INVALID_DIMENSION, "%s is 0 x 0: the problem has no unknowns", name);
}

void require_rows(const Matrix& M, std::int64_t rows, const char* name) {
  if (M.rows() != rows) fail(NSM_INVALID_DIMENSION, "%s has %lld rows, %lld expected", name, (ll)M.rows(), (ll)rows);
}

void require_cols(const Matrix& M, std::int64_t cols, const char* name) {
  if (M.cols() != cols) fail(NSM_INVALID_DIMENSION, "%s has %lld columns, %lld expected", name, (ll)M.cols(), (ll)cols);
}

void require_length(const Vector& v, std::int64_t length, const char* name) {
  if (static_cast<std::int64_t>(v.size()) != length)
    fail(NSM_INVALID_DIMENSION, "%s has %zu entries, %lld expected", name, v.size(), (ll)length);
}

void require_length(const IndexVector& v, std::int64_t length, const char* name) {
  if (static_cast<std::int64_t>(v.size()) != length)
    fail(NSM_INVALID_DIMENSION, "%s has %zu entries, %lld expected", name, v.size(), (ll)length);
}

void require_finite_entries(const Matrix& A, const char* name) {
  if (find_not_finite(A.values()) < 0) return;
  for_each_entry(A, [&](std::int64_t i, std::int64_t j, double a) {
    if (!std::isfinite(a)) fail(NSM_NOT_FINITE, "%s(%lld, %lld) is %g", name, (ll)i, (ll)j, a);
  });
}

void require_not_negative(const Vector& v, const char* name) {
  for (std::size_t k = 0; k < v.size(); ++k)
    if (v[k] < 0) fail(NSM_INVALID_VALUE, "%s[%zu] = %g is negative", name, k, v[k]);
}

void require_ordered(const Vector& lo, const Vector& hi) {
  for (std::size_t k = 0; k < std::max(lo.size(), hi.size()); ++k) {
    if (!lo.empty() && !hi.empty() && !(lo[k] <= hi[k]))
      fail(NSM_INVALID_VALUE, "lo[%zu] = %g exceeds hi[%zu] = %g", k, lo[k], k, hi[k]);
    if (!lo.empty() && lo[k] == HUGE_VAL) fail(NSM_INVALID_VALUE, "lo[%zu] is +infinity", k);
    if (!hi.empty() && hi[k] == -HUGE_VAL) fail(NSM_INVALID_VALUE, "hi[%zu] is -infinity", k);
  }
}

void require_polyhedron(const Polyhedron& set, std::int64_t unknowns) {
  if (!set.lo.empty()) require_length(set.lo, unknowns, "lo");
  if (!set.hi.empty()) require_length(set.hi, unknowns, "hi");
  require_ordered(set.lo, set.hi);
  if (!set.H.empty()) require_cols(set.H, unknowns, "H");
  require_length(set.k, set.H.rows(), "k");
}

std::int64_t require_contacts(std::int32_t dimension, std::int32_t allowed_1, std::int32_t allowed_2, std::int64_t rows) {
  if (dimension != allowed_1 && dimension != allowed_2)
    fail(NSM_INVALID_VALUE, "dimension is %d; %d or %d expected", dimension, allowed_1, allowed_2);
  if (rows % dimension != 0)
    fail(NSM_INVALID_DIMENSION, "%lld contact rows are no multiple of the dimension %d", (ll)rows, dimension);
  return rows / dimension;
}

}  // namespace nonsmooth
