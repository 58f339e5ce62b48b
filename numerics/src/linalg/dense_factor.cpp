#include "linalg/dense_factor.hpp"

#include "core/index.hpp"
#include "linalg/lapack.hpp"

namespace nonsmooth {

void DenseFactor::resize(int largest_order) {
  const auto n = at(largest_order);
  values_.resize(n * n);
  exchanges_.resize(n);
}

bool DenseFactor::factorise(int order, Kind kind) {
  order_ = order;
  kind_ = kind;
  if (order == 0) return true;
  int info = 0;
  if (kind == Kind::cholesky)
    dpotrf_("L", &order, values_.data(), &order, &info);
  else
    dgetrf_(&order, &order, values_.data(), &order, exchanges_.data(), &info);
  return info == 0;
}

void DenseFactor::solve_transposed(double* x) const { solve("T", x, 1, order_); }

void DenseFactor::solve(double* B, int columns, int stride) const { solve("N", B, columns, stride); }

void DenseFactor::solve(const char* transposition, double* B, int columns, int stride) const {
  if (order_ == 0 || columns == 0) return;
  int info = 0;
  if (kind_ == Kind::cholesky)
    dpotrs_("L", &order_, &columns, values_.data(), &order_, B, &stride, &info);
  else
    dgetrs_(transposition, &order_, &columns, values_.data(), &order_, exchanges_.data(), B, &stride, &info);
}

}  // namespace nonsmooth
