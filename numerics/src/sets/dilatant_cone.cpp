#include "sets/dilatant_cone.hpp"

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <functional>

#include "sets/sign_change.hpp"

namespace nonsmooth {
namespace {

constexpr double largest_yield = 1e18;  // alpha, relative to the block: beyond it the tangents are zero to rounding
constexpr double near_pole = 0.1;       // of S, relative to W_NN
constexpr double secular_rounding = 4 * DBL_EPSILON;
constexpr int pole_iterations = 60;

}  // namespace

void DilatantCone::obey(const double* x, double* z) const {
  const double length = part_norm(x, 0), delta = dilatancy();
  if (length <= eta() * x[0]) {
    std::copy(x, x + size, z);
    return;
  }
  const double normal = std::max(0.0, (x[0] + delta * length) / (1 + eta() * delta));
  const double factor = normal > 0 ? eta() * normal / length : 0;
  z[0] = normal;
  for (int i = 1; i < size; ++i) z[i] = factor * x[i];
}

void DilatantCone::obey_jacobian(const double* x, double* J) const {
  const double length = part_norm(x, 0), delta = dilatancy(), denominator = 1 + eta() * delta;
  const bool inside = length <= eta() * x[0];
  std::fill(J, J + size * size, 0.0);
  if (inside)
    for (int i = 0; i < size; ++i) J[i * (size + 1)] = 1;
  const double normal = (x[0] + delta * length) / denominator;
  if (inside || !(normal > 0)) return;
  const double direction[2] = {x[1] / length, x[2] / length};
  const double gradient[size] = {1 / denominator, delta * direction[0] / denominator, delta * direction[1] / denominator};
  for (int j = 0; j < size; ++j) {
    J[j * size] = gradient[j];
    for (int i = 0; i < 2; ++i) {
      J[1 + i + j * size] = eta() * direction[i] * gradient[j];
      if (j > 0) J[1 + i + j * size] += eta() * normal / length * ((i == j - 1 ? 1 : 0) - direction[i] * direction[j - 1]);
    }
  }
}

bool DilatantBlockSolver::prepare(const DilatantCone& set, const double* W, double proximal) {
  eta_ = set.eta();
  delta_ = set.dilatancy();
  const bool usable = definite_.prepare(set.cone, W, proximal);
  rho_ = definite_.block().rho;
  scale_ = 0;
  for (int k = 0; k < 9; ++k) W_[k] = W[k] + (k % 4 == 0 ? rho_ : 0.0);
  for (int i = 0; i < 3; ++i) scale_ += W_[4 * i] / 3;
  pole_ = eta_ > 0 && delta_ > 0 ? pole() : HUGE_VAL;
  return usable;
}

// (W_TT + alpha)^-1 b, or b' (W_TT + alpha)^-1.
std::array<double, 2> DilatantBlockSolver::solve_tangents(double alpha, double b0, double b1, bool transposed) const {
  const double t00 = W_[4] + alpha, t11 = W_[8] + alpha, t10 = transposed ? W_[7] : W_[5], t01 = transposed ? W_[5] : W_[7];
  const double determinant = t00 * t11 - t10 * t01;
  return {(t11 * b0 - t01 * b1) / determinant, (t00 * b1 - t10 * b0) / determinant};
}

DilatantBlockSolver::Eliminated DilatantBlockSolver::eliminate(double alpha, const double* q) const {
  Eliminated at;
  at.a = solve_tangents(alpha, -q[1], -q[2], false);
  at.y = solve_tangents(alpha, W_[1], W_[2], false);
  at.S = W_[0] - alpha * eta_ * delta_ - W_[3] * at.y[0] - W_[6] * at.y[1];
  at.N = -q[0] - W_[3] * at.a[0] - W_[6] * at.a[1];
  return at;
}

// The root of S, which is concave and falls behind it: Newton's steps from the right do not pass it.
double DilatantBlockSolver::pole() const {
  constexpr double none[3] = {0, 0, 0};
  double alpha = W_[0] / (eta_ * delta_);
  for (int k = 0; k < pole_iterations; ++k) {
    const Eliminated at = eliminate(alpha, none);
    const std::array<double, 2> row = solve_tangents(alpha, W_[3], W_[6], true);
    const double slope = -eta_ * delta_ + row[0] * at.y[0] + row[1] * at.y[1];
    const double next = alpha - at.S / slope;
    if (!(next < alpha && next > 0)) break;
    alpha = next;
  }
  return alpha;
}

bool DilatantBlockSolver::is_at_tip(const double* q) const { return q[0] >= delta_ * std::hypot(q[1], q[2]); }

// r = -W^-1 q, if that lies in the cone.
bool DilatantBlockSolver::stay(const double* q, double* r) const {
  const Eliminated at = eliminate(0, q);
  const double normal = at.N / at.S, tangent[2] = {at.a[0] - at.y[0] * normal, at.a[1] - at.y[1] * normal};
  if (!(std::hypot(tangent[0], tangent[1]) <= eta_ * normal)) return false;
  r[0] = normal;
  std::copy(tangent, tangent + 2, r + 1);
  return true;
}

// r_N where tangents have eliminated all but it: N / S away from the pole, and next to it and beyond the x > 0 with
// |a - y x| = eta x, to which u_N is then compared.
bool DilatantBlockSolver::is_on_cone(const Eliminated& at) const { return at.S < near_pole * W_[0] && at.quadratic(eta_) > 0; }

double DilatantBlockSolver::normal(const Eliminated& at) const {
  if (!is_on_cone(at)) return at.N / at.S;
  const double quadratic = at.quadratic(eta_), coupled = at.a[0] * at.y[0] + at.a[1] * at.y[1];
  const double squared = at.a[0] * at.a[0] + at.a[1] * at.a[1], root = std::sqrt(coupled * coupled + quadratic * squared);
  return coupled > 0 ? squared / (coupled + root) : (root - coupled) / quadratic;
}

// Of |r_T| over eta r_N, or of u_N over what yielding gives it: both are positive before the root. 0 to rounding.
double DilatantBlockSolver::excess(double alpha, const double* q) const {
  const Eliminated at = eliminate(alpha, q);
  const double r_N = normal(at), pulled = at.S * r_N;
  if (is_on_cone(at)) return std::abs(pulled - at.N) <= secular_rounding * std::abs(at.N) ? 0 : pulled - at.N;
  const double tangent = std::hypot(at.a[0] - at.y[0] * r_N, at.a[1] - at.y[1] * r_N), bound = eta_ * r_N;
  return std::abs(tangent - bound) <= secular_rounding * std::abs(bound) ? 0 : tangent - bound;
}

// The direction d of r_T at the root gives the rest, u_N + delta d'u_T = 0, but where several solutions are near.
void DilatantBlockSolver::yield(const double* q, double* r) {
  double low = 0, high = HUGE_VAL;
  if (pole_ < HUGE_VAL) (excess(pole_, q) > 0 ? low : high) = pole_;
  const double middle = high < HUGE_VAL ? 0.5 * high : low + scale_;
  alpha_ = find_sign_change(low, excess(low, q), high, alpha_ > low && alpha_ < high ? alpha_ : middle, largest_yield * scale_,
                            [&](double alpha) { return excess(alpha, q); });
  const Eliminated at = eliminate(alpha_, q);
  const double r_N = normal(at);
  double d[2] = {at.a[0] - at.y[0] * r_N, at.a[1] - at.y[1] * r_N};
  if (d[0] == 0 && d[1] == 0) std::transform(at.y.begin(), at.y.end(), d, std::negate<>());  // a = 0: the normal pulls alone
  const double length = std::hypot(d[0], d[1]);
  for (double& entry : d) entry = length > 0 ? entry / length : 0;
  const double pull = -(q[0] + delta_ * (d[0] * q[1] + d[1] * q[2]));
  double resistance = W_[0];
  for (int i = 0; i < 2; ++i)
    resistance += d[i] * (eta_ * W_[3 * (1 + i)] + delta_ * W_[1 + i] + delta_ * eta_ * (d[0] * W_[4 + i] + d[1] * W_[7 + i]));
  const bool is_told = resistance > (r_N > 0 ? near_pole * W_[0] : 0);
  r[0] = std::max(0.0, is_told ? pull / resistance : r_N);
  for (int i = 0; i < 2; ++i) r[1 + i] = eta_ * r[0] * d[i];
}

void DilatantBlockSolver::solve(const double* q_given, double* r) {
  if (!(eta_ > 0)) return definite_.solve(q_given, r);
  const double q[3] = {q_given[0] - rho_ * r[0], q_given[1] - rho_ * r[1], q_given[2] - rho_ * r[2]};
  if (is_at_tip(q))
    std::fill(r, r + 3, 0.0);
  else if (!stay(q, r))
    yield(q, r);
}

}  // namespace nonsmooth
