#include "linalg/tridiagonal_factor.hpp"

#include <cmath>
#include <cstdlib>

#include "core/index.hpp"
#include "linalg/pivot.hpp"

namespace nonsmooth {

bool is_tridiagonal(const CscMatrix& A) {
  for (std::int32_t j = 0; j < A.cols; ++j)
    for (std::int32_t k = A.col_start[at(j)]; k < A.col_start[at(j) + 1]; ++k)
      if (std::abs(A.row_index[at(k)] - j) > 1) return false;
  return true;
}

void Tridiagonal::load(const CscMatrix& A) {
  const auto n = at(A.cols);
  for (Vector* v : {&below, &diagonal, &above}) v->assign(n, 0.0);
  for (std::size_t j = 0; j < n; ++j)
    for (std::int32_t k = A.col_start[j]; k < A.col_start[j + 1]; ++k) {
      const auto i = at(A.row_index[at(k)]);
      (i < j ? above : i > j ? below : diagonal)[i] = A.values[at(k)];
    }
}

TridiagonalFactor::TridiagonalFactor(const Tridiagonal& T) : T_(T), multiplier_(T.size()), inverse_(T.size()) {}

// Without branches: which rows are kept is not predictable. A row left out has 0 for its inverse pivot.
bool TridiagonalFactor::factorise(std::span<const char> keep) {
  keep_ = keep;
  double above = 0, inverse = 0;
  bool regular = true;
  for (std::size_t i = 0; i < T_.size(); ++i) {
    const double multiplier = T_.below[i] * inverse, product = multiplier * above, pivot = T_.diagonal[i] - product;
    const bool kept = keep[i] != 0;
    const bool clear = is_clear_pivot(std::abs(pivot), std::abs(T_.diagonal[i]) + std::abs(product));
    regular &= clear | !kept;
    multiplier_[i] = multiplier;
    inverse_[i] = inverse = kept ? 1 / pivot : 0;
    above = T_.above[i];
  }
  return regular;
}

void TridiagonalFactor::solve(std::span<double> x) {
  double before = 0;
  for (std::size_t i = 0; i < T_.size(); ++i) {
    const bool kept = keep_[i] != 0;
    const double value = x[i] - multiplier_[i] * before;
    x[i] = kept ? value : x[i];
    before = kept ? value : 0;
  }
  double after = 0;
  for (std::size_t i = T_.size(); i-- > 0;) {
    const double value = (x[i] - T_.above[i] * after) * inverse_[i];
    after = value;  // 0 at a row left out
    x[i] = keep_[i] != 0 ? value : x[i];
  }
}

}  // namespace nonsmooth
