// Relaxed reflect-reflect (Elser, Rankenburg and Thibault 2007; Elser 2018): a search for a pair x = (z, w) that lies on
//   A   w = M z + q,
//   B   row by row z = lo, w >= 0, or lo <= z <= hi, w = 0, or z = hi, w <= 0,
// by x <- x + beta (P_B(2 P_A(x) - x) - P_A(x)). It rests only where the two meet: where M is indefinite, and paths and Newton's
// steps end at what is no solution, it wanders on. On its way it is never far from some solution of the rows that B has between
// their bounds; once in a while these are tried as a basis, and one of them is right long before x has come to rest. It may go
// round in circles, and begins anew then from a point that is drawn.
//
// The metric is that of M balanced, with the unknowns in such a unit that M z is as large as z. P_A takes one product with each
// of M, (I + M M')^-1 and M'.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "core/checked.hpp"
#include "core/error.hpp"
#include "core/index.hpp"
#include "core/random.hpp"
#include "linalg/dense_factor.hpp"
#include "linalg/lapack.hpp"
#include "methods/frame/equilibration.hpp"
#include "methods/frame/method.hpp"

namespace nonsmooth {
namespace {

// Measured on made-up problems of 40 to 200 unknowns (docs/decisions/0073-reflections.md).
constexpr double beta = 0.75;
constexpr double start_sizes = 6;         // powers of two
constexpr double singular_share = 1e-10;  // of a balanced basis, squared
constexpr std::int64_t trial_interval = 25, least_patience = 200;
constexpr std::int64_t largest_order = 5000;  // four dense matrices

enum class Place : std::uint8_t { unknown, at_lower, inside, at_upper };

class RelaxedReflectReflect final : public Method {
 public:
  void setup(const Inclusion& view, const Options& options) override;
  void update(Change change) override;
  bool updates_in_place() const override { return true; }
  Stop solve(std::span<double> z, Control& control) override;

 private:
  void load();
  std::int64_t patience() const;
  void start_at(std::span<const double> z);
  void draw_start();
  void project_on_equations();
  void reflect();
  void take_places();
  void measure_inside();
  void correct_inside();
  void solve_inside();
  Stop try_places(std::span<double> z, Control& control, std::int64_t k);
  void add_product(const char* transposition, double factor, const double* A, std::span<const double> x,
                   std::span<double> y) const;

  const Inclusion* view_ = nullptr;
  int n_ = 0;
  double unit_ = 1;  // of the unknowns
  EquilibratedLcp lcp_;
  DenseFactor factor_;
  Random random_;
  Workspace room_;                             // of the next ones
  std::span<double> inverse_, basis_, z_, w_;  // (I + M M' / unit^2)^-1, the rows inside; x
  std::span<double> near_z_, near_w_, rest_;   // P_A(x), what x leaves of the equations
  std::span<double> solution_, correction_;    // of a basis
  std::vector<Place> place_, tried_;
  std::vector<int> inside_;
};

void RelaxedReflectReflect::setup(const Inclusion& view, const Options&) {
  refuse_contacts_and_disks(view, "relaxed_reflect_reflect");
  const std::int64_t order = EquilibratedLcp::order_of(view);
  refuse_beyond(largest_order, order, "relaxed_reflect_reflect keeps dense matrices");
  view_ = &view;
  n_ = static_cast<int>(order);
  const auto n = at(order);
  lcp_.resize(order);
  factor_.resize(n_);
  divide(room_, {{inverse_, n * n},
                 {basis_, n * n},
                 {z_, n},
                 {w_, n},
                 {near_z_, n},
                 {near_w_, n},
                 {rest_, n},
                 {solution_, n},
                 {correction_, n}});
  place_.resize(n);
  tried_.resize(n);
  inside_.reserve(n);
  load();
}

void RelaxedReflectReflect::update(Change change) {
  if (change == Change::right_hand_side)
    lcp_.load_q(*view_);
  else
    load();
}

// The unit makes M as large as the identity, in the mean of its entries' squares.
void RelaxedReflectReflect::load() {
  lcp_.load(*view_, EquilibratedLcp::Kind::two_sided);
  const double *M = lcp_.column(0), squares = std::inner_product(M, M + inverse_.size(), M, 0.0);
  unit_ = squares > 0 ? std::sqrt(squares / n_) : 1;
  const std::span<double> product = factor_.matrix();
  gemm("N", "T", n_, n_, n_, 1 / (unit_ * unit_), M, n_, M, n_, 0.0, product.data(), n_);
  std::fill(inverse_.begin(), inverse_.end(), 0.0);
  for (std::size_t i = 0; i < inverse_.size(); i += at(n_) + 1) {
    product[i] += 1;
    inverse_[i] = 1;
  }
  if (!factor_.factorise(n_, DenseFactor::Kind::cholesky))
    throw Error(NSM_UNSUPPORTED, "relaxed_reflect_reflect: M is too badly scaled");
  factor_.solve(inverse_.data(), n_, n_);
}

// Iterations from one start. Large problems come to the neighbourhood of a solution later.
std::int64_t RelaxedReflectReflect::patience() const {
  const std::int64_t n = n_;
  return std::max({least_patience, 10 * n, n * n / 10});
}

void RelaxedReflectReflect::add_product(const char* transposition, double factor, const double* A, std::span<const double> x,
                                        std::span<double> y) const {
  gemv(transposition, n_, n_, factor, A, n_, x.data(), 1.0, y.data());
}

// x = (z, M z + q). Multipliers of a polyhedron have no starting value.
void RelaxedReflectReflect::start_at(std::span<const double> z) {
  std::fill(z_.begin(), z_.end(), 0.0);
  lcp_.scale(z, z_);
  std::copy(lcp_.q().begin(), lcp_.q().end(), w_.begin());
  add_product("N", 1, lcp_.column(0), z_, w_);
  for (double& value : z_) value *= unit_;
}

// As large as q, within the bounds.
void RelaxedReflectReflect::draw_start() {
  const double norm = norm2(lcp_.q()), size = (norm > 0 ? norm / std::sqrt(n_) : 1) * std::exp2(start_sizes * random_.uniform());
  const auto draw = [&] { return size * (2 * random_.uniform() - 1); };
  for (std::size_t i = 0; i < z_.size(); ++i) {
    z_[i] = std::clamp(draw(), unit_ * lcp_.lo()[i], unit_ * lcp_.hi()[i]);
    w_[i] = draw();
  }
}

// With y = (I + M M')^-1 (w - q - M z) it is (z + M' y, w - y).
void RelaxedReflectReflect::project_on_equations() {
  const double* M = lcp_.column(0);
  for (std::size_t i = 0; i < rest_.size(); ++i) rest_[i] = w_[i] - lcp_.q()[i];
  add_product("N", -1 / unit_, M, z_, rest_);
  std::fill(solution_.begin(), solution_.end(), 0.0);
  add_product("N", 1, inverse_.data(), rest_, solution_);
  std::copy(z_.begin(), z_.end(), near_z_.begin());
  add_product("T", 1 / unit_, M, solution_, near_z_);
  for (std::size_t i = 0; i < near_w_.size(); ++i) near_w_[i] = w_[i] - solution_[i];
}

// x by beta (P_B(2 P_A(x) - x) - P_A(x)).
void RelaxedReflectReflect::reflect() {
  const auto square = [](double x) { return x * x; };
  for (std::size_t i = 0; i < z_.size(); ++i) {
    const double lo = unit_ * lcp_.lo()[i], hi = unit_ * lcp_.hi()[i];
    const double z = 2 * near_z_[i] - z_[i], w = 2 * near_w_[i] - w_[i];
    const double from_lower = square(z - lo) + square(std::min(w, 0.0)), from_upper = square(z - hi) + square(std::max(w, 0.0));
    double to_z = std::clamp(z, lo, hi), to_w = 0, distance = square(z - to_z) + square(w);
    place_[i] = Place::inside;
    if (from_lower < distance) {
      place_[i] = Place::at_lower;
      to_z = lo;
      to_w = std::max(w, 0.0);
      distance = from_lower;
    }
    if (from_upper < distance) {
      place_[i] = Place::at_upper;
      to_z = hi;
      to_w = std::min(w, 0.0);
    }
    z_[i] += beta * (to_z - near_z_[i]);
    w_[i] += beta * (to_w - near_w_[i]);
  }
}

// solution_: as P_B has the rows that lie at their bounds, and P_A the others.
void RelaxedReflectReflect::take_places() {
  inside_.clear();
  for (int i = 0; i < n_; ++i) {
    const double lo = lcp_.lo()[at(i)], hi = lcp_.hi()[at(i)];
    const Place place = place_[at(i)];
    if (place == Place::inside) inside_.push_back(i);
    solution_[at(i)] = place == Place::at_lower ? lo : place == Place::at_upper ? hi : std::clamp(near_z_[at(i)] / unit_, lo, hi);
  }
}

// correction_ = what w of the rows inside is short of 0.
void RelaxedReflectReflect::measure_inside() {
  std::copy(lcp_.q().begin(), lcp_.q().end(), rest_.begin());
  add_product("N", 1, lcp_.column(0), solution_, rest_);
  for (std::size_t k = 0; k < inside_.size(); ++k) correction_[k] = -rest_[at(inside_[k])];
}

void RelaxedReflectReflect::correct_inside() {
  for (std::size_t k = 0; k < inside_.size(); ++k) solution_[at(inside_[k])] += correction_[k];
}

// w = 0 in the rows inside. A singular basis leaves a choice: next to P_A(x), by least squares, regularised a little,
// whose error the second pass takes away.
void RelaxedReflectReflect::solve_inside() {
  const int order = static_cast<int>(inside_.size());
  double* entry = basis_.data();
  for (const int j : inside_)
    for (const int i : inside_) *entry++ = lcp_.column(j)[i];
  std::copy(basis_.data(), entry, factor_.matrix().begin());
  measure_inside();
  if (factor_.factorise(order)) {
    factor_.solve(correction_.data());
    return correct_inside();
  }
  double* square = factor_.matrix().data();
  gemm("N", "T", order, order, order, 1.0, basis_.data(), order, basis_.data(), order, 0.0, square, order);
  for (int i = 0; i < order; ++i) square[at(i) * at(order + 1)] += singular_share;
  if (!factor_.factorise(order, DenseFactor::Kind::cholesky)) return;
  for (int pass = 0; pass < 2; ++pass) {
    if (pass > 0) measure_inside();
    factor_.solve(correction_.data());
    std::copy_n(correction_.begin(), order, rest_.begin());
    gemv("T", order, order, 1, basis_.data(), order, rest_.data(), 0, correction_.data());
    correct_inside();
  }
}

// A basis that has just been tried is not tried again.
Stop RelaxedReflectReflect::try_places(std::span<double> z, Control& control, std::int64_t k) {
  if (place_ == tried_) return control.check_limits(k);
  std::copy(place_.begin(), place_.end(), tried_.begin());
  take_places();
  solve_inside();
  lcp_.unscale(solution_, z);
  return control.check(k, z);
}

Stop RelaxedReflectReflect::solve(std::span<double> z, Control& control) {
  random_ = Random();
  std::fill(tried_.begin(), tried_.end(), Place::unknown);
  start_at(z);
  std::int64_t begun = 0;
  for (std::int64_t k = 1;; ++k) {
    project_on_equations();
    reflect();
    const Stop stop = k % trial_interval == 0 ? try_places(z, control, k) : control.check_limits(k);
    if (stop != Stop::none) return stop;
    if (k - begun >= patience()) {
      draw_start();
      begun = k;
    }
  }
}

}  // namespace

extern const MethodEntry relaxed_reflect_reflect_method;
const MethodEntry relaxed_reflect_reflect_method{
    {sizeof(nsm_method_info), "relaxed_reflect_reflect",
     "search for a common point of the equations and the complementarity of every row by relaxed reflections, from many starts",
     "Elser, Rankenburg and Thibault 2007; Elser 2018",
     "no M for certain: where a solution is known it is nearly always found, up to some hundred unknowns and with isolated "
     "solutions; no proof that there is none",
     linear_classes, 1000000, "indefinite M, where pivots end on rays and Newton's steps at local minima"},
    &make_method<RelaxedReflectReflect>};

}  // namespace nonsmooth
