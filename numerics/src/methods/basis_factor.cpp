#include "methods/basis_factor.hpp"

#include <algorithm>

namespace nonsmooth {

void BasisFactor::resize(int n, int largest_updates) {
  n_ = n;
  lu_.resize(n);
  row_.resize(static_cast<std::size_t>(largest_updates));
  eta_.resize(row_.size() * static_cast<std::size_t>(n));
}

bool BasisFactor::refactorise() {
  updates_ = 0;
  return lu_.factorise(n_);
}

void BasisFactor::ftran(double* x) const {
  lu_.solve(x);
  for (int k = 0; k < updates_; ++k) {
    const int r = row_[static_cast<std::size_t>(k)];
    const double* y = eta_.data() + std::ptrdiff_t{k} * n_;
    const double pivot = x[r] / y[r];
    for (int i = 0; i < n_; ++i) x[i] -= pivot * y[i];
    x[r] = pivot;
  }
}

void BasisFactor::update(int row, std::span<const double> y) {
  std::copy(y.begin(), y.end(), eta_.begin() + std::ptrdiff_t{updates_} * n_);
  row_[static_cast<std::size_t>(updates_++)] = row;
}

}  // namespace nonsmooth
