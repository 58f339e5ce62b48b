#include "sets/rolling_cone.hpp"

#include <cfloat>
#include <utility>

#include "sets/sign_change.hpp"

namespace nonsmooth {
namespace {

constexpr double accepted = 1e-9;           // natural map of a block, relative to its q
constexpr double largest_parameter = 1e18;  // relative to the block: beyond it a part is zero to rounding

// Gaussian elimination with partial pivoting, in place; A column-major N x N, X the right-hand sides.
template <int N, int COLUMNS>
void eliminate(double* A, double* X) {
  for (int k = 0; k < N; ++k) {
    int p = k;
    for (int i = k + 1; i < N; ++i)
      if (std::abs(A[i + k * N]) > std::abs(A[p + k * N])) p = i;
    for (int j = 0; j < N; ++j) std::swap(A[k + j * N], A[p + j * N]);
    for (int c = 0; c < COLUMNS; ++c) std::swap(X[k + c * N], X[p + c * N]);
    for (int i = k + 1; i < N; ++i) {
      const double factor = A[i + k * N] / A[k + k * N];
      for (int j = k; j < N; ++j) A[i + j * N] -= factor * A[k + j * N];
      for (int c = 0; c < COLUMNS; ++c) X[i + c * N] -= factor * X[k + c * N];
    }
  }
  for (int c = 0; c < COLUMNS; ++c)
    for (int k = N - 1; k >= 0; --k) {
      double* x = X + c * N;
      for (int j = k + 1; j < N; ++j) x[k] -= A[k + j * N] * x[j];
      x[k] /= A[k + k * N];
    }
}

}  // namespace

template <int PART>
bool RollingBlockSolver<PART>::prepare(const ContactCone<PART, 2>& set, const double* W, double proximal) {
  cone_ = set;
  scale_ = 0;
  for (int i = 0; i < size; ++i) scale_ += std::abs(W[i * (size + 1)]) / size;
  if (!(scale_ > 0)) scale_ = 1;
  // A tiny proximal term at least: rolling blocks of a single body are often singular.
  rho_ = scale_ * std::max(proximal, 1e-12);
  for (int k = 0; k < size * size; ++k) W_[k] = W[k] + (k % (size + 1) == 0 ? rho_ : 0.0);
  return std::isfinite(scale_);
}

template <int PART>
void RollingBlockSolver<PART>::condense(int outer, double parameter, const double* q, Condensed& condensed) const {
  auto& [row, first, S, g, base] = condensed;
  first = 1 + (1 - outer) * PART;
  row[0] = 0;
  for (int k = 1; k < held; ++k) row[k] = outer * PART + k;
  double A[held * held];
  for (int k = 0; k < held; ++k) {
    for (int l = 0; l < held; ++l) A[k + l * held] = W_[row[k] + row[l] * size] + (k == l && k > 0 ? parameter : 0.0);
    base[k] = -q[row[k]];
    for (int j = 0; j < PART; ++j) base[k + (1 + j) * held] = -W_[row[k] + (first + j) * size];
  }
  eliminate<held, 1 + PART>(A, base);
  for (int i = 0; i < PART; ++i) {
    const double* W = W_ + first + i;
    g[i] = q[first + i];
    for (int k = 0; k < held; ++k) g[i] += W[row[k] * size] * base[k];
    for (int j = 0; j < PART; ++j) {
      S[i + j * PART] = W[(first + j) * size];
      for (int k = 0; k < held; ++k) S[i + j * PART] += W[row[k] * size] * condensed.slope()[k + j * held];
    }
  }
}

template <int PART>
void RollingBlockSolver<PART>::evaluate(const Condensed& condensed, double parameter, double* x) {
  const auto& [row, first, S, g, base] = condensed;
  double* y = x + first;
  if constexpr (PART == 1) {
    y[0] = -g[0] / (S[0] + parameter);
  } else {
    const double s0 = S[0] + parameter, s1 = S[3] + parameter, determinant = s0 * s1 - S[1] * S[2];
    y[0] = (S[2] * g[1] - s1 * g[0]) / determinant;
    y[1] = (S[1] * g[0] - s0 * g[1]) / determinant;
  }
  for (int k = 0; k < held; ++k) {
    double sum = base[k];
    for (int j = 0; j < PART; ++j) sum += condensed.slope()[k + j * held] * y[j];
    x[row[k]] = sum;
  }
}

template <int PART>
double RollingBlockSolver<PART>::excess(const double* x, int part) const {
  return ContactCone<PART, 2>::part_norm(x, part) - cone_.mu[part] * x[0];
}

template <int PART>
template <class Evaluate>
double RollingBlockSolver<PART>::find_root(int part, double warm, double* x, Evaluate&& at) const {
  at(0.0, x);
  if (excess(x, part) <= 0) return 0;
  const double start = warm > 0 && warm < largest_parameter * scale_ ? warm : scale_;
  return find_sign_change(0, excess(x, part), HUGE_VAL, start, largest_parameter * scale_, [&](double t) {
    at(t, x);
    const double f = excess(x, part);
    return std::abs(f) <= 8 * DBL_EPSILON * cone_.mu[part] * std::abs(x[0]) ? 0 : f;
  });
}

template <int PART>
void RollingBlockSolver<PART>::solve_nested(int outer, const double* q, double* r) {
  const int inner = 1 - outer;
  double x[size];
  Condensed condensed;
  const double root = find_root(outer, warm_[outer], x, [&](double trial, double* y) {
    condense(outer, trial, q, condensed);
    const double inner_root = find_root(inner, warm_[inner], y,
                                        [&](double inner_trial, double* inner_x) { evaluate(condensed, inner_trial, inner_x); });
    if (inner_root > 0) warm_[inner] = inner_root;
  });
  if (root > 0) warm_[outer] = root;
  cone_.project(x, r);
}

template <int PART>
double RollingBlockSolver<PART>::residual(const double* q, const double* r) const {
  double u[size], p[size];
  for (int i = 0; i < size; ++i) {
    u[i] = q[i];
    for (int j = 0; j < size; ++j) u[i] += W_[i + j * size] * r[j];
  }
  cone_.add_normal_shift(u);
  // In units of the reaction, so that the block's scale does not count.
  for (int i = 0; i < size; ++i) p[i] = r[i] - u[i] / scale_;
  cone_.project(p, p);
  double sum = 0;
  for (int i = 0; i < size; ++i) sum += (r[i] - p[i]) * (r[i] - p[i]);
  return std::sqrt(sum);
}

template <int PART>
void RollingBlockSolver<PART>::solve(const double* q_given, double* r) {
  double q[size], norm = 0;
  for (int i = 0; i < size; ++i) {
    q[i] = q_given[i] - rho_ * r[i];
    norm += q[i] * q[i];
  }
  if (q[0] >= 0) {
    std::fill(r, r + size, 0.0);
    return;
  }
  solve_nested(1, q, r);
  const double error = residual(q, r);
  if (error <= accepted * std::sqrt(norm) / scale_) return;
  // With large coefficients the inner problem may have several roots and the outer function a jump at its sign change: nest the
  // other way.
  double other[size];
  solve_nested(0, q, other);
  if (residual(q, other) < error) std::copy(other, other + size, r);
}

template class RollingBlockSolver<1>;
template class RollingBlockSolver<2>;

}  // namespace nonsmooth
