#include "linalg/blocked_lu.hpp"

#include <algorithm>

#include "linalg/lapack.hpp"

namespace nonsmooth {
namespace {

constexpr std::int32_t panel_columns = 64, lu_part_columns = 64;
constexpr std::int32_t largest_undivided = 256;  // LAPACK alone is as fast, whatever helps

// Columns begin .. end of the block A whose columns k .. k + width are factorised: exchanges, and behind the panel the rest.
template <class Real>
struct PartUpdate {
  Real* A;
  std::int32_t n, stride, k, width;
  const std::int32_t* pivot;

  Real* at(std::int32_t row, std::int32_t column) const { return A + row + std::int64_t{stride} * column; }
  void operator()(std::int32_t begin, std::int32_t end) const {
    for (std::int32_t j = begin; j < end; ++j)
      for (std::int32_t i = k; i < k + width; ++i) std::swap(*at(i, j), *at(pivot[i] - 1, j));
    if (begin < k) return;
    const std::int32_t columns = end - begin, below = n - k - width;
    trsm("L", "L", "N", "U", width, columns, at(k, k), stride, at(k, begin), stride);
    if (below > 0)
      gemm("N", "N", below, columns, width, Real{-1}, at(k + width, k), stride, at(k, begin), stride, Real{1},
           at(k + width, begin), stride);
  }
};

template <class Real>
bool factorise_by_panels(Real* A, std::int32_t n, std::int32_t stride, std::int32_t* pivot, Workers* workers,
                         Patience* patience) {
  if (n <= largest_undivided) return getrf(n, n, A, stride, pivot);
  for (std::int32_t k = 0; k < n; k += panel_columns) {
    if (patience != nullptr && !patience->lasts()) return false;
    const std::int32_t width = std::min(panel_columns, n - k), rows = n - k;
    if (!getrf(rows, width, A + k + std::int64_t{stride} * k, stride, pivot + k)) return false;
    for (std::int32_t i = k; i < k + width; ++i) pivot[i] += k;
    // Parts before the panel, then those behind it.
    const PartUpdate<Real> update{A, n, stride, k, width, pivot};
    const std::int32_t before = k / lu_part_columns, behind = (n - k - width + lu_part_columns - 1) / lu_part_columns;
    run_tasks(workers, before + behind, [&](std::int64_t task) {
      const auto part = static_cast<std::int32_t>(task);
      const std::int32_t begin = part < before ? part * lu_part_columns : k + width + (part - before) * lu_part_columns;
      update(begin, std::min(begin + lu_part_columns, part < before ? k : n));
    });
  }
  return true;
}

}  // namespace

bool factorise_blocked(double* A, std::int32_t n, std::int32_t stride, std::int32_t* pivot, Workers* workers,
                       Patience* patience) {
  return factorise_by_panels(A, n, stride, pivot, workers, patience);
}

bool factorise_blocked(float* A, std::int32_t n, std::int32_t stride, std::int32_t* pivot, Workers* workers, Patience* patience) {
  return factorise_by_panels(A, n, stride, pivot, workers, patience);
}

}  // namespace nonsmooth
