#include "linalg/nnls.hpp"

#include <algorithm>
#include <cfloat>
#include <cmath>

#include "core/index.hpp"
#include "linalg/lapack.hpp"
#include "linalg/matrix.hpp"

namespace nonsmooth {

void NonnegativeLeastSquares::resize(int largest_rows, int largest_cols) {
  const auto m = at(largest_rows), n = at(largest_cols);
  A_.resize(m * n);
  Q_.resize(m * std::min(m, n));
  rhs_.resize(m);
  residual_.resize(m);
  work_.resize(std::min<std::size_t>(m, 64) * (m + n + 1));  // of dgels, whose blocks are no wider
  passive_.reserve(n);
  is_passive_.resize(n);
}

void NonnegativeLeastSquares::compute_residual(std::span<const double> b, std::span<const double> x) {
  std::copy_n(b.begin(), rows_, residual_.begin());
  for (int j = 0; j < cols_; ++j)
    if (x[at(j)] != 0)
      for (int i = 0; i < rows_; ++i) residual_[at(i)] -= A_[at(i + j * rows_)] * x[at(j)];
}

// Least squares over the passive columns, in the order of passive_; the solution stands in rhs_.
bool NonnegativeLeastSquares::least_squares_on_passive(std::span<const double> b) {
  const int k = static_cast<int>(passive_.size()), one = 1, lwork = static_cast<int>(work_.size());
  for (int c = 0; c < k; ++c)
    std::copy_n(A_.begin() + std::ptrdiff_t{passive_[at(c)]} * rows_, rows_, Q_.begin() + std::ptrdiff_t{c} * rows_);
  std::copy_n(b.begin(), rows_, rhs_.begin());
  int info = 0;
  dgels_("N", &rows_, &k, &one, Q_.data(), &rows_, rhs_.data(), &rows_, work_.data(), &lwork, &info);
  if (info != 0) return false;
  // The diagonal of R tells whether the columns are independent to working precision.
  double smallest = HUGE_VAL, largest = 0;
  for (int c = 0; c < k; ++c) {
    const double r = std::abs(Q_[at(c + c * rows_)]);
    smallest = std::min(smallest, r);
    largest = std::max(largest, r);
  }
  return k == 0 || smallest > 1e-13 * largest;
}

// Column that is not passive with the steepest descent: positive gradient of a bounded one, any of a free one. -1 if there is
// none.
int NonnegativeLeastSquares::steepest_column(std::span<const char> free, double& steepest) const {
  int entering = -1;
  if (static_cast<int>(passive_.size()) >= rows_) return entering;
  for (int j = 0; j < cols_; ++j) {
    if (is_passive_[at(j)]) continue;
    double gradient = 0, norm = 0;
    for (int i = 0; i < rows_; ++i) {
      const double a = A_[at(i + j * rows_)];
      gradient += a * residual_[at(i)];
      norm += a * a;
    }
    if (norm == 0) continue;
    if (free[at(j)]) gradient = std::abs(gradient);
    gradient /= std::sqrt(norm);
    if (gradient > steepest) {
      steepest = gradient;
      entering = j;
    }
  }
  return entering;
}

// Steps towards the minimiser on the passive columns, until it is reached; columns that would turn negative leave.
void NonnegativeLeastSquares::settle_passive(std::span<const double> b, std::span<const char> free, std::span<double> x,
                                             double zero) {
  while (!passive_.empty()) {
    if (!least_squares_on_passive(b)) {  // dependent: the column that came last cannot help
      is_passive_[at(passive_.back())] = 2;
      x[at(passive_.back())] = 0;
      passive_.pop_back();
      continue;
    }
    double step = 1;
    int blocking = -1;
    for (std::size_t c = 0; c < passive_.size(); ++c) {
      const auto j = at(passive_[c]);
      if (free[j] || rhs_[c] > 0) continue;
      const double longest = x[j] / (x[j] - rhs_[c] + DBL_MIN);
      if (longest < step) blocking = passive_[c];
      step = std::min(step, longest);
    }
    for (std::size_t c = 0; c < passive_.size(); ++c) {
      const auto j = at(passive_[c]);
      x[j] += step * (rhs_[c] - x[j]);
    }
    if (blocking < 0) return;
    auto leaves = [&](int j) {
      const auto k = at(j);
      if (j != blocking && (free[k] || x[k] > zero)) return false;
      x[k] = 0;
      is_passive_[k] = 0;
      return true;
    };
    passive_.erase(std::remove_if(passive_.begin(), passive_.end(), leaves), passive_.end());
    std::replace(is_passive_.begin(), is_passive_.end(), char{2}, char{0});  // they may be independent of what is left
  }
}

double NonnegativeLeastSquares::solve(int rows, int cols, std::span<const double> b, std::span<const char> free,
                                      std::span<double> x, const std::function<bool()>& goes_on) {
  rows_ = rows;
  cols_ = cols;
  std::fill(x.begin(), x.end(), 0.0);
  std::fill(is_passive_.begin(), is_passive_.end(), char{0});
  passive_.clear();
  const double zero = 16 * DBL_EPSILON * norm2(b.first(at(rows)));
  for (int iteration = 0; iteration < 3 * cols + 10; ++iteration) {
    compute_residual(b, x);
    double steepest = 0;
    const int entering = steepest_column(free, steepest);
    if (entering < 0 || steepest <= zero || (goes_on && !goes_on())) break;
    passive_.push_back(entering);
    is_passive_[at(entering)] = 1;
    settle_passive(b, free, x, zero * 1e-3);
  }
  compute_residual(b, x);
  return norm2(std::span<const double>(residual_).first(at(rows)));
}

}  // namespace nonsmooth
