#include "sets/rolling_cone.hpp"

#include <cfloat>
#include <limits>
#include <utility>

namespace nonsmooth {
namespace {

constexpr int bracket_iterations = 100;
constexpr double accepted = 1e-9;           // natural map of a block, relative to its q
constexpr double largest_parameter = 1e18;  // relative to the block: beyond it a part is zero to rounding

// Gaussian elimination with partial pivoting, in place; A column-major n x n with n <= 5, x the right-hand side.
void solve_small(double* A, double* x, int n) {
  for (int k = 0; k < n; ++k) {
    int p = k;
    for (int i = k + 1; i < n; ++i)
      if (std::abs(A[i + k * n]) > std::abs(A[p + k * n])) p = i;
    for (int j = 0; j < n; ++j) std::swap(A[k + j * n], A[p + j * n]);
    std::swap(x[k], x[p]);
    for (int i = k + 1; i < n; ++i) {
      const double factor = A[i + k * n] / A[k + k * n];
      for (int j = k; j < n; ++j) A[i + j * n] -= factor * A[k + j * n];
      x[i] -= factor * x[k];
    }
  }
  for (int k = n - 1; k >= 0; --k) {
    for (int j = k + 1; j < n; ++j) x[k] -= A[k + j * n] * x[j];
    x[k] /= A[k + k * n];
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
void RollingBlockSolver<PART>::evaluate(const double* parameters, const double* q, double* x) const {
  double A[size * size];
  std::copy(W_, W_ + size * size, A);
  for (int i = 1; i < size; ++i) A[i * (size + 1)] += parameters[i <= PART ? 0 : 1];
  for (int i = 0; i < size; ++i) x[i] = -q[i];
  solve_small(A, x, size);
}

template <int PART>
double RollingBlockSolver<PART>::excess(const double* x, int part) const {
  return ContactCone<PART, 2>::part_norm(x, part) - cone_.mu[part] * x[0];
}

template <int PART>
template <class Evaluate>
double RollingBlockSolver<PART>::find_root(int part, double start, double* x, Evaluate&& at) const {
  at(0.0, x);
  if (excess(x, part) <= 0) return 0;
  double low = 0, high = std::numeric_limits<double>::infinity();
  double f_low = excess(x, part), f_high = 0;
  double t = start > 0 && start < largest_parameter * scale_ ? start : scale_;
  int side = 0;
  for (int k = 0; k < bracket_iterations; ++k) {
    at(t, x);
    const double f = excess(x, part);
    if (std::abs(f) <= 8 * DBL_EPSILON * cone_.mu[part] * std::abs(x[0])) break;
    // Illinois variant of false position (Dowell and Jarratt 1971) once both ends are known.
    if (f > 0) {
      low = t;
      f_low = f;
      if (side == 1) f_high /= 2;
      side = 1;
    } else {
      high = t;
      f_high = f;
      if (side == -1) f_low /= 2;
      side = -1;
    }
    if (std::isinf(high)) {
      if (t > largest_parameter * scale_) break;  // the part vanishes
      t = 8 * t;
      side = 0;
      continue;
    }
    if (high - low <= 2 * DBL_EPSILON * high) break;
    const double secant = low + (high - low) * f_low / (f_low - f_high);
    // Over many decades halve in the logarithm.
    const bool wide = low > 0 && high > 16 * low;
    t = wide ? std::sqrt(low * high) : (secant > low && secant < high ? secant : 0.5 * (low + high));
  }
  return t;
}

template <int PART>
void RollingBlockSolver<PART>::solve_nested(int outer, const double* q, double* r) {
  const int inner = 1 - outer;
  double x[size], parameters[2];
  const double root = find_root(outer, warm_[outer], x, [&](double trial, double* y) {
    parameters[outer] = trial;
    const double inner_root = find_root(inner, warm_[inner], y, [&](double inner_trial, double* inner_x) {
      parameters[inner] = inner_trial;
      evaluate(parameters, q, inner_x);
    });
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
