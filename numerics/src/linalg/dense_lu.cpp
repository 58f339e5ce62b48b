#include "linalg/dense_lu.hpp"

#include <algorithm>
#include <cmath>

#include "core/index.hpp"
#include "linalg/pivot.hpp"

namespace nonsmooth {

void DenseLu::resize(int largest_order) {
  factor_.resize(largest_order);
  column_size_.resize(at(largest_order));
}

bool DenseLu::factorise(int order) {
  smallest_pivot_ = 1;
  const auto n = at(order);
  const std::span<const double> A = factor_.matrix();
  for (std::size_t j = 0; j < n; ++j) {
    double largest = 0;
    for (std::size_t i = 0; i < n; ++i) largest = std::max(largest, std::abs(A[i + j * n]));
    if (!std::isfinite(largest)) return false;
    column_size_[j] = largest;
  }
  if (!factor_.factorise(order, DenseFactor::Kind::lu)) return false;
  for (std::size_t j = 0; j < n; ++j) {
    const double pivot = factor_.pivot(j);
    if (!is_clear_pivot(pivot, column_size_[j])) return false;
    smallest_pivot_ = std::min(smallest_pivot_, pivot / column_size_[j]);
  }
  return true;
}

}  // namespace nonsmooth
