#include "methods/reflections/cone_reflections.hpp"

#include <algorithm>
#include <cmath>

#include "core/index.hpp"
#include "linalg/lapack.hpp"
#include "sets/second_order_cone.hpp"

namespace nonsmooth {
namespace {

// Measured on 240 made-up problems of 15 to 100 unknowns (docs/decisions/0073-reflections.md).
constexpr std::int64_t cone_patience = 10;
constexpr int direction_steps = 3;  // none leaves twice as many unsolved
constexpr int most_newton_steps = 8;
constexpr double largest_rise = 10;       // of the defect, from the least
constexpr double rounding_share = 1e-14;  // of q

SecondOrderCone cone_of(const SetBlock& block) { return {block.size, block.a}; }

}  // namespace

bool ConeReflections::treats(const Inclusion& view) { return all_of_kind(view, {SetKind::second_order_cone}); }

ConeReflections::ConeReflections() : Reflections(cone_patience) {}

void ConeReflections::setup(const Inclusion& view, const Options& options) {
  std::int32_t largest = 0;
  for (const SetBlock& block : view.blocks) largest = std::max(largest, block.size);
  const auto n = at(view.size()), m = at(largest);
  divide(room_, {{v_, n}, {solution_, n}, {primal_, m}, {polar_, m}, {turned_, m}, {derivative_, m * m}});
  Reflections::setup(view, options);
}

void ConeReflections::project_on_laws(std::span<double> z, std::span<double> w) {
  for (const SetBlock& block : view_->blocks) project_pair(block, &z[at(block.start)], &w[at(block.start)]);
}

// a and b of the best direction found, which is left in turned_.
ConeReflections::Ray ConeReflections::nearest_ray(const SetBlock& block, const double* z, const double* w) {
  const auto n = at(block.size);
  const double tau = block.a, square = 1 + tau * tau;
  double *d = turned_.data(), a = 1 / tau, b = 1;  // the first direction is that of z - w
  for (int step = 0;; ++step) {
    double length = 0;
    for (std::size_t i = 1; i < n; ++i) {
      d[i] = tau * a * z[i] - b * w[i];
      length += d[i] * d[i];
    }
    if (!(length > 0)) return {0, 0, 0};
    length = std::sqrt(length);
    a = z[0];
    b = tau * w[0];
    for (std::size_t i = 1; i < n; ++i) {
      d[i] /= length;
      a += tau * z[i] * d[i];
      b -= w[i] * d[i];
    }
    a = std::max(a / square, 0.0);
    b = std::max(b / square, 0.0);
    if (step == direction_steps) return {a, b, square * (a * a + b * b)};
  }
}

// P_K*(w) = w + P_K(-w).
void ConeReflections::project_pair(const SetBlock& block, double* z, double* w) {
  const auto n = at(block.size);
  for (std::size_t i = 0; i < n; ++i) turned_[i] = -w[i];
  cone_of(block).project(z, primal_.data());
  cone_of(block).project(turned_.data(), polar_.data());
  double to_primal = 0, to_dual = 0, squares = 0;
  for (std::size_t i = 0; i < n; ++i) {
    to_primal += w[i] * w[i] + (z[i] - primal_[i]) * (z[i] - primal_[i]);
    to_dual += z[i] * z[i] + polar_[i] * polar_[i];
    squares += z[i] * z[i] + w[i] * w[i];
  }
  const Ray ray = nearest_ray(block, z, w);
  if (squares - ray.gain < std::min(to_primal, to_dual)) {
    z[0] = ray.a;
    w[0] = block.a * ray.b;
    for (std::size_t i = 1; i < n; ++i) {
      z[i] = block.a * ray.a * turned_[i];
      w[i] = -ray.b * turned_[i];
    }
  } else {
    const bool in_primal = to_primal <= to_dual;
    for (std::size_t i = 0; i < n; ++i) {
      z[i] = in_primal ? primal_[i] : 0;
      w[i] = in_primal ? 0 : w[i] + polar_[i];
    }
  }
}

// rest_ = M P(v) + q - P(v) + v; its norm.
double ConeReflections::measure() {
  for (const SetBlock& block : view_->blocks) cone_of(block).project(&v_[at(block.start)], &solution_[at(block.start)]);
  for (std::size_t i = 0; i < v_.size(); ++i) rest_[i] = lcp_.q()[i] - solution_[i] + v_[i];
  add_product("N", 1 / unit_, lcp_.column(0), solution_, rest_);
  return norm2(rest_);
}

// v less (M P' - P' + I)^-1 rest_. false if that is singular.
bool ConeReflections::newton_step() {
  double* A = factor_.matrix().data();
  for (const SetBlock& block : view_->blocks) {
    const int m = block.size;
    double *columns = A + at(block.start) * at(n_), *J = derivative_.data();
    cone_of(block).jacobian(&v_[at(block.start)], J);
    gemm("N", "N", n_, m, m, 1 / unit_, lcp_.column(block.start), n_, J, m, 0.0, columns, n_);
    for (int j = 0; j < m; ++j)
      for (int i = 0; i < m; ++i) columns[at(block.start + i) + at(j) * at(n_)] += (i == j ? 1 : 0) - J[at(i + j * m)];
  }
  if (!factor_.factorise(n_)) return false;
  factor_.solve(rest_.data());
  for (std::size_t i = 0; i < v_.size(); ++i) v_[i] -= rest_[i];
  return true;
}

Stop ConeReflections::try_faces(std::span<double> z, Control& control, std::int64_t k) {
  for (std::size_t i = 0; i < v_.size(); ++i) v_[i] = law_z_[i] - law_w_[i];
  double least = HUGE_VAL;
  for (int step = 0;; ++step) {
    const double defect = measure();
    if (!(defect <= largest_rise * least)) return control.check_limits(k);
    least = std::min(least, defect);
    if (step == most_newton_steps || defect <= rounding_share * norm2(lcp_.q()) || !newton_step()) break;
  }
  for (double& value : solution_) value /= unit_;
  lcp_.unscale(solution_, z);
  return control.check(k, z);
}

}  // namespace nonsmooth
