#include "modeling/dense_lu.hpp"

#include <cmath>
#include <limits>
#include <utility>

namespace nonsmooth::kernel {

namespace {

// Loops as Eigen's PartialPivLU has them for small matrices, with its pivots and roundings, for a SIZE that is known.
template <int SIZE>
void factorSmall(double* lu, Index* source) {
  for (Index k = 0; k < SIZE; ++k) source[k] = k;
  for (Index k = 0; k < SIZE; ++k) {
    Index pivot = k;
    for (Index i = k + 1; i < SIZE; ++i)
      if (std::abs(lu[i + k * SIZE]) > std::abs(lu[pivot + k * SIZE])) pivot = i;
    if (lu[pivot + k * SIZE] == 0) continue;
    if (pivot != k) {
      std::swap(source[k], source[pivot]);
      for (Index j = 0; j < SIZE; ++j) std::swap(lu[k + j * SIZE], lu[pivot + j * SIZE]);
    }
    for (Index i = k + 1; i < SIZE; ++i) lu[i + k * SIZE] /= lu[k + k * SIZE];
    for (Index j = k + 1; j < SIZE; ++j)
      for (Index i = k + 1; i < SIZE; ++i) lu[i + j * SIZE] -= lu[i + k * SIZE] * lu[k + j * SIZE];
  }
}

}  // namespace

void DenseLu::factorAny() {
  lu_.compute(factors_);
  factors_ = lu_.matrixLU();
  const auto& place_of = lu_.permutationP().indices();
  for (Index k = 0; k < size(); ++k) source_[static_cast<std::size_t>(place_of[k])] = k;
}

void DenseLu::compute(const ConstMatrixView& matrix) {
  factors_ = matrix;
  source_.resize(static_cast<std::size_t>(matrix.rows()));
  switch (size()) {
    case 2: factorSmall<2>(factors_.data(), source_.data()); break;
    case 3: factorSmall<3>(factors_.data(), source_.data()); break;
    case 4: factorSmall<4>(factors_.data(), source_.data()); break;
    case 5: factorSmall<5>(factors_.data(), source_.data()); break;
    case 6: factorSmall<6>(factors_.data(), source_.data()); break;
    default: factorAny(); break;
  }
  const auto pivots = factors_.diagonal().cwiseAbs();
  least_ = pivots.minCoeff();
  greatest_ = pivots.maxCoeff();
  work_.resize(size());
}

bool DenseLu::isSingular() const {
  const Index size = factors_.rows();
  const double* lu = factors_.data();
  constexpr double rounding = 4 * std::numeric_limits<double>::epsilon();
  for (Index k = 0; k < size; ++k) {
    double terms = 0;
    for (Index j = 0; j < k; ++j) terms += std::abs(lu[k + j * size] * lu[j + k * size]);
    if (!(std::abs(lu[k + k * size]) > rounding * terms)) return true;
  }
  return false;
}

namespace {

// Plain loops: systems are small, and Eigen would allocate. SIZE, where not 0, is the size: the loops of rigid bodies, unrolled,
// take a fifth of the time. x, of that size, is memory to work in, which the compiler keeps in registers there.
template <int SIZE>
void solveColumn(const double* lu, const Index* source, Index any_size, double* x, double* column) {
  const Index size = SIZE > 0 ? SIZE : any_size;
  for (Index i = 0; i < size; ++i) x[i] = column[source[i]];
#pragma GCC unroll 6
  for (Index j = 0; j < size; ++j)
#pragma GCC unroll 6
    for (Index i = j + 1; i < size; ++i) x[i] -= lu[i + j * size] * x[j];
#pragma GCC unroll 6
  for (Index j = size - 1; j >= 0; --j) {
    x[j] /= lu[j + j * size];
#pragma GCC unroll 6
    for (Index i = 0; i < j; ++i) x[i] -= lu[i + j * size] * x[j];
  }
  for (Index i = 0; i < size; ++i) column[i] = x[i];
}

template <int SIZE>
void solveColumns(const double* lu, const Index* source, double* columns, Index count) {
  double x[SIZE];
  for (Index j = 0; j < count; ++j) solveColumn<SIZE>(lu, source, SIZE, x, columns + j * SIZE);
}

}  // namespace

void DenseLu::solve(double* columns, Index count) const {
  const double* lu = factors_.data();
  switch (size()) {
    case 2: return solveColumns<2>(lu, source_.data(), columns, count);
    case 3: return solveColumns<3>(lu, source_.data(), columns, count);
    case 6: return solveColumns<6>(lu, source_.data(), columns, count);
    default: break;
  }
  for (Index j = 0; j < count; ++j) solveColumn<0>(lu, source_.data(), size(), work_.data(), columns + j * size());
}

}  // namespace nonsmooth::kernel
