#include "nonsmooth/kernel/error.hpp"

#include <cmath>
#include <cstdarg>
#include <cstdio>

namespace nonsmooth::kernel {

void fail(const char* format, ...) {
  char text[512];
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  throw Error(text);
}

void requireSize(Index got, Index wanted, const char* what) {
  if (got != wanted)
    fail("%s has %lld entries, %lld expected", what, static_cast<long long>(got), static_cast<long long>(wanted));
}

void requireShape(const Matrix& matrix, Index rows, Index cols, const char* what) {
  if (matrix.rows() != rows || matrix.cols() != cols)
    fail("%s is %lld x %lld, %lld x %lld expected", what, static_cast<long long>(matrix.rows()),
         static_cast<long long>(matrix.cols()), static_cast<long long>(rows), static_cast<long long>(cols));
}

void requireFinite(const double* values, Index size, const char* what, int system, double time) {
  for (Index k = 0; k < size; ++k)
    if (!std::isfinite(values[k])) {
      char owner[32] = "";
      if (system >= 0) std::snprintf(owner, sizeof owner, " of system %d", system);
      fail("%s%s gave %g (entry %lld) at t = %.17g", what, owner, values[k], static_cast<long long>(k), time);
    }
}

void requireFinite(ConstMatrixRef values, const char* what) {
  for (Index j = 0; j < values.cols(); ++j)
    for (Index i = 0; i < values.rows(); ++i) {
      if (std::isfinite(values(i, j))) continue;
      if (values.cols() == 1) fail("%s[%lld] is %g", what, static_cast<long long>(i), values(i, j));
      fail("%s(%lld, %lld) is %g", what, static_cast<long long>(i), static_cast<long long>(j), values(i, j));
    }
}

}  // namespace nonsmooth::kernel
