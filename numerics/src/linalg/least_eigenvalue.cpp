#include "linalg/least_eigenvalue.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <new>
#include <utility>

#include "core/error.hpp"
#include "linalg/sparse_cholesky.hpp"
#include "linalg/sparse_product.hpp"

namespace nonsmooth {
namespace {

constexpr double eigenvalue_rounding = 1e-12;  // of the largest: what is smaller counts as 0
constexpr double most_factor_work = 4e9;
constexpr std::size_t most_entries = 20'000'000;
constexpr double wider_shift = 30;
constexpr int most_inverse_steps = 100;
constexpr double settled_share = 1e-6;  // of the distance to the shift

// (A + A')/2 with all of its diagonal.
CscMatrix symmetric_part(const Matrix& A) {
  const ByColumns columns(A);
  const CscMatrix &given = *columns, mirrored = transposed(given);
  CscMatrix sum{given.rows, given.cols, {0}, {}, {}};
  for (std::int64_t j = 0; j < sum.cols; ++j) {
    auto k = at(given.col_start[at(j)]), l = at(mirrored.col_start[at(j)]);
    const auto end_k = at(given.col_start[at(j + 1)]), end_l = at(mirrored.col_start[at(j + 1)]);
    while (k < end_k || l < end_l) {
      const std::int32_t row =
          std::min(k < end_k ? given.row_index[k] : INT32_MAX, l < end_l ? mirrored.row_index[l] : INT32_MAX);
      double entry = 0;
      if (k < end_k && given.row_index[k] == row) entry += 0.5 * given.values[k++];
      if (l < end_l && mirrored.row_index[l] == row) entry += 0.5 * mirrored.values[l++];
      sum.row_index.push_back(row);
      sum.values.push_back(entry);
    }
    sum.col_start.push_back(static_cast<std::int32_t>(sum.values.size()));
  }
  return plus_diagonal(sum, Vector(at(sum.cols), 0.0));
}

class ShiftedFactors {
 public:
  explicit ShiftedFactors(CscMatrix S) : values_(S.values), factors_(std::move(S)) {
    const CscMatrix& matrix = factors_.matrix();
    const auto rows = matrix.row_index.begin();
    for (std::int64_t j = 0; j < matrix.cols; ++j) {
      const auto begin = rows + matrix.col_start[at(j)], end = rows + matrix.col_start[at(j + 1)];
      diagonal_.push_back(std::lower_bound(begin, end, static_cast<std::int32_t>(j)) - rows);
    }
  }
  double work() const { return factors_.work(); }
  // false if S + shift I is not positive definite.
  bool factorise(double shift) {
    Vector shifted = values_;
    for (const std::ptrdiff_t k : diagonal_) shifted[at(k)] += shift;
    return factors_.factorise(std::move(shifted));
  }
  // The eigenvalue of S + shift I nearest to 0, from above.
  double least() {
    Vector x(diagonal_.size()), before;
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = 1 + 0.5 * std::sin(1 + 2.3 * static_cast<double>(i));
    double found = HUGE_VAL;
    for (int k = 0; k < most_inverse_steps; ++k) {
      const double length = norm2(x);
      for (double& entry : x) entry /= length;
      before = x;
      factors_.solve_once(x);
      // y = inverse(S) x: y'S y / y'y.
      double product = 0;
      for (std::size_t i = 0; i < x.size(); ++i) product += x[i] * before[i];
      const double last = std::exchange(found, product / (norm2(x) * norm2(x)));
      if (!std::isfinite(found)) return last;
      if (std::abs(found - last) <= settled_share * found) break;
    }
    return found;
  }

 private:
  Vector values_;
  SparseCholesky factors_;
  std::vector<std::ptrdiff_t> diagonal_;
};

}  // namespace

void find_least_eigenvalue(const Matrix& A, EigenvalueRange& range) {
  if (!range.estimated || A.values().size() > most_entries) return;
  CscMatrix S = symmetric_part(A);
  if (std::ranges::all_of(S.values, [](double value) { return value == 0; })) {  // of a skew A Lanczos sees rounding
    range = {};
    return;
  }
  const double scale = std::max(std::abs(range.min), std::abs(range.max)), rounding = eigenvalue_rounding * scale;
  if (range.min < -rounding) return;
  try {
    ShiftedFactors factors(std::move(S));
    if (factors.work() > most_factor_work) return;
    for (double shift = rounding; shift > 0 && shift <= 2 * wider_shift * scale; shift *= wider_shift) {
      if (!factors.factorise(shift)) continue;
      range.min = std::min(range.min, factors.least() - shift);
      range.estimated = false;
      break;
    }
  } catch (const std::bad_alloc&) {  // the estimate stays
  } catch (const Error& error) {
    if (error.status() != NSM_TOO_LARGE) throw;
  }
}

}  // namespace nonsmooth
