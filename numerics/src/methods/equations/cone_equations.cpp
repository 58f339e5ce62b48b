#include "methods/equations/cone_equations.hpp"

#include <algorithm>
#include <cmath>

#include "core/index.hpp"
#include "methods/equations/jordan_function.hpp"
#include "methods/equations/ncp_function.hpp"
#include "sets/disk.hpp"
#include "sets/set.hpp"

namespace nonsmooth {
namespace {

constexpr std::size_t vectors = 4;  // of the largest block, in the workspace

void bounded_row(NcpFunction function, double z, double w, double lo, double hi, double scale, const BlockEquations& e) {
  const RowEquation row = row_equation(function, z, w / scale, lo, hi);
  e.value[0] = -scale * row.value;
  if (e.L == nullptr) return;
  e.L[0] = -row.dw;
  e.R[0] = -scale * row.dz;
}

void free_equations(std::int32_t n, const double* w, const BlockEquations& e) {
  std::copy(w, w + n, e.value);
  if (e.L == nullptr) return;
  std::fill_n(e.L, n * n, 0.0);
  std::fill_n(e.R, n * n, 0.0);
  for (std::int32_t i = 0; i < n; ++i) e.L[i * (n + 1)] = 1;
}

// Rows first .. first + PART - 1 of D: z_T = P(x_T) on the disk of the given radius = mu bound, where bound is x_N or z_N.
template <int PART, int D>
void disk_equations(int first, double mu, double bound, bool bound_moves_with_w, const double* z, const double* w,
                    const double* x, double scale, const BlockEquations& e) {
  double p[PART], J[PART * PART]{};
  const Disk<PART> disk{bound > 0 ? mu * bound : 0};
  const double length = Disk<PART>::norm(x + first);
  const bool outside = length > disk.radius || disk.radius == 0;
  disk.project(x + first, length, p);
  for (int i = 0; i < PART; ++i) e.value[first + i] = outside ? scale * (z[first + i] - p[i]) : w[first + i];
  if (e.L == nullptr) return;
  if (disk.radius > 0) disk.jacobian(x + first, length, J);
  for (int i = 0; i < PART; ++i) {
    const int row = first + i;
    if (!outside) {
      e.L[row + row * D] = 1;
      continue;
    }
    // d(scale (z_T - P)) = scale (I - J) dz_T + J dw_T - mu x_T / |x_T| scale d(bound)
    for (int j = 0; j < PART; ++j) {
      e.R[row + (first + j) * D] = scale * ((i == j ? 1 : 0) - J[i + j * PART]);
      e.L[row + (first + j) * D] = J[i + j * PART];
    }
    const double outward = bound > 0 && length > 0 ? mu * x[row] / length : 0;
    e.R[row] = -scale * outward;
    e.L[row] = bound_moves_with_w ? outward : 0;
  }
}

template <int PART, int PARTS>
void contact_equations(const ContactCone<PART, PARTS>& cone, bool bound_moves_with_w, const double* z, const double* w,
                       double scale, const BlockEquations& e) {
  constexpr int D = 1 + PART * PARTS;
  double x[D];
  for (int i = 0; i < D; ++i) x[i] = z[i] - w[i] / scale;
  const bool closed = x[0] > 0;
  e.value[0] = closed ? w[0] : scale * z[0];
  if (e.L != nullptr) {
    std::fill(e.L, e.L + D * D, 0.0);
    std::fill(e.R, e.R + D * D, 0.0);
    e.L[0] = closed ? 1 : 0;
    e.R[0] = closed ? 0 : scale;
  }
  for (int g = 0; g < PARTS; ++g)
    disk_equations<PART, D>(1 + g * PART, cone.mu[g], bound_moves_with_w ? x[0] : z[0], bound_moves_with_w, z, w, x, scale, e);
}

// z = p where p is a function of x = z - u / s, and L its Jacobian.
void fixed_point_equations(std::int32_t n, const double* z, const double* u, const double* x, const double* p, double scale,
                           const BlockEquations& e) {
  const bool inside = std::equal(x, x + n, p);  // then without the cancellation of z - (z - u / scale)
  for (std::int32_t i = 0; i < n; ++i) e.value[i] = inside ? u[i] : scale * (z[i] - p[i]);
  if (e.L == nullptr) return;
  for (std::int32_t k = 0; k < n * n; ++k) e.R[k] = scale * ((k % (n + 1) == 0 ? 1 : 0) - e.L[k]);
}

// z = the solution at x where W is the identity: what alart_curnier is for Coulomb's law.
void contact_equations(const DilatantCone& cone, bool, const double* z, const double* w, double scale, const BlockEquations& e) {
  constexpr int D = DilatantCone::size;
  double x[D], p[D];
  for (int i = 0; i < D; ++i) x[i] = z[i] - w[i] / scale;
  cone.obey(x, p);
  if (e.L != nullptr) cone.obey_jacobian(x, e.L);
  fixed_point_equations(D, z, w, x, p, scale, e);
}

// L <- L (I + e_N g'), g the gradient of the normal shift: L times du~/dw. At w_T = 0 that of the mean of opposite directions, 0.
template <class Set>
void apply_shift_gradient(const Set& set, const double* w, double* L) {
  if constexpr (requires { set.shift_slope(0); })
    for (int g = 0; g < Set::parts; ++g) {
      const int first = 1 + g * Set::part_size;
      const double length = Set::part_norm(w, g);
      if (!(length > 0)) continue;
      for (int j = first; j < first + Set::part_size; ++j)
        for (int i = 0; i < Set::size; ++i) L[i + j * Set::size] += set.shift_slope(g) * w[j] / length * L[i];
    }
}

}  // namespace

bool ConeEquations::treats(const Inclusion& view, ConeFunction function) {
  return std::all_of(view.blocks.begin(), view.blocks.end(), [&](const SetBlock& block) {
    const bool is_no_cone_of_one_part = rolls(block.kind) || block.kind == SetKind::disk;
    return block.kind != SetKind::polyhedron && block.kind != SetKind::user_set &&
           !(is_no_cone_of_one_part && function == ConeFunction::fischer_burmeister);
  });
}

void ConeEquations::setup(const Inclusion& view, ConeFunction function) {
  std::int32_t largest = 1;
  for (const SetBlock& block : view.blocks) largest = std::max(largest, block.size);
  setup(largest, function);
}

void ConeEquations::setup(std::int32_t largest_block, ConeFunction function) {
  function_ = function;
  workspace_.assign(vectors * at(largest_block), 0.0);
}

template <class Set>
void ConeEquations::natural_map(const Set& set, std::int32_t n, const double* z, const double* w, double scale,
                                const BlockEquations& e) {
  double *x = workspace_.data(), *p = x + n, *u = p + n;
  std::copy(w, w + n, u);
  if constexpr (requires { set.add_normal_shift(u); }) set.add_normal_shift(u);
  for (std::int32_t i = 0; i < n; ++i) x[i] = z[i] - u[i] / scale;
  set.project(x, p);
  if (e.L != nullptr) set.jacobian(x, e.L);
  fixed_point_equations(n, z, u, x, p, scale, e);
  if (e.L != nullptr) apply_shift_gradient(set, w, e.L);
}

void ConeEquations::fischer_burmeister(const SetBlock& block, const double* z, const double* w, double scale,
                                       const BlockEquations& e) {
  const std::int32_t n = block.size;
  const double mu = block.a;
  if (!(mu > 0)) {  // the cone is a half-line
    if (e.L != nullptr) {
      std::fill_n(e.L, n * n, 0.0);
      std::fill_n(e.R, n * n, 0.0);
      for (std::int32_t i = 1; i < n; ++i) e.R[i * (n + 1)] = scale;
    }
    for (std::int32_t i = 1; i < n; ++i) e.value[i] = scale * z[i];
    return bounded_row(NcpFunction::fischer_burmeister, z[0], w[0], 0, HUGE_VAL, scale, e);
  }
  double *x = workspace_.data(), *y = x + n;
  std::copy(w, w + n, y);
  add_normal_shift(block, y);
  std::copy(z, z + n, x);
  x[0] *= mu;
  y[0] /= mu;
  for (std::int32_t i = 0; i < n; ++i) y[i] /= scale;
  const JordanFunction function(n, x, y, y + n);
  function.value(e.value);
  for (std::int32_t i = 0; i < n; ++i) e.value[i] *= scale;
  if (e.L == nullptr) return;
  function.derivative(x, e.R);
  function.derivative(y, e.L);
  for (std::int32_t k = 0; k < n * n; ++k) e.R[k] *= k < n ? scale * mu : scale;
  for (std::int32_t i = 0; i < n; ++i) e.L[i] /= mu;
  visit_set(block, [&](const auto& set) { apply_shift_gradient(set, w, e.L); });
}

void ConeEquations::evaluate(const SetBlock& block, const double* z, const double* w, double scale, const BlockEquations& e) {
  const bool is_jordan = function_ == ConeFunction::fischer_burmeister;
  const bool is_row = block.size == 1 && block.kind != SetKind::free_space;
  if (block.kind == SetKind::free_space) return free_equations(block.size, w, e);
  if (is_row) {
    const bool is_box = block.kind == SetKind::box;
    const double lo = is_box ? block.a : 0, hi = is_box ? block.b : HUGE_VAL;
    return bounded_row(is_jordan ? NcpFunction::fischer_burmeister : NcpFunction::min, z[0], w[0], lo, hi, scale, e);
  }
  if (is_jordan) return fischer_burmeister(block, z, w, scale, e);
  visit_set(block, [&](const auto& set) {
    const bool with_disks = function_ != ConeFunction::natural_map;
    if constexpr (requires { set.add_normal_shift(e.value); })
      if (with_disks) return contact_equations(set, function_ == ConeFunction::alart_curnier, z, w, scale, e);
    natural_map(set, block.size, z, w, scale, e);
  });
}

}  // namespace nonsmooth
