#include "linalg/sparse_product.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/checked.hpp"

namespace nonsmooth {
namespace {

constexpr double rounding_of_products = 1e-12;  // of sums of some thousand terms

// visit(k) for the entries of column j.
template <class Visit>
void for_each_place(const CscMatrix& A, std::int64_t j, Visit&& visit) {
  for (std::int32_t k = A.col_start[at(j)]; k < A.col_start[at(j) + 1]; ++k) visit(at(k));
}

}  // namespace

CscMatrix transposed(const CscMatrix& A) {
  CscMatrix T{A.cols, A.rows, IndexVector(at(A.rows + 1), 0), IndexVector(A.row_index.size()), Vector(A.values.size())};
  for (const std::int32_t i : A.row_index) ++T.col_start[at(i) + 1];
  std::partial_sum(T.col_start.begin(), T.col_start.end(), T.col_start.begin());
  IndexVector next(T.col_start.begin(), T.col_start.end() - 1);
  for (std::int64_t j = 0; j < A.cols; ++j)
    for_each_place(A, j, [&](std::size_t k) {
      const std::size_t place = at(next[at(A.row_index[k])]++);
      T.row_index[place] = static_cast<std::int32_t>(j);
      T.values[place] = A.values[k];
    });
  return T;
}

CscMatrix product(const CscMatrix& A, const CscMatrix& B) {
  CscMatrix C{A.rows, B.cols, {0}, {}, {}};
  Vector sum(at(A.rows), 0.0);
  IndexVector met_in(at(A.rows), -1);
  for (std::int64_t j = 0; j < B.cols; ++j) {
    const auto first = std::ssize(C.row_index);
    for_each_place(B, j, [&](std::size_t b) {
      for_each_place(A, B.row_index[b], [&](std::size_t a) {
        const std::int32_t i = A.row_index[a];
        sum[at(i)] += A.values[a] * B.values[b];
        if (met_in[at(i)] == j) return;
        met_in[at(i)] = static_cast<std::int32_t>(j);
        C.row_index.push_back(i);
      });
    });
    const auto rows = C.row_index.begin() + first;
    if (!std::is_sorted(rows, C.row_index.end())) std::sort(rows, C.row_index.end());
    for (auto row = rows; row != C.row_index.end(); ++row) {
      C.values.push_back(sum[at(*row)]);
      sum[at(*row)] = 0;
    }
    C.col_start.push_back(checked_index(std::ssize(C.row_index), "product"));
  }
  return C;
}

void subtract_product(const CscMatrix& A, std::span<const double> x, std::span<long double> b) {
  for (std::size_t j = 0; j < x.size(); ++j) {
    const long double own = x[j];
    for_each_place(A, static_cast<std::int64_t>(j), [&](std::size_t k) { b[at(A.row_index[k])] -= A.values[k] * own; });
  }
}

void settle_symmetry(CscMatrix& A) {
  Vector size(at(A.cols), 0.0);
  for (std::int64_t j = 0; j < A.cols; ++j)
    for_each_place(A, j, [&](std::size_t k) {
      if (A.row_index[k] == j) size[at(j)] = std::sqrt(std::abs(A.values[k]));
    });
  for (std::int64_t j = 0; j < A.cols; ++j)
    for_each_place(A, j, [&](std::size_t k) {
      const std::int64_t i = A.row_index[k], mirrored = i > j ? place_of(A, j, i) : -1;
      if (mirrored < 0) return;
      double& other = A.values[at(mirrored)];
      if (std::abs(other - A.values[k]) <= rounding_of_products * size[at(i)] * size[at(j)]) other = A.values[k];
    });
}

}  // namespace nonsmooth
