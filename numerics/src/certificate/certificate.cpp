#include "certificate/certificate.hpp"

#include <algorithm>
#include <cfloat>
#include <cmath>

#include "core/index.hpp"
#include "problems/checks.hpp"

namespace nonsmooth {
namespace {

bool has_contacts(nsm_class problem_class) {
  return problem_class == NSM_FRICTION || problem_class == NSM_GLOBAL_FRICTION || problem_class == NSM_ROLLING ||
         problem_class == NSM_GLOBAL_ROLLING;
}

// The larger one; NaN if either is (std::max would drop it, and with it the fact that an evaluation overflowed).
double max_or_nan(double a, double b) { return std::isnan(a) || a > b ? a : b; }

// Relative size of a defect against the largest of the terms it is the sum of; 0 / 0 is 0.
double relative(double defect, double scale) { return defect == 0 ? 0 : defect / std::fmax(scale, DBL_MIN); }

nsm_certificate filled(const NaturalMapResult& map, double scale, bool contacts) {
  nsm_certificate certificate = NSM_CERTIFICATE_INIT;
  certificate.natural_map = map.norm / scale;
  certificate.residual = certificate.natural_map;
  certificate.rounding_floor = map.floor / scale;
  certificate.infeasibility = map.infeasibility;
  certificate.complementarity = map.complementarity;
  certificate.worst_block = map.worst_block;
  certificate.worst_block_residual = map.worst_block_norm;
  certificate.fclib_merit = contacts ? map.norm : 0;
  return certificate;
}

}  // namespace

Certifier::Certifier(const Problem& problem) : problem_(problem), global_(global_data(problem)) {
  const auto size = at(problem.size());
  w_.resize(size);
  if (global_ == nullptr) {
    view_ = local_inclusion(problem_);
    map_ = NaturalMap(view_);
  } else {
    blocks_ = global_->blocks();
    bound_.resize(size);
    dynamics_.resize(at(global_->dynamics_rows()));
    workspace_.resize(natural_map_workspace(blocks_));
  }
  refresh_scale();
}

void Certifier::refresh_scale() {
  data_norm_ = global_ != nullptr ? norm2(global_->w) : data_norm(view_, w_);
  scale_ = view_.scale = std::fmax(1.0, data_norm_);
}

void Certifier::refresh_sets() {
  if (global_ != nullptr)
    blocks_ = global_->blocks();
  else
    view_.blocks = local_inclusion(problem_).blocks;
}

nsm_certificate Certifier::certify(std::span<const double> z, std::span<const double> w, double tolerance,
                                   std::span<double> w_out) {
  auto [certificate, above_floor] = global_ != nullptr ? measure_global(z) : measure_local(z);
  certificate.tolerance = tolerance;
  if (find_not_finite(z) >= 0) certificate.residual = above_floor = NAN;  // columns of M that are empty do not tell
  const bool meaningful = is_meaningful(certificate.rounding_floor, tolerance);
  if (meaningful && certificate.residual <= tolerance)
    certificate.verdict = NSM_CERTIFIED;
  else if (meaningful && tolerance < certificate.rounding_floor && above_floor <= tolerance)
    certificate.verdict = NSM_WORKING_PRECISION;
  if (!w.empty()) {
    double sum = 0;
    for (std::size_t i = 0; i < w.size(); ++i) sum += (w[i] - w_[i]) * (w[i] - w_[i]);
    certificate.w_defect = std::sqrt(sum) / scale_;
  }
  if (!w_out.empty()) std::copy(w_.begin(), w_.end(), w_out.begin());
  return certificate;
}

Certifier::Measured Certifier::measure_local(std::span<const double> z) {
  const NaturalMapResult map = map_.evaluate(z, w_);
  if (view_.F != nullptr) scale_ = map.scale;
  Measured measured{filled(map, scale_, has_contacts(problem_.problem_class())), map.above_floor / scale_};
  measured.certificate.siconos_error = relative(map.norm, std::max({data_norm_, map.z_norm, map.w_norm}));
  measured.certificate.worst_block = place_in_problem(map.worst_block);
  return measured;
}

// A block of a generic problem may have a set for every row; neighbouring equalities of a mixed one share a set, and the worst
// of them is told.
std::int64_t Certifier::place_in_problem(std::int64_t set) const {
  if (set < 0) return set;
  const SetBlock& block = view_.blocks[at(set)];
  if (std::holds_alternative<Mlcp>(problem_.data)) {
    const auto first = w_.begin() + block.start;
    const auto is_smaller = [](double a, double b) { return std::abs(a) < std::abs(b); };
    return std::max_element(first, first + block.size, is_smaller) - w_.begin();
  }
  const Generic* generic = std::get_if<Generic>(&problem_.data);
  if (generic == nullptr) return set;
  std::int64_t place = 0, end = generic->block_size[0];
  while (end <= block.start) end += generic->block_size[at(++place)];
  return place;
}

// Of w = M v - H r - G l - f, relative to its largest term.
double Certifier::measure_dynamics(std::span<const double> v, std::span<const double> l, std::span<const double> r,
                                   std::span<double> w) {
  const GlobalContactData& data = *global_;
  double largest = norm2(data.f);
  auto add_term = [&](const Matrix& A, double sign, std::span<const double> x) {
    if (A.empty()) return;
    std::fill(dynamics_.begin(), dynamics_.end(), 0.0);
    multiply_add(A, 1.0, x, dynamics_);
    largest = std::max(largest, norm2(dynamics_));
    for (std::size_t i = 0; i < w.size(); ++i) w[i] += sign * dynamics_[i];
  };
  std::fill(w.begin(), w.end(), 0.0);
  add_term(data.M, 1.0, v);
  add_term(data.H, -1.0, r);
  add_term(data.G, -1.0, l);
  for (std::size_t i = 0; i < w.size(); ++i) w[i] -= data.f[i];
  return relative(norm2(w), largest);
}

Certifier::Measured Certifier::measure_global(std::span<const double> z) {
  const GlobalContactData& data = *global_;
  const auto n = at(data.dynamics_rows()), p = at(data.bilateral_rows());
  const std::span<const double> v = z.first(n), l = z.subspan(n, p), r = z.subspan(n + p);
  const std::span<double> w(w_), bound(bound_);
  std::fill(bound_.begin(), bound_.end(), 0.0);
  const double dynamics = measure_dynamics(v, l, r, w.first(n));

  std::copy(data.b.begin(), data.b.end(), w.begin() + static_cast<std::ptrdiff_t>(n));
  if (!data.G.empty()) multiply_transposed_add(data.G, 1.0, v, w.subspan(n, p));
  const double bilateral = norm2(w.subspan(n, p)) / residual_scale(data.b);

  const std::span<double> u = w.subspan(n + p), u_bound = bound.subspan(n + p);
  std::copy(data.w.begin(), data.w.end(), u.begin());
  multiply_transposed_add(data.H, 1.0, v, u);
  for (std::size_t i = 0; i < u.size(); ++i) u_bound[i] = std::abs(data.w[i]);
  multiply_absolute_transposed_add(data.H, v, u_bound);

  const std::size_t free_blocks = p > 0 ? 2 : 1;
  const std::span<const SetBlock> contacts = std::span<const SetBlock>(blocks_).subspan(free_blocks);
  const NaturalMapResult map = natural_map(contacts, z.data(), w.data(), bound.data(), workspace_);
  Measured measured{filled(map, scale_, true), map.above_floor / scale_};
  nsm_certificate& certificate = measured.certificate;
  certificate.dynamics = max_or_nan(dynamics, bilateral);
  certificate.residual = max_or_nan(certificate.natural_map, certificate.dynamics);
  if (!(certificate.dynamics <= rounding_factor)) measured.above_floor = max_or_nan(measured.above_floor, certificate.dynamics);
  certificate.siconos_error = relative(map.norm, std::max({data_norm_, map.z_norm, map.w_norm}));
  return measured;
}

}  // namespace nonsmooth
