#include "linalg/symmetry.hpp"

#include <algorithm>
#include <cmath>

#include "core/index.hpp"

namespace nonsmooth {
namespace {

constexpr double tolerance = 1e-14;

// agree(i, j, places of a_ij and a_ji) of all pairs below the diagonal, and both are stored if one is. Columns j ascend, and with
// them the rows j that are looked for in column i: nothing is searched.
template <class Agree>
bool mirrors(const CscMatrix& A, Agree&& agree) {
  IndexVector reached(A.col_start.begin(), A.col_start.end() - 1);  // what stands above has its mirror image
  for (std::int32_t j = 0; j < A.cols; ++j) {
    const std::int32_t end = A.col_start[at(j) + 1];
    std::int32_t k = reached[at(j)];
    if (k < end && A.row_index[at(k)] == j) ++k;
    for (; k < end; ++k) {
      const std::int32_t i = A.row_index[at(k)];
      if (i < j) return false;
      const std::int32_t mirrored = reached[at(i)]++;
      if (mirrored == A.col_start[at(i) + 1] || A.row_index[at(mirrored)] != j) return false;
      if (!agree(at(i), at(j), at(k), at(mirrored))) return false;
    }
  }
  return true;
}

bool is_symmetric(const CscMatrix& A) {
  return mirrors(A, [&](std::size_t, std::size_t, std::size_t k, std::size_t mirrored) {
    const double a = A.values[k], b = A.values[mirrored];
    return std::abs(a - b) <= tolerance * std::max(std::abs(a), std::abs(b));
  });
}

}  // namespace

bool is_symmetric(const Matrix& A) {
  if (A.dense() != nullptr) return is_symmetric(*A.dense());
  return is_symmetric(*ByColumns(A));
}

bool has_symmetric_pattern(const CscMatrix& A) {
  return mirrors(A, [](std::size_t, std::size_t, std::size_t, std::size_t) { return true; });
}

bool is_assembled_symmetric(const CscMatrix& A) {
  Vector diagonal(at(A.cols), 0.0);
  for (std::size_t j = 0; j < diagonal.size(); ++j)
    for (auto k = at(A.col_start[j]); k < at(A.col_start[j + 1]); ++k)
      if (at(A.row_index[k]) == j) diagonal[j] = std::abs(A.values[k]);
  return mirrors(A, [&](std::size_t i, std::size_t j, std::size_t k, std::size_t mirrored) {
    return std::abs(A.values[k] - A.values[mirrored]) <= tolerance * std::sqrt(diagonal[i] * diagonal[j]);
  });
}

namespace {

constexpr std::int64_t sample = 16;

// From a_ij a_ji and a_ij^2, summed: |S|^2 - |K|^2 and |S|^2 + |K|^2.
double share_of(double products, double squares) { return squares > 0 ? 0.5 * (1 - products / squares) : 0; }

// Of square blocks of order d, those of a line (block row or column) ascending.
double sampled_skew_share(const IndexVector& start, const IndexVector& index, std::size_t d, const Vector& values) {
  const auto lines = static_cast<std::int64_t>(start.size()) - 1;
  double products = 0, squares = 0;
  for (std::int64_t line = 0; line < lines; line += (lines + sample - 1) / sample)
    for (std::int32_t k = start[at(line)]; k < start[at(line) + 1]; ++k) {
      const auto other = at(index[at(k)]);
      const auto first = index.begin() + start[other], last = index.begin() + start[other + 1];
      const auto mirror = std::lower_bound(first, last, static_cast<std::int32_t>(line));
      const bool mirrored = mirror != last && *mirror == line;
      const double* block = values.data() + at(k) * d * d;
      const double* image = mirrored ? values.data() + at(mirror - index.begin()) * d * d : nullptr;
      for (std::size_t i = 0; i < d; ++i)
        for (std::size_t j = 0; j < d; ++j) {
          const double a = block[i + j * d], b = mirrored ? image[j + i * d] : 0;
          products += 2 * a * b;
          squares += a * a + b * b;
        }
    }
  return share_of(products, squares);
}

}  // namespace

double skew_share(const Matrix& A) {
  if (const DenseMatrix* dense = A.dense()) return skew_share(dense->values, dense->cols);
  if (const BlockCsrMatrix* blocks = A.block_csr(); blocks != nullptr && blocks->uniform_block_size() > 0)
    return sampled_skew_share(blocks->row_start, blocks->block_col, at(blocks->uniform_block_size()), blocks->values);
  const ByColumns columns(A);
  return sampled_skew_share((*columns).col_start, (*columns).row_index, 1, (*columns).values);
}

double skew_share(std::span<const double> columns, std::int64_t order) {
  const auto value = [&](std::int64_t i, std::int64_t j) { return columns[at(i + j * order)]; };
  double products = 0, squares = 0;
  for (std::int64_t j = 0; j < order; j += (order + sample - 1) / sample)
    for (std::int64_t i = 0; i < order; ++i) {
      const double a = value(i, j), b = value(j, i);
      products += 2 * a * b;
      squares += a * a + b * b;
    }
  return share_of(products, squares);
}

}  // namespace nonsmooth
