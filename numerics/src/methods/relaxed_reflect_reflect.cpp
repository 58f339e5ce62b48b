// Relaxed reflect-reflect (reflections/reflections.hpp). Here B has row by row
//   z = lo, w >= 0, or lo <= z <= hi, w = 0, or z = hi, w <= 0,
// and what is tried is the basis of the rows between their bounds.
#include <algorithm>
#include <memory>
#include <vector>

#include "core/index.hpp"
#include "linalg/lapack.hpp"
#include "methods/reflections/cone_reflections.hpp"
#include "methods/reflections/reflections.hpp"

namespace nonsmooth {
namespace {

constexpr double singular_share = 1e-10;  // of a balanced basis, squared

enum class Place : std::uint8_t { unknown, at_lower, inside, at_upper };

class RowReflections final : public Reflections {
 public:
  RowReflections() : Reflections(1) {}
  void setup(const Inclusion& view, const Options& options) override;

 private:
  void project_on_laws(std::span<double> z, std::span<double> w) override;
  void begin_trials() override { std::fill(tried_.begin(), tried_.end(), Place::unknown); }
  Stop try_faces(std::span<double> z, Control& control, std::int64_t k) override;
  void take_places();
  void measure_inside();
  void correct_inside();
  void solve_inside();

  Workspace room_;                                   // of the next ones
  std::span<double> basis_, solution_, correction_;  // the rows inside; of a basis
  std::vector<Place> place_, tried_;
  std::vector<int> inside_;
};

void RowReflections::setup(const Inclusion& view, const Options& options) {
  refuse_contacts_and_disks(view, "relaxed_reflect_reflect");
  Reflections::setup(view, options);
  const auto n = at(n_);
  divide(room_, {{basis_, n * n}, {solution_, n}, {correction_, n}});
  place_.resize(n);
  tried_.resize(n);
  inside_.reserve(n);
}

void RowReflections::project_on_laws(std::span<double> z, std::span<double> w) {
  const auto square = [](double x) { return x * x; };
  for (std::size_t i = 0; i < z.size(); ++i) {
    const double lo = unit_ * lcp_.lo()[i], hi = unit_ * lcp_.hi()[i];
    const double from_lower = square(z[i] - lo) + square(std::min(w[i], 0.0)),
                 from_upper = square(z[i] - hi) + square(std::max(w[i], 0.0));
    double to_z = std::clamp(z[i], lo, hi), to_w = 0, distance = square(z[i] - to_z) + square(w[i]);
    place_[i] = Place::inside;
    if (from_lower < distance) {
      place_[i] = Place::at_lower;
      to_z = lo;
      to_w = std::max(w[i], 0.0);
      distance = from_lower;
    }
    if (from_upper < distance) {
      place_[i] = Place::at_upper;
      to_z = hi;
      to_w = std::min(w[i], 0.0);
    }
    z[i] = to_z;
    w[i] = to_w;
  }
}

// solution_: as P_B has the rows that lie at their bounds, and P_A the others.
void RowReflections::take_places() {
  inside_.clear();
  for (int i = 0; i < n_; ++i) {
    const double lo = lcp_.lo()[at(i)], hi = lcp_.hi()[at(i)];
    const Place place = place_[at(i)];
    if (place == Place::inside) inside_.push_back(i);
    solution_[at(i)] = place == Place::at_lower ? lo : place == Place::at_upper ? hi : std::clamp(near_z_[at(i)] / unit_, lo, hi);
  }
}

// correction_ = what w of the rows inside is short of 0.
void RowReflections::measure_inside() {
  std::copy(lcp_.q().begin(), lcp_.q().end(), rest_.begin());
  add_product("N", 1, lcp_.column(0), solution_, rest_);
  for (std::size_t k = 0; k < inside_.size(); ++k) correction_[k] = -rest_[at(inside_[k])];
}

void RowReflections::correct_inside() {
  for (std::size_t k = 0; k < inside_.size(); ++k) solution_[at(inside_[k])] += correction_[k];
}

// w = 0 in the rows inside. A singular basis leaves a choice: next to P_A(x), by least squares, regularised a little,
// whose error the second pass takes away.
void RowReflections::solve_inside() {
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
Stop RowReflections::try_faces(std::span<double> z, Control& control, std::int64_t k) {
  if (place_ == tried_) return control.check_limits(k);
  std::copy(place_.begin(), place_.end(), tried_.begin());
  take_places();
  solve_inside();
  lcp_.unscale(solution_, z);
  return control.check(k, z);
}

class RelaxedReflectReflect final : public Method {
 public:
  void setup(const Inclusion& view, const Options& options) override {
    method_ = ConeReflections::treats(view) ? make_method<ConeReflections>() : make_method<RowReflections>();
    method_->setup(view, options);
  }
  void update(Change change) override { method_->update(change); }
  bool updates_in_place() const override { return true; }
  Stop solve(std::span<double> z, Control& control) override { return method_->solve(z, control); }

 private:
  std::unique_ptr<Method> method_;
};

}  // namespace

extern const MethodEntry relaxed_reflect_reflect_method;
const MethodEntry relaxed_reflect_reflect_method{
    {sizeof(nsm_method_info), "relaxed_reflect_reflect",
     "search for a common point of the equations and the complementarity of every row or cone by relaxed reflections, from many "
     "starts",
     "Elser, Rankenburg and Thibault 2007; Elser 2018",
     "no M for certain: where a solution is known it is nearly always found, up to some hundred unknowns and with isolated "
     "solutions; no proof that there is none",
     linear_classes | class_bit(NSM_SOCLCP), 1000000,
     "indefinite M, where pivots end on rays and Newton's steps at local minima"},
    &make_method<RelaxedReflectReflect>};

}  // namespace nonsmooth
